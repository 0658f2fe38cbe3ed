// SPDX-License-Identifier: MIT
#include "rigid/tree.h"

#include "base/assert.h"

RbTree rb_tree(RbArena *arena) {
    RbTree tree = {0};
    RbJoint none = {.name = "world", .kind = RB_JOINT_FIXED, .F = POSE_IDENTITY};
    RbTreeBody world = {.name = "world", .parent = -1, .end = 1, .joint = none};
    rb_array_push(&tree.bodies, arena, world);
    return tree;
}

static bool is_identity(Mat3 R) {
    return v3_distance(R.x, v3(1, 0, 0)) == 0 && v3_distance(R.y, v3(0, 1, 0)) == 0 &&
           v3_distance(R.z, v3(0, 0, 1)) == 0;
}

int rb_tree_add(RbTree *tree, RbArena *arena, const char *name, int parent, RbJoint joint,
                RigidInertia inertia) {
    int index = tree->bodies.count;
    RB_ASSERT(parent >= 0 && parent < index && tree->bodies.data[parent].end == index);
    joint.q = tree->nq;
    joint.v = tree->nv;
    joint.turned = !is_identity(joint.F.R);
    tree->nq += rb_joint_q_count(joint.kind);
    tree->nv += rb_joint_v_count(joint.kind);
    RbTreeBody body = {name, parent, index + 1, joint, inertia};
    rb_array_push(&tree->bodies, arena, body);
    for (int i = parent; i >= 0; i = tree->bodies.data[i].parent)
        tree->bodies.data[i].end = index + 1;
    return index;
}

RbSpan rb_tree_branch(const RbTree *tree, int body) {
    while (tree->bodies.data[body].parent > 0) body = tree->bodies.data[body].parent;
    return (RbSpan){body, tree->bodies.data[body].end};
}

void rb_tree_rates_in(const RbTree *tree, RbSpan span, const double *q, const double *v,
                      double *dq) {
    for (int i = span.first; i < span.end; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        rb_joint_rates(joint, q + joint->q, v + joint->v, dq + joint->q);
    }
}

void rb_tree_advance_in(const RbTree *tree, RbSpan span, const double *v, double *dq, double *q) {
    rb_tree_rates_in(tree, span, q, v, dq);
    for (int i = span.first; i < span.end; i++) {
        const RbJoint *joint = rb_tree_joint(tree, i);
        int direct = rb_joint_direct_count(joint->kind), count = rb_joint_q_count(joint->kind);
        for (int k = 0; k < count; k++) q[joint->q + k] += dq[joint->q + k];
        if (count > direct) {
            double *Q = q + joint->q + direct;
            q_store(Q, q_unit(q_load(Q)));
        }
    }
}
