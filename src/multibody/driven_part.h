// SPDX-License-Identifier: MIT
// driven_part.h: joints whose motion belongs to equations (driven*.c, blows.c, jumps.c).
#pragma once

#include "rigid/inverse.h"
#include "rigid/loop.h"
#include "scene/scene.h"

typedef struct DrivenPart {
    int *own; // where the states are in the vectors of the tree, without bristles; NULL: no joint
              // belongs to the equations, and they are these vectors
    int own_count;
    int *own_place;    // the other way round: per state of the tree; -1: in the equations
    int modes;         // discrete values per driven coordinate (blows.c)
    int *row_of_group; // whose joints it has; RB_NONE: no driven ones
    double *blow;      // per driven coordinate: impulse that nothing has taken yet
    const RbSceneAction *caught_by; // the last action that has locked a driven joint
} DrivenPart;

typedef struct DrivenWork {
    double *full, *full_rates;            // vectors of the tree, and bristles
    double *inputs;                       // coordinates and speeds of these joints, signals
    double *inputs_before, energy_before; // without signals, and [J]: before the present event
    double *M, *h;                        // what the equations see, in the order of dyn.driven
    bool seen;                            // these are those of the present inputs
    double *added;         // per speed: inertia of what drives a joint, while a row is solved
    bool *solved;          // per row: its joints were accelerated by its solution
    double *held_tau;      // per joint of the row: room
    int *place;            // per driven coordinate: there
    double *drive;         // likewise: what drives it, with the accelerations of motion
    double *accelerations; // likewise: these
    double *pushes;        // likewise: forces besides those that there are
    const double *push;    // NULL, or these: they act
    double *yield_unit;    // room for driven joints in loops, see driven_loops.c
    int *yield_list;
    // Per driven coordinate, then speed: where it was, where the mechanism wished it to start, and whether that was in vain.
    double *start_seen, *start_wish;
    bool *start_said;
    bool start_wished;    // in the present pass
    RbLoopNear loop_near; // likewise, to put states on the loops
    double *loop_states;  // coordinates and speeds; NULL: there are no such loops
    RbInverse inverse;
} DrivenWork;
