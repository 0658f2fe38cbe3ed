// SPDX-License-Identifier: MIT
// Grains beside parts that equations place, and grains that leave: where parts are counts, not where they are drawn;
// mass is that of whole grains at every time.
#include "testing.h"

#include <math.h>
#include <string.h>

#include "rattleback/rattleback.h"

static RbContext *context;
static RbRun *run;

static RbStatus open_run(const char *text) {
    RbModel *model;
    context = rb_context_create(NULL);
    RbModelica source = rb_modelica_default();
    source.text = text;
    ENSURE(rb_modelica_translate(context, &source, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 1;
    options.output_interval = 1e-3;
    return rb_run_open(context, model, &options, &run);
}

static double value(const char *name) {
    double v = -1;
    ENSURE(rb_run_get_named(run, name, &v) == RB_OK);
    return v;
}

// clang-format off
#define PLATE(place) \
    "model M import Rattleback.*; inner World world(g = 9.81); Contact.Moved mover; Contact.CollisionBody plate(shape = Shapes.Box(0.4, 0.1, 0.4));\n" \
    "Particles.Grid grains(n = 27, radius = 0.01, low = fill(-0.04, 3), high = fill(0.04, 3));\n" \
    "equation mover.r = {0, " place " - 0.1*time, 0}; connect(mover.frame_b, plate.frame_a); end M;"
// clang-format on

static void plates_are_where_equations_place_them(void **state) {
    (void)state;
    ENSURE(open_run(PLATE("-2")) == RB_OK);
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 0.02, NULL) == RB_OK);
    ENSURE(value("grains.count") == 27);
    rb_run_close(run, NULL);
    rb_context_free(context);
}

static void grains_in_plates_are_refused(void **state) {
    (void)state;
    RbStatus status = open_run(PLATE("0.02"));
    if (status == RB_OK) status = rb_run_step(run, RB_UNTIL_TIME, 0.02, NULL);
    ENSURE(status != RB_OK);
    const char *said = rb_context_message(context, rb_context_message_count(context) - 1);
    ENSURE(strstr(said, "27 grains") && strstr(said, "'plate'"));
    rb_context_free(context);
}

// Nothing moves for a tenth of a second; then the plate starts and hits the grain after 15 mm at sqrt(2 a 0.015), which flies off
// at 1 + e times that (e is at least 0.3); later blows make it faster, but never faster than twice the plate.
static void a_plate_that_starts_meets_its_grain(void **state) {
    (void)state;
    static const double accelerations[] = {10, 20, 50, 150};
    for (int i = 0; i < 4; i++) {
        char text[1000];
        double a = accelerations[i];
        snprintf(text, sizeof text,
                 "model M import Rattleback.*; inner World world(gravityType = "
                 "World.GravityType.NoGravity); Joints.Prismatic rail(n = {1, 0, 0}, canCollide = "
                 "true); Parts.Solid wall(shape = Shapes.Box(0.02, 0.2, 0.2), r_shape = {-0.01, 0, "
                 "0}, mass = 10); Forces.WorldForce f; Particles.Grid g(n = 1, radius = 0.008, low "
                 "= {0.015, -0.009, -0.009}, high = {0.034, 0.009, 0.009}, E = 1e7);\n"
                 "equation connect(world.frame_b, rail.frame_a); connect(rail.frame_b, "
                 "wall.frame_a); connect(f.frame_b, wall.frame_a); f.force = {if time < 0.1 then 0 "
                 "else %g, 0, 0}; end M;",
                 10 * a);
        ENSURE(open_run(text) == RB_OK);
        ENSURE(rb_run_step(run, RB_UNTIL_TIME, 0.2, NULL) == RB_OK);
        double speed = sqrt(2 * value("grains.kinetic") / value("grains.mass"));
        ENSURE_NEAR(value("rail.v"), a * 0.1, 0.01 * a * 0.1);
        ENSURE(speed > 1.3 * sqrt(2 * a * 0.015) && speed < 2 * value("rail.v"));
        rb_run_close(run, NULL);
        rb_context_free(context);
    }
}

static void mass_is_that_of_whole_grains(void **state) {
    (void)state;
    ENSURE(
        open_run("model M import Rattleback.*; inner World world(g = 9.81);\n"
                 "Particles.Random grains(n = 200, radius = 0.004, low = {0, 0, 0}, high = {0.1, "
                 "0.2, 0.1});\n"
                 "Particles.Sink sink(low = {-1, -1, -1}, high = {1, -0.02, 1}); end M;") == RB_OK);
    double one = 2500 * 4 * 3.14159265358979 / 3 * pow(0.004, 3);
    int between = 0;
    for (double t = 0; t < 0.25; t += 1e-3) {
        ENSURE(rb_run_step(run, RB_UNTIL_TIME, t, NULL) == RB_OK);
        double count = value("grains.count");
        ENSURE_NEAR(value("grains.mass") / one, count, 1e-9);
        between += count > 0 && count < 200;
    }
    ENSURE(between > 50);
    rb_run_close(run, NULL);
    rb_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plates_are_where_equations_place_them),
        cmocka_unit_test(grains_in_plates_are_refused),
        cmocka_unit_test(a_plate_that_starts_meets_its_grain),
        cmocka_unit_test(mass_is_that_of_whole_grains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
