// SPDX-License-Identifier: MIT
// Functions of arrays: transpose, sum, cross, cat, ... (specification, 10.3).
#include <limits.h>

#include "flatten/builtin.h"
#include "flatten/expression.h"

static RbVal needs_number(const RbBuiltinCall *c, const RbVal *v) {
    rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[0]->at, "%s(...) needs numbers, but this is %s",
            c->name, rb_val_type_name(c->fe, v));
    return rb_val_error();
}

static RbVal needs_rank(const RbBuiltinCall *c, const RbVal *v, const char *what) {
    rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[0]->at, "%s(...) needs a %s, but this is %s",
            c->name, what, rb_val_type_name(c->fe, v));
    return rb_val_error();
}

static int count_elements(const RbVal *v) {
    return rb_size_product(v->rank, v->dims);
}

// Rank and size of the result of a function of one array.
static void shape_result(RbBuiltin f, const RbVal *v, RbVal *out) {
    switch (f) {
        case RB_FN_TRANSPOSE:
            out->dims[0] = v->dims[1];
            out->dims[1] = v->dims[0];
            break;
        case RB_FN_DIAGONAL:
            out->rank = 2;
            out->dims[1] = v->dims[0];
            break;
        case RB_FN_SKEW:
            out->rank = 2;
            out->dims[0] = out->dims[1] = 3;
            break;
        case RB_FN_SUM:
        case RB_FN_PRODUCT:
        case RB_FN_SCALAR: out->rank = 0; break;
        case RB_FN_VECTOR:
            out->rank = 1;
            out->dims[0] = count_elements(v);
            break;
        case RB_FN_MATRIX:
            out->rank = 2;
            out->dims[0] = v->rank > 0 ? v->dims[0] : 1;
            out->dims[1] = 1;
            break;
        default: break;
    }
}

static const RbExpr *sum_of(RbFrontEnd *fe, const RbVal *v) {
    if (v->rank == 1 && v->dims[0] == 0)
        return v->type == RB_INTEGER ? rb_integer(fe->x, 0) : rb_real(fe->x, 0);
    if (v->rank == 1 && v->e->op == RB_OP_ARRAY) return rb_sum(fe->x, v->e->args, v->e->arg_count);
    return rb_builtin1(fe->x, RB_FN_SUM, v->e);
}

static bool only_moves(RbBuiltin f) {
    return f == RB_FN_TRANSPOSE || f == RB_FN_SCALAR || f == RB_FN_VECTOR || f == RB_FN_MATRIX;
}

static RbVal of_array(const RbBuiltinCall *c, RbVal v);

// An array of records is a record of arrays.
static RbVal of_records(const RbBuiltinCall *c, RbVal v) {
    if (c->function == RB_FN_SUM && rb_val_is_overloaded(c->fe, &v))
        return rb_overload_sum(c->fe, &v, c->e->at);
    if (!only_moves(c->function)) return needs_number(c, &v);
    RbVal out = v;
    out.fields = rb_val_copy_fields(c->fe, &v);
    for (int i = 0; i < v.field_count; i++) {
        out.fields[i] = of_array(c, v.fields[i]);
        if (out.fields[i].kind == RB_VAL_ERROR) return rb_val_error();
    }
    shape_result(c->function, &v, &out);
    return out;
}

RbVal rb_builtin_of_array(const RbBuiltinCall *c) {
    if (!rb_builtin_count(c, 1, 1)) return rb_val_error();
    RbVal v = rb_builtin_arg(c, 0);
    if (v.kind == RB_VAL_RECORD) return of_records(c, v);
    if (!rb_builtin_check(c, 0, only_moves(c->function) ? 'x' : 'r', &v)) return rb_val_error();
    return of_array(c, v);
}

static RbVal of_array(const RbBuiltinCall *c, RbVal v) {
    RbBuiltin f = c->function;
    if ((f == RB_FN_DIAGONAL || f == RB_FN_SKEW) && v.rank != 1) return needs_rank(c, &v, "vector");
    if ((f == RB_FN_TRANSPOSE || f == RB_FN_SYMMETRIC) && v.rank != 2)
        return needs_rank(c, &v, "matrix");
    if (f == RB_FN_MATRIX && v.rank == 2) return v;
    for (int i = 0; f == RB_FN_SCALAR && i < v.rank; i++) {
        if (v.dims[i] > 1 || v.dims[i] == 0)
            return rb_builtin_fail(c, c->args[0]->at,
                                   "scalar(...) needs an array with one element");
    }
    RbVal out = v;
    shape_result(f, &v, &out);
    out.e = f == RB_FN_SUM ? sum_of(c->fe, &v) : rb_builtin1(c->fe->x, f, v.e);
    return out;
}

RbVal rb_builtin_two_vectors(const RbBuiltinCall *c) {
    RbBuiltin f = c->function;
    RbVal a, b;
    if (!rb_builtin_count(c, 2, 2) || !rb_builtin_typed(c, 0, 'r', &a) ||
        !rb_builtin_typed(c, 1, 'r', &b))
        return rb_val_error();
    bool three = f != RB_FN_CROSS ||
                 ((a.dims[0] < 0 || a.dims[0] == 3) && (b.dims[0] < 0 || b.dims[0] == 3));
    if (a.rank != 1 || b.rank != 1 || !three) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at,
                "%s(...) needs two vectors%s, but these are %s and %s", c->name,
                f == RB_FN_CROSS ? " of size 3" : "", rb_val_type_name(c->fe, &a),
                rb_val_type_name(c->fe, &b));
        return rb_val_error();
    }
    RbVal out = a;
    out.e = rb_builtin2(c->fe->x, f, a.e, b.e);
    out.type = a.type == RB_REAL || b.type == RB_REAL ? RB_REAL : RB_INTEGER;
    out.variability = rb_weaker(a.variability, b.variability);
    out.rank = f == RB_FN_CROSS ? 1 : 2;
    if (f == RB_FN_CROSS)
        out.dims[0] = 3;
    else
        out.dims[1] = b.dims[0];
    return out;
}

RbVal rb_builtin_elements(const RbBuiltinCall *c) {
    RbVal *items = rb_new_array(c->fe->arena, RbVal, c->count + 1);
    for (int i = 0; i < c->count; i++) items[i] = rb_builtin_arg(c, i);
    return rb_val_array(c->fe, items, c->count, c->e->at);
}

// Arguments of cat(k, a, b, ...), from number 1 on; *out gets type, size and variability.
static bool lower_parts(const RbBuiltinCall *c, int64_t k, RbVal *v, RbVal *out) {
    int total = 0;
    for (int i = 1; i < c->count; i++) {
        if (!rb_builtin_typed(c, i, 'x', &v[i])) return false;
        if (k < 1 || k > v[i].rank || v[i].rank != v[1].rank) {
            rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[i]->at,
                    "cat(%lld, ...) cannot put %s and %s together", (long long)k,
                    rb_val_type_name(c->fe, &v[1]), rb_val_type_name(c->fe, &v[i]));
            return false;
        }
        if (i == 1) *out = v[1];
        total = total < 0 || v[i].dims[k - 1] < 0 ? -1 : total + v[i].dims[k - 1];
        out->variability = rb_weaker(out->variability, v[i].variability);
        if (v[i].type == RB_REAL) out->type = RB_REAL;
    }
    out->dims[k - 1] = total;
    return true;
}

// Vectors of known size: elements side by side.
static RbVal join_vectors(const RbBuiltinCall *c, const RbVal *v, int total) {
    RbVal *items = rb_new_array(c->fe->work, RbVal, total + 1);
    int at = 0;
    for (int i = 1; i < c->count; i++) {
        for (int n = 1; n <= v[i].dims[0]; n++) items[at++] = rb_val_element(c->fe, &v[i], &n, 1);
    }
    return rb_val_array(c->fe, items, total, c->e->at);
}

RbVal rb_builtin_cat(const RbBuiltinCall *c) {
    RbFrontEnd *fe = c->fe;
    RbVal which, *v = rb_new_array(fe->arena, RbVal, c->count + 1), out;
    int64_t k;
    if (!rb_builtin_count(c, 2, INT_MAX) || !rb_builtin_typed(c, 0, 'i', &which))
        return rb_val_error();
    if (!rb_val_evaluate_integer(fe, &which, &k, c->args[0]->at, "the dimension in cat(...)"))
        return rb_val_error();
    if (!lower_parts(c, k, v, &out)) return rb_val_error();
    bool is_free = false; // their sizes may change
    for (int i = 1; i < c->count; i++)
        is_free |= c->ctx->keeps.slices && rb_val_has_free_size(fe, &v[i]);
    if (k == 1 && out.rank == 1 && out.dims[0] >= 0 && !is_free)
        return join_vectors(c, v, out.dims[0]);
    const RbExpr **args = rb_new_array(fe->arena, const RbExpr *, c->count + 1);
    args[0] = rb_integer(fe->x, k);
    for (int i = 1; i < c->count; i++) args[i] = v[i].e;
    out.e = rb_builtin(fe->x, RB_FN_CAT, args, c->count);
    return out;
}

RbVal rb_builtin_min_max(const RbBuiltinCall *c) {
    RbVal a, b;
    if (!rb_builtin_count(c, 1, 2) || !rb_builtin_typed(c, 0, 'x', &a)) return rb_val_error();
    RbVal out = a;
    out.rank = 0;
    if (c->count == 1) {
        if (a.rank == 0)
            return rb_builtin_fail(c, c->args[0]->at, "min and max of one argument need an array");
        out.e = rb_builtin1(c->fe->x, c->function, a.e);
        return out;
    }
    if (!rb_builtin_typed(c, 1, 'x', &b)) return rb_val_error();
    if (a.rank > 0 || b.rank > 0)
        return rb_builtin_fail(c, c->e->at, "min and max of two arguments need scalars");
    out.e = rb_builtin2(c->fe->x, c->function, a.e, b.e);
    if (b.type == RB_REAL) out.type = RB_REAL;
    out.variability = rb_weaker(a.variability, b.variability);
    return out;
}
