// SPDX-License-Identifier: MIT
#include "collide/sheet.h"

#include <math.h>

static const double pi = 3.14159265358979324;
static const double STANDS = 0.995; // cosine of the axis with the way to the other body

bool rb_has_sheets(const RbCore *c) {
    return c->kind == RB_CORE_CYLINDER || c->kind == RB_CORE_FRUSTUM || c->kind == RB_CORE_BEAM;
}

static double clamp(double x, double low, double high) {
    return x < low ? low : x > high ? high : x;
}

// The part of v across the axis, as a unit vector; twice, or what is left of the axis would tilt a face.
static Vec3 across(Vec3 v, Vec3 axis) {
    Vec3 p = v3_axpy(v, -v3_dot(v, axis), axis);
    if (!(v3_norm2(p) > 1e-24)) return v3_perpendicular(axis);
    p = v3_unit(p);
    return v3_unit(v3_axpy(p, -v3_dot(p, axis), axis));
}

static RbSheet disc(Vec3 c, Vec3 axis, double r, Vec3 order, Vec3 at) {
    RbSheet s = {.kind = RB_SHEET_END, .c = c, .r0 = r, .low = -0.5 * pi, .high = 0.5 * pi};
    s.e2 = across(order, axis);
    s.e1 = v3_cross(s.e2, axis);
    s.guess = asin(clamp(v3_dot(v3_sub(at, c), s.e2) / r, -1, 1));
    return s;
}

static RbSheet stadium(Vec3 c, Vec3 along, Vec3 wide, Vec3 h, Vec3 at) {
    RbSheet s = {.kind = RB_SHEET_END, .c = c, .e1 = along, .e2 = wide, .r0 = h.y, .straight = h.x};
    s.low = -0.5 * pi, s.high = 0.5 * pi;
    s.guess = asin(clamp(v3_dot(v3_sub(at, c), wide) / h.y, -1, 1));
    return s;
}

// From the angle where the side faces the other body. One that stands faces it with its end: then it is the
// rim near the closest point, since what is left of `towards` across the axis may be rounding.
static RbSheet side(Vec3 c, Vec3 axis, double length, double r0, double r1, Vec3 towards, Vec3 at) {
    RbSheet s = {.kind = RB_SHEET_SIDE, .c = c, .axis = axis, .r0 = r0, .r1 = r1, .length = length};
    bool stands = fabs(v3_dot(towards, axis)) > STANDS;
    s.e1 = across(stands ? v3_sub(at, c) : towards, axis);
    s.e2 = v3_cross(axis, s.e1);
    s.low = -pi, s.high = pi;
    return s;
}

static int beam(Vec3 h, Pose X, Vec3 towards, Vec3 at, RbSheet *out) {
    Vec3 x = m3_column(X.R, 0), y = m3_column(X.R, 1), z = m3_column(X.R, 2);
    int count = 0;
    for (int k = -1; k <= 1; k += 2) {
        out[count++] = stadium(v3_axpy(X.r, k * h.z, z), x, y, h, at);
        RbSheet round = {.kind = RB_SHEET_SIDE, .axis = z, .length = 2 * h.z, .r0 = h.y, .r1 = h.y};
        round.c = v3_axpy(v3_axpy(X.r, k * h.x, x), -h.z, z);
        round.e1 = v3_scale(k, x), round.e2 = v3_scale(k, y);
        round.low = -0.5 * pi, round.high = 0.5 * pi;
        Vec3 way = fabs(v3_dot(towards, z)) > STANDS ? v3_sub(at, round.c) : towards;
        round.guess =
            clamp(atan2(v3_dot(way, round.e2), v3_dot(way, round.e1)), round.low, round.high);
        out[count++] = round;
        RbSheet flat = {.kind = RB_SHEET_FLAT, .axis = z, .e1 = x, .length = 2 * h.z};
        flat.c = v3_axpy(v3_axpy(X.r, k * h.y, y), -h.z, z);
        flat.low = -h.x, flat.high = h.x;
        flat.guess = clamp(v3_dot(v3_sub(at, X.r), x), -h.x, h.x);
        out[count++] = flat;
    }
    return count;
}

int rb_sheets(const RbCore *core, Pose X, Vec3 towards, Vec3 at, Vec3 order,
              RbSheet out[RB_SHEETS_MAX]) {
    if (core->kind == RB_CORE_BEAM) return beam(core->h, X, towards, at, out);
    Vec3 z = m3_column(X.R, 2), h = core->h;
    double top = core->kind == RB_CORE_FRUSTUM ? h.y : h.x;
    Vec3 low = v3_axpy(X.r, -h.z, z);
    int count = 0;
    out[count++] = disc(low, z, h.x, order, at);
    if (top > 0) out[count++] = disc(v3_axpy(X.r, h.z, z), z, top, order, at);
    out[count++] = side(low, z, 2 * h.z, h.x, top, towards, at);
    return count;
}

static RbLine end_line(const RbSheet *s, double tau) {
    double half = s->r0 * cos(tau);
    return (RbLine){.o = v3_axpy(s->c, s->r0 * sin(tau), s->e2),
                    .t = s->e1,
                    .s0 = -s->straight - half,
                    .s1 = s->straight + half,
                    .j0 = half};
}

static RbLine side_line(const RbSheet *s, double tau) {
    Vec3 radial = v3_axpy(v3_scale(cos(tau), s->e1), sin(tau), s->e2);
    Vec3 way = v3_axpy(v3_scale(s->length, s->axis), s->r1 - s->r0, radial);
    double length = v3_norm(way);
    return (RbLine){.o = v3_axpy(s->c, s->r0, radial),
                    .t = v3_scale(1 / length, way),
                    .s1 = length,
                    .j0 = s->r0,
                    .j1 = (s->r1 - s->r0) / length};
}

RbLine rb_sheet_line(const RbSheet *s, double tau) {
    switch (s->kind) {
        case RB_SHEET_END: return end_line(s, tau);
        case RB_SHEET_SIDE: return side_line(s, tau);
        default: break;
    }
    return (RbLine){.o = v3_axpy(s->c, tau, s->e1), .t = s->axis, .s1 = s->length, .j0 = 1};
}
