// SPDX-License-Identifier: MIT
// spatial.h: motion, force and inertia of rigid and articulated bodies (docs/theory/multibody.md,
// section 2).
//
// A motion or a wrench is a pair of vectors with one frame for the components and one reference
// point. Dynamics uses world axes and the origin of each body's own frame: nothing has to be
// rotated on the way from body to body, contact forces arrive in these components, and a body far
// from the world's origin loses no digits.
//
// Accelerations are those of the reference point as a material point (d/dt of its velocity), so the
// rigid body obeys
//     f = m a + z x h + w x (w x h)
//     t = I z + h x a + w x (I w)
// with the first moment h = m c and the second moments I about the reference point.
#pragma once

#include "math/pose.h"

// Velocity or acceleration: angular part w and linear part v of the reference point.
typedef struct Motion {
    Vec3 w; // [rad/s] or [rad/s2]
    Vec3 v; // [m/s] or [m/s2]
} Motion;

// Torque about the reference point, and force.
typedef struct Wrench {
    Vec3 t; // [N m]
    Vec3 f; // [N]
} Wrench;

// Symmetric 3x3 matrix.
typedef struct Sym3 {
    double xx, yy, zz, xy, xz, yz;
} Sym3;

// Inertia of a rigid body.
typedef struct RigidInertia {
    double m; // [kg]
    Vec3 h;   // [kg m] mass times centre of mass
    Sym3 I;   // [kg m2] about the reference point
} RigidInertia;

// Inertia felt at a body whose children may yield in their joints: symmetric 6x6 matrix [A B; Bt C]
// that maps (z, a) to (t, f).
typedef struct ArtInertia {
    Sym3 A; // [kg m2]
    Mat3 B; // [kg m]
    Sym3 C; // [kg]
} ArtInertia;

#define MOTION_ZERO ((Motion){V3_ZERO, V3_ZERO})
#define WRENCH_ZERO ((Wrench){V3_ZERO, V3_ZERO})

// ---- symmetric matrices

static inline Sym3 s3_add(Sym3 a, Sym3 b) {
    return (Sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
static inline Sym3 s3_scale(double k, Sym3 a) {
    return (Sym3){k * a.xx, k * a.yy, k * a.zz, k * a.xy, k * a.xz, k * a.yz};
}
static inline Vec3 s3_mul_vec(Sym3 s, Vec3 v) {
    return (Vec3){s.xx * v.x + s.xy * v.y + s.xz * v.z, s.xy * v.x + s.yy * v.y + s.yz * v.z,
                  s.xz * v.x + s.yz * v.y + s.zz * v.z};
}
static inline Mat3 s3_matrix(Sym3 s) {
    return (Mat3){{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
}
// The symmetric part of m.
static inline Sym3 s3_from_matrix(Mat3 m) {
    return (Sym3){
        m.x.x, m.y.y, m.z.z, 0.5 * (m.x.y + m.y.x), 0.5 * (m.x.z + m.z.x), 0.5 * (m.y.z + m.z.y)};
}
static inline Sym3 s3_diagonal(double d) {
    return (Sym3){d, d, d, 0, 0, 0};
}
static inline double s3_trace(Sym3 s) {
    return s.xx + s.yy + s.zz;
}

// s - k a aT, the update of a rank-one projection
static inline Sym3 s3_minus_outer(Sym3 s, double k, Vec3 a) {
    Vec3 b = v3_scale(k, a);
    return (Sym3){s.xx - b.x * a.x, s.yy - b.y * a.y, s.zz - b.z * a.z,
                  s.xy - b.x * a.y, s.xz - b.x * a.z, s.yz - b.y * a.z};
}

// R s RT: components of the tensor s_B in frame A by R_AB.
static inline Sym3 s3_rotate(Mat3 R, Sym3 s) {
    Vec3 x = s3_mul_vec(s, R.x), y = s3_mul_vec(s, R.y), z = s3_mul_vec(s, R.z); // rows of R s
    return (Sym3){v3_dot(x, R.x), v3_dot(y, R.y), v3_dot(z, R.z),
                  v3_dot(x, R.y), v3_dot(x, R.z), v3_dot(y, R.z)};
}

// ---- motions and wrenches

static inline Motion mo_add(Motion a, Motion b) {
    return (Motion){v3_add(a.w, b.w), v3_add(a.v, b.v)};
}
static inline Motion mo_axpy(Motion a, double s, Motion b) {
    return (Motion){v3_axpy(a.w, s, b.w), v3_axpy(a.v, s, b.v)};
}
static inline Wrench wr_add(Wrench a, Wrench b) {
    return (Wrench){v3_add(a.t, b.t), v3_add(a.f, b.f)};
}
static inline Wrench wr_neg(Wrench a) {
    return (Wrench){v3_neg(a.t), v3_neg(a.f)};
}
static inline Wrench wr_sub(Wrench a, Wrench b) {
    return (Wrench){v3_sub(a.t, b.t), v3_sub(a.f, b.f)};
}
static inline Wrench wr_axpy(Wrench a, double s, Wrench b) {
    return (Wrench){v3_axpy(a.t, s, b.t), v3_axpy(a.f, s, b.f)};
}

// Power of a wrench in a motion, both about the same point.
static inline double wr_power(Wrench f, Motion v) {
    return v3_dot(f.t, v.w) + v3_dot(f.f, v.v);
}

// The same motion of the rigid body, seen at the point d away from the reference point: v + w x d.
// For accelerations this leaves out w x (w x d), which is part of the bias terms.
static inline Motion mo_shift(Motion a, Vec3 d) {
    return (Motion){a.w, v3_add(a.v, v3_cross(a.w, d))};
}

// The same wrench about a reference point from which the old one is d away: t + d x f.
static inline Wrench wr_shift(Wrench f, Vec3 d) {
    return (Wrench){v3_add(f.t, v3_cross(d, f.f)), f.f};
}

// ---- rigid inertia

// From mass, centre of mass and second moments about the centre of mass: I = I_c + m (c.c 1 - c
// cT).
static inline RigidInertia ri_from_com(double m, Vec3 c, Sym3 I_c) {
    double mcc = m * v3_norm2(c);
    return (RigidInertia){m, v3_scale(m, c), s3_minus_outer(s3_add(I_c, s3_diagonal(mcc)), m, c)};
}
static inline RigidInertia ri_add(RigidInertia a, RigidInertia b) {
    return (RigidInertia){a.m + b.m, v3_add(a.h, b.h), s3_add(a.I, b.I)};
}
static inline Vec3 ri_com(RigidInertia a) {
    return a.m > 0 ? v3_scale(1.0 / a.m, a.h) : V3_ZERO;
}

// Second moments about the centre of mass.
static inline Sym3 ri_central(RigidInertia a) {
    Vec3 c = ri_com(a);
    return s3_minus_outer(s3_add(a.I, s3_diagonal(-a.m * v3_norm2(c))), -a.m, c);
}

// The same body in axes A by R_AB.
static inline RigidInertia ri_rotate(Mat3 R, RigidInertia a) {
    return (RigidInertia){a.m, m3_mul_vec(R, a.h), s3_rotate(R, a.I)};
}

// The same body about a reference point from which the old one is d away. With c -> c + d:
//     I' = I + (2 d.h + m d.d) 1 - (h dT + d hT + m d dT)
static inline RigidInertia ri_shift(RigidInertia a, Vec3 d) {
    Vec3 g = v3_axpy(a.h, 0.5 * a.m, d); // h + m d / 2: the correction is 2 d.g 1 - (g dT + d gT)
    double s = 2.0 * v3_dot(d, g);
    Sym3 I = {a.I.xx + s - 2 * g.x * d.x,       a.I.yy + s - 2 * g.y * d.y,
              a.I.zz + s - 2 * g.z * d.z,       a.I.xy - (g.x * d.y + d.x * g.y),
              a.I.xz - (g.x * d.z + d.x * g.z), a.I.yz - (g.y * d.z + d.y * g.z)};
    return (RigidInertia){a.m, v3_axpy(a.h, a.m, d), I};
}

// The body in the frame A in which its own frame has the pose X_AB.
static inline RigidInertia ri_move(Pose X, RigidInertia a) {
    return ri_shift(ri_rotate(X.R, a), X.r);
}

// Momentum of a velocity, or the linear part of the wrench of an acceleration.
static inline Wrench ri_mul(RigidInertia a, Motion x) {
    Vec3 t = v3_add(s3_mul_vec(a.I, x.w), v3_cross(a.h, x.v));
    Vec3 f = v3_add(v3_scale(a.m, x.v), v3_cross(x.w, a.h));
    return (Wrench){t, f};
}

// The part of the wrench that is quadratic in the angular velocity.
static inline Wrench ri_bias(RigidInertia a, Vec3 w) {
    return (Wrench){v3_cross(w, s3_mul_vec(a.I, w)), v3_cross(w, v3_cross(w, a.h))};
}

static inline double ri_kinetic_energy(RigidInertia a, Motion v) {
    return 0.5 * wr_power(ri_mul(a, v), v);
}

// ---- articulated inertia

static inline ArtInertia ai_from_rigid(RigidInertia a) {
    return (ArtInertia){a.I, m3_skew(a.h), s3_diagonal(a.m)};
}
static inline ArtInertia ai_add(ArtInertia a, ArtInertia b) {
    return (ArtInertia){s3_add(a.A, b.A), m3_add(a.B, b.B), s3_add(a.C, b.C)};
}
static inline Wrench ai_mul(ArtInertia a, Motion x) {
    return (Wrench){v3_add(s3_mul_vec(a.A, x.w), m3_mul_vec(a.B, x.v)),
                    v3_add(m3_tmul_vec(a.B, x.w), s3_mul_vec(a.C, x.v))};
}

// a - k u uT: what is left when a direction may yield.
static inline ArtInertia ai_minus_outer(ArtInertia a, double k, Wrench u) {
    Vec3 kt = v3_scale(-k, u.t);
    Mat3 B = {v3_axpy(a.B.x, kt.x, u.f), v3_axpy(a.B.y, kt.y, u.f), v3_axpy(a.B.z, kt.z, u.f)};
    return (ArtInertia){s3_minus_outer(a.A, k, u.t), B, s3_minus_outer(a.C, k, u.f)};
}

// About a reference point from which the old one is d away. With D = skew(d), a_old = a_new - D z
// and t_new = t_old + D f:
//     C' = C,   B' = B + D C,   A' = A - B D + D B'T
static inline ArtInertia ai_shift(ArtInertia a, Vec3 d) {
    Mat3 C = s3_matrix(a.C);
    Mat3 DC = m3_transpose(
        (Mat3){v3_cross(d, C.x), v3_cross(d, C.y), v3_cross(d, C.z)}); // columns d x C_j
    Mat3 B = m3_add(a.B, DC);
    // (B D) has rows (D T b) = b x d; row i of D B'T is the transpose of column pairs: (D B'T)_ij =
    // (d x b'_j)_i.
    Vec3 px = v3_cross(d, a.B.x), py = v3_cross(d, a.B.y), pz = v3_cross(d, a.B.z); // rows of -B D
    Vec3 qx = v3_cross(d, B.x), qy = v3_cross(d, B.y), qz = v3_cross(d, B.z); // columns of D B'T
    Sym3 A = {a.A.xx + px.x + qx.x, a.A.yy + py.y + qy.y, a.A.zz + pz.z + qz.z,
              a.A.xy + px.y + qy.x, a.A.xz + px.z + qz.x, a.A.yz + py.z + qz.y};
    return (ArtInertia){A, B, a.C};
}

// ---- positive definite 3x3 systems

// s = L D LT with unit lower L (l10, l20, l21). Divisions are slow, so the inverses of the pivots
// are kept.
typedef struct Sym3Factor {
    Vec3 d, inverse; // pivots
    double l10, l20, l21;
} Sym3Factor;

static inline Sym3Factor s3_factor(Sym3 s) {
    double i0 = 1.0 / s.xx, l10 = s.xy * i0, l20 = s.xz * i0;
    double d1 = s.yy - l10 * s.xy, e = s.yz - l20 * s.xy, i1 = 1.0 / d1, l21 = e * i1;
    double d2 = s.zz - l20 * s.xz - l21 * e;
    return (Sym3Factor){{s.xx, d1, d2}, {i0, i1, 1.0 / d2}, l10, l20, l21};
}
static inline Vec3 s3_solve(const Sym3Factor *s, Vec3 b) {
    b.y -= s->l10 * b.x;
    b.z -= s->l20 * b.x + s->l21 * b.y;
    b = v3_mul(b, s->inverse);
    b.y -= s->l21 * b.z;
    b.x -= s->l10 * b.y + s->l20 * b.z;
    return b;
}
