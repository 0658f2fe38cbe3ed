// SPDX-License-Identifier: MIT
// Functions of time in equations that jump without an event (tests/models/Clocks.mo): the jumps are
// found before the run gets there, so that nothing is stepped over and the integral is exact.
#include "translate/run_model.h"

static void go(Run *r, const char *name, double tolerance, const char *solver) {
    char class[64];
    snprintf(class, sizeof class, "Clocks.%s", name);
    model_open(r, "Clocks.mo", class);
    r->options.tolerance = tolerance;
    r->options.solver = solver;
    model_go(r);
}

static void jumps_are_found(void **state) {
    (void)state;
    const char *models[] = {"Algorithm", "Foreign", "Quiet", "Steps", "Indirect", "Table"};
    const char *solvers[] = {"cvode", "dp5", "ida"};
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) {
            Run r;
            go(&r, models[i], k == 0 ? 1e-3 : 1e-8, solvers[k]);
            double v = model_last(&r, "v");
            if (fabs(v - 0.4) > 1e-11) print_error("%s, %s: %.17g\n", models[i], solvers[k], v);
            ENSURE_NEAR(v, 0.4, 1e-11); // 1 N on 1 kg for 0.4 s
            run_close(&r);
        }
    }
}

// int sqrt(0.9 - t) dt up to 0.5; beyond 0.9, where the run does not get, there is no value.
static void looking_ahead_is_no_failure(void **state) {
    (void)state;
    Run r;
    go(&r, "Slow", 1e-9, "cvode");
    ENSURE_NEAR(model_last(&r, "v"), 2.0 / 3 * (pow(0.9, 1.5) - pow(0.4, 1.5)), 1e-7);
    ENSURE_NEAR(r.summary.time, 0.5, 1e-12);
    run_close(&r);
}

// Another run of the same model, with other parameters.
static void parameters_move_the_jumps(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Clocks.mo", "Clocks.Algorithm");
    ENSURE(rb_model_override(r.model, "from", 0.35, &r.f.diag) == RB_OK);
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "v"), 0.25, 1e-11);
    run_close(&r);
}

static RbBytes contents(Run *r, const char *path) {
    RbBytes bytes;
    ENSURE(rb_file_read(path, 0, &r->f.arena, &r->f.diag, &bytes) == RB_OK);
    return bytes;
}

// Checkpoints lie right before and right behind jumps: from each the run goes on as if left alone.
static void resumed_equals_whole(void **state) {
    (void)state;
    for (int rows = 1; rows <= 4; rows++) {
        Run whole, again;
        model_open(&whole, "Clocks.mo", "Clocks.Train");
        whole.options.checkpoint_interval = 0.11 * rows;
        model_go(&whole);
        ENSURE_NEAR(model_last(&whole, "v"), 0.05, 1e-11); // 50 pulses of 1 ms
        model_open(&again, "Clocks.mo", "Clocks.Train");
        again.options.checkpoint_interval = whole.options.checkpoint_interval;
        RbBytes journal = contents(&whole, whole.journal);
        ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
        again.options.resume_file = whole.checkpoint;
        model_go(&again);
        RbBytes resumed = contents(&again, again.journal);
        ENSURE(resumed.size == journal.size);
        ENSURE(memcmp(resumed.data, journal.data, journal.size) == 0);
        run_close(&again);
        run_close(&whole);
    }
}

// sample(0, 0.3) and time >= 1.8 happen at one instant.
static void times_a_rounding_apart_are_one_event(void **state) {
    (void)state;
    Run r;
    go(&r, "Together", 1e-6, "cvode");
    ENSURE(model_last(&r, "ticks") == 7 && model_last(&r, "late") == 1);
    ENSURE(model_last(&r, "both") == 1);
    ENSURE(model_last(&r, "at") == 1.8);
    ENSURE(r.summary.time_events == 6); // the tick at the start is part of it
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jumps_are_found), cmocka_unit_test(times_a_rounding_apart_are_one_event),
        cmocka_unit_test(looking_ahead_is_no_failure), cmocka_unit_test(parameters_move_the_jumps),
        cmocka_unit_test(resumed_equals_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
