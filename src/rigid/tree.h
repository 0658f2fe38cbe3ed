// SPDX-License-Identifier: MIT
// tree.h: bodies connected by joints, ready for the recursions. Constant while a segment lasts; the
// state is elsewhere.
//
// Bodies stand in depth-first order: a parent before its children, and a subtree without gaps. Body
// 0 is the world. The frame B of a body is where its joint places it; its inertia refers to that
// frame.
//
//     RbTree tree = rb_tree(arena);
//     RbJoint hinge = {.name = "hinge", .kind = RB_JOINT_REVOLUTE, .F = POSE_IDENTITY, .n = n};
//     rb_tree_add(&tree, arena, "rod", 0, hinge, ri_from_com(1, v3(0.5, 0, 0), I));
#pragma once

#include "base/diag.h"
#include "flexible/modal.h"
#include "rigid/joint.h"

typedef struct RbTreeBody {
    const char *name;
    int parent; // < own index; world: -1
    int end;    // one past the last body of the subtree
    RbJoint joint;
    RigidInertia inertia; // in frame B
} RbTreeBody;

// A flexible body: the frame of its tree body is its mean frame. Around it stand tree bodies without
// mass, one per frame of it that is used: the one on the way to the world carries it, the others hang on it.
typedef struct RbTreeModal {
    const RbModalBody *model;
    int body;         // of the tree
    const Mat3 *P1;   // n x n: P_ba + w_ba at b n + a
    const Vec3 *gyro; // n x n: axial vector of P_ba, likewise
    const Vec3 *bend; // n x n: that of w_ba; NULL: 0
} RbTreeModal;

typedef struct RbTree {
    RB_ARRAY(RbTreeBody) bodies;
    RB_ARRAY(RbTreeModal) modals;
    int psi_count; // directions of frames per mode
    int nq, nv;    // lengths of the vectors of coordinates and speeds
} RbTree;

RbTree rb_tree(RbArena *arena);

// Append a body and answer its index. The joint's offsets are set here; its axes must be unit
// vectors. The parent must be the newest body or one of its ancestors, which keeps subtrees
// together.
int rb_tree_add(RbTree *tree, RbArena *arena, const char *name, int parent, RbJoint joint,
                RigidInertia inertia);

// Append a flexible body whose frame `frame` is that of its parent, and a body that follows another frame of it.
int rb_tree_add_modal(RbTree *tree, RbArena *arena, const char *name, int parent, RbJoint joint,
                      const RbModalBody *model, int frame);
int rb_tree_add_modal_frame(RbTree *tree, RbArena *arena, const char *name, int parent,
                            RbJoint joint, int frame);

static inline const RbJoint *rb_tree_joint(const RbTree *tree, int body) {
    return &tree->bodies.data[body].joint;
}

// A run of bodies that contains whole branches: what hangs on the world by one joint. Branches do
// not know of each other, so functions with _in in their name work on some of them alone (islands);
// the others always on all.
typedef struct RbSpan {
    int first, end;
} RbSpan;

static inline RbSpan rb_tree_span(const RbTree *tree) {
    return (RbSpan){1, tree->bodies.count};
}

// The branch that a body is part of (not of the world).
RbSpan rb_tree_branch(const RbTree *tree, int body);

// dq/dt from coordinates and speeds.
void rb_tree_rates_in(const RbTree *tree, RbSpan span, const double *q, const double *v,
                      double *dq);
// Move along constant speeds for unit time; quaternions keep their length. dq: room.
void rb_tree_advance_in(const RbTree *tree, RbSpan span, const double *v, double *dq, double *q);
static inline void rb_tree_rates(const RbTree *tree, const double *q, const double *v, double *dq) {
    rb_tree_rates_in(tree, rb_tree_span(tree), q, v, dq);
}
