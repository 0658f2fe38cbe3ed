// SPDX-License-Identifier: MIT
// vector_loop.c: a loop of equations over elements of arrays whose size may change after
// translation is written with slices instead,
//
//     for i in 2:n - 1 loop  der(T[i]) = a*(T[i - 1] - 2*T[i] + T[i + 1]);  end for;
//     der(T[2:n - 1]) = a*(T[1:n - 2] - 2*T[2:n - 1] + T[3:n]);
//
// so that it does not depend on n. The body is lowered once, with a symbol for the iterator. What
// cannot be written this way is unrolled (loop.c). Likewise {x[i]^2 for i in 1:n} is x[1:n].^2.
#include "expr/simplify.h"

#include "expr/builtins.h"
#include "flatten/equations.h"
#include "flatten/expression.h"

typedef struct Loop {
    RbFrontEnd *fe;
    RbExprs *x;
    const RbExpr *symbol; // stands for the iterator
    const RbExpr *range;  // RB_OP_RANGE
    bool impossible;
} Loop;

static const RbExpr *vector_of(Loop *l, const RbExpr *e);

static const RbExpr *give_up(Loop *l, const RbExpr *e) {
    l->impossible = true;
    return e;
}

static bool has_symbol(Loop *l, const RbExpr *e) {
    RbArena scratch = *l->fe->scratch;
    RbExprOrder order = rb_expr_order(l->x, &e, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i] == l->symbol) return true;
    }
    return false;
}

// --- subscripts ----------------------------------------------------------------------------------

// e = factor * i + ...; false if it is not of this form.
static bool find_factor(Loop *l, const RbExpr *e, double *factor) {
    double a = 0, b = 0, number;
    *factor = 0;
    if (e == l->symbol) return *factor = 1, true;
    if (!has_symbol(l, e)) return true;
    if (e->op == RB_OP_MUL && rb_constant_value(e->args[0], &number)) {
        if (!find_factor(l, e->args[1], &a)) return false;
        *factor = number * a;
        return true;
    }
    if (e->op == RB_OP_NEG) {
        if (!find_factor(l, e->args[0], &a)) return false;
        *factor = -a;
        return true;
    }
    if (e->op != RB_OP_ADD && e->op != RB_OP_SUB) return false;
    if (!find_factor(l, e->args[0], &a) || !find_factor(l, e->args[1], &b)) return false;
    *factor = e->op == RB_OP_ADD ? a + b : a - b;
    return true;
}

static const RbExpr *symbol_value(void *user, const RbExpr *e) {
    const RbExpr **pair = user;
    return e == pair[0] ? pair[1] : NULL;
}

static const RbExpr *at(Loop *l, const RbExpr *e, const RbExpr *i) {
    const RbExpr *pair[] = {l->symbol, i};
    return rb_substitute(l->x, e, symbol_value, pair, *l->fe->scratch);
}

// i + 1 for all i
static const RbExpr *slice_of(Loop *l, const RbExpr *s) {
    double factor;
    if (!find_factor(l, s, &factor) || factor == 0) return give_up(l, s);
    const RbExpr *step = rb_mul(l->x, rb_integer(l->x, (int64_t)factor), l->range->args[1]);
    return rb_range(l->x, at(l, s, l->range->args[0]), step, at(l, s, l->range->args[2]));
}

// x[i + 1], A[i, 2]: only of arrays whose size may change, and with one subscript that moves.
static const RbExpr *vector_of_element(Loop *l, const RbExpr *e) {
    const RbExpr *subs[RB_RANK_MAX];
    const RbExpr *a = e->args[0];
    int moving = 0;
    if (a->op != RB_OP_VAR || !l->fe->flat->vars.data[a->index].has_free_size || e->rank > 0)
        return give_up(l, e);
    for (int i = 1; i < e->arg_count; i++) {
        subs[i - 1] = e->args[i];
        if (!has_symbol(l, e->args[i])) continue;
        subs[i - 1] = slice_of(l, e->args[i]);
        moving++;
    }
    if (moving != 1 || l->impossible) return give_up(l, e);
    return rb_subscript(l->x, a, subs, e->arg_count - 1);
}

// --- expressions ---------------------------------------------------------------------------------

static bool is_elementwise(RbBuiltin f) {
    bool smooth = rb_builtin_has(f, RB_TRAIT_SMOOTH) && rb_builtins[f].arg_count == 1;
    return smooth || f == RB_FN_ABS || f == RB_FN_NO_EVENT || f == RB_FN_TO_REAL;
}

static const RbExpr *vector_of_operation(Loop *l, const RbExpr *e) {
    const RbExpr *args[3];
    bool all = true;
    if (e->arg_count > 3) return give_up(l, e);
    for (int i = 0; i < e->arg_count; i++) {
        args[i] = vector_of(l, e->args[i]);
        all = all && args[i]->rank > 0;
    }
    RbOp op = (RbOp)e->op;
    switch (op) {
        case RB_OP_NEG:
        case RB_OP_ADD:
        case RB_OP_SUB: break;
        case RB_OP_MUL: op = all ? RB_OP_EMUL : RB_OP_MUL; break;
        case RB_OP_DIV: op = args[1]->rank > 0 ? RB_OP_EDIV : RB_OP_DIV; break;
        case RB_OP_POW: op = RB_OP_EPOW; break;
        case RB_OP_BUILTIN:
            if (!is_elementwise((RbBuiltin)e->index)) return give_up(l, e);
            return rb_builtin(l->x, (RbBuiltin)e->index, args, e->arg_count);
        default: return give_up(l, e);
    }
    return l->impossible ? e : rb_apply(l->x, op, args, e->arg_count);
}

// The vector of e for all i; e itself if it does not depend on i.
static const RbExpr *vector_of(Loop *l, const RbExpr *e) {
    if (l->impossible) return e;
    if (e == l->symbol) return l->range;
    if (!has_symbol(l, e)) return e->rank == 0 ? e : give_up(l, e);
    if (e->op == RB_OP_SUBSCRIPT) return vector_of_element(l, e);
    if (e->op == RB_OP_DER) return rb_der(l->x, vector_of(l, e->args[0]));
    return vector_of_operation(l, e);
}

static const RbExpr *filled(Loop *l, const RbExpr *e) {
    if (e->rank > 0) return e;
    const RbExpr *steps = rb_sub(l->x, l->range->args[2], l->range->args[0]);
    return rb_builtin2(l->x, RB_FN_FILL, e, rb_add(l->x, steps, rb_integer(l->x, 1)));
}

// --- the loop ------------------------------------------------------------------------------------

// first:last with limits that follow from parameters.
static bool lower_range(RbFrontEnd *fe, const RbPlace *ctx, const RbAstIterator *it, RbVal *range) {
    if (!it->range || it->range->kind != RB_AST_RANGE) return false;
    RbPlace place = *ctx;
    place.indexed_is_free = true;
    place.keeps.sizes = true;
    *range = rb_lower_expr(fe, &place, it->range);
    return range->kind == RB_VAL_EXPR && range->dims[0] >= 0 && range->e->op == RB_OP_RANGE &&
           range->e->args[1]->op == RB_OP_INTEGER && range->e->args[1]->integer == 1;
}

static bool is_simple(const RbAstEquation *eq) {
    if (eq->iterator_count != 1 || eq->blocks[0].count == 0) return false;
    for (int i = 0; i < eq->blocks[0].count; i++) {
        const RbAstEquation *e = eq->blocks[0].list[i];
        if (e->kind != RB_AST_EQ_EQUAL || e->left->kind == RB_AST_TUPLE) return false;
    }
    return true;
}

// The iterator as a symbol instead of a number.
static RbLoopVar symbolic(const Loop *l, const RbPlace *ctx, RbName name, const RbVal *range) {
    RbLoopVar var = {.name = name, .value = *range, .outer = ctx->loops};
    var.value.rank = 0;
    var.value.e = l->symbol;
    var.value.variability = RB_AST_PARAMETER;
    return var;
}

static bool lower_body(Loop *l, const RbPlace *ctx, const RbAstEquation *eq, const RbVal *range,
                       RbEquations *list) {
    RbLoopVar var = symbolic(l, ctx, eq->iterators[0].name, range);
    RbPlace inner = *ctx;
    inner.loops = &var;
    inner.equations = list;
    rb_lower_equation_list(l->fe, &inner, eq->blocks[0].list, eq->blocks[0].count);
    for (int i = 0; i < list->count && !l->impossible; i++) {
        RbEquation *one = list->data[i];
        if (one->kind != RB_EQ_EQUAL) return false;
        one->left = vector_of(l, one->left);
        one->right = vector_of(l, one->right);
        if (one->left->rank == 0 && one->right->rank == 0) return false;
        one->left = filled(l, one->left);
        one->right = filled(l, one->right);
    }
    return !l->impossible;
}

static Loop open_loop(RbFrontEnd *fe, const RbVal *range) {
    enum { SYMBOL = 1000000 }; // no local variable of any function
    return (Loop){
        .fe = fe, .x = fe->x, .range = range->e, .symbol = rb_local(fe->x, SYMBOL, RB_INTEGER, 0)};
}

bool rb_lower_vector_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    int errors = fe->diag->error_count, messages = fe->diag->messages.count;
    RbVal range;
    RbEquations list = {0};
    if (!is_simple(eq) || ctx->in_when || ctx->loops) return false;
    bool good = lower_range(fe, ctx, &eq->iterators[0], &range);
    if (good) {
        Loop l = open_loop(fe, &range);
        good = lower_body(&l, ctx, eq, &range, &list) && fe->diag->error_count == errors;
    }
    fe->diag->error_count = errors; // unrolled, it is said again
    fe->diag->messages.count = messages;
    for (int i = 0; good && i < list.count; i++)
        rb_array_push(ctx->equations, fe->arena, list.data[i]);
    return good;
}

bool rb_lower_vector(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, const RbAstExpr *body,
                     RbVal *out) {
    int errors = fe->diag->error_count, messages = fe->diag->messages.count;
    RbVal range;
    if (!ctx->keeps.slices || ctx->frame || ctx->loops || e->iterator_count != 1) return false;
    bool good = lower_range(fe, ctx, &e->iterators[0], &range);
    if (good) {
        Loop l = open_loop(fe, &range);
        RbLoopVar var = symbolic(&l, ctx, e->iterators[0].name, &range);
        RbPlace inner = *ctx;
        inner.loops = &var;
        *out = rb_val_single(rb_lower_expr(fe, &inner, body));
        good = out->kind == RB_VAL_EXPR && out->rank == 0 &&
               (out->type == RB_REAL || out->type == RB_INTEGER);
        if (good) out->e = filled(&l, vector_of(&l, out->e));
        out->rank = 1;
        out->dims[0] = range.dims[0];
        good = good && !l.impossible && fe->diag->error_count == errors;
    }
    fe->diag->error_count = errors;
    fe->diag->messages.count = messages;
    return good;
}
