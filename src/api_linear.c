// SPDX-License-Identifier: MIT
// Linear systems and points of rest (include/rattleback/linear.h).
#include <math.h>
#include <string.h>

#include "api_run.h"
#include "sim/linearize.h"
#include "solver/eigen.h"

typedef struct LinearCall {
    RbContext *context;
    RbRun *run;
    int states;
    const RbLinearSystem *system;
    const RbRunDirection *direction;
    const double *A;
    double *real, *imaginary, *participation;
    double number; // frequency, or tolerance
    RbRestFound rest;
    int input, output, count;
    double *y;
} LinearCall;

// -------------------------------------------------------------------------------------------------
// linear systems

static RbStatus linearize(void *argument) {
    LinearCall *call = argument;
    const RbLinearSystem *s = call->system;
    RB_TRY(rb_run_look(call->run));
    return rb_look_linearize(&call->run->look,
                             &(RbLinearization){s->inputs, s->outputs, s->input_count,
                                                s->output_count, s->A, s->B, s->C, s->D});
}

static RbStatus check_system(RbContext *c, const char *function, const RbLinearSystem *s,
                             int states) {
    if (s->input_count < 0 || s->output_count < 0)
        return rb_bad_argument(c, function, "system", "has a negative count");
    bool lacks = (states > 0 && !s->A) || (s->input_count > 0 && states > 0 && !s->B) ||
                 (s->output_count > 0 && states > 0 && !s->C) ||
                 (s->input_count > 0 && s->output_count > 0 && !s->D);
    return lacks ? rb_bad_argument(c, function, "system", "has no room for a matrix") : RB_OK;
}

static RbStatus check_numbers(RbRun *run, const char *function, const int *variables, int count) {
    if (count > 0 && !variables)
        return rb_bad_argument(run->context, function, "variables", "is NULL");
    for (int i = 0; i < count; i++)
        if (variables[i] < 0 || variables[i] >= rb_run_count(run))
            return rb_bad_argument(run->context, function, "variables",
                                   "holds a number that is no variable");
    return RB_OK;
}

RbStatus rb_run_linearize(RbRun *run, const RbLinearSystem *system) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, system);
    RB_TRY(check_system(run->context, __func__, system, rb_run_sizes(run).states));
    RB_TRY(check_numbers(run, __func__, system->inputs, system->input_count));
    RB_TRY(check_numbers(run, __func__, system->outputs, system->output_count));
    return rb_run_call(run, linearize, &(LinearCall){.run = run, .system = system});
}

static RbStatus direct(void *argument) {
    LinearCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    return rb_look_direction(&call->run->look, call->direction);
}

RbStatus rb_run_direction(RbRun *run, const RbRunDirection *d) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, d);
    bool bad = d->unknown_count < 0 || d->known_count < 0 ||
               (d->unknown_count > 0 && !d->derivatives) || (d->known_count > 0 && !d->seed);
    if (bad)
        return rb_bad_argument(run->context, __func__, "direction",
                               "has a negative count, or an array that is NULL");
    RB_TRY(check_numbers(run, __func__, d->unknowns, d->unknown_count));
    RB_TRY(check_numbers(run, __func__, d->knowns, d->known_count));
    return rb_run_call(run, direct, &(LinearCall){.run = run, .direction = d});
}

static RbStatus find_modes(void *argument) {
    LinearCall *call = argument;
    RbArena scratch = call->context->scratch;
    if (rb_eigenvalues(call->states, call->A, call->real, call->imaginary, call->participation,
                       &scratch))
        return RB_OK;
    return rb_fail(&call->context->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "the eigenvalues of the matrix cannot be found: it holds infinite or missing "
                   "numbers, or the "
                   "iteration does not converge");
}

RbStatus rb_linear_modes(RbContext *context, int states, const double *A, double *real,
                         double *imaginary, double *participation) {
    if (!context) return RB_ERROR_USAGE;
    if (states < 0) return rb_bad_argument(context, __func__, "states", "is negative");
    if (states > 0) RB_NEED(context, A);
    if (states > 0) RB_NEED(context, real);
    if (states > 0) RB_NEED(context, imaginary);
    LinearCall call = {.context = context, .states = states, .A = A, .real = real};
    call.imaginary = imaginary, call.participation = participation;
    return rb_context_call(context, find_modes, &call);
}

static RbStateSpace state_space(const LinearCall *call) {
    const RbLinearSystem *s = call->system;
    return (RbStateSpace){call->states, s->input_count, s->output_count, s->A, s->B, s->C, s->D};
}

static RbStatus respond(void *argument) {
    LinearCall *call = argument;
    RbArena scratch = call->context->scratch;
    RbStateSpace space = state_space(call);
    if (rb_frequency_response(&space, call->number, call->real, call->imaginary, &scratch))
        return RB_OK;
    return rb_fail(&call->context->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "the response is infinite at %.10g rad/s, an undamped frequency of the system",
                   call->number);
}

RbStatus rb_linear_response(RbContext *context, int states, const RbLinearSystem *system, double w,
                            double *real, double *imaginary) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, system);
    if (states < 0) return rb_bad_argument(context, __func__, "states", "is negative");
    RB_TRY(check_system(context, __func__, system, states));
    if (system->input_count > 0 && system->output_count > 0) RB_NEED(context, real);
    if (system->input_count > 0 && system->output_count > 0) RB_NEED(context, imaginary);
    LinearCall call = {.context = context, .states = states, .system = system, .number = w};
    call.real = real, call.imaginary = imaginary;
    return rb_context_call(context, respond, &call);
}

static RbStatus check_channel(RbContext *c, const char *function, const RbLinearSystem *s,
                              int input, int output) {
    if (input < 0 || input >= s->input_count)
        return rb_bad_argument(c, function, "input", "is not one of the system");
    if (output < 0 || output >= s->output_count)
        return rb_bad_argument(c, function, "output", "is not one of the system");
    return RB_OK;
}

static RbStatus find_zeros(void *argument) {
    LinearCall *call = argument;
    RbArena scratch = call->context->scratch;
    RbStateSpace space = state_space(call);
    call->count = rb_transfer_zeros(&space, call->input, call->output, call->real, call->imaginary,
                                    &scratch);
    if (call->count >= 0) return RB_OK;
    return rb_fail(&call->context->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "the zeros cannot be found: the system holds infinite or missing numbers, or the "
                   "iteration does not converge");
}

RbStatus rb_linear_zeros(RbContext *context, int states, const RbLinearSystem *system, int input,
                         int output, double *real, double *imaginary, int *count) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, system);
    RB_NEED(context, count);
    if (states < 0) return rb_bad_argument(context, __func__, "states", "is negative");
    if (states > 0) RB_NEED(context, real);
    if (states > 0) RB_NEED(context, imaginary);
    RB_TRY(check_system(context, __func__, system, states));
    RB_TRY(check_channel(context, __func__, system, input, output));
    LinearCall call = {.context = context, .states = states, .system = system, .input = input};
    call.output = output, call.real = real, call.imaginary = imaginary;
    RbStatus status = rb_context_call(context, find_zeros, &call);
    *count = status == RB_OK ? call.count : 0;
    return status;
}

static RbStatus step(void *argument) {
    LinearCall *call = argument;
    RbArena scratch = call->context->scratch;
    RbStateSpace space = state_space(call);
    rb_step_response(&space, call->input, call->number, call->count, call->y, &scratch);
    return RB_OK;
}

RbStatus rb_linear_step(RbContext *context, int states, const RbLinearSystem *system, int input,
                        double dt, int count, double *y) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, system);
    if (states < 0) return rb_bad_argument(context, __func__, "states", "is negative");
    if (!(dt > 0) || !isfinite(dt)) return rb_bad_argument(context, __func__, "dt", "is not positive");
    if (count < 0) return rb_bad_argument(context, __func__, "count", "is negative");
    RB_TRY(check_system(context, __func__, system, states));
    RB_TRY(check_channel(context, __func__, system, input, 0));
    if (count > 0) RB_NEED(context, y);
    LinearCall call = {.context = context, .states = states, .system = system, .input = input};
    call.number = dt, call.count = count, call.y = y;
    return rb_context_call(context, step, &call);
}

// -------------------------------------------------------------------------------------------------
// rest

static RbStatus put_states(RbRun *r, const double *x) {
    RbRunningSegment *stage = rb_sim_stage(&r->sim);
    RB_TRY(rb_sim_begin_change(&r->sim));
    memcpy(stage->now.x, x, (size_t)stage->system->x_count * sizeof *x);
    r->stale = true;
    return rb_run_look(r);
}

// The next step: longer as the rates fall (switched evolution relaxation, Mulder and van Leer 1985), at most a
// thousandfold at once.
static double next_step(double dt, double before, double now) {
    return now > 0 ? dt * fmin(1e3, fmax(0.1, 2 * before / now)) : 1e12;
}

static RbStatus fail_rest(LinearCall *call, int state, const char *why) {
    RbRun *r = call->run;
    RbArena scratch = r->sim.trial;
    const char *name =
        state >= 0 ? rb_system_state_name(rb_sim_stage(&r->sim)->system, state, &scratch) : "";
    return rb_fail(&r->context->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "no point of rest was found (%s): after %d steps '%s' still changes by %.3g of "
                   "its size per "
                   "second; start nearer to it, add damping, or let the run go on until it rests",
                   why, call->rest.iterations, name, call->rest.rate);
}

// One implicit step. *done: it was long, and moved nothing.
static RbStatus step_to_rest(LinearCall *call, double *dt, bool *done) {
    enum { MOST = 300 };
    const double at_last = 1e6; // [s] steps of this length are those of Newton's method
    RbRun *r = call->run;
    RbArena scratch = r->context->scratch;
    int n = rb_sim_stage(&r->sim)->system->x_count, worst, moved;
    double *f = rb_new_array(&scratch, double, n + 1), *x = rb_new_array(&scratch, double, n + 1);
    double before = call->rest.rate;
    bool solved;
    RB_TRY(rb_look_derivatives(&r->look, NULL, f));
    call->rest.rate = rb_look_largest(&r->look, f, &worst);
    if (call->rest.iterations++ == MOST || !isfinite(call->rest.rate))
        return fail_rest(call, worst, "the steps do not converge");
    *dt = *dt > 0 ? next_step(*dt, before, call->rest.rate) : 0.1 / call->rest.rate;
    *dt = fmin(*dt, 1e12);
    RB_TRY(rb_look_step_to_rest(&r->look, *dt, f, x, scratch, &solved));
    if (!solved) return fail_rest(call, worst, "the equations are singular");
    *done = *dt >= at_last && rb_look_largest(&r->look, x, &moved) <= call->number;
    for (int i = 0; i < n; i++) x[i] += rb_sim_stage(&r->sim)->now.x[i];
    return put_states(r, x);
}

static RbStatus find_rest(void *argument) {
    LinearCall *call = argument;
    double dt = 0;
    RB_TRY(rb_run_look(call->run));
    for (bool done = false; !done;) RB_TRY(step_to_rest(call, &dt, &done));
    return RB_OK;
}

RbStatus rb_run_find_rest(RbRun *run, double tolerance, RbRestFound *rest) {
    RbSaved *saved = NULL;
    if (!run) return RB_ERROR_USAGE;
    if (!(tolerance >= 0))
        return rb_bad_argument(run->context, __func__, "tolerance", "is negative or no number");
    RB_TRY(rb_run_save(run, &saved));
    LinearCall call = {.run = run, .number = tolerance > 0 ? tolerance : 1e-10};
    RbStatus status = rb_run_call(run, find_rest, &call);
    if (status != RB_OK) rb_run_restore(run, saved);
    rb_saved_free(saved);
    if (rest) *rest = call.rest;
    return status;
}
