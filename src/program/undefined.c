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

// Words for an operation; those of a function that failed say it themselves. Of NULL: without a name.
static void describe(RbProgramInstance *in, const RbExpr *e, const char *of) {
    in->failure = NULL;
    in->frame.failed = 0;
    double value = rb_interpret_number(in, e);
    if (in->failure && in->frame.failed) return;
    bool by_zero = divides_by_zero(in, e);
    RbArena scratch = *in->call_arena; // nothing is interpreted from here on
    RbText text = rb_text(&scratch);
    if (of) rb_text_printf(&text, "'%s' cannot be computed: ", of);
    rb_expr_print(e, in->program->dae->model, NULL, &text);
    rb_text_add(&text, by_zero        ? " divides by zero"
                       : isnan(value) ? " is not a number"
                                      : " is infinite");
    if (in->missing) rb_text_add(&text, " (it is measured of a part that is not present)");
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
    if (in->missing && s->place.area != RB_AREA_DX) return false; // all others may have no value
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

void rb_explain_parameter(RbProgramInstance *in, const RbExpr *value) {
    const RbExpr *e = culprit(in, value);
    if (e) describe(in, e, NULL);
}

bool rb_explain_undefined(RbProgramInstance *in, RbSectionId section) {
    const RbSteps *steps = &in->program->lowered->sections[section];
    for (int i = 0; i < steps->count; i++) {
        if (look_at_step(in, &steps->data[i])) return true;
    }
    return false;
}

bool rb_explain_missing(RbProgramInstance *in) {
    const RbSortedDae *d = in->program->dae;
    int i = 0;
    while (i < d->relations.count && !isnan(in->frame.o[i])) i++;
    if (i == d->relations.count) return false;
    const RbRelation *r = &d->relations.data[i];
    RbArena scratch = *in->call_arena;
    RbText text = rb_text(&scratch);
    static const char *const signs[] = {"<", "<=", ">", ">="}; // ORDER RbOp
    rb_expr_print(r->left, d->model, NULL, &text);
    rb_text_printf(&text, " %s ", signs[r->op - RB_OP_LT]);
    rb_expr_print(r->right, d->model, NULL, &text);
    snprintf(in->failure_text, sizeof in->failure_text,
             "the condition '%s' compares what is measured of a part that is not present; compare "
             "'if there.y then ... else ...' with a Sensors.Presence 'there' of that part",
             text.data);
    in->failure = in->failure_text;
    in->failure_at = r->at.file ? r->at : equation_of(in, r->var);
    in->failure_is_assertion = false;
    return true;
}

// --- looking for them ----------------------------------------------------------------------------

// What follows from parameters alone has a value at the start, or never.
static bool varies(const RbProgram *p, const RbExpr *e, RbArena scratch) {
    RbExprOrder order = rb_expr_order(p->dae->exprs, &e, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_VAR && p->dae->vars.data[n->index].kind != RB_DAE_PARAMETER) return true;
        if (n->op == RB_OP_TIME || n->op == RB_OP_PRE || n->op == RB_OP_DER) return true;
    }
    return false;
}

static bool may_have_no_value(const RbExpr *e) {
    double number;
    switch ((RbOp)e->op) {
        case RB_OP_DIV:
        case RB_OP_EDIV: return !rb_constant_value(e->args[1], &number);
        case RB_OP_POW:
        case RB_OP_EPOW:
            return !rb_constant_value(e->args[1], &number) || number < 0 || number != floor(number);
        case RB_OP_CALL: return true;
        case RB_OP_BUILTIN:
            return e->index == RB_FN_SQRT || e->index == RB_FN_LOG || e->index == RB_FN_LOG10 ||
                   e->index == RB_FN_ASIN || e->index == RB_FN_ACOS || e->index == RB_FN_SOLVE ||
                   (e->index >= RB_FN_DIV && e->index <= RB_FN_REM);
        default: return false;
    }
}

static bool steps_may(const RbProgram *p, const RbSteps *steps, RbArena scratch) {
    const RbExpr **roots = rb_new_array(&scratch, const RbExpr *, steps->count + 1);
    int count = 0;
    for (int i = 0; i < steps->count; i++) {
        if (steps->data[i].value) roots[count++] = steps->data[i].value;
    }
    RbExprOrder order = rb_expr_order(p->dae->exprs, roots, count, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        bool divides = n->op == RB_OP_DIV || n->op == RB_OP_EDIV;
        if (may_have_no_value(n) && varies(p, divides ? n->args[1] : n, scratch)) return true;
    }
    return false;
}

bool rb_may_be_undefined(const RbProgram *p, RbSectionId section, RbArena scratch) {
    const RbSteps *steps = &p->lowered->sections[section];
    if (steps_may(p, steps, scratch)) return true;
    for (int i = 0; i < steps->count; i++) {
        int system = steps->data[i].system;
        if (system >= 0 && steps_may(p, &p->lowered->systems.data[system].inner, scratch))
            return true;
    }
    return false;
}

static bool any_in(const RbProgramInstance *in, RbArea area) {
    const double *values = rb_area(in, area);
    double sum = 0; // 0 x NaN and 0 x infinity are NaN
    for (int i = 0; i < in->counts[area]; i++) sum += 0 * values[i];
    return isnan(sum);
}

int rb_undefined_variable(const RbProgramInstance *in) {
    if (!any_in(in, RB_AREA_W) && !any_in(in, RB_AREA_DX) && !any_in(in, RB_AREA_X)) return -1;
    const RbSortedDae *d = in->program->dae;
    for (int v = 0; v < d->vars.count; v++) {
        const RbDaeVar *var = &d->vars.data[v];
        bool continuous = var->kind >= RB_DAE_STATE && var->kind <= RB_DAE_ALGEBRAIC;
        if (!continuous || var->auxiliary || d->model->vars.data[v].hide_result) continue;
        if (d->model->vars.data[v].type != RB_REAL) continue;
        int count = rb_program_elements(in, v);
        for (int k = 0; k < count; k++) {
            if (!isfinite(rb_program_element(in, v, k))) return v;
        }
    }
    return -1;
}
