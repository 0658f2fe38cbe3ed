// SPDX-License-Identifier: MIT
// label: normal
// Deep penetration: the shortest way out is constructed, and a dense sweep over directions makes
// sure that no other is shorter. The support mappings of the sweep are the oracle's.
#include "oracle.h"
#include "place.h"

static TestHull hulls[3];

// Separation of the whole shapes along n: at most the signed distance, for every n.
static double separation(const RbCore *a, const RbCore *b, Pose X, Vec3 n) {
    Vec3 pa = pose_point(a->frame, q3_double(oracle_core(a, q3(m3_tmul_vec(a->frame.R, n)), 0)));
    Vec3 m = m3_tmul_vec(X.R, v3_neg(n));
    Vec3 pb = pose_point(b->frame, q3_double(oracle_core(b, q3(m3_tmul_vec(b->frame.R, m)), 0)));
    return v3_dot(n, v3_sub(pose_point(X, pb), pa)) - a->radius - b->radius;
}

// Spiral over the sphere.
static Vec3 direction(int k, int count) {
    double z = 1 - (2 * k + 1.0) / count, s = sqrt(1 - z * z), phi = 2.399963229728653 * k;
    return v3(s * cos(phi), s * sin(phi), z);
}

static bool is_shortest(const RbCore *a, const RbCore *b, Pose X, double d) {
    for (int k = 0; k < 1500; k++) {
        if (separation(a, b, X, direction(k, 1500)) > d) return false;
    }
    return true;
}

static void deep_pair(TestShape sa, TestShape sb, int wanted, RbRng *rng) {
    double worst = 0;
    int found = 0, tried = 0, uncertain = 0;
    while (found < wanted && tried++ < 60 * wanted) {
        RbCore a = random_core(sa, rng, 1.0, 4, hulls), b = random_core(sb, rng, 1.0, 4, hulls);
        Placement p = random_placement(&a, &b, rng);
        double size = fmax(a.size, b.size), d = -0.05 * size;
        Pose X = p.X_AB;
        X.r = v3_axpy(X.r, d, p.normal);
        RbGap gap;
        rb_distance(&a, &b, X, NULL, &gap);
        ENSURE(isfinite(gap.distance));
        ENSURE(gap.distance > d - 1e-9 * size); // d itself is a lower bound
        if (!is_shortest(&a, &b, X, d)) continue;
        found++;
        if (gap.distance >
            d + 1e-9 * size) { // a shorter way that the sweep missed? it must be real
            ENSURE_NEAR(separation(&a, &b, X, gap.normal), gap.distance, 1e-12 * size);
            uncertain++;
            continue;
        }
        worst = fmax(worst, fabs(gap.distance - d) / size);
        ENSURE_NEAR(
            v3_norm(v3_sub(v3_sub(gap.point_b, gap.point_a), v3_scale(gap.distance, gap.normal))),
            0, 1e-9 * size);
    }
    print_message(
        "%9s %-9s  %3d poses of %4d  largest error %.1e size, better than constructed %d\n",
        test_shape_names[sa], test_shape_names[sb], found, tried, worst, uncertain);
    ENSURE(worst < 1e-9);
}

static void deep(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    test_hulls(hulls, &rng);
    for (TestShape sa = 0; sa < TEST_SHAPE_COUNT; sa++) {
        for (TestShape sb = sa; sb < TEST_SHAPE_COUNT; sb++)
            deep_pair(sa, sb, test_count("RB_POSES", REPEATS(20, 5)), &rng);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(deep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
