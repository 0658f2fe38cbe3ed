// SPDX-License-Identifier: MIT
// segment.h: distance of two segments in closed form.
#pragma once

#include "collide/near.h"

// Segments centre +- half length * unit direction.
typedef struct RbSegment {
    Vec3 centre;    // [m]
    Vec3 direction; // unit
    double half;    // [m]
} RbSegment;

// scale [m]: what the coordinates are rounded against.
RbCoreGap rb_segment_distance(RbSegment a, RbSegment b, double scale);
