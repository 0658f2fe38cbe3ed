// SPDX-License-Identifier: MIT
// distance.h: signed distance of two convex shapes (core plus radius, geom/core.h), with normal and
// closest points.
//
// The distance is that of the thesis (def. 6.1): positive between separated shapes, minus the
// penetration depth otherwise, where the depth is the length of the shortest translation that
// separates them. Both are one maximum over unit vectors n,
//     d = max_n g(n),   g(n) = min over B of (n . x) - max over A of (n . x)
// (docs/theory/distance.md), so every n gives a lower bound, and while the cores are disjoint every
// pair of their points gives an upper one. `error` is the difference of the two bounds at the
// result.
//
// All functions are pure: no allocation, no global state, bounded loops. Frames: the caller hands
// over the pose of shape B in shape A, best formed by pose_relative(X_WA, X_WB), so that pairs far
// from the world's origin lose nothing; all results are in the frame of shape A (rb_gap_in_world
// moves them).
#pragma once

#include "geom/core.h"

typedef enum RbGapStatus {
    RB_GAP_EXACT, // error is within rounding of the size: RB_GAP_TOLERANCE size, or a global closed
                  // form
    RB_GAP_BOUNDED, // deep penetration of curved cores: the result is a polished local optimum;
                    // `error` bounds the rest. Hardly ever curved cores apart
    RB_GAP_INVALID, // a shape or the pose is not finite: distance is NaN
} RbGapStatus;

#define RB_GAP_TOLERANCE 1e-13 // certified error of the distance, times the size of the pair

typedef struct RbGap {
    double distance; // [m] signed
    Vec3 normal;     // unit vector from A to B
    Vec3 point_a;    // on the surface of A; point_b = point_a + distance normal up to rounding
    Vec3 point_b;    // on the surface of B
    double error;    // [m] the true distance lies within distance +- error (rounding apart)
    RbGapStatus status;
} RbGap;

// What a pair remembers of its last query: plain data, all zero at first, owned by the caller. It
// only says where to look first; the answer is accepted by the same certificate and differs by no
// more than rounding.
typedef struct RbPairMemory {
    Vec3 normal;        // from A to B, in the frame of core A
    Vec3 point_b;       // closest point of core B, in the frame of core B
    int vertices[4][2]; // last simplex of polytopes: vertex of A, vertex of B
    int vertex_count;
    int valid;
} RbPairMemory;

// Signed distance of b from a. X_AB is the pose of shape b in the frame of shape a. memory may be
// NULL.
void rb_distance(const RbCore *a, const RbCore *b, Pose X_AB, RbPairMemory *memory, RbGap *out);

typedef enum RbDistanceMethod {
    RB_DISTANCE_AUTO, // exact minimum distance, method chosen per pair
    RB_DISTANCE_MPR,  // improved MPR of the thesis (ch. 6.1) in double-double: for comparison; not
                      // the minimum distance
} RbDistanceMethod;

// Half-spaces have no MPR and are always answered by RB_DISTANCE_AUTO.
void rb_distance_by(RbDistanceMethod method, const RbCore *a, const RbCore *b, Pose X_AB,
                    RbPairMemory *memory, RbGap *out);

// Normal and points in the frame W that X_WA leads to.
static inline RbGap rb_gap_in_world(RbGap gap, Pose X_WA) {
    gap.normal = m3_mul_vec(X_WA.R, gap.normal);
    gap.point_a = pose_point(X_WA, gap.point_a);
    gap.point_b = pose_point(X_WA, gap.point_b);
    return gap;
}

#define RB_REGION_MAX 64

// The patch where the separation along the normal stays within distance + eta
// (docs/theory/contact-region.md).
typedef struct RbContactRegion {
    Vec3 point;  // [m] centroid of the patch weighted by (eta - excess), halfway between the
                 // surfaces; moves continuously
    double area; // [m^2] of the patch; 0 if it is a line or a point
    int count;   // vertices of the patch polygon: 1 point, 2 line, 3.. polygon, counter-clockwise
                 // about the normal
    Vec3 polygon[RB_REGION_MAX]; // [m] in the plane through `point` perpendicular to the normal
} RbContactRegion;

// gap: the result of rb_distance for the same pose. eta [m]: how much further than the closest
// points the patch reaches; rb_region_reach(a, b) is the usual choice, a tenth of the smoothing
// radius.
void rb_contact_region(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, double eta,
                       RbContactRegion *out);
double rb_region_reach(const RbCore *a, const RbCore *b); // [m]
