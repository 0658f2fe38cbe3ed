// SPDX-License-Identifier: MIT
// shared_half.h: the way back along which the cube root of the largest volume that two cores share falls to half (docs/theory/contact-patch.md, section 2).
#pragma once

#include "collide/most_shared.h"

typedef struct RbHalf {
    RbMost all;   // at the radius; -INFINITY: not known
    double back;  // [m] 0: not known
    Wrench slope; // of it, as B moves
    bool
        even; // the root grows evenly from where the cores touch, as for anything that comes to a point: back is half of the depth
} RbHalf;

// As long as the radius, and something is shared along it. Not for cores that overlap as they are.
Vec3 rb_way_inwards(const RbPatchPair *pair);

// The largest volume at the radius. Corners beside each other may share nothing along n, but do further inwards. n: where the search begins, if something is shared along it.
RbMost rb_all_shared(const RbPatchPair *pair, Vec3 origin, Vec3 n);

// n: as above. What half knows is not sought again. False: nothing is shared.
bool rb_half_shared(const RbPatchPair *pair, Vec3 origin, Vec3 n, RbHalf *half);
