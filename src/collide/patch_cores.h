// SPDX-License-Identifier: MIT
// patch_cores.h: the patch of two polyhedral cores of which no face is without end. V and W are the largest ones along any normal, so that the force needs no
// derivative of the normals and is continuous (docs/theory/contact-patch.md, section 1).
#pragma once

#include "collide/patch.h"
#include "collide/shared_half.h"

// out: as rb_empty_patch has it. All but the spot. half: what had to be known of it.
void rb_patch_of_cores(const RbPatchPair *pair, RbPatch *out, RbHalf *half);
