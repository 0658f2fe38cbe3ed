// SPDX-License-Identifier: MIT
// soft_run.h: runs of soft bodies among rigid ones, for tests.
#pragma once

#include "../deform/bodies.h"

#include "../sim/run.h"
#include "multibody/multibody.h"

typedef struct SoftRun {
    Run r;
    RbScene *scene;
    RbSoftScene *soft;
} SoftRun;

static inline void begin(SoftRun *s, Vec3 gravity) {
    run_open(&s->r, "pendulum"); // the files and the fixture; its model is replaced
    RbArena *arena = &s->r.f.arena;
    s->scene = rb_scene_new(arena);
    ENSURE(rb_scene_read_materials(s->scene, NULL, &s->r.f.diag) == RB_OK);
    s->scene->gravity = (RbGravity){.kind = RB_GRAVITY_UNIFORM, .g = gravity};
    s->soft = s->scene->soft.bodies = rb_soft_scene_new("soft", arena);
}

static inline void add_material(SoftRun *s, double youngs_modulus, double damping, RbSoftModel model) {
    RbSoftMaterial m = rb_soft_material_default();
    m.youngs_modulus = youngs_modulus, m.damping = damping, m.model = model;
    rb_soft_scene_add_material(s->soft, &m);
}

// In the frame of an object.
static inline void add_soft(SoftRun *s, const char *name, Block block, int object) {
    add_block(s->soft, name, block);
    rb_array_push(&s->scene->soft.frames, s->scene->arena, object);
}

static inline int add_box(SoftRun *s, const char *name, Vec3 size, Vec3 r, double mass) {
    RbSceneObject o = rb_solid(name, rb_shape_box(size), "Steel");
    o.object.moves_freely = mass > 0;
    o.object.pose.r = r;
    o.mass = mass;
    return rb_scene_add(s->scene, o);
}

static inline void open_model(SoftRun *s) {
    RbModel *m = rb_model_new("soft", "", &s->r.f.arena);
    ENSURE(rb_model_add_with(m, &rb_multibody, "", s->scene, &s->r.f.diag, NULL) == RB_OK);
    s->r.model = m;
    s->r.options = rb_model_options(m);
    s->r.options.journal_file = s->r.journal;
    s->r.options.checkpoint_file = s->r.checkpoint;
    s->r.options.output_interval = 0.01;
    s->r.options.tolerance = 1e-6;
}

static inline void go(SoftRun *s) {
    RbStatus status = run_go(&s->r);
    for (int i = 0; i < s->r.f.diag.messages.count; i++)
        if (status != RB_OK) print_error("%s", fixture_message(&s->r.f, i));
    ENSURE(status == RB_OK);
    run_read(&s->r);
}

static inline double last(SoftRun *s, const char *name) {
    return run_series(&s->r, name)[s->r.result->row_count - 1];
}

static const Vec3 DOWN = {0, -9.81, 0};

static inline void open_rest(SoftRun *s, RbSoftDetection detection, RbSoftModel model) {
    begin(s, DOWN);
    s->soft->detection = detection;
    add_material(s, 5e4, 1, model);
    add_box(s, "ground", v3(0.2, 0.02, 0.2), v3(0, -0.01, 0), 0);
    add_soft(s, "block", (Block){.n = {3, 3, 3}, .a = 0.02, .radius = 0.014, .low = {0, 0.018, 0}},
             0);
}

static inline double largest(const double *x, int from, int to) {
    double most = 0;
    for (int i = from; i < to; i++) most = fmax(most, fabs(x[i]));
    return most;
}
