// SPDX-License-Identifier: MIT
// Equations: loops over known ranges are unrolled, conditions on parameters are decided.
#include "flatten/equations.h"

static void lower_equation(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq);

void rb_lower_equation_list(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list,
                            int count) {
    for (int i = 0; i < count; i++) lower_equation(fe, ctx, list[i]);
}

RbEquation *rb_new_equation(RbFrontEnd *fe, const RbPlace *ctx, RbEquationKind kind, RbPos at) {
    RbEquation *eq = rb_equation(ctx->equations, fe->arena, kind, at);
    eq->origin = fe->origin;
    return eq;
}

static void lower_if_equation(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    RbEquation *out = NULL;
    for (int i = 0; i < eq->block_count; i++) {
        const RbAstBlock *b = &eq->blocks[i];
        const RbExpr *condition;
        RbDecision decision = rb_decide(fe, ctx, b->condition, &condition);
        if (decision == RB_IS_WRONG) return;
        if (decision == RB_IS_FALSE) continue;
        if (decision == RB_IS_TRUE && !out) {
            rb_lower_equation_list(fe, ctx, b->list, b->count);
            return;
        }
        if (!out) out = rb_new_equation(fe, ctx, RB_EQ_IF, eq->at);
        RbPlace inner = *ctx;
        RbEquations list = {0};
        inner.equations = &list;
        inner.program = NULL;
        inner.calls = NULL;
        inner.in_part = true;
        rb_lower_equation_list(fe, &inner, b->list, b->count);
        rb_array_push(&out->branches, fe->arena,
                      (RbBranch){.condition = condition, .equations = list});
        if (decision == RB_IS_TRUE) return;
    }
}

// Signals of the programs in a when-equation. An algorithm, because not every branch has the same.
static void add_signals(RbFrontEnd *fe, const RbPlace *ctx, const RbEquation *when,
                        const RbActionList *programs) {
    RbStatement *out = rb_new(fe->arena, RbStatement);
    bool any = false;
    *out = (RbStatement){.kind = RB_ST_WHEN, .at = when->at};
    for (int i = 0; i < when->branches.count; i++) {
        RbStatementBranch branch = {.condition = when->branches.data[i].condition};
        rb_program_close(fe, &programs[i], &branch.statements, when->at);
        any |= programs[i].number > 0;
        rb_array_push(&out->branches, fe->arena, branch);
    }
    if (!any) return;
    RbEquation *eq = rb_new_equation(fe, ctx, RB_EQ_ALGORITHM, when->at);
    rb_array_push(&eq->statements, fe->arena, out);
}

// Calls with many results in a when-equation that has one branch, each as an algorithm: then the
// function is called once, where equations for the results would each hold a call of it.
static void add_calls(RbFrontEnd *fe, const RbPlace *ctx, const RbEquation *when,
                      const RbStatements *calls) {
    for (int i = 0; i < calls->count; i++) {
        RbStatement *out = rb_new(fe->arena, RbStatement);
        RbStatementBranch branch = {.condition = when->branches.data[0].condition};
        rb_array_push(&branch.statements, fe->arena, calls->data[i]);
        *out = (RbStatement){.kind = RB_ST_WHEN, .at = calls->data[i]->at};
        rb_array_push(&out->branches, fe->arena, branch);
        RbEquation *eq = rb_new_equation(fe, ctx, RB_EQ_ALGORITHM, out->at);
        rb_array_push(&eq->statements, fe->arena, out);
    }
}

static bool is_empty(const RbEquation *when) {
    for (int i = 0; i < when->branches.count; i++) {
        if (when->branches.data[i].equations.count > 0) return false;
    }
    return true;
}

static void lower_when_equation(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    if (ctx->in_when) {
        rb_fail(fe->diag, RB_ERROR_MODEL, eq->at, "a when-clause cannot stand inside another one");
        return;
    }
    if (ctx->in_initial) {
        rb_fail(fe->diag, RB_ERROR_MODEL, eq->at,
                "a when-clause cannot stand in an initial section");
        return;
    }
    RbEquation *out = rb_new(fe->arena, RbEquation);
    *out = (RbEquation){.kind = RB_EQ_WHEN, .at = eq->at, .origin = fe->origin};
    RbActionList *programs = rb_new_array(fe->arena, RbActionList, eq->block_count + 1);
    RbStatements calls = {0};
    for (int i = 0; i < eq->block_count; i++) {
        const RbAstBlock *b = &eq->blocks[i];
        const RbExpr *condition = rb_when_condition(fe, ctx, b->condition);
        if (!condition) return;
        RbPlace inner = *ctx;
        RbEquations list = {0};
        inner.equations = &list;
        inner.in_when = condition->type != RB_CLOCK; // the equations of a clock are equations
        inner.in_part = true;
        inner.program = inner.in_when ? &programs[i] : NULL;
        inner.calls = eq->block_count == 1 && inner.in_when ? &calls : NULL;
        rb_lower_equation_list(fe, &inner, b->list, b->count);
        rb_array_push(&out->branches, fe->arena,
                      (RbBranch){.condition = condition, .equations = list});
    }
    if (!is_empty(out)) rb_array_push(ctx->equations, fe->arena, out);
    add_signals(fe, ctx, out, programs);
    add_calls(fe, ctx, out, &calls);
}

static void lower_call_equation(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    static const RbEquationKind kinds[] = {[RB_EFFECT_ASSERT] = RB_EQ_ASSERT,
                                           [RB_EFFECT_TERMINATE] = RB_EQ_TERMINATE,
                                           [RB_EFFECT_REINIT] = RB_EQ_REINIT};
    RbEffect effect = rb_lower_effect(fe, ctx, eq->left);
    if (effect.kind == RB_EFFECT_NOTHING) return;
    if (effect.kind != RB_EFFECT_CALL) {
        RbEquation *out = rb_new_equation(fe, ctx, kinds[effect.kind], eq->at);
        out->left = effect.left;
        out->right = effect.right;
        out->is_warning = effect.is_warning;
        return;
    }
    RbVal v = rb_lower_expr(fe, ctx, eq->left);
    if (v.kind == RB_VAL_ERROR) return;
    const RbExpr *e = v.kind == RB_VAL_TUPLE || v.kind == RB_VAL_EXPR ? v.e : NULL;
    if (!e || e->op != RB_OP_CALL) {
        rb_fail(fe->diag, RB_ERROR_MODEL, eq->at,
                "this call has a value; write an equation 'x = %s'", rb_expr_text(fe, eq->left));
        return;
    }
    rb_new_equation(fe, ctx, RB_EQ_CALL, eq->at)->right = e;
}

// (a, b) = f(x), or a = f(x) with an array a.
static bool has_many_results(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    bool tuple = eq->left->kind == RB_AST_TUPLE && eq->left->kid_count > 1;
    if (eq->right->kind != RB_AST_CALL || (!tuple && eq->left->kind != RB_AST_REF)) return false;
    RbVal v = rb_lower_expr(fe, ctx, eq->right);
    if (v.kind == RB_VAL_TUPLE) return tuple && v.e && v.e->op == RB_OP_CALL;
    return v.kind == RB_VAL_EXPR && v.rank > 0 && v.e->op == RB_OP_CALL && !tuple;
}

static void lower_call_in_when(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    RbPlace place = *ctx;
    place.statements = ctx->calls;
    place.in_algorithm = true;
    rb_lower_assignment(fe, &place, eq);
}

static void lower_equality(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    if (ctx->calls && has_many_results(fe, ctx, eq)) {
        lower_call_in_when(fe, ctx, eq);
        return;
    }
    RbPlace place = *ctx;
    place.keeps.sizes = place.keeps.slices = !ctx->in_when;
    if (eq->left->kind == RB_AST_TUPLE && eq->left->kid_count > 1) {
        rb_equal_tuple(fe, &place, eq);
        return;
    }
    RbVal a = rb_lower_expr(fe, &place, eq->left), b = rb_lower_expr(fe, &place, eq->right);
    rb_equal(fe, &place, a, b, eq->at);
}

static void lower_one(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    switch (eq->kind) {
        case RB_AST_EQ_EQUAL: lower_equality(fe, ctx, eq); break;
        case RB_AST_EQ_CALL: lower_call_equation(fe, ctx, eq); break;
        case RB_AST_EQ_IF: lower_if_equation(fe, ctx, eq); break;
        case RB_AST_EQ_WHEN: lower_when_equation(fe, ctx, eq); break;
        case RB_AST_EQ_FOR:
            if (!rb_lower_vector_loop(fe, ctx, eq))
                rb_lower_loop(fe, ctx, eq, 0, rb_lower_equation_list);
            break;
        case RB_AST_EQ_CONNECT: break; // connect.c
        default: break;
    }
}

static void lower_equation(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    long before = fe->units_lost;
    int first = ctx->equations->count;
    fe->use_at = eq->at;
    lower_one(fe, ctx, eq);
    for (int i = first; fe->units_lost > before && i < ctx->equations->count; i++) {
        rb_map_set(&fe->without_units, fe->arena, rb_map_key(ctx->equations->data[i]), 1);
    }
}

// --- sections ------------------------------------------------------------------------------------

static void lower_section(RbFrontEnd *fe, RbInst *inst, const RbSectionRef *s) {
    bool initial = s->section->kind == RB_AST_INITIAL_EQUATIONS ||
                   s->section->kind == RB_AST_INITIAL_ALGORITHM;
    RbPlace ctx = {.inst = inst, .scope = s->part, .in_initial = initial};
    RbEquations *list = initial ? &fe->flat->initial_equations : &fe->flat->equations;
    ctx.equations = list;
    if (s->section->kind == RB_AST_EQUATIONS || s->section->kind == RB_AST_INITIAL_EQUATIONS) {
        rb_lower_equation_list(fe, &ctx, s->section->list, s->section->count);
        return;
    }
    RbEquation *eq = rb_new(fe->arena, RbEquation);
    *eq = (RbEquation){.kind = RB_EQ_ALGORITHM, .at = s->section->at, .origin = fe->origin};
    ctx.statements = &eq->statements;
    ctx.in_algorithm = true;
    rb_lower_statements(fe, &ctx, s->section->list, s->section->count);
    if (eq->statements.count > 0) rb_array_push(list, fe->arena, eq);
}

void rb_lower_equations(RbFrontEnd *fe, RbInst *inst) {
    if (inst->kind == RB_INST_ARRAY) {
        for (int i = 0; i < inst->count; i++) rb_lower_equations(fe, inst->items[i]);
    }
    if (inst->kind != RB_INST_COMPONENT) return;
    for (int i = 0; i < inst->class->components.count; i++) {
        RbElem *e = inst->class->components.data[i];
        if (inst->children[i] && !(e->clause->outer && !e->clause->inner))
            rb_lower_equations(fe, inst->children[i]);
    }
    const char *before = fe->origin;
    fe->origin = inst->path;
    for (int i = 0; i < inst->class->sections.count; i++)
        lower_section(fe, inst, &inst->class->sections.data[i]);
    rb_component_equations(fe, inst);
    fe->origin = before;
}
