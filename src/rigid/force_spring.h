// SPDX-License-Identifier: MIT
// force_spring.h: spring and damper along the line between two points.
#pragma once

#include "rigid/force.h"

typedef struct RbSpring {
    RbFrame a, b;
    double nominal_length;   // [m]
    double nominal_force;    // [N] tension at nominal length and rest
    RbCharacteristic spring; // [N] of the elongation [m]
    RbCharacteristic damper; // [N] of its rate [m/s]
} RbSpring;

typedef struct RbSpringResult {
    double length;  // [m]
    double rate;    // [m/s]
    double tension; // [N] pulls the two points together
    Vec3 force_W;   // [N] on b
} RbSpringResult;

// tension = nominal_force + spring(length - nominal_length) + damper(rate). Where the points
// coincide the line has no direction and no force acts; with nominal length and force zero this is
// the limit of the law.
RbSpringResult rb_force_spring(const RbSpring *element, const RbKin *kin, Wrench *forces,
                               RbLedger *ledger);
