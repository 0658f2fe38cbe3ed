// SPDX-License-Identifier: MIT
// Large linear systems (tests/models/LinearSystems.mo): sparse elimination, matrices that are
// factorised once, and residual form. All solutions are known in closed form.
#include "program/systems.h"
#include "translate/run_model.h"

static const char *const solvers[] = {"ida", "cvode"}; // residual form, solved form

// ------------------------------------------------------------------------------------------------
// programs

typedef struct Program {
    Fixture f;
    RbTranslation t;
    RbProgramInstance *in;
} Program;

static void open_program(Program *p, const char *class, int residual_min, RbBackend backend) {
    fixture_open(&p->f);
    RbNames *names = rb_new(&p->f.arena, RbNames);
    *names = rb_names(&p->f.arena);
    RbLibrary *library = rb_library(names, &p->f.arena, &p->f.scratch, &p->f.diag);
    const char *last, *file = RB_SOURCE_DIR "/tests/models/LinearSystems.mo";
    ENSURE(rb_library_add_file(library, file, &last) == RB_OK);
    RbTranslateOptions options = {.code.backend = backend, .residual_min = residual_min};
    ENSURE(rb_translate(library, class, &options, &p->f.arena, p->f.scratch, &p->f.diag, &p->t) ==
           RB_OK);
    p->in = rb_program_instance(p->t.program, &p->f.arena);
    ENSURE(rb_program_initialize(p->in, 0, &p->f.diag) == RB_OK);
}

static void close_program(Program *p) {
    fixture_close(&p->f);
}

static double value(Program *p, const char *format, int k) {
    char name[64];
    snprintf(name, sizeof name, format, k);
    int v = rb_program_find(p->t.program, name);
    ENSURE(v >= 0);
    return rb_program_value(p->in, v);
}

static long factorisations(const Program *p) {
    long count = 0;
    for (int k = 0; k < p->t.program->lowered->systems.count; k++) {
        const RbSystemWork *s = &p->in->systems[k];
        if (!p->t.program->lowered->systems.data[k].initial && s->factors)
            count += rb_factors_count(s->factors);
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// elimination

// Seen from its end the ladder has the potentials 1, 2, 5, 13, ...: every other Fibonacci number. A
// row of assignments from the source would multiply every error by 2.6 in each of 300 cells.
static void a_long_ladder(void **state) {
    (void)state;
    enum { CELLS = 300 };
    double fibonacci[CELLS + 1] = {1, 2};
    for (int k = 2; k <= CELLS; k++) fibonacci[k] = 3 * fibonacci[k - 1] - fibonacci[k - 2];
    Program p;
    open_program(&p, "LinearSystems.Ladder", 0, RB_BACKEND_TCC);
    for (int k = 1; k <= CELLS + 1; k++) {
        double want = fibonacci[CELLS + 1 - k] / fibonacci[CELLS];
        ENSURE_NEAR(value(&p, "v[%d]", k), want, 1e-13 * want);
    }
    close_program(&p);
}

static void a_grid(void **state) {
    (void)state;
    Program p;
    open_program(&p, "LinearSystems.Grid", 0, RB_BACKEND_TCC);
    const RbDaeStats *stats = &p.t.dae->stats;
    ENSURE(stats->largest_system == 22 * 22);
    ENSURE(rb_program_outputs(p.in, 0.5, p.in->frame.x) == RB_OK);
    for (int j = 1; j <= 24; j++) {
        for (int k = 1; k <= 24; k++) {
            char name[32];
            snprintf(name, sizeof name, "v[%d,%d]", j, k);
            double got = rb_program_value(p.in, rb_program_find(p.t.program, name));
            ENSURE_NEAR(got, 1.5 * (j * j - k * k), 1e-11);
        }
    }
    close_program(&p);
}

// A matrix of parameters is factorised once, whatever is evaluated; after a parameter has changed,
// once more.
static void constant_matrices_are_factorised_once(void **state) {
    (void)state;
    Program p;
    open_program(&p, "LinearSystems.Ladder", 0, RB_BACKEND_TCC);
    for (int k = 0; k < 50; k++) ENSURE(rb_program_outputs(p.in, 0.1 * k, p.in->frame.x) == RB_OK);
    ENSURE(factorisations(&p) == 1);
    ENSURE_NEAR(value(&p, "v[%d]", 1), 5.9, 1e-12);
    double before = value(&p, "i[%d]", 1);
    ENSURE(rb_program_set(p.in, rb_program_find(p.t.program, "R"), 4));
    ENSURE(rb_program_initialize(p.in, 4.9, &p.f.diag) == RB_OK);
    ENSURE_NEAR(value(&p, "i[%d]", 1), before / 4, 1e-12);
    ENSURE(factorisations(&p) == 2);
    close_program(&p);
}

// The switch at the end of the ladder is open until t = 0.5: no current there, so the last two
// potentials are equal, and from there they are 1, 1, 2, 5, ... Closed, they are 1, 2, 5, ...
static void switches_factorise_at_events(void **state) {
    (void)state;
    Program p;
    open_program(&p, "LinearSystems.Switched", 0, RB_BACKEND_TCC);
    for (int k = 0; k < 20; k++) ENSURE(rb_program_outputs(p.in, 0.02 * k, p.in->frame.x) == RB_OK);
    ENSURE_NEAR(value(&p, "v[%d]", 61) / value(&p, "v[%d]", 60), 1, 1e-12);
    ENSURE_NEAR(value(&p, "v[%d]", 61) / value(&p, "v[%d]", 59), 0.5, 1e-12);
    ENSURE(factorisations(&p) == 1);
    RbEventResult result;
    ENSURE(rb_program_event(p.in, 0.5, p.in->frame.x, &p.f.diag, &result) == RB_OK);
    for (int k = 0; k < 20; k++)
        ENSURE(rb_program_outputs(p.in, 0.5 + 0.02 * k, p.in->frame.x) == RB_OK);
    ENSURE_NEAR(value(&p, "v[%d]", 61) / value(&p, "v[%d]", 60), 0.5, 1e-12);
    ENSURE_NEAR(value(&p, "v[%d]", 61) / value(&p, "v[%d]", 59), 0.2, 1e-12);
    ENSURE(factorisations(&p) == 2);
    close_program(&p);
}

// The accelerations of a mode are -omega^2 x, whoever evaluates.
static void accelerations(void **state) {
    (void)state;
    const RbBackend backends[] = {RB_BACKEND_TCC, RB_BACKEND_INTERPRET};
    for (int b = 0; b < 2; b++) {
        Program p;
        open_program(&p, "LinearSystems.Bar", 0, backends[b]);
        double w2 = pow(rb_program_value(p.in, rb_program_find(p.t.program, "omega")), 2);
        for (int k = 1; k <= 60; k++) {
            double x = value(&p, "x[%d]", k);
            ENSURE_NEAR(value(&p, "a[%d]", k), -w2 * x, 1e-14);
        }
        close_program(&p);
    }
}

// ------------------------------------------------------------------------------------------------
// residuals

// At the solution all residuals vanish; they are linear in the derivatives, with the matrix
// tri(1, 4, 1) up to the factor of a row; nothing is solved or factorised for them.
static void residuals_of_a_bar(void **state) {
    (void)state;
    Program p;
    open_program(&p, "LinearSystems.Bar", 0, RB_BACKEND_TCC);
    const RbResidualForm *form = &p.t.program->residual_form;
    ENSURE(form->count == 60 && form->system_count == 1 && form->largest == 60);
    int n = rb_program_states(p.in);
    double x[120], dx[120], r[120], moved[120];
    ENSURE(n == 120);
    memcpy(x, p.in->frame.x, sizeof x);
    ENSURE(rb_program_derivatives(p.in, 0.3, x, dx) == RB_OK);
    long before = factorisations(&p);
    ENSURE(rb_program_residuals(p.in, 0.3, x, dx, r) == RB_OK);
    for (int i = 0; i < n; i++) ENSURE_NEAR(form->implicit[i] ? r[i] : r[i] - dx[i], 0, 1e-14);
    double values[200];
    ENSURE(form->slope_count == 3 * 60 - 2);
    ENSURE(rb_program_residual_slopes(p.in, 0.3, x, dx, values) == RB_OK);
    double corner = 0; // the largest ratio of an entry to its row's others
    for (int j = 0; j < n; j++) {
        if (!form->implicit[j]) continue;
        memcpy(moved, dx, sizeof dx);
        moved[j] += 0.5;
        ENSURE(rb_program_residuals(p.in, 0.3, x, moved, r) == RB_OK);
        double sum[120] = {0};
        for (int k = 0; k < form->slope_count; k++) {
            if (form->slopes[k].column == j) sum[form->slopes[k].row] = values[k];
        }
        for (int i = 0; i < n; i++) {
            if (form->implicit[i]) ENSURE_NEAR(r[i], 0.5 * sum[i], 1e-14);
            corner = fmax(corner, fabs(sum[i]));
        }
    }
    for (int k = 0; k < form->slope_count; k++) {
        double ratio = fabs(values[k]) / corner;
        ENSURE(fabs(ratio - 1) < 1e-14 || fabs(ratio - 0.25) < 1e-14);
    }
    ENSURE(factorisations(&p) == before);
    close_program(&p);
}

static void small_systems_only_if_asked(void **state) {
    (void)state;
    Program p;
    open_program(&p, "LinearSystems.Bar", 61, RB_BACKEND_TCC);
    ENSURE(p.t.program->residual_form.count == 0);
    close_program(&p);
    open_program(&p, "LinearSystems.Bar", 60, RB_BACKEND_TCC);
    ENSURE(p.t.program->residual_form.count == 60);
    close_program(&p);
}

// ------------------------------------------------------------------------------------------------
// runs

static void open_run(Run *r, const char *class, const char *solver, double stop) {
    model_open(r, "LinearSystems.mo", class);
    r->options.solver = solver;
    r->options.stop_time = stop;
    r->options.tolerance = 1e-8; // errors add up to some hundred times that
    r->options.output_interval = stop / 50;
}

static void bar_vibrates(const char *class, const char *solver, bool measured) {
    Run r;
    open_run(&r, class, solver, 20);
    model_go(&r);
    double omega = model_last(&r, "omega"), theta = model_last(&r, "theta");
    const double *t = rb_result_times(r.result, &r.f.arena);
    const double *x = run_series(&r, "x[7]"), *a = run_series(&r, "a[7]"),
                 *m = run_series(&r, "m[7]"), *f = run_series(&r, "f[7]"),
                 *f8 = run_series(&r, "f[8]");
    const double *speed = measured ? run_series(&r, "speed") : NULL;
    for (size_t i = 0; i < r.result->row_count; i++) {
        double want = sin(7 * theta) * cos(omega * t[i]);
        ENSURE_NEAR(x[i], want, 1e-6);
        ENSURE_NEAR(a[i], -omega * omega * x[i], 1e-6); // of the solved system, not of ida
        ENSURE_NEAR(m[i], f8[i] - f[i], 1e-14);
        if (measured) ENSURE_NEAR(speed[i], -omega * sin(theta) * sin(omega * t[i]), 1e-6);
    }
    ENSURE(r.summary.residual_states == (strcmp(solver, "ida") == 0 ? 60 : 0));
    run_close(&r);
}

static void a_bar(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        bar_vibrates("LinearSystems.Bar", solvers[k], false);
        bar_vibrates("LinearSystems.MeasuredBar", solvers[k], true);
    }
}

// The second bar, at rest at first, gets the accelerations of the first one: y = x - x(0).
static void systems_in_a_row(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Run r;
        open_run(&r, "LinearSystems.TwoBars", solvers[k], 20);
        model_go(&r);
        double omega = model_last(&r, "omega"), theta = model_last(&r, "theta");
        double want = sin(7 * theta) * (cos(omega * 20) - 1);
        ENSURE_NEAR(model_last(&r, "y[7]"), want, 1e-6);
        ENSURE(r.summary.residual_states == (k == 0 ? 120 : 0));
        ENSURE(r.summary.nonlinear_failures < 5); // its Jacobian lacks nothing
        run_close(&r);
    }
}

static void coils(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Run r;
        open_run(&r, "LinearSystems.Coils", solvers[k], 4);
        model_go(&r);
        double lambda = model_last(&r, "lambda");
        ENSURE_NEAR(model_last(&r, "i[1]"), exp(-4 / lambda), 1e-6);
        ENSURE_NEAR(model_last(&r, "i[27]"), -exp(-4 / lambda), 1e-6); // half a wave away
        run_close(&r);
        // L grows with 1 + t: i = (1 + t)^(-1 / lambda)
        open_run(&r, "LinearSystems.Moving", solvers[k], 4);
        model_go(&r);
        ENSURE_NEAR(model_last(&r, "i[1]"), pow(5, -1 / lambda), 1e-6);
        run_close(&r);
    }
}

// At t1 = lambda log 2 the current is 1/2, and R becomes 2; the slope, -1/lambda again, reaches
// -1/4 of that when the current is 1/8, at t2 = t1 + lambda log 2; then R is 4. The second event
// indicator is a derivative that is not solved for: it must be found where the solution has it.
static void events(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Run r;
        open_run(&r, "LinearSystems.Switching", solvers[k], 8);
        model_go(&r);
        double lambda = model_last(&r, "lambda"), t1 = lambda * log(2), t2 = t1 + lambda * log(2);
        const double *t = rb_result_times(r.result, &r.f.arena);
        const double *i = run_series(&r, "i[1]"), *R = run_series(&r, "R"),
                     *slope = run_series(&r, "slope");
        double jumps[3] = {0, 0, 0};
        for (size_t n = 0; n < r.result->row_count; n++) {
            double early = fmin(t[n], t1), middle = fmax(0, fmin(t[n], t2) - t1),
                   late = fmax(0, t[n] - t2);
            ENSURE_NEAR(i[n], exp(-(early + 2 * middle + 4 * late) / lambda), 1e-6);
            ENSURE_NEAR(slope[n], -R[n] * i[n] / lambda, 1e-6);
            if (n > 0 && R[n] != R[n - 1]) jumps[R[n] > 3] = t[n];
        }
        ENSURE_NEAR(jumps[0], t1, 1e-6);
        ENSURE_NEAR(jumps[1], t2, 1e-6);
        run_close(&r);
    }
}

// Without being asked for, the user gets ida for such a model, and the log says so.
static void keep_line(void *user, RbTopic topic, const char *line) {
    (void)topic;
    if (strstr(line, "residual form")) snprintf(user, 200, "%s", line);
}

static void ida_is_chosen(void **state) {
    (void)state;
    char said[200] = "";
    Run r;
    open_run(&r, "LinearSystems.Coils", "auto", 1);
    r.log = (RbLog){.topics = 1U << RB_LOG_SOLVER, .sink = keep_line, .user = said};
    model_go(&r);
    ENSURE(strcmp(r.summary.solver, "ida") == 0 && r.summary.residual_states == 52);
    ENSURE(strstr(said, "of 52 unknowns") != NULL);
    ENSURE(r.summary.jacobians <= 3); // the matrix of the coils is known, and kept
    run_close(&r);
}

static RbBytes contents(Run *r, const char *path) {
    RbBytes bytes;
    ENSURE(rb_file_read(path, 0, &r->f.arena, &r->f.diag, &bytes) == RB_OK);
    return bytes;
}

// A resumed run writes what the run that was left alone wrote, bit by bit.
static void resumed_equals_whole(void **state) {
    (void)state;
    Run whole, again;
    open_run(&whole, "LinearSystems.Switching", "ida", 8);
    open_run(&again, "LinearSystems.Switching", "ida", 8);
    whole.options.checkpoint_interval = again.options.checkpoint_interval = 1.1;
    ENSURE(run_go(&whole) == RB_OK);
    ENSURE(whole.summary.checkpoints >= 6);
    RbBytes journal = contents(&whole, whole.journal);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    ENSURE(run_go(&again) == RB_OK);
    RbBytes resumed = contents(&again, again.journal);
    ENSURE(resumed.size == journal.size && memcmp(resumed.data, journal.data, journal.size) == 0);
    ENSURE(again.summary.state_hash == whole.summary.state_hash);
    run_close(&again);
    run_close(&whole);
}

// Structure alone makes a state of i0. Two sums say that it is 0.2 A, so that v0 = 0 and v_star is the mean voltage less R i0.
static void sums_hide_a_constraint(void **state) {
    (void)state;
    Program p;
    open_program(&p, "LinearSystems.Star", 0, RB_BACKEND_TCC);
    ENSURE(p.t.program->state_count == 0);
    fixture_close(&p.f);
    Run r;
    model_open(&r, "LinearSystems.mo", "LinearSystems.Star");
    r.options.stop_time = 2;
    model_go(&r);
    double u[] = {sin(2), cos(2), sin(4)}, v = (u[0] + u[1] + u[2]) / 3 - 2 * 0.2;
    ENSURE_NEAR(model_last(&r, "i0"), 0.2, 1e-14);
    ENSURE_NEAR(model_last(&r, "v0"), 0, 1e-14);
    ENSURE_NEAR(model_last(&r, "v_star"), v, 1e-13);
    ENSURE_NEAR(model_last(&r, "i[3]"), (u[2] - v) / 2, 1e-13);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_ladder),
        cmocka_unit_test(a_grid),
        cmocka_unit_test(constant_matrices_are_factorised_once),
        cmocka_unit_test(switches_factorise_at_events),
        cmocka_unit_test(accelerations),
        cmocka_unit_test(residuals_of_a_bar),
        cmocka_unit_test(small_systems_only_if_asked),
        cmocka_unit_test(a_bar),
        cmocka_unit_test(systems_in_a_row),
        cmocka_unit_test(coils),
        cmocka_unit_test(events),
        cmocka_unit_test(ida_is_chosen),
        cmocka_unit_test(resumed_equals_whole),
        cmocka_unit_test(sums_hide_a_constraint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
