// SPDX-License-Identifier: MIT
// pieces.c: an array whose parts have equations of their own,
//
//     Q[1] = a;   Q[2:n] = b;   Q[n + 1] = c;        der(T[1]) = a;   der(T[2:n]) = b;
//
// has one equation if the parts follow each other from the first element to the last, whatever n
// is: Q = cat(1, {a}, b, {c}). So it can stay whole.
#include <stdlib.h>

#include "dae/work.h"

// --- sizes as sums -------------------------------------------------------------------------------

// c + sum of factors times leaves: n - 1, size(x, 1) + 2*m.
typedef struct Affine {
    double constant;
    RB_ARRAY(const RbExpr *) leaves;
    RB_ARRAY(double) factors;
} Affine;

static void add_leaf(Affine *a, const RbExpr *e, double factor, RbArena *arena) {
    for (int i = 0; i < a->leaves.count; i++) {
        if (a->leaves.data[i] != e) continue;
        a->factors.data[i] += factor;
        return;
    }
    rb_array_push(&a->leaves, arena, e);
    rb_array_push(&a->factors, arena, factor);
}

// Sizes of variables by what they follow from.
static const RbExpr *resolve(const RbFlatModel *flat, const RbExpr *e) {
    double k;
    while (e->op == RB_OP_BUILTIN && e->index == RB_FN_SIZE && e->args[0]->op == RB_OP_VAR &&
           rb_constant_value(e->args[1], &k)) {
        const RbFlatVar *v = &flat->vars.data[e->args[0]->index];
        if (!(k >= 1 && k <= v->rank) || !v->dim_exprs[(int)k - 1]) break;
        e = v->dim_exprs[(int)k - 1];
    }
    return e;
}

static void add_affine(const RbFlatModel *flat, Affine *a, const RbExpr *e, double factor,
                       RbArena *arena) {
    double number;
    e = resolve(flat, e);
    if (rb_constant_value(e, &number)) {
        a->constant += factor * number;
    } else if (e->op == RB_OP_ADD || e->op == RB_OP_SUB) {
        add_affine(flat, a, e->args[0], factor, arena);
        add_affine(flat, a, e->args[1], e->op == RB_OP_SUB ? -factor : factor, arena);
    } else if (e->op == RB_OP_NEG) {
        add_affine(flat, a, e->args[0], -factor, arena);
    } else if (e->op == RB_OP_MUL && rb_constant_value(e->args[0], &number)) {
        add_affine(flat, a, e->args[1], factor * number, arena);
    } else {
        add_leaf(a, e, factor, arena);
    }
}

// Is a - b = difference, whatever the parameters are?
static bool differ_by(const RbFlatModel *flat, const RbExpr *a, const RbExpr *b, double difference,
                      RbArena scratch) {
    Affine sum = {.constant = -difference};
    add_affine(flat, &sum, a, 1, &scratch);
    add_affine(flat, &sum, b, -1, &scratch);
    for (int i = 0; i < sum.leaves.count; i++) {
        if (sum.factors.data[i] != 0) return false;
    }
    return sum.constant == 0;
}

// --- pieces --------------------------------------------------------------------------------------

// x[first:last] = value, or der(x[first:last]) = value
typedef struct Piece {
    const RbEquation *eq;
    const RbExpr *value, *first, *last;
    int from, to, number; // at present; which of the pieces
    bool der;
} Piece;

typedef RB_ARRAY(Piece) Pieces;

// What a subscript of a vector begins and ends with.
static bool limits_of(RbExprs *x, const RbExpr *s, Piece *p) {
    int64_t first, step;
    p->first = p->last = s;
    if (s->rank == 0) return true;
    if (s->op == RB_OP_RANGE) {
        p->first = s->args[0];
        p->last = s->args[2];
        return s->args[1]->op == RB_OP_INTEGER && s->args[1]->integer == 1;
    }
    if (!rb_is_progression(s, &first, &step) || step != 1) return false;
    p->first = rb_integer(x, first);
    p->last = rb_integer(x, first + s->arg_count - 1);
    return true;
}

// The side e as a part of an array that may stay whole; answers the array, or -1.
static int part_of(RbWork *w, const RbFlatModel *flat, const RbExpr *e, Piece *p) {
    p->der = e->op == RB_OP_DER;
    if (p->der) e = e->args[0];
    if (e->op != RB_OP_SUBSCRIPT || e->args[0]->op != RB_OP_VAR || e->args[0]->rank != 1) return -1;
    const RbFlatVar *v = &flat->vars.data[e->args[0]->index];
    bool free = v->has_free_size && v->variability == RB_CONTINUOUS && v->type == RB_REAL &&
                !w->arrays->apart[e->args[0]->index] && !v->binding && v->causality != RB_INPUT;
    return free && limits_of(w->x, e->args[1], p) ? e->args[0]->index : -1;
}

static int by_place(const void *a, const void *b) {
    const Piece *p = a, *q = b;
    if (p->from != q->from) return p->from < q->from ? -1 : 1;
    if (p->to != q->to) return p->to < q->to ? -1 : 1; // an empty one first
    return (p->number > q->number) - (p->number < q->number);
}

// Do they follow each other from the first element to the last?
static bool is_complete(RbWork *w, const RbFlatModel *flat, const Pieces *list, int v) {
    RbExprs *x = w->x;
    const RbExpr *size = flat->vars.data[v].dim_exprs[0];
    if (!size || !differ_by(flat, list->data[0].first, rb_integer(x, 1), 0, *w->temp)) return false;
    for (int i = 1; i < list->count; i++) {
        const Piece *p = &list->data[i - 1], *q = &list->data[i];
        if (p->der != q->der || !differ_by(flat, q->first, p->last, 1, *w->temp)) return false;
    }
    return differ_by(flat, size, list->data[list->count - 1].last, 0, *w->temp);
}

static void find_numbers(RbWork *w, const RbFlatModel *flat, Pieces *list) {
    RbEnv env = {.model = flat, .arena = w->scratch, .lookup = rb_work_lookup, .user = w};
    for (int i = 0; i < list->count; i++) {
        Piece *p = &list->data[i];
        double from = 0, to = 0;
        rb_eval_number(&env, p->first, &from);
        rb_eval_number(&env, p->last, &to);
        p->from = (int)from;
        p->to = (int)to;
        p->number = i;
    }
    qsort(list->data, (size_t)list->count, sizeof *list->data, by_place);
}

// x = cat(1, value, ...)
static RbEquation *joined(RbWork *w, const RbFlatModel *flat, const Pieces *list, int v) {
    RbExprs *x = w->x;
    const RbExpr **args = rb_new_array(w->scratch, const RbExpr *, list->count + 1);
    args[0] = rb_integer(x, 1);
    for (int i = 0; i < list->count; i++) {
        const RbExpr *value = list->data[i].value, *s = list->data[i].first;
        if (list->data[i].first == list->data[i].last && value->rank == 0) {
            value = rb_array(x, &value, 1);
        } else if (value->rank == 0) { // x[2:n] = 0
            const RbExpr *n = rb_add(x, rb_sub(x, list->data[i].last, s), rb_integer(x, 1));
            value = rb_builtin2(x, RB_FN_FILL, value, n);
        }
        args[i + 1] = value;
    }
    RbEquation *eq = rb_new(w->arena, RbEquation);
    *eq = *list->data[0].eq;
    eq->left = rb_flat_ref((RbFlatModel *)flat, v);
    if (list->data[0].der) eq->left = rb_der(x, eq->left);
    eq->right = list->count == 1 ? args[1] : rb_builtin(x, RB_FN_CAT, args, list->count + 1);
    return eq;
}

// Pieces of every variable, in the order of the equations.
static Pieces *collect(RbWork *w, const RbFlatModel *flat, const RbEquations *equations,
                       bool *any) {
    Pieces *pieces = rb_new_array(w->scratch, Pieces, flat->vars.count + 1);
    for (int i = 0; i < equations->count; i++) {
        const RbEquation *eq = equations->data[i];
        if (eq->kind != RB_EQ_EQUAL) continue;
        Piece p = {.eq = eq, .value = eq->right};
        int v = part_of(w, flat, eq->left, &p);
        if (v < 0) {
            p.value = eq->left;
            v = part_of(w, flat, eq->right, &p);
        }
        if (v < 0) continue;
        rb_array_push(&pieces[v], w->scratch, p);
        *any = true;
    }
    return pieces;
}

static void join(RbWork *w, const RbFlatModel *flat, RbEquations *equations) {
    bool any = false;
    Pieces *pieces = collect(w, flat, equations, &any);
    if (!any) return;
    RbMap instead = {0}; // equation -> variable plus one that it is a part of
    for (int v = 0; v < flat->vars.count; v++) {
        if (pieces[v].count == 0) continue;
        find_numbers(w, flat, &pieces[v]);
        if (!is_complete(w, flat, &pieces[v], v)) continue;
        for (int i = 0; i < pieces[v].count; i++)
            rb_map_set(&instead, w->scratch, rb_map_key(pieces[v].data[i].eq), (uint64_t)v + 1);
    }
    RbEquations list = {0};
    unsigned char *done = rb_new_array(w->scratch, unsigned char, flat->vars.count + 1);
    for (int i = 0; i < equations->count; i++) {
        RbEquation *eq = equations->data[i];
        uint64_t *found = rb_map_find(&instead, rb_map_key(eq));
        int v = found ? (int)*found - 1 : -1;
        if (v < 0) rb_array_push(&list, w->arena, eq);
        if (v >= 0 && !done[v]) rb_array_push(&list, w->arena, joined(w, flat, &pieces[v], v));
        if (v >= 0) done[v] = 1;
    }
    *equations = list;
}

void rb_join_pieces(RbWork *w, RbFlatModel *flat) {
    join(w, flat, &flat->equations);
    join(w, flat, &flat->initial_equations);
}
