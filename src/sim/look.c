// SPDX-License-Identifier: MIT
#include "sim/look.h"

#include <math.h>
#include <string.h>

#include "translate/equation_half.h"

RbLook rb_look(RbSim *sim, RbArena *arena) {
    return (RbLook){.sim = sim, .arena = arena, .names = rb_names(arena)};
}

// -------------------------------------------------------------------------------------------------
// which variables there are

typedef struct Found {
    const char *own, *unit, *description;
    RbRunKind kind;
    RbLookPlace place;
    int index;
} Found;

// The first to have a name keeps it: a state before the result that shows it.
static void add(RbLook *l, int part, Found f) {
    const RbSystemPart *p = &rb_sim_stage(l->sim)->system->parts[part];
    RbArena scratch = l->sim->scratch;
    RbName name = rb_intern(&l->names, rb_instance_join(p->instance, f.own, &scratch));
    uint64_t *known = rb_map_find(&l->numbers, rb_map_key(name));
    RbLookVariable *v;
    if (known) {
        v = &l->variables.data[*known];
        if (v->there) return;
    } else {
        rb_map_set(&l->numbers, l->arena, rb_map_key(name), (uint64_t)l->variables.count);
        rb_array_push(&l->variables, l->arena, (RbLookVariable){.name = name});
        v = &l->variables.data[l->variables.count - 1];
        v->own = rb_arena_text(l->arena, f.own);
        v->unit = rb_arena_text(l->arena, f.unit ? f.unit : "");
        v->description = rb_arena_text(l->arena, f.description ? f.description : "");
    }
    v->kind = f.kind;
    v->place = f.place;
    v->part = part;
    v->index = f.index;
    v->there = true;
}

// Inside the component.
static const char *derivative_name(const RbSystemPart *p, int state, RbArena *arena) {
    const char *name = rb_instance_join(p->instance, p->segment->states.data[state].name, arena);
    return rb_arena_printf(arena, "der(%s)", name);
}

static void add_segment(RbLook *l, int part) {
    const RbSystemPart *p = &rb_sim_stage(l->sim)->system->parts[part];
    const RbSegment *g = p->segment;
    RbArena scratch = l->sim->trial;
    for (int i = 0; i < g->states.count; i++) {
        const RbStateSpec *s = &g->states.data[i];
        add(l, part,
            (Found){s->name, s->unit, s->description, RB_RUN_STATE, RB_AT_STATE, p->x + i});
    }
    for (int i = 0; i < g->quadratures.count; i++) {
        const RbQuadratureSpec *q = &g->quadratures.data[i];
        if (q->hidden) continue;
        add(l, part,
            (Found){q->name, q->unit, q->description, RB_RUN_QUADRATURE, RB_AT_QUADRATURE,
                    p->q + i});
    }
    for (int i = 0; i < g->discretes.count; i++) {
        const RbDiscreteSpec *d = &g->discretes.data[i];
        add(l, part,
            (Found){d->name, d->unit, d->description, RB_RUN_DISCRETE, RB_AT_DISCRETE, p->d + i});
    }
    for (int i = 0; i < g->results.count; i++) {
        const RbResultSpec *r = &g->results.data[i];
        add(l, part,
            (Found){r->name, r->unit, r->description, r->discrete ? RB_RUN_DISCRETE : RB_RUN_RESULT,
                    RB_AT_RESULT, p->result + i});
    }
    for (int i = 0; i < g->constants.count; i++) {
        const RbResultSpec *c = &g->constants.data[i];
        add(l, part,
            (Found){c->name, c->unit, c->description, RB_RUN_PARAMETER, RB_AT_CONSTANT, i});
    }
    for (int i = 0; i < g->states.count; i++) {
        const char *name = derivative_name(p, i, &scratch);
        add(l, part,
            (Found){name, "", "derivative", RB_RUN_DERIVATIVE, RB_AT_DERIVATIVE, p->x + i});
    }
}

static void add_parameters(RbLook *l, int part) {
    const RbBuild *b = &rb_sim_stage(l->sim)->system->parts[part].instance->declared;
    for (int i = 0; i < b->parameters.count; i++) {
        const RbParameterSpec *p = &b->parameters.data[i].spec;
        add(l, part,
            (Found){p->name, p->unit, p->description, RB_RUN_PARAMETER, RB_AT_PARAMETER, i});
    }
}

static int part_of(const RbSystem *s, const RbInstance *instance) {
    int i = 0;
    while (s->parts[i].instance != instance) i++;
    return i;
}

static void add_inputs(RbLook *l) {
    RbModel *model = l->sim->model;
    RbArena scratch = l->sim->trial;
    int count = rb_model_number_inputs(model);
    for (int i = 0; i < count; i++) {
        RbModelInput input = rb_model_input(model, i);
        Found f = {.kind = RB_RUN_INPUT, .place = RB_AT_INPUT, .index = i};
        if (input.equations) {
            f.own = rb_equations_input_name(input.instance->self, input.number, &scratch);
        } else {
            const RbVariableSpec *v = &input.instance->declared.variables.data[input.number].spec;
            f.own = v->name;
            f.unit = v->unit;
            f.description = v->description;
        }
        add(l, part_of(rb_sim_stage(l->sim)->system, input.instance), f);
    }
}

static void find_places(RbLook *l) {
    const RbRunningSegment *stage = rb_sim_stage(l->sim);
    for (int i = 0; i < l->variables.count; i++) l->variables.data[i].there = false;
    add_inputs(l); // before the results of equations, which show them too
    for (int i = 0; i < stage->system->part_count; i++) add_segment(l, i);
    for (int i = 0; i < stage->system->part_count; i++) add_parameters(l, i);
    l->build = l->sim->builds;
}

RbStatus rb_look_refresh(RbLook *l) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    RB_TRY(rb_sim_fetch(l->sim));
    l->evaluated = false;
    if (l->build != l->sim->builds) find_places(l);
    if (stage->look) rb_evaluator_reset(stage->look);
    return RB_OK;
}

int rb_look_find(const RbLook *l, const char *name) {
    RbNames names = l->names;
    const uint64_t *found = rb_map_find(&l->numbers, rb_map_key(rb_intern(&names, name)));
    return found ? (int)*found : -1;
}

int rb_look_derivative(RbLook *l, int state) {
    const RbSystem *s = rb_sim_stage(l->sim)->system;
    RbArena scratch = l->sim->trial;
    if (state < 0 || state >= s->x_count) return -1;
    const RbSystemPart *p = rb_system_part_of_state(s, state);
    const char *own = derivative_name(p, state - p->x, &scratch);
    return rb_look_find(l, rb_instance_join(p->instance, own, &scratch));
}

// -------------------------------------------------------------------------------------------------
// evaluation

static RbStatus open_evaluator(RbLook *l) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    if (stage->look) return RB_OK;
    stage->look = rb_evaluator_new(stage->system, stage->now.d, l->sim->log, &stage->arena);
    l->results = rb_new_array(&stage->arena, double, stage->system->result_count + 1);
    return RB_OK;
}

static RbStatus explain(const RbLook *l, int status) {
    if (status == 0) return RB_OK;
    const RbRunningSegment *stage = rb_sim_stage(l->sim);
    int errors = l->sim->diag->error_count;
    RbStatus answer =
        rb_evaluator_explain(stage->look, l->sim->time, RB_ERROR_SOLVER, l->sim->diag);
    if (l->sim->diag->error_count > errors) return answer;
    return rb_fail(l->sim->diag, answer, RB_NOWHERE, "the model cannot be evaluated at t = %.10g s",
                   l->sim->time);
}

RbStatus rb_look_evaluate_at(RbLook *l, const double *x, RbEvaluator **evaluator) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    RB_TRY(open_evaluator(l));
    *evaluator = stage->look;
    l->evaluated = false;
    return explain(l, rb_evaluate_results(stage->look, l->sim->time, x, stage->now.q, l->results));
}

RbStatus rb_look_record(RbLook *l, double time, const double *x) {
    RbEvaluator *e;
    RbRecorder *r = &l->sim->recorder;
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    RB_TRY(rb_look_evaluate_at(l, x, &e));
    r->ahead = time - l->sim->time;
    RbStatus status = rb_recorder_add(r, e, l->sim->time, x, stage->now.q, stage->now.d, l->sim->diag);
    r->ahead = 0;
    return status;
}

RbStatus rb_look_evaluate(RbLook *l, RbEvaluator **evaluator) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    *evaluator = stage->look;
    if (l->evaluated) return RB_OK;
    RB_TRY(rb_look_evaluate_at(l, stage->now.x, evaluator));
    l->evaluated = true;
    return RB_OK;
}

RbStatus rb_look_derivatives(RbLook *l, const double *x, double *dx) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    RB_TRY(open_evaluator(l));
    l->evaluated = false;
    return explain(l, rb_evaluate(stage->look, RB_WANT_DERIVATIVES, l->sim->time,
                                  x ? x : stage->now.x, dx, NULL));
}

RbStatus rb_look_indicators(RbLook *l, const double *x, double *z) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    RB_TRY(open_evaluator(l));
    l->evaluated = false;
    return explain(
        l, rb_evaluate_indicators(stage->look, l->sim->time, x ? x : stage->now.x, NULL, z));
}

// -------------------------------------------------------------------------------------------------
// Jacobian

static RbStatus analytic(RbLook *l, const RbComposed *c, RbArena *scratch, double *jacobian) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    const RbPattern *p = &c->pattern;
    double *values = rb_new_array(scratch, double, p->count + 1);
    stage->look->jacobian = rb_new_array(scratch, double, c->value_count + 1);
    RB_TRY(explain(l, rb_evaluate_jacobian(stage->look, c, l->sim->time, stage->now.x, values)));
    for (int j = 0; j < p->n; j++) {
        for (int k = p->col_start[j]; k < p->col_start[j + 1]; k++)
            jacobian[(size_t)j * (size_t)p->n + (size_t)p->row_index[k]] = values[k];
    }
    return RB_OK;
}

// Central quotients: an error of some 1e-10 of what is differentiated.
static RbStatus quotients(RbLook *l, RbArena *scratch, double *jacobian) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    const double relative = 6e-6; // cube root of the rounding of doubles
    int n = stage->system->x_count;
    double *x = rb_new_array(scratch, double, n + 1), *lower = rb_new_array(scratch, double, n + 1);
    memcpy(x, stage->now.x, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++) {
        double *upper = jacobian + (size_t)j * (size_t)n, own = x[j];
        double h = relative * fmax(fabs(own), stage->system->nominal[j]);
        x[j] = own + h;
        double above = x[j];
        RB_TRY(rb_look_derivatives(l, x, upper));
        x[j] = own - h;
        double below = x[j];
        RB_TRY(rb_look_derivatives(l, x, lower));
        x[j] = own;
        for (int i = 0; i < n; i++) upper[i] = (upper[i] - lower[i]) / (above - below);
    }
    return RB_OK;
}

RbStatus rb_look_jacobian(RbLook *l, double *jacobian) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    RbArena keep = l->sim->trial;
    size_t n = (size_t)stage->system->x_count;
    RB_TRY(open_evaluator(l));
    l->evaluated = false;
    memset(jacobian, 0, n * n * sizeof *jacobian);
    RbComposed c = rb_system_couplings(stage->system, stage->now.d, false, &keep, l->sim->scratch);
    return c.has_jacobian ? analytic(l, &c, &keep, jacobian) : quotients(l, &keep, jacobian);
}

RbStatus rb_look_has_jacobian(RbLook *l, bool *has) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    RbArena keep = l->sim->trial;
    RB_TRY(open_evaluator(l));
    *has = rb_system_couplings(stage->system, stage->now.d, false, &keep, l->sim->scratch).has_jacobian;
    return RB_OK;
}

// -------------------------------------------------------------------------------------------------
// values

double rb_look_input(const RbLook *l, int input) {
    RbModelInput i = rb_model_input(l->sim->model, input);
    return i.equations ? rb_equations_input(i.instance->self, i.number)
                       : i.instance->declared.variables.data[i.number].value;
}

RbStatus rb_look_get(RbLook *l, int variable, double *value) {
    const RbRunningSegment *stage = rb_sim_stage(l->sim);
    const RbLookVariable *v = &l->variables.data[variable];
    const RbSystemPart *p = &stage->system->parts[v->part];
    RbEvaluator *e;
    *value = NAN;
    if (!v->there) return RB_OK;
    switch (v->place) {
        case RB_AT_STATE: *value = stage->now.x[v->index]; return RB_OK;
        case RB_AT_QUADRATURE: *value = stage->now.q[v->index]; return RB_OK;
        case RB_AT_DISCRETE: *value = stage->now.d[v->index]; return RB_OK;
        case RB_AT_INPUT: *value = rb_look_input(l, v->index); return RB_OK;
        case RB_AT_CONSTANT: *value = p->segment->constant_values.data[v->index]; return RB_OK;
        case RB_AT_PARAMETER:
            *value = p->instance->declared.parameters.data[v->index].value;
            return RB_OK;
        case RB_AT_DERIVATIVE:
        case RB_AT_RESULT: break;
    }
    RB_TRY(rb_look_evaluate(l, &e));
    *value = v->place == RB_AT_DERIVATIVE ? e->dx[v->index] : l->results[v->index];
    return RB_OK;
}

RbStatus rb_look_put_input(RbLook *l, int input, double value) {
    RbModelInput i = rb_model_input(l->sim->model, input);
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    RbStatus status = RB_OK;
    if (i.equations)
        status = rb_equations_change_input(i.instance->self, i.number, value, l->sim->diag);
    else
        i.instance->declared.variables.data[i.number].value = value;
    if (stage->look) rb_evaluator_reset(stage->look); // it holds what it was started with
    l->evaluated = false;
    return status;
}

// What the equations compute: only some of it can be changed.
static RbStatus set_equations(RbLook *l, const RbLookVariable *v, double value) {
    RbInstance *equations = rb_model_equations(l->sim->model);
    RbSystemPart *p = &rb_sim_stage(l->sim)->system->parts[v->part];
    bool parameter;
    if (!equations || p->instance != equations) {
        return rb_fail(l->sim->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'%s' follows from the states and cannot be set; states, inputs, parameters "
                       "and discrete values can",
                       v->name);
    }
    RB_TRY(rb_equations_change(equations->self, v->own, value, l->sim->diag, &parameter));
    if (parameter) l->sim->change = RB_FULL_RESTART;
    if (parameter) l->sim->parameters_changed = true;
    if (v->place == RB_AT_CONSTANT) p->segment->constant_values.data[v->index] = value;
    return RB_OK;
}

RbStatus rb_look_set(RbLook *l, int variable, double value) {
    RbRunningSegment *stage = rb_sim_stage(l->sim);
    const RbLookVariable *v = &l->variables.data[variable];
    RbInstance *c = stage->system->parts[v->part].instance;
    if (!v->there) {
        return rb_fail(l->sim->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'%s' is not there at t = %.10g s: it has come or gone with its states",
                       v->name, l->sim->time);
    }
    if (!isfinite(value)) {
        return rb_fail(l->sim->diag, RB_ERROR_USAGE, RB_NOWHERE, "'%s' cannot be set to %g",
                       v->name, value);
    }
    RB_TRY(rb_sim_begin_change(l->sim));
    l->evaluated = false;
    switch (v->place) {
        case RB_AT_STATE: stage->now.x[v->index] = value; return RB_OK;
        case RB_AT_DISCRETE: stage->now.d[v->index] = value; return RB_OK;
        case RB_AT_INPUT: return rb_look_put_input(l, v->index, value);
        case RB_AT_PARAMETER:
            RB_TRY(rb_instance_override(c, v->own, value, l->sim->diag));
            l->sim->change = RB_FULL_RESTART;
            return RB_OK;
        default: return set_equations(l, v, value);
    }
}
