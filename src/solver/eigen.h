// SPDX-License-Identifier: MIT
// eigen.h: eigenvalues of a matrix, how much each state takes part in them, and the response of a linear system to
// oscillations (LAPACK). Matrices are stored column after column.
#pragma once

#include <stdbool.h>

#include "base/arena.h"

// y = A^-1 y; A is overwritten. False: it is singular.
bool rb_dense_solve(int n, double *matrix, double *y, RbArena *scratch);

// Eigenvalues by growing magnitude, of a pair the one with positive imaginary part first. participation may be NULL;
// otherwise participation[k*n + i] is |left_i right_i| of state i in mode k, each mode scaled to a sum of 1. False: the
// iteration has failed.
bool rb_eigenvalues(int n, const double *matrix, double *real, double *imaginary,
                    double *participation, RbArena *scratch);

// Right eigenvectors of the same, in that order: real[k*n + i] and imaginary[k*n + i] for state i in mode k.
bool rb_eigenvectors(int n, const double *matrix, double *real, double *imaginary, RbArena *scratch);

// G = C (i w I - A)^-1 B + D, outputs x inputs, real and imaginary parts. False: i w is an eigenvalue.
typedef struct RbStateSpace {
    int states, inputs, outputs;
    const double *A, *B, *C, *D;
} RbStateSpace;
bool rb_frequency_response(const RbStateSpace *system, double w, double *real, double *imaginary,
                           RbArena *scratch);

// Zeros of the transfer from one input to one output: the finite s for which [A - s I, b; c, d] is singular. real and
// imaginary have room for `states`; returns how many there are, -1: the iteration has failed.
int rb_transfer_zeros(const RbStateSpace *system, int input, int output, double *real,
                      double *imaginary, RbArena *scratch);

// Outputs at 0, dt, ..., (count - 1) dt after a step of 1 of one input from rest: y[k*outputs + i]. Exact up to rounding: by
// the exponential of the matrix.
void rb_step_response(const RbStateSpace *system, int input, double dt, int count, double *y,
                      RbArena *scratch);
