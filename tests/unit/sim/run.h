// SPDX-License-Identifier: MIT
// run.h: run a model in a test and look at what it wrote.
#pragma once

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "io/journal.h"
#include "model/example.h"
#include "sim/sim.h"
#include "testing.h"

typedef struct Run {
    Fixture f;
    RbModel *model;
    RbSimOptions options;
    RbLog log;
    RbSim sim;
    RbSummary summary;
    bool unseen; // nobody looks at values between steps
    double most_event_bytes;
    RbResult *result;
    char journal[96], checkpoint[96];
} Run;

typedef struct RunCall {
    Run *run;
    const char *example;
} RunCall;

static RbStatus run_open_protected(void *argument) {
    RunCall *call = argument;
    return rb_example_build(call->example, &call->run->f.arena, &call->run->f.diag,
                            &call->run->model);
}

// Open an example and name the files it will write; nothing runs yet.
static inline void run_open(Run *r, const char *example) {
    memset(r, 0, sizeof *r);
    fixture_open(&r->f);
    ENSURE(rb_protect(&r->f.heap, run_open_protected, &(RunCall){r, example}) == RB_OK);
    static int number;
    number++;
    const char *folder = access("/dev/shm", W_OK) == 0
                             ? "/dev/shm"
                             : "/tmp"; // memory does not make checkpoints wait for a disk
    snprintf(r->journal, sizeof r->journal, "%s/rb_run_%d_%d.rbj", folder, (int)getpid(), number);
    snprintf(r->checkpoint, sizeof r->checkpoint, "%s/rb_run_%d_%d.rbc", folder, (int)getpid(),
             number);
    r->options = rb_model_options(r->model);
    r->options.journal_file = r->journal;
    r->options.checkpoint_file = r->checkpoint;
}

static inline void run_set(Run *r, const char *path, double value) {
    ENSURE(rb_model_override(r->model, path, value, &r->f.diag) == RB_OK);
}

static inline RbStatus run_protected(void *argument) {
    return rb_sim_run(argument);
}

// Run to the end (or the error); the values stay until run_close.
static inline RbStatus run_go(Run *r) {
    rb_sim_free(&r->sim);
    r->sim = (RbSim){.model = r->model,
                     .options = r->options,
                     .heap = &r->f.heap,
                     .diag = &r->f.diag,
                     .log = &r->log,
                     .unseen = r->unseen,
                     .most_event_bytes = r->most_event_bytes};
    RbStatus status = rb_protect(&r->f.heap, run_protected, &r->sim);
    r->summary = r->sim.summary;
    return status;
}

static inline RbResult *run_read(Run *r) {
    RbStatus status = rb_journal_read(r->journal, RB_JOURNAL_LOAD, &r->f.arena, r->f.scratch,
                                      &r->f.diag, &r->result);
    ENSURE(status == RB_OK);
    return r->result;
}

static inline double *run_series(Run *r, const char *name) {
    int variable = rb_result_find(r->result, name);
    if (variable < 0) print_error("no variable %s\n", name);
    ENSURE(variable >= 0);
    return rb_result_series(r->result, variable, &r->f.arena);
}

static inline const RbValues *run_now(Run *r) {
    return &rb_sim_stage(&r->sim)->now;
}

static inline void run_close(Run *r) {
    rb_sim_free(&r->sim);
    remove(r->journal);
    remove(r->checkpoint);
    fixture_close(&r->f);
}
