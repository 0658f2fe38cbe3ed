// SPDX-License-Identifier: MIT
// Statements of algorithms and functions.
#include "flatten/clock.h"
#include "flatten/equations.h"

static void lower_statement(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st);

void rb_lower_statements(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list,
                         int count) {
    for (int i = 0; i < count; i++) lower_statement(fe, ctx, list[i]);
}

static bool check_when(RbFrontEnd *fe, const RbPlace *ctx, RbPos at) {
    if (!ctx->frame && !ctx->in_when && !ctx->in_initial) return true;
    rb_fail(fe->diag, RB_ERROR_MODEL, at, "a when-clause cannot stand %s",
            ctx->frame     ? "in a function"
            : ctx->in_when ? "inside another one"
                           : "in an initial section");
    return false;
}

static void lower_block(RbFrontEnd *fe, const RbPlace *ctx, const RbAstBlock *b,
                        const RbExpr *condition, RbStatement *out) {
    RbStatementBranch branch = {.condition = condition};
    RbActionList program = {0};
    RbPlace inner = *ctx;
    inner.statements = &branch.statements;
    inner.program = ctx->in_when && out->kind != RB_ST_WHILE ? &program : NULL;
    rb_lower_statements(fe, &inner, b->list, b->count);
    rb_program_close(fe, &program, &branch.statements, out->at);
    rb_array_push(&out->branches, fe->arena, branch);
}

static void lower_when(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    if (!check_when(fe, ctx, st->at)) return;
    RbStatement *out = rb_new(fe->arena, RbStatement);
    *out = (RbStatement){.kind = RB_ST_WHEN, .at = st->at};
    RbPlace inner = *ctx;
    inner.in_when = true;
    for (int i = 0; i < st->block_count; i++) {
        const RbExpr *condition = rb_when_conditions(fe, ctx, st->blocks[i].condition);
        if (!condition) return;
        inner.in_when = condition->type != RB_CLOCK;
        lower_block(fe, &inner, &st->blocks[i], condition, out);
    }
    if (out->branches.count > 0) rb_array_push(ctx->statements, fe->arena, out);
}

static void lower_if(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    RbStatement *out = rb_new(fe->arena, RbStatement);
    *out = (RbStatement){.kind = RB_ST_IF, .at = st->at};
    for (int i = 0; i < st->block_count; i++) {
        const RbAstBlock *b = &st->blocks[i];
        const RbExpr *condition;
        RbDecision decision = rb_decide(fe, ctx, b->condition, &condition);
        if (decision == RB_IS_WRONG) return;
        if (decision == RB_IS_FALSE) continue;
        if (decision == RB_IS_TRUE && out->branches.count == 0) {
            rb_lower_statements(fe, ctx, b->list, b->count);
            return;
        }
        lower_block(fe, ctx, b, condition, out);
        if (decision == RB_IS_TRUE) break;
    }
    if (out->branches.count > 0) rb_array_push(ctx->statements, fe->arena, out);
}

// The iterator of a loop in a function: a local.
static RbVal add_iterator(RbFrontEnd *fe, const RbPlace *ctx, const RbAstIterator *it,
                          const RbVal *range) {
    RbFunction *f = ctx->frame->function;
    RbFunctionVar var = {.name = it->name, .type = range->type};
    if (range->type == RB_ENUM && range->class)
        var.enumeration = rb_flat_enumeration(fe, range->class);
    rb_array_push(&f->vars, fe->arena, var);
    RbVal v = *range;
    v.rank = 0;
    v.variability = RB_AST_CONTINUOUS;
    v.e = rb_local(fe->x, f->vars.count - 1, range->type, 0);
    return v;
}

// In a function the loop stays a loop.
static void lower_function_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st,
                                int level) {
    if (level == st->iterator_count) {
        rb_lower_statements(fe, ctx, st->blocks[0].list, st->blocks[0].count);
        return;
    }
    const RbAstIterator *it = &st->iterators[level];
    RbVal range;
    if (!rb_lower_range(fe, ctx, it, rb_loop_body(fe, st), &range)) return;
    if (range.kind != RB_VAL_EXPR) {
        rb_fail(fe->diag, RB_ERROR_MODEL, it->at, "a loop over records is not supported");
        return;
    }
    RbLoopVar loop = {
        .name = it->name, .value = add_iterator(fe, ctx, it, &range), .outer = ctx->loops};
    RbStatement *out = rb_statement(ctx->statements, fe->arena, RB_ST_FOR, st->at);
    out->target = loop.value.e;
    out->value = range.e;
    RbStatementBranch branch = {0};
    RbPlace inner = *ctx;
    inner.loops = &loop;
    inner.statements = &branch.statements;
    lower_function_loop(fe, &inner, st, level + 1);
    rb_array_push(&out->branches, fe->arena, branch);
}

static void lower_while(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    RbVal condition = rb_lower_condition(fe, ctx, st->blocks[0].condition, "while", false);
    if (condition.kind == RB_VAL_ERROR) return;
    RbStatement *out = rb_statement(ctx->statements, fe->arena, RB_ST_WHILE, st->at);
    lower_block(fe, ctx, &st->blocks[0], condition.e, out);
}

static void lower_call_statement(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    static const RbStatementKind kinds[] = {[RB_EFFECT_ASSERT] = RB_ST_ASSERT,
                                            [RB_EFFECT_TERMINATE] = RB_ST_TERMINATE,
                                            [RB_EFFECT_REINIT] = RB_ST_REINIT};
    RbEffect effect = rb_lower_effect(fe, ctx, st->left);
    if (effect.kind == RB_EFFECT_NOTHING) return;
    if (effect.kind != RB_EFFECT_CALL) {
        RbStatement *out = rb_statement(ctx->statements, fe->arena, kinds[effect.kind], st->at);
        out->target = effect.left;
        out->value = effect.right;
        out->is_warning = effect.is_warning;
        return;
    }
    RbVal v = rb_lower_expr(fe, ctx, st->left);
    if (v.kind == RB_VAL_ERROR) return;
    const RbExpr *e = v.kind == RB_VAL_RECORD && v.field_count > 0 ? v.fields[0].e : v.e;
    if (e && e->op == RB_OP_RESULT) e = e->args[0];
    if (!e || e->op != RB_OP_CALL) return; // a value that nobody uses
    rb_statement(ctx->statements, fe->arena, RB_ST_CALL, st->at)->value = e;
}

static bool can_break(const RbStatements *list) {
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        if (s->kind == RB_ST_BREAK) return true;
        for (int k = 0; (s->kind == RB_ST_IF || s->kind == RB_ST_WHEN) && k < s->branches.count;
             k++)
            if (can_break(&s->branches.data[k].statements)) return true;
    }
    return false;
}

static void assign(RbFrontEnd *fe, RbStatements *list, int v, const RbExpr *value, RbPos at) {
    RbStatement *s = rb_statement(list, fe->arena, RB_ST_ASSIGN, at);
    s->target = rb_flat_ref(fe->flat, v);
    s->value = value;
}

// The range of a loop over Integers whose ends are variables; NULL: it is none.
static const RbExpr *open_range(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    if (st->iterator_count != 1 || !st->iterators[0].range || st->iterators[0].range->kind != RB_AST_RANGE) return NULL;
    RbVal range = rb_lower_expr(fe, ctx, st->iterators[0].range);
    bool open = range.kind == RB_VAL_EXPR && range.rank == 1 && range.dims[0] < 0 && range.type == RB_INTEGER;
    return open && range.e->op == RB_OP_RANGE && range.e->args[1]->op == RB_OP_INTEGER && range.e->args[1]->integer != 0
               ? range.e
               : NULL;
}

// for i in first:step:last with a variable as iterator: i := first; while i <= last loop ... i := i + step; end while
static void lower_open_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st, const RbExpr *range) {
    int i = rb_clock_scalar(fe, "loop", RB_INTEGER, st->at), last = rb_clock_scalar(fe, "last", RB_INTEGER, st->at);
    assign(fe, ctx->statements, last, range->args[2], st->at);
    assign(fe, ctx->statements, i, range->args[0], st->at);
    const RbExpr *at = rb_flat_ref(fe->flat, i), *step = range->args[1];
    RbLoopVar loop = {.name = st->iterators[0].name, .value = rb_val_scalar(at, RB_AST_DISCRETE), .outer = ctx->loops};
    RbStatementBranch branch = {.condition = rb_relate(fe->x, step->integer > 0 ? RB_OP_LE : RB_OP_GE, at, rb_flat_ref(fe->flat, last))};
    RbPlace inner = *ctx;
    inner.loops = &loop;
    inner.program = NULL;
    inner.statements = &branch.statements;
    RbStatement *out = rb_statement(ctx->statements, fe->arena, RB_ST_WHILE, st->at);
    rb_lower_statements(fe, &inner, st->blocks[0].list, st->blocks[0].count);
    assign(fe, &branch.statements, i, rb_add(fe->x, at, step), st->at);
    rb_array_push(&out->branches, fe->arena, branch);
}

// Outside of functions loops are unrolled, unless their range varies. One that may be left early becomes a loop that runs
// once, around all that came out of it.
static void lower_unrolled_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    const RbExpr *range = open_range(fe, ctx, st);
    if (range) {
        lower_open_loop(fe, ctx, st, range);
        return;
    }
    RbStatementBranch body = {.condition = rb_boolean(fe->x, true)};
    RbPlace inner = *ctx;
    inner.statements = &body.statements;
    rb_lower_loop(fe, &inner, st, 0, rb_lower_statements);
    if (!can_break(&body.statements)) {
        for (int i = 0; i < body.statements.count; i++)
            rb_array_push(ctx->statements, fe->arena, body.statements.data[i]);
        return;
    }
    if (st->iterator_count > 1) {
        rb_fail(fe->diag, RB_ERROR_MODEL, st->at,
                "break in a loop over several iterators is not supported outside of functions; "
                "write one loop inside the other");
        return;
    }
    rb_statement(&body.statements, fe->arena, RB_ST_BREAK, st->at);
    RbStatement *out = rb_statement(ctx->statements, fe->arena, RB_ST_WHILE, st->at);
    rb_array_push(&out->branches, fe->arena, body);
}

static void lower_statement(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    switch (st->kind) {
        case RB_AST_EQ_EQUAL: rb_lower_assignment(fe, ctx, st); break;
        case RB_AST_EQ_CALL: lower_call_statement(fe, ctx, st); break;
        case RB_AST_EQ_IF: lower_if(fe, ctx, st); break;
        case RB_AST_EQ_WHEN: lower_when(fe, ctx, st); break;
        case RB_AST_EQ_FOR:
            if (ctx->frame)
                lower_function_loop(fe, ctx, st, 0);
            else
                lower_unrolled_loop(fe, ctx, st);
            break;
        case RB_AST_EQ_WHILE: lower_while(fe, ctx, st); break;
        case RB_AST_EQ_BREAK: rb_statement(ctx->statements, fe->arena, RB_ST_BREAK, st->at); break;
        case RB_AST_EQ_RETURN:
            if (!ctx->frame)
                rb_fail(fe->diag, RB_ERROR_MODEL, st->at, "'return' can only stand in a function");
            rb_statement(ctx->statements, fe->arena, RB_ST_RETURN, st->at);
            break;
        default: break;
    }
}
