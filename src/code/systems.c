// SPDX-License-Identifier: MIT
#include "code/systems.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "code/instance.h"
#include "code/newton.h"

static RbSystemWork system_work(const RbBlock *b, RbArena *arena) {
    int n = b->size;
    RbSystemWork s = {.size = n,
                      .y = rb_new_array(arena, double, n),
                      .r = rb_new_array(arena, double, n),
                      .a = rb_new_array(arena, double, n *n),
                      .dy = rb_new_array(arena, double, n),
                      .trial = rb_new_array(arena, double, n),
                      .before = rb_new_array(arena, double, n),
                      .pivots = rb_new_array(arena, int, n),
                      .columns = rb_new_array(arena, int, n)};
    if (b->kind != RB_BLOCK_NONLINEAR) return s;
    s.anchor_size = n;
    s.scale = rb_new_array(arena, double, n);
    s.last = rb_new_array(arena, double, n);
    s.end = rb_new_array(arena, double, n);
    s.terms = rb_new_array(arena, double, n);
    s.slopes = rb_new_array(arena, double, n *n);
    s.kept = rb_new_array(arena, double, n *n);
    for (int which = 0; which < 2; which++) {
        s.anchor[which] = rb_new_array(arena, double, n);
        s.anchor_slopes[which] = rb_new_array(arena, double, n *n);
    }
    return s;
}

RbSystemWork *rb_system_works(const RbLowered *l, RbArena *arena) {
    RbSystemWork *works = rb_new_array(arena, RbSystemWork, l->systems.count + 1);
    for (int k = 0; k < l->systems.count; k++)
        works[k] = system_work(l->systems.data[k].block, arena);
    return works;
}

// --- LU ------------------------------------------------------------------------------------------

static void swap_rows(int n, double *a, int i, int k) {
    for (int j = 0; j < n && i != k; j++) {
        double swap = a[i * n + j];
        a[i * n + j] = a[k * n + j];
        a[k * n + j] = swap;
    }
}

bool rb_system_factor(int n, double *a, int *pivots) {
    for (int k = 0; k < n; k++) {
        int p = k;
        double column = 0; // largest entry of the column, as far as it is still there
        for (int i = 0; i < n; i++) column = fmax(column, fabs(a[i * n + k]));
        for (int i = k + 1; i < n; i++) {
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        }
        if (!(fabs(a[p * n + k]) > 4 * DBL_EPSILON * column))
            return false; // rounding noise, or NaN
        pivots[k] = p;
        swap_rows(n, a, k, p);
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] /= a[k * n + k];
            if (factor == 0) continue;
            for (int j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
    }
    return true;
}

void rb_system_back_solve(int n, const double *a, const int *pivots, double *b) {
    for (int k = 0; k < n; k++) {
        double swap = b[k];
        b[k] = b[pivots[k]];
        b[pivots[k]] = swap;
    }
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < i; j++) b[i] -= a[i * n + j] * b[j];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
}

// Relative to the largest coefficient and the largest right-hand side: below, a row is taken for 0
// = 0.
static const double rank_tolerance = 1e-11;

static double largest_entry(int count, const double *a) {
    double largest = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(a[i]));
    return largest;
}

// The largest entry right and below of (k, k) comes to (k, k). Answers its size.
static double pivot_to_corner(int n, double *a, double *b, int *columns, int k) {
    int row = k, column = k;
    for (int i = k; i < n; i++) {
        for (int j = k; j < n; j++) {
            if (fabs(a[i * n + j]) > fabs(a[row * n + column])) {
                row = i;
                column = j;
            }
        }
    }
    swap_rows(n, a, k, row);
    double swap = b[k];
    b[k] = b[row];
    b[row] = swap;
    for (int i = 0; i < n; i++) {
        swap = a[i * n + k];
        a[i * n + k] = a[i * n + column];
        a[i * n + column] = swap;
    }
    int place = columns[k];
    columns[k] = columns[column];
    columns[column] = place;
    return fabs(a[k * n + k]);
}

// Divide columns, then rows, by their largest entries; units and sizes of the unknowns drop out.
static void equilibrate(int n, double *a, double *b, double *scales) {
    for (int j = 0; j < n; j++) {
        double largest = 0;
        for (int i = 0; i < n; i++) largest = fmax(largest, fabs(a[i * n + j]));
        scales[j] = largest > 0 ? largest : 1;
        for (int i = 0; i < n; i++) a[i * n + j] /= scales[j];
    }
    for (int i = 0; i < n; i++) {
        double largest = largest_entry(n, a + i * n);
        if (!(largest > 0)) continue;
        for (int j = 0; j < n; j++) a[i * n + j] /= largest;
        b[i] /= largest;
    }
}

bool rb_solve_consistent(int n, double *a, double *b, double *x, double *scales, int *columns) {
    equilibrate(n, a, b, scales);
    double size = largest_entry(n, b);
    int rank = 0;
    for (int j = 0; j < n; j++) columns[j] = j;
    for (; rank < n && pivot_to_corner(n, a, b, columns, rank) > rank_tolerance; rank++) {
        for (int i = rank + 1; i < n; i++) {
            double factor = a[i * n + rank] / a[rank * n + rank];
            for (int j = rank; j < n; j++) a[i * n + j] -= factor * a[rank * n + j];
            b[i] -= factor * b[rank];
        }
    }
    for (int i = rank; i < n; i++) {
        if (!(fabs(b[i]) <= rank_tolerance * size)) return false; // NaN too
    }
    for (int i = 0; i < n; i++) x[i] = 0;
    for (int i = rank - 1; i >= 0; i--) {
        double sum = b[i];
        for (int j = i + 1; j < rank; j++) sum -= a[i * n + j] * x[columns[j]];
        x[columns[i]] = sum / a[i * n + i];
    }
    for (int j = 0; j < n; j++) x[j] /= scales[j];
    return true;
}

// --- systems -------------------------------------------------------------------------------------

int rb_system_failed(RbProgramInstance *in, int system, const char *why) {
    in->failed_system = system;
    in->failure = why;
    return 1;
}

void rb_system_present(const RbProgramInstance *in, int k, double *y) {
    const RbCodeSystem *system = &in->program->lowered->systems.data[k];
    for (int i = 0; i < system->block->size; i++) {
        y[i] = rb_area(in, system->unknowns[i].area)[system->unknowns[i].index];
    }
}

// Equations that repeat each other (0 = 0 h at zero flow, two grounds) leave something free: it
// keeps its value.
static int solve_singular(RbProgramInstance *in, int k, RbSystemFunction *evaluate) {
    RbSystemWork *s = &in->systems[k];
    int n = s->size;
    memcpy(s->y, s->before, (size_t)n * sizeof *s->y);
    evaluate(&in->frame, s->y, s->r, s->a);
    for (int i = 0; i < n; i++) s->r[i] = -s->r[i];
    s->factored = false;
    if (!rb_solve_consistent(n, s->a, s->r, s->dy, s->trial, s->columns)) {
        return rb_system_failed(in, k, "the linear system is singular");
    }
    for (int i = 0; i < n; i++) s->y[i] += s->dy[i];
    evaluate(&in->frame, s->y, s->r, NULL);
    s->undecided = true;
    return 0;
}

// r(y) = a y + r(0) is solved for y; the inner variables follow when it is evaluated at the
// solution.
static int solve_linear(RbProgramInstance *in, int k, RbSystemFunction *evaluate) {
    RbSystemWork *s = &in->systems[k];
    const RbBlock *b = in->program->lowered->systems.data[k].block;
    int n = s->size;
    bool ready = b->constant_matrix && s->factored;
    rb_system_present(in, k, s->before);
    memset(s->y, 0, (size_t)n * sizeof *s->y);
    evaluate(&in->frame, s->y, s->r, ready ? NULL : s->a);
    if (!ready && !rb_system_factor(n, s->a, s->pivots)) return solve_singular(in, k, evaluate);
    s->factored = b->constant_matrix;
    for (int i = 0; i < n; i++) s->y[i] = -s->r[i];
    rb_system_back_solve(n, s->a, s->pivots, s->y);
    evaluate(&in->frame, s->y, s->r, NULL);
    for (int i = 0; i < n; i++) {
        if (!isfinite(s->y[i]))
            return rb_system_failed(in, k, "the solution of the linear system is not finite");
    }
    return 0;
}

void rb_program_forget_factors(RbProgramInstance *in, int system) {
    in->systems[system].factored = false;
}

int rb_solve_system(RbCodeFrame *f, int system, RbSystemFunction *evaluate) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    RbBlockKind kind = in->program->lowered->systems.data[system].block->kind;
    return kind == RB_BLOCK_LINEAR ? solve_linear(in, system, evaluate)
                                   : rb_solve_newton(in, system, evaluate);
}
