// SPDX-License-Identifier: MIT
// samples.h: small results that the tests of the file formats share, and comparison bit for bit.
#pragma once

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "testing.h"
#include "base/file.h"
#include "io/journal.h"
#include "io/result.h"

// Bits decide: -0 is not 0, and NaN is NaN.
static inline bool same_bits(double a, double b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static inline const char *sample_path(Fixture *f, const char *name) {
    return rb_arena_printf(&f->arena, RB_BINARY_DIR "/%s", name);
}

// Overwrite what a call left in scratch memory: messages must not refer to it.
static inline void scribble(RbArena scratch) {
    for (int i = 0; i < 6; i++)
        memset(rb_arena_push(&scratch, (size_t)3000 << i, 1), 'x', (size_t)3000 << i);
}

// Segment 1: two bodies, an alias, a negated alias, a parameter and one that will change. Segment
// 2: the second body is gone, another came, and both sides of the event are there.
static const RbResultEntry sample_first[] = {
    {.name = "body1.r[1]", .unit = "m", .description = "position, \"x\""},
    {.name = "body2.r[1]", .unit = "m"},
    {.name = "flange.s", .unit = "m", .storage = RB_STORE_ALIAS, .target = 0},
    {.name = "m", .unit = "kg", .description = "mass", .storage = RB_STORE_CONSTANT, .value = 0.1},
    {.name = "flange.minus", .unit = "m", .storage = RB_STORE_ALIAS, .target = 0, .negated = true},
    {.name = "contact, \"ball\".open", .discrete = true},
    {.name = "rod.n", .storage = RB_STORE_CONSTANT, .value = 5},
};
static const double sample_first_rows[][4] = {
    {0.0, 1.0, -0.0, 1.0},
    {0.1, 1.0 / 3.0, DBL_MIN / 8, 1.0},
    {0.3, -1e-300, DBL_MAX, 1.0},
    {0.3, 5e-324, -INFINITY, 0.0},
};
static const RbResultEntry sample_second[] = {
    {.name = "m", .storage = RB_STORE_CONSTANT, .value = 0.1},
    {.name = "rod.n", .storage = RB_STORE_CONSTANT, .value = 40},
    {.name = "body1.r[1]"},
    {.name = "flange.s", .storage = RB_STORE_ALIAS, .target = 2},
    {.name = "flange.minus", .storage = RB_STORE_ALIAS, .target = 2, .negated = true},
    {.name = "\xce\xb1\xe2\x82\x82.w", .unit = "rad/s", .description = "new: \xce\xb1"},
};
static const double sample_second_rows[][3] = {
    {0.3, 0.25, 7.0},
    {0.3, 0.25, NAN},
    {0.7, 2.5e17, -7.25},
};
enum { SAMPLE_FIRST = 4, SAMPLE_SECOND = 3, SAMPLE_ROWS = 7, SAMPLE_VARIABLES = 8 };

static const RbResultExperiment sample_experiment = {
    .model = "Two.Bodies", .start_time = 0, .stop_time = 0.7, .tolerance = 1e-6};

// The whole table, written down once more by hand: NaN where a variable does not exist.
static const char *const sample_names[SAMPLE_VARIABLES] = {
    "body1.r[1]",   "body2.r[1]",
    "flange.s",     "m",
    "flange.minus", "contact, \"ball\".open",
    "rod.n",        "\xce\xb1\xe2\x82\x82.w"};
static const double sample_times[SAMPLE_ROWS] = {0.0, 0.1, 0.3, 0.3, 0.3, 0.3, 0.7};
static const double sample_table[SAMPLE_VARIABLES][SAMPLE_ROWS] = {
    {1.0, 1.0 / 3.0, -1e-300, 5e-324, 0.25, 0.25, 2.5e17},
    {-0.0, DBL_MIN / 8, DBL_MAX, -INFINITY, NAN, NAN, NAN},
    {1.0, 1.0 / 3.0, -1e-300, 5e-324, 0.25, 0.25, 2.5e17},
    {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1},
    {-1.0, -1.0 / 3.0, 1e-300, -5e-324, -0.25, -0.25, -2.5e17},
    {1.0, 1.0, 1.0, 0.0, NAN, NAN, NAN},
    {5, 5, 5, 5, 40, 40, 40},
    {NAN, NAN, NAN, NAN, 7.0, NAN, -7.25},
};

static inline RbResult *sample_result(Fixture *f) {
    RbResult *r = rb_result_new(&f->arena);
    r->experiment = sample_experiment;
    rb_result_begin_segment(r, sample_first, sizeof sample_first / sizeof *sample_first);
    for (int i = 0; i < SAMPLE_FIRST; i++) {
        rb_result_add_row(r, sample_first_rows[i][0], sample_first_rows[i] + 1);
    }
    rb_result_begin_segment(r, sample_second, sizeof sample_second / sizeof *sample_second);
    for (int i = 0; i < SAMPLE_SECOND; i++) {
        rb_result_add_row(r, sample_second_rows[i][0], sample_second_rows[i] + 1);
    }
    rb_result_finish(r, f->scratch);
    return r;
}

static inline RbStatus sample_write_first(RbJournal *j, RbDiag *diag) {
    RB_TRY(rb_journal_begin_segment(j, sample_first, sizeof sample_first / sizeof *sample_first,
                                    diag));
    for (int i = 0; i < SAMPLE_FIRST; i++) {
        RB_TRY(rb_journal_add_row(j, sample_first_rows[i][0], sample_first_rows[i] + 1, diag));
    }
    return RB_OK;
}

static inline RbStatus sample_write_second(RbJournal *j, RbDiag *diag) {
    RB_TRY(rb_journal_begin_segment(j, sample_second, sizeof sample_second / sizeof *sample_second,
                                    diag));
    for (int i = 0; i < SAMPLE_SECOND; i++) {
        RB_TRY(rb_journal_add_row(j, sample_second_rows[i][0], sample_second_rows[i] + 1, diag));
    }
    return RB_OK;
}

static inline RbStatus sample_journal(const char *path, RbJournalOptions options, RbArena *arena,
                                      RbDiag *diag) {
    RbJournal *j;
    RB_TRY(rb_journal_create(path, &sample_experiment, options, arena, diag, &j));
    RB_TRY(sample_write_first(j, diag));
    RB_TRY(sample_write_second(j, diag));
    RbResultFigure figures[] = {{"steps", 123}, {"events", 1}};
    RbJournalEnding ending = {.complete = true, .figures = figures, .figure_count = 2};
    return rb_journal_end(j, &ending, diag);
}

// Is the result the sample, as far as it has rows? Variables that it does not have are not looked
// at.
static inline void ensure_sample(Fixture *f, const RbResult *r) {
    RbArena scratch = f->scratch;
    ENSURE(r->row_count <= SAMPLE_ROWS);
    double *times = rb_result_times(r, &scratch);
    for (size_t i = 0; i < r->row_count; i++) ENSURE(same_bits(times[i], sample_times[i]));
    for (int v = 0; v < SAMPLE_VARIABLES; v++) {
        int index = rb_result_find(r, sample_names[v]);
        if (index < 0) continue;
        double *series = rb_result_series(r, index, &scratch);
        for (size_t i = 0; i < r->row_count; i++) {
            if (same_bits(series[i], sample_table[v][i])) continue;
            print_error("%s, row %zu: %.17g, want %.17g\n", sample_names[v], i, series[i],
                        sample_table[v][i]);
            ENSURE(false);
        }
    }
}

// A journal whose rows a test writes, some before a checkpoint: it is written whole, and again from the checkpoint on.
typedef struct SampleJournal {
    const char *path;
    size_t block_bytes;
    int rows;
    RbStatus (*write_rows)(Fixture *f, RbJournal *j, int first, int end);
} SampleJournal;

static inline RbJournalOptions sample_options(const SampleJournal *s) {
    return (RbJournalOptions){.block_bytes = s->block_bytes, .flush_seconds = 1e9};
}

static inline RbBytes finish_journal(Fixture *f, const SampleJournal *s, RbJournal *j, int first) {
    RbBytes bytes;
    ENSURE(s->write_rows(f, j, first, s->rows) == RB_OK);
    ENSURE(rb_journal_end(j, &(RbJournalEnding){.complete = true}, &f->diag) == RB_OK);
    ENSURE(rb_file_read(s->path, 0, &f->arena, &f->diag, &bytes) == RB_OK);
    return bytes;
}

static inline RbBytes write_journal(Fixture *f, const SampleJournal *s, int sync,
                                    uint64_t *offset) {
    RbJournal *j;
    ENSURE(rb_journal_create(s->path, &sample_experiment, sample_options(s), &f->arena, &f->diag,
                             &j) == RB_OK);
    ENSURE(s->write_rows(f, j, 0, sync) == RB_OK);
    ENSURE(rb_journal_sync(j, &f->diag, offset) == RB_OK);
    return finish_journal(f, s, j, sync);
}

static inline RbBytes resume_journal(Fixture *f, const SampleJournal *s, int sync,
                                     uint64_t offset) {
    RbJournal *j;
    ENSURE(rb_journal_resume(s->path, offset, sample_options(s), &f->arena, f->scratch, &f->diag,
                             &j) == RB_OK);
    return finish_journal(f, s, j, sync);
}
