// SPDX-License-Identifier: MIT
// Cylinders that fall on cylinders, a pool table with obstacles, a ball on an incline.
#include <math.h>
#include <stdio.h>

#include "scenes.h"

static Pose placed(Vec3 r, double x, double y, double z) {
    const double degree = 3.14159265358979323846 / 180;
    return (Pose){.R = q_matrix(q_from_cardan(v3(x * degree, y * degree, z * degree))), .r = r};
}

static void add_cylinder(RbScene *s, const char *name, int axis, double length, double bore,
                         Pose pose, bool moves) {
    RbSceneObject o = rb_solid(name, rb_shape_cylinder(axis, 0.1, length), "BilliardBall");
    o.shape.inner_diameter = bore;
    o.object.pose = pose;
    o.object.moves_freely = moves;
    rb_scene_add(s, o);
}

void rb_scene_cylinders(RbScene *s) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    add_cylinder(s, "fixed1", 1, 1, 0, placed(v3(0, 0.1, 0.2), 0, 0, 0), false);
    add_cylinder(s, "fixed2", 1, 1, 0, placed(v3(0, -0.1, 0), 0, 0, 0), false);
    add_cylinder(s, "cylinderX", 1, 0.5, 0.08, placed(v3(-0.3, -0.1, 0.5), 0, -90, -80), true);
    add_cylinder(s, "cylinderY", 2, 0.5, 0.08, placed(v3(0, -0.1, 0.5), -10, 0, 0), true);
    add_cylinder(s, "cylinderZ", 3, 0.5, 0.08, placed(v3(0.3, -0.1, 0.5), 80, 0, 0), true);
}

// Seen from above and without gravity: a white ball runs into a group between fixed obstacles
// (CollisionLib, section 4.2).
void rb_scene_pool(RbScene *s) {
    s->gravity = (RbGravity){.kind = RB_GRAVITY_NONE};
    const struct {
        Vec3 lengths, r;
    } walls[] = {{{2, 0.05, 0.1}, {0, 0.525, 0}},
                 {{2, 0.05, 0.1}, {0, -0.525, 0}},
                 {{0.05, 1, 0.1}, {1.025, 0, 0}},
                 {{0.05, 1, 0.1}, {-1.025, 0, 0}}};
    for (int i = 0; i < 4; i++) {
        RbSceneObject o = rb_solid(rb_arena_printf(s->arena, "wall%d", i + 1),
                                   rb_shape_box(walls[i].lengths), "BilliardCushion");
        o.object.pose.r = walls[i].r;
        rb_scene_add(s, o);
    }
    const Vec3 posts[] = {{-0.3, 0.2, 0}, {0.1, -0.25, 0}, {0.7, 0.3, 0}};
    for (int i = 0; i < 3; i++) {
        RbSceneObject o = rb_solid(rb_arena_printf(s->arena, "post%d", i + 1),
                                   rb_shape_cylinder(3, 0.12, 0.1), "BilliardCushion");
        o.object.pose.r = posts[i];
        rb_scene_add(s, o);
    }
    rb_scene_add_free(s, "white", rb_shape_sphere(0.06), "BilliardBall", v3(-0.8, 0.03, 0),
                      v3(2, 0, 0), V3_ZERO);
    for (int i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "ball%d", i + 1);
        int row = i == 0 ? 0 : i < 3 ? 1 : 2, k = i - row * (row + 1) / 2;
        Vec3 r = v3(0.35 + row * 0.0525, (k - 0.5 * row) * 0.0605, 0);
        rb_scene_add_free(s, name, rb_shape_sphere(0.06), "BilliardBall", r, V3_ZERO, V3_ZERO);
    }
}

// A ball on a plane that is inclined by 15 degrees: it rolls with 5/7 g sin(15 deg), less what
// rolling resistance takes.
void rb_scene_incline(RbScene *s) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    double a = 15 * 3.14159265358979323846 / 180, r = 0.05;
    RbSceneObject plane = rb_solid("plane", rb_shape_box(v3(4, 1, 0.1)), "DryWood");
    plane.object.pose = placed(v3(0, 0, 0), 0, 15, 0);
    rb_scene_add(s, plane);
    Vec3 up = v3(sin(a), 0, cos(a)), along = v3(cos(a), 0, -sin(a));
    Vec3 at = v3_axpy(v3_scale(0.05 + r, up), -1.8, along);
    rb_scene_add_free(s, "ball", rb_shape_sphere(2 * r), "DryWood", at, V3_ZERO, V3_ZERO);
}
