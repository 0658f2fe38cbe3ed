// SPDX-License-Identifier: MIT
// sorted_print.c: sorted equations as text: dump --stage=sorted.
#include "dae/dae.h"
#include "expr/print.h"

static void expr(const RbSortedDae *d, const RbExpr *e, RbText *out) {
    rb_expr_print(e, d->model, NULL, out);
}

static void position(RbPos at, RbText *out) {
    if (at.file) rb_text_printf(out, " // %s:%d:%d", at.file, at.line, at.column);
    rb_text_add(out, "\n");
}

static const char *name(const RbSortedDae *d, int v) {
    return d->model->vars.data[v].name;
}

static void assignment(const RbSortedDae *d, const RbAssignment *a, const char *indent, RbPos at,
                       RbText *out) {
    rb_text_printf(out, "%s%s := ", indent, name(d, a->var));
    if (a->value)
        expr(d, a->value, out);
    else
        rb_text_add(out, "0");
    rb_text_add(out, ";");
    position(at, out);
}

static void system_of(const RbSortedDae *d, const RbBlock *b, RbText *out) {
    rb_text_printf(out, "  %s system of %d, torn to %d%s",
                   b->kind == RB_BLOCK_LINEAR ? "linear" : "nonlinear", b->full_size, b->size,
                   b->constant_matrix ? ", constant matrix" : "");
    if (b->sparse) rb_text_printf(out, ", sparse with %d entries", b->matrix_count);
    rb_text_printf(out, "%s:\n", b->residual_form ? ", residual form for ida" : "");
    rb_text_add(out, "    unknown");
    for (int i = 0; i < b->size; i++)
        rb_text_printf(out, "%s %s", i > 0 ? "," : "", name(d, b->unknowns[i]));
    rb_text_add(out, "\n");
    for (int i = 0; i < b->assign_count; i++)
        assignment(d, &b->assigns[i], "    ", RB_NOWHERE, out);
    for (int i = 0; i < b->size; i++) {
        rb_text_add(out, "    0 = ");
        expr(d, b->residuals[i], out);
        rb_text_add(out, ";\n");
    }
}

static void blocks(const RbSortedDae *d, const RbBlocks *list, bool run, RbText *out) {
    for (int k = 0; k < list->count; k++) {
        const RbBlock *b = &list->data[k];
        if (b->kind != RB_BLOCK_ASSIGN) {
            system_of(d, b, out);
            continue;
        }
        int eq = b->assigns[0].eq;
        RbPos at = run && eq >= 0 ? d->eqs.data[eq].at : RB_NOWHERE;
        assignment(d, &b->assigns[0], b->discrete ? "  at events: " : "  ", at, out);
    }
}

static void states(const RbSortedDae *d, RbText *out) {
    rb_text_printf(out, "states (%d)\n", d->states.count);
    for (int i = 0; i < d->states.count; i++) {
        int v = d->states.data[i];
        rb_text_printf(out, "  der(%s) = %s", name(d, v), name(d, d->vars.data[v].derivative));
        position(d->model->vars.data[v].at, out);
    }
}

static void events(const RbSortedDae *d, RbText *out) {
    if (d->relations.count > 0) rb_text_add(out, "event indicators\n");
    for (int i = 0; i < d->relations.count; i++) {
        const RbRelation *r = &d->relations.data[i];
        rb_text_printf(out, "  %s: ", name(d, r->var));
        expr(d, r->left, out);
        rb_text_add(out, " - (");
        expr(d, r->right, out);
        rb_text_add(out, ")");
        position(r->at, out);
    }
    for (int i = 0; i < d->samples.count; i++) {
        rb_text_printf(out, "  %s: from ", name(d, d->samples.data[i].var));
        expr(d, d->samples.data[i].start, out);
        rb_text_add(out, " every ");
        expr(d, d->samples.data[i].interval, out);
        if (d->samples.data[i].resolution) rb_text_add(out, " over ");
        if (d->samples.data[i].resolution) expr(d, d->samples.data[i].resolution, out);
        rb_text_add(out, "\n");
    }
}

// Arrays that stay whole, and those that could have, with the reason why they do not.
static void arrays(const RbSortedDae *d, RbText *out) {
    if (d->arrays.count > 0) rb_text_add(out, "whole arrays\n");
    for (int i = 0; i < d->arrays.count; i++) {
        const RbFlatVar *v = &d->model->vars.data[d->arrays.data[i]];
        if (d->vars.data[d->arrays.data[i]].auxiliary) continue;
        rb_text_printf(out, "  %s", v->name);
        for (int k = 0; k < v->rank; k++) {
            rb_text_add(out, k == 0 ? "[" : ", ");
            if (v->dim_fixed[k] || (!v->dim_exprs[k] && v->variability > RB_PARAMETER))
                rb_text_printf(out, "%d", v->dims[k]);
            else if (v->dim_exprs[k])
                expr(d, v->dim_exprs[k], out);
            else
                rb_text_add(out, ":");
        }
        rb_text_add(out, "]");
        position(v->at, out);
    }
    bool any = false;
    for (int v = 0; v < d->vars.count; v++) {
        const RbFlatVar *var = &d->model->vars.data[v];
        if (var->rank == 0 || d->vars.data[v].whole || !var->size_use) continue;
        if (!any) rb_text_add(out, "arrays taken apart\n");
        any = true;
        rb_text_printf(out, "  %s: %s", var->name, var->size_use);
        position(var->size_use_at, out);
    }
}

void rb_sorted_print(const RbSortedDae *d, RbText *out) {
    rb_text_printf(out, "sorted model %s\n", d->model->name);
    rb_text_printf(out, "parameters (%d)\n", d->parameters.count);
    for (int i = 0; i < d->parameters.count; i++) {
        const RbAssignment *a = &d->parameters.data[i];
        assignment(d, a, "  ", d->model->vars.data[a->var].at, out);
    }
    arrays(d, out);
    states(d, out);
    events(d, out);
    rb_text_add(out, "at the start\n");
    blocks(d, &d->initial_blocks, false, out);
    rb_text_add(out, "at any time\n");
    blocks(d, &d->blocks, true, out);
}
