// SPDX-License-Identifier: MIT
// linearize.h: a run near the point where it stands, as a linear system (docs/theory/linear.md):
//
//     d(dx)/dt = A dx + B du,   dy = C dx + D du
//
// and a point at which nothing changes, dx/dt = 0. Discrete values stay as they are.
#pragma once

#include "rattleback/linear.h"
#include "sim/look.h"

// Matrices are stored column after column. Inputs and outputs are numbers of variables; an output is any variable
// that follows from states and inputs. B, C, D may be NULL if they are empty.
typedef struct RbLinearization {
    const int *inputs, *outputs;
    int input_count, output_count;
    double *A, *B, *C, *D;
} RbLinearization;

// See RbRunDirection.
RbStatus rb_look_direction(RbLook *look, const RbRunDirection *direction);

RbStatus rb_look_linearize(RbLook *look, const RbLinearization *linearization);

// The largest of these changes of states (or rates of change), relative to the sizes of the states, and which state it
// is (-1: none).
double rb_look_largest(RbLook *look, const double *change, int *state);

// A step dx towards rest from the present states: (I/dt - A) dx = der(x). *solved is false if the matrix is singular.
// scratch: not the trial memory of the run.
RbStatus rb_look_step_to_rest(RbLook *look, double dt, const double *derivatives, double *dx,
                              RbArena scratch, bool *solved);
