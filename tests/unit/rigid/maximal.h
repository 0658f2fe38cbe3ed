// SPDX-License-Identifier: MIT
// maximal.h: mechanisms in maximal coordinates, as an oracle: each body has six accelerations, those of its centre of mass
// and its angular one; each joint and each loop is a set of equations. Newton, Euler and all equations are one dense linear
// system. Nothing here knows of trees.
#pragma once

#include "testing.h"

#include <string.h>

#include "math/pose.h"
#include "math/spatial.h"

enum { MAX_BODIES = 12, MAX_EQUATIONS = 90, MAX_SYSTEM = 6 * MAX_BODIES + MAX_EQUATIONS };

// Body 0 is the world. All vectors in world components.
typedef struct MaxBody {
    double m;
    Mat3 I; // about the centre of mass
    Vec3 r; // centre of mass
    Vec3 v, w;
    Vec3 force, torque; // from outside, about the centre of mass
} MaxBody;

typedef enum MaxKind {
    MAX_SLIDE,    // e.(p_j - p_i) is constant, e fixed in i
    MAX_TURN,     // e.b is constant, e fixed in i and b in j
    MAX_SPEED,    // e.(w_j - w_i) is constant, e fixed in i
    MAX_DISTANCE, // |p_j - p_i| is constant
    MAX_SHARE,    // e.(p_j - (1 - share) p_i - share p_k) is constant, e fixed in the world
} MaxKind;

typedef struct MaxEquation {
    MaxKind kind;
    int i, j, k;
    Vec3 e, b;
    Vec3 pi, pj, pk; // points, fixed in i, j and k
    double share;
} MaxEquation;

typedef struct MaxSystem {
    MaxBody bodies[MAX_BODIES];
    int body_count;
    MaxEquation equations[MAX_EQUATIONS];
    int equation_count;
} MaxSystem;

typedef struct MaxMotion {
    Vec3 v, w; // of the centre of mass; velocity, or acceleration
} MaxMotion;

static inline Vec3 max_point_speed(const MaxBody *body, Vec3 p) {
    return v3_add(body->v, v3_cross(body->w, v3_sub(p, body->r)));
}

static inline Vec3 max_point_acceleration(const MaxBody *body, MaxMotion a, Vec3 p) {
    Vec3 d = v3_sub(p, body->r);
    return v3_add(v3_add(a.v, v3_cross(a.w, d)), v3_cross(body->w, v3_cross(body->w, d)));
}

// Of a vector that is fixed in a body.
static inline Vec3 max_vector_acceleration(const MaxBody *body, MaxMotion a, Vec3 e) {
    return v3_add(v3_cross(a.w, e), v3_cross(body->w, v3_cross(body->w, e)));
}

// How far an equation of positions is off.
static inline double max_value(const MaxEquation *q) {
    return q->kind == MAX_TURN    ? v3_dot(q->e, q->b)
           : q->kind == MAX_SLIDE ? v3_dot(q->e, v3_sub(q->pj, q->pi))
                                  : 0;
}

// Its rate.
static inline double max_rate(const MaxSystem *s, const MaxEquation *q) {
    const MaxBody *i = &s->bodies[q->i], *j = &s->bodies[q->j], *k = &s->bodies[q->k];
    Vec3 d = v3_sub(q->pj, q->pi), e_rate = v3_cross(i->w, q->e), b_rate = v3_cross(j->w, q->b);
    Vec3 vi = max_point_speed(i, q->pi), vj = max_point_speed(j, q->pj);
    switch (q->kind) {
        case MAX_SLIDE: return v3_dot(e_rate, d) + v3_dot(q->e, v3_sub(vj, vi));
        case MAX_TURN: return v3_dot(e_rate, q->b) + v3_dot(q->e, b_rate);
        case MAX_DISTANCE: return v3_dot(d, v3_sub(vj, vi)) / v3_norm(d);
        case MAX_SHARE:
            return v3_dot(q->e, v3_sub(v3_sub(vj, v3_scale(1 - q->share, vi)),
                                       v3_scale(q->share, max_point_speed(k, q->pk))));
        case MAX_SPEED: break;
    }
    return 0; // constant, but not zero
}

// Its second rate for given accelerations of all bodies.
static inline double max_second_rate(const MaxSystem *s, const MaxEquation *q, const MaxMotion *A) {
    const MaxBody *i = &s->bodies[q->i], *j = &s->bodies[q->j], *k = &s->bodies[q->k];
    Vec3 d = v3_sub(q->pj, q->pi), e_rate = v3_cross(i->w, q->e), b_rate = v3_cross(j->w, q->b);
    Vec3 vd = v3_sub(max_point_speed(j, q->pj), max_point_speed(i, q->pi));
    Vec3 ai = max_point_acceleration(i, A[q->i], q->pi),
         aj = max_point_acceleration(j, A[q->j], q->pj), ad = v3_sub(aj, ai);
    Vec3 e_acc = max_vector_acceleration(i, A[q->i], q->e),
         b_acc = max_vector_acceleration(j, A[q->j], q->b);
    switch (q->kind) {
        case MAX_SLIDE: return v3_dot(e_acc, d) + 2 * v3_dot(e_rate, vd) + v3_dot(q->e, ad);
        case MAX_TURN:
            return v3_dot(e_acc, q->b) + 2 * v3_dot(e_rate, b_rate) + v3_dot(q->e, b_acc);
        case MAX_DISTANCE: return (v3_norm2(vd) + v3_dot(d, ad)) / v3_norm(d);
        case MAX_SHARE:
            return v3_dot(q->e,
                          v3_sub(v3_sub(aj, v3_scale(1 - q->share, ai)),
                                 v3_scale(q->share, max_point_acceleration(k, A[q->k], q->pk))));
        case MAX_SPEED: break;
    }
    return v3_dot(q->e, v3_sub(A[q->j].w, A[q->i].w)) + v3_dot(e_rate, v3_sub(j->w, i->w));
}

// Gauss with row pivots; the system is destroyed. False: singular.
static inline bool max_solve(int n, double M[][MAX_SYSTEM + 1]) {
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(M[r][c]) > fabs(M[best][c])) best = r;
        if (!(fabs(M[best][c]) > 1e-13)) return false;
        for (int k = c; best != c && k <= n; k++) {
            double swap = M[c][k];
            M[c][k] = M[best][k];
            M[best][k] = swap;
        }
        for (int r = c + 1; r < n; r++) {
            double f = M[r][c] / M[c][c];
            if (f == 0) continue;
            for (int k = c; k <= n; k++) M[r][k] -= f * M[c][k];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) M[r][n] -= M[r][k] * M[k][n];
        M[r][n] /= M[r][r];
    }
    return true;
}

static inline double *max_component(MaxMotion *A, int k) {
    Vec3 *half = k < 3 ? &A->v : &A->w;
    return k % 3 == 0 ? &half->x : k % 3 == 1 ? &half->y : &half->z;
}

// One equation in row and column `at`: its entries are what a unit of each acceleration changes.
static inline void max_enter_equation(const MaxSystem *s, const MaxEquation *q, int at, int n,
                                      double M[][MAX_SYSTEM + 1]) {
    MaxMotion A[MAX_BODIES] = {0};
    const int bodies[] = {q->i, q->j, q->k};
    double rest = max_second_rate(s, q, A);
    for (int b = 0; b < 3; b++) {
        for (int k = 0; bodies[b] > 0 && k < 6; k++) {
            int column = 6 * (bodies[b] - 1) + k;
            *max_component(&A[bodies[b]], k) = 1;
            M[at][column] = M[column][at] = max_second_rate(s, q, A) - rest;
            *max_component(&A[bodies[b]], k) = 0;
        }
    }
    M[at][n] = -rest;
}

static inline void max_enter_body(const MaxBody *body, int at, int n, double M[][MAX_SYSTEM + 1]) {
    double f[3], t[3];
    Vec3 gyroscopic = v3_cross(body->w, m3_mul_vec(body->I, body->w));
    v3_store(f, body->force);
    v3_store(t, v3_sub(body->torque, gyroscopic));
    for (int k = 0; k < 3; k++) {
        M[at + k][at + k] = body->m;
        for (int j = 0; j < 3; j++) M[at + 3 + k][at + 3 + j] = m3_get(body->I, k, j);
        M[at + k][n] = f[k];
        M[at + 3 + k][n] = t[k];
    }
}

// Accelerations of all bodies. False: equations repeat each other.
static inline bool max_accelerate(const MaxSystem *s, MaxMotion *A) {
    static double M[MAX_SYSTEM][MAX_SYSTEM + 1];
    int first = 6 * (s->body_count - 1), n = first + s->equation_count;
    for (int r = 0; r < n; r++) memset(M[r], 0, (size_t)(n + 1) * sizeof M[r][0]);
    for (int i = 1; i < s->body_count; i++) max_enter_body(&s->bodies[i], 6 * (i - 1), n, M);
    for (int i = 0; i < s->equation_count; i++)
        max_enter_equation(s, &s->equations[i], first + i, n, M);
    if (!max_solve(n, M)) return false;
    A[0] = (MaxMotion){0};
    for (int i = 1; i < s->body_count; i++) {
        for (int k = 0; k < 6; k++) *max_component(&A[i], k) = M[6 * (i - 1) + k][n];
    }
    return true;
}

// ---- joints as equations

// A joint between a frame F of body i and a frame B of body j (world poses), with axes in F.
typedef struct MaxJoint {
    int i, j;
    Pose F, B;
    Vec3 n, n2; // n2 in B
} MaxJoint;

static inline void max_slide(MaxSystem *s, const MaxJoint *j, Vec3 e_F) {
    s->equations[s->equation_count++] = (MaxEquation){
        MAX_SLIDE, j->i, j->j, .e = m3_mul_vec(j->F.R, e_F), .pi = j->F.r, .pj = j->B.r};
}

static inline void max_turn(MaxSystem *s, const MaxJoint *j, Vec3 e_F, Vec3 b_B) {
    s->equations[s->equation_count++] = (MaxEquation){
        MAX_TURN, j->i, j->j, .e = m3_mul_vec(j->F.R, e_F), .b = m3_mul_vec(j->B.R, b_B)};
}

// Two directions across an axis.
static inline void max_across(Vec3 n, Vec3 *t1, Vec3 *t2) {
    Vec3 other = fabs(n.x) < 0.6 ? v3(1, 0, 0) : v3(0, 1, 0);
    *t1 = v3_unit(v3_cross(n, other));
    *t2 = v3_cross(n, *t1);
}

// Slides: along the axis, across it. Turns: about axes across it, about it.
static inline void max_hold(MaxSystem *s, const MaxJoint *j, bool along, bool across, bool tilt,
                            bool about) {
    Vec3 t1, t2;
    max_across(j->n, &t1, &t2);
    if (along) max_slide(s, j, j->n);
    if (across) max_slide(s, j, t1), max_slide(s, j, t2);
    if (tilt) max_turn(s, j, t1, j->n), max_turn(s, j, t2, j->n);
    if (about) max_turn(s, j, t1, t2);
}
