// SPDX-License-Identifier: MIT
// force.h: what all force elements share: where they act, what they add, and their entry in the
// energy ledger.
//
// An element reads the kinematics and adds wrenches to the two bodies it connects and to no others,
// so its derivatives stay local. For every element
//     power of its forces = input - dissipated - d(potential)/dt
#pragma once

#include "rigid/kinematics.h"

// Energy stored at this moment and powers. All elements add to it.
typedef struct RbLedger {
    double potential;  // [J] in gravity and springs
    double dissipated; // [W] turned into heat by dampers
    double input;      // [W] from outside, by forces that are functions of time or have no potential
} RbLedger;

// A law with one argument: the coefficient k (force k x), or a function with its integral. The
// function wins if both are given.
typedef struct RbCharacteristic {
    double k;
    double (*value)(double x, void *user);    // force or torque
    double (*integral)(double x, void *user); // from 0 to x; NULL: by quadrature
    void *user;
} RbCharacteristic;

double rb_characteristic(const RbCharacteristic *c, double x);
double rb_characteristic_integral(const RbCharacteristic *c, double x);

// A linear law.
static inline RbCharacteristic rb_linear(double k) {
    return (RbCharacteristic){.k = k};
}

// Add to `forces` (per body, about its origin) a force and a torque that act at the point r_W of
// the body.
static inline void rb_force_add(const RbKin *kin, Wrench *forces, int body, Vec3 r_W, Vec3 f_W,
                                Vec3 t_W) {
    if (body == 0) return; // the world takes everything
    Vec3 arm = v3_sub(r_W, kin->bodies[body].X.r);
    forces[body] = wr_add(forces[body], wr_shift((Wrench){t_W, f_W}, arm));
}
