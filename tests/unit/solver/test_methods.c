// SPDX-License-Identifier: MIT
// Every method against closed forms, published solutions and each other.
#include "problems.h"

static double decay_error(const Choice *c, double tolerance) {
    Fixture f;
    fixture_open(&f);
    Decay d = {2};
    RbOde ode = {.n = 1, .user = &d, .derivative = decay};
    RbSolverOptions o = options_for(c, tolerance);
    double x0 = 1;
    RbSolver *s = run(&f, &ode, &o, &x0, 1);
    double error = fabs(rb_solver_state(s)[0] - exp(-2.0));
    ENSURE(rb_solver_time(s) == 1);
    fixture_close(&f);
    return error;
}

static double oscillator_error(const Choice *c, double tolerance) {
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2, .derivative = oscillate};
    RbSolverOptions o = options_for(c, tolerance);
    const double x0[] = {1, 0};
    RbSolver *s = run(&f, &ode, &o, x0, 10);
    const double *x = rb_solver_state(s);
    double error = hypot(x[0] - cos(10), x[1] + sin(10));
    fixture_close(&f);
    return error;
}

// Local errors are held below the tolerance in every step; over 10 s their sum may be some hundred
// times that for multistep methods (each step contributes, nothing damps). Each factor 1000 in
// tolerance gains at least 100.
static void errors_follow_the_tolerance(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        const Choice *c = &all_methods[i];
        double coarse = oscillator_error(c, 1e-4), middle = oscillator_error(c, 1e-7),
               fine = oscillator_error(c, 1e-10);
        if (!(coarse < 0.1 && middle < 0.1 * coarse && fine < 0.1 * middle &&
              fine < 1e-4 * coarse && fine < 1e-7)) {
            print_error("%s: %g %g %g\n", c->name, coarse, middle, fine);
            fail();
        }
        ENSURE_NEAR(decay_error(c, 1e-5), 0, 2e-4);
        ENSURE_NEAR(decay_error(c, 1e-9), 0, 2e-8);
    }
}

// A force that comes up within a picosecond of the start, as friction does after a first touch: x' = 1 - exp(-t/tau), x = t - tau
// (1 - exp(-t/tau)). However far off the first step is, some step is small enough (pairs of
// Runge and Kutta do not see this start: both of a pair may weigh it alike).
static int come_up(void *user, double t, const double *x, double *dx) {
    (void)user, (void)x;
    dx[0] = -expm1(-t / 1e-12);
    return 0;
}

static void first_steps_may_be_tried_often(void **state) {
    (void)state;
    const double absolute = 1e-16, x0 = 0;
    for (int i = 0; all_methods[i].method != RB_ARKODE; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 1, .derivative = come_up};
        RbSolverOptions o = options_for(&all_methods[i], 1e-9);
        o.absolute = &absolute;
        o.initial_step = 0.01;
        RbSolver *s = run(&f, &ode, &o, &x0, 0.01);
        ENSURE_NEAR(rb_solver_state(s)[0], 0.01, 1e-9);
        fixture_close(&f);
    }
}

// With a step that the error test never cuts, halving it divides the error by 2^order.
static double fixed_step_error(const Choice *c, double h) {
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2, .derivative = oscillate};
    const double x0[] = {1, 0}, absolute[] = {1e3, 1e3};
    RbSolverOptions o = options_for(c, 0.5);
    o.absolute = absolute;
    o.initial_step = o.max_step = h;
    RbSolver *s = run(&f, &ode, &o, x0, 2);
    ENSURE(rb_solver_stats(s).steps == lround(2 / h));
    double error = hypot(rb_solver_state(s)[0] - cos(2), rb_solver_state(s)[1] + sin(2));
    fixture_close(&f);
    return error;
}

static void runge_kutta_pairs_have_their_order(void **state) {
    (void)state;
    const double orders[] = {5, 3, 5, 6, 8}; // ORDER RbTable
    for (int i = 3; i < METHOD_COUNT; i++) {
        const Choice *c = &all_methods[i];
        double h = orders[c->table] > 6 ? 0.5 : 0.25; // [s] well above rounding
        double order = log2(fixed_step_error(c, h) / fixed_step_error(c, h / 2));
        ENSURE_NEAR(order, orders[c->table], 0.5);
    }
}

// The fast component is gone after microseconds; an implicit method then takes steps for the slow
// one.
static void stiff_systems_take_few_steps(void **state) {
    (void)state;
    const Choice implicit[] = {{"bdf", RB_CVODE_BDF, 0}, {"ida", RB_IDA, 0}};
    for (int i = 0; i < 2; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .derivative = stiff_linear};
        RbSolverOptions o = options_for(&implicit[i], 1e-8);
        const double x0[] = {2, 0};
        RbSolver *s = run(&f, &ode, &o, x0, 1);
        ENSURE_NEAR(rb_solver_state(s)[0], exp(-1), 1e-6);
        ENSURE_NEAR(rb_solver_state(s)[1], exp(-1), 1e-6);
        ENSURE(rb_solver_stats(s).steps < 2000); // an explicit method needs about 1e6 / 3
        fixture_close(&f);
    }
}

// Reference solution of the test set for initial value problem solvers (Mazzia, Magherini, 2008,
// problem ROBER).
static void robertson_reaches_the_published_end(void **state) {
    (void)state;
    const Choice implicit[] = {{"bdf", RB_CVODE_BDF, 0}, {"ida", RB_IDA, 0}};
    const double want[] = {0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050};
    const double absolute[] = {1e-18, 1e-22, 1e-14}, x0[] = {1, 0, 0};
    for (int i = 0; i < 2; i++) {
        for (int analytic = 0; analytic < 2; analytic++) {
            Fixture f;
            fixture_open(&f);
            RbOde ode = {
                .n = 3, .derivative = robertson, .jacobian = analytic ? robertson_jacobian : NULL};
            RbSolverOptions o = options_for(&implicit[i], 1e-9);
            o.absolute = absolute;
            RbSolver *s = run(&f, &ode, &o, x0, 1e11);
            for (int k = 0; k < 3; k++) ENSURE_NEAR(rb_solver_state(s)[k], want[k], 1e-5 * want[k]);
            fixture_close(&f);
        }
    }
}

// The same reaction with the sum of the concentrations as an algebraic equation.
static int robertson_residual(void *user, double t, const double *x, const double *dx, double *r) {
    double f[3];
    robertson(user, t, x, f);
    r[0] = dx[0] - f[0];
    r[1] = dx[1] - f[1];
    r[2] = x[0] + x[1] + x[2] - 1;
    return 0;
}

static int robertson_residual_jacobian(void *user, double t, const double *x, const double *dx,
                                       double c, double *j) {
    robertson_jacobian(user, t, x, dx, j);
    for (int k = 0; k < 9; k++) j[k] = k % 3 == 2 ? 1 : -j[k];
    j[0] += c;
    j[4] += c;
    return 0;
}

static void robertson_with_an_algebraic_equation(void **state) {
    (void)state;
    const bool differential[] = {true, true, false};
    const double want[] = {0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050};
    const double absolute[] = {1e-18, 1e-22, 1e-14}, x0[] = {1, 0, 0.5};
    for (int analytic = 0; analytic < 2; analytic++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 3,
                     .residual = robertson_residual,
                     .residual_jacobian = analytic ? robertson_residual_jacobian : NULL,
                     .differential = differential};
        RbSolverOptions o = rb_solver_options();
        o.method = RB_IDA;
        o.tolerance = 1e-9;
        o.absolute = absolute;
        RbSolver *s = run(&f, &ode, &o, x0, 1e11);
        // The balance x0 + x1 + x2 = 1 is rounded to 1e-16, which x0 = 2e-8 sees with 1e-8.
        for (int k = 0; k < 3; k++) ENSURE_NEAR(rb_solver_state(s)[k], want[k], 1e-4 * want[k]);
        fixture_close(&f);
    }
}

// Three programs that share no code for the integration agree.
static void methods_are_oracles_of_each_other(void **state) {
    (void)state;
    double mu = 5, x[METHOD_COUNT][2];
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .user = &mu, .derivative = van_der_pol};
        RbSolverOptions o = options_for(&all_methods[i], 1e-11);
        const double x0[] = {2, 0};
        RbSolver *s = run(&f, &ode, &o, x0, 20);
        memcpy(x[i], rb_solver_state(s), sizeof x[i]);
        fixture_close(&f);
        ENSURE_NEAR(x[i][0], x[0][0], 1e-7);
        ENSURE_NEAR(x[i][1], x[0][1], 1e-7);
    }
}

// The pendulum in Cartesian coordinates needs an algebraic force; here the simplest index-1 system:
// x' = -y, 0 = y - x, so x = exp(-t).
static int algebraic(void *user, double t, const double *x, const double *dx, double *r) {
    (void)user, (void)t;
    r[0] = dx[0] + x[1];
    r[1] = x[1] * x[1] * x[1] - x[0] * x[0] * x[0];
    return 0;
}

static void algebraic_variables_are_made_consistent(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const bool differential[] = {true, false};
    RbOde ode = {.n = 2, .residual = algebraic, .differential = differential};
    RbSolverOptions o = rb_solver_options();
    o.method = RB_IDA;
    o.tolerance = 1e-9;
    const double x0[] = {1, 0.7}; // a poor guess for y
    RbSolver *s;
    ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
    double dx[2];
    ENSURE_NEAR(rb_solver_state(s)[0], 1, 0); // differential variables stay as given
    ENSURE_NEAR(rb_solver_state(s)[1], 1, 1e-9);
    ENSURE(rb_solver_interpolate_derivative(s, 0, dx) == RB_OK);
    ENSURE_NEAR(dx[0], -1, 1e-9);
    RbStop stop;
    ENSURE(rb_solver_advance(s, 1, &stop) == RB_OK);
    ENSURE_NEAR(stop.x[0], exp(-1), 1e-7);
    ENSURE_NEAR(stop.x[1], exp(-1), 1e-7);
    fixture_close(&f);
}

static void dense_output_is_as_good_as_the_steps(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        // The interpolant of the Runge-Kutta pairs of order 6 and 8 has degree 5: worse than the
        // steps.
        double limit = all_methods[i].table >= RB_TABLE_VERNER6 ? 1e-4 : 1e-5;
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .derivative = oscillate};
        RbSolverOptions o = options_for(&all_methods[i], 1e-8);
        const double x0[] = {1, 0};
        RbSolver *s;
        RbStop stop = {0};
        ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
        while (stop.why != RB_STOP_END) {
            double a, b, x[2], dx[2];
            ENSURE(rb_solver_step(s, 5, &stop) == RB_OK);
            rb_solver_interval(s, &a, &b);
            ENSURE(b == stop.t && a < b);
            for (int k = 0; k <= 4; k++) {
                double t = a + (b - a) * k / 4;
                ENSURE(rb_solver_interpolate(s, t, x) == RB_OK);
                ENSURE(rb_solver_interpolate_derivative(s, t, dx) == RB_OK);
                ENSURE_NEAR(x[0], cos(t), limit);
                ENSURE_NEAR(x[1], -sin(t), limit);
                ENSURE_NEAR(dx[0], -sin(t), 100 * limit);
            }
            ENSURE(x[0] == stop.x[0] &&
                   x[1] == stop.x[1]); // at the end of the step, the state itself
        }
        double x[2];
        ENSURE(rb_solver_interpolate(s, 5.1, x) == RB_ERROR_INTERNAL);
        fixture_close(&f);
    }
}

static int power(void *user, double t, const double *x, double *dq) {
    (void)user, (void)t;
    dq[0] = x[1] * x[1]; // of a damper with coefficient 1
    dq[1] = 1;           // the time
    return 0;
}

static int damped(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    dx[0] = x[1];
    dx[1] = -x[0] - x[1];
    return 0;
}

// Energy balance: what the damper took is what the oscillator lost.
static void quadratures_balance_the_energy(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        double error[2];
        long steps[2];
        for (int with = 0; with < 2; with++) {
            Fixture f;
            fixture_open(&f);
            RbOde ode = {
                .n = 2, .quad_count = with ? 2 : 0, .derivative = damped, .quadrature = power};
            RbSolverOptions o = options_for(&all_methods[i], 1e-9);
            const double x0[] = {1, 0};
            RbSolver *s = run(&f, &ode, &o, x0, 3);
            const double *x = rb_solver_state(s);
            double q[2] = {0, 0};
            ENSURE(rb_solver_quadrature(s, 3, q) == RB_OK);
            error[with] = 0.5 - 0.5 * (x[0] * x[0] + x[1] * x[1]) - q[0];
            steps[with] = rb_solver_stats(s).steps;
            if (with) ENSURE_NEAR(q[1], 3, 3e-13);
            fixture_close(&f);
        }
        ENSURE_NEAR(error[1], 0, 1e-6);
        ENSURE(steps[0] == steps[1]); // outside the error test
    }
}

// Without states there is still time, and indicators of time.
static int alarm(void *user, double t, const double *x, double *z) {
    (void)user, (void)x;
    z[0] = t - 0.3;
    return 0;
}

static void no_states_are_allowed(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 0, .root_count = 1, .roots = alarm};
        RbSolverOptions o = options_for(&all_methods[i], 1e-6);
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, 0, NULL, &f.arena, &f.diag, &s) == RB_OK);
        ENSURE(rb_solver_advance(s, 1, &stop) == RB_OK && stop.why == RB_STOP_ROOT);
        ENSURE_NEAR(stop.t, 0.3, 1e-13);
        ENSURE(rb_solver_restart(s, stop.t, NULL) == RB_OK);
        ENSURE(rb_solver_advance(s, 1, &stop) == RB_OK && stop.why == RB_STOP_END && stop.t == 1);
        fixture_close(&f);
    }
}

static int swing(void *user, double t, const double *x, double *z) {
    (void)user, (void)x;
    z[0] = sin(40 * t) - 0.5;
    return 0;
}

static int swinging(void *user, double t, const double *x, double *dq) {
    (void)user, (void)x;
    dq[0] = 1;
    dq[1] = sin(40 * t) * sin(40 * t);
    return 0;
}

// No swing of what depends on time alone is leapt over: 20 s have 127 and a third of them.
static void steps_without_states_follow_time(void **state) {
    (void)state;
    const double end = 20;
    for (int i = 0; i < METHOD_COUNT; i++) {
        // Steps of order 8 are as long as half a swing: changes of sign in one of them cancel.
        if (all_methods[i].table == RB_TABLE_FEHLBERG8) continue;
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.root_count = 1, .quad_count = 2, .roots = swing, .quadrature = swinging};
        RbSolverOptions o = options_for(&all_methods[i], 1e-7);
        RbSolver *s;
        RbStop stop;
        int crossings = 0;
        double q[2] = {0};
        ENSURE(rb_solver_create(&ode, &o, 0, NULL, &f.arena, &f.diag, &s) == RB_OK);
        for (;;) {
            ENSURE(rb_solver_advance(s, end, &stop) == RB_OK);
            if (stop.why == RB_STOP_END) break;
            crossings++;
            ENSURE_NEAR(sin(40 * stop.t), 0.5, 1e-9);
            ENSURE(rb_solver_restart(s, stop.t, NULL) == RB_OK);
        }
        ENSURE(crossings == 2 * 127 + 1);
        ENSURE(rb_solver_quadrature(s, end, q) == RB_OK);
        ENSURE_NEAR(q[0], end, 1e-10);
        ENSURE_NEAR(q[1], end / 2 - sin(80 * end) / 160, 1e-4);
        fixture_close(&f);
    }
}

static void names_are_found(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        RbMethod method;
        RbTable table;
        ENSURE(rb_solver_find_method(all_methods[i].name, &method, &table));
        ENSURE(method == all_methods[i].method && table == all_methods[i].table);
        assert_string_equal(rb_solver_method_name(method, table), all_methods[i].name);
        ENSURE(!rb_solver_find_method("euler", &method, &table));
    }
}

// A slow spring beside modes of a body that rings, 10 to 320 times as fast with the damping ratio 0.02, by so little that nobody asks for them. Their eigenvalues
// are 89 degrees off the negative axis, and wherever the step is, one of them is where BDF of orders 4 and 5 is unstable: it grows until it has to be followed.
enum { MODES = 6 };

static int ringing(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    const double damping = 0.02;
    dx[0] = x[1];
    dx[1] = -x[0];
    for (int k = 1; k <= MODES; k++) {
        double w = 5 * pow(2, k);
        dx[2 * k] = w * x[2 * k + 1];
        dx[2 * k + 1] = -w * x[2 * k] - 2 * damping * w * x[2 * k + 1];
    }
    return 0;
}

static long steps_of_order(int order, double *error) {
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2 + 2 * MODES, .derivative = ringing};
    RbSolverOptions o = rb_solver_options();
    o.method = RB_CVODE_BDF;
    o.tolerance = 1e-4;
    o.max_order = order;
    double x0[2 + 2 * MODES] = {1};
    for (int k = 1; k <= MODES; k++) x0[2 * k] = 1e-6;
    RbSolver *s = run(&f, &ode, &o, x0, 100);
    *error = fabs(rb_solver_state(s)[0] - cos(100));
    long steps = rb_solver_stats(s).steps;
    fixture_close(&f);
    return steps;
}

static void low_orders_pass_over_what_rings(void **state) {
    (void)state;
    double error[6];
    long steps[6];
    for (int order = 2; order <= 5; order++) {
        steps[order] = steps_of_order(order, &error[order]);
        print_message("order %d: %ld steps, error %.1e\n", order, steps[order], error[order]);
    }
    ENSURE(10 * steps[3] < steps[5]);
    ENSURE(error[3] < 1e-4 * (double)steps[3]); // what single steps may miss, added up
}

// x0 = t; x1 follows sin(50 t). How far x0 came between two Jacobians, at most.
typedef struct Follower {
    double last, farthest;
} Follower;

static int follow(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    dx[0] = 1;
    dx[1] = 1e3 * (sin(50 * x[0]) - x[1]);
    return 0;
}

static int follow_jacobian(void *user, double t, const double *x, const double *dx, double *j) {
    (void)t, (void)dx;
    Follower *f = user;
    f->farthest = fmax(f->farthest, x[0] - f->last);
    f->last = x[0];
    j[1] += 5e4 * cos(50 * x[0]);
    j[3] += -1e3;
    return 0;
}

static void jacobians_do_not_outlive_their_range(void **state) {
    (void)state;
    const double ranges[2] = {0, 0.01}, step = 2e-3;
    for (int i = 0; i < 2; i++) {
        Fixture f;
        fixture_open(&f);
        Follower follower = {0};
        RbOde ode = {.n = 2, .user = &follower, .derivative = follow, .jacobian = follow_jacobian};
        const double x0[2] = {0}, range[2] = {ranges[i]};
        RbSolverOptions o = rb_solver_options();
        o.max_step = step;
        o.range = range;
        run(&f, &ode, &o, x0, 1);
        if (i == 0)
            ENSURE(follower.farthest > 2 * ranges[1]);
        else
            ENSURE(follower.farthest <= ranges[1] + 2 * step);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_follow_the_tolerance),
        cmocka_unit_test(first_steps_may_be_tried_often),
        cmocka_unit_test(runge_kutta_pairs_have_their_order),
        cmocka_unit_test(stiff_systems_take_few_steps),
        cmocka_unit_test(robertson_reaches_the_published_end),
        cmocka_unit_test(robertson_with_an_algebraic_equation),
        cmocka_unit_test(methods_are_oracles_of_each_other),
        cmocka_unit_test(algebraic_variables_are_made_consistent),
        cmocka_unit_test(dense_output_is_as_good_as_the_steps),
        cmocka_unit_test(quadratures_balance_the_energy),
        cmocka_unit_test(no_states_are_allowed),
        cmocka_unit_test(steps_without_states_follow_time),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(low_orders_pass_over_what_rings),
        cmocka_unit_test(jacobians_do_not_outlive_their_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
