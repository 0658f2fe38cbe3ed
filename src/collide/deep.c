// SPDX-License-Identifier: MIT
#include "collide/deep.h"

#include <float.h>

#include "collide/epa.h"
#include "collide/polish.h"

static bool is_flat_sided(const RbCore *c) {
    return c->kind == RB_CORE_BOX || c->kind == RB_CORE_POLYTOPE || c->kind == RB_CORE_SEGMENT;
}

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

// One step of polishing the normal n of an overlap of depth -g. B is moved out along n until it is
// `lift` away; the closest points there name the pieces, and these their exact normal at the true
// place.
static bool polish_step(RbPlaced *A, RbPlaced *B, double g, double lift, double scale,
                        RbCoreGap *gap) {
    RbPlaced moved = *B;
    Vec3 n = gap->normal, shift = v3_scale(lift - g, n);
    moved.X.r = v3_add(B->X.r, shift);
    Vec3 start = rb_placed_support(&moved, v3_neg(n));
    RbCoreGap out;
    if (!rb_near_warm(A, &moved, scale, n, start, &out) &&
        rb_near_cold(A, &moved, scale, n, &out) != RB_NEAR_EXACT) {
        return false;
    }
    gap->normal = out.normal;
    gap->a = out.a;
    gap->b = v3_sub(out.b, shift);
    RbFeature fa, fb;
    RbPolish polish;
    if (!piece(A, out.b, &fa) || !piece(&moved, out.a, &fb)) return true;
    fb.point = v3_sub(fb.point, shift);
    if (rb_polish(A, &fa, B, &fb, out.normal, &polish) && v3_dot(polish.normal, out.normal) > 0.9) {
        gap->normal = polish.normal;
        if (!polish.free_a && !polish.free_b) gap->a = polish.a, gap->b = polish.b;
    }
    return true;
}

enum { POLISH_ROUNDS = 12 };

// Climb from n to a local maximum of the separation g.
static RbCoreGap climb(RbPlaced *A, RbPlaced *B, Vec3 n, double scale) {
    RbCoreGap best = {.distance = separation(A, B, n), .normal = n};
    best.a = rb_placed_support(A, n);
    best.b = v3_axpy(best.a, best.distance, n);
    for (int round = 0; round < POLISH_ROUNDS; round++) {
        RbCoreGap next = best;
        double lift = 1e-3 * scale + 0.1 * fmax(0.0, -best.distance);
        if (!polish_step(A, B, best.distance, lift, scale, &next)) break;
        next.distance = separation(A, B, next.normal);
        if (!(next.distance >= best.distance - 4 * DBL_EPSILON * scale)) break;
        double gain = next.distance - best.distance;
        best = next;
        if (gain <= DBL_EPSILON * scale && round > 0) break;
    }
    return best;
}

// Other basins that may hold the true depth: the polytope's faces that are nearer than the best
// support plane.
enum { BASINS_MAX = 8 };

static int basins(const RbEpa *e, double depth, Vec3 *normals) {
    int count = 0;
    for (int f = 0; f < e->face_count && count < BASINS_MAX; f++) {
        const RbEpaFace *face = &e->faces[f];
        if (!face->alive || face->distance > depth) continue;
        bool known = false;
        for (int k = 0; k < count; k++) known = known || v3_dot(normals[k], face->normal) > 0.98;
        if (!known) normals[count++] = face->normal;
    }
    return count;
}

RbCoreGap rb_deep(const RbCore *a, const RbCore *b, Pose X, double scale) {
    RbPlaced A = rb_placed(a, POSE_IDENTITY, true), B = rb_placed(b, X, false);
    A.inset = B.inset = 0;
    bool exact = is_flat_sided(a) && is_flat_sided(b);
    RbEpa epa;
    bool solid = rb_epa_run(&epa, &A, &B, (exact ? 1e-15 : 1e-3) * scale, scale);
    RbCoreGap best = climb(&A, &B, v3_neg(epa.best_normal), scale);
    if (!solid) return best; // flat: its own normal is the only one
    Vec3 normals[BASINS_MAX];
    int count = exact ? 0 : basins(&epa, -best.distance, normals);
    for (int k = 0; k < count; k++) {
        if (v3_dot(normals[k], best.normal) < -0.98) continue;
        RbCoreGap other = climb(&A, &B, v3_neg(normals[k]), scale);
        if (other.distance > best.distance) best = other;
    }
    best.error = fmax(0.0, -best.distance - epa.lower);
    return best;
}
