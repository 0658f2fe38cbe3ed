// SPDX-License-Identifier: MIT
// Operators and functions that belong to the language (Modelica specification, 3.7 and 10.3).
#include <string.h>

#include "modelica/frontend.h"

enum { MAX_ARGS = 16 };

// A call with its arguments in order; named ones are put in their place.
typedef struct Call {
    RbFrontEnd *fe;
    const RbPlace *ctx;
    const RbAstExpr *e;
    const char *name;
    const RbAstExpr *args[MAX_ARGS];
    int count;
} Call;

static RbAstVariability weaker(RbAstVariability a, RbAstVariability b) {
    return a < b ? a : b;
}

static RbVal scalar(const RbExpr *e, RbAstVariability variability) {
    return (RbVal){
        .kind = RB_VAL_EXPR, .type = (RbType)e->type, .e = e, .variability = variability};
}

static RbVal fail(const Call *c, RbPos at, const char *message) {
    rb_fail(c->fe->diag, RB_ERROR_MODEL, at, "%s", message);
    return rb_val_error();
}

static RbVal lower_arg(const Call *c, int i) {
    RbVal v = rb_lower_expr(c->fe, c->ctx, c->args[i]);
    if (v.kind == RB_VAL_TUPLE && v.field_count > 0) v = v.fields[0];
    if (v.kind == RB_VAL_ABSENT) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[i]->at,
                "'%s' does not exist because its condition is false", v.inst->path);
        return rb_val_error();
    }
    return v;
}

// An argument that must have a value of a kind: 'r' Real or Integer, 'i' Integer, 'b' Boolean, 's'
// String, 'x' any.
static bool lower_typed(const Call *c, int i, char kind, RbVal *v) {
    *v = lower_arg(c, i);
    if (v->kind == RB_VAL_ERROR) return false;
    bool fits = v->kind == RB_VAL_EXPR &&
                (kind == 'x' || (kind == 'r' && (v->type == RB_REAL || v->type == RB_INTEGER)) ||
                 (kind == 'i' && v->type == RB_INTEGER) || (kind == 'b' && v->type == RB_BOOLEAN) ||
                 (kind == 's' && v->type == RB_STRING));
    if (fits) return true;
    const char *wanted = kind == 'r'   ? "a number"
                         : kind == 'i' ? "Integer"
                         : kind == 'b' ? "Boolean"
                         : kind == 's' ? "String"
                                       : "a value";
    rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[i]->at,
            "argument %d of %s must be %s, but this is %s", i + 1, c->name, wanted,
            rb_val_type_name(c->fe, v));
    return false;
}

static bool expect_count(const Call *c, int least, int most) {
    if (c->count >= least && c->count <= most) return true;
    if (least == most) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at, "%s needs %d argument%s, but has %d",
                c->name, least, least == 1 ? "" : "s", c->count);
    } else {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at, "%s needs %d to %d arguments, but has %d",
                c->name, least, most, c->count);
    }
    return false;
}

// --- elementwise mathematics ---------------------------------------------------------------------

static const struct {
    const char *name;
    RbBuiltin function;
    int count;
    char result; // 'r' Real, 'i' Integer, 's' same as the arguments
} maths[] = {
    {"sin", RB_FN_SIN, 1, 'r'},     {"cos", RB_FN_COS, 1, 'r'},
    {"tan", RB_FN_TAN, 1, 'r'},     {"asin", RB_FN_ASIN, 1, 'r'},
    {"acos", RB_FN_ACOS, 1, 'r'},   {"atan", RB_FN_ATAN, 1, 'r'},
    {"atan2", RB_FN_ATAN2, 2, 'r'}, {"sinh", RB_FN_SINH, 1, 'r'},
    {"cosh", RB_FN_COSH, 1, 'r'},   {"tanh", RB_FN_TANH, 1, 'r'},
    {"exp", RB_FN_EXP, 1, 'r'},     {"log", RB_FN_LOG, 1, 'r'},
    {"log10", RB_FN_LOG10, 1, 'r'}, {"sqrt", RB_FN_SQRT, 1, 'r'},
    {"abs", RB_FN_ABS, 1, 's'},     {"sign", RB_FN_SIGN, 1, 'i'},
    {"div", RB_FN_DIV, 2, 's'},     {"mod", RB_FN_MOD, 2, 's'},
    {"rem", RB_FN_REM, 2, 's'},     {"floor", RB_FN_FLOOR, 1, 'r'},
    {"ceil", RB_FN_CEIL, 1, 'r'},   {"integer", RB_FN_INTEGER, 1, 'i'},
};

static bool lower_maths(const Call *c, RbVal *out) {
    for (size_t i = 0; i < sizeof maths / sizeof maths[0]; i++) {
        if (strcmp(maths[i].name, c->name) != 0) continue;
        RbVal v[2];
        *out = rb_val_error();
        if (!expect_count(c, maths[i].count, maths[i].count)) return true;
        for (int k = 0; k < c->count; k++) {
            if (!lower_typed(c, k, 'r', &v[k])) return true;
        }
        *out = v[0];
        const RbExpr *args[2] = {v[0].e, NULL};
        if (c->count == 2) {
            if (v[1].rank != v[0].rank || v[0].rank > 0) {
                if (v[0].rank > 0 || v[1].rank > 0) {
                    *out = fail(c, c->e->at, "this function is applied to scalars");
                    return true;
                }
            }
            args[1] = v[1].e;
            out->variability = weaker(v[0].variability, v[1].variability);
            if (v[1].type == RB_REAL) out->type = RB_REAL;
        }
        out->e = rb_builtin(c->fe->x, maths[i].function, args, c->count);
        out->class = NULL;
        if (maths[i].result != 's') out->type = maths[i].result == 'i' ? RB_INTEGER : RB_REAL;
        bool steps = maths[i].function >= RB_FN_DIV && maths[i].function <= RB_FN_INTEGER;
        if ((steps || maths[i].function == RB_FN_SIGN) && out->variability == RB_AST_CONTINUOUS &&
            out->type == RB_INTEGER) {
            out->variability = RB_AST_DISCRETE;
        }
        return true;
    }
    return false;
}

// --- events --------------------------------------------------------------------------------------

static RbVal lower_der(const Call *c) {
    RbVal v;
    if (!expect_count(c, 1, 1) || !lower_typed(c, 0, 'r', &v)) return rb_val_error();
    if (v.type != RB_REAL && v.variability < RB_AST_PARAMETER)
        return fail(c, c->e->at, "only Real expressions have a derivative");
    if (c->ctx->frame) return fail(c, c->e->at, "der(...) cannot be used in a function");
    v.e = rb_der(c->fe->x, v.e);
    v.type = RB_REAL;
    v.class = NULL;
    return v;
}

static RbVal lower_pre(const Call *c) {
    RbVal v;
    if (!expect_count(c, 1, 1) || !lower_typed(c, 0, 'x', &v)) return rb_val_error();
    if (c->ctx->frame)
        return rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at,
                       "%s(...) cannot be used in a function", c->name),
               rb_val_error();
    bool is_edge = strcmp(c->name, "edge") == 0, is_change = strcmp(c->name, "change") == 0;
    if (is_edge && v.type != RB_BOOLEAN) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[0]->at,
                "edge(...) needs a Boolean, but this is %s", rb_val_type_name(c->fe, &v));
        return rb_val_error();
    }
    if (v.variability >= RB_AST_PARAMETER)
        return is_edge || is_change ? scalar(rb_boolean(c->fe->x, false), RB_AST_CONSTANT) : v;
    v.variability = RB_AST_DISCRETE;
    if (is_edge || is_change) {
        v.e = rb_builtin1(c->fe->x, is_edge ? RB_FN_EDGE : RB_FN_CHANGE, v.e);
        v.type = RB_BOOLEAN;
        v.class = NULL;
        return v;
    }
    v.e = rb_pre(c->fe->x, v.e);
    return v;
}

static RbVal lower_sample(const Call *c) {
    RbVal a, b;
    if (c->count == 1)
        return fail(c, c->e->at,
                    "sample(...) of a clock is not supported (synchronous language elements)");
    if (!expect_count(c, 2, 2) || !lower_typed(c, 0, 'r', &a) || !lower_typed(c, 1, 'r', &b))
        return rb_val_error();
    return scalar(rb_builtin2(c->fe->x, RB_FN_SAMPLE, a.e, b.e), RB_AST_DISCRETE);
}

static RbVal lower_no_event(const Call *c) {
    RbVal v;
    if (!expect_count(c, 1, 1)) return rb_val_error();
    v = lower_arg(c, 0);
    if (v.kind == RB_VAL_RECORD) {
        for (int i = 0; i < v.field_count; i++)
            v.fields[i].e = rb_builtin1(c->fe->x, RB_FN_NO_EVENT, v.fields[i].e);
        return v;
    }
    if (v.kind != RB_VAL_EXPR) return lower_typed(c, 0, 'x', &v) ? v : rb_val_error();
    v.e = rb_builtin1(c->fe->x, RB_FN_NO_EVENT, v.e);
    if (v.type == RB_BOOLEAN && v.variability == RB_AST_DISCRETE) v.variability = RB_AST_CONTINUOUS;
    return v;
}

static RbVal lower_smooth(const Call *c) {
    RbVal order, v;
    if (!expect_count(c, 2, 2) || !lower_typed(c, 0, 'i', &order)) return rb_val_error();
    v = lower_arg(c, 1);
    if (v.kind != RB_VAL_EXPR)
        return v.kind == RB_VAL_RECORD ? v : lower_typed(c, 1, 'r', &v) ? v : rb_val_error();
    v.e = rb_builtin2(c->fe->x, RB_FN_SMOOTH, order.e, v.e);
    return v;
}

static RbVal lower_homotopy(const Call *c) {
    RbVal a, b;
    if (!expect_count(c, 2, 2) || !lower_typed(c, 0, 'r', &a) || !lower_typed(c, 1, 'r', &b))
        return rb_val_error();
    a.e = rb_builtin2(c->fe->x, RB_FN_HOMOTOPY, a.e, b.e);
    a.variability = weaker(a.variability, b.variability);
    return a;
}

static RbVal lower_three(const Call *c, RbBuiltin f) {
    RbVal v[3];
    if (!expect_count(c, f == RB_FN_DELAY ? 2 : 3, 3)) return rb_val_error();
    const RbExpr *args[3];
    RbAstVariability variability = RB_AST_CONSTANT;
    for (int i = 0; i < c->count; i++) {
        if (!lower_typed(c, i, 'r', &v[i])) return rb_val_error();
        args[i] = v[i].e;
        variability = weaker(variability, v[i].variability);
    }
    if (c->count == 2) args[2] = args[1];
    RbVal out = v[0];
    out.e = rb_builtin(c->fe->x, f, args, 3);
    out.type = RB_REAL;
    out.variability = f == RB_FN_DELAY ? RB_AST_CONTINUOUS : variability;
    return out;
}

// --- arrays --------------------------------------------------------------------------------------

static bool has_free_size(const RbFrontEnd *fe, const RbExpr *array) {
    return array && array->op == RB_OP_VAR && fe->flat->vars.data[array->index].has_free_size;
}

static RbVal lower_size(const Call *c) {
    if (!expect_count(c, 1, 2)) return rb_val_error();
    RbFrontEnd *fe = c->fe;
    RbVal v = rb_lower_component(fe, c->ctx, c->args[0]);
    if (v.kind == RB_VAL_ERROR) return v;
    int rank = v.rank;
    const int *dims = v.dims;
    if (v.kind == RB_VAL_INST && v.inst && v.field_count == 0) {
        rank = v.e ? v.rank : v.inst->rank;
        dims = v.e ? v.dims : v.inst->dims;
        if (v.inst->kind == RB_INST_COMPONENT) rank = 0;
    } else if (v.kind != RB_VAL_EXPR && v.kind != RB_VAL_RECORD && v.kind != RB_VAL_INST) {
        rb_fail(fe->diag, RB_ERROR_MODEL, c->args[0]->at,
                "size(...) needs an array, but this is %s", rb_val_type_name(fe, &v));
        return rb_val_error();
    }
    RbVal all[RB_RANK_MAX];
    const RbExpr *array = v.kind == RB_VAL_RECORD && v.field_count > 0 ? v.fields[0].e : v.e;
    bool leaf = v.kind == RB_VAL_INST && v.inst && v.inst->kind == RB_INST_LEAF;
    if (!array && leaf && v.inst->var >= 0) array = rb_flat_ref(fe->flat, v.inst->var);
    for (int i = 0; i < rank; i++) {
        bool known = dims[i] >= 0 && !(fe->keep_sizes && has_free_size(fe, array));
        const RbExpr *e = known ? rb_integer(fe->x, dims[i])
                                : rb_builtin2(fe->x, RB_FN_SIZE, array, rb_integer(fe->x, i + 1));
        all[i] = scalar(e, known ? RB_AST_CONSTANT : RB_AST_PARAMETER);
    }
    if (!fe->keep_sizes && has_free_size(fe, array)) {
        RbFlatVar *var = &fe->flat->vars.data[array->index];
        if (!var->size_use) var->size_use_at = c->e->at;
        var->size_use = "its size is used as a number";
    }
    if (c->count == 1) return rb_val_array(fe, all, rank, c->e->at);
    RbVal which;
    if (!lower_typed(c, 1, 'i', &which)) return rb_val_error();
    int64_t k;
    if (c->ctx->frame && !rb_is_constant(which.e) && array) {
        return scalar(rb_builtin2(fe->x, RB_FN_SIZE, array, which.e), RB_AST_PARAMETER);
    }
    if (!rb_val_evaluate_integer(fe, &which, &k, c->args[1]->at, "the dimension in size(...)"))
        return rb_val_error();
    if (k < 1 || k > rank) {
        rb_fail(fe->diag, RB_ERROR_MODEL, c->args[1]->at,
                "size(...) is asked for dimension %lld of an array with %d", (long long)k, rank);
        return rb_val_error();
    }
    return all[k - 1];
}

// An argument that is a size and stays an expression.
static bool lower_size_arg(const Call *c, int i, RbVal *n) {
    bool outer = c->fe->keep_sizes;
    c->fe->keep_sizes = !c->ctx->frame;
    bool good = lower_typed(c, i, 'i', n);
    c->fe->keep_sizes = outer;
    return good;
}

// fill(value, n1, n2, ...), zeros(n1, ...), ones(n1, ...)
static RbVal lower_fill(const Call *c, const RbExpr *value) {
    RbFrontEnd *fe = c->fe;
    int first = value ? 0 : 1;
    if (!expect_count(c, first + 1, first + RB_RANK_MAX)) return rb_val_error();
    RbVal out = {.kind = RB_VAL_EXPR, .variability = RB_AST_CONSTANT};
    const RbExpr *args[1 + RB_RANK_MAX] = {value};
    if (value) {
        out.type = (RbType)value->type;
    } else {
        RbVal v = lower_arg(c, 0);
        if (v.kind == RB_VAL_RECORD) {
            for (int i = c->count - 1; i >= 1 && v.kind == RB_VAL_RECORD; i--) {
                RbVal n;
                int64_t count;
                if (!lower_typed(c, i, 'i', &n) ||
                    !rb_val_evaluate_integer(fe, &n, &count, c->args[i]->at,
                                             "the size of an array")) {
                    return rb_val_error();
                }
                if (count < 0 || count > 1000000)
                    return fail(c, c->args[i]->at, "this size is not possible");
                RbVal *items = rb_new_array(fe->arena, RbVal, count + 1);
                for (int64_t k = 0; k < count; k++) items[k] = v;
                v = rb_val_array(fe, items, (int)count, c->e->at);
            }
            return v;
        }
        if (!lower_typed(c, 0, 'x', &v)) return rb_val_error();
        if (v.rank > 0) return fail(c, c->args[0]->at, "fill(...) repeats a scalar");
        out = v;
        args[0] = v.e;
    }
    out.rank = c->count - first;
    for (int i = 0; i < out.rank; i++) {
        RbVal n;
        if (!lower_size_arg(c, first + i, &n)) return rb_val_error();
        int64_t size = -1;
        args[1 + i] = n.e;
        out.variability = weaker(out.variability, n.variability);
        const char *what = c->ctx->frame ? NULL : "the size of an array";
        if (rb_val_evaluate_size(fe, &n, &size, c->args[first + i]->at, what)) {
            if (size < 0)
                return fail(c, c->args[first + i]->at, "the size of an array cannot be negative");
        } else if (!c->ctx->frame) {
            return rb_val_error();
        }
        out.dims[i] = (int)size;
    }
    out.e = rb_builtin(fe->x, RB_FN_FILL, args, 1 + out.rank);
    return out;
}

static RbVal lower_identity(const Call *c) {
    RbVal n;
    int64_t size = -1;
    if (!expect_count(c, 1, 1) || !lower_size_arg(c, 0, &n)) return rb_val_error();
    if (!rb_val_evaluate_size(c->fe, &n, &size, c->args[0]->at,
                              c->ctx->frame ? NULL : "the size of a matrix") &&
        !c->ctx->frame) {
        return rb_val_error();
    }
    RbVal out = scalar(rb_builtin1(c->fe->x, RB_FN_IDENTITY, n.e), n.variability);
    out.rank = 2;
    out.dims[0] = out.dims[1] = (int)size;
    return out;
}

// Functions of one array: what happens to rank and size.
static RbVal lower_of_array(const Call *c, RbBuiltin f, int rank_in) {
    RbVal v;
    if (!expect_count(c, 1, 1) ||
        !lower_typed(c, 0, f == RB_FN_TRANSPOSE || f >= RB_FN_SCALAR ? 'x' : 'r', &v))
        return rb_val_error();
    if (rank_in >= 0 && v.rank != rank_in) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[0]->at, "%s(...) needs a %s, but this is %s",
                c->name, rank_in == 1 ? "vector" : "matrix", rb_val_type_name(c->fe, &v));
        return rb_val_error();
    }
    RbVal out = v;
    switch (f) {
        case RB_FN_TRANSPOSE:
            out.dims[0] = v.dims[1];
            out.dims[1] = v.dims[0];
            break;
        case RB_FN_DIAGONAL:
            out.rank = 2;
            out.dims[1] = v.dims[0];
            break;
        case RB_FN_SKEW:
            out.rank = 2;
            out.dims[0] = out.dims[1] = 3;
            break;
        case RB_FN_SUM:
        case RB_FN_PRODUCT: out.rank = 0; break;
        case RB_FN_SCALAR:
            for (int i = 0; i < v.rank; i++) {
                if (v.dims[i] > 1 || v.dims[i] == 0)
                    return fail(c, c->args[0]->at, "scalar(...) needs an array with one element");
            }
            out.rank = 0;
            break;
        case RB_FN_VECTOR: {
            int size = 1;
            for (int i = 0; i < v.rank; i++)
                size = v.dims[i] < 0 || size < 0 ? -1 : size * v.dims[i];
            out.rank = 1;
            out.dims[0] = size;
            break;
        }
        case RB_FN_MATRIX:
            if (v.rank == 2) return v;
            out.rank = 2;
            out.dims[0] = v.rank > 0 ? v.dims[0] : 1;
            out.dims[1] = 1;
            break;
        default: break;
    }
    if (f == RB_FN_SUM && v.rank == 1 && v.e->op == RB_OP_ARRAY)
        out.e = rb_sum(c->fe->x, v.e->args, v.e->arg_count);
    else
        out.e = rb_builtin1(c->fe->x, f, v.e);
    if (f == RB_FN_SUM && v.rank == 1 && v.dims[0] == 0)
        out.e = v.type == RB_INTEGER ? rb_integer(c->fe->x, 0) : rb_real(c->fe->x, 0);
    return out;
}

static RbVal lower_two_vectors(const Call *c, RbBuiltin f) {
    RbVal a, b;
    if (!expect_count(c, 2, 2) || !lower_typed(c, 0, 'r', &a) || !lower_typed(c, 1, 'r', &b))
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
    out.variability = weaker(a.variability, b.variability);
    out.rank = f == RB_FN_CROSS ? 1 : 2;
    if (f == RB_FN_CROSS)
        out.dims[0] = 3;
    else
        out.dims[1] = b.dims[0];
    return out;
}

static RbVal lower_linspace(const Call *c) {
    RbVal a, b, n;
    int64_t size = -1;
    if (!expect_count(c, 3, 3) || !lower_typed(c, 0, 'r', &a) || !lower_typed(c, 1, 'r', &b) ||
        !lower_typed(c, 2, 'i', &n))
        return rb_val_error();
    if (!rb_val_evaluate_integer(c->fe, &n, &size, c->args[2]->at,
                                 c->ctx->frame ? NULL : "the size of an array") &&
        !c->ctx->frame)
        return rb_val_error();
    const RbExpr *args[] = {a.e, b.e, n.e};
    RbVal out =
        scalar(rb_builtin(c->fe->x, RB_FN_LINSPACE, args, 3), weaker(a.variability, b.variability));
    out.rank = 1;
    out.dims[0] = (int)size;
    return out;
}

static RbVal lower_cat(const Call *c) {
    RbFrontEnd *fe = c->fe;
    RbVal which, v[MAX_ARGS];
    int64_t k;
    if (!expect_count(c, 2, MAX_ARGS) || !lower_typed(c, 0, 'i', &which)) return rb_val_error();
    if (!rb_val_evaluate_integer(fe, &which, &k, c->args[0]->at, "the dimension in cat(...)"))
        return rb_val_error();
    const RbExpr *args[MAX_ARGS] = {rb_integer(fe->x, k)};
    int total = 0;
    RbAstVariability variability = RB_AST_CONSTANT;
    bool real = false;
    for (int i = 1; i < c->count; i++) {
        if (!lower_typed(c, i, 'x', &v[i])) return rb_val_error();
        if (k < 1 || k > v[i].rank || v[i].rank != v[1].rank) {
            rb_fail(fe->diag, RB_ERROR_MODEL, c->args[i]->at,
                    "cat(%lld, ...) cannot put %s and %s together", (long long)k,
                    rb_val_type_name(fe, &v[1]), rb_val_type_name(fe, &v[i]));
            return rb_val_error();
        }
        args[i] = v[i].e;
        total = total < 0 || v[i].dims[k - 1] < 0 ? -1 : total + v[i].dims[k - 1];
        variability = weaker(variability, v[i].variability);
        real = real || v[i].type == RB_REAL;
    }
    RbVal out = v[1];
    out.dims[k - 1] = total;
    out.variability = variability;
    if (real) out.type = RB_REAL;
    if (k == 1 && total >= 0 && out.rank == 1) { // vectors of known size: elements side by side
        RbVal *items = rb_new_array(fe->arena, RbVal, total + 1);
        int at = 0;
        for (int i = 1; i < c->count; i++) {
            for (int n = 1; n <= v[i].dims[0]; n++) items[at++] = rb_val_element(fe, &v[i], &n, 1);
        }
        return rb_val_array(fe, items, total, c->e->at);
    }
    out.e = rb_builtin(fe->x, RB_FN_CAT, args, c->count);
    return out;
}

static RbVal lower_min_max(const Call *c, RbBuiltin f) {
    RbVal a, b;
    if (!expect_count(c, 1, 2) || !lower_typed(c, 0, 'x', &a)) return rb_val_error();
    RbVal out = a;
    out.rank = 0;
    if (c->count == 1) {
        if (a.rank == 0)
            return fail(c, c->args[0]->at, "min and max of one argument need an array");
        out.e = rb_builtin1(c->fe->x, f, a.e);
        return out;
    }
    if (!lower_typed(c, 1, 'x', &b)) return rb_val_error();
    if (a.rank > 0 || b.rank > 0)
        return fail(c, c->e->at, "min and max of two arguments need scalars");
    out.e = rb_builtin2(c->fe->x, f, a.e, b.e);
    if (b.type == RB_REAL) out.type = RB_REAL;
    out.variability = weaker(a.variability, b.variability);
    return out;
}

// --- conversions ---------------------------------------------------------------------------------

static RbVal enumeration_name(RbFrontEnd *fe, const RbVal *v) {
    const RbAstClass *def = v->class->enumeration;
    const RbExpr *e =
        rb_string(fe->x, def->literal_count > 0 ? def->literals[def->literal_count - 1].name : "");
    for (int i = def->literal_count - 2; i >= 0; i--) {
        const RbExpr *is = rb_relate(fe->x, RB_OP_EQ, v->e, rb_enum(fe->x, i + 1));
        e = rb_if(fe->x, is, rb_string(fe->x, def->literals[i].name), e);
    }
    return scalar(e, v->variability);
}

// String(value, significantDigits=6, minimumLength=0, leftJustified=true), String(value,
// format=...)
static RbVal lower_string(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    static const char *const names[] = {"significantDigits", "minimumLength", "leftJustified",
                                        "format"};
    RbVal v[5] = {0};
    int position = 0;
    for (int i = 1; i < e->kid_count; i++) {
        const RbAstExpr *arg = e->kids[i];
        int at = -1;
        if (arg->kind == RB_AST_NAMED) {
            for (int k = 0; k < 4; k++) {
                if (strcmp(names[k], arg->name) == 0) at = k + 1;
            }
            arg = arg->kids[0];
        } else {
            at = position++;
        }
        if (at < 0 || at > 4) {
            rb_fail(fe->diag, RB_ERROR_MODEL, arg->at, "String(...) has no such argument");
            return rb_val_error();
        }
        v[at] = rb_lower_expr(fe, ctx, arg);
        if (v[at].kind == RB_VAL_ERROR) return v[at];
    }
    RbVal value = v[0];
    if (value.kind != RB_VAL_EXPR || value.rank > 0 || value.type == RB_EXTERNAL) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "String(...) needs a scalar value");
        return rb_val_error();
    }
    if (value.type == RB_ENUM && value.class && value.class->enumeration)
        return enumeration_name(fe, &value);
    if (value.type == RB_STRING) return value;
    // Positional arguments of Integer and Boolean begin with minimumLength.
    if (value.type != RB_REAL && position >= 2 && v[1].kind == RB_VAL_EXPR) {
        v[3] = v[2];
        v[2] = v[1];
        v[1].kind = RB_VAL_ERROR;
    }
    RbAstVariability variability = value.variability;
    if (v[4].kind == RB_VAL_EXPR)
        return scalar(rb_builtin2(fe->x, RB_FN_TO_STRING, value.e, v[4].e), variability);
    if (v[1].kind != RB_VAL_EXPR && v[2].kind != RB_VAL_EXPR && v[3].kind != RB_VAL_EXPR) {
        return scalar(rb_builtin1(fe->x, RB_FN_TO_STRING, value.e), variability);
    }
    const RbExpr *args[] = {value.e, v[1].kind == RB_VAL_EXPR ? v[1].e : rb_integer(fe->x, 6),
                            v[2].kind == RB_VAL_EXPR ? v[2].e : rb_integer(fe->x, 0),
                            v[3].kind == RB_VAL_EXPR ? v[3].e : rb_boolean(fe->x, true)};
    return scalar(rb_builtin(fe->x, RB_FN_TO_STRING, args, 4), variability);
}

static RbVal lower_integer(const Call *c) {
    RbVal v;
    if (!expect_count(c, 1, 1) || !lower_typed(c, 0, 'x', &v)) return rb_val_error();
    if (v.type != RB_ENUM && v.type != RB_BOOLEAN && v.type != RB_INTEGER) {
        return fail(
            c, c->args[0]->at,
            "Integer(...) needs an enumeration value; use integer(...) to round a Real down");
    }
    if (v.type != RB_INTEGER) v.e = rb_builtin1(c->fe->x, RB_FN_TO_INTEGER, v.e);
    v.type = RB_INTEGER;
    v.class = NULL;
    return v;
}

// --- the rest ------------------------------------------------------------------------------------

static RbVal lower_cardinality(const Call *c) {
    if (!expect_count(c, 1, 1)) return rb_val_error();
    RbVal v = rb_lower_component(c->fe, c->ctx, c->args[0]);
    if (v.kind == RB_VAL_ERROR) return v;
    if (v.kind != RB_VAL_INST || !v.inst)
        return fail(c, c->args[0]->at, "cardinality(...) needs a connector");
    return scalar(rb_integer(c->fe->x, v.inst->connections), RB_AST_CONSTANT);
}

static RbVal lower_elements(const Call *c) {
    RbVal items[MAX_ARGS];
    for (int i = 0; i < c->count; i++) items[i] = lower_arg(c, i);
    return rb_val_array(c->fe, items, c->count, c->e->at);
}

static bool is_unsupported(const char *name) {
    static const char *const names[] = {"inStream",    "actualStream", "spatialDistribution",
                                        "Clock",       "previous",     "hold",
                                        "subSample",   "superSample",  "shiftSample",
                                        "backSample",  "noClock",      "firstTick",
                                        "interval",    "transition",   "initialState",
                                        "activeState", "ticksInState", "timeInState",
                                        "rooted"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i], name) == 0) return true;
    }
    return false;
}

// Arguments by position; names of arguments that the language gives to its functions are known.
static bool collect(Call *c) {
    static const struct {
        const char *function, *argument;
        int position;
    } named[] = {{"homotopy", "actual", 0},
                 {"homotopy", "simplified", 1},
                 {"smooth", "p", 0},
                 {"smooth", "expr", 1},
                 {"semiLinear", "x", 0},
                 {"semiLinear", "positiveSlope", 1},
                 {"semiLinear", "negativeSlope", 2},
                 {"sample", "start", 0},
                 {"sample", "interval", 1},
                 {"delay", "expr", 0},
                 {"delay", "delayTime", 1},
                 {"delay", "delayMax", 2},
                 {"linspace", "x1", 0},
                 {"linspace", "x2", 1},
                 {"linspace", "n", 2}};
    for (int i = 1; i < c->e->kid_count; i++) {
        const RbAstExpr *arg = c->e->kids[i];
        int at = c->count;
        if (arg->kind == RB_AST_NAMED) {
            at = -1;
            for (size_t k = 0; k < sizeof named / sizeof named[0]; k++) {
                if (strcmp(named[k].function, c->name) == 0 &&
                    strcmp(named[k].argument, arg->name) == 0)
                    at = named[k].position;
            }
            if (at < 0) {
                rb_fail(c->fe->diag, RB_ERROR_MODEL, arg->at, "%s(...) has no argument '%s'",
                        c->name, arg->name);
                return false;
            }
            arg = arg->kids[0];
        }
        if (at >= MAX_ARGS) {
            rb_fail(c->fe->diag, RB_ERROR_MODEL, arg->at, "%s(...) has too many arguments",
                    c->name);
            return false;
        }
        c->args[at] = arg;
        if (at >= c->count) c->count = at + 1;
    }
    for (int i = 0; i < c->count; i++) {
        if (c->args[i]) continue;
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at, "argument %d of %s(...) is missing", i + 1,
                c->name);
        return false;
    }
    return true;
}

static RbVal lower_initial(const Call *c) {
    return scalar(rb_builtin(c->fe->x, RB_FN_INITIAL, NULL, 0), RB_AST_DISCRETE);
}

static RbVal lower_terminal(const Call *c) {
    return scalar(rb_builtin(c->fe->x, RB_FN_TERMINAL, NULL, 0), RB_AST_DISCRETE);
}

static RbVal lower_ndims(const Call *c) {
    RbVal v;
    if (!expect_count(c, 1, 1) || !lower_typed(c, 0, 'x', &v)) return rb_val_error();
    return scalar(rb_integer(c->fe->x, v.rank), RB_AST_CONSTANT);
}

static RbVal lower_instance_name(const Call *c) {
    const char *path = c->ctx->inst ? c->ctx->inst->path : "", *model = c->fe->flat->name;
    const char *name = *path ? rb_arena_printf(c->fe->arena, "%s.%s", model, path) : model;
    return scalar(rb_string(c->fe->x, name), RB_AST_CONSTANT);
}

static RbVal lower_pure(const Call *c) {
    return expect_count(c, 1, 1) ? lower_arg(c, 0) : rb_val_error();
}

static RbVal lower_semi_linear(const Call *c) {
    return lower_three(c, RB_FN_SEMI_LINEAR);
}
static RbVal lower_delay(const Call *c) {
    return lower_three(c, RB_FN_DELAY);
}
static RbVal lower_fill_value(const Call *c) {
    return lower_fill(c, NULL);
}
static RbVal lower_zeros(const Call *c) {
    return lower_fill(c, rb_integer(c->fe->x, 0));
}
static RbVal lower_ones(const Call *c) {
    return lower_fill(c, rb_integer(c->fe->x, 1));
}
static RbVal lower_diagonal(const Call *c) {
    return lower_of_array(c, RB_FN_DIAGONAL, 1);
}
static RbVal lower_transpose(const Call *c) {
    return lower_of_array(c, RB_FN_TRANSPOSE, 2);
}
static RbVal lower_symmetric(const Call *c) {
    return lower_of_array(c, RB_FN_SYMMETRIC, 2);
}
static RbVal lower_skew(const Call *c) {
    return lower_of_array(c, RB_FN_SKEW, 1);
}
static RbVal lower_sum(const Call *c) {
    return lower_of_array(c, RB_FN_SUM, -1);
}
static RbVal lower_product(const Call *c) {
    return lower_of_array(c, RB_FN_PRODUCT, -1);
}
static RbVal lower_scalar(const Call *c) {
    return lower_of_array(c, RB_FN_SCALAR, -1);
}
static RbVal lower_vector(const Call *c) {
    return lower_of_array(c, RB_FN_VECTOR, -1);
}
static RbVal lower_matrix(const Call *c) {
    return lower_of_array(c, RB_FN_MATRIX, -1);
}
static RbVal lower_cross(const Call *c) {
    return lower_two_vectors(c, RB_FN_CROSS);
}
static RbVal lower_outer(const Call *c) {
    return lower_two_vectors(c, RB_FN_OUTER);
}
static RbVal lower_min(const Call *c) {
    return lower_min_max(c, RB_FN_MIN);
}
static RbVal lower_max(const Call *c) {
    return lower_min_max(c, RB_FN_MAX);
}

static const struct {
    const char *name;
    RbVal (*lower)(const Call *c);
} operators[] = {
    {"der", lower_der},
    {"pre", lower_pre},
    {"edge", lower_pre},
    {"change", lower_pre},
    {"sample", lower_sample},
    {"initial", lower_initial},
    {"terminal", lower_terminal},
    {"noEvent", lower_no_event},
    {"smooth", lower_smooth},
    {"homotopy", lower_homotopy},
    {"semiLinear", lower_semi_linear},
    {"delay", lower_delay},
    {"size", lower_size},
    {"ndims", lower_ndims},
    {"fill", lower_fill_value},
    {"zeros", lower_zeros},
    {"ones", lower_ones},
    {"identity", lower_identity},
    {"diagonal", lower_diagonal},
    {"transpose", lower_transpose},
    {"symmetric", lower_symmetric},
    {"skew", lower_skew},
    {"sum", lower_sum},
    {"product", lower_product},
    {"scalar", lower_scalar},
    {"vector", lower_vector},
    {"matrix", lower_matrix},
    {"cross", lower_cross},
    {"outerProduct", lower_outer},
    {"linspace", lower_linspace},
    {"cat", lower_cat},
    {"min", lower_min},
    {"max", lower_max},
    {"Integer", lower_integer},
    {"cardinality", lower_cardinality},
    {"array", lower_elements},
    {"getInstanceName", lower_instance_name},
    {"pure", lower_pure},
};

static int find_operator(const char *name) {
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (strcmp(operators[i].name, name) == 0) return (int)i;
    }
    return -1;
}

static bool is_maths(const char *name) {
    for (size_t i = 0; i < sizeof maths / sizeof maths[0]; i++) {
        if (strcmp(maths[i].name, name) == 0) return true;
    }
    return false;
}

bool rb_lower_builtin(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, RbName name,
                      RbVal *out) {
    if (strcmp(name, "String") == 0) {
        *out = lower_string(fe, ctx, e);
        return true;
    }
    Call call = {.fe = fe, .ctx = ctx, .e = e, .name = name};
    int which = find_operator(name);
    *out = rb_val_error();
    if (which < 0 && !is_maths(name)) {
        if (!is_unsupported(name)) return false;
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "the operator %s(...) is not supported", name);
        return true;
    }
    if (!collect(&call)) return true;
    if (which >= 0)
        *out = operators[which].lower(&call);
    else
        lower_maths(&call, out);
    return true;
}
