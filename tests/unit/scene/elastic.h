// SPDX-License-Identifier: MIT
// elastic.h: random scenes of one to five bodies of all convex shapes that drop on a plate and on each
// other, gaps of zero included; for test_elastic.c and test_elastic_full.c.
//
// The account is made here, from masses and moments that are typed, poses and speeds, at instants when
// nothing touches: nothing is stored then, and no number of the program about energy is used.
#pragma once

#include "math/rng.h"
#include "stand.h"

enum { ELASTIC_BODIES = 5, ELASTIC_ROWS = 200 };

typedef enum ElasticShape {
    SPHERE,
    ELLIPSOID,
    BOX,
    CYLINDER,
    CAPSULE,
    CONE,
    BEAM,
    SHAPE_COUNT
} ElasticShape;

typedef struct ElasticBody {
    const char *name;
    double m;
    Vec3 I; // about its axes
} ElasticBody;

typedef struct ElasticPlan {
    bool lossless;    // no friction, e = 1: energy stays; otherwise it never rises
    int kinds;        // of the shapes in their order
    double tolerance; // 0: 1e-7
} ElasticPlan;

static inline RbShape elastic_shape(ElasticShape kind, double x, double y, double h) {
    switch (kind) {
        case SPHERE: return rb_shape_sphere(x);
        case ELLIPSOID: return rb_shape_ellipsoid(v3(x, y, h));
        case BOX: return rb_shape_box(v3(x, y, h));
        case CYLINDER: return rb_shape_cylinder(3, x, h);
        case CAPSULE: return rb_shape_capsule(3, x, h);
        case CONE: return rb_shape_cone(3, x, h, y < 0.1 ? 0 : 0.4 * x);
        default: return rb_shape_beam(1, h, x, y);
    }
}

// The moments are those of a box around: any will do.
static inline ElasticBody elastic_body(Stand *s, RbRng *rng, int kinds, int i, double z,
                                       double *top) {
    double x = rb_rng_range(rng, 0.05, 0.2), y = rb_rng_range(rng, 0.05, 0.2);
    double h = rb_rng_range(rng, 0.05, 0.2), m = 4000 * x * y * h;
    ElasticShape kind = (ElasticShape)rb_rng_int(rng, kinds);
    double reach = kind == SPHERE ? 0.5 * x
                   : kind < BOX   ? 0.5 * fmax(x, fmax(y, h))
                   : kind == CONE ? sqrt(h * h + 0.25 * x * x)
                   : kind == BOX  ? 0.5 * sqrt(x * x + y * y + h * h)
                   : kind == BEAM ? 0.5 * sqrt((h + x) * (h + x) + x * x + y * y)
                                  : 0.5 * (x + h);
    ElasticBody b = {.name = rb_arena_printf(s->scene->arena, "body%d", i),
                     .m = m,
                     .I = v3_scale(m / 12, v3(y * y + h * h, x * x + h * h, x * x + y * y))};
    double tilt = rb_rng_int(rng, 3) == 0 ? 0 : pow(10, rb_rng_range(rng, -5, 0.3));
    double gap = rb_rng_int(rng, 4) == 0 ? 0 : rb_rng_range(rng, 0, 2e-3);
    *top = z + 2 * reach + gap;
    Vec3 r0 = v3(rb_rng_range(rng, -0.02, 0.02), 0, z + reach + gap);
    Vec3 v0 = v3(rb_rng_range(rng, -0.2, 0.2), 0, rb_rng_range(rng, -1, 0));
    RbSceneObject o = rb_solid(b.name, elastic_shape(kind, x, y, h), "Steel");
    o.object.moves_freely = true;
    o.object.pose = (Pose){r0, m3_rotation(rb_rng_direction(rng), tilt)};
    o.object.velocity = v0;
    o.object.has_mass = true;
    o.object.mass = (RbMassProperties){.mass = m, .I_CM = m3_diagonal(b.I)};
    rb_scene_add(s->scene, o);
    return b;
}

static inline double elastic_column(Stand *s, const ElasticBody *b, const char *name, int k,
                                    int row) {
    char text[64];
    int count;
    snprintf(text, sizeof text, "%s.%s[%d]", b->name, name, k + 1);
    return stand_series(s, text, &count)[row];
}

static inline double elastic_energy(Stand *s, const ElasticBody *b, double g, int row) {
    double x[3], v[3], w[3], q[4];
    for (int k = 0; k < 3; k++) {
        x[k] = elastic_column(s, b, "r", k, row), v[k] = elastic_column(s, b, "v", k, row);
        w[k] = elastic_column(s, b, "w", k, row);
    }
    for (int k = 0; k < 4; k++) q[k] = elastic_column(s, b, "Q", k, row);
    Vec3 w_B = q_unrotate(q_unit(q_load(q)), v3_load(w));
    return 0.5 * b->m * v3_norm2(v3_load(v)) + 0.5 * v3_dot(w_B, v3_mul(b->I, w_B)) +
           b->m * g * x[2];
}

// What a scene showed.
typedef struct ElasticResult {
    double off;  // change of the energy over the bound of the ledger, 10 tolerance E (10 + events)
    double part; // change of the energy, as part of it
    double unbooked; // of that what energy.contact_misfit does not tell
    int free_rows;
} ElasticResult;

static inline void elastic_compare(Stand *s, const ElasticPlan *plan, const ElasticBody *bodies,
                                   int count, double g, double tolerance, ElasticResult *out) {
    int rows, events = 0, open = 0;
    const double *time = stand_series(s, "time", &rows);
    const double *misfit = stand_series(s, "energy.contact_misfit", &rows);
    double reference = NAN;
    for (int i = 0; i < rows; i++) {
        while (events < s->contact_count && s->contacts[events].time <= time[i])
            open += s->contacts[events++].starts ? 1 : -1;
        bool quiet = open == 0 && (i == 0 || events == 0 || s->contacts[events - 1].time < time[i]);
        if (!quiet) continue;
        double energy = 0;
        for (int k = 0; k < count; k++) energy += elastic_energy(s, &bodies[k], g, i);
        if (isnan(reference)) reference = energy;
        double change = energy - reference;
        out->unbooked = fmax(out->unbooked, fabs(change - misfit[i]) / reference);
        if (plan->lossless) change = fabs(change);
        out->off = fmax(out->off, change / (10 * tolerance * reference * (10 + events)));
        out->part = fmax(out->part, change / reference);
        if (!plan->lossless) reference = fmin(reference, energy);
        out->free_rows += events > 0;
    }
}

static inline ElasticResult elastic_scene(const ElasticPlan *plan, uint64_t seed) {
    const double g = 9.81, tolerance = plan->tolerance > 0 ? plan->tolerance : 1e-7, stop = 0.1;
    RbRng rng = rb_rng(seed);
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->restitution = plan->lossless ? 1 : rb_rng_range(&rng, 0.1, 0.95);
    law->mu_k = plan->lossless ? 0 : rb_rng_range(&rng, 0, 0.8);
    law->mu_r = plan->lossless ? 0 : rb_rng_range(&rng, 0, 0.01);
    RbSceneObject plate = rb_solid("plate", rb_shape_box(v3(2, 2, 0.2)), "Steel");
    plate.object.pose.r = v3(0, 0, -0.1);
    rb_scene_add(s.scene, plate);
    ElasticBody bodies[ELASTIC_BODIES];
    int count = 1 + rb_rng_int(&rng, ELASTIC_BODIES);
    double z = 0;
    for (int i = 0; i < count; i++) bodies[i] = elastic_body(&s, &rng, plan->kinds, i, z, &z);
    stand_record(&s, stop / ELASTIC_ROWS);
    stand_run(&s, stop, tolerance);
    ElasticResult out = {0};
    elastic_compare(&s, plan, bodies, count, g, tolerance, &out);
    stand_close(&s);
    return out;
}

// A body of typed mass falls on a fixed one, without friction and losses.
typedef struct ElasticFall {
    RbShape below, above;
    Pose below_at, above_at;
    double speed, stop, tolerance; // [m/s], [s]
    double modulus;                // [Pa] 0: that of steel
} ElasticFall;

static inline ElasticResult elastic_fall(const ElasticFall *fall, long *evaluations) {
    const double g = 9.81;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->restitution = 1, law->mu_k = law->mu_r = 0;
    if (fall->modulus > 0) stand_soften(&s, "Steel", fall->modulus);
    RbSceneObject fixed = rb_solid("fixed", fall->below, "Steel");
    fixed.object.pose = fall->below_at;
    rb_scene_add(s.scene, fixed);
    RbSceneObject o = rb_solid("body", fall->above, "Steel");
    ElasticBody b = {"body", 3, v3(0.02, 0.02, 0.01)};
    o.object.moves_freely = true;
    o.object.pose = fall->above_at;
    o.object.velocity = v3(0, 0, -fall->speed);
    o.object.has_mass = true;
    o.object.mass = (RbMassProperties){.mass = b.m, .I_CM = m3_diagonal(b.I)};
    rb_scene_add(s.scene, o);
    stand_record(&s, fall->stop / ELASTIC_ROWS);
    stand_run(&s, fall->stop, fall->tolerance);
    *evaluations = s.summary.evaluations;
    ElasticResult out = {0};
    elastic_compare(&s, &(ElasticPlan){.lossless = true}, &b, 1, g, fall->tolerance, &out);
    stand_close(&s);
    return out;
}

// Within the bound of the ledger, all of them; with losses it never rises beyond that.
static inline void elastic_scenes(ElasticPlan plan, int first, int count) {
    ElasticResult worst = {0};
    int beyond = 0, seen = 0;
    for (int i = first; i < first + count; i++) {
        ElasticResult r = elastic_scene(&plan, (uint64_t)i);
        if (r.off > 1)
            print_message("scene %d: %.2f of the bound, %.2g of the energy\n", i, r.off, r.part);
        beyond += r.off > 1;
        seen += r.free_rows > 0;
        worst.off = fmax(worst.off, r.off), worst.part = fmax(worst.part, r.part);
    }
    print_message(
        "%d scenes, %d of them seen free of contact after one: energy %s by at most %.3f of the "
        "ledger's bound, %.2g of itself\n",
        count, seen, plan.lossless ? "off" : "risen", worst.off, worst.part);
    ENSURE(beyond == 0);
    ENSURE(2 * seen > count);
}

// The worst change of energy, as part of it, falls with the tolerance, and is within the bound of the ledger.
static inline void elastic_falls(int count) {
    static const double tolerances[] = {1e-5, 1e-7, 1e-9};
    double worst[3] = {0};
    for (int k = 0; k < 3; k++) {
        ElasticPlan plan = {.lossless = true, .kinds = SHAPE_COUNT, .tolerance = tolerances[k]};
        int beyond = 0, seen = 0;
        for (int i = 1; i <= count; i++) {
            ElasticResult r = elastic_scene(&plan, (uint64_t)i);
            if (r.off > 1)
                print_message("scene %d at %g: %.2f of the bound, %.2g of the energy\n", i,
                              tolerances[k], r.off, r.part);
            worst[k] = fmax(worst[k], r.part);
            beyond += r.off > 1, seen += r.free_rows > 0;
        }
        print_message(
            "%d scenes at %g: energy off by at most %.2g of itself, %d beyond the bound\n", count,
            tolerances[k], worst[k], beyond);
        ENSURE(2 * seen > count);
        ENSURE(beyond == 0);
    }
    for (int k = 0; k < 2; k++) ENSURE(worst[k + 1] < 0.5 * worst[k]);
}
