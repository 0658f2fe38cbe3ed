// SPDX-License-Identifier: MIT
// force_gravity.h: weight of all bodies: none, in a uniform field, towards the world's origin, or in a field of the user.
#pragma once

#include "rigid/force.h"

typedef enum RbGravityKind {
    RB_GRAVITY_NONE,
    RB_GRAVITY_UNIFORM,
    RB_GRAVITY_POINT,
    RB_GRAVITY_FUNCTION
} RbGravityKind;

// A part of a body.
typedef struct RbGravityPart {
    double m;  // [kg]
    Vec3 r_CM; // [m] in the frame of the body
} RbGravityPart;

typedef struct RbGravity {
    RbGravityKind kind;
    Vec3 g;     // [m/s2] uniform
    double mue; // [m3/s2] point: gravitational constant times mass of the attracting body
    // Field strength [m/s2] at a point: pure; not a number where there is none. It need have no potential:
    // what it does to bodies is energy from outside.
    Vec3 (*function)(void *user, Vec3 r_W);
    void *user;
    // Parts of bodies, which feel a field that varies each at its own centre of mass: those of body i are
    // parts[part_start[i]] to parts[part_start[i + 1]]; none: the body is one part. NULL: all are.
    const RbGravityPart *parts;
    const int *part_start;
} RbGravity;

// Does the field depend on the place?
static inline bool rb_gravity_varies(const RbGravity *g) {
    return g->kind == RB_GRAVITY_POINT || g->kind == RB_GRAVITY_FUNCTION;
}

// Gravitational constant [m3/(kg s2)] and mass of the earth [kg] of the systems we follow.
#define RB_GRAVITATIONAL_CONSTANT 6.67408e-11
#define RB_EARTH_MASS             5.9722e24

// Uniform: g along the unit vector of n. (Modelica: g = 9.81, n = {0, -1, 0}.)
RbGravity rb_gravity_uniform(double g, Vec3 n);
RbGravity rb_gravity_point(double mue);

// Field strength [m/s2] and potential [J/kg] at a point. A point field has no value at its centre:
// zero is answered there. A function has no potential: zero.
Vec3 rb_gravity_field(const RbGravity *gravity, Vec3 r_W);
double rb_gravity_potential(const RbGravity *gravity, Vec3 r_W);
// How the field changes from a point along a vector, per length of the vector.
Vec3 rb_gravity_slope(const RbGravity *gravity, Vec3 r_W, Vec3 along_W);

// How many parts body i has; 0: it is one.
static inline int rb_gravity_parts(const RbGravity *gravity, int i, const RbGravityPart **parts) {
    if (!gravity->parts) return 0;
    *parts = gravity->parts + gravity->part_start[i];
    return gravity->part_start[i + 1] - gravity->part_start[i];
}

// Add the weight of every body, at the centres of mass of its parts. (A field is taken as constant over a part: no tidal torque on
// it alone.)
void rb_force_gravity_in(const RbGravity *gravity, RbSpan span, const RbKin *kin, Wrench *forces,
                         RbLedger *ledger);
static inline void rb_force_gravity(const RbGravity *gravity, const RbTree *tree, const RbKin *kin,
                                    Wrench *forces, RbLedger *ledger) {
    rb_force_gravity_in(gravity, rb_tree_span(tree), kin, forces, ledger);
}
