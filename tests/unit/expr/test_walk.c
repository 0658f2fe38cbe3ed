// SPDX-License-Identifier: MIT
// Walks over expressions: order, variables, and rewriting with a memory.
#include "testing.h"

#include "expr/simplify.h"
#include "math/rng.h"

enum { VARIABLES = 60 };

static const RbExpr *v(RbExprs *x, int index) {
    return rb_var(x, index, RB_REAL, 0);
}

// A random sum of products over many variables; some of them only inside of pre(...).
static const RbExpr *random_expr(RbExprs *x, RbRng *rng, int size) {
    const RbExpr *e = rb_real(x, 1.5);
    for (int i = 0; i < size; i++) {
        const RbExpr *leaf = v(x, (int)rb_rng_range(rng, 0, VARIABLES - 1e-9));
        if (rb_rng_range(rng, 0, 1) < 0.2) leaf = rb_pre(x, leaf);
        const RbExpr *factor = rb_builtin1(x, RB_FN_SIN, v(x, i % VARIABLES));
        e = i % 3 ? rb_add(x, e, rb_mul(x, leaf, factor)) : rb_mul(x, e, leaf);
    }
    return e;
}

// The definition, by recursion: which variables the value depends on.
static void find(const RbExpr *e, bool within_pre, bool *used) {
    if (e->op == RB_OP_VAR) used[e->index] = true;
    for (int i = 0; i < e->arg_count; i++) {
        if (e->op != RB_OP_PRE || within_pre) find(e->args[i], within_pre, used);
    }
}

static void variables_are_found_in_order(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbRng rng = rb_rng(11);
    for (int k = 0; k < 200; k++) {
        RbExprs *x = rb_exprs(&f.arena);
        const RbExpr *roots[] = {random_expr(x, &rng, k % 9), NULL, random_expr(x, &rng, k % 7)};
        bool want[VARIABLES] = {0}, anywhere[VARIABLES] = {0};
        unsigned char marked[VARIABLES] = {0};
        find(roots[0], false, want);
        find(roots[2], false, want);
        find(roots[0], true, anywhere);
        RbIndices vars = rb_exprs_vars(x, roots, 3, &f.scratch);
        rb_mark_vars(x, roots, 3, marked);
        int n = 0;
        for (int i = 0; i < VARIABLES; i++) {
            ENSURE(marked[i] == want[i]);
            ENSURE(rb_expr_has_var(x, roots[0], i) == anywhere[i]);
            if (want[i]) ENSURE(n < vars.count && vars.data[n++] == i);
        }
        ENSURE(n == vars.count);
    }
    fixture_close(&f);
}

// A list that is far from sorted is sorted all the same.
static void many_variables_in_any_order(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbExprs *x = rb_exprs(&f.arena);
    enum { COUNT = 5000 };
    const RbExpr *elements[COUNT];
    for (int i = 0; i < COUNT; i++) elements[i] = v(x, (i * 2027) % COUNT); // a permutation
    RbIndices vars = rb_expr_vars(x, rb_array(x, elements, COUNT), &f.scratch);
    ENSURE(vars.count == COUNT);
    for (int i = 0; i < COUNT; i++) ENSURE(vars.data[i] == i);
    fixture_close(&f);
}

typedef struct Renaming {
    RbExprs *x;
    int calls;
} Renaming;

// v_i becomes -v_(i/2): nodes vanish, signs move.
static const RbExpr *rename_variable(void *user, const RbExpr *e) {
    Renaming *r = user;
    r->calls++;
    return e->op == RB_OP_VAR && e->index > 0 ? rb_neg(r->x, v(r->x, e->index / 2)) : NULL;
}

static void rewriting_is_substitution_with_a_memory(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbExprs *x = rb_exprs(&f.arena);
    RbRng rng = rb_rng(5);
    const RbExpr *all[100];
    for (int i = 0; i < 100; i++) all[i] = random_expr(x, &rng, i % 12);
    Renaming once = {.x = x}, always = {.x = x};
    RbRewrite r = rb_rewrite(x, rename_variable, &once, &f.arena);
    int nodes = x->count;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++) {
            const RbExpr *want = rb_substitute(x, all[i], rename_variable, &always, f.scratch);
            ENSURE(rb_rewrite_expr(&r, all[i]) == want);
        }
    }
    ENSURE(once.calls <= nodes); // each node once
    ENSURE(rb_rewrite_expr(&r, NULL) == NULL);
    const RbExpr *late = rb_add(x, v(x, VARIABLES + 4), rb_time(x)); // made after the beginning
    ENSURE(rb_rewrite_expr(&r, late) == rb_sub(x, rb_time(x), v(x, (VARIABLES + 4) / 2)));
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_found_in_order),
        cmocka_unit_test(many_variables_in_any_order),
        cmocka_unit_test(rewriting_is_substitution_with_a_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
