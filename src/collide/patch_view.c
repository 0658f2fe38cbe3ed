// SPDX-License-Identifier: MIT
#include "collide/patch_view.h"

#include <math.h>

#include "geom/support.h"

// ---- clipping

// A corner t of the way from one to the next, before a side of the given kind.
static inline void put(RbPatchPiece *p, const RbPatchPiece *of, int k, int next, double t,
                       unsigned char border, unsigned char side) {
    if (p->count == RB_PIECE_CORNERS) return;
    int i = p->count++;
    p->x[i] = of->x[k] + t * (of->x[next] - of->x[k]);
    p->y[i] = of->y[k] + t * (of->y[next] - of->y[k]);
    p->w[i] = of->w[k] + t * (of->w[next] - of->w[k]);
    p->border[i] = border, p->side[i] = side;
}

static inline void keep(RbPatchPiece *p, const RbPatchPiece *of, int k) {
    if (p->count == RB_PIECE_CORNERS) return;
    int i = p->count++;
    p->x[i] = of->x[k], p->y[i] = of->y[k], p->w[i] = of->w[k];
    p->border[i] = of->border[k], p->side[i] = of->side[k];
}

// Keep the part where inside >= 0; the cut is a border of its own kind.
static void clip(const RbPatchPiece *p, const double *inside, RbBorder cut, int side,
                 RbPatchPiece *out) {
    out->count = 0;
    for (int k = 0; k < p->count; k++) {
        int next = k + 1 == p->count ? 0 : k + 1;
        bool here = inside[k] >= 0, there = inside[next] >= 0;
        if (here) keep(out, p, k);
        if (here == there) continue;
        double t = inside[k] / (inside[k] - inside[next]);
        put(out, p, k, next, t, here ? (unsigned char)cut : p->border[k],
            here ? (unsigned char)side : p->side[k]);
    }
}

// A piece and room for its next cut.
typedef struct Cutting {
    RbPatchPiece *piece, *room;
} Cutting;

static void cut(Cutting *c, const double *inside, RbBorder border, int side) {
    RbPatchPiece *before = c->piece;
    clip(before, inside, border, side, c->room);
    c->piece = c->room, c->room = before;
}

static void clip_by_facet(Cutting *c, const RbFacet *f, bool *covers) {
    double side[RB_PIECE_CORNERS];
    for (int k = 0; k < f->count && c->piece->count > 0; k++) {
        const RbPatchPiece *p = c->piece;
        int next = k + 1 == f->count ? 0 : k + 1;
        double dx = f->u[next] - f->u[k], dy = f->v[next] - f->v[k];
        double close = 1e-12 * (dx * dx + dy * dy);
        bool cuts = false;
        int on = 0; // it
        for (int i = 0; i < p->count; i++) {
            side[i] = dx * (p->y[i] - f->v[k]) - dy * (p->x[i] - f->u[k]);
            cuts = cuts || side[i] < 0;
            on += fabs(side[i]) < close;
        }
        *covers = *covers || on > 1;
        if (cuts) cut(c, side, RB_BORDER_B, k);
    }
}

static void copy(const RbPatchPiece *p, RbPatchPiece *out) {
    out->count = 0;
    for (int k = 0; k < p->count; k++) keep(out, p, k);
}

bool rb_piece_of(const RbFacet *a, const RbFacet *b, double depth, const bool *edge,
                 RbPatchPiece *p) {
    RbPatchPiece other;
    Cutting c = {p, &other};
    double side[RB_PIECE_CORNERS];
    bool cuts = false, any = false;
    p->count = a->count;
    for (int k = 0; k < a->count; k++) {
        double of_b = b->excess[0] + b->gu * (a->u[k] - b->u[0]) + b->gv * (a->v[k] - b->v[0]);
        p->x[k] = a->u[k], p->y[k] = a->v[k], p->w[k] = side[k] = depth - a->excess[k] - of_b;
        p->border[k] = edge && edge[k] ? RB_BORDER_EDGE : RB_BORDER_A;
        p->side[k] = (unsigned char)k;
        cuts = cuts || side[k] < 0;
        any = any || side[k] > 0;
    }
    if (!any) return false;
    if (cuts) cut(&c, side, RB_BORDER_ZERO, 0);
    bool covers = false;
    clip_by_facet(&c, b, &covers);
    if (c.piece != p) copy(c.piece, p);
    p->covers = covers;
    return p->count >= 3;
}

bool rb_is_steep(const RbFacet *f) {
    return f->gu * f->gu + f->gv * f->gv > 1e12;
}

// ---- both cores

// A frame may lie beside its polytope.
static Vec3 middle_of(const RbPatchPair *p, int i) {
    const RbCore *c = p->core[i];
    if (c->kind != RB_CORE_POLYTOPE) return p->X[i].r;
    Vec3 sum = V3_ZERO;
    for (int k = 0; k < c->polytope->vertex_count; k++) sum = v3_add(sum, c->polytope->vertices[k]);
    return pose_point(p->X[i], v3_scale(1.0 / c->polytope->vertex_count, sum));
}

Vec3 rb_patch_way_in(const RbPatchPair *p) {
    return v3_sub(middle_of(p, 1), middle_of(p, 0));
}

// How far the foremost point along n lies before the closest point. side: +1 for A, -1 for B.
static double ahead(const RbPatchPair *p, int body, Vec3 n) {
    double side = body ? -1 : 1;
    const RbCore *c = p->core[body];
    Vec3 near =
        v3_axpy(body ? p->gap->point_b : p->gap->point_a, -side * c->radius, p->gap->normal);
    if (c->kind == RB_CORE_HALFSPACE) return 0;
    Vec3 m = v3_scale(side, m3_tmul_vec(p->X[body].R, n));
    return v3_dot(m, v3_sub(rb_core_support(c, m, NULL), pose_unpoint(p->X[body], near)));
}

// The cores are L apart along the normal of the distance; along another one they seem nearer.
RbPatchView rb_look_along(const RbPatchPair *p, RbContactPlane plane) {
    Vec3 n0 = p->gap->normal;
    double depth = -p->gap->distance, L = p->core[0]->radius + p->core[1]->radius - depth;
    double apart = L * (1 - 0.5 * v3_norm2(v3_sub(plane.n, n0)));
    double before[2];
    for (int i = 0; i < 2; i++) before[i] = ahead(p, i, plane.n);
    // the origin is halfway between the closest points
    double middle[2] = {0.5 * depth - p->core[0]->radius, 0.5 * depth - p->core[1]->radius};
    double lean = v3_dot(plane.n, n0);
    return (RbPatchView){
        plane,
        p->radius - apart + before[0] + before[1],
        {middle[0] * lean + before[0], -(middle[1] * lean + before[1])},
    };
}

// Of the part of a facet that is within the depth of the foremost point: no other one overlaps. Facets whose boxes are apart have nothing in common.
typedef struct Extent {
    double u[2], v[2];
    bool steep;
} Extent;

static inline void stretch(Extent *e, double u, double v) {
    e->u[0] = u < e->u[0] ? u : e->u[0], e->u[1] = u > e->u[1] ? u : e->u[1];
    e->v[0] = v < e->v[0] ? v : e->v[0], e->v[1] = v > e->v[1] ? v : e->v[1];
}

static Extent extent_of(const RbFacet *f, double depth) {
    Extent e = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}, rb_is_steep(f)};
    for (int k = 0; k < f->count; k++) {
        int next = k + 1 == f->count ? 0 : k + 1;
        double here = depth - f->excess[k], there = depth - f->excess[next];
        if (here >= 0) stretch(&e, f->u[k], f->v[k]);
        if ((here >= 0) == (there >= 0)) continue;
        double t = here / (here - there);
        stretch(&e, f->u[k] + t * (f->u[next] - f->u[k]), f->v[k] + t * (f->v[next] - f->v[k]));
    }
    return e;
}

static bool are_apart(const Extent *a, const Extent *b) {
    return a->u[0] > b->u[1] || b->u[0] > a->u[1] || a->v[0] > b->v[1] || b->v[0] > a->v[1];
}

typedef struct Pieces {
    const RbPatchView *view;
    RbTakePatchPiece *take;
    void *taker;
} Pieces;

static void take_facets(void *taker, const RbFacets *fa, const RbFacets *fb) {
    const Pieces *p = taker;
    RbPatchPiece piece;
    Extent of_b[RB_FACETS];
    double depth = p->view->depth * (1 + 1e-6);
    for (int j = 0; j < fb->count; j++) of_b[j] = extent_of(&fb->facet[j], depth);
    for (int i = 0; i < fa->count; i++) {
        const RbFacet *a = &fa->facet[i];
        Extent of_a = extent_of(a, depth);
        for (int j = 0; j < fb->count && !of_a.steep; j++) {
            const RbFacet *b = &fb->facet[j];
            if (!of_b[j].steep && !are_apart(&of_a, &of_b[j]) &&
                rb_piece_of(a, b, p->view->depth, NULL, &piece))
                p->take(p->taker, p->view, a, b, &piece);
        }
    }
}

static RbSight sight_of(const RbPatchPair *p, const RbPatchView *v, int i) {
    double extent = isfinite(p->core[0]->size) ? p->core[0]->size : p->core[1]->size;
    double reach = v->depth * (1 + 1e-6);
    return (RbSight){p->core[i],       p->X[i], v->plane,   i ? -1 : 1,
                     RB_OUTLINE_FIXED, reach,   2 * extent, true};
}

void rb_each_piece(const RbPatchPair *p, const RbPatchView *v, RbTakePatchPiece *take,
                   void *taker) {
    const RbSight of_a = sight_of(p, v, 0), of_b = sight_of(p, v, 1);
    rb_facets_of_both(&of_a, &of_b, take_facets, &(Pieces){v, take, taker});
}
