// SPDX-License-Identifier: MIT
// Elastic parts (include/rattleback/flexible.h).
#include "rattleback/flexible.h"

#include <string.h>

#include "api/api_context.h"
#include "flexible/flexible_body.h"

RbFlexibleReading rb_flexible_reading_default(void) {
    return (RbFlexibleReading){
        .scale = 1, .youngs_modulus = 2.1e11, .poisson = 0.3, .density = 7850, .modes = 10};
}

static RbStatus find_frames(RbContext *c, const char *file, const char *const *frames,
                            int frame_count, bool averaged, const RbTetMesh *mesh,
                            RbPartFrame *out) {
    for (int k = 0; k < frame_count; k++) {
        int i = 0;
        while (i < mesh->set_count && strcmp(mesh->sets[i].name, frames[k]) != 0) i++;
        if (i == mesh->set_count)
            return rb_fail(&c->diag, RB_ERROR_USAGE, rb_in_file(file),
                           "the mesh has no node set '%s'%s%s%s", frames[k],
                           mesh->set_count > 0 ? "; it has '" : ", and none at all",
                           mesh->set_count > 0 ? mesh->sets[0].name : "",
                           mesh->set_count > 0 ? "' and perhaps others" : "");
        out[k] =
            (RbPartFrame){mesh->sets[i].name, mesh->sets[i].node, mesh->sets[i].count, averaged};
    }
    return RB_OK;
}

static void look_at_mesh(RbArena *keep, const RbTetMesh *mesh, RbFlexibleFindings *f) {
    const char **names = rb_new_array(keep, const char *, mesh->set_count + 1);
    int *counts = rb_new_array(keep, int, mesh->set_count + 1);
    for (int i = 0; i < mesh->set_count; i++)
        names[i] = mesh->sets[i].name, counts[i] = mesh->sets[i].count;
    *f = (RbFlexibleFindings){.nodes = mesh->node_count,
                              .elements = mesh->tet_count,
                              .order = mesh->order,
                              .set_count = mesh->set_count,
                              .sets = names,
                              .set_nodes = counts};
    f->bad_elements = rb_flat_elements(mesh, &f->worst_shape);
}

static void look_at_body(RbArena *keep, const RbReducedPart *r, RbFlexibleFindings *f) {
    const RbModalBody *b = &r->body;
    Mat3 J = m3_sub(m3_scale(m3_trace(b->P00), M3_IDENTITY), b->P00);
    double *hertz = rb_new_array(keep, double, b->n + 1);
    for (int i = 0; i < b->n; i++) hertz[i] = b->omega[i] / 6.283185307179586;
    f->mass = b->mass, f->modes = b->n, f->frequencies = hertz, f->memory = r->factor_bytes;
    v3_store(f->centre, r->origin);
    v3_store(f->inertia, J.x), v3_store(f->inertia + 3, J.y), v3_store(f->inertia + 6, J.z);
}

static RbStatus check_reading(RbContext *c, const char *function, const RbFlexibleReading *o) {
    if (!(o->scale > 0 && o->scale < 1e6))
        return rb_bad_argument(c, function, "reading->scale", "is not between 0 and 1e6");
    if (!(o->youngs_modulus > 0 && o->youngs_modulus < 1e15))
        return rb_bad_argument(c, function, "reading->youngs_modulus",
                               "is not between 0 and 1e15 Pa");
    if (!(o->poisson > -1 && o->poisson < 0.5))
        return rb_bad_argument(c, function, "reading->poisson", "is not between -1 and 0.5");
    if (!(o->density > 0 && o->density < 1e9))
        return rb_bad_argument(c, function, "reading->density", "is not between 0 and 1e9 kg/m3");
    if (o->modes < 0 || o->modes > 1000)
        return rb_bad_argument(c, function, "reading->modes", "is not between 0 and 1000");
    return RB_OK;
}

RbStatus rb_flexible_inspect(RbContext *c, const char *file, const RbFlexibleReading *reading,
                             const char *const *frames, int frame_count,
                             RbFlexibleFindings *findings) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, file);
    RB_NEED(c, reading);
    RB_NEED(c, findings);
    RB_TRY(check_reading(c, __func__, reading));
    *findings = (RbFlexibleFindings){0};
    RB_CALL(c);
    RbTetMesh mesh;
    RbReducedPart reduction;
    RB_TRY(rb_flexible_mesh(file, v3(reading->scale, reading->scale, reading->scale),
                            rb_in_file(file), &c->arena, c->scratch, &c->diag, &mesh));
    look_at_mesh(&c->arena, &mesh, findings);
    if (findings->bad_elements > 0)
        rb_warn(
            &c->diag, rb_in_file(file),
            "%d of %d elements are nearly flat (the worst has a shape of %.2g, a regular one 1); "
            "frequencies and stresses near them are less exact",
            findings->bad_elements, mesh.tet_count, findings->worst_shape);
    RbElasticPart part = {
        .mesh = &mesh, .material = {reading->youngs_modulus, reading->poisson, reading->density}};
    RbPartFrame *places = rb_new_array(&c->arena, RbPartFrame, frame_count + 1);
    RB_TRY(find_frames(c, file, frames, frame_count, reading->averaged, &mesh, places));
    part.frames = places, part.frame_count = frame_count;
    RB_TRY(rb_part_assemble(&part, rb_in_file(file), &c->arena, c->scratch, &c->diag));
    RB_TRY(rb_part_reduce(&part, (RbReduceOptions){.modes = reading->modes}, rb_in_file(file),
                          &c->arena, c->scratch, &c->diag, &reduction));
    look_at_body(&c->arena, &reduction, findings);
    return RB_OK;
}
