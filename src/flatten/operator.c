// SPDX-License-Identifier: MIT
// Operators on numbers, logic values, strings and whole arrays (specification, 3.4 to 3.6
// and 10.6).
#include "flatten/expression.h"

static RbVal operand_error(RbFrontEnd *fe, RbTokenKind op, const RbVal *a, const RbVal *b,
                           RbPos at) {
    if (a->kind == RB_VAL_ERROR || b->kind == RB_VAL_ERROR) return rb_val_error();
    rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s cannot be applied to %s and %s",
            rb_token_kind_name(op), rb_val_type_name(fe, a), rb_val_type_name(fe, b));
    return rb_val_error();
}

static RbVal shaped(RbVal like, const RbExpr *e, RbType type, RbAstVariability variability) {
    like.kind = RB_VAL_EXPR;
    like.e = e;
    like.type = type;
    like.class = NULL;
    like.variability = variability;
    return like;
}

// A scalar repeated to the size of an array.
static const RbExpr *repeat(RbFrontEnd *fe, const RbVal *scalar, const RbVal *array) {
    const RbExpr *args[1 + RB_RANK_MAX] = {scalar->e};
    // Outside of functions sums repeat scalars themselves, whatever the size will be.
    RbArena scratch = *fe->scratch;
    if (rb_expr_vars(fe->x, array->e, &scratch).count > 0) return scalar->e;
    for (int i = 0; i < array->rank; i++) {
        args[1 + i] = array->dims[i] >= 0
                          ? rb_integer(fe->x, array->dims[i])
                          : rb_builtin2(fe->x, RB_FN_SIZE, array->e, rb_integer(fe->x, i + 1));
    }
    return rb_builtin(fe->x, RB_FN_FILL, args, 1 + array->rank);
}

static RbVal add_like(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    RbAstVariability var = rb_weaker(a.variability, b.variability);
    bool minus = op == RB_TOKEN_MINUS || op == RB_TOKEN_DOT_MINUS;
    if (a.type == RB_STRING && b.type == RB_STRING && !minus && a.rank == 0 && b.rank == 0) {
        return shaped(a, rb_builtin2(fe->x, RB_FN_CONCAT, a.e, b.e), RB_STRING, var);
    }
    if (!rb_val_is_numeric(&a) || !rb_val_is_numeric(&b)) return operand_error(fe, op, &a, &b, at);
    if (op == RB_TOKEN_DOT_PLUS || op == RB_TOKEN_DOT_MINUS) {
        if (a.rank == 0 && b.rank > 0)
            a = shaped(b, repeat(fe, &a, &b), a.type, a.variability);
        else if (b.rank == 0 && a.rank > 0)
            b = shaped(a, repeat(fe, &b, &a), b.type, b.variability);
    }
    if (!rb_val_same_dims(&a, &b)) return operand_error(fe, op, &a, &b, at);
    RbType type = a.type == RB_INTEGER && b.type == RB_INTEGER ? RB_INTEGER : RB_REAL;
    for (int i = 0; i < a.rank; i++) {
        if (a.dims[i] < 0) a.dims[i] = b.dims[i];
    }
    return shaped(a, minus ? rb_sub(fe->x, a.e, b.e) : rb_add(fe->x, a.e, b.e), type, var);
}

// Product of linear algebra: inner sizes must agree.
static RbVal multiply(RbFrontEnd *fe, RbVal a, RbVal b, RbPos at) {
    if (!rb_val_is_numeric(&a) || !rb_val_is_numeric(&b))
        return operand_error(fe, RB_TOKEN_TIMES, &a, &b, at);
    RbAstVariability var = rb_weaker(a.variability, b.variability);
    RbType type = a.type == RB_INTEGER && b.type == RB_INTEGER ? RB_INTEGER : RB_REAL;
    RbVal out = a.rank == 0 ? b : a;
    a.e = rb_stream_quiet(fe, a.e, b.e);
    b.e = rb_stream_quiet(fe, b.e, a.e);
    if (a.rank > 0 && b.rank > 0) {
        int inner_a = a.dims[a.rank - 1], inner_b = b.dims[0];
        if (a.rank > 2 || b.rank > 2 || (inner_a >= 0 && inner_b >= 0 && inner_a != inner_b)) {
            return operand_error(fe, RB_TOKEN_TIMES, &a, &b, at);
        }
        out.rank = 0;
        if (a.rank == 2) out.dims[out.rank++] = a.dims[0];
        if (b.rank == 2) out.dims[out.rank++] = b.dims[1];
    }
    return shaped(out, rb_mul(fe->x, a.e, b.e), type, var);
}

static RbVal divide_or_power(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    bool power = op == RB_TOKEN_POWER;
    bool fits = b.rank == 0 && (!power || a.rank == 0 || (a.rank == 2 && b.type == RB_INTEGER));
    if (!rb_val_is_numeric(&a) || !rb_val_is_numeric(&b) || !fits)
        return operand_error(fe, op, &a, &b, at);
    const RbExpr *e = power ? rb_pow(fe->x, a.e, b.e) : rb_div(fe->x, a.e, b.e);
    return shaped(a, e, RB_REAL, rb_weaker(a.variability, b.variability));
}

static RbVal elementwise(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    if (!rb_val_is_numeric(&a) || !rb_val_is_numeric(&b) ||
        (a.rank > 0 && b.rank > 0 && !rb_val_same_dims(&a, &b))) {
        return operand_error(fe, op, &a, &b, at);
    }
    RbOp plain = op == RB_TOKEN_DOT_TIMES    ? RB_OP_MUL
                 : op == RB_TOKEN_DOT_DIVIDE ? RB_OP_DIV
                                             : RB_OP_POW;
    RbOp each = op == RB_TOKEN_DOT_TIMES    ? RB_OP_EMUL
                : op == RB_TOKEN_DOT_DIVIDE ? RB_OP_EDIV
                                            : RB_OP_EPOW;
    const RbExpr *args[] = {a.e, b.e};
    bool scalars = a.rank == 0 && b.rank == 0;
    bool integers = a.type == RB_INTEGER && b.type == RB_INTEGER && op == RB_TOKEN_DOT_TIMES;
    return shaped(a.rank > 0 ? a : b, rb_apply(fe->x, scalars ? plain : each, args, 2),
                  integers ? RB_INTEGER : RB_REAL, rb_weaker(a.variability, b.variability));
}

// Whether it may be meant can be said when it is known what varies (dae/equality.c).
static void note_equality(RbFrontEnd *fe, RbTokenKind op, const RbExpr *e, RbPos at) {
    bool equality = op == RB_TOKEN_EQUAL || op == RB_TOKEN_NOT_EQUAL;
    if (!equality || fe->function || e->arg_count != 2) return;
    if (e->args[0]->type != RB_REAL && e->args[1]->type != RB_REAL) return;
    rb_array_push(&fe->flat->equalities, fe->arena, ((RbFlatEquality){at, e}));
}

static RbVal compare(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    bool types = a.kind == RB_VAL_EXPR && b.kind == RB_VAL_EXPR &&
                 ((rb_val_is_numeric(&a) && rb_val_is_numeric(&b)) ||
                  (a.type == b.type && a.type != RB_EXTERNAL &&
                   (a.type != RB_ENUM || rb_val_same_class(a.class, b.class))));
    if (!types || a.rank > 0 || b.rank > 0) return operand_error(fe, op, &a, &b, at);
    RbOp ops[] = {RB_OP_LT, RB_OP_LE, RB_OP_GT, RB_OP_GE, RB_OP_EQ, RB_OP_NE};
    RbAstVariability var = rb_weaker(a.variability, b.variability);
    if (var == RB_AST_CONTINUOUS) var = RB_AST_DISCRETE; // outside noEvent
    const RbExpr *e = rb_relate(fe->x, ops[op - RB_TOKEN_LESS], a.e, b.e);
    note_equality(fe, op, e, at);
    return shaped(a, e, RB_BOOLEAN, var);
}

static RbVal logic(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    if (a.kind != RB_VAL_EXPR || b.kind != RB_VAL_EXPR || a.type != RB_BOOLEAN ||
        b.type != RB_BOOLEAN || !rb_val_same_dims(&a, &b)) {
        return operand_error(fe, op, &a, &b, at);
    }
    const RbExpr *e = op == RB_TOKEN_AND ? rb_and(fe->x, a.e, b.e) : rb_or(fe->x, a.e, b.e);
    return shaped(a, e, RB_BOOLEAN, rb_weaker(a.variability, b.variability));
}

RbVal rb_val_unary(RbFrontEnd *fe, RbTokenKind op, RbVal v, RbPos at) {
    v = rb_val_single(v);
    if (v.kind == RB_VAL_ERROR) return v;
    if (rb_val_is_overloaded(fe, &v)) return rb_overload_unary(fe, op, v, at);
    bool logical = op == RB_TOKEN_NOT;
    bool fits = logical ? v.kind == RB_VAL_EXPR && v.type == RB_BOOLEAN : rb_val_is_numeric(&v);
    if (!fits) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "%s cannot be applied to %s", rb_token_kind_name(op),
                rb_val_type_name(fe, &v));
        return rb_val_error();
    }
    if (logical)
        v.e = rb_not(fe->x, v.e);
    else if (op == RB_TOKEN_MINUS || op == RB_TOKEN_DOT_MINUS)
        v.e = rb_neg(fe->x, v.e);
    v.class = NULL;
    return v;
}

RbVal rb_val_binary(RbFrontEnd *fe, RbTokenKind op, RbVal a, RbVal b, RbPos at) {
    a = rb_val_single(a);
    b = rb_val_single(b);
    if (a.kind == RB_VAL_ERROR || b.kind == RB_VAL_ERROR) return rb_val_error();
    if (rb_val_is_overloaded(fe, &a) || rb_val_is_overloaded(fe, &b))
        return rb_overload_binary(fe, op, a, b, at);
    switch (op) {
        case RB_TOKEN_PLUS:
        case RB_TOKEN_MINUS:
        case RB_TOKEN_DOT_PLUS:
        case RB_TOKEN_DOT_MINUS: return add_like(fe, op, a, b, at);
        case RB_TOKEN_TIMES: return multiply(fe, a, b, at);
        case RB_TOKEN_DIVIDE:
        case RB_TOKEN_POWER: return divide_or_power(fe, op, a, b, at);
        case RB_TOKEN_DOT_TIMES:
        case RB_TOKEN_DOT_DIVIDE:
        case RB_TOKEN_DOT_POWER: return elementwise(fe, op, a, b, at);
        case RB_TOKEN_AND:
        case RB_TOKEN_OR: return logic(fe, op, a, b, at);
        default: return compare(fe, op, a, b, at);
    }
}
