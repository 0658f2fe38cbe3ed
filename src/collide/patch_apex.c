// SPDX-License-Identifier: MIT
#include "collide/patch_apex.h"

#include <math.h>

#include "collide/gauss_points.h"

static const double pi = 3.14159265358979324;

// Lines lead from the apex to the rim, at angles phi from the one that faces the plane. Overlap falls along them from w at the apex by
//     D = eps + 2 m sin²(phi/2)
// over the whole length, so that a line that ends inside of it overlaps up to w/D of that.
typedef struct Fan {
    Vec3 apex, facing, aside, down; // down: from the apex to the middle of the rim
    Vec3 n;
    double radius, slant; // [m]
    double w, eps, m;     // [m]
} Fan;

static Vec3 apex_of(const RbSheet *s) {
    return v3_axpy(s->c, s->length, s->axis);
}

static Fan fan_of(const RbDepthField *f, const RbSheet *s) {
    Vec3 m, across = v3_axpy(f->n, -v3_dot(f->n, s->axis), s->axis);
    Fan fan = {.apex = apex_of(s), .n = f->n, .radius = s->r0};
    fan.facing = v3_neg(v3_unit_or(across, s->e1)), fan.aside = v3_cross(s->axis, fan.facing);
    fan.down = v3_scale(-s->length, s->axis);
    fan.slant = sqrt(s->length * s->length + s->r0 * s->r0);
    fan.w = rb_depth_at(f, fan.apex, &m), fan.m = s->r0 * v3_norm(across);
    fan.eps = fan.w - rb_depth_at(f, s->c, &m) - fan.m;
    return fan;
}

// The line at phi, which counts as dphi. Three points are exact along it.
static void add_line(const Fan *f, double phi, double dphi, RbRoundSums *sums) {
    double half = sin(0.5 * phi), D = f->eps + 2 * f->m * half * half;
    Vec3 out = v3_axpy(v3_scale(cos(phi), f->facing), sin(phi), f->aside);
    Vec3 way = v3_axpy(f->down, f->radius, out); // to the rim
    double to = D > f->w ? f->w / D : 1;
    for (int i = 0; i < rb_gauss_3.count; i++) {
        double part = 0.5 * to * (1 + rb_gauss_at(&rb_gauss_3, i));
        double dA = 0.5 * to * rb_gauss_weight(&rb_gauss_3, i) * part * f->radius * f->slant * dphi;
        rb_add_piece(sums, v3_axpy(f->apex, part, way), f->n, dA, fmax(0, f->w - part * D));
    }
}

// Lines that overlap up to the rim: |phi| <= to.
static void add_whole(const Fan *f, double to, RbRoundSums *sums) {
    const double narrow = 0.3; // [rad]
    const RbGaussPoints *rule = to < narrow ? &rb_gauss_8 : &rb_gauss_16;
    for (int i = 0; i < rule->count; i++)
        add_line(f, to * rb_gauss_at(rule, i), to * rb_gauss_weight(rule, i), sums);
}

// Lines that end before it, from |phi| = from on. With tan(phi/2) = c/tan(chi), c² = eps/(eps + 2 m), 1/D = (sin² chi + c² cos² chi)/eps, and dphi/D is 2 c/eps dchi: all integrands
// are polynomials of sin(chi) and cos(chi), however narrow the peak of w/D is. If eps is negative the same is so with tanh.
static void add_parts(const Fan *f, double from, RbRoundSums *sums) {
    double eps = copysign(fmax(fabs(f->eps), 1e-14 * f->m), f->eps), tangent = tan(0.5 * from);
    double c = sqrt(fabs(eps) / (eps + 2 * f->m));
    double end = eps > 0 ? atan2(c, tangent) : atanh(fmin(c / tangent, 1 - 1e-15));
    for (int i = 0; i < rb_gauss_16.count; i++) {
        double chi = 0.5 * end * (1 + rb_gauss_at(&rb_gauss_16, i));
        double t = eps > 0 ? tan(chi) : tanh(chi), phi = 2 * atan2(c, t);
        double rate = 2 * c * (eps > 0 ? 1 + t * t : 1 - t * t) / (t * t + c * c);
        double dphi = 0.5 * end * rb_gauss_weight(&rb_gauss_16, i) * rate;
        add_line(f, phi, dphi, sums), add_line(f, -phi, dphi, sums);
    }
}

bool rb_patch_apex(const RbDepthField *field, const RbSheet *sheet, RbRoundSums *sums) {
    if (!field->planar || sheet->kind != RB_SHEET_SIDE || sheet->r1 > 0) return false;
    Fan f = fan_of(field, sheet);
    if (!(f.w > 0)) return false;
    // the rim overlaps where D < w
    double s = 0.5 * (f.w - f.eps) / f.m; // sin² of half of that angle
    double whole = !(s > 0) ? 0 : s < 1 ? 2 * asin(sqrt(s)) : pi;
    if (whole > 0) add_whole(&f, whole, sums);
    if (whole < pi) add_parts(&f, whole, sums);
    return true;
}
