// SPDX-License-Identifier: MIT
// Actions that come again, and actions about fixed parts. Everything falls by g t^2/2.
#include "testing.h"

#include <math.h>
#include <string.h>

#include "rattleback/rattleback.h"

static RbContext *context;
static RbRun *run;

static void open_run(const char *text) {
    RbModel *model;
    context = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    source.text = text;
    ENSURE(rb_modelica_translate(context, &source, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 2;
    options.tolerance = 1e-9;
    ENSURE(rb_run_open(context, model, &options, &run) == RB_OK);
}

static void close_run(void) {
    rb_run_close(run, NULL);
    rb_context_free(context);
}

static double at(double time, const char *name) {
    double v = NAN;
    RbStatus status = rb_run_step(run, RB_UNTIL_TIME, time, NULL);
    if (status != RB_OK)
        print_error("%s\n", rb_context_message(context, rb_context_message_count(context) - 1));
    ENSURE(status == RB_OK);
    ENSURE(rb_run_get_named(run, name, &v) == RB_OK);
    return v;
}

// It lies on the wall for 0.5 s.
static void what_lies_on_a_removed_wall_falls(void **state) {
    (void)state;
    open_run("model M import Rattleback.*; inner World world(g = 10); Parts.Solid wall(shape = "
             "Shapes.Box(1, 1, 1), r = {0, -0.5, 0}, fixed = true), ball(shape = "
             "Shapes.Sphere(0.1), r = {0, "
             "0.05, 0}); Actions.Remove gone(a = \"wall\", at = 0.5); end M;");
    ENSURE_NEAR(at(0.499, "ball.r_0[2]"), 0.05, 1e-5);
    ENSURE_NEAR(at(1, "ball.r_0[2]"), 0.05 - 5 * 0.25, 1e-3);
    close_run();
}

// It falls through where the wall is not yet, and cannot at the second one, which came in time.
static void a_fixed_part_that_is_added_stays(void **state) {
    (void)state;
    open_run(
        "model M import Rattleback.*; inner World world(g = 10); Parts.Solid wall(shape = "
        "Shapes.Box(1, 1, 1), r = {9, 0, 0}, fixed = true, present = false), ball(shape = "
        "Shapes.Sphere(0.1), r = {0, 5.05, 0}); Actions.Add comes(a = \"wall\", at = 0.5, r = {0, "
        "-0.5, 0}); end M;");
    ENSURE_NEAR(at(0.9, "ball.r_0[2]"), 5.05 - 5 * 0.81, 1e-6);
    ENSURE(at(1.3, "ball.r_0[2]") > 0.05);
    ENSURE(at(2, "ball.r_0[2]") > 0.04);
    close_run();
}

// Released at 0.026 s; the signal rises again each 0.31 s. Attached by a signal likewise.
static void signals_may_rise_again(void **state) {
    (void)state;
    const char *text =
        "model M import Rattleback.*; inner World world(g = 10); Parts.Body a(m = 1), b(m = 1, "
        "r_0(start = {1, 0, 0}), v_0(start = {0, 1, 0})); Actions.Attach hold(a = \"a\", b = "
        "\"b\", at = "
        "1); Actions.AttachWhen again(a = \"a\", b = \"b\", trigger = time > 1.1 and time < "
        "1.2 or time > 1.3); Actions.ReleaseWhen r(a = \"a\", b = \"b\", trigger = "
        "sin(20*time) > 0.5 and (time < 0.9 or time > 1.5)); end M;";
    open_run(text);
    ENSURE_NEAR(at(0.8, "b.v_0[2]"), 1 - 8, 1e-6);
    ENSURE_NEAR(at(1.45, "a.r_0[2]") + at(1.45, "b.r_0[2]"), 1.45 - 2 * 5 * 1.45 * 1.45, 1e-6);
    at(2, "a.v_0[2]");
    close_run();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_on_a_removed_wall_falls),
        cmocka_unit_test(a_fixed_part_that_is_added_stays),
        cmocka_unit_test(signals_may_rise_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
