// SPDX-License-Identifier: MIT
// The force between molecules: its energy, its derivatives, that it never pulls, and that nothing passes.
#include "testing.h"

#include "deform/penalty.h"
#include "math/rng.h"

static RbPenalty law_of(RbRng *rng) {
    return (RbPenalty){.reach = rb_rng_range(rng, 0.01, 0.03),
                       .room = rb_rng_range(rng, 0.003, 0.008),
                       .strength = rb_rng_range(rng, 1e2, 1e5),
                       .damping = rb_rng_range(rng, 0, 2),
                       .friction = rb_rng_range(rng, 0, 1),
                       .slip = 1e-2,
                       .grip = rb_rng_range(rng, 0.1, 10)};
}

// The energy is the integral of the force over the overlap (Simpson's rule, after x = t²).
static void energy_is_the_integral_of_the_force(void **state) {
    (void)state;
    RbRng rng = rb_rng(3);
    for (int i = 0; i < 20; i++) {
        RbPenalty law = law_of(&rng);
        enum { PARTS = 2000 };
        RbPenaltyForce f;
        double end = sqrt(0.9 * law.room * pow(0.5, i)), sum = 0, h = end / PARTS;
        for (int k = 0; k <= PARTS; k++) {
            double t = k * h, weight = k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2;
            ENSURE(rb_penalty_force(&law, v3(0, law.reach - t * t, 0), V3_ZERO, &f));
            sum += weight * f.press * 2 * t * h / 3;
        }
        ENSURE_NEAR(f.energy, sum, 1e-7 * sum);
    }
}

// Small overlaps: Hertz.
static void begins_as_hertz(void **state) {
    (void)state;
    RbPenalty law = {.reach = 0.02, .room = 0.005, .strength = 1e4, .slip = 1, .grip = 1};
    RbPenaltyForce f;
    double x = 1e-8;
    ENSURE(rb_penalty_force(&law, v3(law.reach - x, 0, 0), V3_ZERO, &f));
    ENSURE_NEAR(f.press / (1e4 * x * sqrt(x)), 1, 1e-5);
    ENSURE_NEAR(f.force.x, -f.press, 0);
}

// Grows beyond every bound before the room is used up; closer there is no force to tell.
static void nothing_passes(void **state) {
    (void)state;
    RbPenalty law = {.reach = 0.02, .room = 0.005, .strength = 1e-3, .slip = 1, .grip = 1};
    RbPenaltyForce f;
    ENSURE(rb_penalty_force(&law, v3(0, 0, 0.015 * (1 + 1e-13)), V3_ZERO, &f));
    ENSURE(f.press > 1e9 && f.energy > 1e3);
    ENSURE(!rb_penalty_force(&law, v3(0, 0, 0.015), V3_ZERO, &f));
    ENSURE(!rb_penalty_force(&law, V3_ZERO, V3_ZERO, &f));
}

static Vec3 column(Mat3 m, int k) {
    const double *p = &m.x.x;
    return v3(p[k], p[3 + k], p[6 + k]);
}

static Vec3 force_at(const RbPenalty *law, Vec3 apart, Vec3 speed) {
    RbPenaltyForce f;
    ENSURE(rb_penalty_force(law, apart, speed, &f));
    return f.force;
}

static void slopes_are_derivatives(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    for (int i = 0; i < 200; i++) {
        RbPenalty law = law_of(&rng);
        double d = law.reach - law.room * rb_rng_range(&rng, 0.05, 0.8);
        Vec3 apart = v3_scale(d, rb_rng_direction(&rng)),
             speed = v3_scale(rb_rng_range(&rng, 0, 0.5), rb_rng_direction(&rng));
        if (1 - law.damping * v3_dot(apart, speed) / d < 0.01)
            continue; // the kink where it lets go
        Mat3 by_r, by_v;
        rb_penalty_slopes(&law, apart, speed, &by_r, &by_v);
        double size_r = 0, size_v = 0;
        for (int k = 0; k < 9; k++)
            size_r = fmax(size_r, fabs((&by_r.x.x)[k])),
            size_v = fmax(size_v, fabs((&by_v.x.x)[k]));
        for (int k = 0; k < 3; k++) {
            double h = 1e-6 * law.room, hv = 1e-6, e[3] = {0};
            e[k] = 1;
            Vec3 unit = v3_load(e);
            Vec3 r = v3_scale(0.5 / h, v3_sub(force_at(&law, v3_axpy(apart, h, unit), speed),
                                              force_at(&law, v3_axpy(apart, -h, unit), speed)));
            Vec3 v = v3_scale(0.5 / hv, v3_sub(force_at(&law, apart, v3_axpy(speed, hv, unit)),
                                               force_at(&law, apart, v3_axpy(speed, -hv, unit))));
            ENSURE(v3_distance(r, column(by_r, k)) < 1e-6 * size_r);
            ENSURE(v3_distance(v, column(by_v, k)) < 1e-6 * size_v);
        }
    }
}

// It never pulls, friction stays below the coefficient, and power is lost, never gained.
static void never_pulls_and_never_drives(void **state) {
    (void)state;
    RbRng rng = rb_rng(7);
    for (int i = 0; i < 2000; i++) {
        RbPenalty law = law_of(&rng);
        Vec3 n = rb_rng_direction(&rng),
             apart = v3_scale(law.reach - law.room * rb_rng_range(&rng, 0, 0.95), n),
             speed = v3_scale(rb_rng_range(&rng, 0, 3), rb_rng_direction(&rng));
        RbPenaltyForce f;
        ENSURE(rb_penalty_force(&law, apart, speed, &f));
        Vec3 rub = v3_axpy(f.force, f.press, n);
        ENSURE(f.press >= 0 && f.lost >= 0);
        ENSURE(v3_norm(rub) <= law.friction * f.press * (1 + 1e-12) + 1e-300);
        ENSURE(v3_dot(rub, speed) >= -1e-12 * f.press); // on the first, along the second's motion
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_the_integral_of_the_force),
        cmocka_unit_test(begins_as_hertz),
        cmocka_unit_test(nothing_passes),
        cmocka_unit_test(slopes_are_derivatives),
        cmocka_unit_test(never_pulls_and_never_drives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
