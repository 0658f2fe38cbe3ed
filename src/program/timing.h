// SPDX-License-Identifier: MIT
// timing.h: relations that depend on time, parameters and discrete variables only, such as time >=
// T. When they switch is known in advance: the solver stops there exactly, and a pulse shorter than
// its step cannot be missed.
#pragma once

#include "program/program.h"

// Numbers of these relations; as many as *count.
int *rb_clock_relations(const RbSortedDae *dae, RbArena *arena, RbArena scratch, int *count);

// The first time after the present one at which one of them switches, as far as it is affine in
// time; otherwise infinity.
double rb_next_clock_event(RbProgramInstance *in);
