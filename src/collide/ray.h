// SPDX-License-Identifier: MIT
// ray.h: where a ray meets a shape first. Closed forms for sphere, capsule, ellipsoid and
// half-space; for the others the tip of the ray advances by the distance that it certainly has to
// the shape (sweep.h), which for convex shapes converges quickly.
#pragma once

#include "geom/core.h"

typedef struct RbRay {
    Vec3 origin;
    Vec3 direction; // unit vector
    double length;  // [m] may be infinite
} RbRay;

typedef struct RbRayHit {
    double distance; // [m] along the ray; 0 if it starts inside; INFINITY if it misses
    Vec3 normal; // outward unit normal of the surface there; against the ray if it starts inside
} RbRayHit;

// Ray and result in the frame that X, the pose of the shape, leads to. Exact to about 1e-11 of the
// size along the normal.
RbRayHit rb_ray_cast(const RbCore *core, Pose X, RbRay ray);
