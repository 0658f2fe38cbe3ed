// SPDX-License-Identifier: MIT
#include "collide/patch.h"

#include <string.h>

#include "collide/outline.h"

enum { CORNERS_MAX = 96 };

// Where an edge of a polygon comes from decides with which body it moves.
typedef enum Border { BORDER_A, BORDER_B, BORDER_ZERO } Border;

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

// heights: of the foremost points of both cores over the origin.
static void pair_of_facets(const RbFacet *a, const RbFacet *b, double depth,
                           const double heights[2], Totals *t) {
    Piece p;
    double side[CORNERS_MAX];
    bool cuts = false, any = false;
    p.count = a->count;
    for (int k = 0; k < a->count; k++) {
        double of_b = b->excess[0] + b->gu * (a->u[k] - b->u[0]) + b->gv * (a->v[k] - b->v[0]);
        p.x[k] = a->u[k], p.y[k] = a->v[k], p.w[k] = side[k] = depth - a->excess[k] - of_b;
        p.border[k] = BORDER_A;
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
}

// One way to draw the circles, with its share.
static void add_share(const RbCore *const core[2], const Pose X[2], RbContactPlane plane,
                      double depth, double reach, const RbOutline outline[2], double share,
                      const double heights[2], Totals *total) {
    if (!(share > 0)) return;
    RbFacets a, b;
    Totals t = {0};
    double extent = isfinite(core[0]->size) ? core[0]->size : core[1]->size;
    rb_facets(core[0], X[0], plane, +1, outline[0], reach, 2 * extent, &a);
    rb_facets(core[1], X[1], plane, -1, outline[1], reach, 2 * extent, &b);
    for (int i = 0; i < a.count; i++) {
        for (int j = 0; j < b.count; j++)
            pair_of_facets(&a.facet[i], &b.facet[j], depth, heights, &t);
    }
    double *to = (double *)total;
    const double *from = (const double *)&t;
    for (size_t i = 0; i < sizeof t / sizeof *to; i++) to[i] += share * from[i];
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
        default: return fabs(m.z) > 1 - rounding && c->kind != RB_CORE_SEGMENT;
    }
}

static Wrench wrench_of(const RbPatch *p, const double *rates) {
    Vec3 f = v3_axpy(v3_axpy(v3_scale(rates[0], p->u), rates[1], p->v), rates[2], p->n);
    Vec3 t = v3_axpy(v3_axpy(v3_scale(rates[3], p->u), rates[4], p->v), rates[5], p->n);
    return (Wrench){t, f};
}

// With the normal fixed to A the motion of B alone counts, and the other way round; a normal that
// follows both a little is taken for one halfway.
static Wrench slope_of(const RbPatch *p, double rates[2][6], double of_b) {
    Wrench a = wrench_of(p, rates[0]), b = wrench_of(p, rates[1]);
    return (Wrench){v3_sub(v3_scale(of_b, b.t), v3_scale(1 - of_b, a.t)),
                    v3_sub(v3_scale(of_b, b.f), v3_scale(1 - of_b, a.f))};
}

void rb_patch(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out) {
    Vec3 n = gap->normal, u = v3_perpendicular(n);
    *out = (RbPatch){.origin = v3_lerp(gap->point_a, gap->point_b, 0.5), .u = u,
                     .v = v3_cross(n, u), .n = n};
    double depth = -gap->distance, reach = fmax(rb_region_reach(a, b), depth);
    if (!(depth > 0) || !rb_has_facets(a) || !rb_has_facets(b)) return;
    const RbCore *const core[2] = {a, b};
    const Pose X[2] = {a->frame, pose_mul(X_AB, b->frame)};
    RbContactPlane plane = {out->origin, u, out->v, n};
    const double heights[2] = {0.5 * depth - a->radius, b->radius - 0.5 * depth};
    double blend[2];
    bool face[2];
    for (int i = 0; i < 2; i++) {
        Vec3 m = m3_tmul_vec(X[i].R, i ? v3_neg(n) : n);
        blend[i] = rb_outline_blend(core[i], m, reach);
        face[i] = has_face(core[i], m);
    }
    Totals t = {0};
    for (int k = 0; k < 4; k++) {
        const RbOutline way[2] = {k & 1 ? RB_OUTLINE_LEANING : RB_OUTLINE_FIXED,
                                  k & 2 ? RB_OUTLINE_LEANING : RB_OUTLINE_FIXED};
        double share = (k & 1 ? blend[0] : 1 - blend[0]) * (k & 2 ? blend[1] : 1 - blend[1]);
        add_share(core, X, plane, depth, reach, way, share, heights, &t);
    }
    // Against the spot of rounded corners (contact/press.c) this little counts for nothing, and
    // what rounding leaves of it has no centre.
    double spot = 31.4 * rb_region_reach(a, b) * depth * depth;
    if (!(t.volume > 1e-6 * spot) || !(t.square > 0)) return;
    out->area = t.area, out->volume = t.volume, out->square = t.square;
    out->x = t.x / t.volume, out->y = t.y / t.volume;
    out->xx = t.xx / t.volume, out->xy = t.xy / t.volume, out->yy = t.yy / t.volume;
    double of_b = face[0] ? 1 : face[1] ? 0 : 0.5;
    out->volume_slope = slope_of(out, t.volume_rate, of_b);
    out->square_slope = slope_of(out, t.square_rate, of_b);
    out->exact = (face[0] || face[1]) && is_polyhedron(a) && is_polyhedron(b);
}
