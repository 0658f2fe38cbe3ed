// SPDX-License-Identifier: MIT
#include "flexible/krylov.h"

#include <cblas.h>
#include <complex.h>
#include <string.h>

#define lapack_complex_double double complex
#include <lapacke.h>

#include "math/rng.h"

enum { BLOCK = 8 };
static const double CONVERGED =
    1e-9; // residual of a mode by its eigenvalue, whose own error is the square

typedef struct Space {
    const RbStatics *s;
    int n, most;    // vectors, room
    double *V, *MV; // size x n
    double *T;      // most x most: Vᵀ M K^-1 M V
    double *value, *vector;
} Space;

static double *column(double *a, size_t size, int k) {
    return a + size * (size_t)k;
}

static void against(const Space *p, double *w, int columns, RbArena scratch) {
    int size = (int)p->s->size;
    if (p->n == 0) return;
    double *c = rb_new_array(&scratch, double, p->n *columns);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, p->n, columns, size, 1, p->MV, size, w,
                size, 0, c, p->n);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, columns, p->n, -1, p->V, size, c,
                p->n, 1, w, size);
}

// Add what is new in the columns of w; returns how many vectors that are.
static int add_block(Space *p, double *w, int columns, RbArena scratch) {
    size_t size = p->s->size;
    int before = p->n;
    double *norms = rb_new_array(&scratch, double, columns),
           *m = rb_new_array(&scratch, double, size);
    for (int k = 0; k < columns; k++) norms[k] = cblas_dnrm2((int)size, column(w, size, k), 1);
    against(p, w, columns, scratch);
    for (int k = 0; k < columns && p->n < p->most; k++) {
        double *x = column(w, size, k), norm = 0;
        for (int pass = 0; pass < 2; pass++) against(p, x, 1, scratch);
        if (!(cblas_dnrm2((int)size, x, 1) > 1e-11 * norms[k])) continue;
        rb_statics_mass(p->s, x, 1, m);
        norm = sqrt(cblas_ddot((int)size, x, 1, m, 1));
        if (!(norm > 0)) continue;
        memcpy(column(p->V, size, p->n), x, size * sizeof *x);
        memcpy(column(p->MV, size, p->n), m, size * sizeof *m);
        cblas_dscal((int)size, 1 / norm, column(p->V, size, p->n), 1);
        cblas_dscal((int)size, 1 / norm, column(p->MV, size, p->n), 1);
        p->n++;
    }
    return p->n - before;
}

// Entries of T in columns first .. first + columns, rows of all vectors there are now.
static void project(Space *p, const double *w, int first, int columns) {
    int size = (int)p->s->size;
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, p->n, columns, size, 1, p->MV, size, w,
                size, 0, p->T + (size_t)p->most * (size_t)first, p->most);
    for (int j = first; j < first + columns; j++)
        for (int i = j; i < p->n; i++)
            p->T[j + p->most * i] = p->T[i + p->most * j]; // the upper half of what follows
}

// Eigenpairs of the first n rows; largest last.
static bool decompose(Space *p, int n, RbArena scratch) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            p->vector[i + n * j] = 0.5 * (p->T[i + p->most * j] + p->T[j + p->most * i]);
    int room = 1 + 6 * n + 2 * n * n, whole = 3 + 5 * n;
    double *work = rb_new_array(&scratch, double, room);
    int *more = rb_new_array(&scratch, int, whole);
    return LAPACKE_dsyevd_work(LAPACK_COL_MAJOR, 'V', 'L', n, p->vector, n, p->value, work, room,
                               more, whole) == 0;
}

// |β y| of each wanted mode, β the rows of T below n in the last columns.
static bool has_converged(const Space *p, int n, int last, int wanted) {
    if (n < wanted) return false;
    for (int k = n - wanted; k < n; k++) {
        double sum = 0;
        for (int i = n; i < p->n; i++) {
            double row = 0;
            for (int j = n - last; j < n; j++) row += p->T[i + p->most * j] * p->vector[j + n * k];
            sum += row * row;
        }
        if (!(sqrt(sum) <= CONVERGED * p->value[k])) return false;
    }
    return true;
}

static int finish(const Space *p, int n, int wanted, double *lambda, double *shapes,
                  RbArena scratch) {
    int size = (int)p->s->size, count = n < wanted ? n : wanted;
    double *y = rb_new_array(&scratch, double, n *count + 1);
    for (int k = 0; k < count; k++) {
        lambda[k] = 1 / p->value[n - 1 - k];
        memcpy(y + n * k, p->vector + n * (n - 1 - k), (size_t)n * sizeof *y);
    }
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, size, count, n, 1, p->V, size, y, n, 0,
                shapes, size);
    return count;
}

int rb_krylov_modes(const RbStatics *s, int count, double *lambda, double *shapes,
                    RbArena scratch) {
    size_t size = s->size;
    int free = (int)size - s->bounds, most = 4 * count + 10 * BLOCK;
    most = most < free + BLOCK ? most : free + BLOCK;
    if (count <= 0 || free <= 0) return 0;
    Space p = {.s = s, .most = most};
    p.V = rb_new_array(&scratch, double, size *(size_t)most);
    p.MV = rb_new_array(&scratch, double, size *(size_t)most);
    p.T = rb_new_array(&scratch, double, most *most);
    p.value = rb_new_array(&scratch, double, most);
    p.vector = rb_new_array(&scratch, double, most *most);
    double *w = rb_new_array(&scratch, double, size *BLOCK),
           *copy = rb_new_array(&scratch, double, size *BLOCK);
    RbRng rng = rb_rng(1);
    for (size_t i = 0; i < size * BLOCK; i++) copy[i] = rb_rng_normal(&rng);
    rb_statics_mass(s, copy, BLOCK, w);
    rb_statics_solve(s, w, BLOCK, NULL, NULL, scratch);
    int last = add_block(&p, w, BLOCK, scratch);
    while (last > 0) {
        int n = p.n;
        memcpy(w, column(p.MV, size, n - last), size * (size_t)last * sizeof *w);
        rb_statics_solve(s, w, last, NULL, NULL, scratch);
        memcpy(copy, w, size * (size_t)last * sizeof *w);
        if (n + last > most) return -1;
        int added = add_block(&p, w, last, scratch);
        project(&p, copy, n - last, last);
        if (!decompose(&p, n, scratch)) return -1;
        if (added == 0 || has_converged(&p, n, last, count)) // 0: these are all there are
            return finish(&p, n, count, lambda, shapes, scratch);
        last = added;
    }
    return -1;
}
