// SPDX-License-Identifier: MIT
// The force between molecules: its energy, its derivatives, that it never pulls, and that nothing passes.
#include "testing.h"

#include "deform/penalty.h"
#include "math/rng.h"

static RbPenalty law_of(RbRng *rng) {
    return (RbPenalty){.reach = rb_rng_range(rng, 0.01, 0.03),
                       .room = rb_rng_range(rng, 0.003, 0.008),
                       .strength = rb_rng_range(rng, 1e2, 1e5),
                       .viscosity = rb_rng_range(rng, 0, 0.1),
                       .friction = rb_rng_range(rng, 0, 1),
                       .grip = rb_rng_range(rng, 0.1, 10),
                       .bristle = 1e-3,
                       .step = 1e-4};
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
    RbPenalty law = {.reach = 0.02, .room = 0.005, .strength = 1e4, .grip = 1};
    RbPenaltyForce f;
    double x = 1e-8;
    ENSURE(rb_penalty_force(&law, v3(law.reach - x, 0, 0), V3_ZERO, &f));
    ENSURE_NEAR(f.press / (1e4 * x * sqrt(x)), 1, 1e-5);
    ENSURE_NEAR(f.n.x, 1, 0);
}

// Grows beyond every bound before the room is used up; closer there is no force to tell.
static void nothing_passes(void **state) {
    (void)state;
    RbPenalty law = {.reach = 0.02, .room = 0.005, .strength = 1e-3, .grip = 1};
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

// On the first sphere, with viscous friction.
static Vec3 force_at(const RbPenalty *law, Vec3 apart, Vec3 speed, double drag) {
    RbPenaltyForce f;
    ENSURE(rb_penalty_force(law, apart, speed, &f));
    Vec3 slide = v3_axpy(speed, -v3_dot(speed, f.n), f.n);
    return v3_axpy(v3_scale(drag, slide), -f.press, f.n);
}

static void slopes_are_derivatives(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    for (int i = 0; i < 200; i++) {
        RbPenalty law = law_of(&rng);
        double d = law.reach - law.room * rb_rng_range(&rng, 0.05, 0.8);
        Vec3 apart = v3_scale(d, rb_rng_direction(&rng)),
             speed = v3_scale(rb_rng_range(&rng, 0, 0.5), rb_rng_direction(&rng));
        RbPenaltyForce here;
        ENSURE(rb_penalty_force(&law, apart, speed, &here));
        if (here.press < 0.01 * law.strength * pow(law.reach - d, 1.5))
            continue; // the kink where it lets go
        Mat3 by_r, by_v;
        double drag = rb_rng_range(&rng, 0, 2);
        rb_penalty_slopes(&law, apart, speed, drag, &by_r, &by_v);
        double size_r = 0, size_v = 0;
        for (int k = 0; k < 9; k++)
            size_r = fmax(size_r, fabs((&by_r.x.x)[k])),
            size_v = fmax(size_v, fabs((&by_v.x.x)[k]));
        for (int k = 0; k < 3; k++) {
            double h = 1e-6 * law.room, hv = 1e-6, e[3] = {0};
            e[k] = 1;
            Vec3 unit = v3_load(e);
            Vec3 r =
                v3_scale(0.5 / h, v3_sub(force_at(&law, v3_axpy(apart, h, unit), speed, drag),
                                         force_at(&law, v3_axpy(apart, -h, unit), speed, drag)));
            Vec3 v =
                v3_scale(0.5 / hv, v3_sub(force_at(&law, apart, v3_axpy(speed, hv, unit), drag),
                                          force_at(&law, apart, v3_axpy(speed, -hv, unit), drag)));
            ENSURE(v3_distance(r, column(by_r, k)) < 1e-6 * size_r);
            ENSURE(v3_distance(v, column(by_v, k)) < 1e-6 * size_v);
        }
    }
}

// It never pulls, and what damps takes power, never gives any.
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
        ENSURE(f.press >= 0 && f.lost >= 0);
    }
}

// What slips for long feels m F against its motion; what is held at rest feels what its bristle says, for ever.
static void friction_slides_and_holds(void **state) {
    (void)state;
    RbRng rng = rb_rng(9);
    for (int i = 0; i < 200; i++) {
        RbPenalty law = law_of(&rng);
        law.friction += 0.01;
        double press = rb_rng_range(&rng, 0.01, 10), pace = rb_rng_range(&rng, 0.01, 3);
        Vec3 slip = v3_scale(pace, rb_rng_direction(&rng)), z = V3_ZERO;
        double h = law.step, limit = law.friction * press;
        for (int k = 0; k < 20000; k++) { // explicit steps are stable, however fast it is
            RbRub rub = rb_penalty_rub(&law, press, slip, z);
            z = v3_axpy(z, h, rub.rate);
            ENSURE(v3_norm(z) <= law.bristle * (1 + 1e-9));
        }
        Vec3 slides = rb_penalty_rub(&law, press, slip, z).force;
        ENSURE(v3_distance(slides, v3_scale(-limit / pace, slip)) < 1e-6 * limit);
        RbRub held = rb_penalty_rub(&law, press, V3_ZERO, v3_scale(0.5, z));
        ENSURE(v3_norm(held.rate) == 0);
        ENSURE_NEAR(v3_norm(held.force), 0.5 * limit, 1e-6 * limit);
    }
}

// A mass on the contact, pressed by any load, comes to rest about as a damped connection does: its amplitude falls as exp(-z w t) with a z that
// is between a quarter of what was typed, for light loads, and all of it.
static void damps_whatever_the_load(void **state) {
    (void)state;
    const double mass = 0.01, ratio = 0.2;
    RbPenalty law = {.reach = 0.02, .room = 0.005, .strength = 1e4};
    law.viscosity = 2 * ratio * sqrt(mass);
    for (int i = 0; i < 6; i++) {
        double x = law.room * pow(2, -i - 1);
        RbPenaltyElastic rest = rb_penalty_elastic(&law, x);
        double found = rest.drag / (2 * sqrt(rest.slope * mass));
        print_message("pressed in by %.3f of the room: damping ratio %.3f of %.3f\n", x / law.room,
                      found, ratio);
        ENSURE(found > 0.25 * ratio && found < ratio);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_is_the_integral_of_the_force),
        cmocka_unit_test(begins_as_hertz),
        cmocka_unit_test(nothing_passes),
        cmocka_unit_test(slopes_are_derivatives),
        cmocka_unit_test(never_pulls_and_never_drives),
        cmocka_unit_test(friction_slides_and_holds),
        cmocka_unit_test(damps_whatever_the_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
