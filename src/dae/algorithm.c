// SPDX-License-Identifier: MIT
// algorithm.c: an algorithm section of a model becomes a function, and one equation per variable
// that it assigns.
//
//   algorithm                         (x, n) = f(u, pre(n), x.start, active)
//     x := 2*u;                       with  active = edge(u > 1)  outside, so that it can be an
//     event when u > 1 then n := pre(n)+1;
//
// What does not depend on assigned variables and may switch (relations, pre, der, time, sample ...)
// is computed outside and handed in. A discrete variable starts each evaluation with its left
// limit, a continuous one with its start value. An algorithm that assigns nothing but asserts or
// calls something answers that it holds, which is checked like an assertion.
#include "dae/elements.h"
#include "dae/work.h"
#include "expr/builtins.h"
#include "expr/simplify.h"

typedef struct Convert {
    RbWork *w;
    RbFunction *f;
    RbPos at;
    RbElements elements;
    RB_ARRAY(const RbExpr *) args; // what is handed in
    RbMap input_of;                // outer expression (id) -> input
    RbMap output_of;               // variable -> output
    RbMap local_of;                // iterator (id) -> local
    RB_ARRAY(int) outputs;         // variables
    bool has_when;
} Convert;

// Results of the function: at least one.
static int result_count(const Convert *c) {
    return c->outputs.count > 0 ? c->outputs.count : 1;
}

// --- what is assigned ----------------------------------------------------------------------------

static void add_output(Convert *c, const RbExpr *target) {
    if (!target) return;
    if (target->op == RB_OP_SUBSCRIPT) target = target->args[0];
    if (target->op != RB_OP_VAR || rb_map_find(&c->output_of, (uint64_t)target->index)) return;
    rb_map_set(&c->output_of, c->w->scratch, (uint64_t)target->index, (uint64_t)c->outputs.count);
    rb_array_push(&c->outputs, c->w->scratch, target->index);
}

static void find_outputs(Convert *c, const RbStatements *list) {
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        if (s->kind == RB_ST_ASSIGN) add_output(c, s->target);
        for (int k = 0; k < s->targets.count; k++) add_output(c, s->targets.data[k]);
        for (int b = 0; b < s->branches.count; b++)
            find_outputs(c, &s->branches.data[b].statements);
    }
}

// Does e depend on what the algorithm computes?
static bool is_inside(Convert *c, const RbExpr *e) {
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

enum { INPUTS_FIRST = 1 << 20 }; // locals are numbered when all inputs are known

static const RbExpr *input(Convert *c, const RbExpr *outer) {
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

static const RbExpr *local(Convert *c, const RbExpr *iterator) {
    uint64_t *known = rb_map_find(&c->local_of, (uint64_t)iterator->id);
    int k = known ? (int)*known : c->local_of.entries.count;
    if (!known) rb_map_set(&c->local_of, c->w->scratch, (uint64_t)iterator->id, (uint64_t)k);
    return rb_local(c->w->x, 2 * INPUTS_FIRST + k, (RbType)iterator->type, iterator->rank);
}

// The expression as it stands inside of the function. Numbers of outputs and iterators are
// provisional.
static const RbExpr *inside(Convert *c, const RbExpr *e) {
    RbWork *w = c->w;
    if (!e || rb_is_constant(e) || e->op == RB_OP_ALL) return e;
    if (e->op == RB_OP_LOCAL) return local(c, e);
    if (e->op == RB_OP_PRE) return input(c, e);
    if (e->op == RB_OP_VAR) {
        uint64_t *output = rb_map_find(&c->output_of, (uint64_t)e->index);
        return output ? rb_local(w->x, INPUTS_FIRST + (int)*output, (RbType)e->type, e->rank)
                      : input(c, e);
    }
    if (switches(e) && !is_inside(c, e)) return input(c, e);
    const RbExpr **args = rb_new_array(w->scratch, const RbExpr *, e->arg_count + 1);
    for (int i = 0; i < e->arg_count; i++) args[i] = inside(c, e->args[i]);
    return rb_rebuild(w->x, e, args);
}

// --- statements ----------------------------------------------------------------------------------

static RbStatements convert(Convert *c, const RbStatements *list, const RbExpr *guard);

static bool is_discrete(RbWork *w, int v);

static const RbExpr *left_limit_node(void *user, const RbExpr *e) {
    Convert *c = user;
    bool assigned = e->op == RB_OP_VAR && rb_map_find(&c->output_of, (uint64_t)e->index);
    return assigned ? rb_pre(c->w->x, e) : NULL;
}

// A condition that can be computed outside, or NULL. Discrete variables that the algorithm assigns
// count with their left limits: `elsewhen time >= t_next` looks at what an earlier event has left.
// Where pre() occurs already, edges are spelled out, and stay inside.
static const RbExpr *outside_condition(Convert *c, const RbExpr *condition) {
    RbWork *w = c->w;
    if (condition->rank > 0) return NULL;
    if (!is_inside(c, condition)) return rb_scalar_expr(&c->elements, condition);
    if (condition->op == RB_OP_VAR) return NULL;
    RbArena temp = *w->temp;
    RbExprOrder order = rb_expr_order(w->x, &condition, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        bool assigned = n->op == RB_OP_VAR && rb_map_find(&c->output_of, (uint64_t)n->index);
        if (n->op == RB_OP_LOCAL || n->op == RB_OP_PRE) return NULL;
        if (assigned && (n->rank > 0 || !is_discrete(w, n->index))) return NULL;
    }
    return rb_scalar_expr(&c->elements,
                          rb_substitute(w->x, condition, left_limit_node, c, *w->nested));
}

// An array of conditions that the algorithm assigns: the edge of any of them.
static const RbExpr *any_element(Convert *c, const RbExpr *array) {
    RbExprs *x = c->w->x;
    const RbExpr *any = rb_boolean(x, false);
    int first = rb_work_at(c->w, array->index)->elements;
    int count = rb_flat_size(&c->w->model->vars.data[array->index]);
    for (int i = 0; i < count; i++) {
        const RbExpr *subscript = rb_integer(x, i + 1);
        const RbExpr *now = inside(c, rb_subscript(x, array, &subscript, 1));
        const RbExpr *before = input(c, rb_pre(x, rb_work_ref(c->w, first + i)));
        any = rb_or(x, any, rb_and(x, now, rb_not(x, before)));
    }
    return any;
}

// The edge of a condition that depends on the algorithm itself: it must be a variable, whose left
// limit is known.
static const RbExpr *edge_inside(Convert *c, const RbExpr *condition) {
    RbExprs *x = c->w->x;
    if (condition->op == RB_OP_VAR && condition->rank == 1) return any_element(c, condition);
    const RbExpr *variable = condition;
    if (condition->op == RB_OP_SUBSCRIPT) variable = rb_scalar_expr(&c->elements, condition);
    if (variable->op != RB_OP_VAR) return inside(c, condition); // spelled out already
    return rb_and(x, inside(c, condition), rb_not(x, input(c, rb_pre(x, variable))));
}

// The condition of a when-statement: nothing becomes true at the start, where values are found.
static const RbExpr *active_inside(Convert *c, const RbExpr *condition) {
    RbExprs *x = c->w->x;
    const RbExpr *outside = outside_condition(c, condition);
    if (outside) return input(c, rb_when_active(c->w, outside, c->at));
    if (condition->op == RB_OP_ARRAY) {
        const RbExpr *any = rb_boolean(x, false);
        for (int i = 0; i < condition->arg_count; i++)
            any = rb_or(x, any, active_inside(c, condition->args[i]));
        return any;
    }
    const RbExpr *initial = input(c, rb_work_ref(c->w, c->w->dae->initial_var));
    return rb_and(x, edge_inside(c, condition), rb_not(x, initial));
}

// Reinit, for each element of an array, or terminate.
static void add_action(Convert *c, const RbStatement *s, const RbExpr *guard) {
    RbWork *w = c->w;
    int dims[RB_RANK_MAX], count = s->target ? rb_shape(&c->elements, s->target, dims) : 1;
    for (int k = 0; k < count; k++) {
        RbAction a = {.kind = s->kind == RB_ST_REINIT ? RB_ACTION_REINIT : RB_ACTION_TERMINATE,
                      .at = s->at,
                      .state = -1};
        const RbExpr *target = s->target ? rb_element(&c->elements, s->target, k) : NULL;
        a.condition = guard ? guard : rb_boolean(w->x, true);
        a.value = rb_plain(w, rb_element(&c->elements, s->value, k), s->at);
        if (target && target->op == RB_OP_VAR) a.state = target->index;
        rb_array_push(&w->dae->actions, w->arena, a);
    }
}

static void convert_branches(Convert *c, const RbStatement *s, RbStatement *out,
                             const RbExpr *guard) {
    for (int b = 0; b < s->branches.count; b++) {
        const RbStatementBranch *from = &s->branches.data[b];
        const RbExpr *condition = from->condition, *own = guard;
        if (s->kind == RB_ST_WHEN && condition) {
            c->has_when = true;
            const RbExpr *outside = outside_condition(c, condition);
            own = outside ? rb_when_active(c->w, outside, s->at) : guard;
            condition = active_inside(c, condition);
        } else if (condition) {
            condition = inside(c, condition);
        }
        RbStatementBranch branch = {condition, convert(c, &from->statements, own)};
        rb_array_push(&out->branches, c->w->arena, branch);
    }
}

static RbStatements convert(Convert *c, const RbStatements *list, const RbExpr *guard) {
    RbStatements result = {0};
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        c->at = s->at;
        if (s->kind == RB_ST_REINIT || s->kind == RB_ST_TERMINATE) {
            add_action(c, s, guard);
            continue;
        }
        RbStatement *out =
            rb_statement(&result, c->w->arena, s->kind == RB_ST_WHEN ? RB_ST_IF : s->kind, s->at);
        out->is_warning = s->is_warning;
        out->target = inside(c, s->target);
        out->value = inside(c, s->value);
        for (int k = 0; k < s->targets.count; k++)
            rb_array_push(&out->targets, c->w->arena, inside(c, s->targets.data[k]));
        convert_branches(c, s, out, guard);
    }
    return result;
}

// --- final numbers -------------------------------------------------------------------------------

static const RbExpr *renumber(Convert *c, const RbExpr *e) {
    if (!e) return NULL;
    if (e->op == RB_OP_LOCAL) {
        int k = e->index;
        if (k >= 2 * INPUTS_FIRST)
            k = k - 2 * INPUTS_FIRST + c->args.count + result_count(c);
        else if (k >= INPUTS_FIRST)
            k = k - INPUTS_FIRST + c->args.count;
        return rb_local(c->w->x, k, (RbType)e->type, e->rank);
    }
    if (e->arg_count == 0) return e;
    const RbExpr **args = rb_new_array(c->w->scratch, const RbExpr *, e->arg_count);
    for (int i = 0; i < e->arg_count; i++) args[i] = renumber(c, e->args[i]);
    return rb_rebuild(c->w->x, e, args);
}

static void renumber_statements(Convert *c, RbStatements *list) {
    for (int i = 0; i < list->count; i++) {
        RbStatement *s = list->data[i];
        s->target = renumber(c, s->target);
        s->value = renumber(c, s->value);
        for (int k = 0; k < s->targets.count; k++)
            s->targets.data[k] = renumber(c, s->targets.data[k]);
        for (int b = 0; b < s->branches.count; b++) {
            s->branches.data[b].condition = renumber(c, s->branches.data[b].condition);
            renumber_statements(c, &s->branches.data[b].statements);
        }
    }
}

// --- the function --------------------------------------------------------------------------------

static bool is_discrete(RbWork *w, int v) {
    if (w->model->vars.data[v].rank > 0 && rb_flat_size(&w->model->vars.data[v]) > 0)
        v = rb_work_at(w, v)->elements;
    return rb_work_at(w, v)->kind == RB_DAE_DISCRETE;
}

// What the variable holds before the first assignment.
static const RbExpr *initial_value(Convert *c, int v) {
    RbWork *w = c->w;
    const RbFlatVar *var = &w->model->vars.data[v];
    const RbExpr *self = rb_work_ref(w, v), *start = var->attributes.start;
    if (is_discrete(w, v)) return input(c, rb_pre(w->x, self));
    if (var->rank > 0 && start && start->rank == var->rank) return inside(c, start);
    return NULL; // zero, or the scalar start below
}

static void declare(Convert *c) {
    RbWork *w = c->w;
    const RbExpr **values = rb_new_array(w->scratch, const RbExpr *, c->outputs.count + 1);
    for (int k = 0; k < c->outputs.count; k++) {
        int v = c->outputs.data[k];
        const RbExpr *start = w->model->vars.data[v].attributes.start;
        values[k] = initial_value(c, v);
        if (!values[k] && start && start->rank == 0 && w->model->vars.data[v].rank == 0)
            values[k] = inside(c, start);
    }
    for (int i = 0; i < c->args.count; i++) {
        RbFunctionVar in = {.name = rb_arena_printf(w->arena, "in%d", i + 1),
                            .type = (RbType)c->args.data[i]->type,
                            .rank = c->args.data[i]->rank};
        rb_array_push(&c->f->vars, w->arena, in);
    }
    for (int k = 0; k < c->outputs.count; k++) {
        const RbFlatVar *v = &w->model->vars.data[c->outputs.data[k]];
        RbFunctionVar out = {
            .name = v->name, .type = v->type, .rank = v->rank, .binding = renumber(c, values[k])};
        for (int d = 0; d < v->rank; d++) out.dims[d] = rb_integer(w->x, v->dims[d]);
        rb_array_push(&c->f->vars, w->arena, out);
    }
    if (c->outputs.count == 0) {
        RbFunctionVar holds = {
            .name = "holds", .type = RB_BOOLEAN, .binding = rb_boolean(w->x, true)};
        rb_array_push(&c->f->vars, w->arena, holds);
    }
    for (int i = 0; i < c->local_of.entries.count; i++) {
        RbFunctionVar own = {.name = rb_arena_printf(w->arena, "i%d", i + 1), .type = RB_INTEGER};
        rb_array_push(&c->f->vars, w->arena, own);
    }
    c->f->input_count = c->args.count;
    c->f->output_count = result_count(c);
}

static void add_results(Convert *c, const RbExpr *call, RbEquations *out) {
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
            eq->right = rb_subscript(w->x, result, subscripts, var.rank);
        }
    }
}

static const RbExpr *call_of(Convert *c, RbType type, int rank) {
    RbWork *w = c->w;
    rb_array_push(&w->model->functions, w->arena, c->f);
    const RbExpr **args = rb_new_array(w->scratch, const RbExpr *, c->args.count + 1);
    for (int i = 0; i < c->args.count; i++) {
        const RbExpr *a = c->args.data[i];
        args[i] = a->rank > 0 ? rb_constructor(&c->elements, a) : rb_scalar_expr(&c->elements, a);
        args[i] = rb_plain(w, args[i], c->f->at);
    }
    return rb_call_function(w->x, w->model->functions.count - 1, type, rank, args, c->args.count);
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
static void guard_start(Convert *c) {
    RbWork *w = c->w;
    RbStatements guarded = {0};
    RbStatement *only = rb_statement(&guarded, w->arena, RB_ST_IF, c->f->at);
    const RbExpr *initial = input(c, rb_work_ref(w, w->dae->initial_var));
    rb_array_push(&only->branches, w->arena, ((RbStatementBranch){initial, c->f->statements}));
    c->f->statements = guarded;
}

static void check_algorithm(Convert *c) {
    RbWork *w = c->w;
    if (!does_something(&c->f->statements)) return;
    if (w->at_start) guard_start(c);
    declare(c);
    renumber_statements(c, &c->f->statements);
    RbAction a = {.kind = RB_ACTION_ASSERT,
                  .condition = call_of(c, RB_BOOLEAN, 0),
                  .value = rb_string(w->x, "an algorithm failed"),
                  .state = -1,
                  .is_momentary = c->has_when || w->at_start,
                  .at = c->f->at};
    rb_array_push(&w->dae->actions, w->arena, a);
}

// texts.c puts what an equation gives in the place of a String.
static RbStatus refuse_texts(Convert *c, const RbStatements *list) {
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
    Convert c = {.w = w, .at = eq->at, .elements = {.w = w}};
    c.f = rb_new(w->arena, RbFunction);
    c.f->name = rb_arena_printf(w->arena, "$algorithm%d", w->model->functions.count + 1);
    c.f->at = eq->at;
    find_outputs(&c, &eq->statements);
    RB_TRY(refuse_texts(&c, &eq->statements));
    c.f->statements = convert(&c, &eq->statements, NULL);
    if (c.outputs.count == 0) {
        check_algorithm(&c);
    } else {
        declare(&c);
        renumber_statements(&c, &c.f->statements);
        const RbFlatVar *first = &w->model->vars.data[c.outputs.data[0]];
        const RbExpr *call = call_of(&c, first->type, first->rank);
        c.at = eq->at;
        add_results(&c, call, out);
    }
    if (c.elements.error) return rb_fail(w->diag, RB_ERROR_MODEL, eq->at, "%s", c.elements.error);
    return RB_OK;
}
