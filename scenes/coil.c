// SPDX-License-Identifier: MIT
// A coil spring of rigid pieces joined by springs and dampers, whose coils may meet; a push on its upper cap
// (Hofmann et al. 2014, section 4.3: 200 N for 0.01 s).
#include <math.h>

#include "scenes.h"

static const double pi = 3.14159265358979323846;

enum { COILS = RB_COIL_COILS, PER_COIL = 8, PIECES = COILS * PER_COIL };

static Vec3 helix(double k) { // k pieces from its lower end
    double angle = 2 * pi * k / PER_COIL, R = 0.5 * RB_COIL_DIAMETER;
    return v3(R * cos(angle), R * sin(angle), RB_COIL_PITCH * k / PER_COIL);
}

// A frame along the wire: x along it, y outwards as far as that allows.
static Mat3 along(Vec3 tangent, Vec3 at) {
    Vec3 x = v3_unit(tangent), out = v3(at.x, at.y, 0), z = v3_unit(v3_cross(x, out));
    return m3_from_columns(x, v3_cross(z, x), z);
}

static int add_piece(RbScene *s, int k, int parent, Pose X_parent) {
    Vec3 a = helix(k), b = helix(k + 1), middle = v3_lerp(a, b, 0.5);
    RbSceneObject o = rb_solid(rb_arena_printf(s->arena, "piece%d", k + 1),
                               rb_shape_capsule(1, RB_COIL_WIRE, v3_distance(a, b)), "Steel");
    Pose X = {middle, along(v3_sub(b, a), middle)};
    o.object.parent = parent;
    o.object.moves_freely = parent < 0;
    if (parent < 0) o.object.parent = 0;
    o.object.pose = pose_relative(X_parent, X);
    return rb_scene_add(s, o);
}

// Where two pieces meet, a frame on each, and the elasticity of the wire of one piece between them.
static void tie(RbScene *s, int below, int above, int k, Pose X_below, Pose X_above) {
    double E = 2e11, nu = 0.3, G = E / (2 * (1 + nu)), d = RB_COIL_WIRE, beta = 2e-5;
    double L = hypot(pi * RB_COIL_DIAMETER, RB_COIL_PITCH) / PER_COIL;
    double A = pi * d * d / 4, I = pi * pow(d, 4) / 64;
    const double shift[3] = {E * A / L, 0.9 * G * A / L, 0.9 * G * A / L},
                 turn[3] = {2 * G * I / L, E * I / L, E * I / L};
    Vec3 at = helix(k);
    Pose X = {at, along(v3_sub(helix(k + 0.5), helix(k - 0.5)), at)};
    int ends[2];
    for (int i = 0; i < 2; i++)
        ends[i] = rb_scene_add(
            s, rb_frame_object(rb_arena_printf(s->arena, "joint%d%c", k, "ab"[i]),
                               i ? above : below, pose_relative(i ? X_above : X_below, X)));
    RbSceneBushing b = {.a = ends[0], .b = ends[1], .element = {.large_angles = true}};
    for (int i = 0; i < 3; i++) {
        b.element.spring[i] = rb_linear(shift[i]);
        b.element.damper[i] = rb_linear(beta * shift[i]);
        b.element.angular_spring[i] = rb_linear(turn[i]);
        b.element.angular_damper[i] = rb_linear(beta * turn[i]);
    }
    rb_array_push(&s->bushings, s->arena, b);
}

static Vec3 push(double t, void *user) {
    (void)user;
    return v3(0, 0, t < 0.01 ? -200 : 0);
}

void rb_scene_coil_spring(RbScene *s) {
    Pose X[PIECES], top = {v3(0, 0, COILS * RB_COIL_PITCH), M3_IDENTITY};
    int pieces[PIECES];
    s->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    RbSceneObject cap = rb_solid("cap", rb_shape_cylinder(3, 0.04, 0.01), "Steel");
    cap.object.collidable = false;
    cap.mass = RB_COIL_CAP;
    cap.object.parent = -1;
    int c = rb_scene_add(s, cap);
    int guide = rb_scene_add(s, rb_frame_object("end", 0, top));
    RbObjectJoint joint = rb_scene_joint("guide", RB_JOINT_PRISMATIC, guide, c, v3(0, 0, 1));
    joint.can_collide = true;
    rb_scene_add_joint(s, joint);
    for (int k = 0; k < PIECES; k++) {
        Vec3 a = helix(k), b = helix(k + 1), middle = v3_lerp(a, b, 0.5);
        X[k] = (Pose){middle, along(v3_sub(b, a), middle)};
        bool last = k == PIECES - 1;
        pieces[k] = add_piece(s, k, k == 0 ? 0 : last ? c : -1, last ? top : POSE_IDENTITY);
        if (k > 0) tie(s, pieces[k - 1], pieces[k], k, X[k - 1], X[k]);
        for (int i = 1; i <= 2 && k - i >= 0; i++)
            rb_array_push(&s->ignored, s->arena, (RbScenePair){pieces[k - i], pieces[k]});
    }
    RbSceneWorldForce f = {.apply = c, .element = {.force = push}};
    rb_array_push(&s->world_forces, s->arena, f);
    static const double ends[] = {0.01};
    rb_array_push(&s->breaks, s->arena, (RbSceneBreaks){.times = ends, .count = 1});
}
