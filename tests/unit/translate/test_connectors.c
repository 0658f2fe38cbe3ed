// SPDX-License-Identifier: MIT
// Overdetermined, expandable and stream connectors in models that run (tests/models/Connectors.mo).
#include "translate/run_model.h"

// The opposite sides of a parallelogram stay parallel, so its coupler does not turn, and a mass on
// it moves on a circle of 1 m: phi'' = -g/L cos(phi), integrated beside it.
static void a_loop_of_frames_closes(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.FourBar");
    model_go(&r);
    const double *phi = run_series(&r, "h1.phi"), *q = run_series(&r, "q");
    const double *turn = run_series(&r, "mass.phi"), *h4 = run_series(&r, "h4.phi");
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(phi[i], q[i], 1e-6);
        ENSURE_NEAR(turn[i], 0.0, 1e-8);
        ENSURE_NEAR(h4[i], -acos(-1.0) - phi[i], 1e-8);
    }
    run_close(&r);
}

// No torque and no force but weight: the centre of mass falls by g t^2 / 2 from where it was, and
// the bar turns at its constant speed.
static void a_free_body_has_a_root_of_its_own(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.Dumbbell");
    model_go(&r);
    double x1 = -2 * cos(0.5), y1 = -2 * sin(0.5); // m2 starts at the origin
    double speed = 2 * 2.0 / 4;                    // of the centre: m1's 4 m/s by 1/4 of the mass
    double x = (model_last(&r, "m1.a.x") + 3 * model_last(&r, "m2.a.x")) / 4;
    double y = (model_last(&r, "m1.a.y") + 3 * model_last(&r, "m2.a.y")) / 4;
    ENSURE_NEAR(model_last(&r, "m2.phi"), 2.5, 1e-7);
    ENSURE_NEAR(x, x1 / 4 + speed * sin(0.5), 1e-6);
    ENSURE_NEAR(y, y1 / 4 - speed * cos(0.5) - 9.81 / 2, 1e-6);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_of_frames_closes),
        cmocka_unit_test(a_free_body_has_a_root_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
