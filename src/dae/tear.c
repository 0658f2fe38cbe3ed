// SPDX-License-Identifier: MIT
// tear.c: tearing (Cellier; docs/theory/dae.md, section 7). As long as an equation has one unknown
// left and can be solved for it safely, that is an inner assignment; if there is none, the unknown
// that occurs in most of the remaining equations becomes an iteration variable. What remains are
// the residual equations. Safely: the coefficient is a number or follows from parameters, and is
// not zero.
#include "dae/tear.h"

#include "dae/matrix.h"
#include "dae/solve.h"

typedef struct Entry { // variable (place in the system) of an equation
    int var;
    bool safe; // may be solved for
} Entry;

typedef struct System {
    RbWork *w;
    const RbDaeEq *all;
    const int *eqs, *vars;
    int count;
    RbMap places;
    Entry **rows;
    int *row_counts;
    int *left;          // per equation: unknowns not yet known
    int *occurs;        // per variable: in how many open equations
    bool *known, *used; // variables; equations
    bool *tokens;       // variables that only order calls
    int *depths;        // per variable: of assignments that lead from the unknowns to it
    int depth;          // the longest
    int **users;        // per variable: equations
    int *user_counts;
    bool linear, symbolic;
} System;

static int place_of(const System *s, int var) {
    uint64_t *found = rb_map_find(&s->places, (uint64_t)var);
    return found ? (int)*found : -1;
}

static bool free_of_system(System *s, const RbExpr *e) {
    RbArena temp = *s->w->temp;
    RbIndices vars = rb_expr_vars(s->w->x, e, &temp);
    for (int i = 0; i < vars.count; i++) {
        if (place_of(s, vars.data[i]) >= 0) return false;
    }
    return true;
}

static bool safe_slope(System *s, const RbExpr *slope) {
    double number;
    return rb_parameter_number(s->w, slope, &number) && number != 0;
}

static bool is_unknown(void *system, int var) {
    return place_of(system, var) >= 0;
}

static void survey_equation(System *s, int row) {
    RbWork *w = s->w;
    const RbDaeEq *eq = &s->all[s->eqs[row]];
    const RbExpr *r = rb_sub(w->x, eq->left, eq->right);
    if (rb_is_token_eq(w, eq)) s->tokens[place_of(s, eq->left->index)] = true;
    RbSlopes slopes = rb_slopes(w, r, is_unknown, s, w->scratch);
    if (s->linear && rb_switches(w, r, is_unknown, s)) s->linear = false;
    s->rows[row] = rb_new_array(w->scratch, Entry, slopes.count + 1);
    for (int i = 0; i < slopes.count; i++) {
        const RbExpr *slope = slopes.data[i].value;
        if (!slope)
            s->symbolic = s->linear = false;
        else if (!free_of_system(s, slope))
            s->linear = false;
        int p = place_of(s, slopes.data[i].var);
        s->rows[row][s->row_counts[row]++] = (Entry){p, slope && safe_slope(s, slope)};
        s->occurs[p]++;
    }
}

static void list_users(System *s) {
    RbArena *a = s->w->scratch;
    for (int p = 0; p < s->count; p++) s->users[p] = rb_new_array(a, int, s->occurs[p] + 1);
    for (int r = 0; r < s->count; r++) {
        for (int k = 0; k < s->row_counts[r]; k++) {
            int p = s->rows[r][k].var;
            s->users[p][s->user_counts[p]++] = r;
        }
    }
}

static System open_system(RbWork *w, const RbDaeEq *all, const int *eqs, const int *vars,
                          int count) {
    RbArena *a = w->scratch;
    System s = {.w = w,
                .all = all,
                .eqs = eqs,
                .vars = vars,
                .count = count,
                .linear = true,
                .symbolic = true};
    s.rows = rb_new_array(a, Entry *, count + 1);
    s.row_counts = rb_new_array(a, int, count + 1);
    s.left = rb_new_array(a, int, count + 1);
    s.occurs = rb_new_array(a, int, count + 1);
    s.known = rb_new_array(a, bool, count + 1);
    s.used = rb_new_array(a, bool, count + 1);
    s.tokens = rb_new_array(a, bool, count + 1);
    s.depths = rb_new_array(a, int, count + 1);
    s.users = rb_new_array(a, int *, count + 1);
    s.user_counts = rb_new_array(a, int, count + 1);
    for (int p = 0; p < count; p++) rb_map_set(&s.places, a, (uint64_t)vars[p], (uint64_t)p);
    for (int r = 0; r < count; r++) survey_equation(&s, r);
    list_users(&s);
    return s;
}

// --- the greedy choice ---------------------------------------------------------------------------

typedef RB_ARRAY(int) Ints;

static void now_known(System *s, int p, Ints *ready) {
    s->known[p] = true;
    for (int k = 0; k < s->user_counts[p]; k++) {
        int r = s->users[p][k];
        if (--s->left[r] == 1 && !s->used[r]) rb_array_push(ready, s->w->scratch, r);
    }
}

static void note_depth(System *s, int row, int p) {
    int depth = 0;
    for (int k = 0; k < s->row_counts[row]; k++) {
        int other = s->rows[row][k].var;
        if (other != p && s->depths[other] > depth) depth = s->depths[other];
    }
    s->depths[p] = depth + 1;
    if (depth + 1 > s->depth) s->depth = depth + 1;
}

// Solve the equations that have one unknown left, as far as that goes.
static void run_ready(System *s, Ints *ready, int *next, RbBlock *block) {
    for (; *next < ready->count; (*next)++) {
        int r = ready->data[*next];
        if (s->used[r] || s->left[r] != 1) continue;
        const Entry *entry = NULL;
        for (int k = 0; k < s->row_counts[r]; k++) {
            if (!s->known[s->rows[r][k].var]) entry = &s->rows[r][k];
        }
        if (!entry || !entry->safe) continue;
        const RbDaeEq *eq = &s->all[s->eqs[r]];
        int v = s->vars[entry->var];
        const RbExpr *value = rb_solve_for(s->w, eq->left, eq->right, v);
        if (!value) continue;
        s->used[r] = true;
        for (int k = 0; k < s->row_counts[r]; k++) s->occurs[s->rows[r][k].var]--;
        block->assigns[block->assign_count++] = (RbAssignment){v, value, s->eqs[r]};
        note_depth(s, r, entry->var);
        now_known(s, entry->var, ready);
    }
}

// A token stands for memory that the function before has filled: to guess it would be to call the
// next function on what an earlier iteration left there. It follows when its arguments are known.
static int most_used(const System *s) {
    int best = -1, token = -1;
    for (int p = 0; p < s->count; p++) {
        if (s->known[p]) continue;
        if (s->tokens[p])
            token = p;
        else if (best < 0 || s->occurs[p] > s->occurs[best])
            best = p;
    }
    return best >= 0 ? best : token;
}

// Nothing is known yet.
static void open_block(System *s, RbBlock *block) {
    block->size = block->assign_count = 0;
    block->residual_form = false;
    s->depth = 0;
    for (int p = 0; p < s->count; p++) {
        s->known[p] = s->used[p] = false;
        s->depths[p] = s->occurs[p] = 0;
    }
    for (int r = 0; r < s->count; r++) {
        s->left[r] = s->row_counts[r];
        for (int k = 0; k < s->row_counts[r]; k++) s->occurs[s->rows[r][k].var]++;
    }
}

static void tear(System *s, RbBlock *block, bool assign) {
    Ints ready = {0};
    int next = 0;
    open_block(s, block);
    for (int p = 0; p < s->count && !assign; p++) block->unknowns[block->size++] = s->vars[p];
    while (assign) {
        run_ready(s, &ready, &next, block);
        int p = most_used(s);
        if (p < 0) break;
        block->unknowns[block->size++] = s->vars[p];
        now_known(s, p, &ready);
    }
}

// --- how a linear system is solved ---------------------------------------------------------------

// Tearing solves row after row without exchanging pivots. A dozen unknowns that are left, and short
// rows of assignments, are solved well and quickly this way. In a long row (a ladder of resistors)
// an error grows from cell to cell, by 2.6 if all resistors are equal: 30 assignments leave 10
// digits. Larger systems are left to sparse elimination with pivoting, unless a component hands out a
// full matrix: that is as large as what is left, and sparse elimination would work on it entry by entry.
enum { TORN_MAX = 16, DEPTH_MAX = 30 };

static int count_entries(const System *s) {
    int count = 0;
    for (int r = 0; r < s->count; r++) count += s->row_counts[r];
    return count;
}

static bool is_derivative(System *s, int p) {
    return rb_work_at(s->w, s->vars[p])->kind == RB_DAE_DERIVATIVE;
}

// Are there rows whose coefficients a component hands out? It computes the whole matrix in one call;
// a residual would cost as much as the solution.
static bool has_component_rows(System *s) {
    RbWork *w = s->w;
    RbArena temp = *w->temp;
    bool *handed_out = rb_new_array(&temp, bool, w->dae->vars.count + 1);
    for (int i = 0; i < w->dae->eqs.count; i++) {
        const RbDaeEq *eq = &w->dae->eqs.data[i];
        if (eq->left->op == RB_OP_VAR && rb_is_component_call(w, eq->right))
            handed_out[eq->left->index] = true;
    }
    for (int r = 0; r < s->count; r++) {
        const RbDaeEq *eq = &s->all[s->eqs[r]];
        RbIndices vars = rb_expr_vars(w->x, rb_sub(w->x, eq->left, eq->right), &temp);
        for (int i = 0; i < vars.count; i++) {
            if (handed_out[vars.data[i]]) return true;
        }
    }
    return false;
}

// The derivatives of states are the unknowns, and everything else follows from them, step by step.
// False: it does not, or there are few.
static bool tear_derivatives(System *s, RbBlock *block) {
    int least = s->w->options->residual_min, found = 0, next = 0;
    if (least == 0) least = RB_RESIDUAL_MIN;
    for (int p = 0; p < s->count; p++) found += is_derivative(s, p);
    if (found < least || has_component_rows(s)) return false;
    Ints ready = {0};
    open_block(s, block);
    for (int p = 0; p < s->count; p++) {
        if (!is_derivative(s, p)) continue;
        block->unknowns[block->size++] = s->vars[p];
        now_known(s, p, &ready);
    }
    run_ready(s, &ready, &next, block);
    block->residual_form = true;
    return block->size + block->assign_count == s->count;
}

static void choose_unknowns(System *s, RbBlock *block) {
    bool whole = s->w->options->no_tearing;
    if (s->linear && !whole && tear_derivatives(s, block)) return;
    tear(s, block, !whole);
    if (!s->linear || whole) return;
    if (s->depth <= DEPTH_MAX && (block->size <= TORN_MAX || has_component_rows(s))) return;
    if (rb_sparse_pays(s->count, count_entries(s))) tear(s, block, false);
}

static void list_residuals(System *s, RbBlock *block) {
    int n = 0;
    for (int r = 0; r < s->count; r++) {
        if (!s->used[r]) block->eqs[n++] = s->eqs[r];
    }
    block->residuals = rb_new_array(s->w->arena, const RbExpr *, block->size + 1);
    for (int i = 0; i < block->size; i++) {
        const RbDaeEq *eq = &s->all[block->eqs[i]];
        block->residuals[i] = rb_sub(s->w->x, eq->left, eq->right);
    }
}

RbStatus rb_system_block(RbWork *w, const RbDaeEq *all, const int *eqs, const int *vars, int count,
                         RbBlocks *blocks) {
    System s = open_system(w, all, eqs, vars, count);
    RbBlock block = {.kind = s.linear ? RB_BLOCK_LINEAR : RB_BLOCK_NONLINEAR, .full_size = count};
    block.unknowns = rb_new_array(w->arena, int, count + 1);
    block.eqs = rb_new_array(w->arena, int, count + 1);
    block.assigns = rb_new_array(w->arena, RbAssignment, count + 1);
    choose_unknowns(&s, &block);
    list_residuals(&s, &block);
    if (!s.symbolic || !rb_system_matrix(w, &block)) {
        block.kind = RB_BLOCK_NONLINEAR;
        block.matrix = NULL;
    }
    if (count > w->dae->stats.largest_system) w->dae->stats.largest_system = count;
    if (block.size > w->dae->stats.largest_torn) w->dae->stats.largest_torn = block.size;
    rb_array_push(blocks, w->arena, block);
    return RB_OK;
}
