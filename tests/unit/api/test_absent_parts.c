// SPDX-License-Identifier: MIT
// What is measured of a part that was removed, or is not there yet, has no value: nothing is triggered by it, what
// follows from it is missing, and what cannot do without it ends the run by name.
#include "testing.h"

#include <math.h>
#include <string.h>

#include "rattleback/rattleback.h"

// clang-format off
#define MODEL(declarations, equations) \
    "model M import Rattleback.*; inner World world(g = 10);\n" \
    "Parts.Solid ball(shape = Shapes.Sphere(0.1), r = {0, 1, 0}, mass = 1), late(shape = Shapes.Sphere(0.1), mass = 1, present = false);\n" \
    "Parts.Body body(m = 1, r_0(start = {0, 2, 0}));\n" \
    "Actions.Remove first(a = \"ball\", at = 0.2), second(a = \"body\", at = 0.3); Actions.Add third(a = \"late\", at = 0.4, r = {0, 3, 0});\n" \
    "Sensors.AbsolutePosition high, lateHigh; Sensors.Presence there, lateThere;\n" \
    "Integer n(start = 0, fixed = true); Real x(start = 0, fixed = true), twice = 2*high.r[2], own = body.r_0[2];\n" declarations \
    " equation connect(high.frame_a, ball.frame_a); connect(there.frame_a, ball.frame_a);\n" \
    "connect(lateHigh.frame_a, late.frame_a); connect(lateThere.frame_a, late.frame_a);\n" equations " end M;"
// clang-format on

static RbContext *context;
static RbRun *run;

static void open_run(const char *text) {
    RbModel *model;
    context = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    source.text = text;
    ENSURE(rb_modelica_translate(context, &source, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 1;
    ENSURE(rb_run_open(context, model, &options, &run) == RB_OK);
}

static void close_run(void) {
    rb_run_close(run, NULL);
    rb_context_free(context);
}

static double value(const char *name) {
    double v = -1;
    ENSURE(rb_run_get_named(run, name, &v) == RB_OK);
    return v;
}

static RbStatus to(double time) {
    return rb_run_step(run, RB_UNTIL_TIME, time, NULL);
}

// Falls are y - 5 t^2.
static void what_is_missing_is_no_number(void **state) {
    (void)state;
    open_run(MODEL("", "der(x) = 1; when (if there.y then high.r[2] else 1) < 0.5 then n = pre(n) "
                       "+ 1; end when;"));
    ENSURE(to(0.1) == RB_OK);
    ENSURE_NEAR(value("high.r[2]"), 0.95, 1e-6);
    ENSURE(value("there.y") == 1 && value("lateThere.y") == 0 && isnan(value("lateHigh.r[2]")));
    ENSURE(to(0.35) == RB_OK);
    ENSURE(isnan(value("high.r[2]")) && isnan(value("twice")) && isnan(value("own")));
    ENSURE(value("there.y") == 0);
    ENSURE(to(0.5) == RB_OK);
    ENSURE_NEAR(value("lateHigh.r[2]"), 3 - 5 * 0.01, 1e-6);
    ENSURE(value("lateThere.y") == 1 && value("n") == 0);
    ENSURE_NEAR(value("x"), 0.5, 1e-9);
    close_run();
}

static const char *last_message(void) {
    return rb_context_message(context, rb_context_message_count(context) - 1);
}

static void conditions_ask_first(void **state) {
    (void)state;
    open_run(MODEL("", "der(x) = 1; when high.r[2] < 0.5 then n = pre(n) + 1; end when;"));
    ENSURE(to(0.1) == RB_OK);
    ENSURE(to(0.5) != RB_OK);
    ENSURE(strstr(last_message(), "high.r[2] < 0.5") && strstr(last_message(), "Sensors.Presence"));
    close_run();
}

static void states_cannot_follow(void **state) {
    (void)state;
    open_run(MODEL("", "der(x) = 3*body.r_0[2]; n = 0;"));
    ENSURE(to(0.25) == RB_OK);
    ENSURE(to(0.5) != RB_OK);
    ENSURE(strstr(last_message(), "der(x)") && strstr(last_message(), "not present"));
    close_run();
}

// The body that was taken away was held by a force of equations; what is left falls freely.
static void forces_on_what_is_gone_vanish(void **state) {
    (void)state;
    open_run(
        "model M import Rattleback.*; inner World world(g = 10); Parts.Body a(m = 1), b(m = 1);\n"
        "Actions.Remove gone(a = \"b\", at = 0.2); Forces.Force pull; equation pull.force = {0, 4, "
        "0};\n"
        "connect(pull.frame_a, a.frame_a); connect(pull.frame_b, b.frame_a); end M;");
    ENSURE(to(0.2) == RB_OK);
    double before = value("a.v_0[2]");
    ENSURE_NEAR(before, -14 * 0.2, 1e-6);
    ENSURE(to(0.5) == RB_OK);
    ENSURE_NEAR(value("a.v_0[2]"), before - 10 * 0.3, 1e-6);
    close_run();
}

// A spring of equations between two bodies pulls no more when one of them is gone.
static void lines_to_what_is_gone_do_not_pull(void **state) {
    (void)state;
    open_run("model M import Rattleback.*; inner World world(g = 10); Parts.Body a(m = 1), b(m = "
             "1, r_0(start = {0, 2, 0}));\n"
             "Actions.Remove gone(a = \"b\", at = 0.2); Forces.LineForceWithMass pull; "
             "Translational.Spring spring(c = 4, s_rel0 = 1);\n"
             "equation connect(pull.flange_a, spring.flange_a); connect(pull.flange_b, "
             "spring.flange_b);\n"
             "connect(pull.frame_a, a.frame_a); connect(pull.frame_b, b.frame_a); end M;");
    ENSURE(to(0.2) == RB_OK);
    double before = value("a.v_0[2]");
    ENSURE(before > -10 * 0.2 + 0.5);
    ENSURE(to(0.5) == RB_OK);
    ENSURE_NEAR(value("a.v_0[2]"), before - 10 * 0.3, 1e-6);
    close_run();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_no_number),
        cmocka_unit_test(conditions_ask_first),
        cmocka_unit_test(states_cannot_follow),
        cmocka_unit_test(forces_on_what_is_gone_vanish),
        cmocka_unit_test(lines_to_what_is_gone_do_not_pull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
