// SPDX-License-Identifier: MIT
// Polygons filled with triangles: area, sides, Delaunay's circles, angles; layers of tetrahedra that fit.
#include "testing.h"

#include "geom/contour.h"
#include "geom/mesh_check.h"
#include "geom/moments.h"
#include "geom/plate_mesh.h"
#include "math/rng.h"

// With a hole.
static RbPolygon star(Fixture *f, RbRng *rng) {
    RbContour o = rb_contour(&f->arena);
    int corners = 5 + rb_rng_int(rng, 12);
    for (int i = 0; i < corners; i++) {
        double phi = 6.283185307179586 * i / corners, r = rb_rng_range(rng, 0.5, 1.5);
        rb_contour_point(&o, r * cos(phi), r * sin(phi));
    }
    rb_contour_next_loop(&o);
    rb_contour_circle(&o, 0.02, -0.03, rb_rng_range(rng, 0.05, 0.3), 24);
    RbPolygon out;
    ENSURE(rb_contour_finish(&o, "star", RB_NOWHERE, f->scratch, &f->diag, &out) == RB_OK);
    return out;
}

static double cross(const double *a, const double *b, const double *c) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double smallest_angle(const double *a, const double *b, const double *c) {
    const double *p[3] = {a, b, c};
    double least = 4;
    for (int k = 0; k < 3; k++) {
        const double *u = p[(k + 1) % 3], *v = p[(k + 2) % 3];
        double dot = (u[0] - p[k][0]) * (v[0] - p[k][0]) + (u[1] - p[k][1]) * (v[1] - p[k][1]);
        least = fmin(least, atan2(cross(p[k], u, v), dot));
    }
    return least;
}

// Triangles cover the polygon once: none is turned over, their areas add up.
static void triangles_cover_polygons(void **state) {
    (void)state;
    RbRng rng = rb_rng(3);
    for (int i = 0; i < 60; i++) {
        Fixture f;
        fixture_open(&f);
        RbPolygon p = star(&f, &rng);
        double area = 0, sum = 0, size = rb_rng_range(&rng, 0.08, 0.3);
        for (int k = 0; k < p.loop_count; k++) area += rb_polygon_area2(&p, k);
        RbPlaneMesh m = rb_plane_mesh(&p, size, &f.arena, f.scratch);
        for (int t = 0; t < m.triangle_count; t++) {
            const int *v = m.triangles[t].v;
            double own = cross(m.x[v[0]], m.x[v[1]], m.x[v[2]]);
            ENSURE(own > 0);
            sum += own;
        }
        ENSURE_NEAR(sum, area, 1e-12 * area);
        for (int k = 0; k < p.loop_start[p.loop_count]; k++)
            ENSURE(m.x[k][0] == p.x[k][0] && m.x[k][1] == p.x[k][1]);
        fixture_close(&f);
    }
}

// A bracket of two arms with a bore: all angles are above 20 degrees, one in a hundred is below 30.
static void triangles_are_even(void **state) {
    (void)state;
    static const double corner[6][2] = {{0, 0},       {0.1, 0},     {0.1, 0.02},
                                        {0.02, 0.02}, {0.02, 0.07}, {0, 0.07}};
    Fixture f;
    fixture_open(&f);
    RbContour o = rb_contour(&f.arena);
    for (int i = 0; i < 6; i++) rb_contour_point(&o, corner[i][0], corner[i][1]);
    rb_contour_next_loop(&o);
    rb_contour_circle(&o, 0.01, 0.01, 0.005, 16);
    RbPolygon p;
    ENSURE(rb_contour_finish(&o, "bracket", RB_NOWHERE, f.scratch, &f.diag, &p) == RB_OK);
    RbPlaneMesh m = rb_plane_mesh(&p, 0.0025, &f.arena, f.scratch);
    int slim = 0;
    for (int t = 0; t < m.triangle_count; t++) {
        const int *v = m.triangles[t].v;
        double angle = smallest_angle(m.x[v[0]], m.x[v[1]], m.x[v[2]]);
        ENSURE(angle > 0.349);
        slim += angle < 0.5236;
    }
    ENSURE(m.triangle_count > 800 && m.triangle_count < 1600); // 0.0033 m2 by 0.433 size2: 1200
    ENSURE(slim < 0.01 * m.triangle_count);
    fixture_close(&f);
}

static int by_corners(const void *a, const void *b) {
    const int *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

// Each face belongs to one or two elements, elements stand upright, and volumes add up: they fit.
static void layers_fit(void **state) {
    (void)state;
    RbRng rng = rb_rng(4);
    for (int i = 0; i < 10; i++) {
        Fixture f;
        fixture_open(&f);
        RbPolygon p = star(&f, &rng);
        RbPlaneMesh m = rb_plane_mesh(&p, 0.2, &f.arena, f.scratch);
        RbTetMesh mesh = rb_plate_mesh(&m, 0.3, 2, 2, &f.arena, f.scratch);
        double volume = 0, area = 0;
        int(*faces)[3] = malloc(4 * (size_t)mesh.tet_count * sizeof *faces), count = 0;
        for (int e = 0; e < mesh.tet_count; e++) {
            const int *v = mesh.tets[e];
            Vec3 o = mesh.nodes[v[0]];
            double six = v3_dot(v3_cross(v3_sub(mesh.nodes[v[1]], o), v3_sub(mesh.nodes[v[2]], o)),
                                v3_sub(mesh.nodes[v[3]], o));
            ENSURE(six > 0);
            volume += six / 6;
            for (int k = 0; k < 4; k++) {
                int *c = faces[count++], n = 0;
                for (int j = 0; j < 4; j++)
                    if (j != k) c[n++] = v[j];
                for (int a = 0; a < 2; a++)
                    for (int b = 0; b < 2 - a; b++)
                        if (c[b] > c[b + 1]) n = c[b], c[b] = c[b + 1], c[b + 1] = n;
            }
        }
        for (int k = 0; k < p.loop_count; k++) area += 0.5 * rb_polygon_area2(&p, k);
        ENSURE_NEAR(volume, 0.3 * area, 1e-12);
        qsort(faces, (size_t)count, sizeof *faces, by_corners);
        int outside = 0;
        for (int k = 0; k < count;) {
            int end = k;
            while (end < count && by_corners(faces[k], faces[end]) == 0) end++;
            ENSURE(end - k <= 2);
            outside += end - k == 1;
            k = end;
        }
        // below and above the triangles; 2 x 2 for each side, which are those that one triangle has
        int outline =
            2 * m.count - m.triangle_count; // by Euler, with one hole: sides = points + triangles
        ENSURE(outside == 2 * m.triangle_count + 4 * outline);
        free(faces);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_cover_polygons),
        cmocka_unit_test(triangles_are_even),
        cmocka_unit_test(layers_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
