// SPDX-License-Identifier: MIT
// fold.h: scalar arithmetic on numbers, the one definition that constant folding and the
// interpreter share and that generated code follows.
#pragma once

#include "expr/expr.h"

// The constant that an operation on constants makes, or NULL if an argument is not constant, the
// result is not finite or the operation is no function of its arguments alone.
const RbExpr *rb_fold(RbExprs *x, RbOp op, int index, RbType type, const RbExpr *const *args,
                      int count);

// Value of a scalar operator (RB_OP_NEG ... RB_OP_NE, logic) on numbers; Booleans are 0 and 1.
double rb_operate(RbOp op, double a, double b);

// a^n by repeated squaring, in the order that generated code uses.
double rb_integer_power(double a, int64_t n);

// Powers with integer exponents up to this magnitude are expanded.
#define RB_POWER_MAX 64
