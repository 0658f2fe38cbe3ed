// SPDX-License-Identifier: MIT
// whole_system.c: equations of whole vectors that depend on each other, as in a feedback of blocks
// with direct feedthrough,
//
//     y = C x + D u,   u = r - y.
//
// One vector is torn: the others follow from it, one after the other. Put into the equation that is
// left, they make it one for this vector alone; if it is linear it is solved as such.
#include "dae/blocks.h"
#include "dae/solve.h"

typedef struct Loop {
    RbWork *w;
    const RbDaeEq *eqs;
    const int *block_eqs, *vars;
    int count;
    const RbExpr **values; // by place: what the variable is, from its own equation
    const RbExpr **torn;   // the same with only the torn variable in it
    int *order, ordered;   // places in order of evaluation
} Loop;

static bool depends_on_open(const Loop *l, const bool *done, int place, int tear) {
    for (int k = 0; k < l->count; k++) {
        if (k != tear && !done[k] && rb_expr_has_var(l->w->x, l->values[place], l->vars[k]))
            return true;
    }
    return false;
}

// Solve all equations but one for their own variables.
static bool solve_others(Loop *l, int tear) {
    for (int k = 0; k < l->count; k++) {
        const RbDaeEq *eq = &l->eqs[l->block_eqs[k]];
        if (k == tear) continue;
        l->values[k] = rb_solve_for(l->w, eq->left, eq->right, l->vars[k]);
        if (!l->values[k] || l->values[k]->rank != 1) return false;
    }
    return true;
}

// An order in which each needs only the torn variable and those before it.
static bool order_others(Loop *l, int tear) {
    bool *done = rb_new_array(l->w->scratch, bool, l->count + 1);
    l->ordered = 0;
    for (bool found = true; found;) {
        found = false;
        for (int k = 0; k < l->count; k++) {
            if (k == tear || done[k] || depends_on_open(l, done, k, tear)) continue;
            done[k] = found = true;
            l->order[l->ordered++] = k;
        }
    }
    return l->ordered == l->count - 1;
}

// e with the others, as far as they are known, by what they follow from.
static const RbExpr *insert(const Loop *l, const RbExpr *e, int known) {
    for (int i = known - 1; i >= 0; i--)
        e = rb_replace_var(l->w, e, l->vars[l->order[i]], l->torn[l->order[i]]);
    return e;
}

static const RbExpr *solve_torn(Loop *l, int tear) {
    for (int i = 0; i < l->ordered; i++)
        l->torn[l->order[i]] = insert(l, l->values[l->order[i]], i);
    const RbDaeEq *eq = &l->eqs[l->block_eqs[tear]];
    return rb_solve_for(l->w, insert(l, eq->left, l->ordered), insert(l, eq->right, l->ordered),
                        l->vars[tear]);
}

bool rb_whole_system(RbWork *w, const RbDaeEq *eqs, const int *block_eqs, const int *vars,
                     int count, RbBlocks *blocks) {
    enum { COUNT_MAX = 20 }; // longer loops would become long expressions
    if (count > COUNT_MAX) return false;
    for (int i = 0; i < count; i++) {
        if (!rb_work_at(w, vars[i])->whole || w->model->vars.data[vars[i]].rank != 1) return false;
    }
    Loop l = {.w = w, .eqs = eqs, .block_eqs = block_eqs, .vars = vars, .count = count};
    l.values = rb_new_array(w->scratch, const RbExpr *, count + 1);
    l.torn = rb_new_array(w->scratch, const RbExpr *, count + 1);
    l.order = rb_new_array(w->scratch, int, count + 1);
    for (int tear = 0; tear < count; tear++) {
        if (!solve_others(&l, tear) || !order_others(&l, tear)) continue;
        const RbExpr *value = solve_torn(&l, tear);
        if (!value || value->rank != 1) continue;
        rb_assign_block(w, blocks, vars[tear], value, block_eqs[tear], false);
        for (int i = 0; i < l.ordered; i++) {
            int k = l.order[i];
            rb_assign_block(w, blocks, vars[k], l.values[k], block_eqs[k], false);
        }
        return true;
    }
    return false;
}
