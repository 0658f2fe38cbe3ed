// SPDX-License-Identifier: MIT
// A start at rest: forces balance at the first row, nothing moves in the first second, and where bodies are follows from statics.
#include <math.h>

#include "translate/run_model.h"

static const double g = 9.81; // [m/s2]

static void open_class(Run *r, const char *class) {
    char full[96];
    snprintf(full, sizeof full, "SteadyStart.%s", class);
    model_open(r, "SteadyStart.mo", full);
}

static double first(Run *r, const char *name) {
    return run_series(r, name)[0];
}

// A coordinate that must stay where it is to 1e-9, and whose speed has no derivative at the start: 1e-8 of g.
static void stays(Run *r, const char *coordinate, const char *acceleration) {
    const double *x = run_series(r, coordinate);
    for (size_t i = 0; i < r->result->row_count; i++) ENSURE_NEAR(x[i], x[0], 1e-9);
    ENSURE_NEAR(first(r, acceleration), 0, 1e-8 * g);
}

// The same of a body that moves freely: its place.
static void rests(Run *r, const char *body) {
    char place[64], acceleration[64];
    for (int k = 1; k <= 3; k++) {
        snprintf(place, sizeof place, "%s.r_0[%d]", body, k);
        snprintf(acceleration, sizeof acceleration, "der(%s.v_0[%d])", body, k);
        stays(r, place, acceleration);
    }
}

static void go(Run *r, const char *class) {
    open_class(r, class);
    model_go(r);
    ENSURE_NEAR(model_last(r, "energy.residual"), 0, 1e-9);
}

// m g = 4/3 E* sqrt(R) depth^1.5, with two halves of steel: E* = E/(2 (1 - nu^2)).
static void depth_by_hertz(void **state) {
    (void)state;
    Run r;
    const double pi = 3.14159265358979323846, R = 0.05, m = 8000 * 4 * pi / 3 * R * R * R;
    const double modulus = 2e11 / (2 * (1 - 0.3 * 0.3));
    double depth = pow(m * g / (4.0 / 3 * modulus * sqrt(R)), 2.0 / 3);
    go(&r, "Sphere");
    rests(&r, "ball");
    ENSURE_NEAR(first(&r, "ball.r_0[3]"), R - depth,
                1.5e-12);                              // contacts begin at a distance of 1e-12 m
    ENSURE_NEAR(first(&r, "ball.r_0[1]"), 0.3, 1e-15); // not moved along the table
    ENSURE_NEAR(first(&r, "ball.r_0[2]"), 0.2, 1e-15);
    run_close(&r);
}

// What each layer carries is the weight above it.
static void weights_add_up(void **state) {
    (void)state;
    Run r;
    const double pi = 3.14159265358979323846;
    double a = 8000 * 0.004 * g, b = 700 * 0.004 * g, c = 8000 * pi * 0.0025 * 0.1 * g,
           lying = 8000 * pi * 0.0025 * 0.3 * g;
    go(&r, "Stack");
    const char *const bodies[] = {"a", "b", "c", "lying"};
    for (int i = 0; i < 4; i++) rests(&r, bodies[i]);
    double all = a + b + c + lying;
    ENSURE_NEAR(first(&r, "floor.force[3]"), -all, 1e-8 * all);
    ENSURE_NEAR(first(&r, "on_a.force[3]"), -(b + c), 1e-8 * all);
    ENSURE_NEAR(first(&r, "on_b.force[3]"), -c, 1e-8 * all);
    run_close(&r);
}

// The upper ball of weight W stands on two that are a diameter apart: 30 degrees from the vertical, so it presses each against
// its wall by W/2 tan(30 degrees), up to what a millionth of a diameter of depth does to the angle.
static void balls_on_each_other(void **state) {
    (void)state;
    Run r;
    const double pi = 3.14159265358979323846;
    double weight = 8000 * 4 * pi / 3 * 0.05 * 0.05 * 0.05 * g;
    go(&r, "Balls");
    rests(&r, "ball[1]");
    rests(&r, "ball[2]");
    rests(&r, "ball[3]");
    ENSURE_NEAR(first(&r, "floor.force[3]"), -3 * weight, 1e-8 * weight);
    ENSURE_NEAR(first(&r, "wall.force[1]"), -weight / 2 * tan(pi / 6), 1e-4 * weight);
    run_close(&r);
}

static void springs_as_long_as_loads(void **state) {
    (void)state;
    Run r;
    go(&r, "Springs");
    double upper = -5 * g / 400, lower = upper - 1 - 3 * g / 100;
    stays(&r, "slide.s", "der(slide.v)");
    rests(&r, "lower");
    ENSURE_NEAR(first(&r, "slide.s"), upper, 1e-12);
    ENSURE_NEAR(first(&r, "lower.r_0[3]"), lower, 1e-12);
    run_close(&r);
}

// Moments about the hinge, positive downwards: weight m g l cos(phi), gear 50 times the spring of the motor, post N at its point.
static void driven_arm_on_a_post(void **state) {
    (void)state;
    Run r;
    go(&r, "Arm");
    double phi = first(&r, "hinge.phi"), fx = first(&r, "touch.force[1]"),
           fz = first(&r, "touch.force[3]"), x = first(&r, "touch.point[1]"),
           z = first(&r, "touch.point[3]");
    stays(&r, "hinge.phi", "hinge.a");
    double weight = 8000 * 0.01 * g * 0.5 * cos(phi), spring = 50 * 0.1 * (-40 - 50 * phi),
           post = z * fx - x * fz;
    ENSURE(-post > 100); // it carries a part, and so does the motor
    ENSURE(spring < -100);
    ENSURE_NEAR(weight + spring + post, 0, 1e-8 * weight);
    ENSURE_NEAR(first(&r, "hinge.tau"), spring, 1e-8 * weight);
    run_close(&r);
}

// The integrator holds what the weight asks for; a clock goes on, since no body depends on it.
static void controller_in_steady_state(void **state) {
    (void)state;
    Run r;
    go(&r, "Servo");
    stays(&r, "hinge.phi", "hinge.a");
    ENSURE_NEAR(first(&r, "hinge.phi"), 0.1, 1e-10);
    double torque = -8000 * 0.01 * g * 0.5 * cos(0.1) / 50;
    ENSURE_NEAR(first(&r, "filtered"), torque, 1e-8);
    ENSURE_NEAR(first(&r, "sum"), torque / 10, 1e-8);
    ENSURE_NEAR(first(&r, "clock"), 0, 0);
    ENSURE_NEAR(model_last(&r, "clock"), 1, 1e-6);
    run_close(&r);
}

// A parallelogram hangs straight down: its rockers at -90 degrees, its coupler level.
static void loop_hangs(void **state) {
    (void)state;
    Run r;
    const double pi = 3.14159265358979323846;
    go(&r, "Loop");
    stays(&r, "j1.phi", "der(j1.w)");
    ENSURE_NEAR(remainder(first(&r, "j1.phi") + pi / 2, 2 * pi), 0, 1e-10);
    ENSURE_NEAR(remainder(first(&r, "j1.phi") + first(&r, "j2.phi"), 2 * pi), 0, 1e-10);
    run_close(&r);
}

static void friction_holds(void **state) {
    (void)state;
    Run r;
    go(&r, "HeldByFriction");
    rests(&r, "box");
    double m = 8000 * 0.004;
    ENSURE_NEAR(first(&r, "floor.force[1]"), m * 1, 1e-8 * m * g);
    ENSURE_NEAR(first(&r, "floor.force[3]"), -m * g, 1e-8 * m * g);
    run_close(&r);
}

static bool says(Run *r, const char *words) {
    for (int i = 0; i < r->f.diag.messages.count; i++)
        if (strstr(fixture_message(&r->f, i), words)) return true;
    model_messages(r);
    return false;
}

// Nothing is made of what cannot rest: it starts as it was given, and that is told.
static void falling_is_told(void **state) {
    (void)state;
    Run r;
    go(&r, "Falling");
    rests(&r, "lies");
    ENSURE_NEAR(first(&r, "high.r_0[3]"), 0.35, 0);
    ENSURE_NEAR(model_last(&r, "high.r_0[3]"), 0.35 - g * 0.01 / 2, 1e-10);
    ENSURE_NEAR(first(&r, "thrown.v_0[3]"), 1, 0);
    ENSURE_NEAR(model_last(&r, "thrown.r_0[3]"), 0.35 + 0.1 - g * 0.01 / 2, 1e-10);
    ENSURE(says(&r,
                "warning: 'high' touches nothing that could hold it: it starts where it was put, "
                "and falls"));
    ENSURE(says(&r, "warning: 'thrown' has a speed at the start: it starts as it was given, not at "
                    "rest"));
    assert_int_equal(r.f.diag.messages.count, 2);
    run_close(&r);
}

static void refused(const char *class, double blocked, const char *words) {
    Run r;
    open_class(&r, class);
    if (blocked != 0) run_set(&r, "blocked", blocked);
    ENSURE(run_go(&r) != RB_OK);
    ENSURE(says(&r, words));
    run_close(&r);
}

static void what_is_left_over(void **state) {
    (void)state;
    // The slope accelerates 4 kg by 1 m/s2; the rest of the force is a rounding.
    refused("Rolling", 0, "no start at rest was found: a force of (4, 0, ");
    refused("Rolling", 0,
            " is left over on 'ball': let something hold it, or start without steadyStart");
    // A level rod with l = 0.5 m and J = 0.001 kg.m2: m g m l^2/(m l^2 + J) at its centre of mass.
    refused("Fixed", 0,
            "no start at rest was found: a force of (0, -19.5808, 0) N, 0.998 of its weight, is "
            "left over on 'rod': let something hold it, or start without steadyStart");
    // The arm cannot come as far as its integrator wants.
    refused("Servo", 1,
            "no start at rest was found: 'sum', on which bodies depend, goes on changing");
}

// Initial equations ask for accelerations of joints and sensors that are zero: angles and parameters follow. Moments of the
// weights about both hinges, and of the springs.
static void accelerations_zero(void **state) {
    (void)state;
    Run r;
    go(&r, "Angles");
    double a = first(&r, "one.phi"), b = first(&r, "two.phi");
    double outer = 1 * g * 0.5 * cos(a + b);
    ENSURE_NEAR(outer + 10 * b, 0, 1e-8);
    ENSURE_NEAR(2 * g * 0.5 * cos(a) + 1 * g * cos(a) + outer + 30 * a, 0, 1e-8);
    stays(&r, "one.phi", "one.a");
    stays(&r, "two.phi", "two.a");
    run_close(&r);
    go(&r, "Torque");
    ENSURE_NEAR(model_last(&r, "tau"), 2 * g * 0.5 * cos(0.5), 1e-8);
    stays(&r, "hinge.phi", "hinge.a");
    run_close(&r);
    go(&r, "Slide");
    ENSURE_NEAR(first(&r, "slide.s"), -2 * g / 100, 1e-9);
    stays(&r, "slide.s", "slide.a");
    run_close(&r);
    go(&r, "Thrust");
    ENSURE_NEAR(model_last(&r, "f"), 2 * g, 1e-8);
    rests(&r, "body");
    run_close(&r);
}

// The ball is below the end of its rod, which pulls with its weight, and the bell turns by the angle between its lever (0.3, -0.4)
// and the vertical.
static void bodies_without_joints_hang(void **state) {
    (void)state;
    Run r;
    go(&r, "HungFreely");
    ENSURE_NEAR(first(&r, "ball.r_0[1]"), 0, 1e-9);
    ENSURE_NEAR(first(&r, "ball.r_0[3]"), -0.5, 1e-9);
    ENSURE_NEAR(first(&r, "rod.f_rod"), -2 * g, 1e-7);
    ENSURE_NEAR(first(&r, "bell.angles_0[2]"), atan2(0.3, 0.4), 1e-8);
    rests(&r, "ball");
    rests(&r, "bell");
    run_close(&r);
    // Across the rod, 0.6 m g are left: times (-0.8, -0.6).
    refused("HungAside", 0,
            "no start at rest was found: a force of (-9.4176, 0, -7.0632) N, 0.6 of its weight, is "
            "left over on 'ball'");
}

// Torques of rounding are not weighed with a lever of rounding.
static void meshes_rest_on_meshes(void **state) {
    (void)state;
    Run r;
    go(&r, "OnRails");
    rests(&r, "shaft");
    double z = first(&r, "shaft.r_0[3]");
    ENSURE(z < 0.05 && z > 0.0499); // a facet of 48 is at 0.05 cos(pi/48) = 0.04989
    run_close(&r);
}

// atan(1/3) = 0.32175: what stands on a steeper slope is not told to stand on nothing.
static void toppling_is_told(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Topples");
    model_go(&r);
    ENSURE_NEAR(first(&r, "post.r_0[3]"), 0.15, 0);
    ENSURE(says(&r, "warning: 'post' finds no rest on what it touches, where it would slide or tip "
                    "over: it starts where it was put, not at rest"));
    assert_int_equal(r.f.diag.messages.count, 1);
    run_close(&r);
}

// The torque that was left over, of roundings, was seen against a distance of roundings.
static void flexible_beam_carries_a_mass_halfway(void **state) {
    (void)state;
    Run r;
    open_class(&r, "LoadedInTheMiddle");
    model_go(&r);
    const double L = 1, x = 0.5, A = 4e-4, EI = 1e10 * A * A / 12, kGA = 5.0 / 6 * 5e9 * A;
    double q = 1000 * A * g;
    double load = g * x * x * x / (3 * EI) + g * x / kGA;
    double own =
        q * x * x * (6 * L * L - 4 * L * x + x * x) / (24 * EI) + q * (L * x - x * x / 2) / kGA;
    ENSURE_NEAR(first(&r, "sag.r_rel[2]"), -(load + own), 2e-3 * (load + own));
    assert_int_equal(r.f.diag.messages.count, 0);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_by_hertz),
        cmocka_unit_test(weights_add_up),
        cmocka_unit_test(balls_on_each_other),
        cmocka_unit_test(springs_as_long_as_loads),
        cmocka_unit_test(driven_arm_on_a_post),
        cmocka_unit_test(controller_in_steady_state),
        cmocka_unit_test(loop_hangs),
        cmocka_unit_test(friction_holds),
        cmocka_unit_test(falling_is_told),
        cmocka_unit_test(what_is_left_over),
        cmocka_unit_test(accelerations_zero),
        cmocka_unit_test(bodies_without_joints_hang),
        cmocka_unit_test(meshes_rest_on_meshes),
        cmocka_unit_test(toppling_is_told),
        cmocka_unit_test(flexible_beam_carries_a_mass_halfway),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
