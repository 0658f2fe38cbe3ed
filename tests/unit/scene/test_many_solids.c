// SPDX-License-Identifier: MIT
// label: normal
// sanitizers: full (rooms of meshes are taken in scene/test_solids too)
// Many meshes, most of which never meet: what they take grows with their number, not with that of their pairs; and nothing is allocated in steps in which two
// of them meet for the first time.
#include "stand.h"

#include "geom/mesh_make.h"
#include "geom/moments.h"

enum { MOST = 18, SIDES = 24 };
static const double RADIUS = 0.05, HEIGHT = 0.1; // [m]

static RbMesh *keep(Stand *s, RbMesh mesh, Vec3 shift) {
    RbMesh *m = rb_new(&s->f.arena, RbMesh);
    *m = rb_mesh_map(&mesh, M3_IDENTITY, shift, &s->f.arena);
    return m;
}

// Prisms side by side over a floor, every pair of which may touch. They fall on it one after the other.
static void add_row(Stand *s, int count) {
    RbMesh *floor = keep(s, rb_mesh_box(v3(10, 1, 0.5), &s->f.arena), v3(-5, -0.5, -0.5)),
           *prism = keep(s, rb_mesh_cone(RADIUS, RADIUS, HEIGHT, SIDES, &s->f.arena), V3_ZERO);
    RbMassProperties mass = rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(prism)), 1000);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    RbSceneObject ground = rb_frame_object("floor", 0, POSE_IDENTITY);
    int number[MOST + 1] = {rb_scene_add(s->scene, ground)};
    contact.volume.modulus = 1e7;
    contact.volume.restitution = 0;
    contact.volume.sticks = false; // bristles are states, of each pair
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

// [B] held while `count` of them have come to rest.
static double room_of(int count) {
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    add_row(&s, count);
    stand_run(&s, 0.05, 1e-5);
    ENSURE(s.summary.allocations == 0);
    double first = stand_vector(&s, "prism1", "r").z;
    ENSURE(first < 0);
    for (int i = 2; i <= count; i++) { // all have sunk in alike
        char name[32];
        snprintf(name, sizeof name, "prism%d", i);
        ENSURE_NEAR(stand_vector(&s, name, "r").z, first, -0.01 * first);
    }
    double room = (double)s.f.heap.peak;
    print_message("%d meshes, %d pairs: %.2f MB\n", count + 1, count * (count + 1) / 2,
                  1e-6 * room);
    stand_close(&s);
    return room;
}

// Each mesh more takes the same but for a little of each pair more (1,019 kB when each had room of its own).
static void room_grows_with_the_meshes(void **state) {
    (void)state;
    const int third = MOST / 3;
    double few = room_of(third), some = room_of(2 * third), many = room_of(MOST);
    // So many pairs more than if they grew evenly.
    double each = (many - 2 * some + few) / (third * third);
    print_message("%.1f kB for each pair\n", 1e-3 * each);
    ENSURE(each < 100e3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(room_grows_with_the_meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
