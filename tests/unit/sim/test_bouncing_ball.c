// SPDX-License-Identifier: MIT
// The bouncing ball has a closed form: with v1 = sqrt(2 g h0) it hits the ground at
//     t_k = v1/g (1 + 2 (e + e² + ... + e^(k-1))),   k = 1, 2, ...
// and the impacts accumulate at v1/g (1 + e)/(1 - e).
#include "run.h"

static const double g = 9.81, e = 0.7;

static double impact_time(int k) {
    double t = sqrt(2 / g), flight = 2 * t;
    for (int i = 1; i < k; i++) t += flight *= e;
    return t;
}

// Times at which the number of bounces changes.
static int impacts(Run *r, double *times, int max) {
    run_read(r);
    double *t = rb_result_times(r->result, &r->f.arena), *bounces = run_series(r, "ball.bounces");
    int count = 0;
    for (size_t i = 1; i < r->result->row_count && count < max; i++) {
        if (bounces[i] == bounces[i - 1] + 1) {
            ENSURE(t[i] == t[i - 1]); // both sides of the event are there
            times[count++] = t[i];
        }
    }
    return count;
}

// Largest error of the first 20 impact times.
static double impact_error(double tolerance, double output_interval, const char *solver) {
    Run r;
    double times[20], worst = 0;
    run_open(&r, "bouncing-ball");
    r.options.tolerance = tolerance;
    r.options.output_interval = output_interval;
    r.options.solver = solver;
    ENSURE(run_go(&r) == RB_OK);
    assert_int_equal(impacts(&r, times, 20), 20);
    for (int k = 0; k < 20; k++) worst = fmax(worst, fabs(times[k] - impact_time(k + 1)));
    run_close(&r);
    return worst;
}

static void impact_times_agree_with_the_closed_form(void **state) {
    (void)state;
    double error = impact_error(1e-10, 0.01, "dp5");
    print_message("largest error of 20 impact times at 1e-10: %.2e s\n", error);
    ENSURE(error <= 1e-9);
}

// BDF and Adams start with order 1 after each impact, and an error of the height is divided by the
// speed, which after 20 impacts is 0.005 m/s.
static void the_error_falls_with_the_tolerance(void **state) {
    (void)state;
    const char *solvers[] = {"cvode", "adams"};
    for (int i = 0; i < 2; i++) {
        double at_8 = impact_error(1e-8, 0.01, solvers[i]),
               at_10 = impact_error(1e-10, 0.01, solvers[i]);
        double at_12 = impact_error(1e-12, 0.01, solvers[i]);
        print_message("%s: errors at 1e-8, 1e-10, 1e-12: %.2e %.2e %.2e s\n", solvers[i], at_8,
                      at_10, at_12);
        ENSURE(at_10 < 0.1 * at_8 && at_12 < 0.1 * at_10);
    }
}

// The 20th flight lasts 1e-3 s: an output interval of 0.1 s is a hundred times as long.
static void no_impact_is_missed_between_output_points(void **state) {
    (void)state;
    ENSURE(impact_error(1e-10, 0.1, "dp5") <= 1e-9);
    ENSURE(impact_error(1e-10, 0, "dp5") <= 1e-9);
}

static void it_passes_the_accumulation_point_and_rests(void **state) {
    (void)state;
    Run r;
    run_open(&r, "bouncing-ball");
    r.options.stop_time = 100;
    r.options.tolerance = 1e-10;
    ENSURE(run_go(&r) == RB_OK);
    ENSURE(r.summary.complete && r.summary.time == 100);
    ENSURE(run_now(&r)->x[0] == 0 && run_now(&r)->x[1] == 0 && run_now(&r)->d[0] == 1);
    // It rests before the accumulation point, by less than the flights that were left out: 2
    // v_rest/(g (1 - e)).
    run_read(&r);
    double *t = rb_result_times(r.result, &r.f.arena), *resting = run_series(&r, "ball.resting");
    size_t i = 0;
    while (resting[i] == 0) i++;
    double accumulation = sqrt(2 / g) * (1 + e) / (1 - e);
    ENSURE_NEAR(t[i], accumulation, 2e-6 / (g * (1 - e)) + 1e-9);
    run_close(&r);
}

static void a_ball_that_lies_on_the_ground_stays_there(void **state) {
    (void)state;
    Run r;
    run_open(&r, "bouncing-ball");
    run_set(&r, "ball.h0", 0);
    ENSURE(run_go(&r) == RB_OK);
    ENSURE(run_now(&r)->d[0] == 1 && r.summary.state_events == 0);
    run_close(&r);
}

static void elastic_bounces_keep_the_energy(void **state) {
    (void)state;
    Run r;
    run_open(&r, "bouncing-ball");
    run_set(&r, "ball.e", 1);
    r.options.stop_time = 20;
    r.options.tolerance = 1e-10;
    ENSURE(run_go(&r) == RB_OK);
    run_read(&r);
    double *energy = run_series(&r, "ball.energy");
    for (size_t i = 0; i < r.result->row_count; i++) ENSURE_NEAR(energy[i], g, 1e-7);
    run_close(&r);
}

static void same_input_same_bytes(void **state) {
    (void)state;
    Run a, b;
    RbBytes first, second;
    run_open(&a, "bouncing-ball");
    run_open(&b, "bouncing-ball");
    ENSURE(run_go(&a) == RB_OK && run_go(&b) == RB_OK);
    ENSURE(a.summary.state_hash == b.summary.state_hash);
    ENSURE(rb_file_read(a.journal, 0, &a.f.arena, &a.f.diag, &first) == RB_OK);
    ENSURE(rb_file_read(b.journal, 0, &b.f.arena, &b.f.diag, &second) == RB_OK);
    ENSURE(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    run_close(&a);
    run_close(&b);
}

static void nothing_is_allocated_between_restarts(void **state) {
    (void)state;
    Run r;
    run_open(&r, "bouncing-ball");
    ENSURE(run_go(&r) == RB_OK);
    ENSURE(r.summary.steps > 100);
    assert_int_equal(r.summary.allocations, 0);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impact_times_agree_with_the_closed_form),
        cmocka_unit_test(the_error_falls_with_the_tolerance),
        cmocka_unit_test(no_impact_is_missed_between_output_points),
        cmocka_unit_test(it_passes_the_accumulation_point_and_rests),
        cmocka_unit_test(a_ball_that_lies_on_the_ground_stays_there),
        cmocka_unit_test(elastic_bounces_keep_the_energy),
        cmocka_unit_test(same_input_same_bytes),
        cmocka_unit_test(nothing_is_allocated_between_restarts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
