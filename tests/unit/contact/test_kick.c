// SPDX-License-Identifier: MIT
// Kicks of a contact (contact/kick.h): a short one is the force of the law, a long one takes what friction can
// take and no more, and what it takes is missing in the energy of motion.
#include <math.h>

#include "contact/kick.h"
#include "math/rng.h"
#include "testing.h"

static const double MASS = 0.5, INERTIA = 1.25e-4, RADIUS = 0.025; // a ball on something fixed

static RbContactLaw law_with(double restitution, double friction, double rolling) {
    RbPairLaw pair = rb_pair_law_default();
    pair.restitution = restitution;
    pair.mu_k = pair.mu_s = friction;
    pair.mu_r = rolling;
    RbElastic steel = {2e11, 0.3};
    RbContactMaterial m = rb_contact_material(&pair, steel, steel);
    ENSURE(rb_law_kicks(&m));
    RbContactScene scene = rb_contact_scene();
    return rb_contact_law(&m, RADIUS, &scene, (RbBlow){.mass = MASS});
}

static RbKickMotion random_motion(RbRng *rng, double duration) {
    Vec3 n =
        v3_unit(v3(rb_rng_range(rng, -1, 1), rb_rng_range(rng, -1, 1), rb_rng_range(rng, 0.1, 1)));
    double speed = pow(10, rb_rng_range(rng, -4, 1));
    Vec3 v = v3(rb_rng_range(rng, -1, 1), rb_rng_range(rng, -1, 1), rb_rng_range(rng, -1, 1));
    RbKickMotion k = {.by_normal = 1 / MASS,
                      .by_slip = 1 / MASS + RADIUS * RADIUS / INERTIA,
                      .by_spin = 1 / INERTIA,
                      .duration = duration};
    k.motion.n_W = n;
    k.motion.depth = pow(10, rb_rng_range(rng, -8, -4.5));
    k.motion.depth_rate = speed * rb_rng_range(rng, -1, 1);
    k.motion.slip_W = v3_scale(speed, v3_axpy(v, -v3_dot(v, n), n));
    k.motion.spin_W = v3_scale(speed / RADIUS, v3(v.y, v.z, -v.x));
    return k;
}

// The law itself, which has its own tests, is the oracle.
static void a_short_kick_is_the_force_of_the_law(void **state) {
    (void)state;
    RbRng rng = rb_rng(3);
    for (int i = 0; i < 1000; i++) {
        RbContactLaw law = law_with(rb_rng_range(&rng, 0.3, 1), rb_rng_range(&rng, 0, 1), 0.001);
        RbKickMotion k = random_motion(&rng, 1e-14);
        RbContactForce f = rb_contact_force(&law, &k.motion);
        RbKick out = rb_kick(&law, &k);
        Vec3 force = v3_axpy(f.friction_W, f.normal, k.motion.n_W);
        double small = 1e-5 * (v3_norm(force) + 1e-9);
        ENSURE(v3_norm(v3_sub(out.force_W, force)) < small);
        ENSURE(v3_norm(v3_sub(out.torque_W, f.torque_W)) < small * RADIUS);
        double power = f.damping_power + f.friction_power + f.rolling_power;
        double lost = (out.damping + out.friction + out.rolling) / k.duration;
        ENSURE(fabs(lost - power) < 1e-5 * (fabs(power) + small));
    }
}

// However long it is: slip and spin keep their direction, friction is at most mu N, and nothing is gained.
static void a_long_kick_stops_and_does_not_turn_round(void **state) {
    (void)state;
    RbRng rng = rb_rng(4);
    for (int i = 0; i < 1000; i++) {
        RbContactLaw law = law_with(rb_rng_range(&rng, 0.3, 1), rb_rng_range(&rng, 0, 1), 0);
        RbKickMotion k = random_motion(&rng, pow(10, rb_rng_range(&rng, -8, -4)));
        RbKick out = rb_kick(&law, &k);
        double N = v3_dot(out.force_W, k.motion.n_W), slip = v3_norm(k.motion.slip_W);
        Vec3 across = v3_axpy(out.force_W, -N, k.motion.n_W);
        Vec3 after = v3_axpy(k.motion.slip_W, k.duration * k.by_slip, across);
        ENSURE(N >= 0 && v3_norm(across) <= law.pair.mu_k * N * (1 + 1e-9) + 1e-12);
        ENSURE(v3_dot(after, k.motion.slip_W) >= -1e-12 * slip * slip);
        ENSURE(out.friction >= 0 && out.rolling >= 0 && out.damping >= -1e-12);
        // What friction takes is what slip and spin about the normal lose.
        double spin = v3_dot(k.motion.spin_W, k.motion.n_W);
        double spin_after = spin + k.duration * k.by_spin * v3_dot(out.torque_W, k.motion.n_W);
        double lost = 0.5 * (slip * slip - v3_norm2(after)) / k.by_slip +
                      0.5 * (spin * spin - spin_after * spin_after) / k.by_spin;
        ENSURE_NEAR(out.friction, lost,
                    1e-9 * fabs(lost) +
                        1e-14 * (slip * slip / k.by_slip + spin * spin / k.by_spin));
    }
}

// A ball against a wall, by kicks and flights: it returns with the typed restitution, to second order.
static double returned(double restitution, int steps) {
    RbContactLaw law = law_with(restitution, 0, 0);
    double rate = 1, depth = 0, speed, h = 3.2 / rb_kick_frequency(&law, 0, 1, &speed) / steps;
    RbKickMotion k = {.by_normal = 1 / MASS, .by_slip = 1, .by_spin = 1, .duration = h};
    k.motion.n_W = v3(0, 0, 1);
    do {
        depth += 0.5 * h * rate;
        k.motion.depth = depth;
        k.motion.depth_rate = rate;
        if (depth > 0) rate -= h * k.by_normal * rb_kick(&law, &k).force_W.z;
        depth += 0.5 * h * rate;
    } while (depth > 0 || rate > 0);
    return -rate;
}

static void a_blow_returns_as_typed(void **state) {
    (void)state;
    for (int i = 3; i <= 10; i++) {
        double e = 0.1 * i, rough = fabs(returned(e, 100) - e), fine = fabs(returned(e, 1000) - e);
        ENSURE(rough < 1e-3 && fine < 1e-5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_kick_is_the_force_of_the_law),
        cmocka_unit_test(a_long_kick_stops_and_does_not_turn_round),
        cmocka_unit_test(a_blow_returns_as_typed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
