// SPDX-License-Identifier: MIT
#include "solver/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The first members are those of a serial vector, so that its operations work for ours too.
typedef struct Content {
    struct _N_VectorContent_Serial serial;
    RbErrorBlocks *blocks;
} Content;

static double *data_of(N_Vector v) {
    return NV_DATA_S(v);
}

// -----------------------------------------------------------------------------------------------
// sums: in and out may be the same vector, never a shifted one

#ifdef __clang__
#define INDEPENDENT // it finds out at run time
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

static void linear_sum(realtype a, N_Vector x_vector, realtype b, N_Vector y_vector,
                       N_Vector z_vector) {
    long n = NV_LENGTH_S(x_vector);
    const double *x = data_of(x_vector), *y = data_of(y_vector);
    double *z = data_of(z_vector);
    INDEPENDENT
    for (long i = 0; i < n; i++) z[i] = a * x[i] + b * y[i];
}

static void scale(realtype a, N_Vector x_vector, N_Vector z_vector) {
    long n = NV_LENGTH_S(x_vector);
    const double *x = data_of(x_vector);
    double *z = data_of(z_vector);
    INDEPENDENT
    for (long i = 0; i < n; i++) z[i] = a * x[i];
}

static void add_two(long n, double a, const double *x, double b, const double *y, double *z) {
    INDEPENDENT
    for (long i = 0; i < n; i++) z[i] += a * x[i] + b * y[i];
}

static int linear_combination(int count, realtype *c, N_Vector *x, N_Vector z) {
    long n = NV_LENGTH_S(z);
    if (count == 1) {
        scale(c[0], x[0], z);
        return 0;
    }
    linear_sum(c[0], x[0], c[1], x[1], z);
    int k = 2;
    for (; k + 1 < count; k += 2)
        add_two(n, c[k], data_of(x[k]), c[k + 1], data_of(x[k + 1]), data_of(z));
    if (k < count) linear_sum(c[k], x[k], 1, z, z);
    return 0;
}

static int scale_add_multi(int count, realtype *a, N_Vector x, N_Vector *y, N_Vector *z) {
    for (int k = 0; k < count; k++) linear_sum(a[k], x, 1, y[k], z[k]);
    return 0;
}

// -----------------------------------------------------------------------------------------------
// norm

static double whole_norm(long n, const double *x, const double *w) {
    double sum = 0;
    for (long i = 0; i < n; i++) {
        double e = x[i] * w[i];
        sum += e * e;
    }
    return sqrt(sum / (double)n);
}

static realtype norm(N_Vector x_vector, N_Vector w_vector) {
    const RbErrorBlocks *b = ((Content *)x_vector->content)->blocks;
    long n = NV_LENGTH_S(x_vector);
    const double *x = data_of(x_vector), *w = data_of(w_vector);
    if (!b->of) return whole_norm(n, x, w);
    memset(b->sum, 0, (size_t)b->count * sizeof *b->sum);
    for (long i = 0; i < n; i++) {
        double e = x[i] * w[i];
        b->sum[b->of[i]] += e * e;
    }
    double largest = 0;
    for (int k = 0; k < b->count; k++) {
        double square = b->share[k] * b->sum[k];
        if (!(square <= largest)) largest = square; // NaN stays
    }
    return sqrt(largest);
}

// -----------------------------------------------------------------------------------------------
// creation

// Give a serial vector our content and operations.
static N_Vector dress(N_Vector v, RbErrorBlocks *blocks) {
    if (!v) return NULL;
    Content *content = malloc(sizeof *content);
    if (!content) {
        N_VDestroy(v);
        return NULL;
    }
    *content = (Content){*(N_VectorContent_Serial)v->content, blocks};
    free(v->content);
    v->content = content;
    return v;
}

// A vector of the pool.
typedef struct Slot {
    struct _generic_N_Vector vector; // first, so that a vector is its slot
    struct _generic_N_Vector_Ops ops;
    Content content;
    double *data;
    RbVectorPool *pool;
    struct Slot *next; // free ones
} Slot;

struct RbVectorPool {
    Slot *free;
    long length;
};

RbVectorPool *rb_vector_pool(long length, int count, RbArena *arena) {
    RbVectorPool *pool = rb_new(arena, RbVectorPool);
    *pool = (RbVectorPool){.length = length};
    Slot *slots = rb_new_array(arena, Slot, count);
    for (int i = 0; i < count; i++) {
        slots[i] = (Slot){.data = rb_new_array(arena, double, length), .pool = pool};
        slots[i].next = pool->free;
        pool->free = &slots[i];
    }
    return pool;
}

static void give_back(N_Vector v) {
    Slot *slot = (Slot *)v;
    slot->next = slot->pool->free;
    slot->pool->free = slot;
}

static N_Vector clone(N_Vector model) {
    const Content *like = model->content;
    RbVectorPool *pool = like->blocks->pool;
    Slot *slot = pool && pool->length == like->serial.length ? pool->free : NULL;
    if (!slot) {
        N_Vector v = dress(N_VClone_Serial(model), like->blocks);
        if (v) v->ops->nvdestroy = N_VDestroy_Serial;
        return v;
    }
    pool->free = slot->next;
    slot->ops = *model->ops;
    slot->ops.nvdestroy = give_back;
    slot->content = (Content){{like->serial.length, SUNFALSE, slot->data}, like->blocks};
    slot->vector = (struct _generic_N_Vector){&slot->content, &slot->ops, model->sunctx};
    return &slot->vector;
}

N_Vector rb_vector_serial(long length, double *data, RbErrorBlocks *blocks, SUNContext context) {
    N_Vector v = dress(N_VMake_Serial(length, data, context), blocks);
    if (v) v->ops->nvclone = clone;
    return v;
}

N_Vector rb_vector(long length, double *data, RbErrorBlocks *blocks, SUNContext context) {
    N_Vector v = rb_vector_serial(length, data, blocks, context);
    if (!v) return NULL;
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvscale = scale;
    v->ops->nvlinearcombination = linear_combination;
    v->ops->nvscaleaddmulti = scale_add_multi;
    v->ops->nvwrmsnorm = norm;
    return v;
}
