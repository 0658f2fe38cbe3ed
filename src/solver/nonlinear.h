// SPDX-License-Identifier: MIT
// nonlinear.h: solves F(u) = 0 by Newton's method with line search (KINSOL). Knows functions, not
// models.
//
//     RbNonlinearEquations equations = {.n = 2, .user = &circuit, .residual = kirchhoff};
//     RbNonlinearOptions options = rb_nonlinear_options();
//     RbNonlinear *system;
//     RB_TRY(rb_nonlinear_create(&equations, &options, arena, diag, &system));
//     RB_TRY(rb_nonlinear_solve(system, u)); // guess in, solution out
#pragma once

#include "base/diag.h"
#include "solver/solver.h"

// Callbacks answer as those of RbOde: 0 = done, > 0 = not possible here (a shorter step is tried),
// < 0 = give up.
typedef struct RbNonlinearEquations {
    int n;
    void *user;
    int (*residual)(void *user, const double *u, double *r);
    // Optional: dF/du in the order of the pattern (dense: column after column), zero on entry; r =
    // F(u).
    int (*jacobian)(void *user, const double *u, const double *r, double *values);
    const RbPattern *pattern;                           // NULL = dense
    const char *(*unknown_name)(void *user, int index); // optional, for messages
    const char *(*equation_name)(void *user, int index);
} RbNonlinearEquations;

typedef struct RbNonlinearOptions {
    double tolerance;      // largest scaled residual of a solution; default 1e-10
    double step_tolerance; // largest scaled last step; default 1e-12
    int max_iterations;    // default 100
    RbLinearKind linear;
    const double *nominal;          // per unknown, > 0, copied; NULL: 1
    const double *residual_nominal; // per equation, > 0, copied; NULL: from the Jacobian at the
                                    // guess, such that a change of any unknown by its nominal value
                                    // changes no residual by more than 1
} RbNonlinearOptions;

RbNonlinearOptions rb_nonlinear_options(void);

typedef struct RbNonlinear RbNonlinear;

// The system lives in the arena and keeps the pointers arena, diag and those in equations.
RbStatus rb_nonlinear_create(const RbNonlinearEquations *equations,
                             const RbNonlinearOptions *options, RbArena *arena, RbDiag *diag,
                             RbNonlinear **out);

// u: guess in, solution out (the last iterate on failure). Nothing is allocated, except for the
// message on failure.
RbStatus rb_nonlinear_solve(RbNonlinear *system, double *u);

// Another pattern of the same size (NULL = dense).
void rb_nonlinear_set_pattern(RbNonlinear *system, const RbPattern *pattern);

typedef struct RbNonlinearStats {
    long solves;
    long iterations;
    long residuals; // evaluations of F, those for Jacobians included
    long jacobians;
    double residual_norm; // largest scaled residual at the end of the last solve
} RbNonlinearStats;

RbNonlinearStats rb_nonlinear_stats(const RbNonlinear *system);
