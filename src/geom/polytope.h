// SPDX-License-Identifier: MIT
// polytope.h: a convex polytope (core.h) from a closed triangulation of its surface.
#pragma once

#include "geom/core.h"
#include "geom/mesh.h"

// Triangles whose vertices lie within this part of the size of one plane are one face.
#define RB_POLYTOPE_PLANAR 1e-12

// Merge coplanar triangles to convex polygons, drop vertices inside faces and edges, compute
// planes. The triangles are closed, consistently oriented and convex up to rounding (that is what a
// hull finds). tol [m] is how far a vertex may be off the plane of its face. Answers NULL if they
// are not: then *why says what was found.
const RbPolytope *rb_polytope_build(const RbMesh *triangles, double tol, RbArena *keep,
                                    RbArena scratch, const char **why);

// Edges and neighbours of a polytope whose vertices and faces are known. False: the faces do not form a closed surface.
bool rb_polytope_join(RbPolytope *p, RbArena *keep, RbArena scratch);
