// SPDX-License-Identifier: MIT
// call.h: what the files about calls share: call.c, arguments.c, function_call.c, record.c and
// overload.c. Others include frontend.h.
#pragma once

#include "modelica/frontend.h"

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
    RbPos at; // of the call
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
} RbCall;

bool rb_lower_actuals(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call, RbActuals *out);
// Puts arguments in their places. False if one has none: too many, an unknown name, given twice.
bool rb_place_actuals(RbFrontEnd *fe, RbClass *class, const RbActuals *actuals, RbCall *call,
                      bool report);
// Type, rank and size of an input; locals of the frame are the arguments so far.
RbVal rb_input_shape(RbFrontEnd *fe, RbFunctionFrame *frame, RbElem *e);

// --- function_call.c -----------------------------------------------------------------------------

RbVal rb_lower_function_call(RbFrontEnd *fe, RbCall *call);

// --- record.c ------------------------------------------------------------------------------------

// The record with these fields.
RbVal rb_construct_record(RbFrontEnd *fe, const RbCall *call);

// --- overload.c: operator records (specification, chapter 14) ------------------------------------

// A(args): by the constructors of an operator record, or field by field.
RbVal rb_overload_constructor(RbFrontEnd *fe, RbClass *class, const RbActuals *actuals);
// The function among those of an symbol, such as 'String', that fits; reports if there is none.
RbVal rb_overload_call(RbFrontEnd *fe, RbClass *record, const char *symbol,
                       const RbActuals *actuals);
