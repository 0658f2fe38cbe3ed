// SPDX-License-Identifier: MIT
// collect.c: from the many forms of equations to one: left = right, plus a list of actions.
//
//   binding                    v = binding
//   if c then a = b else p = q   0 = if c then a - b else p - q   (v = if c then b else q if both
//   sides agree on v) when c then v = e          v = if active then e else pre(v)    with active =
//   not initial() and c and not pre(c) algorithm                  v_k = result k of a function
//   (algorithm.c)
#include <string.h>

#include "dae/work.h"
#include "expr/print.h"

// --- kinds of variables --------------------------------------------------------------------------

static bool is_false(const RbExpr *e) {
    return e && e->op == RB_OP_BOOLEAN && !e->integer;
}

static RbDaeKind kind_of(const RbFlatVar *v, bool whole) {
    if ((v->rank > 0 && !whole) || v->type == RB_STRING) return RB_DAE_UNUSED;
    if (v->type == RB_EXTERNAL) return RB_DAE_PARAMETER; // the number of the object
    if (v->variability == RB_PARAMETER && is_false(v->attributes.fixed))
        return RB_DAE_DISCRETE; // found at the start
    if (v->variability <= RB_PARAMETER) return RB_DAE_PARAMETER;
    if (v->causality == RB_INPUT && !v->binding) return RB_DAE_INPUT;
    if (v->variability == RB_DISCRETE || v->type != RB_REAL) return RB_DAE_DISCRETE;
    return RB_DAE_ALGEBRAIC;
}

static bool is_found_at_start(RbWork *w, int v) {
    return rb_work_at(w, v)->kind == RB_DAE_DISCRETE &&
           w->model->vars.data[v].variability == RB_PARAMETER;
}

static bool follows_from_start(RbWork *w, int v) {
    const RbFlatVar *var = &w->model->vars.data[v];
    if (rb_work_at(w, v)->kind != RB_DAE_PARAMETER || !var->binding || rb_work_at(w, v)->whole)
        return false;
    RbArena temp = *w->temp;
    RbIndices uses = rb_expr_vars(w->x, var->binding, &temp);
    for (int i = 0; i < uses.count; i++) {
        if (is_found_at_start(w, uses.data[i])) return true;
    }
    return false;
}

// Parameters that follow from one that is found at the start are found there too.
static void spread_found_at_start(RbWork *w) {
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < w->model->vars.count; i++) {
            if (!follows_from_start(w, i)) continue;
            rb_work_at(w, i)->kind = RB_DAE_DISCRETE;
            more = true;
        }
    }
}

static void classify(RbWork *w) {
    bool found_at_start = false;
    for (int i = 0; i < w->model->vars.count; i++) {
        rb_work_at(w, i)->kind = kind_of(&w->model->vars.data[i], rb_work_at(w, i)->whole);
        found_at_start |= is_found_at_start(w, i);
    }
    if (found_at_start) spread_found_at_start(w);
    w->dae->initial_var = rb_work_var(w, "$initial", RB_BOOLEAN, RB_DAE_DISCRETE);
    w->dae->terminal_var = rb_work_var(w, "$terminal", RB_BOOLEAN, RB_DAE_DISCRETE);
}

// --- plain equations -----------------------------------------------------------------------------

static bool is_discrete(RbWork *w, const RbExpr *e) {
    return e->op == RB_OP_VAR && rb_work_at(w, e->index)->kind == RB_DAE_DISCRETE;
}

// May a plain equation determine it? What a when-equation or an algorithm assigns is determined
// already.
static bool is_assignable(RbWork *w, const RbExpr *e) {
    return is_discrete(w, e) && !rb_map_find(&w->when_targets, (uint64_t)e->index);
}

static bool is_continuous_var(RbWork *w, const RbExpr *e) {
    return e->op == RB_OP_VAR && rb_work_at(w, e->index)->kind == RB_DAE_ALGEBRAIC;
}

static void add_assignment(RbWork *w, const RbExpr *left, const RbExpr *right, RbPos at,
                           const char *origin) {
    int eq = rb_work_eq(w, left, right, at, origin);
    w->dae->eqs.data[eq].assigns = left->index;
}

// An equation of a discrete variable is an assignment to it, unless the other side is a continuous
// one that follows from it. Both sides are plain already.
static void add(RbWork *w, const RbExpr *left, const RbExpr *right, RbPos at, const char *origin) {
    if (is_assignable(w, left) && !is_continuous_var(w, right)) {
        add_assignment(w, left, right, at, origin);
    } else if (is_assignable(w, right) && !is_continuous_var(w, left)) {
        add_assignment(w, right, left, at, origin);
    } else {
        rb_work_eq(w, left, right, at, origin);
    }
}

static void bindings(RbWork *w) {
    int count = w->model->vars.count;
    for (int i = 0; i < count; i++) {
        RbFlatVar v = w->model->vars.data[i];
        if (is_found_at_start(w, i)) { // keeps what the initialisation found
            const RbExpr *self = rb_work_ref(w, i);
            int eq = rb_work_eq(w, self, rb_pre(w->x, self), v.at, v.name);
            w->dae->eqs.data[eq].assigns = i;
            RbDaeEq start = w->dae->eqs.data[eq];
            w->dae->eqs.data[eq].not_initial = true;
            if (!v.binding) continue;
            start.assigns = -1;
            start.right = rb_plain(w, v.binding, v.at);
            rb_array_push(&w->dae->initial_eqs, w->arena, start);
        } else if (v.binding && rb_is_unknown(rb_work_at(w, i))) {
            add(w, rb_work_ref(w, i), rb_plain(w, v.binding, v.at), v.at, v.name);
        }
    }
}

// --- conditions of when-clauses ------------------------------------------------------------------

// edge(c) needs the left limit of c, so a condition that is not a variable becomes one.
static const RbExpr *condition_var(RbWork *w, const RbExpr *c, RbPos at) {
    if (is_discrete(w, c)) return c;
    uint64_t *known = rb_map_find(&w->when_vars, (uint64_t)c->id);
    if (known) return rb_work_ref(w, (int)*known);
    RbText name = rb_text(w->arena);
    rb_text_printf(&name, "$when%d", w->when_vars.entries.count + 1);
    int v = rb_work_var(w, name.data, RB_BOOLEAN, RB_DAE_DISCRETE);
    rb_map_set(&w->when_vars, w->scratch, (uint64_t)c->id, (uint64_t)v);
    int eq = rb_work_eq(w, rb_work_ref(w, v), c, at, "");
    w->dae->eqs.data[eq].assigns = v;
    return rb_work_ref(w, v);
}

// a and not pre(a)
static bool is_edge(const RbExpr *e) {
    if (e->op != RB_OP_AND || e->args[1]->op != RB_OP_NOT) return false;
    const RbExpr *pre = e->args[1]->args[0];
    return pre->op == RB_OP_PRE && pre->args[0] == e->args[0];
}

// Alternatives that are edges or initial() already count each for itself, as those of `when {a,
// b}`.
static bool has_own_edges(const RbExpr *e, const RbExpr *initial) {
    if (e->op == RB_OP_OR)
        return has_own_edges(e->args[0], initial) || has_own_edges(e->args[1], initial);
    return e == initial || is_edge(e);
}

static const RbExpr *active(RbWork *w, const RbExpr *c, RbPos at) {
    RbExprs *x = w->x;
    const RbExpr *initial = rb_work_ref(w, w->dae->initial_var);
    if (c == initial) return initial;
    if (c->op == RB_OP_BOOLEAN) return rb_boolean(x, false); // has no edge
    if (c->op == RB_OP_OR && has_own_edges(c, initial)) {
        return rb_or(x, active(w, c->args[0], at), active(w, c->args[1], at));
    }
    if (is_edge(c)) return rb_and(x, rb_not(x, initial), c);
    const RbExpr *v = condition_var(w, c, at);
    return rb_and(x, rb_not(x, initial), rb_and(x, v, rb_not(x, rb_pre(x, v))));
}

const RbExpr *rb_when_active(RbWork *w, const RbExpr *condition, RbPos at) {
    if (condition->rank == 0) return active(w, rb_plain(w, condition, at), at);
    const RbExpr *any = rb_boolean(w->x, false);
    for (int i = 0; i < condition->arg_count; i++)
        any = rb_or(w->x, any, rb_when_active(w, condition->args[i], at));
    return any;
}

static const RbExpr *holds(RbWork *w, const RbExpr *condition, RbPos at) {
    if (condition->rank == 0) return rb_plain(w, condition, at);
    const RbExpr *any = rb_boolean(w->x, false);
    for (int i = 0; i < condition->arg_count; i++)
        any = rb_or(w->x, any, holds(w, condition->args[i], at));
    return any;
}

// --- if- and when-equations ----------------------------------------------------------------------

typedef struct Pair { // left = right
    const RbExpr *left, *right;
    RbPos at;
} Pair;
typedef RB_ARRAY(Pair) Pairs;

static RbStatus collect_list(RbWork *w, const RbEquations *list, const RbExpr *guard, bool in_when,
                             Pairs *out);

static void act(RbWork *w, const RbEquation *eq, RbActionKind kind, const RbExpr *guard,
                bool in_when) {
    RbExprs *x = w->x;
    RbAction a = {.kind = kind,
                  .at = eq->at,
                  .is_warning = eq->is_warning,
                  .is_momentary = in_when || w->at_start,
                  .state = -1};
    a.value = eq->right && kind != RB_ACTION_ASSERT ? rb_plain(w, eq->right, eq->at) : eq->right;
    a.condition = guard;
    if (kind == RB_ACTION_ASSERT) {
        const RbExpr *holds = rb_plain(w, eq->left, eq->at);
        a.condition = guard ? rb_or(x, rb_not(x, guard), holds) : holds;
        a.value = rb_plain(w, eq->right, eq->at);
    } else if (kind == RB_ACTION_REINIT) {
        a.holds = w->when;
        a.state = eq->left->op == RB_OP_VAR ? eq->left->index : -1;
        if (a.state >= 0) // what is given a new value must be a state
            w->model->vars.data[a.state].attributes.state_select = RB_STATE_ALWAYS;
    }
    if (!a.condition) a.condition = rb_boolean(x, true);
    rb_array_push(&w->dae->actions, w->arena, a);
}

// The pair of `pairs` that has this left-hand side, or the k-th.
static const Pair *partner(const Pairs *pairs, const Pair *like, int k) {
    for (int i = 0; i < pairs->count; i++) {
        if (like->left->op == RB_OP_VAR && pairs->data[i].left == like->left)
            return &pairs->data[i];
    }
    return &pairs->data[k];
}

static RbStatus unbalanced(RbWork *w, const RbEquation *eq, int first, int other) {
    return rb_fail(w->diag, RB_ERROR_MODEL, eq->at,
                   "the branches of this if-equation have different numbers of equations (%d and "
                   "%d); each branch, with the "
                   "else-branch, must determine the same number of unknowns",
                   first, other);
}

static RbStatus merge_branches(RbWork *w, const RbEquation *eq, const RbExpr **conditions,
                               Pairs *branches, int count, Pairs *out) {
    RbExprs *x = w->x;
    Pairs *last = &branches[count - 1];
    for (int b = 0; b < count; b++) {
        if (branches[b].count != last->count)
            return unbalanced(w, eq, branches[b].count, last->count);
    }
    for (int k = 0; k < last->count; k++) {
        const Pair *own = &last->data[k];
        bool same = true;
        for (int b = 0; b < count; b++) same &= partner(&branches[b], own, k)->left == own->left;
        const RbExpr *value = same ? own->right : rb_sub(x, own->left, own->right);
        for (int b = count - 2; b >= 0; b--) {
            const Pair *p = partner(&branches[b], own, k);
            value = rb_if(x, conditions[b], same ? p->right : rb_sub(x, p->left, p->right), value);
        }
        Pair merged = {same ? own->left : value, same ? value : rb_real(x, 0.0),
                       branches[0].data[k].at};
        rb_array_push(out, w->scratch, merged);
    }
    return RB_OK;
}

static RbStatus collect_if(RbWork *w, const RbEquation *eq, const RbExpr *guard, bool in_when,
                           Pairs *out) {
    RbExprs *x = w->x;
    int count = eq->branches.count;
    Pairs *branches = rb_new_array(w->scratch, Pairs, count + 1);
    const RbExpr **conditions = rb_new_array(w->scratch, const RbExpr *, count + 1);
    const RbExpr *before = guard; // true if no earlier branch applies
    for (int b = 0; b < count; b++) {
        const RbExpr *c = eq->branches.data[b].condition;
        conditions[b] = c ? rb_plain(w, c, eq->at) : rb_boolean(x, true);
        const RbExpr *own = before ? rb_and(x, before, conditions[b]) : conditions[b];
        const RbExpr *rest = rb_not(x, conditions[b]);
        before = before ? rb_and(x, before, rest) : rest;
        RB_TRY(collect_list(w, &eq->branches.data[b].equations, own, in_when, &branches[b]));
    }
    bool has_else = count > 0 && !eq->branches.data[count - 1].condition;
    if (!has_else) {
        if (count > 0 && branches[0].count > 0 && in_when) { // a discrete variable keeps its value
            for (int k = 0; k < branches[0].count; k++) {
                Pair keep = branches[0].data[k];
                keep.right = rb_plain(w, rb_pre(x, keep.left), eq->at);
                rb_array_push(&branches[count], w->scratch, keep);
            }
        }
        conditions[count++] = rb_boolean(x, true);
    }
    return merge_branches(w, eq, conditions, branches, count, out);
}

typedef struct WhenTarget { // what a variable gets in a when-equation, the last branch first
    const RbExpr *left;
    const RbExpr *value;
    RbPos at;
} WhenTarget;

static RbStatus collect_when(RbWork *w, const RbEquation *eq) {
    RbExprs *x = w->x;
    int count = eq->branches.count;
    Pairs *branches = rb_new_array(w->scratch, Pairs, count + 1);
    const RbExpr **active = rb_new_array(w->scratch, const RbExpr *, count + 1);
    const RbExpr *before = NULL;
    for (int b = 0; b < count; b++) {
        active[b] = rb_when_active(w, eq->branches.data[b].condition, eq->at);
        const RbExpr *own = before ? rb_and(x, before, active[b]) : active[b];
        before = before ? rb_and(x, before, rb_not(x, active[b])) : rb_not(x, active[b]);
        w->when = holds(w, eq->branches.data[b].condition, eq->at);
        RB_TRY(collect_list(w, &eq->branches.data[b].equations, own, true, &branches[b]));
        w->when = NULL;
    }
    RB_ARRAY(WhenTarget) targets = {0};
    for (int b = count - 1; b >= 0; b--) {
        for (int k = 0; k < branches[b].count; k++) {
            const Pair *p = &branches[b].data[k];
            if (p->left->op != RB_OP_VAR) {
                return rb_fail(
                    w->diag, RB_ERROR_MODEL, p->at,
                    "the left-hand side of an equation in a when-clause must be a variable");
            }
            int t = 0;
            while (t < targets.count && targets.data[t].left != p->left) t++;
            if (t == targets.count) {
                rb_array_push(&targets, w->scratch,
                              (WhenTarget){p->left, rb_pre(x, p->left), p->at});
            }
            targets.data[t].value = rb_if(x, active[b], p->right, targets.data[t].value);
        }
    }
    for (int t = 0; t < targets.count; t++) {
        int v = targets.data[t].left->index;
        if (rb_work_at(w, v)->kind == RB_DAE_ALGEBRAIC)
            rb_work_at(w, v)->kind = RB_DAE_DISCRETE; // a Real assigned here
        add_assignment(w, targets.data[t].left, targets.data[t].value, targets.data[t].at,
                       eq->origin);
    }
    return RB_OK;
}

// An algorithm section becomes equations of a function's results.
static RbStatus collect_algorithm(RbWork *w, const RbEquation *eq, Pairs *out) {
    RbEquations list = {0};
    RB_TRY(rb_algorithm(w, eq, &list));
    for (int i = 0; i < list.count; i++) {
        Pair p = {rb_plain(w, list.data[i]->left, eq->at), rb_plain(w, list.data[i]->right, eq->at),
                  eq->at};
        if (is_discrete(w, p.left))
            add_assignment(w, p.left, p.right, p.at, eq->origin);
        else
            rb_array_push(out, w->scratch, p);
    }
    return RB_OK;
}

static RbStatus collect_one(RbWork *w, const RbEquation *eq, const RbExpr *guard, bool in_when,
                            Pairs *out) {
    switch (eq->kind) {
        case RB_EQ_EQUAL:
            rb_array_push(
                out, w->scratch,
                (Pair){rb_plain(w, eq->left, eq->at), rb_plain(w, eq->right, eq->at), eq->at});
            return RB_OK;
        case RB_EQ_IF: return collect_if(w, eq, guard, in_when, out);
        case RB_EQ_WHEN: return collect_when(w, eq);
        case RB_EQ_ASSERT: act(w, eq, RB_ACTION_ASSERT, guard, in_when); return RB_OK;
        case RB_EQ_TERMINATE: act(w, eq, RB_ACTION_TERMINATE, guard, in_when); return RB_OK;
        case RB_EQ_REINIT: act(w, eq, RB_ACTION_REINIT, guard, in_when); return RB_OK;
        case RB_EQ_CALL: act(w, eq, RB_ACTION_CALL, guard, in_when); return RB_OK;
        case RB_EQ_ALGORITHM: return collect_algorithm(w, eq, out);
    }
    return RB_OK;
}

static RbStatus collect_list(RbWork *w, const RbEquations *list, const RbExpr *guard, bool in_when,
                             Pairs *out) {
    for (int i = 0; i < list->count; i++)
        RB_TRY(collect_one(w, list->data[i], guard, in_when, out));
    return RB_OK;
}

// A Real that is assigned at events is discrete.
static void mark_target(RbWork *w, int v, bool in_when) {
    if (in_when && rb_work_at(w, v)->kind == RB_DAE_ALGEBRAIC)
        rb_work_at(w, v)->kind = RB_DAE_DISCRETE;
    rb_map_set(&w->when_targets, w->scratch, (uint64_t)v, 1);
}

// The target of an assignment: a variable, or an array of them of which some element is assigned.
static void mark_assigned(RbWork *w, const RbExpr *target, bool in_when) {
    if (target && target->op == RB_OP_SUBSCRIPT) target = target->args[0];
    if (!target || target->op != RB_OP_VAR) return;
    const RbFlatVar *v = &w->model->vars.data[target->index];
    bool apart = v->rank > 0 && !rb_work_at(w, target->index)->whole;
    int first = apart ? rb_work_at(w, target->index)->elements : target->index;
    for (int i = 0; i < (apart ? rb_flat_size(v) : 1); i++) mark_target(w, first + i, in_when);
}

static void mark_algorithm(RbWork *w, const RbStatements *list, bool in_when) {
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        if (s->kind == RB_ST_ASSIGN) mark_assigned(w, s->target, in_when);
        for (int k = 0; k < s->targets.count; k++) mark_assigned(w, s->targets.data[k], in_when);
        for (int b = 0; b < s->branches.count; b++)
            mark_algorithm(w, &s->branches.data[b].statements, in_when || s->kind == RB_ST_WHEN);
    }
}

// Variables that a when-equation assigns are discrete; to be known before any of their uses is
// read.
static void mark_when_targets(RbWork *w, const RbEquations *list, bool in_when) {
    for (int i = 0; i < list->count; i++) {
        const RbEquation *eq = list->data[i];
        bool when = in_when || eq->kind == RB_EQ_WHEN;
        if (in_when && eq->kind == RB_EQ_EQUAL && eq->left->op == RB_OP_VAR)
            mark_target(w, eq->left->index, true);
        if (eq->kind == RB_EQ_ALGORITHM) mark_algorithm(w, &eq->statements, false);
        for (int b = 0; b < eq->branches.count; b++)
            mark_when_targets(w, &eq->branches.data[b].equations, when);
    }
}

static RbStatus add_all(RbWork *w, const RbEquations *list, const RbExpr *guard) {
    Pairs pairs = {0}; // of one equation
    for (int i = 0; i < list->count; i++) {
        const RbEquation *eq = list->data[i];
        pairs.count = 0;
        RB_TRY(collect_one(w, eq, guard, false, &pairs));
        for (int k = 0; k < pairs.count; k++) {
            add(w, pairs.data[k].left, pairs.data[k].right, pairs.data[k].at, eq->origin);
        }
    }
    return RB_OK;
}

// With room for those that index reduction adds.
static void reserve_equations(RbWork *w) {
    int count = w->model->equations.count;
    for (int i = 0; i < w->model->vars.count; i++)
        count += w->model->vars.data[i].binding && rb_is_unknown(rb_work_at(w, i));
    rb_array_reserve(&w->dae->eqs, w->arena, count + count / 8);
}

RbStatus rb_collect(RbWork *w) {
    classify(w);
    mark_when_targets(w, &w->model->equations, false);
    reserve_equations(w);
    bindings(w);
    RB_TRY(add_all(w, &w->model->equations, NULL));
    // initial equations: the same, but into their own list; what they assert or call is for the
    // start
    int first = w->dae->eqs.count;
    w->at_start = true;
    RB_TRY(add_all(w, &w->model->initial_equations, rb_work_ref(w, w->dae->initial_var)));
    for (int i = first; i < w->dae->eqs.count; i++) {
        RbDaeEq *eq = &w->dae->eqs.data[i];
        eq->assigns = -1; // it may determine anything, even a parameter
        rb_array_push(&w->dae->initial_eqs, w->arena, *eq);
    }
    w->dae->eqs.count = first;
    return w->diag->error_count > 0 ? RB_ERROR_MODEL : RB_OK;
}
