// SPDX-License-Identifier: MIT
// Vectors, matrices, quaternions, poses, regularisation: identities on random input (seed printed
// on failure by cmocka).
#include "testing.h"

#include "math/pose.h"
#include "math/regular.h"
#include "math/rng.h"

static void ensure_vec_near(Vec3 got, Vec3 want, double tol) {
    ENSURE_NEAR(got.x, want.x, tol);
    ENSURE_NEAR(got.y, want.y, tol);
    ENSURE_NEAR(got.z, want.z, tol);
}

static void quaternion_and_matrix_agree(void **state) {
    (void)state;
    RbRng rng = rb_rng(1);
    for (int i = 0; i < 1000; i++) {
        Quat q = rb_rng_orientation(&rng);
        Vec3 v = rb_rng_direction(&rng);
        Mat3 R = q_matrix(q);
        ensure_vec_near(q_rotate(q, v), m3_mul_vec(R, v), 4e-15);
        ensure_vec_near(q_unrotate(q, v), m3_tmul_vec(R, v), 4e-15);
        ENSURE_NEAR(m3_det(R), 1, 4e-15);
        Quat back = q_from_matrix(R);
        double same = fabs(back.w * q.w + back.x * q.x + back.y * q.y + back.z * q.z);
        ENSURE_NEAR(same, 1, 4e-15);
    }
}

static void rotation_about_an_axis(void **state) {
    (void)state;
    Mat3 R = m3_rotation(v3(0, 0, 1), 0.5);
    ensure_vec_near(m3_mul_vec(R, v3(1, 0, 0)), v3(cos(0.5), sin(0.5), 0), 1e-16);
    Quat q = q_rotation(v3(0, 0, 1), 0.5);
    ensure_vec_near(q_rotate(q, v3(1, 0, 0)), v3(cos(0.5), sin(0.5), 0), 1e-16);
}

// The matrix of Cardan angles written out (facts of Modia3D, section 1, transposed).
static void cardan_angles_follow_the_convention(void **state) {
    (void)state;
    RbRng rng = rb_rng(2);
    for (int i = 0; i < 1000; i++) {
        Vec3 a =
            v3(rb_rng_range(&rng, -3, 3), rb_rng_range(&rng, -1.5, 1.5), rb_rng_range(&rng, -3, 3));
        Mat3 R = q_matrix(q_from_cardan(a));
        ENSURE_NEAR(R.x.z, sin(a.y), 1e-15);
        ENSURE_NEAR(R.y.z, -sin(a.x) * cos(a.y), 1e-15);
        ENSURE_NEAR(R.x.x, cos(a.y) * cos(a.z), 1e-15);
        ensure_vec_near(q_to_cardan(q_from_cardan(a)), a, 1e-13);
    }
    Vec3 singular = q_to_cardan(q_from_cardan(v3(0.3, asin(1.0), 0.4)));
    ENSURE_NEAR(singular.x, 0.7, 1e-7); // only the sum is determined
    ENSURE_NEAR(singular.z, 0, 0);
}

static void quaternion_derivative_matches_difference(void **state) {
    (void)state;
    RbRng rng = rb_rng(3);
    Quat q = rb_rng_orientation(&rng);
    Vec3 w_B = v3(0.3, -0.7, 1.1);
    double h = 1e-4, angle = v3_norm(w_B) * h;
    Quat plus = q_mul(q, q_rotation(v3_unit(w_B), angle)),
         minus = q_mul(q, q_rotation(v3_unit(w_B), -angle));
    Quat d = q_derivative(q, w_B);
    ENSURE_NEAR(d.w, (plus.w - minus.w) / (2 * h), 1e-8);
    ENSURE_NEAR(d.x, (plus.x - minus.x) / (2 * h), 1e-8);
    ENSURE_NEAR(d.y, (plus.y - minus.y) / (2 * h), 1e-8);
    ENSURE_NEAR(d.z, (plus.z - minus.z) / (2 * h), 1e-8);
}

static void poses_compose_and_invert(void **state) {
    (void)state;
    RbRng rng = rb_rng(4);
    Pose A = pose(v3(1, 2, 3), rb_rng_orientation(&rng)),
         B = pose(v3(-4, 0, 2), rb_rng_orientation(&rng));
    Vec3 p = v3(0.1, 0.2, 0.3);
    Pose AB = pose_relative(A, B);
    ensure_vec_near(pose_point(pose_mul(A, AB), p), pose_point(B, p), 1e-14);
    ensure_vec_near(pose_point(pose_inverse(A), pose_point(A, p)), p, 1e-14);
    ensure_vec_near(pose_unpoint(A, pose_point(A, p)), p, 1e-14);
}

static void eigenvectors_diagonalise(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    for (int i = 0; i < 200; i++) {
        Mat3 R = q_matrix(rb_rng_orientation(&rng));
        Vec3 want = v3(rb_rng_unit(&rng), 1 + rb_rng_unit(&rng), 2 + rb_rng_unit(&rng));
        Mat3 m = m3_rotate_tensor(R, m3_diagonal(want));
        Vec3 got;
        Mat3 axes;
        m3_eigen(m, &got, &axes);
        ensure_vec_near(got, want, 1e-14);
        ENSURE_NEAR(m3_det(axes), 1, 1e-14);
        Mat3 again = m3_rotate_tensor(axes, m3_diagonal(got));
        ENSURE_NEAR(v3_max_abs(m3_sub(again, m).x), 0, 1e-14);
        ENSURE_NEAR(v3_max_abs(m3_sub(again, m).y), 0, 1e-14);
        ENSURE_NEAR(v3_max_abs(m3_sub(again, m).z), 0, 1e-14);
    }
    Vec3 same;
    Mat3 axes;
    m3_eigen(m3_diagonal(v3(3, 3, 3)), &same, &axes);
    ensure_vec_near(same, v3(3, 3, 3), 0);
}

static void inverse_and_perpendicular(void **state) {
    (void)state;
    Mat3 m = {{2, 1, 0}, {0, 3, 1}, {1, 0, 4}};
    Mat3 one = m3_mul(m, m3_inverse(m));
    ensure_vec_near(one.x, v3(1, 0, 0), 1e-15);
    ensure_vec_near(one.y, v3(0, 1, 0), 1e-15);
    ensure_vec_near(one.z, v3(0, 0, 1), 1e-15);
    RbRng rng = rb_rng(6);
    for (int i = 0; i < 100; i++) {
        Vec3 n = rb_rng_direction(&rng), t = v3_perpendicular(n);
        ENSURE_NEAR(v3_dot(n, t), 0, 1e-15);
        ENSURE_NEAR(v3_norm(t), 1, 1e-15);
    }
}

static void unit_vector_of_extreme_lengths(void **state) {
    (void)state;
    ensure_vec_near(v3_unit(v3(3e-200, 0, 4e-200)), v3(0.6, 0, 0.8), 1e-15);
    ensure_vec_near(v3_unit(v3(3e200, 0, 4e200)), v3(0.6, 0, 0.8), 1e-15);
    ensure_vec_near(v3_unit(v3(0, 5e-324, 0)), v3(0, 1, 0), 1e-15);
    ensure_vec_near(v3_unit_or(V3_ZERO, v3(0, 0, 1)), v3(0, 0, 1), 0);
}

// Value, slope and curvature of eq. 7.4 are continuous at m; the least value is m/3.
static void regularisation_is_smooth(void **state) {
    (void)state;
    double m = 0.01, h = 1e-6;
    ENSURE_NEAR(rb_regular(0, m), m / 3, 1e-18);
    ENSURE_NEAR(rb_regular(m * (1 - 1e-15), m), m, 1e-16);
    ENSURE_NEAR(rb_regular(0.02, m), 0.02, 0);
    for (double a = h; a < 2 * m; a += 1.7e-4) {
        double difference = (rb_regular(a + h, m) - rb_regular(a - h, m)) / (2 * h);
        ENSURE_NEAR(difference, rb_regular_slope(a, m), 1e-7);
    }
    double below = (rb_regular_slope(m, m) - rb_regular_slope(m - h, m)) / h;
    ENSURE_NEAR(below, 0, 2e-2); // curvature goes to 0, in units of 1/m = 100
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternion_and_matrix_agree),
        cmocka_unit_test(rotation_about_an_axis),
        cmocka_unit_test(cardan_angles_follow_the_convention),
        cmocka_unit_test(quaternion_derivative_matches_difference),
        cmocka_unit_test(poses_compose_and_invert),
        cmocka_unit_test(eigenvectors_diagonalise),
        cmocka_unit_test(inverse_and_perpendicular),
        cmocka_unit_test(unit_vector_of_extreme_lengths),
        cmocka_unit_test(regularisation_is_smooth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
