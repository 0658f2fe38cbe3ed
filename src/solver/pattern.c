// SPDX-License-Identifier: MIT
#include "solver/pattern.h"

#include <string.h>

#include "base/assert.h"

// Entries sorted by column, then row, by two stable counting sorts: rows first, then columns.
static void sort_entries(int n, RbEntry *entries, int count, RbArena scratch) {
    RbEntry *other = rb_new_array(&scratch, RbEntry, count);
    int *start = rb_new_array(&scratch, int, n + 1);
    for (int k = 0; k < count; k++) start[entries[k].row + 1]++;
    for (int i = 0; i < n; i++) start[i + 1] += start[i];
    for (int k = 0; k < count; k++) other[start[entries[k].row]++] = entries[k];

    memset(start, 0, sizeof *start * (size_t)(n + 1));
    for (int k = 0; k < count; k++) start[other[k].col + 1]++;
    for (int j = 0; j < n; j++) start[j + 1] += start[j];
    for (int k = 0; k < count; k++) entries[start[other[k].col]++] = other[k];
}

// Drop doubles from sorted entries; the number left.
static int merge_entries(RbEntry *entries, int count) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        RbEntry e = entries[k];
        bool twice = kept > 0 && entries[kept - 1].row == e.row && entries[kept - 1].col == e.col;
        if (!twice) entries[kept++] = e;
    }
    return kept;
}

RbPattern rb_pattern(int n, const RbEntry *entries, int count, RbArena *keep, RbArena scratch) {
    RbEntry *all = rb_new_array(&scratch, RbEntry, (size_t)count + (size_t)n);
    for (int k = 0; k < count; k++) {
        RB_ASSERT(entries[k].row >= 0 && entries[k].row < n);
        RB_ASSERT(entries[k].col >= 0 && entries[k].col < n);
        all[k] = entries[k];
    }
    for (int j = 0; j < n; j++) all[count + j] = (RbEntry){j, j};
    sort_entries(n, all, count + n, scratch);
    int kept = merge_entries(all, count + n);

    RbPattern p = {.n = n,
                   .count = kept,
                   .col_start = rb_new_array(keep, int, n + 1),
                   .row_index = rb_new_array(keep, int, kept),
                   .diagonal = rb_new_array(keep, int, n)};
    for (int k = 0; k < kept; k++) {
        p.col_start[all[k].col + 1]++;
        p.row_index[k] = all[k].row;
        if (all[k].row == all[k].col) p.diagonal[all[k].row] = k;
    }
    for (int j = 0; j < n; j++) p.col_start[j + 1] += p.col_start[j];
    return p;
}

int rb_pattern_find(const RbPattern *p, int row, int col) {
    int low = p->col_start[col], high = p->col_start[col + 1] - 1;
    while (low <= high) {
        int middle = low + (high - low) / 2;
        if (p->row_index[middle] == row) return middle;
        if (p->row_index[middle] < row) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
}

// ---- colouring ----

static void make_room(RbColouring *c, const RbPattern *p, RbArena *arena) {
    if (!c->row_start) {
        c->n = p->n;
        c->group_start = rb_new_array(arena, int, p->n + 1);
        c->column = rb_new_array(arena, int, p->n);
        c->row_start = rb_new_array(arena, int, p->n + 1);
        c->colour = rb_new_array(arena, int, p->n);
        c->mark = rb_new_array(arena, int, p->n + 1);
    }
    RB_ASSERT(c->n == p->n);
    if (p->count > c->capacity) {
        // Doubling keeps what is left behind in the arena below the size of the array itself.
        c->capacity = p->count > 2 * c->capacity ? p->count : 2 * c->capacity;
        c->row_columns = rb_new_array(arena, int, c->capacity);
    }
}

// The same pattern by rows.
static void transpose(RbColouring *c, const RbPattern *p) {
    memset(c->row_start, 0, sizeof(int) * (size_t)(p->n + 1));
    for (int k = 0; k < p->count; k++) c->row_start[p->row_index[k] + 1]++;
    for (int i = 0; i < p->n; i++) c->row_start[i + 1] += c->row_start[i];
    int *next = c->mark;
    memcpy(next, c->row_start, sizeof(int) * (size_t)p->n);
    for (int j = 0; j < p->n; j++) {
        for (int k = p->col_start[j]; k < p->col_start[j + 1]; k++) {
            c->row_columns[next[p->row_index[k]]++] = j;
        }
    }
}

// The lowest colour that no earlier column with a common row has. mark[colour] == j: taken.
static int lowest_free_colour(RbColouring *c, const RbPattern *p, int j) {
    for (int k = p->col_start[j]; k < p->col_start[j + 1]; k++) {
        int row = p->row_index[k];
        for (int m = c->row_start[row]; m < c->row_start[row + 1]; m++) {
            if (c->row_columns[m] >= j) break;
            c->mark[c->colour[c->row_columns[m]]] = j;
        }
    }
    int colour = 0;
    while (c->mark[colour] == j) colour++;
    return colour;
}

void rb_colouring_update(RbColouring *c, const RbPattern *p, RbArena *arena) {
    make_room(c, p, arena);
    transpose(c, p);
    for (int j = 0; j <= p->n; j++) c->mark[j] = -1;
    c->count = 0;
    for (int j = 0; j < p->n; j++) {
        c->colour[j] = lowest_free_colour(c, p, j);
        if (c->colour[j] >= c->count) c->count = c->colour[j] + 1;
    }
    // Columns sorted by colour.
    memset(c->group_start, 0, sizeof(int) * (size_t)(p->n + 1));
    for (int j = 0; j < p->n; j++) c->group_start[c->colour[j] + 1]++;
    for (int g = 0; g < c->count; g++) c->group_start[g + 1] += c->group_start[g];
    memcpy(c->mark, c->group_start, sizeof(int) * (size_t)p->n);
    for (int j = 0; j < p->n; j++) c->column[c->mark[c->colour[j]]++] = j;
}
