// SPDX-License-Identifier: MIT
// sim.h: run a model (model.h) and read what was said about it.
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
// Numbers in files and messages have a decimal point in every locale; callbacks run in the C
// locale.
#pragma once

#include "rattleback/model.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is happening, for a progress bar. Called at most about ten times per second.
typedef struct RbProgress {
    double time, start_time, stop_time; // [s]
    long steps, events;
    int segments;
    double elapsed;      // [s] of the wall clock
    long particles;      // that there are now; 0: none
    long particle_steps; // that all of them have made in this run
    long molecules;      // of soft bodies; 0: none
} RbProgress;

// Something has happened: told before the model reacts to it.
typedef struct RbEventNews {
    double time;           // [s]
    bool state_event;      // an event indicator has crossed zero
    bool time_event;       // a time that was known in advance has come
    const char *indicator; // name of the first indicator that has; "": none. Valid in the call
} RbEventNews;

// Who computes particles. name: NULL or "own": we do; "liggghts": LIGGGHTS 3.8, as `ranks` processes
// (docs/guide/granular.md). Its files are written into `folder` (NULL: "liggghts").
typedef struct RbParticleEngine {
    const char *name, *folder;
    int ranks;
} RbParticleEngine;

typedef struct RbSimOptions {
    double start_time;           // [s]
    double stop_time;            // [s]
    double tolerance;            // relative
    double output_interval;      // [s] 0: only events, start and end
    double max_step;             // [s] 0: no limit
    double initial_step;         // [s] 0: the solver chooses
    const char *solver;          // "auto" (default), "cvode", "islands", "adams", "ida", ...; "caller": see run.h
    const char *journal_file;    // NULL: nothing is recorded
    const char *variable_filter; // regular expression that a whole name must match; NULL: all
    double checkpoint_interval;  // [s] 0: none
    const char *checkpoint_file; // NULL: no checkpoints
    const char *resume_file;     // NULL: start anew
    int threads; // that components may use; default 1. The results do not depend on it
    RbParticleEngine engine;
    const char
        *particle_files; // folder for VTK files of all particles and their contacts; NULL: none
    // What a journal keeps of particles: "none", or a list with commas of place, velocity, rotation, spin and force, each with a
    // resolution [SI] if it is to be rounded to its multiples, as in "place:1e-5,velocity:1e-3" (docs/formats.md). NULL: as the model
    // says, otherwise the place in single precision. New ones every particle_interval [s]; 0: as the model says, otherwise every row.
    const char *particle_results;
    double particle_interval;
    int max_event_iterations; // passes at one instant before giving up; default 100
    // Looked at after every step; set from a signal handler or another thread.
    const volatile int *interrupt;    // != 0: end now, keep what there is
    volatile int *checkpoint_request; // != 0: write a checkpoint at the next restart, then set to 0
    void (*progress)(void *user, const RbProgress *progress);
    void *progress_user;
    void (*event)(void *user, const RbEventNews *news);
    void *event_user;
    // Which events of a few bodies among many get rows of their own: "all"; "located" (NULL, the default): those at which something
    // changes, such as contacts that start and end, not the lists of a crowd; "summary": none, they are only counted. Events that
    // concern the whole model always have rows, and so has every event if the output interval is 0.
    const char *event_rows;
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
    const char *solver;         // in the last segment; "auto" has been decided
    int states;                 // in the last segment
    int residual_states;        // of these, whose linear systems went to ida in residual form
    long rows;                  // recorded
    long checkpoints;           // written
    double wall_time, cpu_time; // [s] for the run
    // Of all that is known at the end, as a checkpoint would hold it; and of time, states of the
    // solver and contacts alone, which models of one mechanism have in common however they are built.
    unsigned long long state_hash, solver_hash;
    long allocations;     // calls of our allocator between restarts: 0
    size_t library_bytes; // held by the solver libraries at the end
    size_t peak_bytes;    // largest amount held by us
    // Arrays of a Modelica model whose sizes are not those of the translation, in words; NULL: none.
    // Lives as long as the context.
    const char *changed_sizes;
    // Of a cloud, which has steps of its own and no control of the error: how many there are, and steps that all of them have made.
    long particles, particle_steps;
    long particles_refused; // of rain, that found no room and did not come
} RbSummary;

// Run a model. On an error or an interrupt the journal holds what was computed and says that it is
// incomplete. summary may be NULL.
RB_API RbStatus rb_simulate(RbContext *context, RbModel *model, const RbSimOptions *options,
                            RbSummary *summary);

// The same, with its result in a file: .mat, .csv or .rbj (journal), or "-" for CSV on the standard
// output. While it runs everything goes to a journal beside the result (a.csv.rbj for a.csv, or
// options->journal_file), so that a run that is killed leaves a readable file. When it ends the
// result is written from the journal, also that of a run that failed; then the journal is removed
// unless it is needed: keep_journal, checkpoints, a failure. Nobody else can write to it meanwhile.
// checkpoint_file NULL: the name of options->journal_file, or else of the result, ending in .rbc.
typedef struct RbResultFile {
    const char *file;
    bool keep_journal;
    const char *report;     // a page that tells of the run (view.h): .html; NULL: none
    const char *model_file; // whose text the report shows; NULL: none
    // Answers: whether there was something to write (known when the run has ended), and whether it was written; whether there is something to see that the
    // format of the file cannot hold.
    bool recorded, written, unseen;
} RbResultFile;
RB_API RbStatus rb_simulate_to_file(RbContext *context, RbModel *model, const RbSimOptions *options,
                                    RbResultFile *result, RbSummary *summary);

#ifdef __cplusplus
}
#endif
