// SPDX-License-Identifier: MIT
// quat.h: orientations as unit quaternions. q_AB rotates components from frame B to frame A, as
// R_AB does.
#pragma once

#include "math/mat3.h"

typedef struct Quat {
    double w;       // cos(phi/2)
    double x, y, z; // n sin(phi/2)
} Quat;

#define Q_IDENTITY ((Quat){1.0, 0.0, 0.0, 0.0})

static inline Vec3 q_vector(Quat q) {
    return v3(q.x, q.y, q.z);
}

// Rotation about the unit axis n by phi [rad].
static inline Quat q_rotation(Vec3 n, double phi) {
    double s = sin(0.5 * phi);
    return (Quat){cos(0.5 * phi), s * n.x, s * n.y, s * n.z};
}

// q_AC = q_AB q_BC
static inline Quat q_mul(Quat a, Quat b) {
    return (Quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline Quat q_conj(Quat q) {
    return (Quat){q.w, -q.x, -q.y, -q.z};
}
static inline double q_norm2(Quat q) {
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

static inline Quat q_unit(Quat q) {
    double s = 1.0 / sqrt(q_norm2(q));
    return (Quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

// v_A = R_AB v_B. q must be of length one.
static inline Vec3 q_rotate(Quat q, Vec3 v) {
    Vec3 u = q_vector(q);
    Vec3 t = v3_scale(2.0, v3_cross(u, v));
    return v3_add(v3_axpy(v, q.w, t), v3_cross(u, t));
}

// v_B = R_ABᵀ v_A
static inline Vec3 q_unrotate(Quat q, Vec3 v) {
    return q_rotate(q_conj(q), v);
}

// R_AB. A quaternion whose length is not quite one still gives an exact rotation.
static inline Mat3 q_matrix(Quat q) {
    double s = 2.0 / q_norm2(q);
    double xs = q.x * s, ys = q.y * s, zs = q.z * s;
    double wx = q.w * xs, wy = q.w * ys, wz = q.w * zs;
    double xx = q.x * xs, xy = q.x * ys, xz = q.x * zs;
    double yy = q.y * ys, yz = q.y * zs, zz = q.z * zs;
    return (Mat3){{1 - (yy + zz), xy - wz, xz + wy},
                  {xy + wz, 1 - (xx + zz), yz - wx},
                  {xz - wy, yz + wx, 1 - (xx + yy)}};
}

// Time derivative for the angular velocity w_B in body components: dq/dt = 1/2 q (0, w_B).
static inline Quat q_derivative(Quat q, Vec3 w_B) {
    return q_mul(q, (Quat){0.0, 0.5 * w_B.x, 0.5 * w_B.y, 0.5 * w_B.z});
}

// The shortest turn from z to a direction of length 1.
static inline Quat q_from_z(Vec3 n) {
    Quat q = {1 + n.z, -n.y, n.x, 0};
    return q_norm2(q) > 1e-20 ? q_unit(q) : (Quat){0, 1, 0, 0};
}

// The quaternion of a rotation matrix, w >= 0 (Shepperd: divide by the largest component).
Quat q_from_matrix(Mat3 R);

// Cardan angles: turn about x by a.x, then about the new y by a.y, then about the newest z by a.z.
// R_AB = Rx(a.x) Ry(a.y) Rz(a.z). (Modia3D writes the transposed matrices in the opposite order.)
Quat q_from_cardan(Vec3 angles);

// Angles of q in (-pi, pi], the middle one in [-pi/2, pi/2]. Where the middle one is +-pi/2 the
// first and the last are not unique; the last is then 0.
Vec3 q_to_cardan(Quat q);

static inline Quat q_load(const double *p) {
    return (Quat){p[0], p[1], p[2], p[3]};
}
static inline void q_store(double *p, Quat q) {
    p[0] = q.w;
    p[1] = q.x;
    p[2] = q.y;
    p[3] = q.z;
}
