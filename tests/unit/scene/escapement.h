// SPDX-License-Identifier: MIT
// escapement.h: what a lever escapement must do: one tooth of fifteen for each period of its balance, at its
// frequency, with a steady amplitude, and no energy from nowhere.
#pragma once

#include "stand.h"

static inline void ensure_escapement(double seconds) {
    Stand s;
    stand_open_case(&s, "escapement");
    stand_record(&s, 0.01);
    stand_run(&s, seconds, s.options.tolerance);
    int count, swings = 0;
    const double *t = stand_series(&s, "time", &count),
                 *balance = stand_series(&s, "tick.phi", &count),
                 *speed = stand_series(&s, "tick.w", &count),
                 *wheel = stand_series(&s, "escape.phi", &count);
    double least = INFINITY, most = 0, first = 0, last = 0, first_wheel = 0, last_wheel = 0;
    for (int i = 1; i < count; i++) {
        if (!(speed[i - 1] > 0 && speed[i] <= 0)) continue; // one end of its swing
        double part = speed[i - 1] / (speed[i - 1] - speed[i]), dt = t[i] - t[i - 1];
        double top = balance[i - 1] + 0.5 * part * dt * speed[i - 1];
        last = t[i - 1] + part * dt, last_wheel = wheel[i];
        if (swings++ == 0) first = last, first_wheel = last_wheel;
        least = fmin(least, top);
        most = fmax(most, top);
    }
    ENSURE(swings >= (int)seconds - 1);
    ENSURE_NEAR((last - first) / (swings - 1), 1, 1e-3); // [s] of spring and inertia alone: 1
    ENSURE_NEAR((first_wheel - last_wheel) / (swings - 1), 2 * M_PI / 15, 1e-4);
    ENSURE(most - least < 0.01 * most);
    double input = stand_quadrature(&s, "energy.input");
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-4 * input);
    ENSURE(stand_result(&s, "energy.contact_false_work") == 0);
    stand_close(&s);
}
