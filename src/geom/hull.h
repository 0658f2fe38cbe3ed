// SPDX-License-Identifier: MIT
// hull.h: convex hull of points as a polytope with convex polygons as faces.
//
// Qhull finds which points are vertices and how triangles join them. Everything that distances
// depend on is then ours, in double: coplanar triangles are merged, vertices inside faces and edges
// dropped, planes computed from the original points.
#pragma once

#include "base/diag.h"
#include "geom/core.h"

// Points that span less than this part of their extent have no volume, and no hull.
#define RB_HULL_FLAT 1e-10

// The core (radius 0) of the hull of points. Frame C has the axes of the points' frame and stands
// at the centroid of the hull, which is inside. Vertices stand in the order of the points. `name` is
// what the user calls it, or NULL.
RbStatus rb_hull(const Vec3 *points, int count, const char *name, RbPos at, RbArena *keep,
                 RbArena scratch, RbDiag *diag, RbCore *out);
