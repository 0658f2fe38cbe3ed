// SPDX-License-Identifier: MIT
// Looking into a run and setting values (include/rattleback/run.h).
#include "api/api_run.h"

#include <math.h>
#include <stdio.h>

// -------------------------------------------------------------------------------------------------
// variables

static RbStatus refresh(RbRun *r) {
    RB_RUN_CALL(r);
    return rb_run_look(r);
}

int rb_run_count(const RbRun *run) {
    if (!run) return 0;
    refresh((RbRun *)(uintptr_t)run);
    return run->look.variables.count;
}

int rb_run_find(RbRun *run, const char *name) {
    if (!run || !name) return -1;
    RB_RUN_CALL_OR(run, -1);
    return rb_run_look(run) == RB_OK ? rb_look_find(&run->look, name) : -1;
}

// The numbers of variables that the caller passes.
static RbStatus check_numbers(RbRun *r, const char *function, const int *variables, int count) {
    if (count < 0) return rb_bad_argument(r->context, function, "count", "is negative");
    if (count > 0 && !variables)
        return rb_bad_argument(r->context, function, "variables", "is NULL");
    for (int i = 0; i < count; i++) {
        if (variables[i] >= 0 && variables[i] < r->look.variables.count) continue;
        char why[80];
        snprintf(why, sizeof why, "holds %d, which is no number of a variable", variables[i]);
        return rb_bad_argument(r->context, function, "variables", why);
    }
    return RB_OK;
}

RbStatus rb_run_variable(RbRun *run, int variable, RbRunVariable *out) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, out);
    RB_TRY(check_numbers(run, __func__, &variable, 1));
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    const RbLookVariable *v = &run->look.variables.data[variable];
    *out = (RbRunVariable){v->name, v->unit, v->description, v->kind, v->there};
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// values

RbStatus rb_run_get(RbRun *run, const int *variables, int count, double *values) {
    if (!run) return RB_ERROR_USAGE;
    RB_TRY(check_numbers(run, __func__, variables, count));
    if (count > 0) RB_NEED(run->context, values);
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    for (int i = 0; i < count; i++) RB_TRY(rb_look_get(&run->look, variables[i], &values[i]));
    return RB_OK;
}

// Values that are set to variables.
typedef struct Setting {
    RbRun *run;
    const int *variables;
    int count;
    const double *values;
} Setting;

static void set_back(const Setting *s, const double *before, int count) {
    while (count-- > 0) rb_look_set(&s->run->look, s->variables[count], before[count]);
}

// Is the variable, or an element of it, said to be how a run starts?
static bool only_starts(const Setting *s, const char **why) {
    const RbModel *m = s->run->sim.model;
    for (int i = 0; i < m->instances.count; i++) {
        const char *start = m->instances.data[i].start_changed;
        for (int k = 0; start && k < s->count; k++) {
            const char *name = s->run->look.variables.data[s->variables[k]].name;
            size_t length = strlen(start);
            if (strncmp(name, start, length) != 0 || (name[length] && name[length] != '['))
                continue;
            *why = "it says how a run starts; set the states that it is about, or start a run with "
                   "an override";
            return true;
        }
    }
    return false;
}

// Parameters that follow from those that were set are others, too. A component that cannot go on with them says why.
static RbStatus try_parameters(const Setting *s, const double *before) {
    RbSim *sim = &s->run->sim;
    const char *why, *none;
    bool changed = sim->parameters_changed;
    RbStatus status = rb_sim_try_parameters(sim, &why);
    if (status == RB_OK && changed && only_starts(s, &why)) status = RB_ERROR_USAGE;
    if (status == RB_OK) return RB_OK;
    set_back(s, before, s->count);
    RB_TRY(rb_sim_try_parameters(sim, &none));
    if (!why[0]) return status;
    int first = s->variables[0];
    return rb_fail(sim->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "'%s' cannot be set to %g while the model runs: %s",
                   s->run->look.variables.data[first].name, s->values[0], why);
}

// All or none: what was set before the one that cannot be is set back.
RbStatus rb_run_set(RbRun *run, const int *variables, int count, const double *values) {
    if (!run) return RB_ERROR_USAGE;
    RB_TRY(check_numbers(run, __func__, variables, count));
    if (count > 0) RB_NEED(run->context, values);
    RB_RUN_CALL(run);
    RbLook *l = &run->look;
    RbArena scratch = run->sim.trial;
    Setting setting = {run, variables, count, values};
    if (run->stale) RB_TRY(rb_run_look(run));
    double *before = rb_new_array(&scratch, double, count + 1);
    for (int i = 0; i < count; i++) RB_TRY(rb_look_get(l, variables[i], &before[i]));
    for (int i = 0; i < count; i++) {
        RbStatus status = rb_look_set(l, variables[i], values[i]);
        if (status == RB_OK) continue;
        set_back(&setting, before, i);
        return status;
    }
    run->stale = true;
    return count > 0 ? try_parameters(&setting, before) : RB_OK;
}

RbStatus rb_run_set_tolerance(RbRun *run, double tolerance) {
    if (!run) return RB_ERROR_USAGE;
    RB_RUN_CALL(run);
    RB_TRY(rb_sim_set_tolerance(&run->sim, tolerance));
    run->look.evaluated = false;
    run->stale = true;
    return RB_OK;
}

static RbStatus find_or_fail(RbRun *r, const char *name, int *number) {
    RB_RUN_CALL(r);
    const RbLook *l = &r->look;
    RB_TRY(rb_run_look(r));
    *number = rb_look_find(l, name);
    if (*number >= 0) return RB_OK;
    RbNear near = {.wanted = name};
    for (int i = 0; i < l->variables.count; i++) rb_text_try_near(&near, l->variables.data[i].name);
    RbDiag *diag = &r->context->diag;
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "the run has no variable '%s'%s", name,
                   rb_text_near_question(&near, "", diag->arena));
}

RbStatus rb_run_get_named(RbRun *run, const char *name, double *value) {
    int number;
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, name);
    RB_NEED(run->context, value);
    RB_TRY(find_or_fail(run, name, &number));
    return rb_run_get(run, &number, 1, value);
}

RbStatus rb_run_set_named(RbRun *run, const char *name, double value) {
    int number;
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, name);
    RB_TRY(find_or_fail(run, name, &number));
    return rb_run_set(run, &number, 1, &value);
}

// -------------------------------------------------------------------------------------------------
// the system

RbRunSizes rb_run_sizes(const RbRun *run) {
    if (!run) return (RbRunSizes){0};
    RbRun *r = (RbRun *)(uintptr_t)run;
    refresh(r);
    const RbSystem *s = rb_sim_stage(&r->sim)->system;
    return (RbRunSizes){.states = s->x_count,
                        .quadratures = s->q_count,
                        .indicators = s->z_count,
                        .inputs = rb_model_number_inputs(r->sim.model)};
}

int rb_run_state(RbRun *run, int i) {
    if (!run) return -1;
    RB_RUN_CALL_OR(run, -1);
    RbArena scratch = run->sim.trial;
    if (rb_run_look(run) != RB_OK) return -1;
    const RbSystem *s = rb_sim_stage(&run->sim)->system;
    bool there = i >= 0 && i < s->x_count;
    return there ? rb_look_find(&run->look, rb_system_state_name(s, i, &scratch)) : -1;
}

int rb_run_derivative(RbRun *run, int i) {
    if (!run) return -1;
    RB_RUN_CALL_OR(run, -1);
    return rb_run_look(run) == RB_OK ? rb_look_derivative(&run->look, i) : -1;
}

int rb_run_input(RbRun *run, int i) {
    if (!run) return -1;
    RB_RUN_CALL_OR(run, -1);
    int number = -1;
    if (rb_run_look(run) != RB_OK) return -1;
    for (int k = 0; k < run->look.variables.count; k++) {
        const RbLookVariable *v = &run->look.variables.data[k];
        if (v->there && v->place == RB_AT_INPUT && v->index == i) number = k;
    }
    return number;
}

RbStatus rb_run_states(RbRun *run, double *x) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, x);
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    const RbRunningSegment *stage = rb_sim_stage(&run->sim);
    for (int i = 0; i < stage->system->x_count; i++) x[i] = stage->now.x[i];
    return RB_OK;
}

RbStatus rb_run_set_states(RbRun *run, const double *x) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, x);
    RB_RUN_CALL(run);
    if (run->stale) RB_TRY(rb_run_look(run));
    RbRunningSegment *stage = rb_sim_stage(&run->sim);
    for (int i = 0; i < stage->system->x_count; i++) {
        if (isfinite(x[i])) continue;
        return rb_fail(&run->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "rb_run_set_states: state %d is %g", i, x[i]);
    }
    RB_TRY(rb_sim_begin_change(&run->sim));
    for (int i = 0; i < stage->system->x_count; i++) stage->now.x[i] = x[i];
    run->stale = true;
    return RB_OK;
}

RbStatus rb_run_derivatives(RbRun *run, const double *x, double *dx) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, dx);
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    return rb_look_derivatives(&run->look, x, dx);
}

RbStatus rb_run_record(RbRun *run, double time, const double *x) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, x);
    if (!isfinite(time)) return rb_bad_argument(run->context, __func__, "time", "is not finite");
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    return rb_look_record(&run->look, time, x);
}

RbStatus rb_run_indicators(RbRun *run, const double *x, double *z) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, z);
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    return rb_look_indicators(&run->look, x, z);
}

RbStatus rb_run_jacobian(RbRun *run, double *values) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, values);
    RB_RUN_CALL(run);
    RB_TRY(rb_run_look(run));
    return rb_look_jacobian(&run->look, values);
}

const char *rb_run_indicator_name(RbRun *run, int i) {
    if (!run) return NULL;
    RB_RUN_CALL_OR(run, NULL);
    if (rb_run_look(run) != RB_OK) return NULL;
    RbRunningSegment *stage = rb_sim_stage(&run->sim);
    bool there = i >= 0 && i < stage->system->z_count;
    return there ? rb_system_indicator_name(stage->system, i, &stage->arena) : NULL;
}

// -------------------------------------------------------------------------------------------------
// input functions

RbStatus rb_run_set_input_function(RbRun *run, RbInputFunction function, void *user) {
    if (!run) return RB_ERROR_USAGE;
    RB_RUN_CALL(run);
    RbModel *m = run->sim.model;
    if (run->stale) RB_TRY(rb_run_look(run));
    const RbSystem *s = rb_sim_stage(&run->sim)->system;
    if (m->driver != RB_NONE && s->parts[m->driver].segment->states.count != s->x_count) {
        return rb_fail(&run->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "rb_run_set_input_function: this model has components in C with states of "
                       "their own, which an input function of its equations cannot see");
    }
    RB_TRY(rb_sim_begin_change(&run->sim));
    run->sim.change = RB_FULL_RESTART; // another pattern, perhaps another solver
    rb_model_input_function(m, function, user);
    run->stale = true;
    return RB_OK;
}
