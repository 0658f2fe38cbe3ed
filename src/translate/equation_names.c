// SPDX-License-Identifier: MIT
#include "translate/equation_names.h"

#include <math.h>

#include "component/segment.h"
#include "io/result.h"
#include "program/interpret.h"
#include "program/program_instance.h"

// Nominal value of a state: the attribute if it is a number by now.
static double nominal_of(const RbEquationHalf *q, int var, int k) {
    const RbExpr *nominal = rb_equations_dae(q)->model->vars.data[var].attributes.nominal;
    RbArena scratch = *q->in->call_arena;
    RbExprValue e;
    double value = NAN;
    if (nominal && rb_interpret_value(q->in, nominal, &scratch, &e))
        value = e.data[e.rank > 0 && k < e.count ? k : 0];
    return value > 0 && isfinite(value) ? value : 1;
}

static bool is_fixed(const RbEquationHalf *q, int var, int k) {
    const RbExpr *fixed = rb_equations_dae(q)->model->vars.data[var].attributes.fixed;
    RbArena scratch = *q->in->call_arena;
    RbExprValue e;
    return fixed && rb_interpret_value(q->in, fixed, &scratch, &e) &&
           e.data[e.rank > 0 && k < e.count ? k : 0] != 0;
}

// Scalars come first among the states.
static bool is_implicit(const RbEquationHalf *q, int state) {
    return !rb_equations_dae(q)->vars.data[rb_equations_dae(q)->states.data[state]].whole &&
           q->program->residual_form.implicit[state];
}

void rb_equations_declare_states(const RbEquationHalf *q, RbSegment *g) {
    const RbSortedDae *dae = rb_equations_dae(q);
    for (int i = 0; i < dae->states.count; i++) {
        int var = dae->states.data[i], count = rb_program_elements(q->in, var);
        const RbFlatVar *v = &dae->model->vars.data[var];
        for (int k = 0; k < count; k++) {
            RbStateSpec spec = {.name = rb_program_element_name(q->in, var, k, g->arena),
                                .start = rb_program_element(q->in, var, k),
                                .nominal = nominal_of(q, var, k),
                                .unit = v->attributes.unit,
                                .description = v->description,
                                .hidden = true,
                                .implicit = is_implicit(q, i),
                                .fixed = is_fixed(q, var, k)};
            rb_segment_state(g, &spec);
        }
    }
}

// Everything that the user wrote is a result: also what became an alias, a parameter or an element
// of an array.
static bool is_result(const RbSortedDae *dae, int var) {
    const RbDaeVar *d = &dae->vars.data[var];
    const RbFlatVar *v = &dae->model->vars.data[var];
    return d->kind != RB_DAE_UNUSED && !d->auxiliary && !v->hide_result && v->type != RB_STRING &&
           v->type != RB_EXTERNAL;
}

// The unit, or for Booleans and enumerations the names of the values.
static const char *unit_of(const RbEquationHalf *q, const RbFlatVar *v, RbArena *arena) {
    enum { LONGEST = 200 }; // a MAT file has as much room for each variable as for the longest
    if (v->type == RB_BOOLEAN) return RB_RESULT_BOOLEAN;
    if (v->type != RB_ENUM || v->enumeration < 0) return v->attributes.unit;
    const RbEnumeration *e = &rb_equations_dae(q)->model->enumerations.data[v->enumeration];
    RbText text = rb_text(arena);
    for (int i = 0; i < e->count; i++)
        rb_text_printf(&text, "%s%s", i == 0 ? "{" : ", ", e->literals[i]);
    rb_text_add(&text, "}");
    return text.count <= LONGEST ? text.data : "";
}

void rb_equations_declare_results(RbEquationHalf *q, RbSegment *g) {
    const RbSortedDae *dae = rb_equations_dae(q);
    q->outputs = rb_new_array(g->arena, int, dae->vars.count);
    q->output_count = 0;
    for (int i = 0; i < dae->vars.count; i++) {
        if (!is_result(dae, i)) continue;
        const RbFlatVar *v = &dae->model->vars.data[i];
        const RbDaeVar *d = &dae->vars.data[i];
        RbDaeKind kind = d->kind == RB_DAE_ALIAS ? dae->vars.data[d->alias].kind : d->kind;
        if (kind != RB_DAE_PARAMETER) q->outputs[q->output_count++] = i;
        const char *unit = unit_of(q, v, g->arena);
        for (int k = 0; k < rb_program_elements(q->in, i); k++) {
            RbResultSpec spec = {rb_program_element_name(q->in, i, k, g->arena), unit,
                                 v->description, kind == RB_DAE_DISCRETE};
            if (kind == RB_DAE_PARAMETER)
                rb_segment_constant(g, &spec, rb_program_element(q->in, i, k));
            else
                rb_segment_result(g, &spec);
        }
    }
}
