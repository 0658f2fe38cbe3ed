// SPDX-License-Identifier: MIT
// round_sums.h: moments of the overlap over the surface of a round core, and their slopes, summed up from points (docs/theory/contact-patch.md,
// section 7).
#pragma once

#include "math/spatial.h"

typedef struct RbRoundSums {
    Vec3 origin, u, v; // frame of the field's core
    double area, volume, square, x, y, xx, xy, yy;
    Wrench volume_slope, square_slope; // by a motion of the field, about the origin
} RbRoundSums;

// Shares of a point: of the area, V and W, and of their slopes by w.
typedef struct RbShares {
    double area, volume, square, by_volume, by_square;
} RbShares;

// m: the direction in which the overlap falls.
static inline void rb_add_point(RbRoundSums *s, Vec3 p, Vec3 m, RbShares k) {
    Vec3 r = v3_sub(p, s->origin), arm = v3_cross(r, m);
    double x = v3_dot(r, s->u), y = v3_dot(r, s->v);
    s->area += k.area, s->volume += k.volume, s->square += k.square;
    s->x += k.volume * x, s->y += k.volume * y;
    s->xx += k.volume * x * x, s->xy += k.volume * x * y, s->yy += k.volume * y * y;
    s->volume_slope.f = v3_axpy(s->volume_slope.f, k.by_volume, m);
    s->volume_slope.t = v3_axpy(s->volume_slope.t, k.by_volume, arm);
    s->square_slope.f = v3_axpy(s->square_slope.f, k.by_square, m);
    s->square_slope.t = v3_axpy(s->square_slope.t, k.by_square, arm);
}

// A piece dA of the surface that overlaps by w.
static inline void rb_add_piece(RbRoundSums *s, Vec3 p, Vec3 m, double dA, double w) {
    rb_add_point(s, p, m, (RbShares){dA, dA * w, dA * w * w, dA, 2 * dA * w});
}

// k times a.
static inline void rb_add_sums(RbRoundSums *s, const RbRoundSums *a, double k) {
    s->area += k * a->area, s->volume += k * a->volume, s->square += k * a->square;
    s->x += k * a->x, s->y += k * a->y;
    s->xx += k * a->xx, s->xy += k * a->xy, s->yy += k * a->yy;
    Wrench *V = &s->volume_slope, *W = &s->square_slope;
    V->t = v3_axpy(V->t, k, a->volume_slope.t), V->f = v3_axpy(V->f, k, a->volume_slope.f);
    W->t = v3_axpy(W->t, k, a->square_slope.t), W->f = v3_axpy(W->f, k, a->square_slope.f);
}
