// SPDX-License-Identifier: MIT
// Bodies that fall on a plate (Appendix B.1 to B.4), each three times: described in frames whose
// axes are permuted, so that the three motions are the same in permuted coordinates.
#include "scenes.h"

static const double degree = 3.14159265358979323846 / 180; // [rad]

static Quat cardan(double x, double y, double z) {
    return q_from_cardan(v3(x * degree, y * degree, z * degree));
}

// Frame k = 0, 1, 2: its x, y or z axis takes the place of the world's z axis.
static int add_frame(RbScene *s, int k, double y0) {
    static const char *const names[] = {"frameX", "frameY", "frameZ"};
    Quat turned[] = {cardan(-90, 0, -90), cardan(90, 90, 0), Q_IDENTITY};
    return rb_scene_add(
        s, rb_frame_object(names[k], 0, (Pose){.R = q_matrix(turned[k]), .r = v3(k - 1, y0, 1)}));
}

// Vectors given for frame Z: x to y to z to x, k + 1 times.
static Vec3 permute(Vec3 v, int k) {
    for (int i = 0; i < (k + 1) % 3; i++) v = v3(v.z, v.x, v.y);
    return v;
}

// tilt [deg] about the axis before its own; speed along the axis after its own; spin [rad/s] about
// its own axis, in its own frame.
typedef struct Fall {
    const char *material;
    double y0, tilt, speed, spin;
    double ground; // [m] length of the plate
} Fall;

static void add_body(RbScene *s, const char *name, RbShape shape, int k, const Fall *fall) {
    RbSceneObject o = rb_solid(name, shape, fall->material);
    o.object.parent = add_frame(s, k, fall->y0);
    o.object.moves_freely = true;
    Vec3 angles = permute(v3(fall->tilt, 0, 0), k);
    Quat q = cardan(angles.x, angles.y, angles.z); // only one of them is not zero
    o.object.pose.R = q_matrix(q);
    o.object.velocity = permute(v3(fall->speed, 0, 0), k);
    o.object.angular_velocity = q_rotate(q, permute(v3(0, 0, fall->spin), k));
    rb_scene_add(s, o);
}

static void fall_on_plate(RbScene *s, const char *const names[3], RbShape (*shape)(int axis),
                          Fall fall) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbSceneObject ground = rb_solid("ground", rb_shape_box(v3(fall.ground, 3, 0.1)), fall.material);
    ground.object.pose.r = v3(0, 0, -0.05);
    rb_scene_add(s, ground);
    for (int k = 0; k < 3; k++) add_body(s, names[k], shape(k + 1), k, &fall);
}

static RbShape capsule(int axis) {
    return rb_shape_capsule(axis, 0.4, 1);
}
static RbShape cone(int axis) {
    return rb_shape_cone(axis, 0.4, 1, 0);
}
static RbShape frustum(int axis) {
    return rb_shape_cone(axis, 0.4, 1, 0.3);
}
static RbShape beam(int axis) {
    return rb_shape_beam(axis, 1, 0.4, 0.2);
}

void rb_scene_capsules(RbScene *s) {
    fall_on_plate(s, (const char *const[]){"capsuleX", "capsuleY", "capsuleZ"}, capsule,
                  (Fall){"Steel", 0, -60, 1, 0, 5});
}

void rb_scene_cones(RbScene *s) {
    fall_on_plate(s, (const char *const[]){"coneX", "coneY", "coneZ"}, cone,
                  (Fall){"DryWood", -0.5, -60, 1, 0, 5});
}

void rb_scene_frustums(RbScene *s) {
    fall_on_plate(s, (const char *const[]){"coneX", "coneY", "coneZ"}, frustum,
                  (Fall){"DryWood", -0.5, -60, 1, 0, 5});
}

void rb_scene_beams(RbScene *s) {
    fall_on_plate(s, (const char *const[]){"beamX", "beamY", "beamZ"}, beam,
                  (Fall){"DryWood", 0, -50, 2, 2, 7});
}
