// SPDX-License-Identifier: MIT
#include "dae/matrix.h"

#include <stdlib.h>

#include "dae/solve.h"
#include "expr/builtins.h"
#include "expr/diff.h"
#include "expr/simplify.h"

// --- sums ----------------------------------------------------------------------------------------

typedef struct Term {
    const RbExpr *e;
    bool minus;
    const RbExpr *factor, *divisor; // NULL: 1
} Term;

typedef RB_ARRAY(Term) Terms;

typedef bool Wanted(void *user, int var);

static bool is_free(RbWork *w, const RbExpr *e, Wanted *wanted, void *user, RbArena scratch) {
    RbIndices vars = rb_expr_vars(w->x, e, &scratch);
    for (int i = 0; i < vars.count; i++) {
        if (wanted(user, vars.data[i])) return false;
    }
    return true;
}

static const RbExpr *product(RbExprs *x, const RbExpr *a, const RbExpr *b) {
    return a ? rb_mul(x, a, b) : b;
}

// c (a + b) and (a + b) / c are sums, too, if c has nothing to differentiate by.
static bool split_product(RbWork *w, Term *t, Wanted *wanted, void *user, RbArena *arena) {
    bool divide = t->e->op == RB_OP_DIV;
    if (t->e->op != RB_OP_MUL && !divide) return false;
    const RbExpr *a = t->e->args[0], *b = t->e->args[1];
    if (a->rank > 0 || b->rank > 0) return false;
    if (is_free(w, b, wanted, user, *arena)) {
        t->e = a;
        if (divide)
            t->divisor = product(w->x, t->divisor, b);
        else
            t->factor = product(w->x, t->factor, b);
        return true;
    }
    if (divide || !is_free(w, a, wanted, user, *arena)) return false;
    t->e = b;
    t->factor = product(w->x, t->factor, a);
    return true;
}

// e = term_1 +- term_2 +- ..., from left to right.
static Terms terms_of(RbWork *w, const RbExpr *e, Wanted *wanted, void *user, RbArena *arena) {
    Terms terms = {0}, stack = {0};
    rb_array_push(&stack, arena, ((Term){.e = e}));
    while (stack.count > 0) {
        Term top = stack.data[--stack.count], right = top;
        const RbExpr *n = top.e;
        if (n->op == RB_OP_NEG) {
            top.e = n->args[0];
            top.minus = !top.minus;
            rb_array_push(&stack, arena, top);
        } else if ((n->op == RB_OP_ADD || n->op == RB_OP_SUB) && n->rank == 0) {
            top.e = n->args[0];
            right.e = n->args[1];
            right.minus = top.minus != (n->op == RB_OP_SUB);
            rb_array_push(&stack, arena, right);
            rb_array_push(&stack, arena, top);
        } else if (split_product(w, &top, wanted, user, arena)) {
            rb_array_push(&stack, arena, top);
        } else {
            rb_array_push(&terms, arena, top);
        }
    }
    return terms;
}

static const RbExpr *scaled(RbExprs *x, const Term *t, const RbExpr *d) {
    if (d && t->factor) d = rb_mul(x, t->factor, d);
    if (d && t->divisor) d = rb_div(x, d, t->divisor);
    return d;
}

// sum +- d; NULL is zero.
static const RbExpr *accumulate(RbExprs *x, const RbExpr *sum, const RbExpr *d, bool minus) {
    if (!d || rb_is_number(d, 0)) return sum;
    if (!sum) return minus ? rb_neg(x, d) : d;
    return minus ? rb_sub(x, sum, d) : rb_add(x, sum, d);
}

// Below this many variables an expression is differentiated as a whole, in the order that its
// author wrote it.
enum { LONG_SUM = 16 };

// --- slopes --------------------------------------------------------------------------------------

static int by_var(const void *a, const void *b) {
    return ((const RbSlope *)a)->var - ((const RbSlope *)b)->var;
}

// One term of a long sum; the slopes of different terms by one variable are next to each other once
// they are sorted. Sorting must keep the order of the terms, so each carries its number.
typedef struct TermSlope {
    int var, term;
    const RbExpr *value; // NULL: none
    bool minus;
} TermSlope;

static int by_var_and_term(const void *a, const void *b) {
    const TermSlope *p = a, *q = b;
    return p->var != q->var ? p->var - q->var : p->term - q->term;
}

static RbSlopes slopes_of_sum(RbWork *w, const RbExpr *e, Wanted *wanted, void *user,
                              RbArena *arena) {
    RbSlopes slopes = {0};
    RB_ARRAY(TermSlope) all = {0};
    Terms terms = terms_of(w, e, wanted, user, arena);
    for (int t = 0; t < terms.count; t++) {
        RbIndices vars = rb_expr_vars(w->x, terms.data[t].e, arena);
        for (int i = 0; i < vars.count; i++) {
            if (!wanted(user, vars.data[i])) continue;
            TermSlope s = {.var = vars.data[i], .term = t, .minus = terms.data[t].minus};
            s.value = scaled(w->x, &terms.data[t],
                             rb_diff_var(w->x, terms.data[t].e, s.var, w->model, *w->temp));
            rb_array_push(&all, arena, s);
        }
    }
    if (all.count > 1) qsort(all.data, (size_t)all.count, sizeof *all.data, by_var_and_term);
    for (int i = 0; i < all.count;) {
        RbSlope s = {all.data[i].var, NULL};
        bool known = true;
        for (; i < all.count && all.data[i].var == s.var; i++) {
            known = known && all.data[i].value;
            if (known) s.value = accumulate(w->x, s.value, all.data[i].value, all.data[i].minus);
        }
        if (known && !s.value) s.value = rb_real(w->x, 0.0);
        if (!known) s.value = NULL;
        rb_array_push(&slopes, arena, s);
    }
    return slopes;
}

RbSlopes rb_slopes(RbWork *w, const RbExpr *e, bool (*wanted)(void *user, int var), void *user,
                   RbArena *arena) {
    RbIndices vars = rb_expr_vars(w->x, e, arena);
    if (vars.count > LONG_SUM) return slopes_of_sum(w, e, wanted, user, arena);
    RbSlopes slopes = {0};
    for (int i = 0; i < vars.count; i++) {
        if (!wanted(user, vars.data[i])) continue;
        RbSlope s = {vars.data[i], rb_diff_var(w->x, e, vars.data[i], w->model, *w->temp)};
        rb_array_push(&slopes, arena, s);
    }
    return slopes;
}

// --- choices -------------------------------------------------------------------------------------

static bool is_choice(const RbExpr *e) {
    if (e->op >= RB_OP_LT && e->op <= RB_OP_NE) return true;
    if (e->op == RB_OP_CALL) return e->type == RB_BOOLEAN || e->type == RB_INTEGER;
    return rb_is_builtin(e, RB_TRAIT_JUMPS);
}

bool rb_switches(RbWork *w, const RbExpr *e, bool (*wanted)(void *user, int var), void *user) {
    RbArena temp = *w->temp;
    RbExprOrder order = rb_expr_order(w->x, &e, 1, &temp);
    RB_ARRAY(const RbExpr *) choices = {0}; // asking what is free takes the order anew
    for (int i = 0; i < order.count; i++) {
        if (is_choice(order.nodes[i])) rb_array_push(&choices, &temp, order.nodes[i]);
    }
    for (int i = 0; i < choices.count; i++) {
        if (!is_free(w, choices.data[i], wanted, user, temp)) return true;
    }
    return false;
}

// --- derivatives through the inner variables -----------------------------------------------------

// The derivatives of a variable by the unknowns: RbSlope.var is the place of the unknown.
typedef struct Chain {
    RbWork *w;
    RbMap places;     // variable -> its place in rows
    RbSlopes *rows;   // nonzero derivatives, ascending
    int column;       // unknown by which an expression is being differentiated
    bool *in_columns; // of the expression at hand
    int *columns, column_count;
} Chain;

static const RbSlopes *row_of(const Chain *c, int var) {
    uint64_t *found = rb_map_find(&c->places, (uint64_t)var);
    return found ? &c->rows[*found] : NULL;
}

static const RbExpr *seed(void *user, const RbExpr *leaf) {
    const Chain *c = user;
    const RbSlopes *row = leaf->op == RB_OP_VAR ? row_of(c, leaf->index) : NULL;
    if (!row || row->count == 0) return NULL;
    RbSlope key = {c->column, NULL};
    const RbSlope *found = bsearch(&key, row->data, (size_t)row->count, sizeof *row->data, by_var);
    return found ? found->value : NULL;
}

static int by_value(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

// The unknowns that e depends on.
static void find_columns(Chain *c, const RbExpr *e) {
    RbArena temp = *c->w->temp;
    RbIndices vars = rb_expr_vars(c->w->x, e, &temp);
    for (int k = 0; k < c->column_count; k++) c->in_columns[c->columns[k]] = false;
    c->column_count = 0;
    for (int i = 0; i < vars.count; i++) {
        const RbSlopes *row = row_of(c, vars.data[i]);
        for (int k = 0; row && k < row->count; k++) {
            int j = row->data[k].var;
            if (c->in_columns[j]) continue;
            c->in_columns[j] = true;
            c->columns[c->column_count++] = j;
        }
    }
    if (c->column_count > 1)
        qsort(c->columns, (size_t)c->column_count, sizeof *c->columns, by_value);
}

static bool depends(void *chain, int var) {
    return row_of(chain, var) != NULL;
}

// The derivatives of a term by all unknowns, added to those in sums.
static bool add_derivatives(Chain *c, const Term *t, const RbExpr **sums) {
    RbDiff d = {.model = c->w->model, .seed = seed, .user = c};
    find_columns(c, t->e);
    for (int k = 0; k < c->column_count; k++) {
        c->column = c->columns[k];
        const RbExpr *value = scaled(c->w->x, t, rb_diff(c->w->x, t->e, &d, *c->w->temp));
        if (!value) return false;
        sums[c->column] = accumulate(c->w->x, sums[c->column], value, t->minus);
    }
    return true;
}

// The nonzero derivatives of e; sums is all NULL before and after.
static bool derivatives(Chain *c, const RbExpr *e, const RbExpr **sums, RbArena *arena,
                        RbSlopes *out) {
    find_columns(c, e);
    bool ok = true, sum = c->column_count > LONG_SUM;
    int count = c->column_count;
    RbArena *scratch = c->w->scratch;
    int *columns = rb_new_array(scratch, int, count + 1);
    for (int k = 0; k < count; k++) columns[k] = c->columns[k];
    Terms terms = {0};
    if (sum) terms = terms_of(c->w, e, depends, c, scratch);
    for (int t = 0; t < terms.count && ok; t++) ok = add_derivatives(c, &terms.data[t], sums);
    if (!sum) ok = add_derivatives(c, &(Term){.e = e}, sums);
    for (int k = 0; k < count; k++) {
        RbSlope s = {columns[k], sums[columns[k]]};
        sums[columns[k]] = NULL;
        if (s.value) rb_array_push(out, arena, s);
    }
    return ok;
}

static Chain open_chain(RbWork *w, const RbBlock *b) {
    Chain c = {.w = w,
               .rows = rb_new_array(w->scratch, RbSlopes, b->size + b->assign_count + 1),
               .in_columns = rb_new_array(w->scratch, bool, b->size + 1),
               .columns = rb_new_array(w->scratch, int, b->size + 1)};
    for (int j = 0; j < b->size; j++) {
        RbSlope own = {j, rb_real(w->x, 1.0)};
        rb_map_set(&c.places, w->scratch, (uint64_t)b->unknowns[j], (uint64_t)j);
        rb_array_push(&c.rows[j], w->scratch, own);
    }
    return c;
}

// Rows to columns; within a column the rows ascend.
static void store_by_columns(RbWork *w, RbBlock *b, const RbSlopes *rows) {
    int *start = rb_new_array(w->scratch, int, b->size + 1);
    for (int i = 0; i < b->size; i++) {
        for (int k = 0; k < rows[i].count; k++) start[rows[i].data[k].var + 1]++;
    }
    for (int j = 0; j < b->size; j++) start[j + 1] += start[j];
    b->matrix_count = start[b->size];
    b->matrix = rb_new_array(w->arena, RbMatrixEntry, b->matrix_count + 1);
    for (int i = 0; i < b->size; i++) {
        for (int k = 0; k < rows[i].count; k++) {
            const RbSlope *s = &rows[i].data[k];
            b->matrix[start[s->var]++] = (RbMatrixEntry){i, s->var, s->value};
        }
    }
}

static bool is_constant(RbWork *w, const RbBlock *b) {
    for (int k = 0; k < b->matrix_count; k++) {
        if (!rb_is_parametric(w, b->matrix[k].value, *w->temp)) return false;
    }
    return true;
}

bool rb_system_matrix(RbWork *w, RbBlock *b) {
    Chain c = open_chain(w, b);
    const RbExpr **sums = rb_new_array(w->scratch, const RbExpr *, b->size + 1);
    RbSlopes *rows = rb_new_array(w->scratch, RbSlopes, b->size + 1);
    for (int k = 0; k < b->assign_count; k++) {
        RbSlopes *row = &c.rows[b->size + k];
        if (!derivatives(&c, b->assigns[k].value, sums, w->scratch, row)) return false;
        rb_map_set(&c.places, w->scratch, (uint64_t)b->assigns[k].var, (uint64_t)(b->size + k));
    }
    for (int i = 0; i < b->size; i++) {
        if (!derivatives(&c, b->residuals[i], sums, w->scratch, &rows[i])) return false;
    }
    store_by_columns(w, b, rows);
    b->constant_matrix = b->kind == RB_BLOCK_LINEAR && is_constant(w, b);
    b->sparse = b->kind == RB_BLOCK_LINEAR && rb_sparse_pays(b->size, b->matrix_count);
    return true;
}
