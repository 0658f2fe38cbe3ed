// SPDX-License-Identifier: MIT
#include <math.h>

#include "collide/flat_sums.h"
#include "collide/gauss_points.h"

enum { BREAKS_MAX = 6 * RB_FLAT_CELL_CORNERS_MAX };

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

// ---- moments in the frame of a cell

static Wrench wrench_of(const RbFlatCell *c, Vec3 o, const RbFlatSlope *s) {
    Vec3 f = v3_axpy(v3_axpy(v3_scale(s->up.all, c->up), s->ex.all, c->ex), s->ey.all, c->ey);
    Vec3 fx = v3_axpy(v3_axpy(v3_scale(s->up.x, c->up), s->ex.x, c->ex), s->ey.x, c->ey);
    Vec3 fy = v3_axpy(v3_axpy(v3_scale(s->up.y, c->up), s->ex.y, c->ex), s->ey.y, c->ey);
    Vec3 t = v3_add(v3_cross(o, f), v3_add(v3_cross(c->ex, fx), v3_cross(c->ey, fy)));
    return (Wrench){.t = t, .f = f};
}

static Wrench wrench_sum(Wrench a, Wrench b) {
    return (Wrench){.t = v3_add(a.t, b.t), .f = v3_add(a.f, b.f)};
}

// Moves them to the frame of the patch.
static void add_cell(const RbFlatCell *c, const RbFlatSums *k, RbRoundSums *s) {
    Vec3 o = v3_axpy(v3_axpy(v3_sub(c->o, s->origin), k->x0, c->ex), k->y0, c->ey);
    double u = v3_dot(o, s->u), ux = v3_dot(c->ex, s->u), uy = v3_dot(c->ey, s->u);
    double v = v3_dot(o, s->v), vx = v3_dot(c->ex, s->v), vy = v3_dot(c->ey, s->v);
    double V = k->volume, du = ux * k->x + uy * k->y, dv = vx * k->x + vy * k->y;
    s->area += k->area, s->volume += V, s->square += k->square;
    s->x += u * V + du, s->y += v * V + dv;
    s->xx += u * (u * V + 2 * du) + ux * ux * k->xx + 2 * ux * uy * k->xy + uy * uy * k->yy;
    s->yy += v * (v * V + 2 * dv) + vx * vx * k->xx + 2 * vx * vy * k->xy + vy * vy * k->yy;
    s->xy +=
        u * (v * V + dv) + v * du + ux * vx * k->xx + (ux * vy + uy * vx) * k->xy + uy * vy * k->yy;
    s->volume_slope = wrench_sum(s->volume_slope, wrench_of(c, o, &k->by_volume));
    s->square_slope = wrench_sum(s->square_slope, wrench_of(c, o, &k->by_square));
}

// Along a line, over y: of the area, of w, w², w y and w y², and of 1/d, y/d and y²/d, alone and times w.
typedef struct LineSums {
    double area, volume, square, y, yy;
    double r0, r1, r2, q0, q1, q2;
} LineSums;

static void add_component(RbFlatComponent *c, double part, double part_y, double x) {
    c->all += part, c->x += x * part, c->y += part_y;
}

// Beside an edge or a corner.
static void add_line(const RbFlatCell *c, const LineSums *l, double x, double dx, RbFlatSums *k) {
    bool edge = c->kind == RB_FLAT_CELL_EDGE;
    double G = edge ? c->a + c->b * x : c->a, at = x - k->x0, V = dx * l->volume;
    k->area += dx * l->area, k->volume += V, k->square += dx * l->square;
    k->x += at * V, k->xx += at * at * V, k->y += dx * l->y, k->yy += dx * l->yy;
    k->xy += at * dx * l->y;
    add_component(&k->by_volume.up, dx * G * l->r0, dx * G * l->r1, at);
    add_component(&k->by_volume.ey, dx * l->r1, dx * l->r2, at);
    add_component(&k->by_square.up, 2 * dx * G * l->q0, 2 * dx * G * l->q1, at);
    add_component(&k->by_square.ey, 2 * dx * l->q1, 2 * dx * l->q2, at);
    if (edge) return;
    add_component(&k->by_volume.ex, dx * x * l->r0, dx * x * l->r1, at);
    add_component(&k->by_square.ex, 2 * dx * x * l->q0, 2 * dx * x * l->q1, at);
}

// ---- lines of a cell

// Lines x between two breaks: of the polygon they run from y = low0 + low1 x to high0 + high1 x.
typedef struct Strip {
    const RbFlatCell *cell;
    const RbFlatOutline *outline;
    RbRimArcs *rim;
    double from, to;
    double low0, low1, high0, high1;
} Strip;

static double distance_from(const RbFlatCell *c, double x) {
    return c->kind == RB_FLAT_CELL_EDGE ? fabs(c->a + c->b * x) : sqrt(c->a * c->a + x * x);
}

// Half of what a line overlaps, without other borders.
static double half_chord(const RbFlatCell *c, double x) {
    double r = c->radius, g = c->kind == RB_FLAT_CELL_EDGE ? fabs(c->a + c->b * x) : fabs(x);
    double to = c->kind == RB_FLAT_CELL_EDGE ? r : c->b;
    return g < to ? sqrt((to - g) * (to + g)) : 0;
}

typedef struct Range {
    double low, high;
} Range;

static Range overlap_range(const Strip *s, double x) {
    double half = half_chord(s->cell, x);
    return (Range){-half, half};
}

static Range outline_range(const Strip *s, double x) {
    const RbFlatOutline *o = s->outline;
    double t[2], beside = fabs(x - o->x[0]);
    if (o->discs == 1) {
        double half = beside < o->r ? sqrt((o->r - beside) * (o->r + beside)) : 0;
        return (Range){o->y[0] - half, o->y[0] + half};
    }
    if (rb_outline_chord(o, x, 0, 0, 1, t)) return (Range){t[0], t[1]};
    // it touches the outline, but for rounding
    double y = o->y[o->discs > 1 && fabs(x - o->x[1]) < fabs(x - o->x[0])];
    return (Range){y, y};
}

static Range common(Range a, Range b) {
    return (Range){a.low > b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

// Where the line overlaps.
static Range range_at(const Strip *s, double x) {
    Range r = {s->low0 + s->low1 * x, s->high0 + s->high1 * x};
    r = common(r, overlap_range(s, x));
    return s->outline->discs > 0 ? common(r, outline_range(s, x)) : r;
}

static double width_at(const Strip *s, double x) {
    Range r = range_at(s, x);
    return r.high - r.low;
}

// Beside an edge or a corner. The overlap bends within a way as long as G is: y = G sinh(t) makes it smooth however close the line is.
static void add_bent(const RbFlatCell *c, double x, Range r, double dx, RbFlatSums *sums) {
    const double step = 1.2; // of t, for six points
    double G = distance_from(c, x), least = 1e-9 * c->radius, scale = G > least ? G : least;
    double from = r.low, to = r.high, far = -from > to ? -from : to;
    double reach = half_chord(c, x), radius = c->radius;
    bool bends = to - from > 0.5 * scale;
    if (bends) from = asinh(from / scale), to = asinh(to / scale);
    int parts = bends ? 1 + (int)((to - from) / step) : 1;
    const RbGaussPoints *rule = far > 0.03 * scale ? &rb_gauss_6 : &rb_gauss_4;
    double half = 0.5 * (to - from) / parts, tiny = 1e-9 * scale;
    LineSums l = {0};
    for (int part = 0; part < parts; part++) {
        double mid = from + half * (2 * part + 1);
        for (int n = 0; n < rule->count; n++) {
            double at = half * rule->at[n / 2], t = n % 2 ? mid + at : mid - at;
            double y = bends ? scale * sinh(t) : t, d = sqrt(G * G + y * y);
            double dy = half * rule->weight[n / 2];
            if (bends) dy *= sqrt(scale * scale + y * y);
            double w = (reach - y) * (reach + y) / (radius + d), by_d = dy / (d > tiny ? d : tiny);
            if (!(w > 0)) w = 0;
            double V = dy * w, q = w * by_d;
            l.area += dy, l.volume += V, l.square += V * w, l.y += V * y, l.yy += V * y * y;
            l.r0 += by_d, l.r1 += by_d * y, l.r2 += by_d * y * y;
            l.q0 += q, l.q1 += q * y, l.q2 += q * y * y;
        }
    }
    add_line(c, &l, x, dx, sums);
}

// ---- lines chosen such that what ends with a root at a border is smooth

typedef struct Way {
    enum { EVEN, ROOTS, SINE } kind;
    double from, to; // x
    double q0, q1;   // ROOTS: the square root of the depth, linear along the way
    double half;     // SINE: x = half sin(psi)
} Way;

static Way way_of(const Strip *s, double from, double to) {
    const RbFlatCell *c = s->cell;
    Way w = {.kind = EVEN, .from = from, .to = to};
    if (c->kind == RB_FLAT_CELL_EDGE) {
        w.kind = ROOTS;
        w.q0 = sqrt(fmax(0, c->radius - distance_from(c, from)));
        w.q1 = sqrt(fmax(0, c->radius - distance_from(c, to)));
        if (!(w.q0 + w.q1 > 0)) w.kind = EVEN;
    }
    if (c->kind == RB_FLAT_CELL_CORNER) {
        w.kind = SINE, w.half = c->b;
        w.q0 = asin(clamp(from / w.half, -1, 1)), w.q1 = asin(clamp(to / w.half, -1, 1));
    }
    return w;
}

// At u from -1 to 1.
static double place_on(const Way *w, double u, double *rate) {
    double part = 0.5 * (1 + u), q = w->q0 + part * (w->q1 - w->q0), way = w->to - w->from;
    switch (w->kind) {
        case ROOTS:
            *rate = way * q / (w->q0 + w->q1);
            return w->from + way * part * (w->q0 + q) / (w->q0 + w->q1);
        case SINE:
            *rate = 0.5 * (w->q1 - w->q0) * w->half * cos(q);
            return clamp(w->half * sin(q), w->from, w->to);
        default: *rate = 0.5 * way; return w->from + way * part;
    }
}

static RbNearPiece piece_of(const RbFlatCell *c) {
    RbNearPiece p = {.kind = RB_NEAR_FACE, .across = {c->up}};
    switch (c->kind) {
        case RB_FLAT_CELL_FACE: p.at[0] = v3_dot(c->up, c->o) - (c->radius - c->w); break;
        case RB_FLAT_CELL_EDGE:
            p.kind = RB_NEAR_EDGE, p.across[1] = c->ey;
            p.at[0] = v3_dot(c->up, c->o) - c->a, p.at[1] = v3_dot(c->ey, c->o);
            break;
        case RB_FLAT_CELL_CORNER:
            p.kind = RB_NEAR_CORNER, p.across[0] = v3_axpy(c->o, -c->a, c->up);
            break;
    }
    return p;
}

void rb_add_rim_arc(const RbFlatCell *c, const RbFlatOutline *o, int disc, double x0, double y0,
                    double x1, double y1, RbRimArcs *rim) {
    if (disc < 0) return;
    if (rim->count == RB_RIM_ARCS_MAX) {
        rim->complete = false;
        return;
    }
    double x = o->x[disc], y = o->y[disc];
    Vec3 from = v3_axpy(v3_scale(x0 - x, c->ex), y0 - y, c->ey),
         to = v3_axpy(v3_scale(x1 - x, c->ex), y1 - y, c->ey);
    rim->arc[rim->count++] = (RbRimArc){.piece = piece_of(c),
                                        .c = v3_axpy(v3_axpy(c->o, x, c->ex), y, c->ey),
                                        .n = c->plate->n,
                                        .from = v3_unit(from),
                                        .to = v3_unit(to),
                                        .steep = c->steep};
}

// On a line that all but touches the outline rounding decides how far from each other its ends are: both arcs meet there.
static Range arc_ends(const Strip *s, double x) {
    Range t = outline_range(s, x);
    double mid = 0.5 * (t.low + t.high);
    return t.high - t.low < 1e-6 * s->outline->r ? (Range){mid, mid} : t;
}

// Does the outline bound the lines of a part?
static bool ends_at_outline(const Strip *s, double from, double to) {
    double mid = from + RB_ASIDE * (to - from);
    Range r = range_at(s, mid), t = outline_range(s, mid);
    if (!(r.high > r.low)) return false;
    Range t0 = arc_ends(s, from), t1 = arc_ends(s, to);
    const RbFlatOutline *o = s->outline;
    if (!(r.low > t.low))
        rb_add_rim_arc(s->cell, o, rb_outline_disc(o, mid, t.low), from, t0.low, to, t1.low,
                       s->rim);
    if (!(r.high < t.high))
        rb_add_rim_arc(s->cell, o, rb_outline_disc(o, mid, t.high), to, t1.high, from, t0.high,
                       s->rim);
    return !(r.low > t.low && r.high < t.high);
}

// Does it end so near that lines grow as a root does?
static bool has_root(const RbFlatOutline *o, double from, double to) {
    double mid = 0.5 * (from + to), near = to - from;
    for (int i = 0; i < o->discs; i++) {
        double first = o->x[i] - o->r, last = o->x[i] + o->r;
        if (fabs(first - mid) < 1.5 * near || fabs(last - mid) < 1.5 * near) return true;
    }
    return false;
}

// Beside an edge what lines add up to is a polynomial of the root of the depth, up to the eighth degree, but for parts of depth/radius. If the depth does not
// change it is one of x, of the second degree.
static const RbGaussPoints *rule_beside(const Strip *s, const Way *way) {
    double change = fabs(way->q1 - way->q0), both = way->q0 + way->q1;
    // between sides along the edge, next to it: not a sliver far beside, whose share varies by far more than the depth does
    double near = 0.1 * sqrt(s->cell->radius) * fmin(way->q0, way->q1);
    // or nearly so
    double slant = fmax(fabs(s->low1), fabs(s->high1)) * (way->to - way->from);
    double low = s->low0 + s->low1 * way->from, high = s->high0 + s->high1 * way->from;
    bool even = slant < 1e-3 * near && low <= near && high >= -near;
    if (way->kind != ROOTS || !even) return &rb_gauss_8;
    double shallow = 1e-3 * s->cell->radius; // [m]
    if (change < 1e-13 * both) return &rb_gauss_3;
    if (change < 0.1 * both) return &rb_gauss_4;
    return fmax(way->q0, way->q1) < sqrt(shallow) ? &rb_gauss_6 : &rb_gauss_8;
}

static const RbGaussPoints *rule_of(const Strip *s, const Way *way) {
    if (s->outline->discs == 0) return rule_beside(s, way);
    if (!ends_at_outline(s, way->from, way->to)) return &rb_gauss_8;
    return has_root(s->outline, way->from, way->to) ? &rb_sine_16 : &rb_gauss_16;
}

static void add_lines(const Strip *s, double from, double to, RbFlatSums *sums) {
    Way way = way_of(s, from, to);
    const RbGaussPoints *rule = rule_of(s, &way);
    for (int n = 0; n < rule->count; n++) {
        double rate, x = place_on(&way, rb_gauss_at(rule, n), &rate);
        Range r = range_at(s, x);
        double dx = rb_gauss_weight(rule, n) * rate;
        if (r.high > r.low) add_bent(s->cell, x, r, dx, sums);
    }
}

// ---- where the outline crosses the border of the overlap

// A line that overlaps between two that do not, if there is one: the width is concave.
static bool find_wide(const Strip *s, double a, double b, double *at) {
    const double part = 0.3819660112501051;
    double fa = width_at(s, a), fb = width_at(s, b), c = a + part * (b - a), fc = width_at(s, c);
    for (int i = 0; i < 60; i++) {
        *at = fc > fmax(fa, fb) ? c : fa > fb ? a : b;
        if (fmax(fc, fmax(fa, fb)) > 0) return true;
        // beyond c it is below the line from the other end through c
        double most = fmax(fc + (fc - fa) / (c - a) * (b - c), fc + (fc - fb) / (b - c) * (c - a));
        if (!(fmax(most, fc) > 0)) return false;
        bool left = c - a > b - c;
        double d = left ? c - part * (c - a) : c + part * (b - c), fd = width_at(s, d);
        if (left && fd > fc) {
            b = c, fb = fc, c = d, fc = fd;
        } else if (left) {
            a = d, fa = fd;
        } else if (fd > fc) {
            a = c, fa = fc, c = d, fc = fd;
        } else {
            b = d, fb = fd;
        }
    }
    return false;
}

typedef double (*Measure)(const Strip *s, double x);

static double above(const Strip *s, double x) {
    return overlap_range(s, x).high - outline_range(s, x).high;
}

static double below(const Strip *s, double x) {
    return outline_range(s, x).low - overlap_range(s, x).low;
}

// Where it changes its sign: false position, halved where an end stays.
static double sign_change(const Strip *s, Measure f, double a, double b) {
    double fa = f(s, a), fb = f(s, b), tiny = 1e-10 * fabs(b - a);
    for (int i = 0, side = 0; i < 60 && fabs(b - a) > tiny; i++) {
        double t = i % 4 == 3 ? 0.5 : clamp(fa / (fa - fb), 1e-3, 1 - 1e-3);
        double c = a + t * (b - a), fc = f(s, c);
        if (fc == 0) return c;
        if ((fc > 0) == (fa > 0)) {
            a = c, fa = fc;
            if (side > 0) fb *= 0.5;
            side = 1;
        } else {
            b = c, fb = fc;
            if (side < 0) fa *= 0.5;
            side = -1;
        }
    }
    return 0.5 * (a + b);
}

void rb_sort(double *b, int count) {
    for (int i = 1; i < count; i++) {
        double x = b[i];
        int j = i;
        for (; j > 0 && b[j - 1] > x; j--) b[j] = b[j - 1];
        b[j] = x;
    }
}

// Are the corners of the strip inside of the outline? At breaks they are on it, but for rounding; one that is touched in its middle alone is not.
static bool has_corners(const Strip *s) {
    double most = s->outline->r * (1 + 1e-12);
    for (int i = 0; i < 2; i++) {
        double x = i ? s->to : s->from;
        if (!(rb_from_middle(s->outline, x, s->low0 + s->low1 * x) <= most)) return false;
        if (!(rb_from_middle(s->outline, x, s->high0 + s->high1 * x) <= most)) return false;
    }
    return true;
}

// Both bound the strip, and where they cross is not among the breaks. But where the outline crosses sides of the polygon is: between two breaks all lines
// of the polygon are inside of it, or all beside it, or it bounds all of them.
static void add_crossed(const Strip *s, RbFlatSums *sums) {
    double at = 0.5 * (s->from + s->to), cuts[8];
    double low = s->low0 + s->low1 * at, high = s->high0 + s->high1 * at;
    Range t = outline_range(s, at);
    int count = 0;
    if (!(fmin(t.high, high) > fmax(t.low, low))) return;
    if (t.low <= low && t.high >= high && has_corners(s)) {
        static const RbFlatOutline none = {0};
        Strip inner = *s;
        inner.outline = &none;
        if (width_at(&inner, at) > 0) add_lines(&inner, s->from, s->to, sums);
        return;
    }
    if (!(width_at(s, at) > 0) && !find_wide(s, s->from, s->to, &at)) return;
    cuts[count++] = width_at(s, s->from) < 0 ? sign_change(s, width_at, s->from, at) : s->from;
    cuts[count++] = width_at(s, s->to) < 0 ? sign_change(s, width_at, at, s->to) : s->to;
    const Measure measures[2] = {above, below};
    double from = cuts[0], to = cuts[1];
    for (int i = 0; i < 2; i++) {
        Measure f = measures[i];
        double f0 = f(s, from), f1 = f(s, at), f2 = f(s, to);
        if ((f0 > 0) != (f1 > 0)) cuts[count++] = sign_change(s, f, from, at);
        if ((f1 > 0) != (f2 > 0)) cuts[count++] = sign_change(s, f, at, to);
    }
    rb_sort(cuts, count);
    for (int i = 1; i < count; i++) {
        if (cuts[i] - cuts[i - 1] > 1e-12 * (to - from)) add_lines(s, cuts[i - 1], cuts[i], sums);
    }
}

// ---- a cell

static int add_break(double *b, int count, double x) {
    if (count < BREAKS_MAX && isfinite(x)) b[count++] = x;
    return count;
}

int rb_border_crossings(const RbFlatCell *c, int i, int j, double t[2]) {
    double dx = c->x[j] - c->x[i], dy = c->y[j] - c->y[i], y = c->y[i],
           half = half_chord(c, c->x[i]);
    bool edge = c->kind == RB_FLAT_CELL_EDGE;
    double gx = edge ? c->b * dx : dx, g = edge ? c->a + c->b * c->x[i] : c->x[i];
    double A = gx * gx + dy * dy, B = g * gx + y * dy, C = (y - half) * (y + half);
    if (half == 0) C = g * g + y * y - (edge ? c->radius * c->radius : c->b * c->b);
    double q = B * B - A * C;
    if (!(q > 0) || !(A > 0)) return 0;
    double root = B + copysign(sqrt(q), B), at[2] = {-root / A, -C / root};
    int count = 0;
    for (int k = 0; k < 2; k++) {
        if (at[k] > 0 && at[k] < 1) t[count++] = at[k];
    }
    return count;
}

static int border_breaks(const RbFlatCell *c, int i, int j, double *b, int count) {
    double t[2];
    int n = rb_border_crossings(c, i, j, t);
    for (int k = 0; k < n; k++) count = add_break(b, count, c->x[i] + t[k] * (c->x[j] - c->x[i]));
    return count;
}

static int outline_breaks(const RbFlatCell *c, const RbFlatOutline *o, double *b, int count) {
    double t[2];
    for (int i = 0, j = c->count - 1; i < c->count; j = i++) {
        double dx = c->x[i] - c->x[j], dy = c->y[i] - c->y[j];
        if (!(dx != 0 || dy != 0) || !rb_outline_chord(o, c->x[j], c->y[j], dx, dy, t)) continue;
        for (int k = 0; k < 2; k++) {
            if (t[k] > 0 && t[k] < 1) count = add_break(b, count, c->x[j] + t[k] * dx);
        }
    }
    double ax = o->x[1] - o->x[0], ay = o->y[1] - o->y[0], k = o->r / sqrt(ax * ax + ay * ay);
    for (int i = 0; i < o->discs; i++) {
        count = add_break(b, count, o->x[i] - o->r);
        count = add_break(b, count, o->x[i] + o->r);
        if (o->discs < 2) continue;
        count = add_break(b, count, o->x[i] - k * ay);
        count = add_break(b, count, o->x[i] + k * ay);
    }
    return count;
}

// The sides of the polygon over and below x.
static bool find_sides(const RbFlatCell *c, double x, Strip *s) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0, j = c->count - 1; i < c->count; j = i++) {
        if ((c->x[i] > x) == (c->x[j] > x)) continue;
        double slope = (c->y[i] - c->y[j]) / (c->x[i] - c->x[j]), at = c->y[j] - slope * c->x[j];
        double y = at + slope * x;
        if (y < low) low = y, s->low0 = at, s->low1 = slope;
        if (y > high) high = y, s->high0 = at, s->high1 = slope;
    }
    return high > low;
}

// Does the polygon come to the outline?
static bool is_at_outline(const RbFlatCell *c, const RbFlatOutline *o) {
    double inner = o->r - c->plate->margin;
    for (int i = 0; i < c->count; i++) {
        if (!(rb_from_middle(o, c->x[i], c->y[i]) < inner)) return true;
    }
    return false;
}

// Is all of it beside it?
static bool is_outside(const RbFlatCell *c, const RbFlatOutline *o) {
    double x = 0, y = 0, far = 0;
    for (int i = 0; i < c->count; i++) x += c->x[i] / c->count, y += c->y[i] / c->count;
    for (int i = 0; i < c->count; i++) {
        double dx = c->x[i] - x, dy = c->y[i] - y;
        far = fmax(far, dx * dx + dy * dy);
    }
    return rb_from_middle(o, x, y) > o->r + sqrt(far);
}

// True: it came to the outline.
static bool clip_to_rectangle(RbFlatCell *c) {
    const RbPlate *p = c->plate;
    bool at_outline = false;
    for (int i = 0; i < 4; i++) {
        Vec3 d = v3_scale(i % 2 ? -1 : 1, i < 2 ? p->e1 : p->e2);
        double to = v3_dot(d, p->c) + (i < 2 ? p->straight : p->wide);
        for (int k = 0; k < c->count && !at_outline; k++) {
            Vec3 q = v3_axpy(v3_axpy(c->o, c->x[k], c->ex), c->y[k], c->ey);
            at_outline = !(v3_dot(d, q) < to);
        }
        rb_flat_cell_keep(c, d, to);
    }
    return at_outline;
}

// ---- a corner inside of the outline

// Beside a corner the overlap depends on the distance from its foot alone: all is summed up from triangles of the foot and a side of the polygon, with a sign, and
// of these parts of the disc in which it overlaps.

// Integrals over the radius, up to far, with rho drho: of the area, of w, w², w rho and w rho², and of 1/d, rho/d and rho²/d, alone and times w.
static LineSums radial_sums(const RbFlatCell *c, double far, const RbGaussPoints *rule) {
    LineSums l = {0};
    double half = 0.5 * far;
    for (int n = 0; n < rule->count; n++) {
        double at = half * rule->at[n / 2], y = n % 2 ? half + at : half - at;
        double d = sqrt(c->a * c->a + y * y), dA = half * rule->weight[n / 2] * y, by_d = dA / d;
        double w = (c->b - y) * (c->b + y) / (c->radius + d), V = dA * w, q = w * by_d;
        l.area += dA, l.volume += V, l.square += V * w, l.y += V * y, l.yy += V * y * y;
        l.r0 += by_d, l.r1 += by_d * y, l.r2 += by_d * y * y;
        l.q0 += q, l.q1 += q * y, l.q2 += q * y * y;
    }
    return l;
}

// Integrals over the angle: of 1, of cosine and sine, and of their products.
typedef struct Angles {
    double all, x, y, xx, xy, yy;
} Angles;

static void add_polar(const RbFlatCell *c, const LineSums *l, const Angles *a, RbFlatSums *k) {
    RbFlatSlope *V = &k->by_volume, *W = &k->by_square;
    double up = c->a * l->r1, up_W = 2 * c->a * l->q1, q1 = 2 * l->q1, q2 = 2 * l->q2;
    k->area += a->all * l->area, k->volume += a->all * l->volume;
    k->square += a->all * l->square;
    k->x += a->x * l->y, k->y += a->y * l->y;
    k->xx += a->xx * l->yy, k->xy += a->xy * l->yy, k->yy += a->yy * l->yy;
    V->up.all += c->a * a->all * l->r0, V->up.x += a->x * up, V->up.y += a->y * up;
    V->ex.all += a->x * l->r1, V->ex.x += a->xx * l->r2, V->ex.y += a->xy * l->r2;
    V->ey.all += a->y * l->r1, V->ey.x += a->xy * l->r2, V->ey.y += a->yy * l->r2;
    W->up.all += 2 * c->a * a->all * l->q0, W->up.x += a->x * up_W, W->up.y += a->y * up_W;
    W->ex.all += a->x * q1, W->ex.x += a->xx * q2, W->ex.y += a->xy * q2;
    W->ey.all += a->y * q1, W->ey.x += a->xy * q2, W->ey.y += a->yy * q2;
}

typedef struct Flat {
    double x, y;
} Flat;

// From the direction of p to that of q, with the sign of the turn; over the whole radius.
static void add_sector(const RbFlatCell *c, const LineSums *l, Flat p, Flat q, RbFlatSums *k) {
    double lp = sqrt(p.x * p.x + p.y * p.y), lq = sqrt(q.x * q.x + q.y * q.y);
    double c0 = p.x / lp, s0 = p.y / lp, c1 = q.x / lq, s1 = q.y / lq;
    double turn = atan2(c0 * s1 - s0 * c1, c0 * c1 + s0 * s1);
    double twice = 0.5 * (s1 * c1 - s0 * c0);
    Angles a = {.all = turn, .x = s1 - s0, .y = c0 - c1, .xy = 0.5 * (s1 - s0) * (s1 + s0)};
    a.xx = 0.5 * turn + twice, a.yy = 0.5 * turn - twice;
    add_polar(c, l, &a, k);
}

// The foot, p and q, of which both lie in the disc.
static void add_triangle(const RbFlatCell *c, const RbGaussPoints *rule, Flat p, Flat q,
                         RbFlatSums *k) {
    double twice = p.x * q.y - p.y * q.x;
    if (!(fabs(twice) > 1e-12 * c->b * c->b))
        return; // the side leads to the foot, but for rounding
    for (int n = 0; n < rule->count; n++) {
        double u = 0.5 * (1 + rb_gauss_at(rule, n));
        double x = p.x + u * (q.x - p.x), y = p.y + u * (q.y - p.y), far = sqrt(x * x + y * y);
        double turn = 0.5 * rb_gauss_weight(rule, n) * twice / (far * far);
        double cosine = x / far, sine = y / far;
        LineSums l = radial_sums(c, far, rule);
        Angles a = {turn, turn * cosine, turn * sine};
        a.xx = a.x * cosine, a.xy = a.x * sine, a.yy = a.y * sine;
        add_polar(c, &l, &a, k);
    }
}

// From p to q along a side: outside of the disc, in it, and outside again.
static void add_side(const RbFlatCell *c, const LineSums *l, const RbGaussPoints *rule, Flat p,
                     Flat q, RbFlatSums *k) {
    double dx = q.x - p.x, dy = q.y - p.y, A = dx * dx + dy * dy, B = p.x * dx + p.y * dy;
    double cross = p.x * dy - p.y * dx, root = A * c->b * c->b - cross * cross;
    if (!(A > 0)) return;
    if (!(root > 1e-12 * A * c->b * c->b)) { // beside the disc, or touching it but for rounding
        add_sector(c, l, p, q, k);
        return;
    }
    root = sqrt(root);
    double t0 = clamp((-B - root) / A, 0, 1), t1 = clamp((-B + root) / A, 0, 1);
    Flat a = {p.x + t0 * dx, p.y + t0 * dy}, b = {p.x + t1 * dx, p.y + t1 * dy};
    if (!(t1 > t0)) {
        add_sector(c, l, p, q, k);
        return;
    }
    if (t0 > 0) add_sector(c, l, p, a, k);
    add_triangle(c, rule, a, b, k);
    if (t1 < 1) add_sector(c, l, b, q, k);
}

// Is the foot in the polygon, or about? If it is far beside, what is left at the border of the disc would be a small difference.
static bool has_foot(const RbFlatCell *c) {
    const double beside = 0.3; // of the radius
    for (int i = 0, j = c->count - 1; i < c->count; j = i++) {
        double dx = c->x[i] - c->x[j], dy = c->y[i] - c->y[j];
        double out = c->y[j] * dx - c->x[j] * dy, most = beside * c->b;
        if (out > 0 && out * out > most * most * (dx * dx + dy * dy)) return false;
    }
    return true;
}

// False: it bends too much, or the foot is elsewhere.
static bool add_around(const RbFlatCell *c, RbFlatSums *k) {
    if (!(c->b < 0.5 * c->a) || !has_foot(c)) return false;
    const RbGaussPoints *rule = c->b < 0.07 * c->a  ? &rb_gauss_4
                                : c->b < 0.2 * c->a ? &rb_gauss_6
                                                    : &rb_gauss_8;
    LineSums l = radial_sums(c, c->b, rule);
    for (int i = 0, j = c->count - 1; i < c->count; j = i++)
        add_side(c, &l, rule, (Flat){c->x[j], c->y[j]}, (Flat){c->x[i], c->y[i]}, k);
    return true;
}

// Beside an edge moments are taken about a place next to the patch's origin, so that little is lost.
static RbFlatSums sums_about(const RbFlatCell *c, Vec3 origin) {
    Vec3 d = v3_sub(origin, c->o);
    RbFlatSums k = {0};
    if (c->kind == RB_FLAT_CELL_EDGE) k.x0 = v3_dot(d, c->ex);
    return k;
}

// By lines.
static void add_strips(const RbFlatCell *c, const RbFlatOutline *o, RbRimArcs *rim, RbFlatSums *k) {
    double b[BREAKS_MAX], low = INFINITY, high = -INFINITY;
    int count = 0;
    for (int i = 0, j = c->count - 1; i < c->count; j = i++) {
        low = fmin(low, c->x[i]), high = fmax(high, c->x[i]);
        count = add_break(b, count, c->x[i]);
        count = border_breaks(c, j, i, b, count);
    }
    // where it is closest
    if (c->kind == RB_FLAT_CELL_CORNER) count = add_break(b, count, 0);
    if (c->kind == RB_FLAT_CELL_EDGE && c->b != 0) count = add_break(b, count, -c->a / c->b);
    if (o->discs > 0) count = outline_breaks(c, o, b, count);
    rb_sort(b, count);
    Strip s = {.cell = c, .outline = o, .rim = rim};
    for (int i = 1; i < count; i++) {
        s.from = fmax(low, b[i - 1]), s.to = fmin(high, b[i]);
        double mid = 0.5 * (s.from + s.to);
        if (!(s.to - s.from > 1e-13 * (high - low)) || !find_sides(c, mid, &s)) continue;
        if (o->discs > 0)
            add_crossed(&s, k);
        else if (width_at(&s, mid) > 0)
            add_lines(&s, s.from, s.to, k);
    }
}

bool rb_flat_cell_add(RbFlatCell *c, RbRimArcs *rim, RbRoundSums *sums) {
    if (c->count == 0) return false;
    RbFlatOutline o = {0};
    bool at_outline;
    if (c->plate->round) {
        o = rb_flat_outline(c);
        at_outline = is_at_outline(c, &o);
        if (at_outline && is_outside(c, &o)) return false;
        if (!at_outline) o.discs = 0;
    } else {
        at_outline = clip_to_rectangle(c);
    }
    RbFlatSums k = sums_about(c, sums->origin);
    bool done = false;
    switch (c->kind) {
        case RB_FLAT_CELL_FACE: rb_flat_face_sum(c, &o, rim, &k), done = true; break;
        case RB_FLAT_CELL_EDGE: done = o.discs > 0 && rb_flat_rows_sum(c, &o, rim, &k); break;
        case RB_FLAT_CELL_CORNER: done = o.discs == 0 && add_around(c, &k); break;
    }
    if (!done) add_strips(c, &o, rim, &k);
    add_cell(c, &k, sums);
    return at_outline;
}
