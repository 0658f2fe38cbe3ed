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

// The same for many expressions that share nodes: what was replaced once is remembered. So the
// answers of `replace` must not change while a rewrite is in use.
//
//     RbRewrite r = rb_rewrite(x, replace, user, &arena);
//     for (...) eq->left = rb_rewrite_expr(&r, eq->left);
typedef struct RbRewrite {
    RbExprs *x;
    RbReplace replace;
    void *user;
    RbArena *arena;
    const RbExpr **done; // by id: what a node has become, or NULL
    int known;           // ids up to this one have a place there
    RB_ARRAY(const RbExpr *) stack;
    RB_ARRAY(const RbExpr *) args;
} RbRewrite;
RbRewrite rb_rewrite(RbExprs *x, RbReplace replace, void *user, RbArena *arena);
const RbExpr *rb_rewrite_expr(RbRewrite *r, const RbExpr *e); // e may be NULL
