// SPDX-License-Identifier: MIT
// The strip beside an edge that is nearly level, cut by the outline: by rows along the edge, on which the overlap is all but linear and which end at a side of the polygon, at
// the outline or where the overlap does. All of that is smooth from row to row, between places that are known. What alone is sought is where the outline crosses the
// border of the overlap. Where it runs along the edge it ends with a root there, and lines across are better (flat_cell_sum.c).
#include <math.h>

#include "collide/flat_sums.h"
#include "collide/gauss_points.h"

enum { BREAKS_MAX = 8 * RB_FLAT_CELL_CORNERS_MAX };

typedef struct Rows {
    const RbFlatCell *cell;
    const RbFlatOutline *outline;
    RbRimArcs *rim;
    double g, rise;     // [m], [1] |G| = g + rise x
    double low, high;   // [m] y of the polygon
    double left, right; // [m] x
    double depth;       // [m] at most
    double breaks[BREAKS_MAX];
    int count;
} Rows;

// ---- a row

// The part of a row that is inside of the outline. False: none.
static bool outline_ends(const RbFlatOutline *o, double y, double x[2]) {
    if (o->discs > 1) return rb_outline_chord(o, 0, y, 1, 0, x);
    double up = y - o->y[0], half = fabs(up) < o->r ? sqrt((o->r - up) * (o->r + up)) : 0;
    x[0] = o->x[0] - half, x[1] = o->x[0] + half;
    return half > 0;
}

// One of its ends, and how that moves with y.
static double outline_end(const RbFlatOutline *o, double y, int end, double *rate) {
    double x[2], mx = o->x[0], my = o->y[0];
    *rate = 0;
    if (!outline_ends(o, y, x)) return end ? -(double)INFINITY : (double)INFINITY;
    if (o->discs > 1) {
        double ax = o->x[1] - mx, ay = o->y[1] - my;
        double part = (ax * (x[end] - mx) + ay * (y - my)) / (ax * ax + ay * ay);
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        mx += part * ax, my += part * ay;
    }
    *rate = -(y - my) / (x[end] - mx);
    return x[end];
}

// x at which the overlap vanishes.
static double border_at(const Rows *s, double y) {
    double r = s->cell->radius;
    return ((r - s->g) - y * y / (r + sqrt((r - y) * (r + y)))) / s->rise;
}

typedef struct Row {
    double left, right;
    bool left_out, right_out; // it ends at the outline
    bool dries;               // it ends where the overlap does
} Row;

static Row polygon_row(const RbFlatCell *c, double y) {
    Row row = {.left = INFINITY, .right = -INFINITY};
    for (int i = 0, j = c->count - 1; i < c->count; j = i++) {
        if ((c->y[i] > y) == (c->y[j] > y)) continue;
        double x = c->x[j] + (y - c->y[j]) / (c->y[i] - c->y[j]) * (c->x[i] - c->x[j]);
        if (x < row.left) row.left = x;
        if (x > row.right) row.right = x;
    }
    return row;
}

static Row row_at(const Rows *s, double y) {
    double out[2], border = s->rise != 0 ? border_at(s, y) : 0;
    Row row = polygon_row(s->cell, y);
    if (!outline_ends(s->outline, y, out)) return (Row){0};
    bool left_dry = s->rise < 0 && border > row.left, right_dry = s->rise > 0 && border < row.right;
    if (left_dry) row.left = border;
    if (right_dry) row.right = border;
    row.left_out = out[0] > row.left, row.right_out = out[1] < row.right;
    row.dries = (left_dry && !row.left_out) || (right_dry && !row.right_out);
    if (row.left_out) row.left = out[0];
    if (row.right_out) row.right = out[1];
    return row;
}

static void add_place(const RbFlatCell *c, double x, double y, double dA, RbFlatSums *k) {
    double G = c->a + c->b * x, d = sqrt(G * G + y * y), r = c->radius, at = x - k->x0;
    double w = ((r - fabs(G)) * (r + fabs(G)) - y * y) / (r + d);
    if (!(w > 0)) w = 0;
    double V = dA * w, up = G * dA / d, out = y * dA / d, up_W = 2 * w * up, out_W = 2 * w * out;
    k->area += dA, k->volume += V, k->square += V * w;
    k->x += at * V, k->y += y * V, k->xx += at * at * V, k->xy += at * y * V, k->yy += y * y * V;
    RbFlatSlope *v = &k->by_volume, *q = &k->by_square;
    v->up.all += up, v->up.x += at * up, v->up.y += y * up;
    v->ey.all += out, v->ey.x += at * out, v->ey.y += y * out;
    q->up.all += up_W, q->up.x += at * up_W, q->up.y += y * up_W;
    q->ey.all += out_W, q->ey.x += at * out_W, q->ey.y += y * out_W;
}

// ---- where rows change

static void add_break(Rows *s, double y) {
    if (s->count < BREAKS_MAX) s->breaks[s->count++] = y;
}

// Positive where it overlaps.
static double wetness(const Rows *s, double x, double y) {
    double G = s->g + s->rise * x, r = s->cell->radius;
    return (r - G) * (r + G) - y * y;
}

static bool is_wet(const Rows *s, double x, double y) {
    return wetness(s, x, y) > -1e-12 * s->cell->radius * s->cell->radius;
}

static bool is_inside(const Rows *s, double x, double y) {
    return rb_from_middle(s->outline, x, y) <= s->outline->r * (1 + 1e-12);
}

// From one y towards another along an end of the outline: where it begins to overlap. The wetness is concave, so tangents come nearer from the dry side.
static void add_crossing(Rows *s, int end, double from, double to) {
    double y = from, rate, x = outline_end(s->outline, y, end, &rate);
    double wet = wetness(s, x, y), tiny = 1e-14 * fabs(to - from);
    if (!(wet < 0)) return;
    for (int i = 0; i < 60; i++) {
        double slope = -2 * ((s->g + s->rise * x) * s->rise * rate + y), next = y - wet / slope;
        if (!(slope * (to - from) > 0) || fabs(next - from) > fabs(to - from)) return;
        bool done = fabs(next - y) < tiny;
        y = next, x = outline_end(s->outline, y, end, &rate), wet = wetness(s, x, y);
        if (done) break;
    }
    Row row = polygon_row(s->cell, y);
    double close = 1e-9 * (s->right - s->left);
    if (!(x < row.left - close || x > row.right + close)) add_break(s, y);
}

static void add_side_breaks(Rows *s, int j, int i) {
    const RbFlatCell *c = s->cell;
    double dx = c->x[i] - c->x[j], dy = c->y[i] - c->y[j], t[2];
    if (is_inside(s, c->x[i], c->y[i]) && is_wet(s, c->x[i], c->y[i])) add_break(s, c->y[i]);
    int count = rb_border_crossings(c, j, i, t);
    for (int k = 0; k < count; k++) {
        double x = c->x[j] + t[k] * dx, y = c->y[j] + t[k] * dy;
        if (is_inside(s, x, y)) add_break(s, y);
    }
    if (!(dx != 0 || dy != 0) || !rb_outline_chord(s->outline, c->x[j], c->y[j], dx, dy, t)) return;
    for (int k = 0; k < 2; k++) {
        double x = c->x[j] + t[k] * dx, y = c->y[j] + t[k] * dy;
        if (t[k] > 0 && t[k] < 1 && is_wet(s, x, y)) add_break(s, y);
    }
}

// Where a stadium goes on straight.
static void add_joint_breaks(Rows *s) {
    const RbFlatOutline *o = s->outline;
    double ax = o->x[1] - o->x[0], ay = o->y[1] - o->y[0], k = o->r / sqrt(ax * ax + ay * ay);
    for (int i = 0; i < 4; i++) {
        double across = i % 2 ? k : -k, x = o->x[i / 2] - across * ay,
               y = o->y[i / 2] + across * ax;
        bool here = y > s->low && y < s->high && x > s->left && x < s->right;
        if (here && is_wet(s, x, y)) add_break(s, y);
    }
}

static void find_breaks(Rows *s) {
    for (int i = 0, j = s->cell->count - 1; i < s->cell->count; j = i++) add_side_breaks(s, j, i);
    for (int end = 0; end < 2 && s->rise != 0; end++) {
        add_crossing(s, end, s->low, s->high);
        add_crossing(s, end, s->high, s->low);
    }
    if (s->outline->discs > 1) add_joint_breaks(s);
    rb_sort(s->breaks, s->count);
}

// ---- rows between two breaks

// How far the place where a row would end with a root is from these.
static double from_pole(const RbFlatOutline *o, double low, double high) {
    double least = INFINITY;
    for (int i = 0; i < 2 * o->discs; i++) {
        double pole = o->y[i / 2] + (i % 2 ? o->r : -o->r);
        least = fmin(least, fmax(0, fmax(low - pole, pole - high)));
    }
    return least;
}

// What rows add up to is of the seventh degree in y; where their end is that of the overlap, which is of the second degree itself, of the eighth, and more.
static const RbGaussPoints *rule_of(const Rows *s, double low, double high, bool dries) {
    double height = high - low, pole = from_pole(s->outline, low, high);
    double bend = fmax(-s->low, s->high) / s->cell->radius;
    if (height < 1e-3 * (s->high - s->low)) return &rb_gauss_3;
    if (!dries && bend < 0.06 && pole > 20 * height) return &rb_gauss_4;
    return bend < 0.3 && pole > 3 * height ? &rb_gauss_6 : &rb_gauss_8;
}

// By the bend along a row, of (depth/radius)².
static const RbGaussPoints *rule_along(const Rows *s) {
    double part = s->depth / s->cell->radius;
    return part < 1e-3 ? &rb_gauss_two : part < 0.02 ? &rb_gauss_3 : &rb_gauss_4;
}

static void add_row(const Rows *s, Row row, double y, double dy, RbFlatSums *k) {
    const RbGaussPoints *rule = rule_along(s);
    double mid = 0.5 * (row.left + row.right), half = 0.5 * (row.right - row.left);
    for (int i = 0; i < rule->count && half > 0; i++)
        add_place(s->cell, mid + half * rb_gauss_at(rule, i), y,
                  half * rb_gauss_weight(rule, i) * dy, k);
}

static void add_arc(const Rows *s, int end, int disc, double from, double to) {
    const RbFlatOutline *o = s->outline;
    double rate, x0 = outline_end(o, from, end, &rate), x1 = outline_end(o, to, end, &rate);
    rb_add_rim_arc(s->cell, o, disc, x0, from, x1, to, s->rim);
}

static void add_rows(const Rows *s, double low, double high, RbFlatSums *k) {
    double mid = 0.5 * (low + high), half = 0.5 * (high - low);
    double look = low + RB_ASIDE * (high - low);
    Row row = row_at(s, look);
    if (!(row.right > row.left)) return;
    const RbFlatOutline *o = s->outline;
    if (row.left_out) add_arc(s, 0, rb_outline_disc(o, row.left, look), high, low);
    if (row.right_out) add_arc(s, 1, rb_outline_disc(o, row.right, look), low, high);
    const RbGaussPoints *rule = rule_of(s, low, high, row.dries);
    for (int i = 0; i < rule->count; i++) {
        double y = mid + half * rb_gauss_at(rule, i);
        add_row(s, row_at(s, y), y, half * rb_gauss_weight(rule, i), k);
    }
}

// ---- a strip

static void find_extent(Rows *s) {
    const RbFlatCell *c = s->cell;
    double least = INFINITY, middle = 0;
    s->low = s->left = INFINITY, s->high = s->right = -INFINITY;
    for (int i = 0; i < c->count; i++) middle += c->a + c->b * c->x[i];
    s->g = middle < 0 ? -c->a : c->a, s->rise = middle < 0 ? -c->b : c->b;
    for (int i = 0; i < c->count; i++) {
        s->low = fmin(s->low, c->y[i]), s->high = fmax(s->high, c->y[i]);
        s->left = fmin(s->left, c->x[i]), s->right = fmax(s->right, c->x[i]);
        least = fmin(least, s->g + s->rise * c->x[i]);
    }
    s->depth = c->radius - least;
}

// Is the edge level enough for rows, and does the outline cross it rather than run along it?
static bool may(const Rows *s) {
    const RbFlatOutline *o = s->outline;
    double r = s->cell->radius, height = s->high - s->low, pole = from_pole(o, s->low, s->high);
    if (!(s->depth < 0.1 * r && pole > height)) return false;
    return r * fabs(s->rise) * sqrt(o->r / pole) <
           0.5 * pole; // else it may cross the border more often
}

bool rb_flat_rows_sum(const RbFlatCell *c, const RbFlatOutline *o, RbRimArcs *rim, RbFlatSums *k) {
    Rows s;
    s.cell = c, s.outline = o, s.rim = rim, s.count = 0;
    find_extent(&s);
    if (!may(&s)) return false;
    find_breaks(&s);
    double fine = 1e-13 * (s.high - s.low);
    for (int i = 1; i < s.count; i++) {
        if (s.breaks[i] - s.breaks[i - 1] > fine) add_rows(&s, s.breaks[i - 1], s.breaks[i], k);
    }
    return true;
}
