// SPDX-License-Identifier: MIT
// groups.h: the bodies of a mechanism by what they can influence without contact. A group is a part of the tree that hangs on the world
// by itself, and what loops tie to it; islands are made of groups (docs/theory/islands.md).
#pragma once

#include <stdbool.h>

// A group that is one ball, see ball.c.
typedef struct Ball {
    bool is;
    double mass;    // [kg]
    double inertia; // [kg m2]
} Ball;

// Where the states of a group are (coordinates, speeds, bristles), and its own derivatives in the
// values of the Jacobian.
typedef struct GroupStates {
    int q, nq, v, nv; // first and number, in the vectors of the tree
    int count;        // of all
    long rates;       // of the coordinates
    long block;       // rows of speeds and bristles
} GroupStates;

typedef struct Groups {
    int *of; // per body
    int count;
    int *first_body;     // per group, and one more
    GroupStates *states; // per group
    long block_count;    // values of all groups by themselves
    bool *reached;       // per group: equations drive, push or measure something of it
    Ball *balls;         // per group
    bool *loose;         // per group: a free body of any convex shapes
} Groups;
