// SPDX-License-Identifier: MIT
// A crowd is a property of an island: what others do far away costs it nothing, and what touches it without being able to join does not
// make contacts begin and end for ever.
// label: normal
#include "run_scene.h"

static void add_crate(RbScene *s, Vec3 r) {
    rb_scene_add_free(s, "crate", rb_shape_box(v3(0.05, 0.05, 0.05)), "Steel", r, V3_ZERO, V3_ZERO);
}

static void pour_beside_a_crate(RbScene *s) {
    pour_balls(s);
    add_crate(s, v3(10, 0, 5)); // which falls and meets nobody
}

// Evaluations are the cost; the number of steps has those of the crate in it, which do little.
static void a_crate_aside_costs_nothing(void **state) {
    (void)state;
    Run alone, beside;
    open_scene(&alone, NULL, pour_balls, "islands", 1e-5, 0.3);
    open_scene(&beside, NULL, pour_beside_a_crate, "islands", 1e-5, 0.3);
    go(&alone);
    go(&beside);
    print_message("%ld and %ld evaluations, %ld and %ld steps\n", alone.summary.evaluations,
                  beside.summary.evaluations, (long)alone.summary.steps,
                  (long)beside.summary.steps);
    ENSURE((double)beside.summary.evaluations < 1.05 * (double)alone.summary.evaluations);
    run_close(&alone);
    run_close(&beside);
}

// 27 balls fall into a box, and a crate onto them.
static void pour_with_a_crate(RbScene *s) {
    const double width = 0.18, wall = 0.02, pitch = 0.06;
    RbRng rng = rb_rng(1);
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    rb_scene_add(s, rb_solid("floor", rb_shape_halfspace(), "Steel"));
    for (int i = 0; i < 4; i++) {
        double away = (i % 2 ? 1 : -1) * 0.5 * (width + wall);
        bool along_x = i / 2;
        RbSceneObject side =
            rb_solid(rb_arena_printf(s->arena, "wall%d", i),
                     rb_shape_box(along_x ? v3(width, wall, 1) : v3(wall, width, 1)), "Steel");
        side.object.pose.r = along_x ? v3(0, away, 0.5) : v3(away, 0, 0.5);
        rb_scene_add(s, side);
    }
    for (int i = 0; i < 27; i++) {
        double x = (i % 3 - 1) * pitch + rb_rng_range(&rng, -4e-3, 4e-3),
               y = (i / 3 % 3 - 1) * pitch + rb_rng_range(&rng, -4e-3, 4e-3);
        rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), rb_shape_sphere(0.05), "Steel",
                          v3(x, y, (i / 9 + 1) * pitch), V3_ZERO, V3_ZERO);
    }
    add_crate(s, v3(0.002, -0.003, 4 * pitch));
}

// (36,000 events for this in one second, of which 2,000 in a microsecond: near pairs of the crowd were dropped when the crate
// touched it, and listed again when that had parted them.)
static void a_crate_in_it_makes_no_events_without_progress(void **state) {
    (void)state;
    Run r;
    open_scene(&r, NULL, pour_with_a_crate, "islands", 1e-5, 0.45);
    go(&r);
    print_message("%ld events, %ld steps\n", r.summary.state_events, r.summary.steps);
    ENSURE(r.summary.state_events < 5000);
    run_close(&r);
}

static long rows(const char *events) {
    Run r;
    open_scene(&r, NULL, pour_balls, "islands", 1e-4, 0.3);
    r.options.output_interval = 0.01;
    r.options.event_rows = events;
    go(&r);
    long count = r.summary.rows;
    run_close(&r);
    return count;
}

static void what_crowds_do_for_themselves_has_no_rows(void **state) {
    (void)state;
    long all = rows("all"), located = rows(NULL), summary = rows("summary");
    print_message("%ld, %ld, %ld rows\n", all, located, summary);
    ENSURE(summary < 40 && located > summary && all > located);
}

static void with_a_crate_rows_and_checkpoints_change_no_bit(void **state) {
    (void)state;
    Run with, without, whole, again;
    open_scene(&with, NULL, pour_with_a_crate, "islands", 1e-4, 0.25);
    open_scene(&without, NULL, pour_with_a_crate, "islands", 1e-4, 0.25);
    with.options.output_interval = 0.0007;
    without.options.journal_file = NULL;
    go(&with);
    go(&without);
    ENSURE(with.summary.state_hash == without.summary.state_hash);
    open_scene(&whole, NULL, pour_with_a_crate, "islands", 1e-4, 0.25);
    open_scene(&again, NULL, pour_with_a_crate, "islands", 1e-4, 0.25);
    whole.options.checkpoint_interval = again.options.checkpoint_interval = 0.2;
    go(&whole);
    RbBytes journal;
    ENSURE(rb_file_read(whole.journal, 0, &whole.f.arena, &whole.f.diag, &journal) == RB_OK);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    go(&again);
    ENSURE(again.summary.state_hash == whole.summary.state_hash);
    run_close(&again);
    run_close(&whole);
    run_close(&without);
    run_close(&with);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crate_aside_costs_nothing),
        cmocka_unit_test(what_crowds_do_for_themselves_has_no_rows),
        cmocka_unit_test(with_a_crate_rows_and_checkpoints_change_no_bit),
        cmocka_unit_test(a_crate_in_it_makes_no_events_without_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
