// SPDX-License-Identifier: MIT
// What equations do not reach is not coupled by them: bodies beside a drive.
#include "translate/run_model.h"

static void open_run(Run *r, const char *class) {
    model_open(r, "Mechanics.mo", class);
    r->options.stop_time = 1;
    r->options.tolerance = 1e-9;
    r->options.solver = "cvode";
    model_go(r);
}

// Twenty free bodies have 260 states. A full matrix would need 262 evaluations for each Jacobian, five for
// each step here; the blocks of single bodies need those of 13 states, whatever their number.
static void company_costs_no_evaluations(void **state) {
    (void)state;
    Run alone, company;
    open_run(&alone, "Mechanics.MotorOverGear");
    open_run(&company, "Mechanics.MotorInCompany");
    ENSURE_NEAR(model_last(&company, "hinge.phi"), model_last(&alone, "hinge.phi"), 1e-7);
    ENSURE(company.summary.jacobians > 0);
    ENSURE(company.summary.evaluations * alone.summary.steps <
           alone.summary.evaluations * company.summary.steps);
    run_close(&alone);
    run_close(&company);
}

static void open_reach(Run *r, const char *class, const char *solver) {
    model_open(r, "Reach.mo", class);
    r->options.tolerance = 1e-9;
    r->options.stop_time = 1;
    r->options.solver = solver;
    model_go(r);
}

// Groups that equations cannot reach are islands of their own: their motion is that without equations, and the drive
// moves as it does with one solver for everything. Events of the equations start all islands anew: not every bit is the same.
static void islands_beside_a_drive(void **state) {
    (void)state;
    Run balls, both, whole;
    open_reach(&balls, "Reach.Balls", "auto");
    open_reach(&both, "Reach.Both", "auto");
    open_reach(&whole, "Reach.Both", "cvode");
    ENSURE(strcmp(both.summary.solver, "islands") == 0);
    assert_int_equal(both.summary.state_events, whole.summary.state_events);
    for (int i = 1; i <= 4; i++) {
        for (int k = 1; k <= 3; k++) {
            char name[64];
            snprintf(name, sizeof name, "ball[%d].r_0[%d]", i, k);
            ENSURE_NEAR(model_last(&both, name), model_last(&balls, name), 1e-8);
        }
    }
    ENSURE_NEAR(model_last(&both, "arm.hinge.phi"), model_last(&whole, "arm.hinge.phi"), 1e-7);
    ENSURE_NEAR(model_last(&both, "arm.hinge.w"), model_last(&whole, "arm.hinge.w"), 1e-6);
    ENSURE_NEAR(model_last(&both, "energy.input"), model_last(&whole, "energy.input"), 1e-6);
    ENSURE_NEAR(model_last(&both, "energy.friction"), model_last(&balls, "energy.friction"), 1e-6);
    ENSURE(model_last(&both, "arm.count") == model_last(&whole, "arm.count"));
    ENSURE(model_last(&both, "arm.count") >= 2);
    run_close(&balls);
    run_close(&both);
    run_close(&whole);
}

// What has a shape may touch the balls some time: then all is one.
static void shapes_join(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Reach.mo", "Reach.Paddle");
    model_go(&r);
    ENSURE(strcmp(r.summary.solver, "cvode") == 0);
    ENSURE(fabs(model_last(&r, "ball[1].r_0[1]") + 0.4) > 0.05); // it was hit
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(company_costs_no_evaluations),
                                       cmocka_unit_test(islands_beside_a_drive),
                                       cmocka_unit_test(shapes_join)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
