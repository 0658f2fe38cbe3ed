// SPDX-License-Identifier: MIT
// diff.h: symbolic derivatives: with respect to a variable, along time, or in any direction
// (docs/theory/dae.md, section 3).
#pragma once

#include "expr/flat_model.h"

// The direction: the derivative of a leaf (RB_OP_VAR, RB_OP_DER of one, RB_OP_TIME), or NULL for
// zero.
typedef const RbExpr *(*RbSeed)(void *user, const RbExpr *leaf);

typedef struct RbDiff {
    const RbFlatModel *model; // for the derivative annotations of functions; may be NULL
    RbSeed seed;
    void *user;
    const RbExpr *failed; // out: the node that cannot be differentiated, or NULL
} RbDiff;

// The derivative of e, or NULL if d->failed says why not. Relations are constant between events, so
// they contribute nothing.
const RbExpr *rb_diff(RbExprs *x, const RbExpr *e, RbDiff *d, RbArena scratch);

// Partial derivative with respect to variable `var`; NULL if there is none.
const RbExpr *rb_diff_var(RbExprs *x, const RbExpr *e, int var, const RbFlatModel *model,
                          RbArena scratch);
