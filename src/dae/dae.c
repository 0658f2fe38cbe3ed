// SPDX-License-Identifier: MIT
// dae.c: the stages from a flat model to sorted equations, in order.
#include "dae/dae.h"

#include "dae/work.h"

static void count_input(RbWork *w) {
    w->dae->stats.equations_in = w->dae->eqs.count;
    for (int v = 0; v < w->dae->vars.count; v++)
        w->dae->stats.unknowns_in += rb_is_unknown(rb_work_at(w, v));
}

// The place of every variable among those of its kind.
static void number_variables(RbSortedDae *d) {
    for (int v = 0; v < d->vars.count; v++) {
        RbDaeVar *var = &d->vars.data[v];
        var->slot = d->kind_counts[var->kind]++;
        if (var->kind == RB_DAE_DISCRETE) rb_array_push(&d->discretes, d->arena, v);
        if (var->kind == RB_DAE_INPUT) rb_array_push(&d->inputs, d->arena, v);
    }
    for (int i = 0; i < d->states.count; i++) d->vars.data[d->states.data[i]].slot = i;
}

static RbStatus run_stages(RbWork *w, const RbFlatModel *flat) {
    RB_TRY(rb_scalarize(w, flat));
    RB_TRY(rb_collect(w));
    RB_TRY(rb_relations(w));
    count_input(w);
    RB_TRY(rb_parameters(w));
    RB_TRY(rb_simplify_model(w));
    RB_TRY(rb_drop_vanishing(w));
    RB_TRY(rb_aliases(w));
    RB_TRY(rb_simplify_pairs(w));
    RB_TRY(rb_eliminate_sums(w));
    rb_hide_tokens(w);
    RB_TRY(rb_pantelides(w));
    RB_TRY(rb_select_states(w));
    rb_show_tokens(w);
    RB_TRY(rb_sort_blocks(w));
    RB_TRY(rb_sort_initial(w));
    number_variables(w->dae);
    return RB_OK;
}

RbStatus rb_dae_sort(const RbFlatModel *flat, const RbDaeOptions *options, RbArena *arena,
                     RbArena scratch, RbDiag *diag, RbSortedDae **dae) {
    static const RbDaeOptions defaults = {0};
    RbSortedDae *d = rb_new(arena, RbSortedDae);
    d->model = rb_new(arena, RbFlatModel);
    *d->model = *flat;
    d->model->arena = arena;
    d->model->vars.data = NULL;
    d->model->vars.count = d->model->vars.capacity = 0;
    d->exprs = flat->exprs;
    d->arena = arena;
    RbWork w = {.dae = d,
                .model = d->model,
                .x = d->exprs,
                .arena = arena,
                .scratch = &scratch,
                .diag = diag};
    w.options = options ? options : &defaults;
    w.temp = rb_arena_child(arena);
    w.nested = rb_arena_child(arena);
    RbStatus status = run_stages(&w, flat);
    rb_arena_free(w.temp);
    rb_arena_free(w.nested);
    *dae = status == RB_OK ? d : NULL;
    return status;
}
