// SPDX-License-Identifier: MIT
// equation_looks.h: relations that change twice within a step, so that its end does not show it.
//
// Two kinds are looked for. Steps longer than a thousandth of the run are looked at in between, so that
// each part of the run is looked at 1000 times. And where the values at the ends of two steps say that
// an indicator turns round close to zero (x > 0.99999, and x swings between -1 and 1), the place where it
// turns is searched for.
#pragma once

#include "base/arena.h"
#include "rattleback/component.h"

// What is known of the indicators of a run.
typedef struct RbLooks {
    int count;
    double *seen, seen_at; // last values asked for by the solver, and when [s]
    double *start, *end;   // of the present step
    double *inside;
    double *rate;         // [1/s] mean slope over the step before
    double known_at;      // [s] where `end` belongs to; NAN: nothing is known
    double length_before; // [s] of the step before; 0: there is none
} RbLooks;

struct RbEquationHalf;

RbLooks rb_looks(RbArena *arena, int count);

// What the solver got. (Its last question in a step is at the end of it: nothing is computed twice.)
void rb_looks_note(RbLooks *looks, double time, const double *z);

// The solver starts anew.
void rb_looks_forget(RbLooks *looks);

// The first event inside the step that its end does not show, with the indicator that changes and its
// new sign. INFINITY: none.
double rb_equations_look_inside(struct RbEquationHalf *q, const RbStepView *step, int *indicator,
                                int *sign);
