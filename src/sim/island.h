// SPDX-License-Identifier: MIT
// island.h: integrates the independent parts of a system apart from each other
// (docs/theory/islands.md).
//
// An island is a set of groups of states that influence each other at present: a rolling ball, two
// balls in contact. Each advances with its own method and step size (solver/small.h); the one that
// is furthest behind goes next. Events are found along the dense outputs, located by taking the
// steps of the islands concerned again, and restart, join or part only these.
//
// Used as a solver is (solver.h): step, look, restart.
#pragma once

#include "model/evaluator.h"
#include "solver/solver.h"

typedef struct RbIslands RbIslands;

typedef struct RbIslandOptions {
    double tolerance;
    const double *relative, *absolute; // per state of the system; must live as long as the islands
    double max_step;                   // [s] 0: no limit
    double initial_step;               // [s] of every start; 0: chosen
    const RbLog *log;
} RbIslandOptions;

// Are there groups that the equations do not reach, and cannot?
bool rb_islands_beside_equations(const RbSystem *system);

RbIslands *rb_islands_create(const RbSystem *system, RbEvaluator *evaluator,
                             const RbIslandOptions *options, RbArena *arena, RbDiag *diag);

// States or discrete values have changed at t, where the last step or stop was: what is linked now?
// Islands that contain one of `groups` (NULL: all), that join, part, or whose states differ from x
// start anew; all others go on as if nothing had happened. Quadratures must have been asked for at
// t before the discrete values changed.
RbStatus rb_islands_restart(RbIslands *islands, double t, const double *x, const bool *groups);

// What a component has found by itself: nobody but the one or two islands of its groups need be
// looked at, so that the cost of an event does not grow with the number of islands.
typedef struct RbIslandEvent {
    int part;
    RbWatch watch;
    const int *groups; // of the island that found it
    int group_count;
} RbIslandEvent;

// After a step that failed: the state of the system whose error was largest; RB_NONE: nobody knows.
int rb_islands_worst_state(const RbIslands *islands);

// The event of the last stop, NULL if it is not of that kind.
const RbIslandEvent *rb_islands_event(const RbIslands *islands);

// States of the islands that it concerns, whose quadratures are brought up to it, before the
// discrete values change; states of all the others.
RbStatus rb_islands_fetch_event(RbIslands *islands, double *x);
void rb_islands_fetch_others(RbIslands *islands, double *x);

// As rb_islands_restart, after such an event: only its islands, whose quadratures are known
// already.
// The first steps of islands that start next are no longer [s]; INFINITY: any.
void rb_islands_first_step(RbIslands *islands, double step);
RbStatus rb_islands_restart_event(RbIslands *islands, const double *x, const bool *groups);

// Until the next time at which something is known about all islands; at most to t_stop. As
// rb_solver_step. x is not set.
RbStatus rb_islands_step(RbIslands *islands, double t_stop, RbStop *stop);

// States at a time that all islands have in their steps: from the last stop on back to the one
// before.
void rb_islands_interpolate(RbIslands *islands, double t, double *x);

// Quadratures up to such a time; times must not fall from call to call.
RbStatus rb_islands_quadrature(RbIslands *islands, double t, double *q);
void rb_islands_set_quadrature(RbIslands *islands, const double *q);

// After a restart: 0, or the number of states of an island that is larger than small integrators
// are made for. Then nothing has changed, and another solver must go on.
int rb_islands_overflow(const RbIslands *islands);

int rb_islands_count(const RbIslands *islands);
RbSolverStats rb_islands_stats(const RbIslands *islands);
