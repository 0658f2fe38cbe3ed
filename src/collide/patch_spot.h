// SPDX-License-Identifier: MIT
// patch_spot.h: how deep two polyhedral cores with rounded edges are where little more than their rounding touches (docs/theory/contact-patch.md,
// section 2). The closest points jump from end to end of parallel edges, so their depth is not smooth there. Twice the way back to where the cube root of the volume
// that is shared is half is, and it is the same depth for anything that comes to a point.
#pragma once

#include "collide/patch.h"
#include "collide/shared_half.h"

// What is shared as far as A is moved back by a way against a normal that is fixed.
typedef struct RbSharedThere {
    double volume; // [m³]
    double area;   // [m²] by which it falls with the way
    Wrench slope;  // as B moves, about the origin
} RbSharedThere;

typedef RbSharedThere RbSharedAlong(void *user, double way);

// patch: as it is but for the spot. Along a normal that is fixed, at a depth.
RbSpot rb_patch_spot_along(const RbGap *gap, double reach, RbSharedAlong *along, void *user,
                           const RbPatch *patch);

// Two cores of which no face is without end. half: what is known of it.
RbSpot rb_patch_spot(const RbPatchPair *pair, const RbPatch *patch, const RbHalf *half);
