// SPDX-License-Identifier: MIT
#include "collide/near.h"

#include <float.h>
#include <stddef.h>

#include "collide/point.h"
#include "collide/polish.h"

enum { WARM_ROUNDS = 3, COLD_ROUNDS = 10 };

// [m] duality gap that is nothing but rounding
static double rounding(double scale) {
    return 16 * DBL_EPSILON * scale;
}

// Neighbouring pieces can agree on the distance to rounding, which says little of the normal (its
// error is the root of that). What lies across the normal in the difference of the points tells
// them apart.
static const double misfit_tol = 1e-12; // [1] times the scale
static const double misfit_weight = 1e-3;

// Closest point of an ellipsoid's inner parallel body: the foot on the ellipsoid, inset along its
// normal. False: p is inside.
static bool project_ellipsoid(const RbPlaced *P, Vec3 p, Vec3 *closest) {
    Vec3 m, local = P->at_home ? p : pose_unpoint(P->X, p);
    double d = rb_ellipsoid_point(P->core->h, local, &m) + P->inset;
    Vec3 q = v3_axpy(local, -d, m);
    *closest = P->at_home ? q : pose_point(P->X, q);
    return d > 0;
}

// How the point of an ellipsoid, which is one piece, is found: by the normal, which is cheap and
// right if the normal is, or by projection. The support point of a needle runs along it if the
// normal turns a little, so there only the projection shows which piece of the other core is near.
typedef enum Way { BY_NORMAL, BY_PROJECTION } Way;

// Closest point of a core and its piece. False: p is inside.
static bool piece(RbPlaced *P, Vec3 p, Vec3 outward, Way way, Vec3 *closest, RbFeature *f) {
    if (P->core->kind != RB_CORE_ELLIPSOID) return rb_placed_project(P, p, closest, f);
    f->kind = RB_FEATURE_ELLIPSOID, f->ties = 0;
    if (way == BY_PROJECTION) return project_ellipsoid(P, p, closest);
    *closest = rb_placed_support(P, outward);
    return true;
}

// The nearest point of the core itself: what the pieces, taken as unbounded, propose may lie
// outside.
static Vec3 pull_in(RbPlaced *P, Vec3 p) {
    Vec3 q = p;
    if (P->core->kind != RB_CORE_ELLIPSOID) rb_placed_project(P, p, &q, NULL);
    return q;
}

// Lower bound of the distance along n, with the support points that give it.
static double separation(RbPlaced *A, RbPlaced *B, Vec3 n, Vec3 *a, Vec3 *b) {
    *a = rb_placed_support(A, n);
    *b = rb_placed_support(B, v3_neg(n));
    return v3_dot(n, v3_sub(*b, *a));
}

// The point of a core that decides where it touches a face of the other: the present one if that lies
// in the core's own support plane (an edge or a face parallel to the other), the support point otherwise.
// below [m]: of the present point under that plane. A round piece has but one such point: others that
// lie in the plane within rounding are the root of it away.
static Vec3 deciding_point(bool round, Vec3 present, Vec3 support, double below, double tiny) {
    return !round && below <= tiny ? present : support;
}

// Points of the cores for a polished normal. On a face the other body decides.
static void choose_points(RbPlaced *A, RbPlaced *B, const RbPolish *p, Vec3 support_a,
                          Vec3 support_b, double tiny, Vec3 *a, Vec3 *b) {
    Vec3 n = p->normal;
    if (p->free_a) {
        *b = deciding_point(p->round_b, *b, support_b, v3_dot(n, v3_sub(*b, support_b)), tiny);
        *a = pull_in(A, *b);
        if (p->free_b) *b = pull_in(B, *a);
    } else if (p->free_b) {
        *a = deciding_point(p->round_a, *a, support_a, v3_dot(n, v3_sub(support_a, *a)), tiny);
        *b = pull_in(B, *a);
    } else {
        *a = pull_in(A, p->a);
        *b = pull_in(B, p->b);
    }
}

static bool is_smooth(const RbPlaced *P) {
    return P->core->kind == RB_CORE_ELLIPSOID;
}

// Is the difference y of two points of the cores as short as the separation `lower` along n, within
// rounding? error [m]: by how much it is longer.
static bool is_certified(Vec3 y, double lower, Vec3 n, double scale, double *error,
                         double *across) {
    *error = v3_norm(y) - lower;
    *across = v3_norm(v3_axpy(y, -lower, n));
    return *error <= rounding(scale) && *across <= misfit_tol * scale;
}

// Two ellipsoids: each is one piece, whose points are the support points. So the best normal is all
// that is needed.
static RbNearness refine_smooth(RbPlaced *A, RbPlaced *B, double scale, Vec3 n, RbCoreGap *out) {
    RbFeature whole = {.kind = RB_FEATURE_ELLIPSOID};
    RbPolish p;
    double across;
    out->error = INFINITY;
    if (!rb_polish(A, &whole, B, &whole, n, &p)) return RB_NEAR_BOUNDED;
    Vec3 y = v3_sub(p.b, p.a);
    bool exact = is_certified(y, p.gap, p.normal, scale, &out->error, &across);
    out->distance = p.gap, out->normal = p.normal, out->a = p.a, out->b = p.b;
    return exact ? RB_NEAR_EXACT : RB_NEAR_BOUNDED;
}

// Keeps the points and the normal if they are better than what *out has. True if they are
// certified.
static bool accept(double lower, Vec3 n, Vec3 a, Vec3 b, double scale, double *best,
                   RbCoreGap *out) {
    double error, across;
    bool exact = is_certified(v3_sub(b, a), lower, n, scale, &error, &across);
    double merit = (error > 0 ? error : 0.0) + misfit_weight * across;
    if (!(merit < *best)) return false;
    *best = merit;
    *out = (RbCoreGap){lower, n, a, b, error};
    return exact;
}

// Repeats: pieces at the present points, their normal, their points, certificate. *out keeps the
// best. The normal of a result within rounding is that of the pieces, so it is as exact as the
// pieces allow, also where the cores nearly touch.
static RbNearness refine(RbPlaced *A, RbPlaced *B, double scale, Vec3 n, Vec3 b, int rounds,
                         Way way, RbCoreGap *out) {
    if (is_smooth(A) && is_smooth(B)) return refine_smooth(A, B, scale, n, out);
    double tiny = rounding(scale), best = INFINITY;
    Vec3 a;
    out->error = INFINITY;
    for (int round = 0; round < rounds; round++) {
        RbFeature fa, fb;
        if (!piece(A, b, n, way, &a, &fa)) return RB_NEAR_OVERLAP;
        if (!piece(B, a, v3_neg(n), way, &b, &fb)) return RB_NEAR_OVERLAP;
        RbPolish polish;
        n = v3_unit_or(v3_sub(b, a), n);
        bool polished = rb_polish(A, &fa, B, &fb, n, &polish);
        if (polished) n = polish.normal;
        Vec3 support_a, support_b, projected_a = a, projected_b = b;
        double lower = separation(A, B, n, &support_a, &support_b);
        if (polished) choose_points(A, B, &polish, support_a, support_b, tiny, &a, &b);
        if (accept(lower, n, a, b, scale, &best, out)) return RB_NEAR_EXACT;
        // A rim seen along its axis: the normal does not tell the point, the projection does.
        if (polished && accept(lower, n, projected_a, projected_b, scale, &best, out))
            return RB_NEAR_EXACT;
    }
    return out->error <= tiny ? RB_NEAR_EXACT : RB_NEAR_BOUNDED;
}

bool rb_near_warm(RbPlaced *A, RbPlaced *B, double scale, Vec3 n, Vec3 b, RbCoreGap *out) {
    return refine(A, B, scale, n, b, WARM_ROUNDS, BY_NORMAL, out) == RB_NEAR_EXACT &&
           out->distance > 0;
}

// What GJK itself knows, if it is better.
static void keep_gjk(RbPlaced *A, RbPlaced *B, const RbGjk *gjk, RbCoreGap *out) {
    Vec3 a = rb_gjk_point_a(gjk), b = rb_gjk_point_b(gjk), n = v3_unit(gjk->v), support_a,
         support_b;
    double lower = separation(A, B, n, &support_a, &support_b);
    double error = v3_norm(v3_sub(b, a)) -
                   lower; // points of the cores; |v| itself may come from a thin triangle
    if (error < out->error) *out = (RbCoreGap){lower, n, a, b, error};
}

RbNearness rb_near_cold(RbPlaced *A, RbPlaced *B, double scale, Vec3 guess, RbCoreGap *out) {
    static const double stages[] = {1e-2, 1e-4, 1e-7, 0.0}; // relative gap at which Newton may try
    out->error = INFINITY;
    RbGjk gjk = rb_gjk(A, B, guess);
    for (int k = 0; k < 4; k++) {
        rb_gjk_run(&gjk, A, B, stages[k], scale);
        if (gjk.overlap) return RB_NEAR_OVERLAP;
        Vec3 n = v3_unit(gjk.v);
        RbCoreGap found;
        Way way = k == 0 ? BY_NORMAL : BY_PROJECTION;
        RbNearness how = refine(A, B, scale, n, rb_gjk_point_b(&gjk), COLD_ROUNDS, way, &found);
        if (found.error < out->error) *out = found;
        if (how == RB_NEAR_EXACT) return how;
    }
    keep_gjk(A, B, &gjk, out);
    if (out->error > rounding(scale)) {
        rb_gjk_widen(&gjk, A, B, scale);
        keep_gjk(A, B, &gjk, out);
    }
    return out->error <= rounding(scale) ? RB_NEAR_EXACT : RB_NEAR_BOUNDED;
}

// --- two polytopes
// --------------------------------------------------------------------------------------------------------

static void remember_simplex(const RbSimplex *s, RbPairMemory *memory) {
    if (!memory) return;
    memory->vertex_count = s->count;
    for (int k = 0; k < s->count; k++)
        memory->vertices[k][0] = s->va[k], memory->vertices[k][1] = s->vb[k];
}

// The points of GJK and a normal that may be better than its own.
static bool certify(RbPlaced *A, RbPlaced *B, const RbGjk *gjk, Vec3 n, double scale,
                    RbCoreGap *out) {
    Vec3 a = rb_gjk_point_a(gjk), b = rb_gjk_point_b(gjk), support_a, support_b;
    double lower = separation(A, B, n, &support_a, &support_b), error, across;
    bool exact = is_certified(v3_sub(b, a), lower, n, scale, &error, &across);
    *out = (RbCoreGap){lower, n, a, b, error};
    return exact;
}

// GJK has ended on the true simplex. Its points are good; its normal comes from differences of
// points, and the pieces that the vertices span know it better.
static bool polish_simplex(RbPlaced *A, RbPlaced *B, const RbGjk *gjk, double scale,
                           RbCoreGap *out) {
    const RbSimplex *s = &gjk->simplex;
    Vec3 n = v3_unit(gjk->v);
    RbFeature fa, fb;
    rb_placed_vertices(A, s->va, s->count, n, &fa);
    rb_placed_vertices(B, s->vb, s->count, v3_neg(n), &fb);
    RbPolish polish;
    return rb_polish(A, &fa, B, &fb, n, &polish) && certify(A, B, gjk, polish.normal, scale, out);
}

RbNearness rb_near_polytopes(RbPlaced *A, RbPlaced *B, double scale, Vec3 guess,
                             RbPairMemory *memory, RbCoreGap *out) {
    bool warm = memory && memory->valid && memory->vertex_count > 0 && memory->vertex_count <= 4;
    RbGjk gjk = warm
                    ? rb_gjk_vertices(A, B, (const int(*)[2])memory->vertices, memory->vertex_count)
                    : rb_gjk(A, B, guess);
    rb_gjk_run(&gjk, A, B, 0.0, scale);
    if (gjk.overlap) return RB_NEAR_OVERLAP;
    remember_simplex(&gjk.simplex, memory);
    if (polish_simplex(A, B, &gjk, scale, out)) return RB_NEAR_EXACT;
    rb_gjk_widen(&gjk, A, B, scale);
    if (certify(A, B, &gjk, v3_unit(gjk.v), scale, out)) return RB_NEAR_EXACT;
    return rb_near_cold(A, B, scale, guess, out);
}
