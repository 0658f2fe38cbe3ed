// SPDX-License-Identifier: MIT
#include <math.h>

#include "collide/gauss_points.h"
#include "collide/patch_pieces.h"
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

// A place of the edge, and the way into the end.
typedef struct Place {
    Vec3 p, into;
} Place;

static Place place_at(const Edge *e, double x) {
    if (e->radius == 0) return (Place){v3_axpy(e->middle, x, e->along), e->in};
    double q = 0.5 * x / e->radius, k = 1 / (1 + q * q);
    Vec3 radial = v3_axpy(v3_scale(k * (1 - q * q), e->out), 2 * k * q, e->along);
    return (Place){v3_axpy(e->middle, e->radius, radial), v3_neg(radial)};
}

typedef struct Way {
    const Edge *edge;
    double side; // 1, -1
} Way;

static double overlap_along(const void *curve, double x) {
    const Way *w = curve;
    Vec3 m;
    return rb_depth_at(w->edge->smooth->field, place_at(w->edge, w->side * x).p, &m);
}

// May the overlap of the edge end there? It is on the edge somewhat beyond, too, and falls into the end: otherwise there may be more along the rim.
static bool ends_at(const Edge *e, double x) {
    double beyond = 1.1 * x;
    Place a = place_at(e, x);
    Vec3 m;
    rb_depth_at(e->smooth->field, a.p, &m);
    return beyond > e->low && beyond < e->high && v3_dot(m, a.into) > 0;
}

// ---- on both sides

static RbChart chart_into(const Edge *e, int sheet) {
    if (e->radius == 0)
        return (RbChart){.o = e->middle, .ex = e->along, .ey = sheet ? e->up : e->in};
    return (RbChart){.o = e->middle,
                     .out = e->out,
                     .ex = e->along,
                     .ey = e->up,
                     .radius = e->radius,
                     .widens = sheet ? e->widens : -1,
                     .rises = sheet ? e->rises : 0};
}

typedef struct Room {
    double low, high, length; // [m] along the edge, and from it
} Room;

static bool is_on_sheet(const void *room, double x, double y) {
    const Room *r = room;
    return x > r->low && x < r->high && y < r->length;
}

// How far from the closest point the overlap goes into a sheet. It is concave along a straight line: tangents lead beyond, and come nearer with each.
static bool find_reach(const RbSmooth *s, Vec3 into, double room, double *out) {
    enum { LOOKS = 20 };
    const double rough = 1e-2; // of the depth
    Vec3 m;
    *out = 0;
    for (int i = 0; i < LOOKS; i++) {
        double w = rb_smooth_depth(s, v3_axpy(s->at, *out, into), &m), fall = v3_dot(m, into);
        if (fabs(w) < rough * s->depth) return true;
        if (!(fall > 0)) return false;
        *out += w / fall;
        if (!(*out < room)) return false;
    }
    return false;
}

static bool find_fan(const Edge *e, int sheet, const Room *room, double from, double to,
                     RbFan *out) {
    *out = (RbFan){.smooth = e->smooth,
                   .chart = chart_into(e, sheet),
                   .is_half = true,
                   .xx = 0.5 * (from + to),
                   .from = from,
                   .to = to,
                   .is_on_sheet = is_on_sheet,
                   .sheet = room};
    Vec3 by_x, into;
    rb_chart_rates(&out->chart, 0, 0, &by_x, &into);
    return find_reach(e->smooth, into, room->length, &out->yy) && !rb_is_slender(out);
}

bool rb_smooth_edge(const RbSmooth *s, const RbSheet *end, const RbSheet *other,
                    RbRoundSums *sums) {
    Edge e = edge_of(s, end, other);
    Way ahead = {&e, 1}, back = {&e, -1};
    double to, from;
    RbRoundSums all = {.origin = sums->origin, .u = sums->u, .v = sums->v};
    if (!rb_smooth_border(overlap_along, &ahead, s->depth, s->near, &to)) return false;
    if (!ends_at(&e, to)) return false;
    if (!rb_smooth_border(overlap_along, &back, s->depth, to, &from)) return false;
    if (!ends_at(&e, -from)) return false;
    Room room[2];
    RbFan fan[2];
    for (int k = 0; k < 2; k++) {
        room[k] = (Room){e.low, e.high, e.room[k]};
        if (!find_fan(&e, k, &room[k], from, to, &fan[k])) return false;
    }
    if (!rb_add_fan(&fan[0], &all) || !rb_add_fan(&fan[1], &all)) return false;
    rb_add_sums(sums, &all, 1);
    return true;
}
