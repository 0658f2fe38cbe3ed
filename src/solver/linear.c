// SPDX-License-Identifier: MIT
#include "solver/linear.h"

#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "base/assert.h"

// Present only if the BLAS at hand is OpenBLAS.
__attribute__((weak)) int openblas_get_num_threads(void);
__attribute__((weak)) void openblas_set_num_threads(int count);

// Reciprocal pivot growth below which old pivots are given up. The relative error of a solve is
// about 1e-16 / growth; a Newton correction needs a few digits, so this leaves room for badly
// scaled systems.
static const double SMALLEST_GROWTH = 1e-8;

// The order of summation in a threaded BLAS depends on the number of threads.
static void use_one_thread(void) {
    if (openblas_get_num_threads && openblas_set_num_threads && openblas_get_num_threads() != 1) {
        openblas_set_num_threads(1);
    }
}

// An operation of KLU costs as much as a dense one in small systems, and eight times as much where
// blocks fill the cache. Measured on random patterns of 6 to 200 unknowns: both cost the same at
// these shares of the operations.
static bool sparse_pays(const klu_symbolic *symbolic) {
    double n = symbolic->n, dense_operations = 2.0 / 3 * n * n * n;
    double share = fmin(0.75, fmax(0.125, 25 / n));
    return symbolic->est_flops <= share * dense_operations;
}

// At least `count` doubles; doubling keeps what is left behind in the arena below the array itself.
static void reserve(double **data, size_t *capacity, size_t count, RbArena *arena) {
    if (count <= *capacity) return;
    *capacity = count > 2 * *capacity ? count : 2 * *capacity;
    *data = rb_new_array(arena, double, *capacity);
}

static void free_factors(RbLinear *l) {
    if (l->numeric) klu_free_numeric(&l->numeric, &l->common);
    if (l->symbolic) klu_free_symbolic(&l->symbolic, &l->common);
}

// Permutation to block triangular form and fill-reducing order: depends on the pattern alone.
static void analyse(RbLinear *l, RbArena *arena) {
    klu_defaults(&l->common);
    const RbPattern *p = l->pattern;
    l->symbolic = klu_analyze(p->n, p->col_start, p->row_index, &l->common);
    l->library_allocations++;
    if (!l->symbolic) rb_heap_fail(arena->heap); // the pattern is valid, so memory was the reason
    l->sparse = l->wanted == RB_LINEAR_SPARSE || sparse_pays(l->symbolic);
    if (!l->sparse) free_factors(l);
}

void rb_linear_set_pattern(RbLinear *l, int n, const RbPattern *pattern, RbLinearKind wanted,
                           RbArena *arena) {
    RB_ASSERT(!pattern || pattern->n == n);
    free_factors(l);
    l->n = n;
    l->wanted = wanted;
    l->pattern = pattern;
    l->sparse = false;
    if (pattern && wanted != RB_LINEAR_DENSE) analyse(l, arena);
    size_t square = (size_t)n * (size_t)n, count = pattern ? (size_t)pattern->count : square;
    l->jacobian_count = count;
    reserve(&l->jacobian, &l->jacobian_capacity, count, arena);
    reserve(&l->matrix, &l->matrix_capacity, l->sparse ? count : square, arena);
    if (!l->sparse && !l->pivots) l->pivots = rb_new_array(arena, int, n);
    rb_linear_restart(l);
}

void rb_linear_free(RbLinear *l) {
    free_factors(l);
}

void rb_linear_restart(RbLinear *l) {
    l->keep_pivots = false;
}

static void assemble_sparse(RbLinear *l, double a, double b) {
    for (int k = 0; k < l->pattern->count; k++) l->matrix[k] = b * l->jacobian[k];
    for (int j = 0; j < l->n; j++) l->matrix[l->pattern->diagonal[j]] += a;
}

static void assemble_dense(RbLinear *l, double a, double b) {
    size_t n = (size_t)l->n;
    const RbPattern *p = l->pattern;
    if (p) {
        memset(l->matrix, 0, sizeof(double) * n * n);
        for (size_t j = 0; j < n; j++) {
            for (int k = p->col_start[j]; k < p->col_start[j + 1]; k++) {
                l->matrix[j * n + (size_t)p->row_index[k]] = b * l->jacobian[k];
            }
        }
    } else {
        for (size_t k = 0; k < n * n; k++) l->matrix[k] = b * l->jacobian[k];
    }
    for (size_t j = 0; j < n; j++) l->matrix[j * n + j] += a;
}

void rb_linear_assemble(RbLinear *l, double a, double b) {
    if (l->sparse) {
        assemble_sparse(l, a, b);
    } else {
        assemble_dense(l, a, b);
    }
}

// Factorise with the pivots of last time: several times cheaper, and good as long as they do not
// grow.
static bool refactor(RbLinear *l) {
    const RbPattern *p = l->pattern;
    if (!l->keep_pivots || !l->numeric) return false;
    if (!klu_refactor(p->col_start, p->row_index, l->matrix, l->symbolic, l->numeric, &l->common))
        return false;
    klu_rgrowth(p->col_start, p->row_index, l->matrix, l->symbolic, l->numeric, &l->common);
    return l->common.rgrowth > SMALLEST_GROWTH;
}

static bool factor_anew(RbLinear *l) {
    const RbPattern *p = l->pattern;
    if (l->numeric) klu_free_numeric(&l->numeric, &l->common);
    l->numeric = klu_factor(p->col_start, p->row_index, l->matrix, l->symbolic, &l->common);
    l->pivot_orders++;
    l->library_allocations++;
    l->keep_pivots = l->numeric && l->common.status == KLU_OK;
    return l->keep_pivots;
}

bool rb_linear_factor(RbLinear *l) {
    l->factorisations++;
    if (l->sparse) return refactor(l) || factor_anew(l);
    use_one_thread();
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, l->n, l->n, l->matrix, l->n, l->pivots) == 0;
}

void rb_linear_solve(RbLinear *l, double *y) {
    if (l->sparse) {
        klu_solve(l->symbolic, l->numeric, l->n, 1, y, &l->common);
    } else {
        use_one_thread();
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', l->n, 1, l->matrix, l->n, l->pivots, y, l->n);
    }
}
