// SPDX-License-Identifier: MIT
// patch_shared.h: the volume that core A, moved by the smoothing radii along a normal, shares with core B (docs/theory/contact-patch.md, "Deep").
// Unlike the chords of a patch, which end where both cores look along the normal, it has one largest value by the normal however deep the cores are in each other.
#pragma once

#include "collide/patch_view.h"

typedef struct RbShared {
    double volume;           // [m³]
    double by_a[6], by_b[6]; // its rates, as in RbPatchRates
    Mat3 bend;               // [m] second derivatives as A is moved
} RbShared;

RbShared rb_shared_volume(const RbPatchPair *pair, RbContactPlane plane);
