// SPDX-License-Identifier: MIT
// expression.h: what the files about expressions share: expression.c, reference.c, subscript.c,
// inst_value.c, array_constructor.c, loop.c, comprehension.c, value.c and operator.c. Others
// include frontend.h.
#pragma once

#include "flatten/frontend.h"

// --- value.c -------------------------------------------------------------------------------------

// Sizes that are not known yet fit any size.
bool rb_val_same_dims(const RbVal *a, const RbVal *b);
bool rb_val_is_numeric(const RbVal *v);
bool rb_val_same_class(const RbClass *a, const RbClass *b);
// Of a record, so that they can be changed.
RbVal *rb_val_copy_fields(RbFrontEnd *fe, const RbVal *v);
// An array of records without elements: there is none to tell the type.
RbVal rb_val_no_records(RbFrontEnd *fe, RbClass *class, int rank, const int *dims);

// --- operator.c ----------------------------------------------------------------------------------

RbVal rb_val_unary(RbFrontEnd *fe, RbTokenKind op, RbVal v, RbPos at);

// --- subscript.c ---------------------------------------------------------------------------------

// The subscripts of one part of a reference, checked against the array.
bool rb_lower_subscripts(RbFrontEnd *fe, const RbPlace *ctx, const RbAstPart *part,
                         const RbVal *array, RbVal *subs);
// outer: dimensions of the records that v is a field of, which stand before its own: q.x[2] is the second x of each q.
RbVal rb_apply_subscripts(RbFrontEnd *fe, const RbPlace *ctx, const RbAstPart *part, int outer,
                          RbVal v, RbPos at);

// --- inst_value.c --------------------------------------------------------------------------------

RbVal rb_val_of_leaf(RbFrontEnd *fe, RbInst *i);
// Items of a component array, row by row, as one array.
RbVal rb_val_nest(RbFrontEnd *fe, const RbVal *items, const int *dims, int rank, RbPos at);

// --- reference.c ---------------------------------------------------------------------------------

RbVal rb_lower_reference(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);

// --- array_constructor.c -------------------------------------------------------------------------

RbVal rb_lower_array(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
RbVal rb_lower_matrix(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
RbVal rb_lower_range_expr(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);

// --- vector_loop.c -------------------------------------------------------------------------------

// {body for i in range}, the iterator of e, without a number for the size of the range; false if
// that is not possible or not wanted.
bool rb_lower_vector(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, const RbAstExpr *body,
                     RbVal *out);

// --- comprehension.c -----------------------------------------------------------------------------

RbVal rb_lower_comprehension(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
RbVal rb_lower_reduction(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e);
