// SPDX-License-Identifier: MIT
// difference.h: Jacobians by difference quotients, on a pattern (one evaluation per colour) or
// dense (one per column).
#pragma once

#include "solver/pattern.h"

typedef struct RbDifference {
    int n;
    const RbPattern *pattern; // NULL = dense
    RbColouring colouring;
    double *x; // moved point
    double *f; // value there
} RbDifference;

// Prepare a zero struct, or change the pattern (same n).
void rb_difference_set_pattern(RbDifference *d, int n, const RbPattern *pattern, RbArena *arena);

// The function to differentiate, answers as in RbOde.
typedef int (*RbVectorFunction)(void *user, const double *x, double *f);

// values = df/dx at x, where f(x) = f0, in pattern order (dense: by columns). scale[j] > 0 is the
// length over which x[j] changes f noticeably; the first try moves x[j] towards `toward`[j], the
// second, if f cannot be evaluated there, away.
int rb_difference_jacobian(RbDifference *d, RbVectorFunction function, void *user, const double *x,
                           const double *f0, const double *scale, const double *toward,
                           double *values);
