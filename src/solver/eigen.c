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

// False: the iteration has failed.
static bool solve(Eigen *e, int n, const double *matrix, bool vectors, RbArena *scratch) {
    size_t square = (size_t)n * (size_t)n;
    *e = (Eigen){.n = n};
    if (!is_finite(matrix, square)) return false;
    e->re = rb_new_array(scratch, double, n), e->im = rb_new_array(scratch, double, n);
    e->left = rb_new_array(scratch, double, square);
    e->right = rb_new_array(scratch, double, square);
    e->order = rb_new_array(scratch, int, n);
    double *a = rb_new_array(scratch, double, square);
    memcpy(a, matrix, square * sizeof *a);
    if (!decompose(e, a, vectors, scratch)) return false;
    sort_modes(e);
    return true;
}

bool rb_eigenvectors(int n, const double *matrix, double *real, double *imaginary,
                     RbArena *scratch) {
    Eigen e;
    size_t size = (size_t)n;
    if (n == 0) return true;
    if (!solve(&e, n, matrix, true, scratch)) return false;
    for (size_t i = 0; i < size; i++) {
        int k = e.order[i], first = e.im[k] < 0 ? k - 1 : k;
        double sign = e.im[k] < 0 ? -1 : e.im[k] > 0 ? 1 : 0;
        memcpy(real + i * size, e.right + (size_t)first * size, size * sizeof *real);
        for (size_t j = 0; j < size; j++)
            imaginary[i * size + j] =
                sign == 0 ? 0 : sign * e.right[(size_t)(first + 1) * size + j];
    }
    return true;
}

bool rb_eigenvalues(int n, const double *matrix, double *real, double *imaginary,
                    double *participation, RbArena *scratch) {
    Eigen e;
    if (n == 0) return true;
    if (!solve(&e, n, matrix, participation != NULL, scratch)) return false;
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

// ----------------------------------------------------------------------------------------------------
// zeros

// Eigenvalues of the pencil; those at infinity have a beta that is zero up to rounding, or come out
// as numbers far beyond everything in the system.
int rb_transfer_zeros(const RbStateSpace *s, int input, int output, double *real, double *imaginary,
                      RbArena *scratch) {
    int n = s->states, m = n + 1, count = 0;
    double *M = rb_new_array(scratch, double, (size_t)m *(size_t)m),
           *N = rb_new_array(scratch, double, (size_t)m *(size_t)m), size = 0, wanted;
    double *re = rb_new_array(scratch, double, m), *im = rb_new_array(scratch, double, m),
           *beta = rb_new_array(scratch, double, m);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) M[j * m + i] = s->A[j * n + i];
        for (int i = 0; i < n; i++) size = fmax(size, fabs(s->A[j * n + i]));
        M[j * m + n] = s->C[j * s->outputs + output];
        N[j * m + j] = 1;
    }
    for (int i = 0; i < n; i++) M[n * m + i] = s->B[input * n + i];
    M[n * m + n] = s->D[input * s->outputs + output];
    if (!is_finite(M, (size_t)m * (size_t)m)) return -1;
    LAPACKE_dggev_work(LAPACK_COL_MAJOR, 'N', 'N', m, M, m, N, m, re, im, beta, NULL, 1, NULL, 1,
                       &wanted, -1);
    double *work = rb_new_array(scratch, double, (size_t)wanted + 1);
    if (LAPACKE_dggev_work(LAPACK_COL_MAJOR, 'N', 'N', m, M, m, N, m, re, im, beta, NULL, 1, NULL,
                           1, work, (int)wanted) != 0)
        return -1;
    for (int k = 0; k < m; k++) {
        if (!(hypot(re[k], im[k]) < 1e4 * n * size * fabs(beta[k])) || count == n) continue;
        real[count] = re[k] / beta[k], imaginary[count++] = im[k] / beta[k];
    }
    return count;
}

// ----------------------------------------------------------------------------------------------------
// step response

static void multiply(int n, const double *a, const double *b, double *c) {
    memset(c, 0, (size_t)n * (size_t)n * sizeof *c);
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            double factor = b[j * n + k];
            for (int i = 0; factor != 0 && i < n; i++) c[j * n + i] += a[k * n + i] * factor;
        }
}

// exp(a): Taylor's series of a/2^s, whose norm is at most 1/2, squared s times.
static void exponential(int n, double *a, double *e, RbArena *scratch) {
    enum { TERMS = 16 }; // 0.5^16/16! is 7e-19
    size_t count = (size_t)n * (size_t)n;
    double *power = rb_new_array(scratch, double, count), *next = rb_new_array(scratch, double, count);
    double norm = 0;
    int squarings = 0;
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < n; i++) sum += fabs(a[j * n + i]);
        norm = fmax(norm, sum);
    }
    for (; norm > 0.5 && squarings < 1000; squarings++) norm /= 2;
    for (size_t i = 0; i < count; i++) a[i] = ldexp(a[i], -squarings);
    memset(e, 0, count * sizeof *e);
    for (int i = 0; i < n; i++) e[i * n + i] = 1;
    memcpy(power, e, count * sizeof *e);
    for (int k = 1; k <= TERMS; k++) {
        multiply(n, a, power, next);
        for (size_t i = 0; i < count; i++) e[i] += power[i] = next[i] / k;
    }
    for (int k = 0; k < squarings; k++) {
        multiply(n, e, e, next);
        memcpy(e, next, count * sizeof *e);
    }
}

// z = (x, u): the input is a state that stays 1.
void rb_step_response(const RbStateSpace *s, int input, double dt, int count, double *y,
                      RbArena *scratch) {
    int n = s->states, m = n + 1;
    size_t square = (size_t)m * (size_t)m;
    double *a = rb_new_array(scratch, double, square), *e = rb_new_array(scratch, double, square),
           *z = rb_new_array(scratch, double, m), *next = rb_new_array(scratch, double, m);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) a[j * m + i] = dt * s->A[j * n + i];
    for (int i = 0; i < n; i++) a[n * m + i] = dt * s->B[input * n + i];
    exponential(m, a, e, scratch);
    z[n] = 1;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < s->outputs; i++) {
            double sum = s->D[input * s->outputs + i];
            for (int j = 0; j < n; j++) sum += s->C[j * s->outputs + i] * z[j];
            y[k * s->outputs + i] = sum;
        }
        memset(next, 0, (size_t)m * sizeof *next);
        for (int j = 0; j < m; j++)
            for (int i = 0; i < m; i++) next[i] += e[j * m + i] * z[j];
        memcpy(z, next, (size_t)m * sizeof *z);
    }
}
