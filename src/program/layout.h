// SPDX-License-Identifier: MIT
// layout.h: where whole arrays lie in the memory of an instance. Scalars come first in every area,
// at places that are known at translation; arrays follow, with sizes that are known when the
// parameters are. Generated code finds them through a table of four numbers per array: its first
// place, and how many elements, rows and columns it has. Behind the arrays of the model the table
// goes on with those of the workspace.
#pragma once

#include "program/program.h"

enum { RB_SIZES_AT, RB_SIZES_COUNT, RB_SIZES_ROWS, RB_SIZES_COLUMNS, RB_SIZES };

// Per array of the workspace that is a part of another one: where its first element is there, and
// the distances between its rows and its columns.
enum { RB_SLICE = 3 };

// Sizes from the parameters and what was set; checks that they fit together, in all equations and
// values; makes room if they are others than before.
RbStatus rb_program_layout(RbProgramInstance *in, RbDiag *diag);

// At first: the sizes at translation.
void rb_first_layout(RbProgramInstance *in);

// The value of a parameter array, or what an array starts with: what was set, or `value` (NULL:
// what it is at present).
RbStatus rb_array_parameter(RbProgramInstance *in, int var, const RbExpr *value, double *out,
                            RbDiag *diag);
