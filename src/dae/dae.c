// SPDX-License-Identifier: MIT
// dae.c: the stages from a flat model to sorted equations, in order.
#include "dae/dae.h"

#include "dae/work.h"

// What the equations must determine: x and der(x) are one variable, as to their author.
static void count_input(RbWork *w) {
    RbSortedDae *d = w->dae;
    d->stats.equations_in = d->eqs.count;
    for (int v = 0; v < d->vars.count; v++) {
        bool own = v == d->initial_var || v == d->terminal_var;
        d->stats.unknowns_in += !own && !d->vars.data[v].is_der && rb_is_unknown(&d->vars.data[v]);
    }
}

// Arrays come last, so that their sizes move nothing else.
static void order_states(RbSortedDae *d) {
    int scalars = 0;
    for (int i = 0; i < d->states.count; i++) {
        int v = d->states.data[i];
        if (d->vars.data[v].whole) continue;
        for (int k = i; k > scalars; k--) d->states.data[k] = d->states.data[k - 1];
        d->states.data[scalars++] = v;
    }
}

// The place of every variable among those of its kind.
static void number_variables(RbSortedDae *d) {
    for (int v = 0; v < d->vars.count; v++) {
        RbDaeVar *var = &d->vars.data[v];
        if (var->whole) {
            var->slot = d->arrays.count;
            rb_array_push(&d->arrays, d->arena, v);
            continue;
        }
        var->slot = d->kind_counts[var->kind]++;
        if (var->kind == RB_DAE_DISCRETE) rb_array_push(&d->discretes, d->arena, v);
        if (var->kind == RB_DAE_INPUT) rb_array_push(&d->inputs, d->arena, v);
    }
    order_states(d);
    for (int i = 0; i < d->states.count; i++) {
        RbDaeVar *state = &d->vars.data[d->states.data[i]];
        if (!state->whole) state->slot = i;
    }
}

// What a when-clause sets anew must be a state.
static RbStatus check_reinits(RbWork *w) {
    for (int i = 0; i < w->dae->actions.count; i++) {
        const RbAction *a = &w->dae->actions.data[i];
        if (a->kind != RB_ACTION_REINIT || rb_work_at(w, a->state)->kind == RB_DAE_STATE) continue;
        rb_fail(w->diag, RB_ERROR_MODEL, a->at,
                "reinit needs a state, but '%s' is not integrated: %s",
                w->model->vars.data[a->state].name,
                rb_work_at(w, a->state)->derivative < 0
                    ? "its derivative does not occur; set the variable that it follows from"
                    : "it follows from other states; set those, or let StateSelect.always make it "
                      "one");
    }
    return w->diag->error_count > 0 ? RB_ERROR_MODEL : RB_OK;
}

static RbStatus run_stages(RbWork *w, const RbFlatModel *flat) {
    RB_TRY(rb_scalarize(w, flat));
    RB_TRY(rb_collect(w));
    RB_TRY(rb_texts(w));
    rb_warn_of_equalities(w);
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
    rb_inline_calls(w);
    RB_TRY(rb_select_states(w));
    w->states_chosen = true;
    rb_inline_calls(w);
    RB_TRY(check_reinits(w));
    rb_show_tokens(w);
    rb_use_row_solutions(w);
    RB_TRY(rb_sort_blocks(w));
    RB_TRY(rb_sort_initial(w));
    number_variables(w->dae);
    return RB_OK;
}

// Functions learn their derivatives on the way, which are functions of this attempt.
static void copy_functions(RbFlatModel *model, const RbFlatModel *flat, RbArena *arena) {
    model->functions.data = NULL;
    model->functions.count = model->functions.capacity = 0;
    for (int i = 0; i < flat->functions.count; i++) {
        RbFunction *f = rb_new(arena, RbFunction);
        *f = *flat->functions.data[i];
        rb_array_push(&model->functions, arena, f);
    }
}

// One attempt, with the arrays apart that `apart` names.
static RbStatus attempt(const RbFlatModel *flat, const RbDaeOptions *options, RbApart *apart,
                        RbArena *arena, RbArena scratch, RbDiag *diag, RbSortedDae **dae) {
    RbSortedDae *d = rb_new(arena, RbSortedDae);
    d->model = rb_new(arena, RbFlatModel);
    *d->model = *flat;
    d->model->arena = arena;
    copy_functions(d->model, flat, arena);
    d->model->vars.data = NULL;
    d->model->vars.count = d->model->vars.capacity = 0;
    d->exprs = flat->exprs;
    d->arena = arena;
    RbWork w = {.dae = d,
                .arrays = apart,
                .model = d->model,
                .x = d->exprs,
                .arena = arena,
                .scratch = &scratch,
                .calls = {.arena = &scratch},
                .diag = diag,
                .options = options};
    w.temp = rb_arena_child(arena);
    w.nested = rb_arena_child(arena);
    RbStatus status = run_stages(&w, flat);
    rb_arena_free(w.temp);
    rb_arena_free(w.nested);
    *dae = d;
    return status;
}

static int count_apart(const RbApart *a) {
    int count = 0;
    for (int v = 0; v < a->count; v++) count += a->apart[v];
    return count;
}

RbStatus rb_dae_sort(const RbFlatModel *flat, const RbDaeOptions *options, RbArena *arena,
                     RbArena scratch, RbDiag *diag, RbSortedDae **dae) {
    static const RbDaeOptions defaults = {0};
    int vars = flat->vars.count, errors = diag->error_count, messages = diag->messages.count;
    RbApart apart = {
        rb_new_array(arena, bool, vars + 1), rb_new_array(arena, const char *, vars + 1),
        rb_new_array(arena, RbPos, vars + 1), rb_new_array(arena, int, vars + 1), vars};
    RbDaeOptions own = options ? *options : defaults;
    for (;;) {
        int before = count_apart(&apart) + apart.not_states.entries.count;
        RbStatus status = attempt(flat, &own, &apart, arena, scratch, diag, dae);
        if (status == RB_OK) return RB_OK;
        bool whole = (*dae)->any_whole, wished = (*dae)->any_wished;
        *dae = NULL;
        if (!whole && !wished) return status;
        // Errors are told of single elements; another attempt says them again.
        diag->error_count = errors;
        diag->messages.count = messages;
        if (count_apart(&apart) + apart.not_states.entries.count > before) continue;
        if (wished)
            own.only_derivatives = true;
        else
            own.no_whole_arrays = true;
    }
}
