// SPDX-License-Identifier: MIT
// undefined.h: where a value that is no number, or infinite, came from: the equation, the operation
// in it and the values that it was given.
#pragma once

#include "program/program.h"

// Look for the first such value that a section has just computed, in the order of the computation.
// True: in->failure and in->failure_at tell it.
bool rb_explain_undefined(RbProgramInstance *in, RbSectionId section);

// A condition that compares what a component has no value of at present; indicators were computed just now.
// False: there is none.
bool rb_explain_missing(RbProgramInstance *in);

// Why a parameter has no value: in->failure tells it, if it can be told.
void rb_explain_parameter(RbProgramInstance *in, const RbExpr *value);

// Are there operations among those of a section that may have no value, such as roots and quotients?
bool rb_may_be_undefined(const RbProgram *program, RbSectionId section, RbArena scratch);

// The first variable of the user that is not a number at present, or -1.
int rb_undefined_variable(const RbProgramInstance *in);
