// SPDX-License-Identifier: MIT
// run_model.h: translate a class of tests/models and run it; the rest is that of sim/run.h.
#pragma once

#include "model/translated.h"
#include "classes/library.h"
#include "sim/run.h"
#include "translate/translate.h"

typedef struct ModelCall {
    Run *run;
    const char *file, *class;
    RbBackend backend;
} ModelCall;

static RbStatus model_open_protected(void *argument) {
    ModelCall *call = argument;
    Fixture *f = &call->run->f;
    RbNames *names = rb_new(&f->arena, RbNames);
    *names = rb_names(&f->arena);
    RbLibrary *library = rb_library(names, &f->arena, &f->scratch, &f->diag);
    rb_library_add_path(library, RB_SOURCE_DIR "/library");
    const char *last;
    RB_TRY(rb_library_add_file(library, call->file, &last));
    RbTranslateOptions options = {.code.backend = call->backend};
    RbTranslation t;
    RB_TRY(rb_translate(library, call->class ? call->class : last, &options, &f->arena, f->scratch,
                        &f->diag, &t));
    return rb_model_translated(&t, &f->arena, &f->diag, &call->run->model);
}

static inline void model_messages(Run *r) {
    for (int i = 0; i < r->f.diag.messages.count; i++)
        print_error("%s\n", fixture_message(&r->f, i));
}

// Translate a class (NULL: the last one) of a file of tests/models; nothing runs yet. False if
// there are errors.
static inline bool model_open_file(Run *r, const char *file, const char *class, RbBackend backend) {
    memset(r, 0, sizeof *r);
    fixture_open(&r->f);
    if (rb_protect(&r->f.heap, model_open_protected, &(ModelCall){r, file, class, backend}) !=
        RB_OK)
        return false;
    static int number;
    number++;
    const char *folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(r->journal, sizeof r->journal, "%s/rb_model_%d_%d.rbj", folder, (int)getpid(), number);
    snprintf(r->checkpoint, sizeof r->checkpoint, "%s/rb_model_%d_%d.rbc", folder, (int)getpid(),
             number);
    r->options = rb_model_options(r->model);
    r->options.journal_file = r->journal;
    r->options.checkpoint_file = r->checkpoint;
    return true;
}

static inline void model_open(Run *r, const char *file, const char *class) {
    char path[512];
    snprintf(path, sizeof path, "%s/tests/models/%s", RB_SOURCE_DIR, file);
    if (model_open_file(r, path, class, RB_BACKEND_TCC)) return;
    model_messages(r);
    fail_msg("%s in %s cannot be translated", class, file);
}

// Run to the end and read the result.
static inline void model_go(Run *r) {
    if (run_go(r) != RB_OK) {
        model_messages(r);
        fail_msg("the run failed");
    }
    run_read(r);
}

// `again` is opened as `whole` was, which has run and left a checkpoint: it goes on from there and ends in the
// same bits, also of what it writes.
static inline void model_resume(Run *again, const Run *whole) {
    RbBytes journal, other;
    again->options.checkpoint_interval = whole->options.checkpoint_interval;
    again->options.solver = whole->options.solver;
    again->options.resume_file = whole->checkpoint;
    ENSURE(whole->summary.checkpoints > 0);
    ENSURE(rb_file_read(whole->journal, 0, &again->f.arena, &again->f.diag, &journal) == RB_OK);
    ENSURE(rb_file_write(again->journal, journal.data, journal.size, &again->f.diag) == RB_OK);
    model_go(again);
    ENSURE(again->summary.state_hash == whole->summary.state_hash);
    ENSURE(rb_file_read(again->journal, 0, &again->f.arena, &again->f.diag, &other) == RB_OK);
    ENSURE(journal.size == other.size && memcmp(journal.data, other.data, other.size) == 0);
}

// The last value of a variable or parameter.
static inline double model_last(Run *r, const char *name) {
    const double *values = run_series(r, name);
    return values[r->result->row_count - 1];
}
