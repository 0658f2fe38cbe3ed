// SPDX-License-Identifier: MIT
// axis.h: where a point lies on the grid of a table, and how the values and slopes at the two grid
// points around it are weighted there (docs/theory/tables.md).
#pragma once

#include <stdbool.h>

#include "base/arena.h"

// The numbers are those of the enumerations Smoothness and Extrapolation in Modelica.Blocks.Types.
typedef enum RbSmoothness {
    RB_LINEAR_SEGMENTS = 1,
    RB_AKIMA,             // cubic, the derivative is continuous
    RB_CONSTANT_SEGMENTS, // the value at the left end of the interval
    RB_FRITSCH_BUTLAND,   // cubic, monotone where the data are
    RB_STEFFEN,           // cubic, monotone where the data are
    RB_MODIFIED_AKIMA,    // cubic, without overshoots where the data are flat
} RbSmoothness;

typedef enum RbExtrapolation {
    RB_HOLD_LAST_POINT = 1,
    RB_LAST_TWO_POINTS, // straight on with the derivative at the end
    RB_PERIODIC,
    RB_NO_EXTRAPOLATION,
} RbExtrapolation;

static inline bool rb_is_cubic(RbSmoothness s) {
    return s != RB_LINEAR_SEGMENTS && s != RB_CONSTANT_SEGMENTS;
}

typedef struct RbAxis {
    const double *x; // ascending; strictly if cubic
    int count;       // at least 1
    RbSmoothness smoothness;
    RbExtrapolation extrapolation;
} RbAxis;

// An interval (left, right) of the grid and the weights of what stands at its ends.
// weights[k] is the k-th derivative of: left value, right value, left slope, right slope.
typedef struct RbPiece {
    int left, right;
    double weights[3][4];
} RbPiece;

// The piece that holds at u. The interval is the one that contains u + bias: a small positive bias
// means the right limit at a grid point, a negative one the left limit. With bias 0 an interval
// begins with its left end. False: u lies outside and there is no extrapolation.
bool rb_axis_locate(const RbAxis *axis, double u, double bias, RbPiece *piece);

// Shares of the secants left and right of each grid point in the slope there: slope = share * left
// secant + (1 - share) * right secant, for Akima's two methods. `y` has a stride, so that rows and
// columns of a matrix will do. Secants beyond the ends continue the last three points by a
// parabola, or the data where they repeat. For other smoothness use rb_axis_slopes.
void rb_axis_shares(const RbAxis *axis, const double *y, int stride, double *shares,
                    RbArena scratch);

// Slopes at the grid points, for cubic smoothness.
void rb_axis_slopes(const RbAxis *axis, const double *y, int stride, double *slopes,
                    RbArena scratch);

// The secants: secants[k + 2] is that of interval k, for k = -2 ... count, with those beyond the
// ends. Room for count + 3.
void rb_axis_secants(const RbAxis *axis, const double *y, int stride, double *secants);
