// SPDX-License-Identifier: MIT
// timing.h: relations that depend on time, parameters and discrete variables only, such as time >=
// T. When they switch is known in advance: the solver stops there exactly, and a pulse shorter than
// its step cannot be missed.
#pragma once

#include "program/program.h"

// These relations; as many as *count.
RbClockRelation *rb_clock_relations(const RbSortedDae *dae, RbArena *arena, RbArena scratch,
                                    int *count);

// A run begins, or goes on, or parameters have changed: nothing is known yet.
void rb_timing_open(RbProgramInstance *in, double start, double stop);

// The first time after the present one at which one of them switches; infinity: none. Exact where
// the relation is affine in time. Otherwise interval arithmetic (range.h) makes sure that no switch
// is passed, and halving finds the place to rounding. With functions that it does not know (calls,
// tables) the relation is looked at 1000 times over the run: guaranteed if it lasts longer than a
// thousandth of the run.
double rb_next_clock_event(RbProgramInstance *in);

// Which of two events comes first. Times that differ by rounding (6 * 0.3 and 1.8) are one event: at the
// later of them both have happened.
double rb_first_event(double a, double b);
