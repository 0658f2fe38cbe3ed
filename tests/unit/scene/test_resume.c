// SPDX-License-Identifier: MIT
// Contacts go through checkpoints bit for bit, and nothing is allocated between restarts.
#include "base/file.h"
#include "stand.h"

static void prepare(Stand *s, const char *scene, double stop_time, double interval, bool sticks) {
    stand_open_case(s, scene);
    if (sticks) stand_law(s, "DryWood", "DryWood")->friction = RB_FRICTION_BRISTLE;
    s->options.stop_time = stop_time;
    s->options.tolerance = 1e-6;
    s->options.checkpoint_interval = interval;
    stand_record(s, stop_time / 50);
    s->options.checkpoint_file = s->checkpoint;
}

static RbBytes contents(Stand *s, const char *file) {
    RbBytes bytes;
    ENSURE(rb_file_read(file, 0, &s->f.arena, &s->f.diag, &bytes) == RB_OK);
    return bytes;
}

// A run that is left alone, and one that goes on from its last checkpoint, end in the same bits.
static void resume_is_identical(const char *scene, double stop_time, double interval, bool sticks) {
    Stand whole, again;
    prepare(&whole, scene, stop_time, interval, sticks);
    ENSURE(stand_go(&whole) == RB_OK);
    ENSURE(whole.summary.checkpoints > 0);
    assert_int_equal(whole.summary.allocations, 0);
    prepare(&again, scene, stop_time, interval, sticks);
    RbBytes journal = contents(&whole, whole.journal);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    RbStatus status = stand_go(&again);
    if (status != RB_OK) print_error("%s\n", fixture_message(&again.f, 0));
    ENSURE(status == RB_OK);
    ENSURE(again.summary.state_hash == whole.summary.state_hash);
    assert_int_equal(again.summary.state_events, whole.summary.state_events);
    RbBytes other = contents(&again, again.journal);
    journal = contents(&whole, whole.journal);
    ENSURE(journal.size == other.size && memcmp(journal.data, other.data, other.size) == 0);
    stand_close(&again);
    stand_close(&whole);
}

static void contacts_survive(void **state) {
    (void)state;
    resume_is_identical("two-balls", 1.5, 0.7, false);
    resume_is_identical("bouncing-sphere", 1.2, 0.25, false);
    resume_is_identical("rattleback", 0.5, 0.2, false);
}

static void bristles_survive(void **state) {
    (void)state;
    resume_is_identical("incline", 0.5, 0.2, true);
}

// A wheel and its drive as meshes that touch: with islands, and as one system.
static void meshes_survive(void **state) {
    (void)state;
    resume_is_identical("geneva-6", 1.2, 0.5, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_survive),
                                       cmocka_unit_test(bristles_survive),
                                       cmocka_unit_test(meshes_survive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
