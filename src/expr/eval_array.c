// SPDX-License-Identifier: MIT
#include "expr/eval_array.h"

#include <math.h>
#include <string.h>

#include "expr/fold.h"
#include "math/lu.h"

static void copy_element(RbExprValue *to, int i, const RbExprValue *from, int k) {
    if (to->text)
        to->text[i] = from->text ? from->text[k] : "";
    else
        to->data[i] = from->data ? from->data[k] : 0;
}

bool rb_eval_rows(RbEnv *env, const RbExpr *e, const RbExprValue *parts, RbExprValue *value) {
    int dims[RB_RANK_MAX] = {e->arg_count};
    for (int i = 0; i < e->arg_count; i++) {
        if (parts[i].count != parts[0].count)
            return rb_eval_error(env, "the rows of an array have different sizes");
    }
    int rank = e->arg_count > 0 ? parts[0].rank + 1 : 1;
    if (rank > RB_RANK_MAX) return rb_eval_error(env, "the array has too many dimensions");
    if (e->arg_count > 0) memcpy(dims + 1, parts[0].dims, (size_t)(rank - 1) * sizeof *dims);
    if (!rb_eval_new(env, (RbType)e->type, rank, dims, value)) return false;
    for (int i = 0, n = 0; i < e->arg_count; i++) {
        for (int k = 0; k < parts[i].count; k++) copy_element(value, n++, &parts[i], k);
    }
    return true;
}

bool rb_eval_constructor(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    RbExprValue *parts = rb_new_array(env->arena, RbExprValue, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) {
        if (!rb_eval(env, e->args[i], &parts[i])) return false;
    }
    return rb_eval_rows(env, e, parts, value);
}

bool rb_eval_range(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    double v[3];
    for (int i = 0; i < 3; i++) {
        if (!rb_eval_number(env, e->args[i], &v[i])) return false;
    }
    if (v[1] == 0) return rb_eval_error(env, "the step of a range is zero");
    double steps = floor((v[2] - v[0]) / v[1] * (1 + 1e-15) + 1e-12);
    if (!(steps < RB_SIZE_MAX)) return rb_eval_error(env, "a range is too long");
    int n = steps < 0 ? 0 : (int)steps + 1;
    if (!rb_eval_new(env, (RbType)e->type, 1, &n, value)) return false;
    for (int i = 0; i < n; i++) value->data[i] = v[0] + i * v[1];
    return true;
}

// The indices of one dimension of n; those of ':' are all.
static RbExprValue indices_of(RbEnv *env, const RbExprValue *subscript, int n) {
    if (subscript && subscript->data) return *subscript;
    RbExprValue all = rb_value_array(env->arena, RB_INTEGER, 1, &n);
    for (int i = 0; i < n; i++) all.data[i] = i + 1;
    return all;
}

bool rb_eval_pick(RbEnv *env, const RbExprValue *array, const RbExprValue *subscripts, int count,
                  RbPicked *picked) {
    if (count > array->rank)
        return rb_eval_error(env, "an array has fewer dimensions than subscripts");
    *picked = (RbPicked){.indices = rb_new_array(env->arena, int, 1), .count = 1};
    for (int d = 0; d < array->rank; d++) {
        RbExprValue s = indices_of(env, d < count ? &subscripts[d] : NULL, array->dims[d]);
        if (s.rank > 0) picked->dims[picked->rank++] = s.count;
        int total = rb_size_product(2, (int[]){picked->count, s.count});
        if (total < 0)
            return rb_eval_error(env, "an array has more than " RB_SIZE_MAX_TEXT " elements");
        int *next = rb_new_array(env->arena, int, total + 1);
        for (int i = 0, n = 0; i < picked->count; i++) {
            for (int k = 0; k < s.count; k++) {
                if (!(s.data[k] >= 1 && s.data[k] <= array->dims[d])) {
                    return rb_eval_error(env, rb_arena_printf(env->arena,
                                                              "subscript %g is outside 1 to %d",
                                                              s.data[k], array->dims[d]));
                }
                next[n++] = picked->indices[i] * array->dims[d] + (int)s.data[k] - 1;
            }
        }
        picked->indices = next;
        picked->count = total;
    }
    return true;
}

bool rb_eval_indices(RbEnv *env, const RbExpr *const *subscripts, int count, RbExprValue *values) {
    for (int d = 0; d < count; d++) {
        values[d] = (RbExprValue){0};
        if (subscripts[d]->op == RB_OP_ALL) continue;
        if (!rb_eval(env, subscripts[d], &values[d])) return false;
        if (!values[d].data) return rb_eval_error(env, "a string is used as a subscript");
    }
    return true;
}

bool rb_eval_part(RbEnv *env, const RbExprValue *array, const RbExprValue *subscripts, int count,
                  RbExprValue *value) {
    RbPicked picked;
    if (!rb_eval_pick(env, array, subscripts, count, &picked)) return false;
    if (!rb_eval_new(env, array->type, picked.rank, picked.dims, value)) return false;
    for (int i = 0; i < picked.count; i++) copy_element(value, i, array, picked.indices[i]);
    return true;
}

bool rb_eval_subscript(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    RbExprValue array, *indices = rb_new_array(env->arena, RbExprValue, e->arg_count);
    return rb_eval(env, e->args[0], &array) &&
           rb_eval_indices(env, e->args + 1, e->arg_count - 1, indices) &&
           rb_eval_part(env, &array, indices, e->arg_count - 1, value);
}

bool rb_eval_store(RbEnv *env, RbExprValue *array, const RbExprValue *subscripts, int count,
                   const RbExprValue *value) {
    RbPicked picked;
    if (!rb_eval_pick(env, array, subscripts, count, &picked)) return false;
    if (picked.count != value->count)
        return rb_eval_error(env, "an array of the wrong size is assigned");
    for (int i = 0; i < picked.count; i++) copy_element(array, picked.indices[i], value, i);
    return true;
}

// --- reductions ----------------------------------------------------------------------------------

// All combinations of the iterators, the first one fastest: {e for i in I, j in J} stands for
// {{e for i in I} for j in J} (Modelica specification, 10.4.1.2).
typedef struct Loop {
    RbExprValue ranges[RB_RANK_MAX];
    int slots[RB_RANK_MAX];
    int count;
    int total;
} Loop;

static bool open_loop(RbEnv *env, const RbExpr *e, Loop *loop) {
    *loop = (Loop){.count = (e->arg_count - 1) / 2, .total = 1};
    if (!env->locals) return rb_eval_error(env, "an iterator is used outside of a function");
    for (int i = 0; i < loop->count; i++) {
        if (!rb_eval(env, e->args[2 + 2 * i], &loop->ranges[i])) return false;
        loop->slots[i] = e->args[1 + 2 * i]->index;
        loop->total = rb_size_product(2, (int[]){loop->total, loop->ranges[i].count});
        if (loop->total < 0) return rb_eval_error(env, "a loop has too many rounds");
    }
    return true;
}

static void set_iterators(RbEnv *env, const Loop *loop, int k) {
    for (int i = 0; i < loop->count; i++) {
        int n = loop->ranges[i].count;
        env->locals[loop->slots[i]] =
            rb_value_number(env->arena, loop->ranges[i].type, loop->ranges[i].data[k % n]);
        k /= n;
    }
}

static double start_of(RbReduction kind) {
    switch (kind) {
        case RB_REDUCE_PRODUCT: return 1;
        case RB_REDUCE_MIN: return INFINITY;
        case RB_REDUCE_MAX: return -INFINITY;
        default: return 0;
    }
}

static double combine(RbReduction kind, double a, double b) {
    switch (kind) {
        case RB_REDUCE_PRODUCT: return a * b;
        case RB_REDUCE_MIN: return b < a ? b : a;
        case RB_REDUCE_MAX: return b > a ? b : a;
        default: return a + b;
    }
}

static bool array_comprehension(RbEnv *env, const RbExpr *e, const Loop *loop, RbExprValue *value) {
    for (int k = 0; k < loop->total; k++) {
        RbExprValue body;
        set_iterators(env, loop, k);
        if (!rb_eval(env, e->args[0], &body)) return false;
        if (k == 0) {
            int dims[2 * RB_RANK_MAX], rank = 0;
            for (int i = loop->count - 1; i >= 0; i--) dims[rank++] = loop->ranges[i].count;
            for (int i = 0; i < body.rank; i++) dims[rank++] = body.dims[i];
            if (rank > RB_RANK_MAX) return rb_eval_error(env, "the array has too many dimensions");
            if (!rb_eval_new(env, body.type, rank, dims, value)) return false;
        }
        if ((long)body.count * loop->total != value->count)
            return rb_eval_error(env, "the elements of an array have different sizes");
        for (int i = 0; i < body.count; i++) copy_element(value, k * body.count + i, &body, i);
    }
    if (loop->total == 0) *value = rb_value_array(env->arena, (RbType)e->type, 1, &loop->total);
    return true;
}

// sum({i, 2*i} for i in 1:3): element by element
static bool reduce_arrays(RbEnv *env, const RbExpr *e, const Loop *loop, RbExprValue *value) {
    RbReduction kind = (RbReduction)e->index;
    for (int k = 0; k < loop->total; k++) {
        RbExprValue body;
        set_iterators(env, loop, k);
        if (!rb_eval(env, e->args[0], &body)) return false;
        if (k == 0) {
            *value = rb_value_array(env->arena, (RbType)e->type, body.rank, body.dims);
            for (int i = 0; i < value->count; i++) value->data[i] = start_of(kind);
        }
        if (body.count != value->count)
            return rb_eval_error(env, "the arrays that are added have different sizes");
        for (int i = 0; i < body.count; i++)
            value->data[i] = combine(kind, value->data[i], body.data[i]);
    }
    return loop->total > 0 || rb_eval_error(env, "the size of a sum of no arrays is not known");
}

bool rb_eval_reduction(RbEnv *env, const RbExpr *e, RbExprValue *value) {
    Loop loop;
    if (!open_loop(env, e, &loop)) return false;
    if (e->index == RB_REDUCE_ARRAY) return array_comprehension(env, e, &loop, value);
    if (e->rank > 0) return reduce_arrays(env, e, &loop, value);
    double result = start_of((RbReduction)e->index);
    for (int k = 0; k < loop.total; k++) {
        double body;
        set_iterators(env, &loop, k);
        if (!rb_eval_number(env, e->args[0], &body)) return false;
        result = combine((RbReduction)e->index, result, body);
    }
    *value = rb_value_number(env->arena, (RbType)e->type, result);
    return true;
}

// --- linear algebra ------------------------------------------------------------------------------

// A vector on the left is a row, on the right a column; these dimensions vanish again.
bool rb_eval_product(RbEnv *env, const RbExprValue *a, const RbExprValue *b, RbExprValue *value) {
    if (a->rank > 2 || b->rank > 2)
        return rb_eval_error(env, "only vectors and matrices can be multiplied");
    int rows = a->rank == 2 ? a->dims[0] : 1, inner = a->dims[a->rank - 1];
    int columns = b->rank == 2 ? b->dims[1] : 1;
    if (inner != b->dims[0])
        return rb_eval_error(env, "the inner sizes of a matrix product differ");
    int dims[2], rank = 0;
    if (a->rank == 2) dims[rank++] = rows;
    if (b->rank == 2) dims[rank++] = columns;
    if (!rb_eval_new(env, a->type == RB_REAL ? RB_REAL : b->type, rank, dims, value)) return false;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            double sum = 0;
            for (int k = 0; k < inner; k++)
                sum += a->data[i * inner + k] * b->data[k * columns + j];
            value->data[i * columns + j] = sum;
        }
    }
    return true;
}

bool rb_eval_matrix_power(RbEnv *env, const RbExprValue *a, double n, RbExprValue *value) {
    if (!(n >= 0 && n <= RB_POWER_MAX && n == floor(n)) || a->dims[0] != a->dims[1]) {
        return rb_eval_error(env,
                             "a matrix power needs a square matrix and a small natural exponent");
    }
    *value = rb_value_array(env->arena, RB_REAL, 2, a->dims);
    for (int i = 0; i < a->dims[0]; i++) value->data[i * a->dims[0] + i] = 1;
    for (int k = 0; k < (int)n; k++) {
        RbExprValue left = *value;
        if (!rb_eval_product(env, &left, a, value)) return false;
    }
    return true;
}

// --- builtin functions of arrays -----------------------------------------------------------------

static RbExprValue fold_all(RbEnv *env, const RbExprValue *a, RbReduction kind) {
    double result = start_of(kind);
    for (int i = 0; i < a->count; i++) result = combine(kind, result, a->data[i]);
    return rb_value_number(env->arena, a->type, result);
}

static bool square(RbEnv *env, RbType type, int n, RbExprValue *value) {
    int dims[2] = {n, n};
    return rb_eval_new(env, type, 2, dims, value);
}

// The argument of a function that is a size.
static bool size_argument(RbEnv *env, const RbExprValue *arg, int *size) {
    return (arg->data && rb_size_from(arg->data[0], size)) ||
           rb_eval_error(env, "an array size is negative or too large");
}

static bool fill(RbEnv *env, const RbExprValue *args, int count, RbExprValue *value) {
    int dims[RB_RANK_MAX];
    if (count - 1 > RB_RANK_MAX) return rb_eval_error(env, "the array has too many dimensions");
    for (int i = 1; i < count; i++) {
        if (!size_argument(env, &args[i], &dims[i - 1])) return false;
    }
    if (!rb_eval_new(env, args[0].type, count - 1, dims, value)) return false;
    for (int i = 0; i < value->count; i++) copy_element(value, i, &args[0], 0);
    return true;
}

static bool transpose(RbEnv *env, const RbExprValue *a, bool symmetric, RbExprValue *value) {
    if (a->rank != 2) return rb_eval_error(env, "only a matrix can be transposed");
    int dims[2] = {a->dims[1], a->dims[0]};
    if (!rb_eval_new(env, a->type, 2, dims, value)) return false;
    for (int i = 0; i < dims[0]; i++) {
        for (int j = 0; j < dims[1]; j++) {
            bool keep = symmetric && i <= j; // the upper triangle counts
            value->data[i * dims[1] + j] =
                keep ? a->data[i * dims[1] + j] : a->data[j * dims[0] + i];
        }
    }
    return true;
}

static bool outer(RbEnv *env, const RbExprValue *a, const RbExprValue *b, RbExprValue *value) {
    int dims[2] = {a->count, b->count};
    if (!rb_eval_new(env, RB_REAL, 2, dims, value)) return false;
    for (int i = 0; i < a->count; i++) {
        for (int j = 0; j < b->count; j++) value->data[i * b->count + j] = a->data[i] * b->data[j];
    }
    return true;
}

static bool cross_or_skew(RbEnv *env, const RbExprValue *a, const RbExprValue *b,
                          RbExprValue *value) {
    int three = 3;
    if (a->count != 3 || (b && b->count != 3))
        return rb_eval_error(env, "cross and skew need vectors of 3 elements");
    const double *u = a->data;
    if (b) {
        const double *v = b->data;
        *value = rb_value_array(env->arena, RB_REAL, 1, &three);
        value->data[0] = u[1] * v[2] - u[2] * v[1];
        value->data[1] = u[2] * v[0] - u[0] * v[2];
        value->data[2] = u[0] * v[1] - u[1] * v[0];
        return true;
    }
    if (!square(env, RB_REAL, 3, value)) return false;
    double s[9] = {0, -u[2], u[1], u[2], 0, -u[0], -u[1], u[0], 0};
    memcpy(value->data, s, sizeof s);
    return true;
}

static bool linspace(RbEnv *env, const RbExprValue *args, RbExprValue *value) {
    int n;
    if (!size_argument(env, &args[2], &n)) return false;
    if (n < 2) return rb_eval_error(env, "linspace needs at least two points");
    if (!rb_eval_new(env, RB_REAL, 1, &n, value)) return false;
    double a = args[0].data[0], b = args[1].data[0];
    for (int i = 0; i < n; i++) value->data[i] = a + (b - a) * i / (n - 1);
    return true;
}

// Concatenation along a dimension: blocks before it repeat, blocks from it on are copied whole.
static bool cat(RbEnv *env, const RbExprValue *args, int count, RbExprValue *value) {
    int d = (int)fmin(fmax(args[0].data[0], 0), RB_RANK_MAX + 1) - 1;
    int dims[RB_RANK_MAX], before = 1, rank = args[1].rank;
    if (d < 0 || d >= rank)
        return rb_eval_error(env, "cat along a dimension that the arrays do not have");
    memcpy(dims, args[1].dims, sizeof dims);
    dims[d] = 0;
    for (int i = 1; i < count; i++) {
        if (args[i].rank != rank)
            return rb_eval_error(env, "cat of arrays with different numbers of dimensions");
        if (args[i].dims[d] > RB_SIZE_MAX - dims[d])
            return rb_eval_error(env, "an array has more than " RB_SIZE_MAX_TEXT " elements");
        dims[d] += args[i].dims[d];
    }
    for (int i = 0; i < d; i++) before *= dims[i];
    if (!rb_eval_new(env, args[1].type, rank, dims, value)) return false;
    for (int r = 0, n = 0; r < before; r++) {
        for (int i = 1; i < count; i++) {
            int block = before > 0 ? args[i].count / before : 0;
            if (n + block > value->count)
                return rb_eval_error(env, "cat of arrays whose sizes do not fit");
            for (int k = 0; k < block; k++) copy_element(value, n++, &args[i], r * block + k);
        }
    }
    return true;
}

static bool reshape(RbEnv *env, RbBuiltin f, const RbExprValue *a, RbExprValue *value) {
    *value = *a;
    if (f == RB_FN_SCALAR) {
        value->rank = 0;
        return a->count == 1 ||
               rb_eval_error(env, "scalar() of an array with more than one element");
    }
    if (f == RB_FN_VECTOR) {
        value->rank = 1;
        value->dims[0] = a->count;
        return true;
    }
    value->rank = 2;
    value->dims[0] = a->rank > 0 ? a->dims[0] : 1;
    value->dims[1] = value->dims[0] > 0 ? a->count / value->dims[0] : 0;
    return true;
}

// x of A x = b, column by column.
static bool solve(RbEnv *env, const RbExprValue *a, const RbExprValue *b, RbExprValue *value) {
    int n = a->dims[0], columns = b->rank > 1 ? b->dims[1] : 1;
    if (a->rank != 2 || a->dims[1] != n || b->rank == 0 || b->dims[0] != n)
        return rb_eval_error(env, "the sizes of linear equations do not fit");
    double *factors = rb_new_array(env->arena, double, n *n + 1),
           *x = rb_new_array(env->arena, double, n + 1);
    int *pivots = rb_new_array(env->arena, int, n + 1);
    for (int i = 0; i < n * n; i++) factors[i % n * n + i / n] = a->data[i]; // by columns
    if (!rb_lu_factor(n, factors, pivots, RB_LU_NOISE))
        return rb_eval_error(env, "the matrix of linear equations is singular");
    if (!rb_eval_new(env, RB_REAL, b->rank, b->dims, value)) return false;
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < n; i++) x[i] = b->data[i * columns + j];
        rb_lu_solve(n, factors, pivots, x);
        for (int i = 0; i < n; i++) value->data[i * columns + j] = x[i];
    }
    return true;
}

bool rb_eval_array_builtin(RbEnv *env, RbBuiltin f, const RbExprValue *args, int count,
                           RbExprValue *value) {
    const RbExprValue *a = &args[0];
    int n;
    switch (f) {
        case RB_FN_SIZE: {
            double number = args[1].data[0];
            int d = number >= 1 && number <= a->rank ? (int)number : 0;
            if (d == 0)
                return rb_eval_error(env, "size of a dimension that the array does not have");
            *value = rb_value_number(env->arena, RB_INTEGER, a->dims[d - 1]);
            return true;
        }
        case RB_FN_FILL: return fill(env, args, count, value);
        case RB_FN_IDENTITY:
            if (!size_argument(env, a, &n) || !square(env, RB_INTEGER, n, value)) return false;
            for (int i = 0; i < value->dims[0]; i++) value->data[i * value->dims[0] + i] = 1;
            return true;
        case RB_FN_DIAGONAL:
            if (!square(env, a->type, a->count, value)) return false;
            for (int i = 0; i < a->count; i++) value->data[i * a->count + i] = a->data[i];
            return true;
        case RB_FN_LINSPACE: return linspace(env, args, value);
        case RB_FN_TRANSPOSE:
        case RB_FN_SYMMETRIC: return transpose(env, a, f == RB_FN_SYMMETRIC, value);
        case RB_FN_OUTER: return outer(env, a, &args[1], value);
        case RB_FN_CROSS: return cross_or_skew(env, a, &args[1], value);
        case RB_FN_SKEW: return cross_or_skew(env, a, NULL, value);
        case RB_FN_SUM: *value = fold_all(env, a, RB_REDUCE_SUM); return true;
        case RB_FN_PRODUCT: *value = fold_all(env, a, RB_REDUCE_PRODUCT); return true;
        case RB_FN_MIN: *value = fold_all(env, a, RB_REDUCE_MIN); return true;
        case RB_FN_MAX: *value = fold_all(env, a, RB_REDUCE_MAX); return true;
        case RB_FN_CAT: return cat(env, args, count, value);
        case RB_FN_SOLVE: return solve(env, a, &args[1], value);
        case RB_FN_SCALAR:
        case RB_FN_VECTOR:
        case RB_FN_MATRIX: return reshape(env, f, a, value);
        default: return rb_eval_error(env, "a function cannot be evaluated");
    }
}
