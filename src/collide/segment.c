// SPDX-License-Identifier: MIT
#include "collide/segment.h"

#include <float.h>

// Either two inner points are closest, which then lie on the common perpendicular of the lines, or an end of one segment and its
// projection on the other: five candidates, and the nearest is right, whatever rounding does to nearly parallel lines.
typedef struct Candidate {
    double s, t;      // [m] parameters on a and b
    double distance2; // [m^2]
    bool inner;
} Candidate;

static double clamp(double x, double h) { return x > h ? h : x < -h ? -h : x; }

static Candidate candidate(RbSegment a, RbSegment b, double s, double t, bool inner) {
    Vec3 p = v3_axpy(a.centre, s, a.direction), q = v3_axpy(b.centre, t, b.direction);
    return (Candidate){s, t, v3_norm2(v3_sub(q, p)), inner};
}

static Candidate nearer(Candidate x, Candidate y) { return y.distance2 < x.distance2 ? y : x; }

static Candidate closest(RbSegment a, RbSegment b) {
    Vec3 r = v3_sub(b.centre, a.centre);
    double ra = v3_dot(r, a.direction), rb = v3_dot(r, b.direction), c = v3_dot(a.direction, b.direction);
    Candidate best = {.distance2 = INFINITY};
    for (int sign = -1; sign <= 1; sign += 2) {
        double s = sign * a.half, t = sign * b.half;
        best = nearer(best, candidate(a, b, s, clamp(c * s - rb, b.half), false));
        best = nearer(best, candidate(a, b, clamp(c * t + ra, a.half), t, false));
    }
    double sine2 = v3_norm2(v3_cross(a.direction, b.direction));
    double s = (ra - c * rb) / sine2, t = (c * ra - rb) / sine2;
    if (sine2 > 0 && fabs(s) <= a.half && fabs(t) <= b.half) {
        Candidate middle = candidate(a, b, s, t, true);
        if (!(best.distance2 < middle.distance2)) best = middle;
    }
    return best;
}

// Directions that separate crossing or touching segments, where the difference of the points says nothing.
static Vec3 any_normal(RbSegment a, RbSegment b, bool inner) {
    Vec3 cross = v3_cross(a.direction, b.direction);
    if (inner || v3_norm2(cross) > 1e-18) return v3_unit_or(cross, v3_perpendicular(a.direction));
    return v3_perpendicular(a.direction);
}

RbCoreGap rb_segment_distance(RbSegment a, RbSegment b, double scale) {
    Candidate best = closest(a, b);
    Vec3 p = v3_axpy(a.centre, best.s, a.direction), q = v3_axpy(b.centre, best.t, b.direction);
    Vec3 y = v3_sub(q, p), n = v3_unit(y);
    double rounding = 8 * DBL_EPSILON * scale; // [m]
    // The common perpendicular is exact where the lines nearly meet; the difference of the points is not.
    if (best.inner || best.distance2 <= rounding * rounding) {
        n = any_normal(a, b, best.inner);
        if (v3_dot(n, y) < 0) n = v3_neg(n);
    }
    double d = v3_dot(n, y);
    return (RbCoreGap){.distance = d, .normal = n, .a = p, .b = q, .error = 0};
}
