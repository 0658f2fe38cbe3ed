// SPDX-License-Identifier: MIT
#include "code/writer.h"

void rb_know(RbWriter *w, const RbExpr *n) {
    if (w->stamps[n->id] == w->stamp) return;
    w->stamps[n->id] = w->stamp;
    w->uses[n->id] = w->temp[n->id] = 0;
}

bool rb_has_temp(RbWriter *w, const RbExpr *n) {
    return w->stamps[n->id] == w->stamp && w->temp[n->id] > 0;
}

void rb_open_scope(RbWriter *w) {
    w->stamp++;
    w->temps = 0;
    w->used = 0;
    w->trail.count = 0;
}

// How often each node is used by the roots of one function.
void rb_count_uses(RbWriter *w, const RbExpr *const *roots, int count) {
    RbArena scratch = *w->pass;
    RbExprOrder order = rb_expr_order(w->l->dae->exprs, roots, count, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        rb_know(w, n);
        for (int k = 0; k < n->arg_count; k++) {
            rb_know(w, n->args[k]);
            w->uses[n->args[k]->id]++;
        }
    }
    for (int i = 0; i < count; i++) {
        rb_know(w, roots[i]);
        w->uses[roots[i]->id]++;
    }
}

int rb_new_temp(RbWriter *w, const RbExpr *n) {
    rb_know(w, n);
    w->temp[n->id] = ++w->temps;
    rb_array_push(&w->trail, w->scratch, n->id);
    return w->temps;
}

void rb_forget(RbWriter *w, int mark) {
    while (w->trail.count > mark) w->temp[w->trail.data[--w->trail.count]] = 0;
}

// The name goes into the table only after the text, or the text would refer to itself.
void rb_assign_temp(RbWriter *w, const RbExpr *n) {
    rb_text_printf(w->out, "    double t%d = ", w->temps + 1);
    rb_write(w, n);
    rb_text_add(w->out, ";\n");
    rb_new_temp(w, n);
}
