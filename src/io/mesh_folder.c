// SPDX-License-Identifier: MIT
#include "io/mesh_folder.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/folder.h"
#include "geom/hull.h"
#include "geom/mesh_check.h"
#include "geom/mesh_make.h"
#include "geom/moments.h"
#include "io/mesh_file.h"

enum { PARTS_MAX = 1000 };

typedef struct Reader {
    Vec3 scale;
    RbArena *keep;
    RbDiag *diag;
    const char *file; // at hand
    RbArena *work;    // for as long as it is
    RB_ARRAY(RbObjPart) parts;
} Reader;

static bool is_mesh(const char *name) {
    static const char *const endings[] = {".stl", ".obj", ".ply"};
    size_t length = strlen(name);
    for (int i = 0; i < 3 && name[0] != '.'; i++) {
        if (length > 4 && strcasecmp(name + length - 4, endings[i]) == 0) return true;
    }
    return false;
}

// --- convex parts --------------------------------------------------------------------------------

// How far the hull reaches beyond the plane of a triangle.
static double reach_beyond(const RbCore *hull, Vec3 normal, Vec3 point) {
    const RbPolytope *p = hull->polytope;
    double reach = 0;
    for (int i = 0; i < p->vertex_count; i++)
        reach = fmax(reach, v3_dot(normal, v3_sub(pose_point(hull->frame, p->vertices[i]), point)));
    return reach;
}

static RbStatus fail_concave(const Reader *r, const char *name, const RbMesh *mesh,
                             const RbCore *hull, double lacks) {
    double farthest = 0;
    Vec3 where = mesh->vertices[0];
    for (int i = 0; i < mesh->triangle_count; i++) {
        const int *v = mesh->triangles[i].v;
        Vec3 a = mesh->vertices[v[0]], b = mesh->vertices[v[1]], c = mesh->vertices[v[2]];
        Vec3 normal = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
        double reach = reach_beyond(hull, normal, a);
        if (!(reach > farthest)) continue;
        farthest = reach;
        where = v3_scale(1.0 / 3, v3_add(a, v3_add(b, c)));
    }
    return rb_fail(r->diag, RB_ERROR_MODEL, rb_in_file(r->file),
                   "the part '%s' is not convex: it reaches %.3g m beyond the plane of its face at "
                   "{%.6g, %.6g, %.6g} m, and lacks %.3g %% of the volume of its hull; divide it "
                   "into convex parts, or make a Parts.Workpiece of its file, which touches by its "
                   "true surface",
                   name, farthest, where.x, where.y, where.z, 100 * lacks);
}

static RbStatus check_part(const Reader *r, const char *name, const RbMesh *mesh, RbArena scratch) {
    RbMeshReport report = rb_mesh_check(mesh, scratch);
    if (!report.encloses_body)
        return rb_fail(
            r->diag, RB_ERROR_MODEL, rb_in_file(r->file),
            "the part '%s' does not enclose a body: %d open edges, %d with more than two "
            "triangles, %d whose triangles face differently; the first defect is at "
            "{%.6g, %.6g, %.6g} m",
            name, report.open_edges, report.crowded_edges, report.twisted_edges, report.defect.x,
            report.defect.y, report.defect.z);
    RbCore hull;
    RB_TRY(rb_hull(mesh->vertices, mesh->vertex_count, name, rb_in_file(r->file), r->work, scratch,
                   r->diag, &hull));
    double lacks = 1 - report.volume / rb_moments_of_polytope(&hull).volume;
    return lacks <= RB_CONVEX_SHARE ? RB_OK : fail_concave(r, name, mesh, &hull, lacks);
}

// --- files ---------------------------------------------------------------------------------------

static RbStatus add_part(Reader *r, const char *name, const RbMesh *raw, RbArena scratch) {
    const double weld = 1e-9; // of the size, as for a single file
    RbMesh mesh = rb_mesh_map(raw, m3_diagonal(r->scale), V3_ZERO, r->work);
    double size = v3_max_abs(rb_aabb_edges(rb_mesh_check(&mesh, scratch).box));
    mesh = rb_mesh_repair(&mesh, weld * size, r->keep, scratch, NULL);
    RB_TRY(check_part(r, name, &mesh, scratch));
    rb_array_push(&r->parts, r->keep, ((RbObjPart){name, mesh}));
    return RB_OK;
}

static RbStatus add_file(Reader *r, const char *name, RbArena scratch) {
    RbObj obj;
    RB_TRY(rb_mesh_file_read(r->file, r->work, scratch, r->diag, &obj));
    for (int i = 0; i < obj.part_count; i++) {
        const char *part = obj.part_count == 1
                               ? rb_arena_text(r->keep, name)
                               : rb_arena_printf(r->keep, "%s: %s", name, obj.parts[i].name);
        RB_TRY(add_part(r, part, &obj.parts[i].mesh, scratch));
    }
    return RB_OK;
}

static RbMesh join(const RbObjPart *parts, int count, RbArena *keep) {
    RbMeshBuilder b = rb_mesh_builder(keep);
    for (int i = 0, first = 0; i < count; first += parts[i++].mesh.vertex_count) {
        const RbMesh *m = &parts[i].mesh;
        for (int k = 0; k < m->vertex_count; k++) rb_mesh_add_vertex(&b, m->vertices[k]);
        for (int k = 0; k < m->triangle_count; k++) {
            const int *v = m->triangles[k].v;
            rb_mesh_add_triangle(&b, first + v[0], first + v[1], first + v[2]);
        }
    }
    return rb_mesh_finish(&b);
}

static RbStatus check_count(const Reader *r, const char *path, int count) {
    if (count == 0)
        return rb_fail(r->diag, RB_ERROR_IO, rb_in_file(path),
                       "there is no file .stl, .obj or .ply in this folder; each part of a body is "
                       "such a file");
    if (count > PARTS_MAX)
        return rb_fail(
            r->diag, RB_ERROR_IO, rb_in_file(path),
            "there are %d parts in this folder, and at most %d can be read; decompose the "
            "body more coarsely, or make a Parts.Workpiece of its surface",
            count, PARTS_MAX);
    return RB_OK;
}

RbStatus rb_mesh_folder_read(const char *path, Vec3 scale, RbArena *keep, RbArena scratch,
                             RbDiag *diag, RbObj *out) {
    Reader r = {.scale = scale, .keep = keep, .diag = diag};
    RbFileNames names = rb_folder_names(path, keep, scratch);
    int count = 0;
    for (int i = 0; i < names.count; i++) {
        if (is_mesh(names.data[i])) names.data[count++] = names.data[i];
    }
    RB_TRY(check_count(&r, path, count));
    for (int i = 0; i < count; i++) {
        r.file = rb_arena_printf(keep, "%s/%s", path, names.data[i]);
        r.work = rb_arena_child(keep);
        RbStatus status = add_file(&r, names.data[i], scratch);
        rb_arena_free(r.work);
        if (status != RB_OK) return status;
    }
    RB_TRY(check_count(&r, path, r.parts.count));
    *out = (RbObj){join(r.parts.data, r.parts.count, keep), r.parts.data, r.parts.count};
    return RB_OK;
}
