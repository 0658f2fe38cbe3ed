// SPDX-License-Identifier: MIT
// function_writer.h: for emit_function.c and function_expr.c only: the state while the C of a
// function is written, and expressions over its variables.
//
// Each statement is looked at on its own, since variables change between statements. A node that
// is used several times within it becomes a local variable of C, but only where it is sure to be
// evaluated, or cannot fail.
#pragma once

#include "code/emit_function.h"

typedef struct RbFunctionWriter {
    const RbFlatModel *model;
    const RbFunctionCode *code;
    RbConstants *constants;
    RbArena *scratch;
    RbText *out;
    const RbFunction *f;
    int *uses; // by node, valid where the stamp agrees
    int *temp; // by node: number of its C variable, 0 = none
    unsigned char *traits;
    int *stamps;
    int stamp;
    int temps;
    int lazy;            // depth of parts that may not be evaluated
    RB_ARRAY(int) trail; // nodes with a C variable, so that a block can forget them
} RbFunctionWriter;

// What evaluating a node involves.
enum {
    RB_MAY_FAIL = 1, // a subscript
    RB_IN_STEPS = 2, // needs statements: calls, loops, arrays
};

// Look at the expressions of a statement; answers all their traits.
int rb_function_look(RbFunctionWriter *w, const RbExpr *const *roots, int count);

// Statements that must come before e can be written; then e itself, as a C expression (a scalar)
// or the name of an A (an array).
void rb_function_prepare(RbFunctionWriter *w, const RbExpr *e);
void rb_function_write(RbFunctionWriter *w, const RbExpr *e);
void rb_function_write_condition(RbFunctionWriter *w, const RbExpr *e);

// Name of a variable of the function.
void rb_function_variable(RbFunctionWriter *w, int var);

// The place of an element of an array variable, as a C int; all subscripts are scalars.
void rb_function_index(RbFunctionWriter *w, const RbExpr *subscript);

// for (each value of a vector, in iterator) {
void rb_function_open_loop(RbFunctionWriter *w, int iterator, const RbExpr *range);

// An array A x<number>[] with the arguments from `first` on, ':' without data. Answers the number.
int rb_function_arguments(RbFunctionWriter *w, const RbExpr *e, int first);

int rb_function_temp(RbFunctionWriter *w, const RbExpr *e);
