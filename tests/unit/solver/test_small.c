// SPDX-License-Identifier: MIT
// The small integrators: order, stability, error control, switching, retaken steps. Facts from
// closed forms and from the theory of Runge-Kutta and Rosenbrock methods; CVODE at a tight
// tolerance as the oracle.
#include "problems.h"

#include <complex.h>

#include "solver/small.h"

static const RbSmallKind kinds[] = {RB_SMALL_EXPLICIT, RB_SMALL_STIFF};

static RbSmall *open_small(Fixture *f, const RbSmallOde *ode, RbSmallKind kind, double tolerance) {
    RbSmallOptions o = rb_small_options();
    o.tolerance = tolerance;
    o.method = kind;
    RbSmall *s = rb_small_create(ode->n, true, &f->arena);
    rb_small_open(s, ode, &o);
    return s;
}

static void go(Fixture *f, RbSmall *s, double t_end) {
    while (rb_small_time(s) < t_end) {
        RbStatus status = rb_small_step(s, t_end, &f->diag);
        if (status != RB_OK) print_error("%s", fixture_message(f, 0));
        ENSURE(status == RB_OK);
    }
}

// ---- order: nonlinear, coupled, with time in it: x = (exp(sin t), 1 / (1 + t), exp(sin t)) ----

static int mixed(void *user, double t, const double *x, double *dx) {
    (void)user;
    dx[0] = x[0] * cos(t);
    dx[1] = -x[1] * x[1] * x[0] / x[2];
    dx[2] = cos(t) * x[2] + 3 * sin(x[0] - x[2]) * x[1];
    return 0;
}

static void mixed_solution(double t, double *x) {
    x[0] = x[2] = exp(sin(t));
    x[1] = 1 / (1 + t);
}

static double distance(const double *x, const double *y, int n) {
    double d = 0;
    for (int i = 0; i < n; i++) d = fmax(d, fabs(x[i] - y[i]));
    return d;
}

typedef struct Errors {
    double end, inside;
} Errors;

// Fixed steps: the tolerance never objects.
static Errors fixed_step_errors(RbSmallKind kind, double h) {
    Fixture f;
    fixture_open(&f);
    RbSmallOde ode = {.n = 3, .derivative = mixed};
    RbSmallOptions o = rb_small_options();
    double loose[] = {1e6, 1e6, 1e6}, x[3], want[3];
    o.method = kind, o.absolute = loose, o.max_step = h, o.tolerance = 1e6;
    RbSmall *s = rb_small_create(3, true, &f.arena);
    rb_small_open(s, &ode, &o);
    mixed_solution(0, x);
    x[2] = x[0] + 0.0;
    rb_small_start(s, 0, x, RB_SMALL_AUTO, h);
    Errors e = {0};
    while (rb_small_time(s) < 2) {
        ENSURE(rb_small_step(s, 2, &f.diag) == RB_OK);
        double t0, t1;
        rb_small_interval(s, &t0, &t1);
        for (int k = 1; k < 6; k++) {
            double t = t0 + k * (t1 - t0) / 6;
            rb_small_interpolate(s, t, 0, 3, x);
            mixed_solution(t, want);
            e.inside = fmax(e.inside, distance(x, want, 3));
        }
    }
    mixed_solution(2, want);
    e.end = distance(rb_small_state(s), want, 3);
    fixture_close(&f);
    return e;
}

static void order_is_as_published(void **state) {
    (void)state;
    const double end[] = {5, 4}, inside[] = {5, 4}; // powers of h in the error
    for (int k = 0; k < 2; k++) {
        Errors a = fixed_step_errors(kinds[k], 1.0 / 32), b = fixed_step_errors(kinds[k], 1.0 / 64);
        ENSURE_NEAR(log2(a.end / b.end), end[k], 0.3);
        ENSURE_NEAR(log2(a.inside / b.inside), inside[k], 0.3);
        ENSURE(b.end < 1e-6 && b.inside < 1e-5);
    }
}

// x' = sum (i + 1) t^i, i = 0 ... degree: one step is exact if the order exceeds the degree.
static int polynomial(void *user, double t, const double *x, double *dx) {
    (void)x;
    int degree = *(int *)user;
    dx[0] = 0;
    for (int i = degree; i >= 0; i--) dx[0] = dx[0] * t + (i + 1);
    return 0;
}

static double one_step_of_polynomial(RbSmallKind kind, int degree, double at) {
    Fixture f;
    fixture_open(&f);
    RbSmallOde ode = {.n = 1, .user = &degree, .derivative = polynomial};
    RbSmall *s = open_small(&f, &ode, kind, 1e9);
    double x = 0, want = 0;
    rb_small_start(s, 0, &x, kind, 1);
    ENSURE(rb_small_step(s, 1, &f.diag) == RB_OK);
    ENSURE(rb_small_time(s) == 1);
    rb_small_interpolate(s, at, 0, 1, &x);
    for (int i = degree; i >= 0; i--) want = (want + 1) * at;
    fixture_close(&f);
    return fabs(x - want);
}

static void polynomials_are_exact(void **state) {
    (void)state;
    ENSURE_NEAR(one_step_of_polynomial(RB_SMALL_EXPLICIT, 4, 1), 0, 1e-14);
    ENSURE_NEAR(one_step_of_polynomial(RB_SMALL_EXPLICIT, 3, 0.4), 0, 1e-14);
    ENSURE(one_step_of_polynomial(RB_SMALL_EXPLICIT, 5, 1) > 1e-5);
    // df/dt is a difference quotient: half of the digits of its error, which enters with the second
    // order
    ENSURE_NEAR(one_step_of_polynomial(RB_SMALL_STIFF, 3, 1), 0, 1e-6);
    ENSURE_NEAR(one_step_of_polynomial(RB_SMALL_STIFF, 2, 0.4), 0, 1e-6);
    // its weights even integrate t^4: one degree more than the order asks for
    ENSURE_NEAR(one_step_of_polynomial(RB_SMALL_STIFF, 4, 1), 0, 1e-6);
    ENSURE(one_step_of_polynomial(RB_SMALL_STIFF, 5, 1) > 1e-5);
}

// ---- stability: one step of x' = z x, as two real equations ----

static int rotate(void *user, double t, const double *x, double *dx) {
    (void)t;
    const double *z = user;
    dx[0] = z[0] * x[0] - z[1] * x[1];
    dx[1] = z[1] * x[0] + z[0] * x[1];
    return 0;
}

static int rotate_jacobian(void *user, double t, const double *x, const double *dx, double *j) {
    (void)t, (void)x, (void)dx;
    const double *z = user;
    j[0] = j[3] = z[0];
    j[1] = z[1];
    j[2] = -z[1];
    return 0;
}

static double complex stability(RbSmallKind kind, double complex z) {
    Fixture f;
    fixture_open(&f);
    double parts[] = {creal(z), cimag(z)}, x[] = {1, 0};
    RbSmallOde ode = {2, parts, rotate, rotate_jacobian, true};
    RbSmall *s = open_small(&f, &ode, kind, 1e30);
    rb_small_start(s, 0, x, kind, 1);
    ENSURE(rb_small_step(s, 1, &f.diag) == RB_OK);
    double complex r = rb_small_state(s)[0] + I * rb_small_state(s)[1];
    fixture_close(&f);
    return r;
}

static void rosenbrock_is_l_stable(void **state) {
    (void)state;
    // A-stable: bounded on the imaginary axis, hence (no poles) in the left half plane
    for (double y = 1e-2; y < 1e6; y *= 1.3)
        ENSURE(cabs(stability(RB_SMALL_STIFF, I * y)) <= 1 + 1e-14);
    for (double angle = M_PI / 2; angle <= M_PI; angle += M_PI / 32) {
        for (double r = 0.1; r < 1e5; r *= 3)
            ENSURE(cabs(stability(RB_SMALL_STIFF, r * cexp(I * angle))) <= 1 + 1e-14);
    }
    // and it forgets what is infinitely fast: R(z) = O(1 / z)
    ENSURE(cabs(stability(RB_SMALL_STIFF, -1e4)) < 1e-3 &&
           cabs(stability(RB_SMALL_STIFF, -1e8)) < 1e-7);
    // R(z) = exp(z) + O(z^5)
    double complex z = 0.02 * cexp(2 * I);
    ENSURE(cabs(stability(RB_SMALL_STIFF, z) - cexp(z)) < 0.1 * pow(cabs(z), 5));
}

// Dormand-Prince: R(z) = sum z^k / k!, k = 0 ... 5, + z^6 / 600.
static void explicit_stability_function(void **state) {
    (void)state;
    const double complex zs[] = {-1, -3.2, 1 + I, -2 + 2.5 * I};
    for (int i = 0; i < 4; i++) {
        double complex z = zs[i], r = 1 +
                                      z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4 * (1 + z / 5)))) +
                                      cpow(z, 6) / 600;
        ENSURE_NEAR(cabs(stability(RB_SMALL_EXPLICIT, z) - r), 0, 1e-12);
    }
}

// Prothero and Robinson: x' = -k (x - cos t) - sin t, x = cos t. An L-stable stiffly accurate
// method strides through.
static int prothero(void *user, double t, const double *x, double *dx) {
    dx[0] = -*(double *)user * (x[0] - cos(t)) - sin(t);
    return 0;
}

static void stiff_step_does_not_see_the_fast_mode(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double k = 1e8, x = 1;
    RbSmallOde ode = {.n = 1, .user = &k, .derivative = prothero};
    RbSmall *s = open_small(&f, &ode, RB_SMALL_AUTO, 1e-6);
    rb_small_start(s, 0, &x, RB_SMALL_STIFF, 0);
    go(&f, s, 10);
    ENSURE_NEAR(rb_small_state(s)[0], cos(10), 1e-6);
    ENSURE(rb_small_stats(s).steps < 200 &&
           rb_small_stats(s).stiff_steps == rb_small_stats(s).steps);
    x = 2; // beside the slow solution: the fast transient dies at once
    rb_small_start(s, 0, &x, RB_SMALL_STIFF, 0);
    go(&f, s, 1);
    ENSURE_NEAR(rb_small_state(s)[0], cos(1), 1e-6);
    fixture_close(&f);
}

// ---- against CVODE at a tight tolerance ----

static void oracle(const RbOde *ode, double t_end, const double *x0, double tolerance,
                   const double *absolute, double *x) {
    Fixture f;
    fixture_open(&f);
    RbSolverOptions o = rb_solver_options();
    o.tolerance = tolerance;
    o.absolute = absolute;
    o.max_steps = 10000000;
    RbSolver *solver = run(&f, ode, &o, x0, t_end);
    memcpy(x, rb_solver_state(solver), (size_t)ode->n * sizeof(double));
    fixture_close(&f);
}

static void robertson_agrees_with_cvode(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double x0[] = {1, 0, 0}, tight[] = {1e-13, 1e-18, 1e-13},
                 absolute[] = {1e-8, 1e-12, 1e-8};
    double want[3];
    RbOde reference = {.n = 3, .derivative = robertson, .jacobian = robertson_jacobian};
    RbSmallOde ode = {
        .n = 3, .derivative = robertson, .jacobian = robertson_jacobian, .autonomous = true};
    RbSmall *s = rb_small_create(3, true, &f.arena);
    RbSmallOptions o = rb_small_options();
    o.tolerance = 1e-7, o.absolute = absolute;
    for (int quotients = 0; quotients < 2; quotients++) {
        if (quotients) ode.jacobian = NULL;
        rb_small_open(s, &ode, &o);
        for (double t_end = 40; t_end < 1e6; t_end *= 100) {
            oracle(&reference, t_end, x0, 1e-12, tight, want);
            rb_small_start(s, 0, x0, RB_SMALL_AUTO, 0);
            go(&f, s, t_end);
            const double *x = rb_small_state(s);
            for (int i = 0; i < 3; i++) ENSURE_NEAR(x[i] / want[i], 1, 2e-6);
            ENSURE_NEAR(x[0] + x[1] + x[2], 1, 1e-11); // mass: linear, kept to rounding
        }
        ENSURE(rb_small_stats(s).steps < 1500);
    }
    fixture_close(&f);
}

static void van_der_pol_agrees_with_cvode(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double x0[] = {2, 0};
    const double mus[] = {1, 30, 1000},
                 ends[] = {20, 60, 1500}; // the last two after one quick turn, in the slow phase
    for (int k = 0; k < 3; k++) {
        double mu = mus[k], want[2];
        RbOde reference = {.n = 2, .derivative = van_der_pol, .user = &mu};
        oracle(&reference, ends[k], x0, 1e-12, NULL, want);
        RbSmallOde ode = {.n = 2, .derivative = van_der_pol, .user = &mu, .autonomous = true};
        RbSmall *s = open_small(&f, &ode, RB_SMALL_AUTO, 1e-8);
        rb_small_start(s, 0, x0, RB_SMALL_AUTO, 0);
        go(&f, s, ends[k]);
        RbSmallStats stats = rb_small_stats(s);
        ENSURE_NEAR(rb_small_state(s)[0], want[0], 2e-5);
        ENSURE_NEAR(rb_small_state(s)[1], want[1], 2e-5);
        ENSURE(stats.steps < 8000);
        if (k == 0) ENSURE(stats.switches == 0);
        if (k == 2) ENSURE(stats.stiff_steps > 0 && stats.switches >= 1 && stats.switches < 20);
    }
    fixture_close(&f);
}

// ---- error control ----

static double oscillator_error(RbSmallKind kind, double tolerance) {
    Fixture f;
    fixture_open(&f);
    const double x0[] = {1, 0};
    RbSmallOde ode = {.n = 2, .derivative = oscillate, .autonomous = true};
    RbSmall *s = open_small(&f, &ode, kind, tolerance);
    rb_small_start(s, 0, x0, kind, 0);
    go(&f, s, 10);
    double error = hypot(rb_small_state(s)[0] - cos(10), rb_small_state(s)[1] + sin(10));
    fixture_close(&f);
    return error;
}

// Per step the tolerance is an upper bound; over ten radians the sum of the errors stays within two
// orders of magnitude of it, on both sides: neither careless nor wasteful.
static void achieved_error_follows_the_tolerance(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        double last = 1;
        for (double tolerance = 1e-3; tolerance > 0.5e-11; tolerance /= 10) {
            double error = oscillator_error(kinds[k], tolerance);
            if (!(error < 100 * tolerance && error > 0.01 * tolerance && error < last)) {
                print_error("method %d, tolerance %g: error %g\n", k, tolerance, error);
                fail();
            }
            last = error;
        }
    }
}

// Absolute tolerances per state: what counts little is integrated with less effort.
static void tolerances_are_per_state(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double x0[] = {1, 0}, zero[] = {0, 0}, loose[] = {1e-3, 1e-3}, tight[] = {1e-10, 1e-10};
    RbSmallOde ode = {.n = 2, .derivative = oscillate, .autonomous = true};
    long steps[2];
    for (int k = 0; k < 2; k++) {
        RbSmallOptions o = rb_small_options();
        o.relative = zero;
        o.absolute = k == 0 ? loose : tight;
        RbSmall *s = rb_small_create(2, true, &f.arena);
        rb_small_open(s, &ode, &o);
        rb_small_start(s, 0, x0, RB_SMALL_AUTO, 0);
        go(&f, s, 10);
        steps[k] = rb_small_stats(s).steps;
        ENSURE_NEAR(rb_small_state(s)[0], cos(10), 100 * o.absolute[0]);
    }
    ENSURE(steps[1] > 5 * steps[0]); // 1e7 ^ (1/5) = 25 times as many, less the start
    fixture_close(&f);
}

// ---- switching ----

// Stiff before t = 1, not stiff after t = 2, in between it fades: x follows cos t while k is large,
// then rests.
static int fading(void *user, double t, const double *x, double *dx) {
    (void)user;
    double k = 1e5 / (1 + exp(40 * (t - 1.5)));
    dx[0] = -k * (x[0] - cos(t));
    dx[1] = x[2];
    dx[2] = -100 * x[1];
    return 0;
}

static void methods_switch_both_ways(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double x0[] = {1, 0, 0.0};
    double want[3];
    RbOde reference = {.n = 3, .derivative = fading};
    oracle(&reference, 4, x0, 1e-12, NULL, want);
    RbSmallOde ode = {.n = 3, .derivative = fading};
    RbSmall *s = open_small(&f, &ode, RB_SMALL_AUTO, 1e-6);
    rb_small_start(s, 0, x0, RB_SMALL_AUTO, 0);
    go(&f, s, 1);
    ENSURE(rb_small_kind(s) == RB_SMALL_STIFF);
    go(&f, s, 4);
    ENSURE_NEAR(rb_small_state(s)[0], want[0], 1e-4);
    RbSmallStats stats = rb_small_stats(s);
    ENSURE(stats.switches <= 3 && stats.steps < 400);
    fixture_close(&f);
}

// Where a stiff step replaces one or two explicit ones it depends on what its Jacobian costs which of them are cheaper.
static int prothero_jacobian(void *user, double t, const double *x, const double *dx,
                             double *values) {
    (void)t, (void)x, (void)dx;
    values[0] = -*(double *)user;
    return 0;
}

static void dear_jacobians_are_avoided(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double k = 180, x = 1, work[2]; // [1/s]
    for (int i = 0; i < 2; i++) {
        double cost = 14;
        RbSmallOde ode = {.n = 1,
                          .user = &k,
                          .derivative = prothero,
                          .jacobian = prothero_jacobian,
                          .jacobian_cost = i ? cost : 0};
        RbSmall *s = open_small(&f, &ode, RB_SMALL_AUTO, 1e-6);
        rb_small_start(s, 0, &x, RB_SMALL_STIFF, 0);
        go(&f, s, 20);
        ENSURE_NEAR(rb_small_state(s)[0], cos(20), 1e-5);
        RbSmallStats stats = rb_small_stats(s);
        work[i] = (double)stats.derivatives + cost * (double)stats.jacobians;
    }
    ENSURE(work[1] < 0.7 * work[0]);
    fixture_close(&f);
}

// A decay that is stiff for ever: found quickly, and then left to the stiff method.
static void stiffness_is_found(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double x0[] = {2, 1};
    RbSmallOde ode = {.n = 2, .derivative = stiff_linear, .autonomous = true};
    RbSmall *s = open_small(&f, &ode, RB_SMALL_AUTO, 1e-6);
    rb_small_start(s, 0, x0, RB_SMALL_AUTO, 0);
    go(&f, s, 10);
    RbSmallStats stats = rb_small_stats(s);
    ENSURE(stats.switches == 1 && stats.steps - stats.stiff_steps < 60 && stats.steps < 200);
    ENSURE_NEAR(rb_small_state(s)[0], 1.5 * exp(-10), 1e-5);
    fixture_close(&f);
}

// A weakly damped oscillator that must be followed is not stiff, however fast it is.
static int fast(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    dx[0] = x[1];
    dx[1] = -1e8 * x[0] - 20 * x[1];
    return 0;
}

static void a_fast_oscillation_is_not_stiff(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double x0[] = {0, 1}, absolute[] = {1e-11, 1e-7};
    RbSmallOde ode = {.n = 2, .derivative = fast, .autonomous = true};
    RbSmallOptions o = rb_small_options();
    o.tolerance = 1e-7, o.absolute = absolute;
    RbSmall *s = rb_small_create(2, true, &f.arena);
    rb_small_open(s, &ode, &o);
    rb_small_start(s, 0, x0, RB_SMALL_AUTO, 0);
    go(&f, s, 0.01);
    ENSURE(rb_small_stats(s).switches == 0);
    rb_small_start(s, 0, x0, RB_SMALL_STIFF, 0); // started with the wrong method: it finds back
    go(&f, s, 0.01);
    ENSURE(rb_small_kind(s) == RB_SMALL_EXPLICIT && rb_small_stats(s).switches == 1);
    double w = sqrt(1e8 - 100), want = exp(-10 * 0.01) * sin(w * 0.01) / w;
    ENSURE_NEAR(rb_small_state(s)[0], want, 1e-9);
    fixture_close(&f);
}

// ---- steps taken again ----

// The zero of cos t, found by Newton with steps taken again, is as exact as the end of a step: at a
// loose tolerance it is off by far less than the dense output.
static void retaken_steps_have_full_order(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        const double x0[] = {1, 0};
        RbSmallOde ode = {.n = 2, .derivative = oscillate, .autonomous = true};
        RbSmall *s = open_small(&f, &ode, kinds[k], 1e-7);
        rb_small_start(s, 0, x0, kinds[k], 0);
        while (rb_small_state(s)[0] > 0) ENSURE(rb_small_step(s, 10, &f.diag) == RB_OK);
        double t = rb_small_time(s);
        for (int i = 0; i < 5; i++) {
            t -= rb_small_state(s)[0] / rb_small_state(s)[1];
            ENSURE(rb_small_retake(s, t, &f.diag) == RB_OK);
        }
        ENSURE_NEAR(rb_small_state(s)[0], 0, 1e-15);
        ENSURE_NEAR(t, M_PI / 2, 2e-7);
        ENSURE_NEAR(rb_small_state(s)[1], -1, 5e-7);
        fixture_close(&f);
    }
}

static void a_retaken_step_is_the_step_that_would_have_been_taken(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        double x0[3], whole[3], half[3], t0, t1;
        mixed_solution(0, x0);
        RbSmallOde ode = {.n = 3, .derivative = mixed};
        RbSmall *s = open_small(&f, &ode, kinds[k], 1e-5),
                *other = open_small(&f, &ode, kinds[k], 1e-5);
        rb_small_start(s, 0, x0, kinds[k], 0);
        for (int i = 0; i < 7; i++) ENSURE(rb_small_step(s, 10, &f.diag) == RB_OK);
        rb_small_interval(s, &t0, &t1);
        memcpy(whole, rb_small_state(s), sizeof whole);
        double middle = 0.5 * (t0 + t1);
        rb_small_interpolate(s, t0, 0, 3, x0);
        ENSURE(rb_small_retake(s, middle, &f.diag) == RB_OK);
        memcpy(half, rb_small_state(s), sizeof half);
        ENSURE(rb_small_time(s) == middle);
        ENSURE(rb_small_retake(s, t1, &f.diag) == RB_OK); // and back: the same bits
        ENSURE(memcmp(whole, rb_small_state(s), sizeof whole) == 0);
        rb_small_start(other, t0, x0, kinds[k], 1);
        ENSURE(rb_small_step(other, middle, &f.diag) == RB_OK);
        // df/dt is a quotient over a distance that depends on the step, so the last digits of the
        // stiff method may differ
        ENSURE_NEAR(distance(half, rb_small_state(other), 3), 0, k == 0 ? 0 : 1e-10);
        fixture_close(&f);
    }
}

// ---- determinism, memory, failures ----

static void a_second_start_gives_the_same_bits(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    double mu = 50;
    const double x0[] = {2, 0};
    RbSmallOde ode = {.n = 2, .derivative = van_der_pol, .user = &mu};
    RbSmall *a = open_small(&f, &ode, RB_SMALL_AUTO, 1e-6),
            *b = open_small(&f, &ode, RB_SMALL_AUTO, 1e-6);
    double first[2];
    rb_small_start(a, 0, x0, RB_SMALL_AUTO, 0);
    size_t calls = f.heap.calls;
    go(&f, a, 60);
    go(&f, a, 100);
    memcpy(first, rb_small_state(a), sizeof first);
    rb_small_start(b, 0, x0, RB_SMALL_AUTO, 0);
    go(&f, b, 60);
    go(&f, b, 100);
    ENSURE(memcmp(first, rb_small_state(b), sizeof first) == 0);
    ENSURE(f.heap.calls == calls);
    fixture_close(&f);
}

static int explode(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    dx[0] = x[0] * x[0]; // x = 1 / (1 - t)
    return 0;
}

static int root(void *user, double t, const double *x, double *dx) {
    (void)user, (void)t;
    if (x[0] < 0) return 1;
    dx[0] = -sqrt(x[0]); // x = (1 - t / 2)^2 until t = 2, then it would have to stay at 0
    return 0;
}

static int give_up(void *user, double t, const double *x, double *dx) {
    (void)user, (void)x;
    dx[0] = 1;
    return t > 0.5 ? -1 : 0;
}

static const char *name_of_state(void *user, int index) {
    (void)user;
    return index == 0 ? "height" : "?";
}

static RbStatus run_until_failure(Fixture *f, RbSmall *s, double t_end) {
    RbStatus status = RB_OK;
    for (long i = 0; i < 100000 && status == RB_OK && rb_small_time(s) < t_end; i++) {
        status = rb_small_step(s, t_end, &f->diag);
    }
    return status;
}

static void failures_are_reported(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Fixture f;
        fixture_open(&f);
        double one = 1;
        RbSmallOde ode = {.n = 1, .derivative = explode, .state_name = name_of_state};
        RbSmall *s = open_small(&f, &ode, kinds[k], 1e-6);
        rb_small_start(s, 0, &one, kinds[k], 0);
        ENSURE(run_until_failure(&f, s, 2) == RB_ERROR_SOLVER);
        ENSURE_NEAR(rb_small_time(s), 1, 1e-4);
        ENSURE(strstr(fixture_message(&f, 0), "became too small"));
        ENSURE(strstr(fixture_message(&f, 0), "with the largest error in 'height': the solution"));
        assert_int_equal(rb_small_worst_state(s), 0);

        ode.derivative = give_up;
        rb_small_open(s, &ode,
                      &(RbSmallOptions){.tolerance = 1e-6, .method = kinds[k], .max_step = 0.1});
        rb_small_start(s, 0, &one, kinds[k], 0);
        ENSURE(run_until_failure(&f, s, 2) == RB_ERROR_SOLVER);
        ENSURE(rb_small_time(s) <= 0.5 && rb_small_time(s) > 0.35);
        ENSURE_NEAR(rb_small_state(s)[0], 1 + rb_small_time(s), 1e-12); // state before the step

        ode.derivative = root;
        rb_small_open(s, &ode, &(RbSmallOptions){.tolerance = 1e-6, .method = kinds[k]});
        rb_small_start(s, 0, &one, kinds[k], 0);
        ENSURE(run_until_failure(&f, s, 1.99) ==
               RB_OK); // smaller steps near the border of the domain
        ENSURE_NEAR(rb_small_state(s)[0], 0.25 * 0.01 * 0.01, 1e-6);
        fixture_close(&f);
    }
}

static void nothing_moves_in_an_equilibrium(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    const double rest[] = {0, 0};
    RbSmallOde ode = {.n = 2, .derivative = oscillate, .autonomous = true};
    RbSmall *s = open_small(&f, &ode, RB_SMALL_AUTO, 1e-6);
    rb_small_start(s, 0, rest, RB_SMALL_AUTO, 0);
    go(&f, s, 1e6);
    ENSURE(rb_small_state(s)[0] == 0 && rb_small_stats(s).steps == 1);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_is_as_published),
        cmocka_unit_test(polynomials_are_exact),
        cmocka_unit_test(rosenbrock_is_l_stable),
        cmocka_unit_test(explicit_stability_function),
        cmocka_unit_test(stiff_step_does_not_see_the_fast_mode),
        cmocka_unit_test(robertson_agrees_with_cvode),
        cmocka_unit_test(van_der_pol_agrees_with_cvode),
        cmocka_unit_test(achieved_error_follows_the_tolerance),
        cmocka_unit_test(tolerances_are_per_state),
        cmocka_unit_test(methods_switch_both_ways),
        cmocka_unit_test(dear_jacobians_are_avoided),
        cmocka_unit_test(stiffness_is_found),
        cmocka_unit_test(a_fast_oscillation_is_not_stiff),
        cmocka_unit_test(retaken_steps_have_full_order),
        cmocka_unit_test(a_retaken_step_is_the_step_that_would_have_been_taken),
        cmocka_unit_test(a_second_start_gives_the_same_bits),
        cmocka_unit_test(failures_are_reported),
        cmocka_unit_test(nothing_moves_in_an_equilibrium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
