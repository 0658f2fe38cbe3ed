// SPDX-License-Identifier: MIT
// oracle.h: signed distance in __float128, for the tests only. Shares no code with the product: own
// support mappings, and the nearest point of a simplex by trying all its faces. Certified by its
// own duality gap.
//
// Inputs are taken as given (doubles, exact), so that the rounding of the product is part of what
// is measured. The rotation matrices are used as they are: both sides see the same, slightly
// non-orthogonal, matrix.
#pragma once

#include "geom/core.h"

typedef __float128 Quad;

typedef struct QVec {
    Quad x, y, z;
} QVec;

static inline QVec q3(Vec3 v) {
    return (QVec){v.x, v.y, v.z};
}
static inline Vec3 q3_double(QVec v) {
    return v3((double)v.x, (double)v.y, (double)v.z);
}
static inline QVec q3_add(QVec a, QVec b) {
    return (QVec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline QVec q3_sub(QVec a, QVec b) {
    return (QVec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline QVec q3_scale(Quad s, QVec a) {
    return (QVec){s * a.x, s * a.y, s * a.z};
}
static inline Quad q3_dot(QVec a, QVec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Newton from the double root: 53 bits, 106, all.
static inline Quad quad_sqrt(Quad x) {
    if (!(x > 0)) return 0;
    Quad y = sqrt((double)x);
    if (!(y > 0)) return 0;
    y = (y + x / y) / 2;
    return (y + x / y) / 2;
}
static inline Quad q3_norm(QVec a) {
    return quad_sqrt(q3_dot(a, a));
}

static inline QVec q3_rotate(Mat3 R, QVec v) {
    return (QVec){q3_dot(q3(R.x), v), q3_dot(q3(R.y), v), q3_dot(q3(R.z), v)};
}
static inline QVec q3_unrotate(Mat3 R, QVec v) {
    Mat3 T = m3_transpose(R);
    return q3_rotate(T, v);
}

static inline Quad quad_sign(Quad x, double h) {
    return x < 0 ? -(Quad)h : (Quad)h;
}

static inline QVec oracle_circle(Quad r, QVec n, Quad z) {
    Quad s = quad_sqrt(n.x * n.x + n.y * n.y);
    return s > 0 ? (QVec){r * n.x / s, r * n.y / s, z} : (QVec){0, 0, z};
}

// Farthest core point, frame C; an ellipsoid is reduced by the ball of radius `inset` (a unit
// vector n is then needed).
static inline QVec oracle_core(const RbCore *c, QVec n, Quad inset) {
    Vec3 h = c->h;
    QVec p = {0, 0, 0};
    switch (c->kind) {
        case RB_CORE_SEGMENT: p.z = quad_sign(n.z, h.z); break;
        case RB_CORE_BOX:
            p = (QVec){quad_sign(n.x, h.x), quad_sign(n.y, h.y), quad_sign(n.z, h.z)};
            break;
        case RB_CORE_CYLINDER: p = oracle_circle(h.x, n, quad_sign(n.z, h.z)); break;
        case RB_CORE_FRUSTUM: {
            QVec top = oracle_circle(h.y, n, h.z), bottom = oracle_circle(h.x, n, -(Quad)h.z);
            p = q3_dot(n, top) >= q3_dot(n, bottom) ? top : bottom;
            break;
        }
        case RB_CORE_BEAM:
            p = oracle_circle(h.y, n, quad_sign(n.z, h.z));
            p.x += quad_sign(n.x, h.x);
            break;
        case RB_CORE_ELLIPSOID: {
            QVec u = {h.x * n.x, h.y * n.y, h.z * n.z};
            Quad s = q3_norm(u);
            p = (QVec){h.x * u.x / s - inset * n.x, h.y * u.y / s - inset * n.y,
                       h.z * u.z / s - inset * n.z};
            break;
        }
        case RB_CORE_POLYTOPE: {
            Quad top = 0;
            for (int i = 0; i < c->polytope->vertex_count; i++) {
                Quad s = q3_dot(n, q3(c->polytope->vertices[i]));
                if (i == 0 || s > top) top = s, p = q3(c->polytope->vertices[i]);
            }
            break;
        }
        default: break;
    }
    return p;
}

static inline Quad oracle_inset(const RbCore *c) {
    if (c->kind != RB_CORE_ELLIPSOID) return 0;
    Quad a = fmax(c->h.x, fmax(c->h.y, c->h.z)), b = fmin(c->h.x, fmin(c->h.y, c->h.z));
    return b * b / a *
           0.75; // within the smallest radius of curvature: the reduced ellipsoid is convex
}

typedef struct OraclePair {
    const RbCore *a, *b;
    Pose X_AB;
    Quad inset_a, inset_b;
} OraclePair;

static inline QVec oracle_in_shape(const RbCore *c, QVec n, Quad inset) {
    QVec p = oracle_core(c, q3_unrotate(c->frame.R, n), inset);
    return q3_add(q3(c->frame.r), q3_rotate(c->frame.R, p));
}

// Nearest point of B - A against n: b - a, in the frame of A.
static inline QVec oracle_support(const OraclePair *o, QVec n) {
    QVec a = oracle_in_shape(o->a, n, o->inset_a);
    QVec m = q3_unrotate(o->X_AB.R, q3_scale(-1, n));
    QVec b = oracle_in_shape(o->b, m, o->inset_b);
    b = q3_add(q3(o->X_AB.r), q3_rotate(o->X_AB.R, b));
    return q3_sub(b, a);
}

// Smallest combination of k points with the weights that make it so, by Gaussian elimination on the
// differences. False if the points are affinely dependent or a weight is negative.
static inline bool oracle_affine(QVec *const *p, int k, QVec *out, Quad *weight) {
    Quad m[3][4];
    for (int i = 0; i < k - 1; i++) {
        QVec e = q3_sub(*p[i + 1], *p[0]);
        for (int j = 0; j < k - 1; j++) m[i][j] = q3_dot(e, q3_sub(*p[j + 1], *p[0]));
        m[i][k - 1] = -q3_dot(e, *p[0]);
    }
    Quad scale = 0;
    for (int i = 0; i < k - 1; i++) scale = m[i][i] > scale ? m[i][i] : scale;
    for (int i = 0; i < k - 1; i++) { // symmetric positive definite: no pivoting
        if (!(m[i][i] > scale * 1e-30)) return false;
        for (int r = i + 1; r < k - 1; r++) {
            Quad f = m[r][i] / m[i][i];
            for (int c = i; c < k; c++) m[r][c] -= f * m[i][c];
        }
    }
    Quad rest = 1;
    for (int i = k - 2; i >= 0; i--) {
        Quad s = m[i][k - 1];
        for (int c = i + 1; c < k - 1; c++) s -= m[i][c] * weight[c + 1];
        weight[i + 1] = s / m[i][i];
        rest -= weight[i + 1];
        if (weight[i + 1] < 0) return false;
    }
    weight[0] = rest;
    if (rest < 0) return false;
    QVec v = {0, 0, 0};
    for (int i = 0; i < k; i++) v = q3_add(v, q3_scale(weight[i], *p[i]));
    *out = v;
    return true;
}

// Nearest point of up to 4 points: the best of all subsets. Keeps the subset.
static inline QVec oracle_nearest(QVec *w, int *count) {
    QVec best = w[0];
    Quad best_norm = -1;
    int best_set = 1;
    for (int set = 1; set < 1 << *count; set++) {
        QVec *p[4], v;
        Quad weight[4];
        int k = 0;
        for (int i = 0; i < *count; i++) {
            if (set >> i & 1) p[k++] = &w[i];
        }
        if (k == 1)
            v = *p[0];
        else if (!oracle_affine(p, k, &v, weight))
            continue;
        Quad norm = q3_dot(v, v);
        if (best_norm < 0 || norm < best_norm) best_norm = norm, best = v, best_set = set;
    }
    int k = 0;
    for (int i = 0; i < *count; i++) {
        if (best_set >> i & 1) w[k++] = w[i];
    }
    *count = k;
    return best;
}

typedef struct OracleResult {
    double distance; // [m] signed, of the whole shapes
    Vec3 normal;
    double gap;   // [m] certified error
    bool overlap; // the reduced cores overlap: no answer
    int rounds;
} OracleResult;

// Three support points around the direction n, close enough that their triangle lies on a curved
// surface to rounding.
static inline int oracle_start(const OraclePair *o, Vec3 n, QVec w[3]) {
    Vec3 u = v3_perpendicular(n), v = v3_cross(n, u);
    static const double corner[3][2] = {{1, 0}, {-0.5, 0.87}, {-0.5, -0.87}};
    for (int k = 0; k < 3; k++) {
        QVec d = q3(v3_axpy(v3_axpy(n, 1e-7 * corner[k][0], u), 1e-7 * corner[k][1], v));
        w[k] = oracle_support(o, q3_scale(1 / q3_norm(d), d));
    }
    return 3;
}

// guess: unit vector, where to look first. It decides how long the search takes and nothing else:
// the answer is certified by its own bounds.
static inline OracleResult oracle_distance(const RbCore *a, const RbCore *b, Pose X_AB, Vec3 guess,
                                           double tolerance) {
    OraclePair o = {a, b, X_AB, oracle_inset(a), oracle_inset(b)};
    QVec w[4];
    int count = oracle_start(&o, guess, w);
    QVec v = oracle_nearest(w, &count);
    OracleResult out = {.overlap = true};
    Quad best_lower = -1e30Q, lower = 0, upper = 0;
    QVec best_n = {0, 0, 1};
    for (out.rounds = 0; out.rounds < 3000; out.rounds++) {
        upper = q3_norm(v);
        if (!(upper > 1e-16Q * tolerance)) return out;
        QVec n = q3_scale(1 / upper, v);
        QVec s = oracle_support(&o, n);
        lower = q3_dot(n, s);
        if (lower > best_lower) best_lower = lower, best_n = n;
        if (upper - best_lower <= tolerance || count == 4) break;
        w[count++] = s;
        v = oracle_nearest(w, &count);
    }
    if (count == 4) return out;
    out.overlap = false;
    out.normal = q3_double(best_n);
    out.distance =
        (double)((upper + best_lower) / 2 - (o.inset_a + o.inset_b) - a->radius - b->radius);
    out.gap = (double)(upper - best_lower);
    return out;
}
