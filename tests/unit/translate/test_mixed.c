// SPDX-License-Identifier: MIT
// Mixed systems of continuous and Boolean unknowns that plain iteration does not settle
// (tests/models/Mixed.mo).
#include "translate/run_model.h"

// 0.1 v' = 0.5 + t + 1 until v = -1 + 15 t + 5 t^2 = 0; stuck while 0.5 + t < 1; then v = 5 (t -
// 0.5)^2. When it stops, s of the sliding mass is beyond the friction force, although the force is
// not: from there the relations make it start forward and backward in turn.
static void sticking(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Mixed.mo", "Mixed.Sticking");
    model_go(&r);
    const double *v = run_series(&r, "v"), *t = rb_result_times(r.result, &r.f.arena);
    double stop = (sqrt(245) - 15) / 10; // [s]
    for (size_t i = 0; i < r.result->row_count; i++) {
        double sliding = t[i] < stop ? -1 + 15 * t[i] + 5 * t[i] * t[i] : 0;
        double loose = t[i] > 0.5 ? 5 * (t[i] - 0.5) * (t[i] - 0.5) : 0;
        ENSURE_NEAR(v[i], sliding + loose, 1e-6);
    }
    run_close(&r);
}

// Between x = 0 and x = 1e-11 neither value of the relation is consistent; beyond, open is.
static void opening(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Mixed.mo", "Mixed.Opening");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "closed"), 0, 0);
    ENSURE_NEAR(model_last(&r, "y"), 1, 1e-9);
    run_close(&r);
}

// The same at the start, where x is between the two.
static void opening_at_the_start(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Mixed.mo", "Mixed.OpeningAtStart");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "closed"), 0, 0);
    ENSURE_NEAR(model_last(&r, "y"), 2, 1e-9);
    run_close(&r);
}

// At the start the torque of friction is free, since the accelerations are given without it: it keeps
// its start value 0, and with it i = 0, u = 0. Then u = t, i = t - 1 + exp(-t) until that is 1, and
// w' = i - 1. (0/0 without a test of the coefficient.)
static void held_at_the_start(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Mixed.mo", "Mixed.Held");
    model_go(&r);
    double loose = 1.8;
    for (int k = 0; k < 20; k++) loose -= (loose - 2 + exp(-loose)) / (1 - exp(-loose));
    double past = loose * loose / 2 - 2 * loose - exp(-loose);
    const double *w = run_series(&r, "w"), *i = run_series(&r, "i");
    const double *t = rb_result_times(r.result, &r.f.arena);
    for (size_t k = 0; k < r.result->row_count; k++) {
        ENSURE_NEAR(i[k], t[k] - 1 + exp(-t[k]), 1e-7);
        ENSURE_NEAR(w[k], t[k] > loose ? t[k] * t[k] / 2 - 2 * t[k] - exp(-t[k]) - past : 0, 1e-7);
    }
    run_close(&r);
}

// Where there is no solution, that is said, with the equation.
static void held_and_moving(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Mixed.mo", "Mixed.Loose");
    ENSURE(run_go(&r) == RB_ERROR_INIT);
    ENSURE(strstr(fixture_message(&r.f, r.f.diag.messages.count - 1), "contradict each other"));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticking),
        cmocka_unit_test(opening),
        cmocka_unit_test(opening_at_the_start),
        cmocka_unit_test(held_at_the_start),
        cmocka_unit_test(held_and_moving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
