// SPDX-License-Identifier: MIT
// sundials_glue.h: RbLinear in the shape that SUNDIALS wants: a matrix and a solver that are both
// views of it. Inside of the solver; not for other folders.
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "solver/linear.h"

// NULL if there is no memory. Freed by SUNMatFreeEmpty and SUNLinSolFreeEmpty.
SUNMatrix rb_sun_matrix(RbLinear *linear, SUNContext context);
SUNLinearSolver rb_sun_linear_solver(RbLinear *linear, SUNContext context);
