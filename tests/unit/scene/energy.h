// SPDX-License-Identifier: MIT
// energy.h: the energy account of every scene balances, and better with a tighter tolerance; for
// test_energy.c (the first second of each) and test_energy_full.c.
#pragma once

#include "stand.h"

// What stands turns no energy over, so that nothing is left to compare a residual with; its account
// is compared with its energy of position above the origin.
static inline bool stands(const char *name) {
    return strcmp(name, "cards") == 0 || strcmp(name, "rails") == 0;
}

// Largest residual over the run, in units of 10 tolerance E_ref (10 + events so far), E_ref being
// the largest kinetic energy so far and the energy turned over. Must stay below 1.
static inline double imbalance(const char *name, const char *solver, double longest,
                               double tolerance, double *residual) {
    Stand s;
    stand_open_case(&s, name);
    s.options.solver = solver;
    s.options.stop_time = fmin(s.options.stop_time, longest);
    stand_record(&s, s.options.stop_time / 200);
    stand_run(&s, s.options.stop_time, tolerance);
    int count;
    const double *time = stand_series(&s, "time", &count),
                 *kinetic = stand_series(&s, "energy.kinetic", &count);
    const double *left = stand_series(&s, "energy.residual", &count);
    const double *damping = stand_series(&s, "energy.contact_damping", &count),
                 *friction = stand_series(&s, "energy.friction", &count);
    const double *rolling = stand_series(&s, "energy.rolling", &count),
                 *potential = stand_series(&s, "energy.potential", &count);
    double largest = stands(name) ? fabs(potential[0]) : 0, worst = 0;
    *residual = 0;
    for (int i = 0, events = 0; i < count; i++) {
        while (events < s.contact_count && s.contacts[events].time <= time[i]) events++;
        largest = fmax(largest, kinetic[i]);
        double reference = largest + fabs(damping[i]) + friction[i] + rolling[i];
        *residual = fmax(*residual, fabs(left[i]));
        if (reference > 0)
            worst = fmax(worst, fabs(left[i]) / (10 * tolerance * reference * (10 + events)));
    }
    stand_close(&s);
    return worst;
}

// All scenes, at most this long [s], with this solver.
static inline void every_scene(const char *solver, double longest) {
    bool good = true;
    for (const RbSceneCase *c = rb_scene_cases; c->name; c++) {
        double loose_residual, tight_residual;
        double loose = imbalance(c->name, solver, longest, 1e-5, &loose_residual),
               tight = imbalance(c->name, solver, longest, 1e-7, &tight_residual);
        print_message("%-8s %-20s %8.3f %8.3f   residual %9.2e J %9.2e J\n", solver, c->name, loose,
                      tight, loose_residual, tight_residual);
        good = good && loose <= 1 && tight <= 1 && tight_residual < loose_residual;
    }
    ENSURE(good);
}
