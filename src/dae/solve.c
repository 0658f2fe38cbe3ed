// SPDX-License-Identifier: MIT
// solve.c: a variable that occurs once is isolated, operator by operator, so that the user's own
// form is kept (v = R * i gives i = v / R); otherwise r(v) = r(0) + r' v is solved, if r' is free
// of v.
#include "dae/solve.h"

#include "dae/matrix.h"
#include "expr/builtins.h"
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

// x A = r: A' x' = r'
static const RbExpr *solve_from_right(RbExprs *x, const RbExpr *a, const RbExpr *r) {
    const RbExpr *across = rb_builtin1(x, RB_FN_TRANSPOSE, a);
    if (r->rank == 1) return rb_builtin2(x, RB_FN_SOLVE, across, r);
    r = rb_builtin2(x, RB_FN_SOLVE, across, rb_builtin1(x, RB_FN_TRANSPOSE, r));
    return rb_builtin1(x, RB_FN_TRANSPOSE, r);
}

// Zero in one of the branches that stand in it.
static bool has_zero_branch(const RbExpr *e) {
    double number;
    switch ((RbOp)e->op) {
        case RB_OP_NEG:
        case RB_OP_DIV: return has_zero_branch(e->args[0]);
        case RB_OP_MUL: return has_zero_branch(e->args[0]) || has_zero_branch(e->args[1]);
        case RB_OP_IF: return has_zero_branch(e->args[1]) || has_zero_branch(e->args[2]);
        case RB_OP_BUILTIN: return e->index == RB_FN_NO_EVENT && has_zero_branch(e->args[0]);
        default: return rb_constant_value(e, &number) && number == 0;
    }
}

// One step of e(v) = r: the argument of e that holds v, and what it equals. False if the operator
// has no simple inverse or v is in both. Notes a factor of v that is zero in some branch.
static bool peel(RbWork *w, int var, const RbExpr **e, const RbExpr **r, bool *zero) {
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
    if (node->op == RB_OP_MUL && other->rank == 2 && inner->rank == node->rank) {
        *r = in_b ? rb_builtin2(x, RB_FN_SOLVE, a, *r) : solve_from_right(x, b, *r);
        *e = inner;
        return true;
    }
    bool factor = node->op == RB_OP_MUL || node->op == RB_OP_DIV;
    if (inner->rank != node->rank || (factor && other->rank > 0)) return false; // whole arrays
    switch ((RbOp)node->op) {
        case RB_OP_ADD: *r = rb_sub(x, *r, in_a ? b : a); break;
        case RB_OP_SUB: *r = in_a ? rb_add(x, *r, b) : rb_sub(x, a, *r); break;
        case RB_OP_MUL:
            *zero = *zero || has_zero_branch(other);
            *r = rb_div(x, *r, other);
            break;
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

static bool is_that(void *var, int v) {
    return v == *(int *)var;
}

static const RbExpr *solve_linear(RbWork *w, const RbExpr *left, const RbExpr *right, int var,
                                  bool *zero) {
    RbExprs *x = w->x;
    if (left->rank + right->rank > 0) return NULL;
    const RbExpr *r = rb_sub(x, left, right);
    const RbExpr *slope = rb_diff_var(x, r, var, w->model, *w->temp);
    if (!slope || rb_is_number(slope, 0) || rb_expr_has_var(w->x, slope, var)) return NULL;
    if (rb_switches(w, r, is_that, &var)) return NULL;
    *zero = has_zero_branch(slope);
    const RbExpr *at_zero = rb_replace_var(w, r, var, rb_real(x, 0.0));
    return rb_div(x, rb_neg(x, at_zero), slope);
}

// --- a whole vector that occurs several times ----------------------------------------------------

typedef struct Factor {
    RbWork *w;
    int var;
    bool nonlinear;
} Factor;

// The matrix that var is multiplied with in e; a scalar stands for that multiple of the identity,
// NULL for zero.
static const RbExpr *factor_of(Factor *f, const RbExpr *e);

static const RbExpr *multiply(RbExprs *x, const RbExpr *scalar, const RbExpr *e) {
    if (rb_is_number(scalar, 1)) return e;
    return rb_is_number(scalar, -1) ? rb_neg(x, e) : rb_mul(x, scalar, e);
}

static const RbExpr *as_matrix(Factor *f, const RbExpr *e) {
    RbExprs *x = f->w->x;
    if (e->rank == 2) return e;
    const RbFlatVar *v = &f->w->model->vars.data[f->var];
    const RbExpr *n = v->dim_exprs[0] ? v->dim_exprs[0] : rb_integer(x, v->dims[0]);
    return multiply(x, e, rb_builtin1(x, RB_FN_IDENTITY, n));
}

static const RbExpr *factor_of_sum(Factor *f, const RbExpr *e) {
    const RbExpr *a = factor_of(f, e->args[0]), *b = factor_of(f, e->args[1]);
    if (b && e->op == RB_OP_SUB) b = rb_neg(f->w->x, b);
    if (!a || !b) return a ? a : b;
    if (a->rank != b->rank) {
        a = as_matrix(f, a);
        b = as_matrix(f, b);
    }
    return rb_add(f->w->x, a, b);
}

static const RbExpr *factor_of_product(Factor *f, const RbExpr *e) {
    RbExprs *x = f->w->x;
    bool in_a = rb_expr_has_var(x, e->args[0], f->var);
    const RbExpr *inner = e->args[in_a ? 0 : 1], *other = e->args[in_a ? 1 : 0];
    bool twice = rb_expr_has_var(x, other, f->var);
    bool matrix = other->rank == 2 && !in_a && e->op == RB_OP_MUL;
    bool diagonal = other->rank == 1 && e->op == RB_OP_EMUL;
    const RbExpr *c = twice || inner->rank != 1 ? NULL : factor_of(f, inner);
    if (!c || !(other->rank == 0 || matrix || diagonal)) return f->nonlinear = true, NULL;
    if (diagonal) other = rb_builtin1(x, RB_FN_DIAGONAL, other);
    return c->rank == 0 ? multiply(x, c, other) : rb_mul(x, other, c);
}

static const RbExpr *factor_of(Factor *f, const RbExpr *e) {
    RbExprs *x = f->w->x;
    if (f->nonlinear || !rb_expr_has_var(x, e, f->var)) return NULL;
    const RbExpr *c;
    switch ((RbOp)e->op) {
        case RB_OP_VAR: return rb_real(x, 1.0);
        case RB_OP_NEG: c = factor_of(f, e->args[0]); return c ? rb_neg(x, c) : NULL;
        case RB_OP_ADD:
        case RB_OP_SUB: return factor_of_sum(f, e);
        case RB_OP_MUL:
        case RB_OP_EMUL: return factor_of_product(f, e);
        case RB_OP_DIV:
            if (rb_expr_has_var(x, e->args[1], f->var)) break;
            c = factor_of(f, e->args[0]);
            return c ? rb_div(x, c, e->args[1]) : NULL;
        default: break;
    }
    f->nonlinear = true;
    return NULL;
}

// What is left of e, which is linear in var, where var is zero; NULL: nothing.
static const RbExpr *rest_of(Factor *f, const RbExpr *e) {
    RbExprs *x = f->w->x;
    if (!rb_expr_has_var(x, e, f->var)) return e;
    if (e->op == RB_OP_VAR) return NULL;
    const RbExpr *a = rest_of(f, e->args[0]), *b = NULL;
    if (e->op == RB_OP_NEG) return a ? rb_neg(x, a) : NULL;
    b = rest_of(f, e->args[1]);
    if (e->op == RB_OP_ADD && (!a || !b)) return a ? a : b;
    if (e->op == RB_OP_SUB && (!a || !b)) return a ? a : b ? rb_neg(x, b) : NULL;
    return a && b ? apply2(x, (RbOp)e->op, a, b) : NULL;
}

// M x + r = 0
static const RbExpr *solve_whole(RbWork *w, const RbExpr *left, const RbExpr *right, int var) {
    RbExprs *x = w->x;
    const RbFlatVar *v = &w->model->vars.data[var];
    if (v->rank != 1 || left->rank != 1 || right->rank != 1) return NULL;
    Factor f = {w, var, false};
    const RbExpr *all = rb_sub(x, left, right), *m = factor_of(&f, all);
    if (!m || f.nonlinear || rb_is_number(m, 0)) return NULL;
    const RbExpr *n = v->dim_exprs[0] ? v->dim_exprs[0] : rb_integer(x, v->dims[0]);
    const RbExpr *r = rest_of(&f, all);
    r = r ? rb_neg(x, r) : rb_builtin2(x, RB_FN_FILL, rb_real(x, 0.0), n);
    return m->rank == 0 ? rb_div(x, r, m) : rb_builtin2(x, RB_FN_SOLVE, m, r);
}

// Notes whether the variable is multiplied by what is zero in some branch.
static const RbExpr *solve(RbWork *w, const RbExpr *left, const RbExpr *right, int var,
                           bool *zero) {
    bool in_left = rb_expr_has_var(w->x, left, var), in_right = rb_expr_has_var(w->x, right, var);
    if (in_left != in_right) {
        const RbExpr *e = in_left ? left : right, *r = in_left ? right : left;
        while (e->op != RB_OP_VAR && peel(w, var, &e, &r, zero)) continue;
        if (e->op == RB_OP_VAR) return r;
    }
    if (rb_work_at(w, var)->whole) return solve_whole(w, left, right, var);
    return solve_linear(w, left, right, var, zero);
}

const RbExpr *rb_solve_for(RbWork *w, const RbExpr *left, const RbExpr *right, int var) {
    bool zero = false;
    return solve(w, left, right, var, &zero);
}

const RbExpr *rb_solve_always(RbWork *w, const RbExpr *left, const RbExpr *right, int var) {
    bool zero = false;
    const RbExpr *value = solve(w, left, right, var, &zero);
    bool scalar = left->rank + right->rank == 0 && !rb_work_at(w, var)->whole;
    return zero && scalar ? NULL : value;
}

// --- parameters ----------------------------------------------------------------------------------

bool rb_parameter_number(RbWork *w, const RbExpr *e, double *number) {
    if (rb_constant_value(e, number)) return true;
    if (!rb_is_parametric(w, e, *w->temp)) return false; // quicker than failing in the middle
    RbArena temp = *w->temp;
    RbEnv env = {.model = w->model,
                 .arena = &temp,
                 .lookup = rb_work_lookup,
                 .user = w,
                 .memory = &w->calls};
    return rb_eval_number(&env, e, number);
}

bool rb_is_parametric(RbWork *w, const RbExpr *e, RbArena scratch) {
    if (rb_is_constant(e)) return true;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_VAR && rb_work_at(w, n->index)->kind != RB_DAE_PARAMETER) return false;
        if (n->op == RB_OP_TIME || n->op == RB_OP_PRE) return false;
        if (rb_is_builtin(n, RB_TRAIT_TIME)) return false;
    }
    return true;
}
