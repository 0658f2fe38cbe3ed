// SPDX-License-Identifier: MIT
// What happens when the model, the mathematics or the memory fail.
#include "problems.h"

#include <fcntl.h>
#include <unistd.h>

#include "solver/nonlinear.h"

static const char *name_state(void *user, int index) {
    (void)user;
    static const char *const names[] = {"tank.level", "tank.flow"};
    return names[index];
}

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static RbStatus run_status(Fixture *f, const RbOde *ode, const RbSolverOptions *o, const double *x0,
                           double t_end) {
    RbSolver *s;
    RbStop stop;
    RB_TRY(rb_solver_create(ode, o, 0, x0, &f->arena, &f->diag, &s));
    return rb_solver_advance(s, t_end, &stop);
}

// ---- values that do not exist ----

// Torricelli: the level of a tank falls as x' = -2 sqrt(x), x = (1 - t)^2 until it is empty. Long
// steps try negative levels.
static int drain(void *user, double t, const double *x, double *dx) {
    (void)t;
    int *tries = user;
    if (x[0] < 0 && tries) ++*tries;
    dx[0] = -2 * sqrt(x[0]);
    return 0;
}

static void steps_out_of_the_domain_are_tried_again(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        int tries = 0;
        RbOde ode = {.n = 1, .user = &tries, .derivative = drain};
        RbSolverOptions o = options_for(&all_methods[i], 1e-3);
        o.initial_step = 3; // far out of the domain
        double x0 = 1;
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, 0, &x0, &f.arena, &f.diag, &s) == RB_OK);
        ENSURE(rb_solver_step(s, 10, &stop) == RB_OK);
        ENSURE(tries > 0 && stop.t < 1);
        ENSURE_NEAR(stop.x[0], (1 - stop.t) * (1 - stop.t), 1e-2);
        ENSURE(f.diag.messages.count == 0);
        fixture_close(&f);
    }
}

static int nan_later(void *user, double t, const double *x, double *dx) {
    (void)user, (void)x;
    dx[0] = 1;
    dx[1] = t > 0.5 ? NAN : 0;
    return 0;
}

static void nan_is_reported_with_state_and_time(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .derivative = nan_later, .state_name = name_state};
        RbSolverOptions o = options_for(&all_methods[i], 1e-6);
        const double x0[] = {0, 0};
        ENSURE(run_status(&f, &ode, &o, x0, 1) == RB_ERROR_SOLVER);
        const char *message = fixture_message(&f, 0);
        if (!starts_with(message, "rattleback: error: t = 0.5 s: ") ||
            !strstr(message, "the derivative of 'tank.flow' is nan")) {
            print_error("%s: %s", all_methods[i].name, message);
            fail();
        }
        fixture_close(&f);
    }
}

static int gives_up(void *user, double t, const double *x, double *dx) {
    (void)user;
    dx[0] = -x[0];
    return t > 0.5 ? -1 : 0;
}

static void a_model_that_gives_up_ends_the_run(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 1, .derivative = gives_up};
        RbSolverOptions o = options_for(&all_methods[i], 1e-6);
        double x0 = 1;
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, 0, &x0, &f.arena, &f.diag, &s) == RB_OK);
        ENSURE(rb_solver_advance(s, 1, &stop) == RB_ERROR_SOLVER);
        ENSURE(strstr(fixture_message(&f, 0),
                      "the model gave up: the derivative cannot be evaluated at t = 0.5"));
        ENSURE(rb_solver_time(s) <= 0.5); // what was computed is kept
        ENSURE_NEAR(rb_solver_state(s)[0], exp(-rb_solver_time(s)), 1e-4);
        ENSURE(rb_solver_restart(s, 0, &x0) == RB_OK); // and the solver can be used again
        ENSURE(rb_solver_advance(s, 0.4, &stop) == RB_OK);
        fixture_close(&f);
    }
}

static int nan_root(void *user, double t, const double *x, double *z) {
    (void)user, (void)x;
    z[0] = 1;
    z[1] = t > 0.5 ? NAN : 1;
    return 0;
}

static int bad_power(void *user, double t, const double *x, double *dq) {
    (void)user, (void)x;
    dq[0] = t > 0.5 ? INFINITY : 1;
    return 0;
}

static void bad_indicators_quadratures_and_starts_are_reported(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .root_count = 2, .derivative = oscillate, .roots = nan_root};
        RbSolverOptions o = options_for(&all_methods[i], 1e-6);
        const double x0[] = {1, 0}, bad[] = {0, NAN};
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
        ENSURE(rb_solver_advance(s, 1, &stop) == RB_ERROR_SOLVER);
        ENSURE(strstr(fixture_message(&f, 0), "event indicator 1 is nan at t = 0."));
        ENSURE_NEAR(rb_solver_state(s)[0], cos(rb_solver_time(s)),
                    1e-4); // time and state belong together
        ode = (RbOde){.n = 2, .quad_count = 1, .derivative = oscillate, .quadrature = bad_power};
        ENSURE(run_status(&f, &ode, &o, x0, 1) == RB_ERROR_SOLVER);
        ENSURE(strstr(fixture_message(&f, 1), "quadrature 0 is inf at t = 0."));
        ENSURE(run_status(&f, &ode, &o, bad, 1) == RB_ERROR_SOLVER);
        ENSURE(strstr(fixture_message(&f, 2), "start value of state 1 is nan"));
        fixture_close(&f);
    }
}

// ---- mathematics that does not go on ----

// x' = x^2 has a pole at t = 1.
static int pole(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    dx[0] = x[0] * x[0];
    return 0;
}

static void a_pole_is_reported(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 1, .derivative = pole, .state_name = name_state};
        RbSolverOptions o = options_for(&all_methods[i], 1e-6);
        double x0 = 1;
        ENSURE(run_status(&f, &ode, &o, &x0, 2) == RB_ERROR_SOLVER);
        const char *message = fixture_message(&f, 0);
        if (!starts_with(message, "rattleback: error: t = 1") &&
            !starts_with(message, "rattleback: error: t = 0.999")) {
            print_error("%s: %s", all_methods[i].name, message);
            fail();
        }
        fixture_close(&f);
    }
}

static void too_many_steps_are_reported(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2, .derivative = stiff_linear};
    RbSolverOptions o = rb_solver_options();
    o.method = RB_ARKODE; // explicit: steps of microseconds
    o.max_steps = 100;
    const double x0[] = {2, 0};
    ENSURE(run_status(&f, &ode, &o, x0, 1) == RB_ERROR_SOLVER);
    ENSURE(strstr(fixture_message(&f, 0), "100 steps since t = 0 s did not reach 1 s"));
    fixture_close(&f);
}

static int contradiction(void *user, double t, const double *x, const double *dx, double *r) {
    (void)user, (void)t;
    r[0] = dx[0] + x[0];
    r[1] = x[1] * x[1] + 1; // no real solution
    return 0;
}

static void inconsistent_starts_are_reported(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const bool differential[] = {true, false};
    RbOde ode = {.n = 2, .residual = contradiction, .differential = differential};
    RbSolverOptions o = rb_solver_options();
    o.method = RB_IDA;
    const double x0[] = {1, 3};
    ENSURE(run_status(&f, &ode, &o, x0, 1) == RB_ERROR_INIT);
    ENSURE(strstr(fixture_message(&f, 0), "nonlinear system of 2 equations: "));
    ENSURE(strstr(fixture_message(&f, 0), "in equation 1"));
    ENSURE(strstr(fixture_message(&f, 1), "t = 0 s: no values of the algebraic variables"));
    fixture_close(&f);
}

static void wrong_options_are_reported(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double x0[] = {1, 0}, zero[] = {1e-6, 0};
    RbOde ode = {.n = 2, .derivative = oscillate},
          implicit = {.n = 2, .residual = contradiction, .derivative = oscillate};
    RbSolverOptions o = rb_solver_options(), bad = o;
    bad.tolerance = 0;
    ENSURE(run_status(&f, &ode, &bad, x0, 1) == RB_ERROR_USAGE);
    assert_string_equal(
        fixture_message(&f, 0),
        "rattleback: error: the tolerance is 0; it must lie between 0 and 1 (usual: "
        "1e-4 to 1e-10) [usage]\n");
    bad = o;
    bad.absolute = zero;
    ENSURE(run_status(&f, &ode, &bad, x0, 1) == RB_ERROR_USAGE);
    bad = o;
    bad.linear = RB_LINEAR_SPARSE;
    ENSURE(run_status(&f, &ode, &bad, x0, 1) == RB_ERROR_USAGE);
    bad = o;
    bad.max_step = -1;
    ENSURE(run_status(&f, &ode, &bad, x0, 1) == RB_ERROR_USAGE);
    ENSURE(run_status(&f, &implicit, &o, x0, 1) == RB_ERROR_USAGE);
    assert_int_equal(f.diag.messages.count, 5);
    fixture_close(&f);
}

// ---- silence ----

// All of the failures above, with stdout and stderr going to a file that must stay empty.
static void the_libraries_never_print(void **state) {
    (void)state;
    fflush(stdout);
    fflush(stderr);
    char path[] = "/tmp/rb_silence_XXXXXX";
    int file = mkstemp(path), out = dup(1), err = dup(2);
    ENSURE(file >= 0 && dup2(file, 1) == 1 && dup2(file, 2) == 2);
    nan_is_reported_with_state_and_time(NULL);
    a_model_that_gives_up_ends_the_run(NULL);
    bad_indicators_quadratures_and_starts_are_reported(NULL);
    a_pole_is_reported(NULL);
    inconsistent_starts_are_reported(NULL);
    fflush(stdout);
    fflush(stderr);
    off_t size = lseek(file, 0, SEEK_END);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    close(file);
    unlink(path);
    assert_int_equal(size, 0);
}

// ---- no memory ----

enum { CELLS = 400 };

static int decaying_residual(void *user, double t, const double *x, const double *dx, double *r) {
    (void)user, (void)t;
    for (int i = 0; i < CELLS; i++) r[i] = dx[i] + x[i];
    return 0;
}

static RbStatus solve_something(Fixture *f, void *argument) {
    RbMethod *method = argument;
    Rod r = {CELLS};
    RbPattern p = tridiagonal(CELLS, &f->arena, f->scratch),
              full = rb_pattern(CELLS, NULL, 0, &f->arena, f->scratch);
    RbOde ode = {.n = CELLS, .user = &r, .derivative = rod, .pattern = &full};
    if (*method == RB_IDA) ode.residual = decaying_residual;
    RbSolverOptions o = rb_solver_options();
    o.method = *method;
    double x0[CELLS];
    for (int i = 0; i < CELLS; i++) x0[i] = rod_mode(CELLS, i);
    RbSolver *s;
    RbStop stop;
    RB_TRY(rb_solver_create(&ode, &o, 0, x0, &f->arena, &f->diag, &s));
    RB_TRY(rb_solver_step(s, 0.1, &stop));
    RB_TRY(rb_solver_set_pattern(s, &p));
    RB_TRY(rb_solver_restart(s, stop.t, stop.x));
    RB_TRY(rb_solver_advance(s, 0.01, &stop));
    return rb_solver_step(s, -1, &stop) == RB_ERROR_INTERNAL
               ? RB_OK
               : RB_ERROR_INTERNAL; // allocates a message
}

static void every_failed_allocation_is_survived(void **state) {
    (void)state;
    for (RbMethod method = RB_CVODE_BDF; method <= RB_IDA; method++) {
        fixture_survives(solve_something, &method, 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_out_of_the_domain_are_tried_again),
        cmocka_unit_test(nan_is_reported_with_state_and_time),
        cmocka_unit_test(a_model_that_gives_up_ends_the_run),
        cmocka_unit_test(bad_indicators_quadratures_and_starts_are_reported),
        cmocka_unit_test(a_pole_is_reported),
        cmocka_unit_test(too_many_steps_are_reported),
        cmocka_unit_test(inconsistent_starts_are_reported),
        cmocka_unit_test(wrong_options_are_reported),
        cmocka_unit_test(the_libraries_never_print),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
