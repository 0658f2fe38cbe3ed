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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticking),
        cmocka_unit_test(opening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
