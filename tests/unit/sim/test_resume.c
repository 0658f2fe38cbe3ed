// SPDX-License-Identifier: MIT
// A run resumed from any of its checkpoints writes byte for byte what the same run left alone
// writes.
#include "run.h"

#include "base/hash.h"

static RbBytes contents(Run *r, const char *path) {
    RbBytes bytes;
    ENSURE(rb_file_read(path, 0, &r->f.arena, &r->f.diag, &bytes) == RB_OK);
    return bytes;
}

static void ensure_same_journal(Run *a, Run *b) {
    RbBytes x = contents(a, a->journal), y = contents(b, b->journal);
    ENSURE(x.size == y.size && memcmp(x.data, y.data, x.size) == 0);
}

static void prepare(Run *r, const char *example, double stop_time, double interval,
                    const char *solver) {
    run_open(r, example);
    r->options.stop_time = stop_time;
    r->options.output_interval = stop_time / 97;
    r->options.checkpoint_interval = interval;
    r->options.solver = solver;
}

static void resumed_equals_whole(const char *example, double stop_time, double interval,
                                 const char *solver) {
    Run whole;
    prepare(&whole, example, stop_time, interval, solver);
    ENSURE(run_go(&whole) == RB_OK);
    ENSURE(whole.summary.checkpoints >= 3);
    // The last checkpoint of the whole run is still there: go on from it in a copy of the journal.
    Run again;
    prepare(&again, example, stop_time, interval, solver);
    RbBytes journal = contents(&whole, whole.journal);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    ENSURE(run_go(&again) == RB_OK);
    ensure_same_journal(&whole, &again);
    ENSURE(again.summary.state_hash == whole.summary.state_hash);
    ENSURE(again.summary.steps == whole.summary.steps);
    ENSURE(again.summary.state_events == whole.summary.state_events);
    run_close(&again);
    run_close(&whole);
}

static void last_checkpoint(void **state) {
    (void)state;
    resumed_equals_whole("bouncing-ball", 3, 0.5, "dp5");
    resumed_equals_whole("bouncing-ball", 3, 0.37, "cvode");
    resumed_equals_whole("pendulum", 10, 1.1, "cvode");
    resumed_equals_whole("pendulum", 10, 1.1, "adams");
    resumed_equals_whole("pendulum", 10, 1.1, "ida");
    resumed_equals_whole("switched-capacitor", 0.02, 0.003, "cvode");
    resumed_equals_whole("bouncing-ball", 3, 0.37, "islands");
    resumed_equals_whole("refined-rod", 3e4, 4e3, "islands");
    resumed_equals_whole("refined-rod", 3e4, 4e3, "cvode"); // the last one is in the second segment
    resumed_equals_whole("refined-rod", 1.5e4, 4e3, "cvode");
}

// The log says when a checkpoint was written or an event happened: interrupt the run at line number
// `left`.
typedef struct Cutter {
    int left;
    int interrupt;
} Cutter;

static void cut(void *user, RbTopic topic, const char *line) {
    (void)topic, (void)line;
    Cutter *c = user;
    if (--c->left == 0) c->interrupt = 1;
}

// Cut a run after each of its checkpoints and events, and go on from the newest checkpoint.
static void cut_everywhere(const char *example, double stop_time, double interval, int min_cuts) {
    Run whole;
    prepare(&whole, example, stop_time, interval, "cvode");
    ENSURE(run_go(&whole) == RB_OK);
    for (int k = 1;; k++) {
        Run part;
        Cutter cutter = {.left = k};
        prepare(&part, example, stop_time, interval, "cvode");
        part.log = (RbLog){1u << RB_LOG_STATS | 1u << RB_LOG_EVENTS, cut, &cutter};
        part.options.interrupt = &cutter.interrupt;
        RbStatus status = run_go(&part);
        bool cut_short = status == RB_INTERRUPTED, can_resume = part.summary.checkpoints > 0;
        if (cut_short && can_resume) {
            run_read(&part);
            ENSURE(!part.result->complete);
            cutter = (Cutter){0};
            part.options.resume_file = part.checkpoint;
            ENSURE(run_go(&part) == RB_OK);
        }
        if (!cut_short || can_resume) ensure_same_journal(&whole, &part);
        run_close(&part);
        if (!cut_short) {
            ENSURE(k > min_cuts);
            break;
        }
    }
    run_close(&whole);
}

static void every_checkpoint(void **state) {
    (void)state;
    cut_everywhere("refined-rod", 2e4, 1e3, 18);
    cut_everywhere("bouncing-ball", 2.0, 0.3, 8);
    cut_everywhere("switched-capacitor", 0.02, 0.0031, 12);
}

// A signal asks for a checkpoint at the next restart: at an impact.
static void on_request(void **state) {
    (void)state;
    Run whole, again;
    int request = 1;
    prepare(&whole, "bouncing-ball", 3, 0, "dp5");
    whole.options.checkpoint_request = &request;
    ENSURE(run_go(&whole) == RB_OK);
    assert_int_equal(whole.summary.checkpoints, 1);
    assert_int_equal(request, 0);
    prepare(&again, "bouncing-ball", 3, 0, "dp5");
    RbBytes journal = contents(&whole, whole.journal);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    ENSURE(run_go(&again) == RB_OK);
    ensure_same_journal(&whole, &again);
    run_close(&again);
    run_close(&whole);
}

// ------------------------------------------------------------------------------------------ what
// does not fit

static void refuse(Run *r, RbStatus want, const char *message) {
    ENSURE(run_go(r) == want);
    const RbMessage *m = &r->f.diag.messages.data[r->f.diag.messages.count - 1];
    assert_string_equal(m->text, message);
}

static void write_checkpoint(Run *r) {
    prepare(r, "bouncing-ball", 3, 0.5, "dp5");
    ENSURE(run_go(r) == RB_OK);
    r->options.resume_file = r->checkpoint;
}

static void other_options_are_refused(void **state) {
    (void)state;
    Run r;
    write_checkpoint(&r);
    r.options.tolerance = 1e-5;
    refuse(&r, RB_ERROR_USAGE,
           "the checkpoint does not fit this run: it was written with 'tolerance = 1e-08', this "
           "run has "
           "'tolerance = 1e-05'");
    r.options.tolerance = 1e-8;
    run_set(&r, "ball.e", 0.5);
    refuse(&r, RB_ERROR_USAGE,
           "the checkpoint does not fit this run: it was written with 'ball.e = 0.7', this run has "
           "'ball.e = 0.5'");
    run_close(&r);
}

static void other_builds_are_refused(void **state) {
    (void)state;
    Run r;
    write_checkpoint(&r);
    RbBytes bytes = contents(&r, r.checkpoint);
    char *copy = rb_arena_bytes(&r.f.arena, (const char *)bytes.data, bytes.size);
    copy[18] ^= 1; // in the build id, behind magic and length
    uint32_t crc = rb_crc32(0, copy, bytes.size - 8);
    for (int i = 0; i < 8; i++) copy[bytes.size - 8 + (size_t)i] = (char)((uint64_t)crc >> 8 * i);
    ENSURE(rb_file_write(r.checkpoint, copy, bytes.size, &r.f.diag) == RB_OK);
    ENSURE(run_go(&r) == RB_ERROR_USAGE);
    ENSURE(strstr(fixture_message(&r.f, r.f.diag.messages.count - 1),
                  "was written by another build") != NULL);
    run_close(&r);
}

static void damaged_checkpoints_are_refused(void **state) {
    (void)state;
    Run r;
    write_checkpoint(&r);
    RbBytes bytes = contents(&r, r.checkpoint);
    for (size_t size = 0; size < bytes.size; size += 13) {
        ENSURE(rb_file_write(r.checkpoint, bytes.data, size, &r.f.diag) == RB_OK);
        ENSURE(run_go(&r) == RB_ERROR_IO);
    }
    ENSURE(rb_file_write(r.checkpoint, "hello", 5, &r.f.diag) == RB_OK);
    refuse(&r, RB_ERROR_IO, "this is not a checkpoint of Rattleback");
    r.options.resume_file = "/no/such/file.rbc";
    refuse(&r, RB_ERROR_IO, "cannot open: No such file or directory");
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(last_checkpoint),
        cmocka_unit_test(every_checkpoint),
        cmocka_unit_test(on_request),
        cmocka_unit_test(other_options_are_refused),
        cmocka_unit_test(other_builds_are_refused),
        cmocka_unit_test(damaged_checkpoints_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
