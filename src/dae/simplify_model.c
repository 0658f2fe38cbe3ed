// SPDX-License-Identifier: MIT
// simplify_model.c: two simplifications that look at values or at pairs of equations, before
// aliases are eliminated.
//
// 1. A final parameter (or one that a function computes) whose value is zero is put in place as a
// number: a device without series resistance
//    has one node less, and R i = u - v with R = 0 is an alias. What decided that is structural
//    from now on.
// 2. semiLinear: y = semiLinear(x, a, p) and y = semiLinear(x, p, b) leave p undetermined at x = 0.
// The specification of the
//    language says what is meant: y = semiLinear(x, a, b), p = if x >= 0 then a else b.
#include "dae/solve.h"
#include "dae/work.h"
#include "expr/simplify.h"

// --- zeros ---------------------------------------------------------------------------------------

static bool is_candidate(const RbFlatVar *v) {
    if (v->type != RB_REAL || v->rank > 0 || !v->binding) return false;
    return v->is_final || v->binding->op == RB_OP_CALL || v->binding->op == RB_OP_RESULT;
}

enum { ZERO = 1, USED_ZERO };

static const RbExpr *zero_node(void *user, const RbExpr *e) {
    unsigned char *zero = ((void **)user)[0];
    RbWork *w = ((void **)user)[1];
    if (e->op != RB_OP_VAR || !zero[e->index]) return NULL;
    zero[e->index] = USED_ZERO;
    return rb_real(w->x, 0.0);
}

static void put_zeros(RbWork *w) {
    unsigned char *zero = rb_new_array(w->scratch, unsigned char, w->dae->vars.count + 1);
    int found = 0;
    for (int v = 0; v < w->dae->vars.count; v++) {
        double number;
        if (rb_work_at(w, v)->kind != RB_DAE_PARAMETER || !is_candidate(&w->model->vars.data[v]))
            continue;
        if (!rb_parameter_number(w, rb_work_ref(w, v), &number) || number != 0) continue;
        zero[v] = ZERO;
        found++;
    }
    void *user[] = {zero, w};
    for (int i = 0; found > 0 && i < w->dae->eqs.count; i++) {
        RbDaeEq *eq = &w->dae->eqs.data[i];
        eq->left = rb_substitute(w->x, eq->left, zero_node, user, *w->temp);
        eq->right = rb_substitute(w->x, eq->right, zero_node, user, *w->temp);
    }
    for (int v = 0; found > 0 && v < w->dae->vars.count; v++) {
        if (zero[v] == USED_ZERO) rb_mark_structural(w, v);
    }
}

// --- semiLinear ----------------------------------------------------------------------------------

typedef struct Semi { // y = semiLinear(x, up, down)
    const RbExpr *y, *x, *up, *down;
    int eq;
} Semi;

static const RbExpr *strip(const RbExpr *e, bool *negative) {
    while (e->op == RB_OP_NEG) {
        *negative = !*negative;
        e = e->args[0];
    }
    return e;
}

// -y = semiLinear(-x, a, b) is y = semiLinear(x, b, a).
static bool read_semi(const RbDaeEq *eq, Semi *s) {
    bool negative = false, backwards = false;
    const RbExpr *y = strip(eq->left, &negative), *f = strip(eq->right, &negative);
    if (y->op == RB_OP_BUILTIN && y->index == RB_FN_SEMI_LINEAR) {
        const RbExpr *swap = y;
        y = f;
        f = swap;
    }
    if (y->op != RB_OP_VAR || f->op != RB_OP_BUILTIN || f->index != RB_FN_SEMI_LINEAR) return false;
    const RbExpr *x = strip(f->args[0], &backwards);
    if (negative != backwards) return false;
    *s = (Semi){y, x, f->args[backwards ? 2 : 1], f->args[backwards ? 1 : 2], 0};
    return true;
}

static void join_semi(RbWork *w, const Semi *first, const Semi *second) {
    RbExprs *x = w->x;
    const RbExpr *args[] = {first->x, first->up, second->down};
    const RbExpr *forward = rb_relate(x, RB_OP_GE, first->x, rb_real(x, 0.0));
    RbDaeEq *a = &w->dae->eqs.data[first->eq], *b = &w->dae->eqs.data[second->eq];
    a->left = first->y;
    a->right = rb_builtin(x, RB_FN_SEMI_LINEAR, args, 3);
    b->left = first->down;
    b->right = rb_if(x, rb_builtin1(x, RB_FN_NO_EVENT, forward), first->up, second->down);
}

static void join_semi_linear(RbWork *w) {
    RB_ARRAY(Semi) all = {0};
    for (int i = 0; i < w->dae->eqs.count; i++) {
        Semi s;
        if (!read_semi(&w->dae->eqs.data[i], &s)) continue;
        s.eq = i;
        rb_array_push(&all, w->scratch, s);
    }
    for (int i = 0; i < all.count; i++) {
        for (int k = 0; k < all.count; k++) {
            Semi *a = &all.data[i], *b = &all.data[k];
            bool fits = i != k && a->y && b->y && a->y == b->y && a->x == b->x &&
                        a->down == b->up && a->down->op == RB_OP_VAR;
            if (!fits) continue;
            join_semi(w, a, b);
            a->down = b->down; // may go on with the next of the chain
            b->y = NULL;
            k = -1;
        }
    }
}

RbStatus rb_simplify_model(RbWork *w) {
    put_zeros(w);
    return RB_OK;
}

RbStatus rb_simplify_pairs(RbWork *w) {
    join_semi_linear(w);
    return RB_OK;
}
