// SPDX-License-Identifier: MIT
// Programs: values against closed forms, the three ways to evaluate bit by bit, events, states
// chosen at run time.
#include "testing.h"

#include <string.h>

#include "code/program.h"
#include "tiny_model.h"

typedef struct Run {
    Fixture f;
    RbSortedDae *dae;
    RbProgram *program;
    RbProgramInstance *in;
    double x[64], dx[64];
} Run;

static void show(Fixture *f) {
    for (int i = 0; i < f->diag.messages.count; i++) print_error("%s\n", fixture_message(f, i));
}

static void translate(Run *r, const char *text, RbBackend backend) {
    fixture_open(&r->f);
    RbProgramOptions options = {.backend = backend, .cache = RB_BINARY_DIR "/model-cache"};
    RbFlatModel *flat = tiny_model(&r->f.arena, text);
    RbStatus status = rb_dae_sort(flat, NULL, &r->f.arena, r->f.scratch, &r->f.diag, &r->dae);
    if (status != RB_OK) show(&r->f);
    ENSURE(status == RB_OK);
    status = rb_program(r->dae, &options, &r->f.arena, r->f.scratch, &r->f.diag, &r->program);
    if (status != RB_OK || getenv("RB_DUMP"))
        print_message("%s\n", r->program ? r->program->source.text.data : "");
    if (status != RB_OK) show(&r->f);
    ENSURE(status == RB_OK);
    r->in = rb_program_instance(r->program, &r->f.arena);
}

static void start(Run *r, const char *text, RbBackend backend) {
    translate(r, text, backend);
    RbStatus status = rb_program_initialize(r->in, 0, &r->f.diag);
    if (status != RB_OK) show(&r->f);
    ENSURE(status == RB_OK);
    memcpy(r->x, r->in->frame.x, (size_t)r->program->state_count * sizeof(double));
}

static double value(Run *r, const char *name) {
    int v = rb_program_find(r->program, name);
    if (v < 0) print_error("no variable %s\n", name);
    ENSURE(v >= 0);
    return rb_program_value(r->in, v);
}

static void at(Run *r, double time) {
    ENSURE(rb_program_outputs(r->in, time, r->x) == RB_OK);
}

// Classical Runge-Kutta steps: an independent integrator for tests.
static void advance(Run *r, double *time, double end, int steps) {
    int n = r->program->state_count;
    double h = (end - *time) / steps, k[4][64], y[64];
    static const double c[4] = {0, 0.5, 0.5, 1}, b[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < n; j++) y[j] = r->x[j] + (i > 0 ? h * c[i] * k[i - 1][j] : 0);
            ENSURE(rb_program_derivatives(r->in, *time + c[i] * h, y, k[i]) == RB_OK);
        }
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < 4; i++) r->x[j] += h * b[i] * k[i][j];
        }
        *time += h;
    }
}

// --- values
// -----------------------------------------------------------------------------------------------------------------

static void decay(void **state) {
    (void)state;
    Run r;
    start(&r, "param k = 0.5\nreal x start 2 fixed\neq der(x) = -k*x\n", RB_BACKEND_TCC);
    ENSURE(r.program->state_count == 1 && r.x[0] == 2);
    double t = 0;
    advance(&r, &t, 1, 100);
    ENSURE_NEAR(r.x[0], 2 * exp(-0.5), 1e-10);
    // another parameter and another start value without translating again
    ENSURE(rb_program_set(r.in, rb_program_find(r.program, "k"), 2));
    ENSURE(rb_program_set(r.in, rb_program_find(r.program, "x"), 3));
    ENSURE(rb_program_initialize(r.in, 0, &r.f.diag) == RB_OK);
    ENSURE(r.in->frame.x[0] == 3);
    memcpy(r.x, r.in->frame.x, sizeof r.x[0]);
    ENSURE(rb_program_derivatives(r.in, 0, r.x, r.dx) == RB_OK);
    ENSURE(r.dx[0] == -6);
    fixture_close(&r.f);
}

// A low pass of two resistors and a capacitor, written with currents and voltages: the current
// follows in closed form.
static void filter(void **state) {
    (void)state;
    Run r;
    start(&r,
          "param R = 10\nparam C = 0.01\nparam V = 5\n"
          "real vR\nreal vC start 0 fixed\nreal i\nreal i1\nreal i2\n"
          "eq V = vR + vC\n"
          "eq vR = R*i1\n"
          "eq i2 = C*der(vC)\n"
          "eq i = i1\n"
          "eq i1 - i2 = 0\n",
          RB_BACKEND_TCC);
    double t = 0;
    advance(&r, &t, 0.2, 200);
    at(&r, t);
    ENSURE_NEAR(value(&r, "vC"), 5 * (1 - exp(-2.0)), 1e-9);
    ENSURE_NEAR(value(&r, "i"), 0.5 * exp(-2.0), 1e-10);
    fixture_close(&r.f);
}

static void gear(void **state) {
    (void)state;
    Run r;
    start(&r,
          "param ratio = 3\nparam J1 = 2\nparam J2 = 5\n"
          "real phi1\nreal phi2\nreal w1\nreal w2\nreal tau1\nreal tau2\n"
          "eq der(phi1) = w1\neq der(phi2) = w2\n"
          "eq J1*der(w1) = 1 - tau1\n"
          "eq J2*der(w2) = tau2\n"
          "eq phi1 = ratio*phi2\n"
          "eq tau2 = ratio*tau1\n",
          RB_BACKEND_TCC);
    double t = 0;
    advance(&r, &t, 2, 20);
    at(&r, t);
    double a1 = 1 / (2 + 5.0 / 9); // the second inertia as seen through the gear
    ENSURE_NEAR(value(&r, "w1"), 2 * a1, 1e-13);
    ENSURE_NEAR(value(&r, "phi2"), 2 * a1 / 3, 1e-13);
    ENSURE_NEAR(value(&r, "tau1"), 1 - 2 * a1, 1e-13);
    fixture_close(&r.f);
}

static void systems(void **state) {
    (void)state;
    Run r;
    start(&r,
          "param R1 = 1\nparam R2 = 2\nparam R3 = 3\n"
          "real i1\nreal i2\nreal i3\nreal u\nreal a start 1\nreal b start 1\n"
          "eq R1*i1 + u = 11*cos(time)\neq u = R2*i2\neq u = R3*i3\neq i1 = i2 + i3\n"
          "eq a^3 + b = 2 + time\neq a + b^3 = 2\n",
          RB_BACKEND_TCC);
    at(&r, 0);
    ENSURE_NEAR(value(&r, "u"), 6, 1e-14); // R2 R3 / (R2 + R3) = 1.2, of R1 + 1.2
    ENSURE_NEAR(value(&r, "i1"), 5, 1e-14);
    ENSURE_NEAR(value(&r, "a"), 1, 1e-12);
    ENSURE_NEAR(value(&r, "b"), 1, 1e-12);
    at(&r, 0.5);
    double a = value(&r, "a"), b = value(&r, "b");
    ENSURE_NEAR(a * a * a + b, 2.5, 1e-13);
    ENSURE_NEAR(a + b * b * b, 2, 1e-13);
    fixture_close(&r.f);
}

// --- three ways, the same bits
// ------------------------------------------------------------------------------------------------

static const char everything[] =
    "param k = 0.3\nparam m = 1.7\n"
    "real x start 1 fixed\nreal v start 0.25 fixed\nreal y\nreal z\nreal a start 1\nreal b start "
    "1\n"
    "eq der(x) = v\n"
    "eq m*der(v) = -k*x^3 - 0.1*v*abs(v) + sin(3*time)/(1 + x^2)\n"
    "eq y = exp(-x^2)*tanh(v) + atan2(x, 1.1 + v) + sqrt(1 + x^7*x) + max(x, v)^(-3)\n"
    "eq z = if x > 0.2 then y + mod(time, 0.7) else -y^1.3\n"
    "eq a^3 + b = 2 + 0.1*x\neq a + b^3 = 2 - 0.3*z\n";

static void same_bits(void **state) {
    (void)state;
    Run runs[3];
    for (int k = 0; k < 3; k++) start(&runs[k], everything, (RbBackend)k);
    for (int step = 0; step < 200; step++) {
        double t[3];
        for (int k = 0; k < 3; k++) {
            t[k] = 0.01 * step;
            advance(&runs[k], &t[k], 0.01 * (step + 1), 1);
            at(&runs[k], t[k]);
        }
        for (int k = 1; k < 3; k++) {
            ENSURE(memcmp(runs[0].x, runs[k].x, 2 * sizeof(double)) == 0);
            for (int v = 0; v < runs[0].dae->vars.count; v++) {
                double l = rb_program_value(runs[0].in, v), m = rb_program_value(runs[k].in, v);
                if (memcmp(&l, &m, sizeof l) != 0) {
                    print_error("%s: %.17g %.17g\n", runs[0].dae->model->vars.data[v].name, l, m);
                }
                ENSURE(memcmp(&l, &m, sizeof l) == 0);
            }
        }
    }
    for (int k = 0; k < 3; k++) fixture_close(&runs[k].f);
}

// --- events
// ---------------------------------------------------------------------------------------------------------------------

static void bouncing_ball(void **state) {
    (void)state;
    Run r;
    start(&r,
          "real h start 1 fixed\nreal v start 0 fixed\nint n start 0\n"
          "eq der(h) = v\neq der(v) = -9.81\n"
          "when h < 0\n  set n = pre(n) + 1\n  reinit v = -0.8*pre(v)\nend\n",
          RB_BACKEND_TCC);
    double z, fall = sqrt(2 / 9.81), t = 0;
    ENSURE(r.program->indicator_count == 1);
    advance(&r, &t, fall * 0.999, 1);
    ENSURE(rb_program_indicators(r.in, t, r.x, &z) == RB_OK && z < 0);
    advance(&r, &t, fall * (1 + 1e-9), 1);
    ENSURE(rb_program_indicators(r.in, t, r.x, &z) == RB_OK && z > 0); // h < 0 holds by now
    RbEventResult result;
    double before = r.x[1] < 0 ? r.x[1] : r.x[0];
    ENSURE(rb_program_event(r.in, t, r.x, &r.f.diag, &result) == RB_OK);
    ENSURE(result.states_changed && result.values_changed);
    at(&r, t);
    ENSURE_NEAR(value(&r, "v"), -0.8 * before, 1e-15);
    ENSURE(value(&r, "n") == 1);
    // the same event again does nothing: the condition has no edge
    ENSURE(rb_program_event(r.in, t, r.x, &r.f.diag, &result) == RB_OK);
    ENSURE(!result.states_changed);
    at(&r, t);
    ENSURE(value(&r, "n") == 1);
    fixture_close(&r.f);
}

static void sampled(void **state) {
    (void)state;
    Run r;
    start(&r,
          "disc y start 0\nreal x start 1 fixed\neq der(x) = 1 + 0*y\n"
          "when sample(0.5, 0.25)\n  set y = pre(y) + x\nend\n",
          RB_BACKEND_TCC);
    ENSURE_NEAR(rb_program_next_time_event(r.in), 0.5, 0);
    double t = 0, want = 0;
    for (int k = 0; k < 4; k++) {
        double next = rb_program_next_time_event(r.in);
        ENSURE_NEAR(next, 0.5 + 0.25 * k, 0);
        advance(&r, &t, next, 1);
        RbEventResult result;
        ENSURE(rb_program_event(r.in, next, r.x, &r.f.diag, &result) == RB_OK);
        want += 1 + next;
        ENSURE_NEAR(value(&r, "y"), want, 1e-14);
    }
    fixture_close(&r.f);
}

// An ideal diode with a resistor: a system that mixes a Boolean with currents. Forward 2 V: closed;
// backward: open.
static void diode(void **state) {
    (void)state;
    Run r;
    start(&r,
          "real u\nreal i\nreal s\nbool off start true\n"
          "eq off = s < 0\n"
          "eq u = if off then s else 0\n"
          "eq i = if off then 0 else s\n"
          "eq 2*cos(time) = 4*i + u\n",
          RB_BACKEND_TCC);
    at(&r, 0);
    ENSURE(value(&r, "off") == 0);
    ENSURE_NEAR(value(&r, "i"), 0.5, 1e-15);
    RbEventResult result;
    ENSURE(rb_program_event(r.in, 3, r.x, &r.f.diag, &result) == RB_OK);
    ENSURE(value(&r, "off") == 1 && result.values_changed);
    ENSURE_NEAR(value(&r, "i"), 0, 0);
    ENSURE_NEAR(value(&r, "u"), 2 * cos(3), 1e-15);
    fixture_close(&r.f);
}

// --- states chosen at run time
// ----------------------------------------------------------------------------------------------------

// A pendulum that turns over: Cartesian coordinates, index 3. Energy and length are kept, whatever
// the choice of states.
static void pendulum_turns_over(void **state) {
    (void)state;
    Run r;
    start(&r,
          "param L = 1\nparam g = 9.81\n"
          "real x start 0\nreal y start -1\nreal vx start 7 fixed\nreal vy\nreal F\n"
          "eq der(x) = vx\neq der(y) = vy\n"
          "eq der(vx) = -x*F\neq der(vy) = -y*F - g\n"
          "eq x^2 + y^2 = L^2\n",
          RB_BACKEND_TCC);
    double t = 0, energy = 0.5 * 49 - 9.81;
    int switches = 0;
    bool over = false;
    at(&r, 0);
    ENSURE_NEAR(value(&r, "y"), -1, 1e-12);
    for (int k = 1; k <= 2000; k++) {
        advance(&r, &t, 0.001 * k, 4);
        if (rb_program_wants_other_states(r.in, t, r.x)) {
            RbEventResult result;
            ENSURE(rb_program_event(r.in, t, r.x, &r.f.diag, &result) == RB_OK);
            ENSURE(result.states_changed);
            switches++;
        }
        at(&r, t);
        double x = value(&r, "x"), y = value(&r, "y"), vx = value(&r, "vx"), vy = value(&r, "vy");
        ENSURE_NEAR(x * x + y * y, 1, 1e-12);
        ENSURE_NEAR(x * vx + y * vy, 0, 1e-11);
        ENSURE_NEAR(0.5 * (vx * vx + vy * vy) + 9.81 * y, energy, 1e-7);
        over |= y > 0.99;
    }
    ENSURE(over && switches > 4);
    fixture_close(&r.f);
}

// --- pattern and parameters
// ---------------------------------------------------------------------------------------------------------

static void pattern(void **state) {
    (void)state;
    Run r;
    start(&r,
          "real a\nreal b\nreal c\nreal y\neq der(a) = 2*b\neq der(b) = y\neq y = a*c\neq der(c) = "
          "-c\n",
          RB_BACKEND_TCC);
    RbStatePattern p = rb_program_pattern(r.program, &r.f.arena, r.f.scratch);
    ENSURE(p.start[1] == 1 && p.columns[0] == 1);
    ENSURE(p.start[2] == 3 && p.start[3] == 4 && p.columns[3] == 2);
    fixture_close(&r.f);
}

// A parameter that the initial equations determine.
static void parameter_found_at_start(void **state) {
    (void)state;
    Run r;
    start(&r, "param k unfixed\nreal x start 2 fixed\neq der(x) = 6 - k*x\ninit der(x) = 0\n",
          RB_BACKEND_TCC);
    ENSURE_NEAR(value(&r, "k"), 3, 1e-15);
    ENSURE(rb_program_derivatives(r.in, 0, r.x, r.dx) == RB_OK);
    ENSURE_NEAR(r.dx[0], 0, 1e-15);
    fixture_close(&r.f);
}

static void assertion(void **state) {
    (void)state;
    Run r;
    start(&r, "real x start 1 fixed\neq der(x) = 1\nassert x < 2\n", RB_BACKEND_TCC);
    ENSURE(rb_program_check(r.in, 0, r.x, &r.f.diag) == RB_OK);
    r.x[0] = 2.5;
    ENSURE(rb_program_check(r.in, 1.5, r.x, &r.f.diag) == RB_ERROR_ASSERTION);
    assert_string_equal(r.f.diag.messages.data[r.f.diag.messages.count - 1].text,
                        "time 1.5 s: assertion failed");
    fixture_close(&r.f);
}

// --- memory
// -----------------------------------------------------------------------------------------------------------------------

static void evaluation_does_not_allocate(void **state) {
    (void)state;
    Run r;
    start(&r, everything, RB_BACKEND_TCC);
    size_t calls = r.f.heap.calls;
    for (int i = 0; i < 1000; i++)
        ENSURE(rb_program_derivatives(r.in, 0.001 * i, r.x, r.dx) == RB_OK);
    ENSURE(r.f.heap.calls == calls);
    fixture_close(&r.f);
}

typedef struct Attempt {
    RbHeap heap;
    RbArena arena, scratch;
} Attempt;

static RbStatus attempt(void *argument) {
    Attempt *a = argument;
    a->arena = rb_arena(&a->heap);
    a->scratch = rb_arena(&a->heap);
    RbDiag diag = rb_diag(&a->arena);
    RbSortedDae *dae;
    RbProgram *program;
    RB_TRY(
        rb_dae_sort(tiny_model(&a->arena, everything), NULL, &a->arena, a->scratch, &diag, &dae));
    RB_TRY(rb_program(dae, NULL, &a->arena, a->scratch, &diag, &program));
    return rb_program_initialize(rb_program_instance(program, &a->arena), 0, &diag);
}

static void no_memory(void **state) {
    (void)state;
    RbStatus status = RB_ERROR_MEMORY;
    int n = 0;
    for (; status == RB_ERROR_MEMORY && n < 500; n++) {
        FailingAllocator failing = {n};
        RbAllocator allocator = {failing_resize, &failing};
        Attempt a = {.heap = rb_heap(&allocator)};
        status = rb_protect(&a.heap, attempt, &a);
        rb_arena_free(&a.scratch);
        rb_arena_free(&a.arena);
        ENSURE(a.heap.bytes == 0);
    }
    ENSURE(status == RB_OK && n > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decay),
        cmocka_unit_test(filter),
        cmocka_unit_test(gear),
        cmocka_unit_test(systems),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(sampled),
        cmocka_unit_test(diode),
        cmocka_unit_test(pendulum_turns_over),
        cmocka_unit_test(pattern),
        cmocka_unit_test(parameter_found_at_start),
        cmocka_unit_test(assertion),
        cmocka_unit_test(evaluation_does_not_allocate),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
