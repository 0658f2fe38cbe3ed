// SPDX-License-Identifier: MIT
// function_value.h: functions that a model has written and a component in C calls (component.h, RB_VALUE_FUNCTION): the gravity
// of a place, the force of a contact. Each is a small program of its own, with the numbers of the argument as inputs, so that a component
// may call it while the equations are being evaluated.
#pragma once

#include "program/program.h"
#include "rattleback/component.h"

// A parameter of the model that the function depends on, element by element.
typedef struct RbFunctionParameter {
    int model_var, element; // variable of the model that is translated; from 0
    int var;                // of the program
} RbFunctionParameter;

typedef struct RbFunctionProgram {
    RbProgram *program;
    int *inputs, input_count; // variables of the program
    int *outputs, output_count;
    RB_ARRAY(RbFunctionParameter) parameters;
} RbFunctionProgram;

// Those of a model, in its order; NULL: it has none.
RbStatus rb_function_programs(const RbFlatModel *model, const RbProgramOptions *options,
                              RbArena *keep, RbArena scratch, RbDiag *diag,
                              RbFunctionProgram **out);

// A function that can be called. Parameters have values after rb_function_value_set.
RbFunctionValue *rb_function_value(const RbFunctionProgram *program, RbArena *arena);
// find: the number that an element of a variable of the model is; false: it has none.
RbStatus rb_function_value_set(RbFunctionValue *f,
                               bool (*find)(const void *user, int var, int element, double *value),
                               const void *user, RbDiag *diag);
