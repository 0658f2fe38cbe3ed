// SPDX-License-Identifier: MIT
// step_part.h: where bodies are during a step, as far as it is looked at (island.c, step.c).
#pragma once

#include "collide/box_tree.h"
#include "contact/set.h"

// Where a body is during a step of its island: in a ball around its place in the middle.
typedef struct StepBall {
    Vec3 centre;   // [m]
    double radius; // [m]
    double speed;  // [m/s] bound for the speed of its points
} StepBall;

// Where a group was placed last, while the steps of islands are looked at.
typedef struct Placed {
    long look;   // number of the look
    double time; // [s]
} Placed;

typedef struct StepWork {
    bool *wanted;    // per body
    double *x;       // states inside a step
    double *speed;   // per body: bound over a step
    StepBall *balls; // per body
    // Boxes around the balls of all bodies, item = body, and of what is fixed, item = number of
    // bodies + place in element_list.
    RbBoxTree near;
    long look;
    Placed *placed;              // per group
    int *found, found_count;     // items that a search has found
    RbMoving *at_start, *at_end; // per body: at the ends of a step
    double end_time;             // [s] of the last step that was inspected
    // Of the last evaluation of the indicators:
    double nearest;      // [m] smallest distance of bodies that do not touch
    double nearest_time; // [s]
} StepWork;
