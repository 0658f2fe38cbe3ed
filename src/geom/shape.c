// SPDX-License-Identifier: MIT
#include "geom/shape.h"

#include "base/assert.h"

// ORDER shape kinds
static const char *const KIND_NAMES[RB_SHAPE_KIND_COUNT] = {
    "sphere", "ellipsoid",  "box",  "cylinder",          "cone", "capsule", "beam",
    "hull",   "half-space", "mesh", "coordinate system", "grid", "spring",  "gear wheel",
    "text",
};

const char *rb_shape_kind_name(RbShapeKind kind) {
    return KIND_NAMES[kind];
}

// ---- making ----

RbShape rb_shape_sphere(double diameter) {
    return (RbShape){.kind = RB_SHAPE_SPHERE, .diameter = diameter};
}

RbShape rb_shape_ellipsoid(Vec3 lengths) {
    return (RbShape){.kind = RB_SHAPE_ELLIPSOID, .lengths = lengths};
}

RbShape rb_shape_box(Vec3 lengths) {
    return (RbShape){.kind = RB_SHAPE_BOX, .lengths = lengths, .smoothing = RB_DEFAULT_SMOOTHING};
}

RbShape rb_shape_cylinder(int axis, double diameter, double length) {
    return (RbShape){.kind = RB_SHAPE_CYLINDER,
                     .axis = axis,
                     .diameter = diameter,
                     .length = length,
                     .smoothing = RB_DEFAULT_SMOOTHING};
}

RbShape rb_shape_cone(int axis, double diameter, double length, double top_diameter) {
    return (RbShape){.kind = RB_SHAPE_CONE,
                     .axis = axis,
                     .diameter = diameter,
                     .length = length,
                     .top_diameter = top_diameter,
                     .smoothing = RB_DEFAULT_SMOOTHING};
}

RbShape rb_shape_capsule(int axis, double diameter, double length) {
    return (RbShape){
        .kind = RB_SHAPE_CAPSULE, .axis = axis, .diameter = diameter, .length = length};
}

RbShape rb_shape_beam(int axis, double length, double width, double thickness) {
    return (RbShape){.kind = RB_SHAPE_BEAM,
                     .axis = axis,
                     .length = length,
                     .width = width,
                     .thickness = thickness,
                     .smoothing = RB_DEFAULT_SMOOTHING};
}

RbShape rb_shape_halfspace(void) {
    return (RbShape){.kind = RB_SHAPE_HALFSPACE};
}

RbShape rb_shape_coordinate_system(double length) {
    return (RbShape){.kind = RB_SHAPE_COORDINATE_SYSTEM, .length = length};
}

RbShape rb_shape_grid(int axis, double length, double width, double distance) {
    return (RbShape){.kind = RB_SHAPE_GRID,
                     .axis = axis,
                     .length = length,
                     .width = width,
                     .distance = distance,
                     .line_width = 1};
}

RbShape rb_shape_spring(int axis, double length, double diameter) {
    return (RbShape){.kind = RB_SHAPE_SPRING,
                     .axis = axis,
                     .length = length,
                     .diameter = diameter,
                     .wire_diameter = 0.05 * fmin(length, diameter),
                     .windings = 5};
}

RbShape rb_shape_gearwheel(int axis, double diameter, double length, int teeth) {
    return (RbShape){.kind = RB_SHAPE_GEARWHEEL,
                     .axis = axis,
                     .diameter = diameter,
                     .length = length,
                     .teeth = teeth};
}

RbShape rb_shape_text(const char *text) {
    return (RbShape){.kind = RB_SHAPE_TEXT, .text = text, .char_size = 0.1};
}

// ---- cores ----

bool rb_shape_is_collidable(const RbShape *shape) {
    return shape->kind < RB_SHAPE_COORDINATE_SYSTEM;
}

static double min3(double a, double b, double c) {
    return fmin(a, fmin(b, c));
}

// Smallest length of the shapes that are smoothed; 0 for those that are round already.
static double smallest_length(const RbShape *s) {
    switch (s->kind) {
        case RB_SHAPE_BOX: return min3(s->lengths.x, s->lengths.y, s->lengths.z);
        case RB_SHAPE_CYLINDER:
        case RB_SHAPE_CONE: return fmin(s->diameter, s->length);
        case RB_SHAPE_BEAM: return min3(s->length, s->width, s->thickness);
        default: return 0;
    }
}

double rb_shape_smoothing(const RbShape *shape) {
    return fmin(shape->smoothing, 0.1 * smallest_length(shape));
}

void rb_shape_blunt(RbShape *shape) {
    double least = RB_LEAST_SMOOTHING * smallest_length(shape);
    if (shape->smoothing >= 0 && shape->smoothing < least) shape->smoothing = least;
}

// The frame of a core whose z axis lies along the axis of the shape: a cyclic exchange of the
// coordinates.
static Mat3 along_axis(int axis) {
    switch (axis) {
        case 1: return (Mat3){{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        case 2: return (Mat3){{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
        default: return M3_IDENTITY;
    }
}

// A beam's core has its length along x, width along y and thickness along z, which is how axis 1
// has it.
Mat3 rb_shape_axes(const RbShape *shape) {
    bool beam = shape->kind == RB_SHAPE_BEAM;
    return along_axis(beam ? (shape->axis + 1) % 3 + 1 : shape->axis);
}

// The cone offset inwards by rho (docs/theory/shapes.md, eq. 3 to 5): the generator line moves by
// rho/cos, base and top plane by rho. Where that leaves no top circle the core is a cone whose apex
// lies below L - rho.
static RbCore cone_core(const RbShape *s, double rho) {
    double base = 0.5 * s->diameter, top = 0.5 * s->top_diameter, L = s->length;
    double slope = (base - top) / L;
    double lateral = rho * sqrt(1 + slope * slope);
    double low = rho, high = L - rho;
    double low_radius = base - rho * slope - lateral;
    double high_radius = top + rho * slope - lateral;
    if (high_radius <= 0) {
        high = fmin((base - lateral) / slope, high);
        high_radius = 0;
    }
    Mat3 R = rb_shape_axes(s);
    return (RbCore){.kind = RB_CORE_FRUSTUM,
                    .h = v3(low_radius, high_radius, 0.5 * (high - low)),
                    .radius = rho,
                    .frame = {v3_scale(0.5 * (low + high), m3_column(R, 2)), R}};
}

static RbCore ellipsoid_core(const RbShape *s) {
    Vec3 l = s->lengths;
    RbCore core = {.kind = RB_CORE_ELLIPSOID, .h = v3_scale(0.5, l), .frame = POSE_IDENTITY};
    if (l.x == l.y && l.y == l.z) { // a sphere, which has closed forms
        core = (RbCore){.kind = RB_CORE_POINT, .radius = 0.5 * l.x, .frame = POSE_IDENTITY};
    }
    return core;
}

// [m] Largest distance of two points of the core (of a polytope: the diagonal of its box).
static double core_diameter(const RbCore *core) {
    Vec3 h = core->h;
    switch (core->kind) {
        case RB_CORE_POINT: return 0;
        case RB_CORE_SEGMENT: return 2 * h.z;
        case RB_CORE_BOX: return 2 * v3_norm(h);
        case RB_CORE_CYLINDER: return 2 * hypot(h.x, h.z);
        case RB_CORE_FRUSTUM: return fmax(2 * h.x, hypot(h.x + h.y, 2 * h.z));
        case RB_CORE_BEAM: return 2 * hypot(h.x + h.y, h.z);
        case RB_CORE_ELLIPSOID: return 2 * v3_max_abs(h);
        case RB_CORE_POLYTOPE: return core->size;
        case RB_CORE_HALFSPACE:
        case RB_CORE_KIND_COUNT: break;
    }
    return INFINITY;
}

// Core without its size.
static RbCore plain_core(const RbShape *s, double rho) {
    Mat3 R = rb_shape_axes(s);
    switch (s->kind) {
        case RB_SHAPE_SPHERE:
            return (RbCore){
                .kind = RB_CORE_POINT, .radius = 0.5 * s->diameter, .frame = POSE_IDENTITY};
        case RB_SHAPE_ELLIPSOID: return ellipsoid_core(s);
        case RB_SHAPE_BOX:
            return (RbCore){.kind = RB_CORE_BOX,
                            .h = v3(0.5 * s->lengths.x - rho, 0.5 * s->lengths.y - rho,
                                    0.5 * s->lengths.z - rho),
                            .radius = rho,
                            .frame = POSE_IDENTITY};
        case RB_SHAPE_CYLINDER: {
            double r = 0.5 * s->diameter - rho;
            return (RbCore){.kind = RB_CORE_CYLINDER,
                            .h = v3(r, r, 0.5 * s->length - rho),
                            .radius = rho,
                            .frame = {V3_ZERO, R}};
        }
        case RB_SHAPE_CONE: return cone_core(s, rho);
        case RB_SHAPE_CAPSULE:
            return (RbCore){.kind = RB_CORE_SEGMENT,
                            .h = v3(0, 0, 0.5 * s->length),
                            .radius = 0.5 * s->diameter,
                            .frame = {V3_ZERO, R}};
        case RB_SHAPE_BEAM: // the straight part keeps its length: only the rounded ends shrink
            return (RbCore){.kind = RB_CORE_BEAM,
                            .h =
                                v3(0.5 * s->length, 0.5 * s->width - rho, 0.5 * s->thickness - rho),
                            .radius = rho,
                            .frame = {V3_ZERO, R}};
        case RB_SHAPE_HALFSPACE: return (RbCore){.kind = RB_CORE_HALFSPACE, .frame = POSE_IDENTITY};
        default: break;
    }
    RB_ASSERT(s->part_count == 1);
    return s->rounded ? s->rounded[0] : s->parts[0];
}

RbCore rb_shape_core(const RbShape *shape) {
    RbCore core = plain_core(shape, rb_shape_smoothing(shape));
    if (core.kind != RB_CORE_POLYTOPE) core.size = core_diameter(&core) + 2 * core.radius;
    return core;
}

const RbCore *rb_shape_cores(const RbShape *shape, RbArena *keep, int *count) {
    *count = 0;
    if (!rb_shape_is_collidable(shape)) return NULL;
    if (shape->part_count > 0) {
        *count = shape->part_count;
        return shape->rounded ? shape->rounded : shape->parts;
    }
    RbCore *core = rb_new(keep, RbCore);
    *core = rb_shape_core(shape);
    *count = 1;
    return core;
}

// ---- contact radius ----

bool rb_shape_is_flat(const RbShape *shape) {
    return shape->kind == RB_SHAPE_BOX || shape->kind == RB_SHAPE_BEAM ||
           shape->kind == RB_SHAPE_HALFSPACE;
}

// [m] Shortest edge of the box around all parts, along the axes of the shape.
static double shortest_box_edge(const RbShape *s) {
    Vec3 low = v3(INFINITY, INFINITY, INFINITY), high = v3_neg(low);
    for (int p = 0; p < s->part_count; p++) {
        const RbCore *part = &s->parts[p];
        Vec3 r = v3(part->radius, part->radius, part->radius);
        for (int i = 0; i < part->polytope->vertex_count; i++) {
            Vec3 vertex = pose_point(part->frame, part->polytope->vertices[i]);
            low = v3_min(low, v3_sub(vertex, r));
            high = v3_max(high, v3_add(vertex, r));
        }
    }
    Vec3 edges = v3_sub(high, low);
    return min3(edges.x, edges.y, edges.z);
}

double rb_shape_contact_radius(const RbShape *s) {
    if (s->contact_radius > 0) return s->contact_radius;
    switch (s->kind) {
        case RB_SHAPE_SPHERE:
        case RB_SHAPE_CAPSULE: return 0.5 * s->diameter;
        case RB_SHAPE_ELLIPSOID:
        case RB_SHAPE_BOX: return 0.5 * min3(s->lengths.x, s->lengths.y, s->lengths.z);
        case RB_SHAPE_CYLINDER: return 0.5 * fmin(s->diameter, s->length);
        case RB_SHAPE_CONE: return 0.25 * (s->diameter + s->top_diameter);
        case RB_SHAPE_BEAM: return 0.5 * min3(s->length, s->width, s->thickness);
        case RB_SHAPE_HULL:
        case RB_SHAPE_MESH: return 0.5 * shortest_box_edge(s);
        default: return INFINITY; // half-space; visual shapes never touch
    }
}

double rb_contact_radius(const RbShape *a, const RbShape *b) {
    double ra = rb_shape_contact_radius(a), rb = rb_shape_contact_radius(b);
    bool flat_a = rb_shape_is_flat(a), flat_b = rb_shape_is_flat(b);
    if (flat_a && !flat_b) return rb;
    if (flat_b && !flat_a) return ra;
    return 1 / (1 / ra + 1 / rb);
}
