// SPDX-License-Identifier: MIT
// What is not a solution never passes (tests/models/NoSolution.mo).
#include "translate/run_model.h"

// The run ends where the solution does; `slack` [s]: how long a residual that small may go on.
static void ends_at(const char *name, double time, double slack) {
    char class[64];
    Run r;
    snprintf(class, sizeof class, "NoSolution.%s", name);
    model_open(&r, "NoSolution.mo", class);
    ENSURE(run_go(&r) == RB_ERROR_SOLVER);
    if (fabs(r.summary.time - time) > slack) print_error("%s: %.12g s\n", name, r.summary.time);
    ENSURE_NEAR(r.summary.time, time, slack);
    ENSURE(r.f.diag.messages.count > 0);
    run_close(&r);
}

// A residual of 1e-4 is what y = 1e-8 (a part of the nominal value) makes of sqrt(y).
static void ends_with_the_solution(void **state) {
    (void)state;
    ends_at("Root", 0.5, 1.01e-4);
    ends_at("RootAside", 0.5, 1.01e-4);
    ends_at("Roots", 0.5, 3.01e-4);
    ends_at("Jump", 0.25, 1e-6);
}

static void choices_are_not_linear(void **state) {
    (void)state;
    Run r;
    model_open(&r, "NoSolution.mo", "NoSolution.Choices");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "a"), 1.5, 1e-12);
    ENSURE_NEAR(model_last(&r, "b"), 1.7 / 1.1, 1e-12); // b + 1 = c = 2.7 - 0.1 b
    ENSURE_NEAR(model_last(&r, "c"), 1.7 / 1.1 + 1, 1e-12);
    ENSURE_NEAR(model_last(&r, "d"), 2, 1e-12);
    ENSURE_NEAR(model_last(&r, "e"), 2.5, 1e-12);
    ENSURE_NEAR(model_last(&r, "f"), -0.5, 1e-12);
    run_close(&r);
}

// 1e9 keeps 1e-7 of what is added, and 1e6 1e-10.
static void rounding_passes(void **state) {
    (void)state;
    Run r;
    model_open(&r, "NoSolution.mo", "NoSolution.Rounded");
    model_go(&r);
    const double *x = run_series(&r, "x"), *y = run_series(&r, "y"),
                 *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        double s = t[i], want = (0.8 + 0.1 * t[i]) / (sin(s) + 1 + s);
        ENSURE_NEAR(y[i], want, 2.5e-7);
        ENSURE_NEAR(cos(s) * x[i], 0.3 + (1 + s) * want, 5e-7);
    }
    run_close(&r);
}

// x = y = c. What elimination finds is off by 1e-5 at most times; 1e-6 of the terms of the first equation, 2 (2 + s) c, may be left.
static void elimination_is_refined(void **state) {
    (void)state;
    Run r;
    model_open(&r, "NoSolution.mo", "NoSolution.Refined");
    model_go(&r);
    const double *y = run_series(&r, "y"), *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        double c = (1 + t[i]) / 3;
        ENSURE_NEAR(y[i], c, 2.01e-6 * c);
    }
    run_close(&r);
}

static void flat_solutions_pass(void **state) {
    (void)state;
    Run r;
    model_open(&r, "NoSolution.mo", "NoSolution.Triple");
    model_go(&r);
    const double *y = run_series(&r, "y"), *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) ENSURE_NEAR(y[i], cbrt(0.5 - t[i]), 1e-8);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_with_the_solution), cmocka_unit_test(choices_are_not_linear),
        cmocka_unit_test(rounding_passes),        cmocka_unit_test(elimination_is_refined),
        cmocka_unit_test(flat_solutions_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
