// SPDX-License-Identifier: MIT
#include "code/writer.h"

// a^n by squaring, in the order of rb_integer_power.
static void prepare_power(RbWriter *w, const RbExpr *n, int64_t exponent) {
    int64_t rest = exponent < 0 ? -exponent : exponent;
    int number = ++w->temps; // a name of its own for the chain of squares
    rb_text_printf(w->out, "    double s%d_0 = ", number);
    rb_write(w, n->args[0]);
    rb_text_add(w->out, ";\n");
    RbText product = rb_text(w->scratch);
    for (int k = 0; rest > 0; rest >>= 1, k++) {
        if (rest & 1) {
            bool first = product.count == 0;
            RbText next = rb_text(w->scratch);
            rb_text_printf(&next, first ? "s%d_%d" : "(%3$s * s%1$d_%2$d)", number, k,
                           first ? "" : product.data);
            product = next;
        }
        if (rest > 1)
            rb_text_printf(w->out, "    double s%d_%d = s%d_%d * s%d_%d;\n", number, k + 1, number,
                           k, number, k);
    }
    rb_text_printf(w->out, exponent < 0 ? "    double t%d = 1.0 / %s;\n" : "    double t%d = %s;\n",
                   w->temps + 1, product.data);
    rb_new_temp(w, n);
}

static bool has_call(RbWriter *w, const RbExpr *n) {
    if (w->l->sites.count == 0) return false;
    RbArena scratch = *w->pass;
    RbExprOrder order = rb_expr_order(w->l->dae->exprs, &n, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->op == RB_OP_CALL) return true;
    }
    return false;
}

// Functions are called only in the branch that is taken. (Plain arithmetic does no harm in the
// other one.)
static void prepare_branches(RbWriter *w, const RbExpr *n) {
    rb_prepare(w, n->args[0]);
    int t = ++w->temps;
    rb_text_printf(w->out, "    double t%d;\n    if (", t);
    rb_write_condition(w, n->args[0]);
    rb_text_add(w->out, ") {\n");
    for (int k = 1; k <= 2; k++) {
        int mark = w->trail.count;
        rb_prepare(w, n->args[k]);
        rb_text_printf(w->out, "    t%d = ", t);
        rb_write(w, n->args[k]);
        rb_text_add(w->out, k == 1 ? ";\n    } else {\n" : ";\n    }\n");
        rb_forget(w, mark);
    }
    w->temp[n->id] = t;
    rb_array_push(&w->trail, w->scratch, n->id);
}

// Write the statements that n needs before it can be written as an expression.
void rb_prepare(RbWriter *w, const RbExpr *n) {
    RbCodePlace place = rb_algebraic_place(w, n);
    if (place.area >= 0 && w->inlined[place.index]) rb_prepare(w, w->inlined[place.index]);
    bool call = n->op == RB_OP_CALL || n->op == RB_OP_RESULT;
    if ((n->arg_count == 0 && !call) || n->op == RB_OP_PRE) return;
    if (rb_has_temp(w, n) || rb_in_h(w, n)) return;
    if (call && rb_whole_call(w->l->dae, n)) {
        rb_prepare_whole_call(w, rb_whole_call(w->l->dae, n));
        return;
    }
    if (n->rank > 0 && !call) {
        rb_prepare_array(w, n, false);
        return;
    }
    rb_know(w, n);
    if (rb_is_over_array(n)) {
        for (int i = 0; i < n->arg_count; i++) rb_need_place(w, n->args[i]);
        rb_assign_temp(w, n);
        return;
    }
    if (n->op == RB_OP_BUILTIN && n->index == RB_FN_SIZE) return;
    if (n->op == RB_OP_CALL) {
        rb_prepare_call(w, n);
        return;
    }
    if (n->op == RB_OP_RESULT) {
        rb_prepare_result(w, n);
        return;
    }
    if (rb_is_whole_element(w, n)) {
        rb_prepare_whole_element(w, n);
        return;
    }
    if (n->op == RB_OP_SUBSCRIPT) {
        if (n->args[0]->op == RB_OP_ARRAY)
            rb_prepare_element(w, n);
        else
            rb_prepare_result(w, n);
        return;
    }
    if (n->op == RB_OP_IF && (has_call(w, n->args[1]) || has_call(w, n->args[2]))) {
        prepare_branches(w, n);
        return;
    }
    for (int i = 0; i < n->arg_count; i++) rb_prepare(w, n->args[i]);
    int64_t exponent;
    if (rb_is_expandable(n, &exponent))
        prepare_power(w, n, exponent);
    else if (w->uses[n->id] > 1)
        rb_assign_temp(w, n);
}
