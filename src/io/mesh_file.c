// SPDX-License-Identifier: MIT
#include "io/mesh_file.h"

#include <strings.h>
#include <string.h>
#include <unistd.h>

#include "geom/mesh_check.h"
#include "base/folder.h"
#include "io/dxf.h"
#include "io/mesh_folder.h"
#include "io/ply.h"
#include "io/stl.h"

// Vertices closer than this part of the size are one: below what single precision can tell apart at
// the far end.
#define WELD 1e-9

enum { ARC_SEGMENTS = 64 }; // of a full circle in a drawing

static bool has_ending(const char *path, const char *ending) {
    size_t n = strlen(path), m = strlen(ending);
    return n >= m && strcasecmp(path + n - m, ending) == 0;
}

// A whole file as one part without a name.
static RbStatus one_part(RbStatus status, RbMesh mesh, RbArena *keep, RbObj *out) {
    if (status != RB_OK) return status;
    RbObjPart *part = rb_new(keep, RbObjPart);
    *part = (RbObjPart){"", mesh};
    *out = (RbObj){.mesh = mesh, .parts = part, .part_count = 1};
    return RB_OK;
}

static RbStatus read_dxf(RbBytes bytes, const char *path, RbArena *keep, RbArena scratch,
                         RbDiag *diag, RbObj *out) {
    RbDxf *dxf = rb_new(keep, RbDxf);
    RB_TRY(rb_dxf_read(bytes, path, ARC_SEGMENTS, keep, scratch, diag, dxf));
    RB_TRY(one_part(RB_OK, dxf->mesh, keep, out));
    out->drawing = dxf;
    if (dxf->mesh.triangle_count > 0) return RB_OK;
    return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                   "DXF file contains outlines but no faces; give it a height to be extruded");
}

static bool begins_with(RbBytes bytes, const char *text) {
    size_t length = strlen(text);
    return bytes.size >= length && memcmp(bytes.data, text, length) == 0;
}

// A mesh file with the ending of another kind of mesh file.
static RbStatus check_ending(RbBytes bytes, const char *path, RbDiag *diag) {
    static const struct {
        const char *begins, *what, *ending;
    } kinds[] = {{"ply\n", "a PLY file", ".ply"},        {"ply\r", "a PLY file", ".ply"},
                 {"solid ", "an STL file", ".stl"},      {"solid\n", "an STL file", ".stl"},
                 {"0\nSECTION", "a DXF file", ".dxf"},   {"0\r\nSECTION", "a DXF file", ".dxf"},
                 {"  0\nSECTION", "a DXF file", ".dxf"}, {"  0\r\nSECTION", "a DXF file", ".dxf"},
                 {"v ", "an OBJ file", ".obj"},          {"o ", "an OBJ file", ".obj"},
                 {"mtllib ", "an OBJ file", ".obj"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (begins_with(bytes, kinds[i].begins) && !has_ending(path, kinds[i].ending))
            return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                           "this is %s, whatever its name says; let its name end in %s",
                           kinds[i].what, kinds[i].ending);
    }
    return RB_OK;
}

// What a file is that only has the name of a mesh file, by how it begins.
static RbStatus check_format(RbBytes bytes, const char *path, RbDiag *diag) {
    static const struct {
        const char *begins, *what;
    } others[] = {{"ISO-10303-21", "a STEP file"}, {"\x89PNG", "a PNG picture"},
                  {"PK\x03\x04", "a ZIP archive"}, {"glTF", "a glTF scene"},
                  {"<?xml", "an XML document"},    {"%PDF", "a PDF document"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (begins_with(bytes, others[i].begins))
            return rb_fail(
                diag, RB_ERROR_IO, rb_in_file(path),
                "this is %s, whatever its name says; export the part as STL, OBJ, PLY or DXF",
                others[i].what);
    }
    return check_ending(bytes, path, diag);
}

RbStatus rb_mesh_file_read(const char *path, RbArena *keep, RbArena scratch, RbDiag *diag,
                           RbObj *out) {
    bool obj = has_ending(path, ".obj"), ply = has_ending(path, ".ply"),
         dxf = has_ending(path, ".dxf");
    if (rb_is_folder(path))
        return rb_fail(
            diag, RB_ERROR_IO, rb_in_file(path),
            "this is a folder, and one file is needed here; a Parts.Mesh takes all parts "
            "in a folder together");
    if (!obj && !ply && !dxf && !has_ending(path, ".stl")) {
        return rb_fail(
            diag, RB_ERROR_IO, rb_in_file(path),
            "not a mesh file that can be read; the name must end in .stl, .obj, .ply or .dxf%s",
            access(path, F_OK) == 0 ? "" : ", and there is no folder of this name either");
    }
    RbBytes bytes;
    RbMesh mesh;
    RB_TRY(rb_file_read(path, 0, &scratch, diag, &bytes));
    RB_TRY(check_format(bytes, path, diag));
    if (obj) return rb_obj_read(bytes, path, keep, scratch, diag, out);
    if (dxf) return read_dxf(bytes, path, keep, scratch, diag, out);
    RbStatus status = ply ? rb_ply_read(bytes, path, keep, scratch, diag, &mesh)
                          : rb_stl_read(bytes, path, keep, scratch, diag, &mesh);
    return one_part(status, mesh, keep, out);
}

RbStatus rb_mesh_file_write(const char *path, const RbMesh *mesh, RbArena *scratch, RbDiag *diag) {
    RbText text = rb_text(scratch);
    RbObjPart part = {"", *mesh};
    if (has_ending(path, ".obj")) {
        rb_obj_write(&part, 1, &text);
    } else if (has_ending(path, ".ply")) {
        rb_ply_write(mesh, &text);
    } else if (has_ending(path, ".stl")) {
        RbBytes bytes = rb_stl_write_binary(mesh, scratch);
        return rb_file_write(path, bytes.data, bytes.size, diag);
    } else {
        return rb_fail(
            diag, RB_ERROR_IO, rb_in_file(path),
            "not a mesh file that can be written; the name must end in .stl, .obj or .ply");
    }
    return rb_file_write(path, text.data, (size_t)text.count, diag);
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
    RbMeshRepair what;
    surface = rb_mesh_repair(&surface, WELD * box_size(&surface), keep, scratch, &what);
    if (surface.triangle_count == 0)
        return rb_fail(diag, RB_ERROR_MODEL, at,
                       "surface of mesh '%s' encloses nothing: no triangle has an area, or each is "
                       "there twice",
                       name);
    if (what.guessed_cavities > 0)
        rb_warn(diag, at,
                "surface of mesh '%s' has bodies within others that face the same way (%d), which "
                "are taken for cavities: leave them out of the file if they are not",
                name, what.guessed_cavities);
    RbMeshReport report = rb_mesh_check(&surface, scratch);
    rb_mesh_check_crossing(&surface, keep, scratch, &report);
    if (report.fault != RB_MESH_SOUND) {
        rb_warn(diag, at,
                "surface of mesh '%s' %s; its mass is that of its convex hull: unite the bodies, "
                "or take them for convex parts",
                name, rb_mesh_fault_text(&report, keep));
    } else if (!report.encloses_body) {
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
    if (rb_is_folder(path)) {
        RB_TRY(rb_mesh_folder_read(path, options.scale, keep, scratch, diag, &obj));
        return shape_of_parts(&obj, v3(1, 1, 1), name, at, keep, scratch, diag, out);
    }
    RB_TRY(rb_mesh_file_read(path, keep, scratch, diag, &obj));
    double scale = fabs(options.scale.x);
    if (obj.drawing) rb_dxf_warn_of_unit(obj.drawing, scale, scale != 1, diag);
    return options.convex_parts
               ? shape_of_parts(&obj, options.scale, name, at, keep, scratch, diag, out)
               : shape_of_surface(&obj, options.scale, name, at, keep, scratch, diag, out);
}
