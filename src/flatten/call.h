// SPDX-License-Identifier: MIT
// call.h: what the files about calls share: call.c, arguments.c, function_call.c, record.c and
// overload.c. Others include frontend.h.
#pragma once

#include "flatten/frontend.h"

// --- call.c --------------------------------------------------------------------------------------

// The class or the function as a value that a name before parentheses means; ERROR if neither.
RbVal rb_lower_callee(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *ref);

// --- arguments.c ---------------------------------------------------------------------------------

// An argument as it is written.
typedef struct RbActual {
    RbName name; // NULL: by position
    RbVal value;
    RbPos at;
} RbActual;

typedef struct RbActuals {
    const RbActual *list;
    int count;
    RbPos at;        // of the call
    RbKeeping keeps; // as where it stands
} RbActuals;

// A call with its arguments in the places of the inputs.
typedef struct RbCall {
    RbClass *class;  // a function or a record
    RbElem **inputs; // components that are arguments
    int count;
    RbVal *args; // by number of the input; set where given
    bool *given;
    RbInst *around; // where defaults find their names: world of world.gravityAcceleration(r)
    RbPos at;
    RbKeeping keeps; // of sizes of arguments that may change later, where defaults follow from them
} RbCall;

bool rb_lower_actuals(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call, RbActuals *out);
// Puts arguments in their places. False if one has none: too many, an unknown name, given twice.
bool rb_place_actuals(RbFrontEnd *fe, RbClass *class, const RbActuals *actuals, RbCall *call,
                      bool report);
// The same for a function as a value: positions count the inputs that are open.
bool rb_place_open(RbFrontEnd *fe, const RbVal *function, const RbActuals *actuals, RbCall *call);
bool rb_has_default(RbFrontEnd *fe, RbElem *input);
// Type, rank and size of an input; locals of the frame are the arguments so far.
RbVal rb_input_shape(RbFrontEnd *fe, RbFunctionFrame *frame, RbElem *e);

// --- function_call.c -----------------------------------------------------------------------------

RbVal rb_lower_function_call(RbFrontEnd *fe, RbCall *call);

// --- function_value.c ----------------------------------------------------------------------------

// A class that is a function becomes a value, nothing of which is bound. False for anything else.
bool rb_val_to_function(RbFrontEnd *fe, RbVal *v);
// Does a function fit an input of a functional type: as many open inputs, at least as many results?
bool rb_function_fits(RbFrontEnd *fe, const RbVal *function, RbClass *type);
// An open input without default beyond those of the type, or NULL.
const RbElem *rb_function_missing(RbFrontEnd *fe, const RbVal *function, const RbClass *type);

// --- record.c ------------------------------------------------------------------------------------

// The record with these fields.
RbVal rb_construct_record(RbFrontEnd *fe, const RbCall *call);

// --- overload.c: operator records (specification, chapter 14) ------------------------------------

// A(args): by the constructors of an operator record, or field by field.
RbVal rb_overload_constructor(RbFrontEnd *fe, RbClass *class, const RbActuals *actuals);
// The function among those of an symbol, such as 'String', that fits; reports if there is none.
RbVal rb_overload_call(RbFrontEnd *fe, RbClass *record, const char *symbol,
                       const RbActuals *actuals);
