// SPDX-License-Identifier: MIT
// whole_expr.c: expressions in which whole arrays stay as they are, and what is taken apart is put
// together again.
#include "dae/elements.h"
#include "expr/simplify.h"

// What the size follows from, so that who asks for the size of an unknown does not depend on it.
const RbExpr *rb_size_of_whole(RbElements *el, const RbExpr *e) {
    const RbFlatVar *v = &el->w->model->vars.data[e->args[0]->index];
    double number = 0;
    rb_constant_value(e->args[1], &number);
    int k = (int)number;
    if (v->variability <= RB_PARAMETER || k < 1 || k > v->rank) return e;
    return v->dim_exprs[k - 1] ? rb_scalar_expr(el, v->dim_exprs[k - 1])
                               : rb_integer(el->w->x, v->dims[k - 1]);
}

// fill(v, n) and identity(n) follow n, if n may still change.
static bool keeps_its_size(const RbExpr *e) {
    bool call = e->rank > 0 && (e->op == RB_OP_CALL || e->op == RB_OP_RESULT);
    return call || e->op == RB_OP_RANGE ||
           (e->op == RB_OP_BUILTIN &&
            (e->index == RB_FN_FILL || e->index == RB_FN_IDENTITY || e->index == RB_FN_LINSPACE));
}

static bool follows_size(RbElements *el, const RbExpr *e) {
    if (e->arg_count == 0) return false;
    RbArena temp = *el->w->temp;
    RbExprOrder order = rb_expr_order(el->w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        if (keeps_its_size(order.nodes[i])) return true;
    }
    return false;
}

// A list of numbers at even distances is a range.
static const RbExpr *whole_subscript(RbElements *el, const RbExpr *s) {
    RbExprs *x = el->w->x;
    int64_t first, step;
    if (s->op == RB_OP_ALL) return s;
    if (!rb_is_progression(s, &first, &step)) return rb_whole_expr(el, s);
    return rb_range(x, rb_integer(x, first), rb_integer(x, step),
                    rb_integer(x, first + (s->arg_count - 1) * step));
}

static const RbExpr *whole_slice(RbElements *el, const RbExpr *e) {
    const RbExpr *subs[RB_RANK_MAX];
    if (!rb_has_whole(el->w, e->args[0]))
        return e->rank > 0 ? rb_constructor(el, e) : rb_scalar_expr(el, e);
    for (int i = 1; i < e->arg_count; i++) subs[i - 1] = whole_subscript(el, e->args[i]);
    return rb_subscript(el->w->x, rb_whole_expr(el, e->args[0]), subs, e->arg_count - 1);
}

// der(x[2:3]) is der(x)[2:3].
static const RbExpr *whole_derivative(RbElements *el, const RbExpr *e) {
    const RbExpr *a = e->args[0];
    if (a->op != RB_OP_SUBSCRIPT) return rb_der(el->w->x, rb_whole_expr(el, a));
    const RbExpr *subs[RB_RANK_MAX];
    for (int i = 1; i < a->arg_count; i++) subs[i - 1] = whole_subscript(el, a->args[i]);
    const RbExpr *der = rb_der(el->w->x, rb_whole_expr(el, a->args[0]));
    return rb_subscript(el->w->x, der, subs, a->arg_count - 1);
}

const RbExpr *rb_whole_expr(RbElements *el, const RbExpr *e) {
    if (e->rank == 0 && !rb_has_whole(el->w, e) && !follows_size(el, e))
        return rb_scalar_expr(el, e);
    if (e->op == RB_OP_VAR && rb_work_at(el->w, e->index)->whole) return e;
    if (e->op == RB_OP_BUILTIN && e->index == RB_FN_SIZE) return rb_scalar_expr(el, e);
    if (e->op == RB_OP_SUBSCRIPT) return whole_slice(el, e);
    if (!follows_size(el, e) && !rb_has_whole(el->w, e)) return rb_constructor(el, e);
    if (e->op == RB_OP_DER) return whole_derivative(el, e);
    const RbExpr **args = rb_new_array(el->w->scratch, const RbExpr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) args[i] = rb_whole_expr(el, e->args[i]);
    return rb_rebuild(el->w->x, e, args);
}

const RbExpr *rb_whole_element(RbElements *el, const RbExpr *e, int k, const int *dims) {
    RbExprs *x = el->w->x;
    if (e->rank == 0) return rb_whole_expr(el, e);
    if (!rb_has_whole(el->w, e)) return rb_element(el, e, k);
    if (rb_is_elementwise(e) || e->op == RB_OP_IF) {
        const RbExpr *args[3];
        for (int i = 0; i < e->arg_count; i++) args[i] = rb_whole_element(el, e->args[i], k, dims);
        return rb_apply(x, (RbOp)e->op, args, e->arg_count);
    }
    const RbExpr *subs[RB_RANK_MAX];
    for (int d = e->rank - 1; d >= 0; d--) {
        subs[d] = rb_integer(x, k % dims[d] + 1);
        k /= dims[d];
    }
    return rb_subscript(x, rb_whole_expr(el, e), subs, e->rank);
}

static const RbExpr *interpreted_node(void *user, const RbExpr *e) {
    RbElements *el = user;
    bool apart = e->op == RB_OP_VAR && e->rank > 0 && !rb_work_at(el->w, e->index)->whole;
    return apart ? rb_constructor(el, e) : NULL;
}

const RbExpr *rb_interpreted_expr(RbElements *el, const RbExpr *e) {
    return rb_substitute(el->w->x, e, interpreted_node, el, *el->w->temp);
}
