// SPDX-License-Identifier: MIT
// solve.c: a variable that occurs once is isolated, operator by operator, so that the user's own
// form is kept (v = R * i gives i = v / R); otherwise r(v) = r(0) + r' v is solved, if r' is free
// of v.
#include "dae/solve.h"

#include "expr/diff.h"
#include "expr/eval.h"
#include "expr/simplify.h"

typedef struct Replacement {
    int var;
    const RbExpr *value;
} Replacement;

static const RbExpr *replace_node(void *user, const RbExpr *e) {
    const Replacement *r = user;
    return e->op == RB_OP_VAR && e->index == r->var ? r->value : NULL;
}

const RbExpr *rb_replace_var(RbWork *w, const RbExpr *e, int var, const RbExpr *value) {
    Replacement r = {var, value};
    return rb_substitute(w->x, e, replace_node, &r, *w->temp);
}

static const RbExpr *apply2(RbExprs *x, RbOp op, const RbExpr *a, const RbExpr *b) {
    return rb_apply(x, op, (const RbExpr *[]){a, b}, 2);
}

// One step of e(v) = r: the argument of e that holds v, and what it equals. False if the operator
// has no simple inverse or v is in both.
static bool peel(RbWork *w, int var, const RbExpr **e, const RbExpr **r) {
    RbExprs *x = w->x;
    const RbExpr *node = *e;
    if (node->op == RB_OP_NEG) {
        *e = node->args[0];
        *r = rb_neg(x, *r);
        return true;
    }
    bool elementwise = node->op == RB_OP_EMUL || node->op == RB_OP_EDIV;
    if ((node->op < RB_OP_ADD || node->op > RB_OP_DIV) && !elementwise) return false;
    const RbExpr *a = node->args[0], *b = node->args[1];
    bool in_a = rb_expr_has_var(w->x, a, var), in_b = rb_expr_has_var(w->x, b, var);
    if (in_a == in_b) return false;
    const RbExpr *inner = in_a ? a : b, *other = in_a ? b : a;
    bool factor = node->op == RB_OP_MUL || node->op == RB_OP_DIV;
    if (inner->rank != node->rank || (factor && other->rank > 0)) return false; // whole arrays
    switch ((RbOp)node->op) {
        case RB_OP_ADD: *r = rb_sub(x, *r, in_a ? b : a); break;
        case RB_OP_SUB: *r = in_a ? rb_add(x, *r, b) : rb_sub(x, a, *r); break;
        case RB_OP_MUL: *r = rb_div(x, *r, in_a ? b : a); break;
        case RB_OP_EMUL: *r = apply2(x, RB_OP_EDIV, *r, other); break;
        case RB_OP_EDIV:
            if (!in_a) return false;
            *r = apply2(x, RB_OP_EMUL, *r, other);
            break;
        default: {
            double number;
            // a / v = r: v may be anything if a and r are zero
            if (!in_a && !(rb_parameter_number(w, a, &number) && number != 0)) return false;
            *r = in_a ? rb_mul(x, *r, b) : rb_div(x, a, *r);
        }
    }
    *e = in_a ? a : b;
    return true;
}

static const RbExpr *solve_linear(RbWork *w, const RbExpr *left, const RbExpr *right, int var) {
    RbExprs *x = w->x;
    if (rb_work_at(w, var)->whole || left->rank + right->rank > 0) return NULL;
    const RbExpr *r = rb_sub(x, left, right);
    const RbExpr *slope = rb_diff_var(x, r, var, w->model, *w->temp);
    if (!slope || rb_is_number(slope, 0) || rb_expr_has_var(w->x, slope, var)) return NULL;
    const RbExpr *at_zero = rb_replace_var(w, r, var, rb_real(x, 0.0));
    return rb_div(x, rb_neg(x, at_zero), slope);
}

const RbExpr *rb_solve_for(RbWork *w, const RbExpr *left, const RbExpr *right, int var) {
    bool in_left = rb_expr_has_var(w->x, left, var), in_right = rb_expr_has_var(w->x, right, var);
    if (in_left != in_right) {
        const RbExpr *e = in_left ? left : right, *r = in_left ? right : left;
        while (e->op != RB_OP_VAR && peel(w, var, &e, &r)) continue;
        if (e->op == RB_OP_VAR) return r;
    }
    return solve_linear(w, left, right, var);
}

// --- parameters ----------------------------------------------------------------------------------

bool rb_parameter_number(RbWork *w, const RbExpr *e, double *number) {
    if (rb_constant_value(e, number)) return true;
    if (!rb_is_parametric(w, e)) return false; // quicker than failing in the middle
    RbArena temp = *w->temp;
    RbEnv env = {.model = w->model, .arena = &temp, .lookup = rb_work_lookup, .user = w};
    return rb_eval_number(&env, e, number);
}

bool rb_is_parametric(RbWork *w, const RbExpr *e) {
    if (rb_is_constant(e)) return true;
    RbArena temp = *w->temp;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_VAR && rb_work_at(w, n->index)->kind != RB_DAE_PARAMETER) return false;
        if (n->op == RB_OP_TIME || n->op == RB_OP_PRE) return false;
        if (n->op == RB_OP_BUILTIN && n->index >= RB_FN_SAMPLE && n->index <= RB_FN_DELAY)
            return false;
    }
    return true;
}
