// SPDX-License-Identifier: MIT
// inline.c: functions that want to stand in the equations themselves after the index is reduced
// (annotation InlineAfterIndexReduction; docs/theory/dae.md, section 4).
//
// q = position({x, v, a}, time) with the body q := x names v and a only for its derivatives. As a
// call it would depend on all three; what the equation really contains is what its body does. The
// call itself is kept until the index is reduced, because its derivative annotation says how to
// differentiate: q' = v, not x'.
#include "dae/elements.h"
#include "expr/simplify.h"

enum { LEVELS = 20 }; // of functions that call functions

typedef struct Locals {
    const RbExpr **values; // by variable of the function; NULL: has none yet
    bool unset;
} Locals;

static const RbExpr *local_value(void *user, const RbExpr *e) {
    Locals *l = user;
    if (e->op != RB_OP_LOCAL) return NULL;
    l->unset |= !l->values[e->index];
    return l->values[e->index];
}

// Result k of a call as an expression of the arguments, if the function is a list of assignments.
static const RbExpr *result_value(RbWork *w, const RbExpr *call, int k) {
    const RbFunction *f = w->model->functions.data[call->index];
    Locals l = {.values = rb_new_array(w->scratch, const RbExpr *, f->vars.count + 1)};
    for (int i = 0; i < call->arg_count; i++) l.values[i] = call->args[i];
    for (int i = 0; i < f->statements.count; i++) {
        const RbStatement *s = f->statements.data[i];
        if (s->kind != RB_ST_ASSIGN || s->target->op != RB_OP_LOCAL) return NULL;
        const RbExpr *value = rb_substitute(w->x, s->value, local_value, &l, *w->nested);
        if (l.unset) return NULL;
        l.values[s->target->index] = value;
    }
    return l.values[f->input_count + k];
}

// Derivatives that are functions themselves come into the equations with the reduction of the
// index; they are written out once the states are chosen.
static bool wants_inline(const RbWork *w, const RbFunction *f) {
    if (f->kind != RB_FUNCTION_ALGORITHM || f->is_impure) return false;
    return f->inline_after_index || (w->states_chosen && f->is_inline);
}

static const RbExpr *inline_node(void *user, const RbExpr *e) {
    RbWork *w = user;
    bool result = e->op == RB_OP_RESULT;
    const RbExpr *call = result ? e->args[0] : e;
    if (call->op != RB_OP_CALL) return NULL;
    const RbFunction *f = w->model->functions.data[call->index];
    if (!wants_inline(w, f)) return NULL;
    return result_value(w, call, result ? e->index : 0);
}

static bool any_to_inline(const RbWork *w) {
    for (int i = 0; i < w->model->functions.count; i++) {
        if (wants_inline(w, w->model->functions.data[i])) return true;
    }
    return false;
}

// Is there an operation on whole arrays, or a call with something else than a list of elements?
static bool has_arrays(RbWork *w, const RbExpr *e) {
    RbArena temp = *w->temp;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        bool plain = n->op == RB_OP_ARRAY || n->op == RB_OP_CALL || n->op == RB_OP_RESULT;
        if (n->rank > 0 && !plain) return true;
        for (int k = 0; n->op == RB_OP_CALL && k < n->arg_count; k++) {
            if (n->args[k]->rank > 0 && n->args[k]->op != RB_OP_ARRAY) return true;
        }
        if (n->op == RB_OP_SUBSCRIPT && n->args[0]->op == RB_OP_ARRAY) return true;
    }
    return false;
}

// What a body or a derivative says about whole arrays is taken apart again: element 2 of a product
// uses only row 2.
static const RbExpr *inlined(RbWork *w, const RbExpr *e, bool any) {
    const RbExpr *result = e;
    int levels = w->states_chosen ? LEVELS : 1; // bodies call functions, too
    for (int level = 0; any && level < levels; level++) {
        const RbExpr *before = result;
        result = rb_substitute(w->x, before, inline_node, w, *w->temp);
        if (result == before) break;
    }
    bool stays = w->dae->any_whole && result == e; // arrays in it are meant to be whole
    if (stays || result->rank > 0 || !has_arrays(w, result)) return result;
    RbElements el = {.w = w, .any_whole = w->dae->any_whole};
    const RbExpr *scalar = el.any_whole ? rb_whole_expr(&el, result) : rb_scalar_expr(&el, result);
    return el.error ? result : scalar;
}

const RbExpr *rb_inlined(RbWork *w, const RbExpr *e) {
    return any_to_inline(w) ? inlined(w, e, true) : e;
}

static void inline_list(RbWork *w, RbDaeEq *eqs, int count, bool any) {
    for (int i = 0; i < count; i++) {
        eqs[i].left = inlined(w, eqs[i].left, any);
        eqs[i].right = inlined(w, eqs[i].right, any);
    }
}

void rb_inline_calls(RbWork *w) {
    bool any = any_to_inline(w);
    inline_list(w, w->dae->eqs.data, w->dae->eqs.count, any);
    inline_list(w, w->dae->initial_eqs.data, w->dae->initial_eqs.count, any);
}
