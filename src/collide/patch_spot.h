// SPDX-License-Identifier: MIT
// patch_spot.h: how deep two polyhedral cores with rounded edges are where little more than their rounding touches (docs/theory/contact-patch.md,
// section 2). The closest points jump from end to end of parallel edges, so their depth is not smooth there; twice the mean overlap W/V is, and it is the
// same depth for anything that comes to a point.
#pragma once

#include "collide/patch.h"
#include "collide/patch_view.h"

// patch: as it is but for the spot. fixed: the normal is; then V and W are those of the patch.
RbSpot rb_patch_spot(const RbPatchPair *pair, bool fixed, const RbPatch *patch);
