// SPDX-License-Identifier: MIT
// patch_rim.h: the round side of a body that stands with its end next to a polyhedron (docs/theory/contact-patch.md, section 7). What overlaps of it is a strip
// below its rim, under the arcs of that which overlap, and these are known from the cells of the end (flat_cell.h).
#pragma once

#include "collide/flat_cell.h"
#include "collide/wet_line.h"

// Adds the moments of the side. False: it is none that stands, or overlaps too much for that, or lines leave the pieces that their arcs are over and the field's
// `near` is not set.
bool rb_patch_rim(const RbDepthField *field, const RbSheet *side, const RbRimArcs *arcs,
                  RbRoundSums *sums);
