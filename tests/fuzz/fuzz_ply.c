// SPDX-License-Identifier: MIT
// Any bytes as a PLY file: what is read survives check, repair and a round trip.
#include "fuzz.h"

#include "geom/mesh_check.h"
#include "io/ply.h"

static RbStatus round_trip(Fuzz *f, const RbMesh *read) {
    RbMesh mended = rb_mesh_repair(read, 1e-9, &f->arena, f->scratch, NULL);
    RbMeshReport report = rb_mesh_check(&mended, f->scratch);
    if (report.invalid_triangles > 0 || report.duplicate_triangles > 0) abort();
    RbText text = rb_text(&f->arena);
    rb_ply_write(read, &text);
    RbBytes bytes = {(const unsigned char *)text.data, (size_t)text.count};
    RbMesh back;
    RB_TRY(rb_ply_read(bytes, "again.ply", &f->arena, f->scratch, &f->diag, &back));
    if (back.triangle_count != read->triangle_count) abort();
    return RB_OK;
}

static RbStatus body(Fuzz *f) {
    RbMesh read;
    RbBytes bytes = {f->data, f->size};
    f->limit = (1u << 20) + 200 * f->size;
    RB_TRY(rb_ply_read(bytes, "fuzz.ply", &f->arena, f->scratch, &f->diag, &read));
    f->limit += 4000 * f->size;
    if (round_trip(f, &read) != RB_OK) abort();
    return RB_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 0, body);
    return 0;
}
