// SPDX-License-Identifier: MIT
#include "solver/linear.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include <lapacke.h>

#include "base/assert.h"

// The order of summation in a threaded BLAS depends on the number of threads, and threads that wait for each
// other cost several times what they save on matrices of this size. OpenBLAS has these functions, others have
// not; they are looked for while the program runs, since a weak reference is dropped by some linkers.
static void find_threads(RbLinear *l) {
    l->get_threads = (int (*)(void))dlsym(RTLD_DEFAULT, "openblas_get_num_threads");
    l->set_threads = (void (*)(int))dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
}

static void use_one_thread(const RbLinear *l) {
    if (l->get_threads && l->set_threads && l->get_threads() != 1) l->set_threads(1);
}

// An operation of KLU costs as much as a dense one in small systems, and eight times as much where
// blocks fill the cache. Measured on random patterns of 6 to 200 unknowns: both cost the same at
// these shares of the operations.
static bool sparse_pays(const RbSparseLu *lu) {
    double n = lu->n, dense_operations = 2.0 / 3 * n * n * n;
    double share = fmin(0.75, fmax(0.125, 25 / n));
    return rb_sparse_operations(lu) <= share * dense_operations;
}

// At least `count` doubles; doubling keeps what is left behind in the arena below the array itself.
static void reserve(double **data, size_t *capacity, size_t count, RbArena *arena) {
    if (count <= *capacity) return;
    *capacity = count > 2 * *capacity ? count : 2 * *capacity;
    *data = rb_new_array(arena, double, *capacity);
}

static void analyse(RbLinear *l, RbArena *arena) {
    const RbPattern *p = l->pattern;
    if (!rb_sparse_analyse(&l->lu, p->n, p->col_start, p->row_index)) rb_heap_fail(arena->heap);
    l->sparse = l->wanted == RB_LINEAR_SPARSE || sparse_pays(&l->lu);
    if (!l->sparse) rb_sparse_free(&l->lu);
}

void rb_linear_set_pattern(RbLinear *l, int n, const RbPattern *pattern, RbLinearKind wanted,
                           RbArena *arena) {
    RB_ASSERT(!pattern || pattern->n == n);
    rb_sparse_free(&l->lu);
    l->n = n;
    l->wanted = wanted;
    l->pattern = pattern;
    l->sparse = false;
    find_threads(l);
    if (pattern && wanted != RB_LINEAR_DENSE) analyse(l, arena);
    size_t square = (size_t)n * (size_t)n, count = pattern ? (size_t)pattern->count : square;
    l->jacobian_count = count;
    reserve(&l->jacobian, &l->jacobian_capacity, count, arena);
    reserve(&l->matrix, &l->matrix_capacity, l->sparse ? count : square, arena);
    if (!l->sparse && !l->pivots) l->pivots = rb_new_array(arena, int, n);
    rb_linear_restart(l);
}

void rb_linear_free(RbLinear *l) {
    rb_sparse_free(&l->lu);
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

// Pivots of last time are good as long as they do not grow.
static bool factor_sparse(RbLinear *l) {
    if (l->keep_pivots && rb_sparse_refactor(&l->lu, l->matrix)) return true;
    l->keep_pivots = rb_sparse_factor(&l->lu, l->matrix);
    return l->keep_pivots;
}

bool rb_linear_factor(RbLinear *l) {
    l->factorisations++;
    if (l->sparse) return factor_sparse(l);
    use_one_thread(l);
    return LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, l->n, l->n, l->matrix, l->n, l->pivots) == 0;
}

void rb_linear_solve(RbLinear *l, double *y) {
    if (l->sparse) {
        rb_sparse_solve(&l->lu, y);
    } else {
        use_one_thread(l);
        LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', l->n, 1, l->matrix, l->n, l->pivots, y, l->n);
    }
}
