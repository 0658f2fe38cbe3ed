// SPDX-License-Identifier: MIT
// Looking into a run and setting values (include/rattleback/run.h).
#include "api_run.h"

#include <math.h>
#include <stdio.h>

typedef struct LookCall {
    RbRun *run;
    const char *name;
    int number;
    const int *variables;
    int count;
    double *values;
    const double *given;
    RbRunVariable *variable;
    RbInputFunction function;
    void *user;
    const char *text;
} LookCall;

// -------------------------------------------------------------------------------------------------
// variables

static RbStatus refresh(void *argument) {
    return rb_run_look(((LookCall *)argument)->run);
}

static RbStatus find(void *argument) {
    LookCall *call = argument;
    call->number = -1;
    RB_TRY(rb_run_look(call->run));
    call->number = rb_look_find(&call->run->look, call->name);
    return RB_OK;
}

int rb_run_count(const RbRun *run) {
    if (!run) return 0;
    RbRun *r = (RbRun *)(uintptr_t)run;
    rb_run_call(r, refresh, &(LookCall){.run = r});
    return run->look.variables.count;
}

int rb_run_find(RbRun *run, const char *name) {
    if (!run || !name) return -1;
    LookCall call = {.run = run, .name = name};
    return rb_run_call(run, find, &call) == RB_OK ? call.number : -1;
}

static RbStatus describe(void *argument) {
    LookCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    const RbLookVariable *v = &call->run->look.variables.data[call->number];
    *call->variable = (RbRunVariable){v->name, v->unit, v->description, v->kind, v->there};
    return RB_OK;
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
    return rb_run_call(run, describe, &(LookCall){.run = run, .number = variable, .variable = out});
}

// -------------------------------------------------------------------------------------------------
// values

static RbStatus get(void *argument) {
    LookCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    for (int i = 0; i < call->count; i++)
        RB_TRY(rb_look_get(&call->run->look, call->variables[i], &call->values[i]));
    return RB_OK;
}

RbStatus rb_run_get(RbRun *run, const int *variables, int count, double *values) {
    if (!run) return RB_ERROR_USAGE;
    RB_TRY(check_numbers(run, __func__, variables, count));
    if (count > 0) RB_NEED(run->context, values);
    LookCall call = {.run = run, .variables = variables, .count = count, .values = values};
    return rb_run_call(run, get, &call);
}

static void set_back(LookCall *call, const double *before, int count) {
    RbLook *l = &call->run->look;
    while (count-- > 0) rb_look_set(l, call->variables[count], before[count]);
}

// Is the variable, or an element of it, said to be how a run starts?
static bool only_starts(const LookCall *call, const char **why) {
    const RbModel *m = call->run->sim.model;
    for (int i = 0; i < m->instances.count; i++) {
        const char *start = m->instances.data[i].start_changed;
        for (int k = 0; start && k < call->count; k++) {
            const char *name = call->run->look.variables.data[call->variables[k]].name;
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
static RbStatus try_parameters(LookCall *call, const double *before) {
    RbSim *sim = &call->run->sim;
    const char *why, *none;
    bool changed = sim->parameters_changed;
    RbStatus status = rb_sim_try_parameters(sim, &why);
    if (status == RB_OK && changed && only_starts(call, &why)) status = RB_ERROR_USAGE;
    if (status == RB_OK) return RB_OK;
    set_back(call, before, call->count);
    RB_TRY(rb_sim_try_parameters(sim, &none));
    if (!why[0]) return status;
    int first = call->variables[0];
    return rb_fail(sim->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "'%s' cannot be set to %g while the model runs: %s",
                   call->run->look.variables.data[first].name, call->given[0], why);
}

// All or none: what was set before the one that cannot be is set back.
static RbStatus set(void *argument) {
    LookCall *call = argument;
    RbRun *r = call->run;
    RbLook *l = &r->look;
    RbArena scratch = r->sim.trial;
    if (r->stale) RB_TRY(rb_run_look(r));
    double *before = rb_new_array(&scratch, double, call->count + 1);
    for (int i = 0; i < call->count; i++) RB_TRY(rb_look_get(l, call->variables[i], &before[i]));
    for (int i = 0; i < call->count; i++) {
        RbStatus status = rb_look_set(l, call->variables[i], call->given[i]);
        if (status == RB_OK) continue;
        set_back(call, before, i);
        return status;
    }
    r->stale = true;
    return call->count > 0 ? try_parameters(call, before) : RB_OK;
}

RbStatus rb_run_set(RbRun *run, const int *variables, int count, const double *values) {
    if (!run) return RB_ERROR_USAGE;
    RB_TRY(check_numbers(run, __func__, variables, count));
    if (count > 0) RB_NEED(run->context, values);
    LookCall call = {.run = run, .variables = variables, .count = count, .given = values};
    return rb_run_call(run, set, &call);
}

static RbStatus set_tolerance(void *argument) {
    LookCall *call = argument;
    RB_TRY(rb_sim_set_tolerance(&call->run->sim, *call->given));
    call->run->look.evaluated = false;
    call->run->stale = true;
    return RB_OK;
}

RbStatus rb_run_set_tolerance(RbRun *run, double tolerance) {
    if (!run) return RB_ERROR_USAGE;
    return rb_run_call(run, set_tolerance, &(LookCall){.run = run, .given = &tolerance});
}

static RbStatus find_or_fail(void *argument) {
    LookCall *call = argument;
    const RbLook *l = &call->run->look;
    RB_TRY(find(call));
    if (call->number >= 0) return RB_OK;
    RbNear near = {.wanted = call->name};
    for (int i = 0; i < l->variables.count; i++) rb_text_try_near(&near, l->variables.data[i].name);
    RbDiag *diag = &call->run->context->diag;
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "the run has no variable '%s'%s", call->name,
                   rb_text_near_question(&near, "", diag->arena));
}

RbStatus rb_run_get_named(RbRun *run, const char *name, double *value) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, name);
    RB_NEED(run->context, value);
    LookCall call = {.run = run, .name = name};
    RB_TRY(rb_run_call(run, find_or_fail, &call));
    return rb_run_get(run, &call.number, 1, value);
}

RbStatus rb_run_set_named(RbRun *run, const char *name, double value) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, name);
    LookCall call = {.run = run, .name = name};
    RB_TRY(rb_run_call(run, find_or_fail, &call));
    return rb_run_set(run, &call.number, 1, &value);
}

// -------------------------------------------------------------------------------------------------
// the system

RbRunSizes rb_run_sizes(const RbRun *run) {
    if (!run) return (RbRunSizes){0};
    RbRun *r = (RbRun *)(uintptr_t)run;
    rb_run_call(r, refresh, &(LookCall){.run = r});
    const RbSystem *s = rb_sim_stage(&r->sim)->system;
    return (RbRunSizes){.states = s->x_count,
                        .quadratures = s->q_count,
                        .indicators = s->z_count,
                        .inputs = rb_model_number_inputs(r->sim.model)};
}

static RbStatus number_of_state(void *argument) {
    LookCall *call = argument;
    RbRun *r = call->run;
    RbArena scratch = r->sim.trial;
    int i = call->number;
    call->number = -1;
    RB_TRY(rb_run_look(r));
    const RbSystem *s = rb_sim_stage(&r->sim)->system;
    if (i < 0 || i >= s->x_count) return RB_OK;
    call->number = rb_look_find(&r->look, rb_system_state_name(s, i, &scratch));
    return RB_OK;
}

int rb_run_state(RbRun *run, int i) {
    LookCall call = {.run = run, .number = i};
    return run && rb_run_call(run, number_of_state, &call) == RB_OK ? call.number : -1;
}

static RbStatus number_of_derivative(void *argument) {
    LookCall *call = argument;
    int i = call->number;
    call->number = -1;
    RB_TRY(rb_run_look(call->run));
    call->number = rb_look_derivative(&call->run->look, i);
    return RB_OK;
}

int rb_run_derivative(RbRun *run, int i) {
    LookCall call = {.run = run, .number = i};
    return run && rb_run_call(run, number_of_derivative, &call) == RB_OK ? call.number : -1;
}

static RbStatus number_of_input(void *argument) {
    LookCall *call = argument;
    RbLook *l = &call->run->look;
    int input = call->number;
    call->number = -1;
    RB_TRY(rb_run_look(call->run));
    for (int i = 0; i < l->variables.count; i++) {
        const RbLookVariable *v = &l->variables.data[i];
        if (v->there && v->place == RB_AT_INPUT && v->index == input) call->number = i;
    }
    return RB_OK;
}

int rb_run_input(RbRun *run, int i) {
    LookCall call = {.run = run, .number = i};
    return run && rb_run_call(run, number_of_input, &call) == RB_OK ? call.number : -1;
}

static RbStatus states(void *argument) {
    LookCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    const RbRunningSegment *stage = rb_sim_stage(&call->run->sim);
    for (int i = 0; i < stage->system->x_count; i++) call->values[i] = stage->now.x[i];
    return RB_OK;
}

RbStatus rb_run_states(RbRun *run, double *x) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, x);
    return rb_run_call(run, states, &(LookCall){.run = run, .values = x});
}

static RbStatus set_states(void *argument) {
    LookCall *call = argument;
    RbRun *r = call->run;
    if (r->stale) RB_TRY(rb_run_look(r));
    RbRunningSegment *stage = rb_sim_stage(&r->sim);
    for (int i = 0; i < stage->system->x_count; i++) {
        if (isfinite(call->given[i])) continue;
        return rb_fail(&r->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "rb_run_set_states: state %d is %g", i, call->given[i]);
    }
    RB_TRY(rb_sim_begin_change(&r->sim));
    for (int i = 0; i < stage->system->x_count; i++) stage->now.x[i] = call->given[i];
    r->stale = true;
    return RB_OK;
}

RbStatus rb_run_set_states(RbRun *run, const double *x) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, x);
    return rb_run_call(run, set_states, &(LookCall){.run = run, .given = x});
}

static RbStatus derivatives(void *argument) {
    LookCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    return rb_look_derivatives(&call->run->look, call->given, call->values);
}

RbStatus rb_run_derivatives(RbRun *run, const double *x, double *dx) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, dx);
    return rb_run_call(run, derivatives, &(LookCall){.run = run, .given = x, .values = dx});
}

static RbStatus indicators(void *argument) {
    LookCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    return rb_look_indicators(&call->run->look, call->given, call->values);
}

RbStatus rb_run_indicators(RbRun *run, const double *x, double *z) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, z);
    return rb_run_call(run, indicators, &(LookCall){.run = run, .given = x, .values = z});
}

static RbStatus jacobian(void *argument) {
    LookCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    return rb_look_jacobian(&call->run->look, call->values);
}

RbStatus rb_run_jacobian(RbRun *run, double *values) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, values);
    return rb_run_call(run, jacobian, &(LookCall){.run = run, .values = values});
}

static RbStatus name_indicator(void *argument) {
    LookCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    RbRunningSegment *stage = rb_sim_stage(&call->run->sim);
    if (call->number < 0 || call->number >= stage->system->z_count) return RB_OK;
    call->text = rb_system_indicator_name(stage->system, call->number, &stage->arena);
    return RB_OK;
}

const char *rb_run_indicator_name(RbRun *run, int i) {
    LookCall call = {.run = run, .number = i};
    return run && rb_run_call(run, name_indicator, &call) == RB_OK ? call.text : NULL;
}

// -------------------------------------------------------------------------------------------------
// input functions

static RbStatus set_function(void *argument) {
    LookCall *call = argument;
    RbRun *r = call->run;
    RbModel *m = r->sim.model;
    if (r->stale) RB_TRY(rb_run_look(r));
    const RbSystem *s = rb_sim_stage(&r->sim)->system;
    if (m->driver != RB_NONE && s->parts[m->driver].segment->states.count != s->x_count) {
        return rb_fail(&r->context->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "rb_run_set_input_function: this model has components in C with states of "
                       "their own, which an input function of its equations cannot see");
    }
    RB_TRY(rb_sim_begin_change(&r->sim));
    r->sim.change = RB_FULL_RESTART; // another pattern, perhaps another solver
    rb_model_input_function(m, call->function, call->user);
    r->stale = true;
    return RB_OK;
}

RbStatus rb_run_set_input_function(RbRun *run, RbInputFunction function, void *user) {
    if (!run) return RB_ERROR_USAGE;
    LookCall call = {.run = run, .function = function, .user = user};
    return rb_run_call(run, set_function, &call);
}
