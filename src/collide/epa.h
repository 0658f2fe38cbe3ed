// SPDX-License-Identifier: MIT
// epa.h: a polytope that grows inside the Minkowski difference M = B - A towards the piece of its
// surface nearest to the origin. Its nearest face is a lower bound of the penetration depth, the
// support plane over any face an upper one.
#pragma once

#include "collide/feature.h"

enum { RB_EPA_VERTICES = 160, RB_EPA_FACES = 2 * RB_EPA_VERTICES };

typedef struct RbEpaFace {
    int v[3];        // counter-clockwise seen from outside
    int next[3];     // face across the edge from v[k] to v[k + 1]
    Vec3 normal;     // unit, outward
    double distance; // [m] of its plane from the origin; infinite for a face without area
    bool alive;
} RbEpaFace;

typedef struct RbEpa {
    int vertex_count, face_count;
    Vec3 w[RB_EPA_VERTICES]; // [m] support points b - a
    Vec3 a[RB_EPA_VERTICES]; // [m] their points of A
    int nearest;             // face nearest to the origin when the growth ended
    RbEpaFace faces[RB_EPA_FACES];
    Vec3 best_normal; // outward normal of M with the smallest support distance so far
    double upper;     // [m] that distance: at least the depth
    double lower;     // [m] at most the depth (if the polytope did not degenerate)
} RbEpa;

// A first tetrahedron. False if M is flat: then upper and best_normal belong to the normal of its
// plane.
bool rb_epa_start(RbEpa *epa, RbPlaced *A, RbPlaced *B, double scale);

// Grow until min(upper, known) - lower <= tolerance [m] (true), or the room is used up or rounding
// forbids more (false). known [m]: an upper bound of the depth from elsewhere, or INFINITY.
bool rb_epa_grow(RbEpa *epa, RbPlaced *A, RbPlaced *B, double known, double tolerance,
                 double scale);
