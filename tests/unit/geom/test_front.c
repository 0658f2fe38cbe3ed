// SPDX-License-Identifier: MIT
// Faces at the front of hulls: those that a look at every corner finds, from any face on and as many as there is room for.
#include "testing.h"

#include "geom/front.h"
#include "geom/hull.h"
#include "geom/support.h"
#include "math/rng.h"

enum { POINTS = 60, ROOM = 2 * POINTS };

static int look_at_all(const RbPolytope *t, Vec3 m, double least, int from, int *faces) {
    int count = 0;
    for (int f = from; f < t->face_count; f++) {
        double highest = -INFINITY;
        for (int k = t->face_start[f]; k < t->face_start[f + 1]; k++)
            highest = fmax(highest, v3_dot(m, t->vertices[t->face_vertices[k]]));
        if (highest >= least) faces[count++] = f;
    }
    return count;
}

static void ensure_same(const RbPolytope *t, Vec3 m, double depth, int from, int room) {
    int expected[ROOM], found[ROOM];
    int foremost = rb_polytope_support(t, m, 0);
    double least = v3_dot(m, t->vertices[foremost]) - depth;
    int all = look_at_all(t, m, least, from, expected);
    int count = rb_front_faces(t, m, foremost, least, from, room, found);
    ENSURE(count == (all < room ? all : room));
    for (int k = 0; k < count; k++) ENSURE(found[k] == expected[k]);
}

static void as_by_every_corner(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    for (int i = 0; i < 50; i++) {
        Vec3 points[POINTS];
        RbCore core;
        int count = 4 + rb_rng_int(&rng, POINTS - 4);
        for (int k = 0; k < count; k++) points[k] = rb_rng_direction(&rng);
        ENSURE(rb_hull(points, count, "rock", RB_NOWHERE, &f.arena, f.scratch, &f.diag, &core) ==
               RB_OK);
        for (int k = 0; k < 20; k++) {
            double depth = pow(10, rb_rng_range(&rng, -6, 0.4));
            int from = rb_rng_int(&rng, core.polytope->face_count);
            ensure_same(core.polytope, rb_rng_direction(&rng), depth, 0, ROOM);
            ensure_same(core.polytope, rb_rng_direction(&rng), depth, from, 4);
        }
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_by_every_corner)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
