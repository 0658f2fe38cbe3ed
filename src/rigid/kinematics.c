// SPDX-License-Identifier: MIT
#include "rigid/modes.h"

RbKin rb_kin(const RbTree *tree, RbArena *arena) {
    RbKin kin = {rb_new_array(arena, RbBodyKin, tree->bodies.count),
                 rb_new_array(arena, Motion, tree->nv)};
    kin.psi = rb_new_array(arena, Motion, tree->psi_count);
    kin.modals = rb_new_array(arena, RbModalKin, tree->modals.count);
    for (int i = 0; i < tree->modals.count; i++) {
        int n = tree->modals.data[i].model->n;
        kin.modals[i] = (RbModalKin){rb_new_array(arena, double, n), rb_new_array(arena, double, n),
                                     rb_new_array(arena, double, n), rb_new_array(arena, Mat3, n)};
    }
    kin.bodies[0] = (RbBodyKin){.X = POSE_IDENTITY}; // the world stays
    return kin;
}

// R times the rotation about n by phi. Each row r of the product is the row of R turned back:
//     r cos + n (n.r) (1 - cos) - (n x r) sin,   and n.r is a component of R n.
static Mat3 turned(Mat3 R, Vec3 n, Vec3 Rn, double phi) {
    double c = cos(phi), s = sin(phi);
    Vec3 rest = v3_scale(1 - c, Rn);
    Vec3 x = v3_axpy(v3_axpy(v3_scale(c, R.x), rest.x, n), -s, v3_cross(n, R.x));
    Vec3 y = v3_axpy(v3_axpy(v3_scale(c, R.y), rest.y, n), -s, v3_cross(n, R.y));
    Vec3 z = v3_axpy(v3_axpy(v3_scale(c, R.z), rest.z, n), -s, v3_cross(n, R.z));
    return (Mat3){x, y, z};
}

static Motion rotated(Mat3 R, Motion a) {
    return (Motion){m3_mul_vec(R, a.w), m3_mul_vec(R, a.v)};
}

// Pose and directions of one body, given the joint frame in the world. Joints with one coordinate
// make up most machines, free ones most of everything else.
static void place(const RbJoint *joint, const double *q, Pose WF, Pose *X, Motion *S) {
    switch (joint->kind) {
        case RB_JOINT_FIXED: *X = WF; return;
        case RB_JOINT_REVOLUTE: {
            Vec3 n_W = m3_mul_vec(WF.R, joint->n);
            *X = (Pose){WF.r, turned(WF.R, joint->n, n_W, q[0])};
            S[0] = (Motion){n_W, V3_ZERO};
            return;
        }
        case RB_JOINT_PRISMATIC: {
            Vec3 n_W = m3_mul_vec(WF.R, joint->n);
            *X = (Pose){v3_axpy(WF.r, q[0], n_W), WF.R};
            S[0] = (Motion){V3_ZERO, n_W};
            return;
        }
        case RB_JOINT_FREE: {
            Mat3 columns = m3_transpose(WF.R);
            *X = pose_mul(WF, pose(v3_load(q), q_load(q + 3)));
            S[0].v = S[3].w = columns.x;
            S[1].v = S[4].w = columns.y;
            S[2].v = S[5].w = columns.z;
            for (int k = 0; k < 3; k++) S[k].w = S[3 + k].v = V3_ZERO;
            return;
        }
        default: break;
    }
    *X = pose_mul(WF, rb_joint_pose(joint, q));
    rb_joint_subspace(joint, q, S);
    for (int k = 0; k < rb_joint_v_count(joint->kind); k++) S[k] = rotated(WF.R, S[k]);
}

void rb_kin_places_in(const RbTree *tree, RbSpan span, const double *q, RbKin *kin) {
    for (int i = span.first; i < span.end; i++) {
        const RbTreeBody *body = &tree->bodies.data[i];
        const RbJoint *joint = &body->joint;
        if (joint->modal) {
            rb_modes_place(tree, i, q, kin);
            continue;
        }
        Pose WP = kin->bodies[body->parent].X;
        RbBodyKin *here = &kin->bodies[i];
        Pose WF = {pose_point(WP, joint->F.r), joint->turned ? m3_mul(WP.R, joint->F.R) : WP.R};
        place(joint, q + joint->q, WF, &here->X, kin->S + joint->v);
        here->d = v3_sub(here->X.r, WP.r);
    }
}

void rb_kin_positions_in(const RbTree *tree, RbSpan span, const double *q, RbKin *kin) {
    rb_kin_places_in(tree, span, q, kin);
    rb_kin_inertias_in(tree, span, kin);
}

void rb_kin_inertias_in(const RbTree *tree, RbSpan span, RbKin *kin) {
    for (int i = span.first; i < span.end; i++)
        kin->bodies[i].I = ri_rotate(kin->bodies[i].X.R, tree->bodies.data[i].inertia);
    for (int k = 0; k < tree->modals.count; k++) {
        int i = tree->modals.data[k].body;
        if (i >= span.first && i < span.end) kin->bodies[i].I = rb_modes_inertia(tree, i, kin);
    }
}

// The sum of the directions; those of a free joint move along three axes and then turn about them.
static Motion relative_velocity(const RbJoint *joint, const Motion *S, const double *v) {
    Motion rel = MOTION_ZERO;
    if (joint->kind == RB_JOINT_FREE) {
        for (int k = 0; k < 3; k++) {
            rel.v = v3_axpy(rel.v, v[k], S[k].v);
            rel.w = v3_axpy(rel.w, v[3 + k], S[3 + k].w);
        }
        return rel;
    }
    for (int k = 0; k < rb_joint_v_count(joint->kind); k++) rel = mo_axpy(rel, v[k], S[k]);
    return rel;
}

// v_B = v_P + w_P x d + v_rel, w_B = w_P + w_rel. The directions turn with the parent, so
// differentiation gives
//     a_B = a_P + z_P x d + w_P x (w_P x d) + 2 w_P x v_rel + S_v dv
//     z_B = z_P + w_P x w_rel + S_w dv
// (universal: the second direction also turns with the first angle)
void rb_kin_velocities_in(const RbTree *tree, RbSpan span, const double *v, RbKin *kin) {
    for (int i = span.first; i < span.end; i++) {
        const RbTreeBody *body = &tree->bodies.data[i];
        const RbJoint *joint = &body->joint;
        if (joint->modal) {
            rb_modes_move(tree, i, v, kin);
            continue;
        }
        const Motion *S = kin->S + joint->v;
        Motion P = kin->bodies[body->parent].V;
        Motion rel = relative_velocity(joint, S, v + joint->v);

        RbBodyKin *here = &kin->bodies[i];
        Vec3 swing = v3_cross(P.w, here->d);
        here->V = mo_add((Motion){P.w, v3_add(P.v, swing)}, rel);
        here->C.w = v3_cross(P.w, rel.w);
        here->C.v = v3_cross(P.w, v3_axpy(swing, 2, rel.v));
        if (joint->kind == RB_JOINT_UNIVERSAL) {
            double both = v[joint->v] * v[joint->v + 1];
            here->C.w = v3_axpy(here->C.w, both, v3_cross(S[0].w, S[1].w));
        }
    }
}

void rb_kin_mode_accelerations_in(const RbTree *tree, RbSpan span, const double *dv, RbKin *kin) {
    for (int k = 0; k < tree->modals.count; k++) {
        int i = tree->modals.data[k].body;
        const RbJoint *joint = rb_tree_joint(tree, i);
        for (int a = 0; i >= span.first && i < span.end && a < joint->modes; a++)
            kin->modals[k].a[a] = dv[joint->v + a];
    }
}

void rb_kin_accelerations_in(const RbTree *tree, RbSpan span, const double *dv, RbKin *kin) {
    rb_kin_mode_accelerations_in(tree, span, dv, kin);
    for (int i = span.first; i < span.end; i++) {
        const RbTreeBody *body = &tree->bodies.data[i];
        const RbJoint *joint = &body->joint;
        RbBodyKin *here = &kin->bodies[i];
        Motion A = mo_add(mo_shift(kin->bodies[body->parent].A, here->d), here->C);
        if (joint->modal) A = mo_add(A, rb_modes_motion(tree, i, kin, dv));
        for (int k = 0; k < rb_joint_v_count(joint->kind); k++) {
            A = mo_axpy(A, dv[joint->v + k], kin->S[joint->v + k]);
        }
        here->A = A;
    }
}

Pose rb_frame_pose(const RbKin *kin, RbFrame frame) {
    return pose_mul(kin->bodies[frame.body].X, frame.X_BF);
}

Motion rb_frame_velocity(const RbKin *kin, RbFrame frame) {
    const RbBodyKin *body = &kin->bodies[frame.body];
    return mo_shift(body->V, m3_mul_vec(body->X.R, frame.X_BF.r));
}

Motion rb_frame_acceleration(const RbKin *kin, RbFrame frame) {
    const RbBodyKin *body = &kin->bodies[frame.body];
    Vec3 r = m3_mul_vec(body->X.R, frame.X_BF.r), w = body->V.w;
    Motion A = mo_shift(body->A, r);
    A.v = v3_add(A.v, v3_cross(w, v3_cross(w, r)));
    return A;
}

double rb_kinetic_energy(const RbTree *tree, const RbKin *kin) {
    double sum = 0;
    for (int i = 1; i < tree->bodies.count; i++) {
        sum += ri_kinetic_energy(kin->bodies[i].I, kin->bodies[i].V);
    }
    for (int k = 0; k < tree->modals.count; k++)
        sum += rb_modes_kinetic_energy(tree, tree->modals.data[k].body, kin);
    return sum;
}

Wrench rb_momentum(const RbTree *tree, const RbKin *kin) {
    Wrench sum = WRENCH_ZERO;
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbBodyKin *here = &kin->bodies[i];
        sum = wr_add(sum, wr_shift(ri_mul(here->I, here->V), here->X.r));
    }
    for (int k = 0; k < tree->modals.count; k++)
        sum = wr_add(sum, rb_modes_momentum(tree, tree->modals.data[k].body, kin));
    return sum;
}
