// SPDX-License-Identifier: MIT
// Expressions: syntax tree plus place to expression of the flat model, with type, size and
// variability.
#include <stdlib.h>

#include "flatten/expression.h"

const char *rb_expr_text(RbFrontEnd *fe, const RbAstExpr *e) {
    RbText text = rb_text(fe->arena);
    rb_ast_print_expr(e, &text);
    if (text.count > 60) {
        text.data[57] = 0;
        return rb_arena_printf(fe->arena, "%s...", text.data);
    }
    return text.data;
}

static RbVal number(RbFrontEnd *fe, const RbAstExpr *e) {
    char *text = rb_arena_bytes(fe->arena, e->text.start, (size_t)e->text.length);
    double value = strtod(text, NULL);
    if (e->kind == RB_AST_INTEGER && value <= 9007199254740992.0) {
        return rb_val_scalar(rb_integer(fe->x, strtoll(text, NULL, 10)), RB_AST_CONSTANT);
    }
    return rb_val_scalar(rb_real(fe->x, value), RB_AST_CONSTANT);
}

static bool sizes_differ(const RbVal *a, const RbVal *b) {
    return a->kind != b->kind || !rb_val_same_dims(a, b);
}

static bool types_differ(const RbVal *a, const RbVal *b) {
    if (a->kind != RB_VAL_EXPR) return a->kind != RB_VAL_RECORD;
    return a->type != b->type && !(rb_val_is_numeric(a) && rb_val_is_numeric(b));
}

static RbVal choose_fields(RbFrontEnd *fe, RbVal condition, RbVal yes, RbVal no, RbPos at);

// Branches may differ in size only if the condition is known.
static RbVal choose(RbFrontEnd *fe, RbVal condition, RbVal yes, RbVal no, RbPos at) {
    yes = rb_val_single(yes);
    no = rb_val_single(no);
    bool differ = sizes_differ(&yes, &no);
    RbExprValue value;
    if (differ && condition.variability >= RB_AST_PARAMETER &&
        rb_val_evaluate(fe, &condition, &value, at, NULL)) {
        return value.data[0] != 0 ? yes : no;
    }
    if (yes.kind == RB_VAL_ERROR || no.kind == RB_VAL_ERROR) return rb_val_error();
    if (differ || types_differ(&yes, &no)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "the branches of this if-expression differ: %s and %s", rb_val_type_name(fe, &yes),
                rb_val_type_name(fe, &no));
        return rb_val_error();
    }
    RbVal out = yes;
    out.variability = rb_weaker(condition.variability, rb_weaker(yes.variability, no.variability));
    for (int i = 0; i < yes.rank; i++) {
        if (out.dims[i] < 0) out.dims[i] = no.dims[i];
    }
    if (yes.kind == RB_VAL_RECORD) return choose_fields(fe, condition, out, no, at);
    if (yes.type != no.type) out.type = RB_REAL;
    out.e = rb_if(fe->x, condition.e, yes.e, no.e);
    return out;
}

static RbVal choose_fields(RbFrontEnd *fe, RbVal condition, RbVal yes, RbVal no, RbPos at) {
    RbVal out = yes;
    out.fields = rb_new_array(fe->work, RbVal, yes.field_count + 1);
    out.inst = NULL;
    for (int i = 0; i < yes.field_count; i++)
        out.fields[i] = choose(fe, condition, yes.fields[i], no.fields[i], at);
    return out;
}

static RbVal lower_if(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, int k) {
    if (k + 1 == e->kid_count) return rb_lower_expr(fe, ctx, e->kids[k]);
    RbVal condition = rb_lower_expr(fe, ctx, e->kids[k]);
    if (condition.kind == RB_VAL_ERROR) return condition;
    if (condition.kind != RB_VAL_EXPR || condition.type != RB_BOOLEAN || condition.rank > 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->kids[k]->at,
                "the condition must be Boolean, but this is %s", rb_val_type_name(fe, &condition));
        return rb_val_error();
    }
    // A branch that is never taken may be nonsense for these parameters.
    if (condition.e->op == RB_OP_BOOLEAN) {
        return condition.e->integer ? rb_lower_expr(fe, ctx, e->kids[k + 1])
                                    : lower_if(fe, ctx, e, k + 2);
    }
    RbVal yes = rb_lower_expr(fe, ctx, e->kids[k + 1]);
    return choose(fe, condition, yes, lower_if(fe, ctx, e, k + 2), e->at);
}

// Some array that has the size of a value: itself, or a field of an array of records.
static const RbExpr *sized_like(const RbVal *v) {
    if (v->kind == RB_VAL_EXPR) return v->e;
    const RbExpr *found = NULL;
    for (int i = 0; v->kind == RB_VAL_RECORD && i < v->field_count && !found; i++)
        found = sized_like(&v->fields[i]);
    return found;
}

static RbVal lower_end(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    if (!ctx->indexed) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "'end' can only be used in a subscript");
        return rb_val_error();
    }
    int size = ctx->indexed->dims[ctx->indexed_dim];
    if (size >= 0 && !ctx->indexed_is_free)
        return rb_val_scalar(rb_integer(fe->x, size), RB_AST_CONSTANT);
    const RbExpr *array = sized_like(ctx->indexed);
    if (!array) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "the size of an array of '%s' is not known here",
                rb_val_type_name(fe, ctx->indexed));
        return rb_val_error();
    }
    return rb_val_scalar(
        rb_builtin2(fe->x, RB_FN_SIZE, array, rb_integer(fe->x, ctx->indexed_dim + 1)),
        ctx->indexed_is_free ? RB_AST_PARAMETER : RB_AST_CONTINUOUS);
}

static RbVal lower_tuple(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    if (e->kid_count == 1 && e->kids[0]) {
        return rb_val_single(rb_lower_expr(fe, ctx, e->kids[0]));
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
            "a list in parentheses can only stand to the left of a function call");
    return rb_val_error();
}

RbVal rb_lower_expr(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    switch (e->kind) {
        case RB_AST_ERROR: return rb_val_error();
        case RB_AST_INTEGER:
        case RB_AST_REAL: return number(fe, e);
        case RB_AST_STRING:
            return rb_val_scalar(
                rb_string(fe->x, rb_string_value(e->text.start, e->text.length, fe->arena)),
                RB_AST_CONSTANT);
        case RB_AST_TRUE: return rb_val_scalar(rb_boolean(fe->x, true), RB_AST_CONSTANT);
        case RB_AST_FALSE: return rb_val_scalar(rb_boolean(fe->x, false), RB_AST_CONSTANT);
        case RB_AST_REF: return rb_lower_reference(fe, ctx, e);
        case RB_AST_CALL:
            return e->iterator_count > 0 ? rb_lower_reduction(fe, ctx, e)
                                         : rb_lower_call(fe, ctx, e);
        case RB_AST_TUPLE: return lower_tuple(fe, ctx, e);
        case RB_AST_MATRIX: return rb_lower_matrix(fe, ctx, e);
        case RB_AST_ARRAY:
            return e->iterator_count > 0 ? rb_lower_comprehension(fe, ctx, e)
                                         : rb_lower_array(fe, ctx, e);
        case RB_AST_END: return lower_end(fe, ctx, e);
        case RB_AST_RANGE: return rb_lower_range_expr(fe, ctx, e);
        case RB_AST_UNARY:
            return rb_val_unary(fe, e->op, rb_lower_expr(fe, ctx, e->kids[0]), e->at);
        case RB_AST_BINARY: {
            RbVal a = rb_lower_expr(fe, ctx, e->kids[0]), b = rb_lower_expr(fe, ctx, e->kids[1]);
            return rb_val_binary(fe, e->op, a, b, e->at);
        }
        case RB_AST_IF: return lower_if(fe, ctx, e, 0);
        case RB_AST_COLON:
            rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "':' can only be used as a subscript");
            return rb_val_error();
        case RB_AST_FUNCTION: return rb_lower_partial(fe, ctx, e);
        case RB_AST_NAMED:
        case RB_AST_LIST:
        case RB_AST_BREAK: break;
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, e->at, "this cannot stand here");
    return rb_val_error();
}
