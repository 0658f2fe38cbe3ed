// SPDX-License-Identifier: MIT
// Leapfrog: order, what a symplectic method keeps, damping, events, quadratures, and restarts.
#include "problems.h"

static const int rate[] = {1, -1};

typedef struct Spring {
    double damping; // [1/s]
} Spring;

// x'' = -x - d x'
static int spring(void *user, double t, const double *x, double *dx) {
    (void)t;
    dx[0] = x[1];
    dx[1] = -x[0] - ((Spring *)user)->damping * x[1];
    return 0;
}

static double spring_exact(double d, double t) { // x(0) = 1, x'(0) = 0
    double w = sqrt(1 - 0.25 * d * d);
    return exp(-0.5 * d * t) * (cos(w * t) + 0.5 * d / w * sin(w * t));
}

static int loss(void *user, double t, const double *x, double *dq) {
    (void)t;
    dq[0] = ((Spring *)user)->damping * x[1] * x[1];
    return 0;
}

static RbSolverOptions fixed_steps(double h) {
    static const double loose[] = {1e9, 1e9};
    RbSolverOptions o = rb_solver_options();
    o.method = RB_LEAPFROG;
    o.tolerance = 0.5;
    o.absolute = loose;
    o.max_step = h;
    o.max_steps = 10000000;
    return o;
}

static double spring_error(double d, double h, double *lost_error) {
    Fixture f;
    fixture_open(&f);
    Spring p = {d};
    RbOde ode = {.n = 2,
                 .user = &p,
                 .derivative = spring,
                 .rate = rate,
                 .quad_count = 1,
                 .quadrature = loss};
    RbSolverOptions o = fixed_steps(h);
    const double x0[] = {1, 0};
    RbSolver *s = run(&f, &ode, &o, x0, 5);
    const double *x = rb_solver_state(s);
    double lost, error = fabs(x[0] - spring_exact(d, 5));
    ENSURE(rb_solver_quadrature(s, 5, &lost) == RB_OK);
    *lost_error = fabs(0.5 * (x[0] * x[0] + x[1] * x[1]) + lost - 0.5);
    fixture_close(&f);
    return error;
}

// With and without damping, of the places and of the energy account.
static void order_is_two(void **state) {
    (void)state;
    const double dampings[] = {0, 0.4};
    for (int i = 0; i < 2; i++) {
        double account[2];
        double coarse = spring_error(dampings[i], 0.02, &account[0]),
               fine = spring_error(dampings[i], 0.01, &account[1]);
        ENSURE_NEAR(coarse / fine, 4, 0.2);
        ENSURE_NEAR(account[0] / account[1], 4, 0.4);
    }
}

// Over 1000 periods the energy error does not grow beyond that of the first ones: h²/8.
static void energy_does_not_drift(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2, .derivative = oscillate, .rate = rate};
    RbSolverOptions o = fixed_steps(0.2);
    const double x0[] = {1, 0};
    RbSolver *s;
    RbStop stop = {0};
    ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
    double worst = 0;
    while (stop.why != RB_STOP_END) {
        ENSURE(rb_solver_step(s, 2000 * M_PI, &stop) == RB_OK);
        double energy = 0.5 * (stop.x[0] * stop.x[0] + stop.x[1] * stop.x[1]);
        worst = fmax(worst, fabs(energy - 0.5));
    }
    ENSURE(worst < 0.2 * 0.2 / 8 * 1.02);
    fixture_close(&f);
}

// The error test: a stricter tolerance is met by shorter steps, halved as often as it takes.
static void error_follows_the_tolerance(void **state) {
    (void)state;
    double last = 1;
    for (double tolerance = 1e-4; tolerance > 1e-9; tolerance *= 1e-2) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .derivative = oscillate, .rate = rate};
        RbSolverOptions o = rb_solver_options();
        o.method = RB_LEAPFROG;
        o.tolerance = tolerance;
        o.max_step = 1;
        const double x0[] = {1, 0};
        RbSolver *s = run(&f, &ode, &o, x0, 10);
        double error = hypot(rb_solver_state(s)[0] - cos(10), rb_solver_state(s)[1] + sin(10));
        ENSURE(error < 0.2 * last);
        last = error;
        fixture_close(&f);
    }
    ENSURE(last < 1e-4);
}

// A ball falls from 5 m: it is at 0 after 1 s, and steps are exact for constant acceleration.
static void roots_are_found(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2, .root_count = 1, .derivative = fall, .roots = height, .rate = rate};
    RbSolverOptions o = fixed_steps(0.3);
    const double x0[] = {5, 0}, up[] = {0, 10};
    RbSolver *s;
    RbStop stop;
    ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
    ENSURE(rb_solver_advance(s, 10, &stop) == RB_OK);
    ENSURE(stop.why == RB_STOP_ROOT && stop.roots[0] == -1);
    ENSURE_NEAR(stop.t, 1, 1e-15);
    ENSURE_NEAR(stop.x[1], -10, 1e-13);
    ENSURE(rb_solver_restart(s, stop.t, up) == RB_OK); // zero at the restart: not an event
    ENSURE(rb_solver_advance(s, 10, &stop) == RB_OK);
    ENSURE(stop.why == RB_STOP_ROOT);
    ENSURE_NEAR(stop.t, 3, 1e-14);
    fixture_close(&f);
}

// Outside of x > 0.5 the model cannot be evaluated; the run ends with a message, not in a circle.
static int only_above(void *user, double t, const double *x, double *dx) {
    if (!(x[0] > 0.5)) return 1;
    return fall(user, t, x, dx);
}

static void leaving_the_domain_is_reported(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2, .derivative = only_above, .rate = rate};
    RbSolverOptions o = fixed_steps(0.3);
    const double x0[] = {5, 0};
    RbSolver *s;
    RbStop stop;
    ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
    ENSURE(rb_solver_advance(s, 10, &stop) == RB_ERROR_SOLVER);
    ENSURE_NEAR(rb_solver_time(s), sqrt(0.9), 1e-6);
    ENSURE(strstr(fixture_message(&f, 0), "cannot be evaluated"));
    fixture_close(&f);
}

// States that are no places: x' = -2 x beside the oscillator, second order as well.
static int with_decay(void *user, double t, const double *x, double *dx) {
    oscillate(user, t, x, dx);
    dx[2] = -2 * x[2];
    return 0;
}

static double decay_error(double h) {
    Fixture f;
    fixture_open(&f);
    const int rates[] = {1, -1, -1};
    const double loose[] = {1e9, 1e9, 1e9}, x0[] = {1, 0, 1};
    RbOde ode = {.n = 3, .derivative = with_decay, .rate = rates};
    RbSolverOptions o = fixed_steps(h);
    o.absolute = loose;
    double error = fabs(rb_solver_state(run(&f, &ode, &o, x0, 1))[2] - exp(-2));
    fixture_close(&f);
    return error;
}

static void other_states_are_taken_along(void **state) {
    (void)state;
    ENSURE_NEAR(decay_error(0.02) / decay_error(0.01), 4, 0.2);
}

// Dense output is exact to fourth order; a restart computes what a new solver would.
static void inside_a_step_and_after_a_restart(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2, .derivative = oscillate, .rate = rate};
    RbSolverOptions o = fixed_steps(0.01);
    const double x0[] = {1, 0};
    RbSolver *s, *fresh;
    RbStop stop;
    double x[2], v[2];
    ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
    ENSURE(rb_solver_step(s, 10, &stop) == RB_OK);
    ENSURE(rb_solver_interpolate(s, 0.004, x) == RB_OK);
    ENSURE(rb_solver_interpolate_derivative(s, 0.004, v) == RB_OK);
    ENSURE_NEAR(x[0], cos(0.004), 1e-9);
    ENSURE_NEAR(v[0], -sin(0.004), 2.5e-7); // 1.5/h times the local error h³/6 sin(h) of the place
    ENSURE(rb_solver_restart(s, stop.t, stop.x) == RB_OK);
    memcpy(x, rb_solver_state(s), sizeof x);
    ENSURE(rb_solver_create(&ode, &o, rb_solver_time(s), x, &f.arena, &f.diag, &fresh) == RB_OK);
    ENSURE(rb_solver_advance(s, 3, &stop) == RB_OK);
    memcpy(x, stop.x, sizeof x);
    ENSURE(rb_solver_advance(fresh, 3, &stop) == RB_OK);
    ENSURE(memcmp(x, stop.x, sizeof x) == 0);
    fixture_close(&f);
}

// x'' = c/x³ with c = 1e-10, from 1 with the speed -3: back from where the energy c/(2 x²) is 4.5, x = 3.3e-6. The tolerance of places is far wider.
static int wall(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    if (!(x[0] > 0)) return 1;
    dx[0] = x[1];
    dx[1] = 1e-10 / (x[0] * x[0] * x[0]);
    return 0;
}

static void a_steep_wall_gives_no_kick(void **state) {
    (void)state;
    const double absolute[] = {1e-3, 1e-3};
    for (int i = 0; i < 50; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .derivative = wall, .rate = rate};
        RbSolverOptions o = rb_solver_options();
        o.method = RB_LEAPFROG;
        o.tolerance = 1e-3;
        o.absolute = absolute;
        o.max_step = 0.01 + 1e-4 * i;
        const double x0[] = {1, -3};
        RbSolver *s = run(&f, &ode, &o, x0, 1);
        double speed = rb_solver_state(s)[1];
        ENSURE(speed > 1 && speed < 4.5); // found 1.4 to 3.8
        fixture_close(&f);
    }
}

static int write_integral(void *user, double t, const double *x, double *dx, double *dq) {
    (void)user, (void)t, (void)x, (void)dx, (void)dq;
    fail_msg("there is no integral");
    return -1;
}

// Integrals that nobody records have no memory: nothing may write them.
static void no_integrals(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Spring p = {0.1};
    RbOde ode = {.n = 2, .user = &p, .derivative = spring, .rate = rate, .both = write_integral};
    RbSolverOptions o = fixed_steps(1e-3);
    RbSolver *s = run(&f, &ode, &o, (const double[]){1, 0}, 5);
    ENSURE_NEAR(rb_solver_state(s)[0], spring_exact(0.1, 5), 1e-6);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_two),
        cmocka_unit_test(energy_does_not_drift),
        cmocka_unit_test(error_follows_the_tolerance),
        cmocka_unit_test(roots_are_found),
        cmocka_unit_test(leaving_the_domain_is_reported),
        cmocka_unit_test(other_states_are_taken_along),
        cmocka_unit_test(inside_a_step_and_after_a_restart),
        cmocka_unit_test(a_steep_wall_gives_no_kick),
        cmocka_unit_test(no_integrals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
