// SPDX-License-Identifier: MIT
// linear.h: a run near the point where it stands as a linear system, its eigenvalues and frequency response; and the
// point at which it rests.
//
//     int u = rb_run_find(run, "u"), y = rb_run_find(run, "y"), n = rb_run_sizes(run).states;
//     RbLinearSystem s = {.inputs = &u, .outputs = &y, .input_count = 1, .output_count = 1,
//                         .A = malloc(n * n * sizeof(double)), ...};
//     rb_run_find_rest(run, 0, NULL);
//     rb_run_linearize(run, &s);
//     rb_linear_modes(context, n, s.A, real, imaginary, NULL);
#pragma once

#include "rattleback/run.h"

#ifdef __cplusplus
extern "C" {
#endif

// d(dx)/dt = A dx + B du, dy = C dx + D du. Matrices are stored column after column in the order of rb_run_state; the
// caller provides their memory. inputs: numbers of variables that are inputs; outputs: of any that follow from
// states and inputs. Parts that are empty may be NULL.
typedef struct RbLinearSystem {
    const int *inputs, *outputs;
    int input_count, output_count;
    double *A, *B, *C, *D;
} RbLinearSystem;

// At the present time, states, inputs and discrete values; leaves no trace. A comes from the components where they have
// their Jacobian, everything else from central difference quotients.
RB_API RbStatus rb_run_linearize(RbRun *run, const RbLinearSystem *system);

// How variables change when states and inputs change along a direction: the derivatives of the unknowns, which follow from
// states and inputs, by the known ones, times the seed, which has a number for each of them; at the present point, as
// rb_run_linearize. Of derivatives of states from the components where they have their Jacobian.
typedef struct RbRunDirection {
    const int *unknowns, *knowns; // numbers of variables
    int unknown_count, known_count;
    const double *seed;
    double *derivatives; // out, by unknown
} RbRunDirection;

RB_API RbStatus rb_run_direction(RbRun *run, const RbRunDirection *direction);

// Eigenvalues by growing magnitude. participation may be NULL, otherwise participation[k*n + i] tells how much state i
// takes part in mode k; the sum over the states is 1.
RB_API RbStatus rb_linear_modes(RbContext *context, int states, const double *A, double *real,
                                double *imaginary, double *participation);

// The shapes of the modes, in the order of rb_linear_modes: state i moves in mode k as real[k*n + i] + i imaginary[k*n + i].
RB_API RbStatus rb_linear_shapes(RbContext *context, int states, const double *A, double *real,
                                 double *imaginary);

// C (i w I - A)^-1 B + D at an angular frequency w [rad/s]: outputs x inputs, column after column.
RB_API RbStatus rb_linear_response(RbContext *context, int states, const RbLinearSystem *system,
                                   double w, double *real, double *imaginary);

// Zeros of the transfer from one input to one output. real and imaginary have room for `states` numbers; *count: how many
// there are.
RB_API RbStatus rb_linear_zeros(RbContext *context, int states, const RbLinearSystem *system,
                                int input, int output, double *real, double *imaginary, int *count);

// Outputs at 0, dt, ..., (count - 1) dt after a step of 1 of one input from rest: y[k*output_count + i].
RB_API RbStatus rb_linear_step(RbContext *context, int states, const RbLinearSystem *system,
                               int input, double dt, int count, double *y);

typedef struct RbRestFound {
    int iterations;
    double rate; // [1/s] largest rate of change of a state relative to its size
} RbRestFound;

// Move the states to a point where nothing changes at the present time, inputs and discrete values; an event, as
// rb_run_set_states is. It follows the motion with ever longer implicit steps, so that it ends in a point of rest that is
// near. tolerance: how far the last of these steps may move a state, relative to its size; 0: 1e-10. rest may be NULL.
// After a failure the run stands where it stood, and the message names the state that does not rest.
RB_API RbStatus rb_run_find_rest(RbRun *run, double tolerance, RbRestFound *rest);

#ifdef __cplusplus
}
#endif
