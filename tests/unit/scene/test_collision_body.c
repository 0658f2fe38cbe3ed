// SPDX-License-Identifier: MIT
// Contact for mechanics that is written as equations: the same motion and the same events as if the
// engine moved the bodies, impacts by momentum and coefficient of restitution, nothing tunnels.
#include "translate/run_model.h"

static void open_class(Run *r, const char *class) {
    char full[96];
    snprintf(full, sizeof full, "Collisions.%s", class);
    model_open(r, "Collisions.mo", full);
}

static void go(Run *r, const char *class) {
    open_class(r, class);
    model_go(r);
}

// The engine's own contact is tested elsewhere; here both know nothing of each other but the law.
static void as_the_engine(const char *class, const char *const *variables, int events) {
    Run a, b;
    char parts[64];
    snprintf(parts, sizeof parts, "%sOfParts", class);
    go(&a, class);
    go(&b, parts);
    assert_int_equal(a.summary.state_events, events);
    assert_int_equal(b.summary.state_events, events);
    for (int i = 0; variables[i]; i++)
        ENSURE_NEAR(model_last(&a, variables[i]), model_last(&b, variables[i]), 1e-6);
    ENSURE_NEAR(model_last(&a, "energy.contact_damping"), model_last(&b, "energy.contact_damping"),
                1e-6);
    ENSURE(model_last(&a, "energy.contact_damping") > 0.01);
    ENSURE_NEAR(model_last(&a, "energy.residual"), 0, 1e-6);
    run_close(&b);
    run_close(&a);
}

static void pendulum_on_a_plate(void **state) {
    (void)state;
    as_the_engine("Pendulum", (const char *const[]){"hinge.phi", "hinge.w", NULL}, 6);
}

// The mass that the contact feels is that of the whole arm; friction acts along the wall.
static void arm_at_a_wall(void **state) {
    (void)state;
    as_the_engine("Arm",
                  (const char *const[]){"joint[1].phi", "joint[2].phi", "joint[3].phi",
                                        "joint[1].w", "joint[2].w", "joint[3].w", NULL},
                  2);
}

// m1 v1 + m2 v2 stays, and they part with e times the speed: e of steel on steel is 0.7.
static void check_impact(double v1, double v2) {
    ENSURE_NEAR(3 * v1 + 5 * v2, 3 * 2, 1e-8);
    ENSURE_NEAR(v2 - v1, 0.7 * 2, 1e-6);
}

static void head_on(void **state) {
    (void)state;
    Run r;
    go(&r, "CartAndBall");
    check_impact(model_last(&r, "cart.v"), model_last(&r, "ball.v_0[1]"));
    run_close(&r);
    go(&r, "TwoCarts");
    check_impact(model_last(&r, "cart[1].v"), model_last(&r, "cart[2].v"));
    run_close(&r);
}

static void who_does_not_touch(void **state) {
    (void)state;
    Run r;
    go(&r, "Ignored");
    assert_int_equal(r.summary.state_events, 0);
    ENSURE_NEAR(model_last(&r, "cart[1].s"), 1, 1e-12);
    run_close(&r);
    go(&r, "OneFrame");
    assert_int_equal(r.summary.state_events, 2);
    check_impact(model_last(&r, "cart[1].v"), model_last(&r, "cart[2].v"));
    run_close(&r);
}

// Thin plates and fast heads, which pass each other within 0.2 ms to 6 ms: none is missed, whatever
// the step of the equations.
static void nothing_tunnels(void **state) {
    (void)state;
    static const double thickness[] = {4e-3, 2e-3}, speed[] = {-5, -17, -31, -45};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4; k++) {
            Run r;
            open_class(&r, "Pendulum");
            run_set(&r, "thickness", thickness[i]);
            run_set(&r, "d", 0.01);
            run_set(&r, "hinge.w", speed[k]);
            run_set(&r, "body.m", 2e-3); // so that the plate can hold it
            run_set(&r, "body.J", 1e-7);
            r.options.tolerance = 1e-6;
            r.options.stop_time = 0.25;
            model_go(&r);
            const double *phi = run_series(&r, "hinge.phi");
            double least = 1;
            for (size_t n = 0; n < r.result->row_count; n++) least = fmin(least, phi[n]);
            ENSURE(least < -0.1 && least > -0.12); // it is met at asin(-0.055/0.5)
            run_close(&r);
        }
    }
}

// e = 0.3 between the two that the pair names, 0.7 of steel between the others.
static void pair_of_two_parts(void **state) {
    (void)state;
    Run r;
    go(&r, "SoftBumpers");
    double v1 = model_last(&r, "cart[1].v"), v2 = model_last(&r, "cart[2].v");
    ENSURE_NEAR(3 * v1 + 5 * v2, 3 * 2, 1e-8);
    ENSURE_NEAR(v2 - v1, 0.3 * 2, 1e-6);
    ENSURE_NEAR(model_last(&r, "third.v"), 0.7 * 2, 1e-6); // from a stop of 1e9 kg
    run_close(&r);
}

// Without loss they exchange what elastic bodies do, and touch for half a period, pi sqrt(m/c) with
// m = 3 5/(3 + 5) kg.
static void material_of_the_model(void **state) {
    (void)state;
    Run r;
    go(&r, "OwnMaterial");
    ENSURE_NEAR(model_last(&r, "cart[1].v"), -0.5, 1e-6);
    ENSURE_NEAR(model_last(&r, "cart[2].v"), 1.5, 1e-6);
    double T = acos(-1) * sqrt(15 / 8.0 / 5000), middle = 0.15 + T / 2, centre = 2 * 3 / 8.0;
    // By symmetry of the blow about its middle.
    double way = 2 * 0.15 + centre * T - 0.5 * (0.5 - 0.15 - T);
    ENSURE_NEAR(model_last(&r, "cart[1].s"), way, 1e-5);
    ENSURE(middle < 0.5);
    run_close(&r);
}

static void unknown_in_pair(void **state) {
    (void)state;
    Run r;
    open_class(&r, "UnknownInPair");
    ENSURE(run_go(&r) != RB_OK);
    const RbMessage *m = &r.f.diag.messages.data[0];
    ENSURE(strstr(m->text, "'pair' speaks of 'Chese', which is no material and no part"));
    ENSURE(m->at.line > 0 && m->at.column == 20);
    run_close(&r);
}

static void unknown_name(void **state) {
    (void)state;
    Run r;
    open_class(&r, "UnknownIgnored");
    ENSURE(run_go(&r) != RB_OK);
    const RbMessage *m = &r.f.diag.messages.data[0];
    ENSURE(strstr(m->text, "'bumper' ignores 'bumpr', but there is no part of this name"));
    ENSURE(m->at.line > 0 && m->at.column == 27);
    run_close(&r);
}

// Mass, inertia and blows of a mesh are the same in equations and in the engine.
static void mass_of_a_mesh(void **state) {
    (void)state;
    Run r;
    go(&r, "MeshPendulum");
    ENSURE(r.summary.state_events >= 2);
    ENSURE_NEAR(model_last(&r, "hinge.phi"), model_last(&r, "otherHinge.phi"), 1e-9);
    ENSURE_NEAR(model_last(&r, "hinge.w"), model_last(&r, "otherHinge.w"), 1e-8);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_on_a_plate),
        cmocka_unit_test(arm_at_a_wall),
        cmocka_unit_test(head_on),
        cmocka_unit_test(who_does_not_touch),
        cmocka_unit_test(nothing_tunnels),
        cmocka_unit_test(unknown_name),
        cmocka_unit_test(pair_of_two_parts),
        cmocka_unit_test(material_of_the_model),
        cmocka_unit_test(unknown_in_pair),
        cmocka_unit_test(mass_of_a_mesh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
