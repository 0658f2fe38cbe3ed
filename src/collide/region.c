// SPDX-License-Identifier: MIT
// The patch of contact: where the separation along the normal stays within eta of its least
// (docs/theory/contact-region.md).
#include "collide/distance.h"

#include <string.h>

#include "collide/outline.h"

enum { POLYGON_MAX = 96, CLOUD_MAX = 384 };

// Convex polygon with the weight eta - excess at its vertices.
typedef struct Patch {
    int count;
    double u[POLYGON_MAX], v[POLYGON_MAX], weight[POLYGON_MAX];
} Patch;

// Sums over all pairs of facets.
typedef struct Sums {
    double area;               // [m^2]
    double weight;             // [m^3] integral of eta - excess
    double moment_u, moment_v; // [m^4]
    int cloud;                 // vertices of all patches: their hull is the outline
    double u[CLOUD_MAX], v[CLOUD_MAX];
} Sums;

static void clear(Sums *s) {
    s->area = s->weight = s->moment_u = s->moment_v = 0;
    s->cloud = 0;
}

// --- clipping
// -----------------------------------------------------------------------------------------------------------

static void put(Patch *p, double u, double v, double weight) {
    if (p->count == POLYGON_MAX) return;
    p->u[p->count] = u, p->v[p->count] = v, p->weight[p->count++] = weight;
}

// Keep the part where side >= 0 (given at the vertices, linear between them).
static void clip(Patch *p, const double *side) {
    Patch out;
    out.count = 0;
    for (int k = 0; k < p->count; k++) {
        int next = k + 1 == p->count ? 0 : k + 1;
        bool here = side[k] >= 0, there = side[next] >= 0;
        if (here) put(&out, p->u[k], p->v[k], p->weight[k]);
        if (here == there) continue;
        double t = side[k] / (side[k] - side[next]);
        put(&out, p->u[k] + t * (p->u[next] - p->u[k]), p->v[k] + t * (p->v[next] - p->v[k]),
            p->weight[k] + t * (p->weight[next] - p->weight[k]));
    }
    p->count = out.count;
    size_t bytes = (size_t)out.count * sizeof(double);
    memcpy(p->u, out.u, bytes), memcpy(p->v, out.v, bytes), memcpy(p->weight, out.weight, bytes);
}

static void clip_by_facet(Patch *p, const RbFacet *f) {
    double side[POLYGON_MAX];
    for (int k = 0; k < f->count && p->count > 0; k++) {
        int next = k + 1 == f->count ? 0 : k + 1;
        double du = f->u[next] - f->u[k], dv = f->v[next] - f->v[k];
        bool cuts = false;
        for (int i = 0; i < p->count; i++) {
            side[i] = du * (p->v[i] - f->v[k]) - dv * (p->u[i] - f->u[k]);
            cuts = cuts || side[i] < 0;
        }
        if (cuts) clip(p, side);
    }
}

// --- one pair of facets
// -------------------------------------------------------------------------------------------------

// Over a triangle the linear weight w integrates to S (w0 + w1 + w2)/3, and w (u, v) to S/12 (sum w
// sum p + sum w p).
static void integrate(const Patch *p, Sums *s) {
    for (int k = 1; k + 1 < p->count; k++) {
        int i[3] = {0, k, k + 1};
        double w = 0, u = 0, v = 0, wu = 0, wv = 0;
        for (int j = 0; j < 3; j++) {
            w += p->weight[i[j]], u += p->u[i[j]], v += p->v[i[j]];
            wu += p->weight[i[j]] * p->u[i[j]], wv += p->weight[i[j]] * p->v[i[j]];
        }
        double area = 0.5 * ((p->u[k] - p->u[0]) * (p->v[k + 1] - p->v[0]) -
                             (p->v[k] - p->v[0]) * (p->u[k + 1] - p->u[0]));
        s->area += area;
        s->weight += area * w / 3;
        s->moment_u += area / 12 * (w * u + wu);
        s->moment_v += area / 12 * (w * v + wv);
    }
    for (int k = 0; k < p->count && s->cloud < CLOUD_MAX; k++) {
        s->u[s->cloud] = p->u[k], s->v[s->cloud++] = p->v[k];
    }
}

typedef struct Bounds {
    double u0, u1, v0, v1; // [m]
} Bounds;

static Bounds bounds_of(const RbFacet *f) {
    Bounds b = {f->u[0], f->u[0], f->v[0], f->v[0]};
    for (int k = 1; k < f->count; k++) {
        b.u0 = fmin(b.u0, f->u[k]), b.u1 = fmax(b.u1, f->u[k]);
        b.v0 = fmin(b.v0, f->v[k]), b.v1 = fmax(b.v1, f->v[k]);
    }
    return b;
}

static bool are_apart(Bounds a, Bounds b) {
    return a.u0 > b.u1 || b.u0 > a.u1 || a.v0 > b.v1 || b.v0 > a.v1;
}

static void pair_of_facets(const RbFacet *a, const RbFacet *b, double eta, Sums *s) {
    Patch p;
    double side[POLYGON_MAX];
    p.count = a->count;
    bool cuts = false, any = false;
    for (int k = 0; k < a->count; k++) {
        double of_b = b->excess[0] + b->gu * (a->u[k] - b->u[0]) + b->gv * (a->v[k] - b->v[0]);
        p.u[k] = a->u[k], p.v[k] = a->v[k], p.weight[k] = side[k] = eta - a->excess[k] - of_b;
        cuts = cuts || side[k] < 0;
        any = any || side[k] > 0;
    }
    if (!any) return;
    if (cuts) clip(&p, side);
    clip_by_facet(&p, b);
    if (p.count >= 3) integrate(&p, s);
}

typedef struct Taking {
    double eta; // [m]
    Sums *sums;
} Taking;

static void take_facets(void *taker, const RbFacets *a, const RbFacets *b) {
    const Taking *t = taker;
    Bounds of_b[RB_FACETS];
    for (int j = 0; j < b->count; j++) of_b[j] = bounds_of(&b->facet[j]);
    for (int i = 0; i < a->count; i++) {
        Bounds of_a = bounds_of(&a->facet[i]);
        for (int j = 0; j < b->count; j++) {
            if (!are_apart(of_a, of_b[j]))
                pair_of_facets(&a->facet[i], &b->facet[j], t->eta, t->sums);
        }
    }
}

// --- outline of the patch
// -------------------------------------------------------------------------------------------------

static double turn(const Sums *s, int a, int b, int c) {
    return (s->u[b] - s->u[a]) * (s->v[c] - s->v[a]) - (s->v[b] - s->v[a]) * (s->u[c] - s->u[a]);
}

static void sort_cloud(Sums *s) { // insertion sort by u, then v: few points, nearly sorted in runs
    for (int i = 1; i < s->cloud; i++) {
        double u = s->u[i], v = s->v[i];
        int j = i;
        for (; j > 0 && (s->u[j - 1] > u || (s->u[j - 1] == u && s->v[j - 1] > v)); j--) {
            s->u[j] = s->u[j - 1], s->v[j] = s->v[j - 1];
        }
        s->u[j] = u, s->v[j] = v;
    }
}

// Corner i of the cloud goes on the chain. One that repeats the last corner within rounding would
// turn anywhere, and the corner before could never be dropped again.
static int extend_chain(const Sums *s, int *hull, int count, int keep, int i, double tiny) {
    while (count >= keep && turn(s, hull[count - 2], hull[count - 1], i) <= 0) count--;
    double du = count > 0 ? s->u[i] - s->u[hull[count - 1]] : INFINITY;
    double dv = count > 0 ? s->v[i] - s->v[hull[count - 1]] : INFINITY;
    if (fabs(du) > tiny || fabs(dv) > tiny) hull[count++] = i;
    return count;
}

// Convex hull by Andrew's monotone chain; indices of the corners, counter-clockwise. Corners closer
// than `tiny` [m] are one.
static int hull_of(const Sums *s, int *hull, double tiny) {
    int count = 0;
    for (int i = 0; i < s->cloud; i++) count = extend_chain(s, hull, count, 2, i, tiny);
    int keep = count + 1;
    for (int i = s->cloud - 2; i >= 0; i--) count = extend_chain(s, hull, count, keep, i, tiny);
    return count > 1 ? count - 1 : count; // the last one is the first again
}

// How far the origin (the closest points) lies outside the hull [m]; 0 inside.
static double origin_outside(const Sums *s, const int *hull, int count, double eta) {
    double most = 0;
    for (int k = 0; k < count; k++) {
        int a = hull[k], b = hull[k + 1 == count ? 0 : k + 1];
        double du = s->u[b] - s->u[a], dv = s->v[b] - s->v[a], length = sqrt(du * du + dv * dv);
        if (length > 1e-5 * eta)
            most = // shorter edges point anywhere
                fmax(most, (du * s->v[a] - dv * s->u[a]) / length);
    }
    return most;
}

static void outline_of(const Sums *s, const int *hull, int count, RbContactPlane plane,
                       RbContactRegion *out) {
    int stride =
        (count + RB_REGION_MAX - 1) / RB_REGION_MAX; // drop corners of very round patches evenly
    out->count = 0;
    for (int k = 0; k < count; k += stride) {
        Vec3 p = v3_axpy(plane.origin, s->u[hull[k]], plane.u);
        out->polygon[out->count++] = v3_axpy(p, s->v[hull[k]], plane.v);
    }
}

// --- the region
// -----------------------------------------------------------------------------------------------------------

double rb_region_reach(const RbCore *a, const RbCore *b) {
    double radius =
        fmin(a->radius > 0 ? a->radius : INFINITY, b->radius > 0 ? b->radius : INFINITY);
    double size =
        fmin(isfinite(a->size) ? a->size : INFINITY, isfinite(b->size) ? b->size : INFINITY);
    return 0.1 * (isfinite(radius) ? radius : 1e-3 * size);
}

static void single_point(const RbGap *gap, RbContactRegion *out) {
    *out = (RbContactRegion){.point = v3_lerp(gap->point_a, gap->point_b, 0.5), .count = 1};
    out->polygon[0] = out->point;
}

// One way to draw the circles of A and B, with its share.
static void add_share(const RbCore *const core[2], const Pose X[2], RbContactPlane plane,
                      double eta, const RbOutline outline[2], double share, Sums *total,
                      Vec3 *shift) {
    if (!(share > 0)) return;
    Sums s;
    clear(&s);
    double extent = 2 * (isfinite(core[0]->size) ? core[0]->size : core[1]->size);
    const RbSight of_a = {core[0], X[0], plane, +1, outline[0], eta, extent},
                  of_b = {core[1], X[1], plane, -1, outline[1], eta, extent};
    rb_facets_of_both(&of_a, &of_b, take_facets, &(Taking){eta, &s});
    if (s.weight > 0) {
        shift->x += share * s.moment_u / s.weight;
        shift->y += share * s.moment_v / s.weight;
    }
    double area = total->area + share * s.area;
    if (share >= 0.5 || total->cloud == 0) *total = s;
    total->area = area;
}

// How much of the patch's centre counts, the rest being the closest points. The spot that the
// smoothing spheres alone share weighs about pi eta^3. A patch of 1e-9 of that is rounding. And
// where the overlap of two round rims begins, facets meet at another place than the circles: a
// patch that misses the closest points counts as it grows beyond the spot.
static double trust(const Sums *s, double outside, double eta) {
    double spot = 3.14 * eta * eta * eta;
    double missed = fmin(1.0, outside / (0.01 * eta));
    return s->weight / (s->weight + 1e-9 * spot) * (1 - missed * spot / (s->weight + spot));
}

void rb_contact_region(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, double eta,
                       RbContactRegion *out) {
    single_point(gap, out);
    if (gap->status == RB_GAP_INVALID || !rb_has_facets(a) || !rb_has_facets(b) || !(eta > 0))
        return;
    const RbCore *const core[2] = {a, b};
    const Pose X[2] = {a->frame, pose_mul(X_AB, b->frame)};
    Vec3 n = gap->normal, u = v3_perpendicular(n);
    RbContactPlane plane = {out->point, u, v3_cross(n, u), n};
    double blend[2];
    for (int i = 0; i < 2; i++) blend[i] = rb_outline_blend(core[i], m3_tmul_vec(X[i].R, n), eta);
    Sums total;
    clear(&total);
    Vec3 shift = V3_ZERO;
    for (int k = 0; k < 4; k++) {
        const RbOutline way[2] = {k & 1 ? RB_OUTLINE_LEANING : RB_OUTLINE_FIXED,
                                  k & 2 ? RB_OUTLINE_LEANING : RB_OUTLINE_FIXED};
        double share = (k & 1 ? blend[0] : 1 - blend[0]) * (k & 2 ? blend[1] : 1 - blend[1]);
        add_share(core, X, plane, eta, way, share, &total, &shift);
    }
    if (total.cloud < 3) return;
    int hull[2 * CLOUD_MAX + 2];
    sort_cloud(&total);
    int corners = hull_of(&total, hull, 1e-9 * eta);
    out->area = total.area;
    outline_of(&total, hull, corners, plane, out);
    shift = v3_scale(trust(&total, origin_outside(&total, hull, corners, eta), eta), shift);
    out->point = v3_axpy(v3_axpy(plane.origin, shift.x, plane.u), shift.y, plane.v);
}
