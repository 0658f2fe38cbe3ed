// SPDX-License-Identifier: MIT
// label: normal
// A ball of steel bounces on dry wood, by elastic contact and by impulses (thesis, section 7.2 and
// Fig. 7.6: e = 0.7). With impulses everything is a closed form: after n bounces the speed is e^n
// v0, the height e^(2n) h, and all is over at t = sqrt(2 h/g) (1 + e)/(1 - e). An elastic contact
// lasts the time T, in which gravity takes part: it differs from an impulse by some g T/v.
#include "stand.h"

static const double g = 9.81, h = 1, e = 0.7, d = 0.02; // [m/s2], [m], 1, [m]

static double stiffness(void) {
    double inverse = (1 - 0.3 * 0.3) / 2e11 + (1 - 0.4 * 0.4) / 1.1e10; // [1/Pa]
    return 4.0 / 3 / inverse * sqrt(0.5 * d);
}

static double mass(void) {
    return 8000 * M_PI / 6 * d * d * d;
}

// Hertz's time of contact without damping and weight. [s]
static double contact_time(double v) {
    double depth = pow(5 * mass() * v * v / (4 * stiffness()), 0.4);
    return 0.8 * sqrt(M_PI) * tgamma(0.4) / tgamma(0.9) * depth / v;
}

static void drop(Stand *s, RbDampingRule rule, const char *solver) {
    stand_open(s);
    s->options.solver = solver;
    s->scene->damping = rule;
    s->scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    rb_materials_add_pair(
        &s->scene->materials, s->scene->arena,
        (RbPairMaterial){.a = "Steel", .b = "DryWood", .law = rb_pair_law_default()});
    stand_law(s, "Steel", "DryWood")->restitution = e;
    RbSceneObject ground = rb_solid("ground", rb_shape_box(v3(1, 1, 0.1)), "DryWood");
    ground.object.pose.r = v3(0, 0, -0.05);
    rb_scene_add(s->scene, ground);
    rb_scene_add_free(s->scene, "ball", rb_shape_sphere(d), "Steel", v3(0, 0, 0.5 * d + h), V3_ZERO,
                      V3_ZERO);
}

// Impacts are starts and ends in turn; `returns` is what a bounce returns with. Each may differ
// from an impulse by 0.3 g T/v, and what follows by the sum of what was before.
static void compare_with_impulses(Stand *s, double returns) {
    double v = sqrt(2 * g * h), until = sqrt(2 * h / g); // of the impulsive ball: speed, time
    double off = 0, early = 0, lasted = 0;               // what may differ; [s] in contact so far
    int bounces = 0;
    for (int i = 0; i + 1 < s->contact_count && v > 0.05; i += 2) {
        const StandContact *start = &s->contacts[i], *end = &s->contacts[i + 1];
        double T = contact_time(v), weight = 0.3 * g * T / v;
        ENSURE(start->starts && !end->starts);
        ENSURE_NEAR(start->speed / v, 1, 1e-5 + 1.5 * off);
        ENSURE_NEAR(start->time, until + lasted, 1e-6 + early);
        ENSURE_NEAR(end->speed / start->speed, returns, 1e-5 + weight);
        ENSURE_NEAR((end->time - start->time) / T, 1.05, 0.03);
        lasted += end->time - start->time;
        off += weight;
        // Highest point of the flight that follows: e^(2n) h.
        double top = end->speed * end->speed / (2 * g);
        ENSURE_NEAR(top / (h * pow(returns, 2 * ++bounces)), 1, 1e-4 + 3.5 * off);
        v *= returns;
        until += 2 * v / g;
        early += 1.5 * off * 2 * v / g;
    }
    print_message("%d bounces down to %.3g m/s, %.2g s in contact, %d events in all\n", bounces, v,
                  lasted, s->contact_count);
    ENSURE(bounces >= 11);
}

// From there on impacts lose their bounce (eq. 7.12), so the elastic ball rests soon, while the
// other one goes on for ever smaller bounces up to its last instant.
static void comes_to_rest(Stand *s, double returns) {
    double last = s->contacts[s->contact_count - 1].time;
    double end = sqrt(2 * h / g) * (1 + returns) / (1 - returns);
    ENSURE(s->contacts[s->contact_count - 1].starts);
    ENSURE(last < end + 0.02 && last > 0.97 * end);
    double depth = pow(mass() * g / stiffness(), 2.0 / 3);
    ENSURE_NEAR(stand_state(s, "ball.r[3]"), 0.5 * d - depth, 1e-9);
    ENSURE_NEAR(stand_state(s, "ball.v[3]"), 0, 1e-9);
}

static void elastic_bouncing_is_impulsive_bouncing(void **state) {
    (void)state;
    static const char *const solvers[] = {"islands", "cvode"};
    for (int i = 0; i < 2; i++) {
        Stand s;
        drop(&s, RB_DAMPING_TYPED, solvers[i]);
        stand_run(&s, 4, 1e-9);
        compare_with_impulses(&s, e);
        comes_to_rest(&s, e);
        stand_close(&s);
    }
}

// The rule of the figure itself: 8 (1 - e)/(5 e v) returns with 0.68318, the solution of
// a (1 + x) = ln((1 + a)/(1 - a x)), a = 8 (1 - e)/(5 e).
static void rule_of_the_thesis_bounces_less(void **state) {
    (void)state;
    const double a = 8 * (1 - e) / (5 * e), returns = 0.68318;
    ENSURE_NEAR(a * (1 + returns), log((1 + a) / (1 - a * returns)), 1e-5);
    Stand s;
    drop(&s, RB_DAMPING_FLORES, "islands");
    stand_run(&s, 4, 1e-9);
    compare_with_impulses(&s, returns);
    comes_to_rest(&s, returns);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elastic_bouncing_is_impulsive_bouncing),
        cmocka_unit_test(rule_of_the_thesis_bounces_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
