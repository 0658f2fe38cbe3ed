// SPDX-License-Identifier: MIT
#include "rigid/joint.h"

#include <math.h>

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
        for (int i = 0; i < rb_joint_nq(j); i++) dq[i] = v[i];
    }
}

void rb_joint_reverse(RbJoint *j) {
    Vec3 n = j->n;
    switch (j->kind) {
        // One axis in common: the inverse is the same joint with the axis turned round.
        case RB_JOINT_REVOLUTE:
        case RB_JOINT_PRISMATIC:
        case RB_JOINT_CYLINDRICAL: j->n = v3_neg(n); return;
        // The inverse turns about n2 first and about n second.
        case RB_JOINT_UNIVERSAL:
            j->n = v3_neg(j->n2);
            j->n2 = v3_neg(n);
            j->reexpressed = true;
            return;
        case RB_JOINT_PLANAR:
        case RB_JOINT_SPHERICAL:
        case RB_JOINT_FREE: j->reexpressed = true; return;
        case RB_JOINT_FIXED:
        case RB_JOINT_KIND_COUNT: return;
    }
}

static void swap(double *a) {
    double first = a[0];
    a[0] = a[1];
    a[1] = first;
}

// s = s1 n2 + s2 n x n2 in a plane, as seen from the other side: -R(-phi) s.
static void seen_back(double phi, const double *s, double *out) {
    double c = cos(phi), d = sin(phi);
    out[0] = -(c * s[0] + d * s[1]);
    out[1] = -(c * s[1] - d * s[0]);
}

static void reverse_planar(double *q, double *v) {
    double s[2], ds[2];
    seen_back(q[2], q, s);
    seen_back(q[2], v, ds);
    q[0] = s[0], q[1] = s[1], q[2] = -q[2];
    v[0] = ds[0] + v[2] * s[1];
    v[1] = ds[1] - v[2] * s[0];
    v[2] = -v[2];
}

void rb_joint_reverse_coordinates(const RbJoint *j, double *q, double *v) {
    if (!j->reexpressed) return;
    if (j->kind == RB_JOINT_UNIVERSAL) {
        swap(q);
        swap(v);
        return;
    }
    if (j->kind == RB_JOINT_PLANAR) {
        reverse_planar(q, v);
        return;
    }
    bool free = j->kind == RB_JOINT_FREE;
    double *turn = q + (free ? 3 : 0), *spin = v + (free ? 3 : 0);
    Quat Q = q_unit(q_load(turn));
    Vec3 w = v3_load(spin);
    if (free) {
        Vec3 r = v3_load(q), speed = v3_sub(v3_cross(w, r), v3_load(v));
        v3_store(q, v3_neg(q_unrotate(Q, r)));
        v3_store(v, q_unrotate(Q, speed));
    }
    q_store(turn, q_conj(Q));
    v3_store(spin, v3_neg(q_unrotate(Q, w)));
}

// The angle near a guess by which t is turned about n.
static double angle_about(Vec3 n, Vec3 t, Vec3 turned, double guess) {
    double phi = atan2(v3_dot(turned, v3_cross(n, t)), v3_dot(turned, t));
    return phi + 2 * M_PI * round((guess - phi) / (2 * M_PI));
}

void rb_joint_coordinates(const RbJoint *j, Pose X, double *q) {
    Vec3 n = j->n, t = v3_perpendicular(n), turned = m3_mul_vec(X.R, t);
    switch (j->kind) {
        case RB_JOINT_REVOLUTE: q[0] = angle_about(n, t, turned, q[0]); return;
        case RB_JOINT_PRISMATIC: q[0] = v3_dot(n, X.r); return;
        case RB_JOINT_CYLINDRICAL:
            q[0] = v3_dot(n, X.r);
            q[1] = angle_about(n, t, turned, q[1]);
            return;
        case RB_JOINT_PLANAR:
            q[0] = v3_dot(j->n2, X.r);
            q[1] = v3_dot(v3_cross(n, j->n2), X.r);
            q[2] = angle_about(n, t, turned, q[2]);
            return;
        case RB_JOINT_UNIVERSAL: {
            // R n2 = R(n, q0) n2, and RT n = R(n2, -q1) n.
            Vec3 a = m3_mul_vec(X.R, j->n2), b = m3_tmul_vec(X.R, n);
            Vec3 across = v3_unit(v3_axpy(j->n2, -v3_dot(n, j->n2), n));
            Vec3 other = v3_unit(v3_axpy(n, -v3_dot(n, j->n2), j->n2));
            q[0] = angle_about(n, across, v3_axpy(a, -v3_dot(n, a), n), q[0]);
            q[1] = -angle_about(j->n2, other, v3_axpy(b, -v3_dot(j->n2, b), j->n2), -q[1]);
            return;
        }
        case RB_JOINT_SPHERICAL: q_store(q, q_from_matrix(X.R)); return;
        case RB_JOINT_FREE:
            v3_store(q, X.r);
            q_store(q + 3, q_from_matrix(X.R));
            return;
        case RB_JOINT_FIXED:
        case RB_JOINT_KIND_COUNT: return;
    }
}
