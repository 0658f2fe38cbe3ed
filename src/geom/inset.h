// SPDX-License-Identifier: MIT
// inset.h: the convex polytope that planes bound: faces of a hull moved inwards (docs/theory/shapes.md, section 5).
#pragma once

#include "base/diag.h"
#include "geom/core.h"

typedef struct RbPlane {
    Vec3 n;        // unit
    double offset; // [m] points with n . x <= offset are inside
} RbPlane;

// All points inside of the planes, which bound a body; the origin is well inside of each. Planes that bound nothing have no face; the others keep their
// normals to the last bit. spread: x = spread y makes the body about as wide as it is high and long (for accuracy alone). NULL in *out: it could not be
// found; the only error is that of no memory.
RbStatus rb_polytope_of_planes(const RbPlane *planes, int count, Mat3 spread, RbArena *keep,
                               RbArena scratch, const RbPolytope **out);
