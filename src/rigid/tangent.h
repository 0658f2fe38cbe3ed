// SPDX-License-Identifier: MIT
// tangent.h: derivatives of the accelerations of one branch of the tree, exact, by
// differentiating the recursion of inverse dynamics (docs/theory/contact-jacobian.md, section 2).
//
//     F(q, v, dv) = M(q) dv + h(q, v) - sum of J_i(q)T f_i = tau
//
// The change of F in a direction of q or v, with accelerations dv, wrenches f_i (about the origins
// of the bodies) and joint forces tau held, gives that of the accelerations by one solution with M:
// M d(dv) = -dF. What wrenches and joint forces do themselves is added by who knows them.
#pragma once

#include "rigid/dynamics.h"
#include "rigid/force_gravity.h"

// What one direction does to a body.
typedef struct RbTangent {
    Motion X; // turn [rad], shift of the origin [m]
    Motion V; // change of velocity
    Motion A; // change of acceleration at constant dv
    Wrench W; // change of the wrench through its joint
} RbTangent;

typedef struct RbTangents {
    Wrench *through;   // per body: wrench through its joint
    RbTangent *bodies; // per body
    double *tau;       // per speed
} RbTangents;

RbTangents rb_tangents(const RbTree *tree, RbArena *arena);

// Wrenches through the joints of a branch, after rb_dyn_solve_in with these forces.
void rb_tangent_open(const RbTree *tree, RbSpan span, const RbKin *kin, const Wrench *forces,
                     RbTangents *e);

// How a body moves per unit of coordinate k of its joint: world components, about its origin. (Of a
// quaternion only the part counts that turns.)
Motion rb_coordinate_motion(const RbJoint *joint, const RbKin *kin, const double *q, int k);

// One direction: coordinate k of the joint of a body, or its speed k.
typedef struct RbDirection {
    int body, k;
    bool speed;
} RbDirection;

// dv = derivative of the accelerations of the branch; the entries of other branches are left alone.
// x = (q, v).
void rb_tangent_vary(const RbTree *tree, RbSpan span, const RbKin *kin, const double *q,
                     const double *v, const RbGravity *gravity, RbDirection direction,
                     RbTangents *e, RbDyn *dyn, double *dv);

// What the same direction does to a body that hangs on that joint: X and V alone.
RbTangent rb_tangent_body(const RbTree *tree, const RbKin *kin, const double *q, const double *v,
                          RbDirection direction, int body);

// d(dq/dt)/dq and d(dq/dt)/dv of one joint, by rows: q_count x q_count and q_count x v_count.
void rb_joint_rate_slopes(const RbJoint *joint, const double *q, const double *v, double *by_q,
                          double *by_v);
