// SPDX-License-Identifier: MIT
// force_gravity.h: weight of all bodies: none, in a uniform field, or towards the world's origin.
#pragma once

#include "rigid/force.h"

typedef enum RbGravityKind { RB_GRAVITY_NONE, RB_GRAVITY_UNIFORM, RB_GRAVITY_POINT } RbGravityKind;

typedef struct RbGravity {
    RbGravityKind kind;
    Vec3 g;     // [m/s2] uniform
    double mue; // [m3/s2] point: gravitational constant times mass of the attracting body
} RbGravity;

// Gravitational constant [m3/(kg s2)] and mass of the earth [kg] of the systems we follow.
#define RB_GRAVITATIONAL_CONSTANT 6.67408e-11
#define RB_EARTH_MASS             5.9722e24

// Uniform: g along the unit vector of n. (Modelica: g = 9.81, n = {0, -1, 0}.)
RbGravity rb_gravity_uniform(double g, Vec3 n);
RbGravity rb_gravity_point(double mue);

// Field strength [m/s2] and potential [J/kg] at a point. A point field has no value at its centre:
// zero is answered there.
Vec3 rb_gravity_field(const RbGravity *gravity, Vec3 r_W);
double rb_gravity_potential(const RbGravity *gravity, Vec3 r_W);

// Add the weight of every body, at its centre of mass. (A point field is taken as constant over a
// body: no tidal torque.)
void rb_force_gravity_in(const RbGravity *gravity, RbSpan span, const RbKin *kin, Wrench *forces,
                         RbLedger *ledger);
static inline void rb_force_gravity(const RbGravity *gravity, const RbTree *tree, const RbKin *kin,
                                    Wrench *forces, RbLedger *ledger) {
    rb_force_gravity_in(gravity, rb_tree_span(tree), kin, forces, ledger);
}
