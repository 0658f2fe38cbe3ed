// SPDX-License-Identifier: MIT
// label: normal
// Random queries with tiny, huge, thin, far, concentric and degenerate shapes: always an answer,
// always finite, never above its own lower bound, and of the right sign. The long version is
// test_stress_full; RB_QUERIES sets the number, RB_SEED the first seed.
#ifndef QUERIES
#define QUERIES REPEATS(100000, 20000)
#endif

#include "oracle.h"
#include "place.h"

static TestHull hulls[3];

static bool is_unit(Vec3 n) {
    return fabs(v3_norm(n) - 1) < 1e-12;
}

// Separation of the whole shapes along n, in double: a lower bound that needs nothing of the
// product.
static double separation(const RbCore *a, const RbCore *b, Pose X, Vec3 n) {
    Vec3 pa = pose_point(a->frame, q3_double(oracle_core(a, q3(m3_tmul_vec(a->frame.R, n)), 0)));
    Vec3 m = m3_tmul_vec(X.R, v3_neg(n));
    Vec3 pb = pose_point(b->frame, q3_double(oracle_core(b, q3(m3_tmul_vec(b->frame.R, m)), 0)));
    return v3_dot(n, v3_sub(pose_point(X, pb), pa)) - a->radius - b->radius;
}

static RbCore any_core(RbRng *rng) {
    TestShape shape = (TestShape)rb_rng_int(rng, TEST_SHAPE_COUNT);
    double size = exp(rb_rng_range(rng, log(1e-3), log(1e3)));
    double aspect = rb_rng_int(rng, 3) ? 20 : 1000;
    return random_core(shape, rng, shape == HULL ? 1 : size, aspect, hulls);
}

static Pose any_pose(const RbCore *a, const RbCore *b, RbRng *rng) {
    double size = fmax(a->size, b->size), reach = a->size + b->size;
    Pose X =
        pose(v3_scale(reach * rb_rng_unit(rng), rb_rng_direction(rng)), rb_rng_orientation(rng));
    switch (rb_rng_int(rng, 8)) {
        case 0: X.r = v3_sub(a->frame.r, m3_mul_vec(X.R, b->frame.r)); break; // concentric
        case 1: X.r = v3_scale(1e4 * size * rb_rng_unit(rng), rb_rng_direction(rng)); break;
        case 2: X = pose_relative(pose_inverse(a->frame), pose_inverse(b->frame)); break;
        case 3: {
            Placement p = random_placement(a, b, rng);
            X = p.X_AB;
            X.r = v3_axpy(X.r, size * 1e-3 * (rb_rng_unit(rng) - 0.5), p.normal);
            break;
        }
        default: break;
    }
    return X;
}

static void random_queries(void **state) {
    (void)state;
    RbRng rng = rb_rng((uint64_t)test_count("RB_SEED", 23));
    test_hulls(hulls, &rng);
    int queries = test_count("RB_QUERIES", QUERIES), bounded = 0, wrong = 0;
    double worst_bound = 0, slack = 0;
    for (int k = 0; k < queries; k++) {
        RbCore a = any_core(&rng), b = any_core(&rng);
        Pose X = any_pose(&a, &b, &rng);
        double scale = fmax(a.size, b.size) + v3_norm(X.r);
        RbGap gap;
        rb_distance(&a, &b, X, NULL, &gap);
        ENSURE(isfinite(gap.distance) && is_unit(gap.normal));
        ENSURE(v3_finite(gap.point_a) && v3_finite(gap.point_b) && gap.error >= 0);
        slack = fmax(slack, fabs(separation(&a, &b, X, gap.normal) - gap.distance) / scale);
        if (gap.status == RB_GAP_BOUNDED)
            bounded++, worst_bound = fmax(worst_bound, gap.error / scale);
        if (k % 50) continue;
        OracleResult want = oracle_distance(&a, &b, X, gap.normal, 1e-14 * scale);
        if (!want.overlap && fabs(want.distance) > 1e-12 * scale &&
            !(want.distance * gap.distance > 0))
            wrong++;
        if (want.overlap && gap.distance > 1e-12 * scale) wrong++;
        if (!want.overlap) ENSURE_NEAR(gap.distance, want.distance, 1e-12 * scale);
    }
    print_message("%d queries, %d with bounds only (largest %.1e scale), wrong sign %d, distance - "
                  "separation %.1e scale\n",
                  queries, bounded, worst_bound, wrong, slack);
    ENSURE(wrong == 0);
    ENSURE(slack < 1e-13);
}

// A memory of something else, or of nonsense, costs time and nothing else.
static void wrong_memory(void **state) {
    (void)state;
    RbRng rng = rb_rng(29);
    test_hulls(hulls, &rng);
    for (int k = 0; k < 20000; k++) {
        RbCore a = any_core(&rng), b = any_core(&rng);
        Pose X = any_pose(&a, &b, &rng);
        double scale = fmax(a.size, b.size) + v3_norm(X.r);
        RbPairMemory memory = {.valid = 1, .vertex_count = rb_rng_int(&rng, 6)};
        memory.normal = rb_rng_direction(&rng);
        memory.point_b = v3_scale(scale, rb_rng_direction(&rng));
        if (k % 10 == 0) memory.normal = memory.point_b = v3(NAN, NAN, NAN);
        for (int i = 0; i < 4; i++) {
            memory.vertices[i][0] = rb_rng_int(&rng, 100) - 10;
            memory.vertices[i][1] = rb_rng_int(&rng, 100) - 10;
        }
        RbGap cold, warm;
        rb_distance(&a, &b, X, NULL, &cold);
        rb_distance(&a, &b, X, &memory, &warm);
        if (cold.status != RB_GAP_EXACT) continue;
        ENSURE(warm.status == RB_GAP_EXACT);
        ENSURE_NEAR(warm.distance, cold.distance, 1e-13 * scale);
    }
}

// Shapes without extent, equal shapes in the same place, and input that is no shape.
static void degenerate(void **state) {
    (void)state;
    RbGap gap;
    RbCore point = {.kind = RB_CORE_POINT, .frame = POSE_IDENTITY};
    rb_distance(&point, &point, POSE_IDENTITY, NULL, &gap);
    ENSURE_NEAR(gap.distance, 0, 0);
    ENSURE(is_unit(gap.normal));

    RbCore flat = {.kind = RB_CORE_BOX, .h = {1, 1, 0}, .size = 2, .frame = POSE_IDENTITY};
    rb_distance(&flat, &flat, POSE_IDENTITY, NULL, &gap); // two plates in one plane
    ENSURE_NEAR(gap.distance, 0, 1e-15);
    ENSURE_NEAR(fabs(gap.normal.z), 1, 1e-15);
    rb_distance(&flat, &flat, pose(v3(0.3, 0.2, 0.5), Q_IDENTITY), NULL, &gap);
    ENSURE_NEAR(gap.distance, 0.5, 1e-15);
    rb_distance(&flat, &flat, pose(v3(3, 0, 0), Q_IDENTITY), NULL, &gap);
    ENSURE_NEAR(gap.distance, 1, 1e-15);

    RbCore cube = {.kind = RB_CORE_BOX, .h = {1, 1, 1}, .size = 2, .frame = POSE_IDENTITY};
    rb_distance(&cube, &cube, POSE_IDENTITY, NULL, &gap);
    ENSURE_NEAR(gap.distance, -2, 1e-14);

    RbCore needle = {.kind = RB_CORE_SEGMENT,
                     .h = {0, 0, 1},
                     .radius = 0.1,
                     .size = 2.2,
                     .frame = POSE_IDENTITY};
    rb_distance(&needle, &needle, POSE_IDENTITY, NULL, &gap);
    ENSURE_NEAR(gap.distance, -0.2, 1e-15);
    ENSURE_NEAR(gap.normal.z, 0, 1e-15);

    RbCore ball = {.kind = RB_CORE_ELLIPSOID, .h = {1, 1, 1}, .size = 2, .frame = POSE_IDENTITY};
    rb_distance(&ball, &ball, pose(v3(0, 0, 1.5), Q_IDENTITY), NULL, &gap);
    ENSURE_NEAR(gap.distance, -0.5, 1e-15);
    rb_distance(&ball, &ball, POSE_IDENTITY, NULL, &gap);
    ENSURE_NEAR(gap.distance, -2, 1e-14);

    Pose nowhere = pose(v3(NAN, 0, 0), Q_IDENTITY);
    rb_distance(&cube, &ball, nowhere, NULL, &gap);
    ENSURE(gap.status == RB_GAP_INVALID && isnan(gap.distance));
    RbCore infinite = cube;
    infinite.h.x = INFINITY;
    rb_distance(&infinite, &ball, POSE_IDENTITY, NULL, &gap);
    ENSURE(gap.status == RB_GAP_INVALID);
    Pose skewed = POSE_IDENTITY;
    skewed.R.x.y = NAN;
    rb_distance(&cube, &ball, skewed, NULL, &gap);
    ENSURE(gap.status == RB_GAP_INVALID);
}

static void half_space(void **state) {
    (void)state;
    RbGap gap;
    RbCore floor = {.kind = RB_CORE_HALFSPACE, .size = INFINITY, .frame = POSE_IDENTITY};
    RbCore cone = {.kind = RB_CORE_FRUSTUM,
                   .h = {1, 0, 0.5},
                   .radius = 0.25,
                   .size = 2.5,
                   .frame = POSE_IDENTITY};
    Pose upside_down = pose(v3(3, 4, 2), q_rotation(v3(1, 0, 0), 3.141592653589793));
    rb_distance(&floor, &cone, upside_down, NULL, &gap); // the apex hangs at z = 1.5
    ENSURE_NEAR(gap.distance, 1.25, 1e-15);
    ENSURE_NEAR(v3_distance(gap.point_b, v3(3, 4, 1.25)), 0, 1e-15);
    ENSURE_NEAR(v3_distance(gap.point_a, v3(3, 4, 0)), 0, 1e-15);
    rb_distance(&cone, &floor, pose_inverse(upside_down), NULL, &gap);
    ENSURE_NEAR(gap.distance, 1.25, 1e-15);
    RbCore egg = {.kind = RB_CORE_ELLIPSOID, .h = {3, 2, 1}, .size = 6, .frame = POSE_IDENTITY};
    rb_distance(&floor, &egg, pose(v3(0, 0, 0.5), Q_IDENTITY), NULL, &gap);
    ENSURE_NEAR(gap.distance, -0.5, 1e-15);
    rb_distance(&floor, &floor, POSE_IDENTITY, NULL, &gap);
    ENSURE(gap.status == RB_GAP_INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(degenerate), cmocka_unit_test(half_space),
                                       cmocka_unit_test(random_queries),
                                       cmocka_unit_test(wrong_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
