// SPDX-License-Identifier: MIT
// Expressions: uniqueness, exact simplification, derivatives against differences, printing.
#include "testing.h"

#include <string.h>

#include "expr/diff.h"
#include "expr/eval.h"
#include "expr/fold.h"
#include "expr/print.h"
#include "expr/simplify.h"
#include "math/rng.h"

enum { VARS = 3 };

typedef struct Numbers {
    double v[VARS];
    double time;
} Numbers;

static bool number_of(void *user, RbEnv *env, const RbExpr *leaf, RbExprValue *value) {
    const Numbers *n = user;
    double number = leaf->op == RB_OP_TIME ? n->time : n->v[leaf->index];
    *value = rb_value_number(env->arena, RB_REAL, number);
    return true;
}

static double value_at(Fixture *f, const RbExpr *e, const Numbers *n) {
    RbArena scratch = f->scratch;
    RbEnv env = {.arena = &scratch, .lookup = number_of, .user = (void *)n};
    double number;
    ENSURE(rb_eval_number(&env, e, &number));
    return number;
}

static const RbExpr *v(RbExprs *x, int i) {
    return rb_var(x, i, RB_REAL, 0);
}

static void equal_expressions_are_one_node(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbExprs *x = rb_exprs(&f.arena);
    const RbExpr *a = rb_add(x, v(x, 0), rb_mul(x, rb_real(x, 2.0), v(x, 1)));
    const RbExpr *b = rb_add(x, v(x, 0), rb_mul(x, rb_real(x, 2.0), v(x, 1)));
    ENSURE(a == b);
    ENSURE(rb_real(x, 0.0) != rb_real(x, -0.0));
    ENSURE(rb_string(x, "ab") == rb_string(x, "ab"));
    ENSURE(a->id > a->args[0]->id && a->id > a->args[1]->id);
    fixture_close(&f);
}

static void simplification(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbExprs *x = rb_exprs(&f.arena);
    const RbExpr *a = v(x, 0), *b = v(x, 1), *zero = rb_real(x, 0), *one = rb_integer(x, 1);
    ENSURE(rb_add(x, a, zero) == a);
    ENSURE(rb_mul(x, one, a) == a);
    ENSURE(rb_mul(x, a, zero) == zero);
    ENSURE(rb_neg(x, rb_neg(x, a)) == a);
    ENSURE(rb_sub(x, a, rb_neg(x, b)) == rb_add(x, a, b));
    ENSURE(rb_neg(x, rb_sub(x, a, b)) == rb_sub(x, b, a));
    ENSURE(rb_add(x, rb_integer(x, 2), rb_integer(x, 3)) == rb_integer(x, 5));
    ENSURE(rb_builtin1(x, RB_FN_SIN, zero) == rb_real(x, sin(0.0)));
    ENSURE(rb_if(x, rb_boolean(x, true), a, b) == a);
    ENSURE(rb_div(x, rb_real(x, 1), rb_real(x, 0))->op ==
           RB_OP_DIV); // not folded: it fails when it is evaluated
    const RbExpr *list[] = {a, b}, *second[] = {rb_integer(x, 2)};
    ENSURE(rb_subscript(x, rb_array(x, list, 2), second, 1) == b);
    fixture_close(&f);
}

// Random expressions that are smooth where the variables are between 0.5 and 2.
static const RbExpr *random_expr(RbExprs *x, RbRng *rng, int depth) {
    static const RbBuiltin functions[] = {RB_FN_SIN,  RB_FN_COS, RB_FN_ATAN,
                                          RB_FN_TANH, RB_FN_EXP, RB_FN_SINH};
    int kind = (int)(rb_rng_unit(rng) * (depth > 0 ? 10 : 3));
    const RbExpr *square;
    switch (kind) {
        case 0: return v(x, (int)(rb_rng_unit(rng) * VARS));
        case 1: return rb_real(x, floor(rb_rng_unit(rng) * 5) - 2);
        case 2: return rb_time(x);
        case 3: return rb_add(x, random_expr(x, rng, depth - 1), random_expr(x, rng, depth - 1));
        case 4: return rb_sub(x, random_expr(x, rng, depth - 1), random_expr(x, rng, depth - 1));
        case 5: return rb_mul(x, random_expr(x, rng, depth - 1), random_expr(x, rng, depth - 1));
        case 6: return rb_neg(x, random_expr(x, rng, depth - 1));
        case 7:
            square = rb_pow(x, random_expr(x, rng, depth - 1), rb_integer(x, 2));
            return rb_div(x, random_expr(x, rng, depth - 1), rb_add(x, rb_real(x, 1.5), square));
        case 8:
            square = rb_pow(x, random_expr(x, rng, depth - 1), rb_integer(x, 2));
            return rb_builtin1(x, RB_FN_SQRT, rb_add(x, rb_real(x, 0.5), square));
        default:
            // tanh keeps the arguments of exp and sinh small
            return rb_builtin1(x, functions[(int)(rb_rng_unit(rng) * 6)],
                               rb_builtin1(x, RB_FN_TANH, random_expr(x, rng, depth - 1)));
    }
}

static Numbers random_point(RbRng *rng) {
    Numbers n = {.time = 0.5 + rb_rng_unit(rng)};
    for (int i = 0; i < VARS; i++) n.v[i] = 0.5 + 1.5 * rb_rng_unit(rng);
    return n;
}

static void derivatives_match_differences(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbExprs *x = rb_exprs(&f.arena);
    RbRng rng = rb_rng(20261115);
    for (int k = 0; k < 500; k++) {
        const RbExpr *e = random_expr(x, &rng, 6);
        int var = k % VARS;
        const RbExpr *d = rb_diff_var(x, e, var, NULL, f.scratch);
        ENSURE(d != NULL);
        Numbers n = random_point(&rng), up = n, down = n;
        const double h = 1e-4; // five-point rule: error h^4, about 1e-16 times the fifth derivative
        double slope = 0;
        static const double weight[] = {8, -1};
        for (int m = 1; m <= 2; m++) {
            up.v[var] = n.v[var] + m * h;
            down.v[var] = n.v[var] - m * h;
            slope += weight[m - 1] * (value_at(&f, e, &up) - value_at(&f, e, &down)) / (12 * h);
        }
        double size = fabs(value_at(&f, e, &n)) + fabs(slope) + 1;
        ENSURE_NEAR(value_at(&f, d, &n), slope, 1e-9 * size * size * size);
    }
    fixture_close(&f);
}

// An independent evaluation without any simplification: constants become variables, so nothing can
// be folded.
static const RbExpr *hide_constants(void *user, const RbExpr *e) {
    RbExprs *x = user;
    if (e->op != RB_OP_REAL || (e->real != 0 && e->real != 1 && e->real != -1)) return NULL;
    return rb_add(x, rb_var(x, 2, RB_REAL, 0), rb_real(x, e->real - 0.75)); // v2 = 0.75
}

static void simplification_keeps_the_value(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbExprs *x = rb_exprs(&f.arena);
    RbRng rng = rb_rng(7);
    for (int k = 0; k < 500; k++) {
        const RbExpr *e = random_expr(x, &rng, 5);
        const RbExpr *hidden = rb_substitute(x, e, hide_constants, x, f.scratch);
        Numbers n = random_point(&rng);
        n.v[2] = 0.75; // sums with 0.25, -0.75 and -1.75 are exact
        double want = value_at(&f, hidden, &n), got = value_at(&f, e, &n);
        ENSURE_NEAR(got, want, 0);
    }
    fixture_close(&f);
}

static void printing(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbExprs *x = rb_exprs(&f.arena);
    const RbExpr *a = v(x, 0), *b = v(x, 1), *c = v(x, 2);
    struct {
        const RbExpr *e;
        const char *text;
    } cases[] = {
        {rb_mul(x, rb_add(x, a, b), c), "(v0 + v1)*v2"},
        {rb_sub(x, a, rb_sub(x, b, c)), "v0 - (v1 - v2)"},
        {rb_sub(x, rb_sub(x, a, b), c), "v0 - v1 - v2"},
        {rb_div(x, a, rb_mul(x, b, c)), "v0/(v1*v2)"},
        {rb_mul(x, a, rb_real(x, -2)), "v0*(-2.0)"},
        {rb_pow(x, rb_neg(x, a), rb_integer(x, 2)), "(-v0)^2"},
        {rb_if(x, rb_relate(x, RB_OP_LT, a, b), a, b), "if v0 < v1 then v0 else v1"},
        {rb_der(x, a), "der(v0)"},
        {rb_builtin2(x, RB_FN_ATAN2, a, b), "atan2(v0, v1)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RbText out = rb_text(&f.arena);
        rb_expr_print(cases[i].e, NULL, NULL, &out);
        assert_string_equal(out.data, cases[i].text);
    }
    fixture_close(&f);
}

// A chain of a hundred thousand nodes is walked without recursion.
static void deep_expressions(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbExprs *x = rb_exprs(&f.arena);
    const RbExpr *e = v(x, 0);
    for (int i = 0; i < 50000; i++) e = rb_builtin1(x, RB_FN_SIN, rb_add(x, e, v(x, 1)));
    RbIndices vars = rb_expr_vars(x, e, &f.scratch);
    ENSURE(vars.count == 2 && vars.data[0] == 0 && vars.data[1] == 1);
    ENSURE(rb_diff_var(x, e, 0, NULL, f.scratch) != NULL);
    fixture_close(&f);
}

static void integer_powers(void **state) {
    (void)state;
    ENSURE(rb_integer_power(3, 5) == 243 && rb_integer_power(2, -2) == 0.25 &&
           rb_integer_power(7, 0) == 1);
}

// --- functions -----------------------------------------------------------------------------------

// f(x[:]) -> (sum of squares, largest): a loop, a condition, two results.
static RbFunction *norm_function(RbFlatModel *m) {
    RbExprs *x = m->exprs;
    RbFunction *f = rb_new(m->arena, RbFunction);
    f->name = "norm";
    const RbFunctionVar vars[] = {{.name = "u", .rank = 1},
                                  {.name = "s"},
                                  {.name = "top"},
                                  {.name = "i", .type = RB_INTEGER}};
    for (int i = 0; i < 4; i++) rb_array_push(&f->vars, m->arena, vars[i]);
    f->input_count = 1;
    f->output_count = 2;
    const RbExpr *u = rb_local(x, 0, RB_REAL, 1), *s = rb_local(x, 1, RB_REAL, 0),
                 *top = rb_local(x, 2, RB_REAL, 0);
    const RbExpr *i = rb_local(x, 3, RB_INTEGER, 0), *ui = rb_subscript(x, u, &i, 1);
    RbStatement *loop = rb_statement(&f->statements, m->arena, RB_ST_FOR, RB_NOWHERE);
    loop->target = i;
    loop->value = rb_range(x, rb_integer(x, 1), rb_integer(x, 1),
                           rb_builtin2(x, RB_FN_SIZE, u, rb_integer(x, 1)));
    rb_array_push(&loop->branches, m->arena, (RbStatementBranch){0});
    RbStatements *body = &loop->branches.data[0].statements;
    RbStatement *add = rb_statement(body, m->arena, RB_ST_ASSIGN, RB_NOWHERE);
    add->target = s;
    add->value = rb_add(x, s, rb_mul(x, ui, ui));
    RbStatement *max = rb_statement(body, m->arena, RB_ST_ASSIGN, RB_NOWHERE);
    max->target = top;
    max->value = rb_builtin2(x, RB_FN_MAX, top, ui);
    rb_array_push(&m->functions, m->arena, f);
    return f;
}

static void functions_and_arrays(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbFlatModel *m = rb_flat_model(&f.arena, "M");
    RbExprs *x = m->exprs;
    norm_function(m);
    const RbExpr *list[] = {rb_real(x, 1), rb_real(x, 5), rb_real(x, 2)}, *u = rb_array(x, list, 3);
    const RbExpr *call = rb_call_function(x, 0, RB_REAL, 0, &u, 1);
    RbEnv env = {.model = m, .arena = &f.scratch};
    double number;
    ENSURE(rb_eval_number(&env, call, &number) && number == 30);
    ENSURE(rb_eval_number(&env, rb_result(x, call, 1, RB_REAL, 0), &number) && number == 5);
    // (A * u)[2] with A = {{1,2,3},{4,5,6}}: 4 + 25 + 12
    const RbExpr *rows[2], *numbers[3], *two = rb_integer(x, 2);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) numbers[j] = rb_real(x, 3 * i + j + 1);
        rows[i] = rb_array(x, numbers, 3);
    }
    const RbExpr *product = rb_mul(x, rb_array(x, rows, 2), u);
    ENSURE(product->rank == 1);
    ENSURE(rb_eval_number(&env, rb_subscript(x, product, &two, 1), &number) && number == 41);
    // a subscript out of range has no value but a reason
    const RbExpr *nine = rb_integer(x, 9);
    ENSURE(!rb_eval_number(&env, rb_subscript(x, u, &nine, 1), &number));
    assert_string_equal(env.error, "subscript 9 is outside 1 to 3");
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_expressions_are_one_node),
        cmocka_unit_test(simplification),
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(simplification_keeps_the_value),
        cmocka_unit_test(printing),
        cmocka_unit_test(deep_expressions),
        cmocka_unit_test(integer_powers),
        cmocka_unit_test(functions_and_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
