// SPDX-License-Identifier: MIT
// breaks.h: times at which forces of time jump. A solver that steps across one sees neither when nor
// by how much, so each is a time event: the solver stops there and starts anew.
//
// Some are declared by the user. The others are found by looking ahead: what depends on time alone is
// known before the run gets there. It is asked at 1000 times, evenly spread over the run; between two
// that differ, halving finds the place. Guaranteed: a jump by at least a thousandth of the value is
// found if what follows it lasts for longer than a thousandth of the run.
//
// On both sides of a break the function is asked a few roundings beside it, so that it does not
// matter whether it jumps at t >= T or at t > T, nor how it computes T.
#pragma once

#include "multibody/scene.h"

// The run that the breaks are wanted for.
typedef struct RbRunSpan {
    double start, stop; // [s]
} RbRunSpan;

// First break after t, declared or found; INFINITY: none until the run stops.
double rb_breaks_next(const RbScene *scene, double t, RbRunSpan run);

// Time to ask a function for, between two breaks that follow each other.
double rb_breaks_inside(double t, double since, double until);
