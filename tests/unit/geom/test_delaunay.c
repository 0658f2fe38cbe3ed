// SPDX-License-Identifier: MIT
// Tetrahedra between points: every sphere is empty, and together they fill the hull once.
#include "testing.h"

#include "geom/delaunay.h"
#include "math/rng.h"

static double volume_of(const Vec3 *p, const int *t) {
    Vec3 a = p[t[0]];
    return v3_dot(v3_cross(v3_sub(p[t[1]], a), v3_sub(p[t[2]], a)), v3_sub(p[t[3]], a)) / 6;
}

// Centre and radius by the equations 2 (b - a) . x = b² - a².
static bool sphere_of(const Vec3 *p, const int *t, Vec3 *centre, double *radius) {
    Vec3 a = p[t[0]], u = v3_sub(p[t[1]], a), v = v3_sub(p[t[2]], a), w = v3_sub(p[t[3]], a);
    double det = v3_dot(u, v3_cross(v, w));
    if (fabs(det) < 1e-9) return false;
    Vec3 x = v3_add(
        v3_scale(v3_norm2(u), v3_cross(v, w)),
        v3_add(v3_scale(v3_norm2(v), v3_cross(w, u)), v3_scale(v3_norm2(w), v3_cross(u, v))));
    x = v3_scale(1 / (2 * det), x);
    *centre = v3_add(a, x);
    *radius = v3_norm(x);
    return true;
}

static Vec3 *cube_of_points(Fixture *f, int count, uint64_t seed) {
    Vec3 *p = rb_new_array(&f->arena, Vec3, count);
    RbRng rng = rb_rng(seed);
    for (int i = 0; i < count; i++) {
        p[i].x = i < 8 ? i & 1 : rb_rng_unit(&rng);
        p[i].y = i < 8 ? i >> 1 & 1 : rb_rng_unit(&rng);
        p[i].z = i < 8 ? i >> 2 : rb_rng_unit(&rng);
    }
    return p;
}

static void spheres_are_empty_and_the_cube_is_full(void **state) {
    (void)state;
    for (int round = 0; round < 5; round++) {
        Fixture f;
        fixture_open(&f);
        int count = 40 + 60 * round;
        const Vec3 *p = cube_of_points(&f, count, 5 + (uint64_t)round);
        RbDelaunay d;
        ENSURE(rb_delaunay(p, count, &f.arena, f.scratch, &d));
        double volume = 0;
        for (int i = 0; i < d.count; i++) {
            Vec3 centre;
            double radius;
            volume += volume_of(p, d.tets[i]);
            if (!sphere_of(p, d.tets[i], &centre, &radius)) continue;
            ENSURE_NEAR(
                rb_circumradius(p[d.tets[i][0]], p[d.tets[i][1]], p[d.tets[i][2]], p[d.tets[i][3]]),
                radius, 1e-9 * radius);
            // points are moved by 1e-5 of their distance: flat ones have spheres that are not known that well
            if (radius > 2) continue;
            for (int k = 0; k < count; k++) ENSURE(v3_distance(p[k], centre) > radius - 1e-3);
        }
        ENSURE_NEAR(volume, 1, 1e-4);
        fixture_close(&f);
    }
}

// A grid has many answers; one of them is found, and fills the box.
static void grids_are_filled(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Vec3 *p = rb_new_array(&f.arena, Vec3, 7 * 8 * 9);
    for (int i = 0; i < 7 * 8 * 9; i++) p[i] = v3(i / 72, i / 9 % 8, i % 9);
    RbDelaunay d;
    ENSURE(rb_delaunay(p, 7 * 8 * 9, &f.arena, f.scratch, &d));
    double volume = 0;
    for (int i = 0; i < d.count; i++) {
        volume += volume_of(p, d.tets[i]);
        ENSURE(volume_of(p, d.tets[i]) > -1e-3);
    }
    ENSURE_NEAR(volume, 6 * 7 * 8, 1e-9);
    fixture_close(&f);
}

static void too_few_points(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbDelaunay d;
    ENSURE(!rb_delaunay((Vec3[]){{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 3, &f.arena, f.scratch, &d));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_empty_and_the_cube_is_full),
        cmocka_unit_test(grids_are_filled),
        cmocka_unit_test(too_few_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
