// SPDX-License-Identifier: MIT
// equation_half.h: sorted and solved equations as a component: the invariant half of a model. Its data
// (rb_build_data) is an RbProgram.
#pragma once

#include "base/pack.h"
#include "program/program.h"
#include "rattleback/component.h"
#include "rattleback/run.h"
#include "translate/input_file.h"

extern const RbComponentType rb_equations;

// Signals for the inputs; before the run.
void rb_equations_inputs(void *self, RbInputFile *file);

// Compute the parameters of the equations in `self`; then their values by name, false: there is no
// such parameter.
RbStatus rb_equations_parameters(void *self, double time, RbDiag *diag);
bool rb_equations_value(const void *self, const char *name, double *value);

// The numbers or the text that a variable is, by its index in the flat model. False: it has no value
// before the run.
bool rb_equations_numbers(const void *self, int var, int count, double *values);
bool rb_equations_element(const void *self, int var, int element, double *value);
// *why: what failed in its expression, or NULL.
const char *rb_equations_text(const void *self, int var, RbArena *arena, const char **why);

// Set a parameter, input or start value by name, before the run; see rb_program_set_array.
RbStatus rb_equations_set(void *self, const char *name, double value, RbDiag *diag);
bool rb_equations_literal(const void *self, const char *name, const char *text, double *value);
RbStatus rb_equations_set_array(void *self, const char *name, int rank, const int *dims,
                                const double *values, RbDiag *diag);
RbStatus rb_equations_set_text(void *self, const char *name, const char *text, RbDiag *diag);

// Arrays that have another size than at translation, as "A [2,2] -> [3,3], x [2] -> [3]"; nothing
// is added if there are none.
void rb_equations_sizes(const void *self, RbText *out);

// ---- change.c: between the steps of a run

// Inputs, by number.
int rb_equations_input_count(const void *self);
const char *rb_equations_input_name(const void *self, int i, RbArena *arena);
double rb_equations_input(const void *self, int i);
RbStatus rb_equations_change_input(void *self, int i, double value, RbDiag *diag);

// A function that gives them; NULL: the values that are set.
void rb_equations_input_function(void *self, RbInputFunction function, void *user);

// A parameter or a discrete variable. Parameters take effect together, with the second call.
RbStatus rb_equations_change(void *self, const char *name, double value, RbDiag *diag,
                             bool *parameter);
RbStatus rb_equations_change_parameters(void *self, double time, RbDiag *diag);

// Inputs and parameters that were set, for a run to give back when it ends.
void rb_equations_save_settings(const void *self, RbPacker *packer);
void rb_equations_load_settings(void *self, RbUnpacker *unpacker);
