// SPDX-License-Identifier: MIT
// alias.c: equations a = b, a = -b and der(x) = v are used up by giving variables a common name,
// and variables that follow from parameters alone become parameters. Typically two thirds of a
// model vanish here (docs/theory/dae.md, section 2).
#include "dae/solve.h"
#include "dae/work.h"
#include "expr/builtins.h"
#include "expr/simplify.h"

typedef struct Sets {
    RbWork *w;
    int *parent; // union-find with signs: v = sign * parent
    int *sign;
    int count;
} Sets;

// The root of v's set; *sign tells v = sign * root. Halves paths on the way.
static int find(Sets *s, int v, int *sign) {
    *sign = 1;
    while (s->parent[v] != v) {
        int up = s->parent[v];
        s->sign[v] *= s->sign[up];
        s->parent[v] = s->parent[up];
        *sign *= s->sign[v];
        v = s->parent[v];
    }
    return v;
}

// --- which equations are aliases -----------------------------------------------------------------

typedef struct Pair {
    int a, b, sign; // a = sign * b
} Pair;

static const RbExpr *strip(const RbExpr *e, int *sign) {
    while (e->op == RB_OP_NEG) {
        *sign = -*sign;
        e = e->args[0];
    }
    return e;
}

static bool may_be_alias(RbWork *w, const RbExpr *e) {
    return e->op == RB_OP_VAR && rb_is_unknown(rb_work_at(w, e->index)) &&
           !rb_work_at(w, e->index)->auxiliary;
}

static bool same_kind(RbWork *w, int a, int b) {
    const RbFlatVar *l = &w->model->vars.data[a], *r = &w->model->vars.data[b];
    bool discrete = rb_work_at(w, a)->kind == RB_DAE_DISCRETE;
    return l->type == r->type && l->rank == r->rank &&
           discrete == (rb_work_at(w, b)->kind == RB_DAE_DISCRETE);
}

static bool is_zero(const RbExpr *e) {
    bool zeros = e->op == RB_OP_BUILTIN && e->index == RB_FN_FILL;
    return rb_is_number(zeros ? e->args[0] : e, 0);
}

// Sides of an equation that is an alias: a = b, -a = b, a + b = 0, a - b = 0, 0 = a + b ...
static bool alias_pair(RbWork *w, const RbDaeEq *eq, Pair *pair) {
    int sign = 1;
    const RbExpr *left = strip(eq->left, &sign), *right = strip(eq->right, &sign);
    if (is_zero(left)) {
        const RbExpr *swap = left;
        left = right;
        right = swap;
    }
    if (is_zero(right) && (left->op == RB_OP_ADD || left->op == RB_OP_SUB)) {
        sign = left->op == RB_OP_ADD ? -1 : 1;
        right = strip(left->args[1], &sign);
        left = strip(left->args[0], &sign);
    }
    if (!may_be_alias(w, left) || !may_be_alias(w, right)) return false;
    *pair = (Pair){left->index, right->index, sign};
    return same_kind(w, pair->a, pair->b) &&
           (sign == 1 || rb_work_at(w, pair->a)->kind != RB_DAE_DISCRETE);
}

// --- joining -------------------------------------------------------------------------------------

typedef enum Joined { JOINED, SAME, OPPOSITE } Joined;

static Joined join(Sets *s, Pair p) {
    int sa, sb, a = find(s, p.a, &sa), b = find(s, p.b, &sb);
    if (a == b) return sa == p.sign * sb ? SAME : OPPOSITE;
    int keep = a < b ? a : b, drop = a < b ? b : a;
    s->parent[drop] = keep; // sa * a = p.sign * sb * b
    s->sign[drop] = sa * sb * p.sign;
    return JOINED;
}

// The name that stays: what the user wants as a state, what is differentiated, what has a start
// value, then the first.
static int merit(RbWork *w, int v) {
    const RbAttributes *a = &w->model->vars.data[v].attributes;
    int value = 100 * (int)a->state_select;
    if (rb_work_at(w, v)->derivative >= 0) value += 50;
    if (a->fixed) value += 20;
    if (a->start) value += 10;
    if (w->model->vars.data[v].causality != RB_LOCAL) value += 5;
    return value;
}

static const RbExpr *signed_expr(RbWork *w, const RbExpr *e, int sign) {
    return e && sign < 0 ? rb_neg(w->x, e) : e;
}

// To be a state rather than not to be one, but any word of the user rather than none.
static RbStateSelect stronger_wish(RbStateSelect a, RbStateSelect b) {
    if (a == RB_STATE_DEFAULT || b == RB_STATE_DEFAULT) return a == RB_STATE_DEFAULT ? b : a;
    return a > b ? a : b;
}

static bool is_fixed(RbWork *w, const RbAttributes *a) {
    double number;
    return a->fixed && rb_parameter_number(w, a->fixed, &number) && number != 0;
}

// Where the numbers depend on parameters: an assertion at the start.
static void check_starts_later(RbWork *w, const RbExpr *a, const RbExpr *b, RbPos at,
                               const char *text) {
    RbExprs *x = w->x;
    const RbExpr *initial = rb_work_ref(w, w->dae->initial_var);
    const RbExpr *difference = rb_builtin1(x, RB_FN_ABS, rb_sub(x, a, b));
    const RbExpr *size = rb_add(x, rb_builtin1(x, RB_FN_ABS, a), rb_builtin1(x, RB_FN_ABS, b));
    const RbExpr *equal = rb_relate(x, RB_OP_LE, difference, rb_mul(x, rb_real(x, 1e-9), size));
    RbAction action = {.kind = RB_ACTION_ASSERT,
                       .condition = rb_or(x, rb_not(x, initial), equal),
                       .value = rb_string(x, text),
                       .state = -1,
                       .is_momentary = true,
                       .at = at};
    rb_array_push(&w->dae->actions, w->arena, action);
}

// The component of the model itself, where a modifier says what the start value is, if a library
// declares the variable.
static RbPos users_place(const RbFlatVar *v) {
    return v->top_at.file && v->top_at.file != v->at.file ? v->top_at : v->at;
}

// Two names of one quantity whose start values are both fixed: they must be the same. (That of a
// discrete variable is what it was before the start, and may differ.)
static void check_fixed_starts(RbWork *w, int rep, int v, int sign) {
    const RbFlatVar *a = &w->model->vars.data[rep], *b = &w->model->vars.data[v];
    bool discrete = a->variability != RB_CONTINUOUS || b->variability != RB_CONTINUOUS;
    if (discrete || rb_work_at(w, v)->whole || !is_fixed(w, &a->attributes) ||
        !is_fixed(w, &b->attributes))
        return;
    const RbExpr *zero = rb_real(w->x, 0.0);
    const RbExpr *x = a->attributes.start ? a->attributes.start : zero;
    const RbExpr *y = b->attributes.start ? signed_expr(w, b->attributes.start, sign) : zero;
    double at_a, at_b;
    if (x == y) return;
    if (!rb_constant_value(x, &at_a) || !rb_constant_value(y, &at_b)) {
        const char *text =
            rb_arena_printf(w->arena,
                            "the start values of '%s' and '%s' are both fixed and differ, but the "
                            "equations make the two %s; leave one of them free",
                            a->name, b->name, sign > 0 ? "equal" : "opposite");
        check_starts_later(w, x, y, users_place(b), text);
    } else if (at_a != at_b) {
        RbPos there = users_place(b), other = users_place(a);
        rb_fail(w->diag, RB_ERROR_MODEL, there,
                "the start values of '%s' and '%s' are both fixed, at %g and %g, but the equations "
                "make the two %s; leave one of them free",
                a->name, b->name, at_a, sign * at_b, sign > 0 ? "equal" : "opposite");
        if (b->at.file != there.file || a->at.file != other.file)
            rb_note(w->diag, other, "'%s' belongs to this one", a->name);
    }
}

// Whose start value counts: of what is fixed, then of what says that it is not, then of the rest.
static int start_rank(RbWork *w, const RbAttributes *a) {
    return is_fixed(w, a) ? 2 : a->fixed ? 1 : 0;
}

// The chosen variable inherits what only its aliases know.
static void merge_attributes(RbWork *w, int rep, int v, int sign) {
    check_fixed_starts(w, rep, v, sign);
    RbAttributes *to = &w->model->vars.data[rep].attributes,
                 *from = &w->model->vars.data[v].attributes;
    bool stronger = start_rank(w, from) > start_rank(w, to);
    if (from->start && (!to->start || stronger)) to->start = signed_expr(w, from->start, sign);
    if (stronger) to->fixed = from->fixed;
    if (!to->nominal) to->nominal = from->nominal;
    to->state_select = stronger_wish(to->state_select, from->state_select);
    if (!to->unit) to->unit = from->unit;
}

static void choose_representatives(Sets *s) {
    RbWork *w = s->w;
    int *best = rb_new_array(w->scratch, int, s->count); // by root, plus one
    for (int v = 0; v < s->count; v++) {
        int sign, root = find(s, v, &sign);
        if (best[root] == 0 || merit(w, v) > merit(w, best[root] - 1)) best[root] = v + 1;
    }
    for (int v = 0; v < s->count; v++) {
        int sign, rep_sign, root = find(s, v, &sign), rep = best[root] - 1;
        if (rep == v) continue;
        find(s, rep, &rep_sign);
        rb_work_at(w, v)->alias = rep;
        rb_work_at(w, v)->sign = sign * rep_sign;
        rb_work_at(w, v)->kind = RB_DAE_ALIAS;
        merge_attributes(w, rep, v, sign * rep_sign);
        w->dae->stats.aliases++;
    }
}

// der of an alias is plus or minus the derivative of its representative.
static void join_derivatives(RbWork *w, int count) {
    for (int v = 0; v < count; v++) {
        const RbDaeVar *var = rb_work_at(w, v);
        if (var->kind != RB_DAE_ALIAS || var->derivative < 0) continue;
        int own = var->derivative, sign = var->sign, d = rb_work_derivative(w, var->alias);
        rb_work_at(w, own)->kind = RB_DAE_ALIAS;
        rb_work_at(w, own)->alias = d;
        rb_work_at(w, own)->sign = sign;
        rb_work_at(w, own)->integral = -1;
    }
}

// --- substitution --------------------------------------------------------------------------------

int rb_work_resolve(RbWork *w, int v, int *sign) {
    *sign = 1;
    while (rb_work_at(w, v)->kind == RB_DAE_ALIAS) {
        *sign *= rb_work_at(w, v)->sign;
        v = rb_work_at(w, v)->alias;
    }
    return v;
}

static const RbExpr *alias_node(void *user, const RbExpr *e) {
    RbWork *w = user;
    if (e->op != RB_OP_VAR || rb_work_at(w, e->index)->kind != RB_DAE_ALIAS) return NULL;
    int sign, v = rb_work_resolve(w, e->index, &sign);
    return signed_expr(w, rb_work_ref(w, v), sign);
}

static void rename_equations(RbRewrite *r, RbDaeEq *eqs, int count) {
    for (int i = 0; i < count; i++) {
        eqs[i].left = rb_rewrite_expr(r, eqs[i].left);
        eqs[i].right = rb_rewrite_expr(r, eqs[i].right);
    }
}

static void rename_actions(RbWork *w, RbRewrite *r) {
    for (int i = 0; i < w->dae->actions.count; i++) {
        RbAction *a = &w->dae->actions.data[i];
        a->condition = rb_rewrite_expr(r, a->condition);
        a->value = rb_rewrite_expr(r, a->value);
        if (a->holds) a->holds = rb_rewrite_expr(r, a->holds);
        int sign = 1;
        if (a->state >= 0) a->state = rb_work_resolve(w, a->state, &sign);
        if (sign < 0) a->value = rb_neg(w->x, a->value);
    }
}

static void rename_everything(RbWork *w) {
    RbSortedDae *d = w->dae;
    RbArena temp = *w->temp;
    RbRewrite r = rb_rewrite(w->x, alias_node, w, &temp);
    rename_equations(&r, d->eqs.data, d->eqs.count);
    rename_equations(&r, d->initial_eqs.data, d->initial_eqs.count);
    rename_actions(w, &r);
    for (int i = 0; i < d->relations.count; i++) {
        d->relations.data[i].left = rb_rewrite_expr(&r, d->relations.data[i].left);
        d->relations.data[i].right = rb_rewrite_expr(&r, d->relations.data[i].right);
    }
    for (int i = 0; i < d->left_limits.count; i++)
        d->left_limits.data[i].value = rb_rewrite_expr(&r, d->left_limits.data[i].value);
    int sign;
    for (int i = 0; i < d->eqs.count; i++) {
        int a = d->eqs.data[i].assigns;
        if (a >= 0) d->eqs.data[i].assigns = rb_work_resolve(w, a, &sign);
    }
    for (int v = 0; v < d->vars.count; v++) { // links along derivatives
        int derivative = d->vars.data[v].derivative;
        if (derivative >= 0) d->vars.data[v].derivative = rb_work_resolve(w, derivative, &sign);
    }
}

// --- variables that follow from parameters -------------------------------------------------------

typedef struct Knowns {
    RbWork *w;
    int *unknowns;   // per equation: how many
    RbIndices *vars; // per equation
    RB_ARRAY(int) queue;
} Knowns;

static bool may_become_parameter(RbWork *w, int v) {
    const RbDaeVar *var = rb_work_at(w, v);
    return var->kind == RB_DAE_ALGEBRAIC && var->derivative < 0 && !var->is_der &&
           var->integral < 0 && w->model->vars.data[v].causality == RB_LOCAL;
}

static bool depends_on_time_or(RbExprs *x, const RbExpr *e, const RbExpr *v, RbArena scratch) {
    RbExprOrder order = rb_expr_order(x, &e, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_TIME || n->op == RB_OP_PRE || n->op == RB_OP_CALL || n == v) return true;
        if (rb_is_builtin(n, RB_TRAIT_TIME)) return true;
        if (n->op == RB_OP_BUILTIN && (n->index == RB_FN_SEMI_LINEAR || n->index == RB_FN_HOMOTOPY))
            return true;
    }
    return false;
}

// v = expression of parameters: then v is one.
static bool becomes_parameter(RbWork *w, RbDaeEq *eq) {
    const RbExpr *v = eq->left, *value = eq->right;
    if (v->op != RB_OP_VAR || !may_become_parameter(w, v->index)) {
        v = eq->right;
        value = eq->left;
    }
    if (v->op != RB_OP_VAR || !may_become_parameter(w, v->index)) return false;
    if (depends_on_time_or(w->x, value, v, *w->temp)) return false; // y = 3 tanh(y) is a system
    RbFlatVar *var = &w->model->vars.data[v->index];
    rb_work_at(w, v->index)->kind = RB_DAE_PARAMETER;
    var->binding = value;
    w->dae->stats.constants_found++;
    return true;
}

static bool counts(RbWork *w, int v) {
    const RbDaeVar *var = rb_work_at(w, v);
    return rb_is_unknown(var) || var->kind == RB_DAE_INPUT;
}

static RbStatus propagate_parameters(RbWork *w) {
    int n = w->dae->eqs.count, vars = w->dae->vars.count;
    Knowns k = {.w = w,
                .unknowns = rb_new_array(w->scratch, int, n),
                .vars = rb_new_array(w->scratch, RbIndices, n)};
    int *first = rb_new_array(w->scratch, int, vars + 2), *uses;
    for (int i = 0; i < n; i++) {
        k.vars[i] = rb_eq_vars(w, &w->dae->eqs.data[i], w->scratch);
        for (int j = 0; j < k.vars[i].count; j++) {
            if (!counts(w, k.vars[i].data[j])) continue;
            k.unknowns[i]++;
            first[k.vars[i].data[j] + 2]++;
        }
        if (k.unknowns[i] == 1) rb_array_push(&k.queue, w->scratch, i);
    }
    for (int v = 0; v < vars; v++) first[v + 2] += first[v + 1];
    uses = rb_new_array(w->scratch, int, first[vars + 1] + 1);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k.vars[i].count; j++) {
            if (counts(w, k.vars[i].data[j])) uses[first[k.vars[i].data[j] + 1]++] = i;
        }
    }
    bool *gone = rb_new_array(w->scratch, bool, n);
    for (int q = 0; q < k.queue.count; q++) {
        int i = k.queue.data[q];
        RbDaeEq *eq = &w->dae->eqs.data[i];
        if (eq->assigns >= 0 || k.unknowns[i] != 1) continue;
        int v = -1;
        for (int j = 0; j < k.vars[i].count; j++) {
            if (counts(w, k.vars[i].data[j])) v = k.vars[i].data[j];
        }
        if (!becomes_parameter(w, eq)) continue;
        gone[i] = true;
        for (int u = first[v]; u < first[v + 1]; u++) {
            if (--k.unknowns[uses[u]] == 1) rb_array_push(&k.queue, w->scratch, uses[u]);
        }
    }
    int kept = 0;
    for (int i = 0; i < n; i++) {
        if (!gone[i]) w->dae->eqs.data[kept++] = w->dae->eqs.data[i];
    }
    w->dae->eqs.count = kept;
    return rb_parameters(w);
}

// --- the stage -----------------------------------------------------------------------------------

// der(x) = v: v is the derivative, unless it is one of another variable already.
static bool is_derivative_alias(RbWork *w, Pair p, int *d, int *v) {
    bool a = rb_work_at(w, p.a)->is_der, b = rb_work_at(w, p.b)->is_der;
    *d = a ? p.a : p.b;
    *v = a ? p.b : p.a;
    int x = rb_work_at(w, *d)->integral;
    return a != b && p.sign == 1 && x >= 0 && rb_work_at(w, *v)->integral < 0 &&
           rb_work_at(w, *v)->kind == RB_DAE_ALGEBRAIC && x != *v;
}

// Would v as derivative of x close a circle of derivatives (x' = v, v' = x)?
static bool circular(RbWork *w, int x, int v) {
    for (int i = v, n = 0; i >= 0 && n < 100; i = rb_work_at(w, i)->derivative, n++) {
        if (i == x) return true;
    }
    return false;
}

static void take_derivative_aliases(RbWork *w) {
    int kept = 0;
    for (int i = 0; i < w->dae->eqs.count; i++) {
        RbDaeEq eq = w->dae->eqs.data[i];
        Pair p;
        int d, v;
        bool used = eq.assigns < 0 && alias_pair(w, &eq, &p) && is_derivative_alias(w, p, &d, &v) &&
                    !circular(w, rb_work_at(w, d)->integral, v);
        if (!used) {
            w->dae->eqs.data[kept++] = eq;
            continue;
        }
        int x = rb_work_at(w, d)->integral;
        // what was the derivative of d is now that of v
        if (rb_work_at(w, d)->derivative >= 0 && rb_work_at(w, v)->derivative < 0) {
            rb_work_at(w, v)->derivative = rb_work_at(w, d)->derivative;
            rb_work_at(w, rb_work_at(w, v)->derivative)->integral = v;
        }
        rb_work_at(w, d)->kind = RB_DAE_ALIAS;
        rb_work_at(w, d)->alias = v;
        rb_work_at(w, d)->sign = 1;
        rb_work_at(w, x)->derivative = v;
        rb_work_at(w, v)->integral = x;
        w->dae->stats.aliases++;
    }
    w->dae->eqs.count = kept;
}

// One more name for a derivative that has one: v = plus or minus rep.
static void join_name(RbWork *w, int v, int rep, int sign) {
    while (v >= 0) {
        int next = rb_work_at(w, v)->derivative;
        rb_work_at(w, v)->kind = RB_DAE_ALIAS;
        rb_work_at(w, v)->alias = rep;
        rb_work_at(w, v)->sign = sign;
        rb_work_at(w, v)->integral = -1;
        merge_attributes(w, rep, v, sign);
        w->dae->stats.aliases++;
        if (next >= 0) rep = rb_work_derivative(w, rep);
        v = next;
    }
}

// Which side of a pair only repeats the derivative on the other one, or -1. A variable that is
// differentiated itself keeps its name where the sign is not the same: it may be wanted as a state.
static int repeats_derivative(RbWork *w, Pair p) {
    for (int i = 0; i < 2; i++) {
        int v = i == 0 ? p.a : p.b, d = i == 0 ? p.b : p.a;
        int x = rb_work_at(w, d)->integral;
        bool plain = rb_work_at(w, v)->kind == RB_DAE_ALGEBRAIC && rb_work_at(w, v)->integral < 0 &&
                     (p.sign > 0 || rb_work_at(w, v)->derivative < 0);
        if (x >= 0 && plain && !rb_work_at(w, v)->whole && !circular(w, x, v)) return v;
    }
    return -1;
}

// v = -der(x), and v = der(x) where der(x) has another name. Answers whether there were any; then
// others may have become such.
static bool take_derivative_names(RbWork *w) {
    int kept = 0, count = w->dae->eqs.count;
    for (int i = 0; i < w->dae->eqs.count; i++) {
        RbDaeEq eq = w->dae->eqs.data[i];
        Pair p;
        int v = eq.assigns < 0 && !eq.not_initial && alias_pair(w, &eq, &p)
                    ? repeats_derivative(w, p)
                    : -1;
        if (v >= 0) join_name(w, v, v == p.a ? p.b : p.a, p.sign);
        if (v < 0) w->dae->eqs.data[kept++] = eq;
    }
    w->dae->eqs.count = kept;
    return kept < count;
}

RbStatus rb_aliases(RbWork *w) {
    int count = w->dae->vars.count;
    Sets s = {w, rb_new_array(w->scratch, int, count), rb_new_array(w->scratch, int, count), count};
    for (int v = 0; v < count; v++) {
        s.parent[v] = v;
        s.sign[v] = 1;
    }
    int kept = 0;
    for (int i = 0; i < w->dae->eqs.count; i++) {
        RbDaeEq eq = w->dae->eqs.data[i];
        Pair p;
        Joined joined = JOINED;
        bool alias = !w->options->no_alias && alias_pair(w, &eq, &p) &&
                     !rb_work_at(w, p.a)->is_der && !rb_work_at(w, p.b)->is_der && !eq.not_initial;
        if (alias) joined = join(&s, p);
        if (alias && joined == SAME) {
            rb_note(w->diag, eq.at,
                    "this equation says nothing new: '%s' and '%s' are equal already",
                    w->model->vars.data[p.a].name, w->model->vars.data[p.b].name);
        }
        if (alias && joined == OPPOSITE && rb_work_at(w, p.a)->whole)
            return rb_blame_arrays(w, &eq, "it equals its own negative");
        if (alias && joined == OPPOSITE) { // a = -a
            eq.left = rb_work_ref(w, p.a);
            eq.right = rb_real(w->x, 0.0);
            alias = false;
        }
        if (!alias) w->dae->eqs.data[kept++] = eq;
    }
    w->dae->eqs.count = kept;
    int errors = w->diag->error_count;
    choose_representatives(&s);
    if (w->diag->error_count > errors) return RB_ERROR_MODEL;
    join_derivatives(w, count);
    rename_everything(w);
    if (!w->options->no_alias) {
        take_derivative_aliases(w);
        rename_everything(w);
        while (take_derivative_names(w)) rename_everything(w);
        RB_TRY(propagate_parameters(w));
    }
    w->dae->stats.equations = w->dae->eqs.count;
    return RB_OK;
}
