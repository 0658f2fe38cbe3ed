// SPDX-License-Identifier: MIT
// Sizes, and arrays that are made from sizes: size, ndims, fill, zeros, ones, identity, linspace.
#include <string.h>

#include "flatten/builtin.h"
#include "flatten/expression.h"

static bool has_free_size(const RbFrontEnd *fe, const RbExpr *array) {
    return array && array->op == RB_OP_VAR && fe->flat->vars.data[array->index].has_free_size;
}

// What size(...) asks about: an array, or an array of components.
typedef struct Sized {
    int rank;
    const int *dims;
    const RbExpr *array; // NULL: of components that have no value
} Sized;

static bool find_sized(const RbBuiltinCall *c, RbVal *v, Sized *s) {
    RbFrontEnd *fe = c->fe;
    *v = rb_lower_component(fe, c->ctx, c->args[0]);
    if (v->kind == RB_VAL_ERROR) return false;
    if (v->kind != RB_VAL_EXPR && v->kind != RB_VAL_RECORD && v->kind != RB_VAL_INST) {
        rb_fail(fe->diag, RB_ERROR_MODEL, c->args[0]->at,
                "size(...) needs an array, but this is %s", rb_val_type_name(fe, v));
        return false;
    }
    *s = (Sized){.rank = v->rank, .dims = v->dims, .array = v->e};
    if (v->kind == RB_VAL_RECORD && v->field_count > 0) s->array = v->fields[0].e;
    if (v->kind != RB_VAL_INST || !v->inst) return true;
    if (v->field_count == 0 && !v->e) {
        s->rank = v->inst->rank;
        s->dims = v->inst->dims;
    }
    if (v->field_count == 0 && v->inst->kind == RB_INST_COMPONENT) s->rank = 0;
    if (!s->array && v->inst->kind == RB_INST_LEAF && v->inst->var >= 0)
        s->array = rb_flat_ref(fe->flat, v->inst->var);
    return true;
}

static RbVal size_of(const RbBuiltinCall *c, const Sized *s, int k) {
    RbFrontEnd *fe = c->fe;
    bool known = s->dims[k] >= 0 && !(c->ctx->keeps.sizes && has_free_size(fe, s->array));
    const RbExpr *e = known ? rb_integer(fe->x, s->dims[k])
                            : rb_builtin2(fe->x, RB_FN_SIZE, s->array, rb_integer(fe->x, k + 1));
    return rb_val_scalar(e, known ? RB_AST_CONSTANT : RB_AST_PARAMETER);
}

static void note_size_use(const RbBuiltinCall *c, const Sized *s) {
    RbFrontEnd *fe = c->fe;
    if (c->ctx->keeps.sizes || !has_free_size(fe, s->array)) return;
    fe->use_at = c->e->at;
    rb_note_size_use(fe, s->array->index, "its size is used as a number");
}

// size(A, k)
static RbVal size_in_dimension(const RbBuiltinCall *c, const Sized *s) {
    RbFrontEnd *fe = c->fe;
    RbVal which;
    if (!rb_builtin_typed(c, 1, 'i', &which)) return rb_val_error();
    if (c->ctx->frame && !rb_is_constant(which.e) && s->array) {
        return rb_val_scalar(rb_builtin2(fe->x, RB_FN_SIZE, s->array, which.e), RB_AST_PARAMETER);
    }
    int64_t k;
    if (!rb_val_evaluate_integer(fe, &which, &k, c->args[1]->at, "the dimension in size(...)"))
        return rb_val_error();
    if (k < 1 || k > s->rank) {
        rb_fail(fe->diag, RB_ERROR_MODEL, c->args[1]->at,
                "size(...) is asked for dimension %lld of an array with %d", (long long)k, s->rank);
        return rb_val_error();
    }
    return size_of(c, s, (int)k - 1);
}

RbVal rb_builtin_size(const RbBuiltinCall *c) {
    RbVal v;
    Sized s;
    if (!rb_builtin_count(c, 1, 2) || !find_sized(c, &v, &s)) return rb_val_error();
    note_size_use(c, &s);
    if (c->count == 2) return size_in_dimension(c, &s);
    RbVal all[RB_RANK_MAX];
    for (int i = 0; i < s.rank; i++) all[i] = size_of(c, &s, i);
    return rb_val_array(c->fe, all, s.rank, c->e->at);
}

RbVal rb_builtin_ndims(const RbBuiltinCall *c) {
    RbVal v;
    if (!rb_builtin_count(c, 1, 1) || !rb_builtin_typed(c, 0, 'x', &v)) return rb_val_error();
    return rb_val_scalar(rb_integer(c->fe->x, v.rank), RB_AST_CONSTANT);
}

// An argument that is a size and stays an expression.
static bool lower_size_arg(const RbBuiltinCall *c, int i, RbVal *n) {
    RbBuiltinCall call = *c;
    RbPlace place = *c->ctx;
    place.keeps.sizes = !place.frame;
    call.ctx = &place;
    return rb_builtin_typed(&call, i, 'i', n);
}

// No arrays like v.
static RbVal none_of(RbFrontEnd *fe, RbVal v) {
    int dims[RB_RANK_MAX] = {0};
    memcpy(dims + 1, v.dims, (size_t)v.rank * sizeof(int));
    if (v.kind == RB_VAL_RECORD) return rb_val_no_records(fe, v.class, v.rank + 1, dims);
    const RbExpr *args[1 + RB_RANK_MAX] = {rb_real(fe->x, 0)};
    for (int k = 0; k <= v.rank; k++) args[1 + k] = rb_integer(fe->x, dims[k]);
    RbVal none = v;
    none.e = rb_builtin(fe->x, RB_FN_FILL, args, 2 + v.rank);
    none.rank = v.rank + 1;
    memcpy(none.dims, dims, sizeof dims);
    return none;
}

// fill(v, n1, n2, ...) of a record or an array
static RbVal repeat(const RbBuiltinCall *c, RbVal v) {
    bool open = c->ctx->frame && c->ctx->frame->function;
    for (int i = c->count - 1; i >= 1 && v.kind != RB_VAL_ERROR; i--) {
        RbVal n;
        int64_t count;
        const char *what = open ? NULL : "the size of an array";
        if (!rb_builtin_typed(c, i, 'i', &n)) return rb_val_error();
        bool known = rb_val_evaluate_integer(c->fe, &n, &count, c->args[i]->at, what);
        if (!known && !open) return rb_val_error();
        if (!known && v.rank < RB_RANK_MAX) {
            v = rb_open_repeat(c->fe, &v, &n);
            continue;
        }
        if (known && (count < 0 || count > RB_SIZE_MAX))
            return rb_builtin_fail(c, c->args[i]->at, "this size is not possible");
        if (v.rank == RB_RANK_MAX)
            return rb_builtin_fail(c, c->e->at, "an array has four dimensions at most");
        if (count == 0) {
            v = none_of(c->fe, v);
            continue;
        }
        RbVal *items = rb_new_array(c->fe->work, RbVal, count + 1);
        for (int64_t k = 0; k < count; k++) items[k] = v;
        v = rb_val_array(c->fe, items, (int)count, c->e->at);
    }
    return v;
}

// The value of an argument that is a size, if it is known and possible; -1 otherwise.
static bool known_size(const RbBuiltinCall *c, int i, const RbVal *n, int64_t *size,
                       const char *what) {
    *size = -1;
    if (!rb_val_evaluate_size(c->fe, n, size, c->args[i]->at, what)) return false;
    if (*size >= 0 && *size <= RB_SIZE_MAX) return true;
    rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[i]->at,
            "the size of an array is %lld; it must be between 0 and %d", (long long)*size,
            RB_SIZE_MAX);
    *size = -1;
    return false;
}

// Is there room for an array of these sizes, as far as they are known?
static bool fits(const RbBuiltinCall *c, const RbVal *v) {
    for (int i = 0; i < v->rank; i++) {
        if (v->dims[i] < 0) return true;
    }
    if (rb_size_product(v->rank, v->dims) >= 0) return true;
    rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at, "this array has more than %d elements",
            RB_SIZE_MAX);
    return false;
}

// The scalar repeated to the sizes that are the arguments from number `first` on.
static RbVal fill(const RbBuiltinCall *c, RbVal out, int first) {
    RbFrontEnd *fe = c->fe;
    const RbExpr *args[1 + RB_RANK_MAX] = {out.e};
    out.rank = c->count - first;
    for (int i = 0; i < out.rank; i++) {
        RbVal n;
        if (!lower_size_arg(c, first + i, &n)) return rb_val_error();
        int64_t size = -1;
        args[1 + i] = n.e;
        out.variability = rb_weaker(out.variability, n.variability);
        const char *what = c->ctx->frame ? NULL : "the size of an array";
        if (!known_size(c, first + i, &n, &size, what) && !c->ctx->frame) return rb_val_error();
        out.dims[i] = (int)size;
    }
    if (!fits(c, &out)) return rb_val_error();
    out.e = rb_builtin(fe->x, RB_FN_FILL, args, 1 + out.rank);
    return out;
}

// fill(value, n1, n2, ...), zeros(n1, ...), ones(n1, ...)
RbVal rb_builtin_fill(const RbBuiltinCall *c) {
    int first = c->name[0] == 'f' ? 1 : 0;
    if (!rb_builtin_count(c, first + 1, first + RB_RANK_MAX)) return rb_val_error();
    if (first == 0) {
        const RbExpr *number = rb_integer(c->fe->x, c->name[0] == 'o' ? 1 : 0);
        return fill(c, rb_val_scalar(number, RB_AST_CONSTANT), 0);
    }
    RbVal v = rb_builtin_arg(c, 0);
    if (v.kind == RB_VAL_RECORD) return repeat(c, v);
    if (!rb_builtin_check(c, 0, 'x', &v)) return rb_val_error();
    if (v.rank > 0) return repeat(c, v);
    return fill(c, v, 1);
}

RbVal rb_builtin_identity(const RbBuiltinCall *c) {
    RbVal n;
    int64_t size = -1;
    if (!rb_builtin_count(c, 1, 1) || !lower_size_arg(c, 0, &n)) return rb_val_error();
    const char *what = c->ctx->frame ? NULL : "the size of a matrix";
    if (!known_size(c, 0, &n, &size, what) && !c->ctx->frame) return rb_val_error();
    RbVal out = rb_val_scalar(rb_builtin1(c->fe->x, RB_FN_IDENTITY, n.e), n.variability);
    out.rank = 2;
    out.dims[0] = out.dims[1] = (int)size;
    return fits(c, &out) ? out : rb_val_error();
}

RbVal rb_builtin_linspace(const RbBuiltinCall *c) {
    RbVal a, b, n;
    int64_t size = -1;
    if (!rb_builtin_count(c, 3, 3) || !rb_builtin_typed(c, 0, 'r', &a) ||
        !rb_builtin_typed(c, 1, 'r', &b) || !lower_size_arg(c, 2, &n))
        return rb_val_error();
    const char *what = c->ctx->frame ? NULL : "the size of an array";
    if (!known_size(c, 2, &n, &size, what) && !c->ctx->frame) return rb_val_error();
    const RbExpr *args[] = {a.e, b.e, n.e};
    RbVal out = rb_val_scalar(rb_builtin(c->fe->x, RB_FN_LINSPACE, args, 3),
                              rb_weaker(a.variability, b.variability));
    out.rank = 1;
    out.dims[0] = (int)size;
    return out;
}
