// SPDX-License-Identifier: MIT
// OBJ: round trips, polygons, groups, indices from both ends, messages, memory in proportion; mesh
// files as shapes.
#include "testing.h"

#include <string.h>

#include "geom/mass.h"
#include "geom/mesh_check.h"
#include "geom/tessellate.h"
#include "io/mesh_file.h"
#include "io/polygon.h"
#include "io/stl.h"
#include "math/rng.h"

static RbBytes bytes_of(const char *text) {
    return (RbBytes){(const unsigned char *)text, strlen(text)};
}

static RbStatus read_obj(Fixture *f, const char *text, RbObj *obj) {
    return rb_obj_read(bytes_of(text), "part.obj", &f->arena, f->scratch, &f->diag, obj);
}

static void round_trip_is_exact(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape shapes[2] = {rb_shape_beam(1, 0.3, 0.1, 0.05), rb_shape_sphere(0.7)};
    RbObjPart parts[2] = {{"a b", rb_tessellate(&shapes[0], 20, &f.arena)},
                          {"c", rb_tessellate(&shapes[1], 12, &f.arena)}};
    RbText text = rb_text(&f.arena);
    rb_obj_write(parts, 2, &text);
    RbObj obj;
    ENSURE(read_obj(&f, text.data, &obj) == RB_OK);
    ENSURE(obj.part_count == 2);
    ENSURE(obj.mesh.vertex_count == parts[0].mesh.vertex_count + parts[1].mesh.vertex_count);
    assert_string_equal(obj.parts[0].name, "a b");
    for (int i = 0; i < 2; i++) {
        const RbMesh *got = &obj.parts[i].mesh, *want = &parts[i].mesh;
        ENSURE(got->triangle_count == want->triangle_count &&
               got->vertex_count == want->vertex_count);
        for (int t = 0; t < got->triangle_count; t++) {
            for (int k = 0; k < 3; k++) {
                Vec3 p = got->vertices[got->triangles[t].v[k]],
                     q = want->vertices[want->triangles[t].v[k]];
                ENSURE(p.x == q.x && p.y == q.y && p.z == q.z);
            }
        }
        ENSURE(rb_mesh_check(got, f.scratch).encloses_body);
    }
    fixture_close(&f);
}

// A cube as programs write it: quads, normals and texture coordinates, negative indices, comments,
// joined lines.
static const char CUBE[] =
    "# cube\nmtllib x.mtl\no cube\nv 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nv 0 1 0 0.5 0.5 0.5\n"
    "vn 0 0 1\nvt 0 0\ns off\nusemtl red\n"
    "v 0 0 1\nv 1 0 1\r\nv 1 1 1\nv 0 1 \\\n 1\n"
    "g bottom\nf 4 3 2 1\ng top\nf -4/1/1 -3//1 -2/1 -1 # ccw\n"
    "g bottom\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 \\\r\n8 7\nf 4 1 5 8\n";

static void what_programs_write_is_read(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbObj obj;
    ENSURE(read_obj(&f, CUBE, &obj) == RB_OK);
    RbMeshReport r = rb_mesh_check(&obj.mesh, f.scratch);
    ENSURE(r.encloses_body && r.triangle_count == 12 && r.vertex_count == 8);
    ENSURE_NEAR(r.volume, 1, 1e-15);
    ENSURE(obj.part_count == 2);
    assert_string_equal(obj.parts[0].name, "bottom");
    assert_string_equal(obj.parts[1].name, "top");
    ENSURE(obj.parts[0].mesh.triangle_count == 10 && obj.parts[1].mesh.vertex_count == 4);
    ENSURE(f.diag.messages.count == 0);
    fixture_close(&f);
}

static void ensure_message(const char *text, const char *want) {
    Fixture f;
    fixture_open(&f);
    RbObj obj;
    ENSURE(read_obj(&f, text, &obj) == RB_ERROR_IO);
    assert_string_equal(fixture_message(&f, 0), want);
    fixture_close(&f);
}

static void damaged_files_are_explained(void **state) {
    (void)state;
    ensure_message("", "part.obj: error: OBJ file contains no faces [io]\n");
    ensure_message("v 0 0 0\n", "part.obj: error: OBJ file contains no faces [io]\n");
    ensure_message("v 0 0\n",
                   "part.obj:1:6: error: the line ends where a coordinate was expected [io]\n");
    ensure_message("v 0 0 x1\n",
                   "part.obj:1:7: error: found 'x1' where a coordinate was expected [io]\n");
    ensure_message("v 0 0 1e999\n", "part.obj:1:7: error: coordinate is inf; it must be finite, "
                                    "and at most 1e+15 in size [io]\n");
    ensure_message("v 0 0 nan\n", "part.obj:1:7: error: coordinate is nan; it must be finite, and "
                                  "at most 1e+15 in size [io]\n");
    ensure_message("v 0 0 0\nv 1 0 0\nf 1 2\n",
                   "part.obj:3:1: error: the face has 2 corners; it needs at least 3 [io]\n");
    ensure_message(
        "v 0 0 0\nv 1 0 0\nf 1 2 3\n",
        "part.obj:3:7: error: the face refers to vertex 3, but 2 are defined so far [io]\n");
    ensure_message(
        "v 0 0 0\nf 1 1 -2\n",
        "part.obj:2:7: error: the face refers to vertex -2, but 1 is defined so far [io]\n");
    ensure_message("v 0 0 0\nf 0 1 1\n",
                   "part.obj:2:3: error: the face refers to vertex 0, but 1 is defined "
                   "so far (the first one has the number 1) [io]\n");
    ensure_message(
        "v 0 0 0\nf 1 99999999999 1\n",
        "part.obj:2:5: error: found '99999999999' where a vertex number was expected [io]\n");
    ensure_message("v 0 0 0\nf /1 1 1\n",
                   "part.obj:2:3: error: found '/1' where a vertex number was expected [io]\n");
}

static void unknown_statements_are_mentioned_once(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbObj obj;
    ENSURE(read_obj(&f, "v 0 0 0\nv 1 0 0\nv 0 1 0\ncurv 0 1\nhello\nf 1 2 3\n", &obj) == RB_OK);
    ENSURE(f.diag.messages.count == 1);
    assert_string_equal(fixture_message(&f, 0),
                        "part.obj:4:1: warning: statement 'curv' is not known and "
                        "skipped, as are others like it\n");
    fixture_close(&f);
}

// Twice the signed area of triangles in the xy plane, and of the polygon itself.
static double polygon_area(const Vec3 *v, const int *p, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        Vec3 a = v[p[i]], b = v[p[(i + 1) % n]];
        sum += a.x * b.y - a.y * b.x;
    }
    return sum;
}

// Star-shaped polygons with random radii: areas of the triangles are positive and add up.
static void polygons_are_covered_exactly(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(1);
    for (int i = 0; i < 200; i++) {
        int n = 4 + rb_rng_int(&rng, 60), polygon[64];
        Vec3 v[64];
        RbTriangle triangles[64];
        for (int k = 0; k < n; k++) {
            double r = rb_rng_range(&rng, 0.2, 1), phi = 2 * acos(-1) * k / n;
            v[k] = v3(r * cos(phi), r * sin(phi), 7);
            polygon[k] = k;
        }
        ENSURE(rb_polygon_triangulate(v, polygon, n, f.scratch, triangles));
        double sum = 0;
        for (int t = 0; t < n - 2; t++) {
            double area = polygon_area(v, triangles[t].v, 3);
            ENSURE(area > 0);
            sum += area;
        }
        ENSURE_NEAR(sum, polygon_area(v, polygon, n), 1e-14);
    }
    fixture_close(&f);
}

static void concave_faces_keep_their_shape(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbObj obj; // an L, whose fan from the first corner would leave it
    ENSURE(read_obj(&f, "v 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nf 6 1 2 3 4 5\n",
                    &obj) == RB_OK);
    double sum = 0;
    for (int t = 0; t < obj.mesh.triangle_count; t++) {
        double area = polygon_area(obj.mesh.vertices, obj.mesh.triangles[t].v, 3);
        ENSURE(area >= 0);
        sum += area;
    }
    ENSURE_NEAR(sum, 6, 1e-15);
    RbText text = rb_text(&f.arena);
    for (int i = 1; i < 2 * RB_POLYGON_LIMIT; i++) rb_text_printf(&text, "v %d %d 0\n", i, i % 2);
    rb_text_add(&text, "v 1000 500 0\n"); // above a saw
    rb_text_add(&text, "f");
    for (int i = 0; i < 2 * RB_POLYGON_LIMIT; i++) rb_text_printf(&text, " %d", i + 1);
    ENSURE(read_obj(&f, text.data, &obj) == RB_ERROR_IO);
    assert_string_equal(fixture_message(&f, 0),
                        "part.obj:2001:1: error: the face has 2000 corners and is not "
                        "convex; at most 1000 are possible then [io]\n");
    fixture_close(&f);
}

static void files_become_shapes(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *obj_path = RB_BINARY_DIR "/test_cube.obj",
               *stl_path = RB_BINARY_DIR "/test_ball.STL";
    ENSURE(rb_file_write(obj_path, CUBE, strlen(CUBE), &f.diag) == RB_OK);
    RbShape shape;
    RbMeshFileOptions options = rb_mesh_file_options();
    options.scale = v3(-2, 1, 0.5); // a mirror image
    ENSURE(rb_shape_from_file(obj_path, options, "block", RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                              &shape) == RB_OK);
    RbMassProperties m;
    ENSURE(rb_mass_from_density(&shape, 8, "block", RB_NOWHERE, &f.diag, &m) == RB_OK);
    ENSURE_NEAR(m.mass, 8, 1e-14);
    ENSURE_NEAR(m.r_CM.x, -1, 1e-15);
    ENSURE_NEAR(m.I_CM.x.x, 8.0 / 12 * (1 + 0.25), 1e-14);
    ENSURE(rb_shape_core(&shape).polytope->face_count == 6);

    RbShape sphere = rb_shape_sphere(1);
    RbMesh mesh = rb_tessellate(&sphere, 32, &f.arena);
    RbBytes stl = rb_stl_write_binary(&mesh, &f.arena);
    ENSURE(rb_file_write(stl_path, stl.data, stl.size, &f.diag) == RB_OK);
    ENSURE(rb_shape_from_file(stl_path, rb_mesh_file_options(), "ball", RB_NOWHERE, &f.arena,
                              f.scratch, &f.diag, &shape) == RB_OK);
    ENSURE(shape.surface && shape.surface->vertex_count == mesh.vertex_count);
    ENSURE(f.diag.messages.count == 0);

    ENSURE(rb_shape_from_file("x.dae", rb_mesh_file_options(), "x", RB_NOWHERE, &f.arena, f.scratch,
                              &f.diag, &shape) == RB_ERROR_IO);
    assert_string_equal(fixture_message(&f, 0),
                        "x.dae: error: not a mesh file that can be read; the name "
                        "must end in .stl, .obj, .ply or .dxf, and there is no folder of this name either [io]\n");
    fixture_close(&f);
}

// Two boxes side by side: contact and mass of both.
static void groups_become_convex_parts(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape box = rb_shape_box(v3(1, 1, 1));
    RbMesh left = rb_tessellate(&box, 3, &f.arena), right = left;
    Vec3 moved[8];
    for (int i = 0; i < 8; i++) moved[i] = v3_add(left.vertices[i], v3(1, 0.5, 0));
    right.vertices = moved;
    RbObjPart parts[2] = {{"left", left}, {"right", right}};
    RbText text = rb_text(&f.arena);
    rb_obj_write(parts, 2, &text);
    const char *path = RB_BINARY_DIR "/test_parts.obj";
    ENSURE(rb_file_write(path, text.data, (size_t)text.count, &f.diag) == RB_OK);
    RbMeshFileOptions options = rb_mesh_file_options();
    options.convex_parts = true;
    RbShape shape;
    ENSURE(rb_shape_from_file(path, options, NULL, RB_NOWHERE, &f.arena, f.scratch, &f.diag,
                              &shape) == RB_OK);
    ENSURE(shape.part_count == 2);
    RbMoments m = rb_moments_of_shape(&shape);
    ENSURE_NEAR(m.volume, 2, 1e-14);
    ENSURE_NEAR(m.centroid.y, 0.25, 1e-15);
    fixture_close(&f);
}

static RbStatus read_bytes(Fixture *f, void *argument) {
    RbBytes *bytes = argument;
    RbObj obj;
    return rb_obj_read(*bytes, "part.obj", &f->arena, f->scratch, &f->diag, &obj);
}

static void survive_all_failures(RbBytes bytes) {
    ENSURE(fixture_survives(read_bytes, &bytes, 2) < 100 * bytes.size + 50000);
}

// Many groups over many vertices, the densest statements there are: memory stays in proportion to
// the file.
static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    survive_all_failures(bytes_of(CUBE));
    RbText text = rb_text(&f.arena);
    for (int i = 0; i < 2000; i++) rb_text_add(&text, "v 0 0 0\n");
    for (int i = 0; i < 2000; i++) rb_text_printf(&text, "g %d\nf 1 2 3 %d\n", i, i + 1);
    survive_all_failures(bytes_of(text.data));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip_is_exact),
        cmocka_unit_test(what_programs_write_is_read),
        cmocka_unit_test(damaged_files_are_explained),
        cmocka_unit_test(unknown_statements_are_mentioned_once),
        cmocka_unit_test(polygons_are_covered_exactly),
        cmocka_unit_test(concave_faces_keep_their_shape),
        cmocka_unit_test(files_become_shapes),
        cmocka_unit_test(groups_become_convex_parts),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
