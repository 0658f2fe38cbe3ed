// SPDX-License-Identifier: MIT
// RODAS: Rosenbrock method of order 4(3), six stages, L-stable, stiffly accurate, also in its error
// estimate; dense output of order 3. Hairer, Wanner, Solving ODE II, section VI.4 and its program.
//
// With u_i = gamma_i1 k_1 + ... no product of the Jacobian with a vector is needed:
//   (I / (gamma h) - J) u_i = f(t0 + alpha_i h, x0 + sum a_ij u_j) + sum c_ij u_j / h + gamma_i h
//   df/dt
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/lu.h"
#include "solver/small_data.h"

enum { STAGES = 6 };

static const double gamma_ii = 0.25;
static const double alpha[STAGES] = {0, 0.386, 0.21, 0.63, 1, 1};
static const double gamma_i[STAGES] = {0.25, -0.1043, 0.1035, -0.03620000000000023, 0, 0};
// The last row continues the row before it by 1: stage 6 starts from the solution of order 3.
static const double a[STAGES][STAGES - 1] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1},
};
static const double c[STAGES][STAGES - 1] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136,
     -6.058818238834054},
};
static const double d2[STAGES - 1] = {10.12623508344586, -7.487995877610167, -34.80091861555747,
                                      -7.992771707568823, 1.025137723295662};
static const double d3[STAGES - 1] = {-0.6762803392801253, 6.087714651680015, 16.43084320892478,
                                      24.76722511418386, -6.594389125716872};

// ---- derivatives of f at the start of the step

typedef struct AtTime {
    RbSmall *s;
    double t;
} AtTime;

static int derivative_at(void *user, const double *x, double *f) {
    const AtTime *at = user;
    return rb_small_evaluate(at->s, at->t, x, f);
}

int rb_small_jacobian(RbSmall *s, double t, const double *x, const double *dx) {
    int n = s->ode.n;
    s->stats.jacobians++;
    if (s->ode.jacobian) {
        memset(s->jacobian, 0, (size_t)n * (size_t)n * sizeof(double));
        return s->ode.jacobian(s->ode.user, t, x, dx, s->jacobian);
    }
    AtTime at = {s, t};
    s->difference.n = n;
    return rb_difference_jacobian(&s->difference, derivative_at, &at, x, dx, s->scale, dx,
                                  s->jacobian);
}

// A forward quotient into the step, over the mean of the step and its rounding.
static int time_derivative(RbSmall *s, double h) {
    double t = s->t0 + sqrt(DBL_EPSILON * fmax(fabs(s->t0), h) * h), step = t - s->t0;
    int answer = rb_small_evaluate(s, t, s->x0, s->ft);
    if (answer != 0) return answer;
    for (int i = 0; i < s->ode.n; i++) s->ft[i] = (s->ft[i] - s->f0[i]) / step;
    return 0;
}

static int find_slopes(RbSmall *s, double h) {
    if (s->slope_known) return 0;
    int answer = rb_small_jacobian(s, s->t0, s->x0, s->f0);
    if (answer == 0 && !s->ode.autonomous) answer = time_derivative(s, h);
    s->slope_known = answer == 0;
    return answer;
}

// ---- one step

static bool factorise(RbSmall *s, double h) {
    int n = s->ode.n;
    for (int k = 0; k < n * n; k++) s->factors[k] = -s->jacobian[k];
    for (int i = 0; i < n; i++) s->factors[i + n * i] += 1 / (gamma_ii * h);
    s->stats.factorisations++;
    s->factors_known = rb_lu_factor(n, s->factors, s->pivot, 0);
    return s->factors_known;
}

// sum = weighted sum of the first `count` increments
static void combine(const RbSmall *s, const double *weight, int count, double *restrict sum) {
    int n = s->ode.n;
    for (int i = 0; i < n; i++) sum[i] = 0;
    for (int j = 0; j < count; j++) {
        const double *restrict u = s->k[j];
        for (int i = 0; i < n; i++) sum[i] += weight[j] * u[i];
    }
}

static void place_stage(const RbSmall *s, int stage, double *x) {
    combine(s, a[stage], stage, x);
    for (int i = 0; i < s->ode.n; i++) x[i] += s->x0[i];
}

static int solve_stage(RbSmall *s, int stage, double h) {
    double *u = s->k[stage];
    if (stage == 0) {
        memcpy(u, s->f0, (size_t)s->ode.n * sizeof(double));
    } else {
        place_stage(s, stage, s->y);
        int answer = rb_small_evaluate(s, s->t0 + alpha[stage] * h, s->y, u);
        if (answer != 0) return answer;
    }
    double time_part = s->ode.autonomous ? 0 : gamma_i[stage] * h;
    combine(s, c[stage], stage, s->error);
    for (int i = 0; i < s->ode.n; i++) u[i] += s->error[i] * (1 / h);
    for (int i = 0; time_part != 0 && i < s->ode.n; i++) u[i] += time_part * s->ft[i];
    rb_lu_solve(s->ode.n, s->factors, s->pivot, u);
    return 0;
}

int rb_rodas_attempt(RbSmall *s, double h) {
    int answer = find_slopes(s, h);
    if (answer != 0) return answer;
    if (!factorise(s, h)) return 1;
    for (int stage = 0; stage < STAGES; stage++) {
        answer = solve_stage(s, stage, h);
        if (answer != 0) return answer;
    }
    for (int i = 0; i < s->ode.n; i++) {
        s->error[i] = s->k[5][i];
        s->x1[i] = s->y[i] + s->k[5][i];
    }
    return 0;
}

void rb_rodas_finish(RbSmall *s) {
    combine(s, d2, STAGES - 1, s->c2);
    combine(s, d3, STAGES - 1, s->c3);
    memset(s->c4, 0, (size_t)s->ode.n * sizeof *s->c4);
    s->f1_known = false;
}

// The dense output leaves fast modes where they happen to be. What f says there beyond the slope of the
// output brings them home: E y = f - x', E the matrix of the step. Slow ones stay, to the order of the step.
int rb_rodas_middle(RbSmall *s) {
    double h = s->t1 - s->t0, t = s->t0 + 0.5 * h, *y = s->k[1];
    rb_small_interpolate(s, t, 0, s->ode.n, s->y);
    int answer = rb_small_evaluate(s, t, s->y, y);
    if (answer != 0) return answer;
    for (int i = 0; i < s->ode.n; i++) y[i] -= (s->x1[i] - s->x0[i] + 0.25 * s->c3[i]) / h;
    if (!s->factors_known && !factorise(s, h)) return 1;
    rb_lu_solve(s->ode.n, s->factors, s->pivot, y);
    for (int i = 0; i < s->ode.n; i++) s->y[i] += y[i];
    return rb_small_evaluate_stage(s, t, s->y, y, 1);
}

// ---- how stiff

// Where the columns of m begin and end: bodies are coupled with their neighbours alone.
static void find_rows(RbSmall *s, const double *m) {
    int n = s->ode.n;
    for (int k = 0; k < n; k++) {
        const double *column = m + (long)n * k;
        int first = 0, end = n;
        while (end > 0 && column[end - 1] == 0) end--;
        while (first < end && column[first] == 0) first++;
        s->first[k] = first, s->end[k] = end;
    }
}

// out = m x, m by columns, whose rows were found
static void multiply(const RbSmall *s, const double *m, const double *x, double *restrict out) {
    int n = s->ode.n;
    for (int i = 0; i < n; i++) out[i] = 0;
    for (int k = 0; k < n; k++) {
        const double *restrict column = m + (long)n * k;
        if (x[k] == 0) continue; // most are
        for (int i = s->first[k]; i < s->end[k]; i++) out[i] += column[i] * x[k];
    }
}

// |lambda| <= ||J^4||^(1/4) for every matrix norm. The fourth power makes the bound sharp where a
// norm of J itself is useless: for x'' = -k x it is sqrt(k) up to a factor 1.2, not k. States count
// in units of their tolerance. The factors of the step are not needed any more: J^2 takes their
// place.
double rb_small_spectral_radius(RbSmall *s) {
    int n = s->ode.n;
    double *square = s->factors, *column = s->error, sum = 0;
    s->factors_known = false;
    find_rows(s, s->jacobian);
    for (int j = 0; j < n; j++)
        multiply(s, s->jacobian, s->jacobian + (long)n * j, square + (long)n * j);
    find_rows(s, square);
    for (int j = 0; j < n; j++) {
        multiply(s, square, square + (long)n * j, column);
        for (int i = 0; i < n; i++) {
            double v = column[i] * s->scale[j] / s->scale[i];
            sum += v * v;
        }
    }
    double radius = pow(sum, 0.125);
    return isfinite(radius) ? radius : INFINITY;
}
