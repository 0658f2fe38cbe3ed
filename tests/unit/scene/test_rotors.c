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

// phi_a = -2 phi_b: the torque on a moves J_a + J_b/4, and the bearing holds what the momentum of both does
// not take.
static void gear_in_a_bearing(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Rotors.mo", "Rotors.Geared");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena), *a = run_series(&r, "w_a.w[1]"),
                 *b = run_series(&r, "w_b.w[1]"), *held = run_series(&r, "held.torque[1]");
    double alpha = 0.3 / (0.01 + 0.05 / 4);
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(a[i], alpha * t[i], 1e-8);
        ENSURE_NEAR(b[i], -alpha / 2 * t[i], 1e-8);
        ENSURE_NEAR(held[i], 0.01 * alpha - 0.05 * alpha / 2 - 0.3, 1e-9);
    }
    run_close(&r);
}

static double last(Run *r, const char *body, const char *name, int k) {
    char full[32];
    snprintf(full, sizeof full, "%s.%s[%d]", body, name, k);
    return model_last(r, full);
}

// Nothing acts from outside: momentum and angular momentum stay zero.
static void push_between_two_bodies(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Rotors.mo", "Rotors.Pushed");
    model_go(&r);
    static const char *const bodies[] = {"a", "b"};
    const double mass[] = {2, 3}, moment[] = {0.1, 0.2};
    double p[2] = {0}, L = 0;
    for (int i = 0; i < 2; i++) {
        double x = last(&r, bodies[i], "r_0", 1), y = last(&r, bodies[i], "r_0", 2),
               vx = last(&r, bodies[i], "v_0", 1), vy = last(&r, bodies[i], "v_0", 2);
        p[0] += mass[i] * vx;
        p[1] += mass[i] * vy;
        L += mass[i] * (x * vy - y * vx) + moment[i] * last(&r, bodies[i], "w_0", 3);
    }
    ENSURE_NEAR(p[0], 0, 1e-9);
    ENSURE_NEAR(p[1], 0, 1e-9);
    ENSURE_NEAR(L, 0, 1e-8);
    ENSURE_NEAR(last(&r, "b", "v_0", 2), 0.5 / 3, 1e-9);
    ENSURE_NEAR(last(&r, "b", "w_0", 3), 0.3 / 0.2, 1e-9);
    run_close(&r);
}

// The rotor gets twice the torque. What holds the base balances the torque of the motor and that of the rotor's bearing.
static void gear_round_the_corner(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Rotors.mo", "Rotors.RoundTheCorner");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "rotor.w"), 2 * 0.5 / 0.05 * 2, 1e-8);
    ENSURE_NEAR(last(&r, "held", "torque", 1), 2 * 0.5, 1e-10);
    ENSURE_NEAR(last(&r, "held", "torque", 2), 0, 1e-10);
    ENSURE_NEAR(last(&r, "held", "torque", 3), -0.5, 1e-10);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(housing_takes_the_rest),  cmocka_unit_test(gyrostat_precesses),
        cmocka_unit_test(gear_in_a_bearing),       cmocka_unit_test(gear_round_the_corner),
        cmocka_unit_test(push_between_two_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
