// SPDX-License-Identifier: MIT
// inline.h: the results of a function written out as expressions of its arguments.
#pragma once

#include "expr/flat_model.h"

// Carries out the assignments of a function on expressions. A function has no events, so
// neither have the results. False, and nothing is written, if the function does more than assign
// (loops, branches, assertions, C code, elements of arrays), or leaves a result open.
bool rb_inline_function(RbExprs *x, const RbFunction *f, const RbExpr *const *args,
                        const RbExpr **results, RbArena scratch);
