// SPDX-License-Identifier: MIT
// solids_slopes.h: how the forces of two solids that touch change with where they are and how they move, by
// differences, central in speeds and bristles, one-sided in places. What depends on both poses depends on one in the frame of the other: six
// overlaps are enough for two bodies.
#pragma once

#include "rigid/force_solids.h"

enum { RB_SOLIDS_INPUTS = 18 };

// Per unit of a turn and a shift of b against a (about the origin of a), of its angular velocity and
// velocity, of the twist and the slide of the bristle: three each.
typedef struct RbSolidsSlope {
    Vec3 torque, force, twist_rate, slide_rate;
} RbSolidsSlope;

typedef struct RbSolidsSlopes {
    const RbSolidsForce *element;
    RbSolidsMemory memory;
    RbSolidsPlace place;
    RbSolidsSlope now; // values, not slopes
    RbSolidsSlope by[RB_SOLIDS_INPUTS];
} RbSolidsSlopes;

void rb_solids_slopes(const RbSolidsForce *element, const RbSolidsMemory *memory,
                      RbMeshOverlap *work, const RbKin *kin, RbSolidsSlopes *out);

// Wrenches on the bodies of a and b, and rates of the bristle.
typedef struct RbSolidsChange {
    Wrench on_a, on_b;
    Vec3 slide_rate, twist_rate;
} RbSolidsChange;

// One body (0: that of a, 1: of b) turns and moves by `place`, and its velocity changes, per unit of both.
// kin is changed and put back.
RbSolidsChange rb_solids_vary(const RbSolidsSlopes *slopes, RbKin *kin, int side, Motion place,
                              Motion velocity);

// The bristle changes: axis 0 to 2 of its slide, 3 to 5 of its twist.
RbSolidsChange rb_solids_vary_bristle(const RbSolidsSlopes *slopes, const RbKin *kin, int axis);
