// SPDX-License-Identifier: MIT
// flat_outline.h: the round outline of a plate, a disc or a stadium, seen from the frame of a cell (flat_cell.h).
#pragma once

#include "collide/flat_cell.h"

typedef struct RbFlatOutline {
    int discs; // of a stadium two, one after the other along e1 of the plate; 0: it does not matter
    double x[2], y[2], r;
} RbFlatOutline;

RbFlatOutline rb_flat_outline(const RbFlatCell *cell);

// How far from the middle of a disc, or from the straight line in the middle of a stadium.
double rb_from_middle(const RbFlatOutline *o, double x, double y);

// The part t[0] to t[1] of the line p + t d that is inside. False: none.
bool rb_outline_chord(const RbFlatOutline *o, double px, double py, double dx, double dy,
                      double t[2]);

// Which disc a place of the outline is on; -1: a straight side.
int rb_outline_disc(const RbFlatOutline *o, double x, double y);
