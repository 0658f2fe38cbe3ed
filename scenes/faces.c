// SPDX-License-Identifier: MIT
// Boxes on boxes: a stack that stands, one that rests on an incline and one that bounces flat.
#include "scenes.h"

static const double degree = 3.14159265358979323846 / 180;

static void ground(RbScene *s, Pose pose) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbSceneObject plate = rb_solid("ground", rb_shape_box(v3(4, 4, 0.2)), "Steel");
    plate.object.pose = (Pose){pose_point(pose, v3(0, 0, -0.1)), pose.R};
    rb_scene_add(s, plate);
}

// Ten cubes of 10 cm and 8 kg, let go 1 mm above each other.
void rb_scene_stack(RbScene *s) {
    const double side = 0.1, gap = 1e-3;
    ground(s, POSE_IDENTITY);
    for (int i = 0; i < 10; i++)
        rb_scene_add_free(s, rb_arena_printf(s->arena, "box%d", i + 1),
                          rb_shape_box(v3(side, side, side)), "Steel",
                          v3(0, 0, (i + 0.5) * side + (i + 1) * gap), V3_ZERO, V3_ZERO);
}

void rb_scene_box_on_incline(RbScene *s, double angle, Vec3 velocity) {
    Mat3 R = m3_rotation(v3(0, 1, 0), angle);
    ground(s, (Pose){V3_ZERO, R});
    int box = rb_scene_add_free(s, "box", rb_shape_box(v3(0.2, 0.15, 0.1)), "Steel",
                                m3_mul_vec(R, v3(0, 0, 0.05)), m3_mul_vec(R, velocity), V3_ZERO);
    s->objects.data[box].object.pose.R = R;
}

// It slides down and stays.
void rb_scene_resting_box(RbScene *s) {
    rb_scene_box_on_incline(s, 10 * degree, v3(0.1, 0, 0));
}

// 1 cm above the ground, every side parallel to it. Each bounce makes some 700 times more of a tilt: after
// four of them rounding decides how it lands.
void rb_scene_flat_drop(RbScene *s) {
    ground(s, POSE_IDENTITY);
    rb_scene_add_free(s, "box", rb_shape_box(v3(0.1, 0.1, 0.1)), "Steel", v3(0, 0, 0.06), V3_ZERO,
                      V3_ZERO);
}
