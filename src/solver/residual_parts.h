// SPDX-License-Identifier: MIT
// residual_parts.h: the matrix of an implicit step, dF/dx + c dF/dx', from its two parts. IDA asks
// for it whenever c, which follows the step size, has changed; the parts change much more slowly,
// so they are kept as CVODE keeps its Jacobian.
#pragma once

#include "solver/difference.h"

struct RbSolver;

typedef struct RbResidualParts {
    RbDifference difference; // of F by x, on the pattern of dF/dx
    const RbPattern *state_pattern;
    double *quotients;     // in the order of that pattern
    int *place;            // where they belong in the pattern of the sum
    double *by_x, *by_dx;  // in the order of the pattern of the sum
    size_t capacity, room; // of the last two; of quotients and place
    bool known;
    double c;             // of the last matrix
    long steps, failures; // of IDA when the parts were computed
} RbResidualParts;

// The solver has a pattern and a model with residual_slopes.
void rb_residual_parts_open(struct RbSolver *solver);

// values = dF/dx + c dF/dx' where r = F(t, x, dx). steps and failures: of the integrator so far.
int rb_residual_parts_matrix(struct RbSolver *solver, double t, const double *x, const double *dx,
                             const double *r, double c, long steps, long failures, double *values);
