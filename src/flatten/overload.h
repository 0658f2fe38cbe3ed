// SPDX-License-Identifier: MIT
// overload.h: what overload.c and overload_array.c share.
#pragma once

#include "flatten/call.h"

// --- overload.c ----------------------------------------------------------------------------------

// '0' of an operator record.
RbVal rb_overload_zero(RbFrontEnd *fe, RbClass *record, RbPos at);

// --- overload_array.c ----------------------------------------------------------------------------

// The operator applied to elements; a scalar is repeated.
RbVal rb_overload_elements(RbFrontEnd *fe, RbTokenKind op, const RbVal *a, const RbVal *b,
                           RbPos at);
// a op b where at least one is an array, as arrays of numbers have it; false if that has no
// meaning.
bool rb_overload_arrays(RbFrontEnd *fe, RbTokenKind op, const RbVal *a, const RbVal *b, RbPos at,
                        RbVal *out);
// The operator applied to every element.
RbVal rb_overload_each(RbFrontEnd *fe, RbTokenKind op, const RbVal *v, RbPos at);
