// SPDX-License-Identifier: MIT
// reduce.h: elimination of candidates from constraints where a pivot is a number, whatever the other entries are; for states.c.
#pragma once

#include "dae/stage.h"

typedef struct RbPivots {
    int *row_of; // per column: the row that determines it, or -1
    bool *used;  // per row: it determines a column
} RbPivots;

// In the order of the columns, each is determined by a row that has a number other than zero in it and can be integrated no more often
// than the column, if there is one; then it is eliminated from the rows that determine nothing yet, whose entries become expressions.
// Columns of equal rank (per column) may change places, so that few entries arise. False: too many arose.
bool rb_stage_reduce(RbWork *w, RbConstraintStage *s, const int *order, const int *rank,
                     RbPivots *out);

// How many times an equation, or a variable, can be integrated.
int rb_depth_of_eq(const RbWork *w, int eq);
int rb_depth_of_var(const RbWork *w, int var);
