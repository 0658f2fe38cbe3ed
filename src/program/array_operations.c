// SPDX-License-Identifier: MIT
#include "program/array_operations.h"

#include <math.h>
#include <string.h>

#include "program/factors.h"
#include "program/layout.h"

// Eight elements of a matrix times a vector, side by side. The names keep the sums in registers,
// which an array of them does not: 7 us instead of 18 for 200 x 200 numbers.
static void eight_rows(double *c, const double *a, const double *b, int inner) {
    const double *a0 = a, *a1 = a0 + inner, *a2 = a1 + inner, *a3 = a2 + inner, *a4 = a3 + inner,
                 *a5 = a4 + inner, *a6 = a5 + inner, *a7 = a6 + inner;
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
    for (int k = 0; k < inner; k++) {
        double x = b[k];
        s0 += a0[k] * x;
        s1 += a1[k] * x;
        s2 += a2[k] * x;
        s3 += a3[k] * x;
        s4 += a4[k] * x;
        s5 += a5[k] * x;
        s6 += a6[k] * x;
        s7 += a7[k] * x;
    }
    memcpy(c, (double[]){s0, s1, s2, s3, s4, s5, s6, s7}, 8 * sizeof *c);
}

// Every element is a sum that begins with zero and goes on in order, as in the interpreter; but
// several of them are computed side by side.
static void product_of(double *c, const double *a, const double *b, int rows, int inner,
                       int columns) {
    int i = 0;
    for (; columns == 1 && i + 8 <= rows; i += 8)
        eight_rows(c + i, a + (size_t)i * (size_t)inner, b, inner);
    for (; i < rows; i++) {
        double *row = c + (size_t)i * (size_t)columns;
        for (int j = 0; j < columns; j++) row[j] = 0;
        for (int k = 0; k < inner; k++) {
            double f = a[(size_t)i * (size_t)inner + (size_t)k];
            for (int j = 0; j < columns; j++) row[j] += f * b[k * columns + j];
        }
    }
}

// A part of an array whose elements do not lie side by side.
static void gather(RbCodeFrame *f, int number, double *to, const double *from) {
    const RbProgramInstance *in = (const RbProgramInstance *)f;
    const int *steps = &in->slices[RB_SLICE * number];
    const int *sizes = &in->sizes[RB_SIZES * (in->program->dae->arrays.count + number)];
    for (int i = 0; i < sizes[RB_SIZES_ROWS]; i++) {
        for (int j = 0; j < sizes[RB_SIZES_COLUMNS]; j++)
            *to++ = from[steps[0] + i * steps[1] + j * steps[2]];
    }
}

// The equation that array `number` of the workspace belongs to.
static RbPos position_of(const RbProgramInstance *in, int number) {
    const RbSortedDae *d = in->program->dae;
    const RbExpr *e = in->program->source.arrays.data[number].value;
    RbArena scratch = *in->call_arena;
    for (int k = 0; k < d->blocks.count + d->initial_blocks.count; k++) {
        bool initial = k >= d->blocks.count;
        const RbBlock *b =
            initial ? &d->initial_blocks.data[k - d->blocks.count] : &d->blocks.data[k];
        if (b->kind != RB_BLOCK_ASSIGN) continue;
        RbExprOrder order = rb_expr_order(d->exprs, &b->assigns[0].value, 1, &scratch);
        for (int i = 0; i < order.count; i++) {
            if (order.nodes[i] == e && !initial) return d->eqs.data[b->assigns[0].eq].at;
            if (order.nodes[i] == e) return d->model->vars.data[b->assigns[0].var].at;
        }
    }
    return RB_NOWHERE;
}

static void divide(RbCodeFrame *f, int number, double *x, const double *a, const double *b,
                   int columns) {
    RbProgramInstance *in = (RbProgramInstance *)f;
    int n = in->sizes[RB_SIZES * (in->program->dae->arrays.count + number) + RB_SIZES_ROWS];
    double *matrix = rb_factors_room(in->factors[number]), *one = matrix + n * n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) matrix[j * n + i] = a[i * n + j]; // by columns
    }
    if (!rb_factors_take(in->factors[number], matrix)) {
        for (int i = 0; i < n * columns; i++) x[i] = NAN;
        f->failed = 1;
        in->failure = "the matrix of linear equations is singular";
        in->failure_at = position_of(in, number);
        return;
    }
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < n; i++) one[i] = b[i * columns + j];
        rb_factors_solve(in->factors[number], one);
        for (int i = 0; i < n; i++) x[i * columns + j] = one[i];
    }
}

void rb_array_operations(RbCodeFrame *f) {
    f->product = product_of;
    f->gather = gather;
    f->divide = divide;
}
