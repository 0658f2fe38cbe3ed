// SPDX-License-Identifier: MIT
#include "collide/patch.h"

#include <math.h>
#include <stddef.h>

#include "collide/patch_along.h"
#include "collide/patch_cores.h"
#include "collide/patch_round.h"
#include "collide/patch_spot.h"

static bool is_polyhedron(const RbCore *c) {
    return c->kind == RB_CORE_BOX || c->kind == RB_CORE_POLYTOPE || c->kind == RB_CORE_HALFSPACE;
}

static RbSharedThere shared_there(const RbPatchMoments *m, const double rates[6],
                                  RbContactPlane plane) {
    return (RbSharedThere){m->volume, m->area, rb_patch_wrench(plane, rates)};
}

typedef struct OnHalfspace {
    RbPatchPair pair;
    RbFixed fixed;
    RbContactPlane plane;
} OnHalfspace;

static RbSharedThere on_halfspace(void *user, double way) {
    const OnHalfspace *h = user;
    RbPatchPair pair = h->pair;
    RbPatchLook look;
    pair.radius -= way;
    rb_patch_look(&pair, h->plane, &look);
    const RbPatchMoments *m = &look.moments;
    bool by_a = h->fixed == RB_FIXED_TO_B;
    return shared_there(m, by_a ? m->by_a.volume : m->by_b.volume, h->plane);
}

// A half-space keeps its normal: the motion of the other body alone counts.
static void patch_on_halfspace(const RbPatchPair *pair, bool spot, RbPatch *out) {
    RbPatchLook look;
    rb_patch_look(pair, rb_plane_of_patch(out), &look);
    RbFixed fixed = pair->core[1]->kind == RB_CORE_HALFSPACE ? RB_FIXED_TO_B : RB_FIXED_TO_A;
    *out = rb_along(&look, pair, fixed).patch;
    if (!spot) return;
    OnHalfspace h = {*pair, fixed, look.view.plane};
    out->spot = rb_patch_spot_along(pair->gap, pair->reach, on_halfspace, &h, out);
}

static void sum_up(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, bool spot,
                   RbPatch *out) {
    *out = rb_empty_patch(gap);
    if (!(gap->distance < 0)) return;
    if (rb_has_round_patch(a, b)) {
        rb_patch_round(a, b, X_AB, gap, out);
        return;
    }
    if (!is_polyhedron(a) || !is_polyhedron(b)) return;
    RbPatchPair pair = {.core = {a, b},
                        .X = {a->frame, pose_mul(X_AB, b->frame)},
                        .gap = gap,
                        .reach = rb_region_reach(a, b),
                        .radius = a->radius + b->radius,
                        .goal = RB_GOAL_SQUARE};
    if (a->kind == RB_CORE_HALFSPACE || b->kind == RB_CORE_HALFSPACE) {
        patch_on_halfspace(&pair, spot, out);
        return;
    }
    RbHalf half;
    rb_patch_of_cores(&pair, out, &half);
    if (spot) out->spot = rb_patch_spot(&pair, out, &half);
}

void rb_patch_by_sums(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out) {
    sum_up(a, b, X_AB, gap, true, out);
}

void rb_patch_by_faces(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap,
                       RbPatch *out) {
    sum_up(a, b, X_AB, gap, false, out);
}

static Wrench turned(Mat3 R, Wrench w) {
    return (Wrench){m3_mul_vec(R, w.t), m3_mul_vec(R, w.f)};
}

RbPatch rb_patch_in_world(RbPatch p, Pose X) {
    p.origin = pose_point(X, p.origin);
    p.u = m3_mul_vec(X.R, p.u), p.v = m3_mul_vec(X.R, p.v), p.n = m3_mul_vec(X.R, p.n);
    p.volume_slope = turned(X.R, p.volume_slope);
    p.square_slope = turned(X.R, p.square_slope);
    p.spot.slope = turned(X.R, p.spot.slope);
    p.energy_slope = turned(X.R, p.energy_slope);
    return p;
}

// ---- a face of any outline

typedef struct OnFace {
    RbPatch *patch;
    RbSight sight; // of B
    RbFaceParts *parts;
    void *user;
    double depth, height; // [m] of the foremost point of B, over the origin
    RbFacets facets;      // of B, as many as there is room for
    bool covered;
    RbPatchMoments totals;
} OnFace;

static void note_extent(const RbPatchPiece *p, RbPatchMoments *t) {
    for (int k = 0; k < p->count; k++) {
        int next = k + 1 == p->count ? 0 : k + 1;
        t->deepest = fmax(t->deepest, p->w[k]);
        if (p->border[k] == RB_BORDER_EDGE)
            t->edges += hypot(p->x[next] - p->x[k], p->y[next] - p->y[k]);
    }
}

static bool has_origin(const RbFacet *f) {
    for (int k = 0; k < f->count; k++) {
        int next = k + 1 == f->count ? 0 : k + 1;
        double dx = f->u[next] - f->u[k], dy = f->v[next] - f->v[k];
        if (dy * f->u[k] - dx * f->v[k] < 0) return false;
    }
    return true;
}

// The face is that of a half-space, of which the triangle is a part.
static void take_part(void *taker, const RbFacePart *part) {
    OnFace *o = taker;
    RbFacet a = {.count = 3};
    for (int k = 0; k < 3; k++) {
        Vec3 d = v3_sub(part->v[k], o->patch->origin);
        a.u[k] = v3_dot(d, o->patch->u), a.v[k] = v3_dot(d, o->patch->v);
    }
    o->covered |= has_origin(&a);
    for (int j = 0; j < o->facets.count; j++) {
        const RbFacet *b = &o->facets.facet[j];
        RbPatchPiece p;
        if (rb_is_steep(b) || !rb_piece_of(&a, b, o->depth, part->edge, &p)) continue;
        rb_patch_moments_add(&p, NULL, b, (const double[]){0, o->height}, &o->totals);
        if (!b->back) note_extent(&p, &o->totals);
    }
}

static void add_parts(OnFace *o) {
    int next = 0;
    o->totals = (RbPatchMoments){0};
    do {
        next = rb_facets(&o->sight, next, &o->facets);
        o->parts(o->user, take_part, o);
    } while (next > 0);
}

static RbSharedThere on_face(void *user, double way) {
    OnFace *o = user;
    double depth = o->depth;
    o->depth -= way;
    add_parts(o);
    o->depth = depth;
    return shared_there(&o->totals, o->totals.by_b.volume, o->sight.plane);
}

void rb_patch_on_face(RbFaceParts *parts, void *user, const RbCore *b, Pose X_AB, const RbGap *gap,
                      RbFacePatch *out) {
    const RbCore plane = {.kind = RB_CORE_HALFSPACE, .size = INFINITY};
    double depth = -gap->distance, small = rb_region_reach(&plane, b), reach = fmax(small, depth);
    *out = (RbFacePatch){.patch = rb_empty_patch(gap)};
    if (!(depth > 0)) return;
    RbPatch *p = &out->patch;
    Pose X = pose_mul(X_AB, b->frame);
    OnFace o = {
        .patch = p,
        .sight = {b, X, rb_plane_of_patch(p), -1, RB_OUTLINE_FIXED, reach, 2 * b->size, true},
        .parts = parts,
        .user = user,
        .depth = depth,
        .height = b->radius - 0.5 * depth};
    add_parts(&o);
    out->deepest = o.totals.deepest, out->area = o.totals.area;
    out->edges = o.totals.edges, out->covered = o.covered;
    if (!rb_take_moments(&o.totals, small, o.covered ? depth : out->deepest, p)) return;
    rb_take_slopes(&o.totals.by_b, p); // the normal is fixed to A: the motion of B alone counts
    if (o.covered) p->spot = rb_patch_spot_along(gap, small, on_face, &o, p);
}
