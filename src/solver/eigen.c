// SPDX-License-Identifier: MIT
#include "solver/eigen.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#define lapack_complex_double double complex
#include <lapacke.h>

bool rb_dense_solve(int n, double *matrix, double *y, RbArena *scratch) {
    int *pivots = rb_new_array(scratch, int, n + 1);
    if (n == 0) return true;
    return LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, matrix, n, pivots, y, n) == 0;
}

// |left_i right_i| of eigenvector k: LAPACK stores the real and the imaginary part of a pair in two columns.
static double product(const double *left, const double *right, int n, int k, bool pair, int i) {
    size_t at = (size_t)k * (size_t)n + (size_t)i, next = at + (size_t)n;
    if (!pair) return fabs(left[at] * right[at]);
    return hypot(left[at], left[next]) * hypot(right[at], right[next]);
}

static void participate(const double *left, const double *right, int n, int k, bool pair,
                        double *p) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += p[i] = product(left, right, n, k, pair, i);
    for (int i = 0; sum > 0 && i < n; i++) p[i] /= sum;
}

typedef struct Eigen {
    int n;
    double *re, *im, *left, *right;
    int *order;
} Eigen;

static bool comes_before(const Eigen *e, int a, int b) {
    double sa = hypot(e->re[a], e->im[a]), sb = hypot(e->re[b], e->im[b]);
    return sa < sb || (sa == sb && a < b); // stable: LAPACK keeps pairs together, positive first
}

static void sort_modes(Eigen *e) {
    for (int i = 0; i < e->n; i++) {
        int k = i;
        for (; k > 0 && comes_before(e, i, e->order[k - 1]); k--) e->order[k] = e->order[k - 1];
        e->order[k] = i;
    }
}

static bool decompose(Eigen *e, double *a, bool vectors, RbArena *scratch) {
    int n = e->n, info;
    double wanted;
    char how = vectors ? 'V' : 'N';
    LAPACKE_dgeev_work(LAPACK_COL_MAJOR, how, how, n, a, n, e->re, e->im, e->left, n, e->right, n,
                       &wanted, -1);
    double *work = rb_new_array(scratch, double, (size_t)wanted + 1);
    info = LAPACKE_dgeev_work(LAPACK_COL_MAJOR, how, how, n, a, n, e->re, e->im, e->left, n,
                              e->right, n, work, (int)wanted);
    return info == 0;
}

static bool is_finite(const double *a, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(a[i])) return false;
    return true;
}

bool rb_eigenvalues(int n, const double *matrix, double *real, double *imaginary,
                    double *participation, RbArena *scratch) {
    size_t square = (size_t)n * (size_t)n;
    Eigen e = {.n = n};
    if (n == 0) return true;
    if (!is_finite(matrix, square)) return false;
    e.re = rb_new_array(scratch, double, n), e.im = rb_new_array(scratch, double, n);
    e.left = rb_new_array(scratch, double, square), e.right = rb_new_array(scratch, double, square);
    e.order = rb_new_array(scratch, int, n);
    double *a = rb_new_array(scratch, double, square);
    memcpy(a, matrix, square * sizeof *a);
    if (!decompose(&e, a, participation != NULL, scratch)) return false;
    sort_modes(&e);
    for (int i = 0; i < n; i++) {
        int k = e.order[i], first = e.im[k] < 0 ? k - 1 : k;
        real[i] = e.re[k], imaginary[i] = e.im[k];
        if (participation)
            participate(e.left, e.right, n, first, e.im[k] != 0,
                        participation + (size_t)i * (size_t)n);
    }
    return true;
}

bool rb_frequency_response(const RbStateSpace *s, double w, double *real, double *imaginary,
                           RbArena *scratch) {
    int n = s->states, info = 0;
    double complex *a = rb_new_array(scratch, double complex, (size_t)n *(size_t)n + 1),
                   *b = rb_new_array(scratch, double complex, (size_t)n *(size_t)s->inputs + 1);
    int *pivots = rb_new_array(scratch, int, n + 1);
    for (int k = 0; k < n * n; k++) a[k] = -s->A[k];
    for (int i = 0; i < n; i++) a[(size_t)i * (size_t)n + (size_t)i] += I * w;
    for (int k = 0; k < n * s->inputs; k++) b[k] = s->B[k];
    if (n > 0 && s->inputs > 0)
        info = LAPACKE_zgesv_work(LAPACK_COL_MAJOR, n, s->inputs, a, n, pivots, b, n);
    if (info != 0) return false;
    for (int j = 0; j < s->inputs; j++) {
        for (int i = 0; i < s->outputs; i++) {
            double complex g = s->D[j * s->outputs + i];
            for (int k = 0; k < n; k++) g += s->C[k * s->outputs + i] * b[j * n + k];
            real[j * s->outputs + i] = creal(g), imaginary[j * s->outputs + i] = cimag(g);
        }
    }
    return true;
}
