// SPDX-License-Identifier: MIT
#include "collide/line_segment.h"

#include <float.h>

// Either two inner points are closest, which then lie on the common perpendicular of the lines, or
// an end of one segment and its projection on the other.
typedef struct Closest {
    double s, t; // [m] parameters on a and b
    bool inner;
} Closest;

// What the parameters depend on: r = centre b - centre a.
typedef struct Lines {
    double ra, rb; // [m] r along a and b
    double c;      // cosine of the angle between them
    Vec3 cross;
    double sine2;
} Lines;

static const double parallel_sine2 = 1e-18; // below it the lines count as parallel
static const double nearly_sine2 = 1e-6;    // below it the common perpendicular is not well placed

static double clamp(double x, double h) {
    return x > h ? h : x < -h ? -h : x;
}

static Vec3 between(const RbLineSegment *a, const RbLineSegment *b, double s, double t) {
    return v3_sub(v3_axpy(b->centre, t, b->direction), v3_axpy(a->centre, s, a->direction));
}

// The nearest of four: the ends and their projections. Right for parallel lines too, whatever
// rounding does.
static Closest closest_end(const RbLineSegment *a, const RbLineSegment *b, const Lines *l) {
    Closest best = {0, 0, false};
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        double sign = k & 1 ? 1 : -1, s = sign * a->half, t = sign * b->half;
        if (k & 2)
            t = clamp(l->c * s - l->rb, b->half);
        else
            s = clamp(l->c * t + l->ra, a->half);
        double d2 = v3_norm2(between(a, b, s, t));
        if (d2 < least) least = d2, best.s = s, best.t = t;
    }
    return best;
}

static Closest closest(const RbLineSegment *a, const RbLineSegment *b, const Lines *l) {
    double s = (l->ra - l->c * l->rb) / l->sine2, t = (l->c * l->ra - l->rb) / l->sine2;
    bool inner = l->sine2 > parallel_sine2 && fabs(s) <= a->half && fabs(t) <= b->half;
    if (l->sine2 > nearly_sine2) {
        if (inner) return (Closest){s, t, true};
        // The squared distance is convex: on the side that the unbounded minimum lies beyond.
        s = clamp(s, a->half);
        t = clamp(l->c * s - l->rb, b->half);
        return (Closest){clamp(l->c * t + l->ra, a->half), t, false};
    }
    Closest end = closest_end(a, b, l);
    if (!inner) return end;
    bool nearer = v3_norm2(between(a, b, end.s, end.t)) < v3_norm2(between(a, b, s, t));
    return nearer ? end : (Closest){s, t, true};
}

double rb_segment_distance(const RbLineSegment *a, const RbLineSegment *b, double scale, Vec3 *normal,
                           Vec3 *on_a) {
    Vec3 r = v3_sub(b->centre, a->centre);
    Lines l = {.ra = v3_dot(r, a->direction),
               .rb = v3_dot(r, b->direction),
               .c = v3_dot(a->direction, b->direction),
               .cross = v3_cross(a->direction, b->direction)};
    l.sine2 = v3_norm2(l.cross);
    Closest best = closest(a, b, &l);
    Vec3 y = between(a, b, best.s, best.t);
    *on_a = v3_axpy(a->centre, best.s, a->direction);
    double distance2 = v3_norm2(y), rounding = 32 * DBL_EPSILON * scale; // [m]
    // Where the lines nearly meet the common perpendicular is exact; the difference of the points
    // is not.
    if (best.inner || distance2 <= rounding * rounding) {
        bool parallel = !(l.sine2 > parallel_sine2);
        Vec3 n = parallel ? v3_perpendicular(a->direction) : v3_scale(1 / sqrt(l.sine2), l.cross);
        double d = v3_dot(n, y);
        *normal = d < 0 ? v3_neg(n) : n;
        return fabs(d);
    }
    // From a point inside a segment the way is perpendicular to it; rounding is not, and the far
    // end of a long segment feels the angle.
    if (fabs(best.s) < a->half) y = v3_axpy(y, -v3_dot(y, a->direction), a->direction);
    if (fabs(best.t) < b->half) y = v3_axpy(y, -v3_dot(y, b->direction), b->direction);
    double d = v3_norm(y);
    *normal = v3_scale(1 / d, y);
    return d;
}
