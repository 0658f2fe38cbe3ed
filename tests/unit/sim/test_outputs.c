// SPDX-License-Identifier: MIT
// Output points: every one of them once, whatever else happens at the same time.
#include "run.h"

enum { POINTS = 101 };

// t = k/10 s, k = 0 ... 100, in this order and nothing else.
static void ensure_grid(double max_step, double checkpoint_interval, const char *solver) {
    Run r;
    run_open(&r, "pendulum");
    r.options.stop_time = 10;
    r.options.output_interval = 0.1;
    r.options.max_step = max_step;
    r.options.checkpoint_interval = checkpoint_interval;
    r.options.solver = solver;
    RbStatus status = run_go(&r);
    if (status != RB_OK) print_error("%s", fixture_message(&r.f, 0));
    ENSURE(status == RB_OK);
    run_read(&r);
    double *t = rb_result_times(r.result, &r.f.arena);
    assert_int_equal(r.result->row_count, POINTS);
    for (int k = 0; k < POINTS; k++) ENSURE_NEAR(t[k], 0.1 * k, 1e-9 * 0.1); // [s]
    run_close(&r);
}

// Restarts at multiples of 0.2, 0.3 and 0.7 s and steps of 0.1 s meet output points up to rounding,
// from both sides.
static void points_at_checkpoints_and_steps(void **state) {
    (void)state;
    const char *solvers[] = {"cvode", "adams", "ida", "dp5"};
    const double intervals[] = {0, 0.1, 0.2, 0.3, 0.7, 1.0};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 6; k++) {
            ensure_grid(0, intervals[k], solvers[i]);
            ensure_grid(0.1, intervals[k], solvers[i]);
        }
    }
}

// A clock of 2 ms and an output interval of 1 ms: at an event two rows, elsewhere one.
static void points_at_time_events(void **state) {
    (void)state;
    Run r;
    run_open(&r, "switched-capacitor");
    r.options.stop_time = 0.02;
    r.options.output_interval = 0.001;
    ENSURE(run_go(&r) == RB_OK);
    run_read(&r);
    double *t = rb_result_times(r.result, &r.f.arena);
    for (int k = 0; k <= 20; k++) {
        int rows = 0;
        for (size_t i = 0; i < r.result->row_count; i++) rows += fabs(t[i] - 0.001 * k) < 1e-12;
        assert_int_equal(rows, k > 0 && k % 2 == 0 ? 2 : 1);
    }
    run_close(&r);
}

// A pendulum with damping, of which a run that nobody looks at records what `filter` says.
static void swing(Run *r, const char *filter, bool unseen) {
    run_open(r, "pendulum");
    run_set(r, "pendulum.d", 0.5);
    r->options.stop_time = 5;
    r->options.output_interval = 0.01;
    r->options.solver = "cvode";
    r->options.variable_filter = filter;
    r->unseen = unseen;
    ENSURE(run_go(r) == RB_OK);
    run_read(r);
}

// Integrals cost evaluations in every step and at every output point: not if nobody reads them. The motion
// is the same, bit by bit, and who asks for an integral, or for what is computed from one, has it.
static void integrals_that_nobody_reads_cost_nothing(void **state) {
    (void)state;
    Run all, motion, energy, loss, held;
    swing(&all, NULL, true);
    swing(&motion, "pendulum\\.(phi|x)", true);
    swing(&energy, "pendulum\\.energy", true);
    swing(&loss, "pendulum\\.dissipated", true);
    swing(&held, "pendulum\\.phi", false);
    size_t rows = all.result->row_count, bytes = rows * sizeof(double);
    ENSURE(memcmp(run_series(&motion, "pendulum.phi"), run_series(&all, "pendulum.phi"), bytes) ==
           0);
    ENSURE(motion.summary.steps == all.summary.steps);
    ENSURE(motion.summary.state_hash == all.summary.state_hash);
    // Two points of Gauss' rule in each step and up to each output point but the first.
    long points = 2 * (all.summary.steps + (long)rows - 1);
    ENSURE(all.summary.evaluations - motion.summary.evaluations > points - 10);
    ENSURE(isnan(run_now(&motion)->q[0]));
    double at_start = run_series(&energy, "pendulum.energy")[0];
    for (size_t i = 0; i < rows; i++)
        ENSURE_NEAR(run_series(&energy, "pendulum.energy")[i], at_start, 1e-3);
    const double *lost = run_series(&all, "pendulum.dissipated");
    ENSURE(memcmp(run_series(&loss, "pendulum.dissipated"), lost, bytes) == 0);
    ENSURE(lost[rows - 1] > 1);
    ENSURE(run_now(&held)->q[0] == lost[rows - 1]);
    Run *runs[] = {&all, &motion, &energy, &loss, &held};
    for (int i = 0; i < 5; i++) run_close(runs[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_at_checkpoints_and_steps),
        cmocka_unit_test(points_at_time_events),
        cmocka_unit_test(integrals_that_nobody_reads_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
