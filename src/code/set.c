// SPDX-License-Identifier: MIT
// set.c: values that are set by name after translation and before the run, and elements of arrays.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code/instance.h"
#include "code/layout.h"

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

static RbStatus unknown(const char *name, RbDiag *diag) {
    return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "the model has no parameter '%s'", name);
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
    if (var < 0) return unknown(name, diag);
    const RbDaeVar *v = &in->program->dae->vars.data[var];
    const RbFlatVar *own = flat(in, var);
    if (own->rank == 0)
        return rb_fail(diag, RB_ERROR_USAGE, own->at, "'%s' is a scalar, not an array", name);
    if (v->whole) return set_whole(in, var, rank, dims, values, diag);
    bool fits = rank == own->rank;
    for (int k = 0; fits && k < rank; k++) fits = dims[k] == own->dims[k];
    if (!fits) return wrong_size(in, var, rank, dims, diag);
    for (int i = 0; i < rb_flat_size(own); i++) {
        if (!rb_program_set(in, v->elements + i, values[i]))
            return not_settable(in, v->elements + i, diag);
    }
    return RB_OK;
}

// name[i,j] of a whole array.
static RbStatus set_element(RbProgramInstance *in, const char *name, double value, RbDiag *diag) {
    const char *open = strrchr(name, '[');
    size_t length = strlen(name);
    if (!open || name[length - 1] != ']') return unknown(name, diag);
    const char *base = rb_arena_bytes(diag->arena, name, (size_t)(open - name));
    int var = rb_program_find(in->program, base), sign, to;
    if (var < 0 || !in->program->dae->vars.data[var].whole) return unknown(name, diag);
    RbElementValue e = {.subscripts = {0, 1}};
    char *end = NULL;
    e.subscripts[0] = (int)strtol(open + 1, &end, 10);
    int given = 1;
    if (*end == ',') {
        e.subscripts[1] = (int)strtol(end + 1, &end, 10);
        given = 2;
    }
    if (*end != ']' || given != flat(in, var)->rank) return unknown(name, diag);
    to = holder(in, var, &sign);
    if (to < 0) return not_settable(in, var, diag);
    e.array = in->program->dae->vars.data[to].slot;
    e.value = sign * value;
    rb_array_push(&in->element_values, in->arena, e);
    return RB_OK;
}

RbStatus rb_program_set_named(RbProgramInstance *in, const char *name, double value, RbDiag *diag) {
    int var = rb_program_find(in->program, name);
    if (var < 0) return set_element(in, name, value, diag);
    if (in->program->dae->vars.data[var].whole)
        return rb_fail(diag, RB_ERROR_USAGE, flat(in, var)->at,
                       "'%s' is an array; give all its elements, {1, 2} or [1, 2; 3, 4], or one of "
                       "them as '%s[1%s]'",
                       name, name, flat(in, var)->rank > 1 ? ",1" : "");
    return rb_program_set(in, var, value) ? RB_OK : not_settable(in, var, diag);
}
