// SPDX-License-Identifier: MIT
// Nonlinear systems with known solutions, and ones without.
#include "testing.h"

#include <string.h>

#include "solver/nonlinear.h"

static RbStatus solve(Fixture *f, const RbNonlinearEquations *e, const RbNonlinearOptions *o,
                      double *u, RbNonlinearStats *stats) {
    RbNonlinear *s;
    RB_TRY(rb_nonlinear_create(e, o, &f->arena, &f->diag, &s));
    RbStatus status = rb_nonlinear_solve(s, u);
    *stats = rb_nonlinear_stats(s);
    return status;
}

// ---- Rosenbrock's valley as equations: 10 (y - x^2) = 0, 1 - x = 0; solution (1, 1) ----

static int rosenbrock(void *user, const double *u, double *r) {
    (void)user;
    r[0] = 10 * (u[1] - u[0] * u[0]);
    r[1] = 1 - u[0];
    return 0;
}

static int rosenbrock_jacobian(void *user, const double *u, const double *r, double *j) {
    (void)user, (void)r;
    j[0] += -20 * u[0]; // column 0
    j[1] += -1;
    j[2] += 10; // column 1; entry (1, 1) stays 0
    return 0;
}

static void rosenbrock_is_solved(void **state) {
    (void)state;
    for (int analytic = 0; analytic < 2; analytic++) {
        Fixture f;
        fixture_open(&f);
        RbNonlinearEquations e = {
            .n = 2, .residual = rosenbrock, .jacobian = analytic ? rosenbrock_jacobian : NULL};
        RbNonlinearOptions o = rb_nonlinear_options();
        RbNonlinearStats stats;
        double u[] = {-1.2, 1};
        ENSURE(solve(&f, &e, &o, u, &stats) == RB_OK);
        ENSURE_NEAR(u[0], 1, 1e-9);
        ENSURE_NEAR(u[1], 1, 1e-9);
        ENSURE(stats.residual_norm <= o.tolerance && stats.iterations < 30);
        fixture_close(&f);
    }
}

// ---- badly scaled: Ohm's law for a microampere beside a temperature balance ----

static int scaled(void *user, const double *u, double *r) {
    (void)user;
    r[0] = 1e6 * u[0] - 2;                  // u[0] = 2e-6 A
    r[1] = 5.67e-8 * pow(u[1], 4) - 459.27; // black body: (459.27 / 5.67e-8)^(1/4) K = 300 K
    return 0;
}

static void scales_do_not_matter(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNonlinearEquations e = {.n = 2, .residual = scaled};
    RbNonlinearOptions o = rb_nonlinear_options();
    const double nominal[] = {1e-6, 300};
    o.nominal = nominal;
    RbNonlinearStats stats;
    double u[] = {0, 1000};
    ENSURE(solve(&f, &e, &o, u, &stats) == RB_OK);
    ENSURE_NEAR(u[0], 2e-6, 1e-15);
    ENSURE_NEAR(u[1], 300, 1e-6);
    fixture_close(&f);
}

// ---- a residual that rounding keeps above the tolerance: 1e8 u^2 = 2e8, residuals are multiples
// of 3e-8 ----

static int rounded(void *user, const double *u, double *r) {
    (void)user;
    r[0] = 1e8 * u[0] * u[0] - 2e8;
    return 0;
}

static void rounding_is_not_a_failure(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNonlinearEquations e = {.n = 1, .residual = rounded};
    RbNonlinearOptions o = rb_nonlinear_options();
    const double small = 1e-6;
    o.residual_nominal = &small; // asks for 1e-16
    RbNonlinearStats stats;
    double u = 1;
    ENSURE(solve(&f, &e, &o, &u, &stats) == RB_OK);
    ENSURE_NEAR(u, sqrt(2), 1e-15);
    fixture_close(&f);
}

// ---- arctan: the full Newton step diverges from far away, the line search does not ----

static int arctangent(void *user, const double *u, double *r) {
    (void)user;
    r[0] = atan(u[0]);
    return 0;
}

static void the_line_search_comes_home_from_afar(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNonlinearEquations e = {.n = 1, .residual = arctangent};
    RbNonlinearOptions o = rb_nonlinear_options();
    RbNonlinearStats stats;
    double u = 20;
    ENSURE(solve(&f, &e, &o, &u, &stats) == RB_OK);
    ENSURE_NEAR(u, 0, 1e-9);
    fixture_close(&f);
}

// ---- a chain with a pattern: u_i^3 + u_i = u_(i-1) with u_0^3 + u_0 = 2, so u_0 = 1 ----

enum { LENGTH = 100 };

static int chain(void *user, const double *u, double *r) {
    (void)user;
    for (int i = 0; i < LENGTH; i++) r[i] = u[i] * u[i] * u[i] + u[i] - (i > 0 ? u[i - 1] : 2);
    return 0;
}

static void patterns_save_evaluations(void **state) {
    (void)state;
    double u[2][LENGTH];
    RbNonlinearStats stats[2];
    for (int sparse = 0; sparse < 2; sparse++) {
        Fixture f;
        fixture_open(&f);
        RbEntry below[LENGTH];
        for (int i = 1; i < LENGTH; i++) below[i - 1] = (RbEntry){i, i - 1};
        RbPattern p = rb_pattern(LENGTH, below, LENGTH - 1, &f.arena, f.scratch);
        RbNonlinearEquations e = {.n = LENGTH, .residual = chain, .pattern = sparse ? &p : NULL};
        RbNonlinearOptions o = rb_nonlinear_options();
        for (int i = 0; i < LENGTH; i++) u[sparse][i] = 0.5;
        RbNonlinear *s;
        ENSURE(rb_nonlinear_create(&e, &o, &f.arena, &f.diag, &s) == RB_OK);
        size_t calls = f.heap.calls, used = f.arena.used;
        ENSURE(rb_nonlinear_solve(s, u[sparse]) == RB_OK);
        ENSURE(f.heap.calls == calls && f.arena.used == used); // no allocation
        stats[sparse] = rb_nonlinear_stats(s);

        double again[LENGTH];
        for (int i = 0; i < LENGTH; i++) again[i] = 0.5;
        ENSURE(rb_nonlinear_solve(s, again) == RB_OK);
        ENSURE(memcmp(again, u[sparse], sizeof again) == 0); // no memory of the last solution
        fixture_close(&f);
    }
    ENSURE_NEAR(u[0][0], 1, 1e-9);
    for (int i = 1; i < LENGTH; i++) {
        ENSURE_NEAR(u[0][i], u[1][i], 1e-9);
        ENSURE_NEAR(u[0][i] * (u[0][i] * u[0][i] + 1), u[0][i - 1], 1e-9);
    }
    ENSURE(stats[1].residuals < stats[0].residuals / 10);
}

// ---- domains ----

static int logarithm(void *user, const double *u, double *r) {
    (void)user;
    r[0] = log(u[0]) - 1; // nan for negative u; solution e
    return 0;
}

static void steps_stay_inside_the_domain(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNonlinearEquations e = {.n = 1, .residual = logarithm};
    RbNonlinearOptions o = rb_nonlinear_options();
    RbNonlinearStats stats;
    double u = 10; // the full step leads to -3
    ENSURE(solve(&f, &e, &o, &u, &stats) == RB_OK);
    ENSURE_NEAR(u, exp(1), 1e-9);
    fixture_close(&f);
}

// ---- failures ----

static int no_solution(void *user, const double *u, double *r) {
    (void)user;
    r[0] = u[0] * u[0] + 1;
    r[1] = u[1];
    return 0;
}

static int singular(void *user, const double *u, double *r) {
    (void)user;
    r[0] = u[0] + u[1] - 1;
    r[1] = 2 * u[0] + 2 * u[1] - 3;
    return 0;
}

static int gives_up(void *user, const double *u, double *r) {
    (void)user, (void)u, (void)r;
    return -1;
}

static const char *equation_name(void *user, int index) {
    (void)user;
    return index == 0 ? "valve.mass balance" : "valve.energy balance";
}

static void failures_say_why(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNonlinearOptions o = rb_nonlinear_options();
    RbNonlinearStats stats;
    double u[] = {3, 1}, zero[] = {0, 0}, negative = -1;
    RbNonlinearEquations e = {.n = 2, .residual = no_solution, .equation_name = equation_name};
    ENSURE(solve(&f, &e, &o, u, &stats) == RB_ERROR_SOLVER);
    ENSURE(strstr(fixture_message(&f, 0), "nonlinear system of 2 equations: "));
    ENSURE(strstr(fixture_message(&f, 0), "in 'valve.mass balance'"));
    e.residual = singular;
    ENSURE(solve(&f, &e, &o, zero, &stats) == RB_ERROR_SOLVER);
    ENSURE(strstr(fixture_message(&f, 1), "the Jacobian is singular"));
    e.residual = gives_up;
    ENSURE(solve(&f, &e, &o, zero, &stats) == RB_ERROR_SOLVER);
    ENSURE(strstr(fixture_message(&f, 2), "the equations cannot be evaluated at the start values"));
    RbNonlinearEquations one = {.n = 1, .residual = logarithm, .equation_name = equation_name};
    ENSURE(solve(&f, &one, &o, &negative, &stats) == RB_ERROR_SOLVER);
    ENSURE(strstr(fixture_message(&f, 3),
                  "'valve.mass balance' cannot be evaluated at the start values"));
    o.max_iterations = 2;
    double far[] = {-1.2, 1};
    RbNonlinearEquations valley = {.n = 2, .residual = rosenbrock};
    ENSURE(solve(&f, &valley, &o, far, &stats) == RB_ERROR_SOLVER);
    ENSURE(strstr(fixture_message(&f, 4), "the iteration limit is reached"));
    o.tolerance = -1;
    ENSURE(solve(&f, &valley, &o, far, &stats) == RB_ERROR_USAGE);
    fixture_close(&f);
}

static void no_equations_are_solved_at_once(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbNonlinearEquations e = {0};
    RbNonlinearOptions o = rb_nonlinear_options();
    RbNonlinearStats stats;
    ENSURE(solve(&f, &e, &o, NULL, &stats) == RB_OK);
    fixture_close(&f);
}

static RbStatus solve_something(Fixture *f, void *argument) {
    (void)argument;
    RbNonlinearEquations e = {.n = LENGTH, .residual = chain};
    RbNonlinearOptions o = rb_nonlinear_options();
    RbNonlinear *s;
    double u[LENGTH] = {0};
    RB_TRY(rb_nonlinear_create(&e, &o, &f->arena, &f->diag, &s));
    return rb_nonlinear_solve(s, u);
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    fixture_survives(solve_something, NULL, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rosenbrock_is_solved),
        cmocka_unit_test(scales_do_not_matter),
        cmocka_unit_test(rounding_is_not_a_failure),
        cmocka_unit_test(the_line_search_comes_home_from_afar),
        cmocka_unit_test(patterns_save_evaluations),
        cmocka_unit_test(steps_stay_inside_the_domain),
        cmocka_unit_test(failures_say_why),
        cmocka_unit_test(no_equations_are_solved_at_once),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
