// SPDX-License-Identifier: MIT
// patch_pieces.h: a small patch of one sheet of a round core over several pieces (faces, edges, corners) of another body (docs/theory/contact-patch.md,
// section 7).
//
// Over each piece the overlap has one smooth form. The planes at which pieces end cut the sheet in borders that are nearly straight, and the outline of the patch over
// each piece is nearly part of a conic. So the part of each piece is the sum of fans, from a place in it to the borders and arcs around it.
#pragma once

#include "collide/patch_smooth.h"
#include "collide/smooth_chart.h"

typedef bool RbIsOnSheet(const void *sheet, double x, double y);

// The patch in coordinates of its sheet, with the closest point at x = y = 0.
typedef struct RbFan {
    const RbSmooth *smooth; // its field knows what is near
    RbChart chart;
    double xx, xy, yy; // it ends at (xx cos + xy sin, yy sin), about
    bool is_half;      // only y > 0 is of the sheet, and on y = 0 it overlaps between two places
    double from, to;   // [m] of x
    RbIsOnSheet *is_on_sheet;
    const void *sheet;
} RbFan;

// Is it so much longer than the way over which the overlap falls by half that something must lie along it?
bool rb_is_slender(const RbFan *fan);

// Adds its moments. False, perhaps after some were added: it can't be told.
bool rb_add_fan(const RbFan *fan, RbRoundSums *sums);
