// SPDX-License-Identifier: MIT
#include "math/sparse_lu.h"

// Reciprocal pivot growth below which old pivots are given up. The relative error of a solve is
// about 1e-16 / growth; a Newton correction needs a few digits, so this leaves room for badly
// scaled systems.
static const double SMALLEST_GROWTH = 1e-8;

void rb_sparse_free(RbSparseLu *lu) {
    if (lu->numeric) klu_free_numeric(&lu->numeric, &lu->common);
    if (lu->symbolic) klu_free_symbolic(&lu->symbolic, &lu->common);
}

bool rb_sparse_analyse(RbSparseLu *lu, int n, int *col_start, int *row_index) {
    rb_sparse_free(lu);
    klu_defaults(&lu->common);
    lu->n = n;
    lu->col_start = col_start;
    lu->row_index = row_index;
    lu->symbolic = klu_analyze(n, col_start, row_index, &lu->common);
    lu->library_allocations++;
    return lu->symbolic != NULL;
}

double rb_sparse_operations(const RbSparseLu *lu) {
    return lu->symbolic->est_flops;
}

bool rb_sparse_refactor(RbSparseLu *lu, double *values) {
    if (!lu->numeric || lu->common.status != KLU_OK) return false;
    if (!klu_refactor(lu->col_start, lu->row_index, values, lu->symbolic, lu->numeric, &lu->common))
        return false;
    klu_rgrowth(lu->col_start, lu->row_index, values, lu->symbolic, lu->numeric, &lu->common);
    bool good = lu->common.rgrowth > SMALLEST_GROWTH;
    lu->factorisations += good;
    return good;
}

bool rb_sparse_factor(RbSparseLu *lu, double *values) {
    if (lu->numeric) klu_free_numeric(&lu->numeric, &lu->common);
    lu->numeric = klu_factor(lu->col_start, lu->row_index, values, lu->symbolic, &lu->common);
    lu->factorisations++;
    lu->pivot_orders++;
    lu->library_allocations++;
    lu->no_memory = lu->common.status == KLU_OUT_OF_MEMORY;
    return lu->numeric && lu->common.status == KLU_OK;
}

void rb_sparse_solve(RbSparseLu *lu, double *y) {
    klu_solve(lu->symbolic, lu->numeric, lu->n, 1, y, &lu->common);
}

double rb_sparse_pivot_ratio(RbSparseLu *lu) {
    return klu_rcond(lu->symbolic, lu->numeric, &lu->common) ? lu->common.rcond : 0;
}
