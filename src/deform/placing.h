// SPDX-License-Identifier: MIT
// placing.h: where the molecules of a body that is filled stand (docs/theory/soft.md, section 1).
#pragma once

#include "deform/soft_scene.h"

// Points of a cubic grid, of which some are inside.
typedef struct RbPlacing {
    int n[3];
    double spacing;     // [m]
    Vec3 low;           // [m]
    const bool *inside; // per point, z fastest; NULL: all
    RbSoftPlacement placement;
} RbPlacing;

// Cubic: all points inside. Body-centred: those that belong to a whole cube, then the middles of these cubes. Random: points inside, each moved by up to a
// quarter of the spacing along the axes on which it has neighbours on both sides, so that the body keeps its shape; the same in each run.
Vec3 *rb_placing_points(const RbPlacing *placing, RbArena *arena, int *count);
