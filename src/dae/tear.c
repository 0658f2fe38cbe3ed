// SPDX-License-Identifier: MIT
// tear.c: tearing (Cellier; docs/theory/dae.md, section 7). As long as an equation has one unknown
// left and can be solved for it safely, that is an inner assignment; if there is none, the unknown
// that occurs in most of the remaining equations becomes an iteration variable. What remains are
// the residual equations. Safely: the coefficient is a number or follows from parameters, and is
// not zero.
#include "dae/tear.h"

#include "dae/solve.h"
#include "expr/diff.h"
#include "expr/simplify.h"

typedef struct Entry { // variable (place in the system) of an equation
    int var;
    bool safe;           // may be solved for
    const RbExpr *slope; // derivative of the residual; NULL: not known
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

static void survey_equation(System *s, int row) {
    RbWork *w = s->w;
    const RbDaeEq *eq = &s->all[s->eqs[row]];
    const RbExpr *r = rb_sub(w->x, eq->left, eq->right);
    RbIndices vars = rb_expr_vars(w->x, r, w->scratch);
    s->rows[row] = rb_new_array(w->scratch, Entry, vars.count + 1);
    for (int i = 0; i < vars.count; i++) {
        int p = place_of(s, vars.data[i]);
        if (p < 0) continue;
        const RbExpr *slope = rb_diff_var(w->x, r, vars.data[i], w->model, *w->temp);
        if (!slope)
            s->symbolic = s->linear = false;
        else if (!free_of_system(s, slope))
            s->linear = false;
        Entry entry = {p, slope && safe_slope(s, slope), slope};
        s->rows[row][s->row_counts[row]++] = entry;
        s->occurs[p]++;
    }
    s->left[row] = s->row_counts[row];
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
        now_known(s, entry->var, ready);
    }
}

static int most_used(const System *s) {
    int best = -1;
    for (int p = 0; p < s->count; p++) {
        if (!s->known[p] && (best < 0 || s->occurs[p] > s->occurs[best])) best = p;
    }
    return best;
}

static void tear(System *s, RbBlock *block) {
    Ints ready = {0};
    int next = 0;
    block->unknowns = rb_new_array(s->w->arena, int, s->count + 1);
    block->eqs = rb_new_array(s->w->arena, int, s->count + 1);
    block->assigns = rb_new_array(s->w->arena, RbAssignment, s->count + 1);
    for (;;) {
        if (!s->w->options->no_tearing) run_ready(s, &ready, &next, block);
        int p = most_used(s);
        if (p < 0) break;
        block->unknowns[block->size++] = s->vars[p];
        now_known(s, p, &ready);
    }
    int residuals = 0;
    for (int r = 0; r < s->count; r++) {
        if (!s->used[r]) block->eqs[residuals++] = s->eqs[r];
    }
}

// --- derivatives through the inner variables -----------------------------------------------------

typedef struct Chain {
    System *s;
    const RbExpr ***by; // place -> derivative with respect to each iteration variable, NULL = 0
    int column;
} Chain;

static const RbExpr *chain_seed(void *user, const RbExpr *leaf) {
    const Chain *c = user;
    if (leaf->op != RB_OP_VAR) return NULL;
    int p = place_of(c->s, leaf->index);
    return p >= 0 && c->by[p] ? c->by[p][c->column] : NULL;
}

static const RbExpr *chain_diff(Chain *c, const RbExpr *e, int column, bool *ok) {
    RbDiff d = {.model = c->s->w->model, .seed = chain_seed, .user = c};
    c->column = column;
    const RbExpr *result = rb_diff(c->s->w->x, e, &d, *c->s->w->temp);
    if (!result) *ok = false;
    return result;
}

static void fill_jacobian(System *s, RbBlock *block) {
    RbWork *w = s->w;
    int n = block->size;
    bool ok = true;
    Chain c = {.s = s, .by = rb_new_array(w->scratch, const RbExpr **, s->count + 1)};
    for (int j = 0; j < n; j++) {
        const RbExpr **by = c.by[place_of(s, block->unknowns[j])] =
            rb_new_array(w->scratch, const RbExpr *, n);
        by[j] = rb_real(w->x, 1.0);
    }
    for (int k = 0; k < block->assign_count; k++) {
        const RbExpr **by = rb_new_array(w->scratch, const RbExpr *, n + 1);
        for (int j = 0; j < n && ok; j++) {
            const RbExpr *d = chain_diff(&c, block->assigns[k].value, j, &ok);
            by[j] = d && rb_is_number(d, 0) ? NULL : d;
        }
        c.by[place_of(s, block->assigns[k].var)] = by;
    }
    block->jacobian = rb_new_array(w->arena, const RbExpr *, n *n + 1);
    block->constant_matrix = block->kind == RB_BLOCK_LINEAR;
    for (int i = 0; i < n && ok; i++) {
        for (int j = 0; j < n && ok; j++) {
            const RbExpr *d = chain_diff(&c, block->residuals[i], j, &ok);
            block->jacobian[i * n + j] = d;
            if (d && block->constant_matrix && !rb_is_parametric(w, d))
                block->constant_matrix = false;
        }
    }
    if (!ok) block->jacobian = NULL;
}

RbStatus rb_system_block(RbWork *w, const RbDaeEq *all, const int *eqs, const int *vars, int count,
                         RbBlocks *blocks) {
    System s = open_system(w, all, eqs, vars, count);
    RbBlock block = {.kind = s.linear ? RB_BLOCK_LINEAR : RB_BLOCK_NONLINEAR, .full_size = count};
    tear(&s, &block);
    block.residuals = rb_new_array(w->arena, const RbExpr *, block.size + 1);
    for (int i = 0; i < block.size; i++) {
        const RbDaeEq *eq = &all[block.eqs[i]];
        block.residuals[i] = rb_sub(w->x, eq->left, eq->right);
    }
    if (s.symbolic) fill_jacobian(&s, &block);
    if (!block.jacobian) block.kind = RB_BLOCK_NONLINEAR;
    if (count > w->dae->stats.largest_system) w->dae->stats.largest_system = count;
    if (block.size > w->dae->stats.largest_torn) w->dae->stats.largest_torn = block.size;
    rb_array_push(blocks, w->arena, block);
    return RB_OK;
}
