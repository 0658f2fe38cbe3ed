// SPDX-License-Identifier: MIT
// What an equation or a statement does rather than says: assert, terminate, reinit.
#include <string.h>

#include "flatten/equations.h"
#include "flatten/machine.h"

static const RbAstExpr *argument(const RbAstExpr *call, int position, const char *name) {
    for (int i = 1; i < call->kid_count; i++) {
        const RbAstExpr *a = call->kids[i];
        if (a->kind == RB_AST_NAMED ? strcmp(a->name, name) == 0 : i == position)
            return a->kind == RB_AST_NAMED ? a->kids[0] : a;
    }
    return NULL;
}

static bool is_always_true(const RbExpr *e) {
    return e->op == RB_OP_BOOLEAN && e->integer;
}

static RbEffect lower_assert(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    static const RbEffect nothing = {.kind = RB_EFFECT_NOTHING};
    const RbAstExpr *condition = argument(call, 1, "condition"),
                    *message = argument(call, 2, "message");
    const RbAstExpr *level = argument(call, 3, "level");
    if (!condition || !message) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "assert needs a condition and a message");
        return nothing;
    }
    int equalities = fe->flat->equalities.count;
    RbVal c = rb_lower_condition(fe, ctx, condition, "assert", false);
    fe->flat->equalities.count = equalities; // what is asserted is meant
    if (c.kind == RB_VAL_ERROR) return nothing;
    // A message that cannot be lowered would hide the condition, which matters more.
    RbVal m = rb_lower_expr(fe, ctx, message);
    if (m.kind == RB_VAL_ERROR) return nothing;
    if (m.kind != RB_VAL_EXPR || m.type != RB_STRING || m.rank > 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, message->at,
                "the message of assert must be String, but this is %s", rb_val_type_name(fe, &m));
        return nothing;
    }
    int64_t which = 2; // AssertionLevel.error; warning is 1
    if (level) {
        RbVal l = rb_lower_expr(fe, ctx, level);
        if (!rb_val_evaluate_integer(fe, &l, &which, level->at, "the level of an assertion"))
            return nothing;
    }
    if (is_always_true(c.e)) return nothing;
    return (RbEffect){
        .kind = RB_EFFECT_ASSERT, .left = c.e, .right = m.e, .is_warning = which == 1};
}

static RbEffect lower_terminate(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    const RbAstExpr *message = call->kid_count == 2 ? argument(call, 1, "message") : NULL;
    RbVal m = message ? rb_lower_expr(fe, ctx, message) : rb_val_error();
    if (m.kind != RB_VAL_EXPR || m.type != RB_STRING) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "terminate needs a message");
        return (RbEffect){.kind = RB_EFFECT_NOTHING};
    }
    return (RbEffect){.kind = RB_EFFECT_TERMINATE, .right = m.e};
}

static bool check_reinit(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    if (call->kid_count != 3) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "reinit needs two arguments: a state and its new value");
    } else if (!ctx->in_when) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "reinit can only be used in a when-clause");
    } else {
        return true;
    }
    return false;
}

static RbEffect lower_reinit(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    static const RbEffect nothing = {.kind = RB_EFFECT_NOTHING};
    if (!check_reinit(fe, ctx, call)) return nothing;
    RbVal state = rb_lower_expr(fe, ctx, call->kids[1]);
    RbVal value = rb_lower_expr(fe, ctx, call->kids[2]);
    if (state.kind == RB_VAL_ERROR || value.kind == RB_VAL_ERROR) return nothing;
    if (state.kind != RB_VAL_EXPR || state.type != RB_REAL || rb_variable_of(state.e) < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->kids[1]->at, "reinit needs a Real variable");
        return nothing;
    }
    value = rb_val_convert(fe, value, &state, call->kids[2]->at, "the new value in reinit");
    if (value.kind != RB_VAL_EXPR) return nothing;
    return (RbEffect){.kind = RB_EFFECT_REINIT, .left = state.e, .right = value.e};
}

static bool is_call_of(const RbAstExpr *call, const char *name) {
    const RbAstExpr *ref = call->kids[0];
    return ref->kind == RB_AST_REF && ref->kid_count == 1 && strcmp(ref->parts[0].name, name) == 0;
}

RbEffect rb_lower_effect(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    if (is_call_of(call, "assert")) return lower_assert(fe, ctx, call);
    if (is_call_of(call, "terminate")) return lower_terminate(fe, ctx, call);
    if (is_call_of(call, "reinit")) return lower_reinit(fe, ctx, call);
    if (rb_lower_machine(fe, ctx, call)) return (RbEffect){.kind = RB_EFFECT_NOTHING};
    RbClass *action = rb_action_class(fe, ctx, call);
    if (action) {
        rb_lower_action(fe, ctx, call, action);
        return (RbEffect){.kind = RB_EFFECT_NOTHING};
    }
    return (RbEffect){.kind = RB_EFFECT_CALL};
}
