// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (cards take seats in scene/test_card_house, too)
// Meshes that stick to many others: bristles of pairs take seats among the states of a body, a few, when contacts start. One after another they use the same ones, and what
// sticks to many at once gets more, whatever the solver; checkpoints keep who sits where.
#include "resume.h"

#include "geom/mesh_make.h"
#include "geom/moments.h"

enum { TILES = 7, CUBES = 7, STATES = 13, SEAT = 6 };
static const double FRICTION = 0.3, SLOPE = 0.2;           // [rad] which friction holds
static const double TILE = 0.05, GAP = 1e-3, SPEED = 1.15; // [m], [m/s]
static const Vec3 SLIDER = {0.03, 0.03, 0.01}, PLATE = {1, 0.2, 0.05}, CUBE = {0.05, 0.05, 0.05};

static const RbMesh *block(Stand *s, Vec3 size, double below) { // so deep below its origin
    RbMesh *m = rb_new(&s->f.arena, RbMesh), box = rb_mesh_box(size, &s->f.arena);
    *m = rb_mesh_map(&box, M3_IDENTITY, v3(-0.5 * size.x, -0.5 * size.y, -below), &s->f.arena);
    return m;
}

static int add_fixed(Stand *s, const char *name, Vec3 r) {
    RbSceneObject o = rb_frame_object(name, 0, POSE_IDENTITY);
    o.object.pose.r = r;
    return rb_scene_add(s->scene, o);
}

static int add_free(Stand *s, const char *name, const RbMesh *mesh, Vec3 r, Vec3 v) {
    RbSceneObject o =
        rb_body(name, rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(mesh)), 1000));
    o.object.moves_freely = true;
    o.object.pose.r = r;
    o.object.velocity = v;
    return rb_scene_add(s->scene, o);
}

static void join(Stand *s, int a, const RbMesh *mesh_a, int b, const RbMesh *mesh_b) {
    RbSolidsForce f = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    f.volume.modulus = 1e7;
    f.volume.restitution = 0.3;
    f.volume.mu_static = f.volume.mu_kinetic = FRICTION;
    ENSURE(rb_scene_add_solids(s->scene, a, mesh_a, b, mesh_b, f, &s->f.diag) == RB_OK);
}

// A slider crosses one tile after another, and lies on two at most.
static void build_tiles(Stand *s, const void *solver) {
    stand_open(s);
    s->scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    const RbMesh *tile = block(s, v3(TILE, 0.1, 0.05), 0.05), *slider = block(s, SLIDER, 0);
    int body = add_free(s, "slider", slider, V3_ZERO, v3(SPEED, 0, 0));
    for (int k = 0; k < TILES; k++) {
        const char *name = rb_arena_printf(s->scene->arena, "tile%d", k + 1);
        join(s, add_fixed(s, name, v3(k * (TILE + GAP), 0, 0)), tile, body, slider);
    }
    s->options.solver = solver;
    s->options.stop_time = 0.45;
    s->options.tolerance = 1e-5;
}

// Cubes stand on a plate, that on a floor, all on a slope.
static void build_plate(Stand *s, const void *solver) {
    stand_open(s);
    s->scene->gravity = rb_gravity_uniform(9.81, v3(sin(SLOPE), 0, -cos(SLOPE)));
    const RbMesh *floor = block(s, v3(4, 4, 1), 1), *plate = block(s, PLATE, 0),
                 *cube = block(s, CUBE, 0);
    int below = add_fixed(s, "floor", V3_ZERO);
    int body = add_free(s, "plate", plate, V3_ZERO, V3_ZERO);
    join(s, below, floor, body, plate);
    for (int k = 0; k < CUBES; k++) {
        const char *name = rb_arena_printf(s->scene->arena, "cube%d", k + 1);
        Vec3 r = {0.12 * (k - 0.5 * (CUBES - 1)), 0, PLATE.z};
        join(s, body, plate, add_free(s, name, cube, r, V3_ZERO), cube);
    }
    s->options.solver = solver;
    s->options.stop_time = 0.2;
    s->options.tolerance = 1e-6;
}

static const char *const solvers[] = {"islands", "cvode"};

// v^2/(2 mu g), as on one floor; there it stays.
static void seats_are_taken_over(void **state) {
    (void)state;
    double far = SPEED * SPEED / (2 * FRICTION * 9.81);
    ENSURE(far > 4 * (TILE + GAP)); // more tiles than seats
    for (int k = 0; k < 2; k++) {
        Stand s;
        build_tiles(&s, solvers[k]);
        ENSURE(stand_go(&s) == RB_OK);
        double x = stand_vector(&s, "slider", "r").x;
        print_message("%s: %.6g of %.6g m, %d segments, %d states, %ld steps\n", solvers[k], x, far,
                      s.summary.segments, s.summary.states, s.summary.steps);
        ENSURE_NEAR(x, far, 0.01 * far);
        ENSURE(v3_norm(stand_vector(&s, "slider", "v")) < 1e-5);
        assert_int_equal(s.summary.segments, 1);
        assert_int_equal(s.summary.states, STATES + 4 * SEAT);
        assert_int_equal(s.summary.allocations, 0);
        stand_close(&s);
    }
}

// Nothing slides (4 cm without friction) but while it sinks in, and nothing creeps.
static void more_seats_are_made(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Stand s;
        build_plate(&s, solvers[k]);
        ENSURE(stand_go(&s) == RB_OK);
        print_message("%s: %d segments, %d states, %ld steps\n", solvers[k], s.summary.segments,
                      s.summary.states, s.summary.steps);
        assert_int_equal(s.summary.segments, 2);
        assert_int_equal(s.summary.states, STATES * (CUBES + 1) + SEAT * (CUBES + 1));
        for (int i = 0; i < CUBES; i++) {
            char name[32];
            snprintf(name, sizeof name, "cube%d", i + 1);
            double way = stand_vector(&s, name, "r").x - 0.12 * (i - 0.5 * (CUBES - 1));
            ENSURE(way > 0 && way < 5e-5);
            ENSURE(v3_norm(stand_vector(&s, name, "v")) < 1e-7);
        }
        stand_close(&s);
    }
}

static void checkpoints_keep_seats(void **state) {
    (void)state;
    ENSURE(resume_is_identical(build_tiles, "islands", 0.15) > 1);
    for (int k = 0; k < 2; k++) ENSURE(resume_is_identical(build_plate, solvers[k], 0.07) > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(seats_are_taken_over),
                                       cmocka_unit_test(more_seats_are_made),
                                       cmocka_unit_test(checkpoints_keep_seats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
