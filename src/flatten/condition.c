// SPDX-License-Identifier: MIT
// Conditions of if, when, while and assert.
#include "flatten/equations.h"

static RbVal check_condition(RbFrontEnd *fe, RbVal v, RbPos at, const char *what, bool vector) {
    if (v.kind == RB_VAL_ERROR) return v;
    if (v.kind != RB_VAL_EXPR || v.type != RB_BOOLEAN || v.rank > (vector ? 1 : 0)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "the condition of '%s' must be Boolean, but this is %s", what,
                rb_val_type_name(fe, &v));
        return rb_val_error();
    }
    return v;
}

RbVal rb_lower_condition(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, const char *what,
                         bool vector) {
    return check_condition(fe, rb_val_single(rb_lower_expr(fe, ctx, e)), e->at, what, vector);
}

RbDecision rb_decide(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e,
                     const RbExpr **condition) {
    *condition = NULL;
    if (!e) return RB_IS_TRUE;
    RbVal v = rb_lower_condition(fe, ctx, e, "if", false);
    if (v.kind == RB_VAL_ERROR) return RB_IS_WRONG;
    RbExprValue value;
    if (v.variability >= RB_AST_PARAMETER && rb_val_evaluate(fe, &v, &value, e->at, NULL))
        return value.data[0] != 0 ? RB_IS_TRUE : RB_IS_FALSE;
    *condition = v.e;
    return RB_IS_OPEN;
}

// A Boolean variable of our own for a condition that needs a left limit.
static const RbExpr *auxiliary(RbFrontEnd *fe, const RbExpr *e, RbPos at) {
    RbName name = rb_intern(fe->names, rb_arena_printf(fe->arena, "$when%d", fe->flat->vars.count));
    RbFlatVar var = {.name = name,
                     .variability = RB_DISCRETE,
                     .type = RB_BOOLEAN,
                     .binding = e,
                     .is_protected = true,
                     .hide_result = true,
                     .attributes = {.state_select = RB_STATE_DEFAULT},
                     .at = at};
    int index = rb_flat_add(fe->flat, &var);
    RbInst *inst = rb_new(fe->arena, RbInst);
    *inst = (RbInst){.kind = RB_INST_LEAF,
                     .class = fe->classes->boolean,
                     .path = name,
                     .var = index,
                     .parent = fe->root};
    rb_array_push(&fe->by_var, fe->arena, inst);
    return rb_flat_ref(fe->flat, index);
}

// A Boolean, a vector of them, or a clock.
static RbVal when_condition(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal v = rb_val_single(rb_lower_expr(fe, ctx, e));
    if (v.kind == RB_VAL_EXPR && v.type == RB_CLOCK && v.rank == 0) return v;
    return check_condition(fe, v, e->at, "when", true);
}

// when {a, b} in an algorithm: the elements, which are looked at where they stand.
const RbExpr *rb_when_conditions(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal v = when_condition(fe, ctx, e);
    if (v.kind == RB_VAL_ERROR) return NULL;
    if (v.rank == 0) return v.e;
    if (v.dims[0] <= 0) return rb_boolean(fe->x, false);
    const RbExpr **elements = rb_new_array(fe->work, const RbExpr *, v.dims[0]);
    for (int i = 1; i <= v.dims[0]; i++) elements[i - 1] = rb_val_element(fe, &v, &i, 1).e;
    return rb_array(fe->x, elements, v.dims[0]);
}

// when {a, b}: active when one of them becomes true, even if another one is true already.
const RbExpr *rb_when_condition(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal v = when_condition(fe, ctx, e);
    if (v.kind == RB_VAL_ERROR) return NULL;
    if (v.rank == 0) return v.e;
    const RbExpr *any = NULL;
    for (int i = 1; i <= v.dims[0]; i++) {
        const RbExpr *c = rb_val_element(fe, &v, &i, 1).e;
        bool pulse =
            c->op == RB_OP_BUILTIN &&
            (c->index == RB_FN_INITIAL || c->index == RB_FN_SAMPLE || c->index == RB_FN_TERMINAL);
        bool variable = rb_variable_of(c) >= 0;
        if (!pulse && !rb_is_constant(c) && v.dims[0] > 1) {
            c = rb_builtin1(fe->x, RB_FN_EDGE, variable ? c : auxiliary(fe, c, e->at));
        }
        any = any ? rb_or(fe->x, any, c) : c;
    }
    return any ? any : rb_boolean(fe->x, false);
}
