// SPDX-License-Identifier: MIT
// pose.h: position and orientation of a frame B in a frame A: r_A = r + R r_B.
#pragma once

#include "math/quat.h"

typedef struct Pose {
    Vec3 r; // [m] origin of B, components in A
    Mat3 R; // R_AB
} Pose;

#define POSE_IDENTITY ((Pose){V3_ZERO, M3_IDENTITY})

static inline Pose pose(Vec3 r, Quat q) {
    return (Pose){r, q_matrix(q)};
}

// Components in A of the point with components p in B, and back.
static inline Vec3 pose_point(Pose X, Vec3 p) {
    return v3_add(X.r, m3_mul_vec(X.R, p));
}
static inline Vec3 pose_unpoint(Pose X, Vec3 p) {
    return m3_tmul_vec(X.R, v3_sub(p, X.r));
}

// X_AC = X_AB X_BC
static inline Pose pose_mul(Pose a, Pose b) {
    return (Pose){pose_point(a, b.r), m3_mul(a.R, b.R)};
}

// X_BA from X_AB
static inline Pose pose_inverse(Pose X) {
    return (Pose){v3_neg(m3_tmul_vec(X.R, X.r)), m3_transpose(X.R)};
}

// X_AB from X_WA and X_WB: the difference of the origins is taken first, so that two bodies far
// from the world's origin lose nothing.
static inline Pose pose_relative(Pose A, Pose B) {
    return (Pose){m3_tmul_vec(A.R, v3_sub(B.r, A.r)), m3_mul(m3_transpose(A.R), B.R)};
}
