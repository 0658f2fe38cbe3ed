// SPDX-License-Identifier: MIT
// function.h: what the files about the text of functions share: function.c, function_local.c and
// function_external.c. Others include frontend.h.
#pragma once

#include "flatten/frontend.h"

typedef struct RbFunctionBuilder {
    RbFrontEnd *fe;
    RbFunctionFrame *frame;
    RbFunction *f;
    const RbVal *functions; // by number of the component: what inputs that are functions stand for
} RbFunctionBuilder;

// --- function_local.c ----------------------------------------------------------------------------

// Dimensions of a component, as expressions over the inputs; false if something is wrong.
bool rb_local_dims(RbFunctionBuilder *b, RbElem *e, RbClass *class, RbVal *v, const RbExpr **exprs);
// Add a variable per field. Outer dimensions of an array of records come first.
RbVal rb_add_local(RbFunctionBuilder *b, RbClass *class, const char *name, RbVal shape,
                   const RbExpr *const *dims);
// A component as a variable, or several for a record.
bool rb_declare_local(RbFunctionBuilder *b, RbElem *e);
// Start value of an output or protected variable.
bool rb_lower_default(RbFunctionBuilder *b, RbElem *e);

// --- function_external.c -------------------------------------------------------------------------

// The part of a class that has an external clause, or NULL.
const RbClassPart *rb_external_part(const RbClassPart *part);
bool rb_lower_external(RbFunctionBuilder *b, RbClass *class, const RbClassPart *part);

// --- function_partial.c --------------------------------------------------------------------------

// function df = der(f, x, ...)
bool rb_lower_partial_derivative(RbFunctionBuilder *b, RbClass *class, RbPos at);
