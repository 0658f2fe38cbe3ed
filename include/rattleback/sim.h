// SPDX-License-Identifier: MIT
// sim.h: build a model from components, run it, and read what was said about it.
//
//     RbContext *context = rb_context_create(NULL);
//     RbModel *model;
//     RbSimOptions options;
//     RbSummary summary;
//     if (rb_example_open(context, "bouncing-ball", &model) == RB_OK) {
//         options = rb_model_options(model);
//         options.journal_file = "ball.rbj";
//         rb_simulate(context, model, &options, &summary);
//     }
//     for (int i = 0; i < rb_context_message_count(context); i++) puts(rb_context_message(context,
//     i)); rb_context_free(context);
//
// docs/guide/api.md has a program for every function.
//
// One context per thread; contexts are independent of each other. Nothing here prints or exits.
// Numbers in files and messages have a decimal point in every locale; callbacks run in the C
// locale.
#pragma once

#include <stdbool.h>

#include "rattleback/component.h"

#ifdef __cplusplus
extern "C" {
#endif

// -------------------------------------------------------------------------------------------------
// context

typedef struct RbContext RbContext;

// NULL if there is no memory. allocator may be NULL (the C library's).
RB_API RbContext *rb_context_create(const RbAllocator *allocator);
RB_API void rb_context_free(RbContext *context);

// Errors, warnings and notes so far, each as text in the format of a compiler.
RB_API int rb_context_message_count(const RbContext *context);
RB_API const char *rb_context_message(const RbContext *context, int index);

// Lines of this topic ("EVENTS", "SOLVER", ...) and of those chosen before go to sink.
// RB_ERROR_USAGE for an unknown topic.
RB_API RbStatus rb_context_log(RbContext *context, const char *topic,
                               void (*sink)(void *user, const char *line), void *user);

// Add a component of the program's own, which must live as long as the context; or those of a
// shared object.
RB_API RbStatus rb_context_add_component(RbContext *context, const RbComponentType *type);
RB_API RbStatus rb_context_load_plugin(RbContext *context, const char *path);

// ---------------------------------------------------------------------------------------------------
// model

typedef struct RbModel RbModel;

RB_API RbStatus rb_model_create(RbContext *context, const char *name, RbModel **model);

// Add a component of a registered type under a name that is new in the model.
RB_API RbStatus rb_model_add_component(RbModel *model, const char *type, const char *name);

// Set "component.parameter" before a run.
RB_API RbStatus rb_model_set(RbModel *model, const char *path, double value);

// Set a vector (rank 1) or matrix (rank 2) of a Modelica model, row by row, before a run: a
// parameter, an input, or the start value of a variable. Where all equations use the array as a
// whole it may get another size; otherwise the message names the equation that does not.
RB_API RbStatus rb_model_set_array(RbModel *model, const char *path, int rank, const int *dims,
                                   const double *values);

// The models that are built in: name and description of number i, false after the last one.
RB_API bool rb_example(int index, const char **name, const char **description);
RB_API RbStatus rb_example_open(RbContext *context, const char *name, RbModel **model);

// --------------------------------------------------------------------------------------------------
// running

// What is happening, for a progress bar. Called at most about ten times per second.
typedef struct RbProgress {
    double time, start_time, stop_time; // [s]
    long steps, events;
    int segments;
    double elapsed; // [s] of the wall clock
} RbProgress;

// Something has happened: told before the model reacts to it.
typedef struct RbEventNews {
    double time;           // [s]
    bool state_event;      // an event indicator has crossed zero
    bool time_event;       // a time that was known in advance has come
    const char *indicator; // name of the first indicator that has; "": none. Valid in the call
} RbEventNews;

typedef struct RbSimOptions {
    double start_time;           // [s]
    double stop_time;            // [s]
    double tolerance;            // relative
    double output_interval;      // [s] 0: only events, start and end
    double max_step;             // [s] 0: no limit
    double initial_step;         // [s] 0: the solver chooses
    const char *solver;          // "auto" (default), "cvode", "islands", "adams", "ida", ...
    const char *journal_file;    // NULL: nothing is recorded
    const char *variable_filter; // regular expression that a whole name must match; NULL: all
    double checkpoint_interval;  // [s] 0: none
    const char *checkpoint_file; // NULL: no checkpoints
    const char *resume_file;     // NULL: start anew
    int max_event_iterations;    // passes at one instant before giving up; default 100
    // Looked at after every step; set from a signal handler or another thread.
    const volatile int *interrupt;    // != 0: end now, keep what there is
    volatile int *checkpoint_request; // != 0: write a checkpoint at the next restart, then set to 0
    void (*progress)(void *user, const RbProgress *progress);
    void *progress_user;
    void (*event)(void *user, const RbEventNews *news);
    void *event_user;
} RbSimOptions;

// Defaults; and those that the model suggests.
RB_API RbSimOptions rb_sim_options_default(void);
RB_API RbSimOptions rb_model_options(const RbModel *model);

typedef struct RbSummary {
    double time;      // [s] reached
    bool complete;    // the stop time was reached, or the model terminated
    long steps;       // accepted
    long evaluations; // of the model
    long jacobians, error_test_failures, nonlinear_failures;
    long state_events, time_events, restarts;
    int segments;
    const char *solver;            // in the last segment; "auto" has been decided
    int states;                    // in the last segment
    int residual_states;           // of these, whose linear systems went to ida in residual form
    long rows;                     // recorded
    long checkpoints;              // written
    double wall_time, cpu_time;    // [s] for the run
    unsigned long long state_hash; // of time, states and discrete values at the end
    long allocations;              // calls of our allocator between restarts: 0
    size_t library_bytes;          // held by the solver libraries at the end
    size_t peak_bytes;             // largest amount held by us
} RbSummary;

// Run a model. On an error or an interrupt the journal holds what was computed and says that it is
// incomplete. summary may be NULL.
RB_API RbStatus rb_simulate(RbContext *context, RbModel *model, const RbSimOptions *options,
                            RbSummary *summary);

// Write a result in another format, which the ending tells: .rbj (journal), .csv, .mat (level 4).
RB_API RbStatus rb_convert(RbContext *context, const char *from, const char *to);

#ifdef __cplusplus
}
#endif
