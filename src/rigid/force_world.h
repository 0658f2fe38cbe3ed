// SPDX-License-Identifier: MIT
// force_world.h: forces and torques that are functions of time, applied to an object.
#pragma once

#include "rigid/force.h"

typedef struct RbWorldForce {
    RbFrame apply; // acts at the origin of this frame
    RbFrame axes;  // components are those of this frame; body 0 with the identity: the world
    Vec3 (*force)(double t, void *user);  // [N] NULL: none
    Vec3 (*torque)(double t, void *user); // [N m] NULL: none
    void *user;
} RbWorldForce;

// Answers what is applied, in world components.
Wrench rb_force_world(const RbWorldForce *element, double t, const RbKin *kin, Wrench *forces,
                      RbLedger *ledger);
