// SPDX-License-Identifier: MIT
// patch_look.h: two polyhedral cores, A moved by the smoothing radii along a normal n: moments of what they share, and how the logarithms of V and W change with n
// (docs/theory/contact-patch.md, section 1).
#pragma once

#include "collide/patch_moments.h"
#include "math/spatial.h"

// Something that is to be largest along the normal.
typedef struct RbPatchAim {
    double value;             // -INFINITY: nothing overlaps
    double by_a[6], by_b[6];  // rates, as in RbPatchRates
    double slope[2], bend[3]; // by a turn of n towards u and v; bends: uu, uv, vv
} RbPatchAim;

typedef struct RbPatchLook {
    RbPatchView view;
    RbPatchMoments moments;
    RbPatchAim aim, volume_aim; // what the pair is looked at for, log V
    bool covers; // edges of both lie over each other along the normal: values are right, slopes may be anything
} RbPatchLook;

void rb_patch_look(const RbPatchPair *pair, RbContactPlane plane, RbPatchLook *out);

// [m] By which A is moved to find the normal of cores that are deep in each other.
double rb_deep_way(const RbPatchPair *pair);

// In the frame of the pair.
Wrench rb_patch_wrench(RbContactPlane plane, const double rates[6]);

// The plane with its normal turned by k times a small step along u and v.
RbContactPlane rb_turned_plane(RbContactPlane p, const double step[2], double k);
