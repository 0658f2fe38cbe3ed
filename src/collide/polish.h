// SPDX-License-Identifier: MIT
// polish.h: the normal that two given surface pieces ask for, exactly (docs/theory/distance.md,
// section 4).
//
// With y(n) = x_B(-n) - x_A(n), the difference of the support points of the two generators, the
// separation along n is g = n . y, its gradient on the sphere the part of y across n, and its
// second derivative -(H_A + H_B + g) with the curvature matrices H of the generators. The ties of
// the pieces leave 2, 1 or 0 unknowns. Valid for separation and penetration alike.
#pragma once

#include "collide/feature.h"

typedef struct RbPolish {
    Vec3 normal; // unit, from A to B
    Vec3 a, b;   // [m] points of the (unbounded) pieces with b - a along the normal
    double gap;  // [m] n . (b - a)
    bool
        free_a; // A is a face (or both are lines that are parallel): a can be chosen anywhere on it
    bool free_b;
    bool round_a,
        round_b; // its support plane meets the piece in one point: an ellipsoid, a rim on a slant
} RbPolish;

// n: first guess. False if the iteration found no maximum near the guess.
bool rb_polish(const RbPlaced *A, const RbFeature *a, const RbPlaced *B, const RbFeature *b, Vec3 n,
               RbPolish *out);
