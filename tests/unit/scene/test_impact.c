// SPDX-License-Identifier: MIT
// label: normal
// Impacts without gravity against closed forms: Hertz, restitution as typed, restitution of the
// comparison rule.
#include "stand.h"

// Two spheres of a material, without gravity, that meet head-on along x with the given speed.
// Answers objects 1 and 2.
static void meet(Stand *s, const char *material, double d1, double d2, double mass_ratio,
                 double speed) {
    s->scene->gravity = (RbGravity){.kind = RB_GRAVITY_NONE};
    double gap = 1e-4;
    rb_scene_add_free(s->scene, "one", rb_shape_sphere(d1), material, v3(-0.5 * (d1 + gap), 0, 0),
                      v3(0.5 * speed, 0, 0), V3_ZERO);
    int two = rb_scene_add_free(s->scene, "two", rb_shape_sphere(d2), material,
                                v3(0.5 * (d2 + gap), 0, 0), v3(-0.5 * speed, 0, 0), V3_ZERO);
    if (mass_ratio > 0) {
        const RbSolidMaterial *solid;
        ENSURE(rb_materials_solid(&s->scene->materials, material, "two", RB_NOWHERE, &s->f.diag,
                                  &solid) == RB_OK);
        s->scene->objects.data[two].mass = mass_ratio * solid->density * M_PI / 6 * d2 * d2 * d2;
    }
}

static double biggest(Stand *s, const char *name) {
    int count;
    const double *series = stand_series(s, name, &count);
    double out = 0;
    for (int i = 0; i < count; i++) out = fmax(out, series[i]);
    return out;
}

// H. Hertz, 1882. With F = K depth^1.5, K = 4/3 E* sqrt(R), energy gives the greatest depth (5 m
// v^2/(4 K))^(2/5), m being the reduced mass, and the contact lasts 2.943275 depth/v (the constant
// is 4/5 sqrt(pi) Gamma(2/5)/Gamma(9/10)).
static void hertz(double d1, double d2, double speed) {
    Stand s;
    stand_open(&s);
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->restitution = 1;
    law->mu_k = law->mu_r = 0;
    meet(&s, "Steel", d1, d2, 0, speed);
    rb_array_push(&s.scene->contact_results, &s.f.arena, ((RbScenePair){1, 2}));

    double E = 2e11, nu = 0.3, rho = 8000, R = 0.5 * d1 * d2 / (d1 + d2);
    double K = 4.0 / 3 * (E / (2 * (1 - nu * nu))) * sqrt(R);
    double m1 = rho * M_PI / 6 * d1 * d1 * d1, m2 = rho * M_PI / 6 * d2 * d2 * d2,
           m = m1 * m2 / (m1 + m2);
    double depth = pow(5 * m * speed * speed / (4 * K), 0.4);
    double duration = 0.8 * sqrt(M_PI) * tgamma(0.4) / tgamma(0.9) * depth / speed;

    stand_record(&s, duration / 1000);
    stand_run(&s, 1e-4 / speed + 2 * duration, 1e-8);
    double got_depth = biggest(&s, "contact(one,two).penetration");
    double got_force = biggest(&s, "contact(one,two).normal_force");
    assert_int_equal(s.contact_count, 2);
    ENSURE_NEAR((s.contacts[1].time - s.contacts[0].time) / duration, 1, 1e-4);
    ENSURE_NEAR(got_depth / depth, 1, 1e-4);
    ENSURE_NEAR(got_force / (K * depth * sqrt(depth)), 1, 1e-4);
    // Momentum, and all the energy is back.
    double v1 = stand_state(&s, "one.v[1]"), v2 = stand_state(&s, "two.v[1]");
    ENSURE_NEAR(m1 * v1 + m2 * v2, 0.5 * (m1 - m2) * speed, 1e-6 * (m1 + m2) * speed);
    ENSURE_NEAR((v2 - v1) / speed, 1, 1e-5);
    stand_close(&s);
}

static void impact_of_elastic_spheres_is_that_of_hertz(void **state) {
    (void)state;
    hertz(0.1, 0.05, 1);
    hertz(0.01, 0.3, 0.1);
    hertz(0.02, 0.04, 20);
}

static double delivered(double e, const char *material, double d1, double mass_ratio, double speed,
                        RbDampingRule rule) {
    Stand s;
    stand_open(&s);
    s.scene->damping = rule;
    RbPairLaw *law = stand_law(&s, material, material);
    law->restitution = e;
    law->mu_k = law->mu_r = 0;
    meet(&s, material, d1, 0.05, mass_ratio, speed);
    // Long enough for the slowest separation; a contact with e near 0 takes its time.
    stand_run(&s, 1e-4 / speed + 0.02 / fmin(1, speed), 1e-8);
    double after = stand_state(&s, "two.v[1]") - stand_state(&s, "one.v[1]");
    assert_int_equal(s.contact_count, 2);
    stand_close(&s);
    return after / speed;
}

static void restitution_is_delivered_as_typed(void **state) {
    (void)state;
    static const double es[] = {0.1, 0.3, 0.5, 0.7, 0.9, 1}, diameters[] = {0.005, 0.2},
                        masses[] = {1, 100}, speeds[] = {0.05, 1, 30};
    static const char *const materials[] = {"Steel", "DryWood"};
    for (int m = 0; m < 2; m++) {
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 3; j++) {
                for (int k = 0; k < 2; k++) {
                    double e = delivered(es[i], materials[m], diameters[k], masses[(i + j + k) % 2],
                                         speeds[j], RB_DAMPING_TYPED);
                    ENSURE_NEAR(e, es[i], 1e-3);
                }
            }
        }
    }
}

// d = 8 (1 - e)/(5 e v) returns less or more than e: the solution e' of a (1 + e') = ln((1 + a)/(1
// - a e')), a = d v, found here by bisection.
static double flores_returns(double e) {
    double a = 8 * (1 - e) / (5 * e), low = 0, high = fmin(1, 1 / a);
    for (int i = 0; i < 200; i++) {
        double x = 0.5 * (low + high);
        if (a * (1 + x) > log((1 + a) / (1 - a * x)))
            low = x;
        else
            high = x;
    }
    return low;
}

static void comparison_rule_returns_what_it_is_known_for(void **state) {
    (void)state;
    ENSURE_NEAR(flores_returns(0.7), 0.683, 5e-4);
    static const double es[] = {0.2, 0.5, 0.7, 0.9};
    for (int i = 0; i < 4; i++) {
        ENSURE_NEAR(delivered(es[i], "Steel", 0.05, 1, 1, RB_DAMPING_FLORES), flores_returns(es[i]),
                    1e-3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impact_of_elastic_spheres_is_that_of_hertz),
        cmocka_unit_test(restitution_is_delivered_as_typed),
        cmocka_unit_test(comparison_rule_returns_what_it_is_known_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
