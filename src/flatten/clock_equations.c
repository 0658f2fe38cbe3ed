// SPDX-License-Identifier: MIT
// The equations of clocked partitions: when-clauses of clocks are taken apart, relations need no events, and der(x) is
// replaced by the step of the solver method of the clock.
#include <string.h>

#include "flatten/machine.h"

typedef struct Rewrite {
    RbFrontEnd *fe;
    RbClocking *c;
    RbClockNode *n; // of the equation at hand
    RbMap slopes;   // variable -> der of it
    RbPos at;
} Rewrite;

// --- discretised states --------------------------------------------------------------------------

static const RbExpr *slope_average(Rewrite *w, const char *method, int slope) {
    RbFrontEnd *fe = w->fe;
    const RbExpr *now = rb_flat_ref(fe->flat, slope);
    if (strcmp(method, "ImplicitEuler") == 0) return now;
    const RbExpr *before = rb_clock_held(fe, w->c, w->n, RB_CLOCK_PREVIOUS, slope);
    if (strcmp(method, "ExplicitEuler") == 0) return before;
    return rb_mul(fe->x, rb_real(fe->x, 0.5), rb_add(fe->x, now, before));
}

static bool is_method(const char *method) {
    static const char *const known[] = {"ExplicitEuler", "ImplicitEuler", "ImplicitTrapezoid"};
    for (int i = 0; method && i < 3; i++)
        if (strcmp(method, known[i]) == 0) return true;
    return false;
}

// The value of a state at the first tick: its start value, unless initial equations say otherwise.
static const RbExpr *start_of(Rewrite *w, int v) {
    RbFrontEnd *fe = w->fe;
    const RbExpr *start = fe->flat->vars.data[v].attributes.start;
    int p = rb_clock_like(fe, "start", v, RB_PARAMETER, w->at);
    RbAttributes *a = &fe->flat->vars.data[p].attributes;
    a->start = start ? start : rb_real(fe->x, 0.0);
    a->fixed = rb_boolean(fe->x, false);
    return rb_flat_ref(fe->flat, p);
}

// x = previous(x) + interval * slope, but the start value at the first tick.
static const RbExpr *slope_of(Rewrite *w, int v) {
    RbFrontEnd *fe = w->fe;
    RbExprs *x = fe->x;
    uint64_t *known = rb_map_find(&w->slopes, (uint64_t)v);
    if (known) return rb_flat_ref(fe->flat, (int)*known);
    if (!is_method(w->n->method)) {
        rb_fail(fe->diag, RB_ERROR_MODEL, w->at,
                "der(%s) in a clocked partition needs a solver method: Clock(c, solverMethod = "
                "\"ImplicitEuler\"); "
                "there are ExplicitEuler, ImplicitEuler and ImplicitTrapezoid%s%s%s",
                fe->flat->vars.data[v].name, w->n->method ? ", but not '" : "",
                w->n->method ? w->n->method : "", w->n->method ? "'" : "");
        return rb_real(x, 0.0);
    }
    int slope = rb_clock_like(fe, "der", v, RB_CONTINUOUS, w->at);
    fe->flat->vars.data[slope].attributes.unit = NULL;
    rb_map_set(&w->slopes, fe->work, (uint64_t)v, (uint64_t)slope);
    const RbExpr *change =
        rb_mul(x, rb_clock_interval(fe, w->c, w->n), slope_average(w, w->n->method, slope));
    const RbExpr *next = rb_add(x, rb_clock_held(fe, w->c, w->n, RB_CLOCK_PREVIOUS, v), change);
    const RbExpr *value = rb_machine_value(fe, v, next, rb_clock_held(fe, w->c, w->n, RB_CLOCK_PREVIOUS, v));
    value = rb_if(x, rb_clock_first(fe, w->c, w->n), start_of(w, v), value);
    rb_flat_equal(fe->flat, &fe->flat->equations, rb_flat_ref(fe->flat, v), value, w->at)->origin =
        "";
    return rb_flat_ref(fe->flat, slope);
}

// --- expressions ---------------------------------------------------------------------------------

static bool is_relation(const RbExpr *e) {
    return e->op >= RB_OP_LT && e->op <= RB_OP_GE &&
           (e->args[0]->type == RB_REAL || e->args[1]->type == RB_REAL);
}

static bool is_stepping(const RbExpr *e) {
    if (e->op != RB_OP_BUILTIN || e->args[0]->type != RB_REAL) return false;
    int f = e->index;
    return f == RB_FN_DIV || f == RB_FN_MOD || f == RB_FN_REM || f == RB_FN_FLOOR ||
           f == RB_FN_CEIL || f == RB_FN_INTEGER;
}

static const RbExpr *one(Rewrite *w, const RbExpr *e) {
    if (e->op == RB_OP_TIME) return rb_clock_time(w->fe, w->c, w->n);
    if (e->op == RB_OP_DER && e->args[0]->op == RB_OP_VAR) return slope_of(w, e->args[0]->index);
    if (is_relation(e) || (e->op == RB_OP_BUILTIN && e->arg_count > 0 && is_stepping(e)))
        return rb_builtin1(w->fe->x, RB_FN_NO_EVENT, e);
    return e;
}

static void rewrite(void *user, const RbExpr **root) {
    Rewrite *w = user;
    RbArena scratch = *w->fe->scratch;
    RbExprOrder order = rb_expr_order(w->fe->x, root, 1, &scratch);
    const RbExpr **now = rb_new_array(&scratch, const RbExpr *, order.count + 1);
    RbMap place = {0};
    for (int i = 0; i < order.count; i++) {
        const RbExpr *e = order.nodes[i];
        const RbExpr **args = rb_new_array(&scratch, const RbExpr *, e->arg_count + 1);
        bool same = true;
        for (int k = 0; k < e->arg_count; k++) {
            args[k] = now[*rb_map_find(&place, (uint64_t)e->args[k]->id)];
            same &= args[k] == e->args[k];
        }
        now[i] = one(w, same ? e : rb_rebuild(w->fe->x, e, args));
        rb_map_set(&place, &scratch, (uint64_t)e->id, (uint64_t)i);
    }
    *root = now[order.count - 1];
}

// --- which partition an equation is in -----------------------------------------------------------

typedef struct Find {
    RbFrontEnd *fe;
    RbClocking *c;
    RbClockNode *n;
} Find;

static void find_node(void *user, const RbExpr **e) {
    Find *f = user;
    RbArena scratch = *f->fe->scratch;
    RbIndices vars = rb_expr_vars(f->fe->x, *e, &scratch);
    for (int i = 0; i < vars.count && !f->n; i++) {
        if (f->fe->flat->vars.data[vars.data[i]].variability <= RB_PARAMETER ||
            vars.data[i] >= f->c->count)
            continue;
        RbClockNode *n = rb_clock_node(f->c, vars.data[i]);
        if (n->base > 0) f->n = n;
    }
}

// --- equations -----------------------------------------------------------------------------------

// Statements of a when-clause of a clock stand for themselves.
void rb_clock_unpack(RbFrontEnd *fe, RbStatements *list) {
    RbStatements out = {0};
    for (int i = 0; i < list->count; i++) {
        RbStatement *s = list->data[i];
        bool clock = s->kind == RB_ST_WHEN && rb_is_clock(s->branches.data[0].condition);
        for (int k = 0; clock && k < s->branches.data[0].statements.count; k++)
            rb_array_push(&out, fe->arena, s->branches.data[0].statements.data[k]);
        if (!clock) rb_array_push(&out, fe->arena, s);
    }
    *list = out;
}

// Not what a when-clause with a condition assigns: that keeps its value until then.
void rb_clock_assigned(RbFrontEnd *fe, const RbStatements *list, RbMap *vars) {
    for (int i = 0; i < list->count; i++) {
        const RbStatement *s = list->data[i];
        if (s->kind == RB_ST_WHEN && !rb_is_clock(s->branches.data[0].condition)) continue;
        for (int k = -1; k < s->targets.count; k++) {
            const RbExpr *t =
                k < 0 ? (s->kind == RB_ST_ASSIGN ? s->target : NULL) : s->targets.data[k];
            while (t && t->op == RB_OP_SUBSCRIPT) t = t->args[0];
            if (t && t->op == RB_OP_VAR) rb_map_set(vars, fe->work, (uint64_t)t->index, 1);
        }
        for (int k = 0; k < s->branches.count; k++)
            rb_clock_assigned(fe, &s->branches.data[k].statements, vars);
    }
}

// What an algorithm assigns has its previous value before.
static void begin_algorithm(Rewrite *w, RbEquation *eq) {
    RbFrontEnd *fe = w->fe;
    rb_clock_unpack(fe, &eq->statements);
    RbMap vars = {0};
    rb_clock_assigned(fe, &eq->statements, &vars);
    RbStatements out = {0};
    for (int i = 0; i < vars.entries.count; i++) {
        int v = (int)vars.entries.data[i].key;
        RbStatement *s = rb_statement(&out, fe->arena, RB_ST_ASSIGN, eq->at);
        s->target = rb_flat_ref(fe->flat, v);
        s->value = rb_clock_held(fe, w->c, w->n, RB_CLOCK_PREVIOUS, v);
    }
    for (int i = 0; i < eq->statements.count; i++)
        rb_array_push(&out, fe->arena, eq->statements.data[i]);
    eq->statements = out;
}

static bool is_effect(const RbEquation *eq) {
    if (eq->kind != RB_EQ_IF) return eq->kind == RB_EQ_ASSERT || eq->kind == RB_EQ_TERMINATE || eq->kind == RB_EQ_CALL;
    for (int k = 0; k < eq->branches.count; k++) {
        const RbEquations *list = &eq->branches.data[k].equations;
        for (int i = 0; i < list->count; i++)
            if (!is_effect(list->data[i])) return false;
    }
    return true;
}

static void prepare(Rewrite *w, RbEquation *eq, RbEquations *out, bool in_when);

static void prepare_list(Rewrite *w, const RbEquations *list, RbEquations *out) {
    for (int i = 0; i < list->count; i++) prepare(w, list->data[i], out, true);
}

static void prepare(Rewrite *w, RbEquation *eq, RbEquations *out, bool in_when) {
    Find f = {w->fe, w->c, NULL};
    if (eq->kind == RB_EQ_EQUAL && rb_is_clock(eq->left)) return;
    rb_clock_visit(eq, find_node, &f);
    w->n = f.n;
    w->at = eq->at;
    if (eq->kind == RB_EQ_WHEN && rb_is_clock(eq->branches.data[0].condition)) {
        prepare_list(w, &eq->branches.data[0].equations, out);
        return;
    }
    if (f.n && eq->kind == RB_EQ_ALGORITHM) begin_algorithm(w, eq);
    if (f.n) rb_clock_visit(eq, rewrite, w);
    rb_array_push(f.n && in_when && is_effect(eq) ? rb_clock_when(w->fe, w->c, f.n) : out,
                  w->fe->arena, eq);
}

static void prepare_bindings(Rewrite *w) {
    for (int v = 0; v < w->c->count; v++) {
        RbFlatVar *var = &w->fe->flat->vars.data[v];
        if (var->variability <= RB_PARAMETER || var->type == RB_CLOCK) continue;
        w->n = rb_clock_node(w->c, v);
        if (w->n->base == 0) continue;
        w->at = var->at;
        var->attributes.fixed = NULL;
        const RbExpr *value = var->binding;
        if (var->type == RB_REAL) var->variability = RB_CONTINUOUS;
        if (!value) continue;
        rewrite(w, &value); // may add variables
        w->fe->flat->vars.data[v].binding = value;
    }
}

// A clock shows the number of its ticks.
static void show_clocks(RbFrontEnd *fe, RbClocking *c) {
    for (int v = 0; v < c->count; v++) {
        if (fe->flat->vars.data[v].type != RB_CLOCK) continue;
        RbClockNode *n = rb_clock_node(c, v);
        bool shown = n->base > 0 && fe->flat->vars.data[v].name[0] != '$';
        const RbExpr *ticks = shown ? rb_clock_ticks(fe, c, n) : rb_integer(fe->x, 0);
        RbFlatVar *var = &fe->flat->vars.data[v];
        var->type = RB_INTEGER;
        var->variability = shown ? RB_DISCRETE : RB_CONSTANT;
        var->causality = RB_LOCAL;
        var->rank = 0;
        var->binding = ticks;
        var->attributes.fixed = NULL;
    }
}

static void prepare_start(Rewrite *w, RbEquation *eq) {
    Find f = {w->fe, w->c, NULL};
    rb_clock_visit(eq, find_node, &f);
    w->n = f.n;
    w->at = eq->at;
    if (f.n) rb_clock_visit(eq, rewrite, w);
}

void rb_clock_equations(RbFrontEnd *fe, RbClocking *c) {
    Rewrite w = {.fe = fe, .c = c};
    RbEquations old = fe->flat->equations;
    fe->flat->equations = (RbEquations){0};
    prepare_bindings(&w);
    for (int i = 0; i < old.count; i++) prepare(&w, old.data[i], &fe->flat->equations, false);
    int count = fe->flat->initial_equations.count; // those that follow are ours
    for (int i = 0; i < count; i++) prepare_start(&w, fe->flat->initial_equations.data[i]);
}

void rb_clocks_resolve(RbFrontEnd *fe) {
    RbClocking *c = fe->clocks;
    if (!c || !rb_clock_graph(fe, c)) return;
    rb_clock_equations(fe, c);
    rb_clock_operators(fe, c);
    show_clocks(fe, c);
}
