// SPDX-License-Identifier: MIT
// round_overlap.h: what a solid with any surface has in common with a ball or an ellipsoid, in closed form
// (docs/theory/solids.md, section 4), and how far they are apart.
#pragma once

#include "collide/mesh_distance.h"
#include "collide/mesh_overlap.h"

// Room for the solid A, which must live as long, and an ellipsoid B with these semi-axes [m] along the axes
// of its frame, about its origin.
void rb_round_overlap_open(RbMeshOverlap *o, const RbSkin *a, Vec3 semi_axes, RbArena *arena);

// As rb_mesh_overlap, which calls it. The result has points in place of polygons.
void rb_round_overlap(RbMeshOverlap *o, Pose X_AB);

// A lower bound of the distance of the surfaces, if it is below `limit` [m], with the points that it was found
// from; exact for a ball, and 0 only where the two meet. Otherwise some number of at least `limit`. Where they
// meet a depth in its place, as exact.
RbMeshGap rb_round_distance(const RbSkin *a, Vec3 semi_axes, Pose X_AB, double limit);
