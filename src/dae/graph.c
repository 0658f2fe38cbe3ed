// SPDX-License-Identifier: MIT
// graph.c: maximum matching by augmenting paths (cheap assignment first, each row remembers where
// it looked for a free column last), and Tarjan's strongly connected components, both with explicit
// stacks.
#include "dae/graph.h"

#include <stdbool.h>

typedef struct Search {
    const RbGraph *g;
    RbMatching m;
    int limit;  // columns from here on are not looked at
    int *cheap; // per row: items before this one are known to be matched
    int *next;  // per row: where the search goes on
    int *stamp; // per row: visited in this search
    int *stack;
} Search;

static void take(Search *s, int row, int column) {
    s->m.column_of_row[row] = column;
    s->m.row_of_column[column] = row;
}

// A free column of the row, or -1. Matched columns stay matched, so the search never starts over.
static int free_column(Search *s, int row) {
    for (; s->cheap[row] < s->g->start[row + 1]; s->cheap[row]++) {
        int c = s->g->items[s->cheap[row]];
        if (c < s->limit && s->m.row_of_column[c] < 0) return c;
    }
    return -1;
}

// The path on the stack ends at a row with a free column: shift all pairs along it.
static void augment(Search *s, int depth, int column) {
    for (int i = depth - 1; i >= 0; i--) {
        int row = s->stack[i], previous = s->m.column_of_row[row];
        take(s, row, column);
        column = previous;
    }
}

static bool search(Search *s, int root, int stamp) {
    int depth = 1;
    s->stack[0] = root;
    s->stamp[root] = stamp;
    s->next[root] = s->g->start[root];
    while (depth > 0) {
        int row = s->stack[depth - 1];
        int c = free_column(s, row);
        if (c >= 0) {
            augment(s, depth, c);
            return true;
        }
        bool deeper = false;
        while (!deeper && s->next[row] < s->g->start[row + 1]) {
            int other = s->m.row_of_column[s->g->items[s->next[row]++]];
            if (other < 0 || s->stamp[other] == stamp) continue;
            s->stamp[other] = stamp;
            s->next[other] = s->g->start[other];
            s->stack[depth++] = other;
            deeper = true;
        }
        if (!deeper) depth--;
    }
    return false;
}

static void match_rows(Search *s, int limit, int *stamp) {
    s->limit = limit;
    for (int r = 0; r < s->g->rows; r++) s->cheap[r] = s->g->start[r];
    for (int r = 0; r < s->g->rows; r++) { // cheap pass
        if (s->m.column_of_row[r] >= 0) continue;
        int c = free_column(s, r);
        if (c >= 0) take(s, r, c);
    }
    for (int r = 0; r < s->g->rows; r++) {
        if (s->m.column_of_row[r] < 0) search(s, r, ++*stamp);
    }
}

RbMatching rb_match(const RbGraph *g, const int limits[RB_GROUPS], RbArena *arena,
                    RbArena scratch) {
    Search s = {.g = g};
    int stamp = 0;
    s.m.column_of_row = rb_new_array(arena, int, g->rows + 1);
    s.m.row_of_column = rb_new_array(arena, int, g->columns + 1);
    s.cheap = rb_new_array(&scratch, int, g->rows + 1);
    s.next = rb_new_array(&scratch, int, g->rows + 1);
    s.stamp = rb_new_array(&scratch, int, g->rows + 1);
    s.stack = rb_new_array(&scratch, int, g->rows + 1);
    for (int c = 0; c < g->columns; c++) s.m.row_of_column[c] = -1;
    for (int r = 0; r < g->rows; r++) s.m.column_of_row[r] = -1;
    for (int i = 0; i < RB_GROUPS; i++) { // a column stays matched when paths are augmented
        if (i == 0 || limits[i] > limits[i - 1]) match_rows(&s, limits[i], &stamp);
    }
    for (int r = 0; r < g->rows; r++) s.m.size += s.m.column_of_row[r] >= 0;
    return s.m;
}

// --- components ----------------------------------------------------------------------------------

typedef struct Tarjan {
    const RbGraph *g;
    const int *row_of_column;
    int *index; // order of discovery from 1; 0: not seen
    int *low;
    int *next;
    unsigned char *open; // on the stack of the component
    int *stack, *path;
    int stacked, clock;
    RbComponents out;
    int filled;
} Tarjan;

static void enter(Tarjan *t, int row, int *depth) {
    t->index[row] = t->low[row] = ++t->clock;
    t->next[row] = t->g->start[row];
    t->stack[t->stacked++] = row;
    t->open[row] = 1;
    t->path[(*depth)++] = row;
}

static void close_component(Tarjan *t, int row) {
    int member;
    do {
        member = t->stack[--t->stacked];
        t->open[member] = 0;
        t->out.rows[t->filled++] = member;
    } while (member != row);
    t->out.start[++t->out.count] = t->filled;
}

static void explore(Tarjan *t, int root) {
    int depth = 0;
    enter(t, root, &depth);
    while (depth > 0) {
        int row = t->path[depth - 1];
        if (t->next[row] < t->g->start[row + 1]) {
            int other = t->row_of_column[t->g->items[t->next[row]++]];
            if (other < 0 || other == row) continue;
            if (t->index[other] == 0)
                enter(t, other, &depth);
            else if (t->open[other] && t->index[other] < t->low[row])
                t->low[row] = t->index[other];
            continue;
        }
        depth--;
        if (t->low[row] == t->index[row]) close_component(t, row);
        if (depth > 0 && t->low[row] < t->low[t->path[depth - 1]])
            t->low[t->path[depth - 1]] = t->low[row];
    }
}

RbComponents rb_components(const RbGraph *g, const int *row_of_column, RbArena *arena,
                           RbArena scratch) {
    int n = g->rows + 1;
    Tarjan t = {.g = g, .row_of_column = row_of_column};
    t.index = rb_new_array(&scratch, int, n);
    t.low = rb_new_array(&scratch, int, n);
    t.next = rb_new_array(&scratch, int, n);
    t.open = rb_new_array(&scratch, unsigned char, n);
    t.stack = rb_new_array(&scratch, int, n);
    t.path = rb_new_array(&scratch, int, n);
    t.out.rows = rb_new_array(arena, int, n);
    t.out.start = rb_new_array(arena, int, n + 1);
    for (int r = 0; r < g->rows; r++) {
        if (t.index[r] == 0) explore(&t, r);
    }
    return t.out;
}

// --- what is wrong with a singular system --------------------------------------------------------

void rb_overdetermined(const RbGraph *g, const RbMatching *m, unsigned char *rows,
                       unsigned char *columns, RbArena scratch) {
    int *queue = rb_new_array(&scratch, int, g->rows + 1), count = 0;
    for (int r = 0; r < g->rows; r++) {
        if (m->column_of_row[r] < 0) {
            rows[r] = 1;
            queue[count++] = r;
        }
    }
    for (int q = 0; q < count; q++) {
        for (int k = g->start[queue[q]]; k < g->start[queue[q] + 1]; k++) {
            int c = g->items[k], other = m->row_of_column[c];
            columns[c] = 1;
            if (other >= 0 && !rows[other]) {
                rows[other] = 1;
                queue[count++] = other;
            }
        }
    }
}

void rb_underdetermined(const RbGraph *g, const RbMatching *m, unsigned char *rows,
                        unsigned char *columns, RbArena scratch) {
    int *first = rb_new_array(&scratch, int, g->columns + 2), total = g->start[g->rows];
    int *users = rb_new_array(&scratch, int, total + 1),
        *queue = rb_new_array(&scratch, int, g->columns + 1), count = 0;
    for (int k = 0; k < total; k++) first[g->items[k] + 1]++;
    for (int c = 0; c < g->columns; c++) first[c + 1] += first[c];
    int *at = rb_new_array(&scratch, int, g->columns + 1);
    for (int c = 0; c < g->columns; c++) at[c] = first[c];
    for (int r = 0; r < g->rows; r++) {
        for (int k = g->start[r]; k < g->start[r + 1]; k++) users[at[g->items[k]]++] = r;
    }
    for (int c = 0; c < g->columns; c++) {
        if (m->row_of_column[c] < 0) {
            columns[c] = 1;
            queue[count++] = c;
        }
    }
    for (int q = 0; q < count; q++) {
        for (int k = first[queue[q]]; k < first[queue[q] + 1]; k++) {
            int r = users[k], c = m->column_of_row[r];
            rows[r] = 1;
            if (c >= 0 && !columns[c]) {
                columns[c] = 1;
                queue[count++] = c;
            }
        }
    }
}
