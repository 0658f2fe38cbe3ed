// SPDX-License-Identifier: MIT
// Any bytes as an OBJ file: what is read survives check, repair and a round trip.
#include "fuzz.h"

#include "geom/mesh_check.h"
#include "io/obj.h"

// The round trip may need more than the file: text is longer than binary.
static RbStatus round_trip(Fuzz *f, const RbObj *read) {
    RbMesh mended = rb_mesh_repair(&read->mesh, 1e-9, &f->arena, f->scratch, NULL);
    RbMeshReport report = rb_mesh_check(&mended, f->scratch);
    if (report.invalid_triangles > 0 || report.duplicate_triangles > 0) abort();
    RbText text = rb_text(&f->arena);
    rb_obj_write(read->parts, read->part_count, &text);
    RbBytes bytes = {(const unsigned char *)text.data, (size_t)text.count};
    RbObj back;
    RB_TRY(rb_obj_read(bytes, "again.obj", &f->arena, f->scratch, &f->diag, &back));
    if (back.mesh.triangle_count != read->mesh.triangle_count) abort();
    return RB_OK;
}

static RbStatus body(Fuzz *f) {
    RbObj read;
    RbBytes bytes = {f->data, f->size};
    f->limit = (1u << 20) + 150 * f->size;
    RB_TRY(rb_obj_read(bytes, "fuzz.obj", &f->arena, f->scratch, &f->diag, &read));
    f->limit += 2000 * f->size;
    if (round_trip(f, &read) != RB_OK) abort();
    return RB_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 0, body);
    return 0;
}
