// SPDX-License-Identifier: MIT
// loop_part.h: joints that close kinematic loops (loops.c, driven_loops.c).
#pragma once

#include "rigid/dynamics.h"
#include "rigid/loop.h"

typedef struct LoopPart {
    RbCutRange *cuts;      // per group: joints that close its loops
    bool closed;           // where the equations start their joints, too
    double *saved_lengths; // from a checkpoint: per joint, of rods that were measured; NULL: none
    bool knows_lengths;    // they came from there
    int turn_starts;       // discrete values per cut: its angle at the start
    int turns;             // quadratures per cut: how far it has turned since
} LoopPart;

// What loops add to an evaluation, and the same at states nearby, for their derivatives.
typedef struct LoopsWork {
    RbLoopWork now, shifted;
    Wrench *before, *shifted_forces; // per body
    RbKin shifted_kin;
    RbDyn shifted_dyn;
    double *shifted_x, *shifted_dv[2];
} LoopsWork;
