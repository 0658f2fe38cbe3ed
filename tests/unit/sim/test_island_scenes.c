// SPDX-License-Identifier: MIT
// Islands of bodies in contact, with CVODE on the whole as the oracle.
// label: normal
#include "run_scene.h"

#include "math/rng.h"

// 16 balls, 60 changes of contact until 1.5 s.
static void billiards_agree_with_one_system(void **state) {
    (void)state;
    Run rough, fine, whole;
    open_scene(&rough, "billiards", NULL, "islands", 1e-7, 1.5);
    open_scene(&fine, "billiards", NULL, "islands", 1e-11, 1.5);
    open_scene(&whole, "billiards", NULL, "cvode", 1e-9, 1.5);
    go(&rough);
    go(&fine);
    go(&whole);
    ENSURE(rough.summary.state_events == whole.summary.state_events);
    ENSURE(fine.summary.state_events == whole.summary.state_events);
    ENSURE_NEAR(difference(&rough, &fine, 16), 0, 2e-6);
    ENSURE_NEAR(difference(&whole, &fine, 16), 0, 2e-6);
    ENSURE(rough.summary.allocations == 0);
    // The account of energies closes: each island integrates its share.
    for (int k = 0; k < 3; k++) {
        ENSURE_NEAR(run_now(&rough)->q[k], run_now(&fine)->q[k], 1e-6);
        ENSURE_NEAR(run_now(&whole)->q[k], run_now(&fine)->q[k], 1e-6);
    }
    run_close(&rough);
    run_close(&fine);
    run_close(&whole);
}

static void bounces_agree(void **state) {
    (void)state;
    const struct {
        const char *name;
        double stop, tolerance;
    } cases[] = {
        {"two-balls", 1.5, 1e-6},         {"bouncing-sphere", 2.7, 2e-4},
        {"guided-sphere", 2.2, 1e-6},     {"bouncing-ellipsoid", 2, 1e-4},
        {"ellipsoid-on-sphere", 1, 1e-4},
    };
    for (int k = 0; k < 5; k++) {
        Run a, b;
        open_scene(&a, cases[k].name, NULL, "islands", 1e-8, cases[k].stop);
        open_scene(&b, cases[k].name, NULL, "cvode", 1e-9, cases[k].stop);
        go(&a);
        go(&b);
        ENSURE(a.summary.state_events == b.summary.state_events);
        int n = rb_sim_stage(&a.sim)->system->x_count, places = n > 2 ? 3 : 1;
        for (int i = 0; i < places; i++)
            ENSURE_NEAR(run_now(&a)->x[i], run_now(&b)->x[i], cases[k].tolerance);
        run_close(&a);
        run_close(&b);
    }
}

// Every scene with both solvers, for half a second: later small differences have grown. Bodies that
// meet at the same instant are one event for one system and several for islands.
static void every_scene_agrees(void **state) {
    (void)state;
    for (const RbSceneCase *c = rb_scene_cases; c->name; c++) {
        Run a, b;
        open_scene(&a, c->name, NULL, "islands", 1e-8, fmin(c->stop_time, 0.5));
        open_scene(&b, c->name, NULL, "cvode", 1e-9, fmin(c->stop_time, 0.5));
        go(&a);
        go(&b);
        const RbSystem *system = rb_sim_stage(&a.sim)->system;
        double worst = 0; // [m] or [rad]
        for (int i = 0; i < system->x_count; i++) {
            if (system->absolute[i])
                worst = fmax(worst, fabs(run_now(&a)->x[i] - run_now(&b)->x[i]));
        }
        if (!(worst < 1e-6)) print_error("%s: %g\n", c->name, worst);
        ENSURE(worst < 1e-6);
        ENSURE(a.summary.state_events >= b.summary.state_events);
        run_close(&a);
        run_close(&b);
    }
}

// A row of bodies that touch has nearly as many states as an island may have; one more joins them.
static void line_up_shapes(RbScene *s, RbShape shape, double d) {
    s->gravity.kind = RB_GRAVITY_NONE;
    for (int i = 0; i < 40; i++) {
        double x = i == 0 ? -d - 1e-4 : (i - 1) * (d - 1e-10);
        rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), shape, "Steel", v3(x, 0, 0),
                          v3(i == 0 ? 1 : 0, 0, 0), V3_ZERO);
    }
}

static void line_up_ellipsoids(RbScene *s) {
    line_up_shapes(s, rb_shape_ellipsoid(v3(0.06, 0.05, 0.05)), 0.06);
}

static void line_up_balls(RbScene *s) {
    line_up_shapes(s, rb_shape_sphere(0.06), 0.06);
}

// About as stiff as steel spheres are, but without a memory of how contacts began.
static const char *spring =
    "\"normal\": \"spring-damper\", \"stiffness\": 2e10, \"exponent\": 1.5, "
    "\"damper\": 1e3, \"sliding_friction\": 0.3, "
    "\"rolling_resistance\": 0.001";

// q: limit for the account of energies, which is in no error test. [J]
static void large_islands_agree(void (*build)(RbScene *scene), const char *pair, const char *solver,
                                double q) {
    Run a, b;
    open_with_pair(&a, NULL, build, pair, "islands", 1e-6, 1.2e-4);
    open_with_pair(&b, NULL, build, pair, "cvode", 1e-8, 1.2e-4);
    go(&a);
    go(&b);
    assert_string_equal(a.summary.solver, solver);
    ENSURE(a.summary.state_events >= 1);
    ENSURE_NEAR(difference(&a, &b, 40), 0, 1e-9);
    for (int k = 0; k < 3; k++) ENSURE_NEAR(run_now(&a)->q[k], run_now(&b)->q[k], q);
    run_close(&a);
    run_close(&b);
}

static void large_islands_are_left_to_one_solver(void **state) {
    (void)state;
    large_islands_agree(line_up_ellipsoids, spring, "cvode", 1e-6); // no law for kicks
}

static void free_bodies_are_a_crowd(void **state) {
    (void)state;
    large_islands_agree(line_up_ellipsoids, NULL, "islands", 1e-5);
}

static void balls_are_a_crowd(void **state) {
    (void)state;
    large_islands_agree(line_up_balls, spring, "islands", 1e-5); // of 0.011 J
}

// The changes of contacts inside a crowd are not located: the error test sees to them. Its error
// shrinks with the tolerance as that of other islands.
static void crowd_agrees(const char *pair) {
    Run rough, fine, whole;
    open_with_pair(&rough, NULL, drop_pyramid, pair, "islands", 1e-5, 0.012);
    open_with_pair(&fine, NULL, drop_pyramid, pair, "islands", 1e-8, 0.012);
    open_with_pair(&whole, NULL, drop_pyramid, pair, "cvode", 1e-9, 0.012);
    go(&rough);
    go(&fine);
    go(&whole);
    ENSURE(fine.summary.state_events < whole.summary.state_events);
    ENSURE_NEAR(difference(&rough, &whole, 30), 0, 1e-6);
    ENSURE_NEAR(difference(&fine, &whole, 30), 0, 1e-8);
    ENSURE(fine.summary.allocations == 0);
    run_close(&rough);
    run_close(&fine);
    run_close(&whole);
}

static void crowds_agree_with_one_system(void **state) {
    (void)state;
    crowd_agrees(spring);
    crowd_agrees(NULL); // steel as it comes
}

// Twenty balls that touch without pressing each other fly by at 1 m/s. Neither forces nor the error test
// stop a step: their list of neighbours does, and each renewal must bring them on.
enum { FLYING = 20 };
static void throw_balls(RbScene *s) {
    s->gravity.kind = RB_GRAVITY_NONE;
    for (int i = 0; i < FLYING; i++)
        rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), rb_shape_sphere(0.06), "Steel",
                          v3(0.06 * i, 0, 0), v3(0, 1, 0), V3_ZERO);
}

static void each_renewal_brings_a_crowd_on(void **state) {
    (void)state;
    const double time = 0.5, skin = 0.2 * 0.03;
    Run r;
    open_scene(&r, NULL, throw_balls, "islands", 1e-6, time);
    go(&r);
    for (int i = 0; i < FLYING; i++) ENSURE_NEAR(run_now(&r)->x[7 * i + 1], time, 1e-12);
    ENSURE((double)r.summary.state_events >= time / (0.27 * skin) - 1);
    ENSURE((double)r.summary.state_events <= time / (0.16 * skin) + 1);
    run_close(&r);
}

// Quadratures at an output point are those of its time, also if an event follows that was found
// together with it: the balance then does not depend on the grid (1.6e-5 J if they ran ahead).
static void outputs_do_not_see_the_event_ahead(void **state) {
    (void)state;
    Run r;
    open_scene(&r, "billiards-4", NULL, "islands", 1e-9, 1);
    r.options.output_interval = 0.001;
    go(&r);
    run_read(&r);
    const double *residual = run_series(&r, "energy.residual");
    for (int i = 0; i < (int)r.result->row_count; i++) ENSURE_NEAR(residual[i], 0, 1e-7);
    run_close(&r);
}

// A checkpoint is a restart of all islands: what is resumed there gives the same bytes.
static void resumed_equals_whole(void **state) {
    (void)state;
    Run whole, again;
    open_scene(&whole, "two-balls", NULL, "islands", 1e-7, 1.5);
    open_scene(&again, "two-balls", NULL, "islands", 1e-7, 1.5);
    whole.options.checkpoint_interval = again.options.checkpoint_interval = 0.4;
    whole.options.output_interval = again.options.output_interval = 0.01;
    go(&whole);
    ENSURE(whole.summary.checkpoints == 3);
    RbBytes journal, other;
    ENSURE(rb_file_read(whole.journal, 0, &whole.f.arena, &whole.f.diag, &journal) == RB_OK);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    go(&again);
    ENSURE(rb_file_read(again.journal, 0, &again.f.arena, &again.f.diag, &other) == RB_OK);
    ENSURE(other.size == journal.size && memcmp(other.data, journal.data, other.size) == 0);
    ENSURE(again.summary.state_hash == whole.summary.state_hash &&
           again.summary.steps == whole.summary.steps);
    run_close(&again);
    run_close(&whole);
}

// ---- what is recorded

static void rain(RbScene *s) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    rb_scene_add(s, rb_solid("floor", rb_shape_halfspace(), "Steel"));
    for (int i = 0; i < 150; i++) {
        char *name = rb_arena_printf(s->arena, "ball%d", i);
        rb_scene_add_free(s, name, rb_shape_sphere(0.05), "Steel",
                          v3(0.1 * (i % 15), 0.1 * (i / 15), 0.026 + 1e-5 * i), V3_ZERO, V3_ZERO);
    }
}

// Hundreds of events among many bodies: rows at output points alone, right ones, and the run is the
// same with and without them.
static void wide_tables_have_rows_at_output_points(void **state) {
    (void)state;
    Run with, without;
    open_scene(&with, NULL, rain, "islands", 1e-6, 0.05);
    open_scene(&without, NULL, rain, "islands", 1e-6, 0.05);
    with.options.output_interval = without.options.output_interval = 0.001;
    without.options.journal_file = NULL;
    go(&with);
    go(&without);
    ENSURE(with.summary.state_events > 300);
    ENSURE(with.summary.state_hash == without.summary.state_hash);
    run_read(&with);
    ENSURE(with.result->row_count == 51);
    const double *z = run_series(&with, "ball149.r_abs[3]");
    for (int i = 0; i < 10; i++) // it has not landed before 0.022 s
        ENSURE_NEAR(z[i], 0.026 + 1e-5 * 149 - 0.5 * 9.81 * 1e-6 * i * i, 1e-12);
    run_close(&with);
    run_close(&without);
}

// ---- nothing passes through anything

static RbRng rng;

// A steel ball of 1 mm towards a plate of 0.5 mm, from a random distance.
static void shoot(RbScene *s) {
    s->gravity.kind = RB_GRAVITY_NONE;
    RbSceneObject plate = rb_solid("plate", rb_shape_box(v3(0.2, 0.2, 0.5e-3)), "Steel");
    rb_scene_add(s, plate);
    double height = 0.01 + 0.2 * rb_rng_unit(&rng), side = 0.05 * rb_rng_unit(&rng);
    rb_scene_add_free(s, "ball", rb_shape_sphere(1e-3), "Steel", v3(side, 0, height),
                      v3(0, 0, -100), V3_ZERO);
}

static void nothing_tunnels(void **state) {
    (void)state;
    rng = rb_rng(7);
    for (int k = 0; k < 40; k++) {
        Run r;
        open_scene(&r, NULL, shoot, "islands", k % 2 ? 1e-3 : 1e-6, 0.01);
        go(&r);
        ENSURE((double)r.summary.state_events == 2);
        ENSURE(run_now(&r)->x[2] > 0); // on the side it came from
        run_close(&r);
    }
}

// ---- at rest

static void lay(RbScene *s) {
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbSceneObject ground = rb_solid("ground", rb_shape_box(v3(1, 1, 0.1)), "Steel");
    ground.object.pose.r = v3(0, 0, -0.05);
    rb_scene_add(s, ground);
    for (int i = 0; i < 3; i++) {
        char *name = rb_arena_printf(s->arena, "ball%d", i);
        rb_scene_add_free(s, name, rb_shape_sphere(0.1), "Steel", v3(0.2 * i - 0.2, 0, 0.05),
                          V3_ZERO, V3_ZERO);
    }
}

// After a second of settling, balls on a table do not move in an hour, and that costs next to
// nothing.
static void rest_is_rest(void **state) {
    (void)state;
    Run settled, hour;
    open_scene(&settled, NULL, lay, "islands", 1e-7, 1);
    open_scene(&hour, NULL, lay, "islands", 1e-7, 3600);
    go(&settled);
    go(&hour);
    ENSURE_NEAR(difference(&settled, &hour, 3), 0, 1e-9);
    ENSURE(hour.summary.steps - settled.summary.steps < 300);
    run_close(&settled);
    run_close(&hour);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(billiards_agree_with_one_system),
        cmocka_unit_test(bounces_agree),
        cmocka_unit_test(every_scene_agrees),
        cmocka_unit_test(large_islands_are_left_to_one_solver),
        cmocka_unit_test(free_bodies_are_a_crowd),
        cmocka_unit_test(balls_are_a_crowd),
        cmocka_unit_test(crowds_agree_with_one_system),
        cmocka_unit_test(each_renewal_brings_a_crowd_on),
        cmocka_unit_test(outputs_do_not_see_the_event_ahead),
        cmocka_unit_test(resumed_equals_whole),
        cmocka_unit_test(wide_tables_have_rows_at_output_points),
        cmocka_unit_test(nothing_tunnels),
        cmocka_unit_test(rest_is_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
