// SPDX-License-Identifier: MIT
// What goes through a joint: the bodies behind it need a wrench for their accelerations, and what does
// not act on them from elsewhere comes through the joint that carries them,
//     f_i = sum over the subtree k of i of (I_k A_k + bias_k - forces_k), shifted to the origin of i.
#include "multibody/sensing.h"
#include "rigid/modes.h"

static Wrench through_joint(const Mechanism *m, const MechanismWork *w, int body) {
    const RbTree *tree = &m->structure.tree;
    const RbBodyKin *here = &w->kin.bodies[body];
    Wrench sum = WRENCH_ZERO;
    for (int k = body; k < tree->bodies.data[body].end; k++) {
        const RbBodyKin *b = &w->kin.bodies[k];
        Wrench f = wr_add(ri_mul(b->I, b->A), ri_bias(b->I, b->V.w));
        f = wr_sub(f, w->forces[k]);
        if (rb_tree_joint(tree, k)->modes > 0)
            f.t = v3_add(f.t, rb_modes_whole_torque(tree, k, &w->kin));
        sum = wr_add(sum, wr_shift(f, v3_sub(b->X.r, here->X.r)));
    }
    return sum;
}

bool rb_mechanism_transmits(const Mechanism *m, const MechanismWork *w, int joint, Vec3 point_W,
                            Wrench *out) {
    const RbTree *tree = &m->structure.tree;
    int body = 1;
    while (body < tree->bodies.count && rb_tree_joint(tree, body)->object_joint != joint) body++;
    if (body == tree->bodies.count) return false;
    Wrench f = through_joint(m, w, body);
    f = wr_shift(f, v3_sub(w->kin.bodies[body].X.r, point_W));
    // The joint carries its first object if it was drawn towards the world.
    bool reversed = m->structure.frame[m->change.arrangement.joints[joint].b].body != body;
    *out = reversed ? wr_sub(WRENCH_ZERO, f) : f;
    return true;
}

CutValues rb_members_cut(const Mechanism *m, const MechanismWork *w, int member, RbFrame at,
                         RbFrame axes) {
    Vec3 point = rb_frame_pose(&w->kin, at).r;
    Mat3 R = rb_frame_pose(&w->kin, axes).R;
    Wrench f = WRENCH_ZERO;
    rb_mechanism_transmits(m, w, m->members->joint_of[member], point, &f);
    return (CutValues){m3_tmul_vec(R, f.f), m3_tmul_vec(R, f.t),
                       wr_power(f, rb_frame_velocity(&w->kin, at))};
}
