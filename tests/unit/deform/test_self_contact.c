// SPDX-License-Identifier: MIT
// A body that may touch itself: the prongs of a fork are thrown against each other. Without contact they come through; with it they bounce, and momenta and energy are kept.
#include "bodies.h"

#include "../sim/run.h"
#include "deform/soft.h"
#include "deform/sphere_pairs.h"

enum { LONG = 9, GAP = 5 };
static const double A = 0.01;

// Two prongs of 2 x 2 molecules along x, LONG long, with GAP layers between them, and a back.
static void add_fork(RbSoftScene *s) {
    rb_soft_scene_add_object(s, "fork", RB_NOWHERE);
    for (int x = 0; x < LONG; x++)
        for (int y = 0; y < GAP + 4; y++)
            for (int z = 0; z < 2; z++) {
                if (x > 1 && y > 1 && y < GAP + 2) continue;
                double speed = x > 1 ? 0.15 * x : 0;
                RbMolecule m = {.r = v3(A * x, A * y, A * z),
                                .v = v3(0, y < 2 ? speed : -speed, 0.02 * x),
                                .radius = 0.7 * A,
                                .friction = 0.4};
                rb_soft_scene_add_molecule(s, &m);
            }
}

typedef struct End {
    double gap;             // [m] of the tips, below zero: they have come through
    double linear, angular; // change of the momenta, of their sizes
    double energy;          // of the account
    double contacts;        // the most there were
} End;

static Vec3 spin_of(const RbNetwork *n, const double *r, const double *v) {
    Vec3 sum = V3_ZERO;
    for (int i = 0; i < n->count; i++)
        sum = v3_axpy(sum, n->mass[i], v3_cross(v3_load(r + 3 * i), v3_load(v + 3 * i)));
    return sum;
}

static double highest(const double *x, size_t count) {
    double most = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, x[i]);
    return most;
}

static double tip(const RbNetwork *n, const double *x, bool upper) {
    double most = upper ? INFINITY : -INFINITY;
    for (int i = 0; i < n->count; i++) {
        Vec3 r = n->scene->molecules.data[i].r;
        if (r.x < (LONG - 1.5) * A || (r.y > 2 * A) != upper) continue;
        most = upper ? fmin(most, x[3 * i + 1]) : fmax(most, x[3 * i + 1]);
    }
    return most;
}

static End clap(bool touches, RbSoftDetection detection, const char *solver, double tolerance) {
    Run r;
    run_open(&r, "pendulum"); // the files and the fixture; its model is replaced
    RbSoftScene *s = rb_soft_scene_new("fork", &r.f.arena);
    RbSoftMaterial m = rb_soft_material_default();
    m.youngs_modulus = 2e4;
    s->gravity = V3_ZERO;
    s->detection = detection;
    s->self_contact = touches;
    rb_soft_scene_add_material(s, &m);
    add_fork(s);
    ENSURE(rb_model_of_soft_scene(s, &r.f.arena, &r.f.diag, &r.model) == RB_OK);
    r.options = rb_model_options(r.model);
    r.options.journal_file = r.journal;
    r.options.output_interval = 1e-3;
    r.options.solver = solver;
    r.options.tolerance = tolerance;
    r.options.stop_time = 0.04;
    ENSURE(run_go(&r) == RB_OK);
    run_read(&r);
    RbNetwork n = network_of(&r.f, s);
    const double *x = run_now(&r)->x, *v = x + 3 * n.count, *account = run_series(&r, "account");
    double *r0 = rb_new_array(&r.f.arena, double, 3 * n.count),
           *v0 = rb_new_array(&r.f.arena, double, 3 * n.count);
    Vec3 before = V3_ZERO, after = V3_ZERO;
    double size = 0;
    for (int i = 0; i < n.count; i++) {
        v3_store(r0 + 3 * i, s->molecules.data[i].r);
        v3_store(v0 + 3 * i, s->molecules.data[i].v);
        before = v3_axpy(before, n.mass[i], s->molecules.data[i].v);
        after = v3_axpy(after, n.mass[i], v3_load(v + 3 * i));
        size += n.mass[i] * v3_norm(s->molecules.data[i].v);
    }
    Vec3 spin = spin_of(&n, r0, v0);
    size_t rows = r.result->row_count;
    End end = {.gap = tip(&n, x, true) - tip(&n, x, false),
               .linear = v3_distance(before, after) / size,
               .angular = v3_distance(spin, spin_of(&n, x, v)) / v3_norm(spin),
               .energy = fabs(account[rows - 1] / account[0] - 1),
               .contacts = highest(run_series(&r, "contacts"), rows)};
    run_close(&r);
    return end;
}

static void prongs_do_not_come_through(void **state) {
    (void)state;
    for (int detection = 0; detection < 2; detection++) {
        End through = clap(false, (RbSoftDetection)detection, "leapfrog", 1e-5),
            bounced = clap(true, (RbSoftDetection)detection, "leapfrog", 1e-5);
        print_message("%s: tips %.4f m apart without, %.4f m with contact of %g\n",
                      detection ? "surfaces" : "spheres", through.gap, bounced.gap,
                      bounced.contacts);
        ENSURE(through.contacts == 0 && through.gap < 0);
        ENSURE(bounced.contacts > 2 && bounced.gap > A);
        print_message("momentum %.1e, angular %.1e, energy %.1e\n", bounced.linear, bounced.angular,
                      bounced.energy);
        ENSURE(bounced.linear < 1e-13 && bounced.angular < 1e-12);
        End fine = clap(true, (RbSoftDetection)detection, "leapfrog", 1e-7);
        ENSURE(bounced.energy < 1e-2 && fine.energy < 0.2 * bounced.energy);
    }
}

static void implicit_steps_find_the_same(void **state) {
    (void)state;
    End explicit = clap(true, RB_SOFT_SPHERES, "leapfrog", 1e-7),
        implicit = clap(true, RB_SOFT_SPHERES, "cvode", 1e-7);
    ENSURE_NEAR(implicit.gap, explicit.gap, 1e-5);
}

// Squeezing a block to two thirds brings no contact: neighbours do not touch.
static void neighbours_do_not_touch(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSoftScene *s = block_scene(&f, 6, 6, 6);
    s->objects.data[0].self_contact = true;
    for (int i = 0; i < s->molecules.count; i++) s->molecules.data[i].radius = 0.0075;
    RbNetwork n = network_of(&f, s);
    Vec3 *r = places(&f, s);
    RbSpherePairs *pairs = rb_sphere_pairs_open(
        &n, 0.001, rb_arena_push(&f.arena, rb_sphere_pairs_size(&n), alignof(max_align_t)));
    for (int i = 0; i < n.count; i++) r[i].y *= 0.67;
    ENSURE(rb_sphere_pairs_update(pairs, &n, r) && pairs->count == 0);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prongs_do_not_come_through),
        cmocka_unit_test(implicit_steps_find_the_same),
        cmocka_unit_test(neighbours_do_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
