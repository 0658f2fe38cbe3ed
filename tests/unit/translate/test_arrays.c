// SPDX-License-Identifier: MIT
// Arrays that stay whole (docs/theory/dae.md, section 11): sizes that change after translation and
// before a run, against closed forms; and what is said where that is not possible.
#include <stdlib.h>
#include <string.h>

#include "expr/print.h"
#include "translate/run_model.h"

static void set_array(Run *r, const char *name, int rank, int rows, int columns,
                      const double *values) {
    RbStatus status =
        rb_model_override_array(r->model, name, rank, (int[]){rows, columns}, values, &r->f.diag);
    if (status != RB_OK) model_messages(r);
    ENSURE(status == RB_OK);
}

static void set(Run *r, const char *name, double value) {
    RbStatus status = rb_model_override(r->model, name, value, &r->f.diag);
    if (status != RB_OK) model_messages(r);
    ENSURE(status == RB_OK);
}

static const char *last_message(Run *r) {
    int count = r->f.diag.messages.count;
    return count > 0 ? r->f.diag.messages.data[count - 1].text : "";
}

static void ensure_message(Run *r, const char *part) {
    if (!strstr(last_message(r), part)) print_error("'%s' is not in '%s'\n", part, last_message(r));
    ENSURE(strstr(last_message(r), part) != NULL);
}

// One translation, two states and then three. With ones below a diagonal of minus ones the matrix
// exponential is exp(-t) times t^(i-j)/(i-j)!.
static void linear_ode(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.LinearOde");
    model_go(&r);
    ENSURE(r.summary.states == 2);
    ENSURE_NEAR(model_last(&r, "x[1]"), cos(2), 1e-8);
    ENSURE_NEAR(model_last(&r, "x[2]"), -2 * sin(2), 1e-8);
    set_array(&r, "A", 2, 3, 3, (double[]){-1, 0, 0, 1, -1, 0, 0, 1, -1});
    set_array(&r, "x0", 1, 3, 0, (double[]){1, 0, 2});
    model_go(&r);
    ENSURE(r.summary.states == 3);
    ENSURE_NEAR(model_last(&r, "x[1]"), exp(-1), 1e-8);
    ENSURE_NEAR(model_last(&r, "x[2]"), exp(-1), 1e-8);
    ENSURE_NEAR(model_last(&r, "x[3]"), exp(-1) / 2 + 2 * exp(-1), 1e-8);
    ENSURE_NEAR(model_last(&r, "der(x[3])"), model_last(&r, "x[2]") - model_last(&r, "x[3]"),
                1e-14);
    ENSURE(model_last(&r, "A[3,2]") == 1);
    run_close(&r);
}

// Start values by the name of the variable, as chapter 9 sets them; and back to one state.
static void start_values(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.LinearOde");
    set_array(&r, "A", 2, 3, 3, (double[]){-1, 0, 0, 0, -2, 0, 0, 0, -3});
    set_array(&r, "x", 1, 3, 0, (double[]){1.1, 2.1, 3.1});
    set(&r, "x[2]", 7);
    set(&r, "A[3,3]", -4);
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "x[1]"), 1.1 * exp(-1), 1e-8);
    ENSURE_NEAR(model_last(&r, "x[2]"), 7 * exp(-2), 1e-8);
    ENSURE_NEAR(model_last(&r, "x[3]"), 3.1 * exp(-4), 1e-8);
    run_close(&r);
    model_open(&r, "Arrays.mo", "Arrays.LinearOde");
    set_array(&r, "A", 2, 1, 1, (double[]){-3});
    set_array(&r, "x0", 1, 1, 0, (double[]){2});
    model_go(&r);
    ENSURE(r.summary.states == 1);
    ENSURE_NEAR(model_last(&r, "x[1]"), 2 * exp(-3), 1e-8);
    run_close(&r);
}

// The models of chapter 9 of seed 003. v = f/m t; what is written by elements keeps its size; and
// of a fixed and a free size only the free one changes.
static void chapter_9(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Newton");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "v[2]"), 1.5, 1e-9);
    set_array(&r, "f", 1, 4, 0, (double[]){2, 3, 4, 5});
    model_go(&r);
    ENSURE(r.summary.states == 4);
    ENSURE_NEAR(model_last(&r, "v[1]"), 1, 1e-9);
    ENSURE_NEAR(model_last(&r, "v[4]"), 2.5, 1e-9);
    run_close(&r);

    model_open(&r, "Arrays.mo", "Arrays.NewtonByElements");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "w[1]"), 1, 1e-9);
    ENSURE_NEAR(model_last(&r, "w[2]"), 1.5, 1e-9);
    ENSURE(rb_model_override(r.model, "n", 3, &r.f.diag) == RB_ERROR_USAGE);
    ensure_message(&r, "'n' cannot be changed after translation: it decides the size of 'w', and "
                       "its elements have equations of their own (");
    ensure_message(&r, "Arrays.mo:");
    run_close(&r);

    model_open(&r, "Arrays.mo", "Arrays.LinearOdes");
    model_go(&r);
    for (int i = 1; i <= 2; i++) {
        double y = i * exp(-2 * i);
        ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "y1[%d]", i)), y, 1e-8);
        ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "y2[%d]", i)), y, 1e-8);
    }
    set_array(&r, "A2", 2, 3, 3, (double[]){-1, 0, 0, 0, -2, 0, 0, 0, -3});
    set_array(&r, "y2", 1, 3, 0, (double[]){1.1, 2.1, 3.1});
    model_go(&r);
    ENSURE(r.summary.states == 5);
    ENSURE_NEAR(model_last(&r, "y1[2]"), 2 * exp(-4), 1e-8);
    for (int i = 1; i <= 3; i++)
        ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "y2[%d]", i)),
                    (i + 0.1) * exp(-2 * i), 1e-8);
    ENSURE(rb_model_override_array(r.model, "A1", 2, (int[]){3, 3}, (double[9]){0}, &r.f.diag) ==
           RB_ERROR_USAGE);
    ensure_message(&r, "the size of 'A1' is [2,2] and cannot become [3,3] after translation");
    run_close(&r);
}

// The slowest mode sin(pi (i - 1/2)/n) of n cells decays with 4 k sin(pi/2n)^2.
static void cool(const char *class) {
    const double pi = 3.14159265358979323846, k = 0.5, t = 2;
    Run r;
    model_open(&r, "Arrays.mo", class);
    for (int n = 5; n <= 8; n += 3) {
        set(&r, "n", n);
        model_go(&r);
        ENSURE(r.summary.states == n);
        double decay = exp(-4 * k * pow(sin(pi / (2 * n)), 2) * t), sum = 0;
        for (int i = 1; i <= n; i++) {
            char name[16];
            snprintf(name, sizeof name, "T[%d]", i);
            double T = sin(pi * (i - 0.5) / n) * decay;
            ENSURE_NEAR(model_last(&r, name), T, 1e-8);
            sum += T;
        }
        ENSURE_NEAR(model_last(&r, "mean"), sum / n, 1e-8);
    }
    run_close(&r);
}

// As a matrix, with slices, in pieces, and with a loop.
static void rods(void **state) {
    (void)state;
    cool("Arrays.Rod");
    cool("Arrays.RodSlices");
    cool("Arrays.RodPieces");
    cool("Arrays.RodLoop");
}

// Inputs, outputs and initial equations: the step response of a chain of first-order elements is 1
// - exp(-t) sum over k of t^k/k!.
static void state_space(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.StateSpace");
    model_go(&r);
    ENSURE(r.summary.states == 2);
    ENSURE_NEAR(model_last(&r, "y[1]"), 1 - 2 * exp(-1), 1e-8);
    set_array(&r, "A", 2, 3, 3, (double[]){-1, 0, 0, 1, -1, 0, 0, 1, -1});
    set_array(&r, "B", 2, 3, 2, (double[]){1, 0, 0, 0, 0, 0});
    set_array(&r, "C", 2, 2, 3, (double[]){0, 0, 1, 1, 0, 0});
    set_array(&r, "u", 1, 2, 0, (double[]){2, 5});
    set(&r, "D[2,2]", 0.25);
    model_go(&r);
    ENSURE(r.summary.states == 3);
    ENSURE_NEAR(model_last(&r, "y[1]"), 2 * (1 - 2.5 * exp(-1)), 1e-8);
    ENSURE_NEAR(model_last(&r, "y[2]"), 2 * (1 - exp(-1)) + 0.25 * 5, 1e-8);
    ENSURE(model_last(&r, "u[2]") == 5);
    run_close(&r);
}

static void mixed(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Mixed");
    for (int n = 3; n <= 6; n += 3) {
        set(&r, "n", n);
        set(&r, "z[1]", 2);
        r.options.tolerance = 1e-10;
        model_go(&r);
        ENSURE(r.summary.states == n + 2);
        double x = 4 - 3 * exp(-0.5); // x' = -x/2 + 2
        ENSURE_NEAR(model_last(&r, "x[3]"), x, 1e-8);
        ENSURE_NEAR(model_last(&r, "y[3]"), 2 * x - 1, 1e-8);
        ENSURE_NEAR(model_last(&r, "total"), n * x, 1e-7);
        ENSURE_NEAR(model_last(&r, "square"), n * x * x, 1e-7);
    }
    run_close(&r);
}

// sum(x) = n exp(-t) falls below n/2 at t = log 2.
static void events(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Events");
    for (int n = 3; n <= 4; n++) {
        set(&r, "n", n);
        model_go(&r);
        ENSURE_NEAR(model_last(&r, "crossed"), log(2), 1e-8);
        ENSURE_NEAR(model_last(&r, "s"), -n / 2.0 + 2 - log(2), 1e-8);
        ENSURE_NEAR(model_last(&r, "x[2]"), 0.5 * exp(-2 * (2 - log(2))), 1e-8);
    }
    run_close(&r);
}

// Step response at t = 1 of a chain of n elements x' = u - x.
static double chain(int n) {
    double term = 1, sum = 0;
    for (int k = 0; k < n; term /= ++k) sum += term;
    return 1 - exp(-1) * sum;
}

static const double lags3[] = {-1, 0, 0, 1, -1, 0, 0, 1, -1};

// Connected blocks: states, and signals between them, in other numbers.
static void series(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Series");
    model_go(&r);
    ENSURE(r.summary.states == 4);
    ENSURE_NEAR(model_last(&r, "y[1]"), chain(4), 1e-8);
    set_array(&r, "a.A", 2, 3, 3, lags3);
    set_array(&r, "a.B", 2, 3, 1, (double[]){1, 0, 0});
    set_array(&r, "a.C", 2, 2, 3, (double[]){0, 0, 1, 0, 1, 0}); // the third and the second
    set_array(&r, "b.B", 2, 2, 2, (double[]){1, 0, 0, 1});
    set_array(&r, "b.C", 2, 2, 2, (double[]){0, 1, 1, 0});
    model_go(&r);
    ENSURE(r.summary.states == 5);
    // the chain of five, and the second element once more behind a single lag
    ENSURE_NEAR(model_last(&r, "y[1]"), chain(5) + chain(3), 1e-8);
    ENSURE_NEAR(model_last(&r, "y[2]"), chain(4), 1e-8);
    set_array(&r, "b.B", 2, 2, 1, (double[]){1, 0});
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ensure_message(&r, "'b.u' and 'a.y' are equal, but their sizes are not: ");
    ensure_message(&r, "'b.u' is [1]");
    ensure_message(&r, "'a.y' is [2]");
    run_close(&r);
}

// u = 1 - yb, ya = Ca xa + Da u, yb = Cb xb + Db ya: without states of a (C = 0) and with Db = 0
// for them u = 1 - xb, xb' = -2 xb + Da u; more signals are as many copies of this loop.
static void feedback(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Feedback");
    for (int n = 1; n <= 3; n++) {
        double zero[9] = {0}, half[9] = {0}, one[9] = {0}, minus[9] = {0}, three[9] = {0};
        for (int i = 0; i < n; i++) {
            half[i * n + i] = 0.5;
            one[i * n + i] = 1;
            minus[i * n + i] = -2;
            three[i * n + i] = 3 * (i < 2);
        }
        set_array(&r, "a.A", 2, n, n, minus);
        set_array(&r, "a.B", 2, n, n, one);
        set_array(&r, "a.C", 2, n, n, zero);
        set_array(&r, "a.D", 2, n, n, half);
        set_array(&r, "b.A", 2, n, n, minus);
        set_array(&r, "b.B", 2, n, n, one);
        set_array(&r, "b.C", 2, n, n, one);
        set_array(&r, "b.D", 2, n, n, three);
        model_go(&r);
        ENSURE(r.summary.states == 2 * n);
        // u = (1 - xb)/(1 + d/2), xb' = -2 xb + u/2, so xb' = k - (2 + k) xb with k = 1/(2 + d)
        for (int i = 0; i < n; i++) {
            double d = 3 * (i < 2), k = 1 / (2 + d), x = k / (2 + k) * (1 - exp(-2 - k));
            ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "b.x[%d]", i + 1)), x, 1e-8);
            ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "a.u[%d]", i + 1)),
                        (1 - x) / (1 + d / 2), 1e-8);
        }
    }
    run_close(&r);
    model_open(&r, "Arrays.mo", "Arrays.Contradiction");
    ENSURE(run_go(&r) == RB_ERROR_INIT);
    ensure_message(&r, "the equations contradict each other");
    run_close(&r);
}

// Potentials and flows of whole arrays: v' = -v/R; nothing flows through what is not connected.
static void phases(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Phases");
    for (int m = 3; m <= 5; m += 2) {
        set(&r, "m", m);
        if (m == 5) set(&r, "r.R[5]", 0.5);
        model_go(&r);
        ENSURE(r.summary.states == m);
        ENSURE_NEAR(model_last(&r, "c.v[2]"), exp(-0.5), 1e-8);
        ENSURE_NEAR(model_last(&r, "g.p.i[3]"), 0, 1e-14);
        ENSURE(model_last(&r, "open.p.i[1]") == 0);
        ENSURE_NEAR(model_last(&r, "open.p.v[1]"), exp(-0.5), 1e-8);
    }
    ENSURE_NEAR(model_last(&r, "c.v[5]"), exp(-2), 1e-8);
    run_close(&r);
}

// A start at rest is a linear system for the whole vector: A x = -4.
static void steady_state(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.SteadyState");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "x[1]"), 2.5, 1e-12);
    ENSURE_NEAR(model_last(&r, "x[2]"), 1, 1e-12);
    set(&r, "n", 3);
    set_array(&r, "A", 2, 3, 3, (double[]){-2, 0, 0, 1, -2, 0, 0, 1, -2});
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "x[1]"), 2, 1e-12);
    ENSURE_NEAR(model_last(&r, "x[2]"), 3, 1e-12);
    ENSURE_NEAR(model_last(&r, "x[3]"), 3.5, 1e-12);
    set_array(&r, "A", 2, 3, 3, (double[]){1, 2, 3, 2, 4, 6, 0, 0, 1});
    ENSURE(run_go(&r) == RB_ERROR_INIT);
    ensure_message(&r, "the matrix of linear equations is singular");
    run_close(&r);
}

// Two oscillators of 2 and 3 rad/s, then three that M and K couple: in the modes e_i of M = K = a
// common matrix times 1 and 4 all swing with 2 rad/s.
static void masses(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Masses");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "q[1]"), cos(2), 1e-8);
    ENSURE_NEAR(model_last(&r, "q[2]"), cos(3), 1e-8);
    ENSURE_NEAR(model_last(&r, "energy"), 4 + 9, 1e-6);
    set_array(&r, "M", 2, 3, 3, (double[]){2, 1, 0, 1, 3, 1, 0, 1, 2});
    set_array(&r, "K", 2, 3, 3, (double[]){8, 4, 0, 4, 12, 4, 0, 4, 8});
    set_array(&r, "q0", 1, 3, 0, (double[]){1, -2, 0.5});
    model_go(&r);
    ENSURE(r.summary.states == 6);
    ENSURE_NEAR(model_last(&r, "q[1]"), cos(2), 1e-8);
    ENSURE_NEAR(model_last(&r, "q[2]"), -2 * cos(2), 1e-8);
    ENSURE_NEAR(model_last(&r, "v[3]"), -sin(2), 1e-8);
    run_close(&r);
}

// The residuals of all systems, with other sizes too.
static void linear_systems(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.LinearSystems");
    for (int n = 3; n <= 6; n += 3) {
        set(&r, "n", n);
        model_go(&r);
        for (int i = 1; i <= n; i++) {
            const double pi = 3.14159265358979323846;
            double ax = 0, ay = 0, az = 0, aw = 0, aX = 0;
            for (int j = 1; j <= n; j++) {
                const char *index = rb_arena_printf(&r.f.arena, "[%d]", j);
                double a = model_last(&r, rb_arena_printf(&r.f.arena, "A[%d,%d]", i, j));
#define OF(x) model_last(&r, rb_arena_printf(&r.f.arena, x "%s", index))
                ax += a * OF("x");
                ay += a * OF("y"); // A is symmetric
                az += a * OF("z");
                aw += a * (OF("w") - OF("x"));
#undef OF
                aX += a * model_last(&r, rb_arena_printf(&r.f.arena, "X[%d,2]", j));
            }
            const char *index = rb_arena_printf(&r.f.arena, "[%d]", i);
            double x = model_last(&r, rb_arena_printf(&r.f.arena, "x%s", index)),
                   y = model_last(&r, rb_arena_printf(&r.f.arena, "y%s", index)),
                   z = model_last(&r, rb_arena_printf(&r.f.arena, "z%s", index)),
                   w = model_last(&r, rb_arena_printf(&r.f.arena, "w%s", index));
            ENSURE_NEAR(ax, 2, 1e-12);
            ENSURE_NEAR(ay - y, x, 1e-12);
            ENSURE_NEAR(z, -az / 3 + y + 2 * z, 1e-12);
            ENSURE_NEAR(2 * w + aw, sin(pi * (i - 0.5) / n) * w, 1e-12);
            ENSURE_NEAR(aX, i == 2, 1e-12);
        }
    }
    run_close(&r);
}

// Values with iterators follow n: x_i = sin(i w) exp(-t), s = sum of i/2 (1 + (i - 1)/(n - 1)).
static void comprehensions(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Comprehensions");
    for (int n = 3; n <= 5; n += 2) {
        set(&r, "n", n);
        model_go(&r);
        double s = 0;
        for (int i = 1; i <= n; i++) {
            double x = sin(0.3 * i) * exp(-1), down = (i == 1 ? 2 : 1) * exp(-2);
            ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "x[%d]", i)), x, 1e-8);
            ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "y[%d]", i)), 0.5 * i - x * x,
                        1e-8);
            ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "down[%d]", i)), down, 1e-8);
            s += 0.5 * i * (1 + (i - 1.0) / (n - 1));
        }
        ENSURE_NEAR(model_last(&r, "s"), s, 1e-12);
        ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "z[%d]", n)), s + 2, 1e-12);
    }
    run_close(&r);
}

// x_i' = x_(i-1) - x_i with x_1 = 1: x_i = t^(i-1)/(i-1)! exp(-t). What the function says when it
// fails.
static void functions(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Functions");
    for (int n = 3; n <= 5; n += 2) {
        set(&r, "n", n);
        model_go(&r);
        double square = 0, x = exp(-1);
        for (int i = 1; i <= n; i++) {
            ENSURE_NEAR(model_last(&r, rb_arena_printf(&r.f.arena, "x[%d]", i)), x, 1e-8);
            square += x * x;
            if (i < n) x /= i;
        }
        ENSURE_NEAR(model_last(&r, "leaves"), x, 1e-8);
        ENSURE_NEAR(model_last(&r, "r"), sqrt(square), 1e-8);
    }
    set(&r, "n", 7);
    ENSURE(run_go(&r) != RB_OK);
    ensure_message(&r, "too long for this norm");
    run_close(&r);
}

// --- messages ------------------------------------------------------------------------------------

static void structural(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.OwnEquations");
    set_array(&r, "A", 2, 2, 2, (double[]){-3, 0, 0, -2}); // values change, the size does not
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "x[1]"), -1 / 3.0 + 4 / 3.0 * exp(-3), 1e-5);
    ENSURE(rb_model_override_array(r.model, "A", 2, (int[]){3, 3}, (double[9]){0}, &r.f.diag) ==
           RB_ERROR_USAGE);
    ensure_message(&r, "the size of 'A' is [2,2] and cannot become [3,3] after translation: it is "
                       "used together with 'u': its elements have equations of their own (");
    ensure_message(&r, "Arrays.mo:"); // where u[1] = 1 is
    ensure_message(&r, "change it in the model and translate again");
    ENSURE(rb_model_override(r.model, "n", 3, &r.f.diag) == RB_ERROR_USAGE);
    ensure_message(&r,
                   "'n' cannot be changed after translation: it decides the size of 'x', and it "
                   "is used together with 'u': its elements have equations of their own (");
    run_close(&r);
    model_open(&r, "Arrays.mo", "Arrays.Unrolled");
    ENSURE(rb_model_override(r.model, "n", 4, &r.f.diag) == RB_ERROR_USAGE);
    ensure_message(&r,
                   "'n' cannot be changed after translation: its value decides the structure of "
                   "the equations (");
    ensure_message(&r, "Arrays.mo:"); // where the loop is
    run_close(&r);
}

// Elements are read, in equations, events and indicators; what they read must be there.
static void elements(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Element");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "first"), exp(-1), 1e-8);
    ENSURE_NEAR(model_last(&r, "last"), 2 * exp(-2), 1e-8);
    ENSURE_NEAR(model_last(&r, "crossed"), log(2) / 2, 1e-8);
    set(&r, "n", 3);
    set_array(&r, "A", 2, 3, 3, (double[]){-1, 0, 0, 0, -2, 0, 0, 0, -3});
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "last"), 2 * exp(-3), 1e-8);
    ENSURE_NEAR(model_last(&r, "crossed"), log(2) / 3, 1e-8);
    set(&r, "n", 0);
    set_array(&r, "A", 2, 0, 0, (double[1]){0});
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ensure_message(&r, "subscript 1 of 'x' is outside 1 to 0: 'x' is [0] (");
    run_close(&r);
}

static void single_wires(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.SingleWires");
    set_array(&r, "a.A", 2, 3, 3, lags3);
    set_array(&r, "a.B", 2, 3, 1, (double[]){1, 0, 0});
    set_array(&r, "a.C", 2, 1, 3, (double[]){0, 0, 1});
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "b.y[1]"), chain(5), 1e-8);
    ENSURE(model_last(&r, "y[1]") == model_last(&r, "b.y[1]"));
    ENSURE(model_last(&r, "z[2]") == 2 + model_last(&r, "b.x[2]"));
    ENSURE(rb_model_override_array(r.model, "b.B", 2, (int[]){2, 2}, (double[4]){0}, &r.f.diag) ==
           RB_ERROR_USAGE);
    ensure_message(&r, "the size of 'b.B' is [2,1] and cannot become [2,2] after translation: it "
                       "decides the size of 'b.u', and its elements have equations of their own (");
    set_array(&r, "b.A", 2, 3, 3, lags3); // z has two elements
    set_array(&r, "b.B", 2, 3, 1, (double[]){1, 0, 0});
    set_array(&r, "b.C", 2, 1, 3, (double[]){0, 0, 1});
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ensure_message(&r, "the sizes in this equation do not fit together: 'b.x' is [3] (");
    run_close(&r);
}

static void misfits(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.LinearOde");
    set_array(&r, "A", 2, 3, 3, (double[9]){0});
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ensure_message(&r,
                   "the size of 'x' is [3], but its start value has the size [2]: 'x0' is [2] (");
    ensure_message(&r, "Arrays.mo:4), 'A' is [3,3] (");
    set_array(&r, "A", 2, 2, 3, (double[6]){0});
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ensure_message(&r, "the sizes in this equation do not fit together: 'A' is [2,3] (");
    set_array(&r, "A", 2, 2, 2, (double[4]){0});
    set_array(&r, "x", 1, 3, 0, (double[3]){0});
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ensure_message(&r, "'x' was set to a value of size [3], but its size is [2]: 'A' is [2,2] (");
    ENSURE(rb_model_override(r.model, "A", 1, &r.f.diag) == RB_ERROR_USAGE);
    ensure_message(&r, "'A' is an array; give all its elements");
    ENSURE(rb_model_override_array(r.model, "A", 1, (int[]){2}, (double[2]){0}, &r.f.diag) ==
           RB_ERROR_USAGE);
    ENSURE(rb_model_override(r.model, "B", 1, &r.f.diag) == RB_ERROR_USAGE);
    ensure_message(&r, "the model has no parameter 'B'");
    run_close(&r);
}

static void impossible_sizes(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Arrays.mo", "Arrays.Rod");
    set(&r, "n", -1);
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ensure_message(&r, "the parameters do not give 'T' a size: it must be a whole number");
    ENSURE(rb_model_override(r.model, "n", 2.5, &r.f.diag) == RB_ERROR_USAGE);
    ensure_message(&r, "'n' is an Integer, and 2.5 is none");
    run_close(&r);
    model_open(&r, "Arrays.mo", "Arrays.Large");
    set(&r, "n", 1e6);
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    ensure_message(&r, "'A' has more than 100000000 elements");
    run_close(&r);
}

// --- the three ways to evaluate ------------------------------------------------------------------

typedef struct Translated {
    Fixture f;
    RbTranslation t;
    RbProgramInstance *in;
} Translated;

typedef struct TranslateCall {
    Translated *out;
    const char *class;
    RbBackend backend;
} TranslateCall;

static RbStatus translate_protected(void *argument) {
    TranslateCall *call = argument;
    Fixture *f = &call->out->f;
    RbNames *names = rb_new(&f->arena, RbNames);
    *names = rb_names(&f->arena);
    RbLibrary *library = rb_library(names, &f->arena, &f->scratch, &f->diag);
    const char *last;
    RB_TRY(rb_library_add_file(library, RB_SOURCE_DIR "/tests/models/Arrays.mo", &last));
    RbTranslateOptions options = {.code.backend = call->backend};
    RB_TRY(rb_translate(library, call->class, &options, &f->arena, f->scratch, &f->diag,
                        &call->out->t));
    call->out->in = rb_program_instance(call->out->t.program, &f->arena);
    return RB_OK;
}

static void translate(Translated *t, const char *class, RbBackend backend) {
    fixture_open(&t->f);
    TranslateCall call = {t, class, backend};
    ENSURE(rb_protect(&t->f.heap, translate_protected, &call) == RB_OK);
}

static Fixture shared; // names

static void compare_bits(const char *class, int n) {
    enum { WAYS = 3, STATES = 64 };
    static const RbBackend backends[WAYS] = {RB_BACKEND_INTERPRET, RB_BACKEND_TCC,
                                             RB_BACKEND_OPTIMIZED};
    static Translated t[WAYS];
    double x[STATES];
    for (int k = 0; k < WAYS; k++) {
        translate(&t[k], class, backends[k]);
        if (n > 0) ENSURE(rb_program_set_named(t[k].in, "n", n, &t[k].f.diag) == RB_OK);
        bool good = rb_program_initialize(t[k].in, 0, &t[k].f.diag) == RB_OK;
        for (int i = 0; !good && i < t[k].f.diag.messages.count; i++)
            print_error("%s: %s\n", class, fixture_message(&t[k].f, i));
        ENSURE(good);
    }
    int states = rb_program_states(t[0].in), compared = 0;
    ENSURE(states <= STATES);
    for (int point = 0; point < 20; point++) {
        for (int i = 0; i < states; i++) x[i] = sin(3.7 * (point * states + i)) * 2;
        for (int k = 0; k < WAYS; k++) {
            ENSURE(rb_program_states(t[k].in) == states);
            ENSURE(rb_program_outputs(t[k].in, 0.1 * point, x) == RB_OK);
        }
        for (int v = 0; v < t[0].t.dae->vars.count; v++) {
            for (int i = 0; i < rb_program_elements(t[0].in, v); i++) {
                double a = rb_program_element(t[0].in, v, i);
                for (int k = 1; k < WAYS; k++) {
                    double b = rb_program_element(t[k].in, v, i);
                    ENSURE(memcmp(&a, &b, sizeof a) == 0);
                    compared++;
                }
            }
        }
    }
    ENSURE(compared > 100);
    for (int k = 0; k < WAYS; k++) fixture_close(&t[k].f);
}

static void same_bits(void **state) {
    (void)state;
    compare_bits("Arrays.Operations", 0);
    compare_bits("Arrays.Operations", 5);
    compare_bits("Arrays.Mixed", 4);
    compare_bits("Arrays.StateSpace", 0);
    compare_bits("Arrays.Rod", 7);
    compare_bits("Arrays.Events", 0);
    compare_bits("Arrays.Series", 0);
    compare_bits("Arrays.SingleWires", 0);
    compare_bits("Arrays.Element", 0);
    compare_bits("Arrays.RodSlices", 8);
    compare_bits("Arrays.RodPieces", 8);
    compare_bits("Arrays.RodLoop", 8);
    compare_bits("Arrays.Parts", 0);
    compare_bits("Arrays.Parts", 7);
    compare_bits("Arrays.SteadyState", 0);
    compare_bits("Arrays.Masses", 0);
    compare_bits("Arrays.LinearSystems", 0);
    compare_bits("Arrays.LinearSystems", 6);
    compare_bits("Arrays.Comprehensions", 4);
    compare_bits("Arrays.Rows", 5);
    compare_bits("Arrays.Feedback", 0);
    compare_bits("Arrays.Functions", 0);
    compare_bits("Arrays.Functions", 6);
}

// The operations as they are, and with all arrays taken apart: both compute the same.
static void compare_elements(const char *class) {
    enum { STATES = 16 };
    Translated whole;
    translate(&whole, class, RB_BACKEND_TCC);
    ENSURE(whole.t.dae->arrays.count > 0);
    RbSortedDae *apart;
    RbDaeOptions options = {.no_whole_arrays = true};
    RbProgram *program;
    ENSURE(rb_dae_sort(whole.t.flat, &options, &whole.f.arena, whole.f.scratch, &whole.f.diag,
                       &apart) == RB_OK);
    ENSURE(apart->arrays.count == 0);
    ENSURE(rb_program(apart, NULL, &whole.f.arena, whole.f.scratch, &whole.f.diag, &program) ==
           RB_OK);
    RbProgramInstance *in = rb_program_instance(program, &whole.f.arena);
    ENSURE(rb_program_initialize(whole.in, 0, &whole.f.diag) == RB_OK);
    ENSURE(rb_program_initialize(in, 0, &whole.f.diag) == RB_OK);
    double x[STATES];
    ENSURE(rb_program_states(in) == rb_program_states(whole.in) && rb_program_states(in) <= STATES);
    for (int i = 0; i < STATES; i++) x[i] = 0.3 + 2 * sin(i);
    ENSURE(rb_program_outputs(whole.in, 0.5, x) == RB_OK);
    ENSURE(rb_program_outputs(in, 0.5, x) == RB_OK);
    for (int v = 0; v < whole.t.flat->vars.count; v++) {
        for (int i = 0; i < rb_program_elements(whole.in, v); i++) {
            const char *name = rb_program_element_name(whole.in, v, i, &whole.f.arena);
            int other = rb_program_find(program, name);
            ENSURE(other >= 0);
            double a = rb_program_element(whole.in, v, i), b = rb_program_value(in, other);
            if (!(fabs(a - b) <= 1e-13 * (1 + fabs(b)))) print_error("%s %s\n", class, name);
            ENSURE_NEAR(a, b, 1e-13 * (1 + fabs(b)));
        }
    }
    fixture_close(&whole.f);
}

static void as_elements(void **state) {
    (void)state;
    compare_elements("Arrays.Operations");
    compare_elements("Arrays.RodSlices");
    compare_elements("Arrays.RodPieces");
    compare_elements("Arrays.RodLoop");
    compare_elements("Arrays.Parts");
    compare_elements("Arrays.Series");
    compare_elements("Arrays.SingleWires");
    compare_elements("Arrays.Phases");
    compare_elements("Arrays.Element");
    compare_elements("Arrays.Masses");
    compare_elements("Arrays.Feedback");
    compare_elements("Arrays.Rows");
    compare_elements("Arrays.Comprehensions");
    compare_elements("Arrays.LinearSystems");
    compare_elements("Arrays.Functions");
}

// Element i of the derivative of a rod depends on its neighbours only, however the rod is written;
// behind a parameter matrix, on what is not multiplied by zero.
static void sparsity(void **state) {
    (void)state;
    static const char *const rods[] = {"Arrays.Rod", "Arrays.RodSlices", "Arrays.RodPieces",
                                       "Arrays.RodLoop"};
    for (int m = 0; m < 4; m++) {
        Translated t;
        translate(&t, rods[m], RB_BACKEND_TCC);
        ENSURE(rb_program_set_named(t.in, "n", 7, &t.f.diag) == RB_OK);
        ENSURE(rb_program_initialize(t.in, 0, &t.f.diag) == RB_OK);
        RbStatePattern p = rb_program_pattern(t.in, &t.f.arena, t.f.scratch);
        for (int i = 0; i < 7; i++) {
            ENSURE(p.start[i + 1] - p.start[i] == (i == 0 || i == 6 ? 2 : 3));
            for (int k = p.start[i]; k < p.start[i + 1]; k++) ENSURE(abs(p.columns[k] - i) <= 1);
        }
        fixture_close(&t.f);
    }
}

// A size that is set after translation, and the same size in the text: all bits are the same.
static void compare_resized(const char *class, const char *parameter, int n) {
    enum { STATES = 16 };
    Translated resized, larger;
    translate(&resized, rb_arena_printf(&shared.arena, "Arrays.%s", class), RB_BACKEND_TCC);
    translate(&larger, rb_arena_printf(&shared.arena, "Arrays.Larger.%s", class), RB_BACKEND_TCC);
    ENSURE(rb_program_set_named(resized.in, parameter, n, &resized.f.diag) == RB_OK);
    ENSURE(rb_program_initialize(resized.in, 0, &resized.f.diag) == RB_OK);
    ENSURE(rb_program_initialize(larger.in, 0, &larger.f.diag) == RB_OK);
    int states = rb_program_states(resized.in), compared = 0;
    double x[STATES];
    ENSURE(states == rb_program_states(larger.in) && states <= STATES);
    for (int i = 0; i < states; i++) x[i] = 1.3 * cos(5 * i);
    ENSURE(rb_program_outputs(resized.in, 0.7, x) == RB_OK);
    ENSURE(rb_program_outputs(larger.in, 0.7, x) == RB_OK);
    for (int v = 0; v < resized.t.dae->vars.count; v++) {
        for (int i = 0; i < rb_program_elements(resized.in, v); i++, compared++) {
            const char *name = rb_program_element_name(resized.in, v, i, &shared.arena);
            int other = rb_program_find(larger.t.program, resized.t.dae->model->vars.data[v].name);
            ENSURE(other >= 0);
            double a = rb_program_element(resized.in, v, i),
                   b = rb_program_element(larger.in, other, i);
            if (memcmp(&a, &b, sizeof a) != 0) print_error("%s %s: %g %g\n", class, name, a, b);
            ENSURE(memcmp(&a, &b, sizeof a) == 0);
        }
    }
    ENSURE(compared > 10);
    fixture_close(&resized.f);
    fixture_close(&larger.f);
}

static void as_translated(void **state) {
    (void)state;
    fixture_open(&shared);
    compare_resized("Mixed", "n", 6);
    compare_resized("Rod", "n", 8);
    compare_resized("RodSlices", "n", 8);
    compare_resized("RodPieces", "n", 8);
    compare_resized("RodLoop", "n", 8);
    compare_resized("Parts", "n", 7);
    compare_resized("Functions", "n", 6);
    compare_resized("LinearSystems", "n", 6);
    compare_resized("Phases", "m", 5);
    compare_resized("Events", "n", 4);
    compare_resized("Operations", "n", 5);
    compare_resized("Comprehensions", "n", 5);
    compare_resized("Rows", "n", 6);
    fixture_close(&shared);
}

// One equation for 200 states, whatever their number.
static void size_of_translation(void **state) {
    (void)state;
    Translated t;
    translate(&t, "Arrays.Large", RB_BACKEND_INTERPRET);
    ENSURE(t.t.dae->blocks.count == 1 && t.t.dae->stats.equations == 1);
    ENSURE(t.t.program->state_count == 200);
    ENSURE(t.t.flat->exprs->count < 1000);
    fixture_close(&t.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_ode),       cmocka_unit_test(start_values),
        cmocka_unit_test(chapter_9),        cmocka_unit_test(rods),
        cmocka_unit_test(state_space),      cmocka_unit_test(mixed),
        cmocka_unit_test(events),           cmocka_unit_test(series),
        cmocka_unit_test(phases),           cmocka_unit_test(feedback),
        cmocka_unit_test(steady_state),     cmocka_unit_test(masses),
        cmocka_unit_test(linear_systems),   cmocka_unit_test(functions),
        cmocka_unit_test(comprehensions),   cmocka_unit_test(structural),
        cmocka_unit_test(elements),         cmocka_unit_test(single_wires),
        cmocka_unit_test(misfits),          cmocka_unit_test(same_bits),
        cmocka_unit_test(impossible_sizes), cmocka_unit_test(as_elements),
        cmocka_unit_test(sparsity),         cmocka_unit_test(size_of_translation),
        cmocka_unit_test(as_translated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
