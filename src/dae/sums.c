// SPDX-License-Identifier: MIT
// sums.c: equations that only add and subtract unknowns, parameters and small multiples of them, such as the
// currents of a node, are eliminated against each other, so that what they say about differentiated variables alone becomes
// visible: with L1 - (R1 parallel R2) - L2 the two nodes say L1.i = L2.i. Structure alone does not
// show it: every equation has an unknown of its own, yet their matrix is singular. A row operation
// is exact here, since all coefficients are small integers.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/work.h"

enum { LONGEST_ROW = 64, REDUCTIONS_MAX = 1000, LARGEST_FACTOR = 1000 };

typedef struct Row {
    int vars[LONGEST_ROW];
    int factors[LONGEST_ROW]; // not 0
    int count;
} Row;

typedef struct Pivot {
    int *vars, *factors;
    int count; // 0: the variable is no pivot
    int sign;  // its own factor, 1 or -1
} Pivot;

typedef struct Sums {
    RbWork *w;
    RbArena *arena;
    Pivot *pivots; // by variable
} Sums;

// Factors are at most LARGEST_FACTOR, so that products of two of them are small: false if one would be larger, or the row longer than it may be.
static bool add_term(Row *row, int var, int factor) {
    for (int i = 0; i < row->count; i++) {
        if (row->vars[i] != var) continue;
        row->factors[i] += factor;
        if (abs(row->factors[i]) > LARGEST_FACTOR) return false;
        if (row->factors[i] == 0) {
            row->count--;
            row->vars[i] = row->vars[row->count];
            row->factors[i] = row->factors[row->count];
        }
        return true;
    }
    if (row->count == LONGEST_ROW || abs(factor) > LARGEST_FACTOR) return false;
    row->vars[row->count] = var;
    row->factors[row->count++] = factor;
    return true;
}

static bool is_known(RbWork *w, int v) {
    return rb_work_at(w, v)->kind == RB_DAE_PARAMETER;
}

// A number of conductors, for instance: m i0 = i1 + ... + im.
static bool small_integer(const RbExpr *e, int *factor) {
    double value;
    if (!rb_constant_value(e, &value) || fabs(value) > LARGEST_FACTOR || value != floor(value))
        return false;
    *factor = (int)value;
    return *factor != 0;
}

// Add factor * e to the row; false if e is more than a sum. Depth is bounded by the length of a row.
static bool add_expr(RbWork *w, const RbExpr *e, int factor, Row *row, int depth) {
    int times;
    if (depth > LONGEST_ROW || abs(factor) > LARGEST_FACTOR) return false;
    switch (e->op) {
        case RB_OP_NEG: return add_expr(w, e->args[0], -factor, row, depth + 1);
        case RB_OP_ADD:
        case RB_OP_SUB:
            return add_expr(w, e->args[0], factor, row, depth + 1) &&
                   add_expr(w, e->args[1], e->op == RB_OP_ADD ? factor : -factor, row, depth + 1);
        case RB_OP_MUL:
            return small_integer(e->args[0], &times) &&
                   add_expr(w, e->args[1], factor * times, row, depth + 1);
        case RB_OP_VAR: {
            const RbDaeVar *v = rb_work_at(w, e->index);
            bool fits = v->kind == RB_DAE_ALGEBRAIC || v->kind == RB_DAE_STATE ||
                        v->kind == RB_DAE_DERIVATIVE || is_known(w, e->index);
            return fits && !v->whole && e->type == RB_REAL && add_term(row, e->index, factor);
        }
        default: return rb_is_number(e, 0);
    }
}

static bool is_differentiated(RbWork *w, int v) {
    return rb_work_at(w, v)->derivative >= 0;
}

// Subtract rows with pivots until none of their pivots is left. False: it grows too long.
static bool reduce(Sums *s, Row *row) {
    for (int k = 0; k < REDUCTIONS_MAX; k++) {
        int at = 0;
        while (at < row->count && s->pivots[row->vars[at]].count == 0) at++;
        if (at == row->count) return true;
        const Pivot *pivot = &s->pivots[row->vars[at]];
        int factor = row->factors[at] * pivot->sign;
        for (int i = 0; i < pivot->count; i++) {
            if (!add_term(row, pivot->vars[i], -factor * pivot->factors[i])) return false;
        }
    }
    return false;
}

// A variable with coefficient 1 or -1 that is not differentiated; -1: none.
static int choose_pivot(Sums *s, const Row *row, int *sign) {
    for (int i = 0; i < row->count; i++) {
        *sign = row->factors[i];
        bool free = !is_differentiated(s->w, row->vars[i]) && !is_known(s->w, row->vars[i]);
        if (abs(*sign) == 1 && free) return row->vars[i];
    }
    return -1;
}

static void keep_pivot(Sums *s, Pivot *pivot, const Row *row, int sign) {
    size_t bytes = (size_t)row->count * sizeof(int);
    *pivot = (Pivot){rb_new_array(s->arena, int, row->count),
                     rb_new_array(s->arena, int, row->count), row->count, sign};
    memcpy(pivot->vars, row->vars, bytes);
    memcpy(pivot->factors, row->factors, bytes);
}

// But for parameters.
static bool only_differentiated(Sums *s, const Row *row) {
    bool any = false;
    for (int i = 0; i < row->count; i++) {
        bool own = is_differentiated(s->w, row->vars[i]);
        if (!own && !is_known(s->w, row->vars[i])) return false;
        any |= own;
    }
    return any;
}

static const RbExpr *row_expr(RbWork *w, const Row *row) {
    const RbExpr *sum = rb_real(w->x, 0.0);
    for (int i = 0; i < row->count; i++) {
        const RbExpr *term =
            rb_mul(w->x, rb_real(w->x, row->factors[i]), rb_work_ref(w, row->vars[i]));
        sum = i == 0 ? term : rb_add(w->x, sum, term);
    }
    return sum;
}

static void eliminate(Sums *s, RbDaeEq *eq) {
    Row row = {.count = 0};
    if (!add_expr(s->w, eq->left, 1, &row, 0) || !add_expr(s->w, eq->right, -1, &row, 0) ||
        row.count < 2)
        return;
    bool plain = only_differentiated(s, &row);
    if (!reduce(s, &row)) return;
    int sign = 1, pivot = choose_pivot(s, &row, &sign);
    if (pivot >= 0) {
        keep_pivot(s, &s->pivots[pivot], &row, sign);
    } else if (!plain && only_differentiated(s, &row)) {
        eq->left = row_expr(s->w, &row);
        eq->right = rb_real(s->w->x, 0.0);
    }
}

RbStatus rb_eliminate_sums(RbWork *w) {
    RbSortedDae *d = w->dae;
    RbArena scratch = *w->scratch;
    Sums s = {
        .w = w, .arena = &scratch, .pivots = rb_new_array(&scratch, Pivot, d->vars.count + 1)};
    for (int i = 0; i < d->eqs.count; i++) {
        RbDaeEq *eq = &d->eqs.data[i];
        if (eq->assigns < 0 && !eq->not_initial) eliminate(&s, eq);
    }
    return RB_OK;
}
