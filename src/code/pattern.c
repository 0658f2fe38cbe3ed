// SPDX-License-Identifier: MIT
// pattern.c: which states the derivative of each state depends on. A whole array counts as one:
// each of its elements depends on all that the array depends on.
#include <string.h>

#include "code/instance.h"
#include "code/layout.h"

typedef struct Sets { // states (by their place in RbSortedDae.states) that each variable depends on
    int **items;
    int *counts;
    int *state; // variable -> its place among the states
    // As residuals: what the rows of systems that are not solved depend on, by the variable whose
    // derivative is the unknown. NULL: all systems are solved.
    int **row_items;
    int *row_counts;
} Sets;

static void gather(const RbSortedDae *d, const RbExpr *e, Sets *sets, unsigned *seen,
                   unsigned stamp, int *out, int *count, RbArena scratch) {
    RbIndices vars = rb_expr_vars(d->exprs, e, &scratch);
    for (int i = 0; i < vars.count; i++) {
        int v = vars.data[i];
        const int *items = sets->items[v];
        int own = sets->state[v], n = sets->counts[v];
        if (d->vars.data[v].kind == RB_DAE_STATE) {
            items = &own;
            n = 1;
        }
        for (int k = 0; k < n; k++) {
            if (seen[items[k]] == stamp) continue;
            seen[items[k]] = stamp;
            out[(*count)++] = items[k];
        }
    }
}

static void keep(Sets *sets, int var, const int *items, int count, RbArena *arena) {
    sets->items[var] = rb_new_array(arena, int, count + 1);
    if (count > 0) memcpy(sets->items[var], items, (size_t)count * sizeof *items);
    sets->counts[var] = count;
}

static void block_sets(const RbSortedDae *d, const RbBlock *b, Sets *sets, unsigned *seen,
                       unsigned *stamp, int *buffer, RbArena *arena, RbArena pass) {
    int count = 0;
    ++*stamp;
    for (int i = 0; i < b->assign_count; i++)
        gather(d, b->assigns[i].value, sets, seen, *stamp, buffer, &count, pass);
    for (int i = 0; i < b->size; i++)
        gather(d, b->residuals[i], sets, seen, *stamp, buffer, &count, pass);
    for (int i = 0; i < b->assign_count; i++) keep(sets, b->assigns[i].var, buffer, count, arena);
    for (int i = 0; i < b->size; i++) keep(sets, b->unknowns[i], buffer, count, arena);
}

// A system that is not solved: its unknowns are given with the states they belong to, and its rows
// depend on no more than what stands in them.
static void residual_sets(const RbSortedDae *d, const RbBlock *b, Sets *sets, unsigned *seen,
                          unsigned *stamp, int *buffer, RbArena *arena, RbArena pass) {
    for (int i = 0; i < b->size; i++) {
        int own = sets->state[d->vars.data[b->unknowns[i]].integral];
        keep(sets, b->unknowns[i], &own, 1, arena);
    }
    for (int i = 0; i < b->assign_count; i++) {
        int count = 0;
        gather(d, b->assigns[i].value, sets, seen, ++*stamp, buffer, &count, pass);
        keep(sets, b->assigns[i].var, buffer, count, arena);
    }
    for (int i = 0; i < b->size; i++) {
        int v = b->unknowns[i], count = 0;
        gather(d, b->residuals[i], sets, seen, ++*stamp, buffer, &count, pass);
        sets->row_items[v] = rb_new_array(arena, int, count + 1);
        memcpy(sets->row_items[v], buffer, (size_t)count * sizeof *buffer);
        sets->row_counts[v] = count;
    }
}

// First place and number of elements of state i in x.
static int state_range(const RbProgramInstance *in, int i, int *count) {
    const RbSortedDae *d = in->program->dae;
    const RbDaeVar *v = &d->vars.data[d->states.data[i]];
    const int *sizes = v->whole ? &in->sizes[RB_SIZES * v->slot] : NULL;
    *count = sizes ? sizes[RB_SIZES_COUNT] : 1;
    return sizes ? sizes[RB_SIZES_AT] : i;
}

typedef RB_ARRAY(int) Columns;

static void add_columns(const RbProgramInstance *in, int i, Columns *columns, RbArena *arena) {
    int count, first = state_range(in, i, &count);
    for (int k = 0; k < count; k++) rb_array_push(columns, arena, first + k);
}

static Sets find_sets(const RbProgram *program, bool residuals, RbArena *scratch, RbArena *pass) {
    const RbSortedDae *d = program->dae;
    Sets sets = {rb_new_array(scratch, int *, d->vars.count + 1),
                 rb_new_array(scratch, int, d->vars.count + 1),
                 rb_new_array(scratch, int, d->vars.count + 1)};
    if (residuals) {
        sets.row_items = rb_new_array(scratch, int *, d->vars.count + 1);
        sets.row_counts = rb_new_array(scratch, int, d->vars.count + 1);
    }
    unsigned *seen = rb_new_array(scratch, unsigned, d->states.count + 1), stamp = 0;
    int *buffer = rb_new_array(scratch, int, d->states.count + 1);
    for (int i = 0; i < d->states.count; i++) sets.state[d->states.data[i]] = i;
    for (int k = 0; k < d->blocks.count; k++) {
        const RbBlock *b = &d->blocks.data[k];
        if (!b->needed) continue;
        if (residuals && b->residual_form)
            residual_sets(d, b, &sets, seen, &stamp, buffer, scratch, *pass);
        else
            block_sets(d, b, &sets, seen, &stamp, buffer, scratch, *pass);
    }
    return sets;
}

static RbStatePattern pattern(const RbProgramInstance *in, bool residuals, RbArena *arena,
                              RbArena scratch) {
    const RbSortedDae *d = in->program->dae;
    RbArena *pass = rb_arena_child(arena);
    Sets sets = find_sets(in->program, residuals, &scratch, pass);
    RbStatePattern p = {.start = rb_new_array(arena, int, rb_program_states(in) + 1)};
    Columns columns = {0};
    for (int i = 0, row = 0; i < d->states.count; i++) {
        int v = d->vars.data[d->states.data[i]].derivative, count;
        bool is_row = residuals && sets.row_items[v];
        const int *items = is_row ? sets.row_items[v] : sets.items[v];
        int item_count = is_row ? sets.row_counts[v] : sets.counts[v];
        state_range(in, i, &count);
        for (int n = 0; n < count; n++) {
            if (d->vars.data[v].kind == RB_DAE_STATE)
                add_columns(in, sets.state[v], &columns, arena);
            for (int k = 0; d->vars.data[v].kind != RB_DAE_STATE && k < item_count; k++)
                add_columns(in, items[k], &columns, arena);
            p.start[++row] = columns.count;
        }
    }
    p.columns = columns.data;
    rb_arena_free(pass);
    return p;
}

RbStatePattern rb_program_pattern(const RbProgramInstance *in, RbArena *arena, RbArena scratch) {
    return pattern(in, false, arena, scratch);
}

RbStatePattern rb_program_residual_pattern(const RbProgramInstance *in, RbArena *arena,
                                           RbArena scratch) {
    return pattern(in, true, arena, scratch);
}
