// SPDX-License-Identifier: MIT
// The rod against the heat equation: T_t = a T_xx, T(0, t) = T_a, T_x(L, t) = 0, T(x, 0) = T_0 has
// the series solution
//     T = T_a + (T_0 - T_a) sum_k 4/((2k+1) pi) sin(b_k x) exp(-a b_k² t),   b_k = (2k+1) pi/(2L).
#include "run.h"

static const double L = 1, T_a = 493.15, T_0 = 273.15, a = 74.0 / (7500.0 * 450.0);

static double series(double x, double t) {
    double sum = 0;
    for (int k = 0; k < 200; k++) {
        double b = (2 * k + 1) * M_PI / (2 * L);
        sum += 4 / ((2 * k + 1) * M_PI) * sin(b * x) * exp(-a * b * b * t);
    }
    return T_a + (T_0 - T_a) * sum;
}

// Largest difference to the series at the centres of the elements.
static double error_at(int n, double t) {
    Run r;
    double worst = 0;
    run_open(&r, "heated-rod");
    run_set(&r, "rod.n", n);
    r.options.stop_time = t;
    r.options.tolerance = 1e-10;
    r.options.journal_file = NULL;
    ENSURE(run_go(&r) == RB_OK);
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(run_now(&r)->x[i] - series((i + 0.5) * L / n, t)));
    }
    run_close(&r);
    return worst;
}

static void converges_with_second_order(void **state) {
    (void)state;
    double t = 1e4, coarse = error_at(10, t);
    for (int n = 20; n <= 160; n *= 2) {
        double fine = error_at(n, t), order = log2(coarse / fine);
        print_message("n = %d: error %.3e K, order %.3f\n", n, fine, order);
        ENSURE(order > 1.9 && order < 2.1);
        coarse = fine;
    }
}

// heat and Q_in on both sides of the change, and at the end.
static void refining_conserves_the_heat(void **state) {
    (void)state;
    Run r;
    run_open(&r, "refined-rod");
    r.options.stop_time = 3e4;
    ENSURE(run_go(&r) == RB_OK);
    assert_int_equal(r.summary.segments, 2);
    assert_int_equal(r.summary.states, 40);
    assert_int_equal(r.summary.allocations, 0);
    run_read(&r);
    double *t = rb_result_times(r.result, &r.f.arena), *heat = run_series(&r, "rod.heat");
    double *last = run_series(&r, "rod.T[40]"), *in = run_series(&r, "rod.Q_in");
    size_t after = r.result->segments.data[1].first_row;
    ENSURE(t[after] == 1e4 && t[after - 1] == 1e4);
    ENSURE(isnan(last[after - 1]) && !isnan(last[after])); // missing in the first segment
    print_message("heat before and after: %.17g %.17g J\n", heat[after - 1], heat[after]);
    ENSURE_NEAR(heat[after] / heat[after - 1], 1, 1e-15); // 40 sums, rounded to 1e-16 each
    ENSURE(in[after] == in[after - 1]);
    size_t end = r.result->row_count - 1;
    ENSURE_NEAR((heat[end] - heat[0]) / in[end], 1, 1e-5);
    run_close(&r);
}

// Any number of elements to any other: the profile of the series, averaged, stays near the series.
static void any_number_becomes_any_other(void **state) {
    (void)state;
    int pairs[][2] = {{5, 40}, {40, 5}, {7, 11}, {11, 7}, {1, 3}, {3, 1}};
    for (int k = 0; k < 6; k++) {
        Run r;
        run_open(&r, "refined-rod");
        run_set(&r, "rod.n", pairs[k][0]);
        run_set(&r, "rod.refine_n", pairs[k][1]);
        r.options.stop_time = 1.1e4;
        ENSURE(run_go(&r) == RB_OK);
        run_read(&r);
        double *heat = run_series(&r, "rod.heat");
        size_t after = r.result->segments.data[1].first_row;
        ENSURE_NEAR(heat[after] / heat[after - 1], 1, 1e-15);
        run_close(&r);
    }
}

// The driver couples the ends; inside the pattern is tridiagonal, so the sparse solver has
// something to gain.
static void pattern_is_tridiagonal_but_for_the_ends(void **state) {
    (void)state;
    Run r;
    run_open(&r, "heated-rod");
    run_set(&r, "rod.n", 100);
    r.options.stop_time = 1;
    ENSURE(run_go(&r) == RB_OK);
    assert_int_equal(rb_sim_stage(&r.sim)->composed.pattern.count, 298 + 2);
    run_close(&r);
}

static void n_changes_before_the_run_without_building_again(void **state) {
    (void)state;
    Run r;
    run_open(&r, "heated-rod");
    int counts[] = {5, 8, 3};
    for (int i = 0; i < 3; i++) {
        run_set(&r, "rod.n", counts[i]);
        ENSURE(run_go(&r) == RB_OK);
        assert_int_equal(r.summary.states, counts[i]);
    }
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(converges_with_second_order),
        cmocka_unit_test(refining_conserves_the_heat),
        cmocka_unit_test(any_number_becomes_any_other),
        cmocka_unit_test(pattern_is_tridiagonal_but_for_the_ends),
        cmocka_unit_test(n_changes_before_the_run_without_building_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
