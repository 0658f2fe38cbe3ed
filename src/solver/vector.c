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

static N_Vector clone(N_Vector model) {
    return dress(N_VClone_Serial(model), ((Content *)model->content)->blocks);
}

N_Vector rb_vector(long length, double *data, RbErrorBlocks *blocks, SUNContext context) {
    N_Vector v = dress(N_VMake_Serial(length, data, context), blocks);
    if (!v) return NULL;
    v->ops->nvclone = clone;
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvscale = scale;
    v->ops->nvlinearcombination = linear_combination;
    v->ops->nvscaleaddmulti = scale_add_multi;
    v->ops->nvwrmsnorm = norm;
    return v;
}
