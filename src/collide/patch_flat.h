// SPDX-License-Identifier: MIT
// patch_flat.h: the flat sheets of a round core over a polyhedron, face by face, edge by edge and corner by corner (docs/theory/contact-patch.md,
// section 7). The integrals are those of patch_round.h.
#pragma once

#include "collide/flat_cell.h"
#include "collide/wet_line.h"

// Is the other body a polyhedron into which the round one does not reach?
bool rb_has_flat_patch(const RbDepthField *field);

// Adds the moments of an end, or of a flat side of a beam, and the arcs of an end's outline that overlap to rim. middle: of the round core. narrows: by how much it does
// behind the sheet, over the way. True: nothing behind it overlaps but perhaps the sheet opposite.
bool rb_patch_flat(const RbDepthField *field, const RbSheet *sheet, Vec3 middle, double narrows,
                   RbRimArcs *rim, RbRoundSums *sums);
