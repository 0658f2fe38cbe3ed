// SPDX-License-Identifier: MIT
// equality.c: Reals that are compared for equality. Outside functions the language forbids it. Of
// parameters, and of variables that change at events only, it means what it says, and libraries have
// it; of values that vary with time it is no event, and true by chance.
#include "dae/work.h"

static bool varies(RbWork *w, const RbExpr *e) {
    RbArena temp = *w->temp;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_TIME) return true;
        if (n->op != RB_OP_VAR) continue;
        RbDaeKind kind = rb_work_at(w, n->index)->kind;
        if (kind >= RB_DAE_STATE && kind <= RB_DAE_ALGEBRAIC) return true;
    }
    return false;
}

void rb_warn_of_equalities(RbWork *w) {
    for (int i = 0; i < w->model->equalities.count; i++) {
        const RbFlatEquality *q = &w->model->equalities.data[i];
        if (!varies(w, q->e)) continue;
        rb_warn(w->diag, q->at,
                "Real values that vary with time are compared for equality, which they meet by "
                "chance at most, and which is no event; compare with <= or >=, or abs(a - b) with "
                "a tolerance");
    }
}
