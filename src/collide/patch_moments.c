// SPDX-License-Identifier: MIT
#include "collide/patch_moments.h"

#include <math.h>

// A facet of a body: slope of its height, and height over the origin.
typedef struct Facing {
    double gx, gy, height;
} Facing;

// height: of the foremost point over the origin.
static Facing facing_of_a(const RbFacet *a, double height) {
    return (Facing){-a->gu, -a->gv, height - a->excess[0] + a->gu * a->u[0] + a->gv * a->v[0]};
}

static Facing facing_of_b(const RbFacet *b, double height) {
    return (Facing){b->gu, b->gv, height + b->excess[0] - b->gu * b->u[0] - b->gv * b->v[0]};
}

// Integrals over a piece: of 1, x, y; of w, w x, w y.
typedef struct Sums {
    double one[3], w[3];
} Sums;

// Of a linear function over a triangle: the sum of its values at the corners; of two: that of their products.
static double sum(const double f[3]) {
    return f[0] + f[1] + f[2];
}

static double products(const double f[3], const double g[3]) {
    return f[0] * g[0] + f[1] * g[1] + f[2] * g[2];
}

// sign: of the piece
static void add_triangle(const RbPatchPiece *p, int k, double sign, Sums *s, RbPatchMoments *t) {
    const double x[3] = {p->x[0], p->x[k], p->x[k + 1]}, y[3] = {p->y[0], p->y[k], p->y[k + 1]};
    const double w[3] = {p->w[0], p->w[k], p->w[k + 1]};
    double area = sign * 0.5 * ((x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]));
    const double fx[3] = {w[0] * x[0], w[1] * x[1], w[2] * x[2]}; // w x and w y at the corners
    const double fy[3] = {w[0] * y[0], w[1] * y[1], w[2] * y[2]};
    double sx = sum(x), sy = sum(y), sw = sum(w), swx = sum(fx), swy = sum(fy);
    double wx = sw * sx + swx, wy = sw * sy + swy;
    s->one[0] += area, s->one[1] += area / 3 * sx, s->one[2] += area / 3 * sy;
    s->w[0] += area / 3 * sw, s->w[1] += area / 12 * wx, s->w[2] += area / 12 * wy;
    t->square += area / 12 * (sw * sw + products(w, w));
    // ∫ f g h = area/60 (Σf Σg Σh + Σf Σgh + Σg Σfh + Σh Σfg + 2 Σfgh)
    t->xx += area / 60 * (sx * (wx + swx) + sw * products(x, x) + 2 * products(fx, x));
    t->xy += area / 60 * (sx * wy + sw * products(x, y) + sy * swx + 2 * products(fx, y));
    t->yy += area / 60 * (sy * (wy + swy) + sw * products(y, y) + 2 * products(fy, y));
}

// Where a body moves its surface over a fixed place of the plane rises with v_n - slope . v_t: of B, w falls by that much; as for A, whose w
// rises, B moves the other way. s: weight, and its moments with x and y.
static void add_rise(const Facing *f, const double s[3], double k, double rates[6]) {
    double z = f->height * s[0] + f->gx * s[1] + f->gy * s[2];
    rates[0] += k * f->gx * s[0], rates[1] += k * f->gy * s[0], rates[2] -= k * s[0];
    rates[3] -= k * (s[2] + f->gy * z), rates[4] += k * (s[1] + f->gx * z);
    rates[5] += k * (f->gy * s[1] - f->gx * s[2]);
}

// How a border that sweeps k along itself moves with (v_u, v_v, v_n, w_u, w_v, w_n): ∫ k ds, ∫ k z ds and ∫ k (p along it) ds
static void add_sweep(double dx, double dy, double k, double z, double along, double rates[6]) {
    rates[0] += dy * k, rates[1] -= dx * k;
    rates[3] += dx * z, rates[4] += dy * z, rates[5] -= along;
}

// A border that moves with B sweeps w along it. Simpson's rule is exact here. One that moves with A goes the other way.
static void add_border(const RbPatchPiece *p, int k, const Facing *f, double sign,
                       RbPatchRates *out) {
    int next = k + 1 == p->count ? 0 : k + 1;
    double dx = p->x[next] - p->x[k], dy = p->y[next] - p->y[k]; // outward: (dy, -dx)
    double V[3] = {0}, W[3] = {0};
    for (int i = 0; i < 3; i++) {
        double part = 0.5 * i, weight = sign * (i == 1 ? 4.0 / 6 : 1.0 / 6);
        double x = p->x[k] + part * dx, y = p->y[k] + part * dy;
        double w = p->w[k] + part * (p->w[next] - p->w[k]);
        double z = f->height + f->gx * x + f->gy * y, along = dx * x + dy * y;
        double v = weight * w, vv = v * w;
        V[0] += v, V[1] += v * z, V[2] += v * along;
        W[0] += vv, W[1] += vv * z, W[2] += vv * along;
    }
    add_sweep(dx, dy, V[0], V[1], V[2], out->volume);
    add_sweep(dx, dy, W[0], W[1], W[2], out->square);
}

static void add_rates(const RbPatchPiece *p, const Facing *f, RbBorder own, double sign,
                      const Sums *s, RbPatchRates *out) {
    add_rise(f, s->one, 1, out->volume);
    add_rise(f, s->w, 2, out->square);
    for (int k = 0; k < p->count; k++)
        if (p->border[k] == own) add_border(p, k, f, sign, out);
}

void rb_patch_moments_add(const RbPatchPiece *p, const RbFacet *a, const RbFacet *b,
                          const double heights[2], RbPatchMoments *t) {
    Sums s = {0};
    double sign = (a && a->back) != b->back ? -1 : 1;
    for (int k = 1; k + 1 < p->count; k++) add_triangle(p, k, sign, &s, t);
    t->area += s.one[0], t->volume += s.w[0], t->x += s.w[1], t->y += s.w[2];
    Facing of_b = facing_of_b(b, heights[1]);
    add_rates(p, &of_b, RB_BORDER_B, sign, &s, &t->by_b);
    if (!a) return;
    Facing of_a = facing_of_a(a, heights[0]);
    add_rates(p, &of_a, RB_BORDER_A, -sign, &s, &t->by_a);
}

void rb_slope_by_normal(const double by_a[6], const double by_b[6], double out[2]) {
    out[0] = by_a[4] - by_b[4], out[1] = by_b[3] - by_a[3];
}
