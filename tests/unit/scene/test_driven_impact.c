// SPDX-License-Identifier: MIT
// Restitution is delivered as typed, 0.5, where a blow goes through a gear to a rotor, to another arm or through a kinematic loop:
// the mass that damps it is the one that is felt.
#include "translate/run_model.h"

static void open_class(Run *r, const char *class, double stop) {
    char full[96];
    snprintf(full, sizeof full, "DrivenImpacts.%s", class);
    model_open(r, "DrivenImpacts.mo", full);
    r->options.stop_time = stop;
    r->options.tolerance = 1e-9;
}

// One blow, and the joint goes back at half its speed.
static void returns_half(const char *class, const char *speed, double stop) {
    Run r;
    open_class(&r, class, stop);
    model_go(&r);
    assert_int_equal(r.summary.state_events, 2);
    ENSURE_NEAR(model_last(&r, speed), -0.5, 1e-3);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6);
    run_close(&r);
}

static void rotor_behind_a_gear(void **state) {
    (void)state;
    returns_half("Rotor", "hinge.w", 0.2);
    returns_half("Pair", "hinge.w", 0.2);
}

static void loops(void **state) {
    (void)state;
    returns_half("Linkage", "j1.w", 0.7);
    returns_half("DrivenLinkage", "j1.w", 0.7);
}

// A ball is hit by an inertia of 0.5 + 1/4 + 0.1 kg.m2, a ball's own about its centre and 10^2 J: angular momentum about the hinge stays, and
// they part with 0.5 m/s, along the line of their centres, which points along y but for a small angle.
static void a_ball_is_hit(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Rotor", 0.2);
    run_set(&r, "wall_there", 0);
    model_go(&r);
    double arm = 1 * 0.25 + 0.1 + 0.5 * (1 + 0.4 * 0.05 * 0.05) + 100 * 0.02;
    double x = model_last(&r, "ball.r_0[1]"), y = model_last(&r, "ball.r_0[2]"),
           vx = model_last(&r, "ball.v_0[1]"), vy = model_last(&r, "ball.v_0[2]");
    ENSURE_NEAR(arm * model_last(&r, "hinge.w") + 0.7 * (x * vy - y * vx), arm, 1e-6);
    double w = model_last(&r, "hinge.w"), phi = 0.1; // where they met: the tip was about 0.1 m up
    double c = cos(phi), s = sin(phi), dx = 1 - c, dy = 0.2 - s, d = sqrt(dx * dx + dy * dy);
    double apart = ((vx + w * s) * dx + (vy - w * c) * dy) / d, met = (-s * dx + c * dy) / d;
    ENSURE_NEAR(apart, 0.5 * met, 2e-3);
    run_close(&r);
}

// What is moved by a function of time is infinitely heavy: the ball gets 1.5 times its speed.
static void prescribed(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Prescribed", 0.2);
    run_set(&r, "wall_there", 0);
    model_go(&r);
    double phi = 0.1, dx = 1 - cos(phi), dy = 0.2 - sin(phi), d = sqrt(dx * dx + dy * dy);
    double met = (-sin(phi) * dx + cos(phi) * dy) / d;
    double vx = model_last(&r, "ball.v_0[1]"), vy = model_last(&r, "ball.v_0[2]");
    ENSURE_NEAR((vx * dx + vy * dy) / d, 1.5 * met, 2e-3);
    run_close(&r);
}

// A soft shaft gives way while the blow lasts: the arm alone is felt.
static void spring_between(void **state) {
    (void)state;
    returns_half("Elastic", "hinge.w", 0.2);
}

// A pair of parts: 0.5, where steel on steel would be 0.7.
static void shape_that_stands_apart(void **state) {
    (void)state;
    returns_half("Apart", "hinge.w", 0.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotor_behind_a_gear), cmocka_unit_test(loops),
        cmocka_unit_test(a_ball_is_hit),       cmocka_unit_test(prescribed),
        cmocka_unit_test(spring_between),      cmocka_unit_test(shape_that_stands_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
