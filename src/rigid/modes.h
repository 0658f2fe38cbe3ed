// SPDX-License-Identifier: MIT
// modes.h: flexible bodies in the recursions of the tree (docs/theory/modes.md). Their
// modes move with the joint that leads into the body; kinematics.h and dynamics.h call these functions
// for joints with `modal` set, and for no others.
#pragma once

#include "rigid/dynamics.h"
#include "rigid/force.h"

// ---- kinematics of a body behind such a joint: its pose and the directions per mode; its velocity and bias
void rb_modes_place(const RbTree *tree, int body, const double *q, RbKin *kin);
void rb_modes_move(const RbTree *tree, int body, const double *v, RbKin *kin);
// Inertia of the deformed body in world axes.
RigidInertia rb_modes_inertia(const RbTree *tree, int body, RbKin *kin);
// Besides that of the rigid motion at the velocity of the mean frame: [J], and momentum about its origin.
double rb_modes_kinetic_energy(const RbTree *tree, int body, const RbKin *kin);
Wrench rb_modes_momentum(const RbTree *tree, int body, const RbKin *kin);

// Strain energy and damping of all flexible bodies of the span, for the account.
void rb_modes_account_in(const RbTree *tree, RbSpan span, const RbKin *kin, RbLedger *ledger);

// ---- articulated bodies
// Coupling and inertia of the modes alone, before any frame has added to them.
void rb_modes_open(const RbTree *tree, int body, const RbKin *kin, RbDyn *dyn);
// A body behind a frame has the inertia IA: the modes feel it.
void rb_modes_feel_inertia(const RbTree *tree, int body, const RbKin *kin, RbDyn *dyn);
// The modes yield: what is left for the parent. False: they have no inertia.
bool rb_modes_factor(const RbTree *tree, int body, const RbKin *kin, RbDyn *dyn, ArtInertia *left);

// Forces on the modes before a sweep: tau (NULL: none), less what strain, damping and motion need.
void rb_modes_load(const RbTree *tree, int body, const RbKin *kin, const double *tau, bool moving,
                   RbDyn *dyn);
// The torque on the body that its deformation needs beyond that of a rigid one: 2 (tr Q' w - Q'T w) + ...
Vec3 rb_modes_torque(const RbTree *tree, int body, const RbKin *kin);
// The same with what the accelerations of the modes need: for the wrench through a joint, after a solve.
Vec3 rb_modes_whole_torque(const RbTree *tree, int body, const RbKin *kin);
// A body behind a frame passes p on to the flexible one.
void rb_modes_feel_wrench(const RbTree *tree, int body, const RbKin *kin, Wrench p, RbDyn *dyn);
// What the flexible body passes on, of p; C: its known acceleration.
Wrench rb_modes_inwards(const RbTree *tree, int body, const RbKin *kin, Wrench p, Motion C,
                        RbDyn *dyn);
// Accelerations of the modes and of their body, from that of the parent; and that of a frame by them.
void rb_modes_outwards(const RbTree *tree, int body, const RbKin *kin, Motion from_parent,
                       RbDyn *dyn, double *dv);
Motion rb_modes_motion(const RbTree *tree, int body, const RbKin *kin, const double *dv);

// How a frame or a flexible body moves per unit of mode a, about its own origin.
static inline const Motion *rb_modes_directions(const RbTree *tree, int body, const RbKin *kin) {
    const RbJoint *joint = rb_tree_joint(tree, body);
    return joint->modes > 0 ? kin->S + joint->v : kin->psi + joint->psi;
}

// tau += JT f on the modes: of a wrench on a body behind a frame, besides what it does as a wrench on the flexible body.
void rb_modes_add_forces(const RbTree *tree, int body, const RbKin *kin, Wrench f, double *tau);
