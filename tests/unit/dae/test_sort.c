// SPDX-License-Identifier: MIT
// From flat models to sorted equations: numbers of states, shapes of systems, messages.
#include "testing.h"

#include "dae/dae.h"
#include "tiny_model.h"

static RbSortedDae *sort(Fixture *f, const char *text) {
    RbSortedDae *dae;
    RbStatus status =
        rb_dae_sort(tiny_model(&f->arena, text), NULL, &f->arena, f->scratch, &f->diag, &dae);
    if (status != RB_OK) {
        for (int i = 0; i < f->diag.messages.count; i++) print_error("%s\n", fixture_message(f, i));
    }
    ENSURE(status == RB_OK);
    if (getenv("RB_DUMP")) {
        RbText out = rb_text(&f->arena);
        rb_sorted_print(dae, &out);
        print_message("%s\n", out.data);
    }
    return dae;
}

static bool is_state(const RbSortedDae *d, const char *name) {
    for (int i = 0; i < d->states.count; i++) {
        if (strcmp(d->model->vars.data[d->states.data[i]].name, name) == 0) return true;
    }
    return false;
}

static void oscillator(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSortedDae *d = sort(&f, "param c = 4\n"
                              "real x start 1 fixed\n"
                              "real v\n"
                              "real a\n"
                              "eq der(x) = v\n"
                              "eq der(v) = a\n"
                              "eq a = -c*x\n");
    ENSURE(d->states.count == 2 && is_state(d, "x") && is_state(d, "v"));
    ENSURE(d->blocks.count == 1); // the acceleration; all other equations are aliases
    fixture_close(&f);
}

// Two inertias over a gear: phi1 = ratio * phi2 (index 3 in phi, as the torque between them is
// unknown). One degree of freedom.
static void gear(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSortedDae *d = sort(&f, "param ratio = 3\n"
                              "param J1 = 2\n"
                              "param J2 = 5\n"
                              "real phi1\nreal phi2\nreal w1\nreal w2\nreal tau1\nreal tau2\n"
                              "eq der(phi1) = w1\n"
                              "eq der(phi2) = w2\n"
                              "eq J1*der(w1) = 1 - tau1\n"
                              "eq J2*der(w2) = tau2\n"
                              "eq phi1 = ratio*phi2\n"
                              "eq tau2 = ratio*tau1\n");
    ENSURE(d->states.count == 2);
    ENSURE(d->stats.differentiated == 2);
    ENSURE(is_state(d, "phi1") == is_state(d, "w1")); // position and speed of the same inertia
    ENSURE(d->sets.count == 0);                       // constant coefficients: decided here
    fixture_close(&f);
}

static const char pendulum[] = "param L = 1\n"
                               "param g = 9.81\n"
                               "real x start 1\nreal y\nreal vx\nreal vy\nreal F\n"
                               "eq der(x) = vx\n"
                               "eq der(y) = vy\n"
                               "eq der(vx) = -x*F\n"
                               "eq der(vy) = -y*F - g\n"
                               "eq x^2 + y^2 = L^2\n";

static void cartesian_pendulum(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSortedDae *d = sort(&f, pendulum);
    ENSURE(d->stats.differentiated == 2); // index 3
    ENSURE(d->states.count == 2);         // one degree of freedom
    ENSURE(d->sets.count == 2);           // position and speed are chosen at run time
    fixture_close(&f);
}

// The user may decide.
static void state_select(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSortedDae *d = sort(&f, "param L = 1\n"
                              "real x start 1 prefer\nreal y\nreal vx prefer\nreal vy\nreal F\n"
                              "eq der(x) = vx\n"
                              "eq der(y) = vy\n"
                              "eq der(vx) = -x*F\n"
                              "eq der(vy) = -y*F - 9.81\n"
                              "eq x^2 + y^2 = L^2\n");
    ENSURE(d->states.count == 2 && is_state(d, "x") && is_state(d, "vx") && d->sets.count == 0);
    fixture_close(&f);
}

static bool has_var(const RbSortedDae *d, const char *name) {
    for (int v = 0; v < d->vars.count; v++) {
        if (strcmp(d->model->vars.data[v].name, name) == 0) return true;
    }
    return false;
}

// Of two start values for one freedom that of the state counts, in either order.
static void start_of_the_state(void **state) {
    (void)state;
    static const char *const orders[] = {"real d start 0\nreal s start 3 prefer\n",
                                         "real s start 3 prefer\nreal d start 0\n"};
    for (int i = 0; i < 2; i++) {
        Fixture f;
        fixture_open(&f);
        RbText text = rb_text(&f.arena);
        rb_text_printf(&text, "%sreal e\neq der(s) = -s\neq e = der(d)\neq d = s - 1\n", orders[i]);
        RbSortedDae *d = sort(&f, text.data);
        ENSURE(d->states.count == 1 && is_state(d, "s"));
        ENSURE(has_var(d, "$start(s)") && !has_var(d, "$start(d)"));
        fixture_close(&f);
    }
}

// A resistor network: a linear system with a constant matrix.
// Masses in a row with springs between them: the differences of their positions are wanted as
// states, and are, however long the row is.
static void wishes_along_a_chain(void **state) {
    (void)state;
    static const int sizes[] = {3, 700};
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        int n = sizes[k];
        RbText text = rb_text(&f.arena);
        for (int i = 1; i <= n; i++)
            rb_text_printf(&text,
                           "real s%d\nreal v%d\nreal d%d prefer\nreal e%d prefer\nreal a%d\n", i, i,
                           i, i, i);
        for (int i = 1; i <= n; i++) {
            rb_text_printf(&text, "eq der(s%d) = v%d\neq der(d%d) = e%d\neq der(e%d) = a%d\n", i, i,
                           i, i, i, i);
            if (i > 1)
                rb_text_printf(&text, "eq d%d = s%d - s%d\n", i, i, i - 1);
            else
                rb_text_printf(&text, "eq d%d = s%d - 1\n", i, i); // from the wall
            rb_text_printf(&text, "eq der(v%d) = -d%d - e%d\n", i, i, i);
        }
        RbSortedDae *d = sort(&f, text.data);
        ENSURE(d->states.count == 2 * n);
        for (int i = 0; i < d->states.count; i++) {
            char first = d->model->vars.data[d->states.data[i]].name[0];
            ENSURE(first == 'd' || first == 'e');
        }
        fixture_close(&f);
    }
}

static void linear_loop(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSortedDae *d = sort(&f, "param R1 = 1\nparam R2 = 2\nparam R3 = 3\n"
                              "real i1\nreal i2\nreal i3\nreal u\n"
                              "eq R1*i1 + u = sin(time)\n"
                              "eq u = R2*i2\n"
                              "eq u = R3*i3\n"
                              "eq i1 = i2 + i3\n");
    ENSURE(d->blocks.count == 1);
    const RbBlock *b = &d->blocks.data[0];
    ENSURE(b->kind == RB_BLOCK_LINEAR && b->full_size == 4 && b->size == 1 && b->constant_matrix);
    fixture_close(&f);
}

static void nonlinear_loop(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSortedDae *d = sort(&f, "real a start 1\nreal b start 1\n"
                              "eq a^3 + b = 2 + time\n"
                              "eq a + b^3 = 2\n");
    ENSURE(d->blocks.count == 1 && d->blocks.data[0].kind == RB_BLOCK_NONLINEAR);
    ENSURE(d->blocks.data[0].size == 1); // b follows from a
    fixture_close(&f);
}

static void event_conditions(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbSortedDae *d = sort(&f, "real h start 1\nreal v\nbool down\n"
                              "eq der(h) = v\n"
                              "eq der(v) = if noEvent(h > 5) then -1 else -9.81\n"
                              "eq down = v < 0\n"
                              "when h < 0\n"
                              "reinit v = -0.7*pre(v)\n"
                              "end\n");
    ENSURE(d->relations.count == 2); // v < 0 and h < 0, not the one in noEvent
    ENSURE(d->states.count == 2 && d->actions.count == 1 && d->left_limits.count == 1);
    fixture_close(&f);
}

// x' = A x with arrays: taken apart into elements, two states, the products spelled out.
static void arrays(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbFlatModel *m = rb_flat_model(&f.arena, "Arrays");
    RbExprs *x = m->exprs;
    const RbExpr *rows[2], *numbers[2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) numbers[j] = rb_real(x, 10 * i + j + 1);
        rows[i] = rb_array(x, numbers, 2);
    }
    RbFlatVar a = {.name = "A",
                   .variability = RB_PARAMETER,
                   .rank = 2,
                   .dims = {2, 2},
                   .binding = rb_array(x, rows, 2)};
    RbFlatVar v = {.name = "x", .variability = RB_CONTINUOUS, .rank = 1, .dims = {2}};
    int ia = rb_flat_add(m, &a), ix = rb_flat_add(m, &v);
    const RbExpr *vx = rb_flat_ref(m, ix);
    rb_flat_equal(m, &m->equations, rb_der(x, vx), rb_mul(x, rb_flat_ref(m, ia), vx), RB_NOWHERE);
    RbSortedDae *d;
    ENSURE(rb_dae_sort(m, NULL, &f.arena, f.scratch, &f.diag, &d) == RB_OK);
    ENSURE(d->states.count == 2 && is_state(d, "x[1]") && is_state(d, "x[2]"));
    RbText out = rb_text(&f.arena);
    rb_sorted_print(d, &out);
    ENSURE(strstr(out.data, "der(x[2]) := A[2,1]*x[1] + A[2,2]*x[2];"));
    ENSURE(strstr(out.data, "A[2,1] := 11.0;"));
    fixture_close(&f);
}

// --- messages ------------------------------------------------------------------------------------

static void expect_error(const char *text, const char *want) {
    Fixture f;
    fixture_open(&f);
    RbSortedDae *dae;
    RbStatus status =
        rb_dae_sort(tiny_model(&f.arena, text), NULL, &f.arena, f.scratch, &f.diag, &dae);
    ENSURE(status == RB_ERROR_MODEL);
    bool found = false;
    for (int i = 0; i < f.diag.messages.count; i++) {
        const RbMessage *m = &f.diag.messages.data[i];
        if (m->severity != RB_ERROR) continue;
        char place[32];
        snprintf(place, sizeof place, "%d: ", m->at.line);
        RbText text_of = rb_text(&f.arena);
        rb_text_printf(&text_of, "%s%s", place, m->text);
        if (strcmp(text_of.data, want) == 0)
            found = true;
        else
            print_message("other message: %s\n", text_of.data);
    }
    if (!found) print_error("missing message: %s\n", want);
    ENSURE(found);
    fixture_close(&f);
}

static void messages(void **state) {
    (void)state;
    expect_error("real x\nreal y\neq der(x) = 2*y\n",
                 "1: the model has too few equations: 1 for the 2 unknowns, among them 'y'; add an "
                 "equation or give a value");
    expect_error(
        "real x\nreal y\nreal z\neq der(z) = -z\neq x = sin(time)\neq x = 2*time\neq z = y + 1\n",
        "5: the model has too many equations: 2 equations for 1 unknown 'x'; remove an equation or "
        "leave a variable free");
    expect_error(
        "real x\nint n\neq der(x) = n\n",
        "2: discrete variable 'n' has no equation that assigns it; give it one, or a binding");
    expect_error("real x start 1\neq der(x) = -x\ninit x = 2\ninit der(x) = 3*time\n",
                 "2: the system of equations at the start (model, initial equations and fixed "
                 "start values) has too many "
                 "equations: 3 equations for 2 unknowns 'der(x)', 'x'; remove an equation or leave "
                 "a variable free");
    expect_error("input u\nreal x\nreal y\neq x = u\neq y = der(x)\n",
                 "4: the derivative of input 'u' is needed, but only its value is known; make the "
                 "input a derivative and "
                 "integrate it in the model, or filter it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oscillator),
        cmocka_unit_test(gear),
        cmocka_unit_test(cartesian_pendulum),
        cmocka_unit_test(state_select),
        cmocka_unit_test(start_of_the_state),
        cmocka_unit_test(wishes_along_a_chain),
        cmocka_unit_test(linear_loop),
        cmocka_unit_test(nonlinear_loop),
        cmocka_unit_test(event_conditions),
        cmocka_unit_test(messages),
        cmocka_unit_test(arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
