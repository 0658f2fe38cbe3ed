// SPDX-License-Identifier: MIT
// joint.h: the joints: how many coordinates they have, how these place the child frame B in the
// joint frame F of the parent, and along which directions the child may move
// (docs/theory/multibody.md, section 3).
//
//     kind         coordinates q               speeds v                  axes
//     fixed        -                           -                         -
//     revolute     phi [rad]                   dphi/dt                   n
//     prismatic    s [m]                       ds/dt                     n
//     cylindrical  s [m], phi [rad]            their rates               n
//     planar       s1, s2 [m], phi [rad]       their rates               n normal, n2 along s1
//     universal    phi1, phi2 [rad]            their rates               n fixed in F, n2 in B
//     spherical    quaternion q_FB             w [rad/s] in F            -
//     free         r [m] in F, q_FB            v [m/s], w [rad/s] in F   -
//
// Speeds of spherical and free joints are resolved in F and not in the body: a ball that rolls then
// has slowly varying speeds, and its motion does not depend on how it is turned.
#pragma once

#include <stdbool.h>

#include "math/spatial.h"
#include "rattleback/base.h"

// ORDER joint kinds: tables in joint.c
typedef enum RbJointKind {
    RB_JOINT_FIXED,
    RB_JOINT_REVOLUTE,
    RB_JOINT_PRISMATIC,
    RB_JOINT_CYLINDRICAL,
    RB_JOINT_PLANAR,
    RB_JOINT_UNIVERSAL,
    RB_JOINT_SPHERICAL,
    RB_JOINT_FREE,
    RB_JOINT_KIND_COUNT,
} RbJointKind;

// Who holds the coordinates: the component (variant states: they may come and go at events), or the
// sorted equations (invariant states: a flange is connected to them and the equations solve for
// their accelerations), or equations that know the inertia too: pose and velocity come in, forces go
// out, and nothing here is accelerated by them.
typedef enum RbJointOwner {
    RB_OWNED_BY_COMPONENT,
    RB_OWNED_BY_EQUATIONS,
    RB_OWNED_BY_INPUTS
} RbJointOwner;

// What determines the accelerations of a joint at the moment; changes at events only.
typedef enum RbJointMode {
    RB_MODE_FREE,       // forces
    RB_MODE_LOCKED,     // they are zero
    RB_MODE_PRESCRIBED, // they are given
} RbJointMode;

enum { RB_JOINT_MAX_Q = 7, RB_JOINT_MAX_V = 6 };

typedef struct RbJoint {
    const char *name;
    RbPos at; // where the user defined it
    RbJointKind kind;
    RbJointOwner owner;
    Pose F;      // X_PF: joint frame in the frame of the parent body
    Vec3 n, n2;  // unit vectors in F (universal: n2 in B)
    int q, v;    // where its coordinates and speeds start in the vectors of the tree
    bool turned;      // F is turned against the parent; set by rb_tree_add
    bool reexpressed; // drawn towards the world: its coordinates describe a in b
    int object_joint; // of the objects, -1: an attachment
    // Into a flexible body through one of its frames, or out of it through another: a fixed joint
    // whose place and motion follow from the modes (modes.h).
    int modal; // 1 + number of the flexible body in the tree; 0: none
    int frame; // of the flexible body
    int modes; // into it: so many coordinates and speeds, those of the modes; out of it: 0
    int psi;   // out of it: where its directions per mode start in RbKin.psi
} RbJoint;

const char *rb_joint_kind_name(RbJointKind kind);
int rb_joint_q_count(RbJointKind kind);
int rb_joint_v_count(RbJointKind kind);

// Coordinates that are no quaternion: their rates are the speeds of the same number.
int rb_joint_direct_count(RbJointKind kind);

// The same for a joint, modes included.
static inline int rb_joint_nq(const RbJoint *joint) {
    return rb_joint_q_count(joint->kind) + joint->modes;
}
static inline int rb_joint_nv(const RbJoint *joint) {
    return rb_joint_v_count(joint->kind) + joint->modes;
}
static inline int rb_joint_ndirect(const RbJoint *joint) {
    return rb_joint_direct_count(joint->kind) + joint->modes;
}

// Names and units of coordinate and speed i, for results and messages: "phi" in "rad".
typedef struct RbLabel {
    const char *name, *unit;
} RbLabel;
RbLabel rb_joint_q_label(RbJointKind kind, int i);
RbLabel rb_joint_v_label(RbJointKind kind, int i);

// Does speed k move points along, and not turn them? Amplitudes of modes do.
static inline bool rb_joint_is_length(const RbJoint *joint, int k) {
    return joint->modes > 0 || rb_joint_v_label(joint->kind, k).unit[0] == 'm';
}

// Zero, or the identity quaternion: the child frame coincides with F.
void rb_joint_home(RbJointKind kind, double *q);

// X_FB
Pose rb_joint_pose(const RbJoint *joint, const double *q);

// Directions of motion at q: column k is the motion of B in F at unit speed v[k], components in F,
// about the origin of B.
void rb_joint_subspace(const RbJoint *joint, const double *q, Motion *S_F);

// dq/dt. Quaternions get a term along themselves that pulls their length to one, at the rate of the
// turning itself, so that the integrator's error control covers the length and no step size is
// imposed: dq/dt = 1/2 (0, w) q + |w| (1 - q.q) q.
void rb_joint_rates(const RbJoint *joint, const double *q, const double *v, double *dq);

// The same joint seen from its other end. Coordinates and speeds of joints with one axis keep their
// meaning (the axis changes sign); others are re-expressed: `reexpressed` is set, and
// rb_joint_reverse_coordinates converts.
void rb_joint_reverse(RbJoint *joint);

// Coordinates and speeds of a joint that was reversed from those of the original, or back.
void rb_joint_reverse_coordinates(const RbJoint *reversed, double *q, double *v);

// Coordinates at which B is at X_FB, if the joint can bring it there. q holds a guess, which decides
// between angles that differ by full turns.
void rb_joint_coordinates(const RbJoint *joint, Pose X_FB, double *q);
