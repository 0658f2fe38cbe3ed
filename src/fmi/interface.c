// SPDX-License-Identifier: MIT
#include "fmi/interface.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "component/saver.h"

// ---- building

static void release(void *unit) {
    rb_fmi_release(&((RbFmiUnit *)unit)->instance);
}

// Boolean, Integer and enumerations are numbers for the component.
static void add_number(RbFmiUnit *u, RbBuild *build, const RbFmiVariable *v, const char *element,
                       const char *number) {
    const char *left = v->causality == RB_FMI_INPUT ? number : element, *text;
    if (v->causality == RB_FMI_INPUT)
        text = v->type == RB_FMI_BOOLEAN ? rb_arena_printf(u->arena, "if %s then 1 else 0", element)
               : v->type == RB_FMI_ENUMERATION ? rb_arena_printf(u->arena, "Integer(%s)", element)
                                               : element;
    else if (v->type == RB_FMI_BOOLEAN)
        text = rb_arena_printf(u->arena, "%s > 0.5", number);
    else
        text = rb_arena_printf(
            u->arena, v->type == RB_FMI_ENUMERATION ? "%s(integer(%s + 0.5))" : "%s(%s + 0.5)",
            v->type == RB_FMI_ENUMERATION ? u->fmi->enumerations.data[v->enumeration].modelica
                                          : "integer",
            number);
    rb_build_equation(build, rb_arena_join(u->arena, left, " = ", text));
}

static void build_ports(RbFmiUnit *u, RbFmiPorts *p, bool (*wanted)(const RbFmiVariable *),
                        RbBuild *build) {
    const RbFmi *f = u->fmi;
    p->group = rb_fmi_group(f, wanted, u->arena);
    p->variables = rb_new_array(u->arena, int, p->group.values + 1);
    p->values = rb_new_array(u->arena, double, p->group.values + 1);
    for (int i = 0, n = 0; i < p->group.count; i++) {
        const RbFmiVariable *v = &f->variables.data[p->group.variables[i]];
        for (int k = 0; k < v->size; k++, n++) {
            const char *element = rb_fmi_element(v, v->modelica, k, u->arena), *name = element;
            p->values[n] = v->start ? v->start[k] : 0;
            RbVariableKind kind =
                v->causality == RB_FMI_INPUT ? RB_VARIABLE_INPUT : RB_VARIABLE_OUTPUT;
            if (!rb_fmi_is_real(v)) {
                name =
                    rb_fmi_identifier(rb_fmi_element(v, v->name, k, u->arena), ".number", u->arena);
                kind = RB_VARIABLE_ACAUSAL;
                add_number(u, build, v, element, name);
            }
            double value = rb_fmi_to_modelica(f, v, p->values[n]);
            p->variables[n] = rb_build_variable(
                build, &(RbVariableSpec){name, kind, value, v->unit, v->description});
        }
    }
}

static bool is_set_before(const RbFmiVariable *v) {
    return rb_fmi_is_parameter(v) || rb_fmi_has_start_parameter(v);
}

static bool is_result(const RbFmiVariable *v) {
    return v->type < RB_FMI_NUMBERS && v->causality != RB_FMI_TIME &&
           v->causality != RB_FMI_STRUCTURAL && !rb_fmi_is_input(v) && !rb_fmi_is_output(v) &&
           !rb_fmi_is_parameter(v);
}

static void build_parameters(RbFmiUnit *u, RbBuild *build) {
    const RbFmi *f = u->fmi;
    u->parameters = rb_fmi_group(f, is_set_before, u->arena);
    u->parameter_values = rb_new_array(u->arena, double, u->parameters.values + 1);
    u->wanted_parameters = rb_new_array(u->arena, double, u->parameters.values + 1);
    for (int i = 0; i < u->parameters.count; i++) {
        const RbFmiVariable *v = &f->variables.data[u->parameters.variables[i]];
        const char *name =
            rb_fmi_is_parameter(v) ? v->modelica : rb_fmi_identifier(v->name, "_start", u->arena);
        for (int k = 0; k < v->size; k++)
            rb_build_parameter(build, &(RbParameterSpec){rb_fmi_element(v, name, k, u->arena),
                                                         rb_fmi_to_modelica(f, v, v->start[k]),
                                                         v->unit, v->description});
    }
}

static void build_texts(RbFmiUnit *u, RbBuild *build) {
    u->texts = rb_fmi_group(u->fmi, rb_fmi_is_text, u->arena);
    for (int i = 0; i < u->texts.count; i++) {
        const RbFmiVariable *v = &u->fmi->variables.data[u->texts.variables[i]];
        rb_build_text(build, v->modelica, v->text);
    }
}

void rb_fmi_unit_build(RbFmiUnit *u, RbFmi *fmi, const RbFmiKind *kind, RbBuild *build) {
    *u = (RbFmiUnit){
        .fmi = fmi, .kind = kind, .arena = build->arena, .instance = {.fmi = fmi, .kind = kind}};
    build_parameters(u, build);
    build_texts(u, build);
    build_ports(u, &u->inputs, rb_fmi_is_input, build);
    build_ports(u, &u->outputs, rb_fmi_is_output, build);
    u->given = rb_new_array(u->arena, double, u->inputs.group.values + 1);
    u->results = rb_fmi_group(fmi, is_result, u->arena);
}

// ---- starting

// Parameters are numbered as they were declared.
static void read_parameters(RbFmiUnit *u, const RbSegment *s) {
    for (int i = 0, n = 0; i < u->parameters.count; i++) {
        const RbFmiVariable *v = &u->fmi->variables.data[u->parameters.variables[i]];
        for (int k = 0; k < v->size; k++, n++)
            u->wanted_parameters[n] = rb_fmi_from_modelica(u->fmi, v, rb_segment_parameter(s, n));
    }
}

static bool parameter_differs(const RbFmiUnit *u, const RbFmiVariable *v, int n) {
    return memcmp(u->wanted_parameters + n, u->parameter_values + n,
                  (size_t)v->size * sizeof *u->parameter_values) != 0;
}

RbFmiStatus rb_fmi_unit_give_parameters(RbFmiUnit *u) {
    u->parameters_changed = false;
    for (int i = 0, n = 0; i < u->parameters.count; i++) {
        const RbFmiVariable *v = &u->fmi->variables.data[u->parameters.variables[i]];
        if (parameter_differs(u, v, n)) {
            RbFmiGroup one = {1, v->size, u->parameters.variables + i,
                              u->parameters.references + i};
            RbFmiStatus status = rb_fmi_set(&u->instance, &one, u->wanted_parameters + n);
            if (rb_fmi_failed(status)) return status;
            memcpy(u->parameter_values + n, u->wanted_parameters + n,
                   (size_t)v->size * sizeof *u->parameter_values);
        }
        n += v->size;
    }
    return RB_FMI_OK;
}

// What the FMU starts with is what its description says.
static RbFmiStatus give_first_parameters(RbFmiUnit *u, const RbSegment *s) {
    for (int i = 0, n = 0; i < u->parameters.count; i++) {
        const RbFmiVariable *v = &u->fmi->variables.data[u->parameters.variables[i]];
        memcpy(u->parameter_values + n, v->start, (size_t)v->size * sizeof *v->start);
        n += v->size;
    }
    read_parameters(u, s);
    return rb_fmi_unit_give_parameters(u);
}

RbStatus rb_fmi_unit_renew(RbFmiUnit *u, RbSegment *s) {
    read_parameters(u, s);
    for (int i = 0, n = 0; i < u->parameters.count; i++) {
        const RbFmiVariable *v = &u->fmi->variables.data[u->parameters.variables[i]];
        if (parameter_differs(u, v, n)) {
            if (v->variability != RB_FMI_TUNABLE || !rb_fmi_is_parameter(v))
                return rb_segment_fail(
                    s, "'%s' of FMU '%s' is not tunable: it can be set before a run alone", v->name,
                    u->fmi->file);
            u->parameters_changed = true;
        }
        n += v->size;
    }
    return RB_OK;
}

static RbFmiStatus give_texts(RbFmiUnit *u, const RbSegment *s) {
    RbFmiStatus status = RB_FMI_OK;
    for (int i = 0; i < u->texts.count && !rb_fmi_failed(status); i++) {
        const RbFmiVariable *v = &u->fmi->variables.data[u->texts.variables[i]];
        const char *text = s->instance->declared.texts.data[i].value;
        if (strcmp(text, v->text) != 0)
            status = u->instance.calls->set_text(&u->instance, v->reference, text);
    }
    return status;
}

static RbFmiStatus initialise(RbFmiUnit *u, const RbSegment *s) {
    RbFmiInstance *i = &u->instance;
    RbFmiStatus status = give_first_parameters(u, s);
    if (!rb_fmi_failed(status)) status = give_texts(u, s);
    if (rb_fmi_failed(status)) return status;
    status = rb_fmi_set(i, &u->inputs.group, u->inputs.values);
    if (rb_fmi_failed(status)) return status;
    memcpy(u->given, u->inputs.values, (size_t)u->inputs.group.values * sizeof *u->given);
    return i->calls->initialise(i, rb_segment_time(s), 0);
}

RbStatus rb_fmi_unit_start(RbFmiUnit *u, RbSegment *s) {
    rb_fmi_release(&u->instance);
    RB_TRY(rb_fmi_instantiate(&u->instance, rb_instance_title(s->instance), u->arena, s->diag));
    // The last clean-up is the first: now the binary is open, and it must not be closed before.
    if (!u->deferred) rb_arena_defer(u->arena, release, u);
    u->deferred = true;
    return rb_fmi_failed(initialise(u, s)) ? rb_fmi_segment_fail(u, s) : RB_OK;
}

// ---- results

void rb_fmi_unit_declare_results(const RbFmiUnit *u, RbSegment *s) {
    for (int i = 0; i < u->results.count; i++) {
        const RbFmiVariable *v = &u->fmi->variables.data[u->results.variables[i]];
        for (int k = 0; k < v->size; k++)
            rb_segment_result(s, &(RbResultSpec){rb_fmi_element(v, v->name, k, s->arena), v->unit,
                                                 v->description,
                                                 .discrete = v->variability != RB_FMI_CONTINUOUS});
    }
}

void rb_fmi_unit_record(RbFmiUnit *u, double *results) {
    if (!rb_fmi_failed(rb_fmi_get(&u->instance, &u->results, results))) return;
    for (int k = 0; k < u->results.values; k++) results[k] = NAN;
}

// ---- signals

typedef struct Value { // of ports, one after another
    const RbFmiVariable *v;
    int i, k; // variable of the group, element
} Value;

static bool next_value(const RbFmi *f, const RbFmiGroup *g, Value *at) {
    if (at->v && ++at->k < at->v->size) return true;
    for (at->i = at->v ? at->i + 1 : 0, at->k = 0; at->i < g->count; at->i++) {
        at->v = &f->variables.data[g->variables[at->i]];
        if (at->v->size > 0) return true;
    }
    return false;
}

void rb_fmi_unit_want(RbFmiUnit *u, const int *ports, int count, const double *inputs) {
    Value at = {0};
    for (int n = 0, c = 0; next_value(u->fmi, &u->inputs.group, &at) && c < count; n++)
        if (ports[c] == n) u->inputs.values[n] = rb_fmi_from_modelica(u->fmi, at.v, inputs[c++]);
}

RbFmiStatus rb_fmi_unit_outputs(RbFmiUnit *u, double *values) {
    RbFmiStatus status = rb_fmi_get(&u->instance, &u->outputs.group, values);
    Value at = {0};
    if (rb_fmi_failed(status)) return status;
    for (int n = 0; next_value(u->fmi, &u->outputs.group, &at); n++)
        values[n] = rb_fmi_to_modelica(u->fmi, at.v, values[n]);
    return status;
}

static bool differs(const RbFmiUnit *u, const RbFmiVariable *v, int n) {
    return memcmp(u->inputs.values + n, u->given + n, (size_t)v->size * sizeof *u->given) != 0;
}

bool rb_fmi_unit_has_changed(const RbFmiUnit *u, bool (*wanted)(const RbFmiVariable *)) {
    for (int i = 0, n = 0; i < u->inputs.group.count; i++) {
        const RbFmiVariable *v = &u->fmi->variables.data[u->inputs.group.variables[i]];
        if ((!wanted || wanted(v)) && differs(u, v, n)) return true;
        n += v->size;
    }
    return false;
}

RbFmiStatus rb_fmi_unit_give(RbFmiUnit *u, bool (*wanted)(const RbFmiVariable *)) {
    for (int i = 0, n = 0; i < u->inputs.group.count; i++) {
        const RbFmiVariable *v = &u->fmi->variables.data[u->inputs.group.variables[i]];
        if ((!wanted || wanted(v)) && differs(u, v, n)) {
            RbFmiGroup one = {1, v->size, u->inputs.group.variables + i,
                              u->inputs.group.references + i};
            RbFmiStatus status = rb_fmi_set(&u->instance, &one, u->inputs.values + n);
            if (rb_fmi_failed(status)) return status;
            memcpy(u->given + n, u->inputs.values + n, (size_t)v->size * sizeof *u->given);
        }
        n += v->size;
    }
    return RB_FMI_OK;
}

// ---- events

bool rb_fmi_unit_update(RbFmiUnit *u, RbFmiNews *news) {
    enum { MOST = 1000 };
    RbFmiInstance *i = &u->instance;
    RbFmiNews one = {.again = true};
    *news = (RbFmiNews){.next_time = INFINITY};
    for (int pass = 0; one.again && !news->terminate; pass++) {
        if (pass == MOST) {
            rb_fmi_hear(i, RB_FMI_ERROR, "", "its discrete states do not settle in 1000 updates");
            rb_fmi_note(i, i->call, RB_FMI_ERROR);
            return false;
        }
        if (rb_fmi_failed(i->calls->update(i, &one))) return false;
        news->terminate |= one.terminate;
        news->nominals |= one.nominals;
        news->states |= one.states;
        news->next_time = one.next_time;
    }
    return true;
}

// ---- what goes wrong

enum { WORDS = 480 };

RbEvalStatus rb_fmi_eval_fail(const RbFmiUnit *u, const RbEval *eval) {
    char text[WORDS];
    rb_fmi_why(&u->instance, text, sizeof text);
    return u->instance.status == RB_FMI_DISCARD ? rb_eval_retry(eval, "%s", text)
                                                : rb_eval_fail(eval, "%s", text);
}

RbRestart rb_fmi_event_fail(const RbFmiUnit *u, const RbEvent *event) {
    char text[WORDS];
    rb_event_fail(event, "%s", rb_fmi_why(&u->instance, text, sizeof text));
    return RB_NO_RESTART;
}

RbStatus rb_fmi_segment_fail(const RbFmiUnit *u, RbSegment *segment) {
    char text[WORDS];
    return rb_segment_fail(segment, "%s", rb_fmi_why(&u->instance, text, sizeof text));
}

void rb_fmi_unit_tell(RbFmiUnit *u, const RbEvent *event) {
    RbFmiInstance *i = &u->instance;
    for (int k = 0; k < i->line_count; k++)
        rb_event_log(event, "FMU '%s' %s: %s", i->fmi->file, i->problem[k] ? "warns" : "says",
                     i->lines[k]);
    i->line_count = 0;
}

bool rb_fmi_unit_warns(RbFmiUnit *u, char *text, size_t size) {
    if (u->warned || !u->instance.said[0]) return false;
    u->warned = true;
    snprintf(text, size, "FMU '%s' warns: %s", u->fmi->file, u->instance.said);
    return true;
}

// ---- checkpoints

void rb_fmi_unit_save(RbFmiUnit *u, RbSaver *saver) {
    RbBlob bytes = {0};
    RbArena *arena = rb_arena_child(u->arena);
    bool saved = u->kind->can_serialize && u->instance.c &&
                 !rb_fmi_failed(rb_fmi_save(&u->instance, arena, &bytes));
    rb_pack_u64(saver->packer, saved);
    rb_pack_u64(saver->packer, bytes.size);
    rb_pack_bytes(saver->packer, bytes.bytes, bytes.size);
    rb_pack_doubles(saver->packer, u->given, u->inputs.group.values);
    rb_arena_free(arena);
}

bool rb_fmi_unit_restore(RbFmiUnit *u, RbLoader *loader) {
    RbUnpacker *in = &loader->unpacker;
    bool saved = rb_unpack_u64(in) == 1;
    uint64_t size = rb_unpack_u64(in);
    if (!in->ok || size > in->size - in->at) return false;
    if (!saved) {
        rb_fail(loader->diag, RB_ERROR_USAGE, loader->at,
                "FMU '%s' has no way to save its state (canSerializeFMUState): a run with it "
                "cannot be continued",
                u->fmi->file);
        return false;
    }
    unsigned char *bytes = rb_arena_push(u->arena, (size_t)size + 1, 1);
    rb_unpack_bytes(in, bytes, (size_t)size);
    rb_unpack_doubles(in, u->inputs.values, u->inputs.group.values);
    u->restored = (RbBlob){bytes, (size_t)size};
    return in->ok;
}

RbFmiStatus rb_fmi_unit_load(RbFmiUnit *u) {
    RbFmiStatus status = rb_fmi_load(&u->instance, u->restored);
    u->restored = (RbBlob){0};
    memcpy(u->given, u->inputs.values, (size_t)u->inputs.group.values * sizeof *u->given);
    return status;
}
