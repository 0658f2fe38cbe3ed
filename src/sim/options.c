// SPDX-License-Identifier: MIT
#include "sim/options.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "sim/sim.h"
#include "solver/solver.h"

// Steps and intervals are 0 (none) or so long that the run has an end.
static RbStatus check_steps(const RbSimOptions *o, RbDiag *diag) {
    const struct {
        const char *name;
        double length;
        double most; // of such steps in a run
    } steps[] = {
        {"output interval", o->output_interval, 1e9}, // some terabytes at the latest
        {"checkpoint interval", o->checkpoint_interval, 1e9},
        {"interval of particles", o->particle_interval, 1e9},
        {"maximum step", isinf(o->max_step) ? 0 : o->max_step, 1e10}, // infinite: no limit
        {"initial step", o->initial_step, 1e15},                      // steps grow
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        double count = (o->stop_time - o->start_time) / steps[i].length;
        if (!(steps[i].length >= 0) || isinf(steps[i].length))
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "the %s is %g s; it must be a number, and not negative", steps[i].name,
                           steps[i].length);
        if (steps[i].length > 0 && count > steps[i].most)
            return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "the %s of %g s divides the run into %.2g parts; at most %.0e are "
                           "possible",
                           steps[i].name, steps[i].length, count, steps[i].most);
    }
    return RB_OK;
}

static RbStatus check_solver(const RbSimOptions *o, RbDiag *diag) {
    RbMethod method;
    RbTable table;
    bool own = strcmp(o->solver, "islands") == 0 || strcmp(o->solver, "auto") == 0;
    if (own || rb_solver_find_method(o->solver, &method, &table)) return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "there is no solver '%s'; choose auto, cvode, islands, adams, ida, leapfrog, "
                   "dp5, bs3, ck5, verner6 or fehlberg8",
                   o->solver);
}

static RbStatus check_event_rows(RbSimOptions *o, RbDiag *diag) {
    if (!o->event_rows) o->event_rows = "located";
    if (strcmp(o->event_rows, "located") == 0 || strcmp(o->event_rows, "all") == 0 ||
        strcmp(o->event_rows, "summary") == 0)
        return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "events cannot be recorded as '%s'; choose all, located or summary",
                   o->event_rows);
}

static RbStatus check_tolerance(double tolerance, RbDiag *diag) {
    const double tolerance_min = 1e-14; // some roundings of a double
    if (tolerance >= tolerance_min && tolerance < 1) return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "the tolerance is %g; it must be at least %g, since numbers have 16 digits, "
                   "and less than 1",
                   tolerance, tolerance_min);
}

RbStatus rb_sim_set_tolerance(RbSim *sim, double tolerance) {
    RB_TRY(check_tolerance(tolerance, sim->diag));
    RB_TRY(rb_sim_begin_change(sim));
    sim->options.tolerance = tolerance;
    sim->change = RB_FULL_RESTART; // the solver is made anew
    return RB_OK;
}

// Time must have values enough between start and stop.
static RbStatus check_span(const RbSimOptions *o, RbDiag *diag) {
    const double shortest = 1e-100, least_values = 1e6;
    double length = o->stop_time - o->start_time;
    double spacing = DBL_EPSILON * fmax(fabs(o->start_time), fabs(o->stop_time)); // [s] of values
    if (length == 0) return RB_OK; // the start alone
    if (length < shortest)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the run from %g s to %g s is too short; it must last %g s at least",
                       o->start_time, o->stop_time, shortest);
    if (length >= least_values * spacing) return RB_OK;
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "between the start time %.17g s and the stop time %.17g s numbers have about "
                   "%.0f values only: let the run start nearer to zero",
                   o->start_time, o->stop_time, length / spacing);
}

static RbStatus check_numbers(const RbSimOptions *o, RbDiag *diag) {
    enum { ITERATIONS_MAX = 1000000 };
    if (!(o->stop_time >= o->start_time) || !isfinite(o->stop_time) || !isfinite(o->start_time))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the stop time %g s must be a number not before the start time %g s",
                       o->stop_time, o->start_time);
    RB_TRY(check_span(o, diag));
    RB_TRY(check_tolerance(o->tolerance, diag));
    if (o->max_event_iterations > ITERATIONS_MAX)
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "%d event iterations are allowed; at most %d are possible",
                       o->max_event_iterations, ITERATIONS_MAX);
    return check_steps(o, diag);
}

RbStatus rb_sim_options_check(RbSimOptions *o, int least_steps, RbDiag *diag) {
    if (!o->solver) o->solver = "auto";
    RB_TRY(check_solver(o, diag));
    RB_TRY(check_event_rows(o, diag));
    RB_TRY(check_numbers(o, diag));
    if (o->max_event_iterations <= 0) o->max_event_iterations = 100;
    if (o->max_step == 0 && least_steps > 0)
        o->max_step = (o->stop_time - o->start_time) / least_steps;
    return RB_OK;
}
