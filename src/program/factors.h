// SPDX-License-Identifier: MIT
// factors.h: factors of the matrix of a linear system, dense or sparse. They are made anew only if
// a number in the matrix is another one than last time: so the matrix of a circuit with switches is
// factorised at events, and one of parameters once. Factors depend on the matrix alone, never on
// what was there before.
#pragma once

#include "dae/dae.h"

typedef struct RbFactors RbFactors;

// All memory but KLU's is taken here.
RbFactors *rb_factors(const RbBlock *block, RbArena *arena);
RbFactors *rb_dense_factors(int n, RbArena *arena); // by columns

// The matrix `a` (rb_matrix_place) is the one to solve with. False: it is singular.
bool rb_factors_take(RbFactors *factors, const double *a);

// Room for a matrix and a vector, to put together what is taken. Dense only.
double *rb_factors_room(RbFactors *factors);

// b = A^-1 b.
void rb_factors_solve(RbFactors *factors, double *b);

// There are factors of the last matrix; forget them; how often some were made.
bool rb_factors_ready(const RbFactors *factors);
void rb_factors_forget(RbFactors *factors);
long rb_factors_count(const RbFactors *factors);
