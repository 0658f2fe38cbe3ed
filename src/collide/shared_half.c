// SPDX-License-Identifier: MIT
#include "collide/shared_half.h"

#include <math.h>

// From a place inside of a ball on the way to another one: where it leaves the ball, or that one.
static Vec3 leaving(Vec3 from, Vec3 to, double radius) {
    Vec3 way = v3_sub(to, from);
    double a = v3_norm2(way), b = v3_dot(way, from), c = v3_norm2(from) - radius * radius;
    double root = sqrt(fmax(0, b * b - a * c));
    return v3_axpy(from, fmin(1, -c / (b + root)), way);
}

// The way at which the cores touch.
static Vec3 touching(const RbPatchPair *p) {
    return v3_scale(p->radius + p->gap->distance, p->gap->normal);
}

// ---- where the root is half

// The shortest way along which the root is as large as wanted, as a look elsewhere sees it: the step d for which way + d = k (slope + bend d). False: there is none.
static bool step_to(const RbSharedRoot *l, Vec3 way, double wanted, Vec3 *out) {
    enum { ROUNDS = 20 };
    Mat3 bend = m3_scale(0.5, m3_add(l->bend, m3_transpose(l->bend)));
    double k = v3_norm(way) / v3_norm(l->slope);
    for (int i = 0; i < ROUNDS; i++) {
        Mat3 soft = m3_inverse(m3_sub(M3_IDENTITY, m3_scale(k, bend)));
        Vec3 d = m3_mul_vec(soft, v3_axpy(v3_neg(way), k, l->slope));
        Vec3 slope = v3_add(l->slope, m3_mul_vec(bend, d)); // there
        double root = l->root + 0.5 * v3_dot(d, v3_add(l->slope, slope));
        double more = (wanted - root) / v3_dot(slope, m3_mul_vec(soft, slope));
        *out = d, k += more;
        if (!(k > 0)) return false;
        if (fabs(more) < 1e-12 * k) return true;
    }
    return false;
}

// What is not known of the force yet: slopes across the way, and the root.
static double error_at(const RbPatchPair *p, const RbSharedRoot *l, Vec3 way, double wanted) {
    double length = v3_norm(way), lever = length - (p->radius + p->gap->distance);
    Vec3 across = v3_axpy(l->slope, -v3_dot(l->slope, way) / (length * length), way);
    return 3 * fmax(lever * v3_norm(across), fabs(l->root - wanted)) / l->root;
}

// On the line from where the cores touch: where a parabola through the root and its slope at the end is half as high.
static Vec3 half_way(Vec3 start, const RbMost *all) {
    Vec3 line = v3_sub(all->way, start);
    double rise = fmax(0, -v3_dot(all->slope.f, line) / 3),
           begin = 2 - rise; // of the root, as parts of it
    double part = 1 / (begin + sqrt(begin * begin - 2 * (1 - rise)));
    return v3_axpy(start, part, line);
}

// By Newton's method for way and length together. False: it does not lead there.
static bool half_by_steps(const RbPatchPair *p, Vec3 origin, const RbMost *all, RbMost *out) {
    enum { LOOKS = 8 };
    const double fine = 1e-9;
    double wanted = 0.5 * exp(all->value / 3), before = INFINITY;
    Vec3 way = half_way(touching(p), all), step;
    RbSharedRoot l;
    for (int i = 0; i < LOOKS; i++) {
        if (!rb_shared_root(p, origin, way, &l)) return false;
        double error = error_at(p, &l, way, wanted);
        if (!(error < 0.5 * before)) return false;
        if (error < fine) {
            *out = (RbMost){way, 3 * log(l.root), l.wrench, -v3_dot(l.wrench.f, v3_unit(way))};
            return true;
        }
        if (!step_to(&l, way, wanted, &step)) return false;
        way = v3_add(way, step), before = error;
    }
    return false;
}

// The length at which the cube root of the volume is half of what it is at the radius. Along a straight line from where the cores touch it is at least
// as large as if it grew evenly, so that something is shared at each place of that line.
static RbMost half_of(const RbPatchPair *p, Vec3 origin, const RbMost *all) {
    enum { LOOKS = 40 };
    const double near = 1e-7;
    Vec3 start = touching(p);
    double from = v3_norm(start), low = from, high = p->radius, wanted = all->value - log(8);
    RbMost m;
    if (half_by_steps(p, origin, all, &m)) return m;
    m = rb_most_shared(p, origin, v3_lerp(start, all->way, 0.5));
    for (int i = 0; i < LOOKS && isfinite(m.value) && fabs(m.value - wanted) > near; i++) {
        double length = v3_norm(m.way), power = m.rate * (length - from);
        if (m.value > wanted)
            high = length;
        else
            low = length;
        // as (length - from)^power, but not too far at once
        double next = from + (length - from) * fmax(0.2, exp((wanted - m.value) / power));
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        Vec3 way = next < length ? leaving(start, m.way, next) : v3_scale(next / length, m.way);
        m = rb_most_shared(p, origin, way);
    }
    return m;
}

// The cores overlap for all ways of a convex set: the one at which they touch is at its border, that of their middles inside.
Vec3 rb_way_inwards(const RbPatchPair *p) {
    return leaving(touching(p), rb_patch_way_in(p), p->radius);
}

RbMost rb_all_shared(const RbPatchPair *p, Vec3 origin, Vec3 n) {
    RbMost all = rb_most_shared(p, origin, v3_scale(p->radius, n));
    if (isfinite(all.value)) return all;
    return rb_most_shared(p, origin, rb_way_inwards(p));
}

bool rb_half_shared(const RbPatchPair *p, Vec3 origin, Vec3 n, RbHalf *out) {
    const double even = 1e-6, depth = -p->gap->distance;
    if (out->back > 0) return true;
    if (!isfinite(out->all.value)) out->all = rb_all_shared(p, origin, n);
    const RbMost *all = &out->all;
    if (!isfinite(all->value)) return false;
    out->even = all->rate * depth > 3 - even; // concave and zero where the cores touch
    if (out->even) {
        out->back = 0.5 * depth, out->slope = (Wrench){V3_ZERO, v3_scale(-0.5, p->gap->normal)};
        return true;
    }
    RbMost half = half_of(p, origin, all);
    if (!isfinite(half.value) || !(half.rate > 0)) return false;
    double rest = (all->value - log(8) - half.value) / half.rate, k = 1 / half.rate;
    out->back = p->radius - v3_norm(half.way) - rest;
    out->slope = (Wrench){v3_scale(k, v3_sub(half.slope.t, all->slope.t)),
                          v3_scale(k, v3_sub(half.slope.f, all->slope.f))};
    return true;
}
