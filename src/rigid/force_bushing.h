// SPDX-License-Identifier: MIT
// force_bushing.h: springs and dampers between two frames along and about three axes
// (docs/theory/multibody.md, section 7).
#pragma once

#include "rigid/force.h"

// Three numbers from r, v, angles and angle rates (12 numbers); answers NaN where there are none.
typedef Vec3 (*RbBushingLaw)(void *user, const double state[12]);

typedef struct RbBushing {
    RbFrame a, b;
    Vec3 nominal_force, nominal_torque;                    // [N], [N m]
    RbCharacteristic spring[3], damper[3];                 // along x, y, z of frame a
    RbCharacteristic angular_spring[3], angular_damper[3]; // about x, y, z
    bool large_angles; // Cardan angles x, y, z; otherwise the small angles that the rotation matrix
                       // shows
    RbBushingLaw law;  // instead of springs and dampers; what it does is energy from outside
    void *force_user, *torque_user;
} RbBushing;

typedef struct RbBushingResult {
    Vec3 r, v;        // [m], [m/s] of b in a, as a sees it
    Vec3 angles;      // [rad]
    Vec3 angle_rates; // [rad/s]
    Vec3 force;       // [N] the law; acts on b in the opposite direction, in the axes of a
    Vec3 torque;      // [N m] the same
} RbBushingResult;

// Small angles above this are worth a warning by the caller.
#define RB_BUSHING_SMALL_ANGLE 0.174 // [rad], 10 degrees

RbBushingResult rb_force_bushing(const RbBushing *element, const RbKin *kin, Wrench *forces,
                                 RbLedger *ledger);
