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

static double finite_or_zero(double x) {
    return isfinite(x) ? x : 0.0;
}

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

// --- closed forms
// -------------------------------------------------------------------------------------------------------

// The sphere b and the core a, in the frame of shape a. Only the centre of b is needed, no relative
// orientation.
static void core_and_point(const RbCore *a, const RbCore *b, Pose X_AB, RbGap *out) {
    Vec3 centre = pose_point(X_AB, b->frame.r), n;
    double d = rb_core_point(a, pose_unpoint(a->frame, centre), &n);
    n = m3_mul_vec(a->frame.R, n);
    out->distance = d - (a->radius + b->radius);
    out->normal = n;
    out->point_a = v3_axpy(centre, a->radius - d, n);
    out->point_b = v3_axpy(centre, -b->radius, n);
    out->error = 0;
    out->status = RB_GAP_EXACT;
}

static void point_and_core(const RbCore *a, const RbCore *b, Pose X_AB, RbGap *out) {
    Vec3 centre = a->frame.r, n;
    double d = rb_core_point(b, pose_unpoint(b->frame, pose_unpoint(X_AB, centre)), &n);
    n = v3_neg(m3_mul_vec(X_AB.R, m3_mul_vec(b->frame.R, n)));
    out->distance = d - (a->radius + b->radius);
    out->normal = n;
    out->point_a = v3_axpy(centre, a->radius, n);
    out->point_b = v3_axpy(centre, d - b->radius, n);
    out->error = 0;
    out->status = RB_GAP_EXACT;
}

// Two segments, in the frame of shape a: axes only.
static void two_segments(const RbCore *a, const RbCore *b, Pose X_AB, RbGap *out) {
    RbSegment sa = {a->frame.r, m3_column(a->frame.R, 2), a->h.z};
    RbSegment sb = {pose_point(X_AB, b->frame.r), m3_mul_vec(X_AB.R, m3_column(b->frame.R, 2)),
                    b->h.z};
    RbCoreGap g = rb_segment_distance(sa, sb, fmax(a->size, b->size) + v3_max_abs(X_AB.r));
    out->distance = g.distance - (a->radius + b->radius);
    out->normal = g.normal;
    out->point_a = v3_axpy(g.a, a->radius, g.normal);
    out->point_b = v3_axpy(g.b, -b->radius, g.normal);
    out->error = 0;
    out->status = RB_GAP_EXACT;
}

// Spheres and capsules are by far the most frequent: they skip the relative pose.
static bool quick_form(const RbCore *a, const RbCore *b, Pose X_AB, RbGap *out) {
    if (a->kind == RB_CORE_HALFSPACE || b->kind == RB_CORE_HALFSPACE) return false;
    if (b->kind == RB_CORE_POINT)
        core_and_point(a, b, X_AB, out);
    else if (a->kind == RB_CORE_POINT)
        point_and_core(a, b, X_AB, out);
    else if (a->kind == RB_CORE_SEGMENT && b->kind == RB_CORE_SEGMENT)
        two_segments(a, b, X_AB, out);
    else
        return false;
    return true;
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

static bool with_halfspace(const Query *q, RbCoreGap *out) {
    if (q->a->kind == RB_CORE_HALFSPACE)
        *out = halfspace_and_core(q);
    else if (q->b->kind == RB_CORE_HALFSPACE)
        *out = core_and_halfspace(q);
    else
        return false;
    return true;
}

// --- iterations
// ---------------------------------------------------------------------------------------------------------

static bool try_warm(const Query *q, RbPlaced *A, RbPlaced *B, const RbPairMemory *memory,
                     RbCoreGap *out) {
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
    bool disjoint;
    if (q->a->kind == RB_CORE_POLYTOPE && q->b->kind == RB_CORE_POLYTOPE) {
        disjoint = rb_near_polytopes(&A, &B, q->scale, q->X.r, memory, &g) != RB_NEAR_OVERLAP;
    } else {
        disjoint = try_warm(q, &A, &B, memory, &g) ||
                   rb_near_cold(&A, &B, q->scale, q->X.r, &g) != RB_NEAR_OVERLAP;
    }
    RbCoreGap deep;
    if (!disjoint) { // a separating plane after all: rounding hid it from GJK
        deep = rb_deep(q->a, q->b, q->X, q->scale);
        double inset = A.inset + B.inset;
        if (deep.distance + inset > 0) {
            disjoint = rb_near_warm(&A, &B, q->scale, deep.normal,
                                    v3_axpy(deep.b, B.inset, deep.normal), &g);
        }
    }
    remember(q, g, disjoint, memory);
    return disjoint ? undo_inset(g, A.inset, B.inset) : deep;
}

// --- entry
// --------------------------------------------------------------------------------------------------------------

static void invalid(RbGap *out) {
    *out = (RbGap){.distance = NAN, .normal = {0, 0, 1}, .error = NAN, .status = RB_GAP_INVALID};
}

static bool is_usable(const RbCore *c) {
    return v3_finite(c->h) && isfinite(c->radius) && v3_finite(c->frame.r) &&
           (c->kind != RB_CORE_POLYTOPE || (c->polytope && c->polytope->vertex_count > 0));
}

void rb_distance(const RbCore *a, const RbCore *b, Pose X_AB, RbPairMemory *memory, RbGap *out) {
    bool both_unbounded = a->kind == RB_CORE_HALFSPACE && b->kind == RB_CORE_HALFSPACE;
    if (both_unbounded || !is_usable(a) || !is_usable(b)) {
        invalid(out);
        return;
    }
    if (!quick_form(a, b, X_AB, out)) {
        Query q = query_of(a, b, X_AB);
        RbCoreGap g = {.distance = NAN};
        if (isfinite(q.scale) && !with_halfspace(&q, &g)) g = iterate(&q, memory);
        finish(&q, g, out);
    }
    if (!isfinite(out->distance) || !v3_finite(out->normal)) invalid(out);
}

void rb_distance_by(RbDistanceMethod method, const RbCore *a, const RbCore *b, Pose X_AB,
                    RbPairMemory *memory, RbGap *out) {
    bool bounded = a->kind != RB_CORE_HALFSPACE && b->kind != RB_CORE_HALFSPACE;
    if (method == RB_DISTANCE_MPR && bounded)
        rb_mpr(a, b, X_AB, rb_mpr_options(), out, NULL);
    else
        rb_distance(a, b, X_AB, memory, out);
}
