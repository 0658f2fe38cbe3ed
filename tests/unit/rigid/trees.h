// SPDX-License-Identifier: MIT
// trees.h: random trees with all joints, and a small integrator of high order, for the tests of
// multibody dynamics.
#pragma once

#include "testing.h"

#include <string.h>

#include "math/rng.h"
#include "rigid/dynamics.h"
#include "rigid/inverse.h"

enum { MAX_V = 64, MAX_STATE = 160 };

static inline Vec3 random_vec(RbRng *rng) {
    double x = rb_rng_range(rng, -1, 1), y = rb_rng_range(rng, -1, 1);
    return v3(x, y, rb_rng_range(rng, -1, 1));
}

static inline void ensure_vec_near(Vec3 got, Vec3 want, double tol) {
    ENSURE_NEAR(got.x, want.x, tol);
    ENSURE_NEAR(got.y, want.y, tol);
    ENSURE_NEAR(got.z, want.z, tol);
}

// Positive definite, with moments of a real body: a few point masses.
static inline RigidInertia random_inertia(RbRng *rng) {
    RigidInertia sum = {0};
    for (int i = 0; i < 5; i++) {
        double m = rb_rng_range(rng, 0.2, 1);
        sum = ri_add(sum, ri_from_com(m, random_vec(rng), s3_diagonal(0.05)));
    }
    return sum;
}

static inline RbJoint random_joint(RbRng *rng, RbJointKind kind) {
    Vec3 n = rb_rng_direction(rng), r = random_vec(rng);
    return (RbJoint){.name = "joint",
                     .kind = kind,
                     .F = pose(r, rb_rng_orientation(rng)),
                     .n = n,
                     .n2 = v3_perpendicular(n)};
}

// Joint kinds and branches at random. Some joints belong to the equations.
static inline RbTree random_tree(RbRng *rng, RbArena *arena, int count, bool floating) {
    RbTree tree = rb_tree(arena);
    for (int i = 1; i <= count; i++) {
        RbJointKind kind =
            floating && i == 1 ? RB_JOINT_FREE : (RbJointKind)rb_rng_int(rng, RB_JOINT_KIND_COUNT);
        int parent = tree.bodies.count - 1;
        while (parent > (floating ? 1 : 0) && rb_rng_int(rng, 3) == 0)
            parent = tree.bodies.data[parent].parent;
        RbJoint joint = random_joint(rng, kind);
        if (i > 1 && rb_rng_int(rng, 2)) joint.owner = RB_OWNED_BY_EQUATIONS;
        rb_tree_add(&tree, arena, "body", parent, joint, random_inertia(rng));
    }
    return tree;
}

static inline void random_state(RbRng *rng, const RbTree *tree, double *q, double *v) {
    for (int i = 0; i < tree->nq; i++) q[i] = rb_rng_range(rng, -1, 1);
    for (int i = 0; i < tree->nv; i++) v[i] = rb_rng_range(rng, -1, 1);
    for (int i = 1; i < tree->bodies.count; i++) {
        const RbJoint *j = rb_tree_joint(tree, i);
        if (j->kind == RB_JOINT_SPHERICAL) q_store(q + j->q, rb_rng_orientation(rng));
        if (j->kind == RB_JOINT_FREE) q_store(q + j->q + 3, rb_rng_orientation(rng));
    }
}

// x = M^-1 b for a positive definite matrix by Cholesky; answers false if it is not.
static inline bool solve_spd(int n, const double *M, const double *b, double *x) {
    static double L[MAX_V * MAX_V];
    memcpy(L, M, sizeof(double) * (size_t)(n * n));
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double s = L[i * n + j];
            for (int k = 0; k < j; k++) s -= L[i * n + k] * L[j * n + k];
            if (i == j && !(s > 0)) return false;
            L[i * n + j] = i == j ? sqrt(s) : s / L[j * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        double s = b[i];
        for (int k = 0; k < i; k++) s -= L[i * n + k] * x[k];
        x[i] = s / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
    return true;
}

// ---- integration: extrapolated midpoint rule (Gragg, Bulirsch, Stoer), order 10

typedef void (*Rates)(void *model, double t, const double *x, double *dx);

static inline void midpoint(Rates f, void *model, int n, double t, const double *x, double h,
                            int steps, double *out) {
    double a[MAX_STATE], b[MAX_STATE], dx[MAX_STATE], s = h / steps;
    f(model, t, x, dx);
    for (int i = 0; i < n; i++) {
        a[i] = x[i];
        b[i] = x[i] + s * dx[i];
    }
    for (int k = 1; k < steps; k++) {
        f(model, t + k * s, b, dx);
        for (int i = 0; i < n; i++) {
            double c = a[i] + 2 * s * dx[i];
            a[i] = b[i];
            b[i] = c;
        }
    }
    f(model, t + h, b, dx);
    for (int i = 0; i < n; i++) out[i] = 0.5 * (a[i] + b[i] + s * dx[i]);
}

static inline void integrate(Rates f, void *model, int n, double t0, double t1, int steps,
                             double *x) {
    enum { COLUMNS = 5 };
    double table[COLUMNS][MAX_STATE], h = (t1 - t0) / steps;
    for (int step = 0; step < steps; step++) {
        for (int j = 0; j < COLUMNS; j++) {
            midpoint(f, model, n, t0 + step * h, x, h, 2 * (j + 1), table[j]);
        }
        for (int k = 1; k < COLUMNS; k++) { // Aitken-Neville in h²
            for (int j = COLUMNS - 1; j >= k; j--) {
                double ratio = (double)(j + 1) / (j + 1 - k), factor = 1 / (ratio * ratio - 1);
                for (int i = 0; i < n; i++) table[j][i] += factor * (table[j][i] - table[j - 1][i]);
            }
        }
        memcpy(x, table[COLUMNS - 1], sizeof(double) * (size_t)n);
    }
}
