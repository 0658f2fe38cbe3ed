// SPDX-License-Identifier: MIT
// What can go wrong in a run: each with its message, and with what was computed so far kept.
#include "run.h"

// One state x with der(x) = 1, and a choice of misbehaviour.
typedef enum Fault {
    NAN_AFTER, // the derivative is NaN from t = 0.5 on
    NAN_AT_ONCE,
    FAIL_AFTER,   // rb_eval_fail from t = 0.5 on
    NEVER_SETTLE, // toggles its discrete value in every pass of the event at x = 0.5
    CHATTER,      // an indicator that changes its sign at every restart
    ASSERTION,    // rb_event_fail at x = 0.5
    TERMINATE,    // at x = 0.5
    STUCK_TIME,   // asks for a time event and does not move it on
    REFUSE,       // does not start
    NAN_START,
    EXPLODE, // the derivative has a pole at t = 0.5, x = tan(pi t)
    STALL,   // steps of 1e-16 s
    PAIR,    // nothing; the states of two bodies
} Fault;

static Fault fault; // of the next run; only in this test

static RbStatus build(void *self, RbBuild *b) {
    (void)self;
    rb_build_function(b, &(RbFunctionSpec){.name = "f", .after = RB_NONE, .derivative = RB_NONE});
    return RB_OK;
}

static RbStatus start_segment(void *self, RbSegment *s) {
    (void)self;
    if (fault == REFUSE) return rb_segment_fail(s, "the spring '%s' has no stiffness", "s1");
    rb_segment_state(s, &(RbStateSpec){"x", fault == NAN_START ? NAN : 0, .unit = "m"});
    rb_segment_discrete(s, &(RbDiscreteSpec){"mode", 0, "1", ""});
    if (fault == STALL) rb_segment_max_step(s, 1e-16);
    if (fault == PAIR) {
        rb_segment_state(s, &(RbStateSpec){"ball.r[1]", 0, .group = 1});
        rb_segment_state(s, &(RbStateSpec){"box.r[1]", 0, .group = 2});
    }
    if (fault >= NEVER_SETTLE && fault <= TERMINATE)
        rb_segment_indicator(s, &(RbIndicatorSpec){"x - 0.5"});
    if (fault == STUCK_TIME) rb_segment_time_event(s, 0.25);
    return RB_OK;
}

static RbEvalStatus evaluate(void *self, const RbEval *e, int function, const double *in,
                             double *out) {
    (void)self, (void)function, (void)in, (void)out;
    e->dx[0] = 1;
    if (fault == PAIR) e->dx[1] = e->dx[2] = 0;
    if (fault == CHATTER && e->time > 0.5) e->dx[0] = e->discrete[0] != 0 ? -1 : 1;
    if (fault == EXPLODE) e->dx[0] = 3.141592653589793 * (1 + fmin(e->x[0] * e->x[0], 1e100));
    if (fault == NAN_AT_ONCE || (fault == NAN_AFTER && e->time > 0.5)) e->dx[0] = NAN;
    if (fault == FAIL_AFTER && e->time > 0.5) return rb_eval_fail(e, "pressure is %g bar", -3.0);
    return RB_EVAL_OK;
}

static RbEvalStatus indicators(void *self, const RbEval *e, double *z) {
    (void)self;
    z[0] = e->x[0] - 0.5;
    return RB_EVAL_OK;
}

static RbRestart at_event(void *self, RbEvent *event) {
    (void)self;
    bool fired = fault >= NEVER_SETTLE && fault <= TERMINATE && event->fired[0] != 0;
    if (fault == NEVER_SETTLE && event->x[0] > 0.4) event->discrete[0] = 1 - event->discrete[0];
    if (fault == ASSERTION && fired)
        rb_event_fail(event, "x = %.2f m is beyond the stop", event->x[0]);
    if (fault == TERMINATE && fired) return RB_TERMINATE;
    if (fault == CHATTER && fired) {
        event->discrete[0] = event->fired[0] > 0;
        event->x[0] =
            0.5 + copysign(1e-13, event->fired[0]); // a little beyond, and then back again
        return RB_RESTART;
    }
    return RB_NO_RESTART;
}

static bool suspect(void *self, const RbEval *e, int state, RbPos *at, char *text, size_t size) {
    (void)self, (void)e;
    *at = (RbPos){.file = "model.mo", .line = 3, .column = 5};
    return snprintf(text, size, "state %d is the tangent of a spring", state) > 0;
}

static const RbComponentType type = {
    .version = RB_COMPONENT_VERSION,
    .name = "Faulty",
    .description = "",
    .memory = 8,
    .build = build,
    .start_segment = start_segment,
    .evaluate = evaluate,
    .indicators = indicators,
    .at_event = at_event,
    .suspect = suspect,
};

static RbStatus open_faulty(void *argument) {
    Run *r = argument;
    r->model = rb_model_new("faulty", "", &r->f.arena);
    return rb_model_add(r->model, &type, "part", &r->f.diag, NULL);
}

static RbStatus go(Run *r, Fault which) {
    run_open(r, "pendulum");
    fault = which;
    ENSURE(rb_protect(&r->f.heap, open_faulty, r) == RB_OK);
    r->options = rb_sim_options_default();
    r->options.journal_file = r->journal;
    r->options.output_interval = 0.1;
    return run_go(r);
}

// The run fails with this status; the message is the last one; the journal is readable and says
// that it is incomplete. A run that does not find its start writes none.
static void ensure_failure(Fault which, RbStatus status, const char *message, size_t min_rows) {
    Run r;
    RbStatus got = go(&r, which);
    if (got != status)
        print_error("status %d after %ld events at %.17g\n", (int)got, r.summary.state_events,
                    r.summary.time);
    ENSURE(got == status);
    const RbMessage *m = &r.f.diag.messages.data[r.f.diag.messages.count - 1];
    if (!strstr(m->text, message)) print_error("got: %s\n", m->text);
    ENSURE(strstr(m->text, message) != NULL);
    ENSURE(!r.summary.complete);
    if (status == RB_ERROR_INIT) {
        rb_sim_free(&r.sim); // until then an empty file is its lock
        ENSURE(access(r.journal, F_OK) != 0);
    } else {
        run_read(&r);
        ENSURE(!r.result->complete);
        ENSURE(r.result->row_count >= min_rows);
    }
    run_close(&r);
}

static void nan_names_component_state_and_time(void **state) {
    (void)state;
    ensure_failure(NAN_AFTER, RB_ERROR_SOLVER,
                   "component 'part': the derivative of state 'x' is not a number at t = 0.5", 5);
    ensure_failure(NAN_AT_ONCE, RB_ERROR_INIT,
                   "component 'part': the derivative of state 'x' is not a number at t = 0 s", 0);
}

static void a_failing_component_says_why(void **state) {
    (void)state;
    ensure_failure(FAIL_AFTER, RB_ERROR_SOLVER, "pressure is -3 bar", 1);
    ensure_failure(REFUSE, RB_ERROR_INIT,
                   "component 'part' cannot start at t = 0 s: the spring 's1' has no stiffness", 0);
    ensure_failure(NAN_START, RB_ERROR_INIT, "start value of 'part.x' is nan at t = 0 s", 0);
}

// Which state, and what its component makes of that; but nothing where a component has said why, above.
static void a_solver_that_gives_up_is_explained(void **state) {
    (void)state;
    Run r;
    ENSURE(go(&r, EXPLODE) == RB_ERROR_SOLVER);
    ENSURE_NEAR(r.summary.time, 0.5, 1e-4);
    assert_int_equal(r.f.diag.messages.count, 2);
    ENSURE(strstr(r.f.diag.messages.data[0].text, "'x'") != NULL);
    const RbMessage *m = &r.f.diag.messages.data[1];
    assert_string_equal(m->text, "state 0 is the tangent of a spring");
    ENSURE(m->at.line == 3 && m->at.column == 5);
    run_close(&r);
}

static void an_event_that_never_settles_is_named(void **state) {
    (void)state;
    ensure_failure(NEVER_SETTLE, RB_ERROR_SOLVER,
                   "s does not settle in 100 iterations: 'part.mode' still changes (from ", 5);
}

static void chattering_is_named(void **state) {
    (void)state;
    ensure_failure(CHATTER, RB_ERROR_SOLVER, "without progress: 'part.x - 0.5' chatters", 5);
}

// Events of islands have no indicator: who meets whom is named.
static void chattering_pairs_are_named(void **state) {
    (void)state;
    Run r;
    ENSURE(go(&r, PAIR) == RB_OK);
    RbIslandEvent found = {.part = 0, .watch = {.what = 7, .groups = {1, 2}, .indicator = RB_NONE}};
    int calls = 0;
    while (rb_chatter_event(&r.sim, &found) == RB_OK && calls < 5000) calls++;
    ENSURE(calls >= 1000 && calls < 5000);
    const char *text = r.f.diag.messages.data[r.f.diag.messages.count - 1].text;
    ENSURE(strstr(text, "without progress: 'part.ball' with 'part.box' chatters"));
    run_close(&r);
}

static void steps_that_get_nowhere_end_the_run(void **state) {
    (void)state;
    Run r;
    ENSURE(go(&r, STALL) == RB_ERROR_SOLVER);
    int count = r.f.diag.messages.count;
    ENSURE(count == 2);
    ENSURE(strstr(r.f.diag.messages.data[0].text, "at this pace the run does not end"));
    assert_string_equal(r.f.diag.messages.data[1].text, "state 0 is the tangent of a spring");
    run_close(&r);
}

// A ball that bounces: rows of events stop where their bytes are used up, and output points are all there.
static void rows_of_events_are_bounded(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        Run r;
        run_open(&r, "bouncing-ball");
        r.most_event_bytes = 200;
        r.options.stop_time = 3;
        r.options.output_interval = 0.1;
        if (k == 1) r.options.event_rows = "all";
        ENSURE(run_go(&r) == RB_OK);
        run_read(&r);
        size_t events = r.result->row_count - 31;
        ENSURE(r.summary.state_events > 8);
        if (k == 1) ENSURE(events >= 2 * (size_t)r.summary.state_events);
        if (k == 0) ENSURE(events <= 200 / (2 * sizeof(double)) + 2);
        bool told = false;
        for (int i = 0; i < r.f.diag.messages.count; i++)
            told |= strstr(r.f.diag.messages.data[i].text, "output points alone") != NULL;
        ENSURE(told == (k == 0));
        run_close(&r);
    }
}

static void an_assertion_ends_the_run(void **state) {
    (void)state;
    ensure_failure(ASSERTION, RB_ERROR_ASSERTION,
                   "component 'part' at t = 0.5 s: x = 0.50 m is beyond the stop", 5);
}

static void terminate_ends_the_run_well(void **state) {
    (void)state;
    Run r;
    ENSURE(go(&r, TERMINATE) == RB_OK);
    ENSURE(r.summary.complete);
    ENSURE_NEAR(r.summary.time, 0.5, 1e-9);
    run_close(&r);
}

static void a_time_event_that_is_not_moved_on_happens_once(void **state) {
    (void)state;
    Run r;
    ENSURE(go(&r, STUCK_TIME) == RB_OK);
    assert_int_equal(r.summary.time_events, 1);
    run_close(&r);
}

static void interrupt_keeps_the_result(void **state) {
    (void)state;
    Run r;
    int interrupt = 1;
    run_open(&r, "pendulum");
    r.options.interrupt = &interrupt;
    ENSURE(run_go(&r) == RB_INTERRUPTED);
    run_read(&r);
    ENSURE(!r.result->complete && r.result->row_count >= 1);
    assert_string_equal(r.result->reason, "interrupted");
    run_close(&r);
}

static void bad_options_are_refused(void **state) {
    (void)state;
    Run r;
    run_open(&r, "pendulum");
    r.options.solver = "euler";
    ENSURE(run_go(&r) == RB_ERROR_USAGE);
    assert_string_equal(fixture_message(&r.f, 0), "rattleback: error: there is no solver 'euler'; "
                                                  "choose auto, cvode, islands, adams, ida, "
                                                  "leapfrog, dp5, bs3, ck5, verner6 or fehlberg8 "
                                                  "[usage]\n");
    r.options.solver = "cvode";
    r.options.stop_time = -1;
    ENSURE(run_go(&r) == RB_ERROR_USAGE);
    r.options.stop_time = NAN;
    ENSURE(run_go(&r) == RB_ERROR_USAGE);
    r.options.stop_time = 1;
    r.options.tolerance = 0;
    ENSURE(run_go(&r) == RB_ERROR_USAGE);
    r.options.tolerance = 1e-6;
    r.options.max_step = -1;
    ENSURE(run_go(&r) == RB_ERROR_USAGE);
    r.options.max_step = 0;
    r.options.journal_file = "/no/such/folder/x.rbj";
    ENSURE(run_go(&r) == RB_ERROR_IO);
    r.options.journal_file = r.journal;
    r.options.variable_filter = "(";
    ENSURE(run_go(&r) == RB_ERROR_USAGE);
    run_close(&r);
}

// Every allocation of a whole run with a change of structure, a journal and checkpoints fails once.
// The journal that is left can be read, and no file stays open.
static void no_memory_anywhere_in_a_run(void **state) {
    (void)state;
    Run r; // only for the names of its files
    run_open(&r, "refined-rod");
    int free_file = dup(0);
    close(free_file);
    for (long n = 0;; n++) {
        FailingAllocator failing = {n};
        RbContext *c = rb_context_create(&(RbAllocator){failing_resize, &failing});
        if (!c) continue;
        RbModel *model;
        RbStatus status = rb_example_open(c, "refined-rod", &model);
        if (status == RB_OK) {
            RbSimOptions o = rb_model_options(model);
            o.stop_time = 1.1e4;
            o.journal_file = r.journal;
            o.checkpoint_file = r.checkpoint;
            o.checkpoint_interval = 4e3;
            status = rb_simulate(c, model, &o, NULL);
        }
        ENSURE(status == RB_OK || status == RB_ERROR_MEMORY);
        rb_context_free(c);
        int file = dup(0);
        assert_int_equal(file, free_file);
        close(file);
        if (access(r.journal, R_OK) == 0) {
            run_read(&r);
            ENSURE(r.result->complete == (status == RB_OK));
        }
        if (status == RB_OK) {
            ENSURE(n > 10);
            break;
        }
    }
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nan_names_component_state_and_time),
        cmocka_unit_test(a_failing_component_says_why),
        cmocka_unit_test(a_solver_that_gives_up_is_explained),
        cmocka_unit_test(an_event_that_never_settles_is_named),
        cmocka_unit_test(chattering_is_named),
        cmocka_unit_test(chattering_pairs_are_named),
        cmocka_unit_test(steps_that_get_nowhere_end_the_run),
        cmocka_unit_test(rows_of_events_are_bounded),
        cmocka_unit_test(an_assertion_ends_the_run),
        cmocka_unit_test(terminate_ends_the_run_well),
        cmocka_unit_test(a_time_event_that_is_not_moved_on_happens_once),
        cmocka_unit_test(interrupt_keeps_the_result),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(no_memory_anywhere_in_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
