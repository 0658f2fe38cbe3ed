// SPDX-License-Identifier: MIT
// Derivatives whose coefficient is zero (tests/models/Vanishing.mo): the variable is no state, and
// follows from the other equations.
#include "translate/run_model.h"

static void follows_source(const char *class) {
    Run r;
    model_open(&r, "Vanishing.mo", class);
    model_go(&r);
    ENSURE(r.summary.states == 0);
    const double *v = run_series(&r, "v"), *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) ENSURE_NEAR(v[i], 3 * sin(t[i]), 1e-12);
    run_close(&r);
}

static void zero_capacity(void **state) {
    (void)state;
    follows_source("Vanishing.Capacity");
    follows_source("Vanishing.Junction");
}

static void other_capacity(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Vanishing.mo", "Vanishing.Charged");
    model_go(&r);
    ENSURE(r.summary.states == 1);
    ENSURE_NEAR(model_last(&r, "v"), 3 - 2 * exp(-2), 1e-7);
    run_close(&r);
}

static void not_zero_everywhere(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Vanishing.mo", "Vanishing.Late");
    ENSURE(run_go(&r) == RB_ERROR_ASSERTION);
    ENSURE(strstr(fixture_message(&r.f, r.f.diag.messages.count - 1), "coefficient of der(v)"));
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_capacity),
        cmocka_unit_test(other_capacity),
        cmocka_unit_test(not_zero_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
