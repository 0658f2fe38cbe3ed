// SPDX-License-Identifier: MIT
// emit_function.h: functions written as algorithms, as C. Each becomes
//
//     static int fn_<number>(F *f, const double *s, const A *v, double *rs, A *rv)
//
// with scalar inputs s, array inputs v, scalar results rs and array results rv, each in order.
// Answer 0: done. Anything that goes wrong (a wrong subscript, an assertion, no room, too many
// steps) answers 1 and nothing else: the caller then hands the call to the interpreter, which does
// it once more and says in words what is wrong. So compiled code needs no messages, and the
// interpreter alone decides what fails.
//
// Arrays live on a stack of numbers in the frame. A statement gives back what it used; arrays
// that get their size by assignment stay until the function returns.
#pragma once

#include "code/emit.h"

typedef struct RbFunctionCode {
    unsigned char *compiled; // by function of the FlatModel
} RbFunctionCode;

// Which functions can be compiled, of those that the program needs: all but those that work with
// strings, the present time or events.
RbFunctionCode rb_plan_functions(const RbLowered *l, RbArena *scratch);

void rb_emit_functions(const RbLowered *l, const RbFunctionCode *code, RbConstants *constants,
                       RbArena *scratch, RbText *out);

// Place of a variable of a function among its scalars or arrays of the same kind (inputs, outputs).
int rb_function_slot(const RbFunction *f, int var);

// Numbers of scalar and array inputs and outputs.
typedef struct RbFunctionShape {
    int scalars_in, arrays_in, scalars_out, arrays_out;
} RbFunctionShape;
RbFunctionShape rb_function_shape(const RbFunction *f);
