// SPDX-License-Identifier: MIT
// flat_sums.h: moments of the overlap over a cell, in its own frame (flat_cell.h); those who sum them up.
#pragma once

#include "collide/flat_outline.h"

// Of the way between two breaks, where a part is looked at: what is symmetric may touch a border in the middle.
#define RB_ASIDE 0.41421356237309503

// Integrals of a component of m over the cell: alone, times x and times y.
typedef struct RbFlatComponent {
    double all, x, y;
} RbFlatComponent;

// Of the slopes of V or W.
typedef struct RbFlatSlope {
    RbFlatComponent up, ex, ey;
} RbFlatSlope;

typedef struct RbFlatSums {
    double x0, y0; // [m] about which moments are
    double area, volume, square, x, y, xx, xy, yy;
    RbFlatSlope by_volume, by_square;
} RbFlatSums;

// A face: its polygon, as far as it is inside of the outline, by what is around it. Arcs of the outline that bound it are added to rim.
void rb_flat_face_sum(const RbFlatCell *cell, const RbFlatOutline *outline, RbRimArcs *rim,
                      RbFlatSums *sums);

// An edge that the outline crosses, by rows along it. False: it is too steep, or the outline runs along it.
bool rb_flat_rows_sum(const RbFlatCell *cell, const RbFlatOutline *outline, RbRimArcs *rim,
                      RbFlatSums *sums);

// Where the overlap of an edge or a corner vanishes along the side of the polygon from corner i to corner j, from 0 to 1. Returns how often.
int rb_border_crossings(const RbFlatCell *cell, int i, int j, double t[2]);

void rb_sort(double *x, int count);

// Where a disc of the outline ends the cell, from (x0, y0) to (x1, y1). disc -1: a straight side, which has none.
void rb_add_rim_arc(const RbFlatCell *cell, const RbFlatOutline *outline, int disc, double x0,
                    double y0, double x1, double y1, RbRimArcs *rim);
