// SPDX-License-Identifier: MIT
// Checks of an installation that need nothing but the program: examples with a closed-form
// solution.
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "model/example.h"
#include "sim/sim.h"

// Run an example without a journal and answer the values at its end.
static RbStatus run_example(Cli *cli, const char *name, double stop_time, double tolerance,
                            RbSim *sim) {
    RbModel *model;
    RB_TRY(rb_example_build(name, &cli->arena, &cli->diag, &model));
    RbSimOptions options = rb_model_options(model);
    options.stop_time = stop_time;
    options.tolerance = tolerance;
    *sim = (RbSim){.model = model,
                   .options = options,
                   .heap = &cli->heap,
                   .diag = &cli->diag,
                   .log = &cli->log};
    return rb_sim_run(sim);
}

static bool report(const char *what, double got, double want, double tolerance) {
    bool good = fabs(got - want) <= tolerance;
    printf("%-58s %s (error %.1e, allowed %.1e)\n", what, good ? "ok" : "FAILED", fabs(got - want),
           tolerance);
    return good;
}

// After the second impact the ball flies from t2 with speed e² v1.
static RbStatus check_ball(Cli *cli, RbSim *sim, bool *good) {
    double g = 9.81, e = 0.7, v1 = sqrt(2 * g), t1 = v1 / g, t2 = t1 + 2 * e * v1 / g, t = 1.3;
    RB_TRY(run_example(cli, "bouncing-ball", t, 1e-10, sim));
    double h = e * e * v1 * (t - t2) - 0.5 * g * (t - t2) * (t - t2);
    *good &=
        report("bouncing ball: height after two impacts", rb_sim_stage(sim)->now.x[0], h, 1e-8);
    return RB_OK;
}

// Charging for half a period, then discharging.
static RbStatus check_capacitor(Cli *cli, RbSim *sim, bool *good) {
    RB_TRY(run_example(cli, "switched-capacitor", 4e-3, 1e-10, sim));
    double v = 5 * (1 - exp(-2e-3 / 1e-3)) * exp(-2e-3 / 2e-3);
    *good &= report("switched capacitor: voltage after one period", rb_sim_stage(sim)->now.x[0], v,
                    1e-8);
    return RB_OK;
}

// Energy that is left and energy that was dissipated.
static RbStatus check_pendulum(Cli *cli, RbSim *sim, bool *good) {
    RB_TRY(run_example(cli, "pendulum", 10, 1e-10, sim));
    const RbValues *now = &rb_sim_stage(sim)->now;
    double energy = 0.5 * now->x[1] * now->x[1] - 9.81 * cos(now->x[0]) + now->q[0];
    *good &= report("pendulum: energy balance after 10 s", energy, -9.81 * cos(1.0), 1e-7);
    return RB_OK;
}

// All heat in the rod came in through its left end, also across the change from 5 to 40 elements.
static RbStatus check_rod(Cli *cli, RbSim *sim, bool *good) {
    RB_TRY(run_example(cli, "refined-rod", 2e4, 1e-8, sim));
    const RbValues *now = &rb_sim_stage(sim)->now;
    int n = rb_sim_stage(sim)->system->x_count;
    double capacity = 7500.0 * 0.0004 * 450 / n, heat = 0;
    for (int i = 0; i < n; i++) heat += capacity * (now->x[i] - 273.15);
    *good &= report("rod refined from 5 to 40 elements: heat balance", heat / now->q[0], 1, 1e-6);
    return RB_OK;
}

RbStatus run_selftest(Cli *cli) {
    RbStatus (*const checks[])(Cli *, RbSim *, bool *) = {check_ball, check_capacitor,
                                                          check_pendulum, check_rod};
    bool good = true;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        RbSim *sim = rb_new(&cli->arena, RbSim);
        RbStatus status = checks[i](cli, sim, &good);
        rb_sim_free(sim);
        RB_TRY(status);
    }
    if (good) return RB_OK;
    return rb_fail(&cli->diag, RB_ERROR_INTERNAL, RB_NOWHERE,
                   "the installation does not compute what it should");
}
