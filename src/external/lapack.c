// SPDX-License-Identifier: MIT
// Functions of LAPACK as Modelica libraries declare them: external "FORTRAN 77" dgesv(...). Arrays
// of Modelica are stored by rows, those of LAPACK by columns.
#include <float.h>
#include <lapacke.h>
#include <string.h>

#include "expr/eval_array.h"
#include "external/native.h"

// Columns of a matrix of Modelica; 1 for a vector.
static int columns_of(const RbExprValue *v) {
    return v->rank > 1 ? v->dims[1] : 1;
}

// An array by columns, with `rows` numbers in each; back: from there into the array.
static void by_columns(RbExprValue *v, double *copy, int rows, bool back) {
    int width = columns_of(v), height = v->count / (width > 0 ? width : 1);
    for (int i = 0; i < height && i < rows; i++) {
        for (int j = 0; j < width; j++) {
            double *own = &v->data[i * width + j], *other = &copy[i + rows * j];
            if (back)
                *own = *other;
            else
                *other = *own;
        }
    }
}

static bool refuse(RbNativeCall *c) {
    return rb_eval_error(c->env, "a function of LAPACK is called with sizes that do not fit");
}

// dgesv(n, nrhs, A, lda, ipiv, B, ldb, info): A X = B; X comes in B.
static bool solve(RbNativeCall *c) {
    RbExprValue *a = c->external->args;
    int n = (int)a[0].data[0], sides = (int)a[1].data[0];
    if (n < 0 || sides < 0 || a[2].count != n * n || a[5].count != n * sides || a[4].count < n)
        return refuse(c);
    double *matrix = rb_new_array(c->env->arena, double, n *n + 1);
    double *x = rb_new_array(c->env->arena, double, n *sides + 1);
    lapack_int *pivots = rb_new_array(c->env->arena, lapack_int, n + 1), info = 0;
    by_columns(&a[2], matrix, n, false);
    by_columns(&a[5], x, n, false);
    if (n > 0) info = LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, sides, matrix, n, pivots, x, n);
    by_columns(&a[2], matrix, n, true);
    by_columns(&a[5], x, n, true);
    for (int i = 0; i < n; i++) a[4].data[i] = pivots[i];
    a[7].data[0] = info;
    return true;
}

// dgelsy(m, n, nrhs, A, lda, B, ldb, jpvt, rcond, rank, work, lwork, info): least squares; X comes
// in B, which has max(m, n) rows.
static bool least_squares(RbNativeCall *c) {
    RbExprValue *a = c->external->args;
    int m = (int)a[0].data[0], n = (int)a[1].data[0], sides = (int)a[2].data[0];
    int rows = m > n ? m : n, small = m > n ? n : m, work_count = (int)a[11].data[0];
    int least = small + 3 * n + 1 > 2 * small + sides ? small + 3 * n + 1 : 2 * small + sides;
    if (m < 0 || n < 0 || sides < 0 || a[3].count != m * n || a[5].count != rows * sides ||
        a[7].count < n)
        return refuse(c);
    if (work_count < least) work_count = least;
    double *matrix = rb_new_array(c->env->arena, double, m *n + 1);
    double *x = rb_new_array(c->env->arena, double, rows *sides + 1);
    double *work = rb_new_array(c->env->arena, double, work_count + 1);
    lapack_int *pivots = rb_new_array(c->env->arena, lapack_int, n + 1), rank = 0, info = 0;
    by_columns(&a[3], matrix, m, false);
    by_columns(&a[5], x, rows, false);
    for (int i = 0; i < n; i++) pivots[i] = (lapack_int)a[7].data[i];
    if (m > 0 && n > 0)
        info = LAPACKE_dgelsy_work(LAPACK_COL_MAJOR, m, n, sides, matrix, m, x, rows, pivots,
                                   a[8].data[0], &rank, work, work_count);
    by_columns(&a[5], x, rows, true);
    for (int i = 0; i < n; i++) a[7].data[i] = pivots[i];
    a[9].data[0] = rank;
    a[12].data[0] = info;
    return true;
}

const RbNative rb_native_lapack[] = {
    {"dgesv", "nnmnmmnn:", solve},
    {"dgelsy", "nnnmnmnmnnmnn:", least_squares},
};
const int rb_native_lapack_count = sizeof rb_native_lapack / sizeof *rb_native_lapack;
