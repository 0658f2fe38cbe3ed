// SPDX-License-Identifier: MIT
#include "model/translated.h"

#include <string.h>

#include "fmi/files.h"
#include "translate/equation_half.h"

static int count_values(const RbValueSpec *values) {
    int count = 0;
    while (values && values[count].name) count++;
    return count;
}

// Where the values of members come from.
typedef struct Source {
    const void *equations;
    const RbFunctionProgram *functions;
    RbArena *arena;
    RbArena scratch;
    RbDiag *diag;
} Source;

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

// Its parameters may have other values than in a run before.
static RbStatus share_function(const Source *s, int number, const RbFunctionValue **out) {
    if (!*out) *out = rb_function_value(&s->functions[number], s->arena);
    return rb_function_value_set((RbFunctionValue *)*out, rb_equations_element, s->equations,
                                 s->diag);
}

// False: the equations have no such values.
static bool share_numbers(const Source *s, int flat, int count, double *numbers, long *changes) {
    RbArena scratch = s->scratch;
    double *now = rb_new_array(&scratch, double, count + 1);
    size_t bytes = (size_t)count * sizeof *now;
    if (!rb_equations_numbers(s->equations, flat, count, now)) return false;
    if (memcmp(numbers, now, bytes) != 0) ++*changes;
    memcpy(numbers, now, bytes);
    return true;
}

// Does value i only say how a run starts?
static bool starts_only(const RbValueSpec *values, int i, const RbMemberValues *v) {
    if (!values[i].starts || !values[i].unless) return values[i].starts;
    for (int k = 0; k < i; k++) {
        if (strcmp(values[k].name, values[i].unless) == 0)
            return !v->numbers[k] || v->numbers[k][0] == 0;
    }
    return true;
}

static RbStatus share_member(const Source *s, const RbMember *member, const RbValueSpec *values,
                             RbMemberValues *v, RbInstance *c) {
    for (int i = 0; i < count_values(values); i++) {
        const char *why = NULL;
        if (!member->has[i]) continue;
        if (values[i].type == RB_VALUE_FUNCTION) {
            RB_TRY(share_function(s, member->flat[i], &v->functions[i]));
            continue;
        }
        if (values[i].type == RB_VALUE_TEXT) {
            const char *was = v->texts[i];
            v->texts[i] = rb_equations_text(s->equations, member->flat[i], s->arena, &why);
            if (!same_text(was, v->texts[i])) c->member_changes++;
            if (v->texts[i]) continue;
        } else {
            int count = member->sizes[i];
            if (!v->numbers[i]) v->numbers[i] = rb_new_array(s->arena, double, count);
            long before = c->start_changes,
                 *changes = starts_only(values, i, v) ? &c->start_changes : &c->member_changes;
            bool known = share_numbers(s, member->flat[i], count, v->numbers[i], changes);
            if (known && c->start_changes > before)
                c->start_changed = rb_arena_join(s->arena, member->path, ".", values[i].name);
            if (known) continue;
        }
        // What the user knows of a record is the whole: mesh, not mesh.recipe.
        if (why)
            return rb_fail(s->diag, RB_ERROR_MODEL, member->at, "'%.*s' of '%s' has no value: %s",
                           (int)strcspn(values[i].name, "."), values[i].name, member->path, why);
        return rb_fail(s->diag, RB_ERROR_MODEL, member->at,
                       "'%.*s' of '%s' has no value before the run, and cannot be found by initial "
                       "equations: give it one",
                       (int)strcspn(values[i].name, "."), values[i].name, member->path);
    }
    return RB_OK;
}

// What a gathered component asks its members for.
static RbStatus share_values(RbInstance *c, const Source *s) {
    const RbGathered *g = c->declared.gathered;
    bool first = !c->members;
    c->start_changed = NULL;
    if (first) c->members = rb_new_array(s->arena, RbMemberValues, g->count + 1);
    for (int i = 0; i < g->count; i++) {
        const RbValueSpec *values = c->type->roles[g->members[i].role].values;
        RbMemberValues *v = &c->members[i];
        if (first) {
            int count = count_values(values) + 1;
            v->numbers = rb_new_array(s->arena, double *, count);
            v->texts = rb_new_array(s->arena, const char *, count);
            v->functions = rb_new_array(s->arena, const RbFunctionValue *, count);
        }
        RB_TRY(share_member(s, &g->members[i], values, v, c));
    }
    return RB_OK;
}

// String parameters, likewise.
static void share_texts(const RbModel *m, RbInstance *c, RbArena *names) {
    const RbInstance *equations = &m->instances.data[m->equations];
    for (int k = 0; k < c->declared.texts.count; k++) {
        RbSharedText *text = &c->declared.texts.data[k];
        int var = rb_program_find(m->translation->program, rb_instance_join(c, text->name, names));
        const char *why,
            *value = var >= 0 ? rb_equations_text(equations->self, var, m->arena, &why) : NULL;
        if (value) text->value = value;
    }
}

// Parameters that an instance of a class has in common with its component: the class decides, since
// its value may follow from others.
static RbStatus share_parameters(RbModel *m, double time, RbDiag *diag) {
    const RbInstance *equations = &m->instances.data[m->equations];
    RB_TRY(rb_equations_parameters(equations->self, time, diag));
    RbArena *names = rb_arena_child(m->arena);
    RbArena *scratch = rb_arena_child(m->arena);
    Source source = {equations->self, m->functions, m->arena, *scratch, diag};
    RbStatus status = RB_OK;
    for (int i = 0; i < m->equations && status == RB_OK; i++) {
        RbInstance *c = &m->instances.data[i];
        for (int k = 0; k < c->declared.parameters.count && status == RB_OK; k++) {
            const char *name = c->declared.parameters.data[k].spec.name;
            double value;
            if (!rb_equations_value(equations->self, rb_instance_join(c, name, names), &value))
                continue;
            status = rb_instance_override(c, name, value, diag);
        }
        share_texts(m, c, names);
        if (c->declared.gathered && status == RB_OK) status = share_values(c, &source);
    }
    rb_arena_free(names);
    rb_arena_free(scratch);
    return status;
}

// Variables that a component may set at an event, if they are states of the equations.
static void bind_states(RbModel *m, const RbTranslation *t, int component) {
    const RbInstance *c = &m->instances.data[component];
    for (int k = 0; k < c->declared.variables.count; k++) {
        if (c->declared.variables.data[k].spec.kind != RB_VARIABLE_STATE) continue;
        int v = t->components.data[component].flat[k], sign = 1;
        while (t->dae->vars.data[v].kind == RB_DAE_ALIAS) {
            sign *= t->dae->vars.data[v].sign;
            v = t->dae->vars.data[v].alias;
        }
        if (t->dae->vars.data[v].kind != RB_DAE_STATE) continue;
        rb_array_push(&m->bindings, m->arena,
                      (RbBinding){component, k, t->dae->vars.data[v].slot, sign});
    }
}

// Equations that call no component have nothing to do with them: they are components beside others,
// and nobody drives.
static bool has_calls(const RbFlatModel *flat) {
    for (int i = 0; i < flat->functions.count; i++) {
        if (flat->functions.data[i]->kind == RB_FUNCTION_COMPONENT) return true;
    }
    return false;
}

// Sensors that no equation feeds back: the equations have nothing of their own that goes on in time,
// and the components take nothing in.
static bool only_watches(const RbModel *m, const RbTranslation *t) {
    const RbProgram *p = t->program;
    if (p->state_count > 0 || p->indicator_count > 0 || p->sample_count > 0) return false;
    if (p->branch_count > 0 || p->dae->delays.count > 0) return false;
    for (int i = 0; i < t->components.count; i++) {
        const RbBuild *b = &m->instances.data[i].declared;
        for (int k = 0; k < b->variables.count; k++) {
            if (b->variables.data[k].spec.kind != RB_VARIABLE_OUTPUT) return false;
        }
    }
    return true;
}

static RbStatus add_fmu(RbModel *m, const RbTranslatedComponent *c, RbDiag *diag) {
    const char *folder;
    int index;
    RB_TRY(rb_model_add_with(m, c->type, c->path, c->data, diag, &index));
    RB_TRY(rb_fmi_unpack(c->data, diag, &folder));
    m->instances.data[index].library_hash = c->data->hash;
    // As for equations (below): nobody knows how fast the indicators of an FMU move.
    if (c->type->indicators && m->least_steps < 200) m->least_steps = 200;
    return RB_OK;
}

static RbStatus add_parts(RbModel *m, const RbTranslation *t, RbDiag *diag) {
    int count = t->components.count;
    for (int i = 0; i < count; i++) {
        const RbTranslatedComponent *c = &t->components.data[i];
        if (c->data)
            RB_TRY(add_fmu(m, c, diag));
        else
            RB_TRY(rb_model_add_gathered(m, c->type, c->path, c->gathered, diag, NULL));
        m->instances.data[i].driven = true;
        bind_states(m, t, i);
    }
    RB_TRY(rb_model_add_with(m, &rb_equations, "", t->program, diag, &m->equations));
    if (count > 0) {
        if (has_calls(t->flat)) m->driver = m->equations;
        m->driver_watches = m->driver != RB_NONE && only_watches(m, t);
        m->prepare = share_parameters;
    }
    return RB_OK;
}

RbStatus rb_model_translated(const RbTranslation *t, RbArena *arena, RbDiag *diag, RbModel **out) {
    RbModel *m =
        rb_model_new(t->flat->name, t->flat->description ? t->flat->description : "", arena);
    m->functions = t->functions;
    const RbExperiment *e = &t->flat->experiment;
    if (e->given) {
        m->start_time = e->start_time;
        m->stop_time = e->stop_time;
        m->says_when = true;
        m->tolerance = e->tolerance;
        m->output_interval = e->interval;
    }
    // A signal that crosses zero twice within a step is not seen. Equations have no notion of speed
    // as bodies do: a rectifier without a single state would be stepped over in whole periods.
    if (t->program->indicator_count > t->program->clock_relation_count) m->least_steps = 200;
    // What a function of time does between two steps is not seen either; its jumps are (ahead.h).
    if (t->program->clock_values.count > 0) m->least_steps = 1000;
    *out = m;
    return add_parts(m, t, diag);
}
