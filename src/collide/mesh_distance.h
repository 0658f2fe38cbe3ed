// SPDX-License-Identifier: MIT
// mesh_distance.h: distance and closest points of two solids with any surface that do not overlap.
#pragma once

#include "geom/skin.h"

// The triangles that were closest last time: plain data, all zero at first. It says where to look first
// and changes the result by no more than rounding.
typedef struct RbMeshMemory {
    int triangle_a, triangle_b;
} RbMeshMemory;

// In the frame of A.
typedef struct RbMeshGap {
    double distance; // [m] 0 if the surfaces meet
    double depth; // [m] of a round body (round_overlap.h); otherwise 0
    Vec3 point_a, point_b;
    long tests; // pairs of triangles looked at
} RbMeshGap;

// The distance of the surfaces of A and B, posed in the frame of A, if it is below `limit` [m]; otherwise
// some number of at least `limit`, without points. Exact up to rounding. `memory` may be NULL.
RbMeshGap rb_mesh_distance(const RbSkin *a, const RbSkin *b, Pose X_AB, double limit,
                           RbMeshMemory *memory);
