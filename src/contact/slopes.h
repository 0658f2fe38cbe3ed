// SPDX-License-Identifier: MIT
// slopes.h: derivatives of a contact force, for Jacobians that are assembled pair by pair.
//
// Pressure depends on depth and its rate alone; friction and torque are proportional to it
// (friction of RB_FRICTION_STATIC up to its limit):
//     d(normal)   = normal_depth d(depth) + normal_rate d(depth_rate)
//     d(friction) = friction_normal d(normal) + friction_slip d(slip) + friction_bristle d(bristle)
//     d(torque)   = torque_normal d(normal) + torque_spin d(spin)
// at constant normal direction. Not for laws of the user.
#pragma once

#include "contact/law.h"
#include "math/mat3.h"

typedef struct RbContactSlopes {
    double normal_depth;   // [N/m]
    double normal_rate;    // [N s/m]
    Vec3 friction_normal;  // [1]
    Mat3 friction_slip;    // [N s/m]
    Mat3 friction_bristle; // [N/m]
    Vec3 torque_normal;    // [m]
    Mat3 torque_spin;      // [N m s/rad]
    double twist; // [N m] torque along n that resists twisting at a point; its slopes, but for N:
    double twist_spin;  // [N m s/rad] by the spin about n
    double twist_depth; // [N] by the depth
    Vec3 twist_slip;    // [N s] by the slip
} RbContactSlopes;

RbContactSlopes rb_contact_slopes(const RbContactLaw *law, const RbContactMotion *motion);
