// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (random scenes of what deform/test_soft and deform/test_self_contact run one by one)
// What random scenes of soft bodies keep that meet nothing but each other: momentum, angular momentum and the account of energy, with friction and losses, of
// springs and elements, spheres and surfaces, by explicit and implicit steps. RB_SCENES: how many (24).
#include "bodies.h"

#include <stdlib.h>

#include "../sim/run.h"
#include "deform/soft.h"
#include "math/rng.h"

// Two to four blocks that spin and fly towards each other; the first two of them meet in the middle.
static RbSoftScene *random_scene(uint64_t seed, RbArena *arena) {
    static const Vec3 corners[] = {{-1, 0, 0}, {1, 0.1, 0.1}, {0, 1.2, 0}, {0, -0.1, 1.2}};
    RbRng rng = rb_rng(seed);
    RbSoftScene *s = rb_soft_scene_new("random", arena);
    int count = 2 + (int)(rb_rng_unit(&rng) * 3);
    s->gravity = V3_ZERO;
    s->neighbours = rb_rng_unit(&rng) < 0.5 ? 18 : 26;
    s->mass = rb_rng_unit(&rng) < 0.5 ? RB_SOFT_MASS_CELLS : RB_SOFT_MASS_SPHERES;
    s->detection = rb_rng_unit(&rng) < 0.4 ? RB_SOFT_SURFACES : RB_SOFT_SPHERES;
    for (int i = 0; i < count; i++) {
        RbSoftMaterial m = rb_soft_material_default();
        m.name = rb_arena_printf(arena, "m%d", i);
        m.youngs_modulus = 2e4 * pow(10, rb_rng_unit(&rng));
        m.density = rb_rng_range(&rng, 500, 3000);
        m.damping = rb_rng_unit(&rng) < 0.3 ? 0 : rb_rng_range(&rng, 0, 0.5);
        m.model = (RbSoftModel)(rb_rng_unit(&rng) * 3);
        rb_soft_scene_add_material(s, &m);
        Block b = {.a = 0.02, .radius = 0.014, .material = i};
        for (int k = 0; k < 3; k++) b.n[k] = 2 + (int)(rb_rng_unit(&rng) * 2);
        b.low = v3_scale(0.075, corners[i]);
        double friction = rb_rng_unit(&rng) < 0.3 ? 0 : rb_rng_range(&rng, 0.1, 1);
        int first = s->molecules.count;
        add_block(s, rb_arena_printf(arena, "body %d", i), b);
        Vec3 spin = v3_scale(15, rb_rng_direction(&rng)),
             v = v3_axpy(v3_scale(-1.2, corners[i]), 0.2, rb_rng_direction(&rng));
        for (int k = first; k < s->molecules.count; k++) {
            RbMolecule *p = &s->molecules.data[k];
            p->friction = friction;
            p->v = v3_add(v, v3_cross(spin, v3_sub(p->r, v3_add(b.low, v3(0.02, 0.02, 0.02)))));
        }
    }
    return s;
}

typedef struct Kept {
    double linear, angular, energy; // largest changes, in units of what moves
    double touched;
} Kept;

typedef struct Momentum {
    Vec3 linear, angular;
    double speed, spin; // sums of magnitudes
} Momentum;

static Momentum momentum_of(const RbNetwork *n, const double *x) {
    Momentum p = {0};
    for (int i = 0; i < n->free_count; i++) {
        Vec3 r = v3_load(x + 3 * i),
             mv = v3_scale(n->mass[i], v3_load(x + 3 * (n->free_count + i)));
        p.linear = v3_add(p.linear, mv);
        p.angular = v3_add(p.angular, v3_cross(r, mv));
        p.speed += v3_norm(mv);
        p.spin += v3_norm(r) * v3_norm(mv);
    }
    return p;
}

static Kept run_scene(uint64_t seed, const char *solver, double tolerance) {
    Run r;
    run_open(&r, "pendulum"); // the files and the fixture; its model is replaced
    RbSoftScene *s = random_scene(seed, &r.f.arena);
    ENSURE(rb_model_of_soft_scene(s, &r.f.arena, &r.f.diag, &r.model) == RB_OK);
    r.options = rb_model_options(r.model);
    r.options.journal_file = r.journal;
    r.options.output_interval = 0.01;
    r.options.tolerance = tolerance;
    r.options.solver = solver;
    r.options.stop_time = 0.12;
    RbStatus status = run_go(&r);
    for (int i = 0; status != RB_OK && i < r.f.diag.messages.count; i++)
        print_error("scene %d: %s", (int)seed, fixture_message(&r.f, i));
    ENSURE(status == RB_OK);
    run_read(&r);
    const double *account = run_series(&r, "account"), *contacts = run_series(&r, "contacts");
    RbSegment *g = rb_sim_stage(&r.sim)->system->parts[0].segment;
    RbNetwork n = network_of(&r.f, s);
    double *start = rb_new_array(&r.f.arena, double, g->states.count);
    for (int i = 0; i < g->states.count; i++) start[i] = g->states.data[i].start;
    Momentum before = momentum_of(&n, start), after = momentum_of(&n, run_now(&r)->x);
    Kept k = {.linear = v3_distance(before.linear, after.linear) / before.speed,
              .angular = v3_distance(before.angular, after.angular) / before.spin};
    for (size_t i = 0; i < r.result->row_count; i++) {
        k.energy = fmax(k.energy, fabs(account[i] / account[0] - 1));
        k.touched = fmax(k.touched, contacts[i]);
    }
    run_close(&r);
    return k;
}

typedef struct Sum {
    int touched;
    double coarse, fine; // geometric means
    double coarse_worst, fine_worst;
} Sum;

static void add(Sum *sum, double coarse, double fine, double floor) {
    sum->touched++;
    sum->coarse += log(fmax(coarse, floor));
    sum->fine += log(fmax(fine, floor));
    sum->coarse_worst = fmax(sum->coarse_worst, coarse);
    sum->fine_worst = fmax(sum->fine_worst, fine);
}

static void tell(const char *what, Sum *sum) {
    sum->coarse = exp(sum->coarse / sum->touched);
    sum->fine = exp(sum->fine / sum->touched);
    print_message("%s: mean %.1e, worst %.1e; finer: mean %.1e, worst %.1e (%d scenes)\n", what,
                  sum->coarse, sum->coarse_worst, sum->fine, sum->fine_worst, sum->touched);
}

static int scenes(int few) {
    const char *wanted = getenv("RB_SCENES");
    return wanted ? atoi(wanted) : few;
}

// Explicit steps: both momenta to rounding; the account closes with the tolerance.
static void explicit_steps(void **state) {
    (void)state;
    int count = scenes(24);
    Sum energy = {0};
    double worst = 0;
    for (int i = 0; i < count; i++) {
        Kept coarse = run_scene(1 + (uint64_t)i, "leapfrog", 1e-4),
             fine = run_scene(1 + (uint64_t)i, "leapfrog", 1e-6);
        if (coarse.touched == 0) continue;
        if (!(coarse.linear < 1e-12 && coarse.angular < 1e-12))
            print_error("scene %d: %.1e, %.1e\n", i + 1, coarse.linear, coarse.angular);
        ENSURE(coarse.linear < 1e-12 && coarse.angular < 1e-12);
        ENSURE(fine.linear < 1e-12 && fine.angular < 1e-12);
        worst = fmax(worst, fmax(coarse.angular, fine.angular));
        ENSURE(coarse.energy < 1e-2);
        add(&energy, coarse.energy, fine.energy, 1e-14);
    }
    print_message("angular momentum: worst %.1e\n", worst);
    tell("account of energy, leapfrog, 1e-4 and 1e-6", &energy);
    ENSURE(energy.touched > count / 2);
    ENSURE(energy.fine < 0.1 * energy.coarse && energy.fine_worst < energy.coarse_worst);
}

// Implicit steps: momentum to rounding; angular momentum and energy with the tolerance.
static void implicit_steps(void **state) {
    (void)state;
    int count = scenes(24) / 4;
    Sum angular = {0}, energy = {0};
    for (int i = 0; i < count; i++) {
        Kept coarse = run_scene(1 + (uint64_t)i, "cvode", 1e-5),
             fine = run_scene(1 + (uint64_t)i, "cvode", 1e-7);
        if (coarse.touched == 0) continue;
        if (!(coarse.linear < 1e-14))
            print_error("scene %d: %.1e, %.1e\n", i + 1, coarse.linear, coarse.angular);
        ENSURE(coarse.linear < 1e-14 && fine.linear < 1e-14);
        add(&angular, coarse.angular, fine.angular, 1e-15);
        add(&energy, coarse.energy, fine.energy, 1e-15);
    }
    tell("angular momentum, cvode, 1e-5 and 1e-7", &angular);
    tell("account of energy, cvode, 1e-5 and 1e-7", &energy);
    ENSURE(angular.fine < 0.1 * angular.coarse && angular.fine_worst < angular.coarse_worst);
    ENSURE(energy.fine < 0.1 * energy.coarse && energy.fine_worst < energy.coarse_worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(explicit_steps),
                                       cmocka_unit_test(implicit_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
