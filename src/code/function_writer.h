// SPDX-License-Identifier: MIT
// function_writer.h: for emit_function.c and the files function_*.c only: the state while the C of a
// function is written, and expressions over its variables.
//
// Each statement is looked at on its own, since variables change between statements. A node that
// is used several times within it becomes a local variable of C, but only where it is sure to be
// evaluated, or cannot fail.
#pragma once

#include "code/emit_function.h"

// A loop of C that is open, and what its variable is: first + i<number>, if first is not 0.
typedef struct RbOpenLoop {
    int variable; // of the function
    int number;
    int first;
    const RbExpr *last; // the variable is at most this
} RbOpenLoop;

typedef struct RbFunctionWriter {
    const RbFlatModel *model;
    const RbFunctionCode *code;
    RbConstants *constants;
    RbArena *scratch;
    RbText *out;
    const RbFunction *f;
    int *uses;   // by node, valid where the stamp agrees
    int *temp;   // by node: number of its C variable, 0 = none
    int *view;   // by node: number of the C variables that its elements are written with, 0 = none
    int *shapes; // by node: RB_RANK_MAX sizes, -1 where they are not known now
    unsigned char *traits;
    int *stamps;
    int stamp;
    int temps;
    int lazy;            // depth of parts that may not be evaluated
    bool unsure;         // a subscript of this statement may have made `bad` true
    RB_ARRAY(int) trail; // nodes with a C variable, so that a block can forget them
    RB_ARRAY(RbOpenLoop) loops;
    RbMap constant_arrays; // node id -> place of its first number in the table
} RbFunctionWriter;

// What evaluating a node involves.
enum {
    RB_MAY_FAIL = 1, // a subscript
    RB_IN_STEPS = 2, // needs statements: calls, loops, arrays
    RB_PLAIN = 4,    // of an array with a C variable: it is an array of C, no A
};

// Look at the expressions of a statement; answers all their traits.
int rb_function_look(RbFunctionWriter *w, const RbExpr *const *roots, int count);

// Statements that must come before e can be written; then e itself, as a C expression (a scalar).
void rb_function_prepare(RbFunctionWriter *w, const RbExpr *e);
// The same for a scalar that is written more than once: a constant or a C variable.
void rb_function_prepare_leaf(RbFunctionWriter *w, const RbExpr *e);
void rb_function_write(RbFunctionWriter *w, const RbExpr *e);
void rb_function_write_condition(RbFunctionWriter *w, const RbExpr *e);
// What rb_function_write would write.
const char *rb_function_text(RbFunctionWriter *w, const RbExpr *e);

// Name of a scalar variable of the function; name of the A of an array variable.
void rb_function_variable(RbFunctionWriter *w, int var);
const char *rb_function_array_name(RbFunctionWriter *w, int var);

// A subscript in dimension dim of an array, as a C int from 0. Both are prepared. A wrong one makes
// `bad` true.
const char *rb_function_index(RbFunctionWriter *w, const RbExpr *array, int dim,
                              const RbExpr *subscript);
// The same for a subscript that is prepared by this.
const char *rb_function_place(RbFunctionWriter *w, const RbExpr *array, int dim,
                              const RbExpr *subscript);

// `if (bad) goto fail`, if a subscript may have been wrong.
void rb_function_check(RbFunctionWriter *w);

// for (each value of a vector, in iterator) {
void rb_function_open_loop(RbFunctionWriter *w, int iterator, const RbExpr *range);
void rb_function_close_loop(RbFunctionWriter *w);
// sum(... for ...) and the like, and {... for ...}.
void rb_function_prepare_reduction(RbFunctionWriter *w, const RbExpr *e);

// An array A x<number>[] with the arguments from `first` on, ':' without data. Answers the number.
int rb_function_arguments(RbFunctionWriter *w, const RbExpr *e, int first);

// e has the C variable with this number, or the next free one.
void rb_function_name(RbFunctionWriter *w, const RbExpr *e, int number);
int rb_function_temp(RbFunctionWriter *w, const RbExpr *e);
bool rb_function_has_temp(const RbFunctionWriter *w, const RbExpr *e);
void rb_function_forget(RbFunctionWriter *w, int mark);
