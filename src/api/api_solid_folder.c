// SPDX-License-Identifier: MIT
// Folders of convex parts (include/rattleback/solid.h).
#include <math.h>

#include "api/api_solid.h"
#include "base/folder.h"
#include "geom/mass.h"
#include "geom/shape.h"
#include "io/mesh_folder.h"

static RbNamedWorkpiece named(RbContext *c, const char *name, const RbMesh *mesh) {
    RbMeshReport report = rb_mesh_check(mesh, c->scratch);
    RbWorkpiece *form = rb_new(&c->arena, RbWorkpiece);
    *form = (RbWorkpiece){c, *mesh};
    return (RbNamedWorkpiece){name, form, rb_mesh_findings(c, mesh, &report)};
}

// Mass properties of the parts together; what a check of the surface says is said of each of them.
static void add_up(const RbObj *obj, RbMeshFindings *f) {
    RbMoments sum = {0};
    for (int i = 0; i < obj->part_count; i++)
        sum = i == 0 ? rb_moments_of_mesh(&obj->parts[i].mesh)
                     : rb_moments_add(sum, rb_moments_of_mesh(&obj->parts[i].mesh));
    RbMassProperties m = rb_mass_of_moments(sum);
    f->parts = obj->part_count;
    f->volume = m.mass;
    v3_store(f->centroid, m.r_CM);
    v3_store(f->inertia, m.I_CM.x);
    v3_store(f->inertia + 3, m.I_CM.y);
    v3_store(f->inertia + 6, m.I_CM.z);
}

// What is in two parts counts twice.
static RbStatus tell_overlap(RbContext *c, const char *folder, const RbObj *obj) {
    RbArena *work = rb_arena_child(&c->arena);
    RbMesh *parts = rb_new_array(work, RbMesh, obj->part_count);
    RbShape shape;
    for (int i = 0; i < obj->part_count; i++) parts[i] = obj->parts[i].mesh;
    RbStatus status = rb_shape_mesh(parts, obj->part_count, NULL, folder, RB_NOWHERE, work,
                                    c->scratch, &c->diag, &shape);
    if (status == RB_OK)
        rb_shape_tell_overlap(&shape, folder, rb_in_file(folder), work, c->scratch, &c->diag);
    rb_arena_free(work);
    return status;
}

RbStatus rb_workpiece_read_folder(RbContext *context, const char *folder, double scale,
                                  const RbNamedWorkpiece **parts, int *count,
                                  RbNamedWorkpiece *whole) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, folder);
    RB_NEED(context, parts);
    RB_NEED(context, count);
    RB_NEED(context, whole);
    *parts = NULL;
    *count = 0;
    *whole = (RbNamedWorkpiece){0};
    if (!(scale > 0) || isinf(scale))
        return rb_bad_argument(context, __func__, "scale", "is not a positive number");
    RB_CALL(context);
    RbContext *c = context;
    RbObj obj;
    if (!rb_is_folder(folder))
        return rb_fail(&c->diag, RB_ERROR_IO, rb_in_file(folder), "there is no such folder");
    RB_TRY(rb_mesh_folder_read(folder, v3(scale, scale, scale), &c->arena, c->scratch, &c->diag,
                               &obj));
    RbNamedWorkpiece *list = rb_new_array(&c->arena, RbNamedWorkpiece, obj.part_count);
    for (int i = 0; i < obj.part_count; i++)
        list[i] = named(c, obj.parts[i].name, &obj.parts[i].mesh);
    *whole = named(c, rb_arena_text(&c->arena, folder), &obj.mesh);
    add_up(&obj, &whole->findings);
    RB_TRY(tell_overlap(c, folder, &obj));
    *parts = list;
    *count = obj.part_count;
    return RB_OK;
}
