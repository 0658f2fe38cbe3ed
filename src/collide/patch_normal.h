// SPDX-License-Identifier: MIT
// patch_normal.h: the normal along which something of two polyhedral cores is largest when they are moved together by their smoothing radii (docs/theory/contact-patch.md,
// section 1). What is largest has no slope by this normal, so that a force that follows from it needs no derivative of the normal and is continuous. Unlike that of the
// distance it does not care which corners and edges are closest.
#pragma once

#include "collide/patch_look.h"

// looks[0]: along any normal that is near. Returns the one that is along the normal that is sought. If that is on a ridge, other is a look along the same normal on its other flank,
// and part what the first one counts of both, so that together they have no slope by the normal. NULL: no ridge.
RbPatchLook *rb_patch_normal(const RbPatchPair *pair, RbPatchLook looks[3], RbPatchLook **other,
                             double *part);

// The same for V alone, from a look on. Where Newton's method does not lead there, as on a ridge, NULL, and n is the best normal on the way.
RbPatchLook *rb_patch_most_volume(const RbPatchPair *pair, RbPatchLook *look, RbPatchLook *scratch,
                                  Vec3 *n);

// Where what is largest is not U: by how much d(log U) differs as B moves, since the normal turns. other, part: as above. False: by nothing.
bool rb_patch_turning(const RbPatchPair *pair, const RbPatchLook *look, const RbPatchLook *other,
                      double part, RbPatchLook *scratch, Wrench *out);
