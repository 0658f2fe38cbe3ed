// SPDX-License-Identifier: MIT
// label: normal
// Faces that meet: one force at the centre of the patch, which is said once.
#include "stand.h"

static const double g = 9.81;                // [m/s2]
static const double E = 1.1e10, nu = 0.4;    // DryWood
static const double side = 0.1, rho = 700.0; // [m], [kg/m3]

static const char *const told = "meet face to face: their contact is approximate";

static void add_plate(Stand *s) {
    s->scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    s->listen_for = told;
    RbSceneObject plate = rb_solid("plate", rb_shape_box(v3(1, 1, 0.1)), "DryWood");
    plate.object.pose.r = v3(0, 0, -0.05);
    rb_scene_add(s->scene, plate);
}

// K = 4/3 E* sqrt(R) with R = r1 r2/(r1 + r2) for two flat ones (r = half the shortest edge):
// what carries the load [N] has this depth [m].
static double depth_under(double load) {
    double K = 4.0 / 3 * (E / (2 * (1 - nu * nu))) * sqrt(0.5 * (0.5 * side));
    return pow(load / K, 2.0 / 3);
}

static double upright(Stand *s, const char *name) {
    return q_rotate(q_unit(stand_quat(s, name)), v3(0, 0, 1)).z;
}

// A box that drops flat comes to rest flat, as deep as its weight presses it in.
static void box_rests_on_its_face(const char *solver) {
    Stand s;
    stand_open(&s);
    add_plate(&s);
    s.options.solver = solver;
    rb_scene_add_free(s.scene, "box", rb_shape_box(v3(side, side, side)), "DryWood",
                      v3(0, 0, 0.5 * side + 1e-3), V3_ZERO, V3_ZERO);
    stand_run(&s, 2, 1e-7);
    double weight = rho * side * side * side * g;
    Vec3 r = stand_vector(&s, "box", "r");
    assert_int_equal(s.heard, 1); // though it bounced several times
    ENSURE(stand_starts(&s) > 2);
    ENSURE_NEAR(r.z, 0.5 * side - depth_under(weight), 1e-8);
    ENSURE_NEAR(r.x, 0, 1e-9);
    ENSURE_NEAR(upright(&s, "box"), 1, 1e-12);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-6 * weight * side);
    stand_close(&s);
}

static void box_rests(void **state) {
    (void)state;
    box_rests_on_its_face("islands");
    box_rests_on_its_face("cvode");
}

// Two boxes on each other: the lower contact carries both. One line for each pair.
static void stack_of_two(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    add_plate(&s);
    rb_scene_add_free(s.scene, "lower", rb_shape_box(v3(side, side, side)), "DryWood",
                      v3(0, 0, 0.5 * side), V3_ZERO, V3_ZERO);
    rb_scene_add_free(s.scene, "upper", rb_shape_box(v3(side, side, side)), "DryWood",
                      v3(0, 0, 1.5 * side), V3_ZERO, V3_ZERO);
    stand_run(&s, 1, 1e-7);
    double weight = rho * side * side * side * g;
    assert_int_equal(s.heard, 2);
    double low = 0.5 * side - depth_under(2 * weight);
    ENSURE_NEAR(stand_vector(&s, "lower", "r").z, low, 1e-8);
    ENSURE_NEAR(stand_vector(&s, "upper", "r").z, low + side - depth_under(weight), 1e-8);
    ENSURE_NEAR(upright(&s, "upper"), 1, 1e-12);
    stand_close(&s);
}

// A box that stands on an edge, a cylinder that lies, and a ball have points or lines where they
// touch; a cylinder that stands has a face.
static void only_faces_are_told(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    add_plate(&s);
    int box = rb_scene_add_free(s.scene, "box", rb_shape_box(v3(side, side, side)), "DryWood",
                                v3(0, 0, 0.5 * side * sqrt(2) + 1e-3), V3_ZERO, V3_ZERO);
    s.scene->objects.data[box].object.pose.R = m3_rotation(v3(1, 0, 0), 0.8);
    rb_scene_add_free(s.scene, "ball", rb_shape_sphere(side), "DryWood",
                      v3(0.3, 0, 0.5 * side + 1e-3), V3_ZERO, V3_ZERO);
    rb_scene_add_free(s.scene, "lies", rb_shape_cylinder(1, side, side), "DryWood",
                      v3(-0.3, 0, 0.5 * side + 1e-3), V3_ZERO, V3_ZERO);
    stand_run(&s, 0.03, 1e-7);
    ENSURE(stand_starts(&s) >= 3);
    assert_int_equal(s.heard, 0);
    stand_close(&s);

    stand_open(&s);
    add_plate(&s);
    rb_scene_add_free(s.scene, "stands", rb_shape_cylinder(3, side, side), "DryWood",
                      v3(0, 0, 0.5 * side + 1e-3), V3_ZERO, V3_ZERO);
    stand_run(&s, 0.03, 1e-7);
    assert_int_equal(s.heard, 1);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_rests),
        cmocka_unit_test(stack_of_two),
        cmocka_unit_test(only_faces_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
