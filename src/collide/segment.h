// SPDX-License-Identifier: MIT
// segment.h: distance of two segments in closed form.
#pragma once

#include "math/vec3.h"

// Segments centre +- half length * unit direction.
typedef struct RbSegment {
    Vec3 centre;    // [m]
    Vec3 direction; // unit
    double half;    // [m]
} RbSegment;

// Distance [m], unit normal from a to b, closest point of a (that of b is on_a + distance normal).
// scale [m]: what the coordinates are rounded against.
double rb_segment_distance(const RbSegment *a, const RbSegment *b, double scale, Vec3 *normal,
                           Vec3 *on_a);
