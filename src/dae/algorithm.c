// SPDX-License-Identifier: MIT
// algorithm.c: an algorithm section of a model becomes a function, and one equation per variable
// that it assigns.
//
//   algorithm                         (x, n) = f(u, pre(n), x.start, active)
//     x := 2*u;                       with  active = edge(2*u > 1)  outside, so that it can be an
//     when x > 1 then n := pre(n)+1;  event
//
// What may switch (relations, conditions of when, pre, der, time, sample ...) is computed outside and
// handed in. If it depends on what the section has assigned so far, it is written with the values
// that the variables have at this place (section.c). A discrete variable starts each evaluation with
// its left limit, a continuous one with its start value. An algorithm that assigns nothing but
// asserts or calls something answers that it holds, which is checked like an assertion.
#include "dae/section.h"
#include "expr/builtins.h"
#include "expr/simplify.h"

// --- what is assigned ----------------------------------------------------------------------------

static void add_output(RbSection *c, const RbExpr *target) {
    if (!target) return;
    if (target->op == RB_OP_SUBSCRIPT) target = target->args[0];
    if (target->op != RB_OP_VAR || rb_map_find(&c->output_of, (uint64_t)target->index)) return;
    rb_map_set(&c->output_of, c->w->scratch, (uint64_t)target->index, (uint64_t)c->outputs.count);
    rb_array_push(&c->outputs, c->w->scratch, target->index);
}

static void find_outputs(RbSection *c, const RbStatements *list) {
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        if (s->kind == RB_ST_ASSIGN) add_output(c, s->target);
        for (int k = 0; k < s->targets.count; k++) add_output(c, s->targets.data[k]);
        for (int b = 0; b < s->branches.count; b++)
            find_outputs(c, &s->branches.data[b].statements);
    }
}

// Does e depend on what the algorithm computes?
static bool is_inside(RbSection *c, const RbExpr *e) {
    RbArena temp = *c->w->temp;
    RbExprOrder order = rb_expr_order(c->w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_LOCAL) return true;
        if (n->op == RB_OP_VAR && rb_map_find(&c->output_of, (uint64_t)n->index)) return true;
    }
    return false;
}

// --- inputs --------------------------------------------------------------------------------------

static const RbExpr *input(RbSection *c, const RbExpr *outer) {
    uint64_t *known = rb_map_find(&c->input_of, (uint64_t)outer->id);
    int k = known ? (int)*known : c->args.count;
    if (!known) {
        rb_map_set(&c->input_of, c->w->scratch, (uint64_t)outer->id, (uint64_t)k);
        rb_array_push(&c->args, c->w->scratch, outer);
    }
    return rb_local(c->w->x, k, (RbType)outer->type, outer->rank);
}

static bool switches(const RbExpr *e) {
    if (e->op == RB_OP_TIME || e->op == RB_OP_DER || (e->op >= RB_OP_LT && e->op <= RB_OP_NE))
        return true;
    return rb_is_builtin(e, RB_TRAIT_TIME);
}

static bool is_discrete(RbWork *w, int v) {
    if (w->model->vars.data[v].rank > 0 && rb_flat_size(&w->model->vars.data[v]) > 0)
        v = rb_work_at(w, v)->elements;
    return !rb_is_unknown(rb_work_at(w, v)) || rb_work_at(w, v)->kind == RB_DAE_DISCRETE;
}

static bool is_order(const RbExpr *e) {
    return e->op >= RB_OP_LT && e->op <= RB_OP_GE;
}

// Does its value change by a jump while its arguments vary? It does so at an event.
static bool makes_event(RbSection *c, const RbExpr *e) {
    if (c->quiet || c->whens > 0 || c->w->at_start) return false;
    if (!is_order(e) && !rb_is_builtin(e, RB_TRAIT_STEPS)) return false;
    RbArena temp = *c->w->temp;
    RbExprOrder order = rb_expr_order(c->w->x, &e, 1, &temp);
    bool varies = false;
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_LOCAL) return false;
        varies |= n->op == RB_OP_TIME || n->op == RB_OP_DER ||
                  (n->op == RB_OP_VAR && !is_discrete(c->w, n->index));
    }
    return varies;
}

static const RbExpr *local(RbSection *c, const RbExpr *iterator) {
    uint64_t *known = rb_map_find(&c->local_of, (uint64_t)iterator->id);
    int k = known ? (int)*known : c->local_of.entries.count;
    if (!known) rb_map_set(&c->local_of, c->w->scratch, (uint64_t)iterator->id, (uint64_t)k);
    return rb_local(c->w->x, RB_SECTION_ITERATORS + k, (RbType)iterator->type, iterator->rank);
}

static bool is_quiet(const RbExpr *e) {
    return e->op == RB_OP_BUILTIN && (e->index == RB_FN_NO_EVENT || e->index == RB_FN_SMOOTH);
}

// The expression at this place of the section, as it stands outside; NULL if a variable has its value
// only inside.
static const RbExpr *outside(RbSection *c, const RbExpr *e) {
    if (e->arg_count == 0 && e->op != RB_OP_VAR) return e;
    if (e->op == RB_OP_PRE || e->op == RB_OP_DER) return e;
    if (e->op == RB_OP_VAR) {
        uint64_t *output = rb_map_find(&c->output_of, (uint64_t)e->index);
        return output ? rb_section_value(c, (int)*output) : e;
    }
    const RbExpr **args = rb_new_array(c->w->scratch, const RbExpr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) {
        args[i] = outside(c, e->args[i]);
        if (!args[i]) return NULL;
    }
    return rb_rebuild(c->w->x, e, args);
}

// The expression as it stands inside of the function. Numbers of outputs and iterators are
// provisional.
static const RbExpr *inside(RbSection *c, const RbExpr *e) {
    RbWork *w = c->w;
    if (!e || rb_is_constant(e) || e->op == RB_OP_ALL) return e;
    if (e->op == RB_OP_LOCAL) return local(c, e);
    if (e->op == RB_OP_PRE) return input(c, e);
    if (e->op == RB_OP_VAR) {
        uint64_t *output = rb_map_find(&c->output_of, (uint64_t)e->index);
        return output ? rb_local(w->x, RB_SECTION_OUTPUTS + (int)*output, (RbType)e->type, e->rank)
                      : input(c, e);
    }
    if (switches(e) && !is_inside(c, e)) return input(c, e);
    bool event = makes_event(c, e);
    const RbExpr *known = event ? outside(c, e) : NULL;
    c->unwatched |= event && !known;
    if (known) return rb_is_constant(known) ? known : input(c, known);
    bool quiet = c->quiet;
    c->quiet |= is_quiet(e);
    const RbExpr **args = rb_new_array(w->scratch, const RbExpr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) args[i] = inside(c, e->args[i]);
    c->quiet = quiet;
    return rb_rebuild(w->x, e, args);
}

// --- statements ----------------------------------------------------------------------------------

static RbStatements convert(RbSection *c, const RbStatements *list, RbSectionScope scope,
                            const RbExpr *guard);

// A condition or a new value outside. Impure functions are called once, inside; so what follows from
// them counts with its left limit, and is seen by the next evaluation at the same instant.
static const RbExpr *left_limit_node(void *user, const RbExpr *e) {
    RbSection *c = user;
    bool assigned = e->op == RB_OP_VAR && rb_map_find(&c->output_of, (uint64_t)e->index);
    return assigned ? rb_pre(c->w->x, e) : NULL;
}

static const RbExpr *scalar_outside(RbSection *c, const RbExpr *e) {
    const RbExpr *result = outside(c, e);
    if (!result) result = rb_substitute(c->w->x, e, left_limit_node, c, *c->w->nested);
    return rb_scalar_expr(&c->elements, result);
}

// When a when-statement is active: one of its conditions becomes true.
static const RbExpr *active(RbSection *c, const RbExpr *condition) {
    if (condition->op != RB_OP_ARRAY)
        return rb_when_active(c->w, scalar_outside(c, condition), c->at);
    const RbExpr *any = rb_boolean(c->w->x, false);
    for (int i = 0; i < condition->arg_count; i++)
        any = rb_or(c->w->x, any, active(c, condition->args[i]));
    return any;
}

// Reinit, for each element of an array, or terminate.
static void add_action(RbSection *c, const RbStatement *s, const RbExpr *guard) {
    RbWork *w = c->w;
    int dims[RB_RANK_MAX], count = s->target ? rb_shape(&c->elements, s->target, dims) : 1;
    for (int k = 0; k < count; k++) {
        RbAction a = {.kind = s->kind == RB_ST_REINIT ? RB_ACTION_REINIT : RB_ACTION_TERMINATE,
                      .at = s->at,
                      .state = -1};
        const RbExpr *target = s->target ? rb_element(&c->elements, s->target, k) : NULL;
        a.condition = guard ? guard : rb_boolean(w->x, true);
        a.value = rb_plain(w, scalar_outside(c, rb_element(&c->elements, s->value, k)), s->at);
        if (target && target->op == RB_OP_VAR) a.state = target->index;
        rb_array_push(&w->dae->actions, w->arena, a);
    }
}

static bool has_actions(const RbStatements *list) {
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        if (s->kind == RB_ST_REINIT || s->kind == RB_ST_TERMINATE) return true;
        for (int b = 0; b < s->branches.count; b++)
            if (has_actions(&s->branches.data[b].statements)) return true;
    }
    return false;
}

static const RbExpr *both(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    return a && b ? rb_and(x, a, b) : a ? a : b;
}

// The body of such a loop runs at most once (flatten/statements.c).
static bool runs_once(const RbStatement *s) {
    const RbStatementBranch *body = &s->branches.data[0];
    bool endless =
        body->condition && body->condition->op == RB_OP_BOOLEAN && body->condition->integer;
    int count = body->statements.count;
    return endless && count > 0 && body->statements.data[count - 1]->kind == RB_ST_BREAK;
}

// `guard` is the condition under which actions are carried out, outside.
static void convert_branches(RbSection *c, const RbStatement *s, RbStatement *out,
                             const RbExpr *guard) {
    RbExprs *x = c->w->x;
    const RbExpr *others = guard; // and no earlier branch applies
    bool loop = s->kind == RB_ST_FOR || (s->kind == RB_ST_WHILE && !runs_once(s));
    c->loops += loop;
    for (int b = 0; b < s->branches.count; b++) {
        const RbStatementBranch *from = &s->branches.data[b];
        const RbExpr *condition = NULL, *applies = NULL;
        c->place++;
        c->at = s->at;
        bool acts = has_actions(&from->statements);
        if (s->kind == RB_ST_WHEN && from->condition) {
            c->has_when = true;
            applies = active(c, from->condition);
            condition = input(c, applies);
        } else if (from->condition) {
            condition = inside(c, from->condition);
            if (s->kind == RB_ST_IF && acts) applies = scalar_outside(c, from->condition);
        }
        c->whens += s->kind == RB_ST_WHEN;
        RbSectionScope scope = {.outer = c->scope, .owner = out, .condition = condition};
        RbStatementBranch branch = {condition,
                                    convert(c, &from->statements, scope, both(x, others, applies))};
        rb_array_push(&out->branches, c->w->arena, branch);
        c->whens -= s->kind == RB_ST_WHEN;
        if (applies) others = both(x, others, rb_not(x, applies));
    }
    c->loops -= loop;
}

static RbStatements convert(RbSection *c, const RbStatements *list, RbSectionScope scope,
                            const RbExpr *guard) {
    RbStatements result = {0};
    const RbSectionScope *outer = c->scope;
    scope.done = &result;
    c->scope = &scope;
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        c->at = s->at;
        c->place++;
        if (s->kind == RB_ST_REINIT || s->kind == RB_ST_TERMINATE) {
            add_action(c, s, guard);
            continue;
        }
        RbStatement *out = rb_new(c->w->arena, RbStatement);
        *out = (RbStatement){.kind = s->kind == RB_ST_WHEN ? RB_ST_IF : s->kind, .at = s->at};
        out->is_warning = s->is_warning;
        out->target = inside(c, s->target);
        out->value = inside(c, s->value);
        for (int k = 0; k < s->targets.count; k++)
            rb_array_push(&out->targets, c->w->arena, inside(c, s->targets.data[k]));
        convert_branches(c, s, out, guard);
        rb_array_push(&result, c->w->arena, out);
    }
    c->scope = outer;
    return result;
}

// --- the function --------------------------------------------------------------------------------

// What the variable holds before the first assignment; NULL: zero.
static const RbExpr *start_value(RbSection *c, int v) {
    RbWork *w = c->w;
    const RbFlatVar *var = &w->model->vars.data[v];
    const RbExpr *start = var->attributes.start;
    if (is_discrete(w, v)) return input(c, rb_pre(w->x, rb_work_ref(w, v)));
    return start && start->rank == var->rank ? inside(c, start) : NULL;
}

// What a loop computes may change where no relation is watched; so the result itself is watched.
static const RbExpr *watched(RbSection *c, const RbExpr *result) {
    RbExprs *x = c->w->x;
    const RbExpr *half = rb_real(x, 0.5);
    if (!c->unwatched) return result;
    if (result->type == RB_INTEGER) return rb_builtin1(x, RB_FN_INTEGER, rb_add(x, half, result));
    if (result->type != RB_BOOLEAN) return result;
    return rb_relate(x, RB_OP_GT, rb_if(x, result, rb_real(x, 1), rb_real(x, 0)), half);
}

static void add_results(RbSection *c, const RbExpr *call, RbEquations *out) {
    RbWork *w = c->w;
    for (int k = 0; k < c->outputs.count; k++) {
        int v = c->outputs.data[k];
        RbFlatVar var = w->model->vars.data[v];
        const RbExpr *result = rb_result(w->x, call, k, var.type, var.rank);
        int count = rb_flat_size(&var), first = var.rank > 0 ? rb_work_at(w, v)->elements : v;
        for (int i = 0; i < count; i++) {
            const RbExpr *subscripts[RB_RANK_MAX];
            for (int d = var.rank - 1, rest = i; d >= 0; d--) {
                subscripts[d] = rb_integer(w->x, rest % var.dims[d] + 1);
                rest /= var.dims[d];
            }
            RbEquation *eq = rb_equation(out, w->arena, RB_EQ_EQUAL, c->at);
            eq->left = rb_work_ref(w, first + i);
            eq->right = watched(c, rb_subscript(w->x, result, subscripts, var.rank));
        }
    }
}

// --- algorithms without results ------------------------------------------------------------------

static bool does_something(const RbStatements *list) {
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        if (s->branches.count == 0) return true;
        for (int b = 0; b < s->branches.count; b++) {
            if (does_something(&s->branches.data[b].statements)) return true;
        }
    }
    return false;
}

// An initial algorithm concerns the start alone.
static RbStatements only_at_start(RbSection *c, RbStatements list) {
    RbWork *w = c->w;
    RbStatements guarded = {0};
    RbStatement *only = rb_statement(&guarded, w->arena, RB_ST_IF, c->at);
    const RbExpr *initial = input(c, rb_work_ref(w, w->dae->initial_var));
    rb_array_push(&only->branches, w->arena, ((RbStatementBranch){initial, list}));
    return guarded;
}

static void check_algorithm(RbSection *c, RbStatements list) {
    RbWork *w = c->w;
    if (!does_something(&list)) return;
    if (w->at_start) list = only_at_start(c, list);
    RbAction a = {.kind = RB_ACTION_ASSERT,
                  .condition = rb_section_call(c, &list, true, 0, NULL),
                  .value = rb_string(w->x, "an algorithm failed"),
                  .state = -1,
                  .is_momentary = c->has_when || w->at_start,
                  .at = c->at};
    rb_array_push(&w->dae->actions, w->arena, a);
}

// texts.c puts what an equation gives in the place of a String.
static RbStatus refuse_texts(RbSection *c, const RbStatements *list) {
    for (int k = 0; k < c->outputs.count; k++) {
        const RbFlatVar *v = &c->w->model->vars.data[c->outputs.data[k]];
        if (v->type != RB_STRING) continue;
        return rb_fail(
            c->w->diag, RB_ERROR_MODEL, list->data[0]->at,
            "this algorithm section assigns String '%s', which is not supported; give the "
            "String its value in an equation or a when-equation",
            v->name);
    }
    return RB_OK;
}

RbStatus rb_algorithm(RbWork *w, const RbEquation *eq, RbEquations *out) {
    RbSection c = {.w = w, .at = eq->at, .elements = {.w = w}};
    find_outputs(&c, &eq->statements);
    RB_TRY(refuse_texts(&c, &eq->statements));
    for (int k = 0; k < c.outputs.count; k++)
        rb_array_push(&c.starts, w->scratch, start_value(&c, c.outputs.data[k]));
    RbStatements list = convert(&c, &eq->statements, (RbSectionScope){0}, NULL);
    c.at = eq->at;
    if (c.outputs.count == 0)
        check_algorithm(&c, list);
    else
        add_results(&c, rb_section_call(&c, &list, true, 0, NULL), out);
    if (c.elements.error) return rb_fail(w->diag, RB_ERROR_MODEL, eq->at, "%s", c.elements.error);
    return RB_OK;
}
