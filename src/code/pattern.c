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

static Sets find_sets(const RbProgram *program, RbArena *scratch, RbArena *pass) {
    const RbSortedDae *d = program->dae;
    Sets sets = {rb_new_array(scratch, int *, d->vars.count + 1),
                 rb_new_array(scratch, int, d->vars.count + 1),
                 rb_new_array(scratch, int, d->vars.count + 1)};
    unsigned *seen = rb_new_array(scratch, unsigned, d->states.count + 1), stamp = 0;
    int *buffer = rb_new_array(scratch, int, d->states.count + 1);
    for (int i = 0; i < d->states.count; i++) sets.state[d->states.data[i]] = i;
    for (int k = 0; k < d->blocks.count; k++) {
        if (d->blocks.data[k].needed)
            block_sets(d, &d->blocks.data[k], &sets, seen, &stamp, buffer, scratch, *pass);
    }
    return sets;
}

RbStatePattern rb_program_pattern(const RbProgramInstance *in, RbArena *arena, RbArena scratch) {
    const RbSortedDae *d = in->program->dae;
    RbArena *pass = rb_arena_child(arena);
    Sets sets = find_sets(in->program, &scratch, pass);
    RbStatePattern p = {.start = rb_new_array(arena, int, rb_program_states(in) + 1)};
    Columns columns = {0};
    for (int i = 0, row = 0; i < d->states.count; i++) {
        int v = d->vars.data[d->states.data[i]].derivative, count;
        state_range(in, i, &count);
        for (int n = 0; n < count; n++) {
            if (d->vars.data[v].kind == RB_DAE_STATE)
                add_columns(in, sets.state[v], &columns, arena);
            for (int k = 0; d->vars.data[v].kind != RB_DAE_STATE && k < sets.counts[v]; k++)
                add_columns(in, sets.items[v][k], &columns, arena);
            p.start[++row] = columns.count;
        }
    }
    p.columns = columns.data;
    rb_arena_free(pass);
    return p;
}
