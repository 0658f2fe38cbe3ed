// SPDX-License-Identifier: MIT
#include "shop.h"

#include "geom/moments.h"

RbShop rb_shop_open(RbScene *scene) {
    return (RbShop){.scene = scene,
                    .arena = scene->arena,
                    .scratch = rb_arena_child(scene->arena),
                    .diag = rb_diag(scene->arena)};
}

void rb_shop_close(RbShop *s) {
    rb_arena_free(s->scratch);
}

RbMesh rb_shop_move(RbShop *s, RbMesh m, Vec3 r) {
    return rb_mesh_map(&m, M3_IDENTITY, r, s->arena);
}

RbMesh rb_shop_turn(RbShop *s, RbMesh m, Vec3 angles) {
    return rb_mesh_map(&m, rb_clean_rotation(angles), V3_ZERO, s->arena);
}

RbMesh rb_shop_combine(RbShop *s, RbCsg operation, RbMesh a, RbMesh b) {
    RbMesh out = {0};
    rb_csg(operation, &a, "solid", &b, "tool", RB_NOWHERE, s->arena, *s->scratch, &s->diag, &out);
    return out;
}

RbMesh rb_shop_extrude(RbShop *s, RbContour *contour, double height) {
    RbPolygon polygon;
    if (rb_contour_finish(contour, "section", RB_NOWHERE, *s->scratch, &s->diag, &polygon) != RB_OK)
        return (RbMesh){0};
    return rb_mesh_extrude(&polygon, height, s->arena, *s->scratch);
}

int rb_shop_body(RbShop *s, const char *name, const RbMesh *mesh, double density) {
    RbMassProperties mass = rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(mesh)), density);
    RbSceneObject body = rb_body(name, mass);
    body.object.parent = -1;
    return rb_scene_add(s->scene, body);
}

int rb_shop_axle(RbShop *s, const char *name, int base, int body, Vec3 axis, double angle,
                 double speed) {
    RbObjectJoint axle = rb_scene_joint(name, RB_JOINT_REVOLUTE, base, body, axis);
    axle.q[0] = angle;
    axle.v[0] = speed;
    rb_scene_add_joint(s->scene, axle);
    return s->scene->joints.count - 1;
}
