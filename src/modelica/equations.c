// SPDX-License-Identifier: MIT
// Equations and statements: loops over known ranges are unrolled, conditions on parameters are
// decided.
#include <string.h>

#include "modelica/frontend.h"

static void lower_equation(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq);

static void lower_list(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list, int count) {
    for (int i = 0; i < count; i++) lower_equation(fe, ctx, list[i]);
}

void rb_lower_equation_list(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list,
                            int count) {
    lower_list(fe, ctx, list, count);
}

static RbEquation *new_equation(RbFrontEnd *fe, const RbPlace *ctx, RbEquationKind kind, RbPos at) {
    RbEquation *eq = rb_equation(ctx->equations, fe->arena, kind, at);
    eq->origin = fe->origin;
    return eq;
}

static int size_of(const RbVal *v) {
    int size = 1;
    for (int i = 0; i < v->rank; i++) size = v->dims[i] < 0 ? -1 : size * v->dims[i];
    return size;
}

// --- equality ------------------------------------------------------------------------------------

// The variable that an expression is, or an element of; -1 if it is something else.
static int variable_of(const RbExpr *e) {
    if (e->op == RB_OP_SUBSCRIPT) e = e->args[0];
    return e->op == RB_OP_VAR ? e->index : -1;
}

// In a when-clause the variable on the left (or the only one on the right) is assigned and thereby
// discrete.
static void equal_in_when(RbFrontEnd *fe, const RbPlace *ctx, RbVal a, RbVal b, RbPos at) {
    if (variable_of(a.e) < 0 && a.e->op == RB_OP_ARRAY && a.rank > 0) {
        for (int i = 1; i <= a.dims[0]; i++) {
            equal_in_when(fe, ctx, rb_val_element(fe, &a, &i, 1), rb_val_element(fe, &b, &i, 1),
                          at);
        }
        return;
    }
    if (variable_of(a.e) < 0 && variable_of(b.e) >= 0) {
        RbVal swap = a;
        a = b;
        b = swap;
    }
    int var = variable_of(a.e);
    if (var < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "an equation in a when-clause must have a variable on its left side");
        return;
    }
    if (fe->by_var.data[var]->variability >= RB_AST_PARAMETER) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "'%s' is a %s and cannot be changed in a when-clause",
                fe->flat->vars.data[var].name,
                fe->by_var.data[var]->variability == RB_AST_PARAMETER ? "parameter" : "constant");
        return;
    }
    fe->flat->vars.data[var].variability = RB_DISCRETE;
    RbEquation *eq = new_equation(fe, ctx, RB_EQ_EQUAL, at);
    eq->left = a.e;
    eq->right = b.e;
}

static void equal(RbFrontEnd *fe, const RbPlace *ctx, RbVal a, RbVal b, RbPos at) {
    if (a.kind == RB_VAL_TUPLE && a.field_count > 0) a = a.fields[0];
    if (b.kind == RB_VAL_TUPLE && b.field_count > 0) b = b.fields[0];
    if (a.kind == RB_VAL_ERROR || b.kind == RB_VAL_ERROR) return;
    if (a.kind == RB_VAL_ABSENT || b.kind == RB_VAL_ABSENT) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "'%s' does not exist because its condition is false",
                a.kind == RB_VAL_ABSENT ? a.inst->path : b.inst->path);
        return;
    }
    if (a.kind == RB_VAL_RECORD && b.kind == RB_VAL_RECORD) {
        b = rb_val_convert(fe, b, &a, at, "the right side");
        if (b.kind == RB_VAL_ERROR) return;
        for (int i = 0; i < a.field_count; i++) {
            if (a.fields[i].variability < RB_AST_PARAMETER ||
                b.fields[i].variability < RB_AST_PARAMETER) {
                equal(fe, ctx, a.fields[i], b.fields[i], at);
            }
        }
        return;
    }
    bool values = a.kind == RB_VAL_EXPR && b.kind == RB_VAL_EXPR;
    bool numbers = values && (a.type == RB_REAL || a.type == RB_INTEGER) &&
                   (b.type == RB_REAL || b.type == RB_INTEGER);
    bool integer_gets_real =
        values && a.type == RB_INTEGER && b.type == RB_REAL && variable_of(a.e) >= 0;
    bool enums = values && a.type == RB_ENUM && b.type == RB_ENUM &&
                 (!a.class || !b.class || a.class->enumeration == b.class->enumeration);
    if (!values || !(numbers || enums || (a.type == b.type && a.type != RB_ENUM)) ||
        integer_gets_real) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at,
                "the sides of this equation do not fit together: %s = %s", rb_val_type_name(fe, &a),
                rb_val_type_name(fe, &b));
        return;
    }
    bool same = a.rank == b.rank;
    for (int i = 0; same && i < a.rank; i++) same = a.dims[i] == b.dims[i];
    if (!same) {
        rb_fail(fe->diag, RB_ERROR_MODEL, at, "the sides of this equation differ in size: %s = %s",
                rb_val_type_name(fe, &a), rb_val_type_name(fe, &b));
        return;
    }
    if (size_of(&a) == 0) return;
    if (ctx->in_when) {
        equal_in_when(fe, ctx, a, b, at);
        return;
    }
    RbEquation *eq = new_equation(fe, ctx, RB_EQ_EQUAL, at);
    eq->left = a.e;
    eq->right = b.e;
}

// (a, , b) = f(x)
static void equal_tuple(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    RbVal results = rb_lower_expr(fe, ctx, eq->right);
    if (results.kind == RB_VAL_ERROR) return;
    RbVal one = results;
    if (results.kind != RB_VAL_TUPLE)
        results = (RbVal){.kind = RB_VAL_TUPLE, .fields = &one, .field_count = 1};
    if (eq->left->kid_count > results.field_count) {
        rb_fail(fe->diag, RB_ERROR_MODEL, eq->at, "%d results are wanted, but the function has %d",
                eq->left->kid_count, results.field_count);
        return;
    }
    for (int i = 0; i < eq->left->kid_count; i++) {
        if (eq->left->kids[i])
            equal(fe, ctx, rb_lower_expr(fe, ctx, eq->left->kids[i]), results.fields[i], eq->at);
    }
}

// --- conditions ----------------------------------------------------------------------------------

static RbVal lower_condition(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e,
                             const char *what, bool vector) {
    RbVal v = rb_lower_expr(fe, ctx, e);
    if (v.kind == RB_VAL_TUPLE && v.field_count > 0) v = v.fields[0];
    if (v.kind == RB_VAL_ERROR) return v;
    if (v.kind != RB_VAL_EXPR || v.type != RB_BOOLEAN || v.rank > (vector ? 1 : 0)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, e->at,
                "the condition of '%s' must be Boolean, but this is %s", what,
                rb_val_type_name(fe, &v));
        return rb_val_error();
    }
    return v;
}

// 1: true, 0: false, -1: only known during the simulation, -2: wrong
static int decide(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e, const char *what,
                  RbVal *condition) {
    *condition = lower_condition(fe, ctx, e, what, false);
    if (condition->kind == RB_VAL_ERROR) return -2;
    RbExprValue value;
    if (condition->variability >= RB_AST_PARAMETER &&
        rb_val_evaluate(fe, condition, &value, e->at, NULL))
        return value.data[0] != 0;
    return -1;
}

static void lower_if_equation(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    RbEquation *out = NULL;
    for (int i = 0; i < eq->block_count; i++) {
        const RbAstBlock *b = &eq->blocks[i];
        RbVal condition = {0};
        int known = b->condition ? decide(fe, ctx, b->condition, "if", &condition) : 1;
        if (known == -2) return;
        if (known == 0) continue;
        if (known == 1 && !out) {
            lower_list(fe, ctx, b->list, b->count);
            return;
        }
        if (!out) out = new_equation(fe, ctx, RB_EQ_IF, eq->at);
        rb_array_push(&out->branches, fe->arena,
                      (RbBranch){.condition = known == 1 ? NULL : condition.e});
        RbPlace inner = *ctx;
        RbEquations list = {0};
        inner.equations = &list;
        lower_list(fe, &inner, b->list, b->count);
        out->branches.data[out->branches.count - 1].equations = list;
        if (known == 1) return;
    }
}

// A Boolean variable of our own for a condition that needs a left limit.
static const RbExpr *auxiliary(RbFrontEnd *fe, const RbExpr *e, RbPos at) {
    RbName name = rb_intern(fe->names, rb_arena_printf(fe->arena, "$when%d", fe->flat->vars.count));
    RbFlatVar var = {.name = name,
                     .variability = RB_DISCRETE,
                     .type = RB_BOOLEAN,
                     .binding = e,
                     .is_protected = true,
                     .hide_result = true,
                     .attributes = {.state_select = RB_STATE_DEFAULT},
                     .at = at};
    int index = rb_flat_add(fe->flat, &var);
    RbInst *inst = rb_new(fe->arena, RbInst);
    *inst = (RbInst){.kind = RB_INST_LEAF,
                     .class = fe->classes->boolean,
                     .path = name,
                     .var = index,
                     .parent = fe->root};
    rb_array_push(&fe->by_var, fe->arena, inst);
    return rb_flat_ref(fe->flat, index);
}

// when {a, b}: active when one of them becomes true, even if another one is true already.
static const RbExpr *when_condition(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *e) {
    RbVal v = lower_condition(fe, ctx, e, "when", true);
    if (v.kind == RB_VAL_ERROR) return NULL;
    if (v.rank == 0) return v.e;
    const RbExpr *any = NULL;
    for (int i = 1; i <= v.dims[0]; i++) {
        const RbExpr *c = rb_val_element(fe, &v, &i, 1).e;
        bool pulse =
            c->op == RB_OP_BUILTIN &&
            (c->index == RB_FN_INITIAL || c->index == RB_FN_SAMPLE || c->index == RB_FN_TERMINAL);
        bool variable = variable_of(c) >= 0;
        if (!pulse && !rb_is_constant(c) && v.dims[0] > 1) {
            c = rb_builtin1(fe->x, RB_FN_EDGE, variable ? c : auxiliary(fe, c, e->at));
        }
        any = any ? rb_or(fe->x, any, c) : c;
    }
    return any ? any : rb_boolean(fe->x, false);
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
    for (int i = 0; i < eq->block_count; i++) {
        const RbAstBlock *b = &eq->blocks[i];
        const RbExpr *condition = when_condition(fe, ctx, b->condition);
        if (!condition) return;
        RbPlace inner = *ctx;
        RbEquations list = {0};
        inner.equations = &list;
        inner.in_when = true;
        lower_list(fe, &inner, b->list, b->count);
        rb_array_push(&out->branches, fe->arena,
                      (RbBranch){.condition = condition, .equations = list});
    }
    rb_array_push(ctx->equations, fe->arena, out);
}

// --- loops ---------------------------------------------------------------------------------------

// A text in which the iterator is used as a subscript, to find its range.
static const RbAstExpr *body_expression(RbFrontEnd *fe, const RbAstEquation *eq) {
    RB_ARRAY(RbAstExpr *) kids = {0};
    const RbAstBlock *b = &eq->blocks[0];
    for (int i = 0; i < b->count; i++) {
        if (b->list[i]->left) rb_array_push(&kids, fe->arena, b->list[i]->left);
        if (b->list[i]->right) rb_array_push(&kids, fe->arena, b->list[i]->right);
    }
    RbAstExpr *list = rb_new(fe->arena, RbAstExpr);
    *list =
        (RbAstExpr){.kind = RB_AST_LIST, .at = eq->at, .kids = kids.data, .kid_count = kids.count};
    return list;
}

typedef void (*Body)(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list, int count);

static void unroll(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq, int level,
                   Body body) {
    if (level == eq->iterator_count) {
        body(fe, ctx, eq->blocks[0].list, eq->blocks[0].count);
        return;
    }
    const RbAstIterator *it = &eq->iterators[level];
    RbVal range;
    if (!rb_lower_range(fe, ctx, it, body_expression(fe, eq), &range)) return;
    if (range.dims[0] < 0) {
        RbExprValue value;
        const char *what = rb_arena_printf(fe->arena, "the range of '%s'", it->name);
        rb_val_evaluate(fe, &range, &value, it->at, what);
        return;
    }
    for (int i = 1; i <= range.dims[0]; i++) {
        RbLoopVar var = {
            .name = it->name, .value = rb_val_element(fe, &range, &i, 1), .outer = ctx->loops};
        RbPlace inner = *ctx;
        inner.loops = &var;
        unroll(fe, &inner, eq, level + 1, body);
        if (fe->diag->error_count > fe->diag->error_limit) return;
    }
}

// --- calls that are equations --------------------------------------------------------------------

static const RbAstExpr *argument(const RbAstExpr *call, int position, const char *name) {
    for (int i = 1; i < call->kid_count; i++) {
        const RbAstExpr *a = call->kids[i];
        if (a->kind == RB_AST_NAMED ? strcmp(a->name, name) == 0 : i == position)
            return a->kind == RB_AST_NAMED ? a->kids[0] : a;
    }
    return NULL;
}

typedef struct Assertion {
    const RbExpr *condition, *message;
    bool is_warning;
    bool good;
} Assertion;

static Assertion lower_assertion(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call) {
    Assertion out = {0};
    const RbAstExpr *condition = argument(call, 1, "condition"),
                    *message = argument(call, 2, "message");
    const RbAstExpr *level = argument(call, 3, "level");
    if (!condition || !message) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "assert needs a condition and a message");
        return out;
    }
    RbVal c = lower_condition(fe, ctx, condition, "assert", false);
    if (c.kind == RB_VAL_ERROR) return out;
    // A message that cannot be lowered would hide the condition, which matters more.
    RbVal m = rb_lower_expr(fe, ctx, message);
    if (m.kind == RB_VAL_ERROR) return out;
    if (m.kind != RB_VAL_EXPR || m.type != RB_STRING || m.rank > 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, message->at,
                "the message of assert must be String, but this is %s", rb_val_type_name(fe, &m));
        return out;
    }
    if (level) {
        RbVal l = rb_lower_expr(fe, ctx, level);
        int64_t which;
        if (!rb_val_evaluate_integer(fe, &l, &which, level->at, "the level of an assertion"))
            return out;
        out.is_warning = which == 1; // AssertionLevel.warning
    }
    out.condition = c.e;
    out.message = m.e;
    out.good = true;
    return out;
}

static bool lower_reinit(RbFrontEnd *fe, const RbPlace *ctx, const RbAstExpr *call, RbVal *state,
                         RbVal *value) {
    if (call->kid_count != 3) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at,
                "reinit needs two arguments: a state and its new value");
        return false;
    }
    if (!ctx->in_when) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->at, "reinit can only be used in a when-clause");
        return false;
    }
    *state = rb_lower_expr(fe, ctx, call->kids[1]);
    *value = rb_lower_expr(fe, ctx, call->kids[2]);
    if (state->kind == RB_VAL_ERROR || value->kind == RB_VAL_ERROR) return false;
    if (state->kind != RB_VAL_EXPR || state->type != RB_REAL || variable_of(state->e) < 0) {
        rb_fail(fe->diag, RB_ERROR_MODEL, call->kids[1]->at, "reinit needs a Real variable");
        return false;
    }
    *value = rb_val_convert(fe, *value, state, call->kids[2]->at, "the new value in reinit");
    return value->kind == RB_VAL_EXPR;
}

static bool is_call_of(const RbAstExpr *call, const char *name) {
    const RbAstExpr *ref = call->kids[0];
    return ref->kind == RB_AST_REF && ref->kid_count == 1 && strcmp(ref->parts[0].name, name) == 0;
}

static void lower_call_equation(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    const RbAstExpr *call = eq->left;
    if (is_call_of(call, "assert")) {
        Assertion a = lower_assertion(fe, ctx, call);
        if (!a.good || (a.condition->op == RB_OP_BOOLEAN && a.condition->integer)) return;
        RbEquation *out = new_equation(fe, ctx, RB_EQ_ASSERT, eq->at);
        out->left = a.condition;
        out->right = a.message;
        out->is_warning = a.is_warning;
    } else if (is_call_of(call, "terminate")) {
        RbVal m = call->kid_count == 2
                      ? rb_lower_expr(fe, ctx,
                                      argument(call, 1, "message") ? argument(call, 1, "message")
                                                                   : call->kids[1])
                      : rb_val_error();
        if (m.kind != RB_VAL_EXPR || m.type != RB_STRING) {
            rb_fail(fe->diag, RB_ERROR_MODEL, eq->at, "terminate needs a message");
            return;
        }
        new_equation(fe, ctx, RB_EQ_TERMINATE, eq->at)->right = m.e;
    } else if (is_call_of(call, "reinit")) {
        RbVal state, value;
        if (!lower_reinit(fe, ctx, call, &state, &value)) return;
        RbEquation *out = new_equation(fe, ctx, RB_EQ_REINIT, eq->at);
        out->left = state.e;
        out->right = value.e;
    } else {
        RbVal v = rb_lower_expr(fe, ctx, call);
        if (v.kind == RB_VAL_ERROR) return;
        const RbExpr *e = v.kind == RB_VAL_TUPLE ? v.e : v.kind == RB_VAL_EXPR ? v.e : NULL;
        if (!e || e->op != RB_OP_CALL) {
            rb_fail(fe->diag, RB_ERROR_MODEL, eq->at,
                    "this call has a value; write an equation 'x = %s'", rb_expr_text(fe, call));
            return;
        }
        new_equation(fe, ctx, RB_EQ_CALL, eq->at)->right = e;
    }
}

static void lower_one(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    switch (eq->kind) {
        case RB_AST_EQ_EQUAL:
            if (eq->left->kind == RB_AST_TUPLE && eq->left->kid_count > 1) {
                equal_tuple(fe, ctx, eq);
            } else {
                RbVal a = rb_lower_expr(fe, ctx, eq->left), b = rb_lower_expr(fe, ctx, eq->right);
                equal(fe, ctx, a, b, eq->at);
            }
            break;
        case RB_AST_EQ_CALL: lower_call_equation(fe, ctx, eq); break;
        case RB_AST_EQ_IF: lower_if_equation(fe, ctx, eq); break;
        case RB_AST_EQ_WHEN: lower_when_equation(fe, ctx, eq); break;
        case RB_AST_EQ_FOR: unroll(fe, ctx, eq, 0, lower_list); break;
        case RB_AST_EQ_CONNECT: break; // connect.c
        default: break;
    }
}

static void lower_equation(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *eq) {
    long before = fe->units_lost;
    int first = ctx->equations->count;
    lower_one(fe, ctx, eq);
    for (int i = first; fe->units_lost > before && i < ctx->equations->count; i++) {
        rb_map_set(&fe->without_units, fe->arena, rb_map_key(ctx->equations->data[i]), 1);
    }
}

// --- statements ----------------------------------------------------------------------------------

static void lower_statement(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st);

void rb_lower_statements(RbFrontEnd *fe, const RbPlace *ctx, RbAstEquation *const *list,
                         int count) {
    for (int i = 0; i < count; i++) lower_statement(fe, ctx, list[i]);
}

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

static void assign_results(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    RbVal results = rb_lower_expr(fe, ctx, st->right);
    if (results.kind == RB_VAL_ERROR) return;
    RbVal one = results;
    if (results.kind != RB_VAL_TUPLE)
        results = (RbVal){.kind = RB_VAL_TUPLE, .fields = &one, .field_count = 1, .e = one.e};
    if (st->left->kid_count > results.field_count) {
        rb_fail(fe->diag, RB_ERROR_MODEL, st->at, "%d results are wanted, but the function has %d",
                st->left->kid_count, results.field_count);
        return;
    }
    if (!results.e || results.e->op != RB_OP_CALL) {
        for (int i = 0; i < st->left->kid_count; i++) {
            if (!st->left->kids[i]) continue;
            RbVal t = rb_lower_expr(fe, ctx, st->left->kids[i]);
            RbVal v = rb_val_convert(fe, results.fields[i], &t, st->at, "the result");
            if (t.kind != RB_VAL_ERROR && v.kind != RB_VAL_ERROR) assign(fe, ctx, &t, &v, st);
        }
        return;
    }
    RbStatement *out = rb_new(fe->arena, RbStatement);
    *out = (RbStatement){.kind = RB_ST_CALL, .at = st->at, .value = results.e};
    for (int i = 0; i < st->left->kid_count; i++) {
        RbVal t = {0};
        if (st->left->kids[i]) {
            t = rb_lower_expr(fe, ctx, st->left->kids[i]);
            if (t.kind == RB_VAL_ERROR) return;
            if (t.kind == RB_VAL_EXPR && !is_assignable(fe, ctx, &t, st->left->kids[i])) return;
            if (rb_val_convert(fe, results.fields[i], &t, st->left->kids[i]->at, "the result")
                    .kind == RB_VAL_ERROR)
                return;
        }
        push_targets(fe, out, st->left->kids[i] ? &t : NULL, &results.fields[i]);
    }
    rb_array_push(ctx->statements, fe->arena, out);
}

static void lower_assignment(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
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

static void lower_branches(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    bool is_when = st->kind == RB_AST_EQ_WHEN;
    if (is_when && (ctx->frame || ctx->in_when || ctx->in_initial)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, st->at, "a when-clause cannot stand %s",
                ctx->frame     ? "in a function"
                : ctx->in_when ? "inside another one"
                               : "in an initial section");
        return;
    }
    RbStatement *out = rb_new(fe->arena, RbStatement);
    *out = (RbStatement){.kind = is_when ? RB_ST_WHEN : RB_ST_IF, .at = st->at};
    for (int i = 0; i < st->block_count; i++) {
        const RbAstBlock *b = &st->blocks[i];
        RbStatementBranch branch = {0};
        int known = -1;
        if (is_when) {
            branch.condition = when_condition(fe, ctx, b->condition);
            if (!branch.condition) return;
        } else if (b->condition) {
            RbVal condition;
            known = decide(fe, ctx, b->condition, "if", &condition);
            if (known == -2) return;
            if (known == 0) continue;
            branch.condition = known == 1 ? NULL : condition.e;
        } else {
            known = 1;
        }
        if (known == 1 && out->branches.count == 0) {
            rb_lower_statements(fe, ctx, b->list, b->count);
            return;
        }
        RbPlace inner = *ctx;
        inner.statements = &branch.statements;
        inner.in_when = ctx->in_when || is_when;
        rb_lower_statements(fe, &inner, b->list, b->count);
        rb_array_push(&out->branches, fe->arena, branch);
        if (known == 1) break;
    }
    if (out->branches.count > 0) rb_array_push(ctx->statements, fe->arena, out);
}

// In a function the loop stays a loop, its iterator is a local.
static void lower_function_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st,
                                int level) {
    if (level == st->iterator_count) {
        rb_lower_statements(fe, ctx, st->blocks[0].list, st->blocks[0].count);
        return;
    }
    const RbAstIterator *it = &st->iterators[level];
    RbVal range;
    if (!rb_lower_range(fe, ctx, it, body_expression(fe, st), &range)) return;
    if (range.kind != RB_VAL_EXPR) {
        rb_fail(fe->diag, RB_ERROR_MODEL, it->at, "a loop over records is not supported");
        return;
    }
    RbFunction *f = ctx->frame->function;
    RbFunctionVar var = {.name = it->name, .type = range.type};
    if (range.type == RB_ENUM && range.class)
        var.enumeration = rb_flat_enumeration(fe, range.class);
    rb_array_push(&f->vars, fe->arena, var);
    RbLoopVar loop = {.name = it->name, .value = range, .outer = ctx->loops};
    loop.value.rank = 0;
    loop.value.variability = RB_AST_CONTINUOUS;
    loop.value.e = rb_local(fe->x, f->vars.count - 1, range.type, 0);
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
    RbVal condition = lower_condition(fe, ctx, st->blocks[0].condition, "while", false);
    if (condition.kind == RB_VAL_ERROR) return;
    RbStatement *out = rb_statement(ctx->statements, fe->arena, RB_ST_WHILE, st->at);
    RbStatementBranch branch = {.condition = condition.e};
    RbPlace inner = *ctx;
    inner.statements = &branch.statements;
    rb_lower_statements(fe, &inner, st->blocks[0].list, st->blocks[0].count);
    rb_array_push(&out->branches, fe->arena, branch);
}

static void lower_call_statement(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    const RbAstExpr *call = st->left;
    if (is_call_of(call, "assert")) {
        Assertion a = lower_assertion(fe, ctx, call);
        if (!a.good || (a.condition->op == RB_OP_BOOLEAN && a.condition->integer)) return;
        RbStatement *out = rb_statement(ctx->statements, fe->arena, RB_ST_ASSERT, st->at);
        out->target = a.condition;
        out->value = a.message;
        out->is_warning = a.is_warning;
    } else if (is_call_of(call, "terminate")) {
        RbVal m = call->kid_count == 2 ? rb_lower_expr(fe, ctx, call->kids[1]) : rb_val_error();
        if (m.kind != RB_VAL_EXPR || m.type != RB_STRING) {
            rb_fail(fe->diag, RB_ERROR_MODEL, st->at, "terminate needs a message");
            return;
        }
        rb_statement(ctx->statements, fe->arena, RB_ST_TERMINATE, st->at)->value = m.e;
    } else if (is_call_of(call, "reinit")) {
        RbVal state, value;
        if (!lower_reinit(fe, ctx, call, &state, &value)) return;
        RbStatement *out = rb_statement(ctx->statements, fe->arena, RB_ST_REINIT, st->at);
        out->target = state.e;
        out->value = value.e;
    } else {
        RbVal v = rb_lower_expr(fe, ctx, call);
        if (v.kind == RB_VAL_ERROR) return;
        const RbExpr *e = v.kind == RB_VAL_RECORD && v.field_count > 0 ? v.fields[0].e : v.e;
        if (e && e->op == RB_OP_RESULT) e = e->args[0];
        if (!e || e->op != RB_OP_CALL) return; // a value that nobody uses
        rb_statement(ctx->statements, fe->arena, RB_ST_CALL, st->at)->value = e;
    }
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

// Outside of functions loops are unrolled. One that may be left early becomes a loop that runs
// once, around all that came out of it.
static void lower_unrolled_loop(RbFrontEnd *fe, const RbPlace *ctx, const RbAstEquation *st) {
    RbStatementBranch body = {.condition = rb_boolean(fe->x, true)};
    RbPlace inner = *ctx;
    inner.statements = &body.statements;
    unroll(fe, &inner, st, 0, rb_lower_statements);
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
        case RB_AST_EQ_EQUAL: lower_assignment(fe, ctx, st); break;
        case RB_AST_EQ_CALL: lower_call_statement(fe, ctx, st); break;
        case RB_AST_EQ_IF:
        case RB_AST_EQ_WHEN: lower_branches(fe, ctx, st); break;
        case RB_AST_EQ_FOR:
            if (ctx->frame)
                lower_function_loop(fe, ctx, st, 0);
            else
                lower_unrolled_loop(fe, ctx, st);
            break;
        case RB_AST_EQ_WHILE: lower_while(fe, ctx, st); break;
        case RB_AST_EQ_BREAK: rb_statement(ctx->statements, fe->arena, RB_ST_BREAK, st->at); break;
        case RB_AST_EQ_RETURN:
            rb_statement(ctx->statements, fe->arena, RB_ST_RETURN, st->at);
            break;
        default: break;
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
        lower_list(fe, &ctx, s->section->list, s->section->count);
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
