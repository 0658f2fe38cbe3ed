// SPDX-License-Identifier: MIT
// What a ball or an ellipsoid has in common with a mesh: closed forms, the derivative of the volume, and finer
// and finer polygons in its place.
#include "skins.h"

#include "collide/round_overlap.h"
#include "geom/csg.h"
#include "geom/mesh_make.h"
#include "math/rng.h"

#define PI 3.141592653589793

static RbMesh centred_box(Fixture *f, Vec3 size) {
    RbMesh m = rb_mesh_box(size, &f->arena);
    return rb_mesh_map(&m, M3_IDENTITY, v3_scale(-0.5, size), &f->arena);
}

// The cap of a ball under the upper face of a box, wherever it lies on the two triangles of the face.
static void cap(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin box = skin_of(&f, centred_box(&f, v3(4, 4, 2)));
    RbMeshOverlap o;
    const double R = 0.3;
    RbRng rng = rb_rng(2);
    rb_round_overlap_open(&o, &box, v3(R, R, R), &f.arena);
    for (int i = 0; i < 2000; i++) {
        double deep = R * pow(10, rb_rng_range(&rng, -9, -0.05)), top = 1 + R - deep;
        Vec3 c = v3(rb_rng_range(&rng, -1.5, 1.5), rb_rng_range(&rng, -1.5, 1.5), top);
        deep = 1 + R - top;
        ENSURE(rb_mesh_overlap(&o, (Pose){c, M3_IDENTITY}));
        ENSURE(o.regions.count == 1);
        const RbOverlapRegion *r = &o.regions.data[0];
        double volume = PI * deep * deep * (3 * R - deep) / 3, area = PI * deep * (2 * R - deep);
        double low = 0.75 * (2 * R - deep) * (2 * R - deep) / (3 * R - deep);
        double noise = 1e-15 * R / deep; // rounding of the place over the depth
        ENSURE_NEAR(r->volume / volume, 1, 1e-13 + 8 * noise);
        ENSURE_NEAR(o.area / area, 1, 1e-13 + 8 * noise);
        ENSURE_NEAR(r->area[0] / area, 1, 1e-13 + 8 * noise);
        double under = 0;
        for (int k = 0; k < o.points.count; k++) under += o.points.data[k].volume;
        ENSURE_NEAR(under / volume, 1, 1e-13 + 1e2 * noise);
        ENSURE(v3_distance(r->centroid, v3(c.x, c.y, c.z - low)) < 1e-13 + 8 * R * noise);
        ENSURE_NEAR(r->high - r->low, deep, 1e-12);
    }
    fixture_close(&f);
}

// Half of a ball in a wall, a quarter at an edge, an eighth at a corner; and nearly all of it.
static void parts_of_a_ball(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin box = skin_of(&f, rb_mesh_box(v3(4, 4, 4), &f.arena));
    RbMeshOverlap o;
    rb_round_overlap_open(&o, &box, v3(1, 1, 1), &f.arena);
    const double ball = 4 * PI / 3;
    const Vec3 places[] = {{2, 2, 4 - 1e-12}, {4, 2, 4 - 1e-12}, {4 + 1e-9, 4 - 2e-9, 4 + 3e-9}};
    const double parts[] = {0.5, 0.25, 0.125};
    for (int i = 0; i < 3; i++) {
        rb_mesh_overlap(&o, (Pose){places[i], M3_IDENTITY});
        ENSURE_NEAR(o.volume, parts[i] * ball, i < 2 ? 1e-11 : 2e-8);
    }
    // At an edge of the box the centroid of a quarter is 3/8 R away from both faces.
    rb_mesh_overlap(&o, (Pose){v3(4, 2, 4 - 1e-13), M3_IDENTITY});
    ENSURE(v3_distance(o.regions.data[0].centroid, v3(4 - 0.375, 2, 4 - 0.375)) < 1e-12);
    // Deep inside, with a piece cut off: the centre is inside.
    rb_mesh_overlap(&o, (Pose){v3(2, 2, 3.5), M3_IDENTITY});
    double cut = PI * 0.25 * (3 - 0.5) / 3;
    ENSURE_NEAR(o.volume, ball - cut, 1e-13);
    fixture_close(&f);
}

// dV = S_A · (displacement of A) = - S_A · dc, for solids with edges and corners, balls and ellipsoids; and the
// points give the area vector, and with it the torque.
static void derivative(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin solids[2] = {skin_of(&f, rb_mesh_torus(1, 0.4, 16, &f.arena)),
                        skin_of(&f, rb_mesh_box(v3(1, 2, 1), &f.arena))};
    RbRng rng = rb_rng(5);
    for (int i = 0, met = 0; met < 400; i++) {
        const double h = 1e-6;
        Vec3 semi = i % 2 ? v3(0.3, 0.3, 0.3) : v3(0.2, 0.35, 0.5);
        RbMeshOverlap o;
        rb_round_overlap_open(&o, &solids[i / 2 % 2], semi, &f.arena);
        Pose X = pose(v3_scale(rb_rng_range(&rng, 0, 1.6), rb_rng_direction(&rng)),
                      rb_rng_orientation(&rng));
        rb_mesh_overlap(&o, X);
        if (!(o.volume > 1e-5)) continue;
        met++;
        Vec3 area = V3_ZERO, torque = V3_ZERO, dx = rb_rng_direction(&rng);
        for (int r = 0; r < o.regions.count; r++) area = v3_add(area, o.regions.data[r].area_a);
        Vec3 sum = V3_ZERO;
        for (int k = 0; k < o.points.count; k++) {
            Vec3 part = v3_scale(o.points.data[k].area, o.points.data[k].n);
            sum = v3_add(sum, part);
            torque = v3_add(torque, v3_cross(v3_sub(o.points.data[k].x, X.r), part));
        }
        ENSURE(v3_distance(sum, area) < 1e-13);
        double plus, minus;
        rb_mesh_overlap(&o, (Pose){v3_axpy(X.r, h, dx), X.R});
        plus = o.volume;
        rb_mesh_overlap(&o, (Pose){v3_axpy(X.r, -h, dx), X.R});
        minus = o.volume;
        ENSURE_NEAR((plus - minus) / (2 * h), -v3_dot(area, dx), 1e-8);
        rb_mesh_overlap(&o, (Pose){X.r, m3_mul(m3_rotation(dx, h), X.R)});
        plus = o.volume;
        rb_mesh_overlap(&o, (Pose){X.r, m3_mul(m3_rotation(dx, -h), X.R)});
        minus = o.volume;
        ENSURE_NEAR((plus - minus) / (2 * h), -v3_dot(torque, dx), 1e-8);
    }
    fixture_close(&f);
}

// Polygons in place of the ellipsoid come closer with the square of their number.
static void polygons_approach(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSkin torus = skin_of(&f, rb_mesh_torus(1, 0.4, 24, &f.arena));
    Vec3 semi = v3(0.3, 0.4, 0.5);
    Pose X = pose(v3(1.1, 0.2, 0.55), q_from_cardan(v3(0.3, 0.5, 0.7)));
    RbMeshOverlap exact;
    rb_round_overlap_open(&exact, &torus, semi, &f.arena);
    rb_mesh_overlap(&exact, X);
    double before = 0;
    for (int n = 16; n <= 128; n *= 2) {
        RbMesh ball = rb_mesh_sphere(1, n, &f.arena);
        RbSkin skin = skin_of(&f, rb_mesh_map(&ball, m3_diagonal(semi), V3_ZERO, &f.arena));
        RbMeshOverlap o;
        rb_mesh_overlap_open(&o, &torus, &skin, &f.arena);
        ENSURE(rb_mesh_overlap(&o, X));
        double error = fabs(o.volume / exact.volume - 1);
        if (n > 16) ENSURE(error < 0.3 * before);
        if (n == 128) {
            ENSURE(error < 2e-3);
            ENSURE(v3_distance(o.regions.data[0].centroid, exact.regions.data[0].centroid) < 2e-4);
        }
        before = error;
    }
    fixture_close(&f);
}

// A ball in a slot touches both walls: two regions. On a plate thinner than its cap: one.
static void regions(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh block = rb_mesh_box(v3(2, 1, 1), &f.arena), slot = rb_mesh_box(v3(1, 2, 1), &f.arena),
           part;
    slot = rb_mesh_map(&slot, M3_IDENTITY, v3(0.5, -0.5, 0.5), &f.arena);
    ENSURE(rb_csg(RB_CSG_DIFFERENCE, &block, "a", &slot, "b", RB_NOWHERE, &f.arena, f.scratch,
                  &f.diag, &part) == RB_OK);
    RbSkin skin = skin_of(&f, part);
    RbMeshOverlap o;
    double R = 0.51;
    rb_round_overlap_open(&o, &skin, v3(R, R, R), &f.arena);
    rb_mesh_overlap(&o, (Pose){v3(1.001, 0.5, 1.02), M3_IDENTITY});
    ENSURE(o.regions.count == 2);
    ENSURE(v3_dot(o.regions.data[0].area_a, o.regions.data[1].area_a) < 0);
    RbSkin plate = skin_of(&f, rb_mesh_box(v3(4, 4, 0.01), &f.arena));
    rb_round_overlap_open(&o, &plate, v3(R, R, R), &f.arena);
    rb_mesh_overlap(&o, (Pose){v3(2, 2, 0.45), M3_IDENTITY});
    double deep = R - 0.45 + 0.01, below = R - 0.45;
    ENSURE(o.regions.count == 1);
    ENSURE_NEAR(o.volume, PI * (deep * deep * (3 * R - deep) - below * below * (3 * R - below)) / 3,
                1e-14);
    fixture_close(&f);
}

// Distance to a box: the closed form for a ball; for an ellipsoid never too much, and 0 where they meet.
static void distance(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Vec3 half = v3(0.5, 1, 0.7);
    RbSkin box = skin_of(&f, centred_box(&f, v3_scale(2, half)));
    RbRng rng = rb_rng(8);
    for (int i = 0; i < 2000; i++) {
        Vec3 c = v3_scale(rb_rng_range(&rng, 1.5, 3), rb_rng_direction(&rng));
        double true_distance = v3_norm(v3_max(v3_sub(v3_abs(c), half), V3_ZERO)) - 0.2;
        Pose X = pose(c, rb_rng_orientation(&rng));
        RbMeshGap gap = rb_round_distance(&box, v3(0.2, 0.2, 0.2), X, 10);
        ENSURE_NEAR(gap.distance, fmax(0, true_distance), 1e-14);
        if (true_distance > 0)
            ENSURE_NEAR(v3_distance(gap.point_a, gap.point_b), true_distance, 1e-14);
        ENSURE(rb_round_distance(&box, v3(0.2, 0.2, 0.2), X, 0.01).distance >=
               fmin(0.01, fmax(0, true_distance)) - 1e-14);
        RbMeshGap oval = rb_round_distance(&box, v3(0.1, 0.2, 0.15), X, 10);
        ENSURE(oval.distance <= v3_distance(oval.point_a, oval.point_b) + 1e-14);
        ENSURE(oval.distance <= fmax(0, true_distance + 0.1) + 1e-14); // the ball within is farther
        RbMeshOverlap o;
        if (i % 20) continue;
        rb_round_overlap_open(&o, &box, v3(0.1, 0.2, 0.15), &f.arena);
        rb_mesh_overlap(&o, X);
        ENSURE((o.volume > 0) == (oval.distance == 0));
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cap),        cmocka_unit_test(parts_of_a_ball),
        cmocka_unit_test(derivative), cmocka_unit_test(polygons_approach),
        cmocka_unit_test(regions),    cmocka_unit_test(distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
