// SPDX-License-Identifier: MIT
// clumps.h: clumps for tests.
#pragma once

#include "grains.h"

// A form with its own mass properties (mass 0: from density).
static inline const RbClump *form_of(Fixture *f, int count, const double *spheres, double mass,
                                     Mat3 inertia) {
    RbClumpSpec spec = {
        .name = "c", .count = count, .spheres = spheres, .mass = mass, .inertia = inertia};
    RbClump *clump = rb_new(&f->arena, RbClump);
    ENSURE(rb_clump(&spec, &f->arena, f->scratch, &f->diag, clump) == RB_OK);
    return clump;
}

static inline const RbClump *form(Fixture *f, int count, const double *spheres) {
    return form_of(f, count, spheres, 0, M3_ZERO);
}

static inline RbGrainClump clump_at(RbCloud *cloud, const RbClump *form, Stuff s, Vec3 r, Quat q) {
    return (RbGrainClump){
        .form = rb_cloud_add_form(cloud, form), .r = r, .q = q, .size = 1, .density = s.density};
}

// Three spheres of different sizes that overlap: no axis of symmetry.
static const double PEBBLE[12] = {0,     0,     0,     0.005, 0.005, 0.001,
                                  0.001, 0.003, 0.001, 0.005, 0,     0.004};

// Pebbles that fall, with sizes of 0.9 to 1.
static inline void add_pebbles(RbCloud *cloud, const RbClump *form, Stuff s, int n, double a,
                               uint64_t seed) {
    RbRng rng = rb_rng(seed);
    double d = 2.1 * form->reach;
    int side = (int)(a / d);
    for (int k = 0; k < n; k++) {
        Vec3 cell = v3(k % side + 0.5, k / side % side + 0.5, k / (side * side) + 0.6);
        RbGrainClump c = clump_at(cloud, form, s, v3_scale(d, cell), rb_rng_orientation(&rng));
        c.v = v3_axpy(v3(0, 0, -0.5), 1, rb_rng_direction(&rng));
        c.w = v3_scale(20, rb_rng_direction(&rng));
        c.size = rb_rng_range(&rng, 0.9, 1);
        rb_cloud_add_clump(cloud, c);
    }
}

// Momentum and angular momentum are conserved, but for one rounding of every sum of a step, all in one direction.
static inline void keeps_momentum(RbCloud *cloud, long steps) {
    Wrench before = rb_cloud_momentum(cloud);
    run(cloud, steps);
    Wrench after = rb_cloud_momentum(cloud);
    double p = 0, l = 0, rounding = (double)cloud->steps * 0x1p-53;
    for (int k = 0; k < cloud->bodies.count; k++) {
        const RbGrainBody *b = &cloud->bodies.data[k];
        p += b->mass * v3_norm(b->v), l += v3_norm(b->l) + b->mass * v3_norm(b->v) * v3_norm(b->r);
    }
    ENSURE_NEAR(v3_distance(after.f, before.f) / p, 0, rounding);
    ENSURE_NEAR(v3_distance(after.t, before.t) / l, 0, rounding);
}

static inline const RbClump *polyhedron(Fixture *f, RbPolyhedronSpec spec) {
    RbClump *form = rb_new(&f->arena, RbClump);
    spec.name = "c";
    ENSURE(rb_polyhedron(&spec, &f->arena, f->scratch, &f->diag, form) == RB_OK);
    return form;
}
