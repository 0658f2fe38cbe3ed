// SPDX-License-Identifier: MIT
// line_segment.h: distance of two segments in closed form.
#pragma once

#include "math/vec3.h"

// Segments centre +- half length * unit direction.
typedef struct RbLineSegment {
    Vec3 centre;    // [m]
    Vec3 direction; // unit
    double half;    // [m]
} RbLineSegment;

// Distance [m], unit normal from a to b, closest point of a (that of b is on_a + distance normal).
// scale [m]: what the coordinates are rounded against.
double rb_segment_distance(const RbLineSegment *a, const RbLineSegment *b, double scale, Vec3 *normal,
                           Vec3 *on_a);
