// SPDX-License-Identifier: MIT
#include "code/hoist.h"

typedef struct Hoist {
    RbLowered *l;
    RbArena *arena;
    bool *follows; // by node id: from parameters and constants
    bool *seen;    // by node id
} Hoist;

// Calls may fail, in a branch that is not taken or at an event that never comes; a delay and
// homotopy depend on more than their arguments.
static bool follows_from_parameters(const Hoist *h, const RbExpr *n) {
    if (n->rank > 0 || n->type == RB_STRING || n->type == RB_EXTERNAL) return false;
    switch ((RbOp)n->op) {
        case RB_OP_REAL:
        case RB_OP_INTEGER:
        case RB_OP_BOOLEAN: return true;
        case RB_OP_VAR: return h->l->dae->vars.data[n->index].kind == RB_DAE_PARAMETER;
        case RB_OP_BUILTIN:
            if (n->index == RB_FN_DELAY || n->index == RB_FN_HOMOTOPY || n->index == RB_FN_SIZE)
                return false;
            break;
        case RB_OP_NEG:
        case RB_OP_ADD:
        case RB_OP_SUB:
        case RB_OP_MUL:
        case RB_OP_DIV:
        case RB_OP_POW:
        case RB_OP_LT:
        case RB_OP_LE:
        case RB_OP_GT:
        case RB_OP_GE:
        case RB_OP_EQ:
        case RB_OP_NE:
        case RB_OP_NOT:
        case RB_OP_AND:
        case RB_OP_OR:
        case RB_OP_IF: break;
        default: return false;
    }
    for (int i = 0; i < n->arg_count; i++) {
        if (!h->follows[n->args[i]->id]) return false;
    }
    return true;
}

// A parameter with a sign costs no more than a place.
static bool is_worth_it(const Hoist *h, const RbExpr *n) {
    return n->arg_count > 0 && h->follows[n->id] &&
           !(n->op == RB_OP_NEG && n->args[0]->arg_count == 0);
}

// The largest such expressions below n, in the order in which they are met: so equal cells have
// them at even distances.
static void hoist_below(Hoist *h, const RbExpr *n) {
    if (h->seen[n->id]) return;
    h->seen[n->id] = true;
    if (is_worth_it(h, n)) {
        RbSteps *steps = &h->l->sections[RB_SECTION_HOISTED];
        RbCodePlace place = {.area = RB_AREA_H, .index = steps->count};
        rb_array_push(steps, h->arena, (RbStep){place, n, -1, RB_NOWHERE});
        h->l->hoisted[n->id] = steps->count;
        return;
    }
    if (n->op == RB_OP_PRE) return;
    for (int i = 0; i < n->arg_count; i++) hoist_below(h, n->args[i]);
}

typedef RB_ARRAY(const RbExpr *) Roots;

static void add_steps(Roots *roots, const RbSteps *steps, RbArena *arena) {
    for (int i = 0; i < steps->count; i++) {
        if (steps->data[i].value) rb_array_push(roots, arena, steps->data[i].value);
    }
}

// Everything that is evaluated again and again.
static Roots find_roots(const RbLowered *l, RbArena *arena) {
    Roots roots = {0};
    for (int id = RB_SECTION_DERIVATIVES; id < RB_SECTION_HOISTED; id++)
        add_steps(&roots, &l->sections[id], arena);
    for (int k = 0; k < l->systems.count; k++) {
        const RbCodeSystem *s = &l->systems.data[k];
        add_steps(&roots, &s->inner, arena);
        for (int i = 0; i < s->block->size; i++)
            rb_array_push(&roots, arena, s->block->residuals[i]);
        for (int i = 0; i < s->block->matrix_count; i++)
            rb_array_push(&roots, arena, s->block->matrix[i].value);
    }
    return roots;
}

void rb_hoist(RbLowered *l, RbArena *arena, RbArena scratch) {
    Roots roots = find_roots(l, &scratch);
    RbExprOrder order = rb_expr_order(l->dae->exprs, roots.data, roots.count, &scratch);
    l->hoisted_count = l->dae->exprs->count + 1;
    l->hoisted = rb_new_array(arena, int, l->hoisted_count);
    Hoist h = {.l = l, .arena = arena};
    h.follows = rb_new_array(&scratch, bool, l->hoisted_count);
    h.seen = rb_new_array(&scratch, bool, l->hoisted_count);
    for (int i = 0; i < order.count; i++)
        h.follows[order.nodes[i]->id] = follows_from_parameters(&h, order.nodes[i]);
    for (int i = 0; i < roots.count; i++) hoist_below(&h, roots.data[i]);
}
