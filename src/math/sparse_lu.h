// SPDX-License-Identifier: MIT
// sparse_lu.h: factors of large sparse matrices, by KLU: block triangular form, an order that keeps
// the factors sparse, partial pivoting. The one place that talks to that library. Matrices by
// columns: rows of column j are row_index[col_start[j]] ... in ascending order.
//
//     RbSparseLu lu = {0};
//     if (!rb_sparse_analyse(&lu, n, col_start, row_index)) ...   // no memory
//     if (!rb_sparse_factor(&lu, values)) ...                     // singular
//     rb_sparse_solve(&lu, y);                                    // y = A^-1 y
//     rb_sparse_free(&lu);
#pragma once

#include <stdbool.h>

#include <klu.h>

typedef struct RbSparseLu {
    int n;
    int *col_start, *row_index; // of the owner, who keeps them
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    klu_common common;
    long factorisations;
    long pivot_orders;        // factorisations that chose pivots
    long library_allocations; // calls that allocate inside the library
    bool no_memory;           // why the last factorisation failed
} RbSparseLu;

// Prepare a zero struct, or change the pattern. What is found depends on the pattern alone. False:
// no memory.
bool rb_sparse_analyse(RbSparseLu *lu, int n, int *col_start, int *row_index);
void rb_sparse_free(RbSparseLu *lu);

// Operations that a factorisation takes if the pivots are on the diagonal of the blocks.
double rb_sparse_operations(const RbSparseLu *lu);

// Factorise; the pivots depend on these values alone. False: singular, or not finite, or
// no_memory.
bool rb_sparse_factor(RbSparseLu *lu, double *values);

// Factorise with the pivots of last time: several times cheaper. False: there are none, or they do
// not suit these values; then factorise anew.
bool rb_sparse_refactor(RbSparseLu *lu, double *values);

// y = A^-1 y.
void rb_sparse_solve(RbSparseLu *lu, double *y);

// Smallest by largest pivot of the last factorisation, rows scaled: near the rounding of a double
// the matrix is as good as singular.
double rb_sparse_pivot_ratio(RbSparseLu *lu);
