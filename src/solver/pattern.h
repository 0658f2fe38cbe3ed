// SPDX-License-Identifier: MIT
// pattern.h: which entries of a square Jacobian can be different from zero, in compressed columns,
// and a colouring of its columns for difference quotients.
//
//     RbEntry entries[] = {{0, 0}, {0, 1}, {1, 0}};
//     RbPattern pattern = rb_pattern(2, entries, 3, arena, scratch);
//     values[rb_pattern_find(&pattern, 0, 1)] = 4.5;
#pragma once

#include <stdbool.h>

#include "base/arena.h"

typedef struct RbEntry {
    int row;
    int col;
} RbEntry;

// Column j holds the rows row_index[col_start[j]] .. row_index[col_start[j + 1] - 1], rising. The
// diagonal is always part of it, because an implicit step needs I - gamma J in the same place.
typedef struct RbPattern {
    int n;
    int count;      // entries
    int *col_start; // n + 1
    int *row_index; // count
    int *diagonal;  // n; where entry (j, j) is
} RbPattern;

// The entries in any order; doubles are merged and the diagonal is added.
RbPattern rb_pattern(int n, const RbEntry *entries, int count, RbArena *keep, RbArena scratch);

// Index of an entry, or -1 if the pattern does not have it.
int rb_pattern_find(const RbPattern *pattern, int row, int col);

// Columns of one group share no row, so one extra evaluation of the function gives the difference
// quotients of all of them: Curtis, Powell, Reid 1974, https://doi.org/10.1093/imamat/13.1.117.
typedef struct RbColouring {
    int count;        // groups
    int *group_start; // count + 1
    int *column; // n; columns of group g: column[group_start[g]] .. column[group_start[g + 1] - 1]
    // The arrays have room for this size and are used again by the next update.
    int n, capacity;
    int *row_start, *row_columns, *colour, *mark;
} RbColouring;

// Colour the pattern (greedily, in column order: least possible for banded patterns). A zero
// colouring gets its arrays from the arena, which grow only when the pattern does; n must stay what
// it was.
void rb_colouring_update(RbColouring *colouring, const RbPattern *pattern, RbArena *arena);
