// SPDX-License-Identifier: MIT
// Checks of an installation that need nothing but the program: examples with a closed-form
// solution.
#include <math.h>
#include <stdio.h>

#include "cli.h"

// An example that has been run to its end, without a journal.
static RbStatus run_example(Cli *cli, const char *name, double stop_time, double tolerance,
                            RbRun **run) {
    RbModel *model;
    TRY(rb_example_open(cli->context, name, &model));
    RbSimOptions options = rb_model_options(model);
    options.stop_time = stop_time;
    options.tolerance = tolerance;
    TRY(rb_run_open(cli->context, model, &options, run));
    return rb_run_step(*run, RB_UNTIL_TIME, stop_time, NULL);
}

static bool report(const char *what, double got, double want, double tolerance) {
    bool good = fabs(got - want) <= tolerance;
    printf("%-58s %s (error %.1e, allowed %.1e)\n", what, good ? "ok" : "FAILED", fabs(got - want),
           tolerance);
    return good;
}

// After the second impact the ball flies from t2 with speed e² v1.
static RbStatus check_ball(Cli *cli, RbRun **run, bool *good) {
    double g = 9.81, e = 0.7, v1 = sqrt(2 * g), t1 = v1 / g, t2 = t1 + 2 * e * v1 / g, t = 1.3;
    double h = e * e * v1 * (t - t2) - 0.5 * g * (t - t2) * (t - t2), got;
    TRY(run_example(cli, "bouncing-ball", t, 1e-10, run));
    TRY(rb_run_get_named(*run, "ball.h", &got));
    *good &= report("bouncing ball: height after two impacts", got, h, 1e-8);
    return RB_OK;
}

// Charging for half a period, then discharging.
static RbStatus check_capacitor(Cli *cli, RbRun **run, bool *good) {
    double v = 5 * (1 - exp(-2e-3 / 1e-3)) * exp(-2e-3 / 2e-3), got;
    TRY(run_example(cli, "switched-capacitor", 4e-3, 1e-10, run));
    TRY(rb_run_get_named(*run, "capacitor.v", &got));
    *good &= report("switched capacitor: voltage after one period", got, v, 1e-8);
    return RB_OK;
}

// Energy that is left and energy that was dissipated.
static RbStatus check_pendulum(Cli *cli, RbRun **run, bool *good) {
    double phi, w, heat;
    TRY(run_example(cli, "pendulum", 10, 1e-10, run));
    TRY(rb_run_get_named(*run, "pendulum.phi", &phi));
    TRY(rb_run_get_named(*run, "pendulum.w", &w));
    TRY(rb_run_get_named(*run, "pendulum.dissipated", &heat));
    double energy = 0.5 * w * w - 9.81 * cos(phi) + heat;
    *good &= report("pendulum: energy balance after 10 s", energy, -9.81 * cos(1.0), 1e-7);
    return RB_OK;
}

// All heat in the rod came in through its left end, also across the change from 5 to 40 elements.
static RbStatus check_rod(Cli *cli, RbRun **run, bool *good) {
    enum { ELEMENTS = 40 };
    double T[ELEMENTS], came_in, heat = 0;
    TRY(run_example(cli, "refined-rod", 2e4, 1e-8, run));
    if (rb_run_sizes(*run).states != ELEMENTS)
        return cli_fail(cli, RB_ERROR_INTERNAL, NULL, "the rod has not been refined");
    TRY(rb_run_states(*run, T));
    TRY(rb_run_get_named(*run, "rod.Q_in", &came_in));
    for (int i = 0; i < ELEMENTS; i++) heat += 7500.0 * 0.0004 * 450 / ELEMENTS * (T[i] - 273.15);
    *good &= report("rod refined from 5 to 40 elements: heat balance", heat / came_in, 1, 1e-6);
    return RB_OK;
}

RbStatus run_selftest(Cli *cli) {
    RbStatus (*const checks[])(Cli *, RbRun **, bool *) = {check_ball, check_capacitor,
                                                           check_pendulum, check_rod};
    bool good = true;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        RbRun *run = NULL;
        RbStatus status = checks[i](cli, &run, &good);
        RbStatus closed = rb_run_close(run, NULL);
        TRY(status != RB_OK ? status : closed);
    }
    if (good) return RB_OK;
    return cli_fail(cli, RB_ERROR_INTERNAL, NULL,
                    "the installation does not compute what it should");
}
