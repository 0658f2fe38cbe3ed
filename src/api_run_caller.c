// SPDX-License-Identifier: MIT
// A run that the caller integrates (include/rattleback/run.h).
#include "api_run.h"

#include <math.h>

typedef struct CallerCall {
    RbRun *run;
    double time;
    const double *x, *inputs;
    double *values;
    bool event;
    RbMet met;
} CallerCall;

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

static RbStatus keep(CallerCall *call, RbStatus status) {
    if (status != RB_OK) rb_sim_explain(&call->run->sim, status);
    call->run->status = status;
    call->run->stale = true;
    return status;
}

// ---------------------------------------------------------------------------------------------------
// moving

static RbStatus check_point(CallerCall *call) {
    RbRun *r = call->run;
    const RbRunningSegment *stage = rb_sim_stage(&r->sim);
    double since = rb_solver_time(stage->solver);
    if (!isfinite(call->time) || call->time < since)
        return rb_fail(r->sim.diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "rb_run_move: the time %.17g s is before the end of the last step, %.17g s",
                       call->time, since);
    for (int i = 0; call->x && i < stage->system->x_count; i++) {
        if (isfinite(call->x[i])) continue;
        return rb_fail(r->sim.diag, RB_ERROR_USAGE, RB_NOWHERE, "rb_run_move: state %d is %g", i,
                       call->x[i]);
    }
    return RB_OK;
}

static RbStatus put_inputs(CallerCall *call) {
    RbRun *r = call->run;
    int count = call->inputs ? rb_model_number_inputs(r->sim.model) : 0;
    for (int i = 0; i < count; i++) {
        if (rb_look_input(&r->look, i) == call->inputs[i]) continue;
        RB_TRY(rb_look_put_input(&r->look, i, call->inputs[i]));
    }
    return RB_OK;
}

static RbStatus move(void *argument) {
    CallerCall *call = argument;
    RbRun *r = call->run;
    RB_TRY(rb_run_look(r));
    RB_TRY(check_point(call));
    RB_TRY(put_inputs(call));
    rb_sim_move(&r->sim, call->time, call->x);
    r->look.evaluated = false;
    return RB_OK;
}

RbStatus rb_run_move(RbRun *run, double time, const double *x, const double *inputs) {
    if (!run) return RB_ERROR_USAGE;
    RB_TRY(check_run(run, __func__));
    return rb_run_call(run, move,
                       &(CallerCall){.run = run, .time = time, .x = x, .inputs = inputs});
}

// ---------------------------------------------------------------------------------------------------
// the end of a step

static RbStatus accept_step(void *argument) {
    CallerCall *call = argument;
    return rb_sim_accept(&call->run->sim, &call->event);
}

RbStatus rb_run_accept(RbRun *run, bool *event) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, event);
    RB_TRY(check_run(run, __func__));
    CallerCall call = {.run = run};
    RbStatus status = rb_run_call(run, accept_step, &call);
    *event = call.event;
    return keep(&call, status); // who looks must see the past that the step has added to
}

static RbStatus meet_event(void *argument) {
    CallerCall *call = argument;
    RbSim *sim = &call->run->sim;
    RbStatus status = rb_sim_accept(sim, &call->event);
    if (status == RB_OK) status = rb_sim_meet(sim, &call->met.restart);
    call->met.finished = sim->terminated;
    return keep(call, status);
}

RbStatus rb_run_meet_event(RbRun *run, RbMet *met) {
    if (!run) return RB_ERROR_USAGE;
    RB_TRY(check_run(run, __func__));
    CallerCall call = {.run = run};
    RbStatus status = rb_run_call(run, meet_event, &call);
    if (met) *met = call.met;
    return status;
}

static RbStatus next_event(void *argument) {
    CallerCall *call = argument;
    call->time = rb_sim_next_event(&call->run->sim);
    return RB_OK;
}

double rb_run_next_event(RbRun *run) {
    CallerCall call = {.run = run, .time = NAN};
    if (run && check_run(run, __func__) == RB_OK) rb_run_call(run, next_event, &call);
    return call.time;
}

static RbStatus nominals(void *argument) {
    CallerCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    const RbSystem *s = rb_sim_stage(&call->run->sim)->system;
    for (int i = 0; i < s->x_count; i++) call->values[i] = s->nominal[i];
    return RB_OK;
}

RbStatus rb_run_nominals(RbRun *run, double *values) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, values);
    return rb_run_call(run, nominals, &(CallerCall){.run = run, .values = values});
}
