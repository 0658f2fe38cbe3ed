// SPDX-License-Identifier: MIT
// mpr.h: the improved Minkowski portal refinement of the thesis (ch. 6.1), in double-double
// arithmetic, for comparison.
//
// Its three phases find the portal, a triangle of support points of A - B, through which the ray
// from an inner point to the origin leaves the Minkowski difference. The distance from the portal
// is the minimum distance only if the ray happens to point along the normal; otherwise it is an
// estimate that becomes exact when the bodies touch.
#pragma once

#include "collide/distance.h"

typedef struct RbMprOptions {
    double tolerance; // [m] of termination conditions 2 and 3
    int rounds_max;   // of phases 2 and 3 each
} RbMprOptions;

typedef enum RbMprEnd {
    RB_MPR_CENTRES,   // the centroids coincide: no ray
    RB_MPR_PLANAR,    // the Minkowski difference is flat
    RB_MPR_TC1,       // the first support point lies on the ray
    RB_MPR_TC2,       // the last support point is the closest point
    RB_MPR_TC3,       // the last support point lies in the portal
    RB_MPR_BEST,      // no better portal, or rounds used up: best result so far
    RB_MPR_NO_PORTAL, // phase 2 did not end
} RbMprEnd;

typedef struct RbMprReport {
    RbMprEnd end;
    int rounds_2, rounds_3;
    double reached; // [m] smallest value of termination conditions 2 and 3
} RbMprReport;

RbMprOptions rb_mpr_options(void); // 1e-20 m, 120 rounds, as the thesis

// out->error is NaN: the method has no bound. report may be NULL. Not for half-spaces.
void rb_mpr(const RbCore *a, const RbCore *b, Pose X_AB, RbMprOptions options, RbGap *out,
            RbMprReport *report);
