// SPDX-License-Identifier: MIT
// seams.h: where convex parts of one body meet face to face, so that nothing can touch there.
#pragma once

#include "base/array.h"
#include "geom/core.h"

// Of one part.
typedef struct RbSeams {
    bool *covered;       // for each face: other parts lie on all of it
    RB_ARRAY(int) parts; // those that cover one of its faces
} RbSeams;

// The parts are polytopes whose frames have the axes of the body. Gaps of less than `tol` [m] between parts are none. The answer lives in *keep.
RbSeams *rb_find_seams(const RbCore *parts, int count, double tol, RbArena *keep, RbArena scratch);
