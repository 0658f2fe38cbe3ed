// SPDX-License-Identifier: MIT
// elements.h: single elements of array expressions, as scalar expressions.
#pragma once

#include "dae/work.h"

typedef struct RbElements {
    RbWork *w;
    RbMap done;        // scalar expression -> the one without arrays
    const char *error; // the first thing that did not work out
    bool any_whole;    // some arrays are not taken apart
    bool open;         // a size is known only while the model runs
    RbPos at;
} RbElements;

// Sizes of an array expression; answers the number of elements (1 for a scalar).
int rb_shape(RbElements *el, const RbExpr *e, int dims[RB_RANK_MAX]);

// Element k (from 0, row by row) of an array expression. A scalar stands for all its elements.
const RbExpr *rb_element(RbElements *el, const RbExpr *e, int k);

// A scalar expression without array variables in it.
const RbExpr *rb_scalar_expr(RbElements *el, const RbExpr *e);

// An expression in which whole arrays stay; all others are constructors of their elements.
const RbExpr *rb_whole_expr(RbElements *el, const RbExpr *e);

// size(x, k) of a whole array.
const RbExpr *rb_size_of_whole(RbElements *el, const RbExpr *e);

// Element k (from 0) of an expression with whole arrays in it, whose present size is dims.
const RbExpr *rb_whole_element(RbElements *el, const RbExpr *e, int k, const int *dims);

// The same for the value of a parameter, which is interpreted: any operation may stay.
const RbExpr *rb_interpreted_expr(RbElements *el, const RbExpr *e);

// An array expression as a constructor of its elements.
const RbExpr *rb_constructor(RbElements *el, const RbExpr *e);

// Is the size of this array known only while the model runs?
bool rb_is_open(RbElements *el, const RbExpr *e);

// A scalar that follows from such an array, as the result of a function; NULL if there is none.
const RbExpr *rb_open_scalar(RbElements *el, const RbExpr *e);
