// SPDX-License-Identifier: MIT
// Roots, stop times, restarts, and stops inside the last step.
#include "problems.h"

// ---- location ----

static double impact_error(const Choice *c, double tolerance) {
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2, .root_count = 1, .derivative = fall, .roots = height};
    RbSolverOptions o = options_for(c, tolerance);
    const double x0[] = {1, 0};
    RbSolver *s;
    RbStop stop;
    ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
    ENSURE(rb_solver_advance(s, 10, &stop) == RB_OK);
    ENSURE(stop.why == RB_STOP_ROOT && stop.roots[0] == -1);
    ENSURE(stop.x[0] <= 0); // right behind the change of sign
    double error = fabs(stop.t - sqrt(2.0 / GRAVITY));
    ENSURE_NEAR(stop.x[1], -sqrt(2.0 * GRAVITY), 1e3 * tolerance);
    fixture_close(&f);
    return error;
}

static void a_falling_ball_lands_in_time(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        double coarse = impact_error(&all_methods[i], 1e-5),
               fine = impact_error(&all_methods[i], 1e-10);
        ENSURE(fine < 1e-10);
        ENSURE(fine < 1e-2 * coarse ||
               coarse < 1e-13); // a parabola is exact for most methods at any tolerance
    }
}

// A motion that no method integrates exactly: x = cos t has its zero at pi / 2.
static int first_state(void *user, double t, const double *x, double *z) {
    (void)user, (void)t;
    z[0] = x[0];
    return 0;
}

static double quarter_period_error(const Choice *c, double tolerance) {
    Fixture f;
    fixture_open(&f);
    RbOde ode = {.n = 2, .root_count = 1, .derivative = oscillate, .roots = first_state};
    RbSolverOptions o = options_for(c, tolerance);
    const double x0[] = {1, 0};
    RbSolver *s = run(&f, &ode, &o, x0, 10);
    double t = rb_solver_time(s);
    fixture_close(&f);
    return fabs(t - M_PI / 2);
}

static void event_times_converge_with_the_tolerance(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        double coarse = quarter_period_error(&all_methods[i], 1e-4),
               fine = quarter_period_error(&all_methods[i], 1e-10);
        if (!(fine < 1e-3 * coarse && fine < 3e-8)) {
            print_error("%s: %g %g\n", all_methods[i].name, coarse, fine);
            fail();
        }
    }
}

// ---- which roots ----

static int many_roots(void *user, double t, const double *x, double *z) {
    (void)user;
    z[0] = x[0];                      // falls at pi/2
    z[1] = -x[0];                     // rises at the same time
    z[2] = t - 1;                     // rises at 1
    z[3] = x[0] * x[0] + x[1] * x[1]; // never
    return 0;
}

static void simultaneous_roots_are_told_together(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .root_count = 4, .derivative = oscillate, .roots = many_roots};
        RbSolverOptions o = options_for(&all_methods[i], 1e-8);
        const double x0[] = {1, 0};
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
        ENSURE(rb_solver_advance(s, 3, &stop) == RB_OK && stop.why == RB_STOP_ROOT);
        ENSURE_NEAR(stop.t, 1, 1e-13);
        ENSURE(!stop.roots[0] && !stop.roots[1] && stop.roots[2] == 1 && !stop.roots[3]);
        // Go on without a restart: the change is told once, the next ones together.
        ENSURE(rb_solver_advance(s, 3, &stop) == RB_OK && stop.why == RB_STOP_ROOT);
        ENSURE_NEAR(stop.t, M_PI / 2, 1e-6);
        ENSURE(stop.roots[0] == -1 && stop.roots[1] == 1 && !stop.roots[2] && !stop.roots[3]);
        ENSURE(rb_solver_advance(s, 3, &stop) == RB_OK && stop.why == RB_STOP_END && stop.t == 3);
        fixture_close(&f);
    }
}

// x = sin t starts at its zero: no event there, but one at pi.
static void roots_that_start_at_zero_count_once_they_left_it(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .root_count = 1, .derivative = oscillate, .roots = first_state};
        RbSolverOptions o = options_for(&all_methods[i], 1e-9);
        const double x0[] = {0, 1};
        RbSolver *s = run(&f, &ode, &o, x0, 10);
        ENSURE_NEAR(rb_solver_time(s), M_PI, 1e-6);
        fixture_close(&f);
    }
}

// An indicator that stayed exactly zero before a restart must not be blind after it.
static int switched(void *user, double t, const double *x, double *z) {
    (void)x;
    z[0] = *(int *)user ? t - 1.01 : 0;
    return 0;
}

static void a_restart_opens_the_eyes_of_zero_indicators(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        int on = 0;
        RbOde ode = {
            .n = 2, .root_count = 1, .user = &on, .derivative = oscillate, .roots = switched};
        RbSolverOptions o = options_for(&all_methods[i], 1e-3);
        o.initial_step = 0.05;
        const double x0[] = {0, 1};
        RbSolver *s = run(&f, &ode, &o, x0, 1);
        RbStop stop;
        on = 1;
        ENSURE(rb_solver_restart(s, 1, rb_solver_state(s)) == RB_OK);
        ENSURE(rb_solver_advance(s, 2, &stop) == RB_OK && stop.why == RB_STOP_ROOT);
        ENSURE_NEAR(stop.t, 1.01, 1e-12);
        fixture_close(&f);
    }
}

// ---- stop times ----

typedef struct Watch {
    double limit, latest; // [s]
} Watch;

static int watched(void *user, double t, const double *x, double *dx) {
    Watch *w = user;
    w->latest = fmax(w->latest, t);
    return oscillate(NULL, t, x, dx);
}

static int watched_root(void *user, double t, const double *x, double *z) {
    Watch *w = user;
    w->latest = fmax(w->latest, t);
    z[0] = x[0] + 2;
    return 0;
}

static void nothing_is_evaluated_beyond_the_stop_time(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        Watch w = {0, 0};
        RbOde ode = {
            .n = 2, .root_count = 1, .user = &w, .derivative = watched, .roots = watched_root};
        RbSolverOptions o = options_for(&all_methods[i], 1e-6);
        const double x0[] = {1, 0};
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
        for (int k = 1; k <= 100; k++) {
            double t_stop = 0.1 * k; // not a binary fraction
            ENSURE(rb_solver_advance(s, t_stop, &stop) == RB_OK);
            ENSURE(stop.why == RB_STOP_END && stop.t == t_stop && rb_solver_time(s) == t_stop);
            ENSURE(w.latest <= t_stop);
        }
        ENSURE(rb_solver_step(s, 10, &stop) == RB_OK && stop.why == RB_STOP_END); // there already
        ENSURE(rb_solver_step(s, nextafter(10, 11), &stop) == RB_OK &&
               stop.why == RB_STOP_END); // one rounding away
        ENSURE(rb_solver_restart(s, 10, rb_solver_state(s)) == RB_OK);
        ENSURE(rb_solver_step(s, nextafter(10, 11), &stop) == RB_OK && stop.why == RB_STOP_END);
        ENSURE(stop.t == nextafter(10, 11));
        ENSURE(rb_solver_step(s, 9, &stop) == RB_ERROR_INTERNAL);
        fixture_close(&f);
    }
}

static int speed(void *user, double t, const double *x, double *dq) {
    (void)user, (void)t;
    dq[0] = x[1];
    return 0;
}

// A step that rounding alone makes, right after a restart: no library has anything to look into, and the
// quadrature and what is seen inside it are those of the instant.
static void a_step_of_one_rounding_can_be_looked_into(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        Watch w = {0, 0};
        RbOde ode = {
            .n = 2, .quad_count = 1, .user = &w, .derivative = watched, .quadrature = speed};
        RbSolverOptions o = options_for(&all_methods[i], 1e-6);
        const double x0[] = {1, 0.5};
        double t = 0.6, after = nextafter(t, 1), later = nextafter(after, 1), x[2], dx[2], q[1];
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, t, x0, &f.arena, &f.diag, &s) == RB_OK);
        ENSURE(rb_solver_step(s, later, &stop) == RB_OK && stop.why == RB_STOP_END);
        ENSURE(stop.t == later);
        ENSURE(rb_solver_interpolate(s, after, x) == RB_OK && x[0] == 1 && x[1] == 0.5);
        ENSURE(rb_solver_interpolate_derivative(s, after, dx) == RB_OK);
        ENSURE(rb_solver_quadrature(s, after, q) == RB_OK && q[0] == 0);
        ENSURE(rb_solver_quadrature(s, later, q) == RB_OK && q[0] == 0);
        ENSURE(rb_solver_advance(s, 1.6, &stop) == RB_OK && stop.t == 1.6);
        fixture_close(&f);
    }
}

// After a root that needs no restart, the stop time may lie inside the step that was already taken.
static void a_stop_time_behind_a_root_is_met(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .root_count = 4, .derivative = oscillate, .roots = many_roots};
        RbSolverOptions o = options_for(&all_methods[i], 1e-8);
        const double x0[] = {1, 0};
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
        ENSURE(rb_solver_advance(s, 3, &stop) == RB_OK && stop.why == RB_STOP_ROOT);
        double near = stop.t + 1e-6;
        ENSURE(rb_solver_advance(s, near, &stop) == RB_OK && stop.why == RB_STOP_END &&
               stop.t == near);
        ENSURE_NEAR(stop.x[0], cos(near), 1e-6);
        ENSURE(rb_solver_advance(s, 3, &stop) == RB_OK && stop.why == RB_STOP_ROOT);
        ENSURE_NEAR(stop.t, M_PI / 2, 1e-6);
        fixture_close(&f);
    }
}

// A root and the stop time at once: first the root, then the end; and the root only once.
static int at_one(void *user, double t, const double *x, double *z) {
    (void)user, (void)x;
    z[0] = t - 1;
    return 0;
}

static void a_root_at_the_stop_time_is_told(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        for (int restart = 0; restart < 2; restart++) {
            Fixture f;
            fixture_open(&f);
            RbOde ode = {.n = 2, .root_count = 1, .derivative = oscillate, .roots = at_one};
            RbSolverOptions o = options_for(&all_methods[i], 1e-6);
            const double x0[] = {1, 0};
            RbSolver *s;
            RbStop stop;
            ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
            ENSURE(rb_solver_advance(s, 1, &stop) == RB_OK);
            ENSURE(stop.why == RB_STOP_ROOT && stop.roots[0] == 1 && stop.t == 1);
            if (restart) ENSURE(rb_solver_restart(s, 1, stop.x) == RB_OK);
            ENSURE(rb_solver_step(s, 1, &stop) == RB_OK && stop.why == RB_STOP_END && stop.t == 1);
            ENSURE(rb_solver_advance(s, 2, &stop) == RB_OK && stop.why == RB_STOP_END);
            ENSURE_NEAR(stop.x[0], cos(2), 1e-4);
            fixture_close(&f);
        }
    }
}

static void the_largest_step_is_kept(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .derivative = oscillate};
        RbSolverOptions o = options_for(&all_methods[i], 1e-3);
        o.max_step = 0.01;
        const double x0[] = {1, 0};
        RbSolver *s;
        RbStop stop = {0};
        ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
        while (stop.why != RB_STOP_END) {
            double a, b;
            ENSURE(rb_solver_step(s, 1, &stop) == RB_OK);
            rb_solver_interval(s, &a, &b);
            ENSURE(b - a <= 0.01 * (1 + 1e-12));
        }
        fixture_close(&f);
    }
}

// ---- a stop inside the last step ----

static int kinetic(void *user, double t, const double *x, double *dq) {
    (void)user, (void)t;
    dq[0] = x[1] * x[1];
    return 0;
}

// End a step earlier than it was taken, and go on from there with another velocity: as if it had
// ended there.
static void a_step_can_be_ended_earlier(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .quad_count = 1, .derivative = oscillate, .quadrature = kinetic};
        RbSolverOptions o = options_for(&all_methods[i], 1e-9);
        const double x0[] = {1, 0};
        RbSolver *s;
        RbStop stop = {0};
        ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
        while (stop.t < 1) ENSURE(rb_solver_step(s, 3, &stop) == RB_OK);
        double a, b, x[2], q;
        rb_solver_interval(s, &a, &b);
        double t = a + 0.375 * (b - a);
        ENSURE(rb_solver_interpolate(s, t, x) == RB_OK);
        x[1] = -x[1];
        ENSURE(rb_solver_restart(s, t, x) == RB_OK);
        ENSURE(rb_solver_quadrature(s, t, &q) == RB_OK);
        ENSURE_NEAR(q, t / 2 - sin(2 * t) / 4, 1e-6);        // integral of sin^2
        ENSURE(rb_solver_advance(s, 2 * t, &stop) == RB_OK); // runs back to the start
        ENSURE_NEAR(stop.x[0], 1, 1e-5);
        ENSURE_NEAR(stop.x[1], 0, 1e-5);
        ENSURE(rb_solver_quadrature(s, 2 * t, &q) == RB_OK);
        ENSURE_NEAR(q, t - sin(2 * t) / 2, 1e-5);
        fixture_close(&f);
    }
}

// Restitution 0.7: impact times are a geometric series, t_k = t_1 (1 + 2 (0.7 + 0.7^2 + ...)). The
// last bounces are below a micrometre, so heights are weighed against a millimetre: with a metre,
// BDF is off by 3e-7 s at the end.
static void a_bouncing_ball_bounces_in_time(void **state) {
    (void)state;
    const double restitution = 0.7;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 2, .root_count = 1, .derivative = fall, .roots = height};
        RbSolverOptions o = options_for(&all_methods[i], 1e-10);
        const double x0[] = {1, 0}, absolute[] = {1e-13, 1e-10}, relative[] = {0, 1e-10};
        o.absolute = absolute;
        o.relative = relative;
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
        double want = sqrt(2.0 / GRAVITY), flight = 2 * want;
        for (int k = 0; k < 20; k++) {
            do { // the ball starts below the ground by rounding: rising through it is not an impact
                ENSURE(rb_solver_advance(s, 10, &stop) == RB_OK && stop.why == RB_STOP_ROOT);
            } while (stop.roots[0] > 0);
            ENSURE_NEAR(stop.t, want, 1e-9);
            double x[2] = {stop.x[0], -restitution * stop.x[1]};
            ENSURE(rb_solver_restart(s, stop.t, x) == RB_OK);
            flight *= restitution;
            want += flight;
        }
        ENSURE(rb_solver_stats(s).restarts == 20);
        fixture_close(&f);
    }
}

// A temperature near 300 K rises by 1 mK/s: behind the root it is, to the last digit, still at the
// limit. Whoever does not restart there must get on all the same, and be told of the next root.
static int warm(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    dx[0] = (313.15 - x[0]) / 2000;
    return 0;
}

static int limits(void *user, double t, const double *x, double *z) {
    (void)user, (void)t;
    z[0] = x[0] - 291.15;
    z[1] = x[0] - 293.15;
    return 0;
}

static void a_slow_crossing_does_not_stop_the_run(void **state) {
    (void)state;
    for (int i = 0; i < METHOD_COUNT; i++) {
        Fixture f;
        fixture_open(&f);
        RbOde ode = {.n = 1, .root_count = 2, .derivative = warm, .roots = limits};
        RbSolverOptions o = options_for(&all_methods[i], 1e-8);
        const double x0[] = {290};
        RbSolver *s;
        RbStop stop;
        ENSURE(rb_solver_create(&ode, &o, 0, x0, &f.arena, &f.diag, &s) == RB_OK);
        int told[2] = {
            0}; // a root that is not followed by a restart may be told once more on the spot
        for (stop.why = RB_STOP_ROOT; stop.why != RB_STOP_END;) {
            ENSURE(rb_solver_advance(s, 1000, &stop) == RB_OK);
            for (int k = 0; k < 2 && stop.why == RB_STOP_ROOT; k++) {
                if (stop.roots[k] == 0) continue;
                told[k]++;
                ENSURE_NEAR(stop.t, 2000 * log(23.15 / (22 - 2 * k)),
                            1e-2); // 1e-8 of 300 K at 1e-2 K/s is 3e-4 s
            }
        }
        ENSURE(told[0] >= 1 && told[0] <= 2 && told[1] >= 1 && told[1] <= 2);
        ENSURE_NEAR(stop.x[0], 313.15 - 23.15 * exp(-0.5), 1e-4);
        fixture_close(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_ball_lands_in_time),
        cmocka_unit_test(event_times_converge_with_the_tolerance),
        cmocka_unit_test(simultaneous_roots_are_told_together),
        cmocka_unit_test(roots_that_start_at_zero_count_once_they_left_it),
        cmocka_unit_test(a_restart_opens_the_eyes_of_zero_indicators),
        cmocka_unit_test(nothing_is_evaluated_beyond_the_stop_time),
        cmocka_unit_test(a_step_of_one_rounding_can_be_looked_into),
        cmocka_unit_test(a_stop_time_behind_a_root_is_met),
        cmocka_unit_test(a_root_at_the_stop_time_is_told),
        cmocka_unit_test(the_largest_step_is_kept),
        cmocka_unit_test(a_step_can_be_ended_earlier),
        cmocka_unit_test(a_bouncing_ball_bounces_in_time),
        cmocka_unit_test(a_slow_crossing_does_not_stop_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
