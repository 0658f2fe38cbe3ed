// SPDX-License-Identifier: MIT
// Dormand and Prince's pair of order 5(4): Hairer, Norsett, Wanner, Solving ODE I, table II.5.2;
// dense output of order 4: section II.6; stiffness: Solving ODE II, section IV.2.
#include <math.h>
#include <string.h>

#include "solver/small_data.h"

static const double c[6] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1};
static const double a[6][5] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
};
static const double b[6] = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
static const double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
static const double d[7] = {-12715105075.0 / 11282082432.0,  0,
                            87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                            701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                            69997945.0 / 29380423.0};

// out = base + h sum of the first `count` weights times slopes
static void combine(const RbSmall *s, const double *base, double h, const double *weight, int count,
                    double *restrict out) {
    int n = s->ode.n;
    for (int i = 0; i < n; i++) out[i] = 0;
    for (int j = 0; j < count; j++) {
        const double *restrict k = s->k[j];
        for (int i = 0; i < n; i++) out[i] += weight[j] * k[i];
    }
    for (int i = 0; i < n; i++) out[i] = base[i] + h * out[i];
}

// The last two stages are both at the end of the step, in different places: what f changes between
// them, over their distance, is a lower bound for the norm of the Jacobian, and close to its
// largest eigenvalue when that eigenvalue is what the step is full of: at the limit of stability.
static double find_stiffness(const RbSmall *s, double h) {
    double change = 0, distance = 0;
    for (int i = 0; i < s->ode.n; i++) {
        double w = 1 / (s->relative[i] * fabs(s->x1[i]) + s->absolute[i]);
        double df = w * (s->k[6][i] - s->k[5][i]), dx = w * (s->x1[i] - s->y[i]);
        change += df * df;
        distance += dx * dx;
    }
    return distance > 0 ? h * sqrt(change / distance) : 0;
}

int rb_dopri_attempt(RbSmall *s, double h) {
    size_t size = (size_t)s->ode.n * sizeof(double);
    memcpy(s->k[0], s->f0, size);
    for (int i = 1; i < 6; i++) {
        combine(s, s->x0, h, a[i], i, s->y);
        int answer = rb_small_evaluate_stage(s, s->t0 + c[i] * h, s->y, s->k[i], i);
        if (answer != 0) return answer;
    }
    combine(s, s->x0, h, b, 6, s->x1);
    int answer = rb_small_evaluate_stage(s, s->t0 + h, s->x1, s->k[6], 6);
    if (answer != 0) return answer;
    for (int i = 0; i < s->ode.n; i++) {
        double sum = 0;
        for (int j = 0; j < 7; j++) sum += e[j] * s->k[j][i];
        s->error[i] = h * sum;
    }
    s->stiffness = find_stiffness(s, h);
    return 0;
}

// A rate is integrated as a state would be: (2) of docs/theory/small.md with the rates for slopes.
void rb_dopri_integrate(const RbSmall *s, double from, double until, double *sum) {
    double h = s->t1 - s->t0;
    const double u[2] = {(from - s->t0) / h, (until - s->t0) / h};
    for (int j = 0; j < s->ode.rate_count; j++) {
        double step = 0, bend = 0, value[2];
        for (int i = 0; i < 6; i++) step += b[i] * s->g[i][j];
        for (int i = 0; i < 7; i++) bend += d[i] * s->g[i][j];
        double c2 = s->g[0][j] - step, c3 = step - s->g[6][j] - c2;
        for (int k = 0; k < 2; k++) {
            double w = 1 - u[k];
            value[k] = u[k] * (step + w * (c2 + u[k] * (c3 + w * bend)));
        }
        sum[j] = h * (value[1] - value[0]);
    }
}

// And so is its error.
double rb_dopri_rate_error(const RbSmall *s) {
    double most = 0;
    for (int j = 0; j < s->ode.rate_count; j++) {
        double sum = 0;
        for (int i = 0; i < 7; i++) sum += e[i] * s->g[i][j];
        if (!rb_small_is_loose(s, j)) most = fmax(most, fabs(sum));
    }
    return (s->t1 - s->t0) * most;
}

void rb_dopri_finish(RbSmall *s, double h) {
    for (int i = 0; i < s->ode.n; i++) {
        double difference = s->x1[i] - s->x0[i], sum = 0;
        for (int j = 0; j < 7; j++) sum += d[j] * s->k[j][i];
        s->c2[i] = h * s->k[0][i] - difference;
        s->c3[i] = difference - h * s->k[6][i] - s->c2[i];
        s->c4[i] = h * sum;
    }
    memcpy(s->f1, s->k[6], (size_t)s->ode.n * sizeof(double));
    s->f1_known = true;
}
