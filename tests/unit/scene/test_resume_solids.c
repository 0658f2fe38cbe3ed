// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full
// Every contact that a pair can have goes through checkpoints bit for bit, wherever they are: at a point, over a patch, by
// volume (all forms, sticking or not), by elastic layers, of meshes and round bodies; with both solvers.
#include "resume.h"

#include "geom/mesh_make.h"
#include "geom/moments.h"
#include "math/rng.h"

typedef enum Kind { BY_POINT, BY_PATCH, BY_VOLUME, BY_LAYERS, ROUND_ON_MESH } Kind;

typedef struct Case {
    Kind kind;
    RbVolumeForm form;
    bool sticks;
    const char *solver;
    bool touches; // when the run starts
} Case;

static const Vec3 side = {0.1, 0.08, 0.06};

// Two boxes, one falling on the other while that slides over a floor: they tumble, slide and come to rest.
static const Vec3 places[2] = {{0, 0, 0.0305}, {0.02, 0.01, 0.105}};
static const Vec3 speeds[2] = {{0.4, 0.1, 0}, {0.1, 0, -0.3}};

static RbMesh *block(Stand *s, Vec3 size) {
    RbMesh *m = rb_new(&s->f.arena, RbMesh), box = rb_mesh_box(size, &s->f.arena);
    *m = rb_mesh_map(&box, M3_IDENTITY, v3_scale(-0.5, size), &s->f.arena);
    return m;
}

static void add_shapes(Stand *s, const Case *c) {
    RbSceneObject floor = rb_solid("floor", rb_shape_box(v3(2, 2, 0.5)), "DryWood");
    floor.object.pose.r = v3(0, 0, -0.25);
    rb_scene_add(s->scene, floor);
    for (int k = 0; k < 2; k++)
        rb_scene_add_free(s->scene, k ? "upper" : "lower", rb_shape_box(side), "DryWood", places[k],
                          speeds[k], v3(0.5, k ? 2 : 0, 1));
    stand_law(s, "DryWood", "DryWood")->friction =
        c->sticks ? RB_FRICTION_BRISTLE : RB_FRICTION_SLIDING;
    s->scene->faces = c->kind == BY_POINT ? RB_FACES_POINT : RB_FACES_PATCH;
}

static RbSolidsForce contact_of(const Case *c) {
    RbSolidsForce f = {.law = c->kind == BY_LAYERS ? RB_SOLIDS_POLYGONAL : RB_SOLIDS_VOLUME,
                       .volume = rb_volume_law()};
    f.volume.form = c->form;
    f.volume.modulus = 1e6;
    f.volume.length = 0.05;
    f.volume.sticks = c->sticks;
    RbPolygonalLayer layer = {.modulus = 1e7, .poisson = 0.3, .depth = 0.01};
    f.polygonal = (RbPolygonal){.a = layer,
                                .b = layer,
                                .compression = 1e5,
                                .expansion = 1e5,
                                .friction = 0.3,
                                .slip_speed = 0.01,
                                .max_penetration = 0.05};
    return f;
}

static void add_meshes(Stand *s, const Case *c) {
    RbMesh *floor = block(s, v3(2, 2, 0.5)), *box = block(s, side);
    RbSceneObject ground = rb_frame_object("floor", 0, POSE_IDENTITY);
    ground.object.pose.r = v3(0, 0, -0.25);
    int number[3] = {rb_scene_add(s->scene, ground)};
    for (int k = 0; k < 2; k++) {
        RbSceneObject b = rb_body(k ? "upper" : "lower",
                                  rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(box)), 700));
        b.object.moves_freely = true;
        b.object.pose.r = places[k];
        if (c->touches && k == 0) b.object.pose.r.z = 0.5 * side.z - 1e-6;
        b.object.velocity = speeds[k];
        b.object.angular_velocity = v3(0.5, k ? 2 : 0, 1);
        number[k + 1] = rb_scene_add(s->scene, b);
    }
    for (int i = 0; i < 3; i++) {
        int a = number[i == 2], b = number[i == 0 ? 1 : 2];
        bool round = c->kind == ROUND_ON_MESH && i > 0; // the upper one
        RbMesh *first = i == 2 ? box : floor;
        RbStatus status =
            round ? rb_scene_add_round(s->scene, a, first, b, v3(0.05, 0.04, 0.03), contact_of(c),
                                       &s->f.diag)
                  : rb_scene_add_solids(s->scene, a, first, b, box, contact_of(c), &s->f.diag);
        if (status != RB_OK) print_error("%s\n", fixture_message(&s->f, 0));
        ENSURE(status == RB_OK);
    }
}

static void build(Stand *s, const void *argument) {
    const Case *c = argument;
    stand_open(s);
    s->scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    if (c->kind <= BY_PATCH)
        add_shapes(s, c);
    else
        add_meshes(s, c);
    s->options.solver = c->solver;
    s->options.stop_time = c->touches ? 0.01 : 0.15;
    s->options.tolerance = 1e-5;
}

static void survives(Kind kind, RbVolumeForm form, bool sticks) {
    static RbRng rng;
    static bool begun;
    if (!begun) rng = rb_rng(2), begun = true;
    for (int k = 0; k < 2; k++) {
        Case c = {kind, form, sticks, k ? "cvode" : "islands"};
        double interval = 0.15 * (0.34 + 0.3 * rb_rng_unit(&rng));
        print_message("kind %d, form %d, %s, %s: %d checkpoints\n", (int)kind, (int)form,
                      sticks ? "sticks" : "slips", c.solver,
                      resume_is_identical(build, &c, interval));
    }
}

static void points_and_patches(void **state) {
    (void)state;
    for (int sticks = 0; sticks < 2; sticks++) {
        survives(BY_POINT, RB_VOLUME_AREA, sticks);
        survives(BY_PATCH, RB_VOLUME_AREA, sticks);
    }
}

static void volumes(void **state) {
    (void)state;
    for (int form = RB_VOLUME_AREA; form <= (int)RB_VOLUME_BEDDING; form++) {
        for (int sticks = 0; sticks < 2; sticks++) survives(BY_VOLUME, (RbVolumeForm)form, sticks);
    }
}

static void layers_and_round_bodies(void **state) {
    (void)state;
    survives(BY_LAYERS, RB_VOLUME_AREA, false);
    survives(ROUND_ON_MESH, RB_VOLUME_AREA, false);
    survives(ROUND_ON_MESH, RB_VOLUME_AREA, true);
}

// How long the first step may be after a contact that was there from the start is nobody's business later.
static void starts_in_contact(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Case c = {BY_VOLUME, RB_VOLUME_BEDDING, true, k ? "cvode" : "islands", true};
        ENSURE(resume_is_identical(build, &c, 0.004) > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_and_patches),
                                       cmocka_unit_test(volumes),
                                       cmocka_unit_test(layers_and_round_bodies),
                                       cmocka_unit_test(starts_in_contact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
