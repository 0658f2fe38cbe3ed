// SPDX-License-Identifier: MIT
// Shapes that are made of points: hulls and meshes of convex parts.
#include "geom/hull.h"
#include "geom/mesh_check.h"
#include "geom/shape.h"

RbStatus rb_shape_hull(const Vec3 *points, int count, double radius, const char *name, RbPos at,
                       RbArena *keep, RbArena scratch, RbDiag *diag, RbShape *out) {
    RbCore *core = rb_new(keep, RbCore);
    RB_TRY(rb_hull(points, count, name, at, keep, scratch, diag, core));
    core->radius = radius;
    core->size += 2 * radius;
    *out = (RbShape){.kind = RB_SHAPE_HULL, .radius = radius, .parts = core, .part_count = 1};
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
    *out = (RbShape){.kind = RB_SHAPE_MESH, .parts = cores, .part_count = part_count};
    if (surface) {
        RB_TRY(check_surface(surface, name, at, scratch, diag));
        RbMesh *copy = rb_new(keep, RbMesh);
        *copy = *surface;
        out->surface = copy;
    }
    return rb_shape_check(out, name, at, diag);
}
