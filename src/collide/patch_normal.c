// SPDX-License-Identifier: MIT
#include "collide/patch_normal.h"

#include <math.h>

// ---- V and W as functions of the normal

static void add_outer(double out[3], double k, const double a[2], const double b[2]) {
    out[0] += k * a[0] * b[0];
    out[1] += k * 0.5 * (a[0] * b[1] + a[1] * b[0]);
    out[2] += k * a[1] * b[1];
}

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
                    RbShared *t) {
    double along[2], other[2], r = t->radius;
    side_of(a, of_a, along), side_of(b, of_b, other);
    double length = hypot(along[0], along[1]), sine = along[1] * other[0] - along[0] * other[1];
    if (!(fabs(sine) > 1e-9 * length * hypot(other[0], other[1]))) return;
    const double to[2] = {along[0] / length, along[1] / length}, nu[2] = {to[1], -to[0]};
    double slant = (along[0] * other[0] + along[1] * other[1]) / sine;
    const double grows[2] = {slant * nu[0] - to[0], slant * nu[1] - to[1]};
    add_outer(t->V2, end * r * r * w, nu, grows);
    add_outer(t->W2, end * twice(r, w * w / 2, w * w * w / 3, w * w * w * w / 4), nu, grows);
}

// A border that moves with A. Outward normal times length is (dy, -dx), and w is linear along it.
static void add_border(const RbPatchPiece *p, int k, const RbFacet *a, const RbFacet *b,
                       RbShared *t) {
    int next = k + 1 == p->count ? 0 : k + 1, before = k == 0 ? p->count - 1 : k - 1;
    double r = t->radius, w0 = p->w[k], w1 = p->w[next];
    const double nu[2] = {p->y[next] - p->y[k], p->x[k] - p->x[next]};
    const double slopes[2] = {b->gu - a->gu, b->gv - a->gv}; // of f_A and f_B together
    double w = 0.5 * (w0 + w1), ww = (w0 * w0 + w0 * w1 + w1 * w1) / 3;
    double www = 0.25 * (w0 + w1) * (w0 * w0 + w1 * w1);
    for (int i = 0; i < 2; i++) {
        t->V1[i] += r * w * nu[i];
        t->W1[i] += (r * ww - www / 3) * nu[i];
    }
    add_outer(t->V2, -r * r, nu, slopes);
    add_outer(t->W2, -twice(r, w, ww, www), nu, slopes);
    if (p->border[next] == RB_BORDER_B) add_end(a, p->side[k], b, p->side[next], w1, 1, t);
    if (p->border[before] == RB_BORDER_B) add_end(a, p->side[k], b, p->side[before], w0, -1, t);
}

void rb_shared_add(RbShared *t, const RbFacet *a, const RbFacet *b, const RbPatchPiece *p) {
    const double of_a[2] = {-a->gu, -a->gv};
    double area = 0, volume = 0, square = 0, r = t->radius;
    for (int k = 1; k + 1 < p->count; k++) {
        double A = 0.5 * ((p->x[k] - p->x[0]) * (p->y[k + 1] - p->y[0]) -
                          (p->y[k] - p->y[0]) * (p->x[k + 1] - p->x[0]));
        double w0 = p->w[0], w1 = p->w[k], w2 = p->w[k + 1], sum = w0 + w1 + w2;
        area += A;
        volume += A * sum / 3;
        square += A * (sum * sum + w0 * w0 + w1 * w1 + w2 * w2) / 12;
    }
    t->area += area, t->volume += volume, t->square += square;
    for (int i = 0; i < 2; i++) {
        t->V1[i] -= r * area * of_a[i];
        t->W1[i] -= (2 * r * volume - square) * of_a[i];
    }
    add_outer(t->W2, 2 * (r * r * area - 2 * r * volume + square), of_a, of_a);
    double steep = hypot(a->gu + b->gu, a->gv + b->gv); // of w
    for (int k = 0; k < p->count; k++) {
        int next = k + 1 == p->count ? 0 : k + 1;
        if (p->border[k] == RB_BORDER_A) add_border(p, k, a, b, t);
        if (p->border[k] == RB_BORDER_ZERO && steep > 0) {
            double length = hypot(p->x[next] - p->x[k], p->y[next] - p->y[k]);
            add_outer(t->V2, r * r * length / steep, of_a, of_a);
        }
    }
}

static void take_piece(void *taker, const RbPatchView *v, const RbFacet *a, const RbFacet *b,
                       const RbPatchPiece *p) {
    (void)v;
    rb_shared_add(taker, a, b, p);
}

// What it costs that n stays on the sphere.
static RbShared on_sphere(RbShared t) {
    double V = t.radius * t.area, W = 2 * t.radius * t.volume - t.square;
    t.V2[0] -= V, t.V2[2] -= V;
    t.W2[0] -= W, t.W2[2] -= W;
    return t;
}

static RbShared shared_along(const RbPatchView *v, double radius) {
    RbShared t = {.radius = radius};
    rb_each_piece(v, take_piece, &t);
    return on_sphere(t);
}

// ---- what the normal makes largest

// log(V^a W^b)
typedef struct Aim {
    double value, slope[2], bend[3];
} Aim;

static Aim aim_of(const RbShared *t, RbPatchAim k) {
    Aim m = {.value = k.of_volume * log(t->volume) + k.of_square * log(t->square)};
    if (!(t->volume > 0) || !(t->square > 0)) return (Aim){.value = -INFINITY};
    const double V[2] = {t->V1[0] / t->volume, t->V1[1] / t->volume};
    const double W[2] = {t->W1[0] / t->square, t->W1[1] / t->square};
    for (int i = 0; i < 2; i++) m.slope[i] = k.of_volume * V[i] + k.of_square * W[i];
    for (int i = 0; i < 3; i++)
        m.bend[i] = k.of_volume * t->V2[i] / t->volume + k.of_square * t->W2[i] / t->square;
    add_outer(m.bend, -k.of_volume, V, V), add_outer(m.bend, -k.of_square, W, W);
    return m;
}

// The law's own W^1.5/V up to half of the radius; V alone from the radius on, where long chords across both bodies would lead astray.
RbPatchAim rb_patch_aim(double depth, double radius) {
    double x = fmax(0, fmin(1, 2 * (1 - depth / radius)));
    double part = x * x * (3 - 2 * x), rate = x > 0 && x < 1 ? -12 * x * (1 - x) / radius : 0;
    return (RbPatchAim){1 - 2 * part, 1.5 * part, -2 * rate, 1.5 * rate};
}

static bool solve(const double m[3], const double b[2], double out[2]) {
    double det = m[0] * m[2] - m[1] * m[1], trace = m[0] + m[2];
    out[0] = (m[2] * b[0] - m[1] * b[1]) / det;
    out[1] = (m[0] * b[1] - m[1] * b[0]) / det;
    return trace < 0 && det > 1e-12 * trace * trace;
}

// The step to where the slope vanishes; where it bends the wrong way, uphill. Returns its length, at most longest.
static double newton(const Aim *m, double longest, double out[2]) {
    double sign = -1;
    if (!solve(m->bend, m->slope, out)) {
        double bend = fmax(fabs(m->bend[0]), fabs(m->bend[2])) + fabs(m->bend[1]);
        out[0] = m->slope[0] / bend, out[1] = m->slope[1] / bend, sign = 1;
    }
    double size = hypot(out[0], out[1]), cut = size > longest ? longest / size : 1;
    out[0] *= sign * cut, out[1] *= sign * cut;
    return cut * size;
}

RbContactPlane rb_turned_plane(RbContactPlane p, const double step[2], double k) {
    p.n = v3_unit(v3_axpy(v3_axpy(p.n, k * step[0], p.u), k * step[1], p.v));
    p.u = v3_unit(v3_axpy(p.u, -v3_dot(p.u, p.n), p.n));
    p.v = v3_cross(p.n, p.u);
    return p;
}

// How U and the aim depend on the normal that was found.
static RbPatchTurning turning_of(const RbShared *t, const Aim *m, RbPatchAim k) {
    RbPatchTurning out = {0};
    double of_U[2], by_depth = 0;
    for (int i = 0; i < 2; i++) of_U[i] = 1.5 * t->W1[i] / t->square - t->V1[i] / t->volume;
    if (!(k.of_volume > -1) || !solve(m->bend, of_U, out.turn)) return (RbPatchTurning){0};
    for (int i = 0; i < 2; i++) {
        by_depth += out.turn[i] *
                    (k.volume_rate * t->V1[i] / t->volume + k.square_rate * t->W1[i] / t->square);
    }
    out.by_depth = -by_depth;
    return out;
}

// What the slope that is left does to the force, as a part of it.
static double error_of(const Aim *m, double lever) {
    return lever * hypot(m->slope[0], m->slope[1]);
}

double rb_patch_gain(RbPatchAim k, const RbShared *shared) {
    RbShared t = on_sphere(*shared);
    Aim m = aim_of(&t, k);
    double step[2];
    newton(&m, INFINITY, step);
    return 0.5 * (m.slope[0] * step[0] + m.slope[1] * step[1]);
}

// Newton's method. Logarithms of piecewise polynomials bend sharply where facets come into sight: a step that goes too far is cut, and the
// next ones stay as short. Where sides of both are flush there is a ridge, and steps lead from one flank to the other.
const RbPatchView *rb_patch_normal(const RbPatchPair *p, RbPatchAim k, const RbShared *shared,
                                   RbPatchView views[2], RbPatchTurning *turning) {
    enum { LOOKS = 24 };
    const double fine = 1e-7;  // then the last step leaves its square
    const double ridge = 1e-4; // so near, a step that does not help has met a ridge
    double lever = -p->gap->distance / p->radius, longest = INFINITY;
    RbPatchView *v = &views[0], *next = &views[1];
    RbShared t = on_sphere(*shared);
    Aim here = aim_of(&t, k);
    *turning = (RbPatchTurning){0};
    for (int i = 0; i < LOOKS && isfinite(here.value) && longest > 1e-6 * lever; i++) {
        double step[2], error = error_of(&here, lever);
        double size = newton(&here, longest, step);
        if (!(size > 0)) break;
        rb_look_along(p, rb_turned_plane(v->plane, step, 1), next);
        if (error < fine) {
            v = next;
            break;
        }
        RbShared other = shared_along(next, p->radius);
        Aim there = aim_of(&other, k);
        bool nearer = isfinite(there.value) && error_of(&there, lever) < 0.5 * error;
        if (there.value > here.value || nearer) {
            RbPatchView *swap = v;
            v = next, next = swap, here = there, t = other;
            if (size >= longest) longest *= 2;
        } else if (error < ridge) {
            break;
        } else {
            longest = 0.25 * size;
        }
    }
    if (isfinite(here.value)) *turning = turning_of(&t, &here, k);
    return v;
}
