// SPDX-License-Identifier: MIT
#include "model/overview.h"

#include <math.h>

#include "expr/print.h"
#include "model/system.h"

static void count_equations(const RbTranslation *t, RbModelInfo *info) {
    const RbDaeStats *s = &t->dae->stats;
    const RbProgram *p = t->program;
    info->equations = s->equations_in;
    info->variables = s->unknowns_in;
    info->equations_left = s->equations;
    info->states = p->state_count;
    info->indicators = p->indicator_count;
    info->residual_systems = p->residual_form.system_count;
    info->residual_unknowns = p->residual_form.count;
    info->residual_largest = p->residual_form.largest;
}

RbModelInfo rb_model_overview(const RbModel *m) {
    RbModelInfo info = {.name = m->name,
                        .description = m->description,
                        .start_time = m->start_time,
                        .stop_time = m->stop_time,
                        .tolerance = m->tolerance,
                        .output_interval = m->output_interval};
    if (m->translation) count_equations(m->translation, &info);
    return info;
}

RbModelInfo rb_translation_overview(const RbTranslation *t) {
    const RbExperiment *e = &t->flat->experiment;
    RbModelInfo info = {.name = t->flat->name,
                        .description = t->flat->description ? t->flat->description : ""};
    if (e->given) {
        info.start_time = e->start_time;
        info.stop_time = e->stop_time;
        info.tolerance = e->tolerance;
        info.output_interval = e->interval;
    }
    count_equations(t, &info);
    return info;
}

// -------------------------------------------------------------------------------------------------
// variables of Modelica text

// "2*p", or a literal of an enumeration.
static const char *text_of(const RbFlatModel *model, const RbFlatVar *v, const RbExpr *e,
                           RbArena *arena) {
    if (e && v->type == RB_ENUM && e->op == RB_OP_INTEGER)
        return model->enumerations.data[v->enumeration].literals[e->integer - 1];
    RbText text = rb_text(arena);
    if (e) rb_expr_print(e, model, NULL, &text);
    return text.count > 0 ? text.data : "";
}

static double number_of(const RbExpr *e) {
    double value;
    return e && rb_constant_value(e, &value) ? value : NAN;
}

static void add_choices(const RbFlatModel *model, const RbFlatVar *v, RbModelVariable *out) {
    static const RbModelType types[] = {[RB_REAL] = RB_MODEL_REAL,
                                        [RB_INTEGER] = RB_MODEL_INTEGER,
                                        [RB_BOOLEAN] = RB_MODEL_BOOLEAN,
                                        [RB_STRING] = RB_MODEL_STRING,
                                        [RB_ENUM] = RB_MODEL_ENUMERATION};
    out->type = types[v->type];
    out->min = number_of(v->attributes.min);
    out->max = number_of(v->attributes.max);
    if (v->type != RB_ENUM) return;
    const RbEnumeration *e = &model->enumerations.data[v->enumeration];
    out->choices = (const char *const *)e->literals;
    out->choice_count = e->count;
}

static const char *with_sizes(const RbFlatVar *v, RbArena *arena) {
    if (v->rank == 0) return v->name;
    RbText text = rb_text(arena);
    rb_text_add(&text, v->name);
    for (int k = 0; k < v->rank; k++)
        rb_text_printf(&text, "%s%d", k == 0 ? "[" : ", ", v->dims[k]);
    rb_text_add(&text, "]");
    return text.data;
}

static bool is_of_kind(const RbTranslation *t, int v, RbModelKind kind) {
    const RbFlatVar *var = &t->flat->vars.data[v];
    switch (kind) {
        case RB_MODEL_PARAMETER:
            return var->variability == RB_PARAMETER && !var->is_final && !var->is_protected;
        case RB_MODEL_INPUT: return var->causality == RB_INPUT;
        case RB_MODEL_STATE: return t->dae->vars.data[v].kind == RB_DAE_STATE;
    }
    return false;
}

static void list_text(const RbTranslation *t, RbModelKind kind, RbArena *arena,
                      RbModelVariables *list) {
    for (int v = 0; v < t->flat->vars.count; v++) {
        if (!is_of_kind(t, v, kind)) continue;
        const RbFlatVar *var = &t->flat->vars.data[v];
        const RbExpr *value = kind == RB_MODEL_PARAMETER ? var->binding : var->attributes.start;
        RbModelVariable out = {.kind = kind,
                               .component = RB_NONE,
                               .name = with_sizes(var, arena),
                               .value = text_of(t->flat, var, value, arena),
                               .unit = var->attributes.unit ? var->attributes.unit : "",
                               .description = var->description ? var->description : "",
                               .structural =
                                   var->is_structural || (var->type == RB_STRING && var->rank > 0)};
        add_choices(t->flat, var, &out);
        rb_array_push(list, arena, out);
    }
}

// -------------------------------------------------------------------------------------------------
// variables of components in C

static void list_component(const RbModel *m, int number, RbArena *arena, RbModelVariables *list) {
    const RbBuild *declared = &m->instances.data[number].declared;
    for (int i = 0; i < declared->parameters.count; i++) {
        const RbParameter *p = &declared->parameters.data[i];
        RbModelVariable out = {.kind = RB_MODEL_PARAMETER,
                               .component = number,
                               .name = p->spec.name,
                               .value = rb_arena_printf(arena, "%g", p->value),
                               .unit = p->spec.unit,
                               .description = p->spec.description,
                               .min = NAN,
                               .max = NAN};
        rb_array_push(list, arena, out);
    }
    for (int i = 0; i < declared->variables.count; i++) {
        const RbVariable *v = &declared->variables.data[i];
        if (v->spec.kind != RB_VARIABLE_INPUT) continue;
        RbModelVariable out = {.kind = RB_MODEL_INPUT,
                               .component = number,
                               .name = v->spec.name,
                               .value = rb_arena_printf(arena, "%g", v->value),
                               .unit = v->spec.unit,
                               .description = v->spec.description,
                               .min = NAN,
                               .max = NAN};
        rb_array_push(list, arena, out);
    }
}

RbModelVariables rb_model_list_variables(const RbModel *m, RbArena *arena) {
    RbModelVariables list = {0};
    for (int kind = RB_MODEL_PARAMETER; m->translation && kind <= RB_MODEL_STATE; kind++)
        list_text(m->translation, (RbModelKind)kind, arena, &list);
    for (int i = 0; !m->translation && i < m->instances.count; i++)
        list_component(m, i, arena, &list);
    return list;
}

// -------------------------------------------------------------------------------------------------
// the system

static void describe_part(const RbSystemPart *p, RbText *out) {
    const RbSegment *g = p->segment;
    const char *name = p->instance->name;
    rb_text_printf(out, "component %s%s(%s)\n", name, name[0] ? " " : "", p->instance->type->name);
    for (int i = 0; i < g->states.count; i++) {
        const RbStateSpec *s = &g->states.data[i];
        rb_text_printf(out, "  state %d: %s = %g %s (nominal %g, group %d)\n", p->x + i, s->name,
                       s->start, s->unit, s->nominal, s->group);
    }
    for (int i = 0; i < g->quadratures.count; i++)
        rb_text_printf(out, "  quadrature %d: %s %s\n", p->q + i, g->quadratures.data[i].name,
                       g->quadratures.data[i].unit);
    for (int i = 0; i < g->indicators.count; i++) {
        int direction = g->indicators.data[i].direction;
        rb_text_printf(out, "  indicator %d: %s%s\n", p->z + i, g->indicators.data[i].name,
                       direction > 0   ? " (rising)"
                       : direction < 0 ? " (falling)"
                                       : "");
    }
    for (int i = 0; i < g->discretes.count; i++)
        rb_text_printf(out, "  discrete %d: %s = %g\n", p->d + i, g->discretes.data[i].name,
                       g->discretes.data[i].start);
    for (int i = 0; i < p->instance->declared.equations.count; i++)
        rb_text_printf(out, "  equation: %s\n", p->instance->declared.equations.data[i]);
}

static void describe_pattern(const RbPattern *p, RbText *out) {
    enum { SHOWN = 64 };
    rb_text_printf(out, "pattern of d(der(x))/dx: %d of %ld entries\n", p->count,
                   (long)p->n * p->n);
    for (int row = 0; row < p->n && p->n <= SHOWN; row++) {
        rb_text_add(out, "  ");
        for (int col = 0; col < p->n; col++)
            rb_text_add(out, rb_pattern_find(p, row, col) >= 0 ? "*" : ".");
        rb_text_add(out, "\n");
    }
}

RbStatus rb_model_describe_system(RbModel *m, RbArena *arena, RbArena scratch, RbDiag *diag,
                                  RbText *out) {
    RbSystem *system;
    RB_TRY(rb_system_build(m, 0, NULL, NULL, arena, scratch, diag, &system));
    for (int i = 0; i < system->part_count; i++) describe_part(&system->parts[i], out);
    RbValues values = rb_system_values(system, arena);
    rb_system_start_values(system, &values);
    RbComposed composed = rb_system_couplings(system, values.d, false, arena, scratch);
    describe_pattern(&composed.pattern, out);
    return RB_OK;
}
