// SPDX-License-Identifier: MIT
// plot_path.h: one curve as the data of an SVG path. Of the many points in one column of pixels
// only the first, the lowest, the highest and the last are kept, which looks the same; a point that
// is missing interrupts the curve.
#pragma once

#include "base/text.h"

typedef struct RbPlotPoint {
    double x, y; // [px]
} RbPlotPoint;

typedef struct RbPlotPath {
    RbText text;
    bool steps; // values hold until the next point
    bool pen_down;
    int in_column; // points gathered in the current column of pixels
    int column;
    RbPlotPoint first, low, high, last;
    int low_at, high_at; // when they came
    RbPlotPoint before;  // last point that was added
    bool has_before;
} RbPlotPath;

RbPlotPath rb_plot_path(RbArena *arena, bool steps);

// Add a point; y NaN: there is none.
void rb_plot_path_add(RbPlotPath *path, double x, double y);

// The finished data ("" if there was no point).
const char *rb_plot_path_end(RbPlotPath *path);
