// SPDX-License-Identifier: MIT
// aabb.h: axis-aligned boxes, by value. A box may be a point (lo = hi) and may reach to infinity
// (half-spaces).
#pragma once

#include "math/vec3.h"

typedef struct RbAabb {
    Vec3 lo, hi; // [m] lo <= hi in every component
} RbAabb;

// The empty box: the union with it changes nothing, and it overlaps nothing.
#define RB_AABB_EMPTY ((RbAabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}})

// Plain comparisons: unlike fmin and fmax they become one instruction.
static inline double rb_aabb_less(double a, double b) {
    return a < b ? a : b;
}
static inline double rb_aabb_more(double a, double b) {
    return a > b ? a : b;
}

static inline RbAabb rb_aabb_point(Vec3 p) {
    return (RbAabb){p, p};
}

static inline RbAabb rb_aabb_union(RbAabb a, RbAabb b) {
    return (RbAabb){
        {rb_aabb_less(a.lo.x, b.lo.x), rb_aabb_less(a.lo.y, b.lo.y), rb_aabb_less(a.lo.z, b.lo.z)},
        {rb_aabb_more(a.hi.x, b.hi.x), rb_aabb_more(a.hi.y, b.hi.y), rb_aabb_more(a.hi.z, b.hi.z)}};
}

// Every face moved out by margin [m].
static inline RbAabb rb_aabb_grow(RbAabb a, double margin) {
    return (RbAabb){{a.lo.x - margin, a.lo.y - margin, a.lo.z - margin},
                    {a.hi.x + margin, a.hi.y + margin, a.hi.z + margin}};
}

// Boxes that touch overlap.
static inline bool rb_aabb_overlap(const RbAabb *a, const RbAabb *b) {
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) &
           (b->lo.y <= a->hi.y) & (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

// Does a contain all of b?
static inline bool rb_aabb_contains(const RbAabb *a, const RbAabb *b) {
    return (a->lo.x <= b->lo.x) & (b->hi.x <= a->hi.x) & (a->lo.y <= b->lo.y) &
           (b->hi.y <= a->hi.y) & (a->lo.z <= b->lo.z) & (b->hi.z <= a->hi.z);
}

// The gaps between two boxes along the axes, 0 where they overlap: the shortest way from one to the
// other. [m]
static inline Vec3 rb_aabb_gap(const RbAabb *a, const RbAabb *b) {
    return (Vec3){
        rb_aabb_more(0, rb_aabb_more(a->lo.x - b->hi.x, b->lo.x - a->hi.x)),
        rb_aabb_more(0, rb_aabb_more(a->lo.y - b->hi.y, b->lo.y - a->hi.y)),
        rb_aabb_more(0, rb_aabb_more(a->lo.z - b->hi.z, b->lo.z - a->hi.z)),
    };
}

// Euclidean distance, 0 for boxes that overlap. [m]
static inline double rb_aabb_distance(const RbAabb *a, const RbAabb *b) {
    return v3_norm(rb_aabb_gap(a, b));
}

static inline bool rb_aabb_valid(const RbAabb *a) {
    return a->lo.x <= a->hi.x && a->lo.y <= a->hi.y && a->lo.z <= a->hi.z; // false for NaN
}
