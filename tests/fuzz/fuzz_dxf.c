// SPDX-License-Identifier: MIT
// Any bytes as a DXF file: faces survive check and repair, outlines are polygons or refused.
#include "fuzz.h"

#include "geom/mesh_check.h"
#include "geom/mesh_make.h"
#include "io/dxf.h"

static RbStatus body(Fuzz *f) {
    RbDxf dxf;
    RbBytes bytes = {f->data, f->size};
    f->limit = (1u << 20) + 2000 * f->size;
    RB_TRY(rb_dxf_read(bytes, "fuzz.dxf", 16, &f->arena, f->scratch, &f->diag, &dxf));
    f->limit += 20000 * f->size;
    RbMesh mended = rb_mesh_repair(&dxf.mesh, 1e-9, &f->arena, f->scratch, NULL);
    RbMeshReport report = rb_mesh_check(&mended, f->scratch);
    if (report.invalid_triangles > 0) abort();
    if (dxf.outline.points.count == 0 || dxf.outline.points.count > 2000) return RB_OK;
    RbPolygon polygon;
    RB_TRY(rb_contour_finish(&dxf.outline, "fuzz", RB_NOWHERE, f->scratch, &f->diag, &polygon));
    RbMesh solid = rb_mesh_extrude(&polygon, 1, &f->arena, f->scratch);
    report = rb_mesh_check(&solid, f->scratch);
    if (report.open_edges > 0) abort();
    return RB_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 0, body);
    return 0;
}
