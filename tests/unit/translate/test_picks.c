// SPDX-License-Identifier: MIT
// Functions that name derivatives of their inputs (tests/models/Picks.mo).
#include "translate/run_model.h"

static void near_everywhere(Run *r, const char *name, double (*expected)(double t), double tol) {
    const double *v = run_series(r, name), *t = rb_result_times(r->result, &r->f.arena);
    for (size_t i = 0; i < r->result->row_count; i++) ENSURE_NEAR(v[i], expected(t[i]), tol);
}

// (m1 + m2) x'' = -c x with m1 + m2 = c: x = cos t.
static double minus_sine(double t) {
    return -sin(t);
}

static double three_quarters(double t) { // f = m2 x''
    return -3 * cos(t);
}

static void carried(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Picks.mo", "Picks.Carried");
    model_go(&r);
    near_everywhere(&r, "x2", cos, 1e-7);
    near_everywhere(&r, "v2", minus_sine, 1e-7);
    near_everywhere(&r, "f", three_quarters, 1e-6);
    run_close(&r);
}

// (L1 + L2) i' = -R i with L1 + L2 = R: i = exp(-t).
static double decay(double t) {
    return exp(-t);
}

static double minus_decay(double t) {
    return -exp(-t);
}

static void opposite(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Picks.mo", "Picks.Opposite");
    model_go(&r);
    near_everywhere(&r, "i2", decay, 1e-7);
    near_everywhere(&r, "minus", minus_decay, 1e-7);
    near_everywhere(&r, "slope", minus_decay, 1e-7);
    run_close(&r);
}

static double twice(double t) { // 3/2 z = 3 t
    return 2 * t;
}

static void partial(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Picks.mo", "Picks.Partial");
    model_go(&r);
    near_everywhere(&r, "z", twice, 1e-12);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carried),
        cmocka_unit_test(opposite),
        cmocka_unit_test(partial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
