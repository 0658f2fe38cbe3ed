// SPDX-License-Identifier: MIT
// Mesh files of unknown quality (include/rattleback/solid.h).
#include <math.h>
#include <string.h>
#include <strings.h>

#include "api/api_solid.h"
#include "geom/mass.h"
#include "geom/mesh_make.h"
#include "io/dxf.h"
#include "io/mesh_file.h"

typedef struct Inspection {
    RbContext *context;
    const char *file;
    RbMeshReading reading;
    RbMeshFindings *findings;
} Inspection;

RbMeshReading rb_mesh_reading_default(void) {
    return (RbMeshReading){.weld = -1};
}

static bool is_dxf(const char *path) {
    size_t n = strlen(path);
    return n > 4 && strcasecmp(path + n - 4, ".dxf") == 0;
}

// A drawing: its own unit, outlines to be extruded. The height is in metres.
static RbStatus read_drawing(Inspection *call, RbMesh *mesh) {
    enum { ARC_SEGMENTS = 64 };
    RbContext *c = call->context;
    RbMeshReading *o = &call->reading;
    RbBytes bytes;
    RbDxf dxf;
    RB_TRY(rb_file_read(call->file, 0, &c->arena, &c->diag, &bytes));
    RB_TRY(rb_dxf_read(bytes, call->file, ARC_SEGMENTS, &c->arena, c->scratch, &c->diag, &dxf));
    bool chosen = o->scale != 0;
    if (!chosen) o->scale = dxf.unit > 0 ? dxf.unit : 1;
    rb_dxf_warn_of_unit(&dxf, o->scale, chosen, &c->diag);
    *mesh = dxf.mesh;
    if (o->extrude == 0) {
        if (mesh->triangle_count > 0) return RB_OK;
        return rb_fail(&c->diag, RB_ERROR_IO, rb_in_file(call->file),
                       "the drawing has outlines but no faces, which must be extruded "
                       "(`rattleback solid`: give --extrude HEIGHT)");
    }
    RbPolygon polygon;
    RB_TRY(rb_contour_finish(&dxf.outline, call->file, rb_in_file(call->file), c->scratch, &c->diag,
                             &polygon));
    *mesh = rb_mesh_extrude(&polygon, o->extrude / o->scale, &c->arena, c->scratch);
    return RB_OK;
}

static RbStatus read_mesh(Inspection *call, RbMesh *mesh) {
    RbContext *c = call->context;
    call->findings->parts = 1;
    if (is_dxf(call->file)) return read_drawing(call, mesh);
    if (call->reading.extrude != 0)
        return rb_fail(&c->diag, RB_ERROR_USAGE, rb_in_file(call->file),
                       "only the outlines of a DXF file can be extruded");
    RbObj obj;
    RB_TRY(rb_mesh_file_read(call->file, &c->arena, c->scratch, &c->diag, &obj));
    *mesh = obj.mesh;
    if (obj.part_count > 1) call->findings->parts = obj.part_count;
    if (call->reading.scale == 0) call->reading.scale = 1;
    return RB_OK;
}

RbMeshFindings rb_mesh_findings(RbContext *context, const RbMesh *mesh, const RbMeshReport *r) {
    RbText text = rb_text(&context->arena);
    rb_mesh_report_print(r, &text);
    RbMeshFindings f = {.encloses_body = r->encloses_body,
                        .parts = 1,
                        .vertices = r->vertex_count,
                        .triangles = r->triangle_count,
                        .components = r->components,
                        .open_edges = r->open_edges,
                        .crowded_edges = r->crowded_edges,
                        .twisted_edges = r->twisted_edges,
                        .area = r->area,
                        .text = rb_text_done(&text)};
    v3_store(f.low, r->box.low);
    v3_store(f.high, r->box.high);
    if (!r->encloses_body) return f;
    RbMassProperties m = rb_mass_of_moments(rb_moments_of_mesh(mesh));
    f.volume = m.mass;
    v3_store(f.centroid, m.r_CM);
    v3_store(f.inertia, m.I_CM.x);
    v3_store(f.inertia + 3, m.I_CM.y);
    v3_store(f.inertia + 6, m.I_CM.z);
    return f;
}

static void fill_in(Inspection *call, const RbMesh *mesh, const RbMeshReport *r,
                    const RbMeshRepair *w) {
    RbMeshFindings *f = call->findings;
    int parts = f->parts;
    *f = rb_mesh_findings(call->context, mesh, r);
    f->parts = parts;
    f->welded_vertices = w->welded_vertices;
    f->doubled_vertices = w->doubled_vertices;
    f->removed_triangles = w->removed_triangles;
    f->removed_vertices = w->removed_vertices;
    f->flipped_triangles = w->flipped_triangles;
    f->guessed_cavities = w->guessed_cavities;
    f->one_sided = w->twisted_components;
}

static RbStatus inspect(Inspection *call, RbWorkpiece **form) {
    RB_CALL(call->context);
    RbContext *c = call->context;
    RbMeshReading *o = &call->reading;
    RbMesh mesh;
    RbMeshRepair what;
    RB_TRY(read_mesh(call, &mesh));
    mesh = rb_mesh_map(&mesh, m3_diagonal(v3(o->scale, o->scale, o->scale)), V3_ZERO, &c->arena);
    RbMeshReport report = rb_mesh_check(&mesh, c->scratch);
    double size = v3_max_abs(rb_aabb_edges(report.box));
    if (report.triangle_count > 0 && !(size <= RB_MESH_LARGEST))
        return rb_fail(&c->diag, RB_ERROR_USAGE, rb_in_file(call->file),
                       "with the scale %g the body extends over %g m; at most %g m are possible",
                       o->scale, size, RB_MESH_LARGEST);
    double weld = o->weld < 0 ? 1e-9 * size : o->weld;
    mesh = rb_mesh_repair(&mesh, weld, &c->arena, c->scratch, &what);
    if (o->simplify > 0) mesh = rb_mesh_simplify(&mesh, o->simplify, &c->arena, c->scratch);
    report = rb_mesh_check(&mesh, c->scratch);
    rb_mesh_check_crossing(&mesh, &c->arena, c->scratch, &report);
    fill_in(call, &mesh, &report, &what);
    RbWorkpiece *made = rb_new(&c->arena, RbWorkpiece);
    *made = (RbWorkpiece){c, mesh};
    if (form) *form = made;
    return RB_OK;
}

static RbStatus check_reading(RbContext *c, const char *function, const RbMeshReading *o) {
    if (!(o->scale >= 0) || isinf(o->scale))
        return rb_bad_argument(c, function, "reading->scale", "is not a number from 0 on");
    if (!isfinite(o->weld)) return rb_bad_argument(c, function, "reading->weld", "is not a number");
    if (!(o->extrude >= 0) || isinf(o->extrude))
        return rb_bad_argument(c, function, "reading->extrude", "is not a number from 0 on");
    if (!(o->simplify >= 0) || isinf(o->simplify))
        return rb_bad_argument(c, function, "reading->simplify", "is not a number from 0 on");
    return RB_OK;
}

RbStatus rb_workpiece_inspect(RbContext *context, const char *file, const RbMeshReading *reading,
                              RbMeshFindings *findings, RbWorkpiece **form) {
    if (!context) return RB_ERROR_USAGE;
    if (form) *form = NULL;
    RB_NEED(context, file);
    RB_NEED(context, reading);
    RB_NEED(context, findings);
    RB_TRY(check_reading(context, __func__, reading));
    *findings = (RbMeshFindings){0};
    Inspection call = {.context = context, .file = file, .reading = *reading, .findings = findings};
    return inspect(&call, form);
}
