// SPDX-License-Identifier: MIT
// component.h: the contract of everything that has states (docs/decisions/component-contract.md).
//
// A model is one system of equations in two halves. The invariant half is written as equations,
// sorted and solved once. The variant half is made of components written in C: each owns its states
// and may change their number at any event without anything being translated again. A component is
// a table of functions (RbComponentType) and a block of memory.
//
//   call           when                           what the component does
//   -------------  -----------------------------  ------------------------------------------------
//   build          once, before sorting           declares parameters, variables, equations, functions
//   start_segment  before the first segment and   declares states, quadratures, event indicators,
//                  after every full restart       discrete values and results of the segment
//   couplings      after every restart            which derivatives depend on which states; values
//                                                 on request (jacobian, slopes)
//   evaluate       each model evaluation          one of the declared functions
//   indicators     on request                     its event indicators
//   at_event       during event iteration         changes states and discrete values, says what must
//                                                 restart
//   record         at output points               its results
//   save, restore  checkpoints                    what is not in states and discrete values
//   islands        solver islands                 a table of its own: RbIslandTable
//
// Between events all calls are pure in (time, states, discrete values, inputs): what they remember
// goes into the workspace, which belongs to the caller, so that several evaluations can be under
// way (islands, threads, difference quotients). They do not allocate, print or exit. A component
// that breaks this gives results that depend on the solver's history.
#pragma once

#include <stdbool.h>

#include "rattleback/base.h"
#include "rattleback/drawing.h"

#ifdef __cplusplus
extern "C" {
#endif

// A plugin built for another version is refused. Changes whenever a struct or a meaning below does.
#define RB_COMPONENT_VERSION 16

typedef struct RbBuild RbBuild;
typedef struct RbSegment RbSegment;
typedef struct RbCouplings RbCouplings;
typedef struct RbSaver RbSaver;
typedef struct RbLoader RbLoader;
typedef struct RbHost RbHost;
typedef struct RbWorkspaceMemory RbWorkspaceMemory;
typedef struct RbLinks RbLinks;

// ----------------------------------------------------------------------------------------------------
// build

// What the one who added the component handed over with it (a scene); NULL: nothing. Lives as long
// as the model.
RB_API const void *rb_build_data(const RbBuild *build);

// A parameter. The user may override it before the run; a value outside [min, max] is refused by
// name.
typedef struct RbParameterSpec {
    const char *name;
    double value; // default
    const char *unit;
    const char *description;
    double min, max; // both 0: no limits
    bool integer;
} RbParameterSpec;

RB_API int rb_build_parameter(RbBuild *build, const RbParameterSpec *spec);

// A variable that equations see: a connector variable, an input or an output, a joint coordinate.
typedef enum RbVariableKind {
    RB_VARIABLE_INPUT,
    RB_VARIABLE_OUTPUT,
    RB_VARIABLE_ACAUSAL,
    RB_VARIABLE_STATE
} RbVariableKind;

typedef struct RbVariableSpec {
    const char *name;
    RbVariableKind
        kind; // RB_VARIABLE_STATE: owned by the equations, may be set by the component at an event
    double value; // of an input that nothing is connected to; start value otherwise
    const char *unit;
    const char *description;
} RbVariableSpec;

RB_API int rb_build_variable(RbBuild *build, const RbVariableSpec *spec);

// An acausal equation in Modelica's notation, names seen from inside the component:
// "port_a.Q_flow = G*(port_a.T - T_a)".
RB_API void rb_build_equation(RbBuild *build, const char *equation);

// What a function may depend on and what may depend on it. Functions are split by level so that,
// say, a position sensor that feeds a force makes no false loop.
typedef enum RbLevel { RB_LEVEL_POSITION, RB_LEVEL_VELOCITY, RB_LEVEL_ACCELERATION } RbLevel;

enum { RB_NONE = -1 };

// Each output is an equation of its own in matching. `after` orders functions that share memory:
// the sorter sees a token.
typedef struct RbFunctionSpec {
    const char *name;
    RbLevel level;
    int input_count;
    const int *inputs; // variables
    int output_count;
    const int *outputs; // variables; NULL: the outputs are residuals that must be zero
    int affine_count;   // the function is affine in its last affine_count inputs and hands out its
                        // matrix
    int after;          // function that must have been called before, or RB_NONE
    int derivative;     // function that is its time derivative, or RB_NONE: index reduction goes
                        // through it
    bool state_derivatives; // this call also fills the derivatives of the component's own states
    // Affine functions: the number of a function, declared later, that solves their rows; 0: there is
    // none. The rows tie n variables x to n variables y (accelerations and torques of joints). Where the
    // equations between say y_i = c_i - k_i x_i, one by one, that function is called instead, and no
    // matrix is needed. Its inputs are those of the rows without the affine ones, then n that are handed
    // c (listed as y) and n that are handed k (listed as x); its outputs are x.
    int solution;
} RbFunctionSpec;

RB_API int rb_build_function(RbBuild *build, const RbFunctionSpec *spec);

// ---------------------------------------------------------------------------------------------
// gathering

// One component may stand for many instances of classes: all bodies and joints of a world are one
// mechanism. A class says with an annotation which role it plays in which component, and which
// outer component (the anchor) holds it together with the others:
//
//     annotation(__Rattleback(component = "Multibody", role = "revolute", anchor = "world"));
//
// The instances below one anchor are the members. Connectors with the annotation
// __Rattleback(opaque = true) have no equations: which of them are connected is handed over.

// A value that a member is asked for: a parameter ("r", "shape.p"), the start value of a variable
// ("phi.start"), or a function.
typedef enum RbValueType {
    RB_VALUE_NUMBER,
    RB_VALUE_TEXT,
    RB_VALUE_STRUCTURE,
    RB_VALUE_FUNCTION
} RbValueType;

typedef struct RbValueSpec {
    const char *name;
    // Numbers (also Integer, Boolean, enumeration) and texts are read when a segment begins. A
    // structure is a number that decides what is declared: it is known when the component is built,
    // and cannot be changed after translation. A function is a parameter whose declaration says how it
    // follows from another parameter of the member, the argument, whose own value means nothing:
    //     parameter Real at[3] = zeros(3);
    //     parameter Real field[3] = gravityAcceleration(at);
    // One that is declared with annotation(__Rattleback(none = true)), wherever its name comes from, means that there is none.
    RbValueType type;
    int count;            // of numbers: 1 for a scalar, 3 for a vector; -1: any number
    const char *argument; // of a function; NULL otherwise
    bool starts;          // it says how a run starts, and is not looked at later
    const char *unless;   // starts: unless this value of the member, which is listed before, is not zero; NULL: always
} RbValueSpec;

// A function that a model has written: pure, and nothing is allocated. False: it has no value there, which
// is then not a number.
typedef struct RbFunctionValue {
    bool (*call)(void *user, const double *argument, double *result);
    // What was wrong with a call since the last question, in words; NULL: nothing.
    const char *(*why)(void *user);
    void *user;
    int argument_count, result_count; // numbers
} RbFunctionValue;

// The lists end with NULL, those of structs with a name of NULL.
typedef struct RbRoleSpec {
    const char *name;
    const char *const *frames; // opaque connectors; the last one may be an array of them, "frames[:]"
    const RbValueSpec *values;
    const char *const *variables; // variables of the class that the component determines if
                                  // equations speak of them; "phi", "r[1]"
} RbRoleSpec;

typedef struct RbMember {
    int role; // in RbComponentType.roles
    const char *path, *class_name;
    RbPos at;        // of its declaration
    const int *sets; // per frame: number of the connection set it is in, from 0; -1: it has none
    const bool *has; // per value: the class has it
    const double *known;      // per value: a structure; of "x.fixed": how many elements are, as it is written
    const char *const *texts; // per value: a text that is known by now; NULL: it may be later
    const bool *has_variable; // per variable: the class has it
    const bool *wanted;       // per variable: equations speak of it. The others are the component's
                              // results, if it likes
    const int *flat;          // per value: variable of the equations, or function; for the host
    const int *sizes;         // per value: how many numbers it is
    int set_count;            // of sets: frames of the role, those of an array one by one
} RbMember;

RB_API int rb_build_member_count(const RbBuild *build);
RB_API const RbMember *rb_build_member(const RbBuild *build, int member);

// Refuse a member: the message shows a place in the user's text. Answers the status to return.
RB_API RbStatus rb_build_fail(const RbBuild *build, RbPos at, const char *format, ...)
    RB_PRINTF(3, 4);

// Values of a member, for a segment that begins. NULL: the class has no such value.
RB_API const double *rb_segment_values(const RbSegment *segment, int member, int value);
RB_API const char *rb_segment_text(const RbSegment *segment, int member, int value);
// Lives as long as the model.
RB_API const RbFunctionValue *rb_segment_function(const RbSegment *segment, int member, int value);

// ---------------------------------------------------------------------------------------------
// start segment

typedef struct RbStateSpec {
    const char *name;
    double start;
    bool guess; // false: start is the initial value; true: only a guess for the initial equations
    double nominal; // its typical magnitude, for error control; 0: 1
    const char *unit;
    const char *description;
    int group; // states that can be integrated alone carry a group of their own; see RbEval.groups
    bool absolute; // its error counts in units of nominal whatever its value: a position, whose
                   // zero means nothing
    bool hidden;   // neither it nor its derivative is recorded (a result shows it)
    // A solver for implicit systems may propose its derivative and be told a residual instead of
    // having the component solve for it: see RbEval.given.
    bool implicit;
    bool fixed; // a search for a start at rest leaves it where it is: see RbRest
    // A Jacobian from before it changed by this is too old: it turns directions in which the system is stiff. 0: any will do
    double jacobian_range;
} RbStateSpec;

RB_API int rb_segment_state(RbSegment *segment, const RbStateSpec *spec);

// An integral that is not part of the error test and on which nothing depends: energies, heats,
// impulses.
typedef struct RbQuadratureSpec {
    const char *name;
    double start;
    const char *unit;
    const char *description;
    bool hidden; // it is not recorded (a result shows it)
    bool loose;  // it is taken along: steps and intervals are not halved for it
} RbQuadratureSpec;

RB_API int rb_segment_quadrature(RbSegment *segment, const RbQuadratureSpec *spec);

// A function whose crossing of zero is an event. direction: +1 only rising, -1 only falling, 0
// both.
typedef struct RbIndicatorSpec {
    const char *name;
    int direction;
    int group;
} RbIndicatorSpec;

RB_API int rb_segment_indicator(RbSegment *segment, const RbIndicatorSpec *spec);

// A value that changes only at events. All of them together are the component's discrete block.
typedef struct RbDiscreteSpec {
    const char *name;
    double start;
    const char *unit;
    const char *description;
    bool hidden; // is not recorded as a result
} RbDiscreteSpec;

RB_API int rb_segment_discrete(RbSegment *segment, const RbDiscreteSpec *spec);

// A result besides states, their derivatives, quadratures and discrete values, which are recorded
// without being asked for.
typedef struct RbResultSpec {
    const char *name;
    const char *unit;
    const char *description;
    bool discrete; // changes at events only
    bool integral; // computed from RbEval.q. Where no such result and no quadrature is recorded, and nobody
                   // can look at the run, quadratures are not integrated: q is NaN
} RbResultSpec;

RB_API int rb_segment_result(RbSegment *segment, const RbResultSpec *spec);

// A number of the segment that is recorded once: a parameter that build did not declare.
RB_API void rb_segment_constant(RbSegment *segment, const RbResultSpec *spec, double value);

// Parameter value, by the number that rb_build_parameter gave.
RB_API double rb_segment_parameter(const RbSegment *segment, int parameter);

// Time at which the segment begins; true for the first one.
RB_API double rb_segment_time(const RbSegment *segment);
RB_API bool rb_segment_is_first(const RbSegment *segment);

// States, quadratures and discrete values of the segment that ended, in its own order; NULL in the
// first segment.
RB_API const double *rb_segment_old_states(const RbSegment *segment, int *count);
RB_API const double *rb_segment_old_quadratures(const RbSegment *segment, int *count);
RB_API const double *rb_segment_old_discrete(const RbSegment *segment, int *count);

// First time event wanted; the default is none.
RB_API void rb_segment_time_event(RbSegment *segment, double time);

// Time events are quiet while this discrete value is not zero: nothing that is recorded jumps there, and
// they get no rows. For components that exchange something very often.
RB_API void rb_segment_quiet(RbSegment *segment, int discrete);

// The solver may not step further in this segment [s], and must take the system as a whole: the
// component looks at every step (inspect) to remember it.
RB_API void rb_segment_max_step(RbSegment *segment, double step);

// Promise: the derivative of state position + i is state velocity + i, for i < count. Then solver
// leapfrog can be used, with steps of at most `step` [s], which must be below its stability limit (2
// divided by the highest angular frequency). It is the choice of solver auto if all components that
// have states promise it; states besides must bear explicit steps of this length (Heun's method).
// step 0: leapfrog is possible, but not a good choice.
RB_API void rb_segment_mechanical(RbSegment *segment, int position, int velocity, int count,
                                  double step);

// Solver auto should take explicit steps with error control (dp5): there are many states, and the fastest of them are no faster than
// what has to be followed anyway.
RB_API void rb_segment_nonstiff(RbSegment *segment);

// Some states vibrate with little damping, much faster than what has to be followed: BDF must not go beyond order 3, since orders 4 and 5
// are unstable there and would have to follow it.
RB_API void rb_segment_vibrates(RbSegment *segment);

// Only a solver of this library can integrate the model, since states come and go at events, or the component moves something by
// itself: a caller that wants to integrate (rb_run_move) is refused with this reason. The first one counts.
RB_API void rb_segment_needs_solver(RbSegment *segment, const char *reason);

// Promise that the derivatives do not depend on time until the segment ends; saves evaluations.
RB_API void rb_segment_autonomous(RbSegment *segment);

// In this segment `project` is to be called (see "states on constraints").
RB_API void rb_segment_projects(RbSegment *segment);

// The run is to start at rest: in the first segment states are sought, near where they start, at which the derivatives of all
// states are zero that the component has or that influence these. See RbRest.
RB_API void rb_segment_rests(RbSegment *segment);

// Where a variable of kind RB_VARIABLE_STATE should start in the first segment, unless its start value is fixed: in place of that.
RB_API void rb_segment_start_of(RbSegment *segment, int variable, double value);

// Bytes of workspace that evaluations need; zeroed when the segment begins, one block per caller.
RB_API void rb_segment_workspace(RbSegment *segment, size_t bytes);

// Zeroed memory that lives as long as the segment.
RB_API void *rb_segment_memory(RbSegment *segment, size_t bytes);

// Refuse to start: the message names the component. Answers the status to return.
RB_API RbStatus rb_segment_fail(RbSegment *segment, const char *format, ...) RB_PRINTF(2, 3);

// ------------------------------------------------------------------------------------------------
// evaluation

// What an evaluation is made for. Derivatives include those of the quadratures; a component may
// leave out what is not asked for. Nothing at all: rb_step_evaluate.
typedef enum RbWant {
    RB_WANT_DERIVATIVES = 1,
    RB_WANT_INDICATORS = 2,
    RB_WANT_RESULTS = 4,
    RB_WANT_QUADRATURES = 8, // the derivatives of the quadratures alone
} RbWant;

// One model evaluation, as one component sees it.
typedef struct RbEval {
    double time;            // [s]
    const double *x;        // its states
    const double *discrete; // its discrete block
    const double *q;        // its quadratures; only set when recording (RbResultSpec.integral)
    double *dx;             // out: derivatives of its states
    // Derivatives of its states that an implicit solver proposes; NULL: none. Then dx of states
    // that were declared implicit is not the derivative but the residual of a row, zero where the
    // proposal is right. There are as many rows as such states; which row stands where does not
    // matter. A component without such states need not look here.
    const double *given;
    double *dq;      // out: derivatives of its quadratures
    void *workspace; // see rb_segment_workspace
    unsigned want;   // set of RbWant: what the evaluation is made for
    const bool
        *groups; // NULL: all; otherwise groups[g] tells whether the states of group g are wanted
    const int *group_list; // the same as a list; x holds nothing useful for other groups, dq is the
                           // share of these
    int group_count;
    RbHost *host;
} RbEval;

// What a call of evaluate answers.
typedef enum RbEvalStatus {
    RB_EVAL_OK = 0,
    RB_EVAL_RETRY = 1, // outside the domain: try again with a smaller step
    RB_EVAL_FAIL = -1, // cannot go on; say why with rb_eval_fail
} RbEvalStatus;

// Remember why an evaluation failed; answers RB_EVAL_FAIL, or RB_EVAL_RETRY if a smaller step may
// help. Allocates nothing.
RB_API RbEvalStatus rb_eval_fail(const RbEval *eval, const char *format, ...) RB_PRINTF(2, 3);
RB_API RbEvalStatus rb_eval_retry(const RbEval *eval, const char *format, ...) RB_PRINTF(2, 3);

// The same with the place in the text of a model where what fails is declared; file NULL: there is none. The name of the file must
// live as long as the component.
RB_API RbEvalStatus rb_eval_fail_at(const RbEval *eval, RbPos at, const char *format, ...) RB_PRINTF(3, 4);
RB_API RbEvalStatus rb_eval_retry_at(const RbEval *eval, RbPos at, const char *format, ...) RB_PRINTF(3, 4);

// While recording: something has no value there and the run must end; the reason was reported.
RB_API void rb_eval_abort(const RbEval *eval, RbStatus status);

// Where in the text of a model the failure told last has its cause, and what it is (RB_OK: what the
// caller makes of it). The name of the file must live as long as the component.
RB_API void rb_eval_blame(const RbEval *eval, RbPos at, RbStatus status);

// Zeroed memory for a workspace, while it is opened.
RB_API void *rb_workspace_memory(RbWorkspaceMemory *memory, size_t bytes);

// For the component that is the equation half of a model: call a function of another one, or get
// its matrix A (row by row, output_count x affine_count) and b with outputs = A inputs_affine + b.
RB_API RbEvalStatus rb_call(const RbEval *eval, int component, int function, const double *inputs,
                            double *outputs);
RB_API RbEvalStatus rb_call_affine(const RbEval *eval, int component, int function,
                                   const double *inputs, double *A, double *b);
// Does a component say where own state number `state` should start (rb_segment_start_of)?
RB_API bool rb_eval_start_of(const RbEval *eval, int state, double *value);
// Why a call failed last, in the words of who was called.
RB_API const char *rb_call_reason(const RbEval *eval);

// -------------------------------------------------------------------------------------------------
// couplings

// The component's discrete block: what is coupled may depend on it.
RB_API const double *rb_couplings_discrete(const RbCouplings *couplings);

// Add: own derivative / indicator `row` depends on own state `column`. What is not added is zero.
RB_API void rb_couplings_derivative_state(RbCouplings *couplings, int row, int column);
RB_API void rb_couplings_indicator_state(RbCouplings *couplings, int row, int column);

// Are residuals asked for (RbEval.given)? Then the rows above are those of dx as it is computed
// with given derivatives, and it is added on which of these they depend.
RB_API bool rb_couplings_residual(const RbCouplings *couplings);
RB_API void rb_couplings_given(RbCouplings *couplings, int row, int column);
// The same if `slopes` does not hand out its value; then none are asked for.
RB_API void rb_couplings_given_unknown(RbCouplings *couplings, int row, int column);

// The same for function outputs and inputs (variables of rb_build_variable).
RB_API void rb_couplings_derivative_input(RbCouplings *couplings, int row, int variable);
RB_API void rb_couplings_output_state(RbCouplings *couplings, int variable, int column);
RB_API void rb_couplings_output_input(RbCouplings *couplings, int output, int input);

// ----------------------------------------------------------------------------------------------------
// states on constraints

// States of the component, and states of the equations that are variables of it, may have to satisfy equations of their own (loops are
// closed), which an integrator keeps only to its tolerance. Before every evaluation the component may put the states on them; nobody
// but the solver sees others. Meanwhile the solver's own states are drawn to them at a rate that the component chooses.
typedef struct RbProjection {
    double time; // [s]
    double *x;   // own states; may be changed
    double rate; // [1/s] out
    const double *discrete;
    void *workspace;
    RbHost *host;
} RbProjection;

// A variable of kind RB_VARIABLE_STATE. False: the equations have chosen other states.
RB_API bool rb_projection_value(const RbProjection *projection, int variable, double *value);
RB_API void rb_projection_move(const RbProjection *projection, int variable, double value);

// ----------------------------------------------------------------------------------------------------
// events

typedef enum RbRestart {
    RB_NO_RESTART,   // nothing continuous has changed
    RB_RESTART,      // values or equations have jumped: the solver starts anew
    RB_FULL_RESTART, // states come or go: a new segment
    RB_TERMINATE,    // end the run, successfully
} RbRestart;

// Islands: an event that a component has found inside a step: a function of the states of one or
// two groups that falls through zero.
typedef struct RbWatch {
    double time;         // [s] by dense output
    int64_t what;        // the component's own name for the function
    int groups[2];       // on which it depends; the second may be RB_NONE
    int indicator, sign; // what is said to have fired
    bool quiet;          // the component's own bookkeeping: nothing that is recorded jumps there
} RbWatch;

// A search for a start at rest (rb_segment_rests) goes in steps. At the end of each the components may react, as at an event at
// which values were set from outside.
typedef struct RbRest {
    bool *held;    // per own state, all false at first: set those that stay as they are, or as they are set now
    bool too_far;  // out: the step was too long to see what happened on the way; a shorter one is tried
    bool ended;    // in: this is what was found. Say by rb_event_fail if it is not good enough
} RbRest;

typedef struct RbEvent {
    double time;   // [s]
    bool initial;  // the segment begins
    bool terminal; // the run ends
    bool moved; // for equations: rb_event_start has given some of their states other start values
    bool time_event; // the time that this component asked for has come
    int pass;        // 0: first call at this instant, then 1, 2, ... until nothing changes any more
    bool states_jumped; // somebody has set states anew at this instant
    const signed char *fired; // per indicator: +1 rose through zero, -1 fell through zero, 0
                              // neither; all 0 after pass 0
    double *x;                // own states; may be changed
    double *discrete;         // own discrete block; may be changed
    double next_time;         // in and out: next time event wanted, INFINITY: none
    bool *restart_groups;     // set what RB_RESTART concerns; nothing set: all groups
    // Islands: the event that `watch` found, and nothing else happens. It is told once, x holds the
    // states of the islands of its groups alone, and only its groups may restart. NULL: anything
    // may have happened.
    const RbWatch *watch;
    const int *groups; // the groups of the island that found it
    int group_count;
    void *workspace;
    RbHost *host;
    double
        first_step; // [s] out: after RB_RESTART the first step is no longer, so that a force that
                    // grows slowly at first is not stepped over; INFINITY: any
    RbRest *rest;   // NULL: no start at rest is sought
} RbEvent;

// New value of a variable of kind RB_VARIABLE_STATE (a velocity that jumps). False: nothing was set,
// because the equations have chosen other states (the speed of a motor behind a gear).
RB_API bool rb_event_reinit(const RbEvent *event, int variable, double value);

// The same when the run begins (event->initial, no segment before): where the variable starts. The equations then find their start
// once more, with this in place of its start value, and may change it if they say so.
RB_API bool rb_event_start(const RbEvent *event, int variable, double value);

// Say in the log what happened.
RB_API void rb_event_log(const RbEvent *event, const char *format, ...) RB_PRINTF(2, 3);

// Say why the segment ends, if it does: it is in the result, with what others say at this instant.
RB_API void rb_event_because(const RbEvent *event, const char *format, ...) RB_PRINTF(2, 3);

// Evaluate the model at the time and the states of the event: equations call the functions of the
// component with the inputs that they have then. For a component that asks what they would answer to
// other outputs. Its own at_event is not called, nothing else changes.
RB_API RbEvalStatus rb_event_evaluate(const RbEvent *event);

// A blow: all states of the model, those of the equations too, jump by the difference that `push` makes
// to their derivatives. So a force that the component adds to its outputs while it is pushed counts as
// an impulse, and whatever is behind them (a rotor, a gear) takes its share of it.
RB_API RbEvalStatus rb_event_blow(const RbEvent *event, void (*push)(void *workspace, bool on));

// An assertion of the model is violated: the run ends with RB_ERROR_ASSERTION after this event.
RB_API void rb_event_fail(const RbEvent *event, const char *format, ...) RB_PRINTF(2, 3);
// The same, and the message shows the place in the user's text that it is about.
RB_API void rb_event_fail_at(const RbEvent *event, RbPos at, const char *format, ...)
    RB_PRINTF(3, 4);

// The same with another status, when the reason has been told already.
RB_API void rb_event_abort(const RbEvent *event, RbStatus status);

// A step that the solver has accepted, before anything is made of it.
typedef struct RbStepView {
    double t0, t1;          // [s]
    const double *discrete; // own discrete block
    const int *groups;      // islands: the groups that made it; NULL: all did
    int group_count;
    void *workspace;
    RbHost *host;
} RbStepView;

// Own states at a time inside the step, by dense output.
RB_API void rb_step_states(const RbStepView *step, double time, double *x);

// The same for a component whose inputs come from equations: these are evaluated at that time, and
// call its functions with the inputs that it has then, wanting nothing: it may answer what it did last, as places and speeds do not
// depend on that. Where they cannot be solved the last inputs stay.
RB_API void rb_step_evaluate(const RbStepView *step, double time, double *x);

// ---------------------------------------------------------------------------------------------------
// islands

// Groups that do not influence each other at present can be integrated apart, each island of groups
// with a step size of its own (docs/decisions/islands.md). A component that says which groups are
// linked takes part; without it all its groups are one island. Its indicators must then depend on
// the group they were declared with alone, unless it watches for itself.
RB_API const double *rb_links_discrete(const RbLinks *links);
// Only links between these groups are asked for (others may be told, and are ignored); NULL: all.
RB_API const int *rb_links_groups(const RbLinks *links, int *count);
RB_API void *rb_links_workspace(const RbLinks *links); // of the last at_event
RB_API void rb_link(RbLinks *links, int group_a, int group_b);

// The step that a group is in ends there. [s]
RB_API double rb_step_end(const RbStepView *step, int group);

// Own states of one group at a time inside the step that it is in; x is the vector of all own
// states.
RB_API void rb_step_group(const RbStepView *step, int group, double time, double *x);

// From watch or inspect: where the step has led the equations no longer hold, and no smaller step would help.
// The run ends with RB_ERROR_SOLVER.
RB_API void rb_step_fail(const RbStepView *step, const char *format, ...) RB_PRINTF(2, 3);
RB_API void rb_step_fail_at(const RbStepView *step, RbPos at, const char *format, ...) RB_PRINTF(3, 4); // as rb_eval_fail_at

// Is the run to end? Asked where a look at a step may take long: what it finds then does not matter any more.
RB_API bool rb_step_interrupted(const RbStepView *step);

// -----------------------------------------------------------------------------------------------
// checkpoints

RB_API void rb_save_doubles(RbSaver *saver, const double *values, int count);
RB_API void rb_save_int(RbSaver *saver, int64_t value);

// Answer false (and zeros) if the checkpoint does not hold that.
RB_API bool rb_load_doubles(RbLoader *loader, double *values, int count);
RB_API bool rb_load_int(RbLoader *loader, int64_t *value);

// -------------------------------------------------------------------------------------------------
// the table

// A crowd that moves by itself, from eval->time on.
typedef struct RbAdvance {
    const RbEval *eval; // groups, states at the start, discrete values
    double limit;       // [s] not beyond this
    bool exactly;       // up to it; otherwise to a time of its own choice
    bool look;          // the states there are only looked at: no step goes on from them
    double tolerance;
    double end;         // out: [s] where it is now
    double *x;          // out: states of the groups there; the same memory as eval->x
    double *dq;         // out: what the quadratures grew by
    long evaluations;   // out: how many forces it took
} RbAdvance;

// For components whose groups of states can be integrated apart (see islands above).
typedef struct RbIslandTable {
    // Which groups are linked by the discrete block.
    void (*links)(void *self, RbLinks *links);
    // May be NULL, together with watched: then the indicators are watched, group by group.
    // The groups of the step have just made it, or start (t0 = t1). The first event from t0 on that
    // concerns one of them: alone, or with any other group as far as that one has come
    // (rb_step_end). False: none. at_event then follows without an evaluation.
    bool (*watch)(void *self, const RbStepView *step, RbWatch *found);
    // Its function at a time inside the steps of its groups: positive before the event, negative
    // after it. Within 0.25 of zero the event counts as met.
    double (*watched)(void *self, const RbStepView *step, const RbWatch *watch, double time);
    // May be NULL. Can these groups be one island, however many they are, that is never so stiff
    // that explicit steps of this tolerance would not do, or that moves by itself? Without it a large island is left to one solver for all.
    bool (*crowd)(void *self, const int *groups, int count, double tolerance);
    // May be NULL. Mark the groups that equations drive, push or measure. True: in this segment none of the
    // others can come to influence these or be influenced, so that they are integrated apart from the equations.
    // They are evaluated with eval->groups and without inputs; the marked ones with eval->groups and by the equations.
    bool (*apart)(void *self, bool *of_equations);
    // May be NULL. Does a crowd of these groups move by itself, with errors of this tolerance? What it does may
    // depend on nothing but what RbAdvance says.
    bool (*advances)(void *self, const int *groups, int count, double tolerance);
    RbEvalStatus (*advance)(void *self, RbAdvance *advance);
} RbIslandTable;

// What a run has been computed with so far.
typedef struct RbAccuracy {
    double tolerance; // relative
    bool balanced;    // quadratures are integrated, and nobody has set states anew
    bool ends;        // the run does here
} RbAccuracy;

typedef struct RbComponentType {
    int version; // RB_COMPONENT_VERSION
    const char *name;
    const char *description;
    size_t memory; // bytes of self; zeroed
    // What classes may be in it; NULL: it implements single classes. Built with members, it declares
    // its variables, and writes its equations, by the full paths of its members.
    const RbRoleSpec *roles;

    RbStatus (*build)(void *self, RbBuild *build);
    RbStatus (*start_segment)(void *self, RbSegment *segment);
    RbEvalStatus (*evaluate)(void *self, const RbEval *eval, int function, const double *inputs,
                             double *outputs);

    // The rest may be NULL.
    RbEvalStatus (*affine)(void *self, const RbEval *eval, int function, const double *inputs,
                           double *A, double *b);
    void (*couplings)(
        void *self,
        RbCouplings *couplings); // NULL: every own derivative depends on every own state
    // For segments that ask for it: put the states on the constraints among them; false: they stay as they are. Pure as evaluate.
    bool (*project)(void *self, RbProjection *projection);
    // Values of d(derivative)/d(state), after an evaluation at the same point; NULL: difference
    // quotients. In the order in which couplings added them (entries added twice are summed); for
    // some groups (eval->groups): the square matrix of their states by columns, group after group
    // as in the list, each in the order of declaration. All values are zero on entry.
    RbEvalStatus (*jacobian)(void *self, const RbEval *eval, double *values);
    // Values of d(residual)/d(given), in the order in which couplings added them with
    // rb_couplings_given; eval->given is set. NULL: difference quotients.
    RbEvalStatus (*slopes)(void *self, const RbEval *eval, double *values);
    RbEvalStatus (*indicators)(void *self, const RbEval *eval,
                               double *z); // after an evaluation at the same point
    // Set a parameter that build did not declare; false: there is none of this name.
    bool (*set)(void *self, const char *name, double value);
    // Look for an event that a change of sign of the indicators at the end of the step would not
    // show (a thin wall passed through): answers its time, t1 at the latest, and the indicator that
    // is said to have fired with its sign (RB_NONE: no indicator); INFINITY: no event.
    double (*inspect)(void *self, const RbStepView *step, int *indicator, int *sign);
    const RbIslandTable *islands; // NULL: all its groups are one island
    RbRestart (*at_event)(void *self, RbEvent *event);
    bool has_end; // at_event is called once more when the run ends (event->terminal)
    void (*record)(void *self, const RbEval *eval,
                   double *results); // after an evaluation at the same point
    // What there is to see of it (drawing.h): once after start_segment, and where it is, after
    // every record.
    void (*draw)(void *self, RbDrawing *drawing);
    void (*show)(void *self, const RbEval *eval, RbPicture *picture);
    // A workspace of the size asked for, for a new caller: build in it what evaluations need. NULL:
    // zeroed bytes will do.
    void (*open_workspace)(void *self, void *workspace, RbWorkspaceMemory *memory);
    void (*reset_workspace)(
        void *self, void *workspace); // at restarts: forget all history; NULL: the bytes are zeroed
    void (*save)(void *self, RbSaver *saver);
    bool (*restore)(void *self,
                    RbLoader *loader); // before start_segment; false: the checkpoint does not fit
    // A solver cannot go on: what is most likely to make it so hard, in words of at most size bytes, and where a model declares it, after
    // evaluations at about that time. state: own one whose error was largest; RB_NONE: nobody knows. False: nothing to say.
    bool (*suspect)(void *self, const RbEval *eval, int state, RbPos *at, char *text, size_t size);
    // Values of gathered members were changed during a run: can the component go on with them from its present states? A message of the
    // segment's diagnostics says why not. The segment that follows, if there is one, uses them. NULL: start_segment reads what it needs.
    RbStatus (*renew)(void *self, RbSegment *segment);
    // After record at the same point: is something off by far more than the tolerance allows, so that the result cannot be trusted? In
    // words as above; the run then warns, once. False: nothing is.
    bool (*doubt)(void *self, const RbEval *eval, const RbAccuracy *accuracy, RbPos *at, char *text,
                  size_t size);
} RbComponentType;

// A shared object that adds components exports this function: the type number `index`, NULL after
// the last one.
typedef const RbComponentType *(*RbPluginFunction)(int index);
#define RB_PLUGIN_SYMBOL "rb_plugin_component"

#ifdef __cplusplus
}
#endif
