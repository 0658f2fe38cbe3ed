// SPDX-License-Identifier: MIT
// tokens.c: the tokens of components in C only say in which order functions are called
// (docs/decisions/two-halves.md). They have no derivatives, and what is differentiated must not
// drag them along: during index reduction and state selection they count as known, and their
// equations are put aside.
#include "dae/work.h"

bool rb_is_component_call(const RbWork *w, const RbExpr *e) {
    if (e->op == RB_OP_RESULT) e = e->args[0];
    return e->op == RB_OP_CALL && w->model->functions.data[e->index]->kind == RB_FUNCTION_COMPONENT;
}

bool rb_is_token_eq(const RbWork *w, const RbDaeEq *eq) {
    if (eq->left->op != RB_OP_VAR || !rb_is_component_call(w, eq->right)) return false;
    const RbExpr *call = eq->right->op == RB_OP_RESULT ? eq->right->args[0] : eq->right;
    return w->model->functions.data[call->index]->component.token == eq->left->index;
}

void rb_hide_tokens(RbWork *w) {
    int kept = 0;
    for (int i = 0; i < w->dae->eqs.count; i++) {
        RbDaeEq eq = w->dae->eqs.data[i];
        if (!rb_is_token_eq(w, &eq)) {
            w->dae->eqs.data[kept++] = eq;
            continue;
        }
        rb_array_push(&w->token_eqs, w->scratch, eq);
        rb_work_at(w, eq.left->index)->kind = RB_DAE_PARAMETER;
    }
    w->dae->eqs.count = kept;
}

void rb_show_tokens(RbWork *w) {
    for (int i = 0; i < w->token_eqs.count; i++) {
        const RbDaeEq *eq = &w->token_eqs.data[i];
        rb_work_at(w, eq->left->index)->kind = RB_DAE_ALGEBRAIC;
        rb_array_push(&w->dae->eqs, w->arena, *eq);
    }
}
