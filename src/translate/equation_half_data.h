// SPDX-License-Identifier: MIT
// equation_half_data.h: what the component of equation_half.h is made of. Private to equation_*.c and
// change.c.
#pragma once

#include "external/externals.h"
#include "program/background.h"
#include "rattleback/run.h"
#include "translate/bounces.h"
#include "translate/equation_events.h"
#include "translate/equation_half.h"
#include "translate/equation_looks.h"
#include "translate/visuals.h"

// What a function of a component was called with last, and what it answered: the code of a large
// model is written in parts, each of which calls the functions whose results it reads.
typedef struct RbComponentMemory {
    long evaluation; // in which that was; 0: never
    double *args, *results;
} RbComponentMemory;

// The component's own memory; and, for every further caller that evaluates beside the run, a twin of
// it in that caller's workspace: what evaluations write is in `in` and in what belongs to the
// present call, of which each has its own.
typedef struct RbEquationHalf {
    const RbProgram *program;
    RbProgramInstance *in;
    RbArena *arena;               // of the model
    struct RbEquationHalf *twins; // first of those that there are, in use or not
    struct RbEquationHalf *next;  // twins: the next one
    bool taken;                   // by a workspace of the running segment
    bool is_twin;
    RbExternals *externals;
    RbInputFile *input;             // may be NULL
    RbInputFunction input_function; // or NULL
    void *input_user;
    RbDiag *diag;             // of the run
    int *outputs;             // variables that are recorded
    RbBackground *background; // NULL: the code stays as it is
    int output_count;
    bool restored; // values come from a checkpoint
    double *x;     // states inside a step
    RbLooks looks;
    RbStatePattern pattern;
    RbStatePattern residual_pattern, given_pattern; // if some states are implicit
    const RbEval *eval;        // of the present call: how the components are reached
    RbComponentMemory *memory; // by function of the flat model
    long evaluation;           // number of the present call
    double calls;              // of components in it so far
    RbEvalStatus called;       // what the last call of a component answered, if that was not good
    bool has_components;
    bool all_linear;    // no system is solved by iteration
    bool watches_steps; // something may fail that no derivative needs: see check_step
    bool outputs_known; // all variables have the values of the last evaluation
    RbVisuals visuals;
    RbBounces bounces;
    RbEquationEvents events;
    double failed_at;    // [s] where evaluations failed last
    int attempts;        // that failed there
    RbStatus status;     // of what happened inside a call that has no other way to say it
} RbEquationHalf;

static inline const RbSortedDae *rb_equations_dae(const RbEquationHalf *q) {
    return q->program->dae;
}
