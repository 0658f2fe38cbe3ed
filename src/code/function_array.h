// SPDX-License-Identifier: MIT
// function_array.h: arrays in functions, as C. An array expression is not computed on its own where
// its elements can be written one by one: x[j,:] - x[i,:] is then a difference of two elements in the
// loop, or in the statements, of whoever wants the array.
#pragma once

#include "code/function_shape.h"

// Statements before an array expression (rank > 0). Answers false if it is none of those that are
// written here.
bool rb_function_prepare_array(RbFunctionWriter *w, const RbExpr *e);

// Sum, product, least or largest element, and the product of two vectors: double t<number>. Answers
// false if e is no such.
bool rb_function_prepare_fold(RbFunctionWriter *w, const RbExpr *e);

// Its elements get places of their own, if they have none.
void rb_function_place_array(RbFunctionWriter *w, const RbExpr *e);

// The name of an A that has its elements.
const char *rb_function_box(RbFunctionWriter *w, const RbExpr *e);

// Leave for the interpreter unless both have the same sizes.
void rb_function_same_shape(RbFunctionWriter *w, const RbExpr *a, const RbExpr *b);

// The element at places (C ints, from 0) `at`, one per dimension.
const char *rb_function_element(RbFunctionWriter *w, const RbExpr *e, const char *const *at);

// data[place] = value for all places: one by one where the array is small, otherwise in loops.
// `target` says where: an array variable, or a slice of one that is prepared.
void rb_function_fill(RbFunctionWriter *w, const RbExpr *target, const RbExpr *value);
