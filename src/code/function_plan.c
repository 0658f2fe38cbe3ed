// SPDX-License-Identifier: MIT
// function_plan.c: which functions can be compiled.
#include "code/emit_function.h"

#include "expr/builtins.h"
typedef struct Plan {
    const RbFlatModel *model;
    RbFunctionCode code;
    unsigned char *wanted; // by function
    int function;          // the one that is looked at
    bool again;            // something changed that others may rely on
} Plan;

static bool is_string(RbType type) {
    return type == RB_STRING;
}

// Strings exist in compiled code only as scalar arguments that nobody reads: for messages.
static bool fits_node(Plan *p, const RbExpr *e) {
    const RbFunction *f = p->model->functions.data[p->function];
    switch ((RbOp)e->op) {
        case RB_OP_LOCAL: return e->index < f->vars.count && !is_string((RbType)e->type);
        case RB_OP_VAR:
        case RB_OP_TIME:
        case RB_OP_DER:
        case RB_OP_PRE:
        case RB_OP_STRING: return false;
        case RB_OP_BUILTIN: return !rb_is_builtin(e, RB_TRAIT_TIME) && !is_string((RbType)e->type);
        case RB_OP_CALL: {
            const RbFunction *g = p->model->functions.data[e->index];
            if (!p->wanted[e->index]) p->again = true;
            p->wanted[e->index] = 1;
            return e->arg_count == g->input_count &&
                   (p->code.compiled[e->index] || g->kind != RB_FUNCTION_COMPONENT);
        }
        default: return true;
    }
}

static bool fits(Plan *p, const RbExpr *e) {
    if (!e) return true;
    if (!fits_node(p, e)) return false;
    const RbFunction *called = e->op == RB_OP_CALL ? p->model->functions.data[e->index] : NULL;
    for (int i = 0; i < e->arg_count; i++) {
        bool message = called && is_string((RbType)e->args[i]->type);
        if (message && !p->code.compiled[e->index]) return false; // it is needed in full
        if (!message && !fits(p, e->args[i])) return false;
    }
    return true;
}

static bool fits_statements(Plan *p, const RbStatements *list);

static bool fits_statement(Plan *p, const RbStatement *s) {
    if (s->kind == RB_ST_WHEN || s->kind == RB_ST_TERMINATE || s->kind == RB_ST_REINIT)
        return false;
    if (!fits(p, s->target) || (s->kind != RB_ST_ASSERT && !fits(p, s->value))) return false;
    for (int k = 0; k < s->targets.count; k++) {
        if (!fits(p, s->targets.data[k])) return false;
    }
    for (int b = 0; b < s->branches.count; b++) {
        if (!fits(p, s->branches.data[b].condition) ||
            !fits_statements(p, &s->branches.data[b].statements))
            return false;
    }
    return true;
}

static bool fits_statements(Plan *p, const RbStatements *list) {
    for (int i = 0; i < list->count; i++) {
        if (!fits_statement(p, list->data[i])) return false;
    }
    return true;
}

static bool fits_variable(Plan *p, const RbFunction *f, int k) {
    const RbFunctionVar *v = &f->vars.data[k];
    if (is_string(v->type)) return k < f->input_count && v->rank == 0;
    if (k < f->input_count) return true; // arguments are always given
    if (!fits(p, v->binding)) return false;
    for (int d = 0; d < v->rank; d++) {
        if (!fits(p, v->dims[d])) return false;
    }
    return true;
}

static bool fits_function(Plan *p, int function) {
    const RbFunction *f = p->model->functions.data[function];
    if (f->kind != RB_FUNCTION_ALGORITHM) return false;
    p->function = function;
    for (int k = 0; k < f->vars.count; k++) {
        if (!fits_variable(p, f, k)) return false;
    }
    return fits_statements(p, &f->statements);
}

// All are taken for good until one is found that is not; those that rely on it are looked at again.
RbFunctionCode rb_plan_functions(const RbLowered *l, RbArena *scratch) {
    const RbFlatModel *model = l->dae->model;
    int count = model->functions.count;
    Plan p = {.model = model, .again = true};
    p.code.compiled = rb_new_array(scratch, unsigned char, count + 1);
    p.wanted = rb_new_array(scratch, unsigned char, count + 1);
    for (int k = 0; k < l->sites.count; k++) p.wanted[l->sites.data[k].call->index] = 1;
    for (int i = 0; i < count; i++)
        p.code.compiled[i] = model->functions.data[i]->kind == RB_FUNCTION_ALGORITHM;
    while (p.again) {
        p.again = false;
        for (int i = 0; i < count; i++) {
            if (!p.wanted[i] || !p.code.compiled[i]) continue;
            p.code.compiled[i] = fits_function(&p, i);
            p.again |= !p.code.compiled[i];
        }
    }
    for (int i = 0; i < count; i++) p.code.compiled[i] &= p.wanted[i];
    return p.code;
}

// --- shapes --------------------------------------------------------------------------------------

int rb_function_slot(const RbFunction *f, int var) {
    int first = var < f->input_count ? 0 : f->input_count, slot = 0;
    bool array = f->vars.data[var].rank > 0;
    for (int k = first; k < var; k++) slot += (f->vars.data[k].rank > 0) == array;
    return slot;
}

RbFunctionShape rb_function_shape(const RbFunction *f) {
    RbFunctionShape s = {0};
    for (int k = 0; k < f->input_count + f->output_count; k++) {
        bool array = f->vars.data[k].rank > 0, input = k < f->input_count;
        *(array ? (input ? &s.arrays_in : &s.arrays_out)
                : (input ? &s.scalars_in : &s.scalars_out)) += 1;
    }
    return s;
}
