// SPDX-License-Identifier: MIT
// feature.h: the piece of a core's surface that carries the closest point, as the normal sees it.
//
// Every surface piece is a generator whose support point is a smooth function of the outward normal
// m (a vertex, a circle, an ellipsoid) together with ties, equations that m satisfies on the piece:
//     vertex, rim of a cylinder, ellipsoid      no tie
//     edge with direction e                     one tie:  e . m = 0
//     side of a cylinder, cone with axis e      one tie:  e . m = lean, generator: a rim
//     face                                      two ties: m is the face normal
// So the optimal normal of two pieces is a problem with 0, 1 or 2 unknowns
// (docs/theory/distance.md, section 4).
#pragma once

#include "geom/core.h"

typedef enum RbFeatureKind {
    RB_FEATURE_POINT,
    RB_FEATURE_CIRCLE,
    RB_FEATURE_ELLIPSOID,
} RbFeatureKind;

typedef struct RbFeature {
    RbFeatureKind kind;
    int ties;      // 0, 1, 2
    Vec3 point;    // [m] the vertex, or the centre
    Vec3 axis;     // unit axis of the circle
    double radius; // [m] of the circle
    Vec3 tie;      // unit; one tie: tie . m = lean; two ties: m = tie
    double lean;
} RbFeature;

// Unit vector across both, to rounding also where they are nearly parallel and their cross product
// has few digits; zero if they are parallel.
Vec3 rb_across(Vec3 e, Vec3 f);

// A core placed in the frame of the query.
typedef struct RbPlaced {
    const RbCore *core;
    bool at_home; // its frame is that of the query; X is not used
    int vertex;   // polytope: where the last support was found; hill climbing starts there
    double inset; // [m] an ellipsoid is its inner parallel body at this depth plus a sphere; 0 for
                  // others
    Pose X;       // core frame in the frame of the query
} RbPlaced;

void rb_placed_at_home(RbPlaced *p, const RbCore *core);
void rb_placed_at(RbPlaced *p, const RbCore *core, const Pose *X);

// Farthest point of the inset core along the unit vector n, in the frame of the query.
Vec3 rb_placed_support(RbPlaced *p, Vec3 n);

// Closest point of the core to p, frame C, and the piece that it lies on. False if p is not
// outside: then the result is p itself and the feature is not set. feature may be NULL. Not for
// ellipsoids and half-spaces.
bool rb_core_project(const RbCore *core, Vec3 p, Vec3 *closest, RbFeature *feature);

// The same in the frame of the query.
bool rb_placed_project(const RbPlaced *p, Vec3 point, Vec3 *closest, RbFeature *feature);

// The piece spanned by vertices of a polytope (repeats allowed, count 1..4), in the frame of the
// query: corner, edge, or face with the normal towards `outward`.
void rb_placed_vertices(const RbPlaced *p, const int *vertices, int count, Vec3 outward,
                        RbFeature *feature);

// Closest point of a convex polytope; vertices (count 1..3) span the piece it lies on. False if p
// is inside.
bool rb_polytope_project(const RbPolytope *polytope, Vec3 p, Vec3 *closest, int vertices[3],
                         int *count);
