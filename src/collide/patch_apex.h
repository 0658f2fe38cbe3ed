// SPDX-License-Identifier: MIT
// patch_apex.h: the side of a pointed cone over a plane into which its apex reaches (docs/theory/contact-patch.md, section 7). All of its lines overlap then, those that
// face the plane by far the most.
#pragma once

#include "collide/round_sums.h"
#include "collide/wet_line.h"

// Adds its moments. False: the sheet is no such side, or the field no plane.
bool rb_patch_apex(const RbDepthField *field, const RbSheet *sheet, RbRoundSums *sums);
