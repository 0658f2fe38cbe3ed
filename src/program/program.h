// SPDX-License-Identifier: MIT
// program.h: a translated model, ready to be evaluated: x' = f(t, x) with discrete variables and
// events.
//
//     RbProgram *program;
//     RB_TRY(rb_program(dae, NULL, arena, scratch, diag, &program));
//     RbProgramInstance *in = rb_program_instance(program, arena);
//     RB_TRY(rb_program_initialize(in, 0.0, diag));
//     memcpy(x, in->frame.x, program->state_count * sizeof *x);
//     RB_TRY(rb_program_derivatives(in, t, x, dx));
//
// The program is constant; an instance holds all that changes (parameters, discrete variables,
// workspace), so several may run at a time. Nothing here allocates after rb_program_instance, but
// for calls of interpreted functions, which use memory of the instance again and again.
#pragma once

#include "base/log.h"
#include "code/compile.h"
#include "code/lower.h"
#include "expr/eval.h"

// ORDER names in program.c
typedef enum RbBackend {
    RB_BACKEND_TCC,       // compiled in memory at once
    RB_BACKEND_INTERPRET, // the expressions themselves: slow, the oracle
    RB_BACKEND_OPTIMIZED, // by the system's compiler, cached
} RbBackend;

typedef struct RbProgramOptions {
    RbBackend backend;
    const char *cache; // directory of optimised code; NULL: the user's cache
    // With RB_BACKEND_TCC: optimised code is made during a run and taken over (background.h).
    bool background;
    double background_after; // [s] of CPU time that a run must have lasted; 0: RB_BACKGROUND_AFTER
    const RbLog *log;        // may be NULL
    int roll_turn;           // repeated equations become loops: see rb_roll; 0: RB_ROLL_TURN
} RbProgramOptions;

// Linear systems that an implicit solver can be given as residuals (rb_program_residuals).
typedef struct RbResidualForm {
    int system_count, largest; // systems; unknowns of the largest
    int count;                 // states whose derivatives are unknowns of these systems
    bool *implicit;            // which: by their place in x
    int *system;               // the system of each; -1: none
    bool indicators_depend;    // event indicators follow from the solutions
    // The residual of state `row` depends on the derivative of state `column`.
    struct RbGivenEntry {
        int row, column;
    } * slopes;
    int slope_count;
} RbResidualForm;

typedef RB_ARRAY(const RbExpr *) RbClockValues;

// Variables by their names. The table is made when one is asked for first, which most runs never do.
typedef struct RbProgramNames {
    RbArena *arena;
    int *places; // open addresses, at most half full: number of a variable plus one, 0: free
    int count;   // a power of two
} RbProgramNames;
typedef struct RbClockRelation {
    int relation;
    const RbExpr *left, *right; // of it, with functions of time instead of variables
    bool affine;  // in time: when it switches follows from two points
    bool settled; // it depends on time and parameters alone, not on discrete variables
} RbClockRelation;

typedef struct RbProgram {
    const RbSortedDae *dae;
    const RbLowered *lowered;
    RbCSource source;
    RbCompiled compiled;
    RbProgramNames *names;
    bool *taken; // its memory belongs to an instance; others get code of their own
    RbBackend backend;
    RbProgramOptions options;
    int state_count, input_count, discrete_count, parameter_count; // with the sizes at translation
    int indicator_count; // event indicators: of the relations, then of the branches
    int *branches;       // nonlinear systems whose branch of solutions may end (branch.h)
    int branch_count;
    int sample_count; // periodic time events
    bool has_homotopy;
    RbResidualForm residual_form;
    RbClockRelation *clock_relations; // relations of time: events known in advance (timing.h)
    int clock_relation_count;
    RbClockValues clock_values;  // functions of time that may jump (ahead.h)
    RbClockValues clock_signals; // functions of time that may wake up after a pause (ahead.h)
} RbProgram;

RbStatus rb_program(const RbSortedDae *dae, const RbProgramOptions *options, RbArena *arena,
                    RbArena scratch, RbDiag *diag, RbProgram **program);

// --- instances -----------------------------------------------------------------------------------

// A value for a whole array, set from outside: all of it, or single elements.
typedef struct RbArrayValue {
    bool given;
    int rank, dims[2];
    double *data;
} RbArrayValue;

typedef struct RbElementValue {
    int array, subscripts[2]; // from 1
    double value;
} RbElementValue;

// A String that was set.
typedef struct RbTextValue {
    int var;
    const char *text;
} RbTextValue;

typedef struct RbProgramInstance RbProgramInstance;
struct RbProgramInstance {
    RbCodeFrame frame; // first: generated code hands it back to us
    const RbProgram *program;
    RbArena *arena;
    RbCompiled compiled; // without sections: interpreted
    double *area[RB_AREA_COUNT];
    int counts[RB_AREA_COUNT];  // numbers in each area; differ from those of the program if sizes
                                // were changed
    int *sizes, *slices;        // frame.n: see layout.h
    struct RbFactors **factors; // by array of the workspace: of the matrix it is solved with
    RbArrayValue *array_values; // by array
    RB_ARRAY(RbElementValue) element_values;
    RB_ARRAY(RbTextValue) texts;
    struct RbSystemWork *systems;
    struct RbDelays *delays;
    struct RbAhead *ahead;      // NULL: nothing to look for
    double run_start, run_stop; // [s] of the run, as far as one looks ahead; both 0: not known
    double *clock_next;         // [s] by clock relation: when it switches next; NaN: not known
    struct RbClockTapes *clock_tapes; // by clock relation
    struct RbLimits *limits;
    struct RbSiteMemory *site_memory; // by call site: what a table gave last
    const double *given;   // derivatives that an implicit solver proposes (residual.h), or NULL
    bool matrices_wanted;  // of the systems that are not solved
    double anchor_time[2]; // [s] of the solutions that systems start from (branch.h)
    bool anchored;         // they are there; false at events, which start from the present values
    double *sample_start;                   // [s] that of the run for clocks
    double *sample_first, *sample_interval; // [s], times the resolution; follow from the parameters
    double *sample_resolution;
    double *next_sample;                    // [s] of each sample
    long *sample_number;                    // of the next one
    double *slack;  // by relation: its indicator is shifted by so much against its present value
    double *before; // discrete variables, to see what changed
    unsigned char *overridden;   // parameters that were set from outside
    unsigned char *given_inputs; // scalar inputs that were: they do not take their start value
    double *override_values;
    // Functions that are not algorithms (external code, components); NULL: they fail. Results are
    // filled in.
    bool (*call)(void *user, RbEnv *env, const RbFunction *f, const RbExprValue *args,
                 RbExprValue *results);
    // The same for components, whose arguments and results are all numbers; called in every
    // evaluation, so nothing is boxed. NULL: `call` serves. False: failed, results do not matter.
    bool (*call_component)(void *user, int function, const double *args, double *results);
    // What the component said that failed last; may be NULL.
    const char *(*why_component)(void *user);
    bool missing; // in this segment a component has no value to give: what follows has none either
    bool component_failed; // in the section that ran last: what came of it is no fault of equations
    void *call_user;
    // Called before and after parameters, and with them external objects, are computed; may be
    // NULL.
    void (*make_objects)(void *call_user, bool begin);
    // What to try for a nonlinear system that Newton's method cannot solve: y is a guess and
    // becomes the solution. NULL: nothing. True: solved.
    bool (*solve_hard)(void *user, int system, RbSystemFunction *evaluate, double *y);
    void *hard_user;
    // Called when the sizes of all arrays are known, before inputs are read. May be NULL.
    RbStatus (*place_inputs)(void *call_user, RbDiag *diag);
    // Where a state should start, if its start value is not fixed; false: there. May be NULL.
    bool (*start_of)(void *call_user, int state, double *value);
    // Fills in frame.u at a time; `event`: jumps there have happened. May be NULL.
    void (*read_inputs)(void *call_user, double time, bool event);
    RbArena *call_arena;    // for interpreted functions and expressions
    int interpreted_system; // the one that the interpreter is at
    int failed_system;      // the last system that could not be solved, or -1
    RbPos failure_at;       // of the function that failed, if it is known
    long event_number;      // rounds of event iterations so far
    const char *failure;    // why, in words
    char failure_text[400]; // room for words that name something
    bool failure_is_assertion;
    bool terminate;                  // the model asked for the end
    const struct RbAction **reinits; // by state: what has set it at the last event, or NULL
    bool any_reinit;                 // one of them has
    unsigned char *warned;           // by action: its warning was given
};

static inline double *rb_area(const RbProgramInstance *in, RbArea area) {
    return in->area[area];
}

// The first instance takes the program's code at its word; a further one of a program that was
// compiled at once compiles it again, since that code works at fixed addresses.
RbProgramInstance *rb_program_instance(const RbProgram *program, RbArena *arena);

// Set a parameter or start value by the index of its variable, before rb_program_initialize.
// False: this variable cannot be set.
bool rb_program_set(RbProgramInstance *in, int var, double value);
int rb_program_find(const RbProgram *program, const char *name); // -1: none

// The same for arrays by name, row by row: a parameter, an input or the start value of a variable.
// An array that is whole may get another size (docs/theory/dae.md, section 12); one that was taken
// apart keeps it. RB_ERROR_USAGE and a message: it cannot be set.
RbStatus rb_program_set_array(RbProgramInstance *in, const char *name, int rank, const int *dims,
                              const double *values, RbDiag *diag);
// A scalar by name; also an element of a whole array, A[2,1].
RbStatus rb_program_set_named(RbProgramInstance *in, const char *name, double value, RbDiag *diag);

// The same between two events of a run: a parameter, which takes effect with
// rb_program_change_parameters, or a discrete variable, which holds the value until an equation
// gives it another one.
RbStatus rb_program_change(RbProgramInstance *in, const char *name, double value, RbDiag *diag,
                           bool *parameter);
RbStatus rb_program_change_parameters(RbProgramInstance *in, double time, RbDiag *diag);

// Another instance of the same program takes over parameters, states, discrete variables, inputs,
// past and the solutions that iterations start from, and can be evaluated beside the first one.
void rb_program_follow(const RbProgramInstance *from, RbProgramInstance *to);

// A String parameter; a message says why it cannot be set, if it cannot.
RbStatus rb_program_set_text(RbProgramInstance *in, const char *name, const char *text,
                             RbDiag *diag);
// What it was set to; NULL: it has the value of its definition.
const char *rb_program_text(const RbProgramInstance *in, int var);

// The number that a word means for a variable: true, false, or a literal of its enumeration.
bool rb_program_literal(const RbProgram *program, const char *name, const char *text,
                        double *value);

// Number of elements that variable `var` has in this instance (0: it has no value of its own), and
// its element k from 0; the name of element k.
int rb_program_elements(const RbProgramInstance *in, int var);
double rb_program_element(const RbProgramInstance *in, int var, int k);
const char *rb_program_element_name(const RbProgramInstance *in, int var, int k, RbArena *arena);

static inline int rb_program_states(const RbProgramInstance *in) {
    return in->counts[RB_AREA_X];
}

// Parameters from their definitions and what was set: then rb_program_value answers them.
RbStatus rb_program_parameters(RbProgramInstance *in, double time, RbDiag *diag);

// External objects anew, with parameters that come from a checkpoint.
RbStatus rb_program_objects(RbProgramInstance *in, RbDiag *diag);

// Parameters as above; then start values; then the system of
// equations at the start, with event iteration. The states are in in->frame.x afterwards.
RbStatus rb_program_initialize(RbProgramInstance *in, double time, RbDiag *diag);

// The same once more, with parameters as they are, where some states have other start values: those in x that differ from
// in->frame.x, unless they are fixed.
RbStatus rb_program_initialize_from(RbProgramInstance *in, double time, const double *x,
                                    RbDiag *diag);

// dx = f(time, x). Answers RB_ERROR_SOLVER if a system of equations cannot be solved there (the
// solver may try a smaller step).
RbStatus rb_program_derivatives(RbProgramInstance *in, double time, const double *x, double *dx);

// The same with derivatives that an implicit solver proposes: r[i] is the residual of an equation
// for states of residual_form.implicit, zero where `given` is right, and the derivative for all
// others. No system of residual_form is solved.
RbStatus rb_program_residuals(RbProgramInstance *in, double time, const double *x,
                              const double *given, double *r);

// The derivatives of these residuals by the given derivatives, the matrices of the systems, in the
// order of residual_form.slopes.
RbStatus rb_program_residual_slopes(RbProgramInstance *in, double time, const double *x,
                                    const double *given, double *values);

// All continuous variables: then rb_program_value answers them.
RbStatus rb_program_outputs(RbProgramInstance *in, double time, const double *x);
double rb_program_value(const RbProgramInstance *in, int var);

// Event indicators z_i: each changes its sign at an event. A hysteresis [relative to 1] keeps an
// event from being found twice.
RbStatus rb_program_indicators(RbProgramInstance *in, double time, const double *x, double *z);
// The same at the point of the last rb_program_derivatives or rb_program_residuals.
RbStatus rb_program_indicators_here(RbProgramInstance *in, double *z);

// Time of the next event that is known in advance, or infinity: of sample(), or of a relation of
// time alone.
double rb_program_next_time_event(RbProgramInstance *in);

typedef struct RbEventResult {
    bool values_changed; // discrete variables
    bool states_changed; // by reinit, or another choice of states: *x has new values, the solver
                         // starts anew
    bool terminate;
    int iterations;
} RbEventResult;

// At an event: discrete variables and relations are computed anew until nothing changes, then
// reinit. x is in and out.
RbStatus rb_program_event(RbProgramInstance *in, double time, double *x, RbDiag *diag,
                          RbEventResult *result);

// After an accepted step: is another choice of states better by now? Then rb_program_event will
// make it.
bool rb_program_wants_other_states(RbProgramInstance *in, double time, const double *x);

// Why the last evaluation failed, with the unknowns of the system that could not be solved.
RbStatus rb_program_explain(RbProgramInstance *in, RbStatus code, RbDiag *diag);

// The run ends: terminal() holds in the next event.
void rb_program_end(RbProgramInstance *in);

// At a point of the run: can all variables be computed, and do the assertions hold? Reports nothing.
bool rb_program_holds(RbProgramInstance *in, double time, const double *x);

// The same with a message. An error carries that of the model and its position; a warning of the
// model is given once.
RbStatus rb_program_check(RbProgramInstance *in, double time, const double *x, RbDiag *diag);

// Sparsity of d(dx)/dx: row i depends on states columns[start[i]] ... (found from the equations, as
// far as they are needed).
typedef struct RbStatePattern {
    int *start, *columns;
} RbStatePattern;
RbStatePattern rb_program_pattern(const RbProgramInstance *in, RbArena *arena, RbArena scratch);
// Of rb_program_residuals: on states, and on given derivatives in *given.
RbStatePattern rb_program_residual_pattern(const RbProgramInstance *in, RbArena *arena,
                                           RbArena scratch, RbStatePattern *given);

// Do other code and that of the instance compute the same bits for all continuous variables at
// (time, x)? Leaves no trace in the instance.
bool rb_program_agrees(RbProgramInstance *in, const RbCompiled *other, double time,
                       const double *x);
