// SPDX-License-Identifier: MIT
// Numbers of equations and variables: a model that does not have as many of one as of the other
// cannot be solved.
#include <stdlib.h>
#include <string.h>

#include "flatten/frontend.h"

// Number of elements of an expression; -1 if that is not easily seen.
static int expr_size(RbFrontEnd *fe, const RbExpr *e) {
    if (e->rank == 0) return 1;
    switch (e->op) {
        case RB_OP_VAR: return rb_flat_size(&fe->flat->vars.data[e->index]);
        case RB_OP_ARRAY: return e->arg_count * (e->arg_count > 0 ? expr_size(fe, e->args[0]) : 1);
        case RB_OP_DER:
        case RB_OP_PRE:
        case RB_OP_NEG: return expr_size(fe, e->args[0]);
        case RB_OP_ADD:
        case RB_OP_SUB: {
            int size = e->args[0]->rank > 0 ? expr_size(fe, e->args[0]) : -1; // 1 .+ x
            return size >= 0 ? size : e->args[1]->rank > 0 ? expr_size(fe, e->args[1]) : -1;
        }
        default: return -1;
    }
}

typedef struct Count {
    RbFrontEnd *fe;
    unsigned char *assigned; // per variable, within one when or algorithm
} Count;

static int target_size(RbFrontEnd *fe, const RbExpr *e) {
    if (e->op == RB_OP_VAR) return rb_flat_size(&fe->flat->vars.data[e->index]);
    return 1;
}

static int mark(Count *c, const RbExpr *e) {
    const RbExpr *var = e;
    while (var->op == RB_OP_SUBSCRIPT) var = var->args[0];
    if (var->op != RB_OP_VAR) return 0;
    if (e->op == RB_OP_SUBSCRIPT) { // elements: the whole array counts once
        if (c->assigned[var->index]) return 0;
        c->assigned[var->index] = 1;
        return rb_flat_size(&c->fe->flat->vars.data[var->index]);
    }
    if (c->assigned[var->index]) return 0;
    c->assigned[var->index] = 1;
    return target_size(c->fe, var);
}

static int count_statements(Count *c, const RbStatements *list) {
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const RbStatement *st = list->data[i];
        if (st->kind == RB_ST_ASSIGN) count += mark(c, st->target);
        for (int k = 0; st->kind == RB_ST_CALL && k < st->targets.count; k++) {
            if (st->targets.data[k]) count += mark(c, st->targets.data[k]);
        }
        for (int k = 0; k < st->branches.count; k++)
            count += count_statements(c, &st->branches.data[k].statements);
    }
    return count;
}

static int count_when(Count *c, const RbEquations *list) {
    int count = 0;
    for (int i = 0; i < list->count; i++) {
        const RbEquation *eq = list->data[i];
        if (eq->kind == RB_EQ_EQUAL) {
            if (eq->left->op == RB_OP_SUBSCRIPT && eq->left->rank == 0)
                count++; // every element has its own clause
            else
                count += mark(c, eq->left);
        }
        for (int k = 0; k < eq->branches.count; k++)
            count += count_when(c, &eq->branches.data[k].equations);
    }
    return count;
}

static int equation_size(Count *c, const RbEquation *eq) {
    RbFrontEnd *fe = c->fe;
    int left, right;
    switch (eq->kind) {
        case RB_EQ_EQUAL:
            left = expr_size(fe, eq->left);
            right = expr_size(fe, eq->right);
            return left >= 0 ? left : right;
        case RB_EQ_IF: {
            int count = 0;
            for (int k = 0; eq->branches.count > 0 && k < eq->branches.data[0].equations.count;
                 k++) {
                int size = equation_size(c, eq->branches.data[0].equations.data[k]);
                if (size < 0) return -1;
                count += size;
            }
            return count;
        }
        case RB_EQ_WHEN: {
            int count = 0;
            memset(c->assigned, 0, (size_t)fe->flat->vars.count);
            if (eq->branches.count > 0) count = count_when(c, &eq->branches.data[0].equations);
            return count;
        }
        case RB_EQ_ALGORITHM:
            memset(c->assigned, 0, (size_t)fe->flat->vars.count);
            return count_statements(c, &eq->statements);
        default: return 0;
    }
}

static bool is_unknown(const RbFlatVar *v) {
    return v->variability != RB_PARAMETER && v->variability != RB_CONSTANT &&
           v->causality != RB_INPUT && v->type != RB_EXTERNAL;
}

// Does some equation name the variable?
static void mark_used(RbFrontEnd *fe, const RbExpr *e, unsigned char *used) {
    if (!e) return;
    RbIndices vars = rb_expr_vars(fe->x, e, fe->work);
    for (int i = 0; i < vars.count; i++) used[vars.data[i]] = 1;
}

static void mark_equations(RbFrontEnd *fe, const RbEquations *list, unsigned char *used);

static void mark_statements(RbFrontEnd *fe, const RbStatements *list, unsigned char *used) {
    for (int i = 0; i < list->count; i++) {
        mark_used(fe, list->data[i]->target, used);
        mark_used(fe, list->data[i]->value, used);
        for (int k = 0; k < list->data[i]->targets.count; k++)
            mark_used(fe, list->data[i]->targets.data[k], used);
        for (int k = 0; k < list->data[i]->branches.count; k++)
            mark_statements(fe, &list->data[i]->branches.data[k].statements, used);
    }
}

static void mark_equations(RbFrontEnd *fe, const RbEquations *list, unsigned char *used) {
    for (int i = 0; i < list->count; i++) {
        const RbEquation *eq = list->data[i];
        if (eq->kind != RB_EQ_ASSERT) mark_used(fe, eq->left, used);
        if (eq->kind != RB_EQ_ASSERT) mark_used(fe, eq->right, used);
        mark_statements(fe, &eq->statements, used);
        for (int k = 0; k < eq->branches.count; k++)
            mark_equations(fe, &eq->branches.data[k].equations, used);
    }
}

// Variables that no equation names, and inputs that nothing sets: what a user most likely forgot.
static const char *suspects(RbFrontEnd *fe) {
    RbFlatModel *flat = fe->flat;
    unsigned char *used = rb_new_array(fe->work, unsigned char, flat->vars.count + 1);
    mark_equations(fe, &flat->equations, used);
    for (int i = 0; i < flat->vars.count; i++) {
        mark_used(fe, flat->vars.data[i].binding, used);
        if (flat->vars.data[i].binding) used[i] = 1;
    }
    RbText text = rb_text(fe->work);
    int count = 0;
    for (int i = 0; i < flat->vars.count; i++) {
        if (used[i] || !is_unknown(&flat->vars.data[i]) || rb_flat_size(&flat->vars.data[i]) == 0)
            continue;
        if (count++ >= 3) continue;
        rb_text_printf(&text, "%s'%s'", count == 1 ? "; no equation uses " : ", ",
                       flat->vars.data[i].name);
    }
    if (count > 3) rb_text_printf(&text, " and %d more", count - 3);
    if (count > 0) return text.data;
    for (int i = 0; i < flat->vars.count; i++) {
        const RbInst *inst = fe->by_var.data[i];
        bool free = inst->elem && inst->causality == RB_AST_INPUT && !flat->vars.data[i].binding &&
                    inst->connections == 0 && is_unknown(&flat->vars.data[i]) &&
                    rb_class_is_connector(inst->class);
        if (!free) continue;
        if (count++ >= 3) continue;
        rb_text_printf(&text, "%s'%s'", count == 1 ? "; not connected: " : ", ",
                       flat->vars.data[i].name);
    }
    if (count > 3) rb_text_printf(&text, " and %d more", count - 3);
    return count > 0 ? text.data : "";
}

void rb_check_balance(RbFrontEnd *fe) {
    RbFlatModel *flat = fe->flat;
    Count c = {.fe = fe, .assigned = rb_new_array(fe->work, unsigned char, flat->vars.count + 1)};
    int unknowns = 0, equations = 0;
    for (int i = 0; i < flat->vars.count; i++) {
        const RbFlatVar *v = &flat->vars.data[i];
        if (!is_unknown(v)) continue;
        unknowns += rb_flat_size(v);
        if (v->binding) equations += rb_flat_size(v);
    }
    for (int i = 0; i < flat->equations.count; i++) {
        int size = equation_size(&c, flat->equations.data[i]);
        if (size < 0) return; // a size that only dae can tell
        equations += size;
    }
    if (unknowns == equations || (equations < unknowns && rb_sets_explain(fe))) return;
    int more = abs(equations - unknowns);
    flat->imbalance = rb_arena_printf(fe->arena, "'%s' has %d equation%s for %d variable%s: %d %s",
                                      flat->name, equations, equations == 1 ? "" : "s", unknowns,
                                      unknowns == 1 ? "" : "s", more,
                                      equations > unknowns ? "too many"
                                      : more == 1          ? "more is needed"
                                                           : "more are needed");
    // Otherwise the structure of the equations tells which are meant (dae/report.c).
    const char *which = equations < unknowns ? suspects(fe) : "";
    if (*which)
        rb_fail(fe->diag, RB_ERROR_MODEL, fe->root->class->root->def->at, "%s%s", flat->imbalance,
                which);
}

void rb_check_left_limits(RbFrontEnd *fe) {
    for (int i = 0; i < fe->left_limits.count; i++) {
        const RbLeftLimit *l = &fe->left_limits.data[i];
        const RbFlatVar *v = &fe->flat->vars.data[l->var];
        if (v->variability != RB_CONTINUOUS) continue;
        rb_fail(
            fe->diag, RB_ERROR_MODEL, l->at,
            "%s(...) of '%s', which changes continuously, has a meaning only in a when-clause: at "
            "other times it would be '%s' itself",
            l->function, v->name, v->name);
    }
}
