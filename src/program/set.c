// SPDX-License-Identifier: MIT
// set.c: values that are set by name after translation and before the run, and elements of arrays.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/program_instance.h"
#include "program/layout.h"

static const RbFlatVar *flat(const RbProgramInstance *in, int var) {
    return &in->program->dae->model->vars.data[var];
}

// --- elements ------------------------------------------------------------------------------------

int rb_program_elements(const RbProgramInstance *in, int var) {
    const RbDaeVar *v = &in->program->dae->vars.data[var];
    if (v->whole) return in->sizes[RB_SIZES * v->slot + RB_SIZES_COUNT];
    return v->kind == RB_DAE_UNUSED ? 0 : 1;
}

double rb_program_element(const RbProgramInstance *in, int var, int k) {
    const RbDaeVar *v = &in->program->dae->vars.data[var];
    if (!v->whole) return rb_program_value(in, var);
    if (v->kind == RB_DAE_ALIAS) return v->sign * rb_program_element(in, v->alias, k);
    RbCodePlace place = rb_place(in->program->lowered, var);
    return place.area < 0 ? NAN : rb_area(in, place.area)[in->sizes[RB_SIZES * v->slot] + k];
}

const char *rb_program_element_name(const RbProgramInstance *in, int var, int k, RbArena *arena) {
    const RbDaeVar *v = &in->program->dae->vars.data[var];
    if (!v->whole) return flat(in, var)->name;
    const RbDaeVar *of =
        v->is_der && v->integral >= 0 ? &in->program->dae->vars.data[v->integral] : v;
    RbFlatVar sized = *flat(in, var);
    const int *sizes = &in->sizes[RB_SIZES * v->slot];
    sized.dims[0] = sizes[RB_SIZES_ROWS];
    sized.dims[1] = sizes[RB_SIZES_COLUMNS];
    RbText name = rb_text(arena);
    if (of != v) { // der(x)[2] is der(x[2])
        sized.name = flat(in, v->integral)->name;
        rb_text_add(&name, "der(");
    }
    rb_flat_element_name(&sized, k, &name);
    if (of != v) rb_text_add(&name, ")");
    return name.data;
}

// --- messages ------------------------------------------------------------------------------------

static RbStatus fixed_by_translation(const RbProgramInstance *in, int var, RbDiag *diag) {
    const RbFlatVar *v = flat(in, var);
    RbText where = rb_text(diag->arena);
    if (v->size_use && v->size_use_at.file)
        rb_text_printf(&where, " (%s:%d:%d)", v->size_use_at.file, v->size_use_at.line,
                       v->size_use_at.column);
    return rb_fail(diag, RB_ERROR_USAGE, v->at,
                   "'%s' cannot be changed after translation: %s%s; change it in the model and "
                   "translate again",
                   v->name, v->size_use ? v->size_use : "its value decided the structure",
                   where.count > 0 ? where.data : "");
}

static RbStatus not_settable(const RbProgramInstance *in, int var, RbDiag *diag) {
    const RbFlatVar *v = flat(in, var);
    if (v->is_structural && in->program->dae->vars.data[var].kind == RB_DAE_PARAMETER)
        return fixed_by_translation(in, var, diag);
    return rb_fail(diag, RB_ERROR_USAGE, v->at,
                   "'%s' is neither a parameter nor an input, and its start value is not used",
                   v->name);
}

// Coordinates of bodies and joints are no variables of the equations, their start values are parameters.
static const char *own_start(const RbProgramInstance *in, const char *name, RbArena *arena) {
    size_t stem = strcspn(name, "[");
    const char *start = rb_arena_printf(arena, "%.*s.start%s", (int)stem, name, name + stem);
    for (int v = 0; v < in->program->dae->vars.count; v++) {
        const char *own = flat(in, v)->name;
        size_t length = strlen(start);
        if (flat(in, v)->variability == RB_PARAMETER && strncmp(own, start, length) == 0 &&
            (own[length] == 0 || own[length] == '['))
            return rb_arena_printf(arena, "; its start value is '%s'", start);
    }
    return NULL;
}

static RbStatus unknown(const RbProgramInstance *in, const char *name, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    RbNear near = {.wanted = name};
    for (int v = 0; v < d->vars.count; v++) {
        if (!d->vars.data[v].auxiliary && flat(in, v)->variability == RB_PARAMETER)
            rb_text_try_near(&near, flat(in, v)->name);
    }
    const char *hint = own_start(in, name, diag->arena);
    if (!hint) hint = rb_text_near_question(&near, "", diag->arena);
    if (rb_text_ends_with(name, ".start"))
        hint =
            rb_arena_printf(diag->arena, "; a start value is set by the name of its variable: %.*s",
                            (int)(strlen(name) - strlen(".start")), name);
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "the model has no parameter '%s'%s", name,
                   hint);
}

static RbStatus check_type(const RbProgramInstance *in, const RbFlatVar *v, double value,
                           RbDiag *diag) {
    const RbFlatModel *model = in->program->dae->model;
    switch (v->type) {
        case RB_BOOLEAN:
            if (value == 0 || value == 1) return RB_OK;
            return rb_fail(diag, RB_ERROR_USAGE, v->at, "'%s' is Boolean: true or false, not %g",
                           v->name, value);
        case RB_INTEGER:
            if (value == floor(value) && fabs(value) <= INT_MAX) return RB_OK;
            return rb_fail(diag, RB_ERROR_USAGE, v->at, "'%s' is an Integer, and %g is none",
                           v->name, value);
        case RB_ENUM: {
            const RbEnumeration *e = &model->enumerations.data[v->enumeration];
            if (value == floor(value) && value >= 1 && value <= e->count) return RB_OK;
            return rb_fail(diag, RB_ERROR_USAGE, v->at,
                           "'%s' is of the enumeration '%s', which has %d values; there is no "
                           "number %g",
                           v->name, e->name, e->count, value);
        }
        default: return RB_OK;
    }
}

// May this be set from outside, and to this value?
static RbStatus check_set(const RbProgramInstance *in, int var, double value, RbDiag *diag) {
    const RbFlatVar *v = flat(in, var);
    bool known = in->program->dae->vars.data[var].kind == RB_DAE_PARAMETER;
    const char *why = v->variability == RB_CONSTANT ? "is a constant"
                      : v->type == RB_STRING        ? "is a String, and this is a number"
                      : v->is_final && v->variability == RB_PARAMETER ? "is final"
                      : known && v->variability > RB_PARAMETER
                          ? "follows from an equation; set the parameters in it"
                          : NULL;
    if (why) return rb_fail(diag, RB_ERROR_USAGE, v->at, "'%s' cannot be set: it %s", v->name, why);
    return check_type(in, v, value, diag);
}

// A bound that is a number; others are left to the model's assertions.
static double bound(const RbExpr *e, double otherwise) {
    double number;
    return e && rb_constant_value(e, &number) ? number : otherwise;
}

void rb_warn_of_ranges(const RbProgramInstance *in, RbDiag *diag) {
    const RbSortedDae *d = in->program->dae;
    for (int i = 0; i < d->parameters.count; i++) {
        int var = d->parameters.data[i].var;
        const RbFlatVar *v = flat(in, var);
        if (v->variability != RB_PARAMETER || (v->type != RB_REAL && v->type != RB_INTEGER))
            continue;
        double least = bound(v->attributes.min, -INFINITY),
               most = bound(v->attributes.max, INFINITY);
        double value = rb_program_value(in, var);
        if (value < least)
            rb_warn(diag, rb_flat_var_place(v), "parameter '%s' is %g, but its min is %g", v->name,
                    value, least);
        if (value > most)
            rb_warn(diag, rb_flat_var_place(v), "parameter '%s' is %g, but its max is %g", v->name,
                    value, most);
    }
}

static const char *dims_text(int rank, const int *dims, RbArena *arena) {
    RbText text = rb_text(arena);
    rb_text_add(&text, "[");
    for (int k = 0; k < rank; k++) rb_text_printf(&text, "%s%d", k > 0 ? "," : "", dims[k]);
    rb_text_add(&text, "]");
    return text.data;
}

static RbStatus wrong_size(const RbProgramInstance *in, int var, int rank, const int *dims,
                           RbDiag *diag) {
    const RbFlatVar *v = flat(in, var);
    RbText why = rb_text(diag->arena);
    bool number = !v->dim_exprs[0] && !(v->rank > 1 && v->dim_exprs[1]) && !v->size_use;
    if (number)
        rb_text_add(&why, ": it is a number in the declaration");
    else if (v->size_use && v->size_use_at.file)
        rb_text_printf(&why, ": %s (%s:%d:%d)", v->size_use, v->size_use_at.file,
                       v->size_use_at.line, v->size_use_at.column);
    else if (v->size_use)
        rb_text_printf(&why, ": %s", v->size_use);
    return rb_fail(diag, RB_ERROR_USAGE, v->at,
                   "the size of '%s' is %s and cannot become %s after translation%s; change it in "
                   "the model and translate again%s",
                   v->name, dims_text(v->rank, v->dims, diag->arena),
                   dims_text(rank, dims, diag->arena), why.count > 0 ? why.data : "",
                   number ? ", or declare it with ':' or a parameter" : "");
}

// --- setting -------------------------------------------------------------------------------------

// The array that holds what is set for a variable: the parameter itself, an input, or the parameter
// with the start value; -1: none.
static int holder(const RbProgramInstance *in, int var, int *sign) {
    const RbSortedDae *d = in->program->dae;
    const RbDaeVar *v = &d->vars.data[var];
    *sign = 1;
    while (v->kind == RB_DAE_ALIAS) {
        *sign *= v->sign;
        var = v->alias;
        v = &d->vars.data[var];
    }
    if (v->kind == RB_DAE_INPUT) return var;
    if (v->kind == RB_DAE_PARAMETER) return flat(in, var)->is_structural ? -1 : var;
    const RbExpr *start = flat(in, var)->attributes.start;
    bool own = start && start->op == RB_OP_VAR && d->vars.data[start->index].auxiliary;
    return own ? start->index : -1;
}

static RbStatus set_whole(RbProgramInstance *in, int var, int rank, const int *dims,
                          const double *values, RbDiag *diag) {
    int sign, to = holder(in, var, &sign), count = 1;
    if (to < 0) return not_settable(in, var, diag);
    const RbFlatVar *v = flat(in, var);
    if (rank != v->rank) return wrong_size(in, var, rank, dims, diag);
    bool parameter = in->program->dae->vars.data[var].kind == RB_DAE_PARAMETER;
    for (int k = 0; k < rank; k++) {
        count *= dims[k];
        if (parameter && v->dim_fixed[k] && dims[k] != v->dims[k])
            return wrong_size(in, var, rank, dims, diag);
    }
    RbArrayValue *set = &in->array_values[in->program->dae->vars.data[to].slot];
    *set = (RbArrayValue){
        .given = true, .rank = rank, .data = rb_new_array(in->arena, double, count + 1)};
    for (int k = 0; k < rank; k++) set->dims[k] = dims[k];
    for (int i = 0; i < count; i++) set->data[i] = sign * values[i];
    return RB_OK;
}

RbStatus rb_program_set_array(RbProgramInstance *in, const char *name, int rank, const int *dims,
                              const double *values, RbDiag *diag) {
    int var = rb_program_find(in->program, name);
    if (var < 0) return unknown(in, name, diag);
    const RbDaeVar *v = &in->program->dae->vars.data[var];
    const RbFlatVar *own = flat(in, var);
    if (own->rank == 0)
        return rb_fail(diag, RB_ERROR_USAGE, own->at, "'%s' is a scalar, not an array", name);
    if (v->whole) return set_whole(in, var, rank, dims, values, diag);
    bool fits = rank == own->rank;
    for (int k = 0; fits && k < rank; k++) fits = dims[k] == own->dims[k];
    if (!fits) return wrong_size(in, var, rank, dims, diag);
    for (int i = 0; i < rb_flat_size(own); i++) {
        RB_TRY(check_set(in, v->elements + i, values[i], diag));
        if (!rb_program_set(in, v->elements + i, values[i]))
            return not_settable(in, v->elements + i, diag);
    }
    return RB_OK;
}

// name[i,j] of a whole array.
static RbStatus set_element(RbProgramInstance *in, const char *name, double value, RbDiag *diag) {
    const char *open = strrchr(name, '[');
    size_t length = strlen(name);
    if (!open || name[length - 1] != ']') return unknown(in, name, diag);
    const char *base = rb_arena_bytes(diag->arena, name, (size_t)(open - name));
    int var = rb_program_find(in->program, base), sign, to;
    if (var < 0 || !in->program->dae->vars.data[var].whole) return unknown(in, name, diag);
    RbElementValue e = {.subscripts = {0, 1}};
    char *end = NULL;
    e.subscripts[0] = (int)strtol(open + 1, &end, 10);
    int given = 1;
    if (*end == ',') {
        e.subscripts[1] = (int)strtol(end + 1, &end, 10);
        given = 2;
    }
    if (*end != ']' || given != flat(in, var)->rank) return unknown(in, name, diag);
    to = holder(in, var, &sign);
    if (to < 0) return not_settable(in, var, diag);
    e.array = in->program->dae->vars.data[to].slot;
    e.value = sign * value;
    for (int i = 0; i < in->element_values.count; i++) {
        RbElementValue *old = &in->element_values.data[i];
        if (old->array != e.array ||
            memcmp(old->subscripts, e.subscripts, sizeof e.subscripts) != 0)
            continue;
        old->value = e.value;
        return RB_OK;
    }
    rb_array_push(&in->element_values, in->arena, e);
    return RB_OK;
}

RbStatus rb_program_set_named(RbProgramInstance *in, const char *name, double value, RbDiag *diag) {
    int var = rb_program_find(in->program, name);
    if (var < 0) return set_element(in, name, value, diag);
    if (in->program->dae->vars.data[var].whole || flat(in, var)->rank > 0)
        return rb_fail(diag, RB_ERROR_USAGE, flat(in, var)->at,
                       "'%s' is an array; give all its elements, {1, 2} or [1, 2; 3, 4], or one of "
                       "them as '%s[1%s]'",
                       name, name, flat(in, var)->rank > 1 ? ",1" : "");
    RB_TRY(check_set(in, var, value, diag));
    return rb_program_set(in, var, value) ? RB_OK : not_settable(in, var, diag);
}

// --- Strings -------------------------------------------------------------------------------------

const char *rb_program_text(const RbProgramInstance *in, int var) {
    for (int i = 0; i < in->texts.count; i++) {
        if (in->texts.data[i].var == var) return in->texts.data[i].text;
    }
    return NULL;
}

RbStatus rb_program_set_text(RbProgramInstance *in, const char *name, const char *text,
                             RbDiag *diag) {
    int var = rb_program_find(in->program, name);
    if (var < 0) return unknown(in, name, diag);
    const RbFlatVar *v = flat(in, var);
    if (v->is_structural) return fixed_by_translation(in, var, diag);
    const char *why = v->variability == RB_CONSTANT ? "is a constant"
                      : v->type != RB_STRING        ? "is no String"
                      : v->is_final                 ? "is final"
                      : v->rank > 0 ? "is an array of Strings; change the text of the model"
                                    : NULL;
    if (why) return rb_fail(diag, RB_ERROR_USAGE, v->at, "'%s' cannot be set: it %s", v->name, why);
    const char *kept = rb_arena_text(in->arena, text);
    for (int i = 0; i < in->texts.count; i++) {
        if (in->texts.data[i].var != var) continue;
        in->texts.data[i].text = kept;
        return RB_OK;
    }
    rb_array_push(&in->texts, in->arena, (RbTextValue){var, kept});
    return RB_OK;
}

// --- during a run --------------------------------------------------------------------------------

static RbStatus not_changeable(const RbProgramInstance *in, const char *name, int var,
                               RbDiag *diag) {
    RbPos at = var >= 0 ? flat(in, var)->at : RB_NOWHERE;
    return rb_fail(diag, RB_ERROR_USAGE, at,
                   "'%s' follows from equations and cannot be set during a run; states, inputs, "
                   "parameters and discrete variables can",
                   name);
}

RbStatus rb_program_change(RbProgramInstance *in, const char *name, double value, RbDiag *diag,
                           bool *parameter) {
    const RbSortedDae *d = in->program->dae;
    int given = rb_program_find(in->program, name), var = given, sign = 1;
    *parameter = true;
    if (var < 0) return set_element(in, name, value, diag);
    while (d->vars.data[var].kind == RB_DAE_ALIAS) {
        sign *= d->vars.data[var].sign;
        var = d->vars.data[var].alias;
    }
    const RbDaeVar *v = &d->vars.data[var];
    if (v->kind == RB_DAE_PARAMETER) return rb_program_set_named(in, name, value, diag);
    if (v->kind != RB_DAE_DISCRETE || v->whole) return not_changeable(in, name, given, diag);
    *parameter = false;
    RB_TRY(check_type(in, flat(in, given), value, diag));
    in->frame.d[v->slot] = in->frame.q[v->slot] = sign * value;
    return RB_OK;
}

// --- words ---------------------------------------------------------------------------------------

bool rb_program_literal(const RbProgram *program, const char *name, const char *text,
                        double *value) {
    int var = rb_program_find(program, name);
    if (var < 0) return false;
    const RbFlatVar *v = &program->dae->model->vars.data[var];
    if (v->type == RB_BOOLEAN) {
        *value = strcmp(text, "true") == 0;
        return *value == 1 || strcmp(text, "false") == 0;
    }
    if (v->type != RB_ENUM) return false;
    const RbEnumeration *e = &program->dae->model->enumerations.data[v->enumeration];
    const char *dot = strrchr(text, '.');
    for (int i = 0; i < e->count; i++) {
        if (strcmp(e->literals[i], dot ? dot + 1 : text) != 0) continue;
        *value = i + 1;
        return true;
    }
    return false;
}
