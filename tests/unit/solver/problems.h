// SPDX-License-Identifier: MIT
// problems.h: equations with known solutions that the solver tests share.
#pragma once

#include "testing.h"

#include <string.h>

#include "solver/solver.h"

// ---- x' = -k x: x = x0 exp(-k t) ----

typedef struct Decay {
    double k; // [1/s]
} Decay;

static inline int decay(void *user, double t, const double *x, double *dx) {
    (void)t;
    dx[0] = -((Decay *)user)->k * x[0];
    return 0;
}

// ---- x'' = -x: x = cos t, v = -sin t; energy (x^2 + v^2) / 2 is kept ----

static inline int oscillate(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    dx[0] = x[1];
    dx[1] = -x[0];
    return 0;
}

// ---- stiff and linear: eigenvalues -1 with vector (1, 1), -1e6 with vector (1, -1) ----

static inline int stiff_linear(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    double sum = 0.5 * (x[0] + x[1]), difference = 0.5 * (x[0] - x[1]);
    dx[0] = -sum - 1e6 * difference;
    dx[1] = -sum + 1e6 * difference;
    return 0;
}

// ---- Robertson's chemical reaction ----

static inline int robertson(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
    dx[2] = 3e7 * x[1] * x[1];
    dx[1] = -dx[0] - dx[2];
    return 0;
}

static inline int robertson_jacobian(void *user, double t, const double *x, const double *dx,
                                     double *j) {
    (void)user, (void)t, (void)dx;
    const double rows[3][3] = {{-0.04, 1e4 * x[2], 1e4 * x[1]},
                               {0.04, -1e4 * x[2] - 6e7 * x[1], -1e4 * x[1]},
                               {0, 6e7 * x[1], 0}};
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) j[3 * c + r] += rows[r][c];
    }
    return 0;
}

// ---- van der Pol: x'' = mu (1 - x^2) x' - x ----

static inline int van_der_pol(void *user, double t, const double *x, double *dx) {
    (void)t;
    dx[0] = x[1];
    dx[1] = *(double *)user * (1 - x[0] * x[0]) * x[1] - x[0];
    return 0;
}

// ---- a falling ball: height x[0], velocity x[1]; indicator: height ----

enum { GRAVITY = 10 }; // [m/s^2]

static inline int fall(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    dx[0] = x[1];
    dx[1] = -GRAVITY;
    return 0;
}

static inline int height(void *user, double t, const double *x, double *z) {
    (void)user, (void)t;
    z[0] = x[0];
    return 0;
}

// ---- heat in a rod of n cells with cold ends, unit diffusivity and length, tridiagonal ----

typedef struct Rod {
    int n;
} Rod;

static inline int rod(void *user, double t, const double *x, double *dx) {
    (void)t;
    int n = ((Rod *)user)->n;
    double c = (n + 1.0) * (n + 1.0); // 1 / dx^2
    for (int i = 0; i < n; i++) {
        double left = i > 0 ? x[i - 1] : 0, right = i < n - 1 ? x[i + 1] : 0;
        dx[i] = c * (left - 2 * x[i] + right);
    }
    return 0;
}

// In pattern order: column j has the rows j - 1, j, j + 1.
static inline int rod_jacobian(void *user, double t, const double *x, const double *dx,
                               double *values) {
    (void)t, (void)x, (void)dx;
    int n = ((Rod *)user)->n, k = 0;
    double c = (n + 1.0) * (n + 1.0);
    for (int j = 0; j < n; j++) {
        if (j > 0) values[k++] = c;
        values[k++] = -2 * c;
        if (j < n - 1) values[k++] = c;
    }
    return 0;
}

static inline RbPattern tridiagonal(int n, RbArena *keep, RbArena scratch) {
    RbEntry *entries = rb_new_array(&scratch, RbEntry, 2 * n);
    int count = 0;
    for (int i = 0; i + 1 < n; i++) {
        entries[count++] = (RbEntry){i, i + 1};
        entries[count++] = (RbEntry){i + 1, i};
    }
    return rb_pattern(n, entries, count, keep, scratch);
}

// The slowest mode of the discrete rod decays exactly exponentially:
// x_i = sin(pi s_i) exp(-lambda t), lambda = 4 (n+1)^2 sin^2(pi / (2 (n+1))).
static inline double rod_mode(int n, int i) {
    return sin(M_PI * (i + 1) / (n + 1.0));
}

static inline double rod_rate(int n) {
    double s = sin(M_PI / (2 * (n + 1.0)));
    return 4 * (n + 1.0) * (n + 1.0) * s * s;
}

// ---- running ----

typedef struct Choice {
    const char *name;
    RbMethod method;
    RbTable table;
} Choice;

static const Choice all_methods[] = {
    {"bdf", RB_CVODE_BDF, 0},
    {"adams", RB_CVODE_ADAMS, 0},
    {"ida", RB_IDA, 0},
    {"dp5", RB_ARKODE, RB_TABLE_DORMAND_PRINCE5},
    {"bs3", RB_ARKODE, RB_TABLE_BOGACKI_SHAMPINE3},
    {"ck5", RB_ARKODE, RB_TABLE_CASH_KARP5},
    {"verner6", RB_ARKODE, RB_TABLE_VERNER6},
    {"fehlberg8", RB_ARKODE, RB_TABLE_FEHLBERG8},
};
enum { METHOD_COUNT = sizeof all_methods / sizeof *all_methods };

static inline RbSolverOptions options_for(const Choice *c, double tolerance) {
    RbSolverOptions o = rb_solver_options();
    o.method = c->method;
    o.table = c->table;
    o.tolerance = tolerance;
    return o;
}

// Create and run to t_end; the state there. Fails the test on any error.
static inline RbSolver *run(Fixture *f, const RbOde *ode, const RbSolverOptions *o,
                            const double *x0, double t_end) {
    RbSolver *solver = NULL;
    RbStop stop;
    RbStatus status = rb_solver_create(ode, o, 0, x0, &f->arena, &f->diag, &solver);
    if (status == RB_OK) status = rb_solver_advance(solver, t_end, &stop);
    for (int i = 0; i < f->diag.messages.count; i++) print_error("%s", fixture_message(f, i));
    ENSURE(status == RB_OK);
    return solver;
}
