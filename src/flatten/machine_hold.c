// SPDX-License-Identifier: MIT
// The equations of a state hold while it is active; otherwise its variables keep their values.
#include "flatten/machine.h"

#include "expr/simplify.h"

typedef struct Hold {
    RbFrontEnd *fe;
    RbMachines *m;
    RbMap state_of; // path of an instance -> the state it is in
    RbMap inst_of;  // path of an instance in a state -> the instance
} Hold;

// --- previous ------------------------------------------------------------------------------------

const RbExpr *rb_machine_start(RbFrontEnd *fe, int v) {
    const RbFlatVar *var = &fe->flat->vars.data[v];
    RbExprs *x = fe->x;
    const RbExpr *start = var->attributes.start;
    if (!start)
        start = var->type == RB_REAL      ? rb_real(x, 0.0)
                : var->type == RB_BOOLEAN ? rb_boolean(x, false)
                : var->type == RB_STRING  ? rb_string(x, "")
                : var->type == RB_ENUM    ? rb_enum(x, 1)
                                          : rb_integer(x, 0);
    if (var->rank == start->rank) return start;
    const RbExpr *args[RB_RANK_MAX + 1] = {start};
    for (int k = 0; k < var->rank; k++) args[k + 1] = rb_integer(x, var->dims[k]);
    return rb_builtin(x, RB_FN_FILL, args, var->rank + 1);
}

static bool is_within(const RbInst *inst, const RbInst *outer) {
    while (inst && inst != outer) inst = inst->parent;
    return inst != NULL;
}

// The value before, where the text of an instance says previous(v).
static const RbExpr *before(RbFrontEnd *fe, int v, const RbInst *where) {
    int root = rb_machine_root(fe, v), owner = rb_state_around(fe, fe->by_var.data[root]);
    const RbExpr *p = rb_clock_previous(fe, root, fe->flat->vars.data[v].at);
    if (owner < 0) return p;
    const RbState *s = &fe->machines->states.data[owner];
    if (!is_within(where, s->inst)) return p;
    return rb_if(fe->x, rb_flat_ref(fe->flat, s->reset), rb_machine_start(fe, root), p);
}

typedef struct Previous {
    RbFrontEnd *fe;
    const RbMap *of;
    const RbInst *where;
} Previous;

static const RbExpr *replace(void *user, const RbExpr *e) {
    const Previous *p = user;
    if (e->op != RB_OP_VAR) return NULL;
    const uint64_t *v = rb_map_find(p->of, (uint64_t)e->index);
    return v ? before(p->fe, (int)*v, p->where) : NULL;
}

const RbExpr *rb_machine_previous(RbFrontEnd *fe, const RbExpr *e, const RbInst *where) {
    Previous p = {fe, &fe->machines->previous, where};
    return rb_substitute_leaves(fe->x, e, replace, &p, *fe->scratch);
}

// --- what a variable of a state is -------------------------------------------------------------

const RbExpr *rb_machine_value(RbFrontEnd *fe, int v, const RbExpr *next, const RbExpr *before_it) {
    int owner = fe->machines ? rb_state_around(fe, fe->by_var.data[v]) : -1;
    if (owner < 0) return next;
    const RbState *s = &fe->machines->states.data[owner];
    const RbExpr *begun =
        rb_if(fe->x, rb_flat_ref(fe->flat, s->reset), rb_machine_start(fe, v), next);
    return rb_if(fe->x, rb_flat_ref(fe->flat, s->active), begun, before_it);
}

static const RbExpr *active(const Hold *h, int s) {
    return rb_flat_ref(h->fe->flat, h->m->states.data[s].active);
}

// The value that a variable, or an element of one, keeps.
static const RbExpr *kept(const Hold *h, const RbExpr *e) {
    RbExprs *x = h->fe->x;
    if (e->op == RB_OP_DER) return rb_real(x, 0.0);
    const RbExpr *var = e->op == RB_OP_SUBSCRIPT ? e->args[0] : e;
    const RbExpr *p = rb_clock_previous(h->fe, rb_machine_root(h->fe, var->index),
                                        h->fe->flat->vars.data[var->index].at);
    return e == var ? p : rb_subscript(x, p, e->args + 1, e->arg_count - 1);
}

// A when-clause in a state stands outside of the clock, so that it may call actions: its condition is held.
static const RbExpr *held_condition(const Hold *h, const RbExpr *is_active, const RbExpr *condition,
                                    RbPos at) {
    int v = rb_clock_scalar(h->fe, "when", RB_BOOLEAN, at);
    h->fe->flat->vars.data[v].binding = rb_and(h->fe->x, is_active, condition);
    return rb_clock_hold(h->fe, v, at);
}

// --- equations -----------------------------------------------------------------------------------

static RbEquation *copy_as(RbFrontEnd *fe, const RbEquation *eq, RbEquationKind kind) {
    RbEquation *out = rb_new(fe->arena, RbEquation);
    *out = (RbEquation){.kind = kind, .at = eq->at, .origin = eq->origin};
    return out;
}

// if active then eq else its variables keep their values
static RbEquation *choose(const Hold *h, const RbStateEquation *e, int s) {
    RbFrontEnd *fe = h->fe;
    RbEquation *out = copy_as(fe, e->eq, RB_EQ_IF);
    RbBranch yes = {.condition = active(h, s)}, no = {0};
    rb_array_push(&yes.equations, fe->arena, e->eq);
    for (int i = 0; i < e->given.count; i++)
        rb_flat_equal(fe->flat, &no.equations, e->given.data[i], kept(h, e->given.data[i]),
                      e->eq->at)
            ->origin = e->eq->origin;
    rb_array_push(&out->branches, fe->arena, yes);
    if (e->given.count > 0) rb_array_push(&out->branches, fe->arena, no);
    return out;
}

static RbEquation *hold_equal(const Hold *h, const RbStateEquation *e, int s) {
    RbEquation *eq = e->eq;
    const RbExpr *unit = e->given.count > 0 ? e->given.data[0] : NULL;
    if (!unit || unit->op == RB_OP_DER) return eq;
    if (eq->left != unit && eq->right != unit) return choose(h, e, s);
    const RbExpr *value = eq->left == unit ? eq->right : eq->left;
    eq->left = unit;
    eq->right = rb_if(h->fe->x, active(h, s), value, kept(h, unit));
    return eq;
}

// Statements in the active state; its variables begin with the values before.
typedef struct Section {
    const Hold *h;
    RbPos at;
    const RbExpr *active;
    const RbInst *where;
    RbMap begun; // variables that have their values before
} Section;

static RbStatement *open_block(Section *t, RbStatements *out) {
    RbStatement *block = rb_statement(out, t->h->fe->arena, RB_ST_IF, t->at);
    rb_array_push(&block->branches, t->h->fe->arena, (RbStatementBranch){.condition = t->active});
    return block;
}

static void begin_variables(Section *t, const RbStatements *list, RbStatements *out) {
    RbFrontEnd *fe = t->h->fe;
    RbMap vars = {0};
    rb_clock_assigned(fe, list, &vars);
    for (int k = 0; k < vars.entries.count; k++) {
        uint64_t v = vars.entries.data[k].key;
        if (rb_map_find(&t->begun, v)) continue;
        rb_map_set(&t->begun, fe->work, v, 1);
        RbStatement *first = rb_statement(out, fe->arena, RB_ST_ASSIGN, t->at);
        first->target = rb_flat_ref(fe->flat, (int)v);
        first->value = before(fe, (int)v, t->where);
    }
}

static void hold_list(Section *t, RbStatements *list) {
    RbFrontEnd *fe = t->h->fe;
    RbStatements out = {0};
    RbStatement *block = NULL;
    for (int i = 0; i < list->count; i++) {
        RbStatement *st = list->data[i];
        if (st->kind != RB_ST_WHEN) {
            if (!block) {
                block = open_block(t, &out);
                begin_variables(t, list, &block->branches.data[0].statements);
            }
            rb_array_push(&block->branches.data[0].statements, fe->arena, st);
            continue;
        }
        block = NULL;
        rb_array_push(&out, fe->arena, st);
        if (rb_is_clock(st->branches.data[0].condition)) {
            hold_list(t, &st->branches.data[0].statements);
            continue;
        }
        for (int k = 0; k < st->branches.count; k++)
            st->branches.data[k].condition =
                held_condition(t->h, t->active, st->branches.data[k].condition, st->at);
    }
    *list = out;
}

static void hold_statements(const Hold *h, RbEquation *eq, int s, const RbInst *where) {
    Section t = {.h = h, .at = eq->at, .active = active(h, s), .where = where};
    hold_list(&t, &eq->statements);
}

static bool has_effect(const RbEquation *eq) {
    return eq->kind == RB_EQ_TERMINATE || eq->kind == RB_EQ_CALL ||
           (eq->kind == RB_EQ_IF && eq->branches.count > 0);
}

static RbEquation *hold_one(const Hold *h, const RbStateEquation *e, int s) {
    RbFrontEnd *fe = h->fe;
    RbEquation *eq = e->eq;
    switch (eq->kind) {
        case RB_EQ_EQUAL: return hold_equal(h, e, s);
        case RB_EQ_ASSERT:
            eq->left = rb_or(fe->x, rb_not(fe->x, active(h, s)), eq->left);
            return eq;
        case RB_EQ_WHEN:
            for (int k = 0; k < eq->branches.count; k++)
                eq->branches.data[k].condition =
                    held_condition(h, active(h, s), eq->branches.data[k].condition, eq->at);
            return eq;
        case RB_EQ_ALGORITHM: hold_statements(h, eq, s, e->where); return eq;
        default: return has_effect(eq) ? choose(h, e, s) : eq;
    }
}

// --- all of a state ------------------------------------------------------------------------------

typedef struct Text {
    const Hold *h;
    const RbInst *where;
} Text;

static void replace_previous(void *user, const RbExpr **e) {
    const Text *t = user;
    *e = rb_machine_previous(t->h->fe, *e, t->where);
}

// Equations of a when-clause of a clock one by one.
static void list_equations(const Hold *h, RbEquation *eq, const RbExpr *clock, RbInst *where,
                           RbStateEquations *out) {
    if (eq->kind == RB_EQ_WHEN && rb_is_clock(eq->branches.data[0].condition)) {
        const RbBranch *b = &eq->branches.data[0];
        for (int i = 0; i < b->equations.count; i++)
            list_equations(h, b->equations.data[i], b->condition, where, out);
        return;
    }
    rb_clock_visit(eq, replace_previous, &(Text){h, where});
    rb_array_push(out, h->fe->work, (RbStateEquation){.eq = eq, .clock = clock, .where = where});
}

static RbEquation *hold_clocked(const Hold *h, const RbStateEquation *e, int s) {
    RbEquation *eq = hold_one(h, e, s);
    if (!e->clock) return eq;
    RbBranch branch = {.condition = e->clock};
    RbEquation *out = copy_as(h->fe, eq, RB_EQ_WHEN);
    rb_array_push(&branch.equations, h->fe->arena, eq);
    rb_array_push(&out->branches, h->fe->arena, branch);
    return out;
}

static void hold_bindings(const Hold *h) {
    RbFrontEnd *fe = h->fe;
    int count = fe->flat->vars.count;
    for (int v = 0; v < count; v++) {
        RbFlatVar *var = &fe->flat->vars.data[v];
        const RbInst *inst = fe->by_var.data[v];
        int s = rb_state_around(fe, inst);
        if (s < 0 || !var->binding || var->variability <= RB_PARAMETER || var->type == RB_CLOCK)
            continue;
        const RbExpr *value = rb_machine_previous(fe, var->binding, inst);
        const RbExpr *held = rb_if(fe->x, active(h, s), value, kept(h, rb_flat_ref(fe->flat, v)));
        fe->flat->vars.data[v].binding = held; // variables may have moved
    }
}

static void note_paths(Hold *h, RbInst *inst, int s) {
    RbFrontEnd *fe = h->fe;
    if (inst->kind == RB_INST_ARRAY)
        for (int i = 0; i < inst->count; i++) note_paths(h, inst->items[i], s);
    if (inst->kind != RB_INST_COMPONENT) return;
    uint64_t *own = rb_map_find(&h->m->by_inst, rb_map_key(inst));
    if (own) s = (int)*own;
    rb_map_set(&h->inst_of, fe->work, rb_map_key(inst->path), rb_map_key(inst));
    if (s >= 0) rb_map_set(&h->state_of, fe->work, rb_map_key(inst->path), (uint64_t)s);
    for (int i = 0; i < inst->class->components.count; i++) {
        const RbElem *e = inst->class->components.data[i];
        if (inst->children[i] && !e->clause->outer) note_paths(h, inst->children[i], s);
    }
}

void rb_machine_hold(RbFrontEnd *fe) {
    Hold h = {.fe = fe, .m = fe->machines};
    int states = h.m->states.count;
    RbStateEquations *of = rb_new_array(fe->work, RbStateEquations, states + 1);
    RbEquations rest = {0};
    note_paths(&h, fe->root, -1);
    for (int i = 0; i < fe->flat->equations.count; i++) {
        RbEquation *eq = fe->flat->equations.data[i];
        uint64_t *s = eq->origin ? rb_map_find(&h.state_of, rb_map_key(eq->origin)) : NULL;
        if (!s) {
            rb_array_push(&rest, fe->arena, eq);
            continue;
        }
        RbInst *where = (RbInst *)(uintptr_t)*rb_map_find(&h.inst_of, rb_map_key(eq->origin));
        list_equations(&h, eq, NULL, where, &of[*s]);
    }
    for (int s = 0; s < states; s++) {
        rb_machine_match(fe, s, of[s].data, of[s].count);
        for (int i = 0; i < of[s].count; i++)
            rb_array_push(&rest, fe->arena, hold_clocked(&h, &of[s].data[i], s));
    }
    fe->flat->equations = rest;
    hold_bindings(&h);
}

// --- all -----------------------------------------------------------------------------------------

static void note_previous(RbFrontEnd *fe) {
    for (int i = 0; fe->clocks && i < fe->clocks->ops.count; i++) {
        const RbClockOp *op = &fe->clocks->ops.data[i];
        if (op->kind == RB_CLOCK_PREVIOUS)
            rb_map_set(&fe->machines->previous, fe->work, (uint64_t)op->result,
                       (uint64_t)op->argument);
    }
}

void rb_machines_resolve(RbFrontEnd *fe) {
    if (!fe->machines || !rb_machine_graph(fe)) return;
    note_previous(fe);
    if (!rb_machine_sources(fe) || !rb_machine_check(fe)) return;
    RbEquations of_user = fe->flat->equations;
    fe->flat->equations = (RbEquations){0};
    rb_machine_ticks(fe);
    RbEquations ours = fe->flat->equations;
    fe->flat->equations = of_user;
    rb_machine_hold(fe);
    for (int i = 0; i < ours.count; i++)
        rb_array_push(&fe->flat->equations, fe->arena, ours.data[i]);
    rb_machine_merge(fe);
}
