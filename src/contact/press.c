// SPDX-License-Identifier: MIT
#include "contact/press.h"

#include <math.h>

// The energy of the cores and that of the spot where rounded corners alone touch. The larger one counts;
// where they are alike both do: (c¹⁶ + s¹⁶)^(1/16). So the closest points, which jump as a face rocks
// through parallel, have vanished there to the last digit; where edges are as short as their rounding the patch has a spot that does not jump.
typedef struct Potential {
    double U;
    double by_volume, by_square, by_depth; // of the cores' moments and of the spot's depth
    double share;                          // of the cores
} Potential;

static double sixteenth_power(double x) {
    for (int i = 0; i < 4; i++) x *= x;
    return x;
}

// spot: radius of rounded corners [m], and how deep they are
static Potential potential(const RbContactLaw *law, const RbPatch *p, double depth, double spot) {
    if (p->energy > 0) return (Potential){.U = law->modulus * p->energy, .share = 1};
    double core = 0, round = 8.0 / 15 * sqrt(spot * depth) * depth * depth;
    if (p->volume > 0) core = RB_PATCH_SHARE * p->square * sqrt(p->square) / p->volume;
    double most = fmax(core, round), c = core / most, s = round / most;
    double c16 = sixteenth_power(c), s16 = sixteenth_power(s), sum = c16 + s16;
    double U = law->modulus * most * sqrt(sqrt(sqrt(sqrt(sum))));
    Potential u = {.U = U, .share = c16 / sum, .by_depth = 2.5 * U * s16 / sum / depth};
    if (core > 0)
        u.by_volume = -U * u.share / p->volume, u.by_square = 1.5 * U * u.share / p->square;
    return u;
}

// The patch as it moves: means over it, weighed with the overlap.
typedef struct Spread {
    double x, y, xx, xy, yy;  // [m], [m²]
    double rate, rate_square; // [m/s], [m²/s²] of approach
    double x_rate, y_rate;    // [m²/s]
} Spread;

// share: of the cores
static Spread spread(const RbPatch *p, double share, Motion m) {
    double x = p->spot.x, y = p->spot.y, rest = 1 - share;
    Spread s = {.x = share * p->x + rest * x,
                .y = share * p->y + rest * y,
                .xx = share * p->xx + rest * x * x,
                .xy = share * p->xy + rest * x * y,
                .yy = share * p->yy + rest * y * y};
    double v = v3_dot(m.v, p->n), wx = v3_dot(m.w, p->u), wy = v3_dot(m.w, p->v);
    s.rate = -(v + wx * s.y - wy * s.x);
    s.rate_square = v * v + 2 * v * (wx * s.y - wy * s.x) + wx * wx * s.yy - 2 * wx * wy * s.xy +
                    wy * wy * s.xx;
    s.x_rate = -(v * s.x + wx * s.xy - wy * s.xx);
    s.y_rate = -(v * s.y + wx * s.yy - wy * s.xy);
    return s;
}

// Force and torques about u and v of the damping, N (a rate/v + stop(b, c)) at each place, cut so that
// nothing pulls.
static void damp(const RbContactLaw *law, const Spread *s, double N, double U, double out[3]) {
    double linear = 0, even = 0;
    out[0] = out[1] = out[2] = 0;
    if (!(N > 0)) return; // of nothing, by rounding
    if (law->pair.damping == RB_DAMPING_FLORES) {
        linear = law->damping;
    } else if (law->dissipation.a > 0) {
        double v = sqrt(fmax(0, s->rate_square) + 2 * U / law->mass), a, b;
        rb_dissipation_at(&law->dissipation, v, &a, &b);
        linear = v > 0 ? a / v : 0;
        even = v > 0 ? rb_stop_part(b, s->rate / v) : 0;
    }
    out[0] = N * (linear * s->rate + even);
    out[1] = N * (linear * s->y_rate + even * s->y);
    out[2] = -N * (linear * s->x_rate + even * s->x);
    if (out[0] >= -N) return;
    double scale = N / -out[0];
    for (int i = 0; i < 3; i++) out[i] *= scale;
}

static Vec3 weighed(Vec3 a, double by_a, Vec3 b, double by_b, Vec3 c, double by_c) {
    return v3_axpy(v3_axpy(v3_scale(by_a, a), by_b, b), by_c, c);
}

static Wrench slope_of(const RbContactLaw *law, const RbPatch *p, Wrench spot, const Potential *u) {
    const Wrench *E = &p->energy_slope;
    if (p->energy > 0)
        return (Wrench){v3_scale(-law->modulus, E->t), v3_scale(-law->modulus, E->f)};
    const Wrench *V = &p->volume_slope, *W = &p->square_slope;
    return (Wrench){weighed(spot.t, -u->by_depth, V->t, -u->by_volume, W->t, -u->by_square),
                    weighed(spot.f, -u->by_depth, V->f, -u->by_volume, W->f, -u->by_square)};
}

// 0 below 0, 1 from 1 on, smooth in between.
static double ramp(double x) {
    double y = fmin(1, fmax(0, x));
    return y * y * (3 - 2 * y);
}

// [m] Mean distance from the middle of an even rectangle with standard deviations a ≥ b along its sides, which are √12 times as long.
static double mean_of_rectangle(double a, double b) {
    const double root_3 = 1.7320508075688772;
    if (b <= 1e-9 * a) return 0.5 * root_3 * a;
    double sum = 2 * sqrt(a * a + b * b) + a * a / b * asinh(b / a) + b * b / a * asinh(a / b);
    return root_3 / 6 * sum;
}

// Likewise of an ellipse: its circumference, by Ramanujan's formula (to 4e-4), over 3 pi.
static double mean_of_ellipse(double a, double b) {
    double h = a + b > 0 ? (a - b) / (a + b) : 0;
    h *= h;
    return 2.0 / 3 * (a + b) * (1 + 3 * h / (10 + sqrt(4 - 3 * h)));
}

// Second moments about the centre, cores and spot together. (As differences from those about the origin, of a spot beside it only rounding would be left.)
typedef struct Central {
    double xx, xy, yy; // [m²]
} Central;

static Central central_of(const RbPatch *p, double share) {
    double both = share * (1 - share), x = p->x - p->spot.x, y = p->y - p->spot.y;
    return (Central){.xx = fmax(0, share * (p->xx - p->x * p->x) + both * x * x),
                     .xy = share * (p->xy - p->x * p->y) + both * x * y,
                     .yy = fmax(0, share * (p->yy - p->y * p->y) + both * y * y)};
}

// [m] Mean distance of the pressure from the centre: of an even ellipse with the same second moments as far as the patch is one, else of such a rectangle. What tells them apart
// is the area over the root of the determinant of these moments, 4 pi and 12; but where the overlap is not even, as under a cylinder that lies, it says
// nothing, and what is long is a line (docs/theory/contact-patch.md, section 4).
static double twist_radius(const RbPatch *p, double share) {
    const double ellipse = 12.566370614359172, rectangle = 12, even = 0.9;
    const Central c = central_of(p, share);
    double half = 0.5 * (c.xx + c.yy), way = hypot(0.5 * (c.xx - c.yy), c.xy);
    double a = sqrt(half + way), b = sqrt(fmax(0, half - way)), rect = mean_of_rectangle(a, b);
    if (!(p->area > 0 && p->square > 0)) return rect;
    double area = p->volume * p->volume / p->square; // where it is even, that of the patch
    double round = ramp((area / (a * b) - rectangle) / (ellipse - rectangle)) *
                   ramp((area / p->area - even) / (1 - even));
    return rect + round * (mean_of_ellipse(a, b) - rect);
}

RbPressing rb_press(const RbContactLaw *law, const RbPatch *p, const RbGap *gap, double spot,
                    Motion motion, Motion surface) {
    double depth = -gap->distance;
    if (!(depth > 0)) return (RbPressing){.point = p->origin};
    // the spot of the closest points is at the origin, and its depth falls as B moves along n
    Wrench spot_slope = {.f = v3_neg(gap->normal)};
    if (p->spot.depth > 0) depth = p->spot.depth, spot_slope = p->spot.slope;
    Potential u = potential(law, p, depth, spot);
    Spread s = spread(p, u.share, surface);
    RbPressing out = {.energy = u.U, .closing = s.rate};
    out.point = v3_axpy(v3_axpy(p->origin, s.x, p->u), s.y, p->v);
    out.elastic = slope_of(law, p, spot_slope, &u); // of -U
    // Elastic forces may pull along n where they push hard across it; that part is no pressure, but counts as all of them do.
    double N = fmax(0, v3_dot(out.elastic.f, p->n)), damping[3];
    damp(law, &s, N, u.U, damping);
    out.normal = fmax(0, N + damping[0]);
    out.side = v3_axpy(out.elastic.f, -N, p->n);
    Vec3 torque = v3_axpy(v3_axpy(out.elastic.t, damping[1], p->u), damping[2], p->v);
    Vec3 force = v3_axpy(out.side, out.normal, p->n);
    out.couple = v3_sub(torque, v3_cross(v3_sub(out.point, p->origin), force));
    out.damping_power =
        -(damping[0] * v3_dot(motion.v, p->n) + damping[1] * v3_dot(motion.w, p->u) +
          damping[2] * v3_dot(motion.w, p->v));
    out.twist_radius = twist_radius(p, u.share);
    return out;
}
