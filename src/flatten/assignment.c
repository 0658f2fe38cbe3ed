// SPDX-License-Identifier: MIT
// a := b: of numbers, arrays, records, and of all the results of a function.
#include "flatten/equations.h"

static bool is_assignable(RbFrontEnd *fe, const RbPlace *ctx, const RbVal *v,
                          const RbAstExpr *text) {
    const RbExpr *e = v->e;
    while (e->op == RB_OP_SUBSCRIPT) e = e->args[0];
    if (e->op == RB_OP_LOCAL && ctx->frame) {
        if (e->index < ctx->frame->function->input_count) {
            rb_fail(fe->diag, RB_ERROR_MODEL, text->at,
                    "'%s' is an input of the function and cannot be assigned",
                    rb_expr_text(fe, text));
            return false;
        }
        return true;
    }
    if (e->op == RB_OP_VAR) {
        RbInst *inst = fe->by_var.data[e->index];
        if (inst->variability >= RB_AST_PARAMETER && !ctx->in_initial) {
            rb_fail(fe->diag, RB_ERROR_MODEL, text->at, "'%s' is a %s and cannot be assigned",
                    inst->path, inst->variability == RB_AST_PARAMETER ? "parameter" : "constant");
            return false;
        }
        if (ctx->in_when) fe->flat->vars.data[e->index].variability = RB_DISCRETE;
        return true;
    }
    rb_fail(fe->diag, RB_ERROR_MODEL, text->at, "'%s' cannot be assigned", rb_expr_text(fe, text));
    return false;
}

// The single assignments that an assignment of records or arrays of components consists of.
typedef struct Assignment {
    const RbExpr *target, *value;
} Assignment;

typedef RB_ARRAY(Assignment) Assignments;

static bool collect(RbFrontEnd *fe, const RbPlace *ctx, const RbVal *target, const RbVal *value,
                    const RbAstEquation *st, Assignments *list) {
    if (target->kind == RB_VAL_RECORD) {
        bool good = true;
        for (int i = 0; i < target->field_count && good; i++)
            good = collect(fe, ctx, &target->fields[i], &value->fields[i], st, list);
        return good;
    }
    if (target->e->op == RB_OP_ARRAY) { // components of an array of components
        bool good = true;
        for (int i = 1; i <= target->dims[0] && good; i++) {
            RbVal t = rb_val_element(fe, target, &i, 1), v = rb_val_element(fe, value, &i, 1);
            good = collect(fe, ctx, &t, &v, st, list);
        }
        return good;
    }
    if (!is_assignable(fe, ctx, target, st->left)) return false;
    rb_array_push(list, fe->arena, (Assignment){target->e, value->e});
    return true;
}

// The call whose results all the values are, or NULL.
static const RbExpr *common_call(const Assignments *list) {
    const RbExpr *call = NULL;
    for (int i = 0; i < list->count; i++) {
        const RbExpr *v = list->data[i].value, *c = v->op == RB_OP_RESULT ? v->args[0] : v;
        if (c->op != RB_OP_CALL || (call && c != call)) return NULL;
        call = c;
    }
    return call;
}

static void assign_call(RbFrontEnd *fe, const RbPlace *ctx, const RbExpr *call,
                        const Assignments *list, const RbAstEquation *st) {
    int count = fe->flat->functions.data[call->index]->output_count;
    RbStatement *out = rb_statement(ctx->statements, fe->arena, RB_ST_CALL, st->at);
    out->value = call;
    for (int k = 0; k < count; k++) rb_array_push(&out->targets, fe->arena, NULL);
    for (int i = 0; i < list->count; i++) {
        const RbExpr *v = list->data[i].value;
        out->targets.data[v->op == RB_OP_RESULT ? v->index : 0] = list->data[i].target;
    }
}

static const RbExpr *base_of(const RbExpr *target) {
    while (target->op == RB_OP_SUBSCRIPT) target = target->args[0];
    return target;
}

// Does a value read what an assignment before it changes?
static bool overlaps(RbFrontEnd *fe, const Assignments *list, RbArena scratch) {
    RbMap assigned = {0};
    for (int i = 0; i < list->count; i++) {
        RbExprOrder order = rb_expr_order(fe->x, &list->data[i].value, 1, &scratch);
        for (int k = 0; k < order.count && i > 0; k++) {
            if (rb_map_find(&assigned, (uint64_t)order.nodes[k]->id)) return true;
        }
        rb_map_set(&assigned, &scratch, (uint64_t)base_of(list->data[i].target)->id, 1);
    }
    return false;
}

static void assign_one(RbFrontEnd *fe, const RbPlace *ctx, const RbExpr *target,
                       const RbExpr *value, const RbAstEquation *st) {
    RbStatement *out = rb_statement(ctx->statements, fe->arena, RB_ST_ASSIGN, st->at);
    out->target = target;
    out->value = value;
}

// All values before the first assignment: in variables of their own.
static void hold_values(RbFrontEnd *fe, const RbPlace *ctx, Assignments *list,
                        const RbAstEquation *st) {
    if (!ctx->frame) {
        rb_fail(fe->diag, RB_ERROR_MODEL, st->at,
                "a record is assigned from its own fields, which is possible in functions only; "
                "assign the fields one by one");
        return;
    }
    RbFunction *f = ctx->frame->function;
    for (int i = 0; i < list->count; i++) {
        const RbExpr *v = list->data[i].value;
        RbFunctionVar var = {.name = rb_arena_printf(fe->arena, "$held%d", f->vars.count),
                             .type = (RbType)v->type,
                             .rank = v->rank};
        rb_array_push(&f->vars, fe->arena, var);
        const RbExpr *held = rb_local(fe->x, f->vars.count - 1, var.type, var.rank);
        assign_one(fe, ctx, held, v, st);
        list->data[i].value = held;
    }
}

// A record is assigned as a whole: no field sees the new value of another one, and a function that
// gives a record is called once.
static void assign(RbFrontEnd *fe, const RbPlace *ctx, const RbVal *target, const RbVal *value,
                   const RbAstEquation *st) {
    Assignments list = {0};
    if (!collect(fe, ctx, target, value, st, &list)) return;
    const RbExpr *call = list.count > 1 ? common_call(&list) : NULL;
    if (call) {
        assign_call(fe, ctx, call, &list, st);
        return;
    }
    if (list.count > 1 && overlaps(fe, &list, *fe->scratch)) hold_values(fe, ctx, &list, st);
    for (int i = 0; i < list.count; i++)
        assign_one(fe, ctx, list.data[i].target, list.data[i].value, st);
}

// Fields of a record result in order.
static void push_targets(RbFrontEnd *fe, RbStatement *out, const RbVal *target,
                         const RbVal *result) {
    if (result->kind == RB_VAL_RECORD) {
        for (int i = 0; i < result->field_count; i++) {
            push_targets(fe, out,
                         target && target->kind == RB_VAL_RECORD ? &target->fields[i] : NULL,
                         &result->fields[i]);
        }
        return;
    }
    rb_array_push(&out->targets, fe->arena,
                  target && target->kind == RB_VAL_EXPR ? target->e : NULL);
}

// The values on the right are known one by one: no function is called for them.
static void assign_each(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st,
                        const RbVal *results) {
    for (int i = 0; i < st->left->kid_count; i++) {
        if (!st->left->kids[i]) continue;
        RbVal t = rb_lower_expr(fe, ctx, st->left->kids[i]);
        RbVal v = rb_val_convert(fe, results->fields[i], &t, st->at, "the result");
        if (t.kind != RB_VAL_ERROR && v.kind != RB_VAL_ERROR) assign(fe, ctx, &t, &v, st);
    }
}

static bool lower_target(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *text,
                         const RbVal *result, RbVal *target) {
    *target = rb_lower_expr(fe, ctx, text);
    if (target->kind == RB_VAL_ERROR) return false;
    if (target->kind == RB_VAL_EXPR && !is_assignable(fe, ctx, target, text)) return false;
    return rb_val_convert(fe, *result, target, text->at, "the result").kind != RB_VAL_ERROR;
}

// (a, , b) := f(x)
static void assign_results(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    RbVal results;
    if (!rb_lower_results(fe, ctx, st, &results)) return;
    if (!results.e || results.e->op != RB_OP_CALL) {
        assign_each(fe, ctx, st, &results);
        return;
    }
    RbStatement *out = rb_new(fe->arena, RbStatement);
    *out = (RbStatement){.kind = RB_ST_CALL, .at = st->at, .value = results.e};
    for (int i = 0; i < st->left->kid_count; i++) {
        const RbAstExpr *text = st->left->kids[i];
        const RbVal *result = &results.fields[i];
        RbVal t;
        if (text && !lower_target(fe, ctx, text, result, &t)) return;
        push_targets(fe, out, text ? &t : NULL, result);
    }
    rb_array_push(ctx->statements, fe->arena, out);
}

void rb_lower_assignment(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    if (st->left->kind == RB_AST_TUPLE) {
        assign_results(fe, ctx, st);
        return;
    }
    RbVal target = rb_lower_expr(fe, ctx, st->left), value = rb_lower_expr(fe, ctx, st->right);
    if (target.kind == RB_VAL_ERROR) return;
    value = rb_val_convert(
        fe, value, &target, st->right->at,
        rb_arena_printf(fe->arena, "the value for '%s'", rb_expr_text(fe, st->left)));
    if (value.kind == RB_VAL_EXPR || value.kind == RB_VAL_RECORD)
        assign(fe, ctx, &target, &value, st);
}
