// SPDX-License-Identifier: MIT
// A run that the caller integrates (include/rattleback/run.h).
#include "api/api_run.h"

#include <math.h>

// May the run be moved, or its events be met?
static RbStatus check_run(const RbRun *run, const char *function) {
    if (!rb_sim_by_caller(&run->sim))
        return rb_bad_argument(run->context, function, "run",
                               "has a solver of its own; open it with the solver 'caller'");
    if (run->status != RB_OK)
        return rb_bad_argument(run->context, function, "run",
                               "has failed; restore what was saved before, or close it");
    return RB_OK;
}

static RbStatus keep(RbRun *r, RbStatus status) {
    if (status != RB_OK) rb_sim_explain(&r->sim, status);
    r->status = status;
    r->stale = true;
    return status;
}

// ---------------------------------------------------------------------------------------------------
// moving

static RbStatus check_point(RbRun *r, double time, const double *x) {
    const RbRunningSegment *stage = rb_sim_stage(&r->sim);
    double since = rb_solver_step_start(stage->solver); // dense output looks back into the step
    if (!isfinite(time) || time < since)
        return rb_fail(r->sim.diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "rb_run_move: the time %.17g s is before the begin of the last step, %.17g s",
                       time, since);
    for (int i = 0; x && i < stage->system->x_count; i++) {
        if (isfinite(x[i])) continue;
        return rb_fail(r->sim.diag, RB_ERROR_USAGE, RB_NOWHERE, "rb_run_move: state %d is %g", i,
                       x[i]);
    }
    return RB_OK;
}

static RbStatus put_inputs(RbRun *r, const double *inputs) {
    int count = inputs ? rb_model_number_inputs(r->sim.model) : 0;
    for (int i = 0; i < count; i++) {
        if (rb_look_input(&r->look, i) == inputs[i]) continue;
        RB_TRY(rb_look_put_input(&r->look, i, inputs[i]));
    }
    return RB_OK;
}

RbStatus rb_run_move(RbRun *run, double time, const double *x, const double *inputs) {
    if (!run) return RB_ERROR_USAGE;
    RB_TRY(check_run(run, __func__));
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    RB_TRY(check_point(run, time, x));
    RB_TRY(put_inputs(run, inputs));
    rb_sim_move(&run->sim, time, x);
    run->look.evaluated = false;
    return RB_OK;
}

// ---------------------------------------------------------------------------------------------------
// the end of a step

static RbStatus accept_step(RbRun *r, bool *event) {
    RB_RUN_CALL(r);
    return rb_sim_accept(&r->sim, event);
}

RbStatus rb_run_accept(RbRun *run, bool *event) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, event);
    RB_TRY(check_run(run, __func__));
    *event = false;
    return keep(run,
                accept_step(run, event)); // who looks must see the past that the step has added to
}

static RbStatus meet_event(RbRun *r, RbMet *met) {
    RB_RUN_CALL(r);
    bool event = false;
    RbStatus status = rb_sim_accept(&r->sim, &event);
    if (status == RB_OK) status = rb_sim_meet(&r->sim, &met->restart);
    met->finished = r->sim.terminated;
    return keep(r, status);
}

RbStatus rb_run_meet_event(RbRun *run, RbMet *met) {
    RbMet ignored;
    if (!run) return RB_ERROR_USAGE;
    RB_TRY(check_run(run, __func__));
    if (!met) met = &ignored;
    *met = (RbMet){0};
    return meet_event(run, met);
}

double rb_run_next_event(RbRun *run) {
    if (!run || check_run(run, __func__) != RB_OK) return NAN;
    RB_RUN_CALL_OR(run, NAN);
    return rb_sim_next_event(&run->sim);
}

RbStatus rb_run_nominals(RbRun *run, double *values) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, values);
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    const RbSystem *s = rb_sim_stage(&run->sim)->system;
    for (int i = 0; i < s->x_count; i++) values[i] = s->nominal[i];
    return RB_OK;
}
