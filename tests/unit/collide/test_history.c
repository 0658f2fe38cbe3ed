// SPDX-License-Identifier: MIT
// The closest point of a round body that rolls over a plate is where the closed form says, in both
// orders of the pair and along a path on which each query begins with the answer to the last one. (The
// distance alone does not show it: a point that lags behind by the root of rounding is as low.)
#include <math.h>

#include "collide/distance.h"
#include "geom/shape.h"
#include "math/rng.h"
#include "testing.h"

typedef struct Round {
    RbCore core;
    Vec3 (*lowest)(Vec3 m, double rounding); // in the direction m (unit, frame of the body)
} Round;

static const double radius = 0.06, half = 0.05; // [m] of the cylinder

static Vec3 lowest_of_ellipsoid(Vec3 m, double rounding) {
    (void)rounding;
    Vec3 e2 = v3(0.055 * 0.055, 0.0685 * 0.0685, 0.059 * 0.059);
    return v3_scale(1 / sqrt(v3_dot(v3_mul(e2, m), m)), v3_mul(e2, m));
}

// Its rim is rounded off.
static Vec3 lowest_of_cylinder(Vec3 m, double rounding) {
    double s = hypot(m.x, m.y), rim = radius - rounding;
    Vec3 centre = v3(rim * m.x / s, rim * m.y / s, copysign(half - rounding, m.z));
    return v3_axpy(centre, rounding, m);
}

static RbCore checked(RbShape shape) {
    Fixture f;
    fixture_open(&f);
    ENSURE(rb_shape_check(&shape, "shape", RB_NOWHERE, &f.diag) == RB_OK);
    fixture_close(&f);
    return rb_shape_core(&shape);
}

static Vec3 lowest_in_world(const Round *body, Pose X) {
    Vec3 m = m3_tmul_vec(X.R, v3(0, 0, -1));
    return pose_point(X, body->lowest(m, body->core.radius));
}

static double roll(const Round *body, const RbCore *plate, RbRng *rng) {
    Mat3 R = q_matrix(rb_rng_orientation(rng));
    Vec3 axis = rb_rng_direction(rng), velocity = rb_rng_direction(rng);
    RbPairMemory first = {0}, second = {0};
    double worst = 0;
    for (int k = 0; k < 100; k++) {
        double t = 1e-5 * k; // [s]
        Pose X = {v3(0.1 + t * velocity.x, 0.2 + t * velocity.y, 0),
                  m3_mul(m3_rotation(axis, 4 * t), R)};
        X.r.z = 0.1 - 1e-5 - lowest_in_world(body, X).z; // 10 um deep in the plate
        Vec3 point = lowest_in_world(body, X);
        RbGap gap;
        rb_distance(&body->core, plate, pose_relative(X, POSE_IDENTITY), &first, &gap);
        worst = fmax(worst, v3_distance(rb_gap_in_world(gap, X).point_a, point));
        rb_distance(plate, &body->core, X, &second, &gap);
        worst = fmax(worst, v3_distance(gap.point_b, point));
    }
    return worst;
}

static void round_bodies_on_a_plate(void **state) {
    (void)state;
    RbCore plate = checked(rb_shape_box(v3(3, 3, 0.2)));
    Round bodies[] = {
        {checked(rb_shape_ellipsoid(v3(0.11, 0.137, 0.118))), lowest_of_ellipsoid},
        {checked(rb_shape_cylinder(3, 2 * radius, 2 * half)), lowest_of_cylinder},
    };
    RbRng rng = rb_rng(7);
    for (int b = 0; b < 2; b++) {
        double worst = 0;
        for (int path = 0; path < 100; path++) worst = fmax(worst, roll(&bodies[b], &plate, &rng));
        print_message("body %d: point off by %.1e m\n", b, worst);
        ENSURE(worst < 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_bodies_on_a_plate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
