// SPDX-License-Identifier: MIT
// patch_spot.h: how deep two polyhedral cores with rounded edges are where little more than their rounding touches (docs/theory/contact-patch.md,
// section 2). The closest points jump from end to end of parallel edges, so their depth is not smooth there; twice the mean overlap W/V is, and it is the
// same depth for anything that comes to a point.
#pragma once

#include "collide/patch.h"
#include "collide/patch_view.h"

// ORDER RbSpotLook
typedef enum RbSpotMoment { RB_SPOT_VOLUME, RB_SPOT_SQUARE, RB_SPOT_MOMENTS } RbSpotMoment;

// V and W along a normal.
typedef struct RbSpotLook {
    RbContactPlane plane;
    double value[RB_SPOT_MOMENTS];
    Wrench
        slope[RB_SPOT_MOMENTS]; // as B moves while n stands still, the mean of both bodies' motions
    // By a turn of n towards u and v: exactly, and as if chords of the common part ended at faces that look along the normal (contact-patch.md, (2b)), with
    // their own slopes: uu, uv, vv.
    double by_normal[RB_SPOT_MOMENTS][2], nearly[RB_SPOT_MOMENTS][2], bend[RB_SPOT_MOMENTS][3];
} RbSpotLook;

typedef void RbLookForSpot(const RbPatchPair *pair, RbContactPlane plane, RbSpotLook *out);

// plane: across the normal of the distance. patch: as it is but for the spot. look: NULL if the normal is fixed; then V and W are those of the patch.
RbSpot rb_patch_spot(const RbPatchPair *pair, RbContactPlane plane, RbLookForSpot *look,
                     const RbPatch *patch);
