// SPDX-License-Identifier: MIT
// Shapes that are made of points: hulls and meshes of convex parts.
#include "geom/aabb.h"
#include "geom/csg.h"
#include "geom/hull.h"
#include "geom/mesh_check.h"
#include "geom/moments.h"
#include "geom/shape.h"
#include "geom/tessellate.h"

RbStatus rb_shape_hull(const Vec3 *points, int count, double radius, const char *name, RbPos at,
                       RbArena *keep, RbArena scratch, RbDiag *diag, RbShape *out) {
    RbCore *core = rb_new(keep, RbCore);
    RB_TRY(rb_hull(points, count, name, at, keep, scratch, diag, core));
    core->radius = radius;
    core->size += 2 * radius;
    *out = (RbShape){.kind = RB_SHAPE_HULL,
                     .smoothing = RB_DEFAULT_SMOOTHING,
                     .radius = radius,
                     .parts = core,
                     .part_count = 1};
    return rb_shape_check(out, name, at, diag);
}

static RbStatus check_surface(const RbMesh *surface, const char *name, RbPos at, RbArena scratch,
                              RbDiag *diag) {
    RbMeshReport r = rb_mesh_check(surface, scratch);
    if (r.encloses_body) return RB_OK;
    if (r.closed && r.oriented && !(r.volume > 0)) {
        return rb_fail(
            diag, RB_ERROR_MODEL, at,
            "surface of mesh '%s' has the volume %g m3; its triangles must face outwards", name,
            r.volume);
    }
    return rb_fail(
        diag, RB_ERROR_MODEL, at,
        "surface of mesh '%s' does not enclose a body (%d open edges, %d edges with more "
        "than two triangles, %d edges with wrong orientation, %d impossible and %d "
        "duplicate triangles); repair it, or take the mass from convex parts",
        name, r.open_edges, r.crowded_edges, r.twisted_edges, r.invalid_triangles,
        r.duplicate_triangles);
}

// [m³] What two convex parts have in common.
static double shared_volume(const RbCore *a, const RbCore *b, RbArena *owner, RbArena scratch) {
    RbShape one = {.kind = RB_SHAPE_MESH, .parts = a, .part_count = 1},
            two = {.kind = RB_SHAPE_MESH, .parts = b, .part_count = 1};
    RbMesh x = rb_tessellate(&one, 3, &scratch), y = rb_tessellate(&two, 3, &scratch), common;
    RbArena *work = rb_arena_child(owner);
    RbDiag quiet = rb_diag(work);
    RbStatus status =
        rb_csg(RB_CSG_INTERSECTION, &x, "", &y, "", RB_NOWHERE, work, scratch, &quiet, &common);
    double volume =
        status == RB_OK && common.triangle_count > 0 ? rb_moments_of_mesh(&common).volume : 0;
    rb_arena_free(work);
    return volume;
}

void rb_shape_tell_overlap(const RbShape *shape, const char *name, RbPos at, RbArena *keep,
                           RbArena scratch, RbDiag *diag) {
    enum { MOST = 1000 };              // pairs, of those whose boxes overlap
    const double worth_telling = 1e-6; // of the volume of all
    double shared = 0, all = 0;
    int n = shape->part_count, a = -1, b = -1, compared = 0;
    RbAabb *boxes = rb_new_array(&scratch, RbAabb, n);
    for (int i = 0; i < n; i++) {
        boxes[i] = rb_aabb_of_core(&shape->parts[i], POSE_IDENTITY);
        all += rb_moments_of_polytope(&shape->parts[i]).volume;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i && compared < MOST; k++) {
            if (!rb_aabb_overlap(boxes[i], boxes[k])) continue;
            double volume = shared_volume(&shape->parts[k], &shape->parts[i], keep, scratch);
            if (volume > 0 && a < 0) a = k, b = i;
            shared += volume;
            compared++;
        }
    }
    if (shared > worth_telling * all)
        rb_warn(
            diag, at,
            "the convex parts of '%s' overlap by %.6g m3 of %.6g m3, parts %d and %d first; its "
            "mass and inertia count that twice: move or cut them",
            name, shared, all, a + 1, b + 1);
}

RbStatus rb_shape_mesh(const RbMesh *parts, int part_count, const RbMesh *surface, const char *name,
                       RbPos at, RbArena *keep, RbArena scratch, RbDiag *diag, RbShape *out) {
    if (!name) name = "mesh";
    if (part_count < 1) {
        return rb_fail(diag, RB_ERROR_MODEL, at, "mesh '%s' has no parts; it needs at least one",
                       name);
    }
    RbCore *cores = rb_new_array(keep, RbCore, part_count);
    for (int i = 0; i < part_count; i++) {
        const char *part =
            part_count == 1 ? name : rb_arena_printf(diag->arena, "%s, part %d", name, i + 1);
        RB_TRY(rb_hull(parts[i].vertices, parts[i].vertex_count, part, at, keep, scratch, diag,
                       &cores[i]));
    }
    *out = (RbShape){.kind = RB_SHAPE_MESH,
                     .smoothing = RB_DEFAULT_SMOOTHING,
                     .parts = cores,
                     .part_count = part_count};
    if (surface) {
        RB_TRY(check_surface(surface, name, at, scratch, diag));
        RbMesh *copy = rb_new(keep, RbMesh);
        *copy = *surface;
        out->surface = copy;
    }
    return rb_shape_check(out, name, at, diag);
}
