// SPDX-License-Identifier: MIT
#include "fmu/variables.h"

#include <math.h>
#include <string.h>

static const RbFmuVariable none = {.description = "",
                                   .unit = "",
                                   .display_unit = "",
                                   .quantity = "",
                                   .type = RB_REAL,
                                   .count = 1,
                                   .variability = RB_FMU_CONTINUOUS,
                                   .derivative_of = -1,
                                   .min = NAN,
                                   .max = NAN,
                                   .nominal = NAN};

typedef struct Finder {
    const RbFlatModel *flat;
    RbNames names;
    RbMap numbers; // name -> variable of the flat model
    RbArena *arena;
} Finder;

static const char *or_empty(const char *text) {
    return text ? text : "";
}

static Finder finder_of(const RbFlatModel *flat, RbArena *arena) {
    Finder f = {.flat = flat, .names = rb_names(arena), .arena = arena};
    for (int i = 0; i < flat->vars.count; i++) {
        RbName name = rb_intern(&f.names, flat->vars.data[i].name);
        rb_map_set(&f.numbers, arena, rb_map_key(name), (uint64_t)i);
    }
    return f;
}

// The variable of this name, or the array that it is an element of; NULL: it is none of equations.
static const RbFlatVar *find(Finder *f, const char *name) {
    const uint64_t *found = rb_map_find(&f->numbers, rb_map_key(rb_intern(&f->names, name)));
    size_t length = strlen(name);
    if (!found && length > 0 && name[length - 1] == ']') {
        const char *bracket = strrchr(name, '[');
        RbName array = rb_intern_bytes(&f->names, name, (size_t)(bracket - name));
        found = rb_map_find(&f->numbers, rb_map_key(array));
    }
    return found ? &f->flat->vars.data[*found] : NULL;
}

static double number_of(const RbExpr *e) {
    double value;
    return e && rb_constant_value(e, &value) ? value : NAN;
}

static void describe(const RbFlatVar *v, RbFmuVariable *out) {
    const RbAttributes *a = &v->attributes;
    out->type = v->type;
    out->enumeration = v->enumeration;
    if (v->description) out->description = v->description;
    out->unit = or_empty(a->unit);
    out->display_unit = or_empty(a->display_unit);
    out->quantity = or_empty(a->quantity);
    out->min = number_of(a->min);
    out->max = number_of(a->max);
    out->nominal = number_of(a->nominal);
    if (v->type == RB_REAL) return;
    out->unit = out->display_unit = "";
    out->nominal = NAN;
}

static bool is_literal(const RbExpr *e) {
    if (!e || rb_is_constant(e)) return true;
    if (e->op == RB_OP_NEG) return is_literal(e->args[0]);
    if (e->op != RB_OP_ARRAY) return false;
    for (int i = 0; i < e->arg_count; i++) {
        if (!is_literal(e->args[i])) return false;
    }
    return true;
}

// A parameter that can be set, or one that follows from others.
static void class_parameter(const RbFlatVar *v, RbFmuVariable *out) {
    bool settable = !v->is_final && !v->is_protected && !v->is_structural && is_literal(v->binding);
    out->causality = settable ? RB_FMU_PARAMETER : RB_FMU_CALCULATED_PARAMETER;
    bool fixed = v->is_structural || v->type == RB_STRING || (!settable && is_literal(v->binding));
    out->variability = fixed ? RB_FMU_FIXED : RB_FMU_TUNABLE;
    out->has_start = settable;
}

static void class_flat(const RbFlatVar *v, RbRunKind kind, RbFmuVariable *out) {
    out->variability =
        v->type == RB_REAL && kind != RB_RUN_DISCRETE ? RB_FMU_CONTINUOUS : RB_FMU_DISCRETE;
    if (v->variability == RB_PARAMETER) {
        class_parameter(v, out);
    } else if (v->variability == RB_CONSTANT) {
        out->variability = RB_FMU_CONSTANT;
        out->has_start = true;
    } else if (v->causality == RB_INPUT) {
        out->causality = RB_FMU_INPUT;
        out->has_start = true;
    } else {
        if (v->causality == RB_OUTPUT) out->causality = RB_FMU_OUTPUT;
        out->has_start = kind == RB_RUN_STATE && number_of(v->attributes.fixed) == 1;
    }
}

static RbStatus add_run_variable(RbRun *run, int number, Finder *f, RbFmuVariables *out) {
    RbRunVariable v;
    RB_TRY(rb_run_variable(run, number, &v));
    if (!v.there) return RB_OK;
    RbFmuVariable x = none;
    x.name = v.name;
    x.description = v.description;
    x.unit = v.unit;
    const RbFlatVar *flat = find(f, v.name);
    bool discrete = v.kind == RB_RUN_DISCRETE, fixed = v.kind == RB_RUN_PARAMETER;
    x.variability = fixed ? RB_FMU_FIXED : discrete ? RB_FMU_DISCRETE : RB_FMU_CONTINUOUS;
    if (flat) {
        describe(flat, &x);
        class_flat(flat, v.kind, &x);
    } else if (v.kind == RB_RUN_INPUT) {
        x.causality = RB_FMU_INPUT;
        x.has_start = true;
    }
    RB_TRY(rb_run_get(run, &number, 1, &x.start));
    if (!isfinite(x.start) && x.has_start) return RB_OK;
    rb_array_push(out, f->arena, x);
    return RB_OK;
}

static void add_texts(const RbFlatModel *flat, RbArena *arena, RbFmuVariables *out) {
    for (int i = 0; i < flat->vars.count; i++) {
        const RbFlatVar *v = &flat->vars.data[i];
        RbFmuVariable x = none;
        x.name = v->name;
        x.description = or_empty(v->description);
        x.type = RB_STRING;
        if (v->type != RB_STRING || v->rank > 0 || v->variability != RB_PARAMETER) continue;
        class_parameter(v, &x);
        if (!v->binding || v->binding->op != RB_OP_STRING || !x.has_start) continue;
        x.text = v->binding->text;
        if (strpbrk(x.text, "\n\t\r")) continue; // the card has a line for each
        rb_array_push(out, arena, x);
    }
}

// The FMU takes along what there is to see: a run writes it into the journal that the user names.
static void add_journal(Finder *f, RbFmuVariables *out) {
    RbFmuVariable x = none;
    x.name = "rattleback.journalFile";
    x.description = "File for the result with all that is seen, for rattleback view; empty: none";
    x.type = RB_STRING;
    x.is_journal = true;
    x.causality = RB_FMU_PARAMETER;
    x.variability = RB_FMU_FIXED;
    x.has_start = true;
    x.text = "";
    if (!find(f, x.name)) rb_array_push(out, f->arena, x);
}

// -------------------------------------------------------------------------------------------------
// what a master integrates

static RbStatus index_of(RbRun *run, const int *places, int number, const char *what, RbDiag *diag,
                         int *index) {
    *index = number >= 0 ? places[number] : -1;
    RbRunVariable v = {.name = what};
    if (*index >= 0) return RB_OK;
    if (number >= 0) rb_run_variable(run, number, &v);
    return rb_fail(diag, RB_ERROR_INTERNAL, RB_NOWHERE,
                   "'%s' is needed for model exchange, and is no variable of the FMU", v.name);
}

static RbStatus find_states(RbRun *run, const int *places, RbArena *arena, RbDiag *diag,
                            RbFmuVariables *out, RbFmuStates *s) {
    s->state = rb_new_array(arena, int, s->count + 1);
    s->derivative = rb_new_array(arena, int, s->count + 1);
    for (int i = 0; i < s->count; i++) {
        RB_TRY(index_of(run, places, rb_run_state(run, i), "a state", diag, &s->state[i]));
        RB_TRY(index_of(run, places, rb_run_derivative(run, i), "a derivative", diag,
                        &s->derivative[i]));
        RbFmuVariable *state = &out->data[s->state[i]], *rate = &out->data[s->derivative[i]];
        state->is_state = true;
        state->variability = rate->variability = RB_FMU_CONTINUOUS;
        rate->derivative_of = s->state[i];
        rate->has_start = false;
    }
    return RB_OK;
}

static void add_indicators(RbRun *run, RbArena *arena, RbFmuVariables *out, RbFmuStates *s) {
    s->first_indicator = out->count;
    for (int i = 0; i < s->indicator_count; i++) {
        const char *description = rb_run_indicator_name(run, i);
        RbFmuVariable x = none;
        x.name = rb_arena_printf(arena, "rattleback.eventIndicators[%d]", i + 1);
        x.description = rb_arena_text(arena, description ? description : "");
        x.is_indicator = true;
        rb_array_push(out, arena, x);
    }
}

RbStatus rb_fmu_variables(RbRun *run, const RbTranslation *t, RbArena *arena, RbArena scratch,
                          RbFmuWanted wanted, RbDiag *diag, RbFmuVariables *out,
                          RbFmuStates *states) {
    Finder f = finder_of(t->flat, &scratch);
    f.arena = arena;
    *out = (RbFmuVariables){0};
    RbRunSizes sizes = rb_run_sizes(run);
    *states = (RbFmuStates){sizes.states, sizes.indicators, NULL, NULL, -1};
    RbFmuVariable time = none;
    time.name = "time";
    time.description = "Simulation time";
    time.unit = "s";
    time.is_time = true;
    time.causality = RB_FMU_INDEPENDENT;
    rb_array_push(out, arena, time);
    int count = rb_run_count(run), *places = rb_new_array(&scratch, int, count + 1);
    for (int i = 0; i < count; i++) {
        int before = out->count;
        RB_TRY(add_run_variable(run, i, &f, out));
        places[i] = out->count > before ? before : -1;
    }
    add_texts(t->flat, arena, out);
    add_journal(&f, out);
    if (wanted.exchange) RB_TRY(find_states(run, places, arena, diag, out, states));
    if (wanted.exchange && wanted.indicators) add_indicators(run, arena, out, states);
    return RB_OK;
}
