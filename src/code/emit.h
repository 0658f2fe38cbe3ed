// SPDX-License-Identifier: MIT
// emit.h: what the writers of C share: the table of constants and the names of operations.
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

// A power with a constant integer exponent that is expanded.
bool rb_is_expandable(const RbExpr *n, int64_t *exponent);
