// SPDX-License-Identifier: MIT
#include "collide/patch_look.h"

#include <math.h>

#include "collide/patch_shared.h"

// ---- how V and W bend with the normal

static double length_of(double x, double y) { // hypot is dear, and these are not tiny or huge
    return sqrt(x * x + y * y);
}

// With a turn of n towards u and v.
typedef struct Bends {
    double radius;
    double sign;       // of the piece
    double V[3], W[3]; // uu, uv, vv; with what it costs that n stays on the sphere
} Bends;

static void add_outer(double out[3], double k, const double a[2], const double b[2]) {
    out[0] += k * a[0] * b[0];
    out[1] += k * 0.5 * (a[0] * b[1] + a[1] * b[0]);
    out[2] += k * a[1] * b[1];
}

// A is moved by s = radius n towards B, V(s) is the volume that both share then, and W = 2 ∫ V(sigma n) d(sigma) (contact-patch.md, (2c)).

// ∫ 2 (r - tau)² d(tau) from 0 to w, given the means of w, w², w³
static double twice(double r, double w, double ww, double www) {
    return 2 * (r * r * w - r * ww + www / 3);
}

static void side_of(const RbFacet *f, int k, double out[2]) {
    int next = k + 1 == f->count ? 0 : k + 1;
    out[0] = f->u[next] - f->u[k], out[1] = f->v[next] - f->v[k];
}

// Where a border of A ends at one of B it grows or shrinks as A moves. end: +1, -1: where it begins. (Inside of a body the borders of neighbours
// take that back, so it matters where silhouettes of both cross.)
static void add_end(const RbFacet *a, int of_a, const RbFacet *b, int of_b, double w, double end,
                    Bends *t) {
    double along[2], other[2], r = t->radius;
    side_of(a, of_a, along), side_of(b, of_b, other);
    double length = length_of(along[0], along[1]), sine = along[1] * other[0] - along[0] * other[1];
    if (!(fabs(sine) > 1e-9 * length * length_of(other[0], other[1]))) return;
    const double to[2] = {along[0] / length, along[1] / length}, nu[2] = {to[1], -to[0]};
    double slant = (along[0] * other[0] + along[1] * other[1]) / sine;
    const double grows[2] = {slant * nu[0] - to[0], slant * nu[1] - to[1]};
    end *= t->sign;
    add_outer(t->V, end * r * r * w, nu, grows);
    add_outer(t->W, end * twice(r, w * w / 2, w * w * w / 3, w * w * w * w / 4), nu, grows);
}

// A border that moves with A. Outward normal times length is (dy, -dx), and w is linear along it.
static void add_border(const RbPatchPiece *p, int k, const RbFacet *a, const RbFacet *b, Bends *t) {
    int next = k + 1 == p->count ? 0 : k + 1, before = k == 0 ? p->count - 1 : k - 1;
    double r = t->radius, w0 = p->w[k], w1 = p->w[next];
    const double nu[2] = {p->y[next] - p->y[k], p->x[k] - p->x[next]};
    const double slopes[2] = {b->gu - a->gu, b->gv - a->gv}; // of f_A and f_B together
    double w = 0.5 * (w0 + w1), ww = (w0 * w0 + w0 * w1 + w1 * w1) / 3;
    double www = 0.25 * (w0 + w1) * (w0 * w0 + w1 * w1);
    add_outer(t->V, -t->sign * r * r, nu, slopes);
    add_outer(t->W, -t->sign * twice(r, w, ww, www), nu, slopes);
    if (p->border[next] == RB_BORDER_B) add_end(a, p->side[k], b, p->side[next], w1, 1, t);
    if (p->border[before] == RB_BORDER_B) add_end(a, p->side[k], b, p->side[before], w0, -1, t);
}

// area, volume, square: of the piece
static void add_bends(const RbPatchPiece *p, const RbFacet *a, const RbFacet *b, double area,
                      double volume, double square, Bends *t) {
    const double of_a[2] = {-a->gu, -a->gv};
    t->sign = a->back != b->back ? -1 : 1;
    double r = t->radius, steep = length_of(a->gu + b->gu, a->gv + b->gv); // of w
    add_outer(t->W, 2 * (r * r * area - 2 * r * volume + square), of_a, of_a);
    for (int k = 0; k < p->count; k++) {
        int next = k + 1 == p->count ? 0 : k + 1;
        if (p->border[k] == RB_BORDER_A) add_border(p, k, a, b, t);
        if (p->border[k] == RB_BORDER_ZERO && steep > 0) {
            double length = length_of(p->x[next] - p->x[k], p->y[next] - p->y[k]);
            add_outer(t->V, t->sign * r * r * length / steep, of_a, of_a);
        }
    }
}

// ---- what the normal makes largest

// The logarithm of the volume that is shared. Its bends as A is moved are exact; n goes around the sphere.
static RbPatchAim shared_aim(const RbPatchPair *pair, RbContactPlane plane) {
    RbShared s = rb_shared_volume(pair, plane);
    double r = pair->radius, around = r * s.by_a[2];
    RbPatchAim out = {.value = -INFINITY};
    if (!(s.volume > 0)) return out;
    Vec3 u = m3_mul_vec(s.bend, plane.u), v = m3_mul_vec(s.bend, plane.v);
    out.value = log(s.volume);
    out.bend[0] = r * r * v3_dot(plane.u, u) + around;
    out.bend[1] = 0.5 * r * r * (v3_dot(plane.u, v) + v3_dot(plane.v, u));
    out.bend[2] = r * r * v3_dot(plane.v, v) + around;
    for (int i = 0; i < 3; i++) out.bend[i] /= s.volume;
    for (int j = 0; j < 6; j++)
        out.by_a[j] = s.by_a[j] / s.volume, out.by_b[j] = s.by_b[j] / s.volume;
    rb_slope_by_normal(out.by_a, out.by_b, out.slope);
    add_outer(out.bend, -1, out.slope, out.slope);
    return out;
}

// However its points are turned in its frame, other than the size of a core.
static double extent_of(const RbCore *c) {
    if (c->kind != RB_CORE_POLYTOPE) return v3_norm(c->h);
    const RbPolytope *t = c->polytope;
    Vec3 middle = V3_ZERO;
    double most = 0;
    for (int k = 0; k < t->vertex_count; k++) middle = v3_add(middle, t->vertices[k]);
    middle = v3_scale(1.0 / t->vertex_count, middle);
    for (int k = 0; k < t->vertex_count; k++)
        most = fmax(most, v3_distance(t->vertices[k], middle));
    return most;
}

// Of bodies that are hardly rounded a thousandth of their extent tells where more is shared.
double rb_deep_way(const RbPatchPair *pair) {
    const double part = 1e-3, r = pair->radius;
    const RbCore *a = pair->core[0], *b = pair->core[1];
    if (r >= part * fmin(a->size, b->size)) return r; // no core is wider than its size
    return fmax(r, part * fmin(extent_of(a), extent_of(b)));
}

static RbPatchAim deep_aim(const RbPatchPair *pair, RbContactPlane plane) {
    RbPatchPair moved = *pair;
    moved.radius = rb_deep_way(pair);
    return shared_aim(&moved, plane);
}

// The logarithm of V or W.
static RbPatchAim log_aim(double x, const double by_a[6], const double by_b[6],
                          const double bend[3]) {
    RbPatchAim out = {.value = -INFINITY};
    if (!(x > 0)) return out;
    out.value = log(x);
    for (int j = 0; j < 6; j++) out.by_a[j] = by_a[j] / x, out.by_b[j] = by_b[j] / x;
    rb_slope_by_normal(out.by_a, out.by_b, out.slope);
    for (int i = 0; i < 3; i++) out.bend[i] = bend[i] / x;
    add_outer(out.bend, -1, out.slope, out.slope);
    return out;
}

// ---- looks

typedef struct Taker {
    RbPatchMoments *moments;
    Bends *bends;
    bool covers;
} Taker;

static void take_piece(void *taker, const RbPatchView *v, const RbFacet *a, const RbFacet *b,
                       const RbPatchPiece *p) {
    Taker *t = taker;
    RbPatchMoments *m = t->moments;
    double area = m->area, volume = m->volume, square = m->square;
    rb_patch_moments_add(p, a, b, v->heights, m);
    add_bends(p, a, b, m->area - area, m->volume - volume, m->square - square, t->bends);
    t->covers |= p->covers;
}

void rb_patch_look(const RbPatchPair *pair, RbContactPlane plane, RbPatchLook *out) {
    RbPatchMoments *m = &out->moments;
    Bends bends = {.radius = pair->radius};
    *m = (RbPatchMoments){0};
    out->view = rb_look_along(pair, plane);
    Taker taker = {m, &bends, false};
    rb_each_piece(pair, &out->view, take_piece, &taker);
    out->covers = taker.covers;
    double V = pair->radius * m->area, W = 2 * pair->radius * m->volume - m->square;
    bends.V[0] -= V, bends.V[2] -= V;
    bends.W[0] -= W, bends.W[2] -= W;
    out->aim = log_aim(m->square, m->by_a.square, m->by_b.square, bends.W);
    out->volume_aim = log_aim(m->volume, m->by_a.volume, m->by_b.volume, bends.V);
    if (pair->goal == RB_GOAL_DEEP) out->aim = deep_aim(pair, plane);
}

RbContactPlane rb_turned_plane(RbContactPlane p, const double step[2], double k) {
    p.n = v3_unit(v3_axpy(v3_axpy(p.n, k * step[0], p.u), k * step[1], p.v));
    p.u = v3_unit(v3_axpy(p.u, -v3_dot(p.u, p.n), p.n));
    p.v = v3_cross(p.n, p.u);
    return p;
}

Wrench rb_patch_wrench(RbContactPlane p, const double rates[6]) {
    Vec3 f = v3_axpy(v3_axpy(v3_scale(rates[0], p.u), rates[1], p.v), rates[2], p.n);
    Vec3 t = v3_axpy(v3_axpy(v3_scale(rates[3], p.u), rates[4], p.v), rates[5], p.n);
    return (Wrench){t, f};
}
