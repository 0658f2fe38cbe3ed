// SPDX-License-Identifier: MIT
// pattern.c: which states the derivative of each state depends on, element by element also where
// arrays are whole: T[2:n] - T[1:n - 1] is a band, and what a parameter matrix multiplies by zero
// does not count. Every expression has a list of sets of states: one per element, or a single one
// for all. With derivatives that are given (residual.h), the place of a state plus the number of
// places in x stands for its derivative.
#include "program/extent.h"

#include "expr/builtins.h"
#include "program/program_instance.h"
#include "program/layout.h"

typedef struct Set {
    const int *items; // places in x, of states or of derivatives that are given
    int count;
} Set;

typedef struct Sets {
    Set *list;
    int count; // 1: the same for all elements
} Sets;

typedef struct Pattern {
    const RbProgramInstance *in;
    const RbSortedDae *dae;
    RbExtents extents;
    RbArena *arena; // the sets
    RbArena *pass;  // passed by value only
    Sets *of;       // by variable
    // As residuals: what the rows of systems that are not solved depend on, by the variable whose
    // derivative is the unknown. NULL: all systems are solved.
    Sets *rows;
    int *first;  // by variable: where it begins in x, if it is a state
    int *stamps; // by place in x
    int stamp;
    RB_ARRAY(int) buffer; // the union at hand
} Pattern;

static const Set nothing = {0};

// --- sets ----------------------------------------------------------------------------------------

static void begin_union(Pattern *p) {
    p->stamp++;
    p->buffer.count = 0;
}

static void add_set(Pattern *p, Set s) {
    for (int i = 0; i < s.count; i++) {
        if (p->stamps[s.items[i]] == p->stamp) continue;
        p->stamps[s.items[i]] = p->stamp;
        rb_array_push(&p->buffer, p->arena, s.items[i]);
    }
}

static void add_all(Pattern *p, Sets s) {
    for (int i = 0; i < s.count; i++) add_set(p, s.list[i]);
}

static Set end_union(Pattern *p) {
    int *items = rb_new_array(p->arena, int, p->buffer.count + 1);
    for (int i = 0; i < p->buffer.count; i++) items[i] = p->buffer.data[i];
    return (Set){items, p->buffer.count};
}

static Set element_of(Sets s, int k) {
    return s.count == 0 ? nothing : s.list[s.count == 1 ? 0 : k];
}

static Sets new_sets(Pattern *p, int count) {
    return (Sets){rb_new_array(p->arena, Set, count + 1), count};
}

static Sets single(Pattern *p, Set s) {
    Sets out = new_sets(p, 1);
    out.list[0] = s;
    return out;
}

// --- expressions ---------------------------------------------------------------------------------

static Sets sets_of(Pattern *p, const RbExpr *e);

// What all elements together depend on.
static Sets of_everything(Pattern *p, const RbExpr *e) {
    RbArena pass = *p->pass;
    RbIndices vars = rb_expr_vars(p->dae->exprs, e, &pass);
    begin_union(p);
    for (int i = 0; i < vars.count; i++) add_all(p, p->of[vars.data[i]]);
    return single(p, end_union(p));
}

static bool has_arrays(Pattern *p, const RbExpr *e) {
    RbArena pass = *p->pass;
    RbExprOrder order = rb_expr_order(p->dae->exprs, &e, 1, &pass);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->rank > 0) return true;
    }
    return false;
}

static int size_of(Pattern *p, const RbExpr *e) {
    RbExtent s = rb_extent_of(&p->extents, e);
    return rb_extent_count(&s);
}

static Sets of_elementwise(Pattern *p, const RbExpr *e) {
    Sets args[8], out = {0};
    bool even = true;
    if (e->arg_count > 8) return of_everything(p, e);
    for (int i = 0; i < e->arg_count; i++) {
        args[i] = sets_of(p, e->args[i]);
        even = even && args[i].count <= 1;
    }
    int count = even ? 1 : size_of(p, e);
    out = new_sets(p, count);
    for (int k = 0; k < count; k++) {
        begin_union(p);
        for (int i = 0; i < e->arg_count; i++) add_set(p, element_of(args[i], k));
        out.list[k] = end_union(p);
    }
    return out;
}

static Sets of_slice(Pattern *p, const RbExpr *e) {
    Sets whole = sets_of(p, e->args[0]);
    if (whole.count <= 1) return whole;
    RbSlice s = rb_slice_of(&p->extents, e);
    int columns = s.shape.rank > 1 ? s.shape.dims[1] : 1;
    Sets out = new_sets(p, rb_extent_count(&s.shape));
    for (int k = 0; k < out.count; k++)
        out.list[k] =
            element_of(whole, s.first + k / columns * s.step[0] + k % columns * s.step[1]);
    return out;
}

static Sets of_parts(Pattern *p, const RbExpr *e) {
    Sets out = new_sets(p, size_of(p, e));
    int first = e->op == RB_OP_ARRAY ? 0 : 1, at = 0;
    for (int i = first; i < e->arg_count; i++) {
        Sets part = sets_of(p, e->args[i]);
        int count = e->args[i]->rank > 0 ? size_of(p, e->args[i]) : 1;
        for (int k = 0; k < count && at < out.count; k++) out.list[at++] = element_of(part, k);
    }
    return out;
}

// The numbers of a parameter; NULL: not known, or not always the same.
static const double *numbers_of(Pattern *p, const RbExpr *e) {
    if (e->op != RB_OP_VAR || p->dae->vars.data[e->index].kind != RB_DAE_PARAMETER ||
        !p->dae->vars.data[e->index].whole)
        return NULL;
    return p->in->area[RB_AREA_P] + p->in->sizes[RB_SIZES * p->dae->vars.data[e->index].slot];
}

// A v and A B with a matrix A of parameters: row by row, what is not multiplied by zero.
static Sets of_product(Pattern *p, const RbExpr *e) {
    const RbExpr *a = e->args[0], *b = e->args[1];
    const double *numbers = numbers_of(p, a);
    if (a->rank == 0 || b->rank == 0) return of_elementwise(p, e);
    if (a->rank != 2 || !numbers) return of_everything(p, e);
    RbExtent s = rb_extent_of(&p->extents, a), t = rb_extent_of(&p->extents, b);
    int columns = b->rank > 1 ? t.dims[1] : 1;
    Sets right = sets_of(p, b), out = new_sets(p, s.dims[0] * columns);
    for (int k = 0; k < out.count; k++) {
        begin_union(p);
        for (int j = 0; j < s.dims[1]; j++) {
            if (numbers[k / columns * s.dims[1] + j] != 0)
                add_set(p, element_of(right, j * columns + k % columns));
        }
        out.list[k] = end_union(p);
    }
    return out;
}

static bool is_elementwise(RbBuiltin f) {
    return rb_builtin_has(f, RB_TRAIT_SMOOTH) || f == RB_FN_ABS || f == RB_FN_NO_EVENT || f == RB_FN_TO_REAL;
}

static Sets sets_of(Pattern *p, const RbExpr *e) {
    if (e->op == RB_OP_VAR) return p->of[e->index];
    if (e->arg_count == 0 || !p->dae->any_whole || !has_arrays(p, e)) return of_everything(p, e);
    if (e->op != RB_OP_MUL && rb_is_elementwise(e)) return of_elementwise(p, e);
    switch ((RbOp)e->op) {
        case RB_OP_IF: return of_elementwise(p, e);
        case RB_OP_MUL: return of_product(p, e);
        case RB_OP_ARRAY: return of_parts(p, e);
        case RB_OP_SUBSCRIPT: return of_slice(p, e);
        case RB_OP_BUILTIN: break;
        default: return of_everything(p, e);
    }
    if (e->index == RB_FN_CAT) return of_parts(p, e);
    if (e->index == RB_FN_FILL) return of_everything(p, e->args[0]);
    return is_elementwise((RbBuiltin)e->index) ? of_elementwise(p, e) : of_everything(p, e);
}

// --- variables -----------------------------------------------------------------------------------

static void place_states(Pattern *p) {
    for (int i = 0; i < p->dae->states.count; i++) {
        int v = p->dae->states.data[i];
        const RbDaeVar *var = &p->dae->vars.data[v];
        const int *sizes = var->whole ? &p->in->sizes[RB_SIZES * var->slot] : NULL;
        p->first[v] = sizes ? sizes[RB_SIZES_AT] : i;
        p->of[v] = new_sets(p, sizes ? sizes[RB_SIZES_COUNT] : 1);
        int *own = rb_new_array(p->arena, int, p->of[v].count + 1);
        for (int k = 0; k < p->of[v].count; k++) {
            own[k] = p->first[v] + k;
            p->of[v].list[k] = (Set){&own[k], 1};
        }
    }
}

// A system: each of its variables depends on all that any of its equations has.
static void place_system(Pattern *p, const RbBlock *b) {
    RbArena pass = *p->pass;
    begin_union(p);
    for (int i = 0; i < b->assign_count + b->size; i++) {
        const RbExpr *e =
            i < b->assign_count ? b->assigns[i].value : b->residuals[i - b->assign_count];
        RbIndices vars = rb_expr_vars(p->dae->exprs, e, &pass);
        for (int k = 0; k < vars.count; k++) add_all(p, p->of[vars.data[k]]);
    }
    Sets all = single(p, end_union(p));
    for (int i = 0; i < b->assign_count; i++) p->of[b->assigns[i].var] = all;
    for (int i = 0; i < b->size; i++) p->of[b->unknowns[i]] = all;
}

// A system that is not solved: its unknowns are given with the states they belong to, and its rows
// depend on no more than what stands in them.
static void place_residuals(Pattern *p, const RbBlock *b) {
    int *given = rb_new_array(p->arena, int, b->size + 1);
    for (int i = 0; i < b->size; i++) { // scalars
        int state = p->dae->vars.data[b->unknowns[i]].integral;
        given[i] = rb_program_states(p->in) + p->first[state];
        p->of[b->unknowns[i]] = single(p, (Set){&given[i], 1});
    }
    for (int i = 0; i < b->assign_count; i++)
        p->of[b->assigns[i].var] = sets_of(p, b->assigns[i].value);
    for (int i = 0; i < b->size; i++) p->rows[b->unknowns[i]] = sets_of(p, b->residuals[i]);
}

static void place_blocks(Pattern *p) {
    for (int k = 0; k < p->dae->blocks.count; k++) {
        const RbBlock *b = &p->dae->blocks.data[k];
        if (!b->needed) continue;
        if (p->rows && b->residual_form)
            place_residuals(p, b);
        else if (b->kind == RB_BLOCK_ASSIGN)
            p->of[b->assigns[0].var] = sets_of(p, b->assigns[0].value);
        else
            place_system(p, b);
    }
}

static Pattern open_pattern(const RbProgramInstance *in, bool residuals, RbArena *arena,
                            RbArena *scratch) {
    const RbSortedDae *d = in->program->dae;
    Pattern p = {.in = in,
                 .dae = d,
                 .arena = scratch,
                 .pass = rb_arena_child(arena),
                 .of = rb_new_array(scratch, Sets, d->vars.count + 1),
                 .first = rb_new_array(scratch, int, d->vars.count + 1),
                 .stamps = rb_new_array(scratch, int, 2 * rb_program_states(in) + 1)};
    if (residuals) p.rows = rb_new_array(scratch, Sets, d->vars.count + 1);
    p.extents = rb_present_extents(in, scratch);
    place_states(&p);
    place_blocks(&p);
    return p;
}

// Only items from `first` on, as many as there are places in x.
static RbStatePattern read_pattern(const Pattern *p, int first, RbArena *arena) {
    int places = rb_program_states(p->in);
    RbStatePattern out = {.start = rb_new_array(arena, int, places + 1)};
    RB_ARRAY(int) columns = {0};
    for (int i = 0, row = 0; i < p->dae->states.count; i++) {
        int v = p->dae->states.data[i], derivative = p->dae->vars.data[v].derivative;
        bool is_row = p->rows && p->rows[derivative].list;
        Sets s = is_row ? p->rows[derivative] : p->of[derivative];
        for (int k = 0; k < p->of[v].count; k++) {
            Set own = element_of(s, k);
            for (int n = 0; n < own.count; n++) {
                int place = own.items[n] - first;
                if (place >= 0 && place < places) rb_array_push(&columns, arena, place);
            }
            out.start[++row] = columns.count;
        }
    }
    out.columns = columns.data;
    return out;
}

RbStatePattern rb_program_pattern(const RbProgramInstance *in, RbArena *arena, RbArena scratch) {
    Pattern p = open_pattern(in, false, arena, &scratch);
    RbStatePattern out = read_pattern(&p, 0, arena);
    rb_arena_free(p.pass);
    return out;
}

RbStatePattern rb_program_residual_pattern(const RbProgramInstance *in, RbArena *arena,
                                           RbArena scratch, RbStatePattern *given) {
    Pattern p = open_pattern(in, true, arena, &scratch);
    RbStatePattern out = read_pattern(&p, 0, arena);
    *given = read_pattern(&p, rb_program_states(in), arena);
    rb_arena_free(p.pass);
    return out;
}
