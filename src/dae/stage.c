// SPDX-License-Identifier: MIT
#include "dae/stage.h"

#include <math.h>

#include "dae/graph.h"
#include "dae/solve.h"
#include "expr/diff.h"

RbConstraintStage rb_stage(RbWork *w, const int *eqs, int eq_count, const int *vars,
                           int var_count) {
    RbConstraintStage s = {.eqs = rb_new_array(w->scratch, int, eq_count + 1),
                           .vars = rb_new_array(w->arena, int, var_count + 1)};
    for (int i = 0; i < eq_count; i++) {
        if (w->dae->eqs.data[eqs[i]].integral >= 0) s.eqs[s.m++] = eqs[i];
    }
    for (int j = 0; j < var_count; j++) {
        if (rb_work_at(w, vars[j])->integral >= 0) s.vars[s.n++] = vars[j];
    }
    return s;
}

// --- derivatives of the constraints --------------------------------------------------------------

static void add_entry(RbWork *w, RbConstraintStage *s, RbStageRow *row, const RbExpr *residual,
                      int column) {
    int v = s->vars[column];
    RbStageEntry e = {column, rb_diff_var(w->x, residual, v, w->model, *w->temp), 0};
    if (!e.slope) e.slope = rb_var(w->x, v, RB_REAL, 0); // unknown: certainly not constant
    if (rb_is_number(e.slope, 0)) return;
    if (!rb_parameter_number(w, e.slope, &e.number)) s->constant[column] = false;
    row->entries[row->count++] = e;
}

static void fill_row(RbWork *w, RbConstraintStage *s, int i, const RbMap *columns) {
    const RbDaeEq *eq = &w->dae->eqs.data[s->eqs[i]];
    const RbExpr *residual = rb_sub(w->x, eq->left, eq->right);
    RbArena nested = *w->nested;
    RbIndices vars = rb_eq_vars(w, eq, &nested);
    s->rows[i].entries = rb_new_array(w->scratch, RbStageEntry, vars.count);
    for (int k = 0; k < vars.count; k++) {
        const uint64_t *column = rb_map_find(columns, (uint64_t)vars.data[k]);
        if (column) add_entry(w, s, &s->rows[i], residual, (int)*column);
    }
}

void rb_stage_fill(RbWork *w, RbConstraintStage *s) {
    RbMap columns = {0};
    s->rows = rb_new_array(w->scratch, RbStageRow, s->m + 1);
    s->constant = rb_new_array(w->scratch, bool, s->n + 1);
    s->dummy = rb_new_array(w->scratch, bool, s->n + 1);
    for (int j = 0; j < s->n; j++) {
        s->constant[j] = true;
        rb_map_set(&columns, w->scratch, (uint64_t)s->vars[j], (uint64_t)j);
    }
    for (int i = 0; i < s->m; i++) fill_row(w, s, i, &columns);
}

const RbExpr **rb_stage_matrix(RbWork *w, const RbConstraintStage *s) {
    int size = s->m * s->n;
    const RbExpr **all = rb_new_array(w->arena, const RbExpr *, size + 1);
    for (int i = 0; i < size; i++) all[i] = rb_real(w->x, 0.0);
    for (int i = 0; i < s->m; i++) {
        for (int k = 0; k < s->rows[i].count; k++)
            all[i * s->n + s->rows[i].entries[k].column] = s->rows[i].entries[k].slope;
    }
    return all;
}

// --- columns -------------------------------------------------------------------------------------

void rb_stage_occupied(const RbConstraintStage *s, bool *columns) {
    for (int j = 0; j < s->n; j++) columns[j] = false;
    for (int i = 0; i < s->m; i++) {
        for (int k = 0; k < s->rows[i].count; k++) columns[s->rows[i].entries[k].column] = true;
    }
}

// Columns move to the left.
void rb_stage_keep(RbWork *w, RbConstraintStage *s, const bool *keep) {
    RbArena temp = *w->temp;
    int *place = rb_new_array(&temp, int, s->n + 1), kept = 0;
    for (int j = 0; j < s->n; j++) {
        if (!keep[j]) continue;
        place[j] = kept;
        s->vars[kept] = s->vars[j];
        s->constant[kept++] = s->constant[j];
    }
    s->n = kept;
    for (int i = 0; i < s->m; i++) {
        RbStageRow *row = &s->rows[i];
        int count = 0;
        for (int k = 0; k < row->count; k++) {
            RbStageEntry e = row->entries[k];
            if (!keep[e.column]) continue;
            e.column = place[e.column];
            row->entries[count++] = e;
        }
        row->count = count;
    }
}

bool rb_stage_suffice(RbWork *w, const RbConstraintStage *s, const bool *columns) {
    int *start = rb_new_array(w->scratch, int, s->m + 1), total = 0, count = 0;
    for (int i = 0; i < s->m; i++) total += s->rows[i].count;
    int *items = rb_new_array(w->scratch, int, total + 1);
    for (int i = 0; i < s->m; i++) {
        for (int k = 0; k < s->rows[i].count; k++) {
            int column = s->rows[i].entries[k].column;
            if (columns[column]) items[count++] = column;
        }
        start[i + 1] = count;
    }
    RbGraph g = {s->m, s->n, start, items};
    return rb_match(&g, (int[]){s->n, s->n, s->n, s->n}, w->scratch, *w->temp).size == s->m;
}

// --- elimination ---------------------------------------------------------------------------------

typedef struct Cell {
    int column;
    double value;
} Cell;

typedef RB_ARRAY(Cell) Cells;
typedef RB_ARRAY(int) Rows;

typedef struct Elimination {
    RbArena *arena;
    Cells *rows;
    Rows *users;     // per column: the rows with a cell in it
    double *largest; // per column: of the entries before anything was eliminated
    bool *used;      // rows that are the pivot of a column
    int *place;      // per column: its cell in the row at hand, plus one
    int64_t room;    // cells that may still be added
} Elimination;

static void add_cell(Elimination *e, int row, int column, double value) {
    rb_array_push(&e->rows[row], e->arena, (Cell){column, value});
    rb_array_push(&e->users[column], e->arena, row);
    e->room--;
}

static Elimination open_elimination(const RbConstraintStage *s, RbArena *arena) {
    enum { GROWTH = 20, FEW = 100000 };
    Elimination e = {.arena = arena,
                     .rows = rb_new_array(arena, Cells, s->m + 1),
                     .users = rb_new_array(arena, Rows, s->n + 1),
                     .largest = rb_new_array(arena, double, s->n + 1),
                     .used = rb_new_array(arena, bool, s->m + 1),
                     .place = rb_new_array(arena, int, s->n + 1)};
    for (int i = 0; i < s->m; i++) {
        for (int k = 0; k < s->rows[i].count; k++) {
            const RbStageEntry *entry = &s->rows[i].entries[k];
            add_cell(&e, i, entry->column, entry->number);
            e.largest[entry->column] = fmax(e.largest[entry->column], fabs(entry->number));
        }
    }
    e.room = GROWTH * -e.room + FEW;
    return e;
}

static double cell(const Elimination *e, int row, int column) {
    for (int k = 0; k < e->rows[row].count; k++) {
        if (e->rows[row].data[k].column == column) return e->rows[row].data[k].value;
    }
    return 0;
}

// The largest entry of a column in rows that are not used yet; -1: none to speak of.
static int find_pivot(const Elimination *e, int column) {
    const double tiny = 1e-10; // relative to the largest entry of the column
    int pivot = -1;
    double best = tiny * e->largest[column];
    for (int k = 0; k < e->users[column].count; k++) {
        int row = e->users[column].data[k];
        double size = e->used[row] ? 0 : fabs(cell(e, row, column));
        if (!(size > best)) continue;
        best = size;
        pivot = row;
    }
    return pivot;
}

// row -= factor * pivot
static void subtract(Elimination *e, int row, double factor, int pivot) {
    Cells *to = &e->rows[row];
    for (int k = 0; k < to->count; k++) e->place[to->data[k].column] = k + 1;
    for (int k = 0; k < e->rows[pivot].count; k++) {
        Cell c = e->rows[pivot].data[k];
        if (e->place[c.column] > 0)
            to->data[e->place[c.column] - 1].value -= factor * c.value;
        else
            add_cell(e, row, c.column, -factor * c.value);
    }
    for (int k = 0; k < to->count; k++) e->place[to->data[k].column] = 0;
}

static void eliminate(Elimination *e, int column, int pivot) {
    double diagonal = cell(e, pivot, column);
    e->used[pivot] = true;
    int count = e->users[column].count;
    for (int k = 0; k < count; k++) {
        int row = e->users[column].data[k];
        double factor = e->used[row] ? 0 : cell(e, row, column) / diagonal;
        if (factor != 0) subtract(e, row, factor, pivot);
    }
}

int rb_stage_choose(RbWork *w, RbConstraintStage *s, const int *order, int count) {
    RbArena temp = *w->temp;
    Elimination e = open_elimination(s, &temp);
    int rank = 0;
    for (int j = 0; j < s->n; j++) s->dummy[j] = false;
    for (int k = 0; k < count && rank < s->m && e.room > 0; k++) {
        int pivot = find_pivot(&e, order[k]);
        if (pivot < 0) continue;
        eliminate(&e, order[k], pivot);
        s->dummy[order[k]] = true;
        rank++;
    }
    return rank;
}
