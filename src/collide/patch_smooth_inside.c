// SPDX-License-Identifier: MIT
#include <math.h>

#include "collide/gauss_points.h"
#include "collide/patch_pieces.h"
#include "collide/patch_smooth.h"

// ---- the sheet around the closest point, over its tangent plane

// The chart, and where it begins as the sheet counts.
typedef struct Chart {
    RbChart chart;
    const RbSheet *sheet;
    double x, along; // [m]
} Chart;

static Chart chart_of(const RbSheet *s, Vec3 at) {
    Vec3 d = v3_sub(at, s->c), ey = s->kind == RB_SHEET_END ? s->e2 : s->axis;
    Chart c = {.chart = {.o = at, .ex = s->e1, .ey = ey}, .sheet = s};
    RbChart *k = &c.chart;
    c.x = v3_dot(d, k->ex), c.along = v3_dot(d, k->ey);
    if (s->kind != RB_SHEET_SIDE) return c;
    double slant = sqrt(s->length * s->length + (s->r1 - s->r0) * (s->r1 - s->r0));
    k->o = v3_axpy(s->c, c.along, s->axis);
    k->out = v3_unit(v3_sub(at, k->o)), k->ex = v3_cross(s->axis, k->out);
    k->radius = s->r0 + (s->r1 - s->r0) * c.along / s->length;
    k->widens = (s->r1 - s->r0) / slant, k->rises = s->length / slant;
    return c;
}

static bool is_inside(const Chart *c, double x, double y) {
    const double turned = 1; // [rad] half of a right angle and a little, about
    const RbSheet *s = c->sheet;
    double px = fabs(c->x + x), py = c->along + y, area;
    switch (s->kind) {
        case RB_SHEET_END: px = fmax(0, px - s->straight); return px * px + py * py < s->r0 * s->r0;
        case RB_SHEET_FLAT: return px < s->high && py > 0 && py < s->length;
        default: break;
    }
    py = c->along + c->chart.rises * y;
    if (!(py > 0 && py < s->length && fabs(x) < turned * c->chart.radius)) return false;
    return s->high > 3 || v3_dot(v3_sub(rb_chart_point(&c->chart, x, y, &area), s->c), s->e1) > 0;
}

// ---- about an ellipse

// (x, y) = way times (cos, sin), mapped such that the overlap is about depth (1 - way²).
typedef struct Round {
    const RbSmooth *smooth;
    Chart chart;
    double xx, xy, yy; // x = xx cos + xy sin, y = yy sin
} Round;

typedef struct Ray {
    const Round *round;
    double x, y;
} Ray;

static double overlap_at(const RbSmooth *s, const Chart *c, double x, double y) {
    Vec3 m;
    double area;
    return rb_smooth_depth(s, rb_chart_point(&c->chart, x, y, &area), &m);
}

static double overlap_along(const void *curve, double way) {
    const Ray *r = curve;
    return overlap_at(r->round->smooth, &r->round->chart, way * r->x, way * r->y);
}

// From how the overlap bends. False: it hardly does in some direction.
static bool find_ellipse(Round *r) {
    const double long_ = 1e-5; // bends differ by more
    const RbSmooth *s = r->smooth;
    double h = s->near, w[3][3];
    for (int i = 0; i < 9; i++)
        w[i / 3][i % 3] =
            i == 4 ? s->depth : overlap_at(s, &r->chart, h * (i / 3 - 1), h * (i % 3 - 1));
    double k = 0.5 / (h * h * s->depth); // w = depth (1 - a x² - 2 b x y - c y²)
    double a = k * (2 * w[1][1] - w[0][1] - w[2][1]), c = k * (2 * w[1][1] - w[1][0] - w[1][2]);
    double b = 0.25 * k * (w[0][2] + w[2][0] - w[0][0] - w[2][2]), det = a * c - b * b;
    if (!(a > 0 && c > 0 && det > long_ * (a + c) * (a + c))) return false;
    r->xx = 1 / sqrt(a), r->yy = sqrt(a / det), r->xy = -b / a * r->yy;
    return true;
}

// ---- sums over rays

enum { RAYS = 16 };

// cos(2 pi k/16)
static double cosine(int k) {
    static const double quarter[5] = {1, 0.92387953251128674, 0.70710678118654752,
                                      0.38268343236508977, 0};
    k %= RAYS;
    if (k > 8) k = RAYS - k;
    return k > 4 ? -quarter[8 - k] : quarter[k];
}

typedef struct Rays {
    Round round;
    const RbGaussPoints *rule; // of each
    double border[RAYS];
    RbRoundSums sums;
} Rays;

static Ray ray_at(const Round *r, int k) {
    double c = cosine(k), s = cosine(k + 12);
    return (Ray){r, r->xx * c + r->xy * s, r->yy * s};
}

// False: it leaves the sheet or the piece, or nearly.
static bool find_borders(Rays *rays, int from, int step) {
    const double beyond = 1.1;
    const Round *round = &rays->round;
    double start = from > 0 ? rays->border[0] : 1, area;
    for (int k = from; k < RAYS; k += step) {
        Ray r = ray_at(round, k);
        if (!rb_smooth_border(overlap_along, &r, round->smooth->depth, start, &start)) return false;
        double x = beyond * start * r.x, y = beyond * start * r.y;
        if (!is_inside(&round->chart, x, y)) return false;
        Vec3 p = rb_chart_point(&round->chart.chart, x, y, &area);
        if (!rb_near_is_over(round->smooth->field->near, round->smooth->piece, p)) return false;
        rays->border[k] = start;
    }
    return true;
}

// Returns what it adds to V.
static double add_ray(Rays *rays, int k) {
    const Round *round = &rays->round;
    Ray r = ray_at(round, k);
    double before = rays->sums.volume, half = 0.5 * rays->border[k], area;
    for (int i = 0; i < rays->rule->count; i++) {
        double way = half * (1 + rb_gauss_at(rays->rule, i));
        Vec3 m, p = rb_chart_point(&round->chart.chart, way * r.x, way * r.y, &area);
        double w = fmax(0, rb_smooth_depth(round->smooth, p, &m));
        rb_add_piece(&rays->sums, p, m, half * rb_gauss_weight(rays->rule, i) * way * area, w);
    }
    return rays->sums.volume - before;
}

static bool is_on_sheet(const void *chart, double x, double y) {
    return is_inside(chart, x, y);
}

static bool add_pieces(const Round *r, RbRoundSums *sums) {
    RbRoundSums all = {.origin = sums->origin, .u = sums->u, .v = sums->v};
    RbFan fan = {.smooth = r->smooth,
                 .chart = r->chart.chart,
                 .xx = r->xx,
                 .xy = r->xy,
                 .yy = r->yy,
                 .is_on_sheet = is_on_sheet,
                 .sheet = &r->chart};
    if (rb_is_slender(&fan) || !rb_add_fan(&fan, &all)) return false;
    rb_add_sums(sums, &all, 1);
    return true;
}

// Over one piece: eight rays, or sixteen where the highest waves that they tell apart are not small; those that they do not are about the square of these. False: over
// several, or it is not resolved.
static bool add_rays(Rays *rays, RbRoundSums *sums) {
    const double small = 1e-6, hopeless = 3e-3, pi = 3.14159265358979324;
    double volume[2] = {0, 0}; // of each second ray, and of the others
    for (int step = 2; step > 0; step--) {
        int from = step == 2 ? 0 : 1;
        if (!find_borders(rays, from, 2)) return false;
        volume[0] += volume[1], volume[1] = 0;
        for (int k = from; k < RAYS; k += 2) volume[k / step % 2] += add_ray(rays, k);
        double rest = fabs(volume[0] - volume[1]) / (volume[0] + volume[1]);
        if (rest > hopeless) return false;
        if (rest > small) continue;
        rb_add_sums(sums, &rays->sums, 2 * pi * step / RAYS * rays->round.xx * rays->round.yy);
        return true;
    }
    return false;
}

bool rb_smooth_inside(const RbSmooth *s, const RbSheet *sheet, RbRoundSums *sums) {
    const double even = 1e-3;
    Rays rays = {.round = {.smooth = s, .chart = chart_of(sheet, s->at)}, .rule = &rb_gauss_6};
    rays.sums = (RbRoundSums){.origin = sums->origin, .u = sums->u, .v = sums->v};
    if (s->depth < even * (s->field->radius - s->depth)) rays.rule = &rb_gauss_4;
    if (!find_ellipse(&rays.round)) return false;
    return add_rays(&rays, sums) || add_pieces(&rays.round, sums);
}
