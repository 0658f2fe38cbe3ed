// SPDX-License-Identifier: MIT
// blocks.h: from matched equations to blocks in order of evaluation (block lower triangular form).
#pragma once

#include "dae/incidence.h"
#include "dae/work.h"

// Sort the rows of `in`, which are matched to its columns, and append blocks. eqs are the equations
// that in.row_eqs refers to.
RbStatus rb_build_blocks(RbWork *w, const RbIncidence *in, const RbMatching *m, const RbDaeEq *eqs,
                         RbBlocks *blocks);

// What is continuous in the system of the run: its equations, and its unknowns.
bool rb_is_run_equation(const RbDaeEq *eq);
int rb_is_run_unknown(RbWork *w, int v);

// Append var := value, which follows from equation eq.
void rb_assign_block(RbWork *w, RbBlocks *blocks, int var, const RbExpr *value, int eq,
                     bool discrete);

// Equations of whole vectors that depend on each other, if they can be solved as linear equations
// for one of them: whole_system.c. False: they cannot.
bool rb_whole_system(RbWork *w, const RbDaeEq *eqs, const int *block_eqs, const int *vars,
                     int count, RbBlocks *blocks);
