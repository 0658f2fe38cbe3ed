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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(company_costs_no_evaluations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
