// SPDX-License-Identifier: MIT
// crowd_random.h: random crowds of all convex shapes, sizes, moduli, frictions and restitutions that fly at each other above a floor; for
// test_crowd_random.c and test_crowd_random_full.c.
//
// The sum of the energies of bodies, gravity and contacts never rises, the account closes, all is finite and every run ends.
#pragma once

#include "run_scene.h"

enum { CROWD_SIDE = 3, CROWD_BODIES = CROWD_SIDE * CROWD_SIDE * CROWD_SIDE };

typedef struct CrowdDraw {
    double size, spread; // [m], and by how much bodies are smaller
    double modulus;      // [Pa]
    double speed;        // [m/s] slower where bodies are soft, which would be crushed
    char pair[160];
} CrowdDraw;

static int crowd_seed;

static inline double crowd_log_range(RbRng *rng, double least, double most) {
    return exp(rb_rng_range(rng, log(least), log(most)));
}

static inline CrowdDraw crowd_draw(RbRng *rng) {
    CrowdDraw d = {.size = crowd_log_range(rng, 0.01, 0.3),
                   .spread = crowd_log_range(rng, 1, 4),
                   .modulus = crowd_log_range(rng, 1e7, 2e11)};
    d.speed = fmin(1, sqrt(d.modulus / 1e9));
    double e = rb_rng_int(rng, 5) == 0 ? 1 : rb_rng_range(rng, 0, 1);
    double mu = rb_rng_int(rng, 5) == 0 ? 0 : rb_rng_range(rng, 0, 1);
    double mu_r = rb_rng_int(rng, 2) == 0 ? 0 : rb_rng_range(rng, 0, 0.02);
    snprintf(d.pair, sizeof d.pair,
             "\"restitution\": %.17g, \"sliding_friction\": %.17g, \"rolling_resistance\": %.17g",
             e, mu, mu_r);
    return d;
}

static inline RbShape crowd_shape(RbRng *rng, double d) {
    double x = d * rb_rng_range(rng, 0.4, 0.6), y = d * rb_rng_range(rng, 0.4, 0.6),
           z = d * rb_rng_range(rng, 0.4, 0.6);
    switch (rb_rng_int(rng, 6)) {
        case 0: return rb_shape_sphere(x);
        case 1: return rb_shape_ellipsoid(v3(x, y, z));
        case 2: return rb_shape_box(v3(x, y, z));
        case 3: return rb_shape_cylinder(3, x, z);
        case 4: return rb_shape_capsule(3, 0.6 * x, 0.6 * z);
        default: return rb_shape_beam(1, 0.6 * x, 0.6 * y, 0.6 * z);
    }
}

// Every body moves towards the middle of the swarm; d is the distance between two of them.
static inline void crowd_let(RbScene *s) {
    RbRng rng = rb_rng((uint64_t)crowd_seed);
    CrowdDraw draw = crowd_draw(&rng);
    double d = draw.size, middle = 0.5 * (CROWD_SIDE - 1) * d;
    s->contact_options.scene.reduction = draw.modulus / 2.1e11;
    s->gravity = rb_gravity_uniform(9.81 * draw.speed * draw.speed, v3(0, 0, -1));
    rb_scene_add(s, rb_solid("floor", rb_shape_box(v3(20 * d, 20 * d, d)), "Steel"));
    s->objects.data[s->objects.count - 1].object.pose.r = v3(0, 0, -0.5 * d);
    for (int i = 0; i < CROWD_BODIES; i++) {
        int column = i % CROWD_SIDE, line = i / CROWD_SIDE % CROWD_SIDE,
            layer = i / CROWD_SIDE / CROWD_SIDE;
        Vec3 r = v3(d * column - middle, d * line - middle, d * (layer + 0.5));
        Vec3 v = v3_scale(draw.speed, v3(-2 * r.x / d, -2 * r.y / d, -1.5 * (layer + 0.5)));
        Vec3 w = v3_scale(rb_rng_range(&rng, 0, 2), rb_rng_direction(&rng));
        RbShape shape = crowd_shape(&rng, d / crowd_log_range(&rng, 1, draw.spread));
        RbSceneObject o = rb_solid(rb_arena_printf(s->arena, "part%d", i), shape, "Steel");
        o.object.moves_freely = true;
        o.object.pose = (Pose){r, m3_rotation(rb_rng_direction(&rng), rb_rng_range(&rng, 0, 3))};
        o.object.velocity = v;
        o.object.angular_velocity = w;
        rb_scene_add(s, o);
    }
}

// Parts of the energy at the start.
typedef struct CrowdResult {
    double risen, residual, lost;
    long evaluations;
} CrowdResult;

static inline CrowdResult crowd_measure(Run *r) {
    run_read(r);
    const double *kinetic = run_series(r, "energy.kinetic"),
                 *potential = run_series(r, "energy.potential"),
                 *stored = run_series(r, "energy.elastic"),
                 *residual = run_series(r, "energy.residual");
    double least = INFINITY, first = kinetic[0] + stored[0], start = first + potential[0];
    CrowdResult out = {.evaluations = r->summary.evaluations};
    for (int i = 0; i < (int)r->result->row_count; i++) {
        double now = kinetic[i] + potential[i] + stored[i];
        ENSURE(isfinite(now) && isfinite(residual[i]));
        out.risen = fmax(out.risen, (now - least) / first);
        out.residual = fmax(out.residual, fabs(residual[i]) / first);
        least = fmin(least, now);
        out.lost = (start - now) / first;
    }
    return out;
}

static inline CrowdResult crowd_run(int number, double tolerance, int rows) {
    crowd_seed = number;
    RbRng rng = rb_rng((uint64_t)crowd_seed);
    CrowdDraw draw = crowd_draw(&rng);
    double stop_time = 0.35 * draw.size / draw.speed;
    Run r;
    open_with_pair(&r, NULL, crowd_let, draw.pair, "islands", tolerance, stop_time);
    r.options.output_interval = stop_time / rows;
    go(&r);
    CrowdResult out = crowd_measure(&r);
    run_close(&r);
    return out;
}

// The account closes to 1 % of what is lost, or to a hundred tolerances; the energy never rises by more.
static inline void crowds_behave(int first, int count) {
    const double tolerance = 1e-4;
    CrowdResult worst = {0};
    int beyond = 0;
    for (int i = first; i < first + count; i++) {
        CrowdResult r = crowd_run(i, tolerance, 40);
        double bound = fmax(0.01 * r.lost, 100 * tolerance);
        bool bad = r.risen > bound || r.residual > bound;
        if (bad)
            print_message("crowd %d: energy risen by %.2g, account off by %.2g, lost %.2g\n", i,
                          r.risen, r.residual, r.lost);
        beyond += bad;
        worst.risen = fmax(worst.risen, r.risen), worst.residual = fmax(worst.residual, r.residual);
        worst.evaluations += r.evaluations;
    }
    print_message(
        "%d crowds: energy risen by at most %.2g of itself, account off by at most %.2g\n", count,
        worst.risen, worst.residual);
    ENSURE(beyond == 0);
}
