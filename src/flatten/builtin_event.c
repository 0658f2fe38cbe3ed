// SPDX-License-Identifier: MIT
// Operators about time and events: der, pre, sample, noEvent, smooth, homotopy, delay, ...
#include "flatten/builtin.h"
#include "flatten/expression.h"

RbVal rb_builtin_instant(const RbBuiltinCall *c) {
    return rb_val_scalar(rb_builtin(c->fe->x, c->function, NULL, 0), RB_AST_DISCRETE);
}

RbVal rb_builtin_der(const RbBuiltinCall *c) {
    RbVal v;
    if (!rb_builtin_count(c, 1, 1) || !rb_builtin_typed(c, 0, 'r', &v)) return rb_val_error();
    bool is_literal = c->args[0]->kind == RB_AST_INTEGER;
    if (v.type != RB_REAL && !is_literal)
        return rb_builtin_fail(c, c->e->at, "only Real expressions have a derivative");
    if (v.variability == RB_AST_DISCRETE)
        return rb_builtin_fail(c, c->e->at, "what is discrete has no derivative");
    if (c->ctx->frame) return rb_builtin_fail(c, c->e->at, "der(...) cannot be used in a function");
    v.e = rb_der(c->fe->x, v.e);
    v.type = RB_REAL;
    v.class = NULL;
    return v;
}

RbVal rb_builtin_pre(const RbBuiltinCall *c) {
    RbVal v;
    if (!rb_builtin_count(c, 1, 1) || !rb_builtin_typed(c, 0, 'x', &v)) return rb_val_error();
    if (c->ctx->frame) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->e->at, "%s(...) cannot be used in a function",
                c->name);
        return rb_val_error();
    }
    if (c->function == RB_FN_EDGE && v.type != RB_BOOLEAN) {
        rb_fail(c->fe->diag, RB_ERROR_MODEL, c->args[0]->at,
                "edge(...) needs a Boolean, but this is %s", rb_val_type_name(c->fe, &v));
        return rb_val_error();
    }
    bool is_pre = c->function != RB_FN_EDGE && c->function != RB_FN_CHANGE;
    if (v.variability >= RB_AST_PARAMETER)
        return is_pre ? v : rb_val_scalar(rb_boolean(c->fe->x, false), RB_AST_CONSTANT);
    if (v.type == RB_REAL && v.e->op == RB_OP_VAR && !c->ctx->in_when && !c->ctx->in_initial) {
        RbLeftLimit limit = {v.e->index, c->name, c->args[0]->at};
        rb_array_push(&c->fe->left_limits, c->fe->work, limit);
    }
    v.variability = RB_AST_DISCRETE;
    v.e = is_pre ? rb_pre(c->fe->x, v.e) : rb_builtin1(c->fe->x, c->function, v.e);
    if (!is_pre) {
        v.type = RB_BOOLEAN;
        v.class = NULL;
    }
    return v;
}

static RbVal without_events(const RbBuiltinCall *c, RbVal v);

RbVal rb_builtin_no_event(const RbBuiltinCall *c) {
    if (!rb_builtin_count(c, 1, 1)) return rb_val_error();
    return without_events(c, rb_builtin_arg(c, 0));
}

static RbVal without_events(const RbBuiltinCall *c, RbVal v) {
    if (v.kind == RB_VAL_RECORD) {
        v.fields = rb_val_copy_fields(c->fe, &v);
        for (int i = 0; i < v.field_count; i++) v.fields[i] = without_events(c, v.fields[i]);
        return v;
    }
    if (!rb_builtin_check(c, 0, 'x', &v)) return rb_val_error();
    v.e = rb_builtin1(c->fe->x, RB_FN_NO_EVENT, v.e);
    if (v.type == RB_BOOLEAN && v.variability == RB_AST_DISCRETE) v.variability = RB_AST_CONTINUOUS;
    return v;
}

RbVal rb_builtin_smooth(const RbBuiltinCall *c) {
    RbVal order, v;
    if (!rb_builtin_count(c, 2, 2) || !rb_builtin_typed(c, 0, 'i', &order)) return rb_val_error();
    v = rb_builtin_arg(c, 1);
    if (v.kind == RB_VAL_RECORD) return v;
    if (v.kind != RB_VAL_EXPR) return rb_builtin_check(c, 1, 'r', &v) ? v : rb_val_error();
    v.e = rb_builtin2(c->fe->x, RB_FN_SMOOTH, order.e, v.e);
    return v;
}

RbVal rb_builtin_homotopy(const RbBuiltinCall *c) {
    RbVal a, b;
    if (!rb_builtin_count(c, 2, 2) || !rb_builtin_typed(c, 0, 'r', &a) ||
        !rb_builtin_typed(c, 1, 'r', &b))
        return rb_val_error();
    a.e = rb_builtin2(c->fe->x, RB_FN_HOMOTOPY, a.e, b.e);
    a.variability = rb_weaker(a.variability, b.variability);
    return a;
}

static RbVal three_once(const RbBuiltinCall *c, const RbVal *v) {
    bool is_delay = c->function == RB_FN_DELAY;
    const RbExpr *args[3];
    RbAstVariability variability = RB_AST_CONSTANT;
    for (int i = 0; i < 3; i++) {
        args[i] = v[i].e;
        variability = rb_weaker(variability, v[i].variability);
    }
    RbVal out = v[0];
    out.e = rb_builtin(c->fe->x, c->function, args, 3);
    out.type = RB_REAL;
    out.variability = is_delay ? RB_AST_CONTINUOUS : variability;
    return out;
}

RbVal rb_builtin_three(const RbBuiltinCall *c) {
    bool is_delay = c->function == RB_FN_DELAY;
    RbVal v[3];
    if (!rb_builtin_count(c, is_delay ? 2 : 3, 3)) return rb_val_error();
    for (int i = 0; i < c->count; i++) {
        if (!rb_builtin_typed(c, i, 'r', &v[i])) return rb_val_error();
    }
    if (c->count == 2) v[2] = v[1]; // the longest delay is the delay
    if (is_delay && v[2].variability < RB_AST_PARAMETER)
        return rb_builtin_fail(c, c->e->at,
                               c->count == 2
                                   ? "a delay that varies needs a third argument, the largest delay"
                                   : "the largest delay must be a parameter expression");
    return rb_builtin_by_element(c, v, 3, three_once);
}
