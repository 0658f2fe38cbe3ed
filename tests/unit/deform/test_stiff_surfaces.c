// SPDX-License-Identifier: MIT
// label: full
// As deform/test_stiff, with contact of surfaces: steel (2e11 Pa), rubber (1e6 Pa) and gel (1e3 Pa) in one scene; the gel, which its own weight squeezes to less than half of its height, is
// within 1 mm of where a ten times finer run has it, and is not folded.
#include "testing.h"

#include "../sim/run.h"

static double height(double tolerance) {
    Run r;
    run_open(&r, "pendulum"); // the files and the fixture; its model is replaced
    ENSURE(rb_model_of_file(RB_SOURCE_DIR "/examples/soft/steel_rubber_gel.xml", &r.f.arena,
                            &r.f.diag, &r.model) == RB_OK);
    r.options = rb_model_options(r.model);
    r.options.journal_file = r.journal;
    r.options.tolerance = tolerance;
    run_set(&r, "detection", 1);
    ENSURE(run_go(&r) == RB_OK);
    assert_string_equal(r.summary.solver, "cvode");
    run_read(&r);
    size_t last = r.result->row_count - 1;
    const double *account = run_series(&r, "account"), *gel = run_series(&r, "gel_block.r[2]");
    for (size_t i = 0; i <= last; i++) ENSURE(run_series(&r, "gel_block.folded")[i] == 0);
    print_message("%g: gel at %.3f mm, %ld steps, account %.1e\n", tolerance, 1e3 * gel[last],
                  (long)r.summary.steps, account[last] / account[0] - 1);
    ENSURE(fabs(account[last] / account[0] - 1) < 1e-3);
    double found = gel[last];
    run_close(&r);
    return found;
}

static void gel_beside_steel(void **state) {
    (void)state;
    const double tolerances[] = {1e-4, 3e-5, 1e-5};
    double found[3];
    for (int i = 0; i < 3; i++) found[i] = height(tolerances[i]);
    ENSURE_NEAR(found[0], found[2], 1e-3);
    ENSURE_NEAR(found[1], found[2], 1e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gel_beside_steel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
