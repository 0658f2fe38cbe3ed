// SPDX-License-Identifier: MIT
#include "collide/line_sums.h"

#include <math.h>

#include "collide/gauss_points.h"

enum { NODES = 6, PLANE_NODES = 3 };

// Six places see a bend to 3e-7 on a part of a line as long as this, over the distance of what it bends about: from the place next to that on, and
// wherever that place is.
static const double BEND_STEP = 1.5, BEND_WHOLE = 0.85;

// Part of a line, and its share of the sheet.
typedef struct Stretch {
    const RbLine *line;
    double weight, from, to;
    bool known; // the overlap is radius - |away + s rate|
    Vec3 away, rate;
} Stretch;

// How far from what the overlap bends about. rate: of half the square along the line.
static double bend_distance(const RbDepthField *f, RbBend bend, const Stretch *s, double x,
                            double *rate) {
    if (!s->known) return rb_bend_distance(f, bend, s->line, x, rate);
    Vec3 away = v3_axpy(s->away, x, s->rate);
    *rate = v3_dot(away, s->rate);
    return v3_norm(away);
}

// Over which the overlap is linear: no look at the other body, and few places. The integrand is of degree four at most, for which three are exact.
static void add_linear(Stretch s, double w_from, double w_to, Vec3 m, RbRoundSums *sums) {
    double mid = 0.5 * (s.from + s.to), half = 0.5 * (s.to - s.from);
    for (int n = 1; n <= PLANE_NODES; n++) {
        double place = (n % 2 ? 1 : -1) * rb_gauss_3.at[n / 2], x = mid + half * place;
        double dA = s.weight * half * rb_gauss_3.weight[n / 2] * (s.line->j0 + s.line->j1 * x);
        double w = 0.5 * ((1 - place) * w_from + (1 + place) * w_to);
        rb_add_piece(sums, v3_axpy(s.line->o, x, s.line->t), m, dA, w > 0 ? w : 0);
    }
}

// Sums along a line over x, from the middle of the stretch: of the overlap times 1, x and x², and of 1/d times these, alone and times the overlap.
typedef struct Along {
    double area, square, v[3], r[3], q[3];
} Along;

static Wrench slope_of(Vec3 o, Vec3 t, Vec3 away, Vec3 rate, const double k[3]) {
    Vec3 f = v3_axpy(v3_scale(k[0], away), k[1], rate),
         fx = v3_axpy(v3_scale(k[1], away), k[2], rate);
    return (Wrench){.t = v3_add(v3_cross(o, f), v3_cross(t, fx)), .f = f};
}

static void add_along(const Stretch *s, double mid, Vec3 away, const Along *k, RbRoundSums *sums) {
    Vec3 o = v3_sub(v3_axpy(s->line->o, mid, s->line->t), sums->origin), t = s->line->t;
    double x = v3_dot(o, sums->u), y = v3_dot(o, sums->v);
    double tx = v3_dot(t, sums->u), ty = v3_dot(t, sums->v);
    const double *v = k->v;
    sums->area += k->area, sums->volume += v[0], sums->square += k->square;
    sums->x += x * v[0] + tx * v[1], sums->y += y * v[0] + ty * v[1];
    sums->xx += x * (x * v[0] + 2 * tx * v[1]) + tx * tx * v[2];
    sums->xy += x * y * v[0] + (x * ty + y * tx) * v[1] + tx * ty * v[2];
    sums->yy += y * (y * v[0] + 2 * ty * v[1]) + ty * ty * v[2];
    Wrench V = slope_of(o, t, away, s->rate, k->r), W = slope_of(o, t, away, s->rate, k->q);
    sums->volume_slope.f = v3_add(sums->volume_slope.f, V.f);
    sums->volume_slope.t = v3_add(sums->volume_slope.t, V.t);
    sums->square_slope.f = v3_axpy(sums->square_slope.f, 2, W.f);
    sums->square_slope.t = v3_axpy(sums->square_slope.t, 2, W.t);
}

// Where the way from what is closest is known, it and the place are linear along the line.
static void add_known(const RbDepthField *f, const Stretch *s, RbRoundSums *sums) {
    double mid = 0.5 * (s->from + s->to), half = 0.5 * (s->to - s->from);
    Vec3 away = v3_axpy(s->away, mid, s->rate);
    double c0 = v3_norm2(away), c1 = 2 * v3_dot(away, s->rate), c2 = v3_norm2(s->rate);
    double j0 = s->line->j0 + s->line->j1 * mid, j1 = s->line->j1;
    Along k = {0};
    for (int n = 0; n < NODES; n++) {
        double x = (n % 2 ? half : -half) * rb_gauss_6.at[n / 2];
        double dA = s->weight * half * rb_gauss_6.weight[n / 2] * (j0 + j1 * x);
        double d = sqrt(c0 + x * (c1 + x * c2)), w = f->radius - d, by_d = dA / d;
        if (!(w > 0)) w = 0;
        double V = dA * w, q = by_d * w;
        k.area += dA, k.square += V * w;
        k.v[0] += V, k.v[1] += V * x, k.v[2] += V * x * x;
        k.r[0] += by_d, k.r[1] += by_d * x, k.r[2] += by_d * x * x;
        k.q[0] += q, k.q[1] += q * x, k.q[2] += q * x * x;
    }
    add_along(s, mid, away, &k, sums);
}

static void add_smooth(const RbDepthField *f, Stretch s, RbRoundSums *sums) {
    if (s.known) {
        add_known(f, &s, sums);
        return;
    }
    double mid = 0.5 * (s.from + s.to), half = 0.5 * (s.to - s.from);
    for (int n = 0; n < NODES; n++) {
        double x = mid + (n % 2 ? half : -half) * rb_gauss_6.at[n / 2];
        double dA = s.weight * half * rb_gauss_6.weight[n / 2] * (s.line->j0 + s.line->j1 * x);
        Vec3 p = v3_axpy(s.line->o, x, s.line->t), m;
        double w = fmax(0, rb_depth_at(f, p, &m));
        rb_add_piece(sums, p, m, dA, w);
    }
}

// From an end that is next to what the overlap bends about: steps as long as that is far.
static void add_graded(const RbDepthField *f, RbBend bend, Stretch s, bool back,
                       RbRoundSums *sums) {
    double way = s.to - s.from, least = 1e-4 * way, rate;
    for (double at = 0; at < way;) {
        double far = bend_distance(f, bend, &s, back ? s.to - at : s.from + at, &rate);
        double next = fmin(way, at + fmax(least, BEND_STEP * fmax(far, at)));
        Stretch part = s;
        part.from = back ? s.to - next : s.from + at, part.to = back ? s.to - at : s.from + next;
        add_smooth(f, part, sums);
        at = next;
    }
}

// Over an edge, a rim or a corner the overlap bends within a way as long as that is far: hardly where bodies are rounded by
// more than they overlap, at once where lines pass close by it.
static void add_bent(const RbDepthField *f, Stretch s, double nearest, RbRoundSums *sums) {
    const RbLine *l = s.line;
    if (s.to - s.from <= BEND_WHOLE * nearest) {
        add_smooth(f, s, sums);
        return;
    }
    RbBend bend = rb_depth_bend(f, v3_axpy(l->o, 0.5 * (s.from + s.to), l->t));
    double rate_from, rate_to, far_from = bend_distance(f, bend, &s, s.from, &rate_from),
                               far_to = bend_distance(f, bend, &s, s.to, &rate_to);
    if (s.to - s.from <= BEND_WHOLE * fmin(far_from, far_to)) {
        add_smooth(f, s, sums);
        return;
    }
    // the foot: half of the distance's square has a linear rate, but for rims
    double foot = far_from < far_to ? s.from : s.to;
    if (rate_from < 0 && rate_to > 0)
        foot = s.from + (s.to - s.from) * rate_from / (rate_from - rate_to);
    Stretch before = s, after = s;
    before.to = after.from = foot;
    add_graded(f, bend, before, true, sums);
    add_graded(f, bend, after, false, sums);
}

static void add_line_over_plane(const RbDepthField *f, const RbLine *l, double weight,
                                RbRoundSums *sums) {
    Stretch s = {.line = l, .weight = weight, .from = l->s0, .to = l->s1};
    double slope = -v3_dot(f->n, l->t), at = f->radius + f->offset - v3_dot(f->n, l->o);
    double w_from = at + slope * l->s0, w_to = at + slope * l->s1;
    if (!(w_from > 0 || w_to > 0)) return;
    if (!(w_from > 0)) s.from = -at / slope, w_from = 0;
    if (!(w_to > 0)) s.to = -at / slope, w_to = 0;
    add_linear(s, w_from, w_to, f->n, sums);
}

int rb_add_line(const RbDepthField *f, const RbLine *l, double weight, RbRoundSums *sums) {
    RbWet wet;
    if (f->planar) {
        add_line_over_plane(f, l, weight, sums);
        return 0;
    }
    rb_wet_part(f, l, false, &wet);
    for (int i = 0; i < wet.count; i++) {
        Stretch s = {l, weight, wet.from[i], wet.to[i], wet.known[i], wet.away[i], wet.rate[i]};
        if (wet.linear[i])
            add_linear(s, wet.w_from[i], wet.w_to[i], wet.m[i], sums);
        else
            add_bent(f, s, f->radius - fmax(wet.w_from[i], wet.w_to[i]), sums);
    }
    return wet.form;
}
