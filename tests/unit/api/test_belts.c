// SPDX-License-Identifier: MIT
// Belts carry bodies: closed forms of sliding, rolling and of a ramp, with the energy that the drive gives.
#include "testing.h"

#include <math.h>
#include <string.h>

#include "rattleback/rattleback.h"

typedef struct Held {
    RbContext *context;
    RbModel *model;
    RbRun *run;
} Held;

static void ensure_ok(const Held *h, RbStatus status, int line) {
    int count = rb_context_message_count(h->context);
    if (status == RB_OK) return;
    print_error("line %d: %s\n", line, count > 0 ? rb_context_message(h->context, count - 1) : "");
    _fail(__FILE__, line);
}
#define OK(h, call) ensure_ok(h, call, __LINE__)

static RbStatus start(Held *h, const char *text, const char *solver) {
    *h = (Held){.context = rb_context_create(NULL)};
    RbModelica source = rb_modelica_default();
    source.text = text;
    OK(h, rb_modelica_translate(h->context, &source, &h->model));
    RbSimOptions options = rb_model_options(h->model);
    options.tolerance = 1e-8;
    options.stop_time = 10;
    options.solver = solver;
    return rb_run_open(h->context, h->model, &options, &h->run);
}

static void stop(Held *h) {
    OK(h, rb_run_close(h->run, NULL));
    rb_context_free(h->context);
}

static double value(const Held *h, const char *name) {
    double v = NAN;
    OK(h, rb_run_get_named(h->run, name, &v));
    return v;
}

static void go(const Held *h, double time) {
    OK(h, rb_run_step(h->run, RB_UNTIL_TIME, time, NULL));
}

// A belt of 1 m/s along x, turned about z by 0.5 rad with its part; mu = 0.3 for sliding and sticking.
#define MU 0.3
#define ON_BELT(things, how)                                                                       \
    "model M import Rattleback.*; inner World world(gravity = {0, 0, -10});\n"                     \
    "Materials.Pair pair(a = \"Steel\", b = \"Steel\", slidingFriction = 0.3, restitution = 0.3, " \
    "friction = Types.Friction.bristle);\n"                                                        \
    "Parts.Solid table(shape = Shapes.Box(20, 2, 0.2), r = {0, 0, -0.1}, angles = {0, 0, 0.5}, "   \
    "fixed = true);\n"                                                                             \
    "Particles.Belt belt(part = \"table\", v_surface = {1, 0, 0.4}" how ");\n" things " end M;"
#define BOX                                                                                        \
    "Parts.Solid thing(shape = Shapes.Box(0.2, 0.2, 0.1), r = {0, 0, 0.05}, angles = {0, 0, "      \
    "0.5}, "                                                                                       \
    "mass = 2);"
#define BALL "Parts.Solid thing(shape = Shapes.Sphere(0.1), r = {0, 0, 0.05}, mass = 2);"

static double along(const Held *h, const char *what) {
    char x[64], y[64];
    snprintf(x, sizeof x, "%s[1]", what);
    snprintf(y, sizeof y, "%s[2]", what);
    return value(h, x) * cos(0.5) + value(h, y) * sin(0.5);
}

static const char *const solvers[] = {"cvode", "islands"};

// v = mu g t until it is that of the belt; the drive gives twice what the box has then, friction takes half of it.
static void a_box_slides_until_it_is_carried(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Held h;
        OK(&h, start(&h, ON_BELT(BOX, ""), solvers[k]));
        double until = 1 / (MU * 10);
        go(&h, 0.5 * until);
        ENSURE_NEAR(along(&h, "thing.v_0"), 0.5, 2e-3);
        go(&h, 3 * until);
        ENSURE_NEAR(along(&h, "thing.v_0"), 1, 1e-3);
        ENSURE_NEAR(along(&h, "thing.r_0"), 0.5 * until + 2 * until, 2e-3);
        ENSURE_NEAR(value(&h, "energy.input"), 2, 1e-2);
        ENSURE_NEAR(value(&h, "energy.friction"), 1, 1e-2);
        ENSURE_NEAR(value(&h, "energy.residual"), 0, 1e-5);
        stop(&h);
    }
}

// A ball slides until it rolls on the belt: two sevenths of its speed.
static void a_ball_rolls_on_it(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Held h;
        OK(&h, start(&h, ON_BELT(BALL, ""), solvers[k]));
        go(&h, 0.5);
        ENSURE_NEAR(along(&h, "thing.v_0"), 2. / 7, 1e-3);
        ENSURE_NEAR(value(&h, "energy.residual"), 0, 1e-5);
        stop(&h);
    }
}

// A belt that starts slowly takes the box along without slipping.
static void a_ramp_takes_it_along(void **state) {
    (void)state;
    Held h;
    OK(&h, start(&h, ON_BELT(BOX, ", startTime = 0.5, rampTime = 1"), "cvode"));
    go(&h, 0.5);
    ENSURE_NEAR(along(&h, "thing.r_0"), 0, 1e-6);
    go(&h, 1);
    ENSURE_NEAR(along(&h, "thing.v_0"), 0.5, 2e-3);
    ENSURE_NEAR(along(&h, "thing.r_0"), 0.125, 2e-3);
    go(&h, 2.5);
    ENSURE_NEAR(along(&h, "thing.v_0"), 1, 2e-3);
    ENSURE_NEAR(along(&h, "thing.r_0"), 0.5 + 1, 4e-3);
    stop(&h);
}

static void what_is_no_belt_is_refused(void **state) {
    (void)state;
    Held h;
    RbStatus status = start(
        &h, ON_BELT(BOX " Particles.Belt other(part = \"tabel\", v_surface = {1, 0, 0});", ""),
        "cvode");
    ENSURE(status == RB_ERROR_MODEL);
    int count = rb_context_message_count(h.context);
    ENSURE(strstr(rb_context_message(h.context, count - 1), "did you mean 'table'"));
    rb_context_free(h.context);
    status = start(
        &h, ON_BELT(BOX " Particles.Belt other(part = \"table\", v_surface = {1, 0, 0});", ""),
        "cvode");
    ENSURE(status == RB_ERROR_MODEL);
    count = rb_context_message_count(h.context);
    ENSURE(strstr(rb_context_message(h.context, count - 1), "second belt"));
    rb_context_free(h.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_slides_until_it_is_carried),
        cmocka_unit_test(a_ball_rolls_on_it),
        cmocka_unit_test(a_ramp_takes_it_along),
        cmocka_unit_test(what_is_no_belt_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
