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

static int add_free(Stand *s, const char *kind, int i, RbMassProperties mass, Vec3 r) {
    RbSceneObject o = rb_body(rb_arena_printf(s->scene->arena, "%s%d", kind, i), mass);
    o.object.moves_freely = true;
    o.object.pose.r = r;
    return rb_scene_add(s->scene, o);
}

// Prisms side by side over a floor, and balls beside them, every pair of which may touch but two balls. They fall on it one after the other.
static void add_row(Stand *s, int count, int balls, int sides) {
    RbMesh *floor = keep(s, rb_mesh_box(v3(20, 1, 0.5), &s->f.arena), v3(-10, -0.5, -0.5)),
           *prism = keep(s, rb_mesh_cone(RADIUS, RADIUS, HEIGHT, sides, &s->f.arena), V3_ZERO);
    RbMassProperties mass = rb_mass_scale(rb_mass_of_moments(rb_moments_of_mesh(prism)), 1000);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    RbSceneObject ground = rb_frame_object("floor", 0, POSE_IDENTITY);
    int number[MOST + 1] = {rb_scene_add(s->scene, ground)};
    contact.volume.modulus = 1e7;
    contact.volume.restitution = 0.3;
    for (int i = 1; i <= count; i++) {
        number[i] = add_free(s, "prism", i, mass, v3(0.2 * (i - 0.5 * count), 0, 1e-5 * i));
        for (int k = 0; k < i; k++)
            ENSURE(rb_scene_add_solids(s->scene, number[k], k ? prism : floor, number[i], prism,
                                       contact, &s->f.diag) == RB_OK);
    }
    for (int i = 1; i <= balls; i++) {
        int ball =
            add_free(s, "ball", i, mass, v3(0.2 * (i - 0.5 * balls), 0.3, RADIUS + 1e-5 * i));
        for (int k = 0; k <= count; k++)
            ENSURE(rb_scene_add_round(s->scene, number[k], k ? prism : floor, ball,
                                      v3(RADIUS, RADIUS, RADIUS), contact, &s->f.diag) == RB_OK);
    }
}

// off: by what part they may differ
static void ensure_alike(Stand *s, const char *kind, double start, double off) {
    double first = 0;
    for (int i = 1; i <= SOME; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%d", kind, i);
        double depth = start - stand_vector(s, name, "r").z;
        if (i == 1) first = depth;
        ENSURE(depth > 0);
        ENSURE_NEAR(depth, first, off * first);
    }
}

// They have sunk in alike, and each step that met another one had its room.
static void nothing_is_allocated_when_they_meet(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    add_row(&s, SOME, SOME, 24);
    stand_run(&s, 0.1, 1e-5);
    ENSURE(s.summary.allocations == 0);
    ensure_alike(&s, "prism", 0, 1e-4);
    ensure_alike(&s, "ball", RADIUS, 0.02); // let go at other heights, and not yet at rest
    stand_close(&s);
}

// [B] held while `count` of them run, all or half of which are prisms.
static double room_of(int count, bool balls, const char *solver) {
    Stand s;
    stand_open(&s);
    add_row(&s, balls ? count / 2 : count, balls ? count / 2 : 0, 4);
    s.options.solver = solver;
    stand_run(&s, 1e-6, 1e-5);
    double room = (double)s.f.heap.peak;
    print_message("%s: %d bodies, %d pairs: %.2f MB, %d states\n", solver, count,
                  s.scene->solids.count, 1e-6 * room, s.summary.states);
    stand_close(&s);
    return room;
}

// Each body more takes the same but for a little of each pair more: 2 kB, but memory comes in pieces of 4 MB.
static void room_grows_with_the_meshes(void **state) {
    (void)state;
    static const char *const solvers[] = {"islands", "cvode"};
    const int third = MOST / 3;
    for (int k = 0; k < 4; k++) {
        const char *solver = solvers[k % 2];
        bool balls = k >= 2;
        double few = room_of(third, balls, solver), some = room_of(2 * third, balls, solver),
               many = room_of(MOST, balls, solver);
        // So many pairs more than if they grew evenly.
        double each = (many - 2 * some + few) / (third * third);
        print_message("%.1f kB for each pair\n", 1e-3 * each);
        ENSURE(each < 20e3);
        ENSURE(many < (balls ? 120e6 : 60e6));
    }
}

// Parts whose meshes look the same have one skin and one layer, also if each has a copy of the mesh; others do not.
static void parts_of_one_kind_share(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbSolidsForce contact = {.law = RB_SOLIDS_VOLUME, .volume = rb_volume_law()};
    const RbMesh *meshes[3];
    int numbers[3];
    for (int i = 0; i < 3; i++) {
        RbMesh box = rb_mesh_box(v3(1, 1, i < 2 ? 1 : 1 + 1e-15), &s.f.arena);
        meshes[i] = keep(&s, box, V3_ZERO);
        numbers[i] = rb_scene_add(s.scene, rb_frame_object("box", 0, POSE_IDENTITY));
    }
    for (int i = 0; i < 2; i++)
        ENSURE(rb_scene_add_solids(s.scene, numbers[i], meshes[i], numbers[i + 1], meshes[i + 1],
                                   contact, &s.f.diag) == RB_OK);
    const RbSolidsForce *one = &s.scene->solids.data[0].element,
                        *two = &s.scene->solids.data[1].element;
    ENSURE(one->skin_a == one->skin_b && one->skin_a == two->skin_a && two->skin_a != two->skin_b);
    ENSURE(one->layers[0] == one->layers[1] && two->layers[0] != two->layers[1]);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_allocated_when_they_meet),
                                       cmocka_unit_test(room_grows_with_the_meshes),
                                       cmocka_unit_test(parts_of_one_kind_share)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
