// SPDX-License-Identifier: MIT
// matrix.h: derivatives of many expressions by many variables, of which each has few: the matrix of
// a system of equations.
#pragma once

#include "dae/work.h"

// Derivative of an expression by one variable; NULL: it has none.
typedef struct RbSlope {
    int var;
    const RbExpr *value;
} RbSlope;

// The variables that occur in e, in ascending order, with the derivatives of e by each of those
// that `wanted` is true for. Long sums are differentiated term by term, so that a row of n products
// takes n steps and not n^2.
typedef RB_ARRAY(RbSlope) RbSlopes;
RbSlopes rb_slopes(RbWork *w, const RbExpr *e, bool (*wanted)(void *user, int var), void *user,
                   RbArena *arena);

// Does e choose by the value of such a variable: in the condition of an if-expression, or by floor,
// sign and the like? Then it is not linear, whatever its slopes are.
bool rb_switches(RbWork *w, const RbExpr *e, bool (*wanted)(void *user, int var), void *user);

// Is a linear system of n unknowns with this many entries solved faster by sparse elimination?
// Small ones are not: there a dense step costs next to nothing, while a sparse one looks up its
// rows.
static inline bool rb_sparse_pays(int n, int entries) {
    enum { SMALLEST = 16, SHARE = 5 };
    return n > SMALLEST && (double)entries * SHARE <= (double)n * n;
}

// The derivatives of the residuals of a block by its unknowns, through the inner assignments, as
// far as they can be nonzero: block->matrix, and what it means for the solution of a linear system.
// False: one of them cannot be differentiated.
bool rb_system_matrix(RbWork *w, RbBlock *block);
