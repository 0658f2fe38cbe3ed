// SPDX-License-Identifier: MIT
// force_part.h: springs, bushings, forces, pairs of meshes and the hand of somebody outside (links.c, force_time.c, pull.c).
#pragma once

#include "rigid/force.h"
#include "multibody/breaks.h"
#include "multibody/multibody.h"

// A spring, bushing or force between two bodies: it belongs to the group of the first that moves.
typedef enum ForceKind {
    FORCE_SPRING,
    FORCE_BUSHING,
    FORCE_WORLD_FORCE,
    FORCE_JOINT_FORCE,
    FORCE_SOLIDS
} ForceKind;

typedef struct GroupForce {
    ForceKind kind;
    int index; // in the scene
    int other; // group of the other body; -1: none, or the same
} GroupForce;

typedef struct ForcePart {
    RbSpring *springs;
    RbBushing *bushings;
    RbWorldForce *world_forces;
    RbJointForce *joint_forces;
    int *joint_bodies; // per joint force: the body that the joint carries
    int *joint_inputs; // per joint force: number of its input, RB_NONE: it has none
    RbSolidsForce *solids;
    int touching;     // discrete values per pair of solids (touching_solids.h)
    int solids_indicators; // the first of two, where a caller integrates; RB_NONE: steps are looked into
    GroupForce *list; // all of these, by group
    int *start;       // per group, and one more
    bool has_time;    // some force may depend on time
    int break_since;  // then, discrete value: last time at which forces jumped [s]
    int break_until;  // discrete value: the next one
    RbBreaks breaks;  // where they are looked for
    RbPull pull;      // by somebody outside
} ForcePart;
