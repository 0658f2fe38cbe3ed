// SPDX-License-Identifier: MIT
// run_scene.h: run a scene in a test, one of the product's or one built here, with other laws if need be.
#pragma once

#include "run.h"

#include "math/rng.h"

#include "scenes.h"

typedef struct Opening {
    Run *run;
    const char *scene;
    void (*build)(RbScene *scene);
    const char *pair; // how steel touches steel; NULL: as usual
} Opening;

static inline RbStatus read_pair(RbScene *s, Run *r, const char *pair) {
    const char *file = rb_arena_printf(&r->f.arena, "%s.json", r->journal);
    const char *text = rb_arena_printf(
        &r->f.arena, "{\"pairs\": [{\"materials\": [\"Steel\", \"Steel\"], %s}]}", pair);
    RB_TRY(rb_file_write(file, text, strlen(text), &r->f.diag));
    RbStatus status = rb_scene_read_materials(s, file, &r->f.diag);
    unlink(file);
    return status;
}

static inline RbStatus open_protected(void *argument) {
    Opening *o = argument;
    Run *r = o->run;
    if (o->scene)
        return rb_scene_case_model(rb_scene_case(o->scene), &r->f.arena, &r->f.diag, &r->model,
                                   NULL);
    RbScene *s = rb_scene_new(&r->f.arena);
    RB_TRY(rb_scene_read_materials(s, NULL, &r->f.diag));
    if (o->pair) RB_TRY(read_pair(s, r, o->pair));
    o->build(s);
    return rb_scene_model(s, "scene", "", &r->f.diag, &r->model);
}

static inline void open_with_pair(Run *r, const char *scene, void (*build)(RbScene *scene),
                                  const char *pair, const char *solver, double tolerance,
                                  double stop_time) {
    run_open(r, "pendulum"); // for its files; the model is another one
    ENSURE(rb_protect(&r->f.heap, open_protected, &(Opening){r, scene, build, pair}) == RB_OK);
    r->options = rb_model_options(r->model);
    r->options.solver = solver;
    r->options.tolerance = tolerance;
    r->options.stop_time = stop_time;
    r->options.output_interval = 0;
    r->options.journal_file = r->journal;
    r->options.checkpoint_file = r->checkpoint;
}

static inline void open_scene(Run *r, const char *scene, void (*build)(RbScene *scene),
                              const char *solver, double tolerance, double stop_time) {
    open_with_pair(r, scene, build, NULL, solver, tolerance, stop_time);
}

static inline void go(Run *r) {
    RbStatus status = run_go(r);
    for (int i = 0; i < r->f.diag.messages.count; i++) print_error("%s", fixture_message(&r->f, i));
    ENSURE(status == RB_OK);
}

// [m] Largest difference of the places of free balls: 7 coordinates each, of which the first three
// are the place.
static inline double difference(Run *a, Run *b, int balls) {
    double d = 0;
    for (int i = 0; i < 7 * balls; i++) {
        if (i % 7 < 3) d = fmax(d, fabs(run_now(a)->x[i] - run_now(b)->x[i]));
    }
    return d;
}

// A pyramid of 16 + 9 + 4 + 1 balls, a hair apart from each other, falls on the floor.
static inline void drop_pyramid(RbScene *s) {
    const double d = 0.05, gap = 1e-5;
    int count = 0;
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    rb_scene_add(s, rb_solid("floor", rb_shape_halfspace(), "Steel"));
    for (int layer = 0; layer < 4; layer++) {
        int side = 4 - layer;
        for (int i = 0; i < side * side; i++) {
            double x = (i % side - 0.5 * (side - 1)) * (d + gap) + 3e-6 * layer; // not symmetric
            double y = (i / side - 0.5 * (side - 1)) * (d + gap);
            double z = 0.5 * d + 1e-4 + layer * (d + gap) / sqrt(2);
            rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", count++), rb_shape_sphere(d),
                              "Steel", v3(x, y, z), V3_ZERO, V3_ZERO);
        }
    }
}

// 64 balls in a box, which meet and come down.
enum { POURED = 64 };
static inline void pour_balls(RbScene *s) {
    const double width = 0.24, wall = 0.02, pitch = 0.06;
    RbRng rng = rb_rng(7);
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbSceneObject floor = rb_solid("floor", rb_shape_halfspace(), "Steel");
    rb_scene_add(s, floor);
    for (int i = 0; i < 4; i++) {
        double away = (i % 2 ? 1 : -1) * 0.5 * (width + wall);
        bool along_x = i / 2;
        RbSceneObject side =
            rb_solid(rb_arena_printf(s->arena, "wall%d", i),
                     rb_shape_box(along_x ? v3(width, wall, 1) : v3(wall, width, 1)), "Steel");
        side.object.pose.r = along_x ? v3(0, away, 0.5) : v3(away, 0, 0.5);
        rb_scene_add(s, side);
    }
    for (int i = 0; i < POURED; i++) {
        Vec3 r =
            v3((i % 4 - 1.5) * pitch + rb_rng_range(&rng, -4e-3, 4e-3),
               (i / 4 % 4 - 1.5) * pitch + rb_rng_range(&rng, -4e-3, 4e-3), 0.03 + i / 16 * pitch);
        rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), rb_shape_sphere(0.05), "Steel",
                          r, V3_ZERO, V3_ZERO);
    }
}
