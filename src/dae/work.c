// SPDX-License-Identifier: MIT
#include "dae/solve.h"
#include "dae/work.h"

#include <string.h>

#include "expr/builtins.h"
#include "expr/diff.h"
#include "expr/print.h"
#include "expr/simplify.h"

int rb_work_var(RbWork *w, const char *name, RbType type, RbDaeKind kind) {
    RbFlatVar v = {.name = name,
                   .variability = kind == RB_DAE_DISCRETE ? RB_DISCRETE : RB_CONTINUOUS,
                   .type = type,
                   .at = w->at};
    rb_array_push(&w->model->vars, w->arena, v);
    rb_array_push(&w->dae->vars, w->arena,
                  (RbDaeVar){.kind = kind,
                             .alias = -1,
                             .sign = 1,
                             .derivative = -1,
                             .integral = -1,
                             .auxiliary = true});
    return w->model->vars.count - 1;
}

int rb_work_array_like(RbWork *w, int v, const char *name, RbDaeKind kind) {
    int a = rb_work_var(w, name, RB_REAL, kind);
    RbFlatVar *var = &w->model->vars.data[a];
    const RbFlatVar *like = &w->model->vars.data[v];
    var->rank = like->rank;
    for (int k = 0; k < like->rank; k++) {
        var->dims[k] = like->dims[k];
        var->dim_exprs[k] =
            rb_builtin2(w->x, RB_FN_SIZE, rb_work_ref(w, v), rb_integer(w->x, k + 1));
    }
    rb_work_at(w, a)->whole = true;
    return a;
}

// "v" for the unit of x gives "(v)/s"; only what is common is written more nicely.
static const char *derivative_unit(RbWork *w, const char *unit) {
    if (!unit || !unit[0]) return NULL;
    return rb_arena_join(w->arena, unit[1] ? "(" : "", unit, unit[1] ? ")/s" : "/s");
}

int rb_work_derivative(RbWork *w, int v) {
    if (rb_work_at(w, v)->derivative >= 0) return rb_work_at(w, v)->derivative;
    const char *name = rb_arena_join(w->arena, "der(", w->model->vars.data[v].name, ")");
    int d = rb_work_at(w, v)->whole ? rb_work_array_like(w, v, name, RB_DAE_ALGEBRAIC)
                                    : rb_work_var(w, name, RB_REAL, RB_DAE_ALGEBRAIC);
    w->model->vars.data[d].at = w->model->vars.data[v].at;
    w->model->vars.data[d].attributes.unit =
        derivative_unit(w, w->model->vars.data[v].attributes.unit);
    rb_work_at(w, d)->auxiliary = false;
    rb_work_at(w, d)->is_der = true;
    rb_work_at(w, d)->integral = v;
    rb_work_at(w, v)->derivative = d;
    return d;
}

int rb_work_eq(RbWork *w, const RbExpr *left, const RbExpr *right, RbPos at, const char *origin) {
    RbDaeEq eq = {.left = left,
                  .right = right,
                  .derivative = -1,
                  .integral = -1,
                  .assigns = -1,
                  .at = at,
                  .origin = origin};
    rb_array_push(&w->dae->eqs, w->arena, eq);
    return w->dae->eqs.count - 1;
}

RbIndices rb_eq_vars(RbWork *w, const RbDaeEq *eq, RbArena *arena) {
    const RbExpr *sides[] = {eq->left, eq->right};
    bool empty = eq->left == eq->right && eq->left->rank == 0; // says 0 = 0
    return rb_exprs_vars(w->x, sides, empty ? 0 : 2, arena);
}

static bool is_fixed_scalar(const RbFlatVar *v) {
    return v->variability <= RB_PARAMETER && v->rank == 0 && v->type != RB_STRING &&
           v->type != RB_EXTERNAL;
}

// size(A, k) of a variable, as it is at translation.
static bool lookup_size(const RbWork *w, const RbExpr *e, RbExprValue *value) {
    const RbFlatVar *v = &w->model->vars.data[e->args[0]->index];
    double k;
    if (!rb_constant_value(e->args[1], &k) || !(k >= 1 && k <= v->rank)) return false;
    *value = rb_value_number(w->scratch, RB_INTEGER, v->dims[(int)k - 1]);
    return true;
}

bool rb_work_lookup(void *work, RbEnv *env, const RbExpr *leaf, RbExprValue *value) {
    RbWork *w = work;
    if (leaf->op == RB_OP_BUILTIN && leaf->index == RB_FN_SIZE) return lookup_size(w, leaf, value);
    if (leaf->op != RB_OP_VAR) return false;
    int v = leaf->index;
    const RbFlatVar *var = &w->model->vars.data[v];
    const RbExpr *e = var->binding ? var->binding : var->attributes.start;
    bool follows =
        w->dae->vars.data[v].kind == RB_DAE_PARAMETER; // from parameters, as was found out
    if (!e || (var->variability > RB_PARAMETER && !follows)) return false;
    const RbExpr *fixed = var->attributes.fixed;
    bool found_at_start = fixed && fixed->op == RB_OP_BOOLEAN && !fixed->integer;
    if (found_at_start && !var->binding) return false;
    if (!is_fixed_scalar(var) && !follows) return rb_eval(env, e, value);
    while (w->values.count <= v) rb_array_push(&w->values, w->scratch, (RbKnownValue){0});
    if (!w->values.data[v].asked) {
        w->values.data[v].asked = true; // before: a circle of definitions ends here
        double number = 0;
        bool known = rb_eval_number(env, e, &number);
        w->values.data[v] = (RbKnownValue){true, known, number};
    }
    if (!w->values.data[v].known) return false;
    *value = rb_value_number(env->arena, var->type, w->values.data[v].number);
    return true;
}

bool rb_is_unknown(const RbDaeVar *v) {
    return v->kind == RB_DAE_STATE || v->kind == RB_DAE_DERIVATIVE || v->kind == RB_DAE_ALGEBRAIC ||
           v->kind == RB_DAE_DISCRETE;
}

// --- time derivatives ----------------------------------------------------------------------------

static const RbExpr *time_seed(void *user, const RbExpr *leaf) {
    RbWork *w = user;
    if (leaf->op == RB_OP_TIME) return rb_real(w->x, 1.0);
    if (leaf->op != RB_OP_VAR) return NULL;
    int v = leaf->index;
    switch (rb_work_at(w, v)->kind) {
        case RB_DAE_STATE:
        case RB_DAE_DERIVATIVE:
        case RB_DAE_ALGEBRAIC: return rb_work_ref(w, rb_work_derivative(w, v));
        case RB_DAE_INPUT:
            rb_fail(w->diag, RB_ERROR_MODEL, w->at,
                    "the derivative of input '%s' is needed, but only its value is known; make the "
                    "input a derivative "
                    "and integrate it in the model, or filter it",
                    w->model->vars.data[v].name);
            return NULL;
        default: return NULL; // parameters and discrete variables
    }
}

// The derivative of delay number k: the derivative of what is delayed, as late.
static const RbExpr *delay_slope(void *user, const RbExpr *e) {
    RbWork *w = user;
    int k = (int)e->args[0]->real, v = w->dae->delays.data[k].var, sign = 1;
    if (w->dae->delays.data[k].kind != RB_DELAY_TIME) return NULL;
    for (; rb_work_at(w, v)->kind == RB_DAE_ALIAS; v = rb_work_at(w, v)->alias)
        sign *= rb_work_at(w, v)->sign;
    const RbExpr *there = time_seed(w, rb_work_ref(w, v));
    if (!there) return NULL; // a parameter, or discrete
    if (w->dae->delays.data[k].slope == 0) {
        RbDelay slope = w->dae->delays.data[k];
        slope.var = there->index;
        slope.is_slope = true;
        rb_array_push(&w->dae->delays, w->arena, slope);
        w->dae->delays.data[k].slope = w->dae->delays.count;
    }
    const RbExpr *args[] = {rb_real(w->x, w->dae->delays.data[k].slope - 1), e->args[1],
                            e->args[2]};
    const RbExpr *late = rb_builtin(w->x, RB_FN_DELAY, args, 3);
    return sign < 0 ? rb_neg(w->x, late) : late;
}

const RbExpr *rb_time_derivative(RbWork *w, const RbExpr *e, RbPos at) {
    RbDiff d = {.model = w->model, .seed = time_seed, .delay = delay_slope, .user = w};
    w->at = at;
    int errors = w->diag->error_count;
    rb_diag_busy(w->diag, "derivative of an equation of", w->model->name, w->at);
    const RbExpr *result = rb_diff(w->x, e, &d, *w->nested);
    if (w->diag->error_count > errors) return NULL;
    if (!result) {
        RbText text = rb_text(w->scratch);
        rb_expr_print(d.failed, w->model, NULL, &text);
        const RbExpr *call = d.failed->op == RB_OP_RESULT ? d.failed->args[0] : d.failed;
        if (call->op == RB_OP_CALL &&
            w->model->functions.data[call->index]->kind == RB_FUNCTION_COMPONENT) {
            rb_fail(w->diag, RB_ERROR_MODEL, at,
                    "the time derivative of %s is needed, but the component in C computes it from "
                    "states of its own and names no "
                    "derivative; put an element between it and what is connected (a resistance), "
                    "or use a class with equations",
                    text.data);
            return NULL;
        }
        rb_fail(w->diag, RB_ERROR_MODEL, at,
                "the time derivative of %s is needed, but it cannot be formed; give the function a "
                "derivative annotation",
                text.data);
    }
    return result;
}

// --- der and pre ---------------------------------------------------------------------------------

// The discrete variable that holds the left limit of a continuous one at an event.
static int left_limit(RbWork *w, int v) {
    uint64_t *known = rb_map_find(&w->pre_vars, (uint64_t)v);
    if (known) return (int)*known;
    const char *name = rb_arena_join(w->arena, "pre(", w->model->vars.data[v].name, ")");
    int q = rb_work_var(w, name, RB_REAL, RB_DAE_DISCRETE);
    rb_map_set(&w->pre_vars, w->scratch, (uint64_t)v, (uint64_t)q);
    rb_array_push(&w->dae->left_limits, w->arena,
                  (RbAssignment){.var = q, .value = rb_work_ref(w, v), .eq = -1});
    return q;
}

// A function of the library that only stands for a builtin one.
static const RbExpr *builtin_call(RbWork *w, const RbExpr *call) {
    const RbFunction *f = w->model->functions.data[call->index];
    if (f->kind != RB_FUNCTION_EXTERNAL || !f->external.language ||
        strcmp(f->external.language, "builtin") != 0)
        return NULL;
    int b = f->external.name ? rb_builtin_find(f->external.name) : -1;
    bool known = b >= 0 && rb_builtin_has((RbBuiltin)b, RB_TRAIT_SMOOTH);
    return known ? rb_builtin(w->x, (RbBuiltin)b, call->args, call->arg_count) : NULL;
}

// May a String be set before a run? Then its value is looked up there.
static bool may_be_set(const RbFlatVar *v) {
    return v->variability == RB_PARAMETER && v->rank == 0 && !v->is_structural && !v->is_final;
}

// The others are known before the run.
static const RbExpr *string_value(RbWork *w, const RbExpr *e) {
    if (may_be_set(&w->model->vars.data[e->index])) return NULL;
    RbEnv env = {.model = w->model, .arena = w->scratch, .lookup = rb_work_lookup, .user = w};
    RbExprValue value;
    return rb_eval(&env, e, &value) && value.text && value.rank == 0
               ? rb_string(w->x, value.text[0])
               : NULL;
}

// Texts that external functions make are known only at the start of the run: what is compared with
// them is a parameter then, since code knows numbers only.
const RbExpr *rb_text_relation(RbWork *w, const RbExpr *e) {
    uint64_t *known = rb_map_find(&w->text_vars, (uint64_t)e->id);
    if (known) return rb_work_ref(w, (int)*known);
    RbText name = rb_text(w->arena);
    rb_text_printf(&name, "$text%d", w->text_vars.entries.count + 1);
    int v = rb_work_var(w, name.data, RB_BOOLEAN, RB_DAE_PARAMETER);
    w->model->vars.data[v].variability = RB_PARAMETER;
    w->model->vars.data[v].binding = e;
    rb_map_set(&w->text_vars, w->scratch, (uint64_t)e->id, (uint64_t)v);
    return rb_work_ref(w, v);
}

// Does e follow from Strings that vary, or from numbers that do? Those wait for texts.c.
static bool is_varying_text(RbWork *w, const RbExpr *e) {
    RbArena temp = *w->nested;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        bool known = n->op != RB_OP_VAR ||
                     w->model->vars.data[n->index].variability <= RB_PARAMETER ||
                     rb_work_at(w, n->index)->kind == RB_DAE_PARAMETER;
        if (!known || n->op == RB_OP_TIME || rb_is_builtin(n, RB_TRAIT_TIME)) return true;
    }
    return false;
}

static const RbExpr *text_node(RbWork *w, const RbExpr *e) {
    if (e->op == RB_OP_VAR) {
        const RbExpr *known = string_value(w, e);
        w->has_texts |= !known && w->model->vars.data[e->index].variability > RB_PARAMETER;
        return known;
    }
    if (e->op == RB_OP_PRE) return w->has_texts = true, e;
    if (!is_varying_text(w, e)) return rb_text_relation(w, e);
    w->has_texts = true;
    return NULL;
}

// A variable of our own, an unknown like all others, also at the start.
static int unknown(RbWork *w, const char *name) {
    RbText text = rb_text(w->arena);
    rb_text_printf(&text, "$%s%d", name, w->dae->delays.count + 1);
    int v = rb_work_var(w, text.data, RB_REAL, RB_DAE_ALGEBRAIC);
    rb_work_at(w, v)->auxiliary = false;
    w->model->vars.data[v].hide_result = true;
    return v;
}

// v = value later, = start at the start.
static void from_start(RbWork *w, int v, const RbExpr *value, const RbExpr *start_value) {
    int eq = rb_work_eq(w, rb_work_ref(w, v), value, w->at, "");
    RbDaeEq start = w->dae->eqs.data[eq];
    w->dae->eqs.data[eq].not_initial = true;
    start.right = start_value;
    rb_array_push(&w->dae->initial_eqs, w->arena, start);
}

// delay(e, T): a variable for e, whose past the run remembers, and one for the value. At the start
// the two are the same; later the value does not depend on the present of e, so it closes no loop.
static const RbExpr *delayed(RbWork *w, const RbExpr *e) {
    uint64_t *known = rb_map_find(&w->delay_vars, (uint64_t)e->id);
    if (known) return rb_work_ref(w, (int)*known);
    int of = unknown(w, "delay"), v = unknown(w, "delayed");
    rb_map_set(&w->delay_vars, w->scratch, (uint64_t)e->id, (uint64_t)v);
    const RbExpr *args[] = {rb_real(w->x, w->dae->delays.count), e->args[1], e->args[2]};
    RbDelay d = {.var = of, .time = e->args[1], .longest = e->args[2], .at = w->at};
    d.fixed = rb_is_parametric(w, e->args[1], *w->nested);
    rb_array_push(&w->dae->delays, w->arena, d);
    rb_work_eq(w, rb_work_ref(w, of), e->args[0], w->at, "");
    from_start(w, v, rb_builtin(w->x, RB_FN_DELAY, args, 3), rb_work_ref(w, of));
    return rb_work_ref(w, v);
}

// The number of a delay that remembers an expression for ever.
static int remembered(RbWork *w, const RbExpr *e) {
    uint64_t *known = rb_map_find(&w->remembered, (uint64_t)e->id);
    if (known) return (int)*known - 1;
    RbDelay d = {.kind = RB_DELAY_HISTORY, .var = unknown(w, "past"), .time = rb_real(w->x, 0.0), .longest = rb_real(w->x, 1e300), .at = w->at};
    rb_array_push(&w->dae->delays, w->arena, d);
    rb_work_eq(w, rb_work_ref(w, d.var), e, w->at, "");
    rb_map_set(&w->remembered, w->scratch, (uint64_t)e->id, (uint64_t)w->dae->delays.count);
    return w->dae->delays.count - 1;
}

// An end of a pipe: its value follows from how far the medium has come, and from the past.
static const RbExpr *transported(RbWork *w, const RbExpr *e) {
    uint64_t *known = rb_map_find(&w->delay_vars, (uint64_t)e->id);
    if (known) return rb_work_ref(w, (int)*known);
    RbDelay d = {.kind = RB_DELAY_TRANSPORT, .side = (int)e->args[3]->real, .point_count = (e->arg_count - 4) / 2,
                 .time = rb_real(w->x, 0.0), .longest = rb_real(w->x, 1e300), .at = w->at};
    for (int i = 0; i < 2; i++) d.in[i] = remembered(w, e->args[i]);
    d.x = remembered(w, e->args[2]);
    d.var = w->dae->delays.data[d.x].var;
    d.points = e->args + 4;
    d.values = d.points + d.point_count;
    int v = unknown(w, "outlet");
    rb_map_set(&w->delay_vars, w->scratch, (uint64_t)e->id, (uint64_t)v);
    const RbExpr *args[] = {rb_real(w->x, w->dae->delays.count), rb_work_ref(w, d.var), d.longest};
    rb_array_push(&w->dae->delays, w->arena, d);
    from_start(w, v, rb_builtin(w->x, RB_FN_DELAY, args, 3), d.values[d.side == 1 ? d.point_count - 1 : 0]);
    return rb_work_ref(w, v);
}

static const RbExpr *plain_node(void *user, const RbExpr *e) {
    RbWork *w = user;
    if (e->op == RB_OP_CALL) return builtin_call(w, e);
    bool relation = e->op >= RB_OP_LT && e->op <= RB_OP_NE && e->args[0]->type == RB_STRING;
    if (relation || ((e->op == RB_OP_VAR || e->op == RB_OP_PRE) && e->type == RB_STRING))
        return text_node(w, e);
    if (e->op == RB_OP_DER) {
        const RbExpr *d = rb_time_derivative(w, e->args[0], w->at);
        return d ? d : rb_real(w->x, 0.0);
    }
    if (e->op == RB_OP_PRE && e->args[0]->op == RB_OP_VAR) {
        int v = e->args[0]->index;
        RbDaeKind kind = rb_work_at(w, v)->kind;
        if (kind == RB_DAE_PARAMETER) return e->args[0];
        if (kind != RB_DAE_DISCRETE) return rb_work_ref(w, left_limit(w, v));
    }
    if (e->op == RB_OP_BUILTIN && e->index == RB_FN_DELAY) return delayed(w, e);
    if (e->op == RB_OP_BUILTIN && e->index == RB_FN_TRANSPORT) return transported(w, e);
    if (e->op == RB_OP_BUILTIN && e->index == RB_FN_INITIAL)
        return rb_work_ref(w, w->dae->initial_var);
    if (e->op == RB_OP_BUILTIN && e->index == RB_FN_TERMINAL) {
        w->dae->uses_terminal = true;
        return rb_work_ref(w, w->dae->terminal_var);
    }
    return NULL;
}

const RbExpr *rb_plain(RbWork *w, const RbExpr *e, RbPos at) {
    w->at = at;
    return rb_substitute(w->x, e, plain_node, w, *w->temp);
}
