// SPDX-License-Identifier: MIT
// label: normal
// Steel (2e11 Pa), rubber (1e6 Pa) and gel (1e3 Pa) in one scene: nothing diverges, and the gel is where a ten times finer
// run has it.
#include "testing.h"

#include "../sim/run.h"

static double height(const char *solver, double tolerance, double *account) {
    Run r;
    run_open(&r, "pendulum"); // the files and the fixture; its model is replaced
    ENSURE(rb_model_of_file(RB_SOURCE_DIR "/examples/soft/steel_rubber_gel.xml", &r.f.arena,
                            &r.f.diag, &r.model) == RB_OK);
    r.options = rb_model_options(r.model);
    r.options.journal_file = r.journal;
    r.options.tolerance = tolerance;
    r.options.solver = solver;
    ENSURE(run_go(&r) == RB_OK);
    assert_string_equal(r.summary.solver, "cvode"); // the choice of auto as well
    run_read(&r);
    size_t last = r.result->row_count - 1;
    *account = fabs(run_series(&r, "account")[last] / run_series(&r, "account")[0] - 1);
    double found = run_series(&r, "gel_block.r[2]")[last];
    run_close(&r);
    return found;
}

static void gel_beside_steel(void **state) {
    (void)state;
    double account, finer;
    double coarse = height("auto", 1e-4, &account), fine = height("cvode", 1e-5, &finer);
    print_message("gel at %.4f mm, ten times finer at %.4f mm; energy %.1e, %.1e\n", 1e3 * coarse,
                  1e3 * fine, account, finer);
    ENSURE_NEAR(coarse, fine, 1e-4);
    ENSURE(account < 1e-3 && finer < account);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gel_beside_steel)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
