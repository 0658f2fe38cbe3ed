// SPDX-License-Identifier: MIT
#include "rigid/inverse.h"

#include <string.h>

RbInverse rb_inverse(const RbTree *tree, RbArena *arena) {
    return (RbInverse){rb_new_array(arena, Wrench, tree->bodies.count),
                       rb_new_array(arena, RigidInertia, tree->bodies.count)};
}

void rb_inverse_dynamics(const RbTree *tree, const RbKin *kin, const Wrench *forces,
                         RbInverse *work, double *tau) {
    int n = tree->bodies.count;
    for (int i = 0; i < n; i++) {
        const RbBodyKin *here = &kin->bodies[i];
        Wrench inertial = wr_add(ri_mul(here->I, here->A), ri_bias(here->I, here->V.w));
        work->wrench[i] = forces ? wr_sub(inertial, forces[i]) : inertial;
    }
    for (int i = n - 1; i > 0; i--) {
        const RbTreeBody *body = &tree->bodies.data[i];
        for (int k = 0; k < rb_joint_v_count(body->joint.kind); k++) {
            tau[body->joint.v + k] = wr_power(work->wrench[i], kin->S[body->joint.v + k]);
        }
        Wrench *parent = &work->wrench[body->parent];
        *parent = wr_add(*parent, wr_shift(work->wrench[i], kin->bodies[i].d));
    }
}

void rb_bias_forces(const RbTree *tree, RbKin *kin, const Wrench *forces, RbInverse *work,
                    double *h) {
    for (int i = 1; i < tree->bodies.count; i++) {
        RbBodyKin *here = &kin->bodies[i];
        here->A = mo_add(mo_shift(kin->bodies[tree->bodies.data[i].parent].A, here->d), here->C);
    }
    rb_inverse_dynamics(tree, kin, forces, work, h);
}

// Row and column of speed k of body i: the wrench that moves its subtree, felt by its own joint and
// by all joints below.
static void fill(const RbTree *tree, const RbKin *kin, int i, int k, Wrench f, double *M) {
    int nv = tree->nv;
    for (int j = i; j > 0; j = tree->bodies.data[j].parent) {
        const RbJoint *joint = rb_tree_joint(tree, j);
        for (int l = joint->v; l < joint->v + rb_joint_v_count(joint->kind); l++) {
            M[k * nv + l] = M[l * nv + k] = wr_power(f, kin->S[l]);
        }
        f = wr_shift(f, kin->bodies[j].d);
    }
}

void rb_mass_matrix(const RbTree *tree, const RbKin *kin, RbInverse *work, double *M) {
    int n = tree->bodies.count;
    memset(M, 0, sizeof(double) * (size_t)tree->nv * (size_t)tree->nv);
    for (int i = 0; i < n; i++) work->whole[i] = kin->bodies[i].I;
    for (int i = n - 1; i > 0; i--) {
        const RbTreeBody *body = &tree->bodies.data[i];
        for (int k = body->joint.v; k < body->joint.v + rb_joint_v_count(body->joint.kind); k++) {
            fill(tree, kin, i, k, ri_mul(work->whole[i], kin->S[k]), M);
        }
        RigidInertia *parent = &work->whole[body->parent];
        *parent = ri_add(*parent, ri_shift(work->whole[i], kin->bodies[i].d));
    }
}
