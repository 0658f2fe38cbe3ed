// SPDX-License-Identifier: MIT
// Newton's cradle, and a chain of pendulums.
#include <stdio.h>

#include "scenes.h"

// A body that hangs on joints only; its frame stands in the joint, the shape below.
static int hang(RbScene *s, const char *name, RbShape shape, const char *material,
                const char *contact, double below) {
    RbSceneObject frame =
        rb_frame_object(rb_arena_printf(s->arena, "%s_pivot", name), -1, POSE_IDENTITY);
    int pivot = rb_scene_add(s, frame);
    RbSceneObject o = rb_solid(name, shape, material);
    o.contact = contact;
    o.object.parent = pivot;
    o.object.pose.r = v3(0, 0, -below);
    rb_scene_add(s, o);
    return pivot;
}

// Five spheres with a gap of a hundredth of their diameter; the first is lifted by 60 degrees.
void rb_scene_newtons_cradle(RbScene *s) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    rb_materials_add_solid(
        &s->materials, s->arena,
        (RbSolidMaterial){.name = "HeavyBilliardBall", .density = 8000, .elastic = {5.4e9, 0.34}});
    for (int i = 1; i <= 5; i++) {
        char name[32], joint[32];
        snprintf(name, sizeof name, "ball%d", i);
        snprintf(joint, sizeof joint, "rev%d", i);
        int pivot = hang(s, name, rb_shape_sphere(0.02), "HeavyBilliardBall", "BilliardBall", 0.15);
        Pose at = {.R = M3_IDENTITY, .r = v3(0, (i - 3) * 0.0202, 0)};
        int hook = rb_scene_add(s, rb_frame_object(rb_arena_printf(s->arena, "hook%d", i), 0, at));
        RbObjectJoint hinge = rb_scene_joint(joint, RB_JOINT_REVOLUTE, hook, pivot, v3(1, 0, 0));
        hinge.q[0] = i == 1 ? -3.14159265358979323846 / 3 : 0;
        rb_scene_add_joint(s, hinge);
    }
}

// Ten capsules, each hinged to the end of the one before, that swing against a post. Neighbours do
// not touch.
void rb_scene_pendulum_chain(RbScene *s) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbSceneObject post = rb_solid("post", rb_shape_cylinder(2, 0.1, 1), "DryWood");
    post.object.pose.r = v3(-0.12, 0, -0.5);
    rb_scene_add(s, post);
    int last = 0;
    for (int i = 1; i <= 10; i++) {
        char name[32], joint[32];
        snprintf(name, sizeof name, "link%d", i);
        snprintf(joint, sizeof joint, "hinge%d", i);
        int pivot = hang(s, name, rb_shape_capsule(3, 0.03, 0.06), "DryWood", NULL, 0.05);
        RbObjectJoint hinge = rb_scene_joint(joint, RB_JOINT_REVOLUTE, last, pivot, v3(0, 1, 0));
        hinge.q[0] = i == 1 ? -1.2 : 0;
        rb_scene_add_joint(s, hinge);
        Pose end = {.R = M3_IDENTITY, .r = v3(0, 0, -0.1)};
        last = rb_scene_add(s, rb_frame_object(rb_arena_printf(s->arena, "end%d", i), pivot, end));
    }
}
