// SPDX-License-Identifier: MIT
#include "collide/patch_spot.h"

#include <math.h>

#include "collide/most_shared.h"

// A depth that does not follow the closest points, and how it changes as B moves.
typedef struct Depth {
    double depth; // [m] 0: none
    Wrench slope;
    double x, y; // [m] where it is
} Depth;

// It is where its slope acts.
static Depth depth_at(double depth, Wrench slope, const RbPatch *p) {
    Vec3 arm = v3_cross(p->n, slope.t);
    double along = v3_dot(p->n, slope.f);
    return (Depth){.depth = depth,
                   .slope = slope,
                   .x = along < 0 ? v3_dot(p->u, arm) / along : 0,
                   .y = along < 0 ? v3_dot(p->v, arm) / along : 0};
}

// ---- half of it

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

// The length at which the cube root of the volume is half of what it is at the radius. Along a straight line from where the cores touch it is at least
// as large as if it grew evenly, so that something is shared at each place of that line.
static RbMost half_of(const RbPatchPair *p, Vec3 origin, const RbMost *all) {
    enum { LOOKS = 40 };
    const double near = 1e-7;
    Vec3 start = touching(p);
    double from = v3_norm(start), low = from, high = p->radius, wanted = all->value - log(8);
    RbMost m = rb_most_shared(p, origin, v3_lerp(start, all->way, 0.5));
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

// Twice the way back to where the cube root of the volume is half. If that grows evenly, as it does for anything that comes to a point, this is the depth of the closest points.
static Depth depth_of_half(const RbPatchPair *p, const RbPatch *patch) {
    const Depth none = {0};
    const double even = 1e-6;
    RbMost all = rb_most_shared(p, patch->origin, v3_scale(p->radius, patch->n));
    if (!isfinite(all.value)) {
        Vec3 way = leaving(touching(p), rb_patch_way_in(p), p->radius);
        all = rb_most_shared(p, patch->origin, way);
    }
    // concave and zero where the cores touch, the cube root grows evenly if it does at its end
    if (!isfinite(all.value) || !(all.rate * -p->gap->distance < 3 - even)) return none;
    RbMost half = half_of(p, patch->origin, &all);
    if (!isfinite(half.value) || !(half.rate > 0)) return none;
    double rest = (all.value - log(8) - half.value) / half.rate, k = 2 / half.rate;
    Wrench slope = {v3_scale(k, v3_sub(half.slope.t, all.slope.t)),
                    v3_scale(k, v3_sub(half.slope.f, all.slope.f))};
    return depth_at(2 * (p->radius - v3_norm(half.way) - rest), slope, patch);
}

// Along a normal that is fixed.
static Depth depth_along(const RbGap *gap, RbSharedAlong *shared, void *user, const RbPatch *p) {
    enum { LOOKS = 40 };
    const double even = 1e-6, near = 1e-9;
    double depth = -gap->distance, wanted = log(p->volume / 8);
    double power = -v3_dot(p->volume_slope.f, p->n) * depth / p->volume, left = depth, off = -1;
    if (power > 3 - even) return (Depth){.depth = 0};
    left *= exp(-log(8) / power);
    RbSharedThere s = shared(user, depth - left);
    for (int i = 0; i < LOOKS && s.volume > 0; i++) {
        off = wanted - log(s.volume);
        if (fabs(off) < near) break;
        left = fmin(0.999 * depth, left * exp(off * s.volume / (s.area * left)));
        s = shared(user, depth - left);
    }
    if (!(s.volume > 0)) return (Depth){.depth = 0};
    double k = 2 * s.volume / s.area, there = k / s.volume, here = -k / p->volume;
    Wrench slope = {v3_axpy(v3_scale(there, s.slope.t), here, p->volume_slope.t),
                    v3_axpy(v3_scale(there, s.slope.f), here, p->volume_slope.f)};
    return depth_at(2 * (depth - left) - k * off, slope, p);
}

// ---- the spot

static const double ROUNDING =
    1e-10; // of the size: what overlaps by less is known to three digits, and how it changes not at all

// How far the depth of a spot is that of its overlap, and its slope by the depth of the closest points. Bodies that are deep in each other have no
// way along which half of the overlap is left: from half of the radius on that is given up.
typedef struct Part {
    double part, rate; // [1/m]
} Part;

static Part part_at(double depth, double radius) {
    double x = fmax(0, fmin(1, 2 * (1 - depth / radius)));
    return (Part){x * x * (3 - 2 * x), x > 0 && x < 1 ? -12 * x * (1 - x) / radius : 0};
}

// blunt = d.depth over that of the closest points: 1 for anything that comes to a point, whichever way its sides fall, and more if it does not.
static RbSpot spot_of(const RbGap *gap, Depth d, Part k) {
    const double full = 0.01; // beyond 1: from there on it is that depth, below a cubic leads to it
    double depth = -gap->distance, blunt = d.depth / depth, x = fmin(1, (blunt - 1) / full);
    double more = x < 1 ? x * x * full * (2 - x) : blunt - 1; // from 0 to blunt - 1
    double rate = x < 1 ? x * (4 - 3 * x) : 1;
    double by_depth = 1 + k.part * (more - blunt * rate) + k.rate * more * depth;
    double by_other = k.part * rate;
    return (RbSpot){.depth = depth * (1 + k.part * more),
                    .slope = {v3_scale(by_other, d.slope.t),
                              v3_axpy(v3_scale(by_other, d.slope.f), -by_depth, gap->normal)},
                    .x = k.part * x * d.x,
                    .y = k.part * x * d.y};
}

// Is the energy of the cores so much larger than that of a spot that its sixteenth power (contact/press.c) is nothing beside?
static bool is_spotless(const RbPatch *p, double reach, double depth) {
    double spot = fmax(depth, 2 * p->square / p->volume);
    double hertz = sqrt(10 * reach * spot) * spot * spot;
    return p->square * sqrt(p->square) > 2.5 * hertz * p->volume;
}

RbSpot rb_patch_spot_along(const RbGap *gap, double reach, RbSharedAlong *along, void *user,
                           const RbPatch *p) {
    const RbSpot none = {0};
    double depth = -gap->distance;
    if (!(p->volume > 0) || is_spotless(p, reach, depth)) return none;
    Depth d = depth_along(gap, along, user, p);
    return d.depth > depth ? spot_of(gap, d, (Part){1, 0}) : none;
}

RbSpot rb_patch_spot(const RbPatchPair *pair, const RbPatch *p) {
    const RbSpot none = {0};
    double depth = -pair->gap->distance;
    if (p->volume > 0 && is_spotless(p, pair->reach, depth)) return none;
    Part part = part_at(depth, pair->radius);
    if (!(part.part > 0)) return none;
    if (depth < ROUNDING * fmin(pair->core[0]->size, pair->core[1]->size)) return none;
    Depth d = depth_of_half(pair, p);
    return d.depth > depth ? spot_of(pair->gap, d, part) : none;
}
