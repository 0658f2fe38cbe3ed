// SPDX-License-Identifier: MIT
#include "scenes.h"

#include <string.h>

int rb_scene_add_free(RbScene *s, const char *name, RbShape shape, const char *material, Vec3 r,
                      Vec3 v, Vec3 w) {
    RbSceneObject o = rb_solid(name, shape, material);
    o.object.moves_freely = true;
    o.object.pose.r = r;
    o.object.velocity = v;
    o.object.angular_velocity = w;
    return rb_scene_add(s, o);
}

static int add_fixed(RbScene *s, const char *name, RbShape shape, const char *material, Vec3 r) {
    RbSceneObject o = rb_solid(name, shape, material);
    o.object.pose.r = r;
    return rb_scene_add(s, o);
}

static void down_z(RbScene *s) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
}

// ---------------------------------------------------------------------------------------- Appendix
// B, one by one

static void bouncing_sphere(RbScene *s) {
    double h = 0.05;
    add_fixed(s, "ground", rb_shape_box(v3(0.8, h, 0.5)), "Steel", v3(0, -h / 2, 0));
    add_fixed(s, "bottom", rb_shape_box(v3(0.8, h, 0.5)), "Steel", v3(0, -0.4 - h / 2, 0.5));
    add_fixed(s, "wall", rb_shape_box(v3(0.8, 0.4, h)), "Steel", v3(0, -0.2, 0.75 + h / 2));
    rb_scene_add_free(s, "sphere", rb_shape_sphere(0.2), "Steel", v3(0, 1, 0), V3_ZERO,
                      v3(10, 0, -5));
}

static void guided_sphere(RbScene *s) {
    add_fixed(s, "ground", rb_shape_box(v3(4, 0.1, 0.7)), "Steel", v3(0, -0.15, 0));
    RbSceneObject sphere = rb_solid("sphere", rb_shape_sphere(0.2), "Steel");
    sphere.object.parent = -1;
    sphere.mass = 0.001;
    int ball = rb_scene_add(s, sphere);
    RbObjectJoint guide = rb_scene_joint("guide", RB_JOINT_PRISMATIC, 0, ball, v3(0, 1, 0));
    guide.q[0] = 1;
    guide.can_collide = true;
    rb_scene_add_joint(s, guide);
}

static void bouncing_ellipsoid(RbScene *s) {
    add_fixed(s, "ground", rb_shape_box(v3(4, 0.1, 3)), "Steel", v3(0, -0.05, 0));
    rb_scene_add_free(s, "ellipsoid", rb_shape_ellipsoid(v3(0.1, 0.2, 0.3)), "Steel", v3(0, 1, 0),
                      V3_ZERO, v3(5, 0, -2));
}

static void ellipsoid_on_sphere(RbScene *s) {
    add_fixed(s, "ground", rb_shape_sphere(1.5), "Steel", v3(0, -0.05, 0));
    rb_scene_add_free(s, "ellipsoid", rb_shape_ellipsoid(v3(0.1, 0.2, 0.3)), "Steel", v3(0, 1, 0),
                      V3_ZERO, v3(5, 0, -2));
}

static void rattleback(RbScene *s) {
    down_z(s);
    add_fixed(s, "ground", rb_shape_box(v3(0.2, 0.2, 0.01)), "DryWood", v3(0, 0, -0.005));
    RbSceneObject o = rb_solid("rattleback", rb_shape_ellipsoid(v3(0.1, 0.02, 0.02)), "DryWood");
    Mat3 Rz = m3_rotation(v3(0, 0, 1), -5 * 3.14159265358979323846 / 180);
    o.object.has_mass = true;
    o.object.mass = (RbMassProperties){
        .mass = 0.014660765716752368,
        .I_CM = m3_rotate_tensor(
            Rz, m3_diagonal(v3(5.864306286700948e-7, 7.623598172711232e-6, 7.623598172711232e-6)))};
    o.object.moves_freely = true;
    o.object.pose.r = v3(0, 0, 0.01);
    o.object.angular_velocity = v3(0, 0.1, 5);
    rb_scene_add(s, o);
}

void rb_scene_two_balls(RbScene *s) {
    down_z(s);
    RbSceneObject table = rb_solid("table", rb_shape_box(v3(3, 0.5, 0.02)), "BilliardTable");
    table.object.pose.r = v3(0, 0, -0.01);
    rb_scene_add(s, table);
    rb_scene_add_free(s, "ball1", rb_shape_sphere(0.06), "BilliardBall", v3(-1.3, 0, 0.03),
                      v3(3, 0, 0), V3_ZERO);
    rb_scene_add_free(s, "ball2", rb_shape_sphere(0.06), "BilliardBall", v3(0, 0, 0.03), V3_ZERO,
                      V3_ZERO);
}

static void billiards_16(RbScene *s) {
    rb_scene_billiards(s, 15, v3(-0.8, -0.1, 0.03), v3(3, 0.1, 0));
}
static void billiards_4(RbScene *s) {
    rb_scene_billiards(s, 3, v3(-0.8, -0.1, 0.03), v3(3, 0.1, 0));
}
static void symmetric_break(RbScene *s) {
    rb_scene_billiards(s, 15, v3(-0.8, 0, 0.03), v3(3, 0, 0));
}

static void lean_cards(RbScene *s) {
    rb_scene_cards(s, 0.3);
}

// ------------------------------------------------------------------------------------------------------
// the table

const RbSceneCase rb_scene_cases[] = {
    {"billiards", "16 billiard balls: the break", billiards_16, 5, 1e-7, .file = "Billiards.mo",
     .class = "Billiards"},
    {"billiards-4", "4 billiard balls", billiards_4, 2.5, 1e-8, .file = "Billiards.mo",
     .class = "BilliardsFour"},
    {"symmetric-break", "16 balls, hit on the axis of symmetry", symmetric_break, 1.5, 1e-9,
     .file = "Billiards.mo", .class = "SymmetricBreak"},
    {"two-balls", "a rolling ball hits a resting one", rb_scene_two_balls, 1.5, 1e-7},
    {"bouncing-sphere", "a spinning sphere falls off a step", bouncing_sphere, 2.7, 1e-8},
    {"guided-sphere", "a sphere on a vertical guide bounces", guided_sphere, 2.2, 1e-8},
    {"bouncing-ellipsoid", "a spinning ellipsoid bounces", bouncing_ellipsoid, 2, 1e-8},
    {"ellipsoid-on-sphere", "an ellipsoid bounces off a sphere", ellipsoid_on_sphere, 2, 1e-8},
    {"rattleback", "the toy that turns back", rattleback, 6, 1e-8},
    {"capsules", "three capsules fall on a plate", rb_scene_capsules, 1.4, 1e-8},
    {"cones", "three cones fall on a plate", rb_scene_cones, 1.2, 1e-8},
    {"frustums", "three frustums of cones fall on a plate", rb_scene_frustums, 1.2, 1e-8},
    {"beams", "three beams fall on a plate", rb_scene_beams, 1.2, 1e-8},
    {"newtons-cradle", "five spheres on strings", rb_scene_newtons_cradle, 5, 1e-8},
    {"pendulum-chain", "ten links swing against a post", rb_scene_pendulum_chain, 2, 1e-8},
    {"cylinders", "three cylinders fall on two", rb_scene_cylinders, 0.7, 1e-8},
    {"geneva-3", "Geneva mechanism with 3 slots", rb_scene_geneva_3, 10, 1e-5},
    {"geneva-6", "Geneva mechanism with 6 slots", rb_scene_geneva_6, 10, 1e-5},
    {"escapement", "lever escapement: balance, lever and escape wheel", rb_scene_escapement, 60,
     1e-5},
    {"tippe-top", "a top that turns over", rb_scene_tippe_top, 6, 1e-7, true},
    {"cards", "two cards lean on each other, as meshes", lean_cards, 5, 1e-6, true},
    {"rails", "a roller lies on two rails", rb_scene_rails, 2, 1e-8, true},
    {"cup-hull", "a sphere falls on the convex hull of a cup", rb_scene_cup_hull, 2, 1e-8},
    {"cup-parts", "a sphere falls into a cup of convex parts", rb_scene_cup_parts, 2, 1e-8},
    {"pipe", "a ball rolls through a pipe of convex parts", rb_scene_pipe, 1, 1e-8},
    {"pool", "pool with obstacles, seen from above", rb_scene_pool, 4, 1e-8, .file = "Pool.mo",
     .class = "Pool"},
    {"incline", "a ball rolls down an incline", rb_scene_incline, 1, 1e-8},
    {"resting-box", "a steel box slides on 10 degrees, and stays", rb_scene_resting_box, 10, 1e-7,
     true},
    {"flat-drop", "a steel box falls on its face and bounces", rb_scene_flat_drop, 0.15, 1e-7,
     true},
    {0},
};

const RbSceneCase *rb_scene_case(const char *name) {
    for (const RbSceneCase *c = rb_scene_cases; c->name; c++) {
        if (strcmp(c->name, name) == 0) return c;
    }
    return NULL;
}

void rb_scene_case_build(const RbSceneCase *c, RbScene *s) {
    if (!c->default_laws) rb_scene_published_laws(s);
    c->build(s);
}

RbStatus rb_scene_model(RbScene *s, const char *name, const char *description, RbDiag *diag,
                        RbModel **model) {
    *model = rb_model_new(name, description, s->arena);
    (*model)->least_steps = rb_scene_least_steps(s);
    return rb_model_add_with(*model, &rb_multibody, "", s, diag, NULL);
}

RbStatus rb_scene_case_model(const RbSceneCase *c, RbArena *arena, RbDiag *diag, RbModel **model,
                             RbScene **scene) {
    RbScene *s = rb_scene_new(arena);
    RB_TRY(rb_scene_read_materials(s, NULL, diag));
    rb_scene_case_build(c, s);
    RB_TRY(rb_scene_model(s, c->name, c->description, diag, model));
    (*model)->stop_time = c->stop_time;
    (*model)->tolerance = c->tolerance;
    if (scene) *scene = s;
    return RB_OK;
}
