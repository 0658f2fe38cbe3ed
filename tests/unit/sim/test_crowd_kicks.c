// SPDX-License-Identifier: MIT
// Crowds of balls by kicks (docs/theory/crowds.md): CVODE on the whole is the oracle, and the balance of
// energies.
// label: normal
// sanitizers: full (test_crowd_bits runs the same code)
#include "run_scene.h"

#include "math/rng.h"

static const char *elastic =
    "\"restitution\": 1.0, \"sliding_friction\": 0, \"rolling_resistance\": 0";
static const char *damped =
    "\"restitution\": 0.7, \"sliding_friction\": 0, \"rolling_resistance\": 0";
static const char *rough =
    "\"restitution\": 0.5, \"sliding_friction\": 0.5, \"rolling_resistance\": 0.01";

// [m] How far balls are from where one system of high order has them.
static double off(Run *whole, const char *pair, void (*build)(RbScene *), int balls,
                  double tolerance, double stop_time) {
    Run r;
    open_with_pair(&r, NULL, build, pair, "islands", tolerance, stop_time);
    go(&r);
    ENSURE(r.summary.allocations == 0);
    double d = difference(&r, whole, balls);
    run_close(&r);
    return d;
}

// Steps are so long that errors are as large as the tolerance: the method is of second order, and its
// steps are as its root.
static void errors_fall_with_the_tolerance(void **state) {
    (void)state;
    const char *pairs[] = {elastic, damped, rough, NULL};
    for (int k = 0; k < 4; k++) {
        Run whole;
        open_with_pair(&whole, NULL, drop_pyramid, pairs[k], "cvode", 1e-9, 0.012);
        go(&whole);
        double one = off(&whole, pairs[k], drop_pyramid, 30, 1e-5, 0.012);
        double two = off(&whole, pairs[k], drop_pyramid, 30, 1e-6, 0.012);
        double three = off(&whole, pairs[k], drop_pyramid, 30, 1e-7, 0.012);
        print_message("%.2g, %.2g, %.2g m\n", one, two, three);
        ENSURE(one < 1e-5 && two < 1e-6 && three < 1e-7); // the tolerance times a metre
        ENSURE(three < one / 20);                         // of 100; each blow makes errors larger
        run_close(&whole);
    }
}

// Nothing was tuned on these: 16 balls of all sizes from 28 to 48 mm lie between 25 of 50 mm, all a hundred or a thousand times
// softer than steel, and fall.
enum { LOWER = 5, MIXED = LOWER * LOWER + (LOWER - 1) * (LOWER - 1) };
static double softness;
static bool recorded;
static void drop_mixed(RbScene *s) {
    RbRng rng = rb_rng(11);
    const double R = 0.025, gap = 1e-5, pitch = 2 * R + gap;
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    s->contact_options.scene.reduction = softness;
    rb_scene_add(s, rb_solid("floor", rb_shape_halfspace(), "Steel"));
    for (int i = 0; i < LOWER; i++) { // the world has several shapes: numbers of shapes are not those of bodies
        RbSceneObject post = rb_solid(rb_arena_printf(s->arena, "post%d", i), rb_shape_box(v3(0.01, 0.01, 1)), "Steel");
        post.object.pose.r = v3(-0.2, 0.1 * i, 0.5);
        rb_scene_add(s, post);
    }
    for (int i = 0; i < MIXED; i++) {
        bool upper = i >= LOWER * LOWER;
        int k = upper ? i - LOWER * LOWER : i, side = upper ? LOWER - 1 : LOWER;
        double radius = upper ? rb_rng_range(&rng, 0.014, 0.024) : R;
        double over = sqrt((R + radius) * (R + radius) - pitch * pitch / 2) + gap; // between four
        Vec3 r = v3((k % side + 0.5 * upper) * pitch, (k / side + 0.5 * upper) * pitch,
                    R + 1e-4 + (upper ? over : 0));
        Vec3 v = v3(0, 0, upper ? rb_rng_range(&rng, -0.9, -0.5) : -0.3);
        rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), rb_shape_sphere(2 * radius),
                          "Steel", r, v, V3_ZERO);
    }
    RbScenePair pair = {1, 2};
    if (recorded) rb_array_push(&s->contact_results, s->arena, pair);
}

static void other_radii_and_softer_bodies(void **state) {
    (void)state;
    const double soft[] = {1e-2, 1e-3}, stop = 0.01;
    const char *pairs[] = {rough, damped};
    for (int k = 0; k < 2; k++) {
        Run whole, kicked, stepped;
        softness = soft[k];
        open_with_pair(&whole, NULL, drop_mixed, pairs[k], "cvode", 1e-9, stop);
        go(&whole);
        double one = off(&whole, pairs[k], drop_mixed, MIXED, 1e-4, stop);
        double two = off(&whole, pairs[k], drop_mixed, MIXED, 1e-5, stop);
        double three = off(&whole, pairs[k], drop_mixed, MIXED, 1e-6, stop);
        print_message("%ld events: %.2g, %.2g, %.2g m\n", whole.summary.state_events, one, two,
                      three);
        // Long blows of many balls at once that slide on each other: splitting is of first order there, and its steps are as the root
        // of the tolerance.
        ENSURE(two < one && three < two && three < one / 10);
        ENSURE(one < 1e-4); // the tolerance times a metre
        // Contacts that are recorded are not kicked, which takes other steps: so these were.
        open_with_pair(&kicked, NULL, drop_mixed, pairs[k], "islands", 1e-5, stop);
        go(&kicked);
        recorded = true;
        open_with_pair(&stepped, NULL, drop_mixed, pairs[k], "islands", 1e-5, stop);
        recorded = false;
        go(&stepped);
        ENSURE(difference(&kicked, &stepped, MIXED) > 0);
        run_close(&stepped);
        run_close(&kicked);
        run_close(&whole);
    }
}

// ---- no contact is missed

enum { SWARM = 27 };
static int swarm_seed;

// A grid of balls, a few hundredths of a millimetre apart and out of order, that fly through each other's
// places at up to 3 m/s, with spin.
static void let_swarm(RbScene *s) {
    RbRng rng = rb_rng((uint64_t)swarm_seed);
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    rb_scene_add(s, rb_solid("floor", rb_shape_halfspace(), "Steel"));
    for (int i = 0; i < SWARM; i++) {
        double pitch = 0.05 + 2e-4, shift = 5e-5;
        Vec3 r = v3(pitch * (i % 3) + rb_rng_range(&rng, -shift, shift),
                    pitch * (i / 3 % 3) + rb_rng_range(&rng, -shift, shift),
                    0.0252 + pitch * (i / 9) + rb_rng_range(&rng, -shift, shift));
        Vec3 v =
            v3(rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -1, 1), rb_rng_range(&rng, -3, 1));
        Vec3 w = v3(rb_rng_range(&rng, -20, 20), rb_rng_range(&rng, -20, 20),
                    rb_rng_range(&rng, -20, 20));
        rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), rb_shape_sphere(0.05), "Steel",
                          r, v, w);
    }
}

// About a hundred blows, each of which makes errors several times as large: by 1e-5 m a missed or a late
// one would be seen.
static void swarms_agree_with_one_system(void **state) {
    (void)state;
    for (swarm_seed = 1; swarm_seed <= 6; swarm_seed++) {
        Run whole;
        open_with_pair(&whole, NULL, let_swarm, NULL, "cvode", 1e-9, 1.5e-3);
        go(&whole);
        ENSURE(whole.summary.state_events > 50);
        double d = off(&whole, NULL, let_swarm, SWARM, 1e-6, 1.5e-3);
        print_message("%ld events, off by %.2g m\n", whole.summary.state_events, d);
        ENSURE(d < 1e-6);
        run_close(&whole);
    }
}

// ---- energy

// The largest residual of the balance over the energy that the balls fall with, at rows that come as they like.
static double worst_residual(const char *pair, double tolerance, double stop_time) {
    Run r;
    open_with_pair(&r, NULL, pour_balls, pair, "islands", tolerance, stop_time);
    r.options.output_interval = 0.00137;
    go(&r);
    run_read(&r);
    const double *residual = run_series(&r, "energy.residual");
    double worst = 0;
    for (int i = 0; i < (int)r.result->row_count; i++) worst = fmax(worst, fabs(residual[i]));
    const double *potential = run_series(&r, "energy.potential");
    worst /= potential[0];
    run_close(&r);
    return worst;
}

// The bound of the ledger is 10 tolerance (10 + events); contacts in a crowd are none.
static void the_balance_closes(void **state) {
    (void)state;
    const char *pairs[] = {elastic, damped, rough, NULL};
    for (int k = 0; k < 4; k++) {
        double one = worst_residual(pairs[k], 1e-5, 0.2), two = worst_residual(pairs[k], 1e-6, 0.2);
        print_message("%.2g and %.2g of the energy\n", one, two);
        ENSURE(one < 100 * 1e-5 && two < 100 * 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_fall_with_the_tolerance),
        cmocka_unit_test(other_radii_and_softer_bodies),
        cmocka_unit_test(swarms_agree_with_one_system),
        cmocka_unit_test(the_balance_closes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
