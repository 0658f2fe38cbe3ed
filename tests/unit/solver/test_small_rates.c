// SPDX-License-Identifier: MIT
// Integrals of rates along the steps of small integrators, whole steps and parts of them.
#include "testing.h"

#include <math.h>

#include "solver/small.h"

// x follows cos t, pressed there by a stiff spring, as a body on a floor: x' = -k (x - cos t) - sin t.
// The rates: what the spring does on top of one, and the square of the place.
typedef struct Pressed {
    double k;
    double rates[2];
} Pressed;

static int pressed(void *user, double t, const double *x, double *dx) {
    Pressed *p = user;
    double force = -p->k * (x[0] - cos(t));
    dx[0] = force - sin(t);
    p->rates[0] = 1 + force;
    p->rates[1] = x[0] * x[0];
    return 0;
}

// Largest errors of both integrals at the ends of steps and in between.
static void follow(double k, RbSmallKind kind, double tolerance, double error[2]) {
    Fixture f;
    fixture_open(&f);
    Pressed p = {.k = k};
    RbSmallOde ode = {.n = 1, .user = &p, .derivative = pressed, .rates = p.rates, .rate_count = 2};
    RbSmallOptions o = rb_small_options();
    o.tolerance = tolerance;
    o.method = kind;
    RbSmall *s = rb_small_create(1, true, &f.arena);
    rb_small_open(s, &ode, &o);
    rb_small_start(s, 0, &(double){1}, kind, 1e-7);
    double q[2] = {0, 0};
    error[0] = error[1] = 0;
    while (rb_small_time(s) < 2) {
        double t0, t1;
        ENSURE(rb_small_step(s, 2, &f.diag) == RB_OK);
        rb_small_interval(s, &t0, &t1);
        const int parts = 3;
        for (int i = 0; i < parts; i++) {
            double from = t0 + (t1 - t0) * i / parts;
            double until = i == parts - 1 ? t1 : t0 + (t1 - t0) * (i + 1) / parts;
            ENSURE(rb_small_integrate(s, from, until, q) == 0);
            error[0] = fmax(error[0], fabs(q[0] - until));
            error[1] = fmax(error[1], fabs(q[1] - (until / 2 + sin(2 * until) / 4)));
        }
    }
    fixture_close(&f);
}

// In between the states are off by some tolerances, the force by k times as much: if it is taken there, the
// first integral is off by hundreds.
static void forces_of_a_stiff_step_are_those_without_fast_modes(void **state) {
    (void)state;
    double loose[2], tight[2];
    follow(1e6, RB_SMALL_STIFF, 1e-5, loose);
    follow(1e6, RB_SMALL_STIFF, 1e-7, tight);
    print_message("stiff: %.2g %.2g at 1e-5, %.2g %.2g at 1e-7\n", loose[0], loose[1], tight[0],
                  tight[1]);
    ENSURE(loose[0] < 0.1 && tight[0] < 0.05);
    ENSURE(loose[1] < 1e-2 && tight[1] < 1e-3);
}

static void explicit_steps_integrate_rates_as_states(void **state) {
    (void)state;
    double error[2];
    follow(1, RB_SMALL_EXPLICIT, 1e-7, error);
    ENSURE(error[0] < 1e-6 && error[1] < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_of_a_stiff_step_are_those_without_fast_modes),
        cmocka_unit_test(explicit_steps_integrate_rates_as_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
