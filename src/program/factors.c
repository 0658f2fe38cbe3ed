// SPDX-License-Identifier: MIT
#include "program/factors.h"

#include <string.h>

#include "math/lu.h"
#include "math/sparse_lu.h"

static const double noise = RB_LU_NOISE;

struct RbFactors {
    int n;
    bool sparse, ready;
    size_t count;   // numbers of the matrix
    double *values; // that the factors belong to
    double *dense;  // factors
    double *room;   // a matrix and a vector
    int *pivots;
    RbSparseLu lu;
    long made;
};

static void free_factors(void *factors) {
    rb_sparse_free(&((RbFactors *)factors)->lu);
}

static void open_sparse(RbFactors *f, const RbBlock *b, RbArena *arena) {
    int *start = rb_new_array(arena, int, b->size + 1);
    int *rows = rb_new_array(arena, int, b->matrix_count + 1);
    for (int k = 0; k < b->matrix_count; k++) {
        start[b->matrix[k].column + 1]++;
        rows[k] = b->matrix[k].row;
    }
    for (int j = 0; j < b->size; j++) start[j + 1] += start[j];
    rb_arena_defer(arena, free_factors, f);
    if (!rb_sparse_analyse(&f->lu, b->size, start, rows)) rb_heap_fail(arena->heap);
}

RbFactors *rb_dense_factors(int n, RbArena *arena) {
    RbFactors *f = rb_new(arena, RbFactors);
    *f = (RbFactors){.n = n, .count = (size_t)n * (size_t)n};
    f->values = rb_new_array(arena, double, f->count + 1);
    f->dense = rb_new_array(arena, double, f->count + 1);
    f->pivots = rb_new_array(arena, int, n + 1);
    f->room = rb_new_array(arena, double, f->count + (size_t)n + 1);
    return f;
}

RbFactors *rb_factors(const RbBlock *b, RbArena *arena) {
    if (!b->sparse) return rb_dense_factors(b->size, arena);
    RbFactors *f = rb_new(arena, RbFactors);
    *f = (RbFactors){.n = b->size, .sparse = true, .count = (size_t)b->matrix_count};
    f->values = rb_new_array(arena, double, f->count + 1);
    open_sparse(f, b, arena);
    return f;
}

static bool factor(RbFactors *f) {
    f->made++;
    if (f->sparse) {
        return rb_sparse_factor(&f->lu, f->values) && rb_sparse_pivot_ratio(&f->lu) > noise;
    }
    memcpy(f->dense, f->values, f->count * sizeof *f->dense);
    return rb_lu_factor(f->n, f->dense, f->pivots, noise);
}

double *rb_factors_room(RbFactors *f) {
    return f->room;
}

bool rb_factors_take(RbFactors *f, const double *a) {
    if (f->ready && memcmp(f->values, a, f->count * sizeof *a) == 0) return true;
    memcpy(f->values, a, f->count * sizeof *a);
    f->ready = factor(f);
    return f->ready;
}

void rb_factors_solve(RbFactors *f, double *b) {
    if (f->sparse)
        rb_sparse_solve(&f->lu, b);
    else
        rb_lu_solve(f->n, f->dense, f->pivots, b);
}

bool rb_factors_ready(const RbFactors *f) {
    return f->ready;
}

void rb_factors_forget(RbFactors *f) {
    f->ready = false;
}

long rb_factors_count(const RbFactors *f) {
    return f->made;
}
