// SPDX-License-Identifier: MIT
#include "collide/segment.h"

#include <float.h>

// Either two inner points are closest, which then lie on the common perpendicular of the lines, or
// an end of one segment and its projection on the other: five candidates, and the nearest is right,
// whatever rounding does to nearly parallel lines.
typedef struct Candidate {
    double s, t;      // [m] parameters on a and b
    double distance2; // [m^2]
    bool inner;
} Candidate;

static double clamp(double x, double h) {
    return x > h ? h : x < -h ? -h : x;
}

static Candidate candidate(RbSegment a, RbSegment b, double s, double t, bool inner) {
    Vec3 p = v3_axpy(a.centre, s, a.direction), q = v3_axpy(b.centre, t, b.direction);
    return (Candidate){s, t, v3_norm2(v3_sub(q, p)), inner};
}

static Candidate nearer(Candidate x, Candidate y) {
    return y.distance2 < x.distance2 ? y : x;
}

// Ends and their projections.
static Candidate closest_end(RbSegment a, RbSegment b, double ra, double rb, double c) {
    Candidate best = {.distance2 = INFINITY};
    for (int sign = -1; sign <= 1; sign += 2) {
        double s = sign * a.half, t = sign * b.half;
        best = nearer(best, candidate(a, b, s, clamp(c * s - rb, b.half), false));
        best = nearer(best, candidate(a, b, clamp(c * t + ra, a.half), t, false));
    }
    return best;
}

static Candidate closest(RbSegment a, RbSegment b) {
    Vec3 r = v3_sub(b.centre, a.centre);
    double ra = v3_dot(r, a.direction), rb = v3_dot(r, b.direction),
           c = v3_dot(a.direction, b.direction);
    double sine2 = v3_norm2(v3_cross(a.direction, b.direction));
    double s = (ra - c * rb) / sine2, t = (c * ra - rb) / sine2;
    if (!(sine2 > 1e-18 && fabs(s) <= a.half && fabs(t) <= b.half))
        return closest_end(a, b, ra, rb, c);
    Candidate middle = candidate(a, b, s, t, true);
    if (sine2 > 1e-6) return middle;
    Candidate end = closest_end(a, b, ra, rb, c);
    return end.distance2 < middle.distance2 ? end : middle;
}

// Across both segments; across the first if they are parallel.
static Vec3 common_perpendicular(RbSegment a, RbSegment b) {
    Vec3 cross = v3_cross(a.direction, b.direction);
    double sine2 = v3_norm2(cross);
    return sine2 > 1e-18 ? v3_scale(1.0 / sqrt(sine2), cross) : v3_perpendicular(a.direction);
}

RbCoreGap rb_segment_distance(RbSegment a, RbSegment b, double scale) {
    Candidate best = closest(a, b);
    Vec3 p = v3_axpy(a.centre, best.s, a.direction), q = v3_axpy(b.centre, best.t, b.direction);
    Vec3 y = v3_sub(q, p), n;
    double rounding = 32 * DBL_EPSILON * scale; // [m]
    // Where the lines nearly meet the common perpendicular is exact; the difference of the points
    // is not.
    if (best.inner || best.distance2 <= rounding * rounding) {
        n = common_perpendicular(a, b);
        if (v3_dot(n, y) < 0) n = v3_neg(n);
    } else {
        n = v3_scale(1.0 / sqrt(best.distance2), y);
    }
    return (RbCoreGap){.distance = v3_dot(n, y), .normal = n, .a = p, .b = q, .error = 0};
}
