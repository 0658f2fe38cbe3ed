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
    tree->nq += rb_joint_nq(&joint);
    tree->nv += rb_joint_nv(&joint);
    RbTreeBody body = {name, parent, index + 1, joint, inertia};
    rb_array_push(&tree->bodies, arena, body);
    for (int i = parent; i >= 0; i = tree->bodies.data[i].parent)
        tree->bodies.data[i].end = index + 1;
    return index;
}

// ---- flexible bodies

static Mat3 load_matrix(const double *a) {
    return (Mat3){v3_load(a), v3_load(a + 3), v3_load(a + 6)};
}

// Sums that the recursions need of a model, by rows of b.
static RbTreeModal prepare(const RbModalBody *model, int body, RbArena *arena) {
    int n = model->n;
    Mat3 *P1 = rb_new_array(arena, Mat3, n * n);
    Vec3 *gyro = rb_new_array(arena, Vec3, n * n), *bend = NULL;
    if (model->w) bend = rb_new_array(arena, Vec3, n * n);
    for (int i = 0; i < n * n; i++) {
        P1[i] = load_matrix(model->P + 9 * i);
        gyro[i] = m3_axial(P1[i]);
        if (!model->w) continue;
        Mat3 w = load_matrix(model->w + 9 * i);
        bend[i] = m3_axial(w);
        P1[i] = m3_add(P1[i], w);
    }
    return (RbTreeModal){model, body, P1, gyro, bend};
}

int rb_tree_add_modal(RbTree *tree, RbArena *arena, const char *name, int parent, RbJoint joint,
                      const RbModalBody *model, int frame) {
    Mat3 P = model->P00;
    RigidInertia rigid = {.m = model->mass,
                          .I = s3_from_matrix(m3_sub(m3_scale(m3_trace(P), M3_IDENTITY), P))};
    joint.kind = RB_JOINT_FIXED;
    joint.modal = tree->modals.count + 1;
    joint.modes = model->n;
    joint.frame = frame;
    rb_array_push(&tree->modals, arena, prepare(model, tree->bodies.count, arena));
    return rb_tree_add(tree, arena, name, parent, joint, rigid);
}

int rb_tree_add_modal_frame(RbTree *tree, RbArena *arena, const char *name, int parent,
                            RbJoint joint, int frame) {
    const RbJoint *into = rb_tree_joint(tree, parent);
    joint.kind = RB_JOINT_FIXED;
    joint.modal = into->modal;
    joint.frame = frame;
    joint.psi = tree->psi_count;
    tree->psi_count += into->modes;
    return rb_tree_add(tree, arena, name, parent, joint, (RigidInertia){0});
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
        int direct = rb_joint_ndirect(joint), count = rb_joint_nq(joint);
        for (int k = 0; k < count; k++) q[joint->q + k] += dq[joint->q + k];
        if (count > direct) {
            double *Q = q + joint->q + direct;
            q_store(Q, q_unit(q_load(Q)));
        }
    }
}
