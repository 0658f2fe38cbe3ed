// SPDX-License-Identifier: MIT
// Programs: values against closed forms, the three ways to evaluate bit by bit, events, states
// chosen at run time.
#include "testing.h"

#include <string.h>

#include "program/program.h"
#include "program/program_instance.h"
#include "program/tape.h"
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

// --- values --------------------------------------------------------------------------------------

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

// --- three ways, the same bits -------------------------------------------------------------------

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

static void optimised_code_agrees_and_wrong_code_does_not(void **state) {
    (void)state;
    Run r;
    start(&r, everything, RB_BACKEND_TCC);
    RbCompiled fast, wrong;
    const char *cache = RB_BINARY_DIR "/model-cache";
    ENSURE(rb_compile_optimized(&r.program->source, cache, &r.f.arena, &r.f.diag, &fast) == RB_OK);
    wrong = fast; // a section that does something else does not give the same values
    wrong.sections[RB_SECTION_DERIVATIVES] = fast.sections[RB_SECTION_INDICATORS];
    ENSURE(!rb_program_agrees(r.in, &wrong, 0.1, (double[]){0.8, 0.1}));
    ENSURE(rb_program_agrees(r.in, &fast, 0.1, r.x));
    fixture_close(&r.f);
}

// Code that is compiled at once works at fixed addresses; two instances do not share them.
static void instances_do_not_meet(void **state) {
    (void)state;
    Run r;
    start(&r, "param k = 0.5\nreal x start 2 fixed\neq der(x) = -k*x\n", RB_BACKEND_TCC);
    RbProgramInstance *other = rb_program_instance(r.program, &r.f.arena);
    ENSURE(rb_program_set(other, rb_program_find(r.program, "k"), 3));
    ENSURE(rb_program_initialize(other, 0, &r.f.diag) == RB_OK);
    for (int k = 0; k < 2; k++) { // in turns
        ENSURE(rb_program_derivatives(r.in, 0, (double[]){4}, r.dx) == RB_OK);
        ENSURE_NEAR(r.dx[0], -2, 0);
        ENSURE(rb_program_derivatives(other, 0, (double[]){5}, r.dx) == RB_OK);
        ENSURE_NEAR(r.dx[0], -15, 0);
    }
    ENSURE_NEAR(value(&r, "k"), 0.5, 0);
    ENSURE(other->compiled.sections[0] != r.in->compiled.sections[0]);
    fixture_close(&r.f);
}

// --- systems and simplifications -----------------------------------------------------------------

static void sort_and_start(Run *r, RbFlatModel *flat, const RbDaeOptions *options, double time) {
    RbStatus status = rb_dae_sort(flat, options, &r->f.arena, r->f.scratch, &r->f.diag, &r->dae);
    if (status == RB_OK)
        status = rb_program(r->dae, NULL, &r->f.arena, r->f.scratch, &r->f.diag, &r->program);
    if (status == RB_OK) {
        r->in = rb_program_instance(r->program, &r->f.arena);
        status = rb_program_initialize(r->in, time, &r->f.diag);
    }
    if (status != RB_OK) show(&r->f);
    ENSURE(status == RB_OK);
}

// Torn and whole systems have the same solution.
static void torn_and_whole(void **state) {
    (void)state;
    static const char text[] = "real a start 1\nreal b start 1\nreal c start 1\nreal e start 0.2\n"
                               "eq a + 0.2*sin(b) + c = 2 + time\neq 3*b - a*c = 1\n"
                               "eq c + 0.5*e = 1 + 0.2*cos(a)\neq e = 0.1*a^2 + 0.1*b\n";
    static const char *const names[] = {"a", "b", "c", "e"};
    double values[2][4];
    for (int whole = 0; whole < 2; whole++) {
        Run r;
        fixture_open(&r.f);
        sort_and_start(&r, tiny_model(&r.f.arena, text), &(RbDaeOptions){.no_tearing = whole},
                       0.25);
        ENSURE(r.dae->stats.largest_system == 4 &&
               (r.dae->stats.largest_torn == 4) == (whole == 1));
        for (int i = 0; i < 4; i++) values[whole][i] = value(&r, names[i]);
        fixture_close(&r.f);
    }
    for (int i = 0; i < 4; i++) ENSURE_NEAR(values[0][i], values[1][i], 1e-12);
    double a = values[0][0], b = values[0][1], c = values[0][2];
    ENSURE_NEAR(a + 0.2 * sin(b) + c, 2.25, 1e-12);
    ENSURE_NEAR(3 * b - a * c, 1, 1e-12);
}

// A device without series resistance: R = 0 is final, so the current follows from the rest of the
// circuit.
static void final_zero(void **state) {
    (void)state;
    Run r;
    fixture_open(&r.f);
    RbFlatModel *flat =
        tiny_model(&r.f.arena, "param R = 0\nparam G = 0.5\nreal u\nreal v\nreal i\n"
                               "eq R*i = u - v\neq u = 4*cos(time)\neq i = G*v\n");
    flat->vars.data[0].is_final = true;
    sort_and_start(&r, flat, NULL, 0);
    ENSURE_NEAR(value(&r, "i"), 2, 0);
    ENSURE(!rb_program_set(r.in, 0, 1)); // decided the structure
    ENSURE(rb_program_set(r.in, 1, 1));
    fixture_close(&r.f);
}

// Two equations that say the same for p = 0: what they leave free keeps its value; for p <> 0 they
// determine it.
static void singular_but_consistent(void **state) {
    (void)state;
    Run r;
    start(&r,
          "param p = 0\nreal a start 5\nreal b start 2\n"
          "eq a + (1 + p)*b*(1 + 0*time) = 7 + 2*p\n"
          "eq a + b*(1 + 0*time) = 7*(1 + 0*time)\n",
          RB_BACKEND_TCC);
    ENSURE_NEAR(value(&r, "a") + value(&r, "b"), 7, 1e-14);
    ENSURE_NEAR(value(&r, "a"), 5, 1e-14);
    rb_program_set(r.in, rb_program_find(r.program, "p"), 1);
    ENSURE(rb_program_initialize(r.in, 0, &r.f.diag) == RB_OK);
    ENSURE_NEAR(value(&r, "b"), 2, 1e-14);
    ENSURE_NEAR(value(&r, "a"), 5, 1e-14);
    fixture_close(&r.f);
}

// Start values that are a solution but for rounding: what two equations that say the same differ by is rounding of that. Equations that
// differ by more have none.
static void singular_next_to_a_solution(void **state) {
    (void)state;
    Run r;
    start(&r,
          "param p = 0\nreal a start 0.1\nreal b start 0.2\n"
          "eq 0.7*a*(1 + 0*time) + 0.7*b*(1 + 0*time) = 0.7*0.3\n"
          "eq 1.1*a*(1 + 0*time) + 1.1*b*(1 + 0*time) = 1.1*0.3 + p\n",
          RB_BACKEND_TCC);
    ENSURE_NEAR(value(&r, "a"), 0.1, 1e-15);
    ENSURE_NEAR(value(&r, "b"), 0.2, 1e-15);
    rb_program_set(r.in, rb_program_find(r.program, "p"), 1e-3);
    ENSURE(rb_program_initialize(r.in, 0, &r.f.diag) == RB_ERROR_INIT);
    const char *said = fixture_message(&r.f, r.f.diag.messages.count - 1);
    ENSURE(strstr(said, "the equations contradict each other"));
    fixture_close(&r.f);
}

// Two pipes in a row: at zero flow the enthalpy between them follows from the meaning of
// semiLinear.
static void semi_linear(void **state) {
    (void)state;
    Run r;
    start(&r,
          "param a = 3\nparam b = 7\nreal m\nreal H\nreal h\n"
          "eq m = sin(time)\n"
          "eq H = semiLinear(m, a, h)\n"
          "eq -H = semiLinear(-m, b, h)\n",
          RB_BACKEND_TCC);
    ENSURE_NEAR(value(&r, "h"), 3, 0); // m = 0 counts as forward
    at(&r, 1);
    ENSURE_NEAR(value(&r, "h"), 3, 0);
    ENSURE_NEAR(value(&r, "H"), 3 * sin(1), 1e-15);
    at(&r, 4);
    ENSURE_NEAR(value(&r, "h"), 7, 0);
    ENSURE_NEAR(value(&r, "H"), 7 * sin(4), 1e-15);
    fixture_close(&r.f);
}

// --- functions and algorithms --------------------------------------------------------------------

static void assignment(RbFlatModel *m, RbStatements *list, const RbExpr *target, const RbExpr *e) {
    RbStatement *s = rb_statement(list, m->arena, RB_ST_ASSIGN, RB_NOWHERE);
    s->target = target;
    s->value = e;
}

// (y, z) = f(u): y = u + u^2 + u^3 + u^4 by Horner's rule in a loop; z = 2 u if u > 1, else u^2.
static void add_polynomial(RbFlatModel *m) {
    RbExprs *x = m->exprs;
    RbFunction *f = rb_new(m->arena, RbFunction);
    const RbFunctionVar vars[] = {
        {.name = "u"}, {.name = "y"}, {.name = "z"}, {.name = "k", .type = RB_INTEGER}};
    for (int i = 0; i < 4; i++) rb_array_push(&f->vars, m->arena, vars[i]);
    f->name = "polynomial";
    f->input_count = 1;
    f->output_count = 2;
    const RbExpr *u = rb_local(x, 0, RB_REAL, 0), *y = rb_local(x, 1, RB_REAL, 0),
                 *z = rb_local(x, 2, RB_REAL, 0);
    RbStatement *loop = rb_statement(&f->statements, m->arena, RB_ST_FOR, RB_NOWHERE);
    loop->target = rb_local(x, 3, RB_INTEGER, 0);
    loop->value = rb_range(x, rb_integer(x, 1), rb_integer(x, 1), rb_integer(x, 4));
    rb_array_push(&loop->branches, m->arena, (RbStatementBranch){0});
    assignment(m, &loop->branches.data[0].statements, y, rb_mul(x, rb_add(x, y, rb_real(x, 1)), u));
    RbStatement *choice = rb_statement(&f->statements, m->arena, RB_ST_IF, RB_NOWHERE);
    const RbExpr *large = rb_relate(x, RB_OP_GT, u, rb_real(x, 1));
    rb_array_push(&choice->branches, m->arena, (RbStatementBranch){.condition = large});
    rb_array_push(&choice->branches, m->arena, (RbStatementBranch){0});
    assignment(m, &choice->branches.data[0].statements, z, rb_mul(x, rb_real(x, 2), u));
    assignment(m, &choice->branches.data[1].statements, z, rb_mul(x, u, u));
    rb_array_push(&m->functions, m->arena, f);
}

static double sum_of_powers(double u) {
    return u + u * u + u * u * u + u * u * u * u;
}

// The function is called, inverted by Newton's method (which needs its derivative), and
// differentiated by index reduction.
static void functions(void **state) {
    (void)state;
    Run r;
    fixture_open(&r.f);
    RbFlatModel *m = tiny_model(
        &r.f.arena, "real y\nreal z\nreal v start 1\nreal s start 0.5\nreal w\neq der(s) = 2*w\n");
    RbExprs *x = m->exprs;
    RbPos line = {"Tiny.mo", 1, 1};
    add_polynomial(m);
    const RbExpr *t = rb_add(x, rb_time(x), rb_real(x, 1.5)), *v = rb_flat_ref(m, 2),
                 *s = rb_flat_ref(m, 3);
    const RbExpr *call = rb_call_function(x, 0, RB_REAL, 0, &t, 1);
    rb_flat_equal(m, &m->equations, rb_flat_ref(m, 0), call, line);
    rb_flat_equal(m, &m->equations, rb_flat_ref(m, 1), rb_result(x, call, 1, RB_REAL, 0), line);
    rb_flat_equal(m, &m->equations, rb_call_function(x, 0, RB_REAL, 0, &v, 1),
                  rb_real(x, sum_of_powers(0.7)), line);
    // f(s) = f(0.5) + time: s is prescribed, and w follows from the derivative of f
    const RbExpr *prescribed = rb_add(x, rb_real(x, sum_of_powers(0.5)), rb_time(x));
    rb_flat_equal(m, &m->equations, rb_call_function(x, 0, RB_REAL, 0, &s, 1), prescribed, line);
    sort_and_start(&r, m, NULL, 0);
    ENSURE(r.dae->states.count == 0);
    ENSURE_NEAR(value(&r, "y"), sum_of_powers(1.5), 1e-14);
    ENSURE_NEAR(value(&r, "z"), 3, 0);
    ENSURE_NEAR(value(&r, "v"), 0.7, 1e-12);
    ENSURE_NEAR(value(&r, "s"), 0.5, 1e-12);
    ENSURE_NEAR(2 * value(&r, "w"), 1 / (1 + 2 * 0.5 + 3 * 0.25 + 4 * 0.125), 1e-12);
    fixture_close(&r.f);
}

// y := 0; for i in 1:3 loop y := y + i*u; end for;  when u > 2 then n := pre(n) + 1; end when;
static void algorithm_section(void **state) {
    (void)state;
    Run r;
    fixture_open(&r.f);
    RbFlatModel *m =
        tiny_model(&r.f.arena, "real u start 1 fixed\nreal y\nint n start 4\neq der(u) = 1\n");
    RbExprs *x = m->exprs;
    const RbExpr *u = rb_flat_ref(m, 0), *y = rb_flat_ref(m, 1), *n = rb_flat_ref(m, 2);
    const RbExpr *i = rb_local(x, 0, RB_INTEGER, 0),
                 *large = rb_relate(x, RB_OP_GT, u, rb_real(x, 2));
    RbEquation *eq =
        rb_equation(&m->equations, m->arena, RB_EQ_ALGORITHM, (RbPos){"Tiny.mo", 9, 1});
    assignment(m, &eq->statements, y, rb_real(x, 0));
    RbStatement *loop = rb_statement(&eq->statements, m->arena, RB_ST_FOR, RB_NOWHERE);
    loop->target = i;
    loop->value = rb_range(x, rb_integer(x, 1), rb_integer(x, 1), rb_integer(x, 3));
    rb_array_push(&loop->branches, m->arena, (RbStatementBranch){0});
    assignment(m, &loop->branches.data[0].statements, y, rb_add(x, y, rb_mul(x, i, u)));
    RbStatement *when = rb_statement(&eq->statements, m->arena, RB_ST_WHEN, RB_NOWHERE);
    rb_array_push(&when->branches, m->arena, (RbStatementBranch){.condition = large});
    assignment(m, &when->branches.data[0].statements, n, rb_add(x, rb_pre(x, n), rb_integer(x, 1)));
    sort_and_start(&r, m, NULL, 0);
    ENSURE(r.dae->relations.count == 1);
    ENSURE_NEAR(value(&r, "y"), 6, 0);
    ENSURE(value(&r, "n") == 4);
    RbEventResult result;
    r.x[0] = 2.5;
    ENSURE(rb_program_event(r.in, 1.5, r.x, &r.f.diag, &result) == RB_OK);
    ENSURE_NEAR(value(&r, "y"), 15, 0);
    ENSURE(value(&r, "n") == 5 && result.values_changed);
    fixture_close(&r.f);
}

// --- events --------------------------------------------------------------------------------------

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

// sample(2, infinity) fires once, at 2 s; not at the start because of a tolerance that grows with
// the interval.
static void sampled_once(void **state) {
    (void)state;
    Run r;
    start(&r,
          "disc y start 5\nreal x start 1 fixed\neq der(x) = 1 + 0*y\n"
          "when sample(2, 1e60)\n  set y = time\nend\n",
          RB_BACKEND_TCC);
    ENSURE(value(&r, "y") == 5);
    RbEventResult result;
    for (int k = 0; k < 2; k++) {
        double next = rb_program_next_time_event(r.in);
        ENSURE_NEAR(next, k == 0 ? 2 : 1e60, 0);
        double time = k == 0 ? 2 : 3; // an event of something else
        ENSURE(rb_program_event(r.in, time, r.x, &r.f.diag, &result) == RB_OK);
        ENSURE_NEAR(value(&r, "y"), 2, 0);
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

// --- states chosen at run time -------------------------------------------------------------------

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

// --- pattern and parameters ----------------------------------------------------------------------

static void pattern(void **state) {
    (void)state;
    Run r;
    start(&r,
          "real a\nreal b\nreal c\nreal y\neq der(a) = 2*b\neq der(b) = y\neq y = a*c\neq der(c) = "
          "-c\n",
          RB_BACKEND_TCC);
    RbStatePattern p = rb_program_pattern(r.in, &r.f.arena, r.f.scratch);
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

// --- memory --------------------------------------------------------------------------------------

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

static RbStatus attempt(Fixture *f, void *argument) {
    (void)argument;
    RbSortedDae *dae;
    RbProgram *program;
    RB_TRY(rb_dae_sort(tiny_model(&f->arena, everything), NULL, &f->arena, f->scratch, &f->diag,
                       &dae));
    RB_TRY(rb_program(dae, NULL, &f->arena, f->scratch, &f->diag, &program));
    return rb_program_initialize(rb_program_instance(program, &f->arena), 0, &f->diag);
}

static void no_memory(void **state) {
    (void)state;
    fixture_survives(attempt, NULL, 10);
}

// A function of time at many times: as the interpreter has it, bit by bit, also with another parameter.
static void tape_of_a_function_of_time(void **state) {
    (void)state;
    static const char *const texts[] = {
        "sin(p*time)*exp(-time) + (time - p)^3/(1 + time^2)",
        "noEvent(if time > p and not time > 2*p then sqrt(abs(time - p)) else min(time, p))",
        "max(p, 0.5)*smooth(1, cos(time)*cos(time)) - (if p > 1 then time else -time)"};
    for (int k = 0; k < 3; k++) {
        Run r;
        char text[200];
        snprintf(text, sizeof text, "param p = 0.75\nreal y\neq y = %s\n", texts[k]);
        start(&r, text, RB_BACKEND_INTERPRET);
        const RbExpr *e = NULL;
        for (int i = 0; i < r.dae->blocks.count; i++) {
            const RbBlock *b = &r.dae->blocks.data[i];
            if (b->assign_count == 1) e = b->assigns[0].value;
        }
        ENSURE(e);
        RbTape *tape = rb_tape(r.dae, e, &r.f.arena, r.f.scratch);
        ENSURE(tape);
        for (int other = 0; other < 2; other++) {
            if (other) ENSURE(rb_program_set(r.in, rb_program_find(r.program, "p"), 1.25));
            ENSURE(rb_program_parameters(r.in, 0, &r.f.diag) == RB_OK);
            rb_tape_set(tape, r.in);
            for (int i = 0; i <= 100; i++) {
                double t = 0.03 * i, value = rb_tape_at(tape, t);
                r.in->frame.t = t;
                double wanted = rb_interpret_number(r.in, e);
                ENSURE(memcmp(&value, &wanted, sizeof value) == 0);
            }
        }
        fixture_close(&r.f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decay),
        cmocka_unit_test(filter),
        cmocka_unit_test(gear),
        cmocka_unit_test(systems),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(optimised_code_agrees_and_wrong_code_does_not),
        cmocka_unit_test(instances_do_not_meet),
        cmocka_unit_test(torn_and_whole),
        cmocka_unit_test(final_zero),
        cmocka_unit_test(singular_but_consistent),
        cmocka_unit_test(singular_next_to_a_solution),
        cmocka_unit_test(semi_linear),
        cmocka_unit_test(functions),
        cmocka_unit_test(algorithm_section),
        cmocka_unit_test(bouncing_ball),
        cmocka_unit_test(sampled),
        cmocka_unit_test(sampled_once),
        cmocka_unit_test(diode),
        cmocka_unit_test(pendulum_turns_over),
        cmocka_unit_test(pattern),
        cmocka_unit_test(parameter_found_at_start),
        cmocka_unit_test(assertion),
        cmocka_unit_test(evaluation_does_not_allocate),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(tape_of_a_function_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
