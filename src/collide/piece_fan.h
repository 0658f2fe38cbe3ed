// SPDX-License-Identifier: MIT
// piece_fan.h: moments of the part of a small patch that is over one piece, as fans from a place in it to what is around it (patch_pieces.h).
#pragma once

#include "collide/piece_border.h"

typedef struct RbPart {
    const RbFan *fan;
    int piece;
    RbChartPlace from; // where it is seen from
    double reach;      // in even coordinates: so far borders were sought
    RbRoundSums *sums;
} RbPart;

// The fan to a border of the part, on whichever side that is.
void rb_add_border(const RbPart *part, const RbPieceBorder *border);

// The fan to the outline between two places of it, counterclockwise. False, perhaps after some was added: it can't be told.
bool rb_add_arc(const RbPart *part, RbChartPlace from, RbChartPlace to);

// Where over the piece the overlap ends on the way from one place through another, next to that, in parts of it.
bool rb_find_end(const RbFan *fan, int piece, RbChartPlace from, RbChartPlace through, double *out);
