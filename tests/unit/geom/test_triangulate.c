// SPDX-License-Identifier: MIT
// Polygons with holes: triangles cover exactly the area, and no more.
#include "testing.h"

#include "geom/triangulate.h"
#include "math/rng.h"

// Sum of the areas, of which none may be negative: then no two triangles overlap.
static double covered(const RbPolygon *p, Fixture *f, int *count) {
    RbTriangle *t = rb_new_array(&f->arena, RbTriangle, rb_triangulate_room(p));
    *count = rb_triangulate(p, t, f->scratch);
    double sum = 0;
    for (int i = 0; i < *count; i++) {
        const double *a = p->x[t[i].v[0]], *b = p->x[t[i].v[1]], *c = p->x[t[i].v[2]];
        double area = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        ENSURE(area >= 0);
        sum += area;
    }
    return sum;
}

// A star with n points, whose radii jump, around a centre; clockwise if `hole`.
static int star(double (*x)[2], int n, double cx, double cy, double r, RbRng *rng, bool hole) {
    for (int i = 0; i < n; i++) {
        double phi = (hole ? -1 : 1) * 6.283185307179586 * i / n, q = r * rb_rng_range(rng, 0.3, 1);
        x[i][0] = cx + q * cos(phi);
        x[i][1] = cy + q * sin(phi);
    }
    return n;
}

static void stars_with_holes(void **state) {
    (void)state;
    RbRng rng = rb_rng(5);
    for (int i = 0; i < 500; i++) {
        Fixture f;
        fixture_open(&f);
        double x[400][2], area = 0;
        int start[12] = {0}, holes = rb_rng_int(&rng, 10);
        for (int k = 0; k < 40; k++) { // the outer loop leaves the square of the holes free
            double phi = 6.283185307179586 * k / 40, r = rb_rng_range(&rng, 3, 8);
            x[k][0] = r * cos(phi);
            x[k][1] = r * sin(phi);
        }
        start[1] = 40;
        for (int h = 0; h < holes; h++) {
            start[h + 2] = start[h + 1] + star(x + start[h + 1], 3 + rb_rng_int(&rng, 20),
                                               h % 3 - 1.0, h / 3 - 1.0, 0.49, &rng, true);
        }
        RbPolygon p = {(const double(*)[2])x, start, holes + 1};
        for (int l = 0; l <= holes; l++) area += 0.5 * rb_polygon_area2(&p, l);
        int count;
        ENSURE_NEAR(covered(&p, &f, &count), area, 1e-12 * fabs(area));
        ENSURE(count == start[holes + 1] + 2 * holes - 2);
        fixture_close(&f);
    }
}

// Many points on straight lines, holes that touch at a common height.
static void combs_and_grids(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double x[400][2];
    int start[30] = {0, 4}, loops = 1;
    const double outer[4][2] = {{0, 0}, {11, 0}, {11, 11}, {0, 11}};
    for (int i = 0; i < 4; i++) x[i][0] = outer[i][0], x[i][1] = outer[i][1];
    for (int h = 0; h < 25; h++, loops++) {
        const double hole[4][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 0}};
        for (int i = 0; i < 4; i++) {
            x[start[loops] + i][0] = 1 + 2 * (h % 5) + hole[i][0];
            x[start[loops] + i][1] = 1 + 2 * (h / 5) + hole[i][1];
        }
        start[loops + 1] = start[loops] + 4;
    }
    RbPolygon p = {(const double(*)[2])x, start, loops};
    int count;
    ENSURE_NEAR(covered(&p, &f, &count), 121 - 25, 1e-12);
    int teeth = 0; // a comb: straight back with collinear points
    for (int i = 0; i < 60; i++, teeth++)
        x[teeth][0] = i % 2 + i / 2 * 2, x[teeth][1] = i % 4 < 2 ? 5 : 1;
    for (int i = 60; i > 0; i--, teeth++) x[teeth][0] = i, x[teeth][1] = 6;
    int ends[2] = {0, teeth};
    RbPolygon comb = {(const double(*)[2])x, ends, 1};
    ENSURE_NEAR(covered(&comb, &f, &count), 0.5 * rb_polygon_area2(&comb, 0), 1e-10);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stars_with_holes),
        cmocka_unit_test(combs_and_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
