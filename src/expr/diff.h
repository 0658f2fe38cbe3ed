// SPDX-License-Identifier: MIT
// diff.h: symbolic derivatives: with respect to a variable, along time, or in any direction
// (docs/theory/dae.md, section 3).
#pragma once

#include "expr/flat_model.h"

// The direction: the derivative of a leaf (RB_OP_VAR, RB_OP_DER of one, RB_OP_TIME), or NULL for
// zero.
typedef const RbExpr *(*RbSeed)(void *user, const RbExpr *leaf);

typedef struct RbDiff {
    RbFlatModel *model; // for the derivatives of functions, which are made where none is annotated;
                        // may be NULL
    RbSeed seed;
    RbSeed delay; // the value of the derivative of delay(e, T) at (t - T), with a seed for time;
                  // NULL: it has none
    void *user;
    const RbExpr *failed; // out: the node that cannot be differentiated, or NULL
} RbDiff;

// The derivative of e, or NULL if d->failed says why not. Relations are constant between events, so
// they contribute nothing.
const RbExpr *rb_diff(RbExprs *x, const RbExpr *e, RbDiff *d, RbArena scratch);

// Partial derivative with respect to variable `var`; NULL if there is none.
const RbExpr *rb_diff_var(RbExprs *x, const RbExpr *e, int var, RbFlatModel *model,
                          RbArena scratch);

// The derivative of function number `function` as a function of (inputs, derivatives of the Real
// inputs), added to the model; its number, or -1 if it has none.
int rb_derive_function(RbFlatModel *model, int function, RbArena *scratch);
