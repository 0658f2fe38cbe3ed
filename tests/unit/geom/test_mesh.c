// SPDX-License-Identifier: MIT
// Mesh check and repair on meshes that were broken on purpose: counts are known by construction.
#include "testing.h"

#include <string.h>

#include "geom/mesh_check.h"
#include "geom/moments.h"
#include "geom/tessellate.h"
#include "math/rng.h"

// A mesh whose arrays may be changed.
typedef struct Copy {
    Vec3 *vertices;
    RbTriangle *triangles;
    RbMesh mesh; // of those arrays
} Copy;

static Copy copy_mesh(Fixture *f, RbMesh m, int spare_triangles) {
    Copy c = {rb_new_array(&f->arena, Vec3, m.vertex_count),
              rb_new_array(&f->arena, RbTriangle, m.triangle_count + spare_triangles),
              {0}};
    memcpy(c.vertices, m.vertices, sizeof(Vec3) * (size_t)m.vertex_count);
    memcpy(c.triangles, m.triangles, sizeof(RbTriangle) * (size_t)m.triangle_count);
    c.mesh = (RbMesh){c.vertices, m.vertex_count, c.triangles, m.triangle_count};
    return c;
}

static RbMesh cube(Fixture *f) {
    RbShape box = rb_shape_box(v3(1, 1, 1));
    return rb_tessellate(&box, 3, &f->arena);
}

static RbTriangle turned(RbTriangle t) {
    return (RbTriangle){{t.v[0], t.v[2], t.v[1]}};
}

static void whole_cube(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh mesh = cube(&f);
    RbMeshReport r = rb_mesh_check(&mesh, f.scratch);
    ENSURE(r.vertex_count == 8 && r.triangle_count == 12 && r.edge_count == 18 &&
           r.components == 1);
    ENSURE(r.closed && r.oriented && r.encloses_body);
    ENSURE_NEAR(r.volume, 1, 1e-15);
    ENSURE_NEAR(r.area, 6, 1e-15);
    RbText out = rb_text(&f.arena);
    rb_mesh_report_print(&r, &out);
    assert_string_equal(out.data,
                        "8 vertices, 12 triangles, 18 edges, 1 component: encloses a body\n");
    fixture_close(&f);
}

static void damage_is_counted(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Copy c = copy_mesh(&f, cube(&f), 4);
    c.mesh.triangle_count = 11; // a hole
    RbMeshReport r = rb_mesh_check(&c.mesh, f.scratch);
    ENSURE(r.open_edges == 3 && !r.closed && r.oriented && !r.encloses_body);

    c.mesh.triangle_count = 12; // one triangle turned
    c.triangles[4] = turned(c.triangles[4]);
    r = rb_mesh_check(&c.mesh, f.scratch);
    ENSURE(r.twisted_edges == 3 && r.closed && !r.oriented);

    c.triangles[4] = turned(c.triangles[4]);
    c.triangles[12] =
        c.triangles[3]; // a duplicate, one with a vertex twice, one with an impossible index
    c.triangles[13] = (RbTriangle){{1, 1, 2}};
    c.triangles[14] = (RbTriangle){{1, 2, 8}};
    c.triangles[15] = (RbTriangle){{1, -1, 3}};
    c.mesh.triangle_count = 16;
    r = rb_mesh_check(&c.mesh, f.scratch);
    ENSURE(r.duplicate_triangles == 1 && r.degenerate_triangles == 1 && r.invalid_triangles == 2);
    ENSURE(r.crowded_edges == 3 && r.open_edges == 0 && !r.closed);
    RbText out = rb_text(&f.arena);
    rb_mesh_report_print(&r, &out);
    assert_string_equal(out.data,
                        "8 vertices, 16 triangles, 18 edges, 1 component: does not enclose a body\n"
                        "  2 triangles with an impossible vertex\n"
                        "  1 triangle without area\n"
                        "  1 triangle given more than once\n"
                        "  3 edges with more than two triangles\n"
                        "  the first such edge lies near {0.5, -0.5, 0}\n");
    fixture_close(&f);
}

static void empty_and_flat_meshes(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh empty = {0};
    RbMeshReport r = rb_mesh_check(&empty, f.scratch);
    ENSURE(!r.closed && !r.encloses_body && r.components == 0);
    ENSURE(rb_mesh_repair(&empty, 0, &f.arena, f.scratch, NULL).triangle_count == 0);
    Vec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {2, 0, 0}};
    RbTriangle t[2] = {{{0, 1, 2}}, {{0, 1, 3}}}; // the second has no area
    RbMesh flat = {v, 4, t, 2};
    r = rb_mesh_check(&flat, f.scratch);
    ENSURE(r.degenerate_triangles == 1 && r.open_edges == 4 && r.twisted_edges == 1);
    v[1].x = NAN;
    r = rb_mesh_check(&flat, f.scratch);
    ENSURE(r.invalid_vertices == 1 && r.invalid_triangles == 2);
    ENSURE(rb_mesh_repair(&flat, 0, &f.arena, f.scratch, NULL).triangle_count == 0);
    fixture_close(&f);
}

// Each triangle with its own three vertices, as STL files have them, moved by less than half the
// tolerance.
static RbMesh soup(Fixture *f, RbMesh m, RbRng *rng, double noise) {
    Vec3 *vertices = rb_new_array(&f->arena, Vec3, 3 * m.triangle_count);
    RbTriangle *triangles = rb_new_array(&f->arena, RbTriangle, m.triangle_count);
    for (int t = 0; t < m.triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            vertices[3 * t + k] =
                v3_axpy(m.vertices[m.triangles[t].v[k]], noise, rb_rng_direction(rng));
            triangles[t].v[k] = 3 * t + k;
        }
        if (rb_rng_int(rng, 3) == 0) triangles[t] = turned(triangles[t]);
    }
    return (RbMesh){vertices, 3 * m.triangle_count, triangles, m.triangle_count};
}

static void soup_becomes_a_body_again(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(1);
    RbShape shapes[3] = {rb_shape_box(v3(1, 2, 3)), rb_shape_sphere(1),
                         rb_shape_beam(2, 1, 0.4, 0.2)};
    for (int i = 0; i < 60; i++) {
        RbMesh whole = rb_tessellate(&shapes[i % 3], 24, &f.arena);
        double noise = i < 30 ? 0 : 4e-10, tol = i < 30 ? 0 : 1e-9;
        RbMesh broken = soup(&f, whole, &rng, noise);
        RbMeshRepair what;
        RbMesh mended = rb_mesh_repair(&broken, tol, &f.arena, f.scratch, &what);
        RbMeshReport r = rb_mesh_check(&mended, f.scratch);
        ENSURE(r.encloses_body && r.components == 1);
        ENSURE(mended.vertex_count == whole.vertex_count);
        ENSURE(what.welded_vertices == broken.vertex_count - whole.vertex_count);
        ENSURE_NEAR(r.volume, rb_moments_of_mesh(&whole).volume, 1e-13 + 10 * noise);
    }
    fixture_close(&f);
}

// Shells in shells: body, cavity, body in the cavity; and one beside them. All turned at random.
static void cavities_stay_cavities(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(2);
    const double edge[4] = {8, 4, 2, 1};
    RbMeshBuilder b = rb_mesh_builder(&f.arena);
    for (int i = 0; i < 4; i++) {
        RbShape box = rb_shape_box(v3(edge[i], edge[i], edge[i]));
        RbMesh m = rb_tessellate(&box, 3, &f.arena);
        int first = b.vertices.count;
        for (int v = 0; v < 8; v++)
            rb_mesh_add_vertex(&b, v3_add(m.vertices[v], v3(i == 3 ? 10 : 0, 0, 0)));
        for (int t = 0; t < 12; t++) {
            const int *v = m.triangles[t].v;
            int swap = rb_rng_int(&rng, 2);
            rb_mesh_add_triangle(&b, first + v[0], first + v[1 + swap], first + v[2 - swap]);
        }
    }
    RbMesh broken = rb_mesh_finish(&b);
    RbMesh mended = rb_mesh_repair(&broken, 0, &f.arena, f.scratch, NULL);
    RbMeshReport r = rb_mesh_check(&mended, f.scratch);
    ENSURE(r.encloses_body && r.components == 4);
    ENSURE_NEAR(r.volume, 512 - 64 + 8 + 1, 1e-12);
    fixture_close(&f);
}

// A copy of a triangle goes, in either orientation; a flap (two triangles back to back) goes
// altogether.
static void duplicates_are_removed(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    for (int i = 0; i < 3; i++) {
        Copy c = copy_mesh(&f, cube(&f), 2);
        if (i == 0) c.triangles[12] = c.triangles[5];
        if (i == 1) c.triangles[12] = turned(c.triangles[5]);
        c.mesh.triangle_count = 13;
        if (i == 2) { // a flap inside the cube
            c.triangles[12] = (RbTriangle){{0, 3, 7}};
            c.triangles[13] = (RbTriangle){{3, 0, 7}};
            c.mesh.triangle_count = 14;
        }
        RbMeshRepair what;
        RbMesh mended = rb_mesh_repair(&c.mesh, 0, &f.arena, f.scratch, &what);
        RbMeshReport r = rb_mesh_check(&mended, f.scratch);
        ENSURE(r.encloses_body && r.triangle_count == 12);
        ENSURE(what.removed_triangles == c.mesh.triangle_count - 12);
        ENSURE_NEAR(r.volume, 1, 1e-15);
    }
    fixture_close(&f);
}

// A strip with a half twist has one side only.
static void one_sided_surfaces_are_reported(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMeshBuilder b = rb_mesh_builder(&f.arena);
    int n = 9;
    for (int i = 0; i < n; i++) {
        double phi = 2 * acos(-1) * i / n, c = cos(phi / 2), s = sin(phi / 2);
        for (int side = -1; side <= 1; side += 2) {
            double r = 3 + side * c;
            rb_mesh_add_vertex(&b, v3(r * cos(phi), r * sin(phi), side * s));
        }
    }
    for (int i = 0; i < n; i++) {
        int a = 2 * i, c = i + 1 < n ? 2 * i + 2 : 1, d = i + 1 < n ? 2 * i + 3 : 0;
        rb_mesh_add_triangle(&b, a, a + 1, c);
        rb_mesh_add_triangle(&b, c, a + 1, d);
    }
    RbMesh strip = rb_mesh_finish(&b);
    RbMeshRepair what;
    RbMesh mended = rb_mesh_repair(&strip, 0, &f.arena, f.scratch, &what);
    ENSURE(what.twisted_components == 1);
    ENSURE(rb_mesh_check(&mended, f.scratch).twisted_edges > 0);
    fixture_close(&f);
}

// Vertices far out, where doubles are coarser than the tolerance, and one that would make any grid
// of whole numbers overflow: only equal or close ones become one, and in little time.
static void welding_works_at_any_distance(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    int n = 20000;
    Vec3 *v = rb_new_array(&f.arena, Vec3, 3 * n);
    RbTriangle *t = rb_new_array(&f.arena, RbTriangle, n);
    for (int i = 0; i < n; i++) {
        v[3 * i] = v3(i, i % 2 ? -0.0 : 0.0, 1e200);
        v[3 * i + 1] = v3(i + 1, 0, 1e200);
        v[3 * i + 2] = v3(0, 1, -1e18);
        t[i] = (RbTriangle){{3 * i, 3 * i + 1, 3 * i + 2}};
    }
    RbMesh mesh = {v, 3 * n, t, n};
    const double tolerances[] = {0, 1e-9}; // [m]
    for (int i = 0; i < 2; i++) {
        RbMesh mended = rb_mesh_repair(&mesh, tolerances[i], &f.arena, f.scratch, NULL);
        ENSURE(mended.vertex_count == n + 2 && mended.triangle_count == n);
    }
    fixture_close(&f);
}

// Random triangles over few vertices: anything may happen but a crash, and a second repair changes
// nothing.
static void repair_of_garbage_is_stable(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(3);
    for (int i = 0; i < 300; i++) {
        Vec3 v[12];
        RbTriangle t[30];
        for (int k = 0; k < 12; k++)
            v[k] = v3(rb_rng_int(&rng, 3), rb_rng_int(&rng, 3), rb_rng_int(&rng, 3));
        for (int k = 0; k < 30; k++) {
            t[k] = (RbTriangle){
                {rb_rng_int(&rng, 14) - 1, rb_rng_int(&rng, 14) - 1, rb_rng_int(&rng, 12)}};
        }
        RbMesh garbage = {v, 12, t, 1 + rb_rng_int(&rng, 30)};
        RbMesh once = rb_mesh_repair(&garbage, 0.5, &f.arena, f.scratch, NULL);
        RbMeshReport r = rb_mesh_check(&once, f.scratch);
        ENSURE(r.invalid_triangles == 0 && r.duplicate_triangles == 0 && r.unused_vertices == 0);
        RbMeshRepair what;
        RbMesh twice = rb_mesh_repair(&once, 0.5, &f.arena, f.scratch, &what);
        ENSURE(what.welded_vertices == 0 && what.removed_triangles == 0);
        ENSURE(twice.triangle_count == once.triangle_count);
    }
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_cube),
        cmocka_unit_test(damage_is_counted),
        cmocka_unit_test(empty_and_flat_meshes),
        cmocka_unit_test(soup_becomes_a_body_again),
        cmocka_unit_test(cavities_stay_cavities),
        cmocka_unit_test(duplicates_are_removed),
        cmocka_unit_test(one_sided_surfaces_are_reported),
        cmocka_unit_test(welding_works_at_any_distance),
        cmocka_unit_test(repair_of_garbage_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
