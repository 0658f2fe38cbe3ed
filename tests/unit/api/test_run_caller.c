// SPDX-License-Identifier: MIT
// Runs that the caller integrates, by Runge's and Kutta's method of order 4 with bisection for events,
// which is all here: against closed forms, and against held runs of the library's own solvers.
#include "testing.h"

#include <string.h>

#include "rattleback/rattleback.h"
#include "stepper.h"

typedef struct Held {
    RbContext *context;
    RbModel *model;
    RbSimOptions options;
    RbRun *run;
    Stepper s;
    double nominal[STEPPER_MOST];
    long events;
} Held;

static const double FIRST_STEP = 1e-4; // [s] after an event

#define OK(h, call) ensure_ok(h, call, __LINE__)

static void ensure_ok(const Held *h, RbStatus status, int line) {
    if (status == RB_OK) return;
    int count = rb_context_message_count(h->context);
    print_error("line %d: %s: %s\n", line, rb_status_name(status),
                count > 0 ? rb_context_message(h->context, count - 1) : "");
    _fail(__FILE__, line);
}

static void rates(void *user, double t, const double *x, double *dx);
static void indicators(void *user, double t, const double *x, double *z);

static Held translated(const RbModelica *source) {
    Held h = {.context = rb_context_create(NULL)};
    OK(&h, rb_modelica_translate(h.context, source, &h.model));
    h.options = rb_model_options(h.model);
    h.options.tolerance = 1e-10;
    h.options.solver = "caller";
    return h;
}

static void look(Held *h) {
    Stepper *s = &h->s;
    s->n = rb_run_sizes(h->run).states;
    s->z_count = rb_run_sizes(h->run).indicators;
    assert_true(s->n <= STEPPER_MOST && s->z_count <= STEPPER_MOST);
    OK(h, rb_run_states(h->run, s->x));
    OK(h, rb_run_indicators(h->run, NULL, s->z));
}

static void open_run(Held *h) {
    OK(h, rb_run_open(h->context, h->model, &h->options, &h->run));
    h->s = (Stepper){.user = h,
                     .rates = rates,
                     .indicators = indicators,
                     .nominal = h->nominal,
                     .tolerance = 1e-11,
                     .h = FIRST_STEP};
    OK(h, rb_run_nominals(h->run, h->nominal));
    look(h);
}

static void open_text(Held *h, const char *text) {
    RbModelica source = rb_modelica_default();
    source.text = text;
    *h = translated(&source);
    open_run(h);
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

// ---- the method

static void rates(void *user, double t, const double *x, double *dx) {
    Held *h = user;
    OK(h, rb_run_move(h->run, t, x, NULL));
    OK(h, rb_run_derivatives(h->run, NULL, dx));
}

static void indicators(void *user, double t, const double *x, double *z) {
    Held *h = user;
    OK(h, rb_run_move(h->run, t, x, NULL));
    OK(h, rb_run_indicators(h->run, NULL, z));
}

static bool go(Held *h, double limit) {
    Stepper *s = &h->s;
    RbMet met = {0};
    while (s->t < limit && !met.finished) {
        double next = rb_run_next_event(h->run);
        bool event = stepper_step(s, fmin(limit, next)), asked;
        OK(h, rb_run_move(h->run, s->t, s->x, NULL));
        OK(h, rb_run_accept(h->run, &asked));
        if (event || asked || s->t >= next) {
            OK(h, rb_run_meet_event(h->run, &met));
            h->events++;
            s->h = FIRST_STEP;
        }
        look(h);
    }
    return met.finished;
}

// ---- what it computes

static void a_ball_bounces(void **state) {
    (void)state;
    Held h;
    open_text(&h, "model Ball Real x(start = 1, fixed = true); Real v(start = 0, fixed = true); "
                    "discrete Integer n(start = 0, fixed = true); "
                    "equation der(x) = v; der(v) = -9.81; when x <= 0 then reinit(v, -0.8*pre(v)); "
                    "n = pre(n) + 1; end when; end Ball;");
    double fall = sqrt(2 / 9.81), flight = 2 * 0.8 * fall, v = -9.81 * fall;
    assert_int_equal(rb_run_derivative(h.run, 0), rb_run_find(h.run, "der(x)"));
    go(&h, fall + flight + 0.5);
    double back = 0.64 * -v; // after the second bounce
    double later = h.s.t - fall - flight;
    ENSURE_NEAR(h.s.x[0], back * later - 9.81 / 2 * later * later, 1e-9);
    ENSURE_NEAR(h.s.x[1], back - 9.81 * later, 1e-9);
    ENSURE_NEAR(value(&h, "n"), 2, 0);
    // At most once more than it bounces: where a sign changes back.
    assert_in_range(h.events, 2, 4);
    close_all(&h);
}

static void times_of_events_are_known(void **state) {
    (void)state;
    Held h;
    open_text(&h, "model S Real x(start = 0, fixed = true); discrete Real u(start = 0, fixed = "
                    "true); equation der(x) = u + (if time > 0.35 then 10 else 0); when sample(0.1, "
                    "0.1) then u = pre(u) + 1; end when; end S;");
    ENSURE_NEAR(rb_run_next_event(h.run), 0.1, 1e-12);
    go(&h, 0.45);
    ENSURE_NEAR(h.s.x[0], 0.1 * (1 + 2 + 3) + 0.05 * 4 + 10 * 0.1, 1e-12);
    close_all(&h);
}

static void inputs_may_follow_time(void **state) {
    (void)state;
    Held h;
    open_text(&h, "model D input Real u; Real x(start = 1, fixed = true); equation der(x) = u; "
                    "end D;");
    double f[3];
    const double times[3] = {0, 0.5, 1};
    for (int i = 0; i < 3; i++) { // Simpson's rule is exact for t^3
        double u = times[i] * times[i] * times[i];
        OK(&h, rb_run_move(h.run, times[i], NULL, &u));
        OK(&h, rb_run_derivatives(h.run, NULL, &f[i]));
    }
    ENSURE_NEAR(1 + (f[0] + 4 * f[1] + f[2]) / 6, 1.25, 1e-15);
    close_all(&h);
}

static void a_delay_remembers(void **state) {
    (void)state;
    Held h;
    open_text(&h, "model D Real x(start = 0, fixed = true); Real y; equation der(x) = 1; y = "
                    "delay(x*x, 0.25); end D;");
    go(&h, 1);
    ENSURE_NEAR(value(&h, "y"), 0.75 * 0.75, 1e-6);
    close_all(&h);
}

static void the_end_of_a_model_is_told(void **state) {
    (void)state;
    Held h;
    open_text(&h, "model E Real x(start = 0, fixed = true); equation der(x) = 2; when x > 1 then "
                    "terminate(\"done\"); end when; end E;");
    assert_true(go(&h, 3));
    ENSURE_NEAR(h.s.t, 0.5, 1e-12);
    close_all(&h);
}

static void parameters_and_states_are_set_at_events(void **state) {
    (void)state;
    Held h;
    open_text(&h, "model P parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) "
                    "= -k*x; end P;");
    RbSaved *saved = NULL;
    double again;
    go(&h, 1);
    OK(&h, rb_run_set_named(h.run, "k", 3));
    OK(&h, rb_run_meet_event(h.run, NULL));
    OK(&h, rb_run_save(h.run, &saved));
    h.s.h = FIRST_STEP;
    go(&h, 2);
    ENSURE_NEAR(h.s.x[0], exp(-4), 1e-9);
    again = h.s.x[0];
    OK(&h, rb_run_restore(h.run, saved));
    h.s.t = rb_run_time(h.run);
    h.s.h = FIRST_STEP;
    look(&h);
    go(&h, 2);
    assert_true(h.s.x[0] == again);
    close_all(&h);
}

// Output points inside the caller's steps, and the end.
static void a_journal_is_written(void **state) {
    (void)state;
    const char *file = RB_BINARY_DIR "/tests/caller.rbj";
    RbModelica source = rb_modelica_default();
    source.text = "model J Real x(start = 1, fixed = true); equation der(x) = -x; end J;";
    Held h = translated(&source);
    h.options.journal_file = file;
    h.options.stop_time = 1;
    h.options.output_interval = 0.01;
    open_run(&h);
    go(&h, 1);
    OK(&h, rb_run_close(h.run, NULL));
    RbResults *results;
    double times[200], x[200];
    OK(&h, rb_results_open(h.context, file, &results));
    size_t rows = rb_results_rows(results);
    assert_int_equal(rows, 101);
    assert_true(rb_results_complete(results));
    OK(&h, rb_results_times(results, times));
    OK(&h, rb_results_values(results, rb_results_find(results, "x"), x));
    for (size_t i = 0; i < rows; i++) ENSURE_NEAR(x[i], exp(-times[i]), 1e-7);
    ENSURE_NEAR(times[100], 1, 0);
    rb_context_free(h.context);
}

// ---- mechanisms

// Where it is after a second, by a solver of the library.
static double held_value(const RbModelica *source, const char *name, double stop) {
    Held h = translated(source);
    h.options.solver = "cvode";
    h.options.stop_time = stop;
    OK(&h, rb_run_open(h.context, h.model, &h.options, &h.run));
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, stop, NULL));
    double v = value(&h, name);
    close_all(&h);
    return v;
}

static void a_sphere_bounces_elastically(void **state) {
    (void)state;
    RbModelica source = rb_modelica_default();
    source.file = RB_SOURCE_DIR "/examples/modelica/Scenes.mo";
    source.class_name = "Scenes.BouncingSphere";
    Held h = translated(&source);
    h.options.stop_time = 1;
    open_run(&h);
    go(&h, 1);
    assert_true(h.events >= 2); // contact begins and ends
    double held = held_value(&source, "sphere.r_0[2]", 1);
    ENSURE_NEAR(value(&h, "sphere.r_0[2]"), held, 1e-7);
    close_all(&h);
}

static void ensure_refused(const char *file, const char *class_name, const char *words) {
    RbModelica source = rb_modelica_default();
    char path[1000];
    snprintf(path, sizeof path, RB_SOURCE_DIR "/examples/modelica/%s", file);
    source.file = path;
    source.class_name = class_name;
    Held h = translated(&source);
    assert_int_equal(rb_run_open(h.context, h.model, &h.options, &h.run), RB_ERROR_USAGE);
    const char *message = rb_context_message(h.context, rb_context_message_count(h.context) - 1);
    if (!strstr(message, words)) fail_msg("'%s' does not hold '%s'", message, words);
    rb_context_free(h.context);
}

static void models_that_need_a_solver_are_refused(void **state) {
    (void)state;
    ensure_refused("GrippingRobot.mo", "GrippingRobot.S4", "actions change the structure");
    ensure_refused("Granular.mo", "Granular.Hopper", "grains take steps");
    ensure_refused("SoftGripper.mo", "SoftGripper", "soft bodies take steps");
}

static void wrong_calls_are_refused(void **state) {
    (void)state;
    Held h;
    open_text(&h, "model A Real x(start = 1, fixed = true); equation der(x) = -x; end A;");
    go(&h, 1);
    const double bad = NAN;
    bool event;
    assert_int_equal(rb_run_move(h.run, 0.5, NULL, NULL), RB_ERROR_USAGE);
    assert_int_equal(rb_run_move(h.run, NAN, NULL, NULL), RB_ERROR_USAGE);
    assert_int_equal(rb_run_move(h.run, 2, &bad, NULL), RB_ERROR_USAGE);
    assert_int_equal(rb_run_accept(h.run, NULL), RB_ERROR_USAGE);
    assert_int_equal(rb_run_accept(NULL, &event), RB_ERROR_USAGE);
    assert_int_equal(rb_run_step(h.run, RB_UNTIL_TIME, 2, NULL), RB_ERROR_USAGE);
    assert_int_equal(rb_run_derivative(h.run, 1), -1);
    go(&h, 2); // none of it has done harm
    ENSURE_NEAR(h.s.x[0], exp(-2), 1e-6);
    OK(&h, rb_run_close(h.run, NULL));
    assert_int_equal(rb_simulate(h.context, h.model, &h.options, NULL), RB_ERROR_USAGE);
    h.options.solver = "cvode";
    OK(&h, rb_run_open(h.context, h.model, &h.options, &h.run));
    assert_int_equal(rb_run_move(h.run, 1, NULL, NULL), RB_ERROR_USAGE);
    assert_true(isnan(rb_run_next_event(h.run)));
    close_all(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_bounces),
        cmocka_unit_test(times_of_events_are_known),
        cmocka_unit_test(inputs_may_follow_time),
        cmocka_unit_test(a_delay_remembers),
        cmocka_unit_test(the_end_of_a_model_is_told),
        cmocka_unit_test(parameters_and_states_are_set_at_events),
        cmocka_unit_test(a_journal_is_written),
        cmocka_unit_test(a_sphere_bounces_elastically),
        cmocka_unit_test(models_that_need_a_solver_are_refused),
        cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
