// SPDX-License-Identifier: MIT
// The cases of Modia's own tests, written in Modelica (tests/models/Modia.mo), against the final
// states that they require, by their rule: |x - ref| <= 1e-3 max(|x|, |ref|) of the whole vector;
// and, where there is one, against the closed form.
#include "translate/run_model.h"

typedef struct Case {
    const char *class;
    const char *states[2]; // the second may be NULL
    double want[2];
} Case;

static const Case cases[] = {
    {"FirstOrder", {"x"}, {-0.3617373025974107}},
    {"StateSpace", {"sys.x[1]", "sys.x[2]"}, {0.9974089572681231, 0.011808652820321723}},
    {"FilterCircuit", {"C.v"}, {7.424843902110655}},
    {"SimpleStateEvents", {"s", "v"}, {1.1756992201144405, -0.5351307571761175}},
    {"TwoInertiasAndIdealGear", {"phi2", "w2"}, {1.5628074713622309, -6.878080753044174e-05}},
    {"Arrays", {"x[1]", "x[2]"}, {0.13533533463680386, 0.036632273646086545}},
    {"Synchronous", {"x", "v"}, {133.3845202465569, 98.03694943140056}},
    {"SimpleRod", {"C.T"}, {393.09468783194814}},
    {"LinearSystems", {"ss.x[1]"}, {1.987867388853733}},
    {"Variables", {"x"}, {0.6321205588285577}},
    {"Units", {"x", "v"}, {8.479786015016273, 2.999999999999999}},
    {"SingularLRRL", {"L2.i"}, {1.4999999937318995}},
    {"MultiReturn4", {"w1", "phi1"}, {0.3933746028781301, 0.3029735305821084}},
    {"MultiReturn5", {"w", "phi"}, {-0.012169911296941314, 0.0024087599260249094}},
};

static void check_case(const Case *c) {
    char class[64];
    snprintf(class, sizeof class, "Modia.%s", c->class);
    Run r;
    model_open(&r, "Modia.mo", class);
    model_go(&r);
    double error = 0, size = 0, want = 0;
    for (int i = 0; i < 2 && c->states[i]; i++) {
        double x = model_last(&r, c->states[i]);
        error += (x - c->want[i]) * (x - c->want[i]);
        size += x * x;
        want += c->want[i] * c->want[i];
    }
    if (!(sqrt(error) <= 1e-3 * sqrt(fmax(size, want))))
        fail_msg("%s: off by %g", c->class, sqrt(error));
    run_close(&r);
}

static void required_final_states(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(&cases[i]);
}

static double final_value(const char *class, const char *name) {
    Run r;
    model_open(&r, "Modia.mo", class);
    r.options.tolerance = 1e-10;
    model_go(&r);
    double x = model_last(&r, name);
    run_close(&r);
    return x;
}

static void closed_forms(void **state) {
    (void)state;
    ENSURE_NEAR(final_value("Modia.FilterCircuit", "C.v"), 10 - 7 * exp(-1), 1e-8);
    ENSURE_NEAR(final_value("Modia.Arrays", "x[2]"), 2 * exp(-4), 1e-9);
    ENSURE_NEAR(final_value("Modia.SimpleRod", "C.T"), 393.15 - 100 * exp(-7.5), 1e-6);
    ENSURE_NEAR(final_value("Modia.Variables", "x"), 1 - exp(-1), 1e-9);
    ENSURE_NEAR(final_value("Modia.LinearSystems", "ss.x[1]"), 2 - 1.8 * exp(-5), 1e-8);
    // The torque of one unit over J = J2 + r^2 J1 for 1 s, a pause of 1 s, then back: phi = 0.5 + 2
    // r/J.
    ENSURE_NEAR(final_value("Modia.TwoInertiasAndIdealGear", "phi2"),
                0.5 + 2 * 105 / (170 + 105 * 105 * 0.0025), 1e-8);
    // All three inertias turn together: (J1 + J2 + J3) w' = sin t.
    ENSURE_NEAR(final_value("Modia.MultiReturn4", "w1"), (1 - cos(2)) / 3.6, 1e-8);
    // L = 0.3 H in series with 20/3 Ohm at 10 V.
    ENSURE_NEAR(final_value("Modia.SingularLRRL", "L2.i"), 1.5 - 1.4 * exp(-20.0 / 0.9), 1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(required_final_states),
                                       cmocka_unit_test(closed_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
