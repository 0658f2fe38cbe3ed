// SPDX-License-Identifier: MIT
// ahead.h: functions of time in equations (external code, tables, algorithms, what stands within
// noEvent) whose arguments are time and parameters alone. Where they jump is found by looking ahead
// (math/jumps.h): the solver stops right before and right behind it, and starts anew. Functions that
// are declared impure are not looked at.
#pragma once

#include "math/jumps.h"
#include "program/program.h"

//
// A function of time that does not jump can be stepped over all the same: a pulse after a pause in
// which the solver's steps have grown. So the function is asked at 1000 times, and where it leaves a
// straight line that it followed for a fiftieth of the run, and moves by a twentieth of its range
// within as long a time, the solver starts anew.

// The expressions concerned, those of the dynamics: which may jump; and all, as large as they are.
typedef struct RbClocks {
    RbClockValues values, signals;
} RbClocks;
RbClocks rb_clocks(const RbSortedDae *dae, RbArena *arena, RbArena scratch);

// A run begins, or goes on: the parameters have their values.
void rb_ahead_open(RbProgramInstance *in, double start, double stop);

// They have others now.
void rb_ahead_renew(RbProgramInstance *in);

// First time after the present one at which the solver must start anew, INFINITY: none.
double rb_ahead_next(RbProgramInstance *in);

// Is this time one that rb_ahead_next returns?
bool rb_ahead_due(const RbProgramInstance *in, double time);
