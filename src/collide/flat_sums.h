// SPDX-License-Identifier: MIT
// flat_sums.h: moments of the overlap over a cell, in its own frame (flat_cell.h); those who sum them up.
#pragma once

#include "collide/flat_outline.h"

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

// A face: its polygon, as far as it is inside of the outline, by what is around it. Points of the outline that bound it are added to rim.
void rb_flat_face_sum(const RbFlatCell *cell, const RbFlatOutline *outline, RbRimPoints *rim,
                      RbFlatSums *sums);

// An edge that the outline crosses, by rows along it. False: it is too steep, or the outline runs along it.
bool rb_flat_rows_sum(const RbFlatCell *cell, const RbFlatOutline *outline, RbRimPoints *rim,
                      RbFlatSums *sums);

// Where the overlap of an edge or a corner vanishes along the side of the polygon from corner i to corner j, from 0 to 1. Returns how often.
int rb_border_crossings(const RbFlatCell *cell, int i, int j, double t[2]);

void rb_sort(double *x, int count);

void rb_add_rim_point(const RbFlatCell *cell, double x, double y, RbRimPoints *rim);
