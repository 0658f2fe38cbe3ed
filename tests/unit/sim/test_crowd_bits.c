// SPDX-License-Identifier: MIT
// label: normal
// Crowds of balls by kicks: the same bits, whatever is recorded, and from a checkpoint.
#include "run_scene.h"

static void rows_change_nothing(void **state) {
    (void)state;
    Run with, without;
    open_with_pair(&with, NULL, pour_balls, NULL, "islands", 1e-5, 0.15);
    open_with_pair(&without, NULL, pour_balls, NULL, "islands", 1e-5, 0.15);
    with.options.output_interval = 0.0007;
    without.options.journal_file = NULL;
    go(&with);
    go(&without);
    ENSURE(with.summary.state_hash == without.summary.state_hash);
    run_close(&with);
    run_close(&without);
}

static void a_resumed_crowd_equals_the_whole(void **state) {
    (void)state;
    Run whole, again;
    open_with_pair(&whole, NULL, pour_balls, NULL, "islands", 1e-5, 0.16);
    open_with_pair(&again, NULL, pour_balls, NULL, "islands", 1e-5, 0.16);
    whole.options.checkpoint_interval = again.options.checkpoint_interval = 0.06;
    go(&whole);
    ENSURE(whole.summary.checkpoints == 2);
    RbBytes journal;
    ENSURE(rb_file_read(whole.journal, 0, &whole.f.arena, &whole.f.diag, &journal) == RB_OK);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    go(&again);
    ENSURE(again.summary.state_hash == whole.summary.state_hash);
    run_close(&again);
    run_close(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_change_nothing),
        cmocka_unit_test(a_resumed_crowd_equals_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
