// SPDX-License-Identifier: MIT
// program_instance.h: what the files of this folder share about instances.
#pragma once

#include "program/program.h"

RbStatus rb_program_run(RbProgramInstance *in, RbSectionId section);

// The value of a scalar expression at present, interpreted; NaN if it has none.
double rb_interpret_number(RbProgramInstance *in, const RbExpr *e);

// The value of any expression, which lives in *arena; false if it has none (in->failure says why).
bool rb_interpret_value(RbProgramInstance *in, const RbExpr *e, RbArena *arena, RbExprValue *value);

// All results of a call, at the present values of its arguments; nothing is told if it fails.
bool rb_interpret_results(RbProgramInstance *in, const RbExpr *call, RbArena *arena,
                          RbExprValue *results);

// Parameters outside of what min and max allow.
void rb_warn_of_ranges(const RbProgramInstance *in, RbDiag *diag);

// Parameters have other values: what follows from them is computed anew.
void rb_program_parameters_changed(RbProgramInstance *in);

// Parameters changed: factorised constant matrices are out of date.
void rb_program_forget_factors(RbProgramInstance *in, int system);

// Choose the states of all sets anew where that is clearly better (or in any case); their values
// follow. Answers whether anything changed. All variables must have been evaluated.
bool rb_choose_states(RbProgramInstance *in, bool always);
