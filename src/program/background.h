// SPDX-License-Identifier: MIT
// background.h: optimised code for a long run. The run begins with the code that libtcc made at
// once; when it has lasted a while, the system's compiler is started as another process (or its
// result of an earlier run is found in the cache), and when the object is there and both codes
// have given the same bits at some points of the run, the instance goes on with the new one.
// Results do not depend on when that happens. Whoever has no compiler notices nothing.
//
//     RbBackground *b = rb_background(in, arena);         // NULL if the program does not want it
//     ... after each accepted step: rb_background_poll(b, time, x, diag);
#pragma once

#include "program/program.h"

// [s] of CPU time after which a run is taken for long: a second more is likely, and the compiler
// needs about that for a model of a few hundred equations.
#define RB_BACKGROUND_AFTER 1.0

// ORDER names in background.c
typedef enum RbBackgroundState {
    RB_BACKGROUND_WAITS,    // the run is young
    RB_BACKGROUND_COMPILES, // the compiler runs
    RB_BACKGROUND_COMPARES, // both codes are compared
    RB_BACKGROUND_SWAPPED,
    RB_BACKGROUND_GIVEN_UP, // no compiler, or the bits differ
} RbBackgroundState;

typedef struct RbBackground {
    RbProgramInstance *in;
    RbArena *arena; // of the code
    RbBackgroundState state;
    RbCompileJob job;
    RbCompiled code;
    double since; // [s] CPU time at the first poll; -1: none yet
    int polls;    // since the last look at the clock or the compiler
    int agreed;   // comparisons
    bool was_cached;
} RbBackground;

RbBackground *rb_background(RbProgramInstance *in, RbArena *arena);

// At a point of the solution. NULL is allowed. Warns if the two codes differ.
void rb_background_poll(RbBackground *b, double time, const double *x, RbDiag *diag);
