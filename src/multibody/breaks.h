// SPDX-License-Identifier: MIT
// breaks.h: times at which forces of time jump. A solver that steps across one sees neither when nor
// by how much, so each is a time event: the solver stops there and starts anew.
//
// Some are declared by the user. The others are found by looking ahead (math/jumps.h), in forces that
// depend on time alone.
//
// On both sides of a break the function is asked a few roundings beside it, so that it does not
// matter whether it jumps at t >= T or at t > T, nor how it computes T.
#pragma once

#include "math/jumps.h"
#include "scene/scene.h"

typedef struct RbBreaks {
    const RbScene *scene;
    RbJumpSearch *searches; // one per force of time alone
    int search_count;
} RbBreaks;

// For a run from start to stop [s].
void rb_breaks_open(RbBreaks *breaks, const RbScene *scene, double start, double stop,
                    RbArena *arena);

// First break after t, declared or found; INFINITY: none until the run stops.
double rb_breaks_next(const RbBreaks *breaks, double t);

// Time to ask a function for, between two breaks that follow each other.
double rb_breaks_inside(double t, double since, double until);
