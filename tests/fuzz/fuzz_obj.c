// SPDX-License-Identifier: MIT
// Any bytes as an OBJ file: an answer or an error, memory in proportion, and what was read survives
// check, repair and a round trip.
#include <stdlib.h>

#include "geom/mesh_check.h"
#include "io/obj.h"

typedef struct Work {
    RbHeap heap;
    RbArena keep, scratch;
    RbBytes bytes;
} Work;

static RbStatus work(void *argument) {
    Work *w = argument;
    w->keep = rb_arena(&w->heap);
    w->scratch = rb_arena(&w->heap);
    RbDiag diag = rb_diag(&w->keep);
    RbObj obj, back;
    RbStatus status = rb_obj_read(w->bytes, "fuzz.obj", &w->keep, w->scratch, &diag, &obj);
    if (w->heap.peak > 150 * w->bytes.size + 200000) abort();
    if (status != RB_OK) return diag.error_count > 0 ? RB_OK : RB_ERROR_INTERNAL;
    RbMesh mended = rb_mesh_repair(&obj.mesh, 1e-9, &w->keep, w->scratch, NULL);
    RbMeshReport report = rb_mesh_check(&mended, w->scratch);
    if (report.invalid_triangles > 0 || report.duplicate_triangles > 0) abort();
    RbText text = rb_text(&w->keep);
    rb_obj_write(obj.parts, obj.part_count, &text);
    RbBytes again = {(const unsigned char *)text.data, (size_t)text.count};
    if (rb_obj_read(again, "again.obj", &w->keep, w->scratch, &diag, &back) != RB_OK) abort();
    if (back.mesh.triangle_count != obj.mesh.triangle_count) abort();
    return RB_OK;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    Work w = {.heap = rb_heap(NULL), .bytes = {data, size}};
    if (rb_protect(&w.heap, work, &w) != RB_OK) abort();
    rb_arena_free(&w.keep);
    rb_arena_free(&w.scratch);
    return 0;
}
