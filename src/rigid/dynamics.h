// SPDX-License-Identifier: MIT
// dynamics.h: accelerations from forces in O(n) by articulated bodies, with joints that are free,
// locked or prescribed, and the affine function that drive trains see (docs/theory/multibody.md,
// sections 5 and 6).
//
//     rb_kin_positions(&tree, q, &kin);
//     rb_dyn_factor(&tree, &kin, modes, &dyn); // depends on positions and modes only
//     rb_kin_velocities(&tree, v, &kin);
//     rb_dyn_solve(&tree, &kin, modes, tau, forces, &dyn, dv); // dv, and accelerations in kin
//
// `modes` has one entry per body (NULL: all free). In `dv` the entries of prescribed joints are
// input. `tau` (per speed) and `forces` (per body, world components, about the origin of its frame)
// may be NULL for none. Nothing is allocated after rb_dyn. With inertias in dyn.added the system
// is (M + diag(added)) dv = tau - h, at the same cost.
#pragma once

#include "rigid/kinematics.h"

typedef struct RbBodyDyn {
    ArtInertia IA; // inertia of the subtree, free joints yielding
    Wrench P;      // wrench of the subtree at rest: bias minus forces
    Motion A;
    Motion rel;    // free joint: acceleration relative to the parent if that stood still
    double l[3];   // joints with two or three speeds: factor L of D = L D' LT, entries 10, 20, 21
    Sym3Factor Cf; // free joint: factors of C and of A - B C^-1 BT
    Sym3Factor Schur;
} RbBodyDyn;

// The modes of a flexible body, see modes.c.
typedef struct RbModalDyn {
    double *D; // n x n: Cholesky factor of their inertia, lower triangle
    Wrench *G; // per mode: wrench on the body at unit acceleration
    double *f; // per mode: force
} RbModalDyn;

typedef struct RbDyn {
    RbBodyDyn *bodies;
    Wrench *U;          // per speed: L^-1 IA S
    double *D, *u;      // per speed: pivots, reduced forces
    double *dv, *tau;   // per speed: work of the affine function
    const double *added; // per speed: inertia that its joint moves besides (a rotor); NULL: none
    RbJointMode *modes; // per body: with the joints of the equations prescribed
    int *driven;        // speeds of joints owned by the equations
    int driven_count;
    RbModalDyn *modals; // per flexible body
} RbDyn;

RbDyn rb_dyn(const RbTree *tree, RbArena *arena);

// Articulated inertias. Answers 0, or the index of a body whose joint moves nothing that has
// inertia in one of its directions.
int rb_dyn_factor_in(const RbTree *tree, RbSpan span, const RbKin *kin, const RbJointMode *modes,
                     RbDyn *dyn);
static inline int rb_dyn_factor(const RbTree *tree, const RbKin *kin, const RbJointMode *modes,
                                RbDyn *dyn) {
    return rb_dyn_factor_in(tree, rb_tree_span(tree), kin, modes, dyn);
}

void rb_dyn_solve_in(const RbTree *tree, RbSpan span, RbKin *kin, const RbJointMode *modes,
                     const double *tau, const Wrench *forces, RbDyn *dyn, double *dv);
static inline void rb_dyn_solve(const RbTree *tree, RbKin *kin, const RbJointMode *modes,
                                const double *tau, const Wrench *forces, RbDyn *dyn, double *dv) {
    rb_dyn_solve_in(tree, rb_tree_span(tree), kin, modes, tau, forces, dyn, dv);
}

// As rb_dyn_solve at rest without forces: M dv = tau. Also for impulses and jumps of speed. Leaves
// kin alone.
void rb_dyn_solve_at_rest_in(const RbTree *tree, RbSpan span, const RbKin *kin,
                             const RbJointMode *modes, const double *tau, RbDyn *dyn, double *dv);
static inline void rb_dyn_solve_at_rest(const RbTree *tree, const RbKin *kin,
                                        const RbJointMode *modes, const double *tau, RbDyn *dyn,
                                        double *dv) {
    rb_dyn_solve_at_rest_in(tree, rb_tree_span(tree), kin, modes, tau, dyn, dv);
}

// The same for one wrench on one body (about its origin) alone: M dv = JT f.
void rb_dyn_response_in(const RbTree *tree, RbSpan span, const RbKin *kin, const RbJointMode *modes,
                        int body, Wrench f, RbDyn *dyn, double *dv);

// The same for wrenches on all bodies of the span.
void rb_dyn_responses_in(const RbTree *tree, RbSpan span, const RbKin *kin, const RbJointMode *modes,
                         const Wrench *forces, RbDyn *dyn, double *dv);

// Accelerations of the bodies from those of their joints, at rest: dyn->bodies[].A.
void rb_dyn_spread_in(const RbTree *tree, RbSpan span, const RbKin *kin, const double *dv,
                      RbDyn *dyn);

// A wrench on a body, about its origin.
typedef struct RbPush {
    int body;
    Wrench f;
} RbPush;

// Bodies in ascending order.
typedef struct RbBodyList {
    const int *bodies;
    int count;
} RbBodyList;

// M^-1 between wrenches, without the accelerations of anything: of two sets f and h of them on bodies
// JfT M^-1 Jh = u_f . w_h, the sum over the speeds of the joints on both paths. A path holds the pushed
// bodies and all between them and the world, or free motion, which passes on nothing. u and w: per speed
// of the path, in its order.
void rb_dyn_reduce(const RbTree *tree, RbBodyList path, const RbKin *kin, const RbJointMode *modes,
                   const RbPush *pushes, int push_count, RbDyn *dyn, double *u, double *w);

// Generalised forces of all joints after a solve: what holds the locked and drives the prescribed
// ones.
void rb_dyn_joint_forces_in(const RbTree *tree, RbSpan span, const RbKin *kin, const RbDyn *dyn,
                            double *tau);
static inline void rb_dyn_joint_forces(const RbTree *tree, const RbKin *kin, const RbDyn *dyn,
                                       double *tau) {
    rb_dyn_joint_forces_in(tree, rb_tree_span(tree), kin, dyn, tau);
}

// What the equations see of their joints: tau_e = M dv_e + h, where all other joints follow their
// own forces (with a floating base this is the Schur complement). M is driven_count x driven_count
// by rows; `dv` holds the accelerations of other prescribed joints. Answers as rb_dyn_factor.
int rb_dyn_affine_in(const RbTree *tree, RbSpan span, RbKin *kin, const RbJointMode *modes,
                     const double *tau, const Wrench *forces, RbDyn *dyn, const double *dv,
                     double *M, double *h); // rows of joints in the span
static inline int rb_dyn_affine(const RbTree *tree, RbKin *kin, const RbJointMode *modes,
                                const double *tau, const Wrench *forces, RbDyn *dyn,
                                const double *dv, double *M, double *h) {
    return rb_dyn_affine_in(tree, rb_tree_span(tree), kin, modes, tau, forces, dyn, dv, M, h);
}

// All accelerations once dv holds those of the joints of the equations. Follows rb_dyn_affine with
// the same arguments.
void rb_dyn_affine_finish_in(const RbTree *tree, RbSpan span, RbKin *kin, const double *tau,
                             const Wrench *forces, RbDyn *dyn, double *dv);
static inline void rb_dyn_affine_finish(const RbTree *tree, RbKin *kin, const double *tau,
                                        const Wrench *forces, RbDyn *dyn, double *dv) {
    rb_dyn_affine_finish_in(tree, rb_tree_span(tree), kin, tau, forces, dyn, dv);
}

// Every joint can be accelerated by a force from these positions; otherwise a message names joint
// and bodies. prescribed: those that equations move need not be, since these may know of an inertia behind.
RbStatus rb_dyn_check(const RbTree *tree, const double *q, bool prescribed, RbArena scratch,
                      RbDiag *diag);

// The body of a joint that cannot be, 0: there is none.
int rb_dyn_find_massless(const RbTree *tree, const double *q, bool prescribed, RbArena scratch);
