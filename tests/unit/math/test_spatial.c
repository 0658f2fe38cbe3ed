// SPDX-License-Identifier: MIT
// Spatial algebra: identities on random input. The oracle is a cloud of point masses, for which
// every formula is a plain sum.
#include "testing.h"

#include "math/rng.h"
#include "math/spatial.h"

enum { TRIALS = 300, POINTS = 5 };

static Vec3 random_vec(RbRng *rng) {
    double x = rb_rng_range(rng, -1, 1), y = rb_rng_range(rng, -1, 1);
    return v3(x, y, rb_rng_range(rng, -1, 1));
}
static Motion random_motion(RbRng *rng) {
    Vec3 w = random_vec(rng);
    return (Motion){w, random_vec(rng)};
}
static Wrench random_wrench(RbRng *rng) {
    Vec3 t = random_vec(rng);
    return (Wrench){t, random_vec(rng)};
}

static void ensure_vec_near(Vec3 got, Vec3 want, double tol) {
    ENSURE_NEAR(got.x, want.x, tol);
    ENSURE_NEAR(got.y, want.y, tol);
    ENSURE_NEAR(got.z, want.z, tol);
}
static void ensure_wrench_near(Wrench got, Wrench want, double tol) {
    ensure_vec_near(got.t, want.t, tol);
    ensure_vec_near(got.f, want.f, tol);
}
static void ensure_rigid_near(RigidInertia a, RigidInertia b, double tol) {
    ENSURE_NEAR(a.m, b.m, tol);
    ensure_vec_near(a.h, b.h, tol);
    ensure_vec_near(v3(a.I.xx, a.I.yy, a.I.zz), v3(b.I.xx, b.I.yy, b.I.zz), tol);
    ensure_vec_near(v3(a.I.xy, a.I.xz, a.I.yz), v3(b.I.xy, b.I.xz, b.I.yz), tol);
}

typedef struct Cloud {
    double m[POINTS];
    Vec3 r[POINTS];
} Cloud;

static Cloud random_cloud(RbRng *rng) {
    Cloud c;
    for (int i = 0; i < POINTS; i++) {
        c.m[i] = rb_rng_range(rng, 0.1, 2);
        c.r[i] = random_vec(rng);
    }
    return c;
}
static RigidInertia cloud_inertia(const Cloud *c) {
    RigidInertia sum = {0};
    for (int i = 0; i < POINTS; i++) sum = ri_add(sum, ri_from_com(c->m[i], c->r[i], (Sym3){0}));
    return sum;
}

// Momentum, energy and inertia forces of the cloud, point by point.
static void rigid_inertia_is_the_sum_over_points(void **state) {
    (void)state;
    RbRng rng = rb_rng(11);
    for (int k = 0; k < TRIALS; k++) {
        Cloud c = random_cloud(&rng);
        RigidInertia a = cloud_inertia(&c);
        Motion v = random_motion(&rng), acc = random_motion(&rng);
        Wrench momentum = WRENCH_ZERO, force = WRENCH_ZERO;
        double energy = 0;
        for (int i = 0; i < POINTS; i++) {
            Vec3 r = c.r[i], vi = v3_add(v.v, v3_cross(v.w, r));
            Vec3 ai = v3_add(v3_add(acc.v, v3_cross(acc.w, r)), v3_cross(v.w, v3_cross(v.w, r)));
            Vec3 p = v3_scale(c.m[i], vi), f = v3_scale(c.m[i], ai);
            momentum = wr_add(momentum, (Wrench){v3_cross(r, p), p});
            force = wr_add(force, (Wrench){v3_cross(r, f), f});
            energy += 0.5 * v3_dot(p, vi);
        }
        ensure_wrench_near(ri_mul(a, v), momentum, 1e-13);
        ensure_wrench_near(wr_add(ri_mul(a, acc), ri_bias(a, v.w)), force, 1e-13);
        ENSURE_NEAR(ri_kinetic_energy(a, v), energy, 1e-13);
    }
}

static void moving_the_frame_moves_the_points(void **state) {
    (void)state;
    RbRng rng = rb_rng(12);
    for (int k = 0; k < TRIALS; k++) {
        Cloud c = random_cloud(&rng);
        Vec3 r = random_vec(&rng);
        Pose X = pose(r, rb_rng_orientation(&rng));
        RigidInertia moved = ri_move(X, cloud_inertia(&c));
        for (int i = 0; i < POINTS; i++) c.r[i] = pose_point(X, c.r[i]);
        ensure_rigid_near(moved, cloud_inertia(&c), 1e-13);
        Sym3 central = ri_central(moved);
        ensure_rigid_near(ri_from_com(moved.m, ri_com(moved), central), moved, 1e-13);
    }
}

// Power does not depend on the reference point, and shifting there and back changes nothing.
static void power_is_the_same_about_any_point(void **state) {
    (void)state;
    RbRng rng = rb_rng(13);
    for (int k = 0; k < TRIALS; k++) {
        Motion v = random_motion(&rng);
        Wrench f = random_wrench(&rng);
        Vec3 d = random_vec(&rng); // from the new point to the old one
        ENSURE_NEAR(wr_power(wr_shift(f, d), mo_shift(v, v3_neg(d))), wr_power(f, v), 1e-14);
        ensure_wrench_near(wr_shift(wr_shift(f, d), v3_neg(d)), f, 1e-14);
    }
}

static void articulated_inertia_agrees_with_rigid(void **state) {
    (void)state;
    RbRng rng = rb_rng(14);
    for (int k = 0; k < TRIALS; k++) {
        Cloud c = random_cloud(&rng);
        RigidInertia rigid = cloud_inertia(&c);
        Motion x = random_motion(&rng);
        Vec3 d = random_vec(&rng);
        ArtInertia art = ai_from_rigid(rigid);
        ensure_wrench_near(ai_mul(art, x), ri_mul(rigid, x), 1e-13);
        ensure_wrench_near(ai_mul(ai_shift(art, d), x), ri_mul(ri_shift(rigid, d), x), 1e-13);
    }
}

// After a direction S was projected out, moving along S costs nothing; a shift commutes with the
// application.
static void projection_and_shift_of_articulated_inertia(void **state) {
    (void)state;
    RbRng rng = rb_rng(15);
    for (int k = 0; k < TRIALS; k++) {
        Cloud c = random_cloud(&rng);
        ArtInertia full = ai_from_rigid(cloud_inertia(&c));
        Motion S = random_motion(&rng), x = random_motion(&rng);
        Wrench U = ai_mul(full, S);
        ArtInertia left = ai_minus_outer(full, 1 / wr_power(U, S), U);
        ensure_wrench_near(ai_mul(left, S), WRENCH_ZERO, 1e-12);
        Vec3 d = random_vec(&rng);
        Wrench there = wr_shift(ai_mul(left, mo_shift(x, d)), d);
        ensure_wrench_near(ai_mul(ai_shift(left, d), x), there, 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_inertia_is_the_sum_over_points),
        cmocka_unit_test(moving_the_frame_moves_the_points),
        cmocka_unit_test(power_is_the_same_about_any_point),
        cmocka_unit_test(articulated_inertia_agrees_with_rigid),
        cmocka_unit_test(projection_and_shift_of_articulated_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
