// SPDX-License-Identifier: MIT
// builtin.h: what the files about functions of the language share: builtin.c and builtin_*.c.
// Others include frontend.h.
#pragma once

#include "flatten/frontend.h"

// A call with its arguments in order; named ones are put in their place.
typedef struct RbBuiltinCall {
    RbFrontEnd *fe;
    const RbPlace *ctx;
    const RbAstExpr *e;
    const char *name;
    RbBuiltin function; // that the operator becomes, where one C function serves several
    const RbAstExpr **args;
    int count;
} RbBuiltinCall;

typedef RbVal RbLowerBuiltin(const RbBuiltinCall *c);

// --- builtin.c -----------------------------------------------------------------------------------

RbVal rb_builtin_fail(const RbBuiltinCall *c, RbPos at, const char *message);
RbVal rb_builtin_arg(const RbBuiltinCall *c, int i);
// An argument that must have a value of a kind: 'r' Real or Integer, 'i' Integer, 'b' Boolean, 's'
// String, 'x' any.
// A function of scalars applied to arrays is applied to their elements; what is a scalar is the
// same for all of them.
enum { RB_SCALARS_MAX = 3 };
typedef RbVal (*RbOnScalars)(const RbBuiltinCall *c, const RbVal *v);
RbVal rb_builtin_by_element(const RbBuiltinCall *c, const RbVal *v, int count, RbOnScalars once);
bool rb_builtin_typed(const RbBuiltinCall *c, int i, char kind, RbVal *v);
// The same for one that is lowered already.
bool rb_builtin_check(const RbBuiltinCall *c, int i, char kind, const RbVal *v);
bool rb_builtin_count(const RbBuiltinCall *c, int least, int most);

// --- builtin_math.c ------------------------------------------------------------------------------

bool rb_is_maths(const char *name);
RbLowerBuiltin rb_builtin_maths;

// --- builtin_event.c -----------------------------------------------------------------------------

RbLowerBuiltin rb_builtin_instant; // initial, terminal
RbLowerBuiltin rb_builtin_der;
RbLowerBuiltin rb_builtin_pre; // also edge, change
RbLowerBuiltin rb_builtin_sample;
RbLowerBuiltin rb_builtin_clock;
RbLowerBuiltin rb_builtin_clocked;
RbLowerBuiltin rb_builtin_state; // activeState, ticksInState, timeInState
RbLowerBuiltin rb_builtin_no_event;
RbLowerBuiltin rb_builtin_smooth;
RbLowerBuiltin rb_builtin_homotopy;
RbLowerBuiltin rb_builtin_three; // semiLinear, delay

// --- builtin_transport.c -------------------------------------------------------------------------

RbLowerBuiltin rb_builtin_transport; // spatialDistribution

// --- connect_stream.c ----------------------------------------------------------------------------

RbLowerBuiltin rb_builtin_stream; // inStream, actualStream

// --- builtin_size.c ------------------------------------------------------------------------------

RbLowerBuiltin rb_builtin_size;
RbLowerBuiltin rb_builtin_ndims;
RbLowerBuiltin rb_builtin_fill; // also zeros, ones
RbLowerBuiltin rb_builtin_identity;
RbLowerBuiltin rb_builtin_linspace;

// --- builtin_array.c -----------------------------------------------------------------------------

RbLowerBuiltin rb_builtin_of_array;    // transpose, sum, vector, ...: of one array
RbLowerBuiltin rb_builtin_two_vectors; // cross, outerProduct
RbLowerBuiltin rb_builtin_min_max;
RbLowerBuiltin rb_builtin_cat;
RbLowerBuiltin rb_builtin_elements; // array(a, b, ...)

// --- builtin_icon.c ------------------------------------------------------------------------------

RbLowerBuiltin rb_builtin_traced_points; // of Rattleback.Solids

// --- builtin_convert.c ---------------------------------------------------------------------------

RbVal rb_lower_string(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
RbLowerBuiltin rb_builtin_integer;
