// SPDX-License-Identifier: MIT
// patch_round.h: the patch of two cores of which at least one has round pieces (cylinder, cone, beam,
// capsule): moments of the overlap over its surface, and their slopes (docs/theory/contact-patch.md,
// section 7).
//
// A point p of that surface overlaps the other body by w(p) = r_A + r_B - distance(p, other core). The
// distance from a convex body has the unit gradient m(p), so with dA over the surface
//     dV = ∫ m . dp dA,   dW = ∫ 2 w m . dp dA
// whatever n does: a force that follows from V and W has a potential by construction.
#pragma once

#include "collide/patch.h"

// Is one of them such a core, and the other one not round everywhere?
bool rb_has_round_patch(const RbCore *a, const RbCore *b);

// As rb_patch, which calls it.
void rb_patch_round(const RbCore *a, const RbCore *b, Pose X_AB, const RbGap *gap, RbPatch *out);
