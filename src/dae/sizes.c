// SPDX-License-Identifier: MIT
// sizes.c: which sizes cannot change after translation, and why: those of arrays that are taken
// apart, dimension by dimension, and all parameters that they follow from.
#include "dae/work.h"

typedef struct Reason {
    const char *why;
    RbPos at;
} Reason;

static void fix_dimension(RbWork *w, int v, int k, Reason r, RbArena scratch);

// Parameters that decide the value of e; of an array in size() its size.
static void fix_parameters(RbWork *w, const RbExpr *e, Reason r, RbArena scratch) {
    RbIndices vars = rb_expr_vars(w->x, e, &scratch);
    for (int i = 0; i < vars.count; i++) {
        RbFlatVar *var = &w->model->vars.data[vars.data[i]];
        if (var->variability != RB_PARAMETER || var->is_structural) continue;
        var->is_structural = true;
        if (!var->size_use) {
            var->size_use = r.why;
            var->size_use_at = r.at;
        }
        if (var->binding) fix_parameters(w, var->binding, r, scratch);
    }
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        double k;
        if (n->op == RB_OP_BUILTIN && n->index == RB_FN_SIZE && n->args[0]->op == RB_OP_VAR &&
            rb_constant_value(n->args[1], &k))
            fix_dimension(w, n->args[0]->index, (int)k - 1, r, scratch);
    }
}

// Dimension k (from 0) of array v.
static void fix_dimension(RbWork *w, int v, int k, Reason r, RbArena scratch) {
    RbFlatVar *var = &w->model->vars.data[v];
    if (k < 0 || k >= var->rank || var->dim_fixed[k]) return;
    var->dim_fixed[k] = true; // before: dimensions may refer to each other
    var->has_free_size = false;
    for (int i = 0; i < var->rank; i++) var->has_free_size |= !var->dim_fixed[i];
    if (!var->size_use || !var->size_use_at.file) {
        var->size_use = r.why;
        var->size_use_at = r.at;
    }
    r.why =
        rb_arena_printf(w->arena, "it decides the size of '%s', and %s", var->name, var->size_use);
    if (var->dim_exprs[k]) fix_parameters(w, var->dim_exprs[k], r, scratch);
}

static void fix_size(RbWork *w, int v, Reason r) {
    for (int k = 0; w->model->vars.data[v].has_free_size && k < w->model->vars.data[v].rank; k++)
        fix_dimension(w, v, k, r, *w->scratch);
}

static const char *const decides = "its value decides the structure of the equations";

void rb_mark_structural_expr(RbWork *w, const RbExpr *e) {
    if (!rb_is_constant(e)) fix_parameters(w, e, (Reason){decides, w->at}, *w->scratch);
}

void rb_mark_structural(RbWork *w, int v) {
    rb_mark_structural_expr(w, rb_work_ref(w, v));
}

void rb_fix_sizes(RbWork *w) {
    const RbApart *a = w->arrays;
    for (int v = 0; v < a->count; v++) {
        RbFlatVar *var = &w->model->vars.data[v];
        if (var->is_structural) { // so is what it follows from
            var->is_structural = false;
            fix_parameters(w, rb_work_ref(w, v), (Reason){decides, var->at}, *w->scratch);
            var->is_structural = true;
        }
        Reason r = {var->size_use, var->size_use_at};
        bool apart = !w->dae->vars.data[v].whole;
        if (apart && a->why[v]) r = (Reason){a->why[v], a->at[v]};
        if (apart && !r.why) r = (Reason){"it is taken apart into its elements", var->at};
        if (r.why) fix_size(w, v, r);
    }
}
