// SPDX-License-Identifier: MIT
#include "io/mesh_file.h"

#include <strings.h>
#include <string.h>

#include "geom/mesh_check.h"
#include "io/stl.h"

// Vertices closer than this part of the size are one: below what single precision can tell apart at
// the far end.
#define WELD 1e-9

static bool has_ending(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

RbStatus rb_mesh_file_read(const char *path, RbArena *keep, RbArena scratch, RbDiag *diag,
                           RbObj *out) {
    bool obj = has_ending(path, ".obj");
    if (!obj && !has_ending(path, ".stl")) {
        return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                       "not a mesh file that can be read; the name must end in .stl or .obj");
    }
    RbBytes bytes;
    RB_TRY(rb_file_read(path, 0, &scratch, diag, &bytes));
    if (obj) return rb_obj_read(bytes, path, keep, scratch, diag, out);
    RbObjPart *part = rb_new(keep, RbObjPart);
    part->name = "";
    RB_TRY(rb_stl_read(bytes, path, keep, scratch, diag, &part->mesh));
    *out = (RbObj){.mesh = part->mesh, .parts = part, .part_count = 1};
    return RB_OK;
}

RbMeshFileOptions rb_mesh_file_options(void) {
    return (RbMeshFileOptions){.scale = {1, 1, 1}};
}

static RbStatus check_scale(Vec3 s, const char *name, RbPos at, RbDiag *diag) {
    if (v3_finite(s) && s.x != 0 && s.y != 0 && s.z != 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_MODEL, at,
                   "scale of mesh '%s' is {%g, %g, %g}; the factors must be finite and not zero",
                   name, s.x, s.y, s.z);
}

// A scaled copy. A mirror image (odd number of negative factors) turns all triangles around.
static RbMesh scaled(RbMesh mesh, Vec3 scale, RbArena *arena) {
    Vec3 *vertices = rb_new_array(arena, Vec3, mesh.vertex_count);
    for (int i = 0; i < mesh.vertex_count; i++) vertices[i] = v3_mul(scale, mesh.vertices[i]);
    RbTriangle *triangles = rb_new_array(arena, RbTriangle, mesh.triangle_count);
    bool mirror = (scale.x < 0) != ((scale.y < 0) != (scale.z < 0));
    for (int t = 0; t < mesh.triangle_count; t++) {
        const int *v = mesh.triangles[t].v;
        triangles[t] = mirror ? (RbTriangle){{v[0], v[2], v[1]}} : mesh.triangles[t];
    }
    return (RbMesh){vertices, mesh.vertex_count, triangles, mesh.triangle_count};
}

static double box_size(const RbMesh *mesh) {
    RbAabb box = RB_AABB_EMPTY;
    for (int i = 0; i < mesh->vertex_count; i++) box = rb_aabb_add_point(box, mesh->vertices[i]);
    return v3_max_abs(rb_aabb_edges(box));
}

// Contact and mass of convex parts; the surfaces of parts that touch or overlap are not the surface
// of the body.
static RbStatus shape_of_parts(const RbObj *obj, Vec3 scale, const char *name, RbPos at,
                               RbArena *keep, RbArena scratch, RbDiag *diag, RbShape *out) {
    RbMesh *parts = rb_new_array(&scratch, RbMesh, obj->part_count);
    for (int i = 0; i < obj->part_count; i++)
        parts[i] = scaled(obj->parts[i].mesh, scale, &scratch);
    return rb_shape_mesh(parts, obj->part_count, NULL, name, at, keep, scratch, diag, out);
}

static RbStatus shape_of_surface(const RbObj *obj, Vec3 scale, const char *name, RbPos at,
                                 RbArena *keep, RbArena scratch, RbDiag *diag, RbShape *out) {
    RbMesh surface = scaled(obj->mesh, scale, &scratch);
    surface = rb_mesh_repair(&surface, WELD * box_size(&surface), keep, scratch, NULL);
    RbMeshReport report = rb_mesh_check(&surface, scratch);
    if (!report.encloses_body) {
        rb_warn(
            diag, at,
            "surface of mesh '%s' does not enclose a body (%d open edges, %d with more than two "
            "triangles); its mass is that of its convex hull",
            name, report.open_edges, report.crowded_edges);
    }
    return rb_shape_mesh(&surface, 1, report.encloses_body ? &surface : NULL, name, at, keep,
                         scratch, diag, out);
}

RbStatus rb_shape_from_file(const char *path, RbMeshFileOptions options, const char *name, RbPos at,
                            RbArena *keep, RbArena scratch, RbDiag *diag, RbShape *out) {
    if (!name) name = path;
    RB_TRY(check_scale(options.scale, name, at, diag));
    RbObj obj;
    RB_TRY(rb_mesh_file_read(path, keep, scratch, diag, &obj));
    return options.convex_parts
               ? shape_of_parts(&obj, options.scale, name, at, keep, scratch, diag, out)
               : shape_of_surface(&obj, options.scale, name, at, keep, scratch, diag, out);
}
