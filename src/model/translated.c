// SPDX-License-Identifier: MIT
#include "model/translated.h"

#include "translate/equations.h"

// Parameters that an instance of a class has in common with its component: the class decides, since
// its value may follow from others.
static RbStatus share_parameters(RbModel *m, double time, RbDiag *diag) {
    const RbInstance *equations = &m->instances.data[m->driver];
    RB_TRY(rb_equations_parameters(equations->self, time, diag));
    RbArena *names = rb_arena_child(m->arena);
    RbStatus status = RB_OK;
    for (int i = 0; i < m->driver && status == RB_OK; i++) {
        RbInstance *c = &m->instances.data[i];
        for (int k = 0; k < c->declared.parameters.count && status == RB_OK; k++) {
            const char *name = c->declared.parameters.data[k].spec.name;
            double value;
            if (!rb_equations_value(equations->self, rb_instance_join(c, name, names), &value))
                continue;
            status = rb_instance_override(c, name, value, diag);
        }
    }
    rb_arena_free(names);
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

static RbStatus add_parts(RbModel *m, const RbTranslation *t, RbDiag *diag) {
    int count = t->components.count, driver;
    for (int i = 0; i < count; i++) {
        RB_TRY(rb_model_add(m, t->components.data[i].type, t->components.data[i].path, diag, NULL));
        m->instances.data[i].driven = true;
        bind_states(m, t, i);
    }
    RB_TRY(rb_model_add_with(m, &rb_equations, "", t->program, diag, &driver));
    if (count > 0) {
        m->driver = driver;
        m->prepare = share_parameters;
    }
    return RB_OK;
}

RbStatus rb_model_translated(const RbTranslation *t, RbArena *arena, RbDiag *diag, RbModel **out) {
    RbModel *m =
        rb_model_new(t->flat->name, t->flat->description ? t->flat->description : "", arena);
    const RbExperiment *e = &t->flat->experiment;
    if (e->given) {
        m->start_time = e->start_time;
        m->stop_time = e->stop_time;
        m->tolerance = e->tolerance;
        m->output_interval = e->interval;
    }
    // A signal that crosses zero twice within a step is not seen. Equations have no notion of speed
    // as bodies do: a rectifier without a single state would be stepped over in whole periods.
    if (t->program->indicator_count > t->program->clock_relation_count) m->least_steps = 200;
    *out = m;
    return add_parts(m, t, diag);
}
