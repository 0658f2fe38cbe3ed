// SPDX-License-Identifier: MIT
// Solids that are made, moved, refined and simplified: volumes in closed form, closed surfaces.
#include "testing.h"

#include <string.h>

#include "geom/csg.h"
#include "geom/mesh_check.h"
#include "geom/mesh_make.h"
#include "geom/moments.h"

#define PI 3.141592653589793

static RbMeshReport sound(Fixture *f, const RbMesh *mesh) {
    RbMeshReport r = rb_mesh_check(mesh, f->scratch);
    if (!r.encloses_body) {
        RbText out = rb_text(&f->arena);
        rb_mesh_report_print(&r, &out);
        print_error("%s\n", out.data);
    }
    ENSURE(r.encloses_body && r.unused_vertices == 0);
    return r;
}

static int euler(RbMeshReport r) {
    return r.vertex_count - r.edge_count + r.triangle_count;
}

// Area of a regular polygon with n corners on the unit circle.
static double ngon(int n) {
    return 0.5 * n * sin(2 * PI / n);
}

// Frustums between the circles of latitude.
static double inscribed_sphere(int n) {
    double sum = 0;
    for (int i = 0; i < n / 2; i++) {
        double a = PI * i / (n / 2), b = PI * (i + 1) / (n / 2), p = sin(a), q = sin(b);
        sum += ngon(n) / 3 * (p * p + p * q + q * q) * (cos(a) - cos(b));
    }
    return sum;
}

static void primitives(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh m = rb_mesh_box(v3(2, 3, 4), &f.arena);
    RbMeshReport r = sound(&f, &m);
    ENSURE_NEAR(r.volume, 24, 1e-13);
    ENSURE_NEAR(r.box.low.x + r.box.high.y, 3, 0);
    m = rb_mesh_cone(0.5, 0.5, 2, 24, &f.arena);
    ENSURE_NEAR(sound(&f, &m).volume, 0.25 * ngon(24) * 2, 1e-14);
    m = rb_mesh_cone(0.5, 0, 3, 7, &f.arena);
    ENSURE_NEAR(sound(&f, &m).volume, 0.25 * ngon(7), 1e-14);
    m = rb_mesh_cone(1, 0.5, 3, 7, &f.arena); // frustum: h/3 (A + sqrt(A B) + B)
    ENSURE_NEAR(sound(&f, &m).volume, ngon(7) * (1 + 0.5 + 0.25), 1e-13);
    for (int n = 4; n <= 64; n *= 4) {
        m = rb_mesh_sphere(1, n, &f.arena);
        r = sound(&f, &m);
        ENSURE(euler(r) == 2 && r.volume < 4 * PI / 3);
        ENSURE_NEAR(r.volume, inscribed_sphere(n), 1e-13);
        m = rb_mesh_torus(2, 0.5, n, &f.arena);
        r = sound(&f, &m);
        ENSURE(euler(r) == 0);
        ENSURE_NEAR(r.volume, ngon(n) / PI * 2 * PI * PI * 2 * 0.25 * ngon(n) / PI, 1e-12);
    }
    fixture_close(&f);
}

// A plate with a round hole and a square one, one of them drawn the wrong way round.
static void extrusion(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbContour c = rb_contour(&f.arena);
    const double plate[5][2] = {{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 3}};
    for (int i = 0; i < 5; i++) rb_contour_point(&c, plate[i][0], plate[i][1]);
    rb_contour_point(&c, 0, 3);
    rb_contour_point(&c, 0, 0); // again the first, as icons have it
    rb_contour_next_loop(&c);
    rb_contour_circle(&c, 2, 0.5, 0.25, 32);
    RbPolygon p;
    ENSURE(rb_contour_finish(&c, "plate", RB_NOWHERE, f.scratch, &f.diag, &p) == RB_OK);
    for (int side = -1; side <= 1; side += 2) {
        RbMesh m = rb_mesh_extrude(&p, side * 0.5, &f.arena, f.scratch);
        RbMeshReport r = sound(&f, &m);
        ENSURE_NEAR(r.volume, 0.5 * (6 - 0.0625 * ngon(32)), 1e-13);
        ENSURE(euler(r) == 0);
        ENSURE(side < 0 ? r.box.high.z == 0 : r.box.low.z == 0);
    }
    fixture_close(&f);
}

static void lathe_and_sweep(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbContour c = rb_contour(&f.arena); // a ring with a square section (r from 1 to 2)
    const double square[4][2] = {{1, 0}, {2, 0}, {2, 1}, {1, 1}};
    for (int i = 0; i < 4; i++) rb_contour_point(&c, square[i][0], square[i][1]);
    RbPolygon p;
    RbMesh m;
    ENSURE(rb_contour_finish(&c, "ring", RB_NOWHERE, f.scratch, &f.diag, &p) == RB_OK);
    ENSURE(rb_mesh_lathe(&p, 12, "ring", RB_NOWHERE, &f.arena, &f.diag, &m) == RB_OK);
    ENSURE_NEAR(sound(&f, &m).volume, ngon(12) * 3, 1e-13);

    // Swept along a path every piece is a prism that ends in the planes between the pieces: with the centre of
    // the section on the path its volume is the area times the length of the path.
    RbContour s = rb_contour(&f.arena);
    rb_contour_circle(&s, 0, 0, 0.1, 16);
    RbPolygon disc;
    ENSURE(rb_contour_finish(&s, "disc", RB_NOWHERE, f.scratch, &f.diag, &disc) == RB_OK);
    Vec3 path[40], line[2] = {{0, 0, 0}, {1, 2, 2}};
    for (int i = 0; i < 40; i++) path[i] = v3(cos(2 * PI * i / 40), sin(2 * PI * i / 40), 0);
    ENSURE(rb_mesh_sweep(&disc, path, 40, true, v3(0, 0, 1), "torus", RB_NOWHERE, &f.arena,
                         f.scratch, &f.diag, &m) == RB_OK);
    RbMeshReport r = sound(&f, &m);
    ENSURE(euler(r) == 0);
    ENSURE_NEAR(r.volume, 0.01 * ngon(16) * 40 * 2 * sin(PI / 40), 1e-12);
    ENSURE(rb_mesh_sweep(&disc, line, 2, false, v3(0, 0, 1), "rod", RB_NOWHERE, &f.arena, f.scratch,
                         &f.diag, &m) == RB_OK);
    ENSURE_NEAR(sound(&f, &m).volume, 3 * 0.01 * ngon(16), 1e-14);
    // A helix of two turns, and corners in space.
    Vec3 helix[201];
    for (int i = 0; i <= 200; i++) {
        helix[i] = v3(cos(4 * PI * i / 200), sin(4 * PI * i / 200), 0.003 * i);
    }
    ENSURE(rb_mesh_sweep(&disc, helix, 201, false, v3(0, 0, 1), "coil", RB_NOWHERE, &f.arena,
                         f.scratch, &f.diag, &m) == RB_OK);
    r = sound(&f, &m);
    ENSURE(euler(r) == 2);
    double piece = hypot(2 * sin(2 * PI / 200), 0.003); // [m]
    ENSURE_NEAR(r.volume, 0.01 * ngon(16) * 200 * piece, 1e-12);
    Vec3 corners[] = {{0, 0, 0}, {3, 0, 0}, {3, 2, 0}, {3, 2, 4}, {1, 3, 5}, {1, 9, 5}};
    ENSURE(rb_mesh_sweep(&disc, corners, 6, false, v3(0, 0, 1), "pipe", RB_NOWHERE, &f.arena,
                         f.scratch, &f.diag, &m) == RB_OK);
    ENSURE_NEAR(sound(&f, &m).volume, 0.01 * ngon(16) * (3 + 2 + 4 + sqrt(6) + 6), 1e-12);
    Vec3 spike[] = {{0, 0, 0}, {1, 0, 0}, {0.01, 0.05, 0}};
    ENSURE(rb_mesh_sweep(&disc, spike, 3, false, v3(0, 0, 1), "spike", RB_NOWHERE, &f.arena,
                         f.scratch, &f.diag, &m) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&f, 0), "turns back at its point 2, {1, 0, 0}") != NULL);
    fixture_close(&f);
}

// The gear's area lies between root and tip circle; its tooth is half a pitch wide on the pitch circle.
static void gears(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbContour c = rb_contour(&f.arena);
    rb_contour_gear_tooth(&c, 0.002, 20, 20 * PI / 180, 8);
    double lowest = INFINITY, at_pitch = 0;
    for (int i = 0; i + 1 < c.points.count; i++) {
        const double *a = c.points.data[i].x, *b = c.points.data[i + 1].x;
        double ra = hypot(a[0], a[1]), rb = hypot(b[0], b[1]);
        lowest = fmin(lowest, ra);
        if (ra < 0.02 && rb >= 0.02)
            at_pitch = -atan2(b[1], b[0]) + (rb - 0.02) / 0.02 * tan(20 * PI / 180);
    }
    ENSURE_NEAR(lowest, 0.0175, 1e-15);
    ENSURE_NEAR(at_pitch, PI / 40, 2e-3);
    rb_contour_repeat_around(&c, 0, 20);
    rb_contour_next_loop(&c);
    rb_contour_circle(&c, 0, 0, 0.005, 24);
    RbPolygon p;
    ENSURE(rb_contour_finish(&c, "gear", RB_NOWHERE, f.scratch, &f.diag, &p) == RB_OK);
    RbMesh m = rb_mesh_extrude(&p, 0.01, &f.arena, f.scratch);
    RbMeshReport r = sound(&f, &m);
    ENSURE(euler(r) == 0);
    ENSURE(r.volume > 0.01 * PI * (0.0174 * 0.0174 - 0.005 * 0.005));
    ENSURE(r.volume < 0.01 * PI * (0.022 * 0.022 - 0.0049 * 0.0049));
    fixture_close(&f);
}

static double longest_side(const RbMesh *mesh) {
    double longest = 0;
    for (int t = 0; t < mesh->triangle_count; t++) {
        const int *v = mesh->triangles[t].v;
        for (int k = 0; k < 3; k++)
            longest =
                fmax(longest, v3_distance(mesh->vertices[v[k]], mesh->vertices[v[(k + 1) % 3]]));
    }
    return longest;
}

static void refine_and_simplify(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh box = rb_mesh_box(v3(1, 2, 3), &f.arena), fine, coarse;
    ENSURE(rb_mesh_refine(&box, 0.2, 100000, &f.arena, f.scratch, &fine));
    RbMeshReport r = sound(&f, &fine);
    ENSURE_NEAR(r.volume, 6, 1e-12);
    ENSURE(r.triangle_count > 1000);
    ENSURE(longest_side(&fine) <= 0.2);
    ENSURE(!rb_mesh_refine(&box, 0.2, 1000, &f.arena, f.scratch, &coarse));
    coarse = rb_mesh_simplify(&fine, 1e-12, &f.arena, f.scratch);
    r = sound(&f, &coarse);
    ENSURE_NEAR(r.volume, 6, 1e-11);
    ENSURE(r.vertex_count == 8 && r.triangle_count == 12);
    RbMesh ball = rb_mesh_sphere(1, 96, &f.arena);
    RbMesh thin = rb_mesh_thin(&ball, 0.01, 0.2, &f.arena, f.scratch);
    r = sound(&f, &thin);
    ENSURE(longest_side(&ball) < 0.1 && longest_side(&thin) <= 0.2 && euler(r) == 2);
    ENSURE(r.triangle_count < ball.triangle_count / 2);
    coarse = rb_mesh_simplify(&ball, 0.01, &f.arena, f.scratch);
    r = sound(&f, &coarse);
    ENSURE(euler(r) == 2 && r.triangle_count < ball.triangle_count / 3);
    ENSURE_NEAR(r.volume, rb_moments_of_mesh(&ball).volume, 0.01 * 4 * PI);
    fixture_close(&f);
}

// Positive if d lies in the circle around a triangle seen from above.
static double in_circle(const Vec3 *x, const int v[3], int d) {
    double m[3][3];
    for (int k = 0; k < 3; k++) {
        m[k][0] = x[v[k]].x - x[d].x;
        m[k][1] = x[v[k]].y - x[d].y;
        m[k][2] = m[k][0] * m[k][0] + m[k][1] * m[k][1];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// The faces of an elliptic plate are convex: there no vertex may lie in the circle of any triangle.
static void no_needles(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh round = rb_mesh_cone(1, 1, 0.2, 40, &f.arena);
    RbMesh plate = rb_mesh_map(&round, m3_diagonal(v3(3, 1, 1)), V3_ZERO, &f.arena);
    RbMesh even = rb_mesh_delaunay(&plate, 1e-12, &f.arena, f.scratch);
    int wrong_before = 0, tops = 0;
    for (int pass = 0; pass < 2; pass++) {
        const RbMesh *m = pass ? &even : &plate;
        for (int t = 0; t < m->triangle_count; t++) {
            const int *v = m->triangles[t].v;
            const Vec3 *x = m->vertices;
            if (!(x[v[0]].z > 0.1 && x[v[1]].z > 0.1 && x[v[2]].z > 0.1)) continue;
            tops += pass;
            for (int d = 0; d < m->vertex_count; d++) {
                if (x[d].z < 0.1 || d == v[0] || d == v[1] || d == v[2]) continue;
                bool inside = in_circle(x, v, d) > 1e-9;
                if (pass) ENSURE(!inside);
                wrong_before += inside;
            }
        }
    }
    ENSURE(wrong_before > 0 && tops > 30);
    RbMeshReport before = sound(&f, &plate), after = sound(&f, &even);
    ENSURE_NEAR(after.volume, before.volume, 1e-14);
    ENSURE(after.triangle_count == before.triangle_count && euler(after) == 2);
    fixture_close(&f);
}

// The wheel of seed 002, section 2.4: what is cut off is known where cuts do not overlap.
static void geneva_wheel(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int n = 3; n <= 6; n += 3) {
        double radius = 1, pin = 0.1, clearance = 0.01, height = 0.2;
        double distance = radius / cos(PI / n), crank = sqrt(distance * distance - radius * radius);
        double length = radius + crank - distance, width = pin + clearance,
               stop = crank - pin * 1.5;
        Mat3 upright = rb_clean_rotation(v3(PI / 2, 0, 0));
        RbMesh disc = rb_mesh_cone(radius, radius, height, 48, &f.arena),
               mesh = rb_mesh_map(&disc, upright, V3_ZERO, &f.arena);
        for (int i = 1; i <= n; i++) {
            Mat3 to_slot = rb_clean_rotation(v3(0, 2 * PI / n * (0.5 + i), 0)),
                 to_arc = rb_clean_rotation(v3(0, 2 * PI / n * i, 0));
            RbMesh box = rb_mesh_box(v3(length, height, width), &f.arena),
                   end = rb_mesh_cone(width / 2, width / 2, height, 48, &f.arena),
                   arc = rb_mesh_cone(stop, stop, height, 48, &f.arena), tools[3];
            box =
                rb_mesh_map(&box, M3_IDENTITY, v3(radius - length, -height, -width / 2), &f.arena);
            end = rb_mesh_map(&end, upright, v3(radius - length, 0, 0), &f.arena);
            arc = rb_mesh_map(&arc, upright, v3(distance, 0, 0), &f.arena);
            tools[0] = rb_mesh_map(&box, to_slot, V3_ZERO, &f.arena);
            tools[1] = rb_mesh_map(&end, to_slot, V3_ZERO, &f.arena);
            tools[2] = rb_mesh_map(&arc, to_arc, V3_ZERO, &f.arena);
            for (int k = 0; k < 3; k++) {
                RbStatus status = rb_csg(RB_CSG_DIFFERENCE, &mesh, "wheel", &tools[k], "tool",
                                         RB_NOWHERE, &f.arena, f.scratch, &f.diag, &mesh);
                if (status != RB_OK) print_error("%s\n", fixture_message(&f, 0));
                ENSURE(status == RB_OK);
            }
        }
        RbMeshReport r = sound(&f, &mesh);
        ENSURE(euler(r) == 2);
        // Every section across the axis is the same: the volume is that of one of its two faces.
        double face = 0;
        for (int t = 0; t < mesh.triangle_count; t++) {
            const int *v = mesh.triangles[t].v;
            Vec3 a = mesh.vertices[v[0]], b = mesh.vertices[v[1]], c = mesh.vertices[v[2]];
            if (a.y == 0 && b.y == 0 && c.y == 0) {
                face += 0.5 * v3_cross(v3_sub(b, a), v3_sub(c, a)).y;
            }
        }
        ENSURE_NEAR(r.volume, height * face, 1e-13);
        print_message("geneva %d: %d triangles, volume %.6f\n", n, r.triangle_count, r.volume);
    }
    fixture_close(&f);
}

static void bad_polygons_are_told(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbPolygon p;
    RbContour c = rb_contour(&f.arena);
    ENSURE(rb_contour_finish(&c, "none", RB_NOWHERE, f.scratch, &f.diag, &p) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&f, 0), "polygon 'none' has no points"));
    for (int i = 0; i < 4; i++) rb_contour_point(&c, i, 2 * i);
    ENSURE(rb_contour_finish(&c, "line", RB_NOWHERE, f.scratch, &f.diag, &p) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&f, 1), "polygon 'line' encloses no area"));
    c = rb_contour(&f.arena);
    const double bow[4][2] = {{0, 0}, {2, 2}, {2, 0}, {0, 1}};
    for (int i = 0; i < 4; i++) rb_contour_point(&c, bow[i][0], bow[i][1]);
    ENSURE(rb_contour_finish(&c, "bow", RB_NOWHERE, f.scratch, &f.diag, &p) == RB_ERROR_MODEL);
    ENSURE(
        strstr(fixture_message(&f, 2), "itself near {0.666667, 0.666667}")); // y = x, y = 1 - x/2
    c = rb_contour(&f.arena);
    const double even[4][2] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}}; // its area is 1/4 - 1/4
    for (int i = 0; i < 4; i++) rb_contour_point(&c, even[i][0], even[i][1]);
    ENSURE(rb_contour_finish(&c, "even", RB_NOWHERE, f.scratch, &f.diag, &p) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&f, 3), "'even' crosses or touches itself near {0.5, 0.5}"));
    c = rb_contour(&f.arena);
    rb_contour_point(&c, 0, NAN);
    ENSURE(rb_contour_finish(&c, "nan", RB_NOWHERE, f.scratch, &f.diag, &p) == RB_ERROR_MODEL);
    ENSURE(strstr(fixture_message(&f, 4), "point 1 of polygon 'nan' is not finite"));
    fixture_close(&f);
}

// Outlines that run back along themselves or through a corner of their own; such that only touch a corner are whole.
static void outlines_that_meet_themselves(void **state) {
    (void)state;
    const struct {
        const char *name;
        double x[8][2];
        int count;
        const char *message;
    } cases[] = {
        {"spike", {{0, 0}, {1, 0}, {2, 0}, {1, 0}, {1, 1}, {0, 1}}, 6, "near {1.5, 0}"},
        {"end", {{1, 0}, {1, 1}, {0, 1}, {0, 0}, {2, 0}}, 5, "near {"},
        {"cut", {{0, 0}, {1, 0}, {1, 1}, {0.5, 1}, {0.5, 0.5}, {0.5, 1}, {0, 1}}, 7, "near {"},
        {"eight", {{0, 0}, {1, 1}, {3, 3}, {3, 0}, {1, 1}, {0, 2}}, 6, "near {1, 1}"},
        {"hourglass", {{0, 0}, {1, 1}, {3, 0}, {3, 3}, {1, 1}, {0, 2}}, 6, NULL},
        {"straight", {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {0, 1}}, 5, NULL},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        Fixture f;
        fixture_open(&f);
        RbPolygon p;
        RbContour c = rb_contour(&f.arena);
        for (int k = 0; k < cases[i].count; k++)
            rb_contour_point(&c, cases[i].x[k][0], cases[i].x[k][1]);
        RbStatus status = rb_contour_finish(&c, cases[i].name, RB_NOWHERE, f.scratch, &f.diag, &p);
        ENSURE(status == (cases[i].message ? RB_ERROR_MODEL : RB_OK));
        if (cases[i].message) {
            ENSURE(strstr(fixture_message(&f, 0), "crosses or touches itself"));
            ENSURE(strstr(fixture_message(&f, 0), cases[i].message));
        }
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primitives),
        cmocka_unit_test(extrusion),
        cmocka_unit_test(lathe_and_sweep),
        cmocka_unit_test(gears),
        cmocka_unit_test(refine_and_simplify),
        cmocka_unit_test(no_needles),
        cmocka_unit_test(geneva_wheel),
        cmocka_unit_test(bad_polygons_are_told),
        cmocka_unit_test(outlines_that_meet_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
