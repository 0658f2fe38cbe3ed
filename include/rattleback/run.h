// SPDX-License-Identifier: MIT
// run.h: a run that one holds in one's hand: open it, step it, look inside, set values, save and
// restore it, close it. rb_simulate is a loop over these calls; a live page, an FMU, a language
// binding and an optimiser stand on them (docs/guide/api.md, section "Holding a run").
//
//     RbRun *run;
//     rb_run_open(context, model, &options, &run);
//     int angle = rb_run_find(run, "phi"), torque = rb_run_find(run, "tau");
//     for (int k = 1; k <= 1000; k++) {
//         double phi;
//         rb_run_get(run, &angle, 1, &phi);
//         rb_run_set(run, &torque, 1, &(double){-10 * phi});
//         rb_run_step(run, RB_UNTIL_TIME, 1e-3 * k, NULL);
//     }
//     rb_run_close(run, &summary);
//
// Reading leaves no trace: a run that was looked at computes the same bits as one that was not.
// Setting is an event: the model settles, and the solver starts anew, at the next call that steps,
// reads or saves. A save is a restart of the solver. So a run with steps, saves and restores
// computes the bits of a run that restarts at the same instants.
//
// A run belongs to the thread of its context. A model has one run at a time. After a call that
// failed with RB_ERROR_USAGE nothing has changed; after any other failure the run can be read,
// restored and closed.
#pragma once

#include "rattleback/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbRun RbRun;

// -------------------------------------------------------------------------------------------------
// opening and closing

// Initialise the model (or go on from options->resume_file) and stand at the start time. The
// options are copied, but not the texts in them. *run is NULL after a failure.
RB_API RbStatus rb_run_open(RbContext *context, RbModel *model, const RbSimOptions *options,
                            RbRun **run);

// End the run where it stands: if that is the stop time the model sees the end (terminal()); the
// journal is closed, and complete unless the run has failed. summary may be NULL. Answers the
// status of the run: that of the call that failed, if one did. NULL is allowed and answers RB_OK.
// Runs that are open when their context is freed are closed. A callback of the run cannot close it, nor free its context.
RB_API RbStatus rb_run_close(RbRun *run, RbSummary *summary);

// -------------------------------------------------------------------------------------------------
// stepping

typedef enum RbUntil {
    RB_UNTIL_TIME,  // the time given; a step of the solver ends there, as it does at a time event
    RB_UNTIL_STEP,  // one step of the solver, at most to the time given
    RB_UNTIL_EVENT, // the next event, which is dealt with; at most to the time given
} RbUntil;

typedef struct RbStopped {
    double time;     // [s] where the run stands
    bool event;      // an event was dealt with there, at the end of the last step
    bool new_states; // states have come or gone since the call began: numbers of states change
    bool finished;   // the stop time was reached, or the model has ended the run
} RbStopped;

// Go on. A time beyond the stop time of the options means the stop time; one that is not later than
// now does nothing. stopped may be NULL.
RB_API RbStatus rb_run_step(RbRun *run, RbUntil until, double time, RbStopped *stopped);

RB_API double rb_run_time(const RbRun *run); // [s] where it stands
RB_API bool rb_run_finished(const RbRun *run);

// What has happened so far, as rb_run_close tells it.
RB_API RbStatus rb_run_summary(const RbRun *run, RbSummary *summary);

// -------------------------------------------------------------------------------------------------
// variables by number

typedef enum RbRunKind {
    RB_RUN_STATE,
    RB_RUN_DERIVATIVE, // of a state: "der(x)"
    RB_RUN_QUADRATURE, // an integral along the run: an energy
    RB_RUN_DISCRETE,   // changes at events only
    RB_RUN_RESULT,     // anything else that follows from the states
    RB_RUN_INPUT,
    RB_RUN_PARAMETER,
} RbRunKind;

typedef struct RbRunVariable {
    const char *name, *unit, *description; // live as long as the run
    RbRunKind kind;
    bool there; // in the present segment; variables may come and go with the states
} RbRunVariable;

// Variables keep their numbers, 0, 1, ..., while the run is open; new ones may come when states do.
// rb_run_find answers -1 if there is none of this name.
RB_API int rb_run_count(const RbRun *run);
RB_API int rb_run_find(RbRun *run, const char *name);
RB_API RbStatus rb_run_variable(RbRun *run, int variable, RbRunVariable *out);

// Values now. States, quadratures, discrete values, inputs and parameters cost nothing, the others
// one evaluation of the model for all that are read at one instant. A variable that is not there
// has the value NaN.
RB_API RbStatus rb_run_get(RbRun *run, const int *variables, int count, double *values);

// Set states, inputs, parameters, or discrete values of components in C and of Modelica models.
// All are set, or, after RB_ERROR_USAGE, none. Parameters that decide how a model is built
// (structural or final ones) are refused by name.
RB_API RbStatus rb_run_set(RbRun *run, const int *variables, int count, const double *values);

// The same by name, for a single value.
RB_API RbStatus rb_run_get_named(RbRun *run, const char *name, double *value);
RB_API RbStatus rb_run_set_named(RbRun *run, const char *name, double value);

// From now on another tolerance: an event as well, from which a new solver goes on.
RB_API RbStatus rb_run_set_tolerance(RbRun *run, double tolerance);

// -------------------------------------------------------------------------------------------------
// what is seen

// What there is to see in the present segment, and where it is now: a drawing and a picture in the
// bytes that a journal keeps (docs/formats.md). Size 0: nothing. The bytes live until the next call
// that steps, sets or shows; they need no journal, and looking leaves no trace.
RB_API RbStatus rb_run_drawing(RbRun *run, const void **bytes, size_t *size);
RB_API RbStatus rb_run_picture(RbRun *run, const void **bytes, size_t *size);

// A mesh of the drawings that rb_run_drawing has handed out so far; 0, 1, ... in the order in which
// they came. NULL: there is none of this number. Lives as long as the run.
RB_API const void *rb_run_mesh(RbRun *run, int mesh, size_t *size);

// -------------------------------------------------------------------------------------------------
// the system of equations

typedef struct RbRunSizes {
    int states, quadratures, indicators, inputs;
} RbRunSizes;

RB_API RbRunSizes rb_run_sizes(const RbRun *run);

// Variable number of state i, and of input i.
RB_API int rb_run_state(RbRun *run, int i);
RB_API int rb_run_input(RbRun *run, int i);

// Variable number of the derivative of state i.
RB_API int rb_run_derivative(RbRun *run, int i);

// All states; setting them is an event as rb_run_set is.
RB_API RbStatus rb_run_states(RbRun *run, double *x);
RB_API RbStatus rb_run_set_states(RbRun *run, const double *x);

// der(x) and the event indicators at (now, x); x NULL: at the present states.
RB_API RbStatus rb_run_derivatives(RbRun *run, const double *x, double *dx);
RB_API RbStatus rb_run_indicators(RbRun *run, const double *x, double *z);

// Write a row to the journal of the run, of other states, as if it were at another time: for pictures of motions that are not those of the
// run, such as modes. What depends on time has its present values. The run stays where it is. Times must not fall, and the run cannot go on
// from before them. Without a journal nothing happens.
RB_API RbStatus rb_run_record(RbRun *run, double time, const double *x);

// d(der(x))/dx at the present states, column after column: jacobian[j*n + i] is the derivative of
// der(x_i) by x_j. From the components where they have it, otherwise by difference quotients.
RB_API RbStatus rb_run_jacobian(RbRun *run, double *jacobian);

// Name of an event indicator; lives until states come or go.
RB_API const char *rb_run_indicator_name(RbRun *run, int i);

// -------------------------------------------------------------------------------------------------
// inputs that depend on the state

// Called at every evaluation, between events: fill in all inputs in the order of rb_run_input from
// the time and all states in the order of rb_run_state. `inputs` holds the values that were set. A
// function of its arguments: same time and states, same inputs; as smooth as the solver may
// expect. The system is then integrated as a whole, with every derivative depending on every state.
typedef void (*RbInputFunction)(void *user, double time, const double *states, double *inputs);

// From now on; NULL: the values that are set, again. An event, as rb_run_set is.
RB_API RbStatus rb_run_set_input_function(RbRun *run, RbInputFunction function, void *user);

// -------------------------------------------------------------------------------------------------
// integrated by the caller

// A run with options.solver = "caller" is integrated by the caller: a master for model exchange, a
// solver of another program. rb_run_open refuses a model that only a solver of this library can
// integrate (states that come and go, particles, soft bodies), with the reason. rb_run_step is not
// for such a run. Signs of event indicators mean something: one that changes is an event, and after
// the event the indicator has left zero.
//
//     rb_run_move(run, t, x, NULL);             // as often as the method needs: anywhere in the step
//     rb_run_derivatives(run, NULL, dx);
//     rb_run_accept(run, &event);               // the step has ended where the run stands now
//     if (event || sign_has_changed || t >= rb_run_next_event(run)) {
//         rb_run_meet_event(run, &met);
//         if (met.restart) rb_run_states(run, x); // and start the method anew
//     }
//
// The run stands at (time, x) with these inputs, which are continuous: in the order of
// rb_run_input. x or inputs NULL: they stay. Not before the begin of the last step.
RB_API RbStatus rb_run_move(RbRun *run, double time, const double *x, const double *inputs);

// The step ends here. *event: rb_run_meet_event must follow.
RB_API RbStatus rb_run_accept(RbRun *run, bool *event);

// End the step here, if that was not done, and let the model react until nothing changes any more:
// to what the indicators show, to the time, and to values that were set. met may be NULL.
typedef struct RbMet {
    bool restart;  // states or equations have jumped: what the caller knows of steps before is void
    bool finished; // the model has ended the run
} RbMet;
RB_API RbStatus rb_run_meet_event(RbRun *run, RbMet *met);

// [s] The next event that is known in advance, which no step may pass; INFINITY: none. NaN: the
// solver of the run is another one.
RB_API double rb_run_next_event(RbRun *run);

// Typical magnitudes of all states, for error control: of any run.
RB_API RbStatus rb_run_nominals(RbRun *run, double *nominals);

// -------------------------------------------------------------------------------------------------
// saving and restoring

typedef struct RbSaved RbSaved;

// Everything that the run needs to go on from here; restarts the solver. *saved is NULL, or was
// filled by an earlier save of this run and is used again. What saves of a run hold is given back
// when it is closed, or by rb_saved_free.
RB_API RbStatus rb_run_save(RbRun *run, RbSaved **saved);
RB_API void rb_saved_free(RbSaved *saved);

// The run stands where it was saved, with its values, parameters and inputs. A journal goes back as
// well. Input functions stay as they are.
RB_API RbStatus rb_run_restore(RbRun *run, const RbSaved *saved);

// The same as bytes, which may be kept and given to another run of the same model with the same
// options, by the same build of this library (a checkpoint file has this format).
RB_API const void *rb_saved_bytes(const RbSaved *saved, size_t *size);
RB_API RbStatus rb_run_restore_bytes(RbRun *run, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
