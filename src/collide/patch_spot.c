// SPDX-License-Identifier: MIT
#include "collide/patch_spot.h"

#include <math.h>

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

// Twice the way back to where the cube root of the volume is half. If that grows evenly the depth of the closest points will do.
static Depth depth_of_half(const RbPatchPair *p, const RbPatch *patch, RbHalf half) {
    if (!rb_half_shared(p, patch->origin, patch->n, &half) || half.even) return (Depth){.depth = 0};
    Wrench slope = {v3_scale(2, half.slope.t), v3_scale(2, half.slope.f)};
    return depth_at(2 * half.back, slope, patch);
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

RbSpot rb_patch_spot(const RbPatchPair *pair, const RbPatch *p, const RbHalf *half) {
    const RbSpot none = {0};
    double depth = -pair->gap->distance;
    if (p->volume > 0 && is_spotless(p, pair->reach, depth)) return none;
    Part part = part_at(depth, pair->radius);
    if (!(part.part > 0)) return none;
    if (depth < ROUNDING * fmin(pair->core[0]->size, pair->core[1]->size)) return none;
    Depth d = depth_of_half(pair, p, *half);
    return d.depth > depth ? spot_of(pair->gap, d, part) : none;
}
