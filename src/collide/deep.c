// SPDX-License-Identifier: MIT
#include "collide/deep.h"

#include <float.h>

#include "collide/epa.h"
#include "collide/polish.h"

static bool is_flat_sided(const RbCore *c) {
    return c->kind == RB_CORE_BOX || c->kind == RB_CORE_POLYTOPE || c->kind == RB_CORE_SEGMENT;
}

enum { CLIMB_ROUNDS = 12, HALVINGS = 5, BASINS_MAX = 8 };
static const double rounding = 64 * DBL_EPSILON; // [1] of the scale: an exact end of the polytope
static const double settled_tol = 1e-7;          // [rad]
static const double aligned_tol = 1e-12;         // [1] of the scale: points opposite each other
static const double basin_tol = 1e-5;            // [1] of the scale
static const double basin_cosine = 0.9999;       // normals closer than this count as one basin

static double separation(RbPlaced *A, RbPlaced *B, Vec3 n) {
    return v3_dot(n, v3_sub(rb_placed_support(B, v3_neg(n)), rb_placed_support(A, n)));
}

// Surface pieces at the closest points of two disjoint cores.
static bool piece(RbPlaced *P, Vec3 other, RbFeature *f) {
    Vec3 q;
    if (P->core->kind != RB_CORE_ELLIPSOID) return rb_placed_project(P, other, &q, f);
    *f = (RbFeature){.kind = RB_FEATURE_ELLIPSOID};
    return true;
}

// One step of polishing the normal of an overlap. B is moved out along the normal until it is
// `lift` away; the closest points there name the pieces, and these their exact normal at the true
// place. The normal is settled if the closest points themselves confirm it.
static bool polish_step(RbPlaced *A, RbPlaced *B, double scale, RbCoreGap *gap, bool *settled) {
    RbPlaced moved = *B;
    double lift = 1e-3 * scale + 0.1 * fmax(0.0, -gap->distance); // [m]
    Vec3 n = gap->normal, shift = v3_scale(lift - gap->distance, n);
    moved.X.r = v3_add(B->X.r, shift);
    Vec3 start = rb_placed_support(&moved, v3_neg(n));
    RbCoreGap out;
    if (!rb_near_warm(A, &moved, scale, n, start, &out) &&
        rb_near_cold(A, &moved, scale, n, &out) != RB_NEAR_EXACT) {
        return false;
    }
    *settled = v3_distance(out.normal, n) < settled_tol;
    gap->normal = out.normal;
    gap->a = out.a;
    gap->b = v3_sub(out.b, shift);
    RbFeature fa, fb;
    RbPolish polish;
    if (!piece(A, out.b, &fa) || !piece(&moved, out.a, &fb)) return true;
    fb.point = v3_sub(fb.point, shift);
    if (rb_polish(A, &fa, B, &fb, out.normal, &polish) && v3_dot(polish.normal, out.normal) > 0.9) {
        gap->normal = polish.normal;
        // Unless they are free, or a rim is seen along its axis, where the normal does not tell
        // them.
        Vec3 across = v3_axpy(v3_sub(polish.b, polish.a), -polish.gap, polish.normal);
        bool aligned = v3_norm(across) <= aligned_tol * scale;
        if (aligned && !polish.free_a && !polish.free_b) gap->a = polish.a, gap->b = polish.b;
    }
    return true;
}

// The step may lead past the maximum: go half way until g does not fall.
static bool hold_back(RbPlaced *A, RbPlaced *B, double scale, const RbCoreGap *from,
                      RbCoreGap *next) {
    for (int half = 0; half < HALVINGS; half++) {
        next->distance = separation(A, B, next->normal);
        if (next->distance >= from->distance - 4 * DBL_EPSILON * scale) return true;
        next->normal = v3_unit(v3_add(from->normal, next->normal));
    }
    return false;
}

// Climb from n to a local maximum of the separation g. True if the closest points confirm it.
static bool climb(RbPlaced *A, RbPlaced *B, Vec3 n, double scale, RbCoreGap *best) {
    *best = (RbCoreGap){.distance = separation(A, B, n), .normal = n};
    best->a = rb_placed_support(A, n);
    best->b = v3_axpy(best->a, best->distance, n);
    bool settled = false;
    for (int round = 0; round < CLIMB_ROUNDS; round++) {
        RbCoreGap next = *best;
        if (!polish_step(A, B, scale, &next, &settled)) return false;
        if (!hold_back(A, B, scale, best, &next)) return settled;
        double gain = next.distance - best->distance;
        *best = next;
        if (gain <= DBL_EPSILON * scale && settled) return true;
    }
    return settled;
}

// Other basins may hold the true depth. The polytope grows until only those are left that are
// within basin_tol of the best; the faces that are still nearer are climbed from.
static void try_basins(RbPlaced *A, RbPlaced *B, RbEpa *e, double scale, RbCoreGap *best) {
    rb_epa_grow(e, A, B, -best->distance, basin_tol * scale, scale);
    Vec3 tried[BASINS_MAX + 1] = {v3_neg(best->normal)};
    int count = 1;
    for (int f = 0; f < e->face_count && count <= BASINS_MAX; f++) {
        const RbEpaFace *face = &e->faces[f];
        if (!face->alive || !(face->distance < -best->distance)) continue;
        bool known = false;
        for (int k = 0; k < count; k++)
            known = known || v3_dot(tried[k], face->normal) > basin_cosine;
        if (known) continue;
        tried[count++] = face->normal;
        RbCoreGap other;
        climb(A, B, v3_neg(face->normal), scale, &other);
        if (other.distance > best->distance) *best = other;
    }
}

// The nearest face of the polytope is a face of M itself: its normal, and the foot of the origin in
// terms of its corners.
static RbCoreGap from_face(const RbEpa *e) {
    const RbEpaFace *f = &e->faces[e->nearest];
    Vec3 w0 = e->w[f->v[0]], w1 = e->w[f->v[1]], w2 = e->w[f->v[2]], n = v3_neg(f->normal);
    Vec3 foot = v3_scale(f->distance, f->normal);
    double whole = v3_dot(f->normal, v3_cross(v3_sub(w1, w0), v3_sub(w2, w0)));
    double s1 = v3_dot(f->normal, v3_cross(v3_sub(foot, w0), v3_sub(w2, w0))) / whole;
    double s2 = v3_dot(f->normal, v3_cross(v3_sub(w1, w0), v3_sub(foot, w0))) / whole;
    Vec3 a = v3_scale(1 - s1 - s2, e->a[f->v[0]]);
    a = v3_axpy(v3_axpy(a, s1, e->a[f->v[1]]), s2, e->a[f->v[2]]);
    return (RbCoreGap){-e->upper, n, a, v3_axpy(a, -e->upper, n), e->upper - e->lower};
}

RbCoreGap rb_deep(const RbCore *a, const RbCore *b, Pose X, double scale) {
    RbPlaced A, B;
    rb_placed_at_home(&A, a);
    rb_placed_at(&B, b, &X);
    A.inset = B.inset = 0;
    RbEpa epa;
    RbCoreGap best;
    bool solid = rb_epa_start(&epa, &A, &B, scale);
    bool exact = is_flat_sided(a) && is_flat_sided(b);
    for (double tolerance = exact ? 1e-15 : 1e-3;; tolerance *= 1e-2) {
        bool room = solid && rb_epa_grow(&epa, &A, &B, INFINITY, tolerance * scale, scale);
        if (exact && room && epa.upper - epa.lower <= rounding * scale) return from_face(&epa);
        bool settled = climb(&A, &B, v3_neg(epa.best_normal), scale, &best);
        if (settled || !room || tolerance < 1e-10) break;
    }
    if (!solid) return best; // flat: its own normal is the only one
    if (!exact) try_basins(&A, &B, &epa, scale, &best);
    best.error = fmax(0.0, -best.distance - epa.lower);
    return best;
}
