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

// ∫ f g h of linear functions over a triangle of area 60, by their values at its corners
static double third_moment(const double f[3], const double g[3], const double h[3]) {
    double sf = f[0] + f[1] + f[2], sg = g[0] + g[1] + g[2], sh = h[0] + h[1] + h[2];
    double fg = f[0] * g[0] + f[1] * g[1] + f[2] * g[2];
    double fh = f[0] * h[0] + f[1] * h[1] + f[2] * h[2];
    double gh = g[0] * h[0] + g[1] * h[1] + g[2] * h[2];
    double fgh = f[0] * g[0] * h[0] + f[1] * g[1] * h[1] + f[2] * g[2] * h[2];
    return sf * sg * sh + sf * gh + sg * fh + sh * fg + 2 * fgh;
}

static void add_triangle(const RbPatchPiece *p, int k, Sums *s, RbPatchMoments *t) {
    const double x[3] = {p->x[0], p->x[k], p->x[k + 1]}, y[3] = {p->y[0], p->y[k], p->y[k + 1]};
    const double w[3] = {p->w[0], p->w[k], p->w[k + 1]};
    double area = 0.5 * ((x[1] - x[0]) * (y[2] - y[0]) - (y[1] - y[0]) * (x[2] - x[0]));
    double sx = x[0] + x[1] + x[2], sy = y[0] + y[1] + y[2], sw = w[0] + w[1] + w[2];
    double wx = area / 12 * (sw * sx + w[0] * x[0] + w[1] * x[1] + w[2] * x[2]);
    double wy = area / 12 * (sw * sy + w[0] * y[0] + w[1] * y[1] + w[2] * y[2]);
    s->one[0] += area, s->one[1] += area / 3 * sx, s->one[2] += area / 3 * sy;
    s->w[0] += area / 3 * sw, s->w[1] += wx, s->w[2] += wy;
    t->square += area / 12 * (sw * sw + w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    t->xx += area / 60 * third_moment(w, x, x);
    t->xy += area / 60 * third_moment(w, x, y);
    t->yy += area / 60 * third_moment(w, y, y);
}

// Where a body moves its surface over a fixed place of the plane rises with v_n - slope . v_t: of B, w falls by that much; as for A, whose w
// rises, B moves the other way. s: weight, and its moments with x and y.
static void add_rise(const Facing *f, const double s[3], double k, double rates[6]) {
    double z = f->height * s[0] + f->gx * s[1] + f->gy * s[2];
    rates[0] += k * f->gx * s[0], rates[1] += k * f->gy * s[0], rates[2] -= k * s[0];
    rates[3] -= k * (s[2] + f->gy * z), rates[4] += k * (s[1] + f->gx * z);
    rates[5] += k * (f->gy * s[1] - f->gx * s[2]);
}

// A border that moves with B sweeps w along it. Simpson's rule is exact here. One that moves with A goes the other way.
static void add_border(const RbPatchPiece *p, int k, const Facing *f, double sign,
                       RbPatchRates *out) {
    int next = k + 1 == p->count ? 0 : k + 1;
    double dx = p->x[next] - p->x[k], dy = p->y[next] - p->y[k]; // outward: (dy, -dx)
    for (int i = 0; i < 3; i++) {
        double part = 0.5 * i, weight = sign * (i == 1 ? 4.0 / 6 : 1.0 / 6);
        double x = p->x[k] + part * dx, y = p->y[k] + part * dy;
        double w = p->w[k] + part * (p->w[next] - p->w[k]);
        double z = f->height + f->gx * x + f->gy * y;
        const double rates[6] = {dy, -dx, 0, dx * z, dy * z, -dy * y - dx * x};
        for (int j = 0; j < 6; j++) {
            out->volume[j] += weight * w * rates[j];
            out->square[j] += weight * w * w * rates[j];
        }
    }
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
    for (int k = 1; k + 1 < p->count; k++) add_triangle(p, k, &s, t);
    t->area += s.one[0], t->volume += s.w[0], t->x += s.w[1], t->y += s.w[2];
    Facing of_b = facing_of_b(b, heights[1]);
    add_rates(p, &of_b, RB_BORDER_B, 1, &s, &t->by_b);
    if (!a) return;
    Facing of_a = facing_of_a(a, heights[0]);
    add_rates(p, &of_a, RB_BORDER_A, -1, &s, &t->by_a);
}

void rb_slope_by_normal(const double by_a[6], const double by_b[6], double out[2]) {
    out[0] = by_a[4] - by_b[4], out[1] = by_b[3] - by_a[3];
}
