// SPDX-License-Identifier: MIT
// The table of builtin functions is whole and agrees with itself: names, number of arguments, slopes
// against difference quotients, what is handed on.
#include "testing.h"

#include <string.h>

#include "expr/builtins.h"
#include "expr/diff.h"
#include "expr/eval.h"

static void every_function_has_a_row(void **state) {
    (void)state;
    for (int f = 0; f < RB_BUILTIN_COUNT; f++) {
        const RbBuiltinInfo *b = &rb_builtins[f];
        ENSURE(b->name && b->name[0]);
        assert_int_equal(rb_builtin_find(b->name), f); // no name twice
        ENSURE(b->passes <= (b->arg_count < 0 ? 2 : b->arg_count));
        ENSURE((b->slope != NULL) == (b->slope_rule == RB_SLOPE_FACTOR));
        bool agrees = b->unit == RB_UNIT_OF_BOTH || b->unit == RB_UNIT_BOTH_AGREE;
        ENSURE((b->units_text != NULL) == agrees);
        int values = (b->one != NULL) + (b->two != NULL) + (b->three != NULL);
        ENSURE(values <= 1);
        if (b->one) ENSURE(b->arg_count == 1);
        if (b->three) ENSURE(b->arg_count == 3);
        if (b->traits & RB_TRAIT_MATHS) ENSURE(values == 1 && b->in_c);
        if (b->traits & RB_TRAIT_STEPS) ENSURE(b->traits & RB_TRAIT_JUMPS);
        if (b->traits & RB_TRAIT_JUMPS) ENSURE(b->traits & RB_TRAIT_EVENTS);
        if (b->traits & RB_TRAIT_ARRAY) ENSURE(values == 0 && !b->in_c);
        if (b->in_c) ENSURE(values == 1);
    }
    assert_int_equal(rb_builtin_find("nothing"), -1);
}

// f'(a) against the central difference of the function of numbers, inside its domain.
static void slopes_are_those_of_the_values(void **state) {
    (void)state;
    Fixture fixture;
    fixture_open(&fixture);
    RbExprs *x = rb_exprs(&fixture.arena);
    const double points[] = {-0.7, 0.3, 0.9}, h = 1e-5;
    int checked = 0;
    for (int f = 0; f < RB_BUILTIN_COUNT; f++) {
        const RbBuiltinInfo *b = &rb_builtins[f];
        if (!b->slope) continue;
        for (int i = 0; i < 3; i++) {
            double a = points[i], up = b->one(a + h), down = b->one(a - h), slope;
            if (!isfinite(up) || !isfinite(down)) continue; // log and sqrt of less than zero
            const RbExpr *at = rb_real(x, a);
            const RbExpr *e = b->slope(x, at, rb_real(x, b->one(a)));
            RbEnv env = {.arena = &fixture.arena};
            RbExprValue value;
            ENSURE(rb_eval(&env, e, &value));
            slope = value.data[0];
            ENSURE_NEAR(slope, (up - down) / (2 * h), 1e-8 * (1 + fabs(slope)));
            checked++;
        }
    }
    ENSURE(checked >= 3 * 12);
    fixture_close(&fixture);
}

// Numbers that need no computing.
static void values_are_right(void **state) {
    (void)state;
    const struct {
        RbBuiltin f;
        int count;
        double args[3], want;
    } cases[] = {
        {RB_FN_DIV, 2, {-7, 2}, -3},
        {RB_FN_MOD, 2, {-7, 2}, 1},
        {RB_FN_REM, 2, {-7, 2}, -1},
        {RB_FN_INTEGER, 1, {-2.5}, -3},
        {RB_FN_CEIL, 1, {-2.5}, -2},
        {RB_FN_SIGN, 1, {-0.0}, 0},
        {RB_FN_ABS, 1, {-3}, 3},
        {RB_FN_MIN, 2, {2, 1}, 1},
        {RB_FN_MAX, 2, {2, 1}, 2},
        {RB_FN_SEMI_LINEAR, 3, {-2, 3, 5}, -10},
        {RB_FN_SEMI_LINEAR, 3, {2, 3, 5}, 6},
        {RB_FN_SMOOTH, 2, {1, 8}, 8},
        {RB_FN_HOMOTOPY, 2, {1, 8}, 1},
        {RB_FN_ATAN2, 2, {0, 1}, 0},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        double value;
        ENSURE(rb_call_builtin(cases[i].f, cases[i].args, cases[i].count, &value));
        ENSURE(value == cases[i].want);
    }
    double value;
    ENSURE(!rb_call_builtin(RB_FN_MIN, (double[]){1}, 1, &value)); // of an array
    ENSURE(!rb_call_builtin(RB_FN_SAMPLE, (double[]){0, 1}, 2, &value));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_has_a_row),
        cmocka_unit_test(slopes_are_those_of_the_values),
        cmocka_unit_test(values_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
