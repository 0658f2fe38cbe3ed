// SPDX-License-Identifier: MIT
// grains.h: clouds for tests.
#pragma once

#include "dem/cloud.h"
#include "geom/shape.h"
#include "math/rng.h"
#include "testing.h"

typedef struct Stuff {
    double modulus, poisson, density;
    RbGrainPair pair;
} Stuff;

// Soft glass, as in many published simulations.
static const Stuff GLASS = {5e6, 0.3, 2500, {.restitution = 0.5, .sliding = 0.3}};

static inline RbGrainLaw law_of_stuff(Stuff s) {
    RbElastic e = {s.modulus, s.poisson};
    return rb_grain_law(&s.pair, e, e);
}

static inline double mass_of(Stuff s, double radius) {
    return s.density * 4.0 / 3.0 * M_PI * radius * radius * radius;
}

static inline RbCloud *cloud_of(RbArena *arena, Stuff s, double step, int threads) {
    RbGrainLaw law = law_of_stuff(s);
    RbCloudOptions options = {
        .materials = 1, .laws = &law, .step = step, .threads = threads, .ledger = true};
    return rb_cloud(arena, &options);
}

static inline RbGrain grain(Stuff s, double radius, Vec3 r, Vec3 v) {
    return (RbGrain){.r = r, .v = v, .radius = radius, .mass = mass_of(s, radius)};
}

// Where the grain with this identity is.
static inline int index_of(const RbCloud *cloud, int id) {
    for (int i = 0; i < cloud->count; i++) {
        if (cloud->id[i] == id) return i;
    }
    fail();
    return -1;
}

static inline Vec3 vector(RbQuad q) {
    return v3(q.x, q.y, q.z);
}

static inline void run(RbCloud *cloud, long steps) {
    for (long k = 0; k < steps; k++) rb_cloud_step(cloud, NULL);
}

// The ground: all points with z <= 0.
static inline void add_ground(RbCloud *cloud, RbArena *arena) {
    RbShape shape = rb_shape_halfspace();
    int count;
    const RbCore *parts = rb_shape_cores(&shape, arena, &count);
    rb_cloud_add_wall(cloud,
                      (RbGrainWall){.parts = parts, .part_count = count, .X = POSE_IDENTITY});
}

// A box without a lid, [0, a] x [0, a] x [0, ...), of half-spaces.
static inline void add_box(RbCloud *cloud, RbArena *arena, double a) {
    RbShape shape = rb_shape_halfspace();
    int count;
    const RbCore *parts = rb_shape_cores(&shape, arena, &count);
    Vec3 inward[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int k = 0; k < 5; k++) {
        Vec3 n = inward[k], x = v3_perpendicular(n);
        Pose X = {v3(n.x < 0 ? a : 0, n.y < 0 ? a : 0, 0), m3_from_columns(x, v3_cross(n, x), n)};
        rb_cloud_add_wall(cloud, (RbGrainWall){.parts = parts, .part_count = count, .X = X});
    }
}

// A loose filling of n grains, radii within 10 % of one another, that falls.
static inline void add_heap(RbCloud *cloud, Stuff s, int n, double radius, double a,
                            uint64_t seed) {
    RbRng rng = rb_rng(seed);
    double d = 2.4 * radius;
    int side = (int)(a / d);
    for (int k = 0; k < n; k++) {
        Vec3 cell = v3(k % side + 0.5, k / side % side + 0.5, k / (side * side) + 0.6);
        Vec3 shift = v3(rb_rng_range(&rng, -0.05, 0.05), rb_rng_range(&rng, -0.05, 0.05), 0);
        RbGrain g = grain(s, radius * rb_rng_range(&rng, 0.9, 1), v3_scale(d, v3_add(cell, shift)),
                          v3(0, 0, -0.5));
        g.w = v3_scale(5, rb_rng_direction(&rng));
        rb_cloud_add(cloud, g);
    }
}
