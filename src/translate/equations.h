// SPDX-License-Identifier: MIT
// equations.h: sorted and solved equations as a component: the invariant half of a model. Its data
// (rb_build_data) is an RbProgram.
#pragma once

#include "program/program.h"
#include "rattleback/component.h"
#include "translate/input_file.h"

extern const RbComponentType rb_equations;

// Signals for the inputs; before the run.
void rb_equations_inputs(void *self, RbInputFile *file);

// Compute the parameters of the equations in `self`; then their values by name, false: there is no
// such parameter.
RbStatus rb_equations_parameters(void *self, double time, RbDiag *diag);
bool rb_equations_value(const void *self, const char *name, double *value);

// Set a parameter, input or start value by name, before the run; see rb_program_set_array.
RbStatus rb_equations_set(void *self, const char *name, double value, RbDiag *diag);
bool rb_equations_literal(const void *self, const char *name, const char *text, double *value);
RbStatus rb_equations_set_array(void *self, const char *name, int rank, const int *dims,
                                const double *values, RbDiag *diag);

// Arrays that have another size than at translation, as "A [2,2] -> [3,3], x [2] -> [3]"; nothing
// is added if there are none.
void rb_equations_sizes(const void *self, RbText *out);
