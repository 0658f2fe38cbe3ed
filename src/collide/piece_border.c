// SPDX-License-Identifier: MIT
#include "collide/piece_border.h"

#include <math.h>
#include <stddef.h>

double rb_piece_overlap(const RbFan *f, int piece, RbChartPlace at, RbChartPlace *slope) {
    const RbDepthField *field = f->smooth->field;
    Vec3 m, by_x, by_y;
    double area, w = field->radius -
                     rb_near_piece_distance(&field->near->pieces[piece],
                                            rb_chart_point(&f->chart, at.x, at.y, &area), &m);
    if (slope) {
        rb_chart_rates(&f->chart, at.x, at.y, &by_x, &by_y);
        *slope = (RbChartPlace){-v3_dot(m, by_x), -v3_dot(m, by_y)};
    }
    return w;
}

// ---- what bounds it

// How far beyond a bound a place is.
static double beyond(const RbFan *f, int bound, RbChartPlace at, RbChartPlace *slope) {
    const RbNearHull *near = f->smooth->field->near;
    double area;
    Vec3 by_x, by_y, rise, p = rb_chart_point(&f->chart, at.x, at.y, &area);
    double here = rb_near_beyond(near, &near->bounds[bound], p, &rise);
    if (slope) {
        rb_chart_rates(&f->chart, at.x, at.y, &by_x, &by_y);
        *slope = (RbChartPlace){v3_dot(rise, by_x), v3_dot(rise, by_y)};
    }
    return here;
}

enum { AXIS = -1, OVERLAP = -2, NOTHING = -3 }; // what ends a border, if it is no bound

// A bound between two pieces: from `foot` by s along `way`, and up to h0 + h1 s + h2 s² to the left.
typedef struct Curve {
    const RbFan *fan;
    const RbBoundHere *here;
    int bound, left, right;
    RbChartPlace foot, way;
    double steep; // of the bound, across
    double h0, h1, h2;
    double end[2];
    int by[2]; // what ends it there
} Curve;

static RbChartPlace place_on(const Curve *c, double s) {
    double h = c->h0 + s * (c->h1 + s * c->h2);
    return (RbChartPlace){c->foot.x + s * c->way.x - h * c->way.y,
                          c->foot.y + s * c->way.y + h * c->way.x};
}

// What ends the border, and is zero there.
static double left_of(const Curve *c, int by, RbChartPlace at, RbChartPlace *slope) {
    if (by == OVERLAP) return rb_piece_overlap(c->fan, c->left, at, slope);
    if (by != AXIS) return beyond(c->fan, by, at, slope);
    if (slope) *slope = (RbChartPlace){0, 1};
    return at.y;
}

static bool bends(const Curve *c) {
    return c->fan->chart.radius > 0 || c->fan->smooth->field->near->bounds[c->bound].around != 0;
}

// The straight part of it that may be in the patch.
static bool find_line(Curve *c, double wide) {
    // in these coordinates the outline is about the unit circle
    RbChartPlace p = rb_place_even(c->fan, c->foot), d = rb_place_even(c->fan, c->way);
    double a = rb_place_dot(d, d), h = rb_place_dot(p, d), k = rb_place_dot(p, p) - wide * wide;
    double root = h * h - a * k;
    if (!(root > 0)) return false;
    c->end[0] = (-h - sqrt(root)) / a, c->end[1] = (-h + sqrt(root)) / a;
    return true;
}

// False: it is not nearly straight.
static bool bend(Curve *c) {
    const double straight = 0.4;
    c->h0 = c->h1 = c->h2 = 0;
    double mid = 0.5 * (c->end[0] + c->end[1]), half = 0.5 * (c->end[1] - c->end[0]), h[3];
    for (int k = 0; k < 3; k++)
        h[k] = -beyond(c->fan, c->bound, place_on(c, mid + (k - 1) * half), NULL) / c->steep;
    c->h2 = 0.5 * (h[0] - 2 * h[1] + h[2]) / (half * half), c->h1 = 0.5 * (h[2] - h[0]) / half;
    c->h0 = h[1] - mid * (c->h1 - mid * c->h2), c->h1 -= 2 * mid * c->h2;
    return fabs(h[0] - 2 * h[1] + h[2]) < straight * half;
}

// ---- where it ends

// Leaves what is on one side of that: by secants, as it is nearly linear along the border.
static bool cut(Curve *c, int by, double sign) {
    enum { SECANTS = 2 };
    double at[2];
    for (int k = 0; k < 2; k++) at[k] = sign * left_of(c, by, place_on(c, c->end[k]), NULL);
    if (at[0] >= 0 && at[1] >= 0) return true;
    if (at[0] < 0 && at[1] < 0) return false;
    double s = 0;
    int out = at[0] < 0 ? 0 : 1;
    double from[2] = {c->end[0], c->end[1]};
    for (int i = 0; i <= SECANTS; i++) {
        s = from[0] + (from[1] - from[0]) * at[0] / (at[0] - at[1]);
        if (i == SECANTS) break;
        double here = sign * left_of(c, by, place_on(c, s), NULL);
        int k = (here < 0) == (at[0] < 0) ? 0 : 1;
        from[k] = s, at[k] = here;
        if (here == 0) break;
    }
    c->end[out] = s, c->by[out] = by;
    return c->end[1] > c->end[0];
}

static bool is_same(const RbNearBound *a, const RbNearBound *b) {
    return a->at == b->at && a->around == b->around && a->n.x == b->n.x && a->n.y == b->n.y &&
           a->n.z == b->n.z;
}

// The same from afar: leaves at least that.
static bool cut_roughly(Curve *c, int by, double sign) {
    const RbBoundHere axis = {.slope = {0, 1}}, *b = by == AXIS ? &axis : &c->here[by];
    double at[2], bend = b->bend + c->here[c->bound].bend / c->steep;
    for (int k = 0; k < 2; k++) {
        RbChartPlace p = {c->foot.x + c->end[k] * c->way.x, c->foot.y + c->end[k] * c->way.y};
        at[k] = sign * (b->beyond + rb_place_dot(b->slope, p)) + 0.5 * bend * rb_place_dot(p, p);
    }
    if (at[0] >= 0 && at[1] >= 0) return true;
    if (at[0] < 0 && at[1] < 0) return false;
    double s = c->end[0] + (c->end[1] - c->end[0]) * at[0] / (at[0] - at[1]);
    c->end[at[0] < 0 ? 0 : 1] = s;
    return true;
}

typedef bool Cut(Curve *c, int by, double sign);

// To what the piece needs else. False: nothing is left.
static bool cut_to_piece(Curve *c, int piece, Cut *cut_to) {
    const RbNearHull *near = c->fan->smooth->field->near;
    const RbNearPiece *p = &near->pieces[piece];
    for (int k = p->first; k < p->first + p->count; k++) {
        int by = near->needs[k] / 2;
        if (is_same(&near->bounds[by], &near->bounds[c->bound])) continue;
        if (!cut_to(c, by, near->needs[k] % 2 ? -1 : 1)) return false;
    }
    return true;
}

static bool cut_to_pieces(Curve *c, Cut *cut_to) {
    if (c->fan->is_half && !cut_to(c, AXIS, 1)) return false;
    return cut_to_piece(c, c->left, cut_to) && cut_to_piece(c, c->right, cut_to);
}

static double overlap_at(const Curve *c, double s) {
    return rb_piece_overlap(c->fan, c->left, place_on(c, s), NULL);
}

// Between a place that overlaps and one that does not: false position, roughly.
static double dry_end(const Curve *c, double in, double w_in, double out, double w_out) {
    const double rough = 1e-2; // of the depth
    for (int i = 0, side = 0; i < 40; i++) {
        double part = w_in / (w_in - w_out);
        if (i == 0) part = sqrt(part);
        double s = in + fmin(0.99, fmax(0.01, part)) * (out - in), w = overlap_at(c, s);
        if (fabs(w) < rough * fmin(c->fan->smooth->depth, w_in)) return s;
        if (w > 0) {
            in = s, w_in = w;
            if (side > 0) w_out *= 0.5;
            side = 1;
        } else {
            out = s, w_out = w;
            if (side < 0) w_in *= 0.5;
            side = -1;
        }
    }
    return in;
}

// A place that overlaps between two that do not. Overlap is concave: lines through two looks bound it elsewhere.
static bool find_wet(const Curve *c, double w_from, double w_to, double *out, double *w_out) {
    enum { LOOKS = 20 };
    double x[3] = {c->end[0], 0.5 * (c->end[0] + c->end[1]), c->end[1]}, w[3] = {w_from, 0, w_to};
    w[1] = overlap_at(c, x[1]);
    for (int i = 0; i < LOOKS; i++) {
        *out = x[1], *w_out = w[1];
        if (w[1] > 0) return true;
        double rise0 = (w[1] - w[0]) / (x[1] - x[0]), rise1 = (w[2] - w[1]) / (x[2] - x[1]);
        double before = w[1] - rise1 * (x[1] - x[0]), after = w[1] + rise0 * (x[2] - x[1]);
        if (!(before > 0 || after > 0)) return false;
        double s = 0.5 * (x[0] + x[1]) - 0.5 * rise0 * (x[2] - x[0]) / (rise1 - rise0),
               margin = 0.05 * (x[2] - x[0]);
        if (!(s > x[0] + margin && s < x[2] - margin) || fabs(s - x[1]) < 0.2 * margin)
            s = before > after ? 0.5 * (x[0] + x[1]) : 0.5 * (x[1] + x[2]);
        double here = overlap_at(c, s);
        int lower = s < x[1] ? 0 : 2; // what is beyond
        if (here > w[1])
            x[2 - lower] = x[1], w[2 - lower] = w[1], x[1] = s, w[1] = here;
        else
            x[lower] = s, w[lower] = here;
    }
    return false;
}

static bool cut_to_overlap(Curve *c) {
    double w[2] = {overlap_at(c, c->end[0]), overlap_at(c, c->end[1])}, s, in;
    if (w[0] > 0 && w[1] > 0) return true;
    if (w[0] > 0 || w[1] > 0)
        s = w[0] > 0 ? c->end[0] : c->end[1], in = w[0] > 0 ? w[0] : w[1];
    else if (!find_wet(c, w[0], w[1], &s, &in))
        return false;
    for (int k = 0; k < 2; k++) {
        if (w[k] > 0) continue;
        c->end[k] = dry_end(c, s, in, c->end[k], w[k]), c->by[k] = OVERLAP;
    }
    return true;
}

// ---- its ends exactly

// Where the bound and what ends it are both zero: those of other borders there are the same then.
static bool meet(const Curve *c, int end, RbChartPlace *out) {
    enum { STEPS = 8 };
    const double fine = 1e-11; // of the patch
    RbChartPlace at = place_on(c, c->end[end]), g, h;
    double size = sqrt(c->fan->xx * c->fan->yy);
    if (c->by[end] == NOTHING) return false;
    for (int i = 0; i < STEPS; i++) {
        double a = beyond(c->fan, c->bound, at, &g), b = left_of(c, c->by[end], at, &h),
               det = rb_place_cross(g, h);
        RbChartPlace step = {(b * g.y - a * h.y) / det, (a * h.x - b * g.x) / det};
        at.x += step.x, at.y += step.y;
        double way = sqrt(rb_place_dot(step, step));
        if (!(way < size)) return false;
        if (way < 1e-6 * size && (way < fine * size || i > 0)) {
            if (c->by[end] == AXIS) at.y = 0;
            return *out = at, true;
        }
    }
    return false;
}

// How far the bound is beside a place of the border.
static RbChartPlace aside(const Curve *c, const RbPieceBorder *b, double t) {
    RbChartPlace rate, g;
    double k = -beyond(c->fan, c->bound, rb_border_at(b, t, &rate), &g);
    k /= rb_place_dot(g, g);
    return (RbChartPlace){k * g.x, k * g.y};
}

// Through three places between its ends.
static void set_bend(const Curve *c, RbPieceBorder *b) {
    b->is_straight = !bends(c);
    if (b->is_straight) return;
    RbChartPlace mid = aside(c, b, 0.5);
    b->bend[0] = (RbChartPlace){4 * mid.x, 4 * mid.y};
    RbChartPlace p = aside(c, b, 0.25), q = aside(c, b, 0.75); // t (1 - t) = 3/16, u = 1/2 and -1/2
    b->bend[1] = (RbChartPlace){16.0 / 3 * (p.x - q.x), 16.0 / 3 * (p.y - q.y)};
    b->bend[2] = (RbChartPlace){32.0 / 3 * (p.x + q.x), 32.0 / 3 * (p.y + q.y)};
}

// A curve that bends is nearly straight only next to the patch: about that part of it, and a little more. False: none is there, or it is bad.
static bool look_from_afar(Curve *c, double *reach, bool *bad) {
    const double more = 0.1;
    *bad = true;
    for (double far = rb_border_reach(c->fan); *bad && far > 1; far *= 0.5) {
        *bad = false;
        if (far < *reach) *reach = far;
        if (!find_line(c, far)) return false;
        if (!cut_to_pieces(c, cut_roughly) || !cut_to_pieces(c, cut_roughly)) return false;
        *bad = !bend(c);
    }
    if (*bad || !cut_to_overlap(c)) return false;
    double way = c->end[1] - c->end[0];
    for (int k = 0; k < 2; k++) {
        if (c->by[k] == OVERLAP) c->end[k] += (k ? more : -more) * way;
        c->by[k] = NOTHING;
    }
    *bad = !bend(c);
    return !*bad;
}

// [1/m] How much, at most, the sheet and the bound bend.
static double bend_of(const RbFan *f, int bound) {
    const RbNearBound *b = &f->smooth->field->near->bounds[bound];
    double sheet = f->chart.radius > 0 ? 1 / f->chart.radius : 0;
    return sheet + (b->around != 0 ? 1 / v3_norm(v3(f->smooth->at.x, f->smooth->at.y, 0)) : 0);
}

// Is all that may overlap on one side of a bound, along which the sheet runs? So are eight places around it then.
static bool is_aside(const RbFan *f, int bound, double here) {
    const double wide = 2, half = 0.70710678118654752;
    for (int i = 0; i < 8; i++) {
        double c = i % 2 ? half : i % 4 ? 0 : 1, s = i % 2 ? half : i % 4 ? 1 : 0;
        c *= i > 2 && i < 6 ? -wide : wide, s *= i > 4 ? -wide : wide;
        RbChartPlace at = {f->xx * c + f->xy * s, f->yy * s};
        if (!(beyond(f, bound, at, NULL) * here > 0)) return false;
    }
    return true;
}

void rb_bounds_here(const RbFan *f, RbBoundHere *out) {
    const RbNearHull *near = f->smooth->field->near;
    for (int i = 0; i < near->bound_count; i++) {
        out[i].beyond = beyond(f, i, (RbChartPlace){0, 0}, &out[i].slope);
        out[i].bend = bend_of(f, i);
    }
}

double rb_border_reach(const RbFan *f) {
    const RbDepthField *field = f->smooth->field;
    bool straight = field->core->kind == RB_CORE_BOX || field->core->kind == RB_CORE_POLYTOPE;
    if (field->planar) return (double)INFINITY; // there are none
    return straight && f->chart.radius == 0 ? 30 : 8;
}

RbBorderFound rb_find_border(const RbFan *f, const RbBoundHere *here, int bound, int above,
                             int below, double *reach, RbPieceBorder *out) {
    const double steep = 0.05;
    bool bad = false;
    Curve c = {.fan = f, .here = here, .bound = bound, .left = above, .right = below};
    c.by[0] = c.by[1] = NOTHING;
    const RbBoundHere *b = &here[bound];
    double size = rb_border_reach(f) * (f->xx + fabs(f->xy) + f->yy),
           k = rb_place_dot(b->slope, b->slope);
    c.steep = sqrt(k);
    if (fabs(b->beyond) > size * (c.steep + 0.5 * b->bend * size)) return RB_BORDER_NONE;
    if (!(c.steep > steep)) return is_aside(f, bound, b->beyond) ? RB_BORDER_NONE : RB_BORDER_BAD;
    c.foot = (RbChartPlace){-b->beyond * b->slope.x / k, -b->beyond * b->slope.y / k};
    c.way = (RbChartPlace){b->slope.y / c.steep, -b->slope.x / c.steep};
    if (bends(&c) ? !look_from_afar(&c, reach, &bad) : !find_line(&c, rb_border_reach(f)))
        return bad ? RB_BORDER_BAD : RB_BORDER_NONE;
    if (!cut_to_pieces(&c, cut) || !cut_to_overlap(&c)) return RB_BORDER_NONE;
    *out = (RbPieceBorder){.left = above, .right = below};
    if (!meet(&c, 0, &out->a) || !meet(&c, 1, &out->b)) return RB_BORDER_BAD;
    for (int i = 0; i < 2; i++) out->is_corner[i] = c.by[i] == OVERLAP;
    set_bend(&c, out);
    return RB_BORDER_FOUND;
}
