// SPDX-License-Identifier: MIT
// near.h: distance of two disjoint cores. The closest points name the surface pieces that carry
// them, the pieces name the exact normal (polish.h), and the duality gap says whether that was
// right (docs/theory/distance.md, section 5).
#pragma once

#include "collide/distance.h"
#include "collide/gjk.h"

typedef struct RbCoreGap {
    double distance; // [m] of the (inset) cores
    Vec3 normal;     // unit, from A to B
    Vec3 a, b;       // [m] points of the cores
    double error;    // [m] duality gap
} RbCoreGap;

typedef enum RbNearness {
    RB_NEAR_EXACT,   // certified to rounding
    RB_NEAR_BOUNDED, // error says how well
    RB_NEAR_OVERLAP, // the cores touch or overlap (deep.h)
} RbNearness;

// From scratch. scale [m] sets the size of rounding errors. guess: direction from A to B.
RbNearness rb_near_cold(RbPlaced *A, RbPlaced *B, double scale, Vec3 guess, RbCoreGap *out);

// The same for two polytopes, where GJK ends with the vertices of the closest pieces. memory (not
// NULL) gives the vertices to start with and keeps the last ones.
RbNearness rb_near_polytopes(RbPlaced *A, RbPlaced *B, double scale, Vec3 guess, RbPairMemory *memory,
                         RbCoreGap *out);

// From a normal and a point of core B that were the answer a short while ago. False unless the
// answer is exact.
bool rb_near_warm(RbPlaced *A, RbPlaced *B, double scale, Vec3 n, Vec3 b, RbCoreGap *out);
