// SPDX-License-Identifier: MIT
// Each stage of the analysis by models whose result is known by hand: names that mean the same,
// the order of equations, how often constraints are differentiated, which states remain, how few
// unknowns a ring of equations is iterated over.
#include "testing.h"

#include "dae/dae.h"
#include "tiny_model.h"

static RbSortedDae *sort(Fixture *f, const char *text) {
    fixture_open(f);
    RbSortedDae *dae;
    RbFlatModel *flat = tiny_model(&f->arena, text);
    ENSURE(rb_dae_sort(flat, NULL, &f->arena, f->scratch, &f->diag, &dae) == RB_OK);
    return dae;
}

static int var(const RbSortedDae *d, const char *name) {
    for (int i = 0; i < d->model->vars.count; i++) {
        if (strcmp(d->model->vars.data[i].name, name) == 0) return i;
    }
    ENSURE(false && "there is such a variable");
    return -1;
}

// v = *sign times the variable that is answered, which is no alias.
static int root(const RbSortedDae *d, const char *name, int *sign) {
    int v = var(d, name);
    for (*sign = 1; d->vars.data[v].alias >= 0; v = d->vars.data[v].alias)
        *sign *= d->vars.data[v].sign;
    return v;
}

// a = b, b = -c, c = -d: all are d or -d.
static void aliases_carry_their_sign(void **state) {
    (void)state;
    Fixture f;
    RbSortedDae *d = sort(&f, "real a\nreal b\nreal c\nreal d\n"
                              "eq a = b\neq b = -c\neq c + d = 0\neq d = sin(time)\n");
    int signs[4];
    const char *names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; i++) ENSURE(root(d, names[i], &signs[i]) == root(d, "a", &signs[0]));
    ENSURE(signs[0] == signs[1] && signs[1] == signs[3] && signs[2] == -signs[3]);
    ENSURE(d->stats.equations_in == 4 && d->stats.unknowns_in == 4);
    ENSURE(d->stats.aliases == 3 && d->stats.equations == 1);
    fixture_close(&f);
}

// Given backwards; each uses the one before.
static void equations_come_after_what_they_use(void **state) {
    (void)state;
    Fixture f;
    RbSortedDae *d = sort(&f, "real a\nreal b\nreal c\nreal e\n"
                              "eq e = exp(c) + sin(a)\neq c = exp(b)\neq b = exp(a)\n"
                              "eq a = sin(time)\n");
    static const char *order[] = {"a", "b", "c", "e"};
    ENSURE(d->blocks.count == 4);
    for (int i = 0; i < 4; i++) {
        const RbBlock *b = &d->blocks.data[i];
        ENSURE(b->kind == RB_BLOCK_ASSIGN && b->assigns[0].var == var(d, order[i]));
    }
    fixture_close(&f);
}

// Only one perfect matching, and no equation says which unknown it is for: c, then b, then a.
static void the_only_matching_is_found(void **state) {
    (void)state;
    Fixture f;
    RbSortedDae *d = sort(&f, "real a\nreal b\nreal c\n"
                              "eq a*b = 2 + time\neq b*c = 3\neq 2*c = exp(sin(time))\n");
    static const char *order[] = {"c", "b", "a"};
    ENSURE(d->blocks.count == 3);
    for (int i = 0; i < 3; i++) {
        const RbBlock *b = &d->blocks.data[i];
        ENSURE(b->kind == RB_BLOCK_LINEAR || b->kind == RB_BLOCK_ASSIGN);
        int v = b->kind == RB_BLOCK_ASSIGN ? b->assigns[0].var : b->unknowns[0];
        ENSURE(v == var(d, order[i]));
    }
    fixture_close(&f);
}

// x is given and its second derivative wanted: two differentiations, no state remains.
static void a_given_position_leaves_no_state(void **state) {
    (void)state;
    Fixture f;
    RbSortedDae *d = sort(&f, "real x\nreal v\nreal F\n"
                              "eq x = sin(time)\neq der(x) = v\neq 2*der(v) = F\n");
    ENSURE(d->stats.differentiated == 2 && d->states.count == 0);
    fixture_close(&f);
}

// Two capacitors over an ideal transformer: index 2, one differentiation, one voltage is a state:
// the one that is preferred.
static void one_of_two_tied_states_remains(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Fixture f;
        RbSortedDae *d = sort(&f, k == 0 ? "param n = 2\n"
                                           "real u1 prefer\nreal u2\nreal i1\nreal i2\n"
                                           "eq 3*der(u1) = i1 - u1\neq 5*der(u2) = i2\n"
                                           "eq u1 = n*u2\neq i2 = -n*i1\n"
                                         : "param n = 2\n"
                                           "real u1\nreal u2 prefer\nreal i1\nreal i2\n"
                                           "eq 3*der(u1) = i1 - u1\neq 5*der(u2) = i2\n"
                                           "eq u1 = n*u2\neq i2 = -n*i1\n");
        ENSURE(d->stats.differentiated == 1 && d->states.count == 1 && d->sets.count == 0);
        ENSURE(d->states.data[0] == var(d, k == 0 ? "u1" : "u2"));
        fixture_close(&f);
    }
}

// x1 = cos(x2), x2 = cos(x3), ... xn = cos(x1) + time: one unknown is enough, and two rings that
// know nothing of each other are two systems.
static void rings_are_torn_at_one_place(void **state) {
    (void)state;
    enum { N = 10 };
    Fixture f;
    fixture_open(&f);
    RbText text = rb_text(&f.arena);
    for (int ring = 0; ring < 2; ring++) {
        for (int i = 0; i < N; i++) rb_text_printf(&text, "real x%d_%d\n", ring, i);
        for (int i = 0; i < N; i++) {
            rb_text_printf(&text, "eq x%d_%d = cos(x%d_%d)%s\n", ring, i, ring, (i + 1) % N,
                           i == 0 ? " + time" : "");
        }
    }
    RbSortedDae *d;
    ENSURE(rb_dae_sort(tiny_model(&f.arena, text.data), NULL, &f.arena, f.scratch, &f.diag, &d) ==
           RB_OK);
    ENSURE(d->blocks.count == 2 && d->stats.largest_system == N && d->stats.largest_torn == 1);
    for (int i = 0; i < 2; i++) {
        const RbBlock *b = &d->blocks.data[i];
        ENSURE(b->kind == RB_BLOCK_NONLINEAR && b->full_size == N && b->size == 1);
        ENSURE(b->assign_count == N - 1);
    }
    fixture_close(&f);
}

// Neither equation can be solved for an unknown in closed form: both are iterated over.
static void what_cannot_be_solved_is_iterated_over(void **state) {
    (void)state;
    Fixture f;
    RbSortedDae *d = sort(&f, "real a start 1\nreal b start 1\n"
                              "eq a + b + sin(a) + sin(b) = 1 + time\n"
                              "eq a*b + sin(a*b) + exp(a + b) = 2\n");
    ENSURE(d->blocks.count == 1);
    ENSURE(d->blocks.data[0].kind == RB_BLOCK_NONLINEAR && d->blocks.data[0].size == 2);
    ENSURE(d->blocks.data[0].assign_count == 0);
    fixture_close(&f);
}

// Parameters are evaluated after those they follow from, however they are declared.
static void parameters_come_after_what_they_follow_from(void **state) {
    (void)state;
    Fixture f;
    RbSortedDae *d = sort(&f, "param a = 1\nparam b = 2\nparam c = 3\nreal x start 0 fixed\n"
                              "eq der(x) = a + b + c\n");
    // c = 3, b = exp(c), a = sin(b) + c: set here, since a line may only use what stands above it.
    RbFlatModel *m = tiny_model(&f.arena, "param a = 1\nparam b = 2\nparam c = 3\n"
                                          "real x start 0 fixed\neq der(x) = a + b + c\n");
    RbExprs *x = m->exprs;
    m->vars.data[1].binding = rb_builtin1(x, RB_FN_EXP, rb_flat_ref(m, 2));
    m->vars.data[0].binding =
        rb_add(x, rb_builtin1(x, RB_FN_SIN, rb_flat_ref(m, 1)), rb_flat_ref(m, 2));
    ENSURE(rb_dae_sort(m, NULL, &f.arena, f.scratch, &f.diag, &d) == RB_OK);
    int place[3] = {-1, -1, -1};
    for (int i = 0; i < d->parameters.count; i++) {
        for (int k = 0; k < 3; k++) {
            if (d->parameters.data[i].var == k) place[k] = i;
        }
    }
    ENSURE(place[2] >= 0 && place[2] < place[1] && place[1] < place[0]);
    fixture_close(&f);
}

// Each condition on Reals is one relation, however often it occurs; floor and mod have the two sides
// of their present step; what stands in noEvent has none; a relation of parameters alone is decided.
static void conditions_become_relations(void **state) {
    (void)state;
    Fixture f;
    RbSortedDae *d = sort(&f, "real x start 1 fixed\nbool a\nbool b\n"
                              "eq der(x) = if x > 2 then 1 else 2\n"
                              "eq a = x > 2\n"
                              "eq b = x < 2\n");
    ENSURE(d->relations.count == 2);
    fixture_close(&f);
    d = sort(&f, "real x start 1 fixed\neq der(x) = floor(x)\n");
    ENSURE(d->relations.count == 2);
    fixture_close(&f);
    d = sort(&f, "real x start 1 fixed\neq der(x) = noEvent(if x > 2 then 1 else 2)\n");
    ENSURE(d->relations.count == 0);
    fixture_close(&f);
    d = sort(&f, "param p = 1\nreal x start 1 fixed\neq der(x) = if p > 2 then 1 else 2\n");
    ENSURE(d->relations.count == 0);
    fixture_close(&f);
}

// A state is known at the start by its fixed start value, or by an initial equation; then the initial
// system computes it from what is given, here x from its derivative.
static void initial_equations_replace_fixed_values(void **state) {
    (void)state;
    Fixture f;
    RbSortedDae *d = sort(&f, "real x\neq der(x) = -2*x + 4\ninit der(x) = 0\n");
    ENSURE(d->states.count == 1 && d->initial_blocks.count == 2);
    // der(x) := 0, then x := (4 - der(x))/2
    const RbBlock *first = &d->initial_blocks.data[0], *then = &d->initial_blocks.data[1];
    ENSURE(first->kind == RB_BLOCK_ASSIGN && then->kind == RB_BLOCK_ASSIGN);
    ENSURE(first->assigns[0].var == d->vars.data[var(d, "x")].derivative);
    ENSURE(then->assigns[0].var == var(d, "x"));
    fixture_close(&f);
    d = sort(&f, "real x start 3 fixed\neq der(x) = -2*x\n"); // the other way round
    ENSURE(d->states.count == 1 && d->initial_blocks.count == 2);
    ENSURE(d->initial_blocks.data[0].assigns[0].var == var(d, "x"));
    ENSURE(d->initial_blocks.data[1].assigns[0].var == d->vars.data[var(d, "x")].derivative);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_come_after_what_they_follow_from),
        cmocka_unit_test(conditions_become_relations),
        cmocka_unit_test(initial_equations_replace_fixed_values),
        cmocka_unit_test(aliases_carry_their_sign),
        cmocka_unit_test(equations_come_after_what_they_use),
        cmocka_unit_test(the_only_matching_is_found),
        cmocka_unit_test(a_given_position_leaves_no_state),
        cmocka_unit_test(one_of_two_tied_states_remains),
        cmocka_unit_test(rings_are_torn_at_one_place),
        cmocka_unit_test(what_cannot_be_solved_is_iterated_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
