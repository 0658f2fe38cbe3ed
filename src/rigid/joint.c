// SPDX-License-Identifier: MIT
#include "rigid/joint.h"

// ORDER joint kinds
static const struct {
    const char *name;
    int q, v;
} kinds[RB_JOINT_KIND_COUNT] = {
    {"fixed", 0, 0},  {"revolute", 1, 1},  {"prismatic", 1, 1}, {"cylindrical", 2, 2},
    {"planar", 3, 3}, {"universal", 2, 2}, {"spherical", 4, 3}, {"free", 7, 6},
};

const char *rb_joint_kind_name(RbJointKind kind) {
    return kinds[kind].name;
}
int rb_joint_q_count(RbJointKind kind) {
    return kinds[kind].q;
}
int rb_joint_v_count(RbJointKind kind) {
    return kinds[kind].v;
}

int rb_joint_direct_count(RbJointKind kind) {
    return kind == RB_JOINT_SPHERICAL ? 0 : kind == RB_JOINT_FREE ? 3 : kinds[kind].q;
}

// ORDER joint kinds
static const RbLabel q_labels[RB_JOINT_KIND_COUNT][RB_JOINT_MAX_Q] = {
    {{0}},
    {{"phi", "rad"}},
    {{"s", "m"}},
    {{"s", "m"}, {"phi", "rad"}},
    {{"s[1]", "m"}, {"s[2]", "m"}, {"phi", "rad"}},
    {{"phi[1]", "rad"}, {"phi[2]", "rad"}},
    {{"q[1]", "1"}, {"q[2]", "1"}, {"q[3]", "1"}, {"q[4]", "1"}},
    {{"r[1]", "m"},
     {"r[2]", "m"},
     {"r[3]", "m"},
     {"q[1]", "1"},
     {"q[2]", "1"},
     {"q[3]", "1"},
     {"q[4]", "1"}},
};
static const RbLabel v_labels[RB_JOINT_KIND_COUNT][RB_JOINT_MAX_V] = {
    {{0}},
    {{"w", "rad/s"}},
    {{"v", "m/s"}},
    {{"v", "m/s"}, {"w", "rad/s"}},
    {{"v[1]", "m/s"}, {"v[2]", "m/s"}, {"w", "rad/s"}},
    {{"w[1]", "rad/s"}, {"w[2]", "rad/s"}},
    {{"w[1]", "rad/s"}, {"w[2]", "rad/s"}, {"w[3]", "rad/s"}},
    {{"v[1]", "m/s"},
     {"v[2]", "m/s"},
     {"v[3]", "m/s"},
     {"w[1]", "rad/s"},
     {"w[2]", "rad/s"},
     {"w[3]", "rad/s"}},
};

RbLabel rb_joint_q_label(RbJointKind kind, int i) {
    return q_labels[kind][i];
}
RbLabel rb_joint_v_label(RbJointKind kind, int i) {
    return v_labels[kind][i];
}

void rb_joint_home(RbJointKind kind, double *q) {
    for (int i = 0; i < kinds[kind].q; i++) q[i] = 0;
    if (kind == RB_JOINT_SPHERICAL) q[0] = 1;
    if (kind == RB_JOINT_FREE) q[3] = 1;
}

Pose rb_joint_pose(const RbJoint *j, const double *q) {
    switch (j->kind) {
        case RB_JOINT_REVOLUTE: return (Pose){V3_ZERO, m3_rotation(j->n, q[0])};
        case RB_JOINT_PRISMATIC: return (Pose){v3_scale(q[0], j->n), M3_IDENTITY};
        case RB_JOINT_CYLINDRICAL: return (Pose){v3_scale(q[0], j->n), m3_rotation(j->n, q[1])};
        case RB_JOINT_PLANAR: {
            Vec3 r = v3_axpy(v3_scale(q[0], j->n2), q[1], v3_cross(j->n, j->n2));
            return (Pose){r, m3_rotation(j->n, q[2])};
        }
        case RB_JOINT_UNIVERSAL:
            return (Pose){V3_ZERO, m3_mul(m3_rotation(j->n, q[0]), m3_rotation(j->n2, q[1]))};
        case RB_JOINT_SPHERICAL: return pose(V3_ZERO, q_load(q));
        case RB_JOINT_FREE: return pose(v3_load(q), q_load(q + 3));
        default: return POSE_IDENTITY;
    }
}

void rb_joint_subspace(const RbJoint *j, const double *q, Motion *S) {
    const Motion along = {V3_ZERO, j->n}, about = {j->n, V3_ZERO};
    switch (j->kind) {
        case RB_JOINT_REVOLUTE: S[0] = about; break;
        case RB_JOINT_PRISMATIC: S[0] = along; break;
        case RB_JOINT_CYLINDRICAL:
            S[0] = along;
            S[1] = about;
            break;
        case RB_JOINT_PLANAR:
            S[0] = (Motion){V3_ZERO, j->n2};
            S[1] = (Motion){V3_ZERO, v3_cross(j->n, j->n2)};
            S[2] = about;
            break;
        case RB_JOINT_UNIVERSAL:
            S[0] = about;
            S[1] = (Motion){m3_mul_vec(m3_rotation(j->n, q[0]), j->n2), V3_ZERO};
            break;
        case RB_JOINT_SPHERICAL:
            for (int i = 0; i < 3; i++) S[i] = (Motion){v3_axis(i), V3_ZERO};
            break;
        case RB_JOINT_FREE:
            for (int i = 0; i < 3; i++) {
                S[i] = (Motion){V3_ZERO, v3_axis(i)};
                S[3 + i] = (Motion){v3_axis(i), V3_ZERO};
            }
            break;
        default: break;
    }
}

// The derivative of a quaternion that turns with w in the outer frame, and the pull to length one.
// Since every user of q divides by its length, the pull changes no orientation.
static void quaternion_rate(const double *p, const double *speeds, double *rate) {
    Quat q = q_load(p);
    Vec3 w = v3_load(speeds);
    Quat turn = q_mul((Quat){0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z}, q);
    double pull = v3_norm(w) * (1 - q_norm2(q));
    q_store(rate, (Quat){turn.w + pull * q.w, turn.x + pull * q.x, turn.y + pull * q.y,
                         turn.z + pull * q.z});
}

void rb_joint_rates(const RbJoint *j, const double *q, const double *v, double *dq) {
    if (j->kind == RB_JOINT_SPHERICAL) {
        quaternion_rate(q, v, dq);
    } else if (j->kind == RB_JOINT_FREE) {
        for (int i = 0; i < 3; i++) dq[i] = v[i];
        quaternion_rate(q + 3, v + 3, dq + 3);
    } else {
        for (int i = 0; i < kinds[j->kind].q; i++) dq[i] = v[i];
    }
}

// Rotations and shifts along one axis have the axis in common, so the inverse is the same joint
// with the axis turned round. The inverse of a universal joint turns about n2 first and about n
// second; its coordinates would change places, so it is refused too.
bool rb_joint_reverse(RbJoint *j) {
    switch (j->kind) {
        case RB_JOINT_FIXED: return true;
        case RB_JOINT_REVOLUTE:
        case RB_JOINT_PRISMATIC:
        case RB_JOINT_CYLINDRICAL: j->n = v3_neg(j->n); return true;
        default: return false;
    }
}
