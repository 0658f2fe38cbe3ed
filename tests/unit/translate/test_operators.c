// SPDX-License-Identifier: MIT
// Models with operator records against complex arithmetic of C (tests/models/Operators.mo).
#include <complex.h>

#include "translate/run_model.h"

static const double exactly = 1e-12; // relative: sums and products of a few numbers

static double complex last(Run *r, const char *name) {
    char part[64];
    snprintf(part, sizeof part, "%s.re", name);
    double re = model_last(r, part);
    snprintf(part, sizeof part, "%s.im", name);
    return re + I * model_last(r, part);
}

static void near(double complex got, double complex want, double tolerance) {
    ENSURE_NEAR(creal(got), creal(want), tolerance);
    ENSURE_NEAR(cimag(got), cimag(want), tolerance);
}

static void run_to(Run *r, const char *class, double stop_time) {
    model_open(r, "Operators.mo", class);
    r->options.stop_time = stop_time;
    r->options.tolerance = 1e-9;
    model_go(r);
}

// i = u / (R + j (w L - 1/(w C))); at w = 1/sqrt(L C) only R is left.
static void series_circuit(void **state) {
    (void)state;
    const double R = 2, L = 0.5, C = 0.02, times[] = {9.0 / 14, 1};
    for (int k = 0; k < 2; k++) {
        Run r;
        run_to(&r, "Operators.Series", times[k]);
        double w = 1 + 14 * times[k];
        double complex i = 10 / (R + I * (w * L - 1 / (w * C)));
        near(last(&r, "resistor.i"), i, exactly);
        near(last(&r, "capacitor.v"), i / (I * w * C), 10 * exactly);
        near(last(&r, "source.i"), -i, exactly);
        if (k == 0) near(i, 5, exactly);
        run_close(&r);
    }
}

// Cramer's rule for [z1 + z2, -z2; -z2, z2 + z3] i = {12, 0}.
static void two_meshes(void **state) {
    (void)state;
    Run r;
    run_to(&r, "Operators.Ladder", 1);
    double complex z1 = 1 + 2 * I, z2 = 3 - I, z3 = 2;
    double complex det = (z1 + z2) * (z2 + z3) - z2 * z2;
    double complex i1 = 12 * (z2 + z3) / det, i2 = 12 * z2 / det;
    near(last(&r, "i[1]"), i1, 10 * exactly);
    near(last(&r, "i[2]"), i2, 10 * exactly);
    near(last(&r, "twice[2]"), 2 * i2, 10 * exactly);
    near(last(&r, "total"), i1 + i2, 10 * exactly);
    near(last(&r, "power"), conj(i1) * i1 + conj(i2) * i2, 100 * exactly);
    run_close(&r);
}

// Newton's iteration from -1 + j ends at the cube root of unity exp(2 pi j / 3).
static void complex_roots(void **state) {
    (void)state;
    Run r;
    run_to(&r, "Operators.Roots", 1);
    near(last(&r, "z"), -0.5 + I * sqrt(0.75), exactly);
    run_close(&r);
}

// z' = j w z from 1: z = exp(j w t).
static void circle(void **state) {
    (void)state;
    Run r;
    run_to(&r, "Operators.Dynamics", 2);
    near(last(&r, "z"), cexp(I * 6), 1e-7);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(series_circuit),
        cmocka_unit_test(two_meshes),
        cmocka_unit_test(complex_roots),
        cmocka_unit_test(circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
