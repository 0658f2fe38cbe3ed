// SPDX-License-Identifier: MIT
// Any bytes as points of a convex hull: refused with a reason, or a closed polytope that holds all
// points. Three bytes give a point on a coarse grid (many coplanar and equal points), a fourth one
// a small displacement.
#include "fuzz.h"

#include "geom/hull.h"

enum { MOST_POINTS = 300 };

static Vec3 point_of(const uint8_t *bytes) {
    double small = ldexp(bytes[3] % 8 - 3.5, -(bytes[3] / 5));
    return v3(bytes[0] % 16 + small, bytes[1] % 16 - small, bytes[2] % 16);
}

static void check(const RbCore *core, const Vec3 *points, int count) {
    const RbPolytope *p = core->polytope;
    if (p->vertex_count - p->edge_count + p->face_count != 2) abort();
    for (int f = 0; f < p->face_count; f++) {
        for (int i = 0; i < count; i++) {
            Vec3 x = v3_sub(points[i], core->frame.r);
            double above = v3_dot(p->face_normals[f], x) - p->face_offsets[f];
            if (!(above <= 1e-11 * core->size)) abort();
        }
    }
}

static RbStatus body(Fuzz *f) {
    Vec3 points[MOST_POINTS];
    int count = 0;
    for (size_t i = 0; i + 4 <= f->size && count < MOST_POINTS; i += 4) {
        points[count++] = point_of(f->data + i);
    }
    RbCore core;
    RB_TRY(rb_hull(points, count, "fuzz", RB_NOWHERE, &f->arena, f->scratch, &f->diag, &core));
    check(&core, points, count);
    return RB_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_run(data, size, 1000, body);
    return 0;
}
