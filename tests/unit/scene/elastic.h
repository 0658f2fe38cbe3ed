// SPDX-License-Identifier: MIT
// elastic.h: random scenes without friction and damping, one to five bodies that drop on a plate and on
// each other, gaps of zero included; for test_elastic.c and test_elastic_full.c.
//
// The account is made here, from poses and speeds alone: kinetic energy of rigid bodies, weight, and
// what contacts store. Balls, ellipsoids and boxes keep it within the bound of the ledger.
#pragma once

#include "math/rng.h"
#include "stand.h"

typedef struct ElasticBody {
    const char *name;
    double m;
    Vec3 I; // about its axes
} ElasticBody;

static inline ElasticBody elastic_body(Stand *s, RbRng *rng, int i, double z,
                                       double *top) {
    ElasticBody b;
    b.name = rb_arena_printf(s->scene->arena, "body%d", i);
    double x = rb_rng_range(rng, 0.05, 0.2), y = rb_rng_range(rng, 0.05, 0.2);
    double h = rb_rng_range(rng, 0.05, 0.2);
    double rho = 8000, r = 0.5 * x, reach = 0.5 * sqrt(x * x + y * y + h * h);
    RbShape shape;
    switch (rb_rng_int(rng, 3)) {
        case 0:
            shape = rb_shape_sphere(x);
            b.m = rho * M_PI / 6 * x * x * x;
            b.I = v3_scale(0.4 * b.m * r * r, v3(1, 1, 1));
            reach = r;
            break;
        case 1:
            shape = rb_shape_ellipsoid(v3(x, y, h));
            b.m = rho * M_PI / 6 * x * y * h;
            b.I = v3_scale(b.m / 20, v3(y * y + h * h, x * x + h * h, x * x + y * y));
            reach = 0.5 * fmax(x, fmax(y, h));
            break;
        default:
            shape = rb_shape_box(v3(x, y, h));
            b.m = rho * x * y * h;
            b.I = v3_scale(b.m / 12, v3(y * y + h * h, x * x + h * h, x * x + y * y));
    }
    double tilt = rb_rng_int(rng, 3) == 0 ? 0 : pow(10, rb_rng_range(rng, -5, 0.3));
    double gap = rb_rng_int(rng, 4) == 0 ? 0 : rb_rng_range(rng, 0, 2e-3);
    *top = z + 2 * reach + gap;
    Vec3 r0 = v3(rb_rng_range(rng, -0.02, 0.02), 0, z + reach + gap);
    Vec3 v0 = v3(rb_rng_range(rng, -0.2, 0.2), 0, rb_rng_range(rng, -1, 0));
    int object = rb_scene_add_free(s->scene, b.name, shape, "Steel", r0, v0, V3_ZERO);
    s->scene->objects.data[object].object.pose.R = m3_rotation(rb_rng_direction(rng), tilt);
    return b;
}

static inline double elastic_energy(Stand *s, const ElasticBody *b, double g) {
    Vec3 r = stand_vector(s, b->name, "r"), v = stand_vector(s, b->name, "v");
    Vec3 w = stand_vector(s, b->name, "w");
    Vec3 w_B = q_unrotate(q_unit(stand_quat(s, b->name)), w);
    return 0.5 * b->m * v3_norm2(v) + 0.5 * v3_dot(w_B, v3_mul(b->I, w_B)) + b->m * g * r.z;
}

// Change of energy: in units of the ledger's bound, 10 tolerance E (10 + events), and of the energy.
static inline double elastic_scene(uint64_t seed, double *part) {
    const double g = 9.81, tolerance = 1e-7;
    RbRng rng = rb_rng(seed);
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->restitution = 1;
    law->mu_k = law->mu_r = 0;
    RbSceneObject plate = rb_solid("plate", rb_shape_box(v3(2, 2, 0.2)), "Steel");
    plate.object.pose.r = v3(0, 0, -0.1);
    rb_scene_add(s.scene, plate);
    ElasticBody bodies[5];
    int count = 1 + rb_rng_int(&rng, 5);
    double z = 0, energy[2] = {0};
    for (int i = 0; i < count; i++) bodies[i] = elastic_body(&s, &rng, i, z, &z);
    for (int k = 0; k < 2; k++) {
        stand_run(&s, k ? 0.1 : 1e-9, tolerance);
        for (int i = 0; i < count; i++) energy[k] += elastic_energy(&s, &bodies[i], g);
        energy[k] += stand_result(&s, "energy.elastic");
    }
    double change = fabs(energy[1] - energy[0]), most = fmax(energy[0], energy[1]);
    *part = change / most;
    double off = change / (10 * tolerance * most * (10 + s.contact_count));
    stand_close(&s);
    return off;
}

static inline void elastic_scenes(int count) {
    double worst = 0, largest = 0;
    int bad = 0;
    for (int i = 1; i <= count; i++) {
        double part, off = elastic_scene((uint64_t)i, &part);
        bool good = off <= 1;
        if (!good) print_error("scene %d: %.2f of the bound, %.2g of the energy\n", i, off, part);
        bad += !good;
        worst = fmax(worst, off);
        largest = fmax(largest, part);
    }
    print_message("%d scenes: energy off by at most %.3f of the ledger's bound, %.2g of itself\n",
                  count, worst, largest);
    assert_int_equal(bad, 0);
}
