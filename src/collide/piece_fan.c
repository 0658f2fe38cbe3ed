// SPDX-License-Identifier: MIT
#include "collide/piece_fan.h"

#include <math.h>
#include <stddef.h>

#include "collide/gauss_points.h"

// Along so long a way the overlap is a polynomial of some degree.
static const RbGaussPoints *rule_for(const RbFan *f, RbChartPlace way) {
    double part2 = rb_place_dot(way, way) / (f->smooth->field->radius * f->smooth->field->radius);
    return part2 < 0.02   ? &rb_gauss_4
           : part2 < 0.15 ? &rb_gauss_5
           : part2 < 0.5  ? &rb_gauss_6
                          : &rb_gauss_8;
}

// From the place of the part to another one, so far of the way. k: twice the area of the triangle that it stands for.
static void add_ray(const RbPart *p, RbChartPlace to, double far, const RbGaussPoints *rule,
                    double k) {
    const RbFan *f = p->fan;
    for (int i = 0; i < rule->count; i++) {
        double part = 0.5 * far * (1 + rb_gauss_at(rule, i)), area;
        RbChartPlace at = rb_place_between(p->from, to, part);
        Vec3 m, q = rb_chart_point(&f->chart, at.x, at.y, &area);
        const RbDepthField *field = f->smooth->field;
        double w = field->radius - rb_near_piece_distance(&field->near->pieces[p->piece], q, &m);
        rb_add_piece(p->sums, q, m, 0.5 * far * rb_gauss_weight(rule, i) * part * k * area, w);
    }
}

// ---- borders

void rb_add_border(const RbPart *p, const RbPieceBorder *b) {
    const double nothing = 1e-11, thin = 1e-4; // of the patch: what is seen edgewise hardly counts
    RbChartPlace along = rb_place_sub(b->b, b->a);
    double sign = b->left == p->piece ? 0.5 : -0.5;
    double area = fabs(rb_place_cross(rb_place_sub(b->a, p->from), along)) +
                  0.5 * fabs(rb_place_cross(b->bend[0], along));
    area /= p->fan->xx * p->fan->yy;
    if (area < nothing) return; // that is where it is seen from
    const RbGaussPoints *rule = area < thin ? &rb_gauss_3 : rule_for(p->fan, along);
    for (int i = 0; i < rule->count; i++) {
        RbChartPlace rate, c = rb_border_at(b, 0.5 * (1 + rb_gauss_at(rule, i)), &rate);
        RbChartPlace way = rb_place_sub(c, p->from);
        add_ray(p, c, 1, area < thin ? rule : rule_for(p->fan, way),
                sign * rb_gauss_weight(rule, i) * rb_place_cross(way, rate));
    }
}

// ---- the outline

// A place of it, and the way on, counterclockwise.
typedef struct End {
    RbChartPlace at, way;
} End;

static End end_at(const RbFan *f, int piece, RbChartPlace at) {
    RbChartPlace slope;
    rb_piece_overlap(f, piece, at, &slope);
    return (End){at, {slope.y, -slope.x}}; // what overlaps is on the left
}

// By tangents.
bool rb_find_end(const RbFan *f, int piece, RbChartPlace from, RbChartPlace through, double *out) {
    enum { LOOKS = 12 };
    const double near = 3e-5; // of the depth: one more tangent will do
    RbChartPlace way = rb_place_sub(through, from), slope;
    double part = 1;
    for (int i = 0; i < LOOKS; i++) {
        double w = rb_piece_overlap(f, piece, rb_place_between(from, through, part), &slope),
               rate = rb_place_dot(slope, way);
        if (!(rate < 0)) { // that is on the near side
            part *= 2;
            continue;
        }
        part += fmax(-0.5 * part, fmin(part, -w / rate));
        if (fabs(w) < near * f->smooth->depth) return *out = part, true;
    }
    return false;
}

// Is that place closest to the piece? Otherwise a border has been missed.
static bool is_over(const RbPart *p, RbChartPlace at) {
    double area;
    return rb_near_is_over(p->fan->smooth->field->near, p->piece,
                           rb_chart_point(&p->fan->chart, at.x, at.y, &area));
}

// Is what is so far on the way to a place, and somewhat beyond, of the sheet, and within reach?
static bool is_inside(const RbPart *p, RbChartPlace at, double far) {
    const double beyond = 1.05;
    RbChartPlace out = rb_place_between(p->from, at, beyond * far),
                 even = rb_place_even(p->fan, out);
    return rb_place_dot(even, even) < p->reach * p->reach &&
           p->fan->is_on_sheet(p->fan->sheet, out.x, out.y);
}

// Part of a conic, (1 - t)² a + 2 bulge t (1 - t) tip + t² b over the sum of the weights.
typedef struct Conic {
    RbChartPlace a, tip, b;
    double bulge;
} Conic;

static RbChartPlace conic_at(const Conic *k, double t, RbChartPlace *rate) {
    double s = 1 - t, a = s * s, tip = 2 * k->bulge * s * t, b = t * t, sum = a + tip + b;
    double da = -2 * s, dtip = 2 * k->bulge * (s - t), db = 2 * t, by = (da + dtip + db) / sum;
    RbChartPlace c = {(a * k->a.x + tip * k->tip.x + b * k->b.x) / sum,
                      (a * k->a.y + tip * k->tip.y + b * k->b.y) / sum};
    *rate = (RbChartPlace){(da * k->a.x + dtip * k->tip.x + db * k->b.x) / sum - by * c.x,
                           (da * k->a.y + dtip * k->tip.y + db * k->b.y) / sum - by * c.y};
    return c;
}

// By how much of the depth the outline misses it, about.
static double misses(const RbPart *p, const Conic *k) {
    const double aside = 0.2;
    RbChartPlace rate;
    double w[2] = {rb_piece_overlap(p->fan, p->piece, conic_at(k, aside, &rate), NULL),
                   rb_piece_overlap(p->fan, p->piece, conic_at(k, 1 - aside, &rate), NULL)};
    return fmax(fabs(w[0]), fabs(w[1])) / p->fan->smooth->depth;
}

// The fan to what is next to it of the outline.
static bool add_conic(const RbPart *p, const Conic *k, const RbGaussPoints *rule) {
    const double inside = 0.99;
    const RbFan *f = p->fan;
    for (int i = 0; i < rule->count; i++) {
        double far;
        RbChartPlace rate, c = conic_at(k, 0.5 * (1 + rb_gauss_at(rule, i)), &rate);
        if (!rb_find_end(f, p->piece, p->from, c, &far)) return false;
        if (!is_over(p, rb_place_between(p->from, c, inside * far))) return false;
        if (!is_inside(p, c, far)) return false;
        add_ray(p, c, far, rule_for(f, rb_place_sub(c, p->from)),
                0.5 * rb_gauss_weight(rule, i) * rb_place_cross(rb_place_sub(c, p->from), rate));
    }
    return true;
}

static const RbGaussPoints *rule_of_conic(const RbFan *f, const Conic *k, double off) {
    const double exact = 3e-4, little = 0.01, some = 0.1;
    RbChartPlace chord = rb_place_sub(k->b, k->a);
    double share = 0.25 * rb_place_dot(chord, chord) / (f->xx * f->yy);
    if (off > exact || k->bulge < 0.8 || k->bulge > 1.25) return &rb_gauss_8;
    return share < little ? &rb_gauss_4 : share < some ? &rb_gauss_5 : &rb_gauss_6;
}

// The conic with these ends and their ways that meets the outline in the middle, too, at top. False: it would turn by too much, or would not end.
static bool find_conic(const RbPart *p, End a, End b, Conic *out, RbChartPlace *top) {
    const double middle = 0.45;
    RbChartPlace chord = rb_place_sub(b.at, a.at), mid = rb_place_between(a.at, b.at, 0.5);
    double turn = rb_place_cross(a.way, b.way), leave = rb_place_cross(a.way, chord),
           arrive = rb_place_cross(chord, b.way), part;
    if (!(leave > 0 && arrive > 0 && turn > 0)) return false;
    RbChartPlace tip = {a.at.x + a.way.x * arrive / turn, a.at.y + a.way.y * arrive / turn};
    if (!rb_find_end(p->fan, p->piece, mid, rb_place_between(mid, tip, middle), &part))
        return false;
    part *= middle;
    *top = rb_place_between(mid, tip, part);
    *out = (Conic){a.at, tip, b.at, part / (1 - part)};
    return part > 0 && part < 0.9;
}

static bool is_straight(const RbFan *f, End a, End b) {
    const double flat = 1e-6; // sine, squared
    RbChartPlace chord = rb_place_even(f, rb_place_sub(b.at, a.at)), from = rb_place_even(f, a.way),
                 to = rb_place_even(f, b.way);
    double leave = rb_place_cross(from, chord), arrive = rb_place_cross(chord, to),
           way = flat * rb_place_dot(chord, chord);
    return rb_place_dot(from, chord) > 0 && leave * leave < way * rb_place_dot(from, from) &&
           arrive * arrive < way * rb_place_dot(to, to);
}

// The outline over one piece, nearly part of a conic: as one if it turns by little and is close to it, else in two parts.
static bool add_arc(const RbPart *p, End a, End b, int splits) {
    const double blunt = 0.55, sharp = 1.5, close = 2e-3;
    RbChartPlace top, mid = rb_place_between(a.at, b.at, 0.5);
    Conic k = {a.at, mid, b.at, 1};
    if (is_straight(p->fan, a, b)) return add_conic(p, &k, &rb_gauss_4);
    if (find_conic(p, a, b, &k, &top)) {
        double off = misses(p, &k);
        if (!is_inside(p, top, 1)) return false;
        if (k.bulge > blunt && k.bulge < sharp && off < close)
            return add_conic(p, &k, rule_of_conic(p->fan, &k, off));
    } else { // straight out; both ends may be next to each other, and the outline around most of the patch
        RbChartPlace chord = rb_place_sub(b.at, a.at);
        double part, length = sqrt(rb_place_dot(chord, chord)),
                     far = fmax(0.5, 0.5 * sqrt(p->fan->xx * p->fan->yy) / length);
        RbChartPlace through = {mid.x + far * chord.y, mid.y - far * chord.x};
        if (!rb_find_end(p->fan, p->piece, mid, through, &part)) return false;
        top = rb_place_between(mid, through, part);
    }
    if (splits == 0) return false;
    End between = end_at(p->fan, p->piece, top);
    return add_arc(p, a, between, splits - 1) && add_arc(p, between, b, splits - 1);
}

bool rb_add_arc(const RbPart *p, RbChartPlace from, RbChartPlace to) {
    enum { SPLITS = 6 };
    return add_arc(p, end_at(p->fan, p->piece, from), end_at(p->fan, p->piece, to), SPLITS);
}
