// SPDX-License-Identifier: MIT
// Any bytes as points of a convex hull: refused with a reason, or a closed polytope that holds all
// points. Three bytes give a point on a coarse grid (many coplanar and equal points), a fourth one
// a small displacement.
#include <stdlib.h>

#include "geom/hull.h"

enum { MOST_POINTS = 300 };

typedef struct Work {
    RbHeap heap;
    RbArena keep, scratch;
    Vec3 points[MOST_POINTS];
    int count;
} Work;

static void check(const RbCore *core, const Work *w) {
    const RbPolytope *p = core->polytope;
    if (p->vertex_count - p->edge_count + p->face_count != 2) abort();
    for (int f = 0; f < p->face_count; f++) {
        for (int i = 0; i < w->count; i++) {
            double above = v3_dot(p->face_normals[f], v3_sub(w->points[i], core->frame.r)) -
                           p->face_offsets[f];
            if (!(above <= 1e-9 * core->size)) abort();
        }
    }
}

static RbStatus work(void *argument) {
    Work *w = argument;
    w->keep = rb_arena(&w->heap);
    w->scratch = rb_arena(&w->heap);
    RbDiag diag = rb_diag(&w->keep);
    RbCore core;
    RbStatus status =
        rb_hull(w->points, w->count, "fuzz", RB_NOWHERE, &w->keep, w->scratch, &diag, &core);
    if (status == RB_OK) check(&core, w);
    return status == RB_OK || status == RB_ERROR_MODEL ? RB_OK : status;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
    static Work w; // too large for the stack
    w = (Work){.heap = rb_heap(NULL)};
    for (size_t i = 0; i + 4 <= size && w.count < MOST_POINTS; i += 4) {
        double small = ldexp(data[i + 3] % 8 - 3.5, -(data[i + 3] / 5));
        w.points[w.count++] = v3(data[i] % 16 + small, data[i + 1] % 16 - small, data[i + 2] % 16);
    }
    if (rb_protect(&w.heap, work, &w) != RB_OK) abort();
    rb_arena_free(&w.keep);
    rb_arena_free(&w.scratch);
    return 0;
}
