// SPDX-License-Identifier: MIT
// Which variable each equation of a state gives: a matching, in which what stands alone on a side comes first. That
// variable keeps its value while the state is not active.
#include "flatten/machine.h"

typedef struct Slot { // an equation counts once per variable that it gives
    int equation;
    RB_ARRAY(int) units;
    int unit; // -1: none
    bool visited;
} Slot;

typedef struct Match {
    RbFrontEnd *fe;
    int state;
    RbMap taken;   // variables that something else gives
    RbMap unit_of; // expression -> unit
    RB_ARRAY(const RbExpr *) units;
    RB_ARRAY(int) slot_of; // by unit: -1: none
    RB_ARRAY(Slot) slots;
} Match;

// --- what can be given ---------------------------------------------------------------------------

static const RbExpr *base_of(const RbExpr *e) {
    if (e->op == RB_OP_DER || e->op == RB_OP_SUBSCRIPT) e = e->args[0];
    return e->op == RB_OP_VAR ? e : NULL;
}

static bool can_be_given(const Match *m, const RbExpr *e) {
    const RbExpr *base = base_of(e);
    if (!base) return false;
    for (int k = 1; e->op == RB_OP_SUBSCRIPT && k < e->arg_count; k++)
        if (e->args[k]->op != RB_OP_INTEGER) return false;
    int v = base->index;
    const RbFlatVar *var = &m->fe->flat->vars.data[v];
    const RbInst *inst = m->fe->by_var.data[v];
    if (var->variability <= RB_PARAMETER || var->binding || inst->causality == RB_AST_INPUT)
        return false;
    if (rb_state_around(m->fe, inst) != m->state || rb_machine_is_merged(m->fe, v)) return false;
    return e->op == RB_OP_DER || !rb_map_find(&m->taken, (uint64_t)v);
}

static void add_unit(Match *m, Slot *slot, const RbExpr *e, int rank) {
    if (e->rank != rank || !can_be_given(m, e)) return;
    uint64_t *known = rb_map_find(&m->unit_of, (uint64_t)e->id);
    int unit = known ? (int)*known : m->units.count;
    for (int i = 0; i < slot->units.count; i++)
        if (slot->units.data[i] == unit) return;
    rb_array_push(&slot->units, m->fe->work, unit);
    if (known) return;
    rb_map_set(&m->unit_of, m->fe->work, (uint64_t)e->id, (uint64_t)unit);
    rb_array_push(&m->units, m->fe->work, e);
    rb_array_push(&m->slot_of, m->fe->work, -1);
}

// Sides first, then all that an equation names.
static void add_units(Match *m, Slot *slot, const RbEquation *eq, bool sides) {
    if (eq->kind == RB_EQ_EQUAL && sides) {
        add_unit(m, slot, eq->left, eq->left->rank);
        add_unit(m, slot, eq->right, eq->left->rank);
    }
    if (eq->kind == RB_EQ_EQUAL && !sides) {
        const RbExpr *roots[] = {eq->left, eq->right};
        RbArena scratch = *m->fe->scratch;
        RbExprOrder order = rb_expr_order(m->fe->x, roots, 2, &scratch);
        for (int i = 0; i < order.count; i++) add_unit(m, slot, order.nodes[i], eq->left->rank);
    }
    for (int k = 0; k < eq->branches.count; k++) {
        const RbEquations *list = &eq->branches.data[k].equations;
        for (int i = 0; i < list->count; i++) add_units(m, slot, list->data[i], sides);
    }
}

static void note_slopes(void *user, const RbExpr **e) {
    Match *m = user;
    RbArena scratch = *m->fe->scratch;
    RbExprOrder order = rb_expr_order(m->fe->x, e, 1, &scratch);
    for (int i = 0; i < order.count; i++) {
        const RbExpr *n = order.nodes[i];
        if (n->op == RB_OP_DER && n->args[0]->op == RB_OP_VAR)
            rb_map_set(&m->taken, m->fe->work, (uint64_t)n->args[0]->index, 1);
    }
}

static int count_given(const RbEquation *eq) {
    if (eq->kind == RB_EQ_EQUAL) return rb_is_clock(eq->left) ? 0 : 1;
    int count = 0;
    for (int i = 0;
         eq->kind == RB_EQ_IF && eq->branches.count > 0 && i < eq->branches.data[0].equations.count;
         i++)
        count += count_given(eq->branches.data[0].equations.data[i]);
    return count;
}

// --- matching ------------------------------------------------------------------------------------

static bool augment(Match *m, int s) {
    if (m->slots.data[s].visited) return false;
    m->slots.data[s].visited = true;
    for (int i = 0; i < m->slots.data[s].units.count; i++) {
        int unit = m->slots.data[s].units.data[i], other = m->slot_of.data[unit];
        if (other >= 0 && !augment(m, other)) continue;
        m->slot_of.data[unit] = s;
        m->slots.data[s].unit = unit;
        return true;
    }
    return false;
}

static void add_slots(Match *m, const RbStateEquation *list, int count) {
    for (int i = 0; i < count; i++) {
        for (int k = count_given(list[i].eq); k > 0; k--) {
            Slot slot = {.equation = i, .unit = -1};
            add_units(m, &slot, list[i].eq, true);
            add_units(m, &slot, list[i].eq, false);
            rb_array_push(&m->slots, m->fe->work, slot);
        }
    }
}

void rb_machine_match(RbFrontEnd *fe, int state, RbStateEquation *list, int count) {
    Match m = {.fe = fe, .state = state};
    for (int i = 0; i < count; i++) {
        rb_clock_visit(list[i].eq, note_slopes, &m);
        rb_clock_assigned(fe, &list[i].eq->statements, &m.taken);
    }
    add_slots(&m, list, count);
    for (int s = 0; s < m.slots.count; s++) {
        for (int k = 0; k < m.slots.count; k++) m.slots.data[k].visited = false;
        augment(&m, s);
    }
    for (int s = 0; s < m.slots.count; s++) {
        const Slot *slot = &m.slots.data[s];
        if (slot->unit >= 0)
            rb_array_push(&list[slot->equation].given, fe->work, m.units.data[slot->unit]);
    }
}
