// SPDX-License-Identifier: MIT
// mat3.h: 3x3 matrices by value, stored by rows. R_AB maps components from frame B to frame A: v_A
// = R_AB v_B.
#pragma once

#include "math/vec3.h"

typedef struct Mat3 {
    Vec3 x, y, z; // rows
} Mat3;

#define M3_ZERO     ((Mat3){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}})
#define M3_IDENTITY ((Mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})

static inline Mat3 m3_diagonal(Vec3 d) {
    return (Mat3){{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}};
}
static inline Vec3 m3_mul_vec(Mat3 m, Vec3 v) {
    return (Vec3){v3_dot(m.x, v), v3_dot(m.y, v), v3_dot(m.z, v)};
}

// transpose(m) v
static inline Vec3 m3_tmul_vec(Mat3 m, Vec3 v) {
    return (Vec3){m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                  m.x.z * v.x + m.y.z * v.y + m.z.z * v.z};
}

static inline Mat3 m3_transpose(Mat3 m) {
    return (Mat3){{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}
static inline Mat3 m3_mul(Mat3 a, Mat3 b) {
    return (Mat3){m3_tmul_vec(b, a.x), m3_tmul_vec(b, a.y), m3_tmul_vec(b, a.z)};
}
static inline Mat3 m3_add(Mat3 a, Mat3 b) {
    return (Mat3){v3_add(a.x, b.x), v3_add(a.y, b.y), v3_add(a.z, b.z)};
}
static inline Mat3 m3_sub(Mat3 a, Mat3 b) {
    return (Mat3){v3_sub(a.x, b.x), v3_sub(a.y, b.y), v3_sub(a.z, b.z)};
}
static inline Mat3 m3_scale(double s, Mat3 a) {
    return (Mat3){v3_scale(s, a.x), v3_scale(s, a.y), v3_scale(s, a.z)};
}

// a bᵀ
static inline Mat3 m3_outer(Vec3 a, Vec3 b) {
    return (Mat3){v3_scale(a.x, b), v3_scale(a.y, b), v3_scale(a.z, b)};
}

// m3_mul_vec(m3_skew(a), b) = a x b
static inline Mat3 m3_skew(Vec3 a) {
    return (Mat3){{0, -a.z, a.y}, {a.z, 0, -a.x}, {-a.y, a.x, 0}};
}

static inline double m3_det(Mat3 m) {
    return v3_dot(m.x, v3_cross(m.y, m.z));
}
static inline double m3_trace(Mat3 m) {
    return m.x.x + m.y.y + m.z.z;
}

// Of a bᵀ: a x b.
static inline Vec3 m3_axial(Mat3 m) {
    return (Vec3){m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x};
}

static inline Vec3 m3_column(Mat3 m, int i) {
    return (Vec3){v3_get(m.x, i), v3_get(m.y, i), v3_get(m.z, i)};
}
static inline Mat3 m3_from_columns(Vec3 a, Vec3 b, Vec3 c) {
    return m3_transpose((Mat3){a, b, c});
}
static inline double m3_get(Mat3 m, int row, int column) {
    return v3_get(row == 0 ? m.x : row == 1 ? m.y : m.z, column);
}

// Inverse by cofactors; not finite if m is singular.
static inline Mat3 m3_inverse(Mat3 m) {
    Vec3 a = v3_cross(m.y, m.z), b = v3_cross(m.z, m.x), c = v3_cross(m.x, m.y);
    return m3_scale(1.0 / v3_dot(m.x, a), m3_from_columns(a, b, c));
}

// R m Rᵀ: the tensor m_B expressed in frame A by R_AB.
static inline Mat3 m3_rotate_tensor(Mat3 R, Mat3 m) {
    return m3_mul(m3_mul(R, m), m3_transpose(R));
}

// Rotation about the unit axis n by the angle phi [rad]: R = n nᵀ + (I - n nᵀ) cos + skew(n) sin.
static inline Mat3 m3_rotation(Vec3 n, double phi) {
    double c = cos(phi), s = sin(phi);
    Mat3 nn = m3_outer(n, n);
    Mat3 rest = m3_scale(c, m3_sub(M3_IDENTITY, nn));
    return m3_add(m3_add(nn, rest), m3_scale(s, m3_skew(n)));
}

// Eigenvalues (ascending) and right-handed unit eigenvectors (columns of axes) of a symmetric
// matrix.
void m3_eigen(Mat3 m, Vec3 *values, Mat3 *axes);
