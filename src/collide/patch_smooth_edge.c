// SPDX-License-Identifier: MIT
#include <math.h>

#include "collide/gauss_points.h"
#include "collide/patch_smooth.h"

// ---- the edge

// A rim, or a straight edge of a beam. From each of its places a straight line goes into the end and one into the other sheet.
typedef struct Edge {
    const RbSmooth *smooth;
    Vec3 middle, out,
        along; // of the circle, to the closest point, and along the edge there; straight: middle is that point
    double radius;        // [m] 0: straight
    Vec3 up;              // along the axis, into the other sheet
    Vec3 in;              // straight: into the end
    double widens, rises; // of the radius and along the axis, for each way into the other sheet
    double room[2];       // [m] length of lines into the end and into the other sheet
    double low, high;     // [m] as far as the edge goes
} Edge;

static Edge edge_of(const RbSmooth *s, const RbSheet *end, const RbSheet *other) {
    Vec3 d = v3_sub(s->at, end->c);
    double x = v3_dot(d, end->e1), side = x > 0 ? 1 : -1,
           along = v3_dot(v3_sub(s->at, other->c), other->axis);
    bool first = along < 0.5 * other->length;
    Edge e = {.smooth = s, .up = v3_scale(first ? 1 : -1, other->axis), .rises = 1};
    e.room[0] = 0.9 * end->r0, e.room[1] = other->length;
    if (other->kind == RB_SHEET_FLAT) {
        e.middle = s->at, e.along = end->e1, e.low = -end->straight - x, e.high = end->straight - x;
        e.in = v3_scale(v3_dot(d, end->e2) > 0 ? -1 : 1, end->e2);
        return e;
    }
    double slant =
        sqrt(other->length * other->length + (other->r1 - other->r0) * (other->r1 - other->r0));
    e.middle = v3_axpy(end->c, end->straight * side, end->e1), e.radius = end->r0;
    e.out = v3_unit(v3_sub(s->at, e.middle)), e.along = v3_cross(other->axis, e.out);
    e.widens = (first ? 1 : -1) * (other->r1 - other->r0) / slant, e.rises = other->length / slant;
    e.room[1] = slant, e.high = e.radius, e.low = -e.radius;
    if (end->straight > 0) { // half of a circle: so far that tan(tau/2) leads to its end
        double c = v3_dot(e.out, end->e1) * side, sn = v3_dot(e.along, end->e1) * side;
        // radial . e1 = (c (1 - q²) + 2 q sn)/(1 + q²) > 0
        double root = sqrt(c * c + sn * sn);
        e.high = fmin(e.high, 2 * e.radius * c / fmax(1e-300, root - sn));
        e.low = fmax(e.low, -2 * e.radius * c / fmax(1e-300, root + sn));
    }
    return e;
}

// A place of the edge, with lines into both sheets, and how wide they are for each x.
typedef struct Place {
    Vec3 p, into[2];
    double wide, grows[2]; // wide (1 + grows s)
} Place;

static Place place_at(const Edge *e, double x) {
    if (e->radius == 0) return (Place){v3_axpy(e->middle, x, e->along), {e->in, e->up}, 1, {0, 0}};
    double q = 0.5 * x / e->radius, k = 1 / (1 + q * q);
    Vec3 radial = v3_axpy(v3_scale(k * (1 - q * q), e->out), 2 * k * q, e->along);
    return (Place){v3_axpy(e->middle, e->radius, radial),
                   {v3_neg(radial), v3_axpy(v3_scale(e->rises, e->up), e->widens, radial)},
                   k,
                   {-1 / e->radius, e->widens / e->radius}};
}

typedef struct Way {
    const Edge *edge;
    double side; // 1, -1
} Way;

static double overlap_along(const void *curve, double x) {
    const Way *w = curve;
    Vec3 m;
    return rb_smooth_depth(w->edge->smooth, place_at(w->edge, w->side * x).p, &m);
}

// Does the overlap fall along both lines from there?
static bool falls(const Edge *e, double x) {
    Place a = place_at(e, x);
    Vec3 m;
    rb_smooth_depth(e->smooth, a.p, &m);
    return v3_dot(m, a.into[0]) > 0 && v3_dot(m, a.into[1]) > 0;
}

// ---- sums over lines

// Where the overlap ends. It is concave along a straight line: tangents lead beyond, and come nearer with each.
static bool end_of_line(const RbSmooth *s, Vec3 p, Vec3 into, double room, double w, Vec3 m,
                        double *out) {
    enum { LOOKS = 20 };
    const double near = 1e-6; // of the depth: one more tangent will do
    double at = 0;
    for (int i = 0; i < LOOKS; i++) {
        double fall = v3_dot(m, into);
        if (!(fall > 0)) return false;
        at += w / fall;
        if (!(at < room)) return false;
        if (i > 0 && fabs(w) < near * s->depth) return *out = at, true;
        w = rb_smooth_depth(s, v3_axpy(p, at, into), &m);
    }
    return false;
}

static bool add_line(const Edge *e, const Place *a, int sheet, double w0, Vec3 m0, double dx,
                     RbRoundSums *sums) {
    const double beyond = 1.1;
    const RbSmooth *s = e->smooth;
    Vec3 into = a->into[sheet];
    double to;
    if (!end_of_line(s, a->p, into, e->room[sheet], w0, m0, &to)) return false;
    if (!rb_smooth_over(s, v3_axpy(a->p, fmin(beyond * to, e->room[sheet]), into))) return false;
    for (int i = 0; i < rb_gauss_4.count; i++) {
        double at = 0.5 * to * (1 + rb_gauss_at(&rb_gauss_4, i));
        Vec3 m, p = v3_axpy(a->p, at, into);
        double w = fmax(0, rb_smooth_depth(s, p, &m));
        rb_add_piece(sums, p, m,
                     0.5 * to * rb_gauss_weight(&rb_gauss_4, i) * dx * (1 + a->grows[sheet] * at),
                     w);
    }
    return true;
}

// Of the highest two Legendre polynomials that the points tell apart, how much is in f, over its sum; f[i] with the weight of point i.
static double tail_of(const RbGaussPoints *rule, const double *f) {
    double sum = 0, tail[2] = {0, 0};
    for (int i = 0; i < rule->count; i++) {
        double x = rb_gauss_at(rule, i), before = 1, here = x;
        for (int n = 1; n < rule->count - 1; n++) {
            double next = ((2 * n + 1) * x * here - n * before) / (n + 1);
            before = here, here = next;
        }
        sum += f[i];
        tail[0] += (2 * rule->count - 3) * before * f[i],
            tail[1] += (2 * rule->count - 1) * here * f[i];
    }
    return (fabs(tail[0]) + fabs(tail[1])) / sum;
}

// Lines at the points of a rule. False: some end elsewhere.
static bool add_lines(const Edge *e, double from, double to, const RbGaussPoints *rule,
                      RbRoundSums *sums, double *tail) {
    double volume[16], mid = 0.5 * (from + to), half = 0.5 * (to - from);
    for (int i = 0; i < rule->count; i++) {
        double before = sums->volume;
        Place a = place_at(e, mid + half * rb_gauss_at(rule, i));
        Vec3 m;
        double w = rb_smooth_depth(e->smooth, a.p, &m),
               dx = half * rb_gauss_weight(rule, i) * a.wide;
        for (int k = 0; k < 2; k++)
            if (!add_line(e, &a, k, w, m, dx, sums)) return false;
        volume[i] = sums->volume - before;
    }
    *tail = tail_of(rule, volume);
    return true;
}

// May the overlap of the edge end there? Also somewhat beyond it is on the edge and over the same piece.
static bool ends_at(const Edge *e, double x) {
    double beyond = 1.1 * x;
    if (!(beyond > e->low && beyond < e->high)) return false;
    return rb_smooth_over(e->smooth, place_at(e, beyond).p) && falls(e, x);
}

static const double LONG =
    40; // of the way over which the overlap falls by half: beyond, lines along it are as good

// Eight lines into each sheet, or sixteen: what they do not resolve is about the square of the highest that they do.
bool rb_smooth_edge(const RbSmooth *s, const RbSheet *end, const RbSheet *other,
                    RbRoundSums *sums) {
    const double small = 1e-5;
    const RbGaussPoints *const rules[] = {&rb_gauss_8, &rb_gauss_16};
    Edge e = edge_of(s, end, other);
    Way ahead = {&e, 1}, back = {&e, -1};
    double to, from, tail;
    if (!rb_smooth_border(overlap_along, &ahead, s->depth, s->near, &to)) return false;
    if (!ends_at(&e, to)) return false;
    if (!rb_smooth_border(overlap_along, &back, s->depth, to, &from)) return false;
    if (!ends_at(&e, -from)) return false;
    if (!s->field->planar && from + to > LONG * s->near)
        return false; // an edge that lies on something
    for (int i = 0; i < 2; i++) {
        RbRoundSums all = {.origin = sums->origin, .u = sums->u, .v = sums->v};
        if (!add_lines(&e, -from, to, rules[i], &all, &tail)) return false;
        if (tail > small) continue;
        rb_add_sums(sums, &all, 1);
        return true;
    }
    return false;
}
