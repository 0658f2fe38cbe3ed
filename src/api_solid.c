// SPDX-License-Identifier: MIT
// include/rattleback/solid.h
#include "api_solid.h"

#include "geom/csg.h"
#include "geom/mass.h"
#include "geom/mesh_check.h"
#include "geom/mesh_make.h"
#include "io/dxf.h"
#include "io/mesh_file.h"

enum { MOST_TRIANGLES = 20000000 };

// What a call needs and answers.
typedef struct FormCall {
    RbContext *c;
    const RbWorkpiece *a, *b;
    const RbWorkpiecePolygon *polygon;
    const double *numbers, *more;
    const char *text;
    double value;
    int count, kind;
    bool flag;
    RbMesh mesh; // answer
    RbWorkpieceProperties *properties;
} FormCall;

typedef struct FormFinish {
    FormCall *call;
    RbStatus (*body)(void *);
    RbWorkpiece *form;
} FormFinish;

static RbStatus make_form(void *argument) {
    FormFinish *f = argument;
    RB_TRY(f->body(f->call));
    f->form = rb_new(&f->call->c->arena, RbWorkpiece);
    *f->form = (RbWorkpiece){f->call->c, f->call->mesh};
    return RB_OK;
}

static RbStatus finish(FormCall *call, RbStatus (*body)(void *), RbWorkpiece **out) {
    FormFinish f = {call, body, NULL};
    RbStatus status = rb_context_call(call->c, make_form, &f);
    if (status == RB_OK) *out = f.form;
    return status;
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

static RbStatus box(void *argument) {
    FormCall *f = argument;
    for (int k = 0; k < 3; k++) {
        RB_TRY(must(f->c, f->numbers[k] > 0 && isfinite(f->numbers[k]), "length of a box",
                    f->numbers[k], "positive"));
    }
    f->mesh = rb_mesh_box(v3_load(f->numbers), &f->c->arena);
    return RB_OK;
}

RbStatus rb_workpiece_box(RbContext *context, const double size[3], RbWorkpiece **form) {
    NEED_MAKER(context, form);
    RB_NEED(context, size);
    return finish(&(FormCall){.c = context, .numbers = size}, box, form);
}

typedef enum Round { CONE, SPHERE, TORUS } Round;

// numbers: cone bottom, top, height; sphere radius; torus radius, tube
static RbStatus round_form(void *argument) {
    FormCall *f = argument;
    const double *n = f->numbers;
    RB_TRY(must(f->c, f->count >= 3, "number of segments", f->count, "at least 3"));
    if (f->kind == CONE) {
        RB_TRY(must(f->c, n[0] >= 0 && n[1] >= 0 && n[0] + n[1] > 0, "sum of the radii of a cone",
                    n[0] + n[1], "positive, and none negative"));
        RB_TRY(must(f->c, n[2] > 0, "height of a cone", n[2], "positive"));
        f->mesh = rb_mesh_cone(n[0], n[1], n[2], f->count, &f->c->arena);
    } else if (f->kind == SPHERE) {
        RB_TRY(must(f->c, n[0] > 0, "radius of a sphere", n[0], "positive"));
        f->mesh = rb_mesh_sphere(n[0], f->count, &f->c->arena);
    } else {
        RB_TRY(must(f->c, n[1] > 0 && n[0] > n[1], "radius of a torus", n[0],
                    "larger than that of its tube"));
        f->mesh = rb_mesh_torus(n[0], n[1], f->count, &f->c->arena);
    }
    return RB_OK;
}

RbStatus rb_workpiece_cone(RbContext *context, double bottom, double top, double height,
                           int segments, RbWorkpiece **form) {
    NEED_MAKER(context, form);
    double n[3] = {bottom, top, height};
    return finish(&(FormCall){.c = context, .numbers = n, .count = segments, .kind = CONE},
                  round_form, form);
}

RbStatus rb_workpiece_sphere(RbContext *context, double radius, int segments, RbWorkpiece **form) {
    NEED_MAKER(context, form);
    return finish(&(FormCall){.c = context, .numbers = &radius, .count = segments, .kind = SPHERE},
                  round_form, form);
}

RbStatus rb_workpiece_torus(RbContext *context, double radius, double tube, int segments,
                            RbWorkpiece **form) {
    NEED_MAKER(context, form);
    double n[2] = {radius, tube};
    return finish(&(FormCall){.c = context, .numbers = n, .count = segments, .kind = TORUS},
                  round_form, form);
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

static RbStatus polygon_of(FormCall *f, RbPolygon *out) {
    RbContour c = rb_contour(&f->c->arena);
    const double *x = f->polygon->points;
    for (int l = 0; l < f->polygon->loop_count; l++) {
        if (l > 0) rb_contour_next_loop(&c);
        for (int i = 0; i < f->polygon->loops[l]; i++, x += 2) rb_contour_point(&c, x[0], x[1]);
    }
    return rb_contour_finish(&c, "polygon", RB_NOWHERE, f->c->scratch, &f->c->diag, out);
}

static RbStatus extrude(void *argument) {
    FormCall *f = argument;
    RbPolygon p;
    RB_TRY(must(f->c, f->value != 0 && isfinite(f->value), "height of an extrusion", f->value,
                "finite, not zero"));
    RB_TRY(polygon_of(f, &p));
    f->mesh = rb_mesh_extrude(&p, f->value, &f->c->arena, f->c->scratch);
    return RB_OK;
}

RbStatus rb_workpiece_extrude(RbContext *context, const RbWorkpiecePolygon *polygon, double height,
                              RbWorkpiece **form) {
    NEED_MAKER(context, form);
    RB_TRY(check_polygon(context, __func__, polygon));
    return finish(&(FormCall){.c = context, .polygon = polygon, .value = height}, extrude, form);
}

static RbStatus lathe(void *argument) {
    FormCall *f = argument;
    RbPolygon p;
    RB_TRY(polygon_of(f, &p));
    return rb_mesh_lathe(&p, f->count, "form", RB_NOWHERE, &f->c->arena, &f->c->diag, &f->mesh);
}

RbStatus rb_workpiece_lathe(RbContext *context, const RbWorkpiecePolygon *polygon, int segments,
                            RbWorkpiece **form) {
    NEED_MAKER(context, form);
    RB_TRY(check_polygon(context, __func__, polygon));
    return finish(&(FormCall){.c = context, .polygon = polygon, .count = segments}, lathe, form);
}

static RbStatus sweep(void *argument) {
    FormCall *f = argument;
    RbPolygon p;
    RB_TRY(must(f->c, f->count > 0, "number of points of a path", f->count, "positive"));
    RB_TRY(polygon_of(f, &p));
    Vec3 *path = rb_new_array(&f->c->arena, Vec3, f->count);
    for (int i = 0; i < f->count; i++) path[i] = v3_load(f->numbers + 3 * i);
    RB_TRY(rb_mesh_sweep(&p, path, f->count, f->flag, v3_load(f->more), "form", RB_NOWHERE,
                         &f->c->arena, f->c->scratch, &f->c->diag, &f->mesh));
    RbMeshReport r = rb_mesh_check(&f->mesh, f->c->scratch);
    rb_mesh_check_crossing(&f->mesh, &f->c->arena, f->c->scratch, &r);
    if (r.fault == RB_MESH_SOUND) return RB_OK;
    return rb_fail(
        &f->c->diag, RB_ERROR_MODEL, RB_NOWHERE,
        "the sweep %s: its path must not come back to itself, nor bend more sharply than the "
        "polygon is wide",
        rb_mesh_fault_text(&r, &f->c->arena));
}

RbStatus rb_workpiece_sweep(RbContext *context, const RbWorkpiecePolygon *polygon,
                            const double *path, int count, bool closed, const double up[3],
                            RbWorkpiece **form) {
    NEED_MAKER(context, form);
    RB_TRY(check_polygon(context, __func__, polygon));
    RB_NEED(context, path);
    RB_NEED(context, up);
    return finish(&(FormCall){.c = context,
                              .polygon = polygon,
                              .numbers = path,
                              .count = count,
                              .flag = closed,
                              .more = up},
                  sweep, form);
}

// ---- files ----

static RbStatus read_form(void *argument) {
    FormCall *f = argument;
    RbObj obj;
    RB_TRY(must(f->c, f->value > 0 && isfinite(f->value), "scale", f->value, "positive"));
    RB_TRY(rb_mesh_file_read(f->text, &f->c->arena, f->c->scratch, &f->c->diag, &obj));
    if (obj.drawing) rb_dxf_warn_of_unit(obj.drawing, f->value, true, &f->c->diag);
    RbMesh m = rb_mesh_map(&obj.mesh, m3_diagonal(v3(f->value, f->value, f->value)), V3_ZERO,
                           &f->c->arena);
    double size = v3_max_abs(rb_aabb_edges(rb_mesh_check(&m, f->c->scratch).box));
    f->mesh = rb_mesh_repair(&m, 1e-9 * size, &f->c->arena, f->c->scratch, NULL);
    RbMeshReport r = rb_mesh_check(&f->mesh, f->c->scratch);
    rb_mesh_check_crossing(&f->mesh, &f->c->arena, f->c->scratch, &r);
    if (r.encloses_body) return RB_OK;
    if (r.fault != RB_MESH_SOUND)
        return rb_fail(&f->c->diag, RB_ERROR_MODEL, rb_in_file(f->text),
                       "the surface %s: write each body to a file of its own, and unite them",
                       rb_mesh_fault_text(&r, &f->c->arena));
    return rb_fail(&f->c->diag, RB_ERROR_MODEL, rb_in_file(f->text),
                   "the surface does not enclose a body: %d open, %d crowded, %d twisted edges, "
                   "the first near "
                   "{%.6g, %.6g, %.6g}",
                   r.open_edges, r.crowded_edges, r.twisted_edges, r.defect.x, r.defect.y,
                   r.defect.z);
}

RbStatus rb_workpiece_read(RbContext *context, const char *file, double scale, RbWorkpiece **form) {
    NEED_MAKER(context, form);
    RB_NEED(context, file);
    return finish(&(FormCall){.c = context, .text = file, .value = scale}, read_form, form);
}

static RbStatus write_form(void *argument) {
    FormCall *f = argument;
    RbArena scratch = f->c->scratch;
    return rb_mesh_file_write(f->text, &f->a->mesh, &scratch, &f->c->diag);
}

RbStatus rb_workpiece_write(const RbWorkpiece *form, const char *file) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, file);
    return rb_context_call(form->context, write_form,
                           &(FormCall){.c = form->context, .a = form, .text = file});
}

// ---- what is made of forms ----

static RbStatus combine(void *argument) {
    FormCall *f = argument;
    static const char *const names[] = {"union", "difference",
                                        "intersection"}; // ORDER RbWorkpieceOperation
    RB_TRY(rb_csg((RbCsg)f->kind, &f->a->mesh, "a", &f->b->mesh, "b", RB_NOWHERE, &f->c->arena,
                  f->c->scratch, &f->c->diag, &f->mesh));
    if (f->mesh.triangle_count > 0) return RB_OK;
    return rb_fail(&f->c->diag, RB_ERROR_MODEL, RB_NOWHERE,
                   "nothing is left of the %s of two solids", names[f->kind]);
}

RbStatus rb_workpiece_combine(RbWorkpieceOperation operation, const RbWorkpiece *a,
                              const RbWorkpiece *b, RbWorkpiece **form) {
    if (!a) return RB_ERROR_USAGE;
    RB_NEED(a->context, b);
    RB_NEED(a->context, form);
    if (operation < RB_WORKPIECE_UNION || operation > RB_WORKPIECE_INTERSECTION)
        return rb_bad_argument(a->context, __func__, "operation",
                               "is none of RbWorkpieceOperation");
    FormCall call = {.c = a->context, .a = a, .b = b, .kind = (int)operation};
    if (b->context != a->context)
        return rb_bad_argument(a->context, __func__, "b", "is of another context");
    return finish(&call, combine, form);
}

static RbStatus map(void *argument) {
    FormCall *f = argument;
    const double *m = f->numbers;
    Mat3 M = m ? (Mat3){v3_load(m), v3_load(m + 3), v3_load(m + 6)} : M3_IDENTITY;
    RB_TRY(must(f->c, fabs(m3_det(M)) > 0 && isfinite(m3_det(M)), "determinant of the matrix",
                m3_det(M), "finite and not zero"));
    f->mesh = rb_mesh_map(&f->a->mesh, M, f->more ? v3_load(f->more) : V3_ZERO, &f->c->arena);
    return RB_OK;
}

RbStatus rb_workpiece_map(const RbWorkpiece *form, const double m[9], const double r[3],
                          RbWorkpiece **out) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, out);
    return finish(&(FormCall){.c = form->context, .a = form, .numbers = m, .more = r}, map, out);
}

static RbStatus simplify(void *argument) {
    FormCall *f = argument;
    RB_TRY(must(f->c, f->value > 0, "tolerance", f->value, "positive"));
    f->mesh = rb_mesh_simplify(&f->a->mesh, f->value, &f->c->arena, f->c->scratch);
    return RB_OK;
}

RbStatus rb_workpiece_simplify(const RbWorkpiece *form, double tolerance, RbWorkpiece **out) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, out);
    return finish(&(FormCall){.c = form->context, .a = form, .value = tolerance}, simplify, out);
}

static RbStatus refine(void *argument) {
    FormCall *f = argument;
    RB_TRY(must(f->c, f->value > 0, "longest side", f->value, "positive"));
    if (rb_mesh_refine(&f->a->mesh, f->value, MOST_TRIANGLES, &f->c->arena, f->c->scratch,
                       &f->mesh))
        return RB_OK;
    return rb_fail(&f->c->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "sides of at most %g m take more than %d triangles; choose longer ones",
                   f->value, MOST_TRIANGLES);
}

RbStatus rb_workpiece_refine(const RbWorkpiece *form, double longest, RbWorkpiece **out) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, out);
    return finish(&(FormCall){.c = form->context, .a = form, .value = longest}, refine, out);
}

static RbStatus properties(void *argument) {
    FormCall *f = argument;
    RbMeshReport r = rb_mesh_check(&f->a->mesh, f->c->scratch);
    RbMassProperties m = rb_mass_of_moments(rb_moments_of_mesh(&f->a->mesh));
    *f->properties = (RbWorkpieceProperties){.volume = r.volume,
                                             .area = r.area,
                                             .vertices = r.vertex_count,
                                             .triangles = r.triangle_count,
                                             .components = r.components};
    v3_store(f->properties->centroid, m.r_CM);
    v3_store(f->properties->inertia, m.I_CM.x);
    v3_store(f->properties->inertia + 3, m.I_CM.y);
    v3_store(f->properties->inertia + 6, m.I_CM.z);
    return RB_OK;
}

RbStatus rb_workpiece_properties(const RbWorkpiece *form, RbWorkpieceProperties *out) {
    if (!form) return RB_ERROR_USAGE;
    RB_NEED(form->context, out);
    return rb_context_call(form->context, properties,
                           &(FormCall){.c = form->context, .a = form, .properties = out});
}

void rb_workpiece_mesh(const RbWorkpiece *form, const double **vertices, int *vertex_count,
                       const int **triangles, int *triangle_count) {
    const RbMesh none = {0}, *mesh = form ? &form->mesh : &none;
    if (vertices) *vertices = mesh->vertex_count > 0 ? &mesh->vertices->x : NULL;
    if (vertex_count) *vertex_count = mesh->vertex_count;
    if (triangles) *triangles = mesh->triangle_count > 0 ? mesh->triangles->v : NULL;
    if (triangle_count) *triangle_count = mesh->triangle_count;
}
