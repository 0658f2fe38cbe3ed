// SPDX-License-Identifier: MIT
// Functions written out in place of their calls.
#include "testing.h"

#include "expr/inline.h"
#include "expr/print.h"
#include "expr/simplify.h"

typedef struct Case {
    Fixture f;
    RbFlatModel *model;
    RbExprs *x;
    RbFunction *function; // (a, b) -> y, with a local t
    const RbExpr *a, *b, *y, *t;
} Case;

static void open_case(Case *c) {
    fixture_open(&c->f);
    c->model = rb_flat_model(&c->f.arena, "M");
    c->x = c->model->exprs;
    c->function = rb_new(&c->f.arena, RbFunction);
    static const char *const names[] = {"a", "b", "y", "t"};
    for (int i = 0; i < 4; i++)
        rb_array_push(&c->function->vars, &c->f.arena,
                      (RbFunctionVar){.name = names[i], .type = RB_REAL});
    c->function->input_count = 2;
    c->function->output_count = 1;
    c->a = rb_local(c->x, 0, RB_REAL, 0);
    c->b = rb_local(c->x, 1, RB_REAL, 0);
    c->y = rb_local(c->x, 2, RB_REAL, 0);
    c->t = rb_local(c->x, 3, RB_REAL, 0);
}

static void assign(Case *c, const RbExpr *target, const RbExpr *value) {
    RbStatement *s = rb_statement(&c->function->statements, &c->f.arena, RB_ST_ASSIGN, (RbPos){0});
    s->target = target;
    s->value = value;
}

static const RbExpr *written_out(Case *c, const RbExpr *first, const RbExpr *second) {
    const RbExpr *args[] = {first, second}, *result = NULL;
    return rb_inline_function(c->x, c->function, args, &result, c->f.scratch) ? result : NULL;
}

// t := a + b; y := t*t; y := y - a
static void assignments_follow_each_other(void **state) {
    (void)state;
    Case c;
    open_case(&c);
    assign(&c, c.t, rb_add(c.x, c.a, c.b));
    assign(&c, c.y, rb_mul(c.x, c.t, c.t));
    assign(&c, c.y, rb_sub(c.x, c.y, c.a));
    const RbExpr *u = rb_flat_ref(c.model, rb_flat_real(c.model, "u")), *three = rb_real(c.x, 3);
    const RbExpr *sum = rb_add(c.x, u, three);
    ENSURE(written_out(&c, u, three) == rb_sub(c.x, rb_mul(c.x, sum, sum), u));
    fixture_close(&c.f);
}

// The arguments may be locals of another function with the same numbers: f(b, 1) with y := a*b is
// b, not what b of the inner function was.
static void arguments_are_not_replaced_again(void **state) {
    (void)state;
    Case c;
    open_case(&c);
    assign(&c, c.y, rb_mul(c.x, c.a, c.b));
    ENSURE(written_out(&c, c.b, rb_real(c.x, 1)) == c.b);
    fixture_close(&c.f);
}

static void comparisons_make_no_events(void **state) {
    (void)state;
    Case c;
    open_case(&c);
    assign(&c, c.y, rb_if(c.x, rb_relate(c.x, RB_OP_GT, c.a, c.b), c.a, c.b));
    const RbExpr *u = rb_flat_ref(c.model, rb_flat_real(c.model, "u")), *one = rb_real(c.x, 1);
    const RbExpr *choice = rb_if(c.x, rb_relate(c.x, RB_OP_GT, u, one), u, one);
    ENSURE(written_out(&c, u, one) == rb_builtin1(c.x, RB_FN_NO_EVENT, choice));
    ENSURE(rb_is_number(written_out(&c, rb_real(c.x, 2), one), 2));
    fixture_close(&c.f);
}

static void what_is_more_than_assignments_stays(void **state) {
    (void)state;
    Case c;
    open_case(&c);
    const RbExpr *one = rb_real(c.x, 1);
    ENSURE(!written_out(&c, one, one)); // y has no value
    assign(&c, c.y, c.t);
    ENSURE(!written_out(&c, one, one)); // t has none
    c.function->statements.count = 0;
    assign(&c, c.y, c.a);
    ENSURE(written_out(&c, one, one) == one);
    rb_statement(&c.function->statements, &c.f.arena, RB_ST_WHILE, (RbPos){0});
    ENSURE(!written_out(&c, one, one));
    fixture_close(&c.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assignments_follow_each_other),
        cmocka_unit_test(arguments_are_not_replaced_again),
        cmocka_unit_test(comparisons_make_no_events),
        cmocka_unit_test(what_is_more_than_assignments_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
