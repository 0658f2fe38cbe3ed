// SPDX-License-Identifier: MIT
// STL: round trips, both kinds told apart, damaged files give a place and a reason, memory stays in
// proportion.
#include "testing.h"

#include <string.h>

#include "geom/mesh_check.h"
#include "geom/tessellate.h"
#include "io/stl.h"

static RbBytes bytes_of(const char *text) {
    return (RbBytes){(const unsigned char *)text, strlen(text)};
}

static RbStatus read_stl(Fixture *f, RbBytes bytes, RbMesh *mesh) {
    return rb_stl_read(bytes, "part.stl", &f->arena, f->scratch, &f->diag, mesh);
}

static void ensure_same_triangles(const RbMesh *a, const RbMesh *b, double tol) {
    ENSURE(a->triangle_count == b->triangle_count);
    for (int t = 0; t < a->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            Vec3 p = a->vertices[a->triangles[t].v[k]], q = b->vertices[b->triangles[t].v[k]];
            ENSURE(v3_max_abs(v3_sub(p, q)) <= tol);
        }
    }
}

static void round_trips(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape shape = rb_shape_cone(2, 0.3, 0.7, 0.1);
    RbMesh mesh = rb_tessellate(&shape, 20, &f.arena), back;
    RbText text = rb_text(&f.arena);
    rb_stl_write_ascii(&mesh, "a cone\nof mine", &text);
    ENSURE(strstr(text.data, "solid a cone_of mine\nfacet normal ") == text.data);
    ENSURE(read_stl(&f, bytes_of(text.data), &back) == RB_OK);
    ensure_same_triangles(&back, &mesh, 0); // all digits
    RbBytes binary = rb_stl_write_binary(&mesh, &f.arena);
    ENSURE(binary.size == 84 + 50 * (size_t)mesh.triangle_count);
    ENSURE(read_stl(&f, binary, &back) == RB_OK);
    ensure_same_triangles(&back, &mesh, 3e-8); // single precision
    RbMesh mended = rb_mesh_repair(&back, 0, &f.arena, f.scratch, NULL);
    ENSURE(mended.vertex_count == mesh.vertex_count);
    ENSURE(rb_mesh_check(&mended, f.scratch).encloses_body);
    ENSURE(f.diag.messages.count == 0);
    fixture_close(&f);
}

// A binary header may start with "solid"; the size tells.
static void binary_that_starts_like_text(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape shape = rb_shape_box(v3(1, 2, 3));
    RbMesh mesh = rb_tessellate(&shape, 3, &f.arena), back;
    RbBytes binary = rb_stl_write_binary(&mesh, &f.arena);
    memcpy((char *)(uintptr_t)binary.data, "solid block            ", 24);
    ENSURE(read_stl(&f, binary, &back) == RB_OK);
    ensure_same_triangles(&back, &mesh, 0); // small whole numbers are exact in single precision
    fixture_close(&f);
}

#define FACET                                                                                      \
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n endloop\n"  \
    "endfacet\n"

static void ascii_is_read_freely(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh mesh;
    const char *text =
        "\r\n  SOLID two words\r\nFacet Normal nan nan NaN outer loop vertex 1e0 -2.5E-1 +3\r\n"
        "vertex 1 .5 2. vertex 0 0 1e-320\r\nendloop endfacet endsolid\n"
        "solid\n" FACET "endsolid other\n\n";
    ENSURE(read_stl(&f, bytes_of(text), &mesh) == RB_OK);
    ENSURE(mesh.triangle_count == 2);
    ENSURE_NEAR(mesh.vertices[0].y, -0.25, 0);
    ENSURE_NEAR(mesh.vertices[1].y, 0.5, 0);
    ENSURE(mesh.vertices[2].z == 1e-320);
    fixture_close(&f);
}

static void ensure_message(RbBytes bytes, const char *want) {
    Fixture f;
    fixture_open(&f);
    RbMesh mesh;
    ENSURE(read_stl(&f, bytes, &mesh) == RB_ERROR_IO);
    assert_string_equal(fixture_message(&f, 0), want);
    fixture_close(&f);
}

static void damaged_text_is_explained(void **state) {
    (void)state;
    ensure_message(bytes_of("solid x\nendsolid x\n"),
                   "part.stl: error: STL file contains no triangles [io]\n");
    ensure_message(bytes_of("solid x\nfacet normal 0 0 1\n outer loop\n  vertex 0 zero 0\n"),
                   "part.stl:4:12: error: found 'zero' where a number was expected [io]\n");
    ensure_message(bytes_of("solid x\nfacet normal 0 0 1\n outer loop\n  vertex 0 inf 0\n"),
                   "part.stl:4:12: error: coordinate is inf; it must be finite, and at most 1e+15 "
                   "in size [io]\n");
    ensure_message(bytes_of("solid x\n" FACET "facet normal 0 0"),
                   "part.stl:9:17: error: STL file ends where a number was expected [io]\n");
    ensure_message(
        bytes_of("solid x\n" FACET "hello\n"),
        "part.stl:9:1: error: found 'hello' where 'facet' or 'endsolid' was expected [io]\n");
    ensure_message(
        bytes_of("solid x\n" FACET),
        "part.stl:8:9: error: STL file ends where 'facet' or 'endsolid' was expected [io]\n");
    ensure_message(bytes_of("solid x\n" FACET "endsolid\nrubbish"),
                   "part.stl:10:1: error: found 'rubbish' where 'solid' was expected [io]\n");
}

static void damaged_binary_is_explained(void **state) {
    (void)state;
    ensure_message((RbBytes){NULL, 0},
                   "part.stl: error: STL file has 0 bytes; a binary one has at least 84 [io]\n");
    unsigned char data[184] = {0};
    data[80] = 2;
    ensure_message((RbBytes){data, 150},
                   "part.stl: error: STL file ends at byte 150 after 1 complete "
                   "triangles; its header announces 2 [io]\n");
    memset(data + 80, 0xff, 4);
    ensure_message((RbBytes){data, 184},
                   "part.stl: error: STL file ends at byte 184 after 2 complete "
                   "triangles; its header announces 4294967295 [io]\n");
    memset(data + 80, 0, 4);
    ensure_message((RbBytes){data, 84}, "part.stl: error: STL file contains no triangles [io]\n");
    data[80] = 2;
    data[84 + 50 + 26] = 0xc0; // second vertex of the second triangle
    data[84 + 50 + 27] = 0x7f;
    ensure_message((RbBytes){data, 184},
                   "part.stl: error: vertex 2 of triangle 2 at byte 158 is (nan, 0, "
                   "0); coordinates must be finite, and at most 1e+15 in size [io]\n");
}

static void what_follows_is_ignored_with_a_warning(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    unsigned char data[150] = {0};
    data[80] = 1;
    RbMesh mesh;
    ENSURE(read_stl(&f, (RbBytes){data, 150}, &mesh) == RB_OK);
    ENSURE(mesh.triangle_count == 1);
    assert_string_equal(fixture_message(&f, 0),
                        "part.stl: warning: 16 bytes after the last triangle are "
                        "ignored (from byte 134)\n");
    fixture_close(&f);
}

static RbStatus read_bytes(Fixture *f, void *argument) {
    RbBytes *bytes = argument;
    RbMesh mesh;
    return rb_stl_read(*bytes, "part.stl", &f->arena, f->scratch, &f->diag, &mesh);
}

static void survive_all_failures(RbBytes bytes) {
    ENSURE(fixture_survives(read_bytes, &bytes, 3) < 16 * bytes.size + 50000);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbShape shape = rb_shape_sphere(1);
    RbMesh mesh = rb_tessellate(&shape, 40, &f.arena);
    RbText text = rb_text(&f.arena);
    rb_stl_write_ascii(&mesh, "ball", &text);
    survive_all_failures(bytes_of(text.data));
    survive_all_failures(rb_stl_write_binary(&mesh, &f.arena));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(binary_that_starts_like_text),
        cmocka_unit_test(ascii_is_read_freely),
        cmocka_unit_test(damaged_text_is_explained),
        cmocka_unit_test(damaged_binary_is_explained),
        cmocka_unit_test(what_follows_is_ignored_with_a_warning),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
