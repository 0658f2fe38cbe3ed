// SPDX-License-Identifier: MIT
// force_joint.h: springs, dampers and stops along one coordinate of a joint. They add to the
// generalised forces.
#pragma once

#include "rigid/force.h"

typedef struct RbJointForce {
    int q, v; // coordinate and speed in the vectors of the tree (not of a quaternion)
    RbCharacteristic spring; // of q - rest [m] or [rad]
    RbCharacteristic damper; // of the speed - rest_speed
    double rest;             // coordinate where the spring is relaxed
    double rest_speed; // of what the damper is held by: a motor that turns; its power is input
    // Stops: none where stop_stiffness is 0. Beyond a limit by x the force is k x (1 + d dx/dt),
    // never pulling.
    double lower, upper;
    double stop_stiffness; // k [N/m] or [N m/rad]
    double stop_damping;   // d [s/m] or [s/rad]
    // A law of the user, from time, coordinate and speed; NULL: none. And a force that is given.
    double (*law)(double t, double q, double v, void *user);
    void *user;
    double time;  // [s]
    double given; // [N] or [N m]
} RbJointForce;

// Answers the generalised force it adds to tau.
double rb_force_joint(const RbJointForce *element, const double *q, const double *v, double *tau,
                      RbLedger *ledger);
