// SPDX-License-Identifier: MIT
// residual.c: linear systems whose unknowns are derivatives of states, as rows of an implicit
// solver (docs/theory/dae.md, section 7).
#include "program/residual.h"

#include <string.h>

#include "program/program_instance.h"
#include "program/systems.h"

bool rb_system_is_residual(const RbCodeSystem *system) {
    return system->block->residual_form && !system->initial;
}

static bool uses(const RbSortedDae *d, const RbExpr *e, const bool *marked, RbArena scratch) {
    RbIndices vars = rb_expr_vars(d->exprs, e, &scratch);
    for (int i = 0; i < vars.count; i++) {
        if (marked[vars.data[i]]) return true;
    }
    return false;
}

static bool block_uses(const RbSortedDae *d, const RbBlock *b, const bool *marked,
                       RbArena scratch) {
    for (int i = 0; i < b->assign_count; i++) {
        if (uses(d, b->assigns[i].value, marked, scratch)) return true;
    }
    for (int i = 0; i < b->size; i++) {
        if (uses(d, b->residuals[i], marked, scratch)) return true;
    }
    return false;
}

// Does an event indicator depend on what such a system computes?
static bool indicators_depend(const RbSortedDae *d, RbArena scratch) {
    bool *marked = rb_new_array(&scratch, bool, d->vars.count + 1);
    for (int k = 0; k < d->blocks.count; k++) {
        const RbBlock *b = &d->blocks.data[k];
        if (!b->residual_form && !block_uses(d, b, marked, scratch)) continue;
        for (int i = 0; i < b->assign_count; i++) marked[b->assigns[i].var] = true;
        for (int i = 0; i < b->size; i++) marked[b->unknowns[i]] = true;
    }
    for (int i = 0; i < d->relations.count; i++) {
        if (uses(d, d->relations.data[i].left, marked, scratch) ||
            uses(d, d->relations.data[i].right, marked, scratch))
            return true;
    }
    return false;
}

static void add_slopes(const RbCodeSystem *s, RbResidualForm *form) {
    for (int k = 0; k < s->block->matrix_count; k++) {
        const RbMatrixEntry *e = &s->block->matrix[k];
        form->slopes[form->slope_count++] =
            (struct RbGivenEntry){s->unknowns[e->row].index, s->unknowns[e->column].index};
    }
}

static int count_slopes(const RbLowered *l) {
    int count = 0;
    for (int k = 0; k < l->systems.count; k++) {
        if (rb_system_is_residual(&l->systems.data[k]))
            count += l->systems.data[k].block->matrix_count;
    }
    return count;
}

RbResidualForm rb_residual_form(const RbLowered *l, RbArena *arena, RbArena scratch) {
    RbResidualForm form = {.implicit = rb_new_array(arena, bool, rb_area_size(l, RB_AREA_X) + 1)};
    form.system = rb_new_array(arena, int, rb_area_size(l, RB_AREA_X) + 1);
    for (int i = 0; i < rb_area_size(l, RB_AREA_X); i++) form.system[i] = -1;
    form.slopes = rb_new_array(arena, struct RbGivenEntry, count_slopes(l) + 1);
    for (int k = 0; k < l->systems.count; k++) {
        const RbCodeSystem *s = &l->systems.data[k];
        if (!rb_system_is_residual(s)) continue;
        add_slopes(s, &form);
        form.system_count++;
        form.count += s->block->size;
        if (s->block->size > form.largest) form.largest = s->block->size;
        for (int i = 0; i < s->block->size; i++) {
            form.implicit[s->unknowns[i].index] = true;
            form.system[s->unknowns[i].index] = k;
        }
    }
    form.indicators_depend = form.count > 0 && indicators_depend(l->dae, scratch);
    return form;
}

int rb_take_residual(RbProgramInstance *in, int k, RbSystemFunction *evaluate) {
    const RbCodeSystem *system = &in->program->lowered->systems.data[k];
    RbSystemWork *s = &in->systems[k];
    for (int i = 0; i < s->size; i++) s->y[i] = in->given[system->unknowns[i].index];
    evaluate(&in->frame, s->y, s->r, in->matrices_wanted ? s->a : NULL);
    return 0;
}

RbStatus rb_program_residuals(RbProgramInstance *in, double time, const double *x,
                              const double *given, double *r) {
    const RbLowered *l = in->program->lowered;
    in->given = given;
    RbStatus status = rb_program_derivatives(in, time, x, r);
    in->given = NULL;
    for (int k = 0; k < l->systems.count; k++) {
        const RbCodeSystem *system = &l->systems.data[k];
        if (!rb_system_is_residual(system)) continue;
        for (int i = 0; i < system->block->size; i++)
            r[system->unknowns[i].index] = in->systems[k].r[i];
    }
    return status;
}

RbStatus rb_program_residual_slopes(RbProgramInstance *in, double time, const double *x,
                                    const double *given, double *values) {
    const RbLowered *l = in->program->lowered;
    in->given = given;
    in->matrices_wanted = true;
    RbStatus status = rb_program_derivatives(in, time, x, in->frame.dx);
    in->given = NULL;
    in->matrices_wanted = false;
    for (int k = 0, n = 0; k < l->systems.count; k++) {
        const RbBlock *b = l->systems.data[k].block;
        if (!rb_system_is_residual(&l->systems.data[k])) continue;
        for (int i = 0; i < b->matrix_count; i++)
            values[n++] = in->systems[k].a[rb_matrix_place(b, i)];
    }
    return status;
}
