// SPDX-License-Identifier: MIT
// Linear systems and points of rest, against closed forms.
#include "testing.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rattleback/rattleback.h"

typedef struct Held {
    RbContext *context;
    RbModel *model;
    RbRun *run;
    int n;
} Held;

#define OK(h, call) ensure_ok(h, call, __LINE__)

static void ensure_ok(const Held *h, RbStatus status, int line) {
    if (status == RB_OK) return;
    int count = rb_context_message_count(h->context);
    print_error("line %d: %s: %s\n", line, rb_status_name(status),
                count > 0 ? rb_context_message(h->context, count - 1) : "");
    _fail(__FILE__, line);
}

static void open_run(Held *h, const char *text) {
    *h = (Held){.context = rb_context_create(NULL)};
    RbModelica source = rb_modelica_default();
    source.text = text;
    OK(h, rb_modelica_translate(h->context, &source, &h->model));
    RbSimOptions o = rb_model_options(h->model);
    OK(h, rb_run_open(h->context, h->model, &o, &h->run));
    h->n = rb_run_sizes(h->run).states;
}

static void close_all(Held *h) {
    OK(h, rb_run_close(h->run, NULL));
    rb_context_free(h->context);
}

static double value(const Held *h, const char *name) {
    double v = NAN;
    OK(h, rb_run_get_named(h->run, name, &v));
    return v;
}

typedef struct Modes {
    double *re, *im, *p;
} Modes;

static Modes modes_of(Held *h) {
    size_t n = (size_t)h->n;
    double *A = calloc(n * n, sizeof *A);
    Modes m = {calloc(n, sizeof(double)), calloc(n, sizeof(double)), calloc(n * n, sizeof(double))};
    OK(h, rb_run_linearize(h->run, &(RbLinearSystem){.A = A}));
    OK(h, rb_linear_modes(h->context, h->n, A, m.re, m.im, m.p));
    free(A);
    return m;
}

static void free_modes(Modes m) {
    free(m.re);
    free(m.im);
    free(m.p);
}

// n equal masses between walls, damped in proportion to mass: s^2 + d s + 4 (c/m) sin^2(k pi/(2(n + 1))) = 0.
static void chain_of_springs(void **state) {
    (void)state;
    enum { N = 100 };
    const double d = 0.1;
    Held h;
    open_run(
        &h,
        "model Chain parameter Integer n = 100; parameter Real d = 0.1; Real x[n](each start = 0, "
        "each fixed = true); "
        "Real v[n](each start = 0, each fixed = true); equation der(x) = v; "
        "der(v[1]) = x[2] - 2*x[1] - d*v[1]; der(v[n]) = x[n-1] - 2*x[n] - d*v[n]; "
        "for i in 2:n-1 loop der(v[i]) = x[i+1] - 2*x[i] + x[i-1] - d*v[i]; end for; end Chain;");
    assert_int_equal(h.n, 2 * N);
    Modes m = modes_of(&h);
    double worst = 0;
    for (int k = 1; k <= N; k++) {
        double w = 2 * sin(k * M_PI / (2 * (N + 1)));
        double complex pair = -d / 2 + csqrt(d * d / 4 - w * w); // the slowest one is overdamped
        double best = INFINITY;
        for (int i = 0; i < h.n; i++) best = fmin(best, cabs(m.re[i] + I * m.im[i] - pair));
        worst = fmax(worst, best / w);
    }
    assert_true(worst < 1e-8);
    double sum = 0;
    for (int i = 0; i < h.n; i++) sum += m.p[i];
    ENSURE_NEAR(sum, 1, 1e-12);
    free_modes(m);
    close_all(&h);
}

// A DC motor: L i' = u - R i - k w, J w' = k i - d w. From u to w: k/((R + L s)(d + J s) + k^2).
static const char motor[] = "model Motor input Real u(start = 2); parameter Real R = 0.5, L = "
                            "2e-3, k = 0.1, J = 1e-3, d = 1e-4; "
                            "Real i(start = 0, fixed = true), w(start = 0, fixed = true); output "
                            "Real y = 2*w + 3*u; equation "
                            "L*der(i) = u - R*i - k*w; J*der(w) = k*i - d*w; end Motor;";

static double complex motor_response(double complex s) {
    return 0.1 / ((0.5 + 2e-3 * s) * (1e-4 + 1e-3 * s) + 0.01);
}

static void response_of_a_motor(void **state) {
    (void)state;
    Held h;
    open_run(&h, motor);
    assert_int_equal(h.n, 2);
    int u = rb_run_find(h.run, "u"),
        outputs[2] = {rb_run_find(h.run, "w"), rb_run_find(h.run, "y")};
    double A[4], B[2], C[4], D[2], re[2], im[2];
    RbLinearSystem s = {&u, outputs, 1, 2, A, B, C, D};
    OK(&h, rb_run_linearize(h.run, &s));
    ENSURE_NEAR(D[0], 0, 1e-9);
    ENSURE_NEAR(D[1], 3, 1e-9);
    for (double w = 0.1; w < 1e5; w *= 3) {
        double complex want = motor_response(I * w);
        OK(&h, rb_linear_response(h.context, 2, &s, w, re, im));
        assert_true(cabs(re[0] + I * im[0] - want) < 1e-8 * cabs(want));
        assert_true(cabs(re[1] + I * im[1] - 2 * want - 3) < 1e-8 * cabs(2 * want + 3));
    }
    // At rest: i = d w/k, u = R i + k w.
    RbRestFound rest;
    OK(&h, rb_run_find_rest(h.run, 0, &rest));
    double w = 2 / (0.5 * 1e-4 / 0.1 + 0.1);
    ENSURE_NEAR(value(&h, "w"), w, 1e-7 * w);
    ENSURE_NEAR(value(&h, "i"), 1e-4 * w / 0.1, 1e-7);
    assert_true(rest.iterations < 40);
    close_all(&h);
}

// Two bodies on revolute joints, at rest below: a double pendulum of two point-like masses; frequencies from
// (2 - sqrt 2) g/l and (2 + sqrt 2) g/l.
static const char pendulums[] =
    "model Double import Rattleback.*; inner World world(g = 9.81, n = {0, 0, -1}); "
    "Joints.Revolute a(n = {0, 1, 0}, phi(start = 0.3)), b(n = {0, 1, 0}, phi(start = -0.2)); "
    "Parts.FixedTranslation ra(r = {0, 0, -1}), rb(r = {0, 0, -1}); "
    "Parts.Body ma(m = 2, r_CM = {0, 0, 0}, I_11 = 1e-9, I_22 = 1e-9, I_33 = 1e-9), "
    "mb(m = 2, r_CM = {0, 0, 0}, I_11 = 1e-9, I_22 = 1e-9, I_33 = 1e-9); equation "
    "connect(world.frame_b, a.frame_a); connect(a.frame_b, ra.frame_a); connect(ra.frame_b, "
    "ma.frame_a); "
    "connect(ra.frame_b, b.frame_a); connect(b.frame_b, rb.frame_a); connect(rb.frame_b, "
    "mb.frame_a); end Double;";

static void double_pendulum(void **state) {
    (void)state;
    Held h;
    open_run(&h, pendulums);
    OK(&h, rb_run_find_rest(h.run, 0, NULL));
    ENSURE_NEAR(value(&h, "a.phi"), 0, 1e-8);
    ENSURE_NEAR(value(&h, "b.phi"), 0, 1e-8);
    Modes m = modes_of(&h);
    assert_int_equal(h.n, 4);
    ENSURE_NEAR(m.im[0], sqrt((2 - sqrt(2)) * 9.81), 1e-7);
    ENSURE_NEAR(m.im[2], sqrt((2 + sqrt(2)) * 9.81), 1e-7);
    for (int i = 0; i < 4; i++) ENSURE_NEAR(m.re[i], 0, 1e-7);
    free_modes(m);
    // The lower one moves by sqrt(2) of the angle of the upper one, to the same side or to the other; b.phi is between them.
    double A[16], re[16], im[16];
    int phi[2] = {-1, -1};
    OK(&h, rb_run_linearize(h.run, &(RbLinearSystem){.A = A}));
    OK(&h, rb_linear_shapes(h.context, 4, A, re, im));
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            if (rb_run_state(h.run, i) == rb_run_find(h.run, k ? "b.phi" : "a.phi")) phi[k] = i;
    for (int k = 0; k < 4; k++) {
        const double *r = re + 4 * k, *s = im + 4 * k, want = (k < 2 ? sqrt(2) : -sqrt(2)) - 1;
        ENSURE_NEAR(r[phi[1]], want * r[phi[0]], 1e-7);
        ENSURE_NEAR(s[phi[1]], want * s[phi[0]], 1e-7);
        if (k % 2) ENSURE_NEAR(s[phi[0]], -im[4 * (k - 1) + phi[0]], 1e-12); // of a pair the one is the conjugate of the other
    }
    close_all(&h);
}

// Rows of other states go to the journal, at times of their own, and the run stays where it is.
static void rows_of_other_states(void **state) {
    (void)state;
    char file[64];
    snprintf(file, sizeof file, "/tmp/rb_test_linear_%d.rbj", (int)getpid());
    Held h = {.context = rb_context_create(NULL)};
    RbModelica source = rb_modelica_default();
    source.text = pendulums;
    OK(&h, rb_modelica_translate(h.context, &source, &h.model));
    RbSimOptions o = rb_model_options(h.model);
    o.journal_file = file;
    OK(&h, rb_run_open(h.context, h.model, &o, &h.run));
    double x[4], before = value(&h, "a.phi");
    OK(&h, rb_run_states(h.run, x));
    for (int i = 0; i < 4; i++) x[i] = 0.5 + 0.1 * i;
    OK(&h, rb_run_record(h.run, 3, x));
    assert_int_equal(rb_run_record(h.run, NAN, x), RB_ERROR_USAGE);
    assert_int_equal(rb_run_record(h.run, 3, NULL), RB_ERROR_USAGE);
    ENSURE(value(&h, "a.phi") == before && rb_run_time(h.run) == 0);
    int at = 0;
    for (int i = 0; i < 4; i++)
        if (rb_run_state(h.run, i) == rb_run_find(h.run, "a.phi")) at = i;
    close_all(&h);
    RbContext *c = rb_context_create(NULL);
    RbResults *result;
    ENSURE(rb_results_open(c, file, &result) == RB_OK);
    size_t rows = rb_results_rows(result);
    double *times = calloc(rows, sizeof *times), *phi = calloc(rows, sizeof *phi);
    ENSURE(rb_results_times(result, times) == RB_OK);
    ENSURE(rb_results_values(result, rb_results_find(result, "a.phi"), phi) == RB_OK);
    ENSURE(times[rows - 1] == 3 && phi[rows - 1] == 0.5 + 0.1 * at);
    free(times);
    free(phi);
    rb_context_free(c);
    unlink(file);
}

// Looking leaves no trace: the run goes on with the same bits.
static void leaves_no_trace(void **state) {
    (void)state;
    Held h, other;
    open_run(&h, motor);
    open_run(&other, motor);
    double A[4], B[2];
    int u = rb_run_find(h.run, "u");
    for (int k = 1; k <= 5; k++) {
        OK(&h, rb_run_linearize(h.run,
                                &(RbLinearSystem){.inputs = &u, .input_count = 1, .A = A, .B = B}));
        OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.01 * k, NULL));
        OK(&other, rb_run_step(other.run, RB_UNTIL_TIME, 0.01 * k, NULL));
        assert_true(value(&h, "w") == value(&other, "w") && value(&h, "u") == 2);
    }
    close_all(&other);
    close_all(&h);
}

// What does not rest: the message names the state, and the run stands where it stood.
static void no_rest(void **state) {
    (void)state;
    Held h;
    open_run(&h, "model Clock Real x(start = 0, fixed = true); equation der(x) = 1; end Clock;");
    assert_int_equal(rb_run_find_rest(h.run, 0, NULL), RB_ERROR_SOLVER);
    const char *said = rb_context_message(h.context, rb_context_message_count(h.context) - 1);
    assert_non_null(strstr(said, "'x' still changes"));
    ENSURE_NEAR(value(&h, "x"), 0, 0);
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.5, NULL));
    ENSURE_NEAR(value(&h, "x"), 0.5, 1e-6);
    close_all(&h);
}

static void wrong_arguments(void **state) {
    (void)state;
    Held h;
    double A[4], re[2], im[2];
    open_run(&h, motor);
    int w = rb_run_find(h.run, "w"), none = 1000000;
    assert_int_equal(rb_run_linearize(NULL, &(RbLinearSystem){.A = A}), RB_ERROR_USAGE);
    assert_int_equal(rb_run_linearize(h.run, NULL), RB_ERROR_USAGE);
    assert_int_equal(rb_run_linearize(h.run, &(RbLinearSystem){0}), RB_ERROR_USAGE);
    double B[2];
    RbLinearSystem s = {.inputs = &w, .input_count = 1, .A = A, .B = B};
    assert_int_equal(rb_run_linearize(h.run, &s), RB_ERROR_USAGE);
    const char *said = rb_context_message(h.context, rb_context_message_count(h.context) - 1);
    assert_non_null(strstr(said, "'w' is no input of the model"));
    s.inputs = &none;
    assert_int_equal(rb_run_linearize(h.run, &s), RB_ERROR_USAGE);
    assert_int_equal(rb_linear_modes(h.context, -1, A, re, im, NULL), RB_ERROR_USAGE);
    assert_int_equal(rb_linear_modes(h.context, 1, (double[]){NAN}, re, im, NULL), RB_ERROR_SOLVER);
    assert_int_equal(rb_run_find_rest(h.run, -1, NULL), RB_ERROR_USAGE);
    close_all(&h);
}

// Poles, zeros and steps of the motor: its speed has no zero, its current one at -d/J; for 3 i and a share of the input
// the zeros are roots of a polynomial.
static void zeros_and_steps(void **state) {
    (void)state;
    enum { COUNT = 50 };
    Held h;
    open_run(&h, motor);
    double A[4], B[2], C[4], D[2], re[2], im[2], y[2 * COUNT];
    int u = rb_run_find(h.run, "u"), outputs[] = {rb_run_find(h.run, "w"), rb_run_find(h.run, "i")};
    RbLinearSystem s = {.inputs = &u, .outputs = outputs, .input_count = 1, .output_count = 2};
    s.A = A, s.B = B, s.C = C, s.D = D;
    OK(&h, rb_run_linearize(h.run, &s));
    int count = -1;
    OK(&h, rb_linear_zeros(h.context, 2, &s, 0, 0, re, im, &count));
    ENSURE(count == 0);
    OK(&h, rb_linear_zeros(h.context, 2, &s, 0, 1, re, im, &count));
    ENSURE(count == 1);
    ENSURE_NEAR(re[0], -0.1, 1e-7);
    ENSURE_NEAR(im[0], 0, 1e-12);
    D[0] = 0.01; // w + 0.01 u: two zeros, where (s + 250)(s + 0.1) + 5000 + 50000/0.01 = 0
    OK(&h, rb_linear_zeros(h.context, 2, &s, 0, 0, re, im, &count));
    ENSURE(count == 2);
    double complex root = csqrt(250.1 * 250.1 / 4 - (25 + 5000 + 5e6));
    ENSURE_NEAR(re[0], -125.05, 1e-4);
    ENSURE_NEAR(fabs(im[0]), cimag(root), 1e-3);
    D[0] = 0;
    double dt = 2e-3;
    OK(&h, rb_linear_step(h.context, 2, &s, 0, dt, COUNT, y));
    double gap = sqrt(250.1 * 250.1 / 4 - 5025), a = -125.05 + gap, b = -125.05 - gap;
    for (int k = 0; k < COUNT; k++) { // 50000/(s (s - a)(s - b)) by partial fractions
        double t = k * dt;
        double w = 50000 * (1 / (a * b) + exp(a * t) / (a * (a - b)) + exp(b * t) / (b * (b - a)));
        ENSURE_NEAR(y[2 * k], w, 1e-7);
        double i = 500 * (0.1 / (a * b) + (a + 0.1) * exp(a * t) / (a * (a - b)) +
                          (b + 0.1) * exp(b * t) / (b * (b - a)));
        ENSURE_NEAR(y[2 * k + 1], i, 1e-7);
    }
    ENSURE(rb_linear_zeros(h.context, 2, &s, 1, 0, re, im, &count) == RB_ERROR_USAGE);
    ENSURE(rb_linear_step(h.context, 2, &s, 0, 0, COUNT, y) == RB_ERROR_USAGE);
    close_all(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_of_springs), cmocka_unit_test(response_of_a_motor),
        cmocka_unit_test(double_pendulum),  cmocka_unit_test(rows_of_other_states),
        cmocka_unit_test(leaves_no_trace),
        cmocka_unit_test(no_rest),          cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(zeros_and_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
