// SPDX-License-Identifier: MIT
// stage.h: constraints at one level of derivatives, and the variables that they could determine;
// for states.c. The matrix of derivatives has few entries in each row, however many constraints
// hang together.
#pragma once

#include "dae/work.h"

typedef struct RbStageEntry {
    int column;
    const RbExpr *slope; // derivative of the constraint; not the number 0
    double number;       // its value, if its column is constant
} RbStageEntry;

typedef struct RbStageRow {
    RbStageEntry *entries;
    int count;
} RbStageRow;

typedef struct RbConstraintStage {
    int *eqs; // differentiated equations: each has an integral
    int m;
    int *vars; // candidates: each has an integral
    int n;
    RbStageRow *rows; // m
    bool *constant;   // per column: its entries follow from parameters
    bool *dummy;      // per column: chosen
} RbConstraintStage;

// Constraints and candidates that are derivatives, of some equations and variables.
RbConstraintStage rb_stage(RbWork *w, const int *eqs, int eq_count, const int *vars, int var_count);

// The derivatives of the constraints with respect to the candidates.
void rb_stage_fill(RbWork *w, RbConstraintStage *s);

// Keep the marked columns only.
void rb_stage_keep(RbWork *w, RbConstraintStage *s, const bool *keep);

// Mark the columns that some constraint contains.
void rb_stage_occupied(const RbConstraintStage *s, bool *columns);

// Can every constraint have one of the marked columns for its own?
bool rb_stage_suffice(RbWork *w, const RbConstraintStage *s, const bool *columns);

// Gaussian elimination over the given constant columns, in this order: a column that adds to the
// rank becomes a dummy. Answers the rank.
int rb_stage_choose(RbWork *w, RbConstraintStage *s, const int *order, int count);

// All derivatives, m x n, for the choice at run time.
const RbExpr **rb_stage_matrix(RbWork *w, const RbConstraintStage *s);
