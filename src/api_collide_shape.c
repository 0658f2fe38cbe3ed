// SPDX-License-Identifier: MIT
// include/rattleback/collide.h: shapes.
#include "api_collide_data.h"

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

typedef struct ShapeCall {
    RbCollideWorld *w;
    RbCollideShape *out;
    // Simple ones:
    RbShape shape;
    const char *missing; // argument that is NULL
    // Hulls:
    const double *points;
    const int *counts;
    int part_count;
    double radius;
    // Files:
    const char *file;
    double scale;
    bool by_parts;
    RbArena read; // freed by the caller
    RbArena keep; // freed by the caller unless it went into the slot
} ShapeCall;

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

static RbStatus create_shape(void *arguments) {
    ShapeCall *c = arguments;
    RB_TRY(rb_collide_need(c->w, c->out, "shape"));
    if (c->missing) return rb_collide_need(c->w, NULL, c->missing);
    RbArena scratch = c->w->scratch;
    RbDiag diag = rb_diag(&scratch);
    RbStatus status = rb_shape_check(&c->shape, NULL, RB_NOWHERE, &diag);
    RB_TRY(report(c->w, status, &diag));
    int index = shape_slot(c->w);
    RbCore *core = c->w->shapes.data[index].single;
    *core = rb_shape_core(&c->shape);
    RB_TRY(check_size(c->w, core));
    *c->out = keep_shape(c->w, index, core, 1);
    return RB_OK;
}

static RbStatus add_shape(RbCollideWorld *w, const char *call, RbShape shape, RbCollideShape *out) {
    ShapeCall c = {.w = w, .shape = shape, .out = out};
    return rb_collide_enter(w, call, create_shape, &c);
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
    ShapeCall c = {.w = w, .out = out, .missing = lengths ? NULL : "lengths"};
    if (lengths) c.shape = rb_shape_ellipsoid(v3_load(lengths));
    return rb_collide_enter(w, __func__, create_shape, &c);
}

RbStatus rb_collide_box(RbCollideWorld *w, const double lengths[3], double smoothing,
                        RbCollideShape *out) {
    ShapeCall c = {.w = w, .out = out, .missing = lengths ? NULL : "lengths"};
    if (lengths) c.shape = rb_shape_box(v3_load(lengths));
    c.shape.smoothing = smoothing;
    return rb_collide_enter(w, __func__, create_shape, &c);
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

static RbStatus create_part(ShapeCall *c, int part, int first, RbCore *out) {
    RbArena scratch = c->w->scratch;
    int count = c->counts[part];
    Vec3 *points = rb_new_array(&scratch, Vec3, count);
    for (int i = 0; i < count; i++) points[i] = v3_load(c->points + 3 * (size_t)(first + i));
    char name[32];
    snprintf(name, sizeof name, "part %d", part);
    RbDiag diag = rb_diag(&c->keep);
    RbStatus status = rb_hull(points, count, c->part_count > 1 ? name : NULL, RB_NOWHERE, &c->keep,
                              scratch, &diag, out);
    RB_TRY(report(c->w, status, &diag));
    out->radius = c->radius;
    out->size += 2 * c->radius;
    return check_size(c->w, out);
}

static RbStatus check_parts(const ShapeCall *c) {
    RB_TRY(rb_collide_need(c->w, c->out, "shape"));
    RB_TRY(rb_collide_need(c->w, c->points, "points"));
    RB_TRY(rb_collide_need(c->w, c->counts, "counts"));
    if (c->part_count < 1) {
        return rb_collide_fail(c->w, RB_ERROR_USAGE, "part_count is %d; it must be at least 1",
                               c->part_count);
    }
    int64_t sum = 0;
    for (int i = 0; i < c->part_count; i++) {
        if (c->counts[i] < 0) {
            return rb_collide_fail(c->w, RB_ERROR_USAGE, "the number of points is %d",
                                   c->counts[i]);
        }
        sum += c->counts[i];
    }
    if (sum > INT32_MAX / 4) {
        return rb_collide_fail(c->w, RB_ERROR_USAGE, "there are more than %d points",
                               INT32_MAX / 4);
    }
    if (!(c->radius >= 0 && c->radius <= RB_COLLIDE_FARTHEST)) {
        return rb_collide_fail(c->w, RB_ERROR_USAGE,
                               "radius is %g m; it must be zero or positive, and finite",
                               c->radius);
    }
    return RB_OK;
}

static RbStatus create_parts(void *arguments) {
    ShapeCall *c = arguments;
    RB_TRY(check_parts(c));
    int index = shape_slot(c->w), first = 0;
    c->keep = rb_arena(&c->w->heap);
    RbCore *cores = rb_new_array(&c->keep, RbCore, c->part_count);
    for (int i = 0; i < c->part_count; i++) {
        RB_TRY(create_part(c, i, first, &cores[i]));
        first += c->counts[i];
    }
    *c->out = keep_shape(c->w, index, cores, c->part_count);
    c->w->shapes.data[index].parts = c->keep;
    c->keep = (RbArena){0};
    return RB_OK;
}

static RbStatus add_parts(const char *name, ShapeCall *c) {
    RbStatus status = rb_collide_enter(c->w, name, create_parts, c);
    rb_arena_free(&c->keep);
    return status;
}

RbStatus rb_collide_hull(RbCollideWorld *w, const double *points, int count, double radius,
                         RbCollideShape *out) {
    ShapeCall c = {
        .w = w, .points = points, .counts = &count, .part_count = 1, .radius = radius, .out = out};
    return add_parts(__func__, &c);
}

RbStatus rb_collide_parts(RbCollideWorld *w, const double *points, const int *counts,
                          int part_count, RbCollideShape *out) {
    ShapeCall c = {
        .w = w, .points = points, .counts = counts, .part_count = part_count, .out = out};
    return add_parts(__func__, &c);
}

// The points of a file, part by part, and then as if they had been given.
static RbStatus create_from_file(void *arguments) {
    ShapeCall *c = arguments;
    RbObj obj;
    RB_TRY(rb_collide_need(c->w, c->out, "shape"));
    RB_TRY(rb_collide_need(c->w, c->file, "file"));
    if (!(c->scale > 0 && c->scale <= RB_COLLIDE_FARTHEST))
        return rb_collide_fail(c->w, RB_ERROR_USAGE, "scale is %g; it must be positive", c->scale);
    c->read = rb_arena(&c->w->heap);
    RbDiag diag = rb_diag(&c->read);
    bool folder = rb_is_folder(c->file); // of parts, which are scaled as they are read
    Vec3 unit = v3(c->scale, c->scale, c->scale);
    RbStatus status = folder
                          ? rb_mesh_folder_read(c->file, unit, &c->read, c->w->scratch, &diag, &obj)
                          : rb_mesh_file_read(c->file, &c->read, c->w->scratch, &diag, &obj);
    RB_TRY(report(c->w, status, &diag));
    double scale = folder ? 1 : c->scale;
    c->part_count = (c->by_parts || folder) && obj.part_count > 0 ? obj.part_count : 1;
    int *counts = rb_new_array(&c->read, int, c->part_count), all = 0;
    for (int i = 0; i < c->part_count; i++) {
        counts[i] = c->part_count > 1 ? obj.parts[i].mesh.vertex_count : obj.mesh.vertex_count;
        all += counts[i];
    }
    double *points = rb_new_array(&c->read, double, 3 * (size_t)all + 1), *to = points;
    for (int i = 0; i < c->part_count; i++) {
        const Vec3 *from = c->part_count > 1 ? obj.parts[i].mesh.vertices : obj.mesh.vertices;
        for (int k = 0; k < counts[i]; k++, to += 3) v3_store(to, v3_scale(scale, from[k]));
    }
    c->points = points;
    c->counts = counts;
    return create_parts(c);
}

RbStatus rb_collide_file(RbCollideWorld *w, const char *file, double scale, int parts,
                         RbCollideShape *out) {
    ShapeCall c = {.w = w, .file = file, .scale = scale, .by_parts = parts != 0, .out = out};
    RbStatus status = rb_collide_enter(w, __func__, create_from_file, &c);
    rb_arena_free(&c.read);
    rb_arena_free(&c.keep);
    return status;
}

static RbStatus remove_shape(void *arguments) {
    ShapeCall *c = arguments;
    ShapeSlot *slot;
    RB_TRY(rb_collide_find_shape(c->w, *c->out, &slot));
    if (slot->user_count > 0) {
        return rb_collide_fail(c->w, RB_ERROR_USAGE,
                               "shape %u.%u is used by %d collider(s); remove them first",
                               c->out->index, c->out->generation, slot->user_count);
    }
    rb_arena_free(&slot->parts);
    slot->used = false;
    slot->next_free = c->w->free_shape;
    c->w->free_shape = (int)c->out->index;
    return RB_OK;
}

RbStatus rb_collide_remove_shape(RbCollideWorld *w, RbCollideShape shape) {
    ShapeCall c = {.w = w, .out = &shape};
    return rb_collide_enter(w, __func__, remove_shape, &c);
}
