// SPDX-License-Identifier: MIT
// force_world.h: forces and torques that are functions of time, or of how two objects move, applied
// to an object.
#pragma once

#include "rigid/force.h"

// How a frame moves, in world components.
typedef struct RbFrameMotion {
    Pose X;   // X_WF
    Motion V; // of its origin
} RbFrameMotion;

typedef struct RbWorldForce {
    RbFrame apply; // acts at the origin of this frame
    RbFrame axes;  // components are those of this frame; body 0 with the identity: the world
    Vec3 (*force)(double t, void *user);  // [N] NULL: none
    Vec3 (*torque)(double t, void *user); // [N m] NULL: none
    void *user;
    // A law instead of these: force and torque on the first frame, in world components, from the
    // motion of both (apply, axes); the second gets the opposite, at the same point. NULL: none.
    Wrench (*law)(double t, const RbFrameMotion *apply, const RbFrameMotion *axes, void *user);
} RbWorldForce;

// Answers what is applied, in world components.
Wrench rb_force_world(const RbWorldForce *element, double t, const RbKin *kin, Wrench *forces,
                      RbLedger *ledger);
