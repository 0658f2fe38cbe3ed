// SPDX-License-Identifier: MIT
// include/rattleback/solid.h
#include "api/api_solid.h"

#include "geom/csg.h"
#include "geom/mass.h"
#include "geom/mesh_check.h"
#include "geom/mesh_make.h"
#include "io/dxf.h"
#include "io/mesh_file.h"

enum { MOST_TRIANGLES = 20000000 };

static RbStatus keep_form(RbContext *c, RbMesh mesh, RbWorkpiece **out) {
    *out = rb_new(&c->arena, RbWorkpiece);
    **out = (RbWorkpiece){c, mesh};
    return RB_OK;
}

// Where a form is made from: NULL is reported, as far as there is anybody to report it to.
#define NEED_MAKER(context, form)                                                                  \
    do {                                                                                           \
        if (!(context)) return RB_ERROR_USAGE;                                                     \
        RB_NEED(context, form);                                                                    \
    } while (0)

static RbStatus must(RbContext *c, bool right, const char *what, double value, const char *rule) {
    if (right) return RB_OK;
    return rb_fail(&c->diag, RB_ERROR_USAGE, RB_NOWHERE, "%s is %g; it must be %s", what, value,
                   rule);
}

// ---- primitives ----

RbStatus rb_workpiece_box(RbContext *c, const double size[3], RbWorkpiece **form) {
    NEED_MAKER(c, form);
    RB_NEED(c, size);
    RB_CALL(c);
    for (int k = 0; k < 3; k++)
        RB_TRY(must(c, size[k] > 0 && isfinite(size[k]), "length of a box", size[k], "positive"));
    return keep_form(c, rb_mesh_box(v3_load(size), &c->arena), form);
}

static RbStatus check_segments(RbContext *c, int segments) {
    return must(c, segments >= 3, "number of segments", segments, "at least 3");
}

RbStatus rb_workpiece_cone(RbContext *c, double bottom, double top, double height, int segments,
                           RbWorkpiece **form) {
    NEED_MAKER(c, form);
    RB_CALL(c);
    RB_TRY(check_segments(c, segments));
    RB_TRY(must(c, bottom >= 0 && top >= 0 && bottom + top > 0, "sum of the radii of a cone",
                bottom + top, "positive, and none negative"));
    RB_TRY(must(c, height > 0, "height of a cone", height, "positive"));
    return keep_form(c, rb_mesh_cone(bottom, top, height, segments, &c->arena), form);
}

RbStatus rb_workpiece_sphere(RbContext *c, double radius, int segments, RbWorkpiece **form) {
    NEED_MAKER(c, form);
    RB_CALL(c);
    RB_TRY(check_segments(c, segments));
    RB_TRY(must(c, radius > 0, "radius of a sphere", radius, "positive"));
    return keep_form(c, rb_mesh_sphere(radius, segments, &c->arena), form);
}

RbStatus rb_workpiece_torus(RbContext *c, double radius, double tube, int segments,
                            RbWorkpiece **form) {
    NEED_MAKER(c, form);
    RB_CALL(c);
    RB_TRY(check_segments(c, segments));
    RB_TRY(must(c, tube > 0 && radius > tube, "radius of a torus", radius,
                "larger than that of its tube"));
    return keep_form(c, rb_mesh_torus(radius, tube, segments, &c->arena), form);
}

// ---- polygons ----

static RbStatus check_polygon(RbContext *c, const char *function, const RbWorkpiecePolygon *p) {
    if (!p) return rb_bad_argument(c, function, "polygon", "is NULL");
    if (p->loop_count < 1 || !p->loops || !p->points)
        return rb_bad_argument(c, function, "polygon", "has no loop of points");
    for (int i = 0; i < p->loop_count; i++) {
        if (p->loops[i] < 0)
            return rb_bad_argument(c, function, "polygon->loops", "has a negative count");
    }
    return RB_OK;
}

static RbStatus polygon_of(RbContext *context, const RbWorkpiecePolygon *p, RbPolygon *out) {
    RbContour c = rb_contour(&context->arena);
    const double *x = p->points;
    for (int l = 0; l < p->loop_count; l++) {
        if (l > 0) rb_contour_next_loop(&c);
        for (int i = 0; i < p->loops[l]; i++, x += 2) rb_contour_point(&c, x[0], x[1]);
    }
    return rb_contour_finish(&c, "polygon", RB_NOWHERE, context->scratch, &context->diag, out);
}

RbStatus rb_workpiece_extrude(RbContext *c, const RbWorkpiecePolygon *polygon, double height,
                              RbWorkpiece **form) {
    NEED_MAKER(c, form);
    RB_TRY(check_polygon(c, __func__, polygon));
    RB_CALL(c);
    RbPolygon p;
    RB_TRY(must(c, height != 0 && isfinite(height), "height of an extrusion", height,
                "finite, not zero"));
    RB_TRY(polygon_of(c, polygon, &p));
    return keep_form(c, rb_mesh_extrude(&p, height, &c->arena, c->scratch), form);
}

RbStatus rb_workpiece_lathe(RbContext *c, const RbWorkpiecePolygon *polygon, int segments,
                            RbWorkpiece **form) {
    NEED_MAKER(c, form);
    RB_TRY(check_polygon(c, __func__, polygon));
    RB_CALL(c);
    RbPolygon p;
    RbMesh mesh;
    RB_TRY(polygon_of(c, polygon, &p));
    RB_TRY(rb_mesh_lathe(&p, segments, "form", RB_NOWHERE, &c->arena, &c->diag, &mesh));
    return keep_form(c, mesh, form);
}

RbStatus rb_workpiece_sweep(RbContext *c, const RbWorkpiecePolygon *polygon, const double *path,
                            int count, bool closed, const double up[3], RbWorkpiece **form) {
    NEED_MAKER(c, form);
    RB_TRY(check_polygon(c, __func__, polygon));
    RB_NEED(c, path);
    RB_NEED(c, up);
    RB_CALL(c);
    RbPolygon p;
    RbMesh mesh;
    RB_TRY(must(c, count > 0, "number of points of a path", count, "positive"));
    RB_TRY(polygon_of(c, polygon, &p));
    Vec3 *points = rb_new_array(&c->arena, Vec3, count);
    for (int i = 0; i < count; i++) points[i] = v3_load(path + 3 * i);
    RB_TRY(rb_mesh_sweep(&p, points, count, closed, v3_load(up), "form", RB_NOWHERE, &c->arena,
                         c->scratch, &c->diag, &mesh));
    RbMeshReport r = rb_mesh_check(&mesh, c->scratch);
    rb_mesh_check_crossing(&mesh, &c->arena, c->scratch, &r);
    if (r.fault == RB_MESH_SOUND) return keep_form(c, mesh, form);
    return rb_fail(
        &c->diag, RB_ERROR_MODEL, RB_NOWHERE,
        "the sweep %s: its path must not come back to itself, nor bend more sharply than the "
        "polygon is wide",
        rb_mesh_fault_text(&r, &c->arena));
}

// ---- files ----

RbStatus rb_workpiece_read(RbContext *c, const char *file, double scale, RbWorkpiece **form) {
    NEED_MAKER(c, form);
    RB_NEED(c, file);
    RB_CALL(c);
    RbObj obj;
    RB_TRY(must(c, scale > 0 && isfinite(scale), "scale", scale, "positive"));
    RB_TRY(rb_mesh_file_read(file, &c->arena, c->scratch, &c->diag, &obj));
    if (obj.drawing) rb_dxf_warn_of_unit(obj.drawing, scale, true, &c->diag);
    RbMesh m = rb_mesh_map(&obj.mesh, m3_diagonal(v3(scale, scale, scale)), V3_ZERO, &c->arena);
    double size = v3_max_abs(rb_aabb_edges(rb_mesh_check(&m, c->scratch).box));
    RbMesh mesh = rb_mesh_repair(&m, 1e-9 * size, &c->arena, c->scratch, NULL);
    RbMeshReport r = rb_mesh_check(&mesh, c->scratch);
    rb_mesh_check_crossing(&mesh, &c->arena, c->scratch, &r);
    if (r.encloses_body) return keep_form(c, mesh, form);
    if (r.fault != RB_MESH_SOUND)
        return rb_fail(&c->diag, RB_ERROR_MODEL, rb_in_file(file),
                       "the surface %s: write each body to a file of its own, and unite them",
                       rb_mesh_fault_text(&r, &c->arena));
    return rb_fail(&c->diag, RB_ERROR_MODEL, rb_in_file(file),
                   "the surface does not enclose a body: %d open, %d crowded, %d twisted edges, "
                   "the first near "
                   "{%.6g, %.6g, %.6g}",
                   r.open_edges, r.crowded_edges, r.twisted_edges, r.defect.x, r.defect.y,
                   r.defect.z);
}

RbStatus rb_workpiece_write(const RbWorkpiece *form, const char *file) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, file);
    RB_CALL(form->context);
    RbArena scratch = form->context->scratch;
    return rb_mesh_file_write(file, &form->mesh, &scratch, &form->context->diag);
}

// ---- what is made of forms ----

RbStatus rb_workpiece_combine(RbWorkpieceOperation operation, const RbWorkpiece *a,
                              const RbWorkpiece *b, RbWorkpiece **form) {
    static const char *const names[] = {"union", "difference",
                                        "intersection"}; // ORDER RbWorkpieceOperation
    if (!a) return RB_ERROR_USAGE;
    RB_NEED(a->context, b);
    RB_NEED(a->context, form);
    if (operation < RB_WORKPIECE_UNION || operation > RB_WORKPIECE_INTERSECTION)
        return rb_bad_argument(a->context, __func__, "operation",
                               "is none of RbWorkpieceOperation");
    if (b->context != a->context)
        return rb_bad_argument(a->context, __func__, "b", "is of another context");
    RB_CALL(a->context);
    RbContext *c = a->context;
    RbMesh mesh;
    RB_TRY(rb_csg((RbCsg)operation, &a->mesh, "a", &b->mesh, "b", RB_NOWHERE, &c->arena, c->scratch,
                  &c->diag, &mesh));
    if (mesh.triangle_count > 0) return keep_form(c, mesh, form);
    return rb_fail(&c->diag, RB_ERROR_MODEL, RB_NOWHERE, "nothing is left of the %s of two solids",
                   names[operation]);
}

RbStatus rb_workpiece_map(const RbWorkpiece *form, const double m[9], const double r[3],
                          RbWorkpiece **out) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, out);
    RB_CALL(form->context);
    RbContext *c = form->context;
    Mat3 M = m ? (Mat3){v3_load(m), v3_load(m + 3), v3_load(m + 6)} : M3_IDENTITY;
    RB_TRY(must(c, fabs(m3_det(M)) > 0 && isfinite(m3_det(M)), "determinant of the matrix",
                m3_det(M), "finite and not zero"));
    return keep_form(c, rb_mesh_map(&form->mesh, M, r ? v3_load(r) : V3_ZERO, &c->arena), out);
}

RbStatus rb_workpiece_simplify(const RbWorkpiece *form, double tolerance, RbWorkpiece **out) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, out);
    RB_CALL(form->context);
    RbContext *c = form->context;
    RB_TRY(must(c, tolerance > 0, "tolerance", tolerance, "positive"));
    return keep_form(c, rb_mesh_simplify(&form->mesh, tolerance, &c->arena, c->scratch), out);
}

RbStatus rb_workpiece_refine(const RbWorkpiece *form, double longest, RbWorkpiece **out) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, out);
    RB_CALL(form->context);
    RbContext *c = form->context;
    RbMesh mesh;
    RB_TRY(must(c, longest > 0, "longest side", longest, "positive"));
    if (rb_mesh_refine(&form->mesh, longest, MOST_TRIANGLES, &c->arena, c->scratch, &mesh))
        return keep_form(c, mesh, out);
    return rb_fail(&c->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "sides of at most %g m take more than %d triangles; choose longer ones", longest,
                   MOST_TRIANGLES);
}

RbStatus rb_workpiece_properties(const RbWorkpiece *form, RbWorkpieceProperties *out) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, out);
    RB_CALL(form->context);
    RbMeshReport r = rb_mesh_check(&form->mesh, form->context->scratch);
    RbMassProperties m = rb_mass_of_moments(rb_moments_of_mesh(&form->mesh));
    *out = (RbWorkpieceProperties){.volume = r.volume,
                                   .area = r.area,
                                   .vertices = r.vertex_count,
                                   .triangles = r.triangle_count,
                                   .components = r.components};
    v3_store(out->centroid, m.r_CM);
    v3_store(out->inertia, m.I_CM.x);
    v3_store(out->inertia + 3, m.I_CM.y);
    v3_store(out->inertia + 6, m.I_CM.z);
    return RB_OK;
}

void rb_workpiece_mesh(const RbWorkpiece *form, const double **vertices, int *vertex_count,
                       const int **triangles, int *triangle_count) {
    const RbMesh none = {0}, *mesh = form ? &form->mesh : &none;
    if (vertices) *vertices = mesh->vertex_count > 0 ? &mesh->vertices->x : NULL;
    if (vertex_count) *vertex_count = mesh->vertex_count;
    if (triangles) *triangles = mesh->triangle_count > 0 ? mesh->triangles->v : NULL;
    if (triangle_count) *triangle_count = mesh->triangle_count;
}
