// SPDX-License-Identifier: MIT
// What is wrong with a scene is said by name.
#include "stand.h"

static RbSceneObject moving(const char *name, Vec3 r) {
    RbSceneObject o = rb_solid(name, rb_shape_sphere(0.1), "Steel");
    o.object.moves_freely = true;
    o.object.pose.r = r;
    return o;
}

// The run must fail, and the last message contains the text.
static void refuse(Stand *s, const char *text) {
    s->options.stop_time = 1;
    RbStatus status = stand_go(s);
    ENSURE(status != RB_OK);
    const char *message = fixture_message(&s->f, s->f.diag.messages.count - 1);
    if (!strstr(message, text)) print_error("%s\n", message);
    ENSURE(strstr(message, text) != NULL);
    stand_close(s);
}

static void masses(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbSceneObject ball = moving("ball", V3_ZERO);
    ball.mass = -2;
    rb_scene_add(s.scene, ball);
    refuse(&s, "mass of sphere 'ball' is -2 kg; it must be positive and finite");

    stand_open(&s);
    RbSceneObject point =
        rb_body("point", (RbMassProperties){.mass = 0, .I_CM = m3_diagonal(v3(1, 1, 1))});
    point.object.moves_freely = true;
    rb_scene_add(s.scene, point);
    refuse(&s, "mass of 'point' is 0 kg; it must be positive");

    stand_open(&s);
    RbSceneObject flat =
        rb_body("flat", (RbMassProperties){.mass = 1, .I_CM = m3_diagonal(v3(1, -1, 1))});
    flat.object.moves_freely = true;
    rb_scene_add(s.scene, flat);
    refuse(&s, "inertia tensor of 'flat' is not positive definite: its principal moments are");
}

static void materials(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbSceneObject ball = moving("ball", V3_ZERO);
    ball.solid = "Unobtainium";
    rb_scene_add(s.scene, ball);
    refuse(&s, "unknown material 'Unobtainium' of 'ball'; add it to a material file");

    // A name for pairs that neither a solid nor a pair has.
    stand_open(&s);
    ball = moving("ball", V3_ZERO);
    ball.contact = "Stel";
    rb_scene_add(s.scene, ball);
    rb_scene_add(s.scene, moving("other", v3(0, 1, 0)));
    refuse(&s, "unknown contact material 'Stel' of 'ball'; did you mean 'Steel'?");

    // A pair without data is an error when it touches, and not before.
    stand_open(&s);
    RbSceneObject ground = rb_solid("ground", rb_shape_box(v3(1, 0.1, 1)), "BilliardTable");
    ground.object.pose.r = v3(0, -0.2, 0);
    rb_scene_add(s.scene, ground);
    rb_scene_add(s.scene, moving("ball", V3_ZERO));
    refuse(&s, "'ground' (BilliardTable) and 'ball' (Steel) touch, but there are no contact data "
               "for these materials");
    stand_open(&s);
    rb_scene_add(s.scene, ground);
    rb_scene_add(s.scene, moving("ball", V3_ZERO));
    s.options.stop_time = 0.01;
    ENSURE(stand_go(&s) == RB_OK);
    stand_close(&s);
}

static void start_values(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbSceneObject ball = moving("ball", V3_ZERO);
    ball.object.velocity.y = (double)NAN;
    rb_scene_add(s.scene, ball);
    refuse(&s, "velocity of 'ball' is (0, nan, 0) m/s; it must be finite");

    stand_open(&s);
    rb_scene_add(s.scene, moving("ball", v3(0, (double)INFINITY, 0)));
    refuse(&s, "of 'ball' is (0, inf, 0) m; it must be finite");

    stand_open(&s);
    ball = moving("ball", V3_ZERO);
    ball.object.pose.R.y.z = (double)NAN;
    rb_scene_add(s.scene, ball);
    refuse(&s, "rotation of 'ball' is not finite");

    stand_open(&s);
    rb_scene_add(s.scene, moving("ball", V3_ZERO));
    s.scene->gravity.g.z = (double)NAN;
    refuse(&s, "gravity is (0, -9.81, nan) m/s2; it must be finite");
}

// Two spheres in one place have no direction in which to part.
static void coinciding_objects(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    rb_scene_add(s.scene, moving("one", v3(0, 1, 0)));
    rb_scene_add(s.scene, moving("two", v3(0, 1, 0)));
    refuse(&s, "'one' and 'two' overlap by 0.1 m at the start, more than the elastic law can "
               "describe (0.025 m): place them apart");
    stand_open(&s);
    for (int i = 0; i < 2; i++) {
        RbSceneObject box = moving(i ? "upper" : "lower", V3_ZERO);
        box.shape = rb_shape_box(v3(1, 1, 1));
        rb_scene_add(s.scene, box);
    }
    refuse(&s, "'lower' and 'upper' overlap by 1 m at the start");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses),
        cmocka_unit_test(materials),
        cmocka_unit_test(start_values),
        cmocka_unit_test(coinciding_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
