// SPDX-License-Identifier: MIT
// function_shape.h: sizes and places of the arrays of a function while its C is written.
//
// An array variable whose sizes are given keeps them while the function runs (a value of another
// size hands the call to the interpreter), so its numbers stay in one place: p<var>, with the sizes
// p<var>_<dimension>, or numbers where the declaration has numbers. A small one of such is an array
// of C. All others are an A, whose place and sizes change with every value.
#pragma once

#include "code/function_writer.h"

// Arrays of C: elements that a variable may have, and elements of a value that are written one by
// one.
enum { RB_SMALL_VARIABLE = 64, RB_SMALL_VALUE = 16 };

typedef enum RbFunctionVariable {
    RB_SCALAR_VARIABLE,
    RB_SMALL_ARRAY, // double p[n]
    RB_FIXED_ARRAY, // double *p, int p_0, p_1 ...
    RB_FREE_ARRAY,  // A
} RbFunctionVariable;

RbFunctionVariable rb_variable_kind(const RbFunction *f, int var);

// Size that is known while the C is written; -1: it is not.
int rb_static_dim(const RbFunction *f, int var, int dim);

// The sizes of e from those of its arguments.
void rb_function_shape_node(RbFunctionWriter *w, const RbExpr *e);

// Elements of e; -1: not known now.
int rb_static_count(const RbFunctionWriter *w, const RbExpr *e);
bool rb_is_small_value(const RbFunctionWriter *w, const RbExpr *e);

// A size of an array variable, as a C int.
const char *rb_variable_dim(RbFunctionWriter *w, int var, int dim);

// A size of e, as a C int. e is prepared.
const char *rb_function_dim(RbFunctionWriter *w, const RbExpr *e, int dim);

// Where the elements of e stand, row by row, as a C pointer; NULL: nowhere as they are.
const char *rb_function_data(RbFunctionWriter *w, const RbExpr *e);

// e without functions that hand it on as it is.
const RbExpr *rb_passed_through(const RbExpr *e);

// An array of numbers that never change: they stand in the table of constants.
bool rb_is_constant_array(const RbExpr *e);
