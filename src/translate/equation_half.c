// SPDX-License-Identifier: MIT
#include "translate/equation_half.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "program/ahead.h"
#include "program/background.h"
#include "program/branch.h"
#include "program/checkpoint.h"
#include "program/delay.h"
#include "program/program_instance.h"
#include "program/layout.h"
#include "program/limits.h"
#include "program/undefined.h"
#include "component/saver.h"
#include "component/segment.h"
#include "external/externals.h"
#include "translate/equation_calls.h"
#include "translate/equation_half_data.h"
#include "translate/equation_names.h"
#include "translate/equation_steps.h"
#include "translate/hard_systems.h"

// ------------------------------------------------------------------------------------------------------
// build

// Assertions, calls of functions, systems that only results need, or that have several solutions, and
// what may be no number.
static bool watches_steps(const RbProgram *p, RbArena scratch) {
    const RbLowered *l = p->lowered;
    bool any = l->sites.count > 0 || l->dae->actions.count > 0;
    for (int k = 0; k < l->systems.count && !any; k++) {
        const RbBlock *b = l->systems.data[k].block;
        any = !l->systems.data[k].initial && (!b->needed || b->kind == RB_BLOCK_NONLINEAR);
    }
    return any || rb_may_be_undefined(p, RB_SECTION_OUTPUTS, scratch);
}

static bool has_iterations(const RbLowered *l) {
    for (int k = 0; k < l->systems.count; k++) {
        if (l->systems.data[k].block->kind == RB_BLOCK_NONLINEAR) return true;
    }
    return false;
}

// What evaluations write to.
static void open_instance(RbEquationHalf *q) {
    q->in = rb_program_instance(q->program, q->arena);
    rb_equations_bind_calls(q);
    rb_hard_systems(q->in, q->arena);
}

static void make_objects(void *user, bool begin) {
    RbEquationHalf *q = user;
    if (begin)
        rb_externals_begin(q->externals);
    else
        rb_externals_end(q->externals);
}

static RbStatus build(void *self, RbBuild *build) {
    RbEquationHalf *q = self;
    q->program = rb_build_data(build);
    q->arena = build->arena;
    open_instance(q);
    q->in->make_objects = make_objects;
    q->externals = rb_externals(q->program->dae->model, &q->in->event_number, build->arena);
    q->bounces = rb_bounces(q->program->state_count, build->arena);
    q->visuals = rb_visuals(q->program, build->arena);
    q->background = rb_background(q->in, build->arena);
    q->has_components = rb_equations_have_components(q->program->dae->model);
    q->all_linear = !has_iterations(q->program->lowered);
    q->watches_steps = watches_steps(q->program, *q->in->call_arena);
    rb_build_function(build, &(RbFunctionSpec){.name = "equations",
                                               .level = RB_LEVEL_ACCELERATION,
                                               .after = RB_NONE,
                                               .derivative = RB_NONE,
                                               .state_derivatives = true});
    return RB_OK;
}

static void read_inputs(void *user, double time, bool event) {
    RbEquationHalf *q = user;
    if (q->input && event) rb_input_file_pass(q->input, time);
    if (q->input) rb_input_file_read(q->input, time, q->in->frame.u);
    if (q->input_function) q->input_function(q->input_user, time, q->in->frame.x, q->in->frame.u);
}

static RbStatus place_inputs(void *user, RbDiag *diag) {
    RbEquationHalf *q = user;
    return rb_input_file_place(q->input, q->in, diag);
}

void rb_equations_input_function(void *self, RbInputFunction function, void *user) {
    RbEquationHalf *q = self;
    q->input_function = function;
    q->input_user = user;
    if (function || q->input)
        q->in->read_inputs = read_inputs;
    else
        q->in->read_inputs = NULL;
}

void rb_equations_inputs(void *self, RbInputFile *file) {
    RbEquationHalf *q = self;
    q->input = file;
    q->in->read_inputs = read_inputs;
    q->in->place_inputs = place_inputs;
}

static double next_time_event(const RbEquationHalf *q) {
    double next = rb_program_next_time_event(q->in);
    return q->input ? fmin(next, rb_input_file_stop(q->input, q->in->frame.t)) : next;
}

static bool set(void *self, const char *name, double value) {
    RbEquationHalf *q = self;
    RbArena scratch = *q->in->call_arena;
    RbDiag silent = rb_diag(&scratch); // rb_equations_set tells why
    return rb_program_set_named(q->in, name, value, &silent) == RB_OK;
}

RbStatus rb_equations_set(void *self, const char *name, double value, RbDiag *diag) {
    return rb_program_set_named(((RbEquationHalf *)self)->in, name, value, diag);
}

bool rb_equations_literal(const void *self, const char *name, const char *text, double *value) {
    return rb_program_literal(((const RbEquationHalf *)self)->program, name, text, value);
}

RbStatus rb_equations_set_array(void *self, const char *name, int rank, const int *dims,
                                const double *values, RbDiag *diag) {
    return rb_program_set_array(((RbEquationHalf *)self)->in, name, rank, dims, values, diag);
}

RbStatus rb_equations_set_text(void *self, const char *name, const char *text, RbDiag *diag) {
    return rb_program_set_text(((RbEquationHalf *)self)->in, name, text, diag);
}

void rb_equations_sizes(const void *self, RbText *out) {
    const RbProgramInstance *in = ((const RbEquationHalf *)self)->in;
    const RbSortedDae *d = in->program->dae;
    for (int i = 0; i < d->arrays.count; i++) {
        const RbFlatVar *v = &d->model->vars.data[d->arrays.data[i]];
        const RbDaeVar *own = &d->vars.data[d->arrays.data[i]];
        const int *now = &in->sizes[RB_SIZES * i + RB_SIZES_ROWS];
        bool same = v->dims[0] == now[0] && (v->rank == 1 || v->dims[1] == now[1]);
        if (same || own->auxiliary || own->is_der) continue;
        rb_text_printf(out, "%s%s [%d", out->count > 0 ? ", " : "", v->name, v->dims[0]);
        if (v->rank > 1) rb_text_printf(out, ",%d", v->dims[1]);
        rb_text_printf(out, "] -> [%d", now[0]);
        if (v->rank > 1) rb_text_printf(out, ",%d", now[1]);
        rb_text_add(out, "]");
    }
}

RbStatus rb_equations_parameters(void *self, double time, RbDiag *diag) {
    rb_externals_listen(((RbEquationHalf *)self)->externals, diag);
    return rb_program_parameters(((RbEquationHalf *)self)->in, time, diag);
}

bool rb_equations_value(const void *self, const char *name, double *value) {
    const RbEquationHalf *q = self;
    int v = rb_program_find(q->program, name);
    if (v < 0 || rb_equations_dae(q)->vars.data[v].kind != RB_DAE_PARAMETER) return false;
    *value = rb_program_value(q->in, v);
    return true;
}

bool rb_equations_element(const void *self, int var, int k, double *value) {
    const RbEquationHalf *q = self;
    const RbDaeVar *v = &rb_equations_dae(q)->vars.data[var];
    bool apart = rb_equations_dae(q)->model->vars.data[var].rank > 0 && !v->whole; // in elements
    int element = apart ? v->elements + k : var;
    RbDaeKind kind = rb_equations_dae(q)->vars.data[element].kind;
    if (kind != RB_DAE_PARAMETER && kind != RB_DAE_ALIAS) return false;
    *value = rb_program_element(q->in, element, apart ? 0 : k);
    return true;
}

bool rb_equations_numbers(const void *self, int var, int count, double *values) {
    for (int k = 0; k < count; k++) {
        if (!rb_equations_element(self, var, k, &values[k])) return false;
    }
    return true;
}

const char *rb_equations_text(const void *self, int var, RbArena *arena, const char **why) {
    const RbEquationHalf *q = self;
    const RbExpr *e = rb_equations_dae(q)->model->vars.data[var].binding;
    RbExprValue value;
    const char *set = rb_program_text(q->in, var);
    *why = NULL;
    if (set) return set;
    if (e && rb_interpret_value(q->in, e, arena, &value)) return value.text ? value.text[0] : NULL;
    if (e) *why = q->in->failure;
    return NULL;
}

// ----------------------------------------------------------------------------------------------
// segments

// A run begins; another one may have been before it.
static RbStatus initialize(RbEquationHalf *q, double time, RbDiag *diag) {
    rb_bounces_forget(&q->bounces);
    q->attempts = 0;
    return rb_program_initialize(q->in, time, diag);
}

static void leave_workspaces(RbEquationHalf *q);

// Invariant: the states of a later segment are those of the one before.
static RbStatus start_segment(void *self, RbSegment *g) {
    RbEquationHalf *q = self;
    q->diag = g->diag;
    leave_workspaces(q);
    rb_segment_workspace(g, sizeof(RbEquationHalf *));
    rb_externals_listen(q->externals, g->diag);
    q->status = RB_OK;
    rb_equations_open_calls(q, g->eval);
    q->in->missing = false;
    int count;
    const double *old = rb_segment_old_states(g, &count);
    if (old)
        memcpy(q->in->frame.x, old, (size_t)count * sizeof *old);
    else if (q->restored)
        RB_TRY(rb_program_objects(q->in, g->diag));
    else
        RB_TRY(initialize(q, rb_segment_time(g), g->diag));
    q->restored = false;
    if (!old) {
        rb_ahead_open(q->in, g->instance->run_start, g->instance->run_stop);
        rb_limits_open(q->in);
        rb_limits_check(q->in, g->diag);
    }
    rb_equations_declare_states(q, g);
    rb_equations_declare_results(q, g);
    for (int i = 0; i < q->program->indicator_count; i++) {
        rb_segment_indicator(
            g, &(RbIndicatorSpec){.name = rb_indicator_name(rb_equations_dae(q), i, g->arena)});
    }
    q->events = rb_equation_events(q->program, g->arena);
    q->pattern = rb_program_pattern(q->in, g->arena, g->scratch);
    if (q->program->residual_form.count > 0)
        q->residual_pattern =
            rb_program_residual_pattern(q->in, g->arena, g->scratch, &q->given_pattern);
    q->x = rb_new_array(g->arena, double, rb_program_states(q->in) + 1);
    q->looks = rb_looks(g->arena, q->program->indicator_count);
    rb_segment_time_event(g, next_time_event(q));
    if (rb_equations_dae(q)->delays.count > 0) {
        double shortest = rb_delay_shortest(q->in, g->instance->run_stop - g->instance->run_start);
        rb_segment_max_step(g, isfinite(shortest) ? shortest : DBL_MAX);
    }
    return RB_OK;
}

// Is this derivative an unknown of the system that has the row? Both count from 0 in x.
static bool same_system(const RbEquationHalf *q, int row, int column) {
    const RbResidualForm *form = &q->program->residual_form;
    int scalars = rb_area_size(q->program->lowered, RB_AREA_X);
    return row < scalars && column < scalars && form->system[row] >= 0 &&
           form->system[row] == form->system[column];
}

// The matrices of the systems that are not solved, in the order of their values; then what else
// depends on derivatives that are given.
static void given_couplings(const RbEquationHalf *q, RbCouplings *c) {
    const RbResidualForm *form = &q->program->residual_form;
    const RbStatePattern *p = &q->given_pattern;
    for (int k = 0; k < form->slope_count; k++)
        rb_couplings_given(c, form->slopes[k].row, form->slopes[k].column);
    for (int i = 0; i < rb_program_states(q->in); i++) {
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            if (!same_system(q, i, p->columns[k])) rb_couplings_given_unknown(c, i, p->columns[k]);
        }
    }
}

static void couplings(void *self, RbCouplings *c) {
    const RbEquationHalf *q = self;
    bool residual = rb_couplings_residual(c) && q->program->residual_form.count > 0;
    const RbStatePattern pattern = residual ? q->residual_pattern : q->pattern;
    for (int i = 0; i < rb_program_states(q->in); i++) {
        for (int k = pattern.start[i]; k < pattern.start[i + 1]; k++) {
            rb_couplings_derivative_state(c, i, pattern.columns[k]);
        }
    }
    if (residual) given_couplings(q, c);
}

// ------------------------------------------------------------------------------------------------
// workspaces

// The run evaluates with the component's own memory, which events change. Whoever looks beside it
// (another thread, a reader between two steps) has a twin with code and variables of its own, which
// has the parameters and discrete values of the last restart.
static RbEquationHalf *find_twin(RbEquationHalf *q) {
    RbEquationHalf *twin = q->twins;
    while (twin && twin->taken) twin = twin->next;
    if (twin) return twin;
    twin = rb_new(q->arena, RbEquationHalf);
    *twin = (RbEquationHalf){.program = q->program,
                             .arena = q->arena,
                             .externals = q->externals,
                             .is_twin = true,
                             .next = q->twins,
                             .has_components = q->has_components,
                             .all_linear = q->all_linear};
    open_instance(twin);
    q->twins = twin;
    return twin;
}

static void follow(const RbEquationHalf *q, RbEquationHalf *twin) {
    twin->input = q->input;
    twin->input_function = q->input_function;
    twin->input_user = q->input_user;
    twin->diag = q->diag;
    twin->outputs = q->outputs;
    twin->output_count = q->output_count;
    twin->status = RB_OK;
    twin->in->read_inputs = q->in->read_inputs;
    rb_program_follow(q->in, twin->in);
}

static void open_workspace(void *self, void *workspace, RbWorkspaceMemory *memory) {
    (void)memory;
    RbEquationHalf *q = self, **own = workspace;
    *own = q->taken ? find_twin(q) : q;
    (*own)->taken = true;
    if ((*own)->is_twin) follow(q, *own);
}

static void reset_workspace(void *self, void *workspace) {
    RbEquationHalf **own = workspace;
    if ((*own)->is_twin)
        follow(self, *own);
    else
        rb_looks_forget(&(*own)->looks);
}

static void leave_workspaces(RbEquationHalf *q) {
    q->taken = false;
    for (RbEquationHalf *twin = q->twins; twin; twin = twin->next) twin->taken = false;
}

// Whose memory an evaluation writes to.
static RbEquationHalf *half_of(const RbEval *e) {
    return *(RbEquationHalf **)e->workspace;
}

// ------------------------------------------------------------------------------------------------
// evaluation

// At the border of what a function allows each smaller step succeeds, and the solver would creep
// towards it for ever.
static bool is_stuck(RbEquationHalf *q, double time) {
    enum { ATTEMPTS_MAX = 200 };
    double near = 1e-9 * fmax(1, fabs(time)); // [s]
    if (fabs(time - q->failed_at) > near) {
        q->failed_at = time;
        q->attempts = 0;
    }
    return ++q->attempts > ATTEMPTS_MAX;
}

static RbEvalStatus answer(RbEquationHalf *q, const RbEval *e, RbStatus status) {
    if (status == RB_OK) return RB_EVAL_OK;
    if (q->called != RB_EVAL_OK) return q->called; // it has said why
    const char *why = q->in->failure ? q->in->failure : "the equations cannot be solved here";
    RbEvalStatus result =
        is_stuck(q, e->time) ? rb_eval_fail(e, "%s", why) : rb_eval_retry(e, "%s", why);
    if (q->in->failure && q->in->failed_system < 0)
        rb_eval_blame(e, q->in->failure_at,
                      q->in->failure_is_assertion ? RB_ERROR_ASSERTION : RB_OK);
    return result;
}

static bool is_defined(const double *values, int count) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) return false;
    }
    return true;
}

// Proposed derivatives are as exact as the solver's tolerance. An indicator that follows from them
// would cross zero at another time than the one that the event iteration sees, which solves.
static bool needs_solution(const RbEquationHalf *q, const RbEval *e) {
    return (e->want & RB_WANT_INDICATORS) && q->program->residual_form.indicators_depend;
}

// Results follow: derivatives and all other variables at once, so that no system is solved twice.
// Iterations would start from other values than in an evaluation of the derivatives alone, so they
// are left as they are. False: something cannot be evaluated; record finds out what.
static bool evaluate_outputs(RbEquationHalf *q, const RbEval *e) {
    if (!q->all_linear || rb_program_outputs(q->in, e->time, e->x) != RB_OK) return false;
    memcpy(e->dx, q->in->frame.dx, (size_t)rb_program_states(q->in) * sizeof *e->dx);
    q->outputs_known = true;
    return true;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *inputs,
                             double *outputs) {
    (void)function, (void)inputs, (void)outputs;
    (void)self;
    RbEquationHalf *q = half_of(e);
    rb_equations_open_calls(q, e);
    q->in->failed_system = -1;
    q->outputs_known = false;
    if ((e->want & RB_WANT_RESULTS) && evaluate_outputs(q, e) &&
        is_defined(e->dx, rb_program_states(q->in)))
        return RB_EVAL_OK;
    if (e->given && !needs_solution(q, e))
        return answer(q, e, rb_program_residuals(q->in, e->time, e->x, e->given, e->dx));
    RbStatus status = rb_program_derivatives(q->in, e->time, e->x, e->dx);
    if (status == RB_OK && !is_defined(e->dx, rb_program_states(q->in)) &&
        rb_explain_undefined(q->in, RB_SECTION_DERIVATIVES))
        status = RB_ERROR_SOLVER;
    return answer(q, e, status);
}

static RbEvalStatus slopes(void *self, const RbEval *e, double *values) {
    (void)self;
    RbEquationHalf *q = half_of(e);
    rb_equations_open_calls(q, e);
    return answer(q, e, rb_program_residual_slopes(q->in, e->time, e->x, e->given, values));
}

static RbEvalStatus indicators(void *self, const RbEval *e, double *z) {
    (void)self;
    RbEquationHalf *q = half_of(e);
    rb_equations_open_calls(q, e);
    RbStatus status = rb_program_indicators_here(q->in, z);
    if (status == RB_OK && q->in->missing && rb_explain_missing(q->in)) {
        rb_eval_blame(e, q->in->failure_at, RB_OK);
        return rb_eval_fail(e, "%s", q->in->failure);
    }
    if (status == RB_OK && !q->is_twin) rb_looks_note(&q->looks, e->time, z);
    return answer(q, e, status);
}

// At a point of the solution. Derivatives were computed there before, but not all that only results
// need.
static void record(void *self, const RbEval *e, double *results) {
    (void)self;
    RbEquationHalf *q = half_of(e);
    rb_equations_open_calls(q, e);
    RbStatus status = q->status;
    if (!q->outputs_known && rb_program_outputs(q->in, e->time, e->x) != RB_OK && status == RB_OK)
        status = rb_equations_outputs_failed(q, e->time);
    q->outputs_known = true; // a picture may follow
    rb_program_keep_branch(q->in);
    int undefined = -1;
    for (int i = 0, n = 0; i < q->output_count; i++) {
        int count = rb_program_elements(q->in, q->outputs[i]);
        for (int k = 0; k < count; k++) {
            results[n] = rb_program_element(q->in, q->outputs[i], k);
            if (!isfinite(results[n++]) && undefined < 0) undefined = q->outputs[i];
        }
    }
    if (undefined >= 0 && status == RB_OK && !q->in->missing)
        status = rb_equations_undefined(q, undefined, e->time);
    if (status != q->status) rb_eval_abort(e, status);
    q->status = status;
}

// ----------------------------------------------------------------------------------------------------
// what is drawn

static void draw(void *self, RbDrawing *drawing) {
    RbEquationHalf *q = self;
    rb_visuals_draw(&q->visuals, q->in, drawing);
}

static void show(void *self, const RbEval *e, RbPicture *picture) {
    const RbEquationHalf *own = self;
    RbEquationHalf *q = half_of(e);
    if (own->visuals.count == 0) return;
    rb_equations_open_calls(q, e);
    if (!q->outputs_known) rb_program_outputs(q->in, e->time, e->x);
    rb_visuals_show(&own->visuals, q->in, picture);
}

// ----------------------------------------------------------------------------------------------------
// events

static double inspect(void *self, const RbStepView *step, int *indicator, int *sign) {
    RbEquationHalf *q = self;
    *indicator = RB_NONE;
    *sign = 0;
    RbEval eval = {.time = step->t1, .host = step->host};
    rb_equations_open_calls(q, &eval);
    q->outputs_known = false; // at another time
    double inside = rb_equations_look_inside(q, step, indicator, sign);
    RbStepView shorter = *step;
    if (inside < step->t1) {
        shorter.t1 = inside;
        step = &shorter;
    }
    rb_equations_remember(q, step);
    double end = q->status == RB_OK ? rb_equations_check_step(q, step) : step->t1;
    if (q->status == RB_OK && q->watches_steps) rb_program_keep_branch(q->in);
    if (q->status == RB_OK) rb_background_poll(q->background, step->t1, q->x, q->diag);
    bool event = q->status != RB_OK || rb_program_wants_other_states(q->in, step->t1, q->x);
    q->eval = NULL;
    if (event) *indicator = RB_NONE;
    return event ? end : inside;
}

// What reinit has set, with the slopes behind the event.
static RbStatus watch_bounces(RbEquationHalf *q, double time) {
    for (int i = 0; i < q->program->state_count && q->in->any_reinit; i++) {
        const RbAction *a = q->in->reinits[i];
        if (a) rb_bounces_note(&q->bounces, time, i, q->in->frame.dx[i], a);
    }
    return rb_bounces_check(&q->bounces, time, q->in, q->diag);
}

// Components have found other start values for some states.
static void start_again(RbEquationHalf *q, RbEvent *event) {
    RbEval eval = {.time = event->time, .host = event->host};
    rb_equations_open_calls(q, &eval);
    q->status = rb_program_initialize_from(q->in, event->time, event->x, q->diag);
    q->eval = NULL;
    if (q->status == RB_OK)
        memcpy(event->x, q->in->frame.x, (size_t)rb_program_states(q->in) * sizeof *event->x);
}

static RbRestart at_event(void *self, RbEvent *event) {
    RbEquationHalf *q = self;
    rb_looks_forget(&q->looks);
    if (event->moved && q->status == RB_OK) start_again(q, event);
    // A segment begins with settled equations, unless a component has started it anew.
    // The last event is one for every model: a condition may change at the stop time itself, where no
    // step follows in which its root would be found.
    if (event->terminal) rb_program_end(q->in);
    if (q->status == RB_OK && (!event->initial || q->has_components)) {
        RbEventResult result = {0};
        bool input_jumps = q->input && rb_input_file_next(q->input) <= event->time;
        bool function_jumps = rb_ahead_due(q->in, event->time);
        RbEval eval = {.time = event->time, .host = event->host};
        rb_equations_open_calls(q, &eval);
        rb_equation_events_before(&q->events, q->in);
        q->status = rb_program_event(q->in, event->time, event->x, q->diag, &result);
        q->eval = NULL;
        if (q->status == RB_OK) rb_equation_events_after(&q->events, q->in, event);
        if (q->status == RB_OK) rb_limits_check(q->in, q->diag);
        if (input_jumps) rb_event_log(event, "an input of the file jumps");
        if (function_jumps) rb_event_log(event, "a function of time jumps or wakes up");
        event->next_time = next_time_event(q);
        if (q->status == RB_OK) q->status = watch_bounces(q, event->time);
        event->next_time = fmin(event->next_time, rb_bounces_look(&q->bounces, event->time));
        if (q->status == RB_OK && result.terminate) return RB_TERMINATE;
        if (q->status == RB_OK)
            return result.states_changed || result.values_changed || input_jumps || function_jumps
                       ? RB_RESTART
                       : RB_NO_RESTART;
    }
    if (q->status != RB_OK) rb_event_abort(event, q->status);
    return event->initial && q->in->terminate ? RB_TERMINATE : RB_NO_RESTART;
}

// -----------------------------------------------------------------------------------------------
// checkpoints

static void save(void *self, RbSaver *saver) {
    const RbEquationHalf *q = self;
    rb_program_save(q->in, saver->packer);
    if (q->input) rb_pack_double(saver->packer, rb_input_file_next(q->input));
    rb_bounces_save(&q->bounces, saver->packer);
    rb_externals_save(q->externals, saver->packer);
}

static bool restore(void *self, RbLoader *loader) {
    RbEquationHalf *q = self;
    RbDiag silent = rb_diag(q->in->call_arena); // a size that does not fit is seen below
    rb_program_layout(q->in, &silent);
    q->restored = rb_program_restore(q->in, &loader->unpacker);
    if (q->input) rb_input_file_resume(q->input, rb_unpack_double(&loader->unpacker));
    rb_bounces_restore(&q->bounces, &loader->unpacker);
    return q->restored &&
           rb_externals_same(&loader->unpacker, *q->in->call_arena, loader->at, loader->diag);
}

const RbComponentType rb_equations = {
    .version = RB_COMPONENT_VERSION,
    .name = "Equations",
    .description = "sorted and solved equations",
    .memory = sizeof(RbEquationHalf),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .set = set,
    .couplings = couplings,
    .slopes = slopes,
    .indicators = indicators,
    .inspect = inspect,
    .at_event = at_event,
    .has_end = true,
    .record = record,
    .draw = draw,
    .show = show,
    .open_workspace = open_workspace,
    .reset_workspace = reset_workspace,
    .save = save,
    .restore = restore,
};
