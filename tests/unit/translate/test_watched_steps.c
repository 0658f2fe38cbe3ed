// SPDX-License-Identifier: MIT
// What cannot go on ends the run where that begins, not at the end of a step: assertions, systems
// without a solution, results that are no number. Times are those of the closed form, and the
// message and the summary agree about them.
// label: normal
#include "translate/run_model.h"

// Run until it fails; answers the message.
static const char *failing(Run *r, const char *class, RbStatus want) {
    model_open(r, "Watched.mo", class);
    r->options.tolerance = 1e-9;
    assert_int_equal(run_go(r), want);
    ENSURE(r->f.diag.messages.count > 0);
    return r->f.diag.messages.data[0].text;
}

static double time_of(const char *message) {
    const char *at = strstr(message, "time ");
    ENSURE(at);
    return strtod(at + strlen("time "), NULL);
}

static void ends_at(const char *class, RbStatus want, double time, double tolerance) {
    Run r;
    double told = time_of(failing(&r, class, want));
    ENSURE_NEAR(told, time, tolerance);
    ENSURE_NEAR(r.summary.time, told, 1e-9);
    run_close(&r);
}

// x = exp(t)/4 passes 1/2 at ln 2, up to a hundred times the tolerance.
static void assertion_is_located(void **state) {
    (void)state;
    ends_at("Watched.Assertion", RB_ERROR_ASSERTION, log(2), 1e-7);
    ends_at("Watched.AssertionInFunction", RB_ERROR_ASSERTION, log(2), 1e-7);
}

// x^2 = 1/2 - t has a solution until t = 1/2; nothing else needs x.
static void no_solution_is_told(void **state) {
    (void)state;
    ends_at("Watched.Fold", RB_ERROR_SOLVER, 0.5, 1e-7);
    ends_at("Watched.FoldOfTwo", RB_ERROR_SOLVER, 0.5, 1e-7);
}

// (2 - t/2) x + y = 1, x + y = 2 contradict each other at t = 2, where a sample falls.
static void singular_linear_system_is_told(void **state) {
    (void)state;
    ends_at("Watched.Singular", RB_ERROR_SOLVER, 2, 1e-9);
}

static void root_of_negative_is_told(void **state) {
    (void)state;
    Run r;
    const char *message = failing(&r, "Watched.Root", RB_ERROR_SOLVER);
    ENSURE(strstr(message, "'x' cannot be computed: sqrt(0.3 - time) is not a number"));
    ENSURE_NEAR(r.summary.time, time_of(message), 1e-9);
    ENSURE(r.summary.time >= 0.3 && r.summary.time < 0.31); // the first row behind
    run_close(&r);
}

// A warning of the model is given at its time, and the run goes on.
static void warning_is_located(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Watched.mo", "Watched.Warning");
    r.options.tolerance = 1e-9;
    model_go(&r);
    assert_int_equal(r.f.diag.messages.count, 1);
    ENSURE_NEAR(time_of(r.f.diag.messages.data[0].text), log(2), 1e-7);
    ENSURE_NEAR(r.summary.time, 2, 0);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assertion_is_located),
        cmocka_unit_test(no_solution_is_told),
        cmocka_unit_test(singular_linear_system_is_told),
        cmocka_unit_test(root_of_negative_is_told),
        cmocka_unit_test(warning_is_located),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
