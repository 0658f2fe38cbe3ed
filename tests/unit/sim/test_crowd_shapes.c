// SPDX-License-Identifier: MIT
// Crowds of bodies of any convex shape by kicks (docs/theory/crowds.md): CVODE on the whole is the oracle before chaos, conservation of
// energy and momentum afterwards.
// label: normal
// sanitizers: full
#include "run_scene.h"

static const char *elastic =
    "\"restitution\": 1.0, \"sliding_friction\": 0, \"rolling_resistance\": 0";
static const char *damped =
    "\"restitution\": 0.7, \"sliding_friction\": 0, \"rolling_resistance\": 0";
static const char *rough =
    "\"restitution\": 0.5, \"sliding_friction\": 0.5, \"rolling_resistance\": 0.01";

// What the next scene is made of.
enum { SIDE = 4, SWARM = 2 * SIDE * SIDE };
static int seed;
static double softness = 1e-3;
static int shapes = 4; // kinds of them

static RbShape shape_of(int kind) {
    switch (kind) {
        case 0: return rb_shape_box(v3(0.05, 0.05, 0.05));
        case 1: return rb_shape_sphere(0.05);
        case 2: return rb_shape_cylinder(3, 0.05, 0.05);
        default: return rb_shape_ellipsoid(v3(0.05, 0.048, 0.046));
    }
}

// A layer of bodies a hair apart on the floor, in lines of different shapes, and balls that fall between them.
static void let_swarm(RbScene *s) {
    RbRng rng = rb_rng((uint64_t)seed);
    const double pitch = 0.0502;
    s->contact_options.scene.reduction = softness;
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    rb_scene_add(s, rb_solid("floor", rb_shape_box(v3(2, 2, 0.2)), "Steel"));
    s->objects.data[s->objects.count - 1].object.pose.r = v3(0, 0, -0.1);
    for (int i = 0; i < SWARM; i++) {
        RbShape shape = shape_of(i % shapes);
        Vec3 r = v3(pitch * (i % SIDE), pitch * (i / SIDE % SIDE), 0.0251 + pitch * (i / SIDE / SIDE));
        Vec3 v = v3(rb_rng_range(&rng, -0.2, 0.2), rb_rng_range(&rng, -0.2, 0.2),
                    rb_rng_range(&rng, -0.5, 0));
        Vec3 w = v3(rb_rng_range(&rng, -2, 2), rb_rng_range(&rng, -2, 2), rb_rng_range(&rng, -2, 2));
        rb_scene_add_free(s, rb_arena_printf(s->arena, "part%d", i), shape, "Steel", r, v, w);
    }
}

static double off(Run *whole, const char *pair, double tolerance, double stop_time) {
    Run r;
    open_with_pair(&r, NULL, let_swarm, pair, "islands", tolerance, stop_time);
    go(&r);
    // In a crowd contacts are no events; that bodies join and leave it are some.
    ENSURE(r.summary.state_events < whole->summary.state_events + SWARM);
    double d = difference(&r, whole, SWARM);
    print_message("  %g: off by %.2g m, %ld steps, %ld evaluations\n", tolerance, d, r.summary.steps,
                  r.summary.evaluations);
    run_close(&r);
    return d;
}

static void swarms_agree_with_one_system(void **state) {
    (void)state;
    const char *pairs[] = {elastic, damped, rough};
    const double stop_time = 0.005;
    for (int k = 0; k < 3; k++) {
        Run whole;
        seed = 1;
        open_with_pair(&whole, NULL, let_swarm, pairs[k], "cvode", 1e-8, stop_time);
        go(&whole);
        print_message("%ld events\n", whole.summary.state_events);
        ENSURE(whole.summary.state_events > 30);
        double one = off(&whole, pairs[k], 1e-4, stop_time), two = off(&whole, pairs[k], 1e-6, stop_time);
        ENSURE(one < 1e-5 && two < 5e-7 && two < one / 3);
        run_close(&whole);
    }
}

static double worst_residual(const char *pair, double tolerance, double stop_time) {
    Run r;
    open_with_pair(&r, NULL, let_swarm, pair, "islands", tolerance, stop_time);
    r.options.output_interval = 0.00137;
    go(&r);
    run_read(&r);
    const double *residual = run_series(&r, "energy.residual");
    const double *kinetic = run_series(&r, "energy.kinetic");
    double worst = 0;
    int n = (int)r.result->row_count;
    for (int i = 0; i < n; i++) worst = fmax(worst, fabs(residual[i]));
    print_message("  %g: residual %.3g of %.3g J\n", tolerance, worst, kinetic[0]);
    worst /= kinetic[0];
    run_close(&r);
    return worst;
}

static void energy_is_conserved(void **state) {
    (void)state;
    const char *pairs[] = {elastic, rough};
    for (int k = 0; k < 2; k++) {
        seed = 3;
        double one = worst_residual(pairs[k], 1e-4, 0.03), two = worst_residual(pairs[k], 1e-6, 0.03);
        ENSURE(one < 100 * 1e-4 && two < one / 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swarms_agree_with_one_system),
        cmocka_unit_test(energy_is_conserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
