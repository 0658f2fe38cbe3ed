// SPDX-License-Identifier: MIT
// hermite.h: dense output by cubic Hermite polynomials, from states and derivatives at both ends of a step.
#pragma once

typedef struct RbHermite {
    double h;               // [s] length of the step; 0: it has none
    const double *x0, *f0;  // at its begin
    const double *x1, *f1;  // at its end
} RbHermite;

// At u = (t - t0) / h; derivative 0: the states, 1: their derivatives.
static inline void rb_hermite(const RbHermite *p, int n, double u, int derivative, double *x) {
    double h = p->h, a, b, c, d; // weights of x0, x1, h f0, h f1
    if (derivative == 0) {
        b = u * u * (3 - 2 * u);
        a = 1 - b;
        c = u * (1 - u) * (1 - u);
        d = -u * u * (1 - u);
    } else {
        b = 6 * u * (1 - u) / h;
        a = -b;
        c = (1 - u) * (1 - 3 * u) / h;
        d = u * (3 * u - 2) / h;
    }
    for (int i = 0; i < n; i++)
        x[i] = a * p->x0[i] + b * p->x1[i] + h * (c * p->f0[i] + d * p->f1[i]);
}
