// SPDX-License-Identifier: MIT
// reduce.c: dummies that certainly follow from a constraint, and what the other constraints say once these are eliminated
// (docs/theory/dae.md, section 5).
//
// A position r_b = r_a + R r has the coefficient 1, so r_b follows from this constraint wherever the joint stands, although the entries of
// R are no numbers. What is left of a mechanism are the constraints that close its loops, in terms of the coordinates of its joints.
#include "dae/reduce.h"

#include <math.h>

#include "dae/solve.h"

int rb_depth_of_eq(const RbWork *w, int eq) {
    int depth = 0;
    while ((eq = w->dae->eqs.data[eq].integral) >= 0) depth++;
    return depth;
}

int rb_depth_of_var(const RbWork *w, int var) {
    int depth = 0;
    while ((var = w->dae->vars.data[var].integral) >= 0) depth++;
    return depth;
}

typedef struct Term {
    int column;
    bool known; // `number` is its value
    double number;
    const RbExpr *slope;
} Term;

typedef struct Line {
    RB_ARRAY(Term) terms;
    int depth;
} Line;

typedef RB_ARRAY(int) RowList;

typedef struct Reduction {
    RbWork *w;
    RbArena *arena;
    Line *lines;
    RowList *users; // per column: rows that have, or had, a term in it
    int *place;     // per column: its term in the row at hand, plus one
    int *live;      // per column: rows without a pivot that have a term in it
    bool *used;
    int64_t room; // terms that may still be added
} Reduction;

static void add_term(Reduction *r, int row, Term t) {
    rb_array_push(&r->lines[row].terms, r->arena, t);
    rb_array_push(&r->users[t.column], r->arena, row);
    r->live[t.column]++;
    r->room--;
}

static void open_reduction(Reduction *r, const RbConstraintStage *s) {
    enum { GROWTH = 20, FEW = 20000 };
    r->lines = rb_new_array(r->arena, Line, s->m + 1);
    r->users = rb_new_array(r->arena, RowList, s->n + 1);
    r->place = rb_new_array(r->arena, int, s->n + 1);
    r->live = rb_new_array(r->arena, int, s->n + 1);
    for (int i = 0; i < s->m; i++) {
        r->lines[i].depth = rb_depth_of_eq(r->w, s->eqs[i]);
        for (int k = 0; k < s->rows[i].count; k++) {
            const RbStageEntry *e = &s->rows[i].entries[k];
            Term t = {.column = e->column, .slope = e->slope};
            t.known = rb_parameter_number(r->w, e->slope, &t.number);
            if (!t.known || t.number != 0) add_term(r, i, t);
        }
    }
    r->room = GROWTH * -r->room + FEW;
}

static Term *term_of(const Reduction *r, int row, int column) {
    Line *line = &r->lines[row];
    for (int k = 0; k < line->terms.count; k++) {
        if (line->terms.data[k].column == column) return &line->terms.data[k];
    }
    return NULL;
}

// The shortest row without a pivot that certainly determines the column, at every level of derivatives; -1: none.
static int find_row(const Reduction *r, int column, int depth) {
    int best = -1;
    for (int k = 0; k < r->users[column].count; k++) {
        int row = r->users[column].data[k];
        if (r->used[row] || r->lines[row].depth > depth) continue;
        const Term *t = term_of(r, row, column);
        if (!t || !t->known) continue;
        if (best < 0 || r->lines[row].terms.count < r->lines[best].terms.count) best = row;
    }
    return best;
}

// a - factor * b
static Term difference(Reduction *r, Term a, Term factor, Term b) {
    RbExprs *x = r->w->x;
    Term t = {.column = b.column, .known = a.known && factor.known && b.known};
    if (t.known) {
        t.number = a.number - factor.number * b.number;
        if (fabs(t.number) <= 1e-10 * fabs(a.number)) t.number = 0;
        t.slope = rb_real(x, t.number);
    } else {
        t.slope = rb_sub(x, a.slope, rb_mul(x, factor.slope, b.slope));
        t.known = rb_constant_value(t.slope, &t.number);
    }
    return t;
}

static void drop_zeros(Reduction *r, int row) {
    Line *line = &r->lines[row];
    int count = 0;
    for (int k = 0; k < line->terms.count; k++) {
        Term t = line->terms.data[k];
        if (t.known && t.number == 0)
            r->live[t.column]--;
        else
            line->terms.data[count++] = t;
    }
    line->terms.count = count;
}

// Eliminates the column of the pivot from a row.
static void subtract(Reduction *r, int row, int pivot_row, int column) {
    RbExprs *x = r->w->x;
    Line *line = &r->lines[row];
    Term *own = term_of(r, row, column), pivot = *term_of(r, pivot_row, column), factor = *own;
    factor.number = own->known ? own->number / pivot.number : 0;
    factor.slope =
        own->known ? rb_real(x, factor.number) : rb_div(x, own->slope, rb_real(x, pivot.number));
    *own = (Term){.column = column, .known = true, .slope = own->slope};
    for (int k = 0; k < line->terms.count; k++) r->place[line->terms.data[k].column] = k + 1;
    for (int k = 0; k < r->lines[pivot_row].terms.count; k++) {
        Term b = r->lines[pivot_row].terms.data[k];
        if (b.column == column) continue;
        if (r->place[b.column] > 0) {
            Term *a = &line->terms.data[r->place[b.column] - 1];
            *a = difference(r, *a, factor, b);
        } else {
            Term none = {.column = b.column, .known = true, .slope = rb_real(x, 0.0)};
            add_term(r, row, difference(r, none, factor, b));
        }
    }
    for (int k = 0; k < line->terms.count; k++) r->place[line->terms.data[k].column] = 0;
    drop_zeros(r, row);
}

static void take(Reduction *r, int column, int row) {
    r->used[row] = true;
    for (int k = 0; k < r->lines[row].terms.count; k++)
        r->live[r->lines[row].terms.data[k].column]--;
    int count = r->users[column].count;
    for (int k = 0; k < count; k++) {
        int other = r->users[column].data[k];
        if (!r->used[other] && term_of(r, other, column)) subtract(r, other, row, column);
    }
}

// One pass over columns [from, to) of the order; those that only one row contains come first, since they add nothing to the others.
static bool pass(Reduction *r, const RbConstraintStage *s, const int *order, int from, int to,
                 int live, RbPivots *out) {
    bool any = false;
    for (int k = from; k < to && r->room > 0; k++) {
        int column = order[k];
        if (out->row_of[column] >= 0 || r->live[column] == 0 || r->live[column] > live) continue;
        int row = find_row(r, column, rb_depth_of_var(r->w, s->vars[column]));
        if (row < 0) continue;
        out->row_of[column] = row;
        take(r, column, row);
        any = true;
        if (live > 1) return true;
    }
    return any;
}

static void write_back(const Reduction *r, RbConstraintStage *s) {
    for (int i = 0; i < s->m; i++) {
        const Line *line = &r->lines[i];
        s->rows[i].entries = rb_new_array(r->w->scratch, RbStageEntry, line->terms.count + 1);
        s->rows[i].count = line->terms.count;
        for (int k = 0; k < line->terms.count; k++) {
            const Term *t = &line->terms.data[k];
            s->rows[i].entries[k] = (RbStageEntry){t->column, t->slope, t->number};
        }
    }
}

bool rb_stage_reduce(RbWork *w, RbConstraintStage *s, const int *order, const int *rank,
                     RbPivots *out) {
    Reduction r = {.w = w, .arena = w->scratch};
    out->row_of = rb_new_array(w->scratch, int, s->n + 1);
    out->used = r.used = rb_new_array(w->scratch, bool, s->m + 1);
    for (int j = 0; j < s->n; j++) out->row_of[j] = -1;
    open_reduction(&r, s);
    for (int from = 0, to; from < s->n; from = to) {
        for (to = from + 1; to < s->n && rank[order[to]] == rank[order[from]];) to++;
        while (pass(&r, s, order, from, to, 1, out) || pass(&r, s, order, from, to, s->m, out)) {
        }
    }
    if (r.room <= 0) return false;
    write_back(&r, s);
    return true;
}
