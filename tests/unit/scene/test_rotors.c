// SPDX-License-Identifier: MIT
// Rotors of one-dimensional drives on parts that move, against the balance of angular momentum.
#include "translate/run_model.h"

// 0.5 N.m from outside drive a gear of 3: the rotor (0.05 kg.m2) gets 1.5 N.m, so it turns with 30 rad/s2 in
// space; all of it together gains 0.5 N.m s every second, so the base (0.25 kg.m2 with the rotor) turns with -5 rad/s2.
static void housing_takes_the_rest(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Rotors.mo", "Rotors.Spinner");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena), *w = run_series(&r, "rotor.w"),
                 *base = run_series(&r, "turning.w[1]");
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(base[i], -5 * t[i], 1e-7);
        ENSURE_NEAR(w[i], 35 * t[i], 1e-7);
    }
    run_close(&r);
}

// I w' = h e_x x w across the axis, with h = J w_rotor: the angular velocity turns about it with h/I.
static void gyrostat_precesses(void **state) {
    (void)state;
    static const char *const classes[] = {"Rotors.Gyrostat", "Rotors.InexactGyrostat"};
    for (int k = 0; k < 2; k++) {
        Run r;
        model_open(&r, "Rotors.mo", classes[k]);
        model_go(&r);
        const double *t = rb_result_times(r.result, &r.f.arena);
        const double *x = run_series(&r, "turning.w[1]"), *y = run_series(&r, "turning.w[2]"),
                     *z = run_series(&r, "turning.w[3]"), *w = run_series(&r, "rotor.w");
        double rate = 0.05 * 20 / 0.3;
        for (size_t i = 0; i < r.result->row_count; i++) {
            ENSURE_NEAR(x[i], 0, 1e-8);
            ENSURE_NEAR(y[i], 0.5 * cos(rate * t[i]), 1e-7);
            ENSURE_NEAR(z[i], 0.5 * sin(rate * t[i]), 1e-7);
            ENSURE_NEAR(w[i], 20, 1e-8);
        }
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(housing_takes_the_rest),
        cmocka_unit_test(gyrostat_precesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
