// SPDX-License-Identifier: MIT
// include/rattleback/collide.h: shapes.
#include "api/api_collide_data.h"

#include <stdio.h>

#include "base/folder.h"
#include "geom/hull.h"
#include "geom/shape.h"
#include "io/mesh_file.h"
#include "io/mesh_folder.h"

// A free slot with room for one core; it is taken by keep_shape.
static int shape_slot(RbCollideWorld *w) {
    if (w->free_shape >= 0) return w->free_shape;
    rb_array_reserve(&w->shapes, &w->arena, w->shapes.count + 1);
    RbCore *single = rb_new(&w->arena, RbCore);
    w->shapes.data[w->shapes.count] = (ShapeSlot){.single = single, .next_free = -1};
    w->free_shape = w->shapes.count++;
    return w->free_shape;
}

static RbCollideShape keep_shape(RbCollideWorld *w, int index, const RbCore *cores, int count) {
    ShapeSlot *slot = &w->shapes.data[index];
    w->free_shape = slot->next_free;
    slot->used = true;
    slot->generation++;
    slot->cores = cores;
    slot->core_count = count;
    return (RbCollideShape){(uint32_t)index, slot->generation};
}

// Hulls, and where they are kept.
typedef struct Parts {
    const double *points;
    const int *counts;
    int count;
    double radius;
    RbArena keep; // freed by the caller unless it went into the slot
} Parts;

// Hand the first message of the diagnostics on.
static RbStatus report(RbCollideWorld *w, RbStatus status, const RbDiag *diag) {
    if (status == RB_OK || diag->messages.count == 0) return status;
    return rb_collide_fail(w, status, "%s", diag->messages.data[0].text);
}

static RbStatus check_size(RbCollideWorld *w, const RbCore *core) {
    if (core->size <= RB_COLLIDE_FARTHEST || core->kind == RB_CORE_HALFSPACE) return RB_OK;
    return rb_collide_fail(w, RB_ERROR_USAGE, "the shape is %g m large; at most %g m are possible",
                           core->size, RB_COLLIDE_FARTHEST);
}

static RbStatus add_shape(RbCollideWorld *w, const char *call, RbShape shape, RbCollideShape *out) {
    RB_COLLIDE_CALL_OF(w, call);
    RB_TRY(rb_collide_need(w, out, "shape"));
    RbArena scratch = w->scratch;
    RbDiag diag = rb_diag(&scratch);
    RbStatus status = rb_shape_check(&shape, NULL, RB_NOWHERE, &diag);
    RB_TRY(report(w, status, &diag));
    int index = shape_slot(w);
    RbCore *core = w->shapes.data[index].single;
    *core = rb_shape_core(&shape);
    RB_TRY(check_size(w, core));
    *out = keep_shape(w, index, core, 1);
    return RB_OK;
}

// The lengths are missing.
static RbStatus refuse_lengths(RbCollideWorld *w, const char *call, const RbCollideShape *out) {
    RB_COLLIDE_CALL_OF(w, call);
    RB_TRY(rb_collide_need(w, out, "shape"));
    return rb_collide_need(w, NULL, "lengths");
}

static RbStatus add_smoothed(RbCollideWorld *w, const char *call, RbShape shape, double smoothing,
                             RbCollideShape *out) {
    shape.smoothing = smoothing;
    return add_shape(w, call, shape, out);
}

RbStatus rb_collide_sphere(RbCollideWorld *w, double diameter, RbCollideShape *out) {
    return add_shape(w, __func__, rb_shape_sphere(diameter), out);
}

RbStatus rb_collide_ellipsoid(RbCollideWorld *w, const double lengths[3], RbCollideShape *out) {
    if (!lengths) return refuse_lengths(w, __func__, out);
    return add_shape(w, __func__, rb_shape_ellipsoid(v3_load(lengths)), out);
}

RbStatus rb_collide_box(RbCollideWorld *w, const double lengths[3], double smoothing,
                        RbCollideShape *out) {
    if (!lengths) return refuse_lengths(w, __func__, out);
    return add_smoothed(w, __func__, rb_shape_box(v3_load(lengths)), smoothing, out);
}

RbStatus rb_collide_cylinder(RbCollideWorld *w, int axis, double diameter, double length,
                             double smoothing, RbCollideShape *out) {
    return add_smoothed(w, __func__, rb_shape_cylinder(axis, diameter, length), smoothing, out);
}

RbStatus rb_collide_cone(RbCollideWorld *w, int axis, double diameter, double length,
                         double top_diameter, double smoothing, RbCollideShape *out) {
    RbShape shape = rb_shape_cone(axis, diameter, length, top_diameter);
    return add_smoothed(w, __func__, shape, smoothing, out);
}

RbStatus rb_collide_capsule(RbCollideWorld *w, int axis, double diameter, double length,
                            RbCollideShape *out) {
    return add_shape(w, __func__, rb_shape_capsule(axis, diameter, length), out);
}

RbStatus rb_collide_beam(RbCollideWorld *w, int axis, double length, double width, double thickness,
                         double smoothing, RbCollideShape *out) {
    RbShape shape = rb_shape_beam(axis, length, width, thickness);
    return add_smoothed(w, __func__, shape, smoothing, out);
}

RbStatus rb_collide_halfspace(RbCollideWorld *w, RbCollideShape *out) {
    return add_shape(w, __func__, rb_shape_halfspace(), out);
}

static RbStatus create_part(RbCollideWorld *w, Parts *c, int part, int first, RbCore *out) {
    RbArena scratch = w->scratch;
    int count = c->counts[part];
    Vec3 *points = rb_new_array(&scratch, Vec3, count);
    for (int i = 0; i < count; i++) points[i] = v3_load(c->points + 3 * (size_t)(first + i));
    char name[32];
    snprintf(name, sizeof name, "part %d", part);
    RbDiag diag = rb_diag(&c->keep);
    RbStatus status = rb_hull(points, count, c->count > 1 ? name : NULL, RB_NOWHERE, &c->keep,
                              scratch, &diag, out);
    RB_TRY(report(w, status, &diag));
    out->radius = c->radius;
    out->size += 2 * c->radius;
    return check_size(w, out);
}

static RbStatus check_parts(RbCollideWorld *w, const Parts *c) {
    RB_TRY(rb_collide_need(w, c->points, "points"));
    RB_TRY(rb_collide_need(w, c->counts, "counts"));
    if (c->count < 1) {
        return rb_collide_fail(w, RB_ERROR_USAGE, "part_count is %d; it must be at least 1",
                               c->count);
    }
    int64_t sum = 0;
    for (int i = 0; i < c->count; i++) {
        if (c->counts[i] < 0) {
            return rb_collide_fail(w, RB_ERROR_USAGE, "the number of points is %d", c->counts[i]);
        }
        sum += c->counts[i];
    }
    if (sum > INT32_MAX / 4) {
        return rb_collide_fail(w, RB_ERROR_USAGE, "there are more than %d points", INT32_MAX / 4);
    }
    if (!(c->radius >= 0 && c->radius <= RB_COLLIDE_FARTHEST)) {
        return rb_collide_fail(w, RB_ERROR_USAGE,
                               "radius is %g m; it must be zero or positive, and finite",
                               c->radius);
    }
    return RB_OK;
}

static RbStatus create_parts(RbCollideWorld *w, Parts *c, RbCollideShape *out) {
    RB_TRY(check_parts(w, c));
    int index = shape_slot(w), first = 0;
    c->keep = rb_arena(&w->heap);
    RbCore *cores = rb_new_array(&c->keep, RbCore, c->count);
    for (int i = 0; i < c->count; i++) {
        RB_TRY(create_part(w, c, i, first, &cores[i]));
        first += c->counts[i];
    }
    *out = keep_shape(w, index, cores, c->count);
    w->shapes.data[index].parts = c->keep;
    c->keep = (RbArena){0};
    return RB_OK;
}

static RbStatus enter_parts(RbCollideWorld *w, const char *call, Parts *parts,
                            RbCollideShape *out) {
    RB_COLLIDE_CALL_OF(w, call);
    RB_TRY(rb_collide_need(w, out, "shape"));
    return create_parts(w, parts, out);
}

static RbStatus add_parts(RbCollideWorld *w, const char *call, Parts parts, RbCollideShape *out) {
    RbStatus status = enter_parts(w, call, &parts, out);
    rb_arena_free(&parts.keep);
    return status;
}

RbStatus rb_collide_hull(RbCollideWorld *w, const double *points, int count, double radius,
                         RbCollideShape *out) {
    Parts parts = {.points = points, .counts = &count, .count = 1, .radius = radius};
    return add_parts(w, __func__, parts, out);
}

RbStatus rb_collide_parts(RbCollideWorld *w, const double *points, const int *counts,
                          int part_count, RbCollideShape *out) {
    return add_parts(w, __func__, (Parts){.points = points, .counts = counts, .count = part_count},
                     out);
}

// The points of a file, part by part, and then as if they had been given.
static RbStatus create_from_file(RbCollideWorld *w, const char *file, double scale, bool by_parts,
                                 RbArena *read, Parts *parts, RbCollideShape *out) {
    RB_COLLIDE_CALL_OF(w, "rb_collide_file");
    RbObj obj;
    RB_TRY(rb_collide_need(w, out, "shape"));
    RB_TRY(rb_collide_need(w, file, "file"));
    if (!(scale > 0 && scale <= RB_COLLIDE_FARTHEST))
        return rb_collide_fail(w, RB_ERROR_USAGE, "scale is %g; it must be positive", scale);
    *read = rb_arena(&w->heap);
    RbDiag diag = rb_diag(read);
    bool folder = rb_is_folder(file); // of parts, which are scaled as they are read
    Vec3 unit = v3(scale, scale, scale);
    RbStatus status = folder ? rb_mesh_folder_read(file, unit, read, w->scratch, &diag, &obj)
                             : rb_mesh_file_read(file, read, w->scratch, &diag, &obj);
    RB_TRY(report(w, status, &diag));
    double factor = folder ? 1 : scale;
    int n = (by_parts || folder) && obj.part_count > 0 ? obj.part_count : 1, all = 0;
    int *counts = rb_new_array(read, int, n);
    for (int i = 0; i < n; i++) {
        counts[i] = n > 1 ? obj.parts[i].mesh.vertex_count : obj.mesh.vertex_count;
        all += counts[i];
    }
    double *points = rb_new_array(read, double, 3 * (size_t)all + 1), *to = points;
    for (int i = 0; i < n; i++) {
        const Vec3 *from = n > 1 ? obj.parts[i].mesh.vertices : obj.mesh.vertices;
        for (int k = 0; k < counts[i]; k++, to += 3) v3_store(to, v3_scale(factor, from[k]));
    }
    *parts = (Parts){.points = points, .counts = counts, .count = n};
    return create_parts(w, parts, out);
}

RbStatus rb_collide_file(RbCollideWorld *w, const char *file, double scale, int parts,
                         RbCollideShape *out) {
    RbArena read = {0};
    Parts found = {0};
    RbStatus status = create_from_file(w, file, scale, parts != 0, &read, &found, out);
    rb_arena_free(&read);
    rb_arena_free(&found.keep);
    return status;
}

RbStatus rb_collide_remove_shape(RbCollideWorld *w, RbCollideShape shape) {
    RB_COLLIDE_CALL(w);
    ShapeSlot *slot;
    RB_TRY(rb_collide_find_shape(w, shape, &slot));
    if (slot->user_count > 0) {
        return rb_collide_fail(w, RB_ERROR_USAGE,
                               "shape %u.%u is used by %d collider(s); remove them first",
                               shape.index, shape.generation, slot->user_count);
    }
    rb_arena_free(&slot->parts);
    slot->used = false;
    slot->next_free = w->free_shape;
    w->free_shape = (int)shape.index;
    return RB_OK;
}
