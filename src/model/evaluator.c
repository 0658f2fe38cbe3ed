// SPDX-License-Identifier: MIT
#include "model/evaluator.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "component/workspace.h"

RbEvaluator *rb_evaluator_new(const RbSystem *s, const double *d, const RbLog *log,
                              RbArena *arena) {
    RbEvaluator *e = rb_new(arena, RbEvaluator);
    *e = (RbEvaluator){.system = s,
                       .d = d,
                       .log = log,
                       .bad_state = RB_NONE,
                       .failed_part = RB_NONE,
                       .asserting_part = RB_NONE};
    e->workspace = rb_arena_push(arena, s->workspace_size + 1, alignof(max_align_t));
    e->hosts = rb_new_array(arena, RbHost, s->part_count);
    e->evals = rb_new_array(arena, RbEval, s->part_count);
    e->buffer = rb_new_array(arena, double, s->buffer_count);
    RbModel *model = s->model;
    if (!rb_model_equations(model))
        e->u = rb_new_array(arena, double, rb_model_number_inputs(model) + 1);
    e->dx = rb_new_array(arena, double, s->x_count);
    e->dq = rb_new_array(arena, double, s->q_count);
    e->x_inside = rb_new_array(arena, double, s->x_count);
    e->x_on = rb_new_array(arena, double, s->x_count);
    e->pull = rb_new_array(arena, double, s->x_count);
    e->given = rb_new_array(arena, double, s->x_count);
    e->group_mask = rb_new_array(arena, bool, s->group_count);
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        e->hosts[i] = (RbHost){e, i};
        if (!p->instance->type->open_workspace) continue;
        RbWorkspaceMemory memory = {arena};
        p->instance->type->open_workspace(p->instance->self, e->workspace + p->workspace, &memory);
    }
    return e;
}

void rb_evaluator_reset(RbEvaluator *e) {
    for (int i = 0; i < e->system->part_count; i++) {
        const RbSystemPart *p = &e->system->parts[i];
        const RbComponentType *type = p->instance->type;
        void *own = e->workspace + p->workspace;
        if (type->reset_workspace)
            type->reset_workspace(p->instance->self, own);
        else if (!type->open_workspace)
            memset(own, 0, p->segment->workspace);
    }
}

// Inputs of components as a function of time and states. Equations call it themselves.
static void find_inputs(RbEvaluator *e, double t, const double *x) {
    const RbModel *model = e->system->model;
    if (!model->input_function || !e->u) return;
    for (int i = 0; i < model->instances.count; i++) {
        const RbBuild *b = &model->instances.data[i].declared;
        for (int k = 0; k < b->variables.count; k++) {
            const RbVariable *v = &b->variables.data[k];
            if (v->spec.kind == RB_VARIABLE_INPUT) e->u[v->input] = v->value;
        }
    }
    model->input_function(model->input_user, t, x, e->u);
}

// The states that components and equations see, on the constraints among them; x itself if there are none.
static const double *put_on_constraints(RbEvaluator *e, double t, const double *x) {
    const RbSystem *s = e->system;
    size_t size = (size_t)s->x_count * sizeof *x;
    double rate = 0;
    e->pulled = false;
    for (int i = 0; i < s->part_count && s->model->driver < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        if (!p->segment->projects) continue;
        if (!e->pulled) memcpy(e->x_on, x, size);
        RbProjection projection = {.time = t,
                                   .x = e->x_on + p->x,
                                   .discrete = e->d + p->d,
                                   .workspace = e->workspace + p->workspace,
                                   .host = &e->hosts[i]};
        if (!p->instance->type->project(p->instance->self, &projection)) continue;
        e->pulled = true;
        rate = fmax(rate, projection.rate);
    }
    if (!e->pulled) return x;
    for (int i = 0; i < s->x_count; i++) e->pull[i] = rate * (e->x_on[i] - x[i]);
    return e->x_on;
}

// Each component sees its own slice of the vectors.
static void prepare(RbEvaluator *e, unsigned want, double t, const double *x, double *dx,
                    double *dq) {
    x = put_on_constraints(e, t, x);
    find_inputs(e, t, x);
    for (int i = 0; i < e->system->part_count; i++) {
        const RbSystemPart *p = &e->system->parts[i];
        e->evals[i] = (RbEval){.time = t,
                               .x = x + p->x,
                               .discrete = e->d + p->d,
                               .dx = dx + p->x,
                               .dq = dq + p->q,
                               .workspace = e->workspace + p->workspace,
                               .want = want,
                               .host = &e->hosts[i]};
    }
}

// Without equations: all functions in the order of their declaration, with constant inputs.
static RbEvalStatus evaluate_alone(RbEvaluator *e, int part) {
    RbInstance *c = e->system->parts[part].instance;
    const double *u = e->system->model->input_function ? e->u : NULL;
    for (int f = 0; f < c->declared.functions.count; f++) {
        const RbFunctionSpec *spec = &c->declared.functions.data[f];
        if (e->system->model->driver != RB_NONE && !spec->state_derivatives)
            continue; // for results, or for equations that do not reach these groups
        for (int k = 0; k < spec->input_count; k++) {
            const RbVariable *v = &c->declared.variables.data[spec->inputs[k]];
            e->buffer[k] = u ? u[v->input] : v->value;
        }
        double *outputs = e->buffer + spec->input_count;
        RbEvalStatus status = c->type->evaluate(c->self, &e->evals[part], f, e->buffer, outputs);
        if (status != RB_EVAL_OK) return status;
    }
    return RB_EVAL_OK;
}

static RbEvalStatus evaluate_parts(RbEvaluator *e) {
    int driver = e->system->model->driver;
    if (driver != RB_NONE) {
        RbInstance *c = e->system->parts[driver].instance;
        return c->type->evaluate(c->self, &e->evals[driver], 0, NULL, NULL);
    }
    for (int i = 0; i < e->system->part_count; i++) {
        RbEvalStatus status = evaluate_alone(e, i);
        if (status != RB_EVAL_OK) return status;
    }
    return RB_EVAL_OK;
}

static int check_finite(RbEvaluator *e, double t, const double *dx) {
    for (int i = 0; i < e->system->x_count; i++) {
        if (isfinite(dx[i])) continue;
        e->failed_part = RB_NONE;
        e->bad_state = i;
        e->bad_value = dx[i];
        e->bad_time = t;
        return RB_EVAL_RETRY;
    }
    return RB_EVAL_OK;
}

static void add_pull(const RbEvaluator *e, double *dx) {
    for (int i = 0; e->pulled && i < e->system->x_count; i++) dx[i] += e->pull[i];
}

int rb_evaluate(RbEvaluator *e, unsigned want, double t, const double *x, double *dx, double *dq) {
    if (!dx) dx = e->dx;
    if (!dq) dq = e->dq;
    e->evaluations++;
    prepare(e, want, t, x, dx, dq);
    RbEvalStatus status = evaluate_parts(e);
    if (!(want & RB_WANT_RESULTS)) add_pull(e, dx);
    return status == RB_EVAL_OK ? check_finite(e, t, dx) : status;
}

// Derivatives that are proposed for the solver's states, as those of the states on the constraints.
static const double *give(RbEvaluator *e, const double *given) {
    for (int i = 0; e->pulled && i < e->system->x_count; i++) e->given[i] = given[i] - e->pull[i];
    if (e->pulled) given = e->given;
    for (int i = 0; i < e->system->part_count; i++)
        e->evals[i].given = given + e->system->parts[i].x;
    return given;
}

int rb_evaluate_residual(RbEvaluator *e, double t, const double *x, const double *given,
                         double *r) {
    const RbSystem *s = e->system;
    e->evaluations++;
    prepare(e, RB_WANT_DERIVATIVES, t, x, r, e->dq);
    given = give(e, given);
    RbEvalStatus status = evaluate_parts(e);
    if (status != RB_EVAL_OK) return status;
    for (int i = 0; i < s->x_count; i++) {
        if (!s->implicit[i]) r[i] = given[i] - r[i];
    }
    return check_finite(e, t, r);
}

void rb_evaluator_project(RbEvaluator *e, double t, double *x) {
    const double *on = put_on_constraints(e, t, x);
    if (on != x) memcpy(x, on, (size_t)e->system->x_count * sizeof *x);
}

void rb_evaluator_at(RbEvaluator *e, double t, const double *x) {
    prepare(e, RB_WANT_DERIVATIVES, t, x, e->dx, e->dq);
}

int rb_evaluate_groups(RbEvaluator *e, int part, const int *groups, int group_count, unsigned want,
                       double t, const double *x, double *dx, double *dq) {
    const RbSystemPart *p = &e->system->parts[part];
    bool *mask = e->group_mask + p->group;
    e->evaluations++;
    for (int i = 0; i < group_count; i++) mask[groups[i]] = true;
    e->evals[part] = (RbEval){.time = t,
                              .x = x + p->x,
                              .discrete = e->d + p->d,
                              .dx = dx + p->x,
                              .dq = dq + p->q,
                              .workspace = e->workspace + p->workspace,
                              .want = want,
                              .groups = groups ? mask : NULL,
                              .group_list = groups,
                              .group_count = group_count,
                              .host = &e->hosts[part]};
    RbEvalStatus status = evaluate_alone(e, part);
    for (int i = 0; i < group_count; i++) mask[groups[i]] = false;
    return status;
}

int rb_evaluate_advance(RbEvaluator *e, int part, const RbGroupList *groups, double t, double *x,
                        double *dq, RbAdvance *advance) {
    const RbSystemPart *p = &e->system->parts[part];
    bool *mask = e->group_mask + p->group;
    for (int i = 0; i < groups->count; i++) mask[groups->list[i]] = true;
    e->evals[part] = (RbEval){.time = t,
                              .x = x + p->x,
                              .discrete = e->d + p->d,
                              .workspace = e->workspace + p->workspace,
                              .groups = mask,
                              .group_list = groups->list,
                              .group_count = groups->count,
                              .host = &e->hosts[part]};
    advance->eval = &e->evals[part];
    advance->x = x + p->x;
    advance->dq = dq + p->q;
    RbEvalStatus status = p->instance->type->islands->advance(p->instance->self, advance);
    e->evaluations += advance->evaluations;
    for (int i = 0; i < groups->count; i++) mask[groups->list[i]] = false;
    return status;
}

int rb_evaluate_equations(RbEvaluator *e, const RbGroupList *groups, unsigned want, double t,
                          const double *x, double *dx, double *dq) {
    e->evaluations++;
    prepare(e, want, t, x, dx, dq);
    for (int i = 0; i < e->system->part_count; i++) {
        if (!groups[i].list) continue;
        bool *mask = e->group_mask + e->system->parts[i].group;
        for (int k = 0; k < groups[i].count; k++) mask[groups[i].list[k]] = true;
        e->evals[i].groups = mask;
        e->evals[i].group_list = groups[i].list;
        e->evals[i].group_count = groups[i].count;
    }
    RbEvalStatus status = evaluate_parts(e);
    add_pull(e, dx);
    for (int i = 0; i < e->system->part_count; i++) {
        bool *mask = e->group_mask + e->system->parts[i].group;
        for (int k = 0; groups[i].list && k < groups[i].count; k++) mask[groups[i].list[k]] = false;
    }
    return status;
}

int rb_evaluate_part_indicators(RbEvaluator *e, int part, double *z) {
    RbInstance *c = e->system->parts[part].instance;
    return c->type->indicators(c->self, &e->evals[part], z);
}

int rb_evaluate_indicators(RbEvaluator *e, double t, const double *x, const double *given,
                           double *z) {
    e->evaluations++;
    prepare(e, RB_WANT_INDICATORS, t, x, e->dx, e->dq);
    if (given) give(e, given);
    int status = evaluate_parts(e);
    if (status == RB_EVAL_OK) status = check_finite(e, t, e->dx);
    for (int i = 0; status == RB_EVAL_OK && i < e->system->part_count; i++) {
        const RbSystemPart *p = &e->system->parts[i];
        if (p->segment->indicators.count == 0) continue;
        status = p->instance->type->indicators(p->instance->self, &e->evals[i], z + p->z);
    }
    return status;
}

int rb_evaluate_jacobian(RbEvaluator *e, const RbComposed *composed, double t, const double *x,
                         double *values) {
    int status = rb_evaluate(e, RB_WANT_DERIVATIVES, t, x, NULL, NULL);
    for (int i = 0; status == RB_EVAL_OK && i < e->system->part_count; i++) {
        const RbSystemPart *p = &e->system->parts[i];
        if (p->segment->states.count == 0) continue;
        double *own = e->jacobian + composed->part_start[i];
        size_t count = (size_t)(composed->part_start[i + 1] - composed->part_start[i]);
        memset(own, 0, count * sizeof *own);
        status = p->instance->type->jacobian(p->instance->self, &e->evals[i], own);
    }
    if (status != RB_EVAL_OK) return status;
    for (int k = 0; k < composed->value_count; k++) values[composed->place[k]] += e->jacobian[k];
    return RB_EVAL_OK;
}

int rb_evaluate_slopes(RbEvaluator *e, const RbComposed *composed, double t, const double *x,
                       const double *given, double *values) {
    const RbSystem *s = e->system;
    prepare(e, RB_WANT_DERIVATIVES, t, x, e->dx, e->dq);
    give(e, given);
    for (int i = 0; i < s->x_count; i++)
        values[composed->pattern.diagonal[i]] = s->implicit[i] ? 0 : 1;
    for (int i = 0; i < s->part_count; i++) {
        int first = composed->slope_start[i], end = composed->slope_start[i + 1];
        const RbInstance *c = s->parts[i].instance;
        if (first == end) continue;
        int status = c->type->slopes(c->self, &e->evals[i], composed->slopes + first);
        if (status != RB_EVAL_OK) return status;
        for (int k = first; k < end; k++) values[composed->slope_place[k]] += composed->slopes[k];
    }
    return RB_EVAL_OK;
}

bool rb_part_has_group_jacobian(const RbEvaluator *e, int part) {
    const RbComponentType *type = e->system->parts[part].instance->type;
    return type->islands && type->jacobian;
}

int rb_evaluate_group_jacobian(RbEvaluator *e, int part, const int *groups, int group_count,
                               bool evaluated, double t, const double *x, double *values) {
    const RbSystemPart *p = &e->system->parts[part];
    int status = RB_EVAL_OK;
    if (!evaluated)
        status = rb_evaluate_groups(e, part, groups, group_count, RB_WANT_DERIVATIVES, t, x, e->dx,
                                    e->dq);
    if (status != RB_EVAL_OK) return status;
    bool *mask = e->group_mask + p->group;
    for (int i = 0; i < group_count; i++) mask[groups[i]] = true;
    status = p->instance->type->jacobian(p->instance->self, &e->evals[part], values);
    for (int i = 0; i < group_count; i++) mask[groups[i]] = false;
    return status;
}

int rb_evaluate_results(RbEvaluator *e, double t, const double *x, const double *q,
                        double *results) {
    int status = rb_evaluate(e, RB_WANT_DERIVATIVES | RB_WANT_RESULTS, t, x, NULL, NULL);
    if (status != RB_EVAL_OK) return status;
    for (int i = 0; i < e->system->part_count; i++) {
        const RbSystemPart *p = &e->system->parts[i];
        e->evals[i].q = q + p->q;
        if (p->instance->type->record) {
            p->instance->type->record(p->instance->self, &e->evals[i], results + p->result);
        }
    }
    return RB_EVAL_OK;
}

void rb_evaluate_picture(RbEvaluator *e, const int *first, RbPicture *picture) {
    rb_picture_clear(picture);
    for (int i = 0; i < e->system->part_count; i++) {
        const RbInstance *c = e->system->parts[i].instance;
        if (!c->type->show) continue;
        rb_picture_begin(picture, first[i]);
        c->type->show(c->self, &e->evals[i], picture);
    }
}

bool rb_evaluator_knows_why(const RbEvaluator *e) {
    return e->failed_part != RB_NONE && !e->blamed.file;
}

RbStatus rb_evaluator_explain(const RbEvaluator *e, double time, RbStatus status, RbDiag *diag) {
    const RbSystem *s = e->system;
    bool past = e->bad_time < time; // the solver has come past it
    if (e->failed_part != RB_NONE && !past && e->blamed.file) {
        return rb_fail(diag, e->blame != RB_OK ? e->blame : status, e->blamed, "time %.10g s: %s",
                       e->bad_time, e->message);
    }
    if (e->failed_part != RB_NONE && !past && e->failed_at.file)
        return rb_fail(diag, status, e->failed_at, "time %.10g s: %s", e->bad_time, e->message);
    if (e->failed_part != RB_NONE && !past) {
        return rb_fail(diag, status, RB_NOWHERE, "component '%s' at t = %.10g s: %s",
                       rb_instance_title(s->parts[e->failed_part].instance), e->bad_time,
                       e->message);
    }
    if (e->bad_state != RB_NONE && !past) {
        const RbSystemPart *p = rb_system_part_of_state(s, e->bad_state);
        return rb_fail(diag, status, RB_NOWHERE,
                       "component '%s': the derivative of state '%s' is %s at t = %.10g s",
                       rb_instance_title(p->instance),
                       p->segment->states.data[e->bad_state - p->x].name,
                       isnan(e->bad_value) ? "not a number" : "infinite", e->bad_time);
    }
    return status;
}

void rb_evaluator_tell_suspects(const RbEvaluator *e, double time, int state, RbDiag *diag) {
    const RbSystem *s = e->system;
    if (e->failed_part == RB_NONE && e->bad_state != RB_NONE && e->bad_time >= time) return;
    const RbSystemPart *owner = state == RB_NONE ? NULL : rb_system_part_of_state(s, state);
    for (int i = 0; i < s->part_count; i++) {
        const RbSystemPart *p = &s->parts[i];
        if (!p->instance->type->suspect || (owner && owner != p)) continue;
        char text[512];
        RbPos at = RB_NOWHERE;
        if (p->instance->type->suspect(p->instance->self, &e->evals[i],
                                       owner ? state - p->x : RB_NONE, &at, text, sizeof text))
            rb_note(diag, at, "%s", text);
    }
}

bool rb_evaluator_tell_doubts(const RbEvaluator *e, const RbAccuracy *accuracy, RbDiag *diag) {
    const RbSystem *s = e->system;
    for (int i = 0; i < s->part_count; i++) {
        const RbInstance *c = s->parts[i].instance;
        char text[512];
        RbPos at = RB_NOWHERE;
        if (!c->type->doubt ||
            !c->type->doubt(c->self, &e->evals[i], accuracy, &at, text, sizeof text))
            continue;
        rb_warn(diag, at, "%s", text);
        return true;
    }
    return false;
}

// --------------------------------------------------------------------------------- what components
// may call

static void remember_failure(const RbHost *host, double time, RbPos at, const char *format,
                             va_list arguments) {
    if (!host) return; // a component tries something for itself
    RbEvaluator *e = host->evaluator;
    vsnprintf(e->message, sizeof e->message, format, arguments);
    e->failed_part = host->part;
    e->failed_at = at;
    e->blamed = RB_NOWHERE;
    e->blame = RB_OK;
    e->bad_state = RB_NONE;
    e->bad_time = time;
}

RbEvalStatus rb_eval_fail(const RbEval *eval, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    remember_failure(eval->host, eval->time, RB_NOWHERE, format, arguments);
    va_end(arguments);
    return RB_EVAL_FAIL;
}

RbEvalStatus rb_eval_retry(const RbEval *eval, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    remember_failure(eval->host, eval->time, RB_NOWHERE, format, arguments);
    va_end(arguments);
    return RB_EVAL_RETRY;
}

RbEvalStatus rb_eval_fail_at(const RbEval *eval, RbPos at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    remember_failure(eval->host, eval->time, at, format, arguments);
    va_end(arguments);
    return RB_EVAL_FAIL;
}

RbEvalStatus rb_eval_retry_at(const RbEval *eval, RbPos at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    remember_failure(eval->host, eval->time, at, format, arguments);
    va_end(arguments);
    return RB_EVAL_RETRY;
}

void rb_eval_abort(const RbEval *eval, RbStatus status) {
    eval->host->evaluator->abort_status = status;
}

void rb_eval_blame(const RbEval *eval, RbPos at, RbStatus status) {
    eval->host->evaluator->blamed = at;
    eval->host->evaluator->blame = status;
}

void *rb_workspace_memory(RbWorkspaceMemory *memory, size_t bytes) {
    return rb_arena_push(memory->arena, bytes, alignof(max_align_t));
}

double rb_evaluator_inspect(RbEvaluator *e, double t0, double t1, int *indicator, int *sign) {
    double first = INFINITY;
    for (int i = 0; i < e->system->part_count; i++) {
        const RbSystemPart *p = &e->system->parts[i];
        if (!p->instance->type->inspect) continue;
        RbStepView step = {.t0 = t0,
                           .t1 = t1,
                           .discrete = e->d + p->d,
                           .workspace = e->workspace + p->workspace,
                           .host = &e->hosts[i]};
        int own = 0, own_sign = 0;
        double t = p->instance->type->inspect(p->instance->self, &step, &own, &own_sign);
        if (!(t < first)) continue;
        first = t;
        *indicator = own == RB_NONE ? RB_NONE : p->z + own;
        *sign = own_sign;
    }
    return first;
}

void rb_step_states(const RbStepView *step, double time, double *x) {
    RbEvaluator *e = step->host->evaluator;
    const RbSystemPart *p = &e->system->parts[step->host->part];
    if (e->solver)
        rb_solver_interpolate(e->solver, time,
                              e->x_inside); // the time is inside the step: it cannot fail
    else
        e->steps->all(e->steps->user, time, e->x_inside);
    rb_evaluator_project(e, time, e->x_inside);
    // Equations may call the components there.
    if (step->host->part == e->system->model->driver) rb_evaluator_at(e, time, e->x_inside);
    memcpy(x, e->x_inside + p->x, (size_t)p->segment->states.count * sizeof *x);
}

void rb_step_evaluate(const RbStepView *step, double time, double *x) {
    RbEvaluator *e = step->host->evaluator;
    rb_step_states(step, time, x);
    prepare(e, 0, time, e->x_inside, e->dx, e->dq);
    evaluate_parts(e);
}

double rb_step_end(const RbStepView *step, int group) {
    const RbEvaluator *e = step->host->evaluator;
    return e->steps->end(e->steps->user, e->system->parts[step->host->part].group + group);
}

void rb_step_group(const RbStepView *step, int group, double time, double *x) {
    RbEvaluator *e = step->host->evaluator;
    const RbSystemPart *p = &e->system->parts[step->host->part];
    e->steps->states(e->steps->user, p->group + group, time, x, p->x);
}

void rb_step_fail(const RbStepView *step, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    remember_failure(step->host, step->t1, RB_NOWHERE, format, arguments);
    va_end(arguments);
    step->host->evaluator->step_failed = true;
}

void rb_step_fail_at(const RbStepView *step, RbPos at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    remember_failure(step->host, step->t1, at, format, arguments);
    va_end(arguments);
    step->host->evaluator->step_failed = true;
}

bool rb_step_interrupted(const RbStepView *step) {
    const volatile int *interrupt = step->host->evaluator->interrupt;
    return interrupt && *interrupt;
}

static void hear(RbEvaluator *e, int part, int function, bool affine, const double *inputs) {
    const RbSystemPart *p = &e->system->parts[part];
    const RbFunctionSpec *spec = &p->instance->declared.functions.data[function];
    int count = spec->input_count - (affine ? spec->affine_count : 0);
    if (p->segment->rests)
        e->heard = rb_hash_bytes(e->heard, inputs, (size_t)count * sizeof *inputs);
}

RbEvalStatus rb_call(const RbEval *eval, int component, int function, const double *inputs,
                     double *outputs) {
    RbEvaluator *e = eval->host->evaluator;
    RbInstance *c = e->system->parts[component].instance;
    if (e->hears) hear(e, component, function, false, inputs);
    return c->type->evaluate(c->self, &e->evals[component], function, inputs, outputs);
}

RbEvalStatus rb_call_affine(const RbEval *eval, int component, int function, const double *inputs,
                            double *A, double *b) {
    RbEvaluator *e = eval->host->evaluator;
    RbInstance *c = e->system->parts[component].instance;
    if (!c->type->affine) return rb_eval_fail(eval, "'%s' hands out no matrix", c->name);
    if (e->hears) hear(e, component, function, true, inputs);
    return c->type->affine(c->self, &e->evals[component], function, inputs, A, b);
}

static bool start_said(const RbSegment *segment, const RbBinding *b, double *value) {
    for (int i = 0; i < segment->starts.count; i++) {
        if (segment->starts.data[i].variable != b->variable) continue;
        *value = b->sign * segment->starts.data[i].value;
        return true;
    }
    return false;
}

bool rb_eval_start_of(const RbEval *eval, int state, double *value) {
    const RbSystem *s = eval->host->evaluator->system;
    for (int i = 0; i < s->model->bindings.count; i++) {
        const RbBinding *b = &s->model->bindings.data[i];
        if (b->driver_state == state && b->instance < s->part_count &&
            start_said(s->parts[b->instance].segment, b, value))
            return true;
    }
    return false;
}

const char *rb_call_reason(const RbEval *eval) {
    const RbEvaluator *e = eval->host->evaluator;
    return e->message[0] ? e->message : "a component cannot be evaluated";
}

// The state of the equations that a variable of a component is, with its sign; NULL: it is none.
static double *bound_state(const RbHost *host, int variable, double *x, double *sign) {
    const RbSystem *s = host->evaluator->system;
    for (int i = 0; i < s->model->bindings.count; i++) {
        const RbBinding *b = &s->model->bindings.data[i];
        if (b->instance != host->part || b->variable != variable) continue;
        *sign = b->sign < 0 ? -1 : 1;
        return &x[s->parts[s->model->driver].x + b->driver_state];
    }
    return NULL;
}

bool rb_projection_value(const RbProjection *projection, int variable, double *value) {
    double sign;
    const RbHost *host = projection->host;
    const double *state = bound_state(host, variable, host->evaluator->x_on, &sign);
    if (state) *value = sign * *state;
    return state != NULL;
}

void rb_projection_move(const RbProjection *projection, int variable, double value) {
    double sign;
    const RbHost *host = projection->host;
    double *state = bound_state(host, variable, host->evaluator->x_on, &sign);
    if (state) *state = sign * value;
}

bool rb_event_reinit(const RbEvent *event, int variable, double value) {
    double sign;
    double *state = bound_state(event->host, variable, event->host->evaluator->x_at_event, &sign);
    if (state) *state = sign * value;
    return state != NULL;
}

bool rb_event_start(const RbEvent *event, int variable, double value) {
    bool set = rb_event_reinit(event, variable, value);
    event->host->evaluator->start_moved |= set;
    return set;
}

RbEvalStatus rb_event_evaluate(const RbEvent *event) {
    RbEvaluator *e = event->host->evaluator;
    prepare(e, RB_WANT_DERIVATIVES, event->time, e->x_at_event, e->dx, e->dq);
    RbEvalStatus status = evaluate_parts(e);
    return status == RB_EVAL_OK ? (RbEvalStatus)check_finite(e, event->time, e->dx) : status;
}

RbEvalStatus rb_event_blow(const RbEvent *event, void (*push)(void *workspace, bool on)) {
    RbEvaluator *e = event->host->evaluator;
    int count = e->system->x_count;
    double *without = e->x_inside; // nobody looks into a step now
    push(event->workspace, false);
    RbEvalStatus status = rb_event_evaluate(event);
    memcpy(without, e->dx, (size_t)count * sizeof *without);
    push(event->workspace, true);
    if (status == RB_EVAL_OK) status = rb_event_evaluate(event);
    push(event->workspace, false);
    for (int i = 0; status == RB_EVAL_OK && i < count; i++)
        e->x_at_event[i] += e->dx[i] - without[i];
    return status;
}

void rb_event_log(const RbEvent *event, const char *format, ...) {
    RbEvaluator *e = event->host->evaluator;
    if (!rb_log_on(e->log, RB_LOG_EVENTS)) return;
    char text[768];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *name = e->system->parts[event->host->part].instance->name;
    rb_log(e->log, RB_LOG_EVENTS, "t = %.12g s: %s%s%s", event->time, name, name[0] ? ": " : "",
           text);
}

void rb_event_because(const RbEvent *event, const char *format, ...) {
    RbEvaluator *e = event->host->evaluator;
    size_t used = strlen(e->because), room = sizeof e->because - used;
    int link = used > 0 ? snprintf(e->because + used, room, "; ") : 0;
    va_list arguments;
    va_start(arguments, format);
    if ((size_t)link < room)
        vsnprintf(e->because + used + link, room - (size_t)link, format, arguments);
    va_end(arguments);
}

void rb_event_fail(const RbEvent *event, const char *format, ...) {
    RbEvaluator *e = event->host->evaluator;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->assertion, sizeof e->assertion, format, arguments);
    va_end(arguments);
    e->assertion_at = RB_NOWHERE;
    e->asserting_part = event->host->part;
}

void rb_event_fail_at(const RbEvent *event, RbPos at, const char *format, ...) {
    RbEvaluator *e = event->host->evaluator;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(e->assertion, sizeof e->assertion, format, arguments);
    va_end(arguments);
    e->assertion_at = at;
    e->asserting_part = event->host->part;
}

void rb_event_abort(const RbEvent *event, RbStatus status) {
    event->host->evaluator->abort_status = status;
}
