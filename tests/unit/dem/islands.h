// SPDX-License-Identifier: MIT
// islands.h: the same spheres as bodies, by islands with error control, and as a cloud. Elastic and without
// friction, where both have the law of Hertz.
#pragma once

#include <string.h>
#include <time.h>

#include "grains.h"
#include "rattleback/rattleback.h"

typedef struct Ball {
    Vec3 r, v; // [m], [m/s]
} Ball;

typedef struct Balls {
    int count;
    double radius; // [m]
    Stuff stuff;
    Vec3 gravity; // [m/s2]
    bool ground;  // z = 0
    Ball *ball;
} Balls;

static inline void ensure_ok(RbContext *context, RbStatus status, int line) {
    if (status == RB_OK) return;
    for (int i = 0; i < rb_context_message_count(context); i++)
        print_error("line %d: %s", line, rb_context_message(context, i));
    _fail(__FILE__, line);
}
#define OK(call) ensure_ok(context, call, __LINE__)

static inline void build_bodies(RbContext *context, const Balls *b, RbSceneBuilder *scene) {
    RbPairLaw law = rb_pair_law_default();
    law.restitution = 1;
    law.mu_k = law.mu_r = 0;
    OK(rb_builder_add_material(scene, "Bead", b->stuff.density, b->stuff.modulus,
                               b->stuff.poisson));
    OK(rb_builder_set_pair(scene, "Bead", "Bead", &law));
    double g[3] = {b->gravity.x, b->gravity.y, b->gravity.z};
    OK(rb_builder_gravity(scene, g));
    if (b->ground) {
        RbSolid ground = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Bead");
        OK(rb_builder_add_solid(scene, &ground, NULL));
    }
    for (int k = 0; k < b->count; k++) {
        char name[20];
        snprintf(name, sizeof name, "b%d", k);
        RbSolid ball = rb_solid_default(name, RB_SOLID_SPHERE, "Bead");
        ball.diameter = 2 * b->radius;
        ball.free = true;
        v3_store(ball.position, b->ball[k].r);
        v3_store(ball.velocity, b->ball[k].v);
        OK(rb_builder_add_solid(scene, &ball, NULL));
    }
}

// Where they are at a time.
static inline Vec3 *by_islands(Fixture *f, const Balls *b, double time, double tolerance) {
    RbContext *context = rb_context_create(NULL);
    RbSceneBuilder *scene;
    RbModel *model;
    RbRun *run;
    RbStopped stopped;
    OK(rb_builder_create(context, "balls", &scene));
    build_bodies(context, b, scene);
    OK(rb_builder_finish(scene, &model));
    RbSimOptions options = rb_model_options(model);
    options.stop_time = time;
    options.tolerance = tolerance;
    options.solver = "islands";
    OK(rb_run_open(context, model, &options, &run)); // a file of all events would have gigabytes
    OK(rb_run_step(run, RB_UNTIL_TIME, time, &stopped));
    Vec3 *r = rb_new_array(&f->arena, Vec3, b->count);
    for (int k = 0; k < 3 * b->count; k++) {
        char name[24];
        double value;
        snprintf(name, sizeof name, "b%d.r[%d]", k / 3, k % 3 + 1);
        OK(rb_run_get_named(run, name, &value));
        r[k / 3] = v3_set(r[k / 3], k % 3, value);
    }
    OK(rb_run_close(run, NULL));
    rb_context_free(context);
    return r;
}

static inline RbCloud *as_cloud(Fixture *f, const Balls *b, double step) {
    Stuff s = b->stuff;
    s.pair = (RbGrainPair){.restitution = 1};
    RbCloud *cloud = cloud_of(&f->arena, s, step, 1);
    cloud->options.gravity = b->gravity;
    if (b->ground) add_ground(cloud, &f->arena);
    for (int k = 0; k < b->count; k++)
        rb_cloud_add(cloud, grain(s, b->radius, b->ball[k].r, b->ball[k].v));
    rb_cloud_start(cloud);
    return cloud;
}

// Largest distance of the places at the end.
static inline double cloud_error(Fixture *f, const Balls *b, const Vec3 *want, double time,
                                 long steps) {
    RbCloud *cloud = as_cloud(f, b, time / (double)steps);
    run(cloud, steps);
    double most = 0;
    for (int i = 0; i < b->count; i++)
        most = fmax(most, v3_distance(vector(cloud->r[i]), want[cloud->id[i]]));
    return most;
}

// side³ balls on a grid, a little apart, that fly in all directions above the ground.
static inline Balls cube_of_balls(RbArena *arena, int side, uint64_t seed) {
    Balls b = {.count = side * side * side,
               .radius = 0.005,
               .stuff = {.modulus = 5e6, .poisson = 0.3, .density = 2500},
               .gravity = {0, 0, -9.81},
               .ground = true};
    b.ball = rb_new_array(arena, Ball, b.count);
    RbRng rng = rb_rng(seed);
    for (int k = 0; k < b.count; k++) {
        Vec3 cell = v3(k % side, k / side % side, k / (side * side));
        b.ball[k] = (Ball){v3_add(v3_scale(0.0106, cell), v3(0, 0, 0.0056)),
                           v3_scale(0.3, rb_rng_direction(&rng))};
    }
    return b;
}

// rows (rows + 1) / 2 balls that nearly touch, and one that hits their tip.
static inline Balls triangle_of_balls(RbArena *arena, int rows) {
    Balls b = {.count = rows * (rows + 1) / 2 + 1,
               .radius = 0.02,
               .stuff = {.modulus = 5e6, .poisson = 0.3, .density = 1700}};
    b.ball = rb_new_array(arena, Ball, b.count);
    double d = 2 * b.radius * (1 + 1e-4);
    int n = 0;
    for (int row = 0; row < rows; row++) {
        for (int k = 0; k <= row; k++)
            b.ball[n++].r = v3(row * d * sqrt(0.75), (k - 0.5 * row) * d, 0);
    }
    b.ball[n] = (Ball){v3(-d - 0.001, 0.003, 0), v3(2, 0, 0)};
    return b;
}
