// SPDX-License-Identifier: MIT
// Hulls with rounded edges: faces stay, nothing gets larger, and the core is all that is at least a radius behind every face.
#include "testing.h"

#include "geom/moments.h"
#include "geom/shape.h"
#include "geom/support.h"
#include "math/rng.h"

static RbShape hull_of(Fixture *f, const Vec3 *points, int count, double smoothing) {
    RbShape shape;
    ENSURE(rb_shape_hull(points, count, 0, "hull", RB_NOWHERE, &f->arena, f->scratch, &f->diag,
                         &shape) == RB_OK);
    shape.smoothing = smoothing;
    ENSURE(rb_shape_round(&shape, &f->arena, f->scratch) == RB_OK);
    return shape;
}

static double support_value(const RbCore *core, Vec3 d) {
    return v3_dot(d, rb_support(core, d));
}

static void a_hull_of_eight_corners_is_a_smoothed_box(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(1);
    Vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = v3(i & 1 ? 0.05 : -0.05, i & 2 ? 0.07 : -0.07, i & 4 ? 0.04 : -0.04);
    RbShape box = rb_shape_box(v3(0.1, 0.14, 0.08));
    const double wanted[] = {0.001, 0.02}; // the second one is more than a tenth of 0.08 m
    for (int i = 0; i < 2; i++) {
        RbShape hull = hull_of(&f, corners, 8, wanted[i]);
        box.smoothing = wanted[i];
        RbCore a = rb_shape_core(&hull), b = rb_shape_core(&box);
        ENSURE_NEAR(a.radius, rb_shape_smoothing(&box), 1e-17);
        ENSURE(a.polytope->vertex_count == 8 && a.polytope->face_count == 6);
        for (int k = 0; k < 1000; k++) {
            Vec3 d = rb_rng_direction(&rng);
            ENSURE_NEAR(support_value(&a, d), support_value(&b, d), 1e-16);
        }
        ENSURE_NEAR(rb_moments_of_shape(&hull).volume, 0.1 * 0.14 * 0.08, 1e-18); // sharp
    }
    fixture_close(&f);
}

// The farthest point of what is `radius` behind all faces, by looking at every point where three of their planes meet.
static double farthest_inside(const RbPolytope *t, double radius, Vec3 d, double tol) {
    double most = -INFINITY;
    int n = t->face_count;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            for (int l = 0; l < k; l++) {
                Mat3 m = {t->face_normals[i], t->face_normals[k], t->face_normals[l]};
                if (fabs(m3_det(m)) < 1e-9) continue;
                Vec3 x = m3_mul_vec(m3_inverse(m),
                                    v3(t->face_offsets[i] - radius, t->face_offsets[k] - radius,
                                       t->face_offsets[l] - radius));
                bool inside = true;
                for (int j = 0; j < n && inside; j++)
                    inside = v3_dot(t->face_normals[j], x) <= t->face_offsets[j] - radius + tol;
                if (inside) most = fmax(most, v3_dot(d, x));
            }
    return most;
}

static void check_faces(const RbShape *hull, RbRng *rng) {
    const RbCore *sharp = &hull->parts[0], *round = &hull->rounded[0];
    double tol = 1e-13 * sharp->size;
    const RbPolytope *t = sharp->polytope, *c = round->polytope;
    for (int k = 0; k < t->face_count; k++) {
        double behind =
            support_value(sharp, t->face_normals[k]) - support_value(round, t->face_normals[k]);
        ENSURE(behind > -tol);
    }
    for (int k = 0; k < c->face_count; k++) { // what is left of a face lies where it was
        ENSURE_NEAR(support_value(round, c->face_normals[k]),
                    support_value(sharp, c->face_normals[k]), tol);
        for (int i = c->face_start[k]; i < c->face_start[k + 1]; i++)
            ENSURE_NEAR(v3_dot(c->face_normals[k], c->vertices[c->face_vertices[i]]),
                        c->face_offsets[k], tol);
    }
    for (int k = 0; k < 100; k++) {
        Vec3 d = rb_rng_direction(rng);
        ENSURE(support_value(round, d) <= support_value(sharp, d) + tol);
    }
}

static void cores_are_all_that_is_behind_the_faces(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(2);
    for (int i = 0; i < 300; i++) {
        Vec3 points[9];
        int count = 4 + rb_rng_int(&rng, 6);
        for (int k = 0; k < count; k++) points[k] = v3_scale(0.1, rb_rng_direction(&rng));
        RbShape hull = hull_of(&f, points, count, 1e-3);
        const RbCore *round = &hull.rounded[0];
        ENSURE(round->radius > 0 && round->radius <= 1e-3);
        check_faces(&hull, &rng);
        for (int k = 0; k < 5; k++) {
            Vec3 d = rb_rng_direction(&rng);
            double want = farthest_inside(hull.parts[0].polytope, round->radius, d, 1e-14);
            ENSURE_NEAR(v3_dot(d, rb_core_support(round, d, NULL)), want, 1e-12);
        }
    }
    fixture_close(&f);
}

// Plates and needles of any thinness, many points, points in single precision.
static void hulls_of_all_forms_are_rounded(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    enum { MOST = 400 };
    Vec3 points[MOST];
    for (int i = 0; i < 300; i++) {
        int count = i % 10 == 0 ? MOST : 4 + rb_rng_int(&rng, 60);
        Vec3 lengths = v3(0.1 * pow(10, rb_rng_range(&rng, -7, 0)),
                          0.1 * pow(10, rb_rng_range(&rng, -3, 0)), 0.1);
        for (int k = 0; k < count; k++) {
            points[k] = v3_mul(lengths, rb_rng_direction(&rng));
            if (i % 3 == 0)
                points[k] =
                    v3(in_single(points[k].x), in_single(points[k].y), in_single(points[k].z));
        }
        RbShape hull = hull_of(&f, points, count, 1e-3);
        ENSURE(hull.rounded[0].radius > 0);
        check_faces(&hull, &rng);
        rb_arena_reset(&f.arena);
    }
    fixture_close(&f);
}

// More than three faces at a corner: that of a regular pyramid stays one, whatever its sides; a prism keeps its corners.
static void corners_of_regular_bodies_stay_one(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    enum { MOST = 32 };
    for (int n = 3; n <= MOST; n++) {
        Vec3 pyramid[MOST + 1], prism[2 * MOST];
        for (int k = 0; k < n; k++) {
            double angle = 2 * 3.14159265358979323846 * k / n;
            pyramid[k] = prism[k] = v3(0.05 * cos(angle), 0.05 * sin(angle), 0);
            prism[n + k] = v3_add(prism[k], v3(0, 0, 0.03));
        }
        pyramid[n] = v3(0, 0, 0.08);
        RbShape a = hull_of(&f, pyramid, n + 1, 1e-3), b = hull_of(&f, prism, 2 * n, 1e-3);
        ENSURE(a.rounded[0].polytope->vertex_count == n + 1);
        ENSURE(b.rounded[0].polytope->vertex_count == 2 * n);
    }
    fixture_close(&f);
}

static void without_smoothing_hulls_are_hardly_round_with_a_radius_they_stay(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const Vec3 corners[4] = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}};
    RbShape sharp = hull_of(&f, corners, 4, 0), round;
    // without smoothing a ten-thousandth of its thickness, twice the depth of its centroid
    const RbPolytope *t = sharp.parts[0].polytope;
    double depth = t->face_offsets[0];
    for (int k = 1; k < t->face_count; k++) depth = fmin(depth, t->face_offsets[k]);
    ENSURE_NEAR(rb_shape_core(&sharp).radius, 2e-4 * depth, 1e-15);
    ENSURE(rb_shape_hull(corners, 4, 0.002, "hull", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                         &round) == RB_OK);
    ENSURE(rb_shape_round(&round, &f.arena, f.scratch) == RB_OK);
    ENSURE(!round.rounded && rb_shape_core(&round).radius == 0.002);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hull_of_eight_corners_is_a_smoothed_box),
        cmocka_unit_test(cores_are_all_that_is_behind_the_faces),
        cmocka_unit_test(hulls_of_all_forms_are_rounded),
        cmocka_unit_test(corners_of_regular_bodies_stay_one),
        cmocka_unit_test(without_smoothing_hulls_are_hardly_round_with_a_radius_they_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
