// SPDX-License-Identifier: MIT
// point.h: signed distance of a point from a core, inside and outside: closed forms, and a guarded
// Newton iteration for the ellipsoid. With the radius of a sphere these are the distances of a
// sphere from every shape.
#pragma once

#include "geom/core.h"

// Frame C. Negative inside. normal: outward unit normal at the closest point of the surface, p -
// distance normal.
double rb_core_point(const RbCore *core, Vec3 p, Vec3 *normal);

// The plane of a polytope that a point is farthest over, or least under, and by how much.
double rb_polytope_plane(const RbPolytope *polytope, Vec3 p, int *face);

// rb_core_point for the ellipsoid with half lengths h.
double rb_ellipsoid_point(Vec3 h, Vec3 p, Vec3 *normal);
