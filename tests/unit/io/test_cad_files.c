// SPDX-License-Identifier: MIT
// PLY and DXF: the same pyramid in every form; drawings with arcs by closed forms; messages for broken files.
#include "testing.h"

#include <string.h>

#include "geom/mesh_check.h"
#include "geom/mesh_make.h"
#include "io/dxf.h"
#include "io/ply.h"

static RbBytes corpus(Fixture *f, const char *name) {
    RbBytes bytes;
    const char *path = rb_arena_printf(&f->arena, "%s/tests/fuzz/corpus/%s", RB_SOURCE_DIR, name);
    ENSURE(rb_file_read(path, 0, &f->arena, &f->diag, &bytes) == RB_OK);
    return bytes;
}

static void check_pyramid(Fixture *f, const RbMesh *mesh) {
    RbMesh welded = rb_mesh_repair(mesh, 0, &f->arena, f->scratch, NULL);
    RbMeshReport r = rb_mesh_check(&welded, f->scratch);
    ENSURE(r.encloses_body && r.vertex_count == 5 && r.triangle_count == 6);
    ENSURE_NEAR(r.volume, 1.0 / 3, 1e-15);
}

static void pyramids(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const char *const ply[] = {"ply/ascii", "ply/little", "ply/big"};
    RbMesh mesh;
    for (int i = 0; i < 3; i++) {
        ENSURE(rb_ply_read(corpus(&f, ply[i]), ply[i], &f.arena, f.scratch, &f.diag, &mesh) ==
               RB_OK);
        check_pyramid(&f, &mesh);
        RbText text = rb_text(&f.arena);
        rb_ply_write(&mesh, &text);
        RbBytes back = {(const unsigned char *)text.data, (size_t)text.count};
        ENSURE(rb_ply_read(back, "back.ply", &f.arena, f.scratch, &f.diag, &mesh) == RB_OK);
        check_pyramid(&f, &mesh);
    }
    const char *const dxf[] = {"dxf/faces", "dxf/polyface"};
    for (int i = 0; i < 2; i++) {
        RbDxf d;
        ENSURE(rb_dxf_read(corpus(&f, dxf[i]), dxf[i], 32, &f.arena, f.scratch, &f.diag, &d) ==
               RB_OK);
        check_pyramid(&f, &d.mesh);
        ENSURE(d.unit == (i == 0 ? 1e-3 : 0));
    }
    fixture_close(&f);
}

// A stadium's half (20 by 10 with a half circle at one end) with a round hole.
static void drawing_is_extruded(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double last = 0, exact = 200 + 12.5 * 3.141592653589793 - 4 * 3.141592653589793;
    for (int n = 32; n <= 256; n *= 2) {
        RbDxf d;
        RbPolygon p;
        ENSURE(rb_dxf_read(corpus(&f, "dxf/outline"), "outline", n, &f.arena, f.scratch, &f.diag,
                           &d) == RB_OK);
        ENSURE(rb_contour_finish(&d.outline, "outline", RB_NOWHERE, f.scratch, &f.diag, &p) ==
               RB_OK);
        RbMesh m = rb_mesh_extrude(&p, 3, &f.arena, f.scratch);
        RbMeshReport r = rb_mesh_check(&m, f.scratch);
        ENSURE(r.encloses_body && r.vertex_count - r.edge_count + r.triangle_count == 0);
        double error = fabs(r.volume - 3 * exact);
        if (last > 0) ENSURE(last / error > 3.8 && last / error < 4.2); // chords: second order
        last = error;
    }
    ENSURE(last < 3e-3 * exact);
    fixture_close(&f);
}

static void messages(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbMesh mesh;
    RbDxf dxf;
    const struct {
        const char *file, *message;
    } ply[] = {{"ply/short", "ends before the elements that its header claims"},
               {"ply/huge", "ends before the elements that its header claims"},
               {"ply/index", "face 1 refers to vertex 1; the file has 1 vertices"},
               {"dxf/faces", "not a PLY file"}};
    for (int i = 0; i < 4; i++) {
        ENSURE(rb_ply_read(corpus(&f, ply[i].file), "x.ply", &f.arena, f.scratch, &f.diag, &mesh) ==
               RB_ERROR_IO);
        const char *got = fixture_message(&f, i);
        if (!strstr(got, ply[i].message)) print_error("%s\n", got);
        ENSURE(strstr(got, ply[i].message));
    }
    ENSURE(rb_dxf_read(corpus(&f, "dxf/bad"), "x.dxf", 32, &f.arena, f.scratch, &f.diag, &dxf) ==
           RB_ERROR_IO);
    ENSURE(strstr(fixture_message(&f, 4), "x.dxf:"));
    ENSURE(rb_dxf_read(corpus(&f, "dxf/nocode"), "x.dxf", 32, &f.arena, f.scratch, &f.diag, &dxf) ==
           RB_ERROR_IO);
    ENSURE(strstr(fixture_message(&f, 5),
                  "x.dxf:1:1: error: found 'hello' where a group code was expected"));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pyramids),
        cmocka_unit_test(drawing_is_extruded),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
