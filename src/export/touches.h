// SPDX-License-Identifier: MIT
// touches.h: which bodies touch in a result, how hard and when: read from its pictures, so it tells of
// recorded points and events only. A body is the whole that an object moves with.
#pragma once

#include "io/result.h"

typedef struct RbTouchedPair {
    const char *a, *b;  // names of the bodies
    double first, last; // [s] recorded times at which they touch
    double force;       // [N] largest sum of the forces of the pair
    double at;          // [s] when that was
    size_t rows;        // in which they touch
} RbTouchedPair;

typedef struct RbTouches {
    RB_ARRAY(RbTouchedPair) pairs; // by force, the largest first
    int most;                      // contacts at one time
} RbTouches;

// The rows of the result must be in memory.
RbTouches rb_touches(const RbResult *result, RbArena *arena);
