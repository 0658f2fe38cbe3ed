// SPDX-License-Identifier: MIT
// Gravity and contact as functions that a Modelica model has written, against closed forms and against the
// same laws of the engine.
#include "translate/run_model.h"

static void go(Run *r, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "OwnFunctions.%s", class);
    model_open(r, "OwnFunctions.mo", full);
    model_go(r);
}

// Of the centre of mass, which is 0.1 m beside the frame; the body does not turn.
static void springs_along_three_axes(void **state) {
    (void)state;
    Run r;
    go(&r, "Swing");
    ENSURE_NEAR(model_last(&r, "body.r_0[1]") + 0.1, cos(2 * 3.0), 1e-7);
    ENSURE_NEAR(model_last(&r, "body.r_0[2]"), sin(3.0), 1e-7);
    ENSURE_NEAR(model_last(&r, "body.r_0[3]"), 2 * cos(3 * 3.0), 1e-7);
    // What the field does is energy from outside: all that the body has gained since it had 1/2 m v².
    ENSURE_NEAR(model_last(&r, "energy.input"), model_last(&r, "energy.kinetic") - 1, 1e-6);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6);
    run_close(&r);
}

// A class that extends World has its own name for the function that stands for none.
static void gravity_of_an_extended_world(void **state) {
    (void)state;
    Run r;
    go(&r, "Fall");
    ENSURE_NEAR(model_last(&r, "body.r_0[2]"), -9.81 / 2, 1e-5);
    run_close(&r);
}

static void same_ends(const char *one, const char *other, const char *variable, double tolerance) {
    Run a, b;
    go(&a, one);
    go(&b, other);
    assert_int_equal(a.summary.state_events, b.summary.state_events);
    for (int k = 1; k <= 3; k++) {
        char name[32];
        snprintf(name, sizeof name, variable, k);
        ENSURE_NEAR(model_last(&a, name), model_last(&b, name), tolerance);
    }
    run_close(&b);
    run_close(&a);
}

static void orbit_as_that_of_the_engine(void **state) {
    (void)state;
    same_ends("Orbit", "OrbitBuiltIn", "body.r_0[%d]", 1e-6);
}

// (J + m + I) phi'' = m g cos(phi): w² = 2 m g sin(phi)/(J + m + I)
static void beside_a_drive(void **state) {
    (void)state;
    Run r;
    go(&r, "Driven");
    double phi = model_last(&r, "hinge.phi"), w = model_last(&r, "hinge.w");
    ENSURE(fabs(phi) > 1);
    ENSURE_NEAR(w * w, 2 * 9.81 * fabs(sin(phi)) / (0.3 + 1 + 0.5), 1e-6);
    run_close(&r);
}

static void a_field_that_ends(void **state) {
    (void)state;
    Run r;
    model_open(&r, "OwnFunctions.mo", "OwnFunctions.NoField");
    ENSURE(run_go(&r) != RB_OK);
    bool told = false;
    for (int i = 0; i < r.f.diag.messages.count; i++)
        told = told || strstr(r.f.diag.messages.data[i].text, "there is no gravity beyond x = 1");
    if (!told) model_messages(&r);
    ENSURE(told);
    run_close(&r);
}

// Contact from 0.425 s, for half a period pi sqrt(m/c); then back at the same speed.
static void linear_wall(void **state) {
    (void)state;
    Run r;
    go(&r, "Linear");
    const double pi = 3.14159265358979323846;
    double after = 1 - 0.85 / 2 - pi * sqrt(1 / 1e4);
    ENSURE_NEAR(model_last(&r, "ball.r_0[1]"), 0.85 - 2 * after, 1e-6);
    ENSURE_NEAR(model_last(&r, "ball.v_0[1]"), -2, 1e-6);
    run_close(&r);
}

// With f = c x (1 + d x') the speed v after a blow at u satisfies d v + ln(1 - d v) = -(d u - ln(1 + d u)), as
// x' dx'/(1 + d x') = -c/m x dx integrates.
static void damped_wall(void **state) {
    (void)state;
    Run r;
    go(&r, "Damped");
    const double d = 0.2, u = 2;
    double goal = d * u - log(1 + d * u), low = 0, high = u;
    for (int i = 0; i < 100; i++) {
        double v = 0.5 * (low + high);
        *(-d * v - log(1 - d * v) < goal ? &low : &high) = v;
    }
    ENSURE_NEAR(model_last(&r, "ball.v_0[1]"), -low, 1e-6);
    ENSURE_NEAR(model_last(&r, "energy.contact_damping"), 0.5 * (u * u - low * low), 1e-5);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-5);
    run_close(&r);
}

static void hertz_as_that_of_the_engine(void **state) {
    (void)state;
    same_ends("Hertz", "HertzBuiltIn", "ball.v_0[%d]", 1e-6);
}

// Along the diagonals 40 + 10 and 40 - 10 N/m move 2 kg; about z 10 N.m/rad 0.4 kg.m2.
static void a_bushing_with_crossed_axes(void **state) {
    (void)state;
    Run r;
    go(&r, "Crossed");
    double a = cos(sqrt(50 / 2.0) * 3), b = cos(sqrt(30 / 2.0) * 3), w = sqrt(10 / 0.4);
    ENSURE_NEAR(model_last(&r, "body.r_0[1]"), (a + b) / 2, 1e-6);
    ENSURE_NEAR(model_last(&r, "body.r_0[2]"), (a - b) / 2, 1e-6);
    ENSURE_NEAR(model_last(&r, "body.angles_0[3]"), 0.1 / w * sin(w * 3), 1e-7);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-5);
    run_close(&r);
}

static void bushing_as_that_of_the_engine(void **state) {
    (void)state;
    same_ends("Plain", "PlainBuiltIn", "other.r_0[%d]", 1e-8);
    same_ends("Plain", "PlainBuiltIn", "other.angles_0[%d]", 1e-7);
}

static void a_bushing_that_tears(void **state) {
    (void)state;
    Run r;
    model_open(&r, "OwnFunctions.mo", "OwnFunctions.Torn");
    ENSURE(run_go(&r) != RB_OK);
    bool told = false;
    for (int i = 0; i < r.f.diag.messages.count; i++) {
        const char *text = r.f.diag.messages.data[i].text;
        told = told || (strstr(text, "force of 'rubber'") && strstr(text, "tears at 3 m"));
    }
    if (!told) model_messages(&r);
    ENSURE(told);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_along_three_axes),
        cmocka_unit_test(orbit_as_that_of_the_engine),
        cmocka_unit_test(beside_a_drive),
        cmocka_unit_test(a_field_that_ends),
        cmocka_unit_test(linear_wall),
        cmocka_unit_test(damped_wall),
        cmocka_unit_test(hertz_as_that_of_the_engine),
        cmocka_unit_test(gravity_of_an_extended_world),
        cmocka_unit_test(a_bushing_with_crossed_axes),
        cmocka_unit_test(bushing_as_that_of_the_engine),
        cmocka_unit_test(a_bushing_that_tears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
