// SPDX-License-Identifier: MIT
// solve.h: an equation solved for one of its variables, symbolically.
#pragma once

#include "dae/work.h"

// The expression that variable `var` equals if left = right, or NULL if the equation is not linear
// in it (or it drops out).
const RbExpr *rb_solve_for(RbWork *w, const RbExpr *left, const RbExpr *right, int var);

// The same, and NULL also where the variable may drop out while the model runs, because its
// coefficient is zero in a branch of an if-expression. (The torque of a bearing that is locked: a =
// if locked then 0 else s.) There a quotient would be 0/0, where a system of one equation says that
// there is no solution, or leaves the variable as it is if there are several.
const RbExpr *rb_solve_always(RbWork *w, const RbExpr *left, const RbExpr *right, int var);

// e with variable `var` replaced.
const RbExpr *rb_replace_var(RbWork *w, const RbExpr *e, int var, const RbExpr *value);

// A number that follows from constants and parameter values.
bool rb_parameter_number(RbWork *w, const RbExpr *e, double *number);

// Does e depend on parameters and constants only?
bool rb_is_parametric(RbWork *w, const RbExpr *e, RbArena scratch);
