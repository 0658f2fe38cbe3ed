// SPDX-License-Identifier: MIT
// whole.c: which arrays stay one unknown (docs/theory/dae.md, section 12).
//
// A candidate is a vector or matrix of Reals whose size follows from parameters, or is that of a
// parameter's value. It stays whole if equations determine it whole, by operations that generated
// code has loops for; others may read its elements and slices. If one array of an equation is taken
// apart, then so are the others, unless the equation says what one of them is: x = ..., der(x) =
// .... What a later stage cannot do with whole arrays (systems of equations, differentiation) it
// blames on them with rb_blame_arrays; then the analysis starts again with these arrays taken
// apart.
#include "dae/work.h"

#include "expr/builtins.h"
typedef struct Survey {
    RbWork *w;
    const RbFlatModel *flat;
    bool changed;
    unsigned char *determined; // by variable: an equation of arrays could be solved for it
    int root;                  // what is excluded now is so because of this variable, minus one
} Survey;

static void exclude(Survey *s, int v, const char *why, RbPos at) {
    RbApart *a = s->w->arrays;
    if (a->apart[v]) return;
    a->apart[v] = s->changed = true;
    a->why[v] = why;
    a->at[v] = at;
    a->root[v] = s->root;
}

static bool is_candidate(const RbFlatVar *v) {
    const RbExpr *fixed = v->attributes.fixed;
    return v->rank > 0 && v->rank <= 2 && v->type == RB_REAL && v->has_free_size &&
           (v->variability == RB_PARAMETER || v->variability == RB_CONTINUOUS) &&
           !(fixed && (fixed->rank > 0 || v->variability == RB_PARAMETER));
}

// --- uses ----------------------------------------------------------------------------------------

const RbExpr *rb_sliced_var(const RbExpr *e) {
    if (e->op == RB_OP_SUBSCRIPT || e->op == RB_OP_DER) e = e->args[0];
    if (e->op == RB_OP_SUBSCRIPT) e = e->args[0]; // der(x[2:3])
    return e->op == RB_OP_VAR ? e : NULL;
}

static bool is_known(const RbFlatVar *v) {
    return v->variability <= RB_DISCRETE || (v->causality == RB_INPUT && !v->binding);
}

bool rb_is_progression(const RbExpr *e, int64_t *first, int64_t *step) {
    if (e->op != RB_OP_ARRAY || e->rank != 1 || e->arg_count == 0) return false;
    for (int i = 0; i < e->arg_count; i++) {
        if (e->args[i]->op != RB_OP_INTEGER) return false;
    }
    *first = e->args[0]->integer;
    *step = e->arg_count > 1 ? e->args[1]->integer - *first : 1;
    for (int i = 1; i < e->arg_count; i++) {
        if (e->args[i]->integer != *first + i * *step) return false;
    }
    return *step != 0;
}

// Numbers, and ranges of numbers, that follow from parameters.
static bool are_plain_subscripts(const Survey *s, const RbExpr *e) {
    RbArena temp = *s->w->temp;
    for (int i = 1; i < e->arg_count; i++) {
        const RbExpr *sub = e->args[i];
        int64_t first, step;
        if (sub->op == RB_OP_ARRAY && !rb_is_progression(sub, &first, &step)) return false;
        if (sub->rank > 0 && sub->op != RB_OP_ARRAY && sub->op != RB_OP_RANGE &&
            sub->op != RB_OP_ALL)
            return false;
        RbExprOrder order = rb_expr_order(s->w->x, &sub, 1, &temp);
        for (int k = 0; k < order.count; k++) {
            const RbExpr *n = order.nodes[k];
            bool size = n->op == RB_OP_BUILTIN && n->index == RB_FN_SIZE;
            bool variable = n->op == RB_OP_VAR && n->rank == 0 &&
                            s->flat->vars.data[n->index].variability > RB_PARAMETER;
            if (variable || n->op == RB_OP_CALL || n->op == RB_OP_TIME || n->op == RB_OP_PRE ||
                (n->op == RB_OP_BUILTIN && !size))
                return false;
        }
    }
    return true;
}

bool rb_takes_whole(const RbFlatModel *model, const RbExpr *e) {
    if (e->op == RB_OP_RESULT) e = e->args[0];
    if (e->op != RB_OP_CALL) return false;
    const RbFunction *f = model->functions.data[e->index];
    bool arrays = false;
    for (int i = 0; i < f->input_count + f->output_count; i++) {
        const RbFunctionVar *v = &f->vars.data[i];
        if (v->type == RB_STRING || v->rank > 2) return false;
        arrays |= v->rank > 0;
    }
    return arrays && f->kind != RB_FUNCTION_COMPONENT;
}

static bool has_call(const Survey *s, const RbExpr *e) {
    RbArena temp = *s->w->temp;
    RbExprOrder order = rb_expr_order(s->w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->op == RB_OP_CALL) return true;
    }
    return false;
}

// Are there loops for it?
static bool has_loop(const Survey *s, const RbExpr *e) {
    if (e->rank > 2) return false;
    switch ((RbOp)e->op) {
        case RB_OP_DER: return rb_sliced_var(e->args[0]) != NULL;
        case RB_OP_SUBSCRIPT: return are_plain_subscripts(s, e);
        case RB_OP_RANGE:
        case RB_OP_ALL:
        case RB_OP_VAR:
        case RB_OP_NEG:
        case RB_OP_ADD:
        case RB_OP_SUB:
        case RB_OP_MUL:
        case RB_OP_DIV:
        case RB_OP_EMUL:
        case RB_OP_EDIV:
        case RB_OP_EPOW:
        case RB_OP_ARRAY: return true;
        case RB_OP_IF: return !has_call(s, e); // only the branch that is taken calls functions
        case RB_OP_CALL:
        case RB_OP_RESULT: return rb_takes_whole(s->flat, e);
        case RB_OP_BUILTIN: break;
        default: return false;
    }
    RbBuiltin f = (RbBuiltin)e->index;
    bool elementwise = rb_builtin_has(f, RB_TRAIT_SMOOTH) && rb_builtins[f].arg_count == 1;
    return elementwise || f == RB_FN_ABS || f == RB_FN_NO_EVENT || f == RB_FN_TO_REAL ||
           f == RB_FN_SUM || f == RB_FN_TRANSPOSE || f == RB_FN_FILL || f == RB_FN_IDENTITY ||
           f == RB_FN_DIAGONAL || f == RB_FN_SIZE || f == RB_FN_LINSPACE || f == RB_FN_PRODUCT ||
           ((f == RB_FN_MIN || f == RB_FN_MAX) && e->arg_count == 1) ||
           (f == RB_FN_CAT && e->args[0]->op == RB_OP_INTEGER && e->args[0]->integer == 1);
}

static bool touches_arrays(const RbExpr *e) {
    bool any = e->rank > 0;
    for (int i = 0; i < e->arg_count; i++) any |= e->args[i]->rank > 0;
    return any;
}

static void exclude_all(Survey *s, const RbExpr *e, const char *why, RbPos at) {
    RbArena temp = *s->w->temp;
    RbIndices vars = rb_expr_vars(s->w->x, e, &temp);
    for (int i = 0; i < vars.count; i++) exclude(s, vars.data[i], why, at);
}

static const char *name_use(const RbExpr *e) {
    switch ((RbOp)e->op) {
        case RB_OP_SUBSCRIPT: return "it has a subscript that is known only during the run";
        case RB_OP_CALL:
        case RB_OP_RESULT: return "it is the argument of a function with texts or larger arrays";
        case RB_OP_REDUCE: return "a reduction uses its elements";
        case RB_OP_PRE: return "its left limit is used";
        default: return "it is used in an operation that is done element by element";
    }
}

// Arrays below a node without a loop are taken apart.
static void survey_expr(Survey *s, const RbExpr *e, RbPos at) {
    if (!e) return;
    RbArena scratch = *s->w->scratch;
    RbExprOrder order = rb_expr_order(s->w->x, &e, 1, &scratch);
    const RbExpr **nodes = order.nodes;
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = nodes[i];
        if (n->op == RB_OP_PRE && n->args[0]->op != RB_OP_VAR)
            exclude_all(s, n->args[0], name_use(n), at);
        if (touches_arrays(nodes[i]) && !has_loop(s, nodes[i]))
            exclude_all(s, nodes[i], name_use(nodes[i]), at);
    }
}

// A function whose arrays cannot be handed over as they are: its results are taken apart, too.
static bool has_results_apart(const Survey *s, const RbExpr *e) {
    if (!e || e->rank == 0) return false;
    RbArena temp = *s->w->temp;
    RbExprOrder order = rb_expr_order(s->w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        bool result = n->rank > 0 && (n->op == RB_OP_CALL || n->op == RB_OP_RESULT);
        if (result && !rb_takes_whole(s->flat, n)) return true;
    }
    return false;
}

static const char results_apart[] = "it is the result of a function with texts or larger arrays";

static void survey_statements(Survey *s, const RbStatements *list) {
    const char *why = "an algorithm uses it";
    for (int i = 0; i < list->count; i++) {
        const RbStatement *st = list->data[i];
        if (st->target) exclude_all(s, st->target, why, st->at);
        if (st->value) exclude_all(s, st->value, why, st->at);
        for (int k = 0; k < st->targets.count; k++) {
            if (st->targets.data[k]) exclude_all(s, st->targets.data[k], why, st->at);
        }
        for (int k = 0; k < st->branches.count; k++) {
            if (st->branches.data[k].condition)
                exclude_all(s, st->branches.data[k].condition, why, st->at);
            survey_statements(s, &st->branches.data[k].statements);
        }
    }
}

// Below when and if there are only scalar equations.
static void survey_side(Survey *s, const RbEquation *eq, const RbExpr *e, bool plain) {
    bool array = e && e->rank > 0 && !(plain && eq->kind == RB_EQ_EQUAL);
    if (array) exclude_all(s, e, "an equation in a when- or if-clause uses it", eq->at);
    if (e && eq->kind == RB_EQ_REINIT && e == eq->left)
        exclude_all(s, e, "reinit sets an element of it", eq->at);
    survey_expr(s, e, eq->at);
}

static void survey_equations(Survey *s, const RbEquations *list, bool plain) {
    for (int i = 0; i < list->count; i++) {
        const RbEquation *eq = list->data[i];
        survey_side(s, eq, eq->left, plain);
        survey_side(s, eq, eq->right, plain);
        if (has_results_apart(s, eq->left) || has_results_apart(s, eq->right)) {
            exclude_all(s, eq->left, results_apart, eq->at);
            exclude_all(s, eq->right, results_apart, eq->at);
        }
        for (int b = 0; b < eq->branches.count; b++) {
            survey_expr(s, eq->branches.data[b].condition, eq->at);
            survey_equations(s, &eq->branches.data[b].equations, false);
        }
        survey_statements(s, &eq->statements);
    }
}

// Values of parameters are interpreted, so that any operation will do, if what they are the value
// of stays whole or is a scalar. Attributes are compiled.
static void survey_variable(Survey *s, int v) {
    const RbFlatVar *var = &s->flat->vars.data[v];
    const RbAttributes *a = &var->attributes;
    const char *why = "it is the value of an array whose size is a number";
    bool apart = var->rank > 0 && s->w->arrays->apart[v];
    if (var->binding) {
        if (var->variability > RB_PARAMETER) {
            survey_expr(s, var->binding, var->at);
            if (has_results_apart(s, var->binding)) exclude(s, v, results_apart, var->at);
        }
        if (var->variability <= RB_PARAMETER && apart) exclude_all(s, var->binding, why, var->at);
    }
    const RbExpr *attributes[] = {a->start, a->fixed, a->nominal, a->min, a->max};
    for (int i = 0; i < 5; i++) {
        if (!attributes[i]) continue;
        if (apart)
            exclude_all(s, attributes[i], why, var->at);
        else
            survey_expr(s, attributes[i], var->at);
    }
}

// --- parts ---------------------------------------------------------------------------------------

static bool is_scaling(const RbExpr *e) { // of args[0]
    return e->op == RB_OP_NEG || (e->op == RB_OP_MUL && e->args[1]->rank == 0) ||
           e->op == RB_OP_DIV || e->op == RB_OP_EDIV;
}

// x or der(x), an array of unknowns?
static bool is_result(const Survey *s, const RbExpr *e) {
    const RbExpr *v = e->op == RB_OP_DER ? e->args[0] : e;
    return v->op == RB_OP_VAR && v->rank > 0 && !is_known(&s->flat->vars.data[v->index]);
}

// What an equation of arrays could be solved for: the terms of its sides; behind a matrix only if
// the equation does not say what some array is.
static void mark_terms(Survey *s, const RbExpr *e, bool behind_matrix) {
    while (is_scaling(e)) e = e->args[0];
    bool sum = e->op == RB_OP_ADD || e->op == RB_OP_SUB || e->op == RB_OP_EMUL;
    bool product = e->op == RB_OP_MUL && (e->args[0]->rank == 0 || behind_matrix);
    if (sum) mark_terms(s, e->args[0], behind_matrix);
    if (sum || product) mark_terms(s, e->args[1], behind_matrix);
    if (is_result(s, e)) s->determined[e->op == RB_OP_DER ? e->args[0]->index : e->index] = 1;
}

static void mark_sides(Survey *s, const RbExpr *left, const RbExpr *right) {
    bool implicit = !is_result(s, left) && !is_result(s, right);
    mark_terms(s, left, implicit);
    mark_terms(s, right, implicit);
}

static void mark_determined(Survey *s) {
    for (int v = 0; v < s->flat->vars.count; v++) {
        const RbFlatVar *var = &s->flat->vars.data[v];
        if (is_known(var)) s->determined[v] = 1;
        if (var->binding && var->rank > 0 && !is_known(var))
            mark_sides(s, rb_flat_ref((RbFlatModel *)s->flat, v), var->binding);
    }
    for (int i = 0; i < s->flat->equations.count; i++) {
        const RbEquation *eq = s->flat->equations.data[i];
        if (eq->kind == RB_EQ_EQUAL && eq->left->rank > 0 && eq->right->rank > 0)
            mark_sides(s, eq->left, eq->right);
    }
}

// Parts of an array may be read only if something else determines it.
static void survey_parts(Survey *s, const RbExpr *e, RbPos at, bool initial) {
    if (!e) return;
    RbArena scratch = *s->w->scratch;
    RbExprOrder order = rb_expr_order(s->w->x, &e, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op != RB_OP_SUBSCRIPT || n->args[0]->op != RB_OP_VAR) continue;
        int v = n->args[0]->index;
        if (initial && !is_known(&s->flat->vars.data[v]))
            exclude(s, v, "an initial equation has an element of it", at);
        else if (!s->determined[v])
            exclude(s, v, "its elements have equations of their own", at);
    }
}

static void survey_all_parts(Survey *s, const RbEquations *list, bool initial) {
    for (int i = 0; i < list->count; i++) {
        const RbEquation *eq = list->data[i];
        survey_parts(s, eq->left, eq->at, initial);
        survey_parts(s, eq->right, eq->at, initial);
        for (int b = 0; b < eq->branches.count; b++) {
            survey_parts(s, eq->branches.data[b].condition, eq->at, initial);
            survey_all_parts(s, &eq->branches.data[b].equations, initial);
        }
    }
}

// --- one for all ---------------------------------------------------------------------------------

static bool is_apart(const Survey *s, const RbExpr *e) {
    return e->op == RB_OP_VAR && e->rank > 0 && !is_known(&s->flat->vars.data[e->index]) &&
           s->w->arrays->apart[e->index];
}

// An array of unknowns that is taken apart takes the others of its equation with it, unless the
// equation says what a single array is; what is known is put together again.
static void spread(Survey *s, const RbExpr *left, const RbExpr *right, RbPos at) {
    RbArena scratch = *s->w->scratch;
    const RbExpr *sides[] = {left, right};
    int apart = -1;
    if (is_result(s, left) || is_result(s, right)) return;
    for (int k = 0; k < 2; k++) {
        if (is_apart(s, sides[k])) apart = sides[k]->index;
    }
    RbExprOrder order = rb_expr_order(s->w->x, sides, 2, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_SUBSCRIPT && n->rank == 0) continue; // a single element
        for (int k = 0; k < n->arg_count; k++) {
            if (is_apart(s, n->args[k])) apart = n->args[k]->index;
        }
    }
    if (apart < 0) return;
    const RbApart *a = s->w->arrays;
    int root = a->root[apart] > 0 ? a->root[apart] - 1 : apart;
    const char *why = rb_arena_printf(
        s->w->arena, "it is used together with '%s'%s%s", s->flat->vars.data[root].name,
        a->why[root] ? ": " : ", whose size is a number", a->why[root] ? a->why[root] : "");
    s->root = root + 1;
    if (a->why[root]) at = a->at[root];
    for (int k = 0; k < 2; k++) exclude_all(s, sides[k], why, at);
    s->root = 0;
}

static void spread_everywhere(Survey *s) {
    const RbEquations *lists[] = {&s->flat->equations, &s->flat->initial_equations};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < lists[k]->count; i++) {
            const RbEquation *eq = lists[k]->data[i];
            if (eq->kind == RB_EQ_EQUAL) spread(s, eq->left, eq->right, eq->at);
        }
    }
    for (int v = 0; v < s->flat->vars.count; v++) {
        const RbFlatVar *var = &s->flat->vars.data[v];
        survey_variable(s, v);
        if (var->binding && var->variability > RB_PARAMETER)
            survey_parts(s, var->binding, var->at, false);
        if (var->binding && var->variability > RB_PARAMETER)
            spread(s, rb_flat_ref((RbFlatModel *)s->flat, v), var->binding, var->at);
    }
}

bool rb_choose_whole(RbWork *w, const RbFlatModel *flat) {
    RbApart *a = w->arrays;
    Survey s = {.w = w, .flat = flat};
    bool candidates = false;
    for (int v = 0; v < flat->vars.count; v++) {
        if (!is_candidate(&flat->vars.data[v]) || w->options->no_whole_arrays) a->apart[v] = true;
        candidates |= !a->apart[v];
    }
    if (!candidates) return false;
    s.determined = rb_new_array(w->scratch, unsigned char, flat->vars.count + 1);
    mark_determined(&s);
    survey_all_parts(&s, &flat->equations, false);
    survey_all_parts(&s, &flat->initial_equations, true);
    survey_equations(&s, &flat->equations, true);
    survey_equations(&s, &flat->initial_equations, true);
    do {
        s.changed = false;
        spread_everywhere(&s);
    } while (s.changed);
    bool any = false;
    for (int v = 0; v < flat->vars.count; v++) {
        w->dae->vars.data[v].whole = flat->vars.data[v].rank > 0 && !a->apart[v];
        any |= w->dae->vars.data[v].whole;
    }
    return any;
}

bool rb_has_whole(RbWork *w, const RbExpr *e) {
    if (e->op == RB_OP_VAR) return rb_work_at(w, e->index)->whole;
    if (e->arg_count == 0) return false;
    RbArena temp = *w->temp;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &temp);
    for (int i = 0; i < order.count; i++) {
        if (order.nodes[i]->op == RB_OP_VAR && rb_work_at(w, order.nodes[i]->index)->whole)
            return true;
    }
    return false;
}

void rb_blame_array(RbWork *w, int v, const char *why, RbPos at) {
    RbApart *a = w->arrays;
    if (!rb_work_at(w, v)->whole) return;
    while (v >= a->count && rb_work_at(w, v)->integral >= 0) v = rb_work_at(w, v)->integral;
    if (v >= a->count || a->apart[v]) return;
    a->apart[v] = true;
    a->why[v] = why;
    a->at[v] = at;
}

RbStatus rb_blame_arrays(RbWork *w, const RbDaeEq *eq, const char *why) {
    RbArena scratch = *w->scratch;
    const RbExpr *sides[] = {eq->left, eq->right};
    for (int k = 0; k < 2; k++) {
        RbIndices vars = rb_expr_vars(w->x, sides[k], &scratch);
        for (int i = 0; i < vars.count; i++) rb_blame_array(w, vars.data[i], why, eq->at);
    }
    return RB_ERROR_MODEL;
}
