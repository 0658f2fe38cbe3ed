// SPDX-License-Identifier: MIT
// stepper.h: a small integrator of our tests, which shares no code with the library: Dormand and Prince's
// pair of order 5 with error control, and bisection for the first change of sign of an event indicator
// (with steps from the same start that end earlier).
#pragma once

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { STEPPER_MOST = 256 };

typedef struct Stepper {
    void *user;
    void (*rates)(void *user, double t, const double *x, double *dx);
    void (*indicators)(void *user, double t, const double *x, double *z);
    const double *nominal; // of the states
    int n, z_count;
    double tolerance;
    double t, h;                             // [s] now, and the next step
    double x[STEPPER_MOST], z[STEPPER_MOST]; // now, as they are after an event
} Stepper;

// The error relative to the tolerance.
static inline double stepper_try(Stepper *s, double h, double *out) {
    static const double c[7] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
    static const double a[7][6] = {
        {0},
        {1. / 5},
        {3. / 40, 9. / 40},
        {44. / 45, -56. / 15, 32. / 9},
        {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
        {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
        {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}};
    static const double e[7] = {71. / 57600,       0,           -71. / 16695, 71. / 1920,
                                -17253. / 339200., 22. / 525, -1. / 40};
    static _Thread_local double k[7][STEPPER_MOST];
    double worst = 0;
    for (int stage = 0; stage < 7; stage++) {
        for (int i = 0; i < s->n; i++) {
            out[i] = s->x[i];
            for (int j = 0; j < stage; j++) out[i] += h * a[stage][j] * k[j][i];
        }
        s->rates(s->user, s->t + c[stage] * h, out, k[stage]);
    }
    for (int i = 0; i < s->n; i++) { // out is the solution of order 5
        double error = 0, scale = s->tolerance * (fabs(out[i]) + s->nominal[i]);
        for (int j = 0; j < 7; j++) error += h * e[j] * k[j][i];
        worst = fmax(worst, fabs(error) / scale);
    }
    return worst;
}

static inline bool stepper_crosses(Stepper *s, double h, const double *x) {
    double z[STEPPER_MOST];
    if (s->z_count == 0) return false;
    s->indicators(s->user, s->t + h, x, z);
    for (int i = 0; i < s->z_count; i++)
        if ((s->z[i] > 0) != (z[i] > 0)) return true;
    return false;
}

// One step, to the limit at most, or to right behind the first change of sign: true.
static inline bool stepper_step(Stepper *s, double limit) {
    double x[STEPPER_MOST] = {0}, h = fmin(s->h, limit - s->t);
    for (;;) {
        double error = stepper_try(s, h, x), factor = 0.9 * pow(fmax(error, 1e-8), -0.2);
        s->h = h * fmin(4, fmax(0.2, factor));
        if (error <= 1) break;
        h = s->h;
    }
    bool event = stepper_crosses(s, h, x);
    double low = 0, high = h;
    while (event) {
        double middle = low + 0.5 * (high - low);
        if (s->t + middle <= s->t + low || s->t + middle >= s->t + high) break;
        stepper_try(s, middle, x);
        *(stepper_crosses(s, middle, x) ? &high : &low) = middle;
    }
    if (event) stepper_try(s, high, x);
    s->t = !event && h >= limit - s->t ? limit : s->t + high;
    memcpy(s->x, x, sizeof x);
    return event;
}
