// SPDX-License-Identifier: MIT
// Edges of hulls are rounded, and where the angle a between faces is small their tips recede, by r (1/sin(a/2) - 1): a needle may lose more of its length than its user expects (docs/theory/shapes.md, section 5).
#include "collide/distance.h"
#include "scene/scene.h"

// Told is a tip that recedes by this part of the size of the body and is sharper than that of a cube, or by less if it is a needle's. What is proposed is told no more.
static const double MUCH = 0.02, LITTLE = 0.005, PROPOSED = 0.003;
static const double NEEDLE = 5; // radii by which it recedes: one of 19 degrees

typedef struct Tip {
    double away;   // [m] of the round surface from the corner; 0: none
    double radius; // [m] of the rounding there
    double least;  // [m] that a radius can be
    Vec3 at;       // [m] the corner, in the frame of the shape
} Tip;

static double distance_from(const RbCore *core, Vec3 point) {
    const RbCore place = {.kind = RB_CORE_POINT, .frame = POSE_IDENTITY};
    RbGap gap;
    rb_distance(core, &place, (Pose){point, M3_IDENTITY}, NULL, &gap);
    return gap.distance;
}

static Vec3 corner_of(const RbCore *part, int vertex) {
    return pose_point(part->frame, part->polytope->vertices[vertex]);
}

static double size_of(const RbShape *shape) {
    Vec3 low = corner_of(&shape->parts[0], 0), high = low;
    for (int i = 0; i < shape->part_count; i++) {
        for (int k = 0; k < shape->parts[i].polytope->vertex_count; k++) {
            low = v3_min(low, corner_of(&shape->parts[i], k));
            high = v3_max(high, corner_of(&shape->parts[i], k));
        }
    }
    return v3_distance(low, high);
}

static bool is_told(double away, double radius, double size) {
    return (away > radius && away > MUCH * size) ||
           (away > NEEDLE * radius && away > LITTLE * size);
}

// What a corner of one part has lost may be there in another one.
static double away_from_all(const RbShape *shape, Vec3 point, double away) {
    for (int i = 0; i < shape->part_count && away > 0; i++)
        away = fmin(away, distance_from(&shape->rounded[i], point));
    return away;
}

static double least_radius(const RbCore *part) {
    double depth = INFINITY; // of the centroid
    for (int k = 0; k < part->polytope->face_count; k++)
        depth = fmin(depth, part->polytope->face_offsets[k]);
    return RB_LEAST_SMOOTHING * 2 * depth;
}

static Tip bluntest(const RbShape *shape, double size) {
    Tip out = {0};
    for (int i = 0; i < shape->part_count; i++) {
        const RbCore *part = &shape->parts[i], *core = &shape->rounded[i];
        for (int k = 0; k < part->polytope->vertex_count; k++) {
            Vec3 at = corner_of(part, k);
            double away = distance_from(core, at);
            if (!(away > out.away) || !is_told(away, core->radius, size)) continue;
            away = away_from_all(shape, at, away);
            if (away > out.away && is_told(away, core->radius, size))
                out = (Tip){away, core->radius, least_radius(part), at};
        }
    }
    return out;
}

void rb_scene_warn_of_blunt_tips(const RbScene *s, RbDiag *diag) {
    for (int i = 1; i < s->objects.count; i++) {
        const RbSceneObject *o = &s->objects.data[i];
        const RbShape *shape = &o->shape;
        if (!o->has_shape || !o->object.collidable || !shape->rounded || rb_scene_is_of_array(s, i))
            continue;
        double size = size_of(shape);
        Tip tip = bluntest(shape, size);
        if (!(tip.away > 0)) continue;
        double radius = fmax(PROPOSED * size / tip.away * tip.radius, tip.least);
        if (radius > 0.5 * tip.radius) continue; // nearly as sharp as it can be
        rb_warn(diag, o->object.at,
                "the corner of '%s' at {%.4g, %.4g, %.4g} m of its shape touches %.3g m behind "
                "where it is drawn, %.2g %% of its size: its edges are rounded by %.3g m; type "
                "smoothing = %.1g m for %.1g m",
                o->object.name, tip.at.x, tip.at.y, tip.at.z, tip.away, 100 * tip.away / size,
                tip.radius, radius, tip.away * radius / tip.radius);
    }
}
