// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (rooms of meshes are taken in scene/test_solids too)
// Many meshes that can stick, most of which never meet: what they take grows with their number, not with that of their pairs; and nothing is allocated in steps in which
// two of them meet for the first time.
#include "stand.h"

#include "geom/mesh_make.h"
#include "geom/moments.h"

enum { MOST = 60, SOME = 12 };
static const double RADIUS = 0.05, HEIGHT = 0.1; // [m]

static RbMesh *keep(Stand *s, RbMesh mesh, Vec3 shift) {
    RbMesh *m = rb_new(&s->f.arena, RbMesh);
    *m = rb_mesh_map(&mesh, M3_IDENTITY, shift, &s->f.arena);
    return m;
}

// Prisms side by side over a floor, every pair of which may touch. They fall on it one after the other.
static void add_row(Stand *s, int count, int sides) {
    RbMesh *floor = keep(s, rb_mesh_box(v3(20, 1, 0.5), &s->f.arena), v3(-10, -0.5, -0.5)),
           *prism = keep(s, rb_mesh_cone(RADIUS, RADIUS, HEIGHT, sides, &s->f.arena), V3_ZERO);
    RbMassProperties mass = rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(prism)), 1000);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    RbSceneObject ground = rb_frame_object("floor", 0, POSE_IDENTITY);
    int number[MOST + 1] = {rb_scene_add(s->scene, ground)};
    contact.volume.modulus = 1e7;
    contact.volume.restitution = 0;
    for (int i = 1; i <= count; i++) {
        RbSceneObject o = rb_body(rb_arena_printf(s->scene->arena, "prism%d", i), mass);
        o.object.moves_freely = true;
        o.object.pose.r = v3(0.2 * (i - 0.5 * count), 0, 1e-5 * i);
        number[i] = rb_scene_add(s->scene, o);
        for (int k = 0; k < i; k++)
            ENSURE(rb_scene_add_solids(s->scene, number[k], k ? prism : floor, number[i], prism,
                                       contact, &s->f.diag) == RB_OK);
    }
}

// They have sunk in alike, and each step that met another one had its room.
static void nothing_is_allocated_when_they_meet(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    add_row(&s, SOME, 24);
    stand_run(&s, 0.05, 1e-5);
    ENSURE(s.summary.allocations == 0);
    double first = stand_vector(&s, "prism1", "r").z;
    ENSURE(first < 0);
    for (int i = 2; i <= SOME; i++) {
        char name[32];
        snprintf(name, sizeof name, "prism%d", i);
        ENSURE_NEAR(stand_vector(&s, name, "r").z, first, -0.01 * first);
    }
    stand_close(&s);
}

// [B] held while `count` of them run.
static double room_of(int count, const char *solver) {
    Stand s;
    stand_open(&s);
    add_row(&s, count, 4);
    s.options.solver = solver;
    stand_run(&s, 1e-6, 1e-5);
    double room = (double)s.f.heap.peak;
    print_message("%s: %d meshes, %d pairs: %.2f MB, %d states\n", solver, count + 1,
                  count * (count + 1) / 2, 1e-6 * room, s.summary.states);
    stand_close(&s);
    return room;
}

// Each mesh more takes the same but for a little of each pair more: below 5 kB, as memory comes in pieces of 4 MB.
static void room_grows_with_the_meshes(void **state) {
    (void)state;
    static const char *const solvers[] = {"islands", "cvode"};
    const int third = MOST / 3;
    for (int k = 0; k < 2; k++) {
        double few = room_of(third, solvers[k]), some = room_of(2 * third, solvers[k]),
               many = room_of(MOST, solvers[k]);
        // So many pairs more than if they grew evenly.
        double each = (many - 2 * some + few) / (third * third);
        print_message("%.1f kB for each pair\n", 1e-3 * each);
        ENSURE(each < 20e3);
        ENSURE(many < 60e6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_allocated_when_they_meet),
                                       cmocka_unit_test(room_grows_with_the_meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
