// SPDX-License-Identifier: MIT
// small.h: integrators of our own for small systems x' = f(t, x), 1 to about 50 states, of which a
// run may have hundreds, each with its own step size (docs/theory/small.md). Two methods:
//
//   explicit  Dormand and Prince 5(4), for what is not stiff
//   stiff     Rosenbrock method RODAS 4(3), L-stable and stiffly accurate, with its own dense LU
//
// and a switch between them, both ways, by an estimate of the stiffness. Both are one-step methods:
// a restart costs nothing but a first step size, and the last step can be taken again with another
// end, so that the time of an event is as exact as the method and not as its interpolation.
//
//     RbSmall *s = rb_small_create(2, true, arena);
//     RbSmallOde ode = {.n = 2, .derivative = swing};
//     rb_small_open(s, &ode, &options);
//     rb_small_start(s, 0, x0, RB_SMALL_AUTO, 0);
//     while (rb_small_time(s) < t_end) RB_TRY(rb_small_step(s, t_end, diag));
//
// What happens after a start depends on (t, x) and the arguments of the start alone, bit for bit.
// Nothing is allocated after rb_small_create.
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

// Callbacks answer as in RbOde: 0 = done, > 0 = not possible here (a smaller step is tried), < 0 =
// give up.
typedef struct RbSmallOde {
    int n;
    void *user;
    int (*derivative)(void *user, double t, const double *x, double *dx);
    // Optional: df/dx by columns; dx = f(t, x) is given, values are zero on entry. Otherwise
    // difference quotients.
    int (*jacobian)(void *user, double t, const double *x, const double *dx, double *values);
    bool autonomous;      // f does not depend on t: saves an evaluation in each stiff step
    double jacobian_cost; // evaluations of f that a call of jacobian takes as long as; 0: two
    // Optional, at most RB_SMALL_RATES: each call of derivative leaves rates here that are to be
    // integrated along the solution and on which nothing depends (rb_small_integrate).
    const double *rates;
    int rate_count;
    const bool *loose; // optional, per rate: nobody doubts it
    // Optional, instead of all of these: the system moves by itself from (t0, x0) to *t1, at most to limit, or
    // exactly there, and tells the integrals of its rates (docs/theory/crowds.md). look: only to see the states there.
    int (*advance)(void *user, double t0, const double *x0, double limit, bool exactly, bool look,
                   double *t1, double *x1, double *integrals);
    bool (*explains)(void *user); // optional, as in RbOde
    const char *(*state_name)(void *user, int index); // likewise
} RbSmallOde;

enum { RB_SMALL_RATES = 9 };

typedef enum RbSmallKind { RB_SMALL_AUTO, RB_SMALL_EXPLICIT, RB_SMALL_STIFF } RbSmallKind;

// State i is accurate if its error is below relative[i] |x[i]| + absolute[i], as in
// RbSolverOptions.
typedef struct RbSmallOptions {
    double tolerance;       // default 1e-6
    const double *relative; // per state, copied; NULL: tolerance for all
    const double *absolute; // per state, copied; NULL: tolerance for all (nominal value 1)
    double max_step;        // [s] 0 = no limit
    // Parts whose errors are tested one by one, so that a large system is as exact as small ones;
    // NULL: all states together. Ends of the parts, which lie one after another; not copied.
    const int *part_ends;
    int part_count;
    RbSmallKind method; // RB_SMALL_AUTO: switch by stiffness; otherwise always this one
} RbSmallOptions;

RbSmallOptions rb_small_options(void);

typedef struct RbSmall RbSmall;

// Memory for systems of up to `capacity` states; without matrices all steps are explicit.
RbSmall *rb_small_create(int capacity, bool matrices, RbArena *arena);

// Integrate this system from now on; n must not exceed the capacity. Options are copied, ode too.
// Start must follow.
void rb_small_open(RbSmall *small, const RbSmallOde *ode, const RbSmallOptions *options);

// Begin at (t, x). kind: with which method, if the options leave the choice (RB_SMALL_AUTO:
// explicit until found stiff). step: size of the first step [s], 0: chosen from f.
void rb_small_start(RbSmall *small, double t, const double *x, RbSmallKind kind, double step);

// One accepted step, at most to t_limit: f is not evaluated beyond it. The step that would end
// within 1 % of it, or beyond, ends there exactly. After a failure time and state are those before
// the call.
RbStatus rb_small_step(RbSmall *small, double t_limit, RbDiag *diag);

// Take the last step again, from the same start but to t_end, which lies inside it. May be repeated
// with any t_end inside the step that was accepted.
RbStatus rb_small_retake(RbSmall *small, double t_end, RbDiag *diag);

double rb_small_time(const RbSmall *small); // [s]
const double *
rb_small_state(const RbSmall *small); // at that time; valid until the next call that moves it
RbSmallKind rb_small_kind(const RbSmall *small); // the method of the next step
double rb_small_next_step(const RbSmall *small); // [s] its proposed size; 0: to be chosen

// The last step went from *t0 to *t1 (equal after a start); `count` states from `first` on at a
// time in between, by dense output: order 4 (explicit), 3 (stiff), exact at both ends.
// Systems that move by themselves: a straight line, unless it is the time of the last look.
void rb_small_interval(const RbSmall *small, double *t0, double *t1);
void rb_small_interpolate(const RbSmall *small, double t, int first, int count, double *x);

// All states at a time inside the last step as exactly as at its ends, until the next look or step.
RbStatus rb_small_look(RbSmall *small, double t, const double **x, RbDiag *diag);

// Add the integrals of the rates over a part of the last step to q: from the stages (explicit), or from
// the rates at the ends of this step and those before (stiff). Answers as the callbacks.
int rb_small_integrate(RbSmall *small, double from, double until, double *q);

// Are these integrals less exact than the solution? So it is where rates bend and the solution does not: a contact that presses
// no more, but still has something to give back. Compared with what is in q so far.
bool rb_small_doubts_rates(const RbSmall *small, const double *q);

// After a step that failed: the state whose error was largest.
int rb_small_worst_state(const RbSmall *small);

// Counters since rb_small_open.
typedef struct RbSmallStats {
    long starts;
    long steps;       // accepted
    long stiff_steps; // of these
    long rejected;    // error too large or f not defined
    long retakes;
    long derivatives; // all evaluations of f
    long jacobians;
    long factorisations;
    long switches; // from one method to the other
} RbSmallStats;

RbSmallStats rb_small_stats(const RbSmall *small);
