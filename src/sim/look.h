// SPDX-License-Identifier: MIT
// look.h: what a run shows between its steps: variables by number, derivatives, indicators,
// Jacobian; and values that are changed from outside. Looking has a workspace of its own and leaves
// no trace in the run.
#pragma once

#include "base/intern.h"
#include "rattleback/run.h"
#include "sim/sim.h"

// Where the value of a variable is.
typedef enum RbLookPlace {
    RB_AT_STATE,
    RB_AT_DERIVATIVE,
    RB_AT_QUADRATURE,
    RB_AT_DISCRETE,
    RB_AT_RESULT,
    RB_AT_INPUT,
    RB_AT_PARAMETER, // declared by a component
    RB_AT_CONSTANT,  // of the segment
} RbLookPlace;

typedef struct RbLookVariable {
    RbName name;
    const char *own; // its name inside the component
    const char *unit, *description;
    RbRunKind kind;
    RbLookPlace place;
    int part;  // component
    int index; // in the vector of the whole system; input number; of the parameter or constant
    bool there;
} RbLookVariable;

typedef struct RbLook {
    RbSim *sim;
    RbArena *arena; // as long as the run
    RbNames names;
    RbMap numbers; // name -> index into variables
    RB_ARRAY(RbLookVariable) variables;
    long build; // segment that the places are for
    double *results;
    bool evaluated; // the evaluator holds what follows from the present values
} RbLook;

RbLook rb_look(RbSim *sim, RbArena *arena);

// The run has moved on, or values have changed: bring values and places up to date.
RbStatus rb_look_refresh(RbLook *look);

// -1: there is none.
int rb_look_find(const RbLook *look, const char *name);

RbStatus rb_look_get(RbLook *look, int variable, double *value);
RbStatus rb_look_set(RbLook *look, int variable, double value);

// At (now, x); x NULL: the present states.
RbStatus rb_look_derivatives(RbLook *look, const double *x, double *dx);
RbStatus rb_look_indicators(RbLook *look, const double *x, double *z);
RbStatus rb_look_jacobian(RbLook *look, double *jacobian);
RbStatus rb_look_has_jacobian(RbLook *look, bool *has); // from the components

// The evaluator after an evaluation of the results at the present values.
RbStatus rb_look_evaluate(RbLook *look, RbEvaluator **evaluator);
// The same at other states; and an input, which is set back before the run goes on.
RbStatus rb_look_evaluate_at(RbLook *look, const double *x, RbEvaluator **evaluator);
// Write a row of other states to the journal, as if it were at that time.
RbStatus rb_look_record(RbLook *look, double time, const double *x);
RbStatus rb_look_put_input(RbLook *look, int input, double value);
double rb_look_input(const RbLook *look, int input);
// -1: there is no such state.
int rb_look_derivative(RbLook *look, int state);
