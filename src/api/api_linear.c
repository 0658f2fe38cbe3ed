// SPDX-License-Identifier: MIT
// Linear systems and points of rest (include/rattleback/linear.h).
#include <math.h>
#include <string.h>

#include "api/api_run.h"
#include "sim/linearize.h"
#include "solver/eigen.h"

// -------------------------------------------------------------------------------------------------
// linear systems

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
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    return rb_look_linearize(&run->look,
                             &(RbLinearization){system->inputs, system->outputs,
                                                system->input_count, system->output_count,
                                                system->A, system->B, system->C, system->D});
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
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    return rb_look_direction(&run->look, d);
}

RbStatus rb_linear_modes(RbContext *context, int states, const double *A, double *real,
                         double *imaginary, double *participation) {
    if (!context) return RB_ERROR_USAGE;
    if (states < 0) return rb_bad_argument(context, __func__, "states", "is negative");
    if (states > 0) RB_NEED(context, A);
    if (states > 0) RB_NEED(context, real);
    if (states > 0) RB_NEED(context, imaginary);
    RB_CALL(context);
    RbArena scratch = context->scratch;
    if (rb_eigenvalues(states, A, real, imaginary, participation, &scratch)) return RB_OK;
    return rb_fail(&context->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "the eigenvalues of the matrix cannot be found: it holds infinite or missing "
                   "numbers, or the "
                   "iteration does not converge");
}

RbStatus rb_linear_shapes(RbContext *context, int states, const double *A, double *real,
                          double *imaginary) {
    if (!context) return RB_ERROR_USAGE;
    if (states < 0) return rb_bad_argument(context, __func__, "states", "is negative");
    if (states > 0) RB_NEED(context, A);
    if (states > 0) RB_NEED(context, real);
    if (states > 0) RB_NEED(context, imaginary);
    RB_CALL(context);
    RbArena scratch = context->scratch;
    if (rb_eigenvectors(states, A, real, imaginary, &scratch)) return RB_OK;
    return rb_fail(&context->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "the shapes of the modes cannot be found: the matrix holds infinite or missing "
                   "numbers, or the iteration does not converge");
}

static RbStateSpace state_space(int states, const RbLinearSystem *s) {
    return (RbStateSpace){states, s->input_count, s->output_count, s->A, s->B, s->C, s->D};
}

RbStatus rb_linear_response(RbContext *context, int states, const RbLinearSystem *system, double w,
                            double *real, double *imaginary) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, system);
    if (states < 0) return rb_bad_argument(context, __func__, "states", "is negative");
    RB_TRY(check_system(context, __func__, system, states));
    if (system->input_count > 0 && system->output_count > 0) RB_NEED(context, real);
    if (system->input_count > 0 && system->output_count > 0) RB_NEED(context, imaginary);
    RB_CALL(context);
    RbArena scratch = context->scratch;
    RbStateSpace space = state_space(states, system);
    if (rb_frequency_response(&space, w, real, imaginary, &scratch)) return RB_OK;
    return rb_fail(&context->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "the response is infinite at %.10g rad/s, an undamped frequency of the system",
                   w);
}

static RbStatus check_channel(RbContext *c, const char *function, const RbLinearSystem *s,
                              int input, int output) {
    if (input < 0 || input >= s->input_count)
        return rb_bad_argument(c, function, "input", "is not one of the system");
    if (output < 0 || output >= s->output_count)
        return rb_bad_argument(c, function, "output", "is not one of the system");
    return RB_OK;
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
    *count = 0;
    RB_CALL(context);
    RbArena scratch = context->scratch;
    RbStateSpace space = state_space(states, system);
    int found = rb_transfer_zeros(&space, input, output, real, imaginary, &scratch);
    if (found < 0)
        return rb_fail(
            &context->diag, RB_ERROR_SOLVER, RB_NOWHERE,
            "the zeros cannot be found: the system holds infinite or missing numbers, or "
            "the iteration does not converge");
    *count = found;
    return RB_OK;
}

RbStatus rb_linear_step(RbContext *context, int states, const RbLinearSystem *system, int input,
                        double dt, int count, double *y) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, system);
    if (states < 0) return rb_bad_argument(context, __func__, "states", "is negative");
    if (!(dt > 0) || !isfinite(dt))
        return rb_bad_argument(context, __func__, "dt", "is not positive");
    if (count < 0) return rb_bad_argument(context, __func__, "count", "is negative");
    RB_TRY(check_system(context, __func__, system, states));
    RB_TRY(check_channel(context, __func__, system, input, 0));
    if (count > 0) RB_NEED(context, y);
    RB_CALL(context);
    RbArena scratch = context->scratch;
    RbStateSpace space = state_space(states, system);
    rb_step_response(&space, input, dt, count, y, &scratch);
    return RB_OK;
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

static RbStatus fail_rest(RbRun *r, const RbRestFound *rest, int state, const char *why) {
    RbArena scratch = r->sim.trial;
    const char *name =
        state >= 0 ? rb_system_state_name(rb_sim_stage(&r->sim)->system, state, &scratch) : "";
    return rb_fail(&r->context->diag, RB_ERROR_SOLVER, RB_NOWHERE,
                   "no point of rest was found (%s): after %d steps '%s' still changes by %.3g of "
                   "its size per "
                   "second; start nearer to it, add damping, or let the run go on until it rests",
                   why, rest->iterations, name, rest->rate);
}

// One implicit step. *done: it was long, and moved nothing.
static RbStatus step_to_rest(RbRun *r, double tolerance, RbRestFound *rest, double *dt,
                             bool *done) {
    enum { MOST = 300 };
    const double at_last = 1e6; // [s] steps of this length are those of Newton's method
    RbArena scratch = r->context->scratch;
    int n = rb_sim_stage(&r->sim)->system->x_count, worst, moved;
    double *f = rb_new_array(&scratch, double, n + 1), *x = rb_new_array(&scratch, double, n + 1);
    double before = rest->rate;
    bool solved;
    RB_TRY(rb_look_derivatives(&r->look, NULL, f));
    rest->rate = rb_look_largest(&r->look, f, &worst);
    if (rest->iterations++ == MOST || !isfinite(rest->rate))
        return fail_rest(r, rest, worst, "the steps do not converge");
    *dt = *dt > 0 ? next_step(*dt, before, rest->rate) : 0.1 / rest->rate;
    *dt = fmin(*dt, 1e12);
    RB_TRY(rb_look_step_to_rest(&r->look, *dt, f, x, scratch, &solved));
    if (!solved) return fail_rest(r, rest, worst, "the equations are singular");
    *done = *dt >= at_last && rb_look_largest(&r->look, x, &moved) <= tolerance;
    for (int i = 0; i < n; i++) x[i] += rb_sim_stage(&r->sim)->now.x[i];
    return put_states(r, x);
}

static RbStatus find_rest(RbRun *r, double tolerance, RbRestFound *rest) {
    RB_RUN_CALL(r);
    double dt = 0;
    RB_TRY(rb_run_look(r));
    for (bool done = false; !done;) RB_TRY(step_to_rest(r, tolerance, rest, &dt, &done));
    return RB_OK;
}

RbStatus rb_run_find_rest(RbRun *run, double tolerance, RbRestFound *rest) {
    RbSaved *saved = NULL;
    if (!run) return RB_ERROR_USAGE;
    if (!(tolerance >= 0))
        return rb_bad_argument(run->context, __func__, "tolerance", "is negative or no number");
    RB_TRY(rb_run_save(run, &saved));
    RbRestFound found = {0};
    RbStatus status = find_rest(run, tolerance > 0 ? tolerance : 1e-10, &found);
    if (status != RB_OK) rb_run_restore(run, saved);
    rb_saved_free(saved);
    if (rest) *rest = found;
    return status;
}
