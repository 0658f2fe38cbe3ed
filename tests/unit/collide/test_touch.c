// SPDX-License-Identifier: MIT
// label: normal
// Swept through touching: distances known by construction, on faces, edges, rims, sides and
// vertices of all pairs. The sign must be right everywhere but within 1e-12 of the size. RB_PATHS
// sets the number of paths per pair.
#include "place.h"

static TestHull hulls[3];

static double sweep(const RbCore *a, const RbCore *b, RbRng *rng, int *wrong) {
    Placement p = random_placement(a, b, rng);
    double size = fmax(a->size, b->size), worst = 0;
    double reach = fmin(1e-4 * size, 0.9 * shallow_depth(a, b));
    RbPairMemory memory = {0};
    for (int k = -20; k <= 20; k++) {
        double d = reach * k / 20.0;
        Pose X = p.X_AB;
        X.r = v3_axpy(X.r, d, p.normal);
        RbGap gap;
        rb_distance(a, b, X, &memory, &gap);
        worst = fmax(worst, fabs(gap.distance - d) / size);
        if (fabs(d) > 1e-12 * size && !(gap.distance * d > 0)) ++*wrong;
        if (!(gap.status == RB_GAP_EXACT)) ++*wrong;
    }
    return worst;
}

static void touching(void **state) {
    (void)state;
    RbRng rng = rb_rng(11);
    test_hulls(hulls, &rng);
    int paths = test_count("RB_PATHS", 500);
    for (TestShape sa = 0; sa < TEST_SHAPE_COUNT; sa++) {
        for (TestShape sb = sa; sb < TEST_SHAPE_COUNT; sb++) {
            double worst = 0;
            int wrong = 0;
            for (int k = 0; k < paths; k++) {
                RbCore a = random_core(sa, &rng, 1.0, 20, hulls),
                       b = random_core(sb, &rng, exp(-2 * rb_rng_unit(&rng)), 20, hulls);
                worst = fmax(worst, sweep(&a, &b, &rng, &wrong));
            }
            print_message("%9s %-9s  largest error %.1e size, wrong signs or no certificate %d\n",
                          test_shape_names[sa], test_shape_names[sb], worst, wrong);
            ENSURE(worst < 1e-12);
            ENSURE(wrong == 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(touching)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
