// SPDX-License-Identifier: MIT
// Support mappings, smoothing and boxes: against fine tessellations, against each other, and the
// smoothed shape against the original one.
#include "testing.h"

#include "geom/aabb.h"
#include "geom/hull.h"
#include "geom/support.h"
#include "geom/tessellate.h"
#include "math/rng.h"
#include "shapes_for_tests.h"

static RbCore unsmoothed(RbShape shape) {
    shape.smoothing = 0;
    return rb_shape_core(&shape);
}

static double support_value(const RbCore *core, Vec3 d) {
    return v3_dot(d, rb_support(core, d));
}

// The farthest vertex of a tessellation with n segments is at most size (pi/n)²/2 nearer than the
// farthest point.
static void support_is_the_farthest_point(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape shapes[TEST_SHAPE_COUNT];
    test_shapes(shapes);
    RbRng rng = rb_rng(1);
    int n = 96;
    for (int i = 0; i < TEST_SHAPE_COUNT; i++) {
        RbCore core = unsmoothed(shapes[i]);
        RbMesh mesh = rb_tessellate(&shapes[i], n, &f.arena);
        for (int k = 0; k < 100; k++) {
            Vec3 d = k < 3 ? v3_axis(k) : k < 6 ? v3_neg(v3_axis(k - 3)) : rb_rng_direction(&rng);
            double most = -INFINITY, value = support_value(&core, d);
            for (int v = 0; v < mesh.vertex_count; v++)
                most = fmax(most, v3_dot(d, mesh.vertices[v]));
            ENSURE(most <= value + 2e-15);
            ENSURE(most >= value - core.size * 9.87 / (n * n) - 1e-15); // two angles
        }
    }
    fixture_close(&f);
}

static void support_does_not_depend_on_the_length_of_the_direction(void **state) {
    (void)state;
    RbShape shapes[TEST_SHAPE_COUNT];
    test_shapes(shapes);
    RbRng rng = rb_rng(2);
    const double factors[] = {1e-300, 1e-160, 1e-3, 7, 1e200};
    for (int i = 0; i < TEST_SHAPE_COUNT; i++) {
        RbCore core = rb_shape_core(&shapes[i]);
        for (int k = 0; k < 100; k++) {
            Vec3 d = rb_rng_direction(&rng), p = rb_support(&core, d);
            for (int j = 0; j < 5; j++) {
                ENSURE_NEAR(v3_distance(rb_support(&core, v3_scale(factors[j], d)), p), 0, 1e-14);
            }
        }
    }
}

// A convex set lies in another one if it reaches no farther in any direction.
static void smoothed_shape_is_inside_the_original(void **state) {
    (void)state;
    RbShape shapes[TEST_SHAPE_COUNT];
    test_shapes(shapes);
    RbRng rng = rb_rng(3);
    for (int i = 0; i < TEST_SHAPE_COUNT; i++) {
        RbCore sharp = unsmoothed(shapes[i]);
        for (double smoothing = 1e-4; smoothing < 1; smoothing *= 10) {
            shapes[i].smoothing = smoothing;
            RbCore smooth = rb_shape_core(&shapes[i]);
            double rho = rb_shape_smoothing(&shapes[i]);
            for (int k = 0; k < 300; k++) {
                Vec3 d = rb_rng_direction(&rng);
                double lost = support_value(&sharp, d) - support_value(&smooth, d);
                ENSURE(lost >= -4e-16);
                ENSURE(rho > 0 || lost <= 4e-16);
            }
        }
    }
}

static void ensure_touches(const RbShape *shape, Vec3 normal) {
    RbCore sharp = unsmoothed(*shape), smooth = rb_shape_core(shape);
    ENSURE_NEAR(support_value(&smooth, normal), support_value(&sharp, normal), 4e-16);
}

// Flat faces and lateral surfaces keep their place: only edges are rounded.
static void smoothed_shape_touches_the_faces(void **state) {
    (void)state;
    RbShape shapes[TEST_SHAPE_COUNT];
    test_shapes(shapes);
    for (int i = 0; i < TEST_SHAPE_COUNT; i++) {
        RbShape *s = &shapes[i];
        s->smoothing = 0.013;
        bool pointed = s->kind == RB_SHAPE_CONE && s->top_diameter < 0.02;
        for (int k = 0; k < 3; k++) {
            if (s->kind != RB_SHAPE_CONE || k == s->axis - 1) ensure_touches(s, v3_neg(v3_axis(k)));
            if (s->kind != RB_SHAPE_CONE || (k == s->axis - 1 && !pointed))
                ensure_touches(s, v3_axis(k));
        }
        for (int k = 0; s->kind == RB_SHAPE_CONE && k < 8; k++) { // normals of the lateral surface
            double half = 0.5 * (s->diameter - s->top_diameter), slant = hypot(half, s->length);
            Vec3 n_C = v3(cos(k) * s->length / slant, sin(k) * s->length / slant, half / slant);
            ensure_touches(s, m3_mul_vec(rb_shape_axes(s), n_C));
        }
    }
}

// The apex of a smoothed cone is where the lines at distance rho from its generators meet.
static void cone_apex_is_rounded(void **state) {
    (void)state;
    RbShape cone = rb_shape_cone(3, 6, 4, 0); // 3-4-5 triangle
    cone.smoothing = 0.1;
    RbCore core = rb_shape_core(&cone);
    ENSURE_NEAR(support_value(&core, v3(0, 0, 1)), 4 - 0.1 * 5 / 3.0 + 0.1, 1e-15);
    ENSURE_NEAR(core.h.y, 0, 0);
    ENSURE_NEAR(core.h.x, 3 - 0.1 * (5.0 / 4 + 3.0 / 4), 1e-15);
    ENSURE_NEAR(core.frame.r.z - core.h.z, 0.1, 1e-15);
}

static RbCore random_hull(Fixture *f, RbRng *rng, int count, double radius) {
    Vec3 *points = rb_new_array(&f->arena, Vec3, count);
    for (int i = 0; i < count; i++) points[i] = v3_add(rb_rng_direction(rng), v3(0.2, 0.7, -3));
    RbShape hull;
    ENSURE(rb_shape_hull(points, count, radius, NULL, RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                         &hull) == RB_OK);
    return rb_shape_core(&hull);
}

static void climbing_finds_what_scanning_finds(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(4);
    for (int count = 4; count < 2000; count *= 3) {
        RbCore core = random_hull(&f, &rng, count, 0.1);
        const RbPolytope *p = core.polytope;
        for (int k = 0; k < 300; k++) {
            Vec3 d = rb_rng_direction(&rng);
            int hint = rb_rng_int(&rng, p->vertex_count);
            Vec3 want = p->vertices[rb_polytope_scan(p, d)];
            ENSURE_NEAR(v3_dot(d, p->vertices[rb_polytope_climb(p, d, hint)]), v3_dot(d, want),
                        1e-15);
            Vec3 got = rb_core_support(&core, d, &hint);
            ENSURE_NEAR(v3_dot(d, got), v3_dot(d, want), 1e-15);
            ENSURE(v3_distance(p->vertices[hint], got) == 0);
        }
    }
    fixture_close(&f);
}

static void ensure_box_is_tight(const RbCore *core, Pose X) {
    RbAabb box = rb_aabb_of_core(core, X);
    for (int k = 0; k < 3; k++) {
        Vec3 e = v3_axis(k), d = m3_tmul_vec(X.R, e);
        double high = v3_get(pose_point(X, rb_support(core, d)), k);
        double low = v3_get(pose_point(X, rb_support(core, v3_neg(d))), k);
        ENSURE_NEAR(v3_get(box.high, k), high, 4e-15 * core->size);
        ENSURE_NEAR(v3_get(box.low, k), low, 4e-15 * core->size);
    }
}

static void boxes_are_tight(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape shapes[TEST_SHAPE_COUNT];
    test_shapes(shapes);
    RbRng rng = rb_rng(5);
    for (int k = 0; k < 100; k++) {
        Pose X = pose(rb_rng_direction(&rng), rb_rng_orientation(&rng));
        if (k == 0) X = POSE_IDENTITY;
        for (int i = 0; i < TEST_SHAPE_COUNT; i++) {
            RbCore core = rb_shape_core(&shapes[i]);
            ensure_box_is_tight(&core, X);
        }
        RbCore hull = random_hull(&f, &rng, 10 + k, 0.05);
        ensure_box_is_tight(&hull, X);
    }
    fixture_close(&f);
}

static void box_of_a_half_space(void **state) {
    (void)state;
    RbShape ground = rb_shape_halfspace();
    RbCore core = rb_shape_core(&ground);
    RbAabb box = rb_aabb_of_core(&core, (Pose){v3(1, 2, 3), M3_IDENTITY});
    ENSURE_NEAR(box.high.z, 3, 0);
    ENSURE(isinf(box.low.z) && isinf(box.low.x) && isinf(box.high.y));
    box = rb_aabb_of_core(&core, pose(V3_ZERO, q_rotation(v3(1, 0, 0), 0.1)));
    ENSURE(isinf(box.high.z));
    ENSURE(!isnan(box.low.x) && !isnan(box.high.x));
}

static void distance_of_boxes(void **state) {
    (void)state;
    RbAabb a = {v3(0, 0, 0), v3(1, 1, 1)}, b = {v3(4, 5, 0.5), v3(5, 6, 2)};
    ENSURE_NEAR(rb_aabb_distance(a, b), 5, 0);
    ENSURE_NEAR(rb_aabb_distance(b, a), 5, 0);
    RbAabb c = {v3(1, 0, 0), v3(2, 1, 1)};
    ENSURE(rb_aabb_overlap(a, c) && !rb_aabb_overlap(a, b));
    ENSURE_NEAR(rb_aabb_distance(a, c), 0, 0);
    ENSURE(rb_aabb_contains(rb_aabb_union(a, b), b) && !rb_aabb_contains(a, b));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(support_is_the_farthest_point),
        cmocka_unit_test(support_does_not_depend_on_the_length_of_the_direction),
        cmocka_unit_test(smoothed_shape_is_inside_the_original),
        cmocka_unit_test(smoothed_shape_touches_the_faces),
        cmocka_unit_test(cone_apex_is_rounded),
        cmocka_unit_test(climbing_finds_what_scanning_finds),
        cmocka_unit_test(boxes_are_tight),
        cmocka_unit_test(box_of_a_half_space),
        cmocka_unit_test(distance_of_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
