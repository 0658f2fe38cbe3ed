// SPDX-License-Identifier: MIT
// simplify.h: rewriting of whole expressions. (The constructors in expr.h simplify as they build.)
#pragma once

#include "expr/expr.h"

// Answers the node to put in place of e, or NULL to leave it. e was rebuilt from replaced arguments
// already.
typedef const RbExpr *(*RbReplace)(void *user, const RbExpr *e);

// e with every node replaced bottom-up; the result is simplified again on the way.
const RbExpr *rb_substitute(RbExprs *x, const RbExpr *e, RbReplace replace, void *user,
                            RbArena scratch);

// Only the leaves of e are replaced: what was put in their place is never replaced itself, even
// where 1*x becomes x again. For replacements that speak of other leaves of the same kind.
const RbExpr *rb_substitute_leaves(RbExprs *x, const RbExpr *e, RbReplace replace, void *user,
                                   RbArena scratch);
