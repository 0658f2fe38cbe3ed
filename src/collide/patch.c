// SPDX-License-Identifier: MIT
#include "collide/patch.h"

#include <math.h>
#include <stddef.h>

#include "collide/patch_normal.h"
#include "collide/patch_round.h"
#include "collide/patch_spot.h"

// ---- faces

static bool is_polyhedron(const RbCore *c) {
    return c->kind == RB_CORE_BOX || c->kind == RB_CORE_POLYTOPE || c->kind == RB_CORE_HALFSPACE;
}

// The normal of the face that looks most along m; both in the frame of the core.
static Vec3 face_along(const RbCore *c, Vec3 m) {
    Vec3 k = v3_abs(m), best = v3(0, 0, 1);
    switch (c->kind) {
        case RB_CORE_BOX:
            if (k.x > k.y && k.x > k.z) return v3(copysign(1, m.x), 0, 0);
            if (k.y > k.z) return v3(0, copysign(1, m.y), 0);
            return v3(0, 0, copysign(1, m.z));
        case RB_CORE_POLYTOPE:
            best = c->polytope->face_normals[0];
            for (int i = 1; i < c->polytope->face_count; i++) {
                Vec3 n = c->polytope->face_normals[i];
                if (v3_dot(n, m) > v3_dot(best, m)) best = n;
            }
            return best;
        default: return best;
    }
}

// Normals that faces fix: that of A, that of B, and the one in the middle of both.
typedef enum Fixed { FIXED_TO_A, FIXED_TO_B, FIXED_TO_BOTH, FIXED_COUNT } Fixed;

typedef struct Faces {
    Vec3 normal[FIXED_COUNT]; // from A to B
    double apart;             // [rad] nearly: those of A and B
} Faces;

static Vec3 face_normal(const RbPatchPair *p, int body) {
    double side = body ? -1 : 1;
    Vec3 n = v3_scale(side, m3_tmul_vec(p->X[body].R, p->gap->normal));
    return v3_scale(side, m3_mul_vec(p->X[body].R, face_along(p->core[body], n)));
}

static Faces faces_of(const RbPatchPair *p) {
    Vec3 a = face_normal(p, 0), b = face_normal(p, 1);
    return (Faces){{a, b, v3_unit_or(v3_add(a, b), a)}, v3_distance(a, b)};
}

// ---- a patch along one normal

static RbContactPlane plane_of(const RbPatch *p) {
    return (RbContactPlane){p->origin, p->u, p->v, p->n};
}

static RbPatch empty_patch(const RbGap *gap) {
    Vec3 n = gap->normal, u = v3_perpendicular(n);
    return (RbPatch){
        .origin = v3_lerp(gap->point_a, gap->point_b, 0.5), .u = u, .v = v3_cross(n, u), .n = n};
}

// V of the spot of rounded corners (contact/press.c).
static double spot_volume(double reach, double depth) {
    return 31.4 * reach * depth * depth;
}

// Against that this little counts for nothing, and what rounding leaves of it has no centre. True: it was taken.
static bool take_moments(const RbPatchMoments *t, double reach, double depth, RbPatch *out) {
    if (!(t->volume > 1e-6 * spot_volume(reach, depth)) || !(t->square > 0)) return false;
    out->area = t->area, out->volume = t->volume, out->square = t->square;
    out->x = t->x / t->volume, out->y = t->y / t->volume;
    out->xx = t->xx / t->volume, out->xy = t->xy / t->volume, out->yy = t->yy / t->volume;
    return true;
}

static void take_slopes(const RbPatchRates *r, RbPatch *out) {
    out->volume_slope = rb_patch_wrench(plane_of(out), r->volume);
    out->square_slope = rb_patch_wrench(plane_of(out), r->square);
}

// Whose motion counts: if the normal is fixed to a body, the other one's; else the mean of both, which does not depend on the order. With the normal that
// presses most it does not matter.
static void rates_of(const double by_a[6], const double by_b[6], Fixed fixed, double out[6]) {
    double of_a = fixed == FIXED_TO_A ? 0 : fixed == FIXED_TO_B ? 1 : 0.5;
    for (int j = 0; j < 6; j++) out[j] = of_a * by_a[j] + (1 - of_a) * by_b[j];
}

static Wrench combined(Wrench a, double ka, Wrench b, double kb) {
    return (Wrench){v3_axpy(v3_scale(ka, a.t), kb, b.t), v3_axpy(v3_scale(ka, a.f), kb, b.f)};
}

// A patch, log(W^1.5/V), what the normal is to make largest, and how these change as B moves.
typedef struct Along {
    RbPatch patch;
    double press, aim;
    Wrench press_slope, aim_slope;
} Along;

static Along along(const RbPatchLook *look, const RbPatchPair *pair, Fixed fixed) {
    const RbPatchMoments *m = &look->moments;
    Along out = {.patch = empty_patch(pair->gap)};
    RbPatch *p = &out.patch;
    RbPatchRates r;
    double aim[6];
    p->u = look->view.plane.u, p->v = look->view.plane.v, p->n = look->view.plane.n;
    if (!take_moments(m, pair->reach, -pair->gap->distance, p)) return out;
    rates_of(m->by_a.volume, m->by_b.volume, fixed, r.volume);
    rates_of(m->by_a.square, m->by_b.square, fixed, r.square);
    rates_of(look->aim.by_a, look->aim.by_b, fixed, aim);
    take_slopes(&r, p);
    out.press = 1.5 * log(p->square) - log(p->volume), out.aim = look->aim.value;
    out.press_slope = combined(p->square_slope, 1.5 / p->square, p->volume_slope, -1 / p->volume);
    out.aim_slope = rb_patch_wrench(plane_of(p), aim);
    return out;
}

// ---- faces against the normal that presses most

// How much of a patch along the normal of a face counts whose aim is less by the gain G than the largest one: all below g, nothing from 4 g on.
typedef struct Weight {
    double part, rate;
} Weight;

static const double LITTLE = 1e-4; // g
static const double FAR = 4e-3;    // a loss estimated to be so much is more than 4 g

static Weight weight_of(double gain) {
    double x = fmax(0, fmin(1, (gain / LITTLE - 1) / 3));
    return (Weight){1 - x * x * (3 - 2 * x), -6 * x * (1 - x) / (3 * LITTLE)};
}

// k: as a part; slopes are left to the caller.
static void add_part(const RbPatch *q, double k, RbPatch *p) {
    p->area += k * q->area, p->volume += k * q->volume;
    p->x += k * q->x, p->y += k * q->y;
    p->xx += k * q->xx, p->xy += k * q->xy, p->yy += k * q->yy;
    p->n = v3_axpy(p->n, k, q->n);
    p->volume_slope = combined(p->volume_slope, 1, q->volume_slope, k);
}

// log U = L₁ + w_m (L_m - L₁) + (1 - w_m) Q,   Q = w_A (1 - w_B/2) (L_A - L₁) + w_B (1 - w_A/2) (L_B - L₁)  (contact-patch.md, (2b')). Slopes are exact.
static void mix(const Along *best, const Along face[FIXED_COUNT], RbPatch *out) {
    Weight w[FIXED_COUNT];
    double gain[FIXED_COUNT], c[FIXED_COUNT], by_weight[FIXED_COUNT], press = best->press, Q = 0;
    for (int i = 0; i < FIXED_COUNT; i++) {
        bool is = face[i].patch.volume > 0;
        w[i] = is ? weight_of(best->aim - face[i].aim) : (Weight){0, 0};
        gain[i] = is ? face[i].press - best->press : 0;
    }
    double between = w[FIXED_TO_BOTH].part, rest = 1;
    for (int i = 0; i < 2; i++) {
        double other = 0.5 * w[1 - i].part, part = w[i].part * (1 - other);
        c[i] = (1 - between) * part, Q += part * gain[i];
        by_weight[i] = (1 - between) * ((1 - other) * gain[i] - other * gain[1 - i]);
    }
    c[FIXED_TO_BOTH] = between, by_weight[FIXED_TO_BOTH] = gain[FIXED_TO_BOTH] - Q;
    Wrench slope = {V3_ZERO, V3_ZERO};
    *out = (RbPatch){.origin = best->patch.origin, .u = best->patch.u};
    for (int i = 0; i < FIXED_COUNT; i++) {
        if (!(w[i].part > 0)) continue;
        double rate = w[i].rate * by_weight[i];
        rest -= c[i], press += c[i] * gain[i];
        slope = combined(slope, 1, face[i].press_slope, c[i]);
        slope = combined(slope, 1, combined(best->aim_slope, 1, face[i].aim_slope, -1), rate);
        add_part(&face[i].patch, c[i], out);
    }
    slope = combined(slope, 1, best->press_slope, rest);
    add_part(&best->patch, rest, out);
    out->n = v3_unit(out->n);
    out->u = v3_unit(v3_axpy(out->u, -v3_dot(out->u, out->n), out->n));
    out->v = v3_cross(out->n, out->u);
    out->square = exp((press + log(out->volume)) / 1.5);
    out->square_slope =
        combined(slope, out->square / 1.5, out->volume_slope, out->square / 1.5 / out->volume);
}

// The patch along the normal that presses most, from a look that is near.
static Along best_along(const RbPatchPair *pair, RbPatchLook looks[3], RbPatchLook **at) {
    RbPatchLook *other;
    Wrench turning;
    double part;
    *at = rb_patch_normal(pair, looks, &other, &part);
    Along out = along(*at, pair, FIXED_COUNT);
    RbPatch *p = &out.patch;
    if (!(p->volume > 0)) return out;
    if (other) {
        Along flank = along(other, pair, FIXED_COUNT);
        out.press_slope = combined(out.press_slope, part, flank.press_slope, 1 - part);
        out.aim_slope = combined(out.aim_slope, part, flank.aim_slope, 1 - part);
    }
    RbPatchLook *scratch = looks;
    while (scratch == *at || scratch == other) scratch++;
    if (rb_patch_turning(pair, *at, other, part, scratch, &turning))
        out.press_slope = combined(out.press_slope, 1, turning, 1);
    p->square_slope =
        combined(out.press_slope, p->square / 1.5, p->volume_slope, p->square / 1.5 / p->volume);
    return out;
}

static RbContactPlane plane_along(RbContactPlane p, Vec3 n) {
    p.n = n;
    p.u = v3_unit_or(v3_axpy(p.u, -v3_dot(p.u, n), n), v3_perpendicular(n));
    p.v = v3_cross(n, p.u);
    return p;
}

// The normal in the middle turns with the mean of both bodies, and a little as they twist about it: towards m x (m_B - m_A).
static Along along_fixed(const RbPatchLook *look, const RbPatchPair *pair, const Faces *faces,
                         Fixed fixed) {
    Along out = along(look, pair, fixed);
    RbPatch *p = &out.patch;
    if (fixed != FIXED_TO_BOTH || !(p->volume > 0)) return out;
    Vec3 across = v3_sub(faces->normal[FIXED_TO_B], faces->normal[FIXED_TO_A]);
    Vec3 to = v3_scale(0.25, v3_cross(p->n, across));
    double x = v3_dot(to, p->u), y = v3_dot(to, p->v), V[2], W[2];
    rb_slope_by_normal(look->moments.by_a.volume, look->moments.by_b.volume, V);
    rb_slope_by_normal(look->moments.by_a.square, look->moments.by_b.square, W);
    double volume = V[0] * x + V[1] * y, square = W[0] * x + W[1] * y;
    double press = 1.5 * square / p->square - volume / p->volume;
    double aim = look->aim.slope[0] * x + look->aim.slope[1] * y;
    p->volume_slope.t = v3_axpy(p->volume_slope.t, volume, p->n);
    p->square_slope.t = v3_axpy(p->square_slope.t, square, p->n);
    out.press_slope.t = v3_axpy(out.press_slope.t, press, p->n);
    out.aim_slope.t = v3_axpy(out.aim_slope.t, aim, p->n);
    return out;
}

static bool is_at(const RbPatchLook *look, Vec3 m) {
    const double rounding = 1e-10;
    return v3_distance(look->view.plane.n, m) < rounding;
}

// Where a face fixes the normal and little would be gained by another one it stays: one look is enough, and flush bodies have no ridge to stand on. True: so it is.
static bool is_settled(const RbPatchLook *look, const Faces *faces, Fixed *fixed) {
    if (!(rb_patch_gain(&look->aim) < 0.1 * LITTLE)) return false;
    *fixed = FIXED_TO_BOTH;
    if (is_at(look, faces->normal[FIXED_TO_BOTH])) return true;
    *fixed = is_at(look, faces->normal[FIXED_TO_A]) ? FIXED_TO_A : FIXED_TO_B;
    if (!is_at(look, faces->normal[*fixed])) return false;
    return rb_patch_loss(look, faces->normal[FIXED_TO_BOTH]) > FAR;
}

// It is likely that the normal in the middle will do.
static bool is_flush(const RbPatchPair *pair, const Faces *f) {
    double bend = pair->radius / -pair->gap->distance; // of the aim, about
    double far = v3_distance(f->normal[FIXED_TO_BOTH], pair->gap->normal);
    return bend * f->apart * f->apart < 8 * LITTLE && far < f->apart + 1e-10;
}

// The cores, A moved by s, overlap for all s of a convex set: that of their closest points is at its border, that of their middles inside. So they do where the way
// from one to the other is as long as the radius.
static Vec3 normal_inwards(const RbPatchPair *pair) {
    Vec3 near = v3_scale(pair->radius + pair->gap->distance, pair->gap->normal);
    Vec3 way = v3_sub(rb_patch_way_in(pair), near);
    double a = v3_norm2(way), b = v3_dot(way, near),
           c = v3_norm2(near) - pair->radius * pair->radius;
    if (!(c < 0)) return pair->gap->normal; // deep in each other, or without rounding
    double t = fmin(1, -c / (b + sqrt(b * b - a * c)));
    return v3_unit_or(v3_axpy(near, t, way), pair->gap->normal);
}

// Next to nothing overlaps along the normal of the distance if corners touch that lie beside each other: then further inwards.
static bool is_beside(const RbPatchPair *pair, const RbPatchLook *look) {
    double spot = spot_volume(pair->reach, -pair->gap->distance);
    return !isfinite(look->aim.value) || look->moments.volume < 1e-3 * spot;
}

static void look_inwards(const RbPatchPair *pair, RbContactPlane plane, RbPatchLook looks[2]) {
    rb_patch_look(pair, plane_along(plane, normal_inwards(pair)), &looks[1]);
    if (looks[1].aim.value > looks[0].aim.value) looks[0] = looks[1];
}

static void patch_of_polyhedra(const RbPatchPair *pair, RbPatch *out) {
    RbPatchLook looks[3], *at;
    Faces faces = faces_of(pair);
    Fixed fixed;
    RbContactPlane first = plane_of(out);
    if (is_flush(pair, &faces)) first = plane_along(first, faces.normal[FIXED_TO_BOTH]);
    rb_patch_look(pair, first, looks);
    if (!isfinite(looks->aim.value)) rb_patch_look(pair, plane_of(out), looks);
    if (is_beside(pair, looks)) look_inwards(pair, plane_of(out), looks);
    if (is_settled(looks, &faces, &fixed)) {
        *out = along_fixed(looks, pair, &faces, fixed).patch;
        return;
    }
    Along best = best_along(pair, looks, &at), face[FIXED_COUNT] = {{.aim = 0}};
    *out = best.patch;
    if (!(best.patch.volume > 0)) return;
    RbPatchLook *scratch = &looks[at == looks];
    for (int i = FIXED_COUNT - 1; i >= 0; i--) {
        if (rb_patch_loss(at, faces.normal[i]) > FAR) continue;
        rb_patch_look(pair, plane_along(at->view.plane, faces.normal[i]), scratch);
        face[i] = along_fixed(scratch, pair, &faces, (Fixed)i);
        if (i == FIXED_TO_BOTH && best.aim - face[i].aim < LITTLE) break; // all of it counts
    }
    mix(&best, face, out);
}

// ---- all of it

static RbSharedThere shared_there(const RbPatchMoments *m, const double rates[6],
                                  RbContactPlane plane) {
    return (RbSharedThere){m->volume, m->area, rb_patch_wrench(plane, rates)};
}

typedef struct OnHalfspace {
    RbPatchPair pair;
    Fixed fixed;
    RbContactPlane plane;
} OnHalfspace;

static RbSharedThere on_halfspace(void *user, double way) {
    const OnHalfspace *h = user;
    RbPatchPair pair = h->pair;
    RbPatchLook look;
    pair.radius -= way;
    rb_patch_look(&pair, h->plane, &look);
    const RbPatchMoments *m = &look.moments;
    bool by_a = h->fixed == FIXED_TO_B;
    return shared_there(m, by_a ? m->by_a.volume : m->by_b.volume, h->plane);
}

// A half-space keeps its normal: the motion of the other body alone counts.
static void patch_on_halfspace(const RbPatchPair *pair, RbPatch *out) {
    RbPatchLook look;
    rb_patch_look(pair, plane_of(out), &look);
    Fixed fixed = pair->core[1]->kind == RB_CORE_HALFSPACE ? FIXED_TO_B : FIXED_TO_A;
    *out = along(&look, pair, fixed).patch;
    OnHalfspace h = {*pair, fixed, look.view.plane};
    out->spot = rb_patch_spot_along(pair->gap, pair->reach, on_halfspace, &h, out);
}

void rb_patch(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out) {
    *out = empty_patch(gap);
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
                        .radius = a->radius + b->radius};
    if (a->kind == RB_CORE_HALFSPACE || b->kind == RB_CORE_HALFSPACE) {
        patch_on_halfspace(&pair, out);
        return;
    }
    patch_of_polyhedra(&pair, out);
    out->spot = rb_patch_spot(&pair, out);
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
        note_extent(&p, &o->totals);
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
    *out = (RbFacePatch){.patch = empty_patch(gap)};
    if (!(depth > 0)) return;
    RbPatch *p = &out->patch;
    Pose X = pose_mul(X_AB, b->frame);
    OnFace o = {.patch = p,
                .sight = {b, X, plane_of(p), -1, RB_OUTLINE_FIXED, reach, 2 * b->size},
                .parts = parts,
                .user = user,
                .depth = depth,
                .height = b->radius - 0.5 * depth};
    add_parts(&o);
    out->deepest = o.totals.deepest, out->area = o.totals.area;
    out->edges = o.totals.edges, out->covered = o.covered;
    if (!take_moments(&o.totals, small, o.covered ? depth : out->deepest, p)) return;
    take_slopes(&o.totals.by_b, p); // the normal is fixed to A: the motion of B alone counts
    if (o.covered) p->spot = rb_patch_spot_along(gap, small, on_face, &o, p);
}
