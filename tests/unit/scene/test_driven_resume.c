// SPDX-License-Identifier: MIT
// Models with drives, loops and bodies that equations move go through checkpoints bit for bit.
#include "base/file.h"
#include "translate/run_model.h"

static RbBytes contents(Run *r, const char *file) {
    RbBytes bytes;
    ENSURE(rb_file_read(file, 0, &r->f.arena, &r->f.diag, &bytes) == RB_OK);
    return bytes;
}

static void open_run(Run *r, const char *file, const char *class, double stop_time) {
    model_open(r, file, class);
    r->options.stop_time = stop_time;
    r->options.tolerance = 1e-7;
    r->options.checkpoint_interval = stop_time / 4;
}

// A run that is left alone, and one that goes on from its last checkpoint, write the same bytes.
static void same_bytes(const char *file, const char *class, double stop_time) {
    Run whole, again;
    print_message("%s\n", class);
    open_run(&whole, file, class, stop_time);
    ENSURE(run_go(&whole) == RB_OK);
    ENSURE(whole.summary.checkpoints > 0);
    open_run(&again, file, class, stop_time);
    RbBytes journal = contents(&whole, whole.journal);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    RbStatus status = run_go(&again);
    if (status != RB_OK) model_messages(&again);
    ENSURE(status == RB_OK);
    ENSURE(again.summary.state_hash == whole.summary.state_hash);
    RbBytes other = contents(&again, again.journal);
    journal = contents(&whole, whole.journal);
    ENSURE(journal.size == other.size && memcmp(journal.data, other.data, other.size) == 0);
    run_close(&again);
    run_close(&whole);
}

static void drives_survive(void **state) {
    (void)state;
    same_bytes("Mechanics.mo", "Mechanics.MotorOverGear", 2);
    same_bytes("Mechanics.mo", "Mechanics.Floating", 1);
    same_bytes("Mechanics.mo", "Mechanics.WatchedHammer", 1);
    same_bytes("DrivenLoops.mo", "DrivenLoops.Motor", 1);
    same_bytes("DrivenLoops.mo", "DrivenLoops.Both", 1);
    same_bytes("Collisions.mo", "Collisions.Pendulum", 1);
    same_bytes("Measured.mo", "Measured.Press", 1);
    same_bytes("Reach.mo", "Reach.Both", 1); // islands beside the equations
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(drives_survive)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
