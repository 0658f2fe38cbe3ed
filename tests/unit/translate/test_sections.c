// SPDX-License-Identifier: MIT
// Algorithm sections (tests/models/Sections.mo).
#include "translate/run_model.h"

// The pulse of 0.2 s is too short; what begins at 2 s is seen at 2.3 s.
static void inertial(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Sections.mo", "Sections.Inertial");
    model_go(&r);
    const double *y = run_series(&r, "y"), *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        if (fabs(t[i] - 2.3) > 1e-9) ENSURE(y[i] == (t[i] > 2.3));
    }
    run_close(&r);
}

// The first of 1, 2, 3, 4 that is greater than t.
static void left_early(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Sections.mo", "Sections.Search");
    model_go(&r);
    const double *first = run_series(&r, "first"), *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        bool edge = fabs(t[i] - round(t[i])) < 1e-9;
        if (!edge) ENSURE(first[i] == fmin(5, floor(t[i]) + 1));
    }
    run_close(&r);
}

// Each button counts once.
static void buttons(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Sections.mo", "Sections.Buttons");
    model_go(&r);
    const double *n = run_series(&r, "n"), *m = run_series(&r, "m"),
                 *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        bool edge = fabs(t[i] - 1) < 1e-9 || fabs(t[i] - 2) < 1e-9;
        if (!edge) ENSURE(n[i] == (t[i] > 1) + (t[i] > 2) && m[i] == (t[i] > 2));
    }
    run_close(&r);
}

// x1 = t - 1 and x2 = t - 1.5: at 1 and 1.5; at 1.2, and at 1.7 where x2 is 0.1 + 0.1.
static void crossings(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Sections.mo", "Sections.Crossings");
    model_go(&r);
    ENSURE(r.summary.state_events >= 4);
    ENSURE_NEAR(model_last(&r, "k"), 2, 0);
    ENSURE_NEAR(model_last(&r, "n"), 5, 0);
    ENSURE_NEAR(model_last(&r, "at"), 1.7, 1e-9);
    run_close(&r);
}

// (1 + 2 + 3) t / 6 at the last whole second.
static void converter(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Sections.mo", "Sections.Converter");
    model_go(&r);
    const double *v = run_series(&r, "plus"), *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        bool edge = fabs(t[i] - round(t[i])) < 1e-9;
        if (!edge) ENSURE_NEAR(v[i], floor(t[i]), 1e-12);
    }
    run_close(&r);
}

// At time 2.
static void elements(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Sections.mo", "Sections.Elements");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "y[1]"), 4, 1e-12);
    ENSURE_NEAR(model_last(&r, "y[3]"), 12, 1e-12);
    ENSURE_NEAR(model_last(&r, "m[1]"), 2, 0);
    ENSURE_NEAR(model_last(&r, "m[2]"), 1, 0);
    ENSURE_NEAR(model_last(&r, "s[2]"), 2, 1e-12);
    ENSURE_NEAR(model_last(&r, "many"), 210, 0);
    run_close(&r);
}

// One call: four times as many results take no more than four times the memory. The last of them has
// been told of by ten events: 0.1 + 0.2 + ... + 1.
static void results_of_one_call(void **state) {
    (void)state;
    static const char *const classes[] = {"Sections.Results", "Sections.ManyResults"};
    static const char *const last[] = {"a[100]", "a[400]"};
    size_t peak[2];
    for (int i = 0; i < 2; i++) {
        Run r;
        model_open(&r, "Sections.mo", classes[i]);
        model_go(&r);
        ENSURE_NEAR(model_last(&r, last[i]), 5.5, 1e-12);
        peak[i] = r.f.heap.peak;
        run_close(&r);
    }
    ENSURE(peak[1] < 4 * peak[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inertial),
        cmocka_unit_test(left_early),
        cmocka_unit_test(buttons),
        cmocka_unit_test(crossings),
        cmocka_unit_test(converter),
        cmocka_unit_test(elements),
        cmocka_unit_test(results_of_one_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
