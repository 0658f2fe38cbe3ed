// SPDX-License-Identifier: MIT
// The improved MPR of the thesis: exact where the ray to the origin points along the normal, right
// in sign everywhere, and never on the wrong side of the certified distance.
#include "collide/mpr.h"
#include "place.h"

static TestHull hulls[3];

static RbCore ball(double radius) {
    return (RbCore){
        .kind = RB_CORE_POINT, .radius = radius, .size = 2 * radius, .frame = POSE_IDENTITY};
}

// Two spheres end with termination condition 1.
static void spheres(void **state) {
    (void)state;
    RbCore a = ball(1), b = ball(0.5);
    RbMprReport report;
    RbGap gap;
    for (int k = 1; k < 30; k++) {
        double r = 0.1 * k;
        rb_mpr(&a, &b, pose(v3(0, r, 0), Q_IDENTITY), rb_mpr_options(), &gap, &report);
        ENSURE(report.end == RB_MPR_TC1);
        ENSURE_NEAR(gap.distance, r - 1.5, 1e-15);
        ENSURE_NEAR(gap.normal.y, 1, 1e-15);
        ENSURE_NEAR(v3_distance(gap.point_a, v3(0, 1, 0)), 0, 1e-15);
    }
    rb_mpr(&a, &b, POSE_IDENTITY, rb_mpr_options(), &gap, &report);
    ENSURE(report.end == RB_MPR_CENTRES && gap.status == RB_GAP_INVALID);
}

// A sphere over the middle part of a box face: the nearest point of the portal is the exact one.
static void sphere_on_box(void **state) {
    (void)state;
    RbCore box = {.kind = RB_CORE_BOX,
                  .h = {0.5, 0.5, 0.05},
                  .radius = 0.001,
                  .size = 1,
                  .frame = POSE_IDENTITY};
    RbCore b = ball(0.1);
    RbGap gap;
    RbMprReport report;
    for (int k = 0; k < 10; k++) {
        Vec3 r = v3(0.03 * k, -0.02 * k, 0.051 + 0.1 - 1e-5);
        rb_distance_by(RB_DISTANCE_MPR, &box, &b, pose(r, Q_IDENTITY), NULL, &gap);
        rb_mpr(&box, &b, pose(r, Q_IDENTITY), rb_mpr_options(), &gap, &report);
        ENSURE_NEAR(gap.distance, -1e-5, 1e-9);
        ENSURE_NEAR(gap.normal.z, 1, 1e-6);
        ENSURE(report.rounds_2 <= 10 && report.rounds_3 <= 120);
    }
}

// The sign is right beyond the tolerance; the depth, measured along the ray, is not below the
// minimum.
static void all_pairs(void **state) {
    (void)state;
    RbRng rng = rb_rng(31);
    test_hulls(hulls, &rng);
    int ends[RB_MPR_NO_PORTAL + 1] = {0}, worst_2 = 0, worst_3 = 0;
    double excess = 0;
    for (int k = 0; k < 300; k++) {
        RbCore a = random_core((TestShape)rb_rng_int(&rng, TEST_SHAPE_COUNT), &rng, 1.0, 4, hulls);
        RbCore b = random_core((TestShape)rb_rng_int(&rng, TEST_SHAPE_COUNT), &rng, 1.0, 4, hulls);
        double depth = shallow_depth(&a, &b), size = fmax(a.size, b.size);
        Pose X = pose_at_distance(&a, &b, k % 2 ? -0.5 * depth : 0.5 * depth, &rng);
        RbGap exact, gap;
        RbMprReport report;
        rb_distance(&a, &b, X, NULL, &exact);
        rb_mpr(&a, &b, X, rb_mpr_options(), &gap, &report);
        ends[report.end]++;
        ENSURE(report.end >= RB_MPR_TC1 && report.end <= RB_MPR_BEST);
        ENSURE((gap.distance > 0) == (exact.distance > 0));
        ENSURE(gap.distance <= exact.distance + 1e-9 * size || exact.distance > 0);
        ENSURE(gap.distance >= exact.distance - 1e-9 * size || exact.distance < 0);
        excess = fmax(excess, fabs(gap.distance - exact.distance) / fabs(exact.distance));
        worst_2 = worst_2 > report.rounds_2 ? worst_2 : report.rounds_2;
        worst_3 = worst_3 > report.rounds_3 ? worst_3 : report.rounds_3;
    }
    print_message("TC1 %d, TC2 %d, TC3 %d, best so far %d; rounds of phase 2 at most %d, of phase "
                  "3 %d; farthest from the minimum %.0f %%\n",
                  ends[RB_MPR_TC1], ends[RB_MPR_TC2], ends[RB_MPR_TC3], ends[RB_MPR_BEST], worst_2,
                  worst_3, 100 * excess);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(spheres), cmocka_unit_test(sphere_on_box),
                                       cmocka_unit_test(all_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
