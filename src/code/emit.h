// SPDX-License-Identifier: MIT
// emit.h: what the writers of C share: the table of constants, and expressions.
#pragma once

#include "code/emit_c.h"

typedef struct RbConstants {
    RbCSource *source;
    RbArena *arena, *scratch;
    RbMap places; // bits -> place in the table
} RbConstants;

// A number as C: small integers as they are, which every compiler reads exactly; others from the
// table.
void rb_write_constant(RbConstants *c, double value, RbText *out);

// " + " and the like; NULL if the operation is not written between its arguments.
const char *rb_infix_in_c(RbOp op);

// The one writer of expressions of numbers as C, for equations and for functions: constants, operators,
// conditions, functions. What is named differently in each (variables, temporaries, arrays) is written by
// `own`.
typedef struct RbCWriter {
    RbText *out;
    RbConstants *constants;
    bool (*own)(void *user, const RbExpr *e);      // writes it; false: it is for all
    bool (*has_name)(void *user, const RbExpr *e); // its value has a name already
    void *user;
} RbCWriter;

void rb_c_write(const RbCWriter *w, const RbExpr *e);
void rb_c_write_condition(const RbCWriter *w, const RbExpr *e); // as a C condition

// A power with a constant integer exponent that is expanded.
bool rb_is_expandable(const RbExpr *n, int64_t *exponent);
