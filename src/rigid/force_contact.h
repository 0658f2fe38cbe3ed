// SPDX-License-Identifier: MIT
// force_contact.h: one contact point between two bodies of the tree: relative motion from the
// kinematics, force from its law, wrenches on these two bodies and no others, and what results show
// of it.
#pragma once

#include "contact/law.h"
#include "rigid/force.h"

// Where two bodies touch, from the narrow phase.
typedef struct RbContactPoint {
    int body_1, body_2;
    Vec3 r_W;     // [m] contact point
    Vec3 n_W;     // unit vector from body 1 to body 2
    double depth; // [m]
} RbContactPoint;

typedef struct RbContactResult {
    RbContactMotion motion;
    RbContactForce force;
    Vec3 force_W; // [N] on body 2: pressure and friction
} RbContactResult;

// Velocities at the point: body 2 relative to body 1.
RbContactMotion rb_contact_motion(const RbKin *kin, const RbContactPoint *point);

// Evaluate and add to `forces`. `bristle_W` is the state of a sticking contact (NULL: none).
RbContactResult rb_force_contact(const RbContactLaw *law, const RbKin *kin,
                                 const RbContactPoint *point, const Vec3 *bristle_W,
                                 Wrench *forces);

// Derivative of the bristle's state.
Vec3 rb_force_contact_bristle_rate(const RbContactLaw *law, const RbKin *kin,
                                   const RbContactPoint *point, Vec3 bristle_W);
