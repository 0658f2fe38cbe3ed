// SPDX-License-Identifier: MIT
// linear.h: the linear systems of implicit steps and Newton iterations: A y = b with A = a I + b J,
// dense (LAPACK) or sparse (KLU). Same input, same bits: see docs/decisions/blas.md for threads.
#pragma once

#include <stdbool.h>

#include "math/sparse_lu.h"
#include "solver/solver.h"

typedef struct RbLinear {
    int n;
    RbLinearKind wanted;
    bool sparse;
    const RbPattern *pattern; // of J; NULL = dense
    double *jacobian;         // J in pattern order, or dense by columns; filled by the owner
    size_t jacobian_count;

    // private
    double *matrix; // A, same order as J if sparse; dense: by columns, overwritten by its factors
    size_t jacobian_capacity, matrix_capacity;
    int *pivots;              // dense
    RbSparseLu lu;            // sparse
    int (*get_threads)(void); // of the BLAS; NULL: it has none
    void (*set_threads)(int);
    bool keep_pivots; // the pivot order of the last factorisation may be used again

    long factorisations;
} RbLinear;

// Prepare a zero struct, or change the pattern. Memory comes from the arena and is used again when
// it suffices. The caller defers rb_linear_free.
void rb_linear_set_pattern(RbLinear *linear, int n, const RbPattern *pattern, RbLinearKind wanted,
                           RbArena *arena);
void rb_linear_free(RbLinear *linear);

// Forget what depends on earlier values (pivot order), so that results do not depend on the past.
void rb_linear_restart(RbLinear *linear);

// A = a I + b J.
void rb_linear_assemble(RbLinear *linear, double a, double b);

// Factorise A; false if it is singular.
bool rb_linear_factor(RbLinear *linear);

// y = A^-1 y.
void rb_linear_solve(RbLinear *linear, double *y);
