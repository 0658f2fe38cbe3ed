// SPDX-License-Identifier: MIT
#include "program/undefined.h"

#include <math.h>
#include <stdio.h>

#include "program/program_instance.h"
#include "expr/print.h"

// The innermost operation without a finite value whose arguments have one; NULL if e has one. Only
// the branch of an if-expression that counts is looked at.
static const RbExpr *culprit(RbProgramInstance *in, const RbExpr *e) {
    if (e->rank > 0 || isfinite(rb_interpret_number(in, e))) return NULL;
    int from = 0, to = e->arg_count;
    if (e->op == RB_OP_IF) {
        const RbExpr *condition = culprit(in, e->args[0]);
        if (condition) return condition;
        from = rb_interpret_number(in, e->args[0]) != 0 ? 1 : 2;
        to = from + 1;
    }
    for (int i = from; i < to; i++) {
        const RbExpr *inner = culprit(in, e->args[i]);
        if (inner) return inner;
    }
    return e;
}

static void add_values(RbProgramInstance *in, const RbExpr *e, RbText *out, RbArena *arena) {
    enum { VALUES_MAX = 4 };
    RbIndices vars = rb_expr_vars(in->program->dae->exprs, e, arena);
    for (int i = 0; i < vars.count && i < VALUES_MAX; i++) {
        rb_text_printf(out, "%s'%s' = %g", i == 0 ? ", where " : ", ",
                       in->program->dae->model->vars.data[vars.data[i]].name,
                       rb_program_value(in, vars.data[i]));
    }
}

static bool divides_by_zero(RbProgramInstance *in, const RbExpr *e) {
    return (e->op == RB_OP_DIV || e->op == RB_OP_EDIV) && e->args[1]->rank == 0 &&
           rb_interpret_number(in, e->args[1]) == 0;
}

// Words for an operation; those of a function that failed say it themselves.
static void describe(RbProgramInstance *in, const RbExpr *e, const char *of) {
    in->failure = NULL;
    in->frame.failed = 0;
    double value = rb_interpret_number(in, e);
    if (in->failure && in->frame.failed) return;
    bool by_zero = divides_by_zero(in, e);
    RbArena scratch = *in->call_arena; // nothing is interpreted from here on
    RbText text = rb_text(&scratch);
    rb_text_printf(&text, "'%s' cannot be computed: ", of);
    rb_expr_print(e, in->program->dae->model, NULL, &text);
    rb_text_add(&text, by_zero        ? " divides by zero"
                       : isnan(value) ? " is not a number"
                                      : " is infinite");
    if (e->op != RB_OP_VAR) add_values(in, e, &text, &scratch);
    snprintf(in->failure_text, sizeof in->failure_text, "%s", text.data);
    in->failure = in->failure_text;
}

static int variable_at(const RbProgramInstance *in, RbCodePlace place) {
    const RbLowered *l = in->program->lowered;
    for (int v = 0; v < l->dae->vars.count; v++) {
        RbCodePlace p = rb_place(l, v);
        if (p.area == place.area && p.index == place.index && p.array == place.array) return v;
    }
    return -1;
}

// The equation that a variable is computed by.
static RbPos equation_of(const RbProgramInstance *in, int var) {
    const RbSortedDae *d = in->program->dae;
    for (int b = 0; b < d->blocks.count; b++) {
        const RbBlock *block = &d->blocks.data[b];
        for (int i = 0; i < block->assign_count; i++) {
            if (block->assigns[i].var == var && block->assigns[i].eq >= 0)
                return d->eqs.data[block->assigns[i].eq].at;
        }
    }
    return d->model->vars.data[var].at;
}

static bool look_at_step(RbProgramInstance *in, const RbStep *s) {
    if (s->system >= 0 || s->place.array > 0 || s->place.area == RB_AREA_O) return false;
    if (isfinite(rb_area(in, s->place.area)[s->place.index])) return false;
    int var = variable_at(in, s->place);
    const RbExpr *e = culprit(in, s->value);
    if (!e || var < 0) return false;
    in->failure_at = RB_NOWHERE;
    in->failure_is_assertion = false;
    describe(in, e, in->program->dae->model->vars.data[var].name);
    if (!in->failure_at.file) in->failure_at = equation_of(in, var);
    return true;
}

bool rb_explain_undefined(RbProgramInstance *in, RbSectionId section) {
    const RbSteps *steps = &in->program->lowered->sections[section];
    for (int i = 0; i < steps->count; i++) {
        if (look_at_step(in, &steps->data[i])) return true;
    }
    return false;
}
