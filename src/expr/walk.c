// SPDX-License-Identifier: MIT
// walk.c: passes over all nodes below some roots. The pool keeps the stack and a mark for every
// node, so that the many walks over small expressions, a few for each equation of a model, neither
// allocate nor clear anything.
#include <stdlib.h>

#include "expr/expr.h"

// Answers whether e is seen for the first time in this walk.
static bool first_time(RbExprs *x, const RbExpr *e) {
    RbExprMark *mark = &x->marks[e->id];
    if (mark->stamp == x->stamp) return false;
    mark->stamp = x->stamp;
    return true;
}

static void push(RbExprs *x, const RbExpr *e) {
    rb_array_push(&x->stack, x->arena, (RbExprFrame){e, 0});
}

// --- arguments first -----------------------------------------------------------------------------

static void order_below(RbExprs *x, const RbExpr *root) {
    push(x, root);
    while (x->stack.count > 0) {
        RbExprFrame *top = &x->stack.data[x->stack.count - 1];
        if (top->next == top->e->arg_count) {
            x->marks[top->e->id].position = x->found.count;
            rb_array_push(&x->found, x->arena, top->e);
            x->stack.count--;
            continue;
        }
        const RbExpr *a = top->e->args[top->next++];
        if (first_time(x, a)) push(x, a);
    }
}

RbExprOrder rb_expr_order(RbExprs *x, const RbExpr *const *roots, int root_count, RbArena *arena) {
    x->stamp++;
    x->stack.count = x->found.count = 0;
    for (int r = 0; r < root_count; r++) {
        if (roots[r] && first_time(x, roots[r])) order_below(x, roots[r]);
    }
    RbExprOrder order = {rb_new_array(arena, const RbExpr *, x->found.count), x->found.count};
    for (int i = 0; i < order.count; i++) order.nodes[i] = x->found.data[i];
    return order;
}

// --- variables -----------------------------------------------------------------------------------

// Does the value of e depend on the values of its arguments?
static bool uses_values(const RbExpr *e) {
    return e->op != RB_OP_PRE && !(e->op == RB_OP_BUILTIN && e->index == RB_FN_SIZE);
}

static void push_new_arguments(RbExprs *x, const RbExpr *e) {
    for (int i = 0; i < e->arg_count; i++) {
        if (first_time(x, e->args[i])) push(x, e->args[i]);
    }
}

// Into x->found_vars. A variable has one node only, so each is found once.
static void find_vars(RbExprs *x, const RbExpr *const *roots, int count) {
    x->stamp++;
    x->stack.count = x->found_vars.count = 0;
    for (int r = 0; r < count; r++) {
        if (roots[r] && first_time(x, roots[r])) push(x, roots[r]);
        while (x->stack.count > 0) {
            const RbExpr *e = x->stack.data[--x->stack.count].e;
            if (e->op == RB_OP_VAR) rb_array_push(&x->found_vars, x->arena, e->index);
            if (uses_values(e)) push_new_arguments(x, e);
        }
    }
}

static int by_value(const void *a, const void *b) {
    int l = *(const int *)a, r = *(const int *)b;
    return (l > r) - (l < r);
}

// By insertion: nearly all equations have a handful of variables, and long lists (a call with a
// record of parameters) are in order already, but for a few. Others are left to qsort.
static void sort(int *data, int count) {
    enum { MOVES = 16 };
    int64_t left = (int64_t)MOVES * (count + 1);
    for (int i = 1; i < count && left > 0; i++) {
        int value = data[i], k = i;
        for (; k > 0 && data[k - 1] > value; k--) data[k] = data[k - 1];
        data[k] = value;
        left -= i - k;
    }
    if (left <= 0) qsort(data, (size_t)count, sizeof *data, by_value);
}

RbIndices rb_exprs_vars(RbExprs *x, const RbExpr *const *roots, int count, RbArena *arena) {
    find_vars(x, roots, count);
    int found = x->found_vars.count;
    RbIndices vars = {rb_new_array(arena, int, found), found};
    for (int i = 0; i < found; i++) // the last argument was found first
        vars.data[i] = x->found_vars.data[found - 1 - i];
    sort(vars.data, found);
    return vars;
}

RbIndices rb_expr_vars(RbExprs *x, const RbExpr *e, RbArena *arena) {
    return rb_exprs_vars(x, &e, 1, arena);
}

void rb_mark_vars(RbExprs *x, const RbExpr *const *roots, int count, unsigned char *used) {
    find_vars(x, roots, count);
    for (int i = 0; i < x->found_vars.count; i++) used[x->found_vars.data[i]] = 1;
}

bool rb_expr_has_var(RbExprs *x, const RbExpr *e, int v) {
    if (e->arg_count == 0) return e->op == RB_OP_VAR && e->index == v;
    x->stamp++;
    x->stack.count = 0;
    push(x, e);
    while (x->stack.count > 0) {
        e = x->stack.data[--x->stack.count].e;
        if (e->op == RB_OP_VAR && e->index == v) return true;
        push_new_arguments(x, e);
    }
    return false;
}
