// SPDX-License-Identifier: MIT
// aabb.h: boxes along the axes of the world: tight around a shape in its pose, and the loose ones
// of the broad phase, which a body may move in for a while before it needs a new one.
#pragma once

#include "geom/core.h"

typedef struct RbAabb {
    Vec3 low, high; // [m] empty if low > high
} RbAabb;

#define RB_AABB_EMPTY ((RbAabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}})

// The smallest box around a core and its sphere, whose shape has the pose X_WS. Closed form; exact
// up to rounding. A half-space is unbounded, except along its normal if that is exactly a
// coordinate axis.
RbAabb rb_aabb_of_core(const RbCore *core, Pose X_WS);

// No coordinate of a box is NaN, so plain comparisons serve; unlike fmin and fmax they become one
// instruction each.
static inline double rb_aabb_less(double a, double b) {
    return a < b ? a : b;
}
static inline double rb_aabb_more(double a, double b) {
    return a > b ? a : b;
}
static inline Vec3 rb_aabb_min(Vec3 a, Vec3 b) {
    return v3(rb_aabb_less(a.x, b.x), rb_aabb_less(a.y, b.y), rb_aabb_less(a.z, b.z));
}
static inline Vec3 rb_aabb_max(Vec3 a, Vec3 b) {
    return v3(rb_aabb_more(a.x, b.x), rb_aabb_more(a.y, b.y), rb_aabb_more(a.z, b.z));
}

static inline RbAabb rb_aabb_union(RbAabb a, RbAabb b) {
    return (RbAabb){rb_aabb_min(a.low, b.low), rb_aabb_max(a.high, b.high)};
}

static inline RbAabb rb_aabb_add_point(RbAabb a, Vec3 p) {
    return (RbAabb){rb_aabb_min(a.low, p), rb_aabb_max(a.high, p)};
}

static inline RbAabb rb_aabb_grow(RbAabb a, double margin) {
    Vec3 m = v3(margin, margin, margin);
    return (RbAabb){v3_sub(a.low, m), v3_add(a.high, m)};
}

// Touching counts as overlapping.
static inline bool rb_aabb_overlap(RbAabb a, RbAabb b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y &&
           b.low.y <= a.high.y && a.low.z <= b.high.z && b.low.z <= a.high.z;
}

static inline bool rb_aabb_contains(RbAabb outer, RbAabb inner) {
    return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
           outer.high.x >= inner.high.x && outer.high.y >= inner.high.y &&
           outer.high.z >= inner.high.z;
}

// [m] Distance of two boxes; 0 if they overlap. No box may be empty.
static inline double rb_aabb_distance(RbAabb a, RbAabb b) {
    Vec3 gap = rb_aabb_max(v3_sub(a.low, b.high), v3_sub(b.low, a.high));
    return v3_norm(rb_aabb_max(gap, V3_ZERO));
}

// A box that is not empty, without NaN.
static inline bool rb_aabb_valid(RbAabb a) {
    return a.low.x <= a.high.x && a.low.y <= a.high.y && a.low.z <= a.high.z;
}

static inline Vec3 rb_aabb_edges(RbAabb a) {
    return v3_sub(a.high, a.low);
}
static inline Vec3 rb_aabb_centre(RbAabb a) {
    return v3_scale(0.5, v3_add(a.low, a.high));
}
