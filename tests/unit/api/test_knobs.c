// SPDX-License-Identifier: MIT
// Restitution and friction of pairs of materials as parameters of a scene: overridden before a run, and turned while it
// runs. Expected: a ball that falls comes back with the restitution that was set last, and one that slides is braked by mu g.
#include "testing.h"

#include <math.h>

#include "rattleback/rattleback.h"

static const char pair_restitution[] = "contact.Steel.Steel.restitution",
                  pair_friction[] = "contact.Steel.Steel.friction";

// A ball of 0.1 m above a plate, at a height of 0.2 m with a speed.
static RbModel *drop(RbContext *c, double height, double speed) {
    RbSceneBuilder *scene;
    RbModel *model;
    ENSURE(rb_builder_create(c, "drop", &scene) == RB_OK);
    RbSolid plate = rb_solid_default("plate", RB_SOLID_HALFSPACE, "Steel");
    ENSURE(rb_builder_add_solid(scene, &plate, NULL) == RB_OK);
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel");
    ball.diameter = 0.1;
    ball.free = true;
    ball.position[2] = height;
    ball.velocity[0] = speed;
    ENSURE(rb_builder_add_solid(scene, &ball, NULL) == RB_OK);
    ENSURE(rb_builder_finish(scene, &model) == RB_OK);
    return model;
}

static double value(RbRun *run, const char *name) {
    double v = NAN;
    ENSURE(rb_run_get_named(run, name, &v) == RB_OK);
    return v;
}

static RbRun *open_run(RbContext *c, RbModel *model) {
    RbSimOptions options = rb_model_options(model);
    RbRun *run;
    options.tolerance = 1e-8;
    options.stop_time = 2;
    ENSURE(rb_run_open(c, model, &options, &run) == RB_OK);
    return run;
}

// Falls 0.15 m in 0.1749 s; the speed right after the blow follows from that at 0.2 s.
static double rebound(RbRun *run) {
    const double g = 9.81, fall = 0.15, t = sqrt(2 * fall / g);
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 0.2, NULL) == RB_OK);
    return (value(run, "ball.v[3]") + g * (0.2 - t)) / (g * t);
}

static void restitution_is_a_parameter(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModel *model = drop(c, 0.2, 0);
    ENSURE(rb_model_set(model, pair_restitution, 0.8) == RB_OK);
    RbRun *run = open_run(c, model);
    ENSURE(fabs(rebound(run) - 0.8) < 2e-3);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    ENSURE(rb_model_set(model, pair_restitution, 1.5) == RB_ERROR_USAGE);
    rb_context_free(c);
}

static void restitution_is_turned_while_it_runs(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbRun *run = open_run(c, drop(c, 0.2, 0));
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 0.1, NULL) == RB_OK);
    ENSURE(rb_run_set_named(run, pair_restitution, 0.6) == RB_OK);
    ENSURE(fabs(rebound(run) - 0.6) < 2e-3);
    ENSURE(value(run, pair_restitution) == 0.6);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    rb_context_free(c);
}

// On the plate, sliding: v' = -mu g, from the moment at which mu was set, until it rolls.
static void friction_is_turned_while_it_runs(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbRun *run = open_run(c, drop(c, 0.05, 5));
    ENSURE(rb_run_set_named(run, pair_friction, 0) == RB_OK);
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 0.3, NULL) == RB_OK);
    double before = value(run, "ball.v[1]");
    ENSURE(fabs(before - 5) < 1e-6);
    ENSURE(rb_run_set_named(run, pair_friction, 0.1) == RB_OK);
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, 0.6, NULL) == RB_OK);
    ENSURE(fabs(value(run, "ball.v[1]") - (5 - 0.1 * 9.81 * 0.3)) < 2e-3);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    rb_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restitution_is_a_parameter),
        cmocka_unit_test(restitution_is_turned_while_it_runs),
        cmocka_unit_test(friction_is_turned_while_it_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
