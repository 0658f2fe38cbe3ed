// SPDX-License-Identifier: MIT
#include "collide/distance.h"

#include <float.h>

#include "geom/support.h"

#include "collide/deep.h"
#include "collide/mpr.h"
#include "collide/near.h"
#include "collide/point.h"
#include "collide/segment.h"

// The pair of cores: frames, and how large rounding errors are.
typedef struct Query {
    const RbCore *a, *b;
    Pose X;       // core frame of b in the core frame of a
    double size;  // [m] of the larger shape
    double scale; // [m] size and separation: what coordinates are rounded against
} Query;

static double finite_or_zero(double x) { return isfinite(x) ? x : 0.0; }

static Query query_of(const RbCore *a, const RbCore *b, Pose X_AB) {
    Query q = {.a = a, .b = b, .X = pose_relative(a->frame, pose_mul(X_AB, b->frame))};
    q.size = fmax(finite_or_zero(a->size), finite_or_zero(b->size));
    q.scale = q.size + v3_max_abs(q.X.r);
    return q;
}

// Add the spheres and leave the core frame.
static void finish(const Query *q, RbCoreGap core, RbGap *out) {
    Vec3 n = core.normal;
    const Pose *frame = &q->a->frame;
    out->distance = core.distance - (q->a->radius + q->b->radius);
    out->normal = m3_mul_vec(frame->R, n);
    out->point_a = pose_point(*frame, v3_axpy(core.a, q->a->radius, n));
    out->point_b = pose_point(*frame, v3_axpy(core.b, -q->b->radius, n));
    out->error = fmax(core.error, 0.0);
    out->status = out->error <= RB_GAP_TOLERANCE * q->scale ? RB_GAP_EXACT : RB_GAP_BOUNDED;
}

// --- closed forms -------------------------------------------------------------------------------------------------------

// b is a point. X.r is all that matters of the pose.
static RbCoreGap core_and_point(const Query *q) {
    RbCoreGap g = {.b = q->X.r};
    g.distance = rb_core_point(q->a, q->X.r, &g.normal);
    g.a = v3_axpy(q->X.r, -g.distance, g.normal);
    return g;
}

static RbCoreGap point_and_core(const Query *q) {
    RbCoreGap g = {.a = V3_ZERO};
    Vec3 p = v3_neg(m3_tmul_vec(q->X.R, q->X.r)), n;
    g.distance = rb_core_point(q->b, p, &n);
    g.normal = v3_neg(m3_mul_vec(q->X.R, n));
    g.b = v3_scale(g.distance, g.normal);
    return g;
}

// a is the half-space z <= 0: the lowest point of b decides.
static RbCoreGap halfspace_and_core(const Query *q) {
    Vec3 n = v3(0, 0, 1);
    RbPlaced b = rb_placed(q->b, q->X, false);
    b.inset = 0;
    Vec3 p = rb_placed_support(&b, v3_neg(n));
    return (RbCoreGap){.distance = p.z, .normal = n, .a = {p.x, p.y, 0}, .b = p};
}

static RbCoreGap core_and_halfspace(const Query *q) {
    Vec3 n = v3_neg(m3_column(q->X.R, 2)); // from the core into the half-space
    Vec3 p = rb_core_support(q->a, n, NULL);
    double d = v3_dot(n, v3_sub(q->X.r, p));
    return (RbCoreGap){.distance = d, .normal = n, .a = p, .b = v3_axpy(p, d, n)};
}

static RbCoreGap two_segments(const Query *q) {
    RbSegment a = {V3_ZERO, {0, 0, 1}, q->a->h.z};
    RbSegment b = {q->X.r, m3_column(q->X.R, 2), q->b->h.z};
    return rb_segment_distance(a, b, q->scale);
}

static bool closed_form(const Query *q, RbCoreGap *out) {
    RbCoreKind a = q->a->kind, b = q->b->kind;
    if (a == RB_CORE_HALFSPACE) *out = halfspace_and_core(q);
    else if (b == RB_CORE_HALFSPACE) *out = core_and_halfspace(q);
    else if (b == RB_CORE_POINT) *out = core_and_point(q);
    else if (a == RB_CORE_POINT) *out = point_and_core(q);
    else if (a == RB_CORE_SEGMENT && b == RB_CORE_SEGMENT) *out = two_segments(q);
    else return false;
    return true;
}

// --- iterations ---------------------------------------------------------------------------------------------------------

static bool try_warm(const Query *q, RbPlaced *A, RbPlaced *B, const RbPairMemory *memory, RbCoreGap *out) {
    if (!memory || !memory->valid) return false;
    return rb_near_warm(A, B, q->scale, memory->normal, pose_point(q->X, memory->point_b), out);
}

static void remember(const Query *q, RbCoreGap g, bool disjoint, RbPairMemory *memory) {
    if (!memory) return;
    memory->valid = disjoint;
    memory->normal = g.normal;
    memory->point_b = pose_unpoint(q->X, g.b);
}

// The ball that an ellipsoid was split into (rb_placed) goes back.
static RbCoreGap undo_inset(RbCoreGap g, double inset_a, double inset_b) {
    g.distance -= inset_a + inset_b;
    g.a = v3_axpy(g.a, inset_a, g.normal);
    g.b = v3_axpy(g.b, -inset_b, g.normal);
    return g;
}

static RbCoreGap iterate(const Query *q, RbPairMemory *memory) {
    RbPlaced A = rb_placed(q->a, POSE_IDENTITY, true), B = rb_placed(q->b, q->X, false);
    RbCoreGap g;
    bool disjoint = try_warm(q, &A, &B, memory, &g);
    if (!disjoint) disjoint = rb_near_cold(&A, &B, q->scale, q->X.r, &g) != RB_NEAR_OVERLAP;
    RbCoreGap deep;
    if (!disjoint) { // a separating plane after all: rounding hid it from GJK
        deep = rb_deep(q->a, q->b, q->X, q->scale);
        double inset = A.inset + B.inset;
        if (deep.distance + inset > 0) {
            disjoint = rb_near_warm(&A, &B, q->scale, deep.normal, v3_axpy(deep.b, B.inset, deep.normal), &g);
        }
    }
    remember(q, g, disjoint, memory);
    return disjoint ? undo_inset(g, A.inset, B.inset) : deep;
}

// --- entry --------------------------------------------------------------------------------------------------------------

static void invalid(RbGap *out) {
    *out = (RbGap){.distance = NAN, .normal = {0, 0, 1}, .error = NAN, .status = RB_GAP_INVALID};
}

static bool is_usable(const RbCore *c) {
    return v3_finite(c->h) && isfinite(c->radius) && v3_finite(c->frame.r) &&
           (c->kind != RB_CORE_POLYTOPE || (c->polytope && c->polytope->vertex_count > 0));
}

void rb_distance(const RbCore *a, const RbCore *b, Pose X_AB, RbPairMemory *memory, RbGap *out) {
    Query q = query_of(a, b, X_AB);
    bool both_unbounded = a->kind == RB_CORE_HALFSPACE && b->kind == RB_CORE_HALFSPACE;
    if (both_unbounded || !is_usable(a) || !is_usable(b) || !isfinite(q.scale)) {
        invalid(out);
        return;
    }
    RbCoreGap g = {0};
    if (!closed_form(&q, &g)) g = iterate(&q, memory);
    finish(&q, g, out);
    if (!isfinite(out->distance) || !v3_finite(out->normal)) invalid(out);
}

void rb_distance_by(RbDistanceMethod method, const RbCore *a, const RbCore *b, Pose X_AB,
                    RbPairMemory *memory, RbGap *out) {
    bool bounded = a->kind != RB_CORE_HALFSPACE && b->kind != RB_CORE_HALFSPACE;
    if (method == RB_DISTANCE_MPR && bounded) rb_mpr(a, b, X_AB, rb_mpr_options(), out, NULL);
    else rb_distance(a, b, X_AB, memory, out);
}
