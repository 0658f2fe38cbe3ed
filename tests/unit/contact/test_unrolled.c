// SPDX-License-Identifier: MIT
// What of a relative motion moves the surfaces of bodies of revolution: nothing across the plane they touch in if each turns about its
// own axis only; all of it for others.
#include "testing.h"

#include "math/rng.h"
#include "contact/unrolled.h"

static Vec3 velocity_at(Vec3 w, Vec3 centre, Vec3 v, Vec3 point) {
    return v3_add(v, v3_cross(w, v3_sub(point, centre)));
}

// Two cylinders at any angle that touch at the origin, with the normal z: their axes are in the planes z = 1 and z = -2.
static void turning_about_own_axes_moves_no_surface(void **state) {
    (void)state;
    RbRng rng = rb_rng(7);
    RbCore core = {.kind = RB_CORE_CYLINDER, .frame = POSE_IDENTITY};
    for (int i = 0; i < 1000; i++) {
        double angle = i % 4 == 0 ? 0 : rb_rng_range(&rng, 0.1, 1.5);
        Mat3 lying = m3_rotation(v3(0, 1, 0), M_PI / 2); // axis x
        Pose X_a = {v3(0, 0, -2), lying};
        Pose X_b = {v3(0, 0, 1), m3_mul(m3_rotation(v3(0, 0, 1), angle), lying)};
        RbElement a = {.core = &core, .X_BC = POSE_IDENTITY}, b = a;
        Vec3 drift = v3(rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -1, 1), 0); // in the plane
        Vec3 w_a = v3_scale(rb_rng_range(&rng, -9, 9), m3_column(X_a.R, 2));
        Vec3 w_b = v3_scale(rb_rng_range(&rng, -9, 9), m3_column(X_b.R, 2));
        Motion m = {v3_sub(w_b, w_a), v3_sub(velocity_at(w_b, X_b.r, drift, V3_ZERO),
                                             velocity_at(w_a, X_a.r, V3_ZERO, V3_ZERO))};
        Motion s = rb_unrolled(&a, &b, &X_a, &X_b, V3_ZERO, m);
        double left = fabs(s.w.x) + fabs(s.w.y) + fabs(s.w.z);
        ENSURE(left < 2e-2 * (v3_norm(w_a) + v3_norm(w_b)) + 1e-12); // of what the diagonal leaves
        ENSURE(fabs(s.v.z) < 1e-12);
    }
}

static void other_motion_stays(void **state) {
    (void)state;
    RbCore box = {.kind = RB_CORE_BOX, .frame = POSE_IDENTITY},
           rod = {.kind = RB_CORE_SEGMENT, .frame = POSE_IDENTITY};
    RbElement a = {.core = &box, .X_BC = POSE_IDENTITY}, b = {.core = &rod, .X_BC = POSE_IDENTITY};
    Pose X = POSE_IDENTITY;
    Motion m = {v3(1, 2, 3), v3(4, 5, 6)};
    Motion s = rb_unrolled(&a, &b, &X, &X, V3_ZERO, m); // the rod lies along z, through the point
    ENSURE(s.w.x == 1 && s.w.y == 2 && s.w.z == 0 && s.v.x == 4 && s.v.y == 5 && s.v.z == 6);
    s = rb_unrolled(&a, &a, &X, &X, V3_ZERO, m);
    ENSURE(s.w.z == 3 && s.v.z == 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(turning_about_own_axes_moves_no_surface),
                                       cmocka_unit_test(other_motion_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
