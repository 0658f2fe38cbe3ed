// SPDX-License-Identifier: MIT
#include "collide/distance.h"

#include <float.h>

#include "geom/support.h"

#include "collide/deep.h"
#include "collide/mpr.h"
#include "collide/near.h"
#include "collide/point.h"
#include "collide/line_segment.h"

// The pair of cores: frames, and how large rounding errors are.
typedef struct Query {
    const RbCore *a, *b;
    Pose X;       // core frame of b in the core frame of a
    double size;  // [m] of the larger shape
    double scale; // [m] size and separation: what coordinates are rounded against
} Query;

static double larger(double a, double b) {
    return a > b ? a : b;
}

static void query_of(const RbCore *a, const RbCore *b, const Pose *X_AB, Query *q) {
    q->a = a, q->b = b;
    q->X = pose_relative(a->frame, pose_mul(*X_AB, b->frame));
    q->size = larger(a->size, b->size); // bounded: half-spaces have closed forms
    q->scale = q->size + v3_max_abs(q->X.r);
}

// Add the spheres and leave the core frame.
static void finish(const Query *q, const RbCoreGap *core, RbGap *out) {
    Vec3 n = core->normal;
    const Pose *frame = &q->a->frame;
    out->distance = core->distance - (q->a->radius + q->b->radius);
    out->normal = m3_mul_vec(frame->R, n);
    out->point_a = pose_point(*frame, v3_axpy(core->a, q->a->radius, n));
    out->point_b = pose_point(*frame, v3_axpy(core->b, -q->b->radius, n));
    out->error = larger(core->error, 0.0);
    out->status = out->error <= RB_GAP_TOLERANCE * q->scale ? RB_GAP_EXACT : RB_GAP_BOUNDED;
}

// --- closed forms: in the frame of shape a, with no more of the relative pose than they need
// -------------------------------------------------------------------------------------------------------

// From the distance d of the cores, their normal and the point of core a, frame of shape a.
static void answer(const RbCore *a, const RbCore *b, double d, Vec3 n, Vec3 on_a, RbGap *out) {
    out->distance = d - (a->radius + b->radius);
    out->normal = n;
    out->point_a = v3_axpy(on_a, a->radius, n);
    out->point_b = v3_axpy(on_a, d - b->radius, n);
    out->error = 0;
    out->status = RB_GAP_EXACT;
}

// The sphere b and the core a: the centre of b is all that is needed.
static void core_and_point(const RbCore *a, const RbCore *b, const Pose *X, RbGap *out) {
    Vec3 centre = pose_point(*X, b->frame.r), n;
    double d = rb_core_point(a, pose_unpoint(a->frame, centre), &n);
    n = m3_mul_vec(a->frame.R, n);
    answer(a, b, d, n, v3_axpy(centre, -d, n), out);
}

static void point_and_core(const RbCore *a, const RbCore *b, const Pose *X, RbGap *out) {
    Vec3 centre = a->frame.r, n;
    double d = rb_core_point(b, pose_unpoint(b->frame, pose_unpoint(*X, centre)), &n);
    n = v3_neg(m3_mul_vec(X->R, m3_mul_vec(b->frame.R, n)));
    answer(a, b, d, n, centre, out);
}

// Two segments: axes only.
static void two_segments(const RbCore *a, const RbCore *b, const Pose *X, RbGap *out) {
    RbLineSegment sa = {a->frame.r, m3_column(a->frame.R, 2), a->h.z};
    RbLineSegment sb = {pose_point(*X, b->frame.r), m3_mul_vec(X->R, m3_column(b->frame.R, 2)), b->h.z};
    Vec3 n, on_a;
    double d =
        rb_segment_distance(&sa, &sb, larger(a->size, b->size) + v3_max_abs(X->r), &n, &on_a);
    answer(a, b, d, n, on_a, out);
}

// a is the half-space z <= 0 of its core frame: the lowest point of b decides.
static void halfspace_and_core(const RbCore *a, const RbCore *b, const Pose *X, RbGap *out) {
    Vec3 n = m3_column(a->frame.R, 2);
    Vec3 down = v3_neg(m3_tmul_vec(b->frame.R, m3_tmul_vec(X->R, n)));
    Vec3 p = pose_point(*X, pose_point(b->frame, rb_core_support(b, down, NULL)));
    double d = v3_dot(n, v3_sub(p, a->frame.r));
    answer(a, b, d, n, v3_axpy(p, -d, n), out);
}

static void core_and_halfspace(const RbCore *a, const RbCore *b, const Pose *X, RbGap *out) {
    Vec3 n = v3_neg(m3_mul_vec(X->R, m3_column(b->frame.R, 2))); // into the half-space
    Vec3 p = pose_point(a->frame, rb_core_support(a, m3_tmul_vec(a->frame.R, n), NULL));
    double d = v3_dot(n, v3_sub(pose_point(*X, b->frame.r), p));
    answer(a, b, d, n, p, out);
}

static bool closed_form(const RbCore *a, const RbCore *b, const Pose *X, RbGap *out) {
    if (a->kind == RB_CORE_HALFSPACE)
        halfspace_and_core(a, b, X, out);
    else if (b->kind == RB_CORE_HALFSPACE)
        core_and_halfspace(a, b, X, out);
    else if (b->kind == RB_CORE_POINT)
        core_and_point(a, b, X, out);
    else if (a->kind == RB_CORE_POINT)
        point_and_core(a, b, X, out);
    else if (a->kind == RB_CORE_SEGMENT && b->kind == RB_CORE_SEGMENT)
        two_segments(a, b, X, out);
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
    RbPlaced A, B;
    rb_placed_at_home(&A, q->a);
    rb_placed_at(&B, q->b, &q->X);
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

// 0 if all are finite, NaN otherwise: one comparison for many numbers.
static double finite_or_nan(Vec3 v) {
    return (v.x - v.x) + (v.y - v.y) + (v.z - v.z);
}

static bool is_usable(const RbCore *c) {
    double zero = finite_or_nan(c->h) + finite_or_nan(c->frame.r) + (c->radius - c->radius);
    return zero == 0 &&
           (c->kind != RB_CORE_POLYTOPE || (c->polytope && c->polytope->vertex_count > 0));
}

// The general case, apart from the closed forms: these need none of its work space.
static void __attribute__((noinline))
general_form(const RbCore *a, const RbCore *b, const Pose *X_AB, RbPairMemory *memory, RbGap *out) {
    Query q;
    query_of(a, b, X_AB, &q);
    RbCoreGap g = {.distance = NAN};
    if (isfinite(q.scale)) g = iterate(&q, memory);
    finish(&q, &g, out);
}

void rb_distance(const RbCore *a, const RbCore *b, Pose X_AB, RbPairMemory *memory, RbGap *out) {
    bool both_unbounded = a->kind == RB_CORE_HALFSPACE && b->kind == RB_CORE_HALFSPACE;
    if (both_unbounded || !is_usable(a) || !is_usable(b)) {
        invalid(out);
        return;
    }
    if (!closed_form(a, b, &X_AB, out)) general_form(a, b, &X_AB, memory, out);
    if (!((out->distance - out->distance) + finite_or_nan(out->normal) == 0)) invalid(out);
}

void rb_distance_by(RbDistanceMethod method, const RbCore *a, const RbCore *b, Pose X_AB,
                    RbPairMemory *memory, RbGap *out) {
    bool bounded = a->kind != RB_CORE_HALFSPACE && b->kind != RB_CORE_HALFSPACE;
    if (method == RB_DISTANCE_MPR && bounded)
        rb_mpr(a, b, X_AB, rb_mpr_options(), out, NULL);
    else
        rb_distance(a, b, X_AB, memory, out);
}
