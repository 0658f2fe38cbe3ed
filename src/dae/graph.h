// SPDX-License-Identifier: MIT
// graph.h: equations (rows) against unknowns (columns): matching and strongly connected components,
// without recursion.
#pragma once

#include "base/array.h"

typedef struct RbGraph {
    int rows, columns;
    const int *start; // row r holds items[start[r]] ... items[start[r + 1] - 1]
    const int *items; // columns
} RbGraph;

typedef struct RbMatching {
    int *column_of_row; // -1: none
    int *row_of_column;
    int size;
} RbMatching;

// A largest set of pairs (row, column), each row and column at most once. Rows are served in their
// order and try their columns in order, so columns that come first in a row are preferred. Columns
// come in groups, and limits[i] is the end of group i: as many columns as possible of the first
// group are matched, then as many of the next.
enum { RB_GROUPS = 4 };
RbMatching rb_match(const RbGraph *graph, const int limits[RB_GROUPS], RbArena *arena,
                    RbArena scratch);

// Rows in an order such that a row comes after all rows whose columns it uses; rows that need each
// other form a component.
typedef struct RbComponents {
    int *rows;  // all matched rows, component by component
    int *start; // component c: rows[start[c]] ... rows[start[c + 1] - 1]
    int count;
} RbComponents;
RbComponents rb_components(const RbGraph *graph, const int *row_of_column, RbArena *arena,
                           RbArena scratch);

// Rows and columns that can be reached from unmatched rows by alternating paths (more equations
// than unknowns), or from unmatched columns (more unknowns than equations). marks: 1 for members.
void rb_overdetermined(const RbGraph *graph, const RbMatching *m, unsigned char *rows,
                       unsigned char *columns, RbArena scratch);
void rb_underdetermined(const RbGraph *graph, const RbMatching *m, unsigned char *rows,
                        unsigned char *columns, RbArena scratch);
