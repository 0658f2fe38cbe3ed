// SPDX-License-Identifier: MIT
// patch_rim.h: the round side of a body that stands with its end next to a polyhedron (docs/theory/contact-patch.md, section 7). What overlaps of it is a strip
// along its rim, and the rim is a circle: where it passes from one piece of the polyhedron to the next, and where its overlap ends, are roots that are known.
#pragma once

#include "collide/round_sums.h"
#include "collide/wet_line.h"

// Adds the moments of the side. False: it is none that stands, or overlaps too much for that.
bool rb_patch_rim(const RbDepthField *field, const RbSheet *side, RbRoundSums *sums);
