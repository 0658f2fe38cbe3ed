// SPDX-License-Identifier: MIT
#include "collide/patch.h"

#include <string.h>

#include "collide/outline.h"
#include "collide/patch_round.h"

enum { CORNERS_MAX = 96 };

// Where an edge of a polygon comes from decides with which body it moves: A, also at an edge of a face, or B.
typedef enum Border { BORDER_A, BORDER_B, BORDER_ZERO, BORDER_EDGE } Border;

// Convex polygon with w at its corners; border[k] is the edge from corner k to the next.
typedef struct Piece {
    int count;
    double x[CORNERS_MAX], y[CORNERS_MAX], w[CORNERS_MAX];
    unsigned char border[CORNERS_MAX];
} Piece;

// Facets of both bodies over the piece: slopes of their heights, and heights over the origin.
typedef struct Surfaces {
    double gx[2], gy[2], height[2];
} Surfaces;

// Moments; rates of V and W per unit of (v_x, v_y, v_n, w_x, w_y, w_n), each body alone moving.
typedef struct Totals {
    double area, volume, square, x, y, xx, xy, yy;
    double volume_rate[2][6], square_rate[2][6];
    double deepest, edges; // largest w; length of borders that are edges of a face
} Totals;

// ---- clipping

static void put(Piece *p, double x, double y, double w, unsigned char border) {
    if (p->count == CORNERS_MAX) return;
    p->x[p->count] = x, p->y[p->count] = y, p->w[p->count] = w, p->border[p->count++] = border;
}

// Keep the part where side >= 0; the cut is a border of its own kind.
static void clip(Piece *p, const double *side, Border cut) {
    Piece out;
    out.count = 0;
    for (int k = 0; k < p->count; k++) {
        int next = k + 1 == p->count ? 0 : k + 1;
        bool here = side[k] >= 0, there = side[next] >= 0;
        if (here) put(&out, p->x[k], p->y[k], p->w[k], p->border[k]);
        if (here == there) continue;
        double t = side[k] / (side[k] - side[next]);
        put(&out, p->x[k] + t * (p->x[next] - p->x[k]), p->y[k] + t * (p->y[next] - p->y[k]),
            p->w[k] + t * (p->w[next] - p->w[k]), here ? (unsigned char)cut : p->border[k]);
    }
    p->count = out.count;
    size_t bytes = (size_t)out.count * sizeof(double);
    memcpy(p->x, out.x, bytes), memcpy(p->y, out.y, bytes), memcpy(p->w, out.w, bytes);
    memcpy(p->border, out.border, (size_t)out.count);
}

static void clip_by_facet(Piece *p, const RbFacet *f) {
    double side[CORNERS_MAX];
    for (int k = 0; k < f->count && p->count > 0; k++) {
        int next = k + 1 == f->count ? 0 : k + 1;
        double dx = f->u[next] - f->u[k], dy = f->v[next] - f->v[k];
        bool cuts = false;
        for (int i = 0; i < p->count; i++) {
            side[i] = dx * (p->y[i] - f->v[k]) - dy * (p->x[i] - f->u[k]);
            cuts = cuts || side[i] < 0;
        }
        if (cuts) clip(p, side, BORDER_B);
    }
}

// ---- integrals

// Rate of w at a point when a body moves: that of its surface over a fixed place of the plane is
// v_n - slope . v_t. side: +1 for A, whose surface is the lower one, -1 for B.
static void surface_rates(double gx, double gy, double height, double side, double x, double y,
                          double out[6]) {
    double z = height + gx * x + gy * y;
    out[0] = -side * gx;
    out[1] = -side * gy;
    out[2] = side;
    out[3] = side * (y + gy * z);
    out[4] = -side * (x + gx * z);
    out[5] = side * (gx * y - gy * x);
}

// Six points, exact to the fourth degree (Dunavant 1985).
static void integrate_triangle(const Piece *p, int k, const Surfaces *s, bool both, Totals *t) {
    static const double far[2] = {0.108103018168070, 0.816847572980459};
    static const double near[2] = {0.445948490915965, 0.091576213509771};
    static const double weight[2] = {0.223381589678011, 0.109951743655322};
    const int corner[3] = {0, k, k + 1};
    double area = 0.5 * ((p->x[k] - p->x[0]) * (p->y[k + 1] - p->y[0]) -
                         (p->y[k] - p->y[0]) * (p->x[k + 1] - p->x[0]));
    t->area += area;
    for (int i = 0; i < 6; i++) {
        double x = 0, y = 0, w = 0, dA = area * weight[i / 3], rates[6];
        for (int j = 0; j < 3; j++) {
            double part = j == i % 3 ? far[i / 3] : near[i / 3];
            x += part * p->x[corner[j]], y += part * p->y[corner[j]], w += part * p->w[corner[j]];
        }
        double dV = dA * w;
        t->volume += dV;
        t->square += dV * w;
        t->x += dV * x, t->y += dV * y;
        t->xx += dV * x * x, t->xy += dV * x * y, t->yy += dV * y * y;
        for (int body = both ? 0 : 1; body < 2; body++) {
            surface_rates(s->gx[body], s->gy[body], s->height[body], body ? -1 : 1, x, y, rates);
            for (int j = 0; j < 6; j++) {
                t->volume_rate[body][j] += dA * rates[j];
                t->square_rate[body][j] += 2 * dV * rates[j];
            }
        }
    }
}

// A border that moves with a body sweeps w along it. Simpson's rule is exact here.
static void add_border(const Piece *p, int k, const Surfaces *s, Totals *t) {
    int body = p->border[k] == BORDER_B, next = k + 1 == p->count ? 0 : k + 1;
    double dx = p->x[next] - p->x[k], dy = p->y[next] - p->y[k]; // outward: (dy, -dx)
    for (int i = 0; i < 3; i++) {
        double part = 0.5 * i, weight = i == 1 ? 4.0 / 6 : 1.0 / 6;
        double x = p->x[k] + part * dx, y = p->y[k] + part * dy;
        double w = p->w[k] + part * (p->w[next] - p->w[k]);
        double z = s->height[body] + s->gx[body] * x + s->gy[body] * y;
        const double rates[6] = {dy, -dx, 0, dx * z, dy * z, -dy * y - dx * x};
        for (int j = 0; j < 6; j++) {
            t->volume_rate[body][j] += weight * w * rates[j];
            t->square_rate[body][j] += weight * w * w * rates[j];
        }
    }
}

static void integrate(const Piece *p, const Surfaces *s, Totals *t) {
    for (int k = 1; k + 1 < p->count; k++) integrate_triangle(p, k, s, true, t);
    for (int k = 0; k < p->count; k++) {
        if (p->border[k] != BORDER_ZERO) add_border(p, k, s, t);
    }
}

// ---- pairs of facets

static void note_extent(const Piece *p, Totals *t) {
    for (int k = 0; k < p->count; k++) {
        int next = k + 1 == p->count ? 0 : k + 1;
        t->deepest = fmax(t->deepest, p->w[k]);
        if (p->border[k] == BORDER_EDGE)
            t->edges += hypot(p->x[next] - p->x[k], p->y[next] - p->y[k]);
    }
}

// heights: of the foremost points of both cores over the origin. edge: which sides of A are edges of a face; NULL: none.
static void pair_of_facets(const RbFacet *a, const RbFacet *b, double depth,
                           const double heights[2], const bool *edge, Totals *t) {
    Piece p;
    double side[CORNERS_MAX];
    bool cuts = false, any = false;
    p.count = a->count;
    for (int k = 0; k < a->count; k++) {
        double of_b = b->excess[0] + b->gu * (a->u[k] - b->u[0]) + b->gv * (a->v[k] - b->v[0]);
        p.x[k] = a->u[k], p.y[k] = a->v[k], p.w[k] = side[k] = depth - a->excess[k] - of_b;
        p.border[k] = edge && edge[k] ? BORDER_EDGE : BORDER_A;
        cuts = cuts || side[k] < 0;
        any = any || side[k] > 0;
    }
    if (!any) return;
    if (cuts) clip(&p, side, BORDER_ZERO);
    clip_by_facet(&p, b);
    if (p.count < 3) return;
    Surfaces s = {.gx = {-a->gu, b->gu}, .gy = {-a->gv, b->gv}};
    s.height[0] = heights[0] - (a->excess[0] - a->gu * a->u[0] - a->gv * a->v[0]);
    s.height[1] = heights[1] + (b->excess[0] - b->gu * b->u[0] - b->gv * b->v[0]);
    integrate(&p, &s, t);
    note_extent(&p, t);
}

// A facet that stands nearly upright: over its depth it has 1e-6 of that in width. The sides of a box that
// lies flat, whose small moments are but rounding errors of large ones.
static bool is_steep(const RbFacet *f) {
    return f->gu * f->gu + f->gv * f->gv > 1e12;
}

static void all_pairs(const RbCore *const core[2], const Pose X[2], RbContactPlane plane,
                      double depth, double reach, Totals *t) {
    RbFacets a, b;
    double extent = isfinite(core[0]->size) ? core[0]->size : core[1]->size;
    const double heights[2] = {0.5 * depth - core[0]->radius, core[1]->radius - 0.5 * depth};
    rb_facets(core[0], X[0], plane, +1, RB_OUTLINE_FIXED, reach, 2 * extent, &a);
    rb_facets(core[1], X[1], plane, -1, RB_OUTLINE_FIXED, reach, 2 * extent, &b);
    for (int i = 0; i < a.count; i++) {
        for (int j = 0; j < b.count && !is_steep(&a.facet[i]); j++) {
            if (!is_steep(&b.facet[j]))
                pair_of_facets(&a.facet[i], &b.facet[j], depth, heights, NULL, t);
        }
    }
}

// ---- the patch

static bool is_polyhedron(const RbCore *c) {
    return c->kind == RB_CORE_BOX || c->kind == RB_CORE_POLYTOPE || c->kind == RB_CORE_HALFSPACE;
}

// Does a face of the core look along m (frame of the core)?
static bool has_face(const RbCore *c, Vec3 m) {
    const double rounding = 1e-13;
    switch (c->kind) {
        case RB_CORE_HALFSPACE: return true;
        case RB_CORE_BOX: return fmax(fabs(m.x), fmax(fabs(m.y), fabs(m.z))) > 1 - rounding;
        case RB_CORE_POLYTOPE:
            for (int i = 0; i < c->polytope->face_count; i++) {
                if (v3_dot(c->polytope->face_normals[i], m) > 1 - rounding) return true;
            }
            return false;
        default: return false;
    }
}

static Wrench wrench_of(const RbPatch *p, const double *rates) {
    Vec3 f = v3_axpy(v3_axpy(v3_scale(rates[0], p->u), rates[1], p->v), rates[2], p->n);
    Vec3 t = v3_axpy(v3_axpy(v3_scale(rates[3], p->u), rates[4], p->v), rates[5], p->n);
    return (Wrench){t, f};
}

// ---- how the normal turns

// What of a core is nearest to the other one. A face fixes the normal to its body.
typedef enum Feature { FEATURE_CORNER, FEATURE_EDGE, FEATURE_FACE } Feature;

// m: the normal, c: the closest point, both in the frame of the core; edge: a unit vector along it.
static Feature box_feature(const RbCore *core, Vec3 m, Vec3 c, Vec3 *edge) {
    const double inside = 1 - 1e-9;
    const double h[3] = {core->h.x, core->h.y, core->h.z}, at[3] = {c.x, c.y, c.z};
    int along = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(at[k]) * h[along] < fabs(at[along]) * h[k]) along = k;
    }
    if (has_face(core, m)) return FEATURE_FACE;
    *edge = v3_axis(along);
    return fabs(at[along]) < inside * h[along] ? FEATURE_EDGE : FEATURE_CORNER;
}

static Feature polytope_feature(const RbCore *core, Vec3 m, Vec3 c, Vec3 *edge) {
    const RbPolytope *p = core->polytope;
    const double rounding = 1e-9;
    if (has_face(core, m)) return FEATURE_FACE;
    for (int i = 0; i < p->edge_count; i++) {
        Vec3 from = p->vertices[p->edges[i][0]], way = v3_sub(p->vertices[p->edges[i][1]], from);
        double length = v3_norm(way);
        *edge = v3_scale(1 / length, way);
        Vec3 to_c = v3_sub(c, from);
        double t = v3_dot(to_c, *edge);
        if (t < rounding * length || t > (1 - rounding) * length) continue;
        if (v3_norm(v3_axpy(to_c, -t, *edge)) < rounding * core->size) return FEATURE_EDGE;
    }
    return FEATURE_CORNER;
}

// The same in the frame of shape A. side: +1 for A, -1 for B.
static Feature feature_of(const RbCore *core, Pose X, Vec3 n, double side, Vec3 point, Vec3 *edge) {
    Vec3 m = m3_tmul_vec(X.R, v3_scale(side, n));
    Vec3 c = v3_axpy(pose_unpoint(X, point), -core->radius, m);
    Feature f = core->kind == RB_CORE_BOX        ? box_feature(core, m, c, edge)
                : core->kind == RB_CORE_POLYTOPE ? polytope_feature(core, m, c, edge)
                : has_face(core, m)              ? FEATURE_FACE
                                                 : FEATURE_CORNER;
    *edge = m3_mul_vec(X.R, *edge);
    return f;
}

// dn of a motion (v, w) of B about the origin, along two directions of the plane, each times a linear
// form: dn = sum of direction[i] (by[i].f . v + by[i].t . w).
typedef struct Turning {
    bool known;
    Vec3 direction[2];
    Wrench by[2];
} Turning;

// The closest point of B moves by v + w x (s n), and over the distance L of the cores that is a turn.
static Wrench turn_by_shift(Vec3 n, Vec3 t, double s, double L) {
    return (Wrench){v3_scale(s / L, v3_cross(n, t)), v3_scale(1 / L, t)};
}

// s, L: from the origin to the core of B, and from core to core.
static Turning turning(Vec3 n, const Feature f[2], const Vec3 edge[2], double s, double L) {
    const double parallel = 1e-6;
    Turning k = {.known = true};
    if (f[0] == FEATURE_FACE) return k; // dn = 0
    if (f[1] == FEATURE_FACE) {         // dn = w x n
        Vec3 u = v3_perpendicular(n), v = v3_cross(n, u);
        k.direction[0] = u, k.by[0].t = v;
        k.direction[1] = v, k.by[1].t = v3_neg(u);
    } else if (f[0] == FEATURE_EDGE && f[1] == FEATURE_EDGE) { // n stays across both
        Vec3 t = v3_cross(n, edge[0]);
        double sine = v3_dot(t, edge[1]);
        k.known = fabs(sine) > parallel;
        k.direction[0] = t, k.by[0].t = v3_scale(k.known ? 1 / sine : 0, v3_cross(n, edge[1]));
    } else { // a corner: across an edge the other one has, or in any direction
        Vec3 e = f[0] == FEATURE_EDGE   ? edge[0]
                 : f[1] == FEATURE_EDGE ? edge[1]
                                        : v3_perpendicular(n);
        Vec3 t = v3_cross(n, e);
        k.known = L > 0;
        k.direction[0] = t, k.by[0] = turn_by_shift(n, t, s, k.known ? L : 1);
        k.direction[1] = e;
        if (f[1] == FEATURE_EDGE) k.by[1].t = v3_cross(n, e);
        if (f[0] == f[1]) k.by[1] = turn_by_shift(n, e, s, k.known ? L : 1);
    }
    return k;
}

// With the normal fixed to A the motion of B alone counts: S_b; with the normal fixed to B that of A: S_a,
// negative. The difference is what a turn of the normal with B does, so g . (w x n) = -(S_a + S_b) . (v, w)
// gives the slope g by the normal, and the whole is S_b + g . dn.
static Wrench slope_of(const RbPatch *p, double rates[2][6], const Turning *k) {
    Wrench a = wrench_of(p, rates[0]), b = wrench_of(p, rates[1]);
    Vec3 g = v3_cross(p->n, v3_add(a.t, b.t));
    if (!k->known)
        return (Wrench){v3_scale(0.5, v3_sub(b.t, a.t)), v3_scale(0.5, v3_sub(b.f, a.f))};
    for (int i = 0; i < 2; i++) {
        double part = v3_dot(g, k->direction[i]);
        b = (Wrench){v3_axpy(b.t, part, k->by[i].t), v3_axpy(b.f, part, k->by[i].f)};
    }
    return b;
}

static RbPatch empty_patch(const RbGap *gap) {
    Vec3 n = gap->normal, u = v3_perpendicular(n);
    return (RbPatch){
        .origin = v3_lerp(gap->point_a, gap->point_b, 0.5), .u = u, .v = v3_cross(n, u), .n = n};
}

// Against the spot of rounded corners (contact/press.c) this little counts for nothing, and what rounding leaves of it has no
// centre. True: it was taken.
static bool take_moments(const Totals *t, double reach, double depth, RbPatch *out) {
    double spot = 31.4 * reach * depth * depth;
    if (!(t->volume > 1e-6 * spot) || !(t->square > 0)) return false;
    out->area = t->area, out->volume = t->volume, out->square = t->square;
    out->x = t->x / t->volume, out->y = t->y / t->volume;
    out->xx = t->xx / t->volume, out->xy = t->xy / t->volume, out->yy = t->yy / t->volume;
    return true;
}

void rb_patch(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out) {
    *out = empty_patch(gap);
    Vec3 n = out->n;
    double depth = -gap->distance, reach = fmax(rb_region_reach(a, b), depth);
    if (!(depth > 0)) return;
    if (rb_has_round_patch(a, b)) {
        rb_patch_round(a, b, X_AB, gap, out);
        return;
    }
    if (!is_polyhedron(a) || !is_polyhedron(b)) return;
    const RbCore *const core[2] = {a, b};
    const Pose X[2] = {a->frame, pose_mul(X_AB, b->frame)};
    RbContactPlane plane = {out->origin, out->u, out->v, n};
    Feature feature[2];
    Vec3 edge[2] = {V3_ZERO, V3_ZERO};
    for (int i = 0; i < 2; i++) {
        feature[i] =
            feature_of(core[i], X[i], n, i ? -1 : 1, i ? gap->point_b : gap->point_a, &edge[i]);
    }
    Totals t = {0};
    all_pairs(core, X, plane, depth, reach, &t);
    if (!take_moments(&t, rb_region_reach(a, b), depth, out)) return;
    Turning k = turning(n, feature, edge, b->radius - 0.5 * depth, a->radius + b->radius - depth);
    out->volume_slope = slope_of(out, t.volume_rate, &k);
    out->square_slope = slope_of(out, t.square_rate, &k);
    out->exact = k.known;
}

// ---- a face of any outline

typedef struct OnFace {
    RbPatch *patch;
    double depth, heights[2]; // [m] as in all_pairs
    RbFacets facets;          // of B
    bool covered;
    Totals totals;
} OnFace;

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
        if (!is_steep(b)) pair_of_facets(&a, b, o->depth, o->heights, part->edge, &o->totals);
    }
}

void rb_patch_on_face(RbFaceParts *parts, void *user, const RbCore *b, Pose X_AB, const RbGap *gap,
                      RbFacePatch *out) {
    const RbCore plane = {.kind = RB_CORE_HALFSPACE, .size = INFINITY};
    double depth = -gap->distance, small = rb_region_reach(&plane, b);
    *out = (RbFacePatch){.patch = empty_patch(gap)};
    if (!(depth > 0)) return;
    RbPatch *p = &out->patch;
    OnFace o = {.patch = p, .depth = depth, .heights = {0.5 * depth, b->radius - 0.5 * depth}};
    RbContactPlane across = {p->origin, p->u, p->v, p->n};
    rb_facets(b, pose_mul(X_AB, b->frame), across, -1, RB_OUTLINE_FIXED, fmax(small, depth),
              2 * b->size, &o.facets);
    parts(user, take_part, &o);
    out->deepest = o.totals.deepest, out->area = o.totals.area;
    out->edges = o.totals.edges, out->covered = o.covered;
    if (!take_moments(&o.totals, small, o.covered ? depth : out->deepest, p)) return;
    // The normal is fixed to A: the motion of B alone counts.
    p->volume_slope = wrench_of(p, o.totals.volume_rate[1]);
    p->square_slope = wrench_of(p, o.totals.square_rate[1]);
    p->exact = true;
}
