// SPDX-License-Identifier: MIT
#include "program/tape.h"

#include <math.h>

#include "expr/builtins.h"
#include "expr/fold.h"
#include "program/program_instance.h"
#include "program/range.h"

enum { MOST_ARGS = 3 };

typedef struct Operation {
    const RbExpr *node;
    int args[MOST_ARGS]; // operations before this one
} Operation;

struct RbTape {
    Operation
        *operations; // those that depend on time come in the order of evaluation behind the others
    double *values;  // per operation
    RbRange *ranges; // per operation
    int constant, count;
};

static bool is_known(const RbExpr *e) {
    double ignored;
    if (e->rank > 0 || e->type == RB_STRING || e->type == RB_EXTERNAL || e->arg_count > MOST_ARGS)
        return false;
    if (e->op == RB_OP_TIME || e->op == RB_OP_VAR || rb_constant_value(e, &ignored)) return true;
    if (e->op == RB_OP_BUILTIN) {
        RbBuiltin f = (RbBuiltin)e->index;
        return f == RB_FN_NO_EVENT || f == RB_FN_SMOOTH ||
               (!rb_builtin_has(f, RB_TRAIT_TIME) && !rb_builtin_has(f, RB_TRAIT_ARRAY) &&
                f != RB_FN_HOMOTOPY &&
                rb_call_builtin(f, (double[MOST_ARGS]){0}, e->arg_count, &ignored));
    }
    return e->op >= RB_OP_NEG && e->op <= RB_OP_IF;
}

// Which nodes depend on time, in their order.
static bool *find_varying(const RbExprOrder *order, RbMap *place, RbArena *arena) {
    bool *varies = rb_new_array(arena, bool, order->count + 1);
    for (int i = 0; i < order->count; i++) {
        const RbExpr *e = order->nodes[i];
        rb_map_set(place, arena, (uint64_t)e->id, (uint64_t)i);
        varies[i] = e->op == RB_OP_TIME;
        for (int k = 0; k < e->arg_count; k++)
            varies[i] |= varies[*rb_map_find(place, (uint64_t)e->args[k]->id)];
    }
    return varies;
}

RbTape *rb_tape(const RbSortedDae *dae, const RbExpr *e, RbArena *arena, RbArena scratch) {
    RbExprOrder order = rb_expr_order(dae->exprs, &e, 1, &scratch);
    RbMap place = {0};
    for (int i = 0; i < order.count; i++) {
        if (!is_known(order.nodes[i])) return NULL;
    }
    const bool *varies = find_varying(&order, &place, &scratch);
    int *number = rb_new_array(&scratch, int, order.count + 1);
    RbTape *tape = rb_new(arena, RbTape);
    tape->operations = rb_new_array(arena, Operation, order.count + 1);
    tape->values = rb_new_array(arena, double, order.count + 1);
    tape->ranges = rb_new_array(arena, RbRange, order.count + 1);
    for (int later = 0; later < 2; later++) {
        for (int i = 0; i < order.count; i++) {
            if (varies[i] != (later == 1)) continue;
            Operation *o = &tape->operations[tape->count];
            o->node = order.nodes[i];
            for (int k = 0; k < o->node->arg_count; k++)
                o->args[k] = number[*rb_map_find(&place, (uint64_t)o->node->args[k]->id)];
            number[i] = tape->count++;
        }
        if (later == 0) tape->constant = tape->count;
    }
    return tape;
}

bool rb_tape_is_bounded(const RbTape *t) {
    for (int i = t->constant; i < t->count; i++)
        if (!rb_range_is_known(t->operations[i].node)) return false;
    return true;
}

RbRange rb_tape_range(RbTape *t, double from, double to) {
    for (int i = 0; i < t->count; i++) {
        const Operation *o = &t->operations[i];
        RbRange args[MOST_ARGS] = {0};
        for (int k = 0; k < o->node->arg_count; k++) args[k] = t->ranges[o->args[k]];
        if (i < t->constant)
            t->ranges[i] = (RbRange){t->values[i], t->values[i], 0, 0};
        else if (o->node->op == RB_OP_TIME)
            t->ranges[i] = (RbRange){from, to, 1, 1};
        else
            t->ranges[i] = rb_range_of(o->node, args);
    }
    return t->ranges[t->count - 1];
}

static double builtin_value(const RbExpr *e, const double *args) {
    RbBuiltin f = (RbBuiltin)e->index;
    double value = NAN;
    if (f == RB_FN_NO_EVENT || f == RB_FN_SMOOTH) return args[rb_builtins[f].passes - 1];
    rb_call_builtin(f, args, e->arg_count, &value);
    return value;
}

static double operate(const RbTape *t, const Operation *o) {
    const RbExpr *e = o->node;
    double args[MOST_ARGS] = {0};
    for (int k = 0; k < e->arg_count; k++) args[k] = t->values[o->args[k]];
    if (e->op == RB_OP_BUILTIN) return builtin_value(e, args);
    if (e->op == RB_OP_IF) return args[args[0] != 0 ? 1 : 2];
    return rb_operate((RbOp)e->op, args[0], args[1]);
}

void rb_tape_set(RbTape *t, RbProgramInstance *in) {
    for (int i = 0; i < t->constant; i++) {
        const Operation *o = &t->operations[i];
        t->values[i] = o->node->arg_count > 0 ? operate(t, o) : rb_interpret_number(in, o->node);
    }
}

double rb_tape_at(RbTape *t, double time) {
    for (int i = t->constant; i < t->count; i++) {
        const Operation *o = &t->operations[i];
        t->values[i] = o->node->op == RB_OP_TIME ? time : operate(t, o);
    }
    return t->values[t->count - 1];
}
