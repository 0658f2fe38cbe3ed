// SPDX-License-Identifier: MIT
// moments.h: volume, centroid and second moments of solid bodies: all that mass properties need
// (docs/theory/mass.md).
#pragma once

#include "geom/core.h"
#include "geom/shape.h"

typedef struct RbMoments {
    double volume; // [m³]
    Vec3 centroid; // [m]
    Mat3 second;   // [m⁵] integral of (x - c)(x - c)ᵀ over the body, c the centroid
} RbMoments;

// Both bodies together; the result counts what is in both twice.
RbMoments rb_moments_add(RbMoments a, RbMoments b);

// Components in A of a body given in B.
RbMoments rb_moments_move(RbMoments m, Pose X_AB);

// The body inside a closed, oriented surface. Integrated about the centroid, so that a body far
// from the origin loses nothing. The volume is negative if the surface is inside out; the rest
// means nothing if it is zero.
RbMoments rb_moments_of_mesh(const RbMesh *mesh);

// The polytope of a core grown by its radius, in the frame of the shape.
RbMoments rb_moments_of_polytope(const RbCore *core);

// A checked shape, unsmoothed, in its frame; a pipe without its hole. Half-space and visual shapes
// have zero volume.
RbMoments rb_moments_of_shape(const RbShape *shape);
