// SPDX-License-Identifier: MIT
// A smoothing radius that is too large for a body is cut (docs/theory/shapes.md), and bodies without edges have no use for one: who types it reads what is used.
#include "scene/scene.h"

// Bodies of the world that are small, or have no edges, have it too.
static bool is_typed(const RbShape *shape) {
    return shape->smoothing > 0 && shape->smoothing != RB_DEFAULT_SMOOTHING;
}

static bool has_edges(const RbShape *shape) {
    switch (shape->kind) {
        case RB_SHAPE_BOX:
        case RB_SHAPE_CYLINDER:
        case RB_SHAPE_CONE:
        case RB_SHAPE_BEAM: return true;
        case RB_SHAPE_HULL:
        case RB_SHAPE_MESH: return !(shape->radius > 0);
        default: return false;
    }
}

// [m] Of parts that of the one with the smallest.
static double radius_in_use(const RbShape *shape) {
    if (!shape->rounded) return rb_shape_smoothing(shape);
    double least = INFINITY;
    for (int i = 0; i < shape->part_count; i++) least = fmin(least, shape->rounded[i].radius);
    return least;
}

static void warn_of_cut(const RbSceneObject *o, RbDiag *diag) {
    double used = radius_in_use(&o->shape);
    if (!(used < (1 - 1e-9) * o->shape.smoothing)) return;
    rb_warn(diag, o->object.at,
            "smoothing of '%s' is %.4g m, more than fits into it: %s rounded by %.4g m, %s; type "
            "that or less",
            o->object.name, o->shape.smoothing,
            o->shape.part_count > 1 ? "edges of its thinnest part are" : "its edges are", used,
            o->shape.rounded ? "a fifth of the way from the centroid to the nearest face"
                             : "a tenth of its smallest length");
}

static void warn_of_none(const RbSceneObject *o, RbDiag *diag) {
    if (o->shape.radius > 0)
        rb_warn(diag, o->object.at,
                "smoothing of '%s' has no effect: its edges are rounded by its radius of %.4g m",
                o->object.name, o->shape.radius);
    else
        rb_warn(diag, o->object.at,
                "smoothing of '%s' has no effect: its shape, a %s, has no edges", o->object.name,
                rb_shape_kind_name(o->shape.kind));
}

void rb_scene_warn_of_cut_smoothing(const RbScene *s, RbDiag *diag) {
    for (int i = 1; i < s->objects.count; i++) {
        const RbSceneObject *o = &s->objects.data[i];
        if (!rb_scene_is_wall(o) || o->by_surface || !is_typed(&o->shape)) continue;
        if (rb_scene_is_of_array(s, i)) continue;
        if (has_edges(&o->shape))
            warn_of_cut(o, diag);
        else
            warn_of_none(o, diag);
    }
}
