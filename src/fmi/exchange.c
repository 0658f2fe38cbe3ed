// SPDX-License-Identifier: MIT
// An FMU for model exchange: x' = f(t, x, u), y = g(t, x, u), event indicators z(t, x, u), and an update of everything at events.
//
// The FMU stands where it was evaluated last. In an event it is in event mode from the moment that something concerns it (an
// indicator, its time, a step that it wants to end, an input that jumps) until its discrete states are settled.
#include <math.h>
#include <string.h>

#include "component/couplings.h"
#include "fmi/component.h"
#include "fmi/interface.h"

typedef struct Exchange {
    RbFmiUnit unit;
    int function_count; // of outputs; one more computes the derivatives
    struct Outputs {    // a function: outputs that depend on the same inputs
        int *ports, count;
        RbFmiGroup group;
        int *inputs, input_count; // ports
    } * functions;
    int *all_inputs;
    int state_count, indicator_count;
    bool initial;    // in initialization mode: it has a time and states of its own
    double time, *x; // where it stands; time NAN: anywhere
    double *z;       // event indicators
    bool *positive;  // each of them after the last event
    double next_time;
    bool step_event, ends; // a step was told to it, and it wants an event, or to end the run
    bool ended;            // the run: values are read where it stands
    double *states;
    RbFmiGroup state_group, rate_group; // the variables that they are
} Exchange;

enum { EVENTS }; // the discrete value

// ---- building

// The ports of inputs that an output depends on, as a set.
static void mark_inputs(const Exchange *e, const RbFmiUnknown *u, bool *set) {
    const RbFmi *f = e->unit.fmi;
    const RbFmiGroup *g = &e->unit.inputs.group;
    for (int i = 0, n = 0; i < g->count; i++) {
        bool depends = u->all;
        for (int k = 0; k < u->count; k++) depends |= u->on[k] == g->variables[i];
        for (int k = 0; k < f->variables.data[g->variables[i]].size; k++) set[n++] = depends;
    }
}

static const RbFmiUnknown *structure_of(const RbFmi *f, int variable) {
    static const RbFmiUnknown unknown = {.all = true};
    for (int i = 0; i < f->outputs.count; i++)
        if (f->outputs.data[i].variable == variable) return &f->outputs.data[i];
    return &unknown;
}

static int *ports_of(const bool *set, int count, int *used, RbArena *arena) {
    int *ports = rb_new_array(arena, int, count + 1);
    *used = 0;
    for (int i = 0; i < count; i++)
        if (set[i]) ports[(*used)++] = i;
    return ports;
}

// Outputs that depend on other inputs are functions of their own, so that a connection back makes no false loop.
static void find_functions(Exchange *e, RbArena *arena) {
    const RbFmi *f = e->unit.fmi;
    const RbFmiGroup *g = &e->unit.outputs.group;
    int inputs = e->unit.inputs.group.values;
    bool **sets = rb_new_array(arena, bool *, g->count + 1);
    int *function = rb_new_array(arena, int, g->count + 1),
        *members = rb_new_array(arena, int, g->count + 1);
    e->functions = rb_new_array(arena, struct Outputs, g->count + 1);
    for (int i = 0; i < g->count; i++) {
        bool *set = rb_new_array(arena, bool, inputs + 1);
        mark_inputs(e, structure_of(f, g->variables[i]), set);
        int k = 0;
        while (k < e->function_count && memcmp(sets[k], set, (size_t)inputs) != 0) k++;
        function[i] = k;
        if (k == e->function_count) sets[e->function_count++] = set;
    }
    for (int k = 0; k < e->function_count; k++) {
        struct Outputs *o = &e->functions[k];
        o->inputs = ports_of(sets[k], inputs, &o->input_count, arena);
        o->ports = rb_new_array(arena, int, e->unit.outputs.group.values + 1);
        int count = 0;
        for (int i = 0, n = 0; i < g->count; i++) {
            int size = f->variables.data[g->variables[i]].size;
            if (function[i] == k) members[count++] = g->variables[i];
            for (int j = 0; j < size; j++, n++)
                if (function[i] == k) o->ports[o->count++] = n;
        }
        o->group = rb_fmi_group_of(f, members, count, arena);
    }
}

static const int *numbers(const RbFmiPorts *p, const int *ports, int count, RbArena *arena) {
    int *out = rb_new_array(arena, int, count + 1);
    for (int i = 0; i < count; i++) out[i] = p->variables[ports[i]];
    return out;
}

// Elements of the variables whose derivatives the structure of the model lists.
static void find_states(Exchange *e, RbArena *arena) {
    const RbFmi *f = e->unit.fmi;
    int count = f->derivatives.count, *states = rb_new_array(arena, int, count + 1),
        *rates = rb_new_array(arena, int, count + 1);
    for (int i = 0; i < count; i++) {
        rates[i] = f->derivatives.data[i].variable;
        states[i] = f->variables.data[rates[i]].derivative_of;
    }
    e->state_group = rb_fmi_group_of(f, states, count, arena);
    e->rate_group = rb_fmi_group_of(f, rates, count, arena);
}

static RbStatus build(void *self, RbBuild *b) {
    Exchange *e = self;
    RbArena *arena = b->arena;
    RbFmi *fmi = (RbFmi *)(uintptr_t)rb_build_data(b);
    rb_fmi_unit_build(&e->unit, fmi, &fmi->exchange, b);
    find_functions(e, arena);
    find_states(e, arena);
    e->x = rb_new_array(arena, double, e->rate_group.values + 1);
    e->states = rb_new_array(arena, double, e->rate_group.values + 1);
    for (int k = 0; k < e->function_count; k++) {
        const struct Outputs *o = &e->functions[k];
        rb_build_function(
            b,
            &(RbFunctionSpec){.name = rb_arena_printf(arena, "outputs%d", k + 1),
                              .level = RB_LEVEL_ACCELERATION,
                              .input_count = o->input_count,
                              .inputs = numbers(&e->unit.inputs, o->inputs, o->input_count, arena),
                              .output_count = o->count,
                              .outputs = numbers(&e->unit.outputs, o->ports, o->count, arena),
                              .after = RB_NONE,
                              .derivative = RB_NONE});
    }
    int inputs = e->unit.inputs.group.values;
    e->all_inputs = rb_new_array(arena, int, inputs + 1);
    for (int i = 0; i < inputs; i++) e->all_inputs[i] = i;
    rb_build_function(b, &(RbFunctionSpec){.name = "derivatives",
                                           .level = RB_LEVEL_ACCELERATION,
                                           .input_count = inputs,
                                           .inputs = e->unit.inputs.variables,
                                           .after = RB_NONE,
                                           .derivative = RB_NONE,
                                           .state_derivatives = true});
    return RB_OK;
}

// ---- where the FMU stands

static bool is_continuous(const RbFmiVariable *v) {
    return rb_fmi_is_real(v) && v->variability == RB_FMI_CONTINUOUS;
}

static bool is_discrete(const RbFmiVariable *v) {
    return !is_continuous(v);
}

// Inputs that are discrete wait for an event.
static RbFmiStatus bring(Exchange *e, double time, const double *x) {
    RbFmiInstance *i = &e->unit.instance;
    if (i->dead) return RB_FMI_FATAL;
    if (e->ended) return RB_FMI_OK;
    if (e->initial) return rb_fmi_unit_give(&e->unit, NULL);
    size_t size = (size_t)e->state_count * sizeof *x;
    if (time != e->time) {
        RbFmiStatus status = rb_fmi_set_time(i, time);
        if (rb_fmi_failed(status)) return status;
    }
    if (e->state_count > 0 && (isnan(e->time) || memcmp(x, e->x, size) != 0)) {
        RbFmiStatus status = rb_fmi_set_states(i, x, e->state_count);
        if (rb_fmi_failed(status)) return status;
        memcpy(e->x, x, size);
    }
    e->time = time;
    return rb_fmi_unit_give(&e->unit, is_continuous);
}

static RbFmiStatus read_outputs(Exchange *e, const struct Outputs *o, double *outputs) {
    const RbFmi *f = e->unit.fmi;
    RbFmiStatus status = rb_fmi_get(&e->unit.instance, &o->group, outputs);
    for (int i = 0, n = 0; !rb_fmi_failed(status) && i < o->group.count; i++) {
        const RbFmiVariable *v = &f->variables.data[o->group.variables[i]];
        for (int k = 0; k < v->size; k++, n++) outputs[n] = rb_fmi_to_modelica(f, v, outputs[n]);
    }
    return status;
}

// In initialization mode they are variables like others.
static RbFmiStatus read_rates(Exchange *e, double *dx) {
    RbFmiInstance *i = &e->unit.instance;
    if (e->initial) return rb_fmi_get(i, &e->rate_group, dx);
    return e->state_count > 0 ? rb_fmi_derivatives(i, dx, e->state_count) : RB_FMI_OK;
}

static RbFmiStatus read_states(Exchange *e, double *x) {
    RbFmiInstance *i = &e->unit.instance;
    if (e->initial) return rb_fmi_get(i, &e->state_group, x);
    return e->state_count > 0 ? rb_fmi_states(i, x, e->state_count) : RB_FMI_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *eval, int function, const double *inputs,
                             double *outputs) {
    Exchange *e = self;
    bool rates = function == e->function_count;
    const struct Outputs *o = &e->functions[function];
    rb_fmi_unit_want(&e->unit, rates ? e->all_inputs : o->inputs,
                     rates ? e->unit.inputs.group.values : o->input_count, inputs);
    RbFmiStatus status = bring(e, eval->time, eval->x);
    if (!rb_fmi_failed(status) && !rates) status = read_outputs(e, o, outputs);
    if (!rb_fmi_failed(status) && rates) status = read_rates(e, eval->dx);
    return rb_fmi_failed(status) ? rb_fmi_eval_fail(&e->unit, eval) : RB_EVAL_OK;
}

static RbEvalStatus indicators(void *self, const RbEval *eval, double *z) {
    Exchange *e = self;
    RbFmiInstance *i = &e->unit.instance;
    for (int k = 0; k < e->indicator_count; k++) z[k] = 1; // until it has begun
    RbFmiStatus status = bring(e, eval->time, eval->x);
    if (!rb_fmi_failed(status) && !e->initial)
        status = rb_fmi_indicators(i, z, e->indicator_count);
    return rb_fmi_failed(status) ? rb_fmi_eval_fail(&e->unit, eval) : RB_EVAL_OK;
}

// ---- couplings

typedef struct Places {
    int *state,
        *port; // per variable: its first state, its first port of an input; -1: it is neither
} Places;

static void mark_places(const RbFmi *f, const RbFmiGroup *g, int *places) {
    for (int i = 0, n = 0; i < g->count; i++) {
        places[g->variables[i]] = n;
        n += f->variables.data[g->variables[i]].size;
    }
}

static Places find_places(const Exchange *e, RbArena *arena) {
    const RbFmi *f = e->unit.fmi;
    Places p = {rb_new_array(arena, int, f->variables.count + 1),
                rb_new_array(arena, int, f->variables.count + 1)};
    for (int i = 0; i < f->variables.count; i++) p.state[i] = p.port[i] = -1;
    mark_places(f, &e->state_group, p.state);
    mark_places(f, &e->unit.inputs.group, p.port);
    return p;
}

// What an unknown depends on: a row for each of its elements. Derivatives are rows of states, outputs are variables.
typedef struct Rows {
    const Exchange *e;
    RbCouplings *c;
    const int *variables; // of the rows of outputs; NULL: derivatives
    int first, count;
} Rows;

static void couple_states(const Rows *r, int first, int count) {
    for (int i = r->first; i < r->first + r->count; i++)
        for (int k = first; k < first + count; k++) {
            if (r->variables)
                rb_couplings_output_state(r->c, r->variables[i], k);
            else
                rb_couplings_derivative_state(r->c, i, k);
        }
}

static void couple_inputs(const Rows *r, int first, int count) {
    const int *inputs = r->e->unit.inputs.variables;
    for (int i = r->first; i < r->first + r->count; i++)
        for (int k = first; k < first + count; k++) {
            if (r->variables)
                rb_couplings_output_input(r->c, r->variables[i], inputs[k]);
            else
                rb_couplings_derivative_input(r->c, i, inputs[k]);
        }
}

// An output that is a state is not always said to depend on itself.
static void couple(const Rows *r, const RbFmiUnknown *u, int self, const Places *p) {
    const RbFmi *f = r->e->unit.fmi;
    if (self >= 0) couple_states(r, self, r->count);
    if (u->all) {
        couple_states(r, 0, r->e->state_count);
        couple_inputs(r, 0, r->e->unit.inputs.group.values);
    }
    for (int k = 0; k < u->count; k++) {
        int size = f->variables.data[u->on[k]].size;
        if (p->state[u->on[k]] >= 0) couple_states(r, p->state[u->on[k]], size);
        if (p->port[u->on[k]] >= 0) couple_inputs(r, p->port[u->on[k]], size);
    }
}

static void couplings(void *self, RbCouplings *c) {
    const Exchange *e = self;
    const RbFmi *f = e->unit.fmi;
    Places places = find_places(e, c->arena);
    for (int i = 0, first = 0; i < f->derivatives.count; i++) {
        int size = f->variables.data[f->derivatives.data[i].variable].size;
        couple(&(Rows){e, c, NULL, first, size}, &f->derivatives.data[i], -1, &places);
        first += size;
    }
    for (int i = 0, first = 0; i < e->unit.outputs.group.count; i++) {
        int v = e->unit.outputs.group.variables[i], size = f->variables.data[v].size;
        couple(&(Rows){e, c, e->unit.outputs.variables, first, size}, structure_of(f, v),
               places.state[v], &places);
        first += size;
    }
    for (int i = 0; i < e->indicator_count; i++)
        for (int k = 0; k < e->state_count; k++) rb_couplings_indicator_state(c, i, k);
}

// ---- segments

static bool note_indicators(Exchange *e) {
    RbFmiInstance *i = &e->unit.instance;
    int count = e->indicator_count;
    if (count > 0 && rb_fmi_failed(rb_fmi_indicators(i, e->z, count))) return false;
    for (int k = 0; k < count; k++) e->positive[k] = e->z[k] > 0;
    return true;
}

// To continuous time, where the indicators begin anew.
static bool leave(Exchange *e) {
    RbFmiInstance *i = &e->unit.instance;
    return !rb_fmi_failed(i->calls->leave_event_mode(i)) && note_indicators(e);
}

// From initialization mode to continuous time.
static bool begin(Exchange *e, RbFmiNews *news) {
    RbFmiInstance *i = &e->unit.instance;
    if (rb_fmi_failed(rb_fmi_start(i)) || !rb_fmi_unit_update(&e->unit, news)) return false;
    e->initial = false;
    e->time = NAN;
    e->next_time = news->next_time;
    return leave(e);
}

static RbStatus start(Exchange *e, RbSegment *s) {
    RB_TRY(rb_fmi_unit_start(&e->unit, s));
    RbFmiInstance *i = &e->unit.instance;
    e->initial = true;
    e->step_event = e->ends = e->ended = false;
    e->next_time = INFINITY;
    if (rb_fmi_failed(i->calls->sizes(i, &e->state_count, &e->indicator_count)))
        return rb_fmi_segment_fail(&e->unit, s);
    if (e->state_count != e->rate_group.values)
        return rb_segment_fail(
            s, "FMU '%s' has %d states, but its model structure lists %d derivatives",
            e->unit.fmi->file, e->state_count, e->rate_group.values);
    if (!e->z) {
        e->z = rb_new_array(e->unit.arena, double, e->indicator_count + 1);
        e->positive = rb_new_array(e->unit.arena, bool, e->indicator_count + 1);
    }
    RbFmiNews news;
    if (e->unit.restored.bytes &&
        (!begin(e, &news) || rb_fmi_failed(rb_fmi_unit_load(&e->unit)) || !note_indicators(e)))
        return rb_fmi_segment_fail(&e->unit, s);
    return RB_OK;
}

// Of a state: the elements of the variables whose derivatives the structure of the model lists.
static const char *state_name(const RbFmi *f, int state, const RbFmiVariable **variable,
                              RbArena *arena) {
    for (int i = 0; i < f->derivatives.count; i++) {
        const RbFmiVariable *d = &f->variables.data[f->derivatives.data[i].variable];
        *variable = &f->variables.data[d->derivative_of];
        if (state < d->size) return rb_fmi_element(*variable, (*variable)->name, state, arena);
        state -= d->size;
    }
    *variable = NULL;
    return rb_arena_printf(arena, "x[%d]", state + 1);
}

// They are hidden, since the variables of the FMU that they are are results.
static RbStatus declare_states(Exchange *e, RbSegment *s) {
    RbFmiInstance *i = &e->unit.instance;
    double *nominal = rb_new_array(&s->scratch, double, e->state_count + 1);
    int count;
    const double *old = rb_segment_old_states(s, &count);
    if (!old || count != e->state_count) {
        if (rb_fmi_failed(read_states(e, e->states))) return rb_fmi_segment_fail(&e->unit, s);
        old = e->states;
    }
    for (int k = 0; k < e->state_count; k++) nominal[k] = 1;
    if (e->state_count > 0 && !e->initial &&
        rb_fmi_failed(rb_fmi_nominals(i, nominal, e->state_count)))
        return rb_fmi_segment_fail(&e->unit, s);
    for (int k = 0; k < e->state_count; k++) {
        const RbFmiVariable *v;
        const char *name = state_name(e->unit.fmi, k, &v, s->arena);
        rb_segment_state(s, &(RbStateSpec){name, old[k], .nominal = fabs(nominal[k]),
                                           .unit = v ? v->unit : "",
                                           .description = v ? v->description : "", .hidden = true});
    }
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    Exchange *e = self;
    if (rb_segment_is_first(s)) RB_TRY(start(e, s));
    RB_TRY(declare_states(e, s));
    for (int k = 0; k < e->indicator_count; k++)
        rb_segment_indicator(s, &(RbIndicatorSpec){rb_arena_printf(s->arena, "z[%d]", k + 1)});
    rb_segment_discrete(s, &(RbDiscreteSpec){"events", 0, "1", "events that the FMU has dealt with",
                                             .hidden = true});
    rb_fmi_unit_declare_results(&e->unit, s);
    if (!e->initial) rb_segment_time_event(s, e->next_time);
    return RB_OK;
}

// ---- events

static RbRestart fail(Exchange *e, const RbEvent *event) {
    return rb_fmi_event_fail(&e->unit, event);
}

// After the update: new states, the next time.
static RbRestart take(Exchange *e, RbEvent *event, const RbFmiNews *news) {
    event->next_time = e->next_time = news->next_time > event->time ? news->next_time : INFINITY;
    if ((news->states || event->initial) && rb_fmi_failed(read_states(e, event->x)))
        return fail(e, event);
    e->time = NAN;
    event->discrete[EVENTS] += 1;
    e->ended = news->terminate;
    if (news->terminate) rb_event_because(event, "FMU '%s' ends the run", e->unit.fmi->file);
    return news->terminate ? RB_TERMINATE : RB_RESTART;
}

// Into event mode and out of it again.
static bool pass_event(Exchange *e, RbFmiNews *news) {
    RbFmiInstance *i = &e->unit.instance;
    if (rb_fmi_failed(rb_fmi_enter_event_mode(i)) ||
        rb_fmi_failed(rb_fmi_unit_give_parameters(&e->unit)) ||
        rb_fmi_failed(rb_fmi_unit_give(&e->unit, NULL)) || !rb_fmi_unit_update(&e->unit, news))
        return false;
    return news->terminate || leave(e);
}

// Once more if the next event of the FMU is now.
static RbRestart update(Exchange *e, RbEvent *event) {
    enum { MOST = 100 };
    RbFmiNews news = {0};
    bool jumped = false;
    if (rb_fmi_failed(bring(e, event->time, event->x))) return fail(e, event);
    for (int k = 0; k < MOST && !news.terminate && (k == 0 || news.next_time <= event->time); k++) {
        if (!pass_event(e, &news)) return fail(e, event);
        jumped |= news.states;
    }
    news.states = jumped;
    e->step_event = false;
    rb_event_log(event, "event of FMU '%s'%s%s", e->unit.fmi->file,
                 news.states ? ": its states jump" : "", news.terminate ? ": it ends the run" : "");
    return take(e, event, &news);
}

// An indicator is positive, or it is not: has it changed since the FMU has dealt with an event? An input that jumps may have done that, too.
static bool has_crossed(Exchange *e, const RbEvent *event) {
    RbFmiInstance *i = &e->unit.instance;
    if (e->indicator_count == 0 || rb_fmi_failed(bring(e, event->time, event->x)) ||
        rb_fmi_failed(rb_fmi_indicators(i, e->z, e->indicator_count)))
        return false;
    for (int k = 0; k < e->indicator_count; k++)
        if ((e->z[k] > 0) != e->positive[k]) return true;
    return false;
}

// Does the event concern the FMU?
static bool concerns(Exchange *e, const RbEvent *event) {
    for (int k = 0; k < e->indicator_count; k++)
        if (event->fired[k] != 0) return true;
    return event->time_event || e->step_event || e->unit.parameters_changed ||
           rb_fmi_unit_has_changed(&e->unit, is_discrete) || has_crossed(e, event);
}

static RbRestart at_event(void *self, RbEvent *event) {
    Exchange *e = self;
    RbFmiUnit *u = &e->unit;
    RbRestart restart = RB_NO_RESTART;
    if (u->instance.dead) return fail(e, event);
    if (e->ends) return RB_TERMINATE;
    if (e->initial) {
        RbFmiNews news;
        if (rb_fmi_failed(rb_fmi_unit_give(u, NULL)) || !begin(e, &news)) return fail(e, event);
        restart = take(e, event, &news);
    } else if (concerns(e, event)) {
        restart = update(e, event);
    }
    rb_fmi_unit_tell(u, event);
    return restart;
}

// After each step that the solver has accepted: the FMU may want an event there.
static double inspect(void *self, const RbStepView *step, int *indicator, int *sign) {
    Exchange *e = self;
    RbFmiInstance *i = &e->unit.instance;
    *indicator = RB_NONE;
    *sign = 0;
    if (!e->unit.kind->completed_step || e->initial || i->dead) return INFINITY;
    rb_step_evaluate(step, step->t1, e->states);
    if (rb_fmi_failed(bring(e, step->t1, e->states)) ||
        rb_fmi_failed(i->calls->completed_step(i, &e->step_event, &e->ends))) {
        char text[400];
        rb_step_fail(step, "%s", rb_fmi_why(i, text, sizeof text));
        return INFINITY;
    }
    return e->step_event || e->ends ? step->t1 : INFINITY;
}

static void record(void *self, const RbEval *eval, double *results) {
    Exchange *e = self;
    if (e->unit.results.count == 0) return;
    if (rb_fmi_failed(bring(e, eval->time, eval->x)))
        for (int k = 0; k < e->unit.results.values; k++) results[k] = NAN;
    else
        rb_fmi_unit_record(&e->unit, results);
}

static bool doubt(void *self, const RbEval *eval, const RbAccuracy *accuracy, RbPos *at, char *text,
                  size_t size) {
    (void)eval, (void)accuracy, (void)at;
    Exchange *e = self;
    return rb_fmi_unit_warns(&e->unit, text, size);
}

static RbStatus renew(void *self, RbSegment *segment) {
    Exchange *e = self;
    return rb_fmi_unit_renew(&e->unit, segment);
}

static void save(void *self, RbSaver *saver) {
    Exchange *e = self;
    rb_fmi_unit_save(&e->unit, saver);
}

static bool restore(void *self, RbLoader *loader) {
    Exchange *e = self;
    return rb_fmi_unit_restore(&e->unit, loader);
}

const RbComponentType rb_fmi_exchange = {
    .version = RB_COMPONENT_VERSION,
    .name = "FMU",
    .description = "an FMU for model exchange",
    .memory = sizeof(Exchange),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .indicators = indicators,
    .couplings = couplings,
    .inspect = inspect,
    .at_event = at_event,
    .record = record,
    .save = save,
    .restore = restore,
    .doubt = doubt,
    .renew = renew,
};
