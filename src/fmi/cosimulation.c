// SPDX-License-Identifier: MIT
// An FMU for co-simulation: at communication points, which are time events of a fixed distance, it makes the step that ends there
// with the inputs that the step began with, and hands out what it has come to. Events inside of a step are its own business; it deals
// with them in event mode, if it has one (FMI 3), and goes on to the end of the step.
#include <math.h>
#include <string.h>

#include "fmi/component.h"
#include "fmi/interface.h"

typedef struct Cosimulation {
    RbFmiUnit unit;
    int step_parameter;
    int *all;       // inputs
    double size;    // [s] of a step
    double start;   // [s] of the run
    bool initial;   // in initialization mode
    double read_at; // [s] where outputs that follow inputs at once were read last
} Cosimulation;

enum { REACHED, STEPS, OUTPUTS }; // discrete values

double rb_fmi_step(const RbFmi *f) {
    double start = isnan(f->start_time) ? 0 : f->start_time;
    if (f->step > 0 && isfinite(f->step)) return f->step;
    return f->stop_time > start ? (f->stop_time - start) / 500 : 0.01;
}

static RbStatus build(void *self, RbBuild *b) {
    Cosimulation *c = self;
    RbFmi *fmi = (RbFmi *)(uintptr_t)rb_build_data(b);
    rb_fmi_unit_build(&c->unit, fmi, &fmi->cosimulation, b);
    c->step_parameter = rb_build_parameter(b, &(RbParameterSpec){RB_FMI_STEP, rb_fmi_step(fmi), "s",
                                                                 "between two communication points",
                                                                 .min = 1e-12, .max = INFINITY});
    rb_build_function(b, &(RbFunctionSpec){.name = "outputs",
                                           .level = RB_LEVEL_POSITION,
                                           .output_count = c->unit.outputs.group.values,
                                           .outputs = c->unit.outputs.variables,
                                           .after = RB_NONE,
                                           .derivative = RB_NONE});
    rb_build_function(b, &(RbFunctionSpec){.name = "inputs",
                                           .level = RB_LEVEL_ACCELERATION,
                                           .input_count = c->unit.inputs.group.values,
                                           .inputs = c->unit.inputs.variables,
                                           .output_count = 0,
                                           .outputs = c->unit.outputs.variables,
                                           .after = RB_NONE,
                                           .derivative = RB_NONE});
    c->all = rb_new_array(b->arena, int, c->unit.inputs.group.values + 1);
    for (int i = 0; i < c->unit.inputs.group.values; i++) c->all[i] = i;
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *eval, int function, const double *inputs,
                             double *outputs) {
    Cosimulation *c = self;
    if (function == 0)
        memcpy(outputs, eval->discrete + OUTPUTS,
               (size_t)c->unit.outputs.group.values * sizeof *outputs);
    else
        rb_fmi_unit_want(&c->unit, c->all, c->unit.inputs.group.values, inputs);
    return RB_EVAL_OK;
}

// ---- segments

static bool update_all(Cosimulation *c, bool *ends) {
    RbFmiNews news = {0};
    if (!rb_fmi_unit_update(&c->unit, &news)) return false;
    *ends = news.terminate;
    return news.terminate ||
           !rb_fmi_failed(c->unit.instance.calls->leave_event_mode(&c->unit.instance));
}

// From initialization mode to step mode.
static bool begin(Cosimulation *c, bool *ends) {
    RbFmiInstance *i = &c->unit.instance;
    *ends = false;
    c->initial = false;
    if (rb_fmi_failed(rb_fmi_start(i))) return false;
    return !c->unit.kind->event_mode || update_all(c, ends);
}

static RbStatus start(Cosimulation *c, RbSegment *s) {
    bool ends;
    RB_TRY(rb_fmi_unit_start(&c->unit, s));
    c->initial = true;
    c->size = rb_segment_parameter(s, c->step_parameter);
    c->start = s->instance->run_start;
    c->read_at = NAN;
    if (c->unit.restored.bytes && (!begin(c, &ends) || rb_fmi_failed(rb_fmi_unit_load(&c->unit))))
        return rb_fmi_segment_fail(&c->unit, s);
    return RB_OK;
}

static double point(const Cosimulation *c, double steps) {
    return c->start + steps * c->size;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    Cosimulation *c = self;
    int count = c->unit.outputs.group.values, old_count;
    if (rb_segment_is_first(s)) RB_TRY(start(c, s));
    const double *old = rb_segment_old_discrete(s, &old_count);
    double *first = rb_new_array(&s->scratch, double, OUTPUTS + count + 1);
    first[REACHED] = rb_segment_time(s);
    if (old)
        memcpy(first, old, (size_t)(OUTPUTS + count) * sizeof *first);
    else if (rb_fmi_failed(rb_fmi_unit_outputs(&c->unit, first + OUTPUTS)))
        return rb_fmi_segment_fail(&c->unit, s);
    for (int k = 0; k < OUTPUTS + count; k++)
        rb_segment_discrete(s, &(RbDiscreteSpec){k < OUTPUTS ? "steps" : "output", first[k], "", "",
                                                 .hidden = true});
    rb_fmi_unit_declare_results(&c->unit, s);
    rb_segment_time_event(s, point(c, first[STEPS] + 1));
    return RB_OK;
}

// ---- communication

static RbRestart fail(Cosimulation *c, const RbEvent *event) {
    return rb_fmi_event_fail(&c->unit, event);
}

// To the end of the step, event by event.
static bool step(Cosimulation *c, double from, double to, bool *ends) {
    enum { MOST = 100000 }; // events of a step
    RbFmiInstance *i = &c->unit.instance;
    for (int k = 0; from < to && !*ends; k++) {
        bool event;
        double reached = from;
        if (rb_fmi_failed(i->calls->step(i, from, to - from, &reached, &event, ends))) return false;
        if (k == MOST || (!(reached > from) && !event && !*ends)) {
            rb_fmi_hear(i, RB_FMI_ERROR, "", "it does not get to the end of the step");
            rb_fmi_note(i, i->call, RB_FMI_ERROR);
            return false;
        }
        from = reached;
        bool needed = event && c->unit.kind->event_mode && !*ends;
        if (needed && (rb_fmi_failed(rb_fmi_enter_event_mode(i)) || !update_all(c, ends)))
            return false;
    }
    return true;
}

// Inputs and parameters of the next step. They are an event for an FMU that has event mode.
static bool give_inputs(Cosimulation *c, bool *ends) {
    RbFmiInstance *i = &c->unit.instance;
    bool event = c->unit.kind->event_mode;
    if (event && rb_fmi_failed(rb_fmi_enter_event_mode(i))) return false;
    if (rb_fmi_failed(rb_fmi_unit_give_parameters(&c->unit)) ||
        rb_fmi_failed(rb_fmi_unit_give(&c->unit, NULL)))
        return false;
    return !event || update_all(c, ends);
}

static bool read_outputs(Cosimulation *c, RbEvent *event) {
    return !rb_fmi_failed(rb_fmi_unit_outputs(&c->unit, event->discrete + OUTPUTS));
}

// The inputs of a communication point are those that the model has when it has settled there. Outputs that follow them at once are
// read once more, not again and again: a loop through the FMU is not solved.
static RbRestart communicate(Cosimulation *c, RbEvent *event) {
    bool ends = false, changed = rb_fmi_unit_has_changed(&c->unit, NULL);
    if (event->pass > 0 && event->time != event->discrete[REACHED]) return RB_NO_RESTART;
    if (c->initial) {
        if (rb_fmi_failed(rb_fmi_unit_give(&c->unit, NULL)) || !begin(c, &ends) ||
            !read_outputs(c, event))
            return fail(c, event);
        return ends ? RB_TERMINATE : RB_RESTART;
    }
    if (event->time_event) {
        event->discrete[STEPS] += 1;
        if (!step(c, event->discrete[REACHED], event->time, &ends) || !read_outputs(c, event))
            return fail(c, event);
        event->discrete[REACHED] = event->time;
        event->next_time = point(c, event->discrete[STEPS] + 1);
        if (ends) rb_event_because(event, "FMU '%s' ends the run", c->unit.fmi->file);
        return ends ? RB_TERMINATE : RB_RESTART;
    }
    changed = changed && event->time == event->discrete[REACHED];
    if (!changed && !c->unit.parameters_changed) return RB_NO_RESTART;
    if (!give_inputs(c, &ends)) return fail(c, event);
    if (ends) return RB_TERMINATE;
    if (c->read_at == event->time) return RB_NO_RESTART;
    c->read_at = event->time;
    return read_outputs(c, event) ? RB_RESTART : fail(c, event);
}

static RbRestart at_event(void *self, RbEvent *event) {
    Cosimulation *c = self;
    if (c->unit.instance.dead) return fail(c, event);
    RbRestart restart = communicate(c, event);
    rb_fmi_unit_tell(&c->unit, event);
    return restart;
}

static void record(void *self, const RbEval *eval, double *results) {
    (void)eval;
    Cosimulation *c = self;
    rb_fmi_unit_record(&c->unit, results);
}

static bool doubt(void *self, const RbEval *eval, const RbAccuracy *accuracy, RbPos *at, char *text,
                  size_t size) {
    (void)eval, (void)accuracy, (void)at;
    Cosimulation *c = self;
    return rb_fmi_unit_warns(&c->unit, text, size);
}

static RbStatus renew(void *self, RbSegment *segment) {
    Cosimulation *c = self;
    return rb_fmi_unit_renew(&c->unit, segment);
}

static void save(void *self, RbSaver *saver) {
    Cosimulation *c = self;
    rb_fmi_unit_save(&c->unit, saver);
}

static bool restore(void *self, RbLoader *loader) {
    Cosimulation *c = self;
    return rb_fmi_unit_restore(&c->unit, loader);
}

const RbComponentType rb_fmi_cosimulation = {
    .version = RB_COMPONENT_VERSION,
    .name = "FMU",
    .description = "an FMU for co-simulation",
    .memory = sizeof(Cosimulation),
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .at_event = at_event,
    .record = record,
    .save = save,
    .restore = restore,
    .doubt = doubt,
    .renew = renew,
};
