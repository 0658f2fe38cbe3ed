// SPDX-License-Identifier: MIT
// solver.h: integrates x' = f(t, x) or F(t, x, x') = 0 with error control and locates the roots of
// z(t, x). Knows functions, not models. SUNDIALS does the work; none of its types are visible here
// (docs/theory/solver.md).
//
//     RbOde ode = {.n = 2, .root_count = 1, .user = &ball, .derivative = fall, .roots = height};
//     RbSolverOptions options = rb_solver_options();
//     RbSolver *solver;
//     RB_TRY(rb_solver_create(&ode, &options, 0.0, x0, segment_arena, diag, &solver));
//     for (;;) {
//         RbStop stop;
//         RB_TRY(rb_solver_step(solver, t_end, &stop));
//         if (stop.why == RB_STOP_END) break;
//         if (stop.why == RB_STOP_ROOT) RB_TRY(rb_solver_restart(solver, stop.t, after_impact));
//     }
//
// Instances are independent of each other. Between restarts nothing is taken from our allocator. A
// solver that was restarted computes bit for bit what a new one would: so a checkpoint at a restart
// needs only t, x and the quadratures.
#pragma once

#include <stdbool.h>

#include "base/diag.h"
#include "base/log.h"
#include "solver/pattern.h"

// ---- what is integrated ----

// All callbacks answer 0 = done, > 0 = not possible here (outside the domain; a smaller step is
// tried), < 0 = give up. They must be functions of their arguments alone, and must not allocate.
// NaN and infinity in a result count as > 0. roots and quadrature are only called for states that
// were accepted, so there anything but 0 ends the run.
typedef struct RbOde {
    int n;          // states; 0 is allowed: then steps follow g(t) and z(t), if there is a g
    int root_count; // event indicators
    int quad_count; // quadratures
    const bool *quad_loose; // optional: those that are taken along, however exact that is
    void *user;

    // dx = f(t, x). May be NULL with method RB_IDA if residual is there.
    int (*derivative)(void *user, double t, const double *x, double *dx);

    // Event indicators z(t, x); may be NULL if root_count is 0. An event is a change of sign.
    int (*roots)(void *user, double t, const double *x, double *z);

    // Optional: df/dx in the order of the pattern (dense: column after column); dx = f(t, x) is
    // given, values are zero on entry. Without it: difference quotients, one evaluation per colour
    // of the pattern.
    int (*jacobian)(void *user, double t, const double *x, const double *dx, double *values);

    // Where df/dx can be nonzero; NULL = everywhere. Must live until the solver gets another one.
    // For a residual: where dF/dx or dF/dx' can be nonzero.
    const RbPattern *pattern;

    // dq = g(t, x), integrated along the solution without influence on the step size (energies).
    int (*quadrature)(void *user, double t, const double *x, double *dq);

    // Residual form r = F(t, x, dx), only for RB_IDA, index 1. differential[i] != 0: the derivative
    // of x[i] appears in F; NULL: all do. Algebraic x[i] and all derivatives are made consistent at
    // every start; values of x (and of dx = derivative(...), if that is there) are the guess.
    // Without algebraic x[i], dx = derivative(...) is consistent by itself. residual_jacobian:
    // dF/dx + c dF/dx'. residual_roots, optional: z with the derivatives known.
    int (*residual)(void *user, double t, const double *x, const double *dx, double *r);
    int (*residual_jacobian)(void *user, double t, const double *x, const double *dx, double c,
                             double *values);
    // residual_slopes, optional, with a pattern: dF/dx' in its order, zero on entry. Then quotients
    // are taken for dF/dx alone, which can be nonzero on state_pattern (NULL: on all of the
    // pattern), and both parts are kept as long as the iteration converges.
    int (*residual_slopes)(void *user, double t, const double *x, const double *dx, double *values);
    const RbPattern *state_pattern;
    int (*residual_roots)(void *user, double t, const double *x, const double *dx, double *z);
    const bool *differential;

    // Optional, for RB_LEAPFROG: rate[i] is the state that is the derivative of state i (a velocity
    // of a place), or -1. Must live as long as the solver. both: dx and dq in one call.
    const int *rate;
    int (*both)(void *user, double t, const double *x, double *dx, double *dq);

    // Optional: names for messages.
    const char *(*state_name)(void *user, int index);

    // Optional: will the caller say why the last evaluation was not possible? Then the solver does not guess, and fails without a message.
    bool (*explains)(void *user);
} RbOde;

// ---- how ----

typedef enum RbMethod {
    RB_CVODE_BDF,   // stiff or unknown: the default
    RB_CVODE_ADAMS, // smooth, not stiff, costly right-hand side
    RB_ARKODE,      // explicit Runge-Kutta: short segments, many restarts, not stiff
    RB_IDA,         // implicit systems; also integrates derivative, as an oracle for the others
    RB_LEAPFROG,    // explicit, symplectic: mechanical systems (rate), with steps of max_step
    RB_CALLER,      // none: somebody else integrates (rb_solver_put)
} RbMethod;

// Runge-Kutta pairs, order of the solution in the name. ORDER table_ids in explicit.c
typedef enum RbTable {
    RB_TABLE_DORMAND_PRINCE5,
    RB_TABLE_BOGACKI_SHAMPINE3,
    RB_TABLE_CASH_KARP5,
    RB_TABLE_VERNER6,
    RB_TABLE_FEHLBERG8,
} RbTable;

typedef enum RbLinearKind {
    RB_LINEAR_AUTO,   // whatever needs less work for the pattern
    RB_LINEAR_DENSE,  // LAPACK
    RB_LINEAR_SPARSE, // KLU; needs a pattern
} RbLinearKind;

// State i is accurate if its error is below relative_i |x_i| + absolute_i. A position must not be
// weighed by its distance from the origin: give it relative 0 and an absolute tolerance from the
// length that matters.
typedef struct RbSolverOptions {
    RbMethod method;
    RbTable table; // for RB_ARKODE
    RbLinearKind linear;
    double tolerance;       // relative; default 1e-6
    const double *relative; // per state, copied; NULL: tolerance for all
    const double *absolute; // per state, copied; NULL: tolerance for all (nominal value 1)
    const int *block;    // per state, copied: states of one block share their number, 0, 1, ... The
                         // error that counts is that of the worst block; NULL: all are one
    const double *range; // per state, copied: by how much it may change until a Jacobian is too old for BDF; 0: by any. NULL: all 0
    double span;         // [s] what the integration is about, if there are no states; 0 = not known
    double max_step;     // [s] 0 = no limit
    double initial_step; // [s] at every (re)start; 0 = the method chooses
    int max_order;       // BDF, IDA: at most 5, Adams: at most 12; 0 = as high as possible
    long max_steps;      // for one call of rb_solver_advance; default 100000
    const RbLog *log;    // topic solver: restarts, warnings of the integrator; may be NULL
} RbSolverOptions;

RbSolverOptions rb_solver_options(void);

// Method and table by the name used on a command line: "bdf" (also "cvode"), "adams", "ida",
// "leapfrog", "dp5", "bs3", "ck5", "verner6", "fehlberg8", "caller". false if there is none.
bool rb_solver_find_method(const char *name, RbMethod *method, RbTable *table);
// Does it solve linear systems with df/dx? Others have no use for a pattern.
bool rb_solver_needs_matrix(RbMethod method);
const char *rb_solver_method_name(RbMethod method, RbTable table);

// ---- running ----

typedef struct RbSolver RbSolver;

// A solver at (t, x). It lives in the arena and keeps the pointers arena, diag and ode->user,
// ->pattern. For another number of states, roots or quadratures create another one.
RbStatus rb_solver_create(const RbOde *ode, const RbSolverOptions *options, double t,
                          const double *x, RbArena *arena, RbDiag *diag, RbSolver **out);

// Go on from (t, x), whatever happened before; x may be rb_solver_state(solver) itself. Keeps n,
// tolerances and quadratures (if t lies inside the last step, they are taken back to t).
RbStatus rb_solver_restart(RbSolver *solver, double t, const double *x);

// The first step after the next restart is no longer [s]; INFINITY: any.
void rb_solver_first_step(RbSolver *solver, double step);

// Another pattern of the same size (NULL = dense), used from the next restart on, which must follow
// before a step. A state_pattern is given up.
RbStatus rb_solver_set_pattern(RbSolver *solver, const RbPattern *pattern);

typedef enum RbStopWhy {
    RB_STOP_STEP, // a step was taken
    RB_STOP_ROOT, // at least one z changed its sign at t; the solver stands right behind the change
    RB_STOP_END,  // t is the stop time, exactly
} RbStopWhy;

typedef struct RbStop {
    RbStopWhy why;
    double t;         // [s]
    const double *x;  // the solver's own; valid until the next call that moves it
    const int *roots; // why == RB_STOP_ROOT: per root 0, -1 (fell through zero) or 1 (rose)
} RbStop;

// One step, at most to t_stop: f and z are never evaluated beyond it. t_stop may differ from call
// to call, so it also serves as a bound for this one step. After RB_STOP_ROOT either restart or go
// on: a change of sign is told once. Indicators that are zero at a (re)start are watched once they
// have left zero.
// After a failure time and state are those before the step; only a restart can follow.
RbStatus rb_solver_step(RbSolver *solver, double t_stop, RbStop *stop);

// With RB_CALLER: the next step, which must be to t, ends at these states.
void rb_solver_put(RbSolver *solver, double t, const double *x);
// Of RB_CALLER: where the last step began.
double rb_solver_step_start(const RbSolver *solver);

// Steps until a root or t_stop; fails after max_steps.
RbStatus rb_solver_advance(RbSolver *solver, double t_stop, RbStop *stop);

// ---- looking at the solution ----

double rb_solver_time(const RbSolver *solver);         // [s]
const double *rb_solver_state(const RbSolver *solver); // n values at that time

// The last call of step went from *t_old to *t_new (equal after a restart). Dense output exists in
// between.
void rb_solver_interval(const RbSolver *solver, double *t_old, double *t_new);

// Solution and derivative at a time inside the interval. To end the last step earlier, at t:
// interpolate there, then restart at t. RB_ERROR_INTERNAL outside the interval.
RbStatus rb_solver_interpolate(RbSolver *solver, double t, double *x);

// After a failure: the state whose error was largest; -1: that was not the reason.
int rb_solver_worst_state(const RbSolver *solver);
RbStatus rb_solver_interpolate_derivative(RbSolver *solver, double t, double *dx);

// Quadratures at a time inside the interval; they start at 0. Setting them (resume) is for the
// current time.
RbStatus rb_solver_quadrature(RbSolver *solver, double t, double *q);
void rb_solver_set_quadrature(RbSolver *solver, const double *q);

// Counters since creation; restarts do not reset them.
typedef struct RbSolverStats {
    long restarts;
    long steps;
    long derivatives;          // evaluations of f (or F), those for Jacobians included
    long jacobian_derivatives; // evaluations of f for difference quotients
    long jacobians;
    long linear_setups; // factorisations
    long pivot_orders;  // of these, those that chose new pivots (sparse)
    long error_test_failures;
    long nonlinear_iterations;
    long nonlinear_failures;
    long roots;       // evaluations of z
    long quadratures; // evaluations of g
    double last_step; // [s]
    int last_order;
    // What the libraries hold, as far as they tell: their work spaces, and KLU's factors.
    size_t library_bytes;
    long library_allocations; // calls that we made which allocate inside a library (creation, new
                              // pivots)
} RbSolverStats;

RbSolverStats rb_solver_stats(const RbSolver *solver);
