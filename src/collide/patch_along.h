// SPDX-License-Identifier: MIT
// patch_along.h: the patch of two polyhedral cores along one normal, and what counts of it if that is fixed to a face (docs/theory/contact-patch.md, section 1).
#pragma once

#include "collide/patch.h"
#include "collide/patch_normal.h"

// To which body a normal is fixed: to A, to B, or to the middle of faces of both.
typedef enum RbFixed { RB_FIXED_TO_A, RB_FIXED_TO_B, RB_FIXED_TO_BOTH, RB_FIXED_TO_NONE } RbFixed;

// A patch, log(W^1.5/V), what the normal is to make largest, and how these change as B moves.
typedef struct RbAlong {
    RbPatch patch; // V = 0: nothing that would count overlaps
    double press, aim;
    Wrench press_slope, aim_slope;
} RbAlong;

// At the closest points, with nothing that overlaps.
RbPatch rb_empty_patch(const RbGap *gap);
RbContactPlane rb_plane_of_patch(const RbPatch *p);

// Turned as little as possible, so that places seen in both planes have nearly the same coordinates, whatever the axes.
RbContactPlane rb_plane_along(RbContactPlane p, Vec3 n);

// V of the spot of rounded corners (contact/press.c) at a depth. Against that 1e-6 of it counts for nothing, and what rounding leaves of it has no centre.
double rb_spot_volume(double reach, double depth);

// True: it was taken. Slopes are left to the caller.
bool rb_take_moments(const RbPatchMoments *m, double reach, double depth, RbPatch *out);
void rb_take_slopes(const RbPatchRates *r, RbPatch *out);

RbAlong rb_along(const RbPatchLook *look, const RbPatchPair *pair, RbFixed fixed);

// As V and W of the patch say.
void rb_aim_at_both(RbAlong *a);

// Adds k of one patch to another, but for W and its slope, which rb_set_square sets. rb_straighten makes a normal of the sum of normals; axes are turned as little as possible from those of a patch that has part in it.
void rb_add_part(const RbPatch *part, double k, RbPatch *sum);
void rb_straighten(const RbPatch *like, RbPatch *sum);

// The same patch with its axes turned about n, u as near to a vector as may be.
void rb_turn_axes(Vec3 u, RbPatch *p);

// W and its slope from V and log(W^1.5/V) and theirs.
void rb_set_square(double press, Wrench slope, RbPatch *out);

Wrench rb_wrenches(Wrench a, double ka, Wrench b, double kb);
