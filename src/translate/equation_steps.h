// SPDX-License-Identifier: MIT
// equation_steps.h: what the equations do after each accepted step: keep the past, look whether all
// holds, and say where it does not any more.
#pragma once

#include "translate/equation_half_data.h"

// The past that delay() will ask for.
void rb_equations_remember(RbEquationHalf *q, const RbStepView *step);

// Does all hold at the end of the step: assertions, systems of equations, values that are numbers?
// Answers the time up to which the step counts; an error (q->status) is reported there, a warning does
// not end it.
double rb_equations_check_step(RbEquationHalf *q, const RbStepView *step);

// Report why the variables cannot be computed at a point of the solution. (A function that only
// results need is not called before the step is accepted.)
RbStatus rb_equations_outputs_failed(const RbEquationHalf *q, double time);

// Report a variable that is no number: sqrt(-5). What it follows from is named, where that can be
// found.
RbStatus rb_equations_undefined(const RbEquationHalf *q, int var, double time);
