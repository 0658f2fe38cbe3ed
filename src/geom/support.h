// SPDX-License-Identifier: MIT
// support.h: support mappings: the point of a convex set that lies farthest along a direction.
//
// Where a whole edge or face is farthest the answer is its centre, so that symmetric input has a
// symmetric answer (a polytope answers one of the vertices). Inline because distance queries spend
// their time here.
#pragma once

#include <stddef.h>

#include "geom/core.h"

// Polytopes with more vertices are searched by climbing along edges.
enum { RB_SUPPORT_SCAN_LIMIT = 32 };

// Farthest point of the core alone, in frame C, along d_C: a direction of about unit length
// (squares must neither over- nor underflow). hint: for polytopes the vertex where the last search
// ended, in and out; NULL starts anew.
static inline Vec3 rb_core_support(const RbCore *core, Vec3 d_C, int *hint);

// Farthest point of the whole shape, in the frame of the shape, along d, which may have any length
// but zero.
static inline Vec3 rb_support(const RbCore *core, Vec3 d);

// Vertex of the polytope farthest along d.
static inline int rb_polytope_support(const RbPolytope *p, Vec3 d, int start);

// -1, 0, 1
static inline double rb_support_sign(double x) {
    return (double)((x > 0) - (x < 0));
}

// radius * (x, y) / |(x, y)|; the centre where the direction has no such part. Below the limit the
// part adds less than 1e-145 of the radius to the distance.
static inline Vec3 rb_support_circle(double radius, double x, double y) {
    double n2 = x * x + y * y;
    if (!(n2 > 1e-290)) return V3_ZERO;
    double s = radius / sqrt(n2);
    return v3(s * x, s * y, 0);
}

// Base or top circle: the generator line between them is farthest where  2 h.z d.z = (h.x - h.y)
// |(d.x, d.y)|.
static inline Vec3 rb_support_frustum(Vec3 h, Vec3 d) {
    double radial = sqrt(d.x * d.x + d.y * d.y);
    bool top = 2 * h.z * d.z >= (h.x - h.y) * radial;
    Vec3 p = rb_support_circle(top ? h.y : h.x, d.x, d.y);
    p.z = top ? h.z : -h.z;
    return p;
}

// A² d / |A d| with A = diag(h).
static inline Vec3 rb_support_ellipsoid(Vec3 h, Vec3 d) {
    Vec3 a = v3_mul(h, d);
    double n = v3_norm(a);
    return n > 0 ? v3_mul(h, v3_scale(1 / n, a)) : V3_ZERO;
}

// A half-space has a farthest point only along its normal; it is infinitely far along all others.
static inline Vec3 rb_support_halfspace(Vec3 d) {
    Vec3 p = V3_ZERO;
    if (d.x != 0) p.x = copysign(INFINITY, d.x);
    if (d.y != 0) p.y = copysign(INFINITY, d.y);
    if (d.z < 0) p.z = -INFINITY;
    return p;
}

static inline Vec3 rb_core_support(const RbCore *core, Vec3 d, int *hint) {
    Vec3 h = core->h;
    switch (core->kind) {
        case RB_CORE_POINT: return V3_ZERO;
        case RB_CORE_SEGMENT: return v3(0, 0, rb_support_sign(d.z) * h.z);
        case RB_CORE_BOX:
            return v3(rb_support_sign(d.x) * h.x, rb_support_sign(d.y) * h.y,
                      rb_support_sign(d.z) * h.z);
        case RB_CORE_CYLINDER: {
            Vec3 p = rb_support_circle(h.x, d.x, d.y);
            p.z = rb_support_sign(d.z) * h.z;
            return p;
        }
        case RB_CORE_FRUSTUM: return rb_support_frustum(h, d);
        case RB_CORE_BEAM: {
            Vec3 p = rb_support_circle(h.y, d.x, d.y);
            p.x += rb_support_sign(d.x) * h.x;
            p.z = rb_support_sign(d.z) * h.z;
            return p;
        }
        case RB_CORE_ELLIPSOID: return rb_support_ellipsoid(h, d);
        case RB_CORE_POLYTOPE: {
            int i = rb_polytope_support(core->polytope, d, hint ? *hint : 0);
            if (hint) *hint = i;
            return core->polytope->vertices[i];
        }
        case RB_CORE_HALFSPACE: return rb_support_halfspace(d);
        case RB_CORE_KIND_COUNT: break;
    }
    return V3_ZERO;
}

static inline Vec3 rb_support(const RbCore *core, Vec3 d) {
    Vec3 unit = v3_unit(d);
    Vec3 p = rb_core_support(core, m3_tmul_vec(core->frame.R, unit), NULL);
    return v3_axpy(pose_point(core->frame, p), core->radius, unit);
}

static inline int rb_polytope_scan(const RbPolytope *p, Vec3 d) {
    int best = 0;
    double most = v3_dot(p->vertices[0], d);
    for (int i = 1; i < p->vertex_count; i++) {
        double along = v3_dot(p->vertices[i], d);
        if (along > most) {
            most = along;
            best = i;
        }
    }
    return best;
}

// A vertex of a convex polytope that is farther than all its neighbours is the farthest of all
// (linear programming), so going uphill along edges ends there. Each step is strictly uphill: no
// cycles.
static inline int rb_polytope_climb(const RbPolytope *p, Vec3 d, int start) {
    int best = start;
    double most = v3_dot(p->vertices[start], d);
    for (;;) {
        int here = best;
        for (int k = p->neighbour_start[here]; k < p->neighbour_start[here + 1]; k++) {
            double along = v3_dot(p->vertices[p->neighbours[k]], d);
            if (along > most) {
                most = along;
                best = p->neighbours[k];
            }
        }
        if (best == here) return best;
    }
}

static inline int rb_polytope_support(const RbPolytope *p, Vec3 d, int start) {
    return p->vertex_count <= RB_SUPPORT_SCAN_LIMIT ? rb_polytope_scan(p, d)
                                                    : rb_polytope_climb(p, d, start);
}
