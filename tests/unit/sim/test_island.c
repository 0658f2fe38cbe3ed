// SPDX-License-Identifier: MIT
// Islands: oscillators that know nothing of each other, carts that collide, and the examples;
// closed forms, and the one-system path as the oracle.
#include "run.h"

// ------------------------------------------------------------------------------- mirrored
// oscillators
//
// Group k: x'' = -w^2 x above a mirror at x = 0 that throws it back: x = |cos(w t)|, whatever the
// others do. Impacts at (i + 1/2) pi / w.

enum { OSCILLATORS = 6 };

typedef struct Oscillators {
    int count;
    double w[OSCILLATORS];
} Oscillators;

static RbStatus build_self(size_t size, void *self, RbBuild *b) {
    memcpy(self, rb_build_data(b), size);
    rb_build_function(b, &(RbFunctionSpec){.name = "motion",
                                           .after = RB_NONE,
                                           .derivative = RB_NONE,
                                           .state_derivatives = true});
    return RB_OK;
}

static RbStatus oscillators_build(void *self, RbBuild *b) {
    return build_self(sizeof(Oscillators), self, b);
}

static RbStatus oscillators_start(void *self, RbSegment *s) {
    static const char *const x[] = {"x1", "x2", "x3", "x4", "x5", "x6"}, *const v[] = {"v1", "v2",
                                                                                       "v3", "v4",
                                                                                       "v5", "v6"};
    static const char *const q[] = {"s1", "s2", "s3", "s4", "s5", "s6"}, *const n[] = {"n1", "n2",
                                                                                       "n3", "n4",
                                                                                       "n5", "n6"};
    const Oscillators *o = self;
    for (int k = 0; k < o->count; k++) {
        rb_segment_state(s, &(RbStateSpec){x[k], 1, .group = k});
        rb_segment_state(s, &(RbStateSpec){v[k], 0, .nominal = o->w[k], .group = k});
        rb_segment_quadrature(s, &(RbQuadratureSpec){q[k], 0, "s", "integral of (v / w)^2"});
        rb_segment_indicator(s, &(RbIndicatorSpec){x[k], .direction = -1, .group = k});
        rb_segment_discrete(s, &(RbDiscreteSpec){n[k], 0, "1", "impacts"});
    }
    return RB_OK;
}

static RbEvalStatus oscillators_evaluate(void *self, const RbEval *e, int function,
                                         const double *in, double *out) {
    (void)function, (void)in, (void)out;
    const Oscillators *o = self;
    for (int k = 0; k < o->count; k++) {
        e->dq[k] = 0;
        if (e->groups && !e->groups[k]) continue; // what is not asked for stays untouched
        e->dx[2 * k] = e->x[2 * k + 1];
        e->dx[2 * k + 1] = -o->w[k] * o->w[k] * e->x[2 * k];
        e->dq[k] = e->x[2 * k + 1] * e->x[2 * k + 1] / (o->w[k] * o->w[k]);
    }
    return RB_EVAL_OK;
}

static RbEvalStatus oscillators_indicators(void *self, const RbEval *e, double *z) {
    const Oscillators *o = self;
    for (int k = 0; k < o->count; k++) z[k] = e->x[2 * k];
    return RB_EVAL_OK;
}

static RbRestart oscillators_event(void *self, RbEvent *event) {
    const Oscillators *o = self;
    RbRestart restart = RB_NO_RESTART;
    for (int k = 0; k < o->count && event->pass == 0; k++) {
        if (event->fired[k] >= 0) continue;
        event->x[2 * k] = 0;
        event->x[2 * k + 1] = fabs(event->x[2 * k + 1]);
        event->discrete[k] += 1;
        event->restart_groups[k] = true;
        restart = RB_RESTART;
    }
    return restart;
}

static void no_links(void *self, RbLinks *links) {
    (void)self, (void)links;
}

static const RbIslandTable free_groups = {.links = no_links};

static const RbComponentType oscillators_type = {
    .version = RB_COMPONENT_VERSION,
    .name = "Oscillators",
    .description = "",
    .memory = sizeof(Oscillators),
    .build = oscillators_build,
    .start_segment = oscillators_start,
    .evaluate = oscillators_evaluate,
    .indicators = oscillators_indicators,
    .at_event = oscillators_event,
    .islands = &free_groups,
};

typedef struct Custom {
    Run *run;
    const RbComponentType *type;
    const void *data;
} Custom;

static RbStatus add_custom(void *argument) {
    Custom *c = argument;
    c->run->model = rb_model_new("test", "", &c->run->f.arena);
    return rb_model_add_with(c->run->model, c->type, "it", c->data, &c->run->f.diag, NULL);
}

static void open_custom(Run *r, const RbComponentType *type, const void *data, const char *solver,
                        double stop_time, double tolerance) {
    run_open(r, "pendulum"); // for its files; the model is another one
    ENSURE(rb_protect(&r->f.heap, add_custom, &(Custom){r, type, data}) == RB_OK);
    r->options.solver = solver;
    r->options.start_time = 0;
    r->options.stop_time = stop_time;
    r->options.tolerance = tolerance;
    r->options.output_interval = stop_time / 50;
}

static void go(Run *r) {
    RbStatus status = run_go(r);
    for (int i = 0; i < r->f.diag.messages.count; i++) print_error("%s", fixture_message(&r->f, i));
    ENSURE(status == RB_OK);
}

static const Oscillators all_oscillators = {OSCILLATORS, {1, 3, 10, 100, 301, 1000}};

static void each_oscillator_keeps_its_time(void **state) {
    (void)state;
    Run r;
    open_custom(&r, &oscillators_type, &all_oscillators, "islands", 3, 1e-9);
    go(&r);
    const RbValues *now = run_now(&r);
    for (int k = 0; k < OSCILLATORS; k++) {
        double w = all_oscillators.w[k], impacts = floor(w * 3 / M_PI + 0.5);
        ENSURE(now->d[k] == impacts);
        ENSURE_NEAR(now->x[2 * k], fabs(cos(w * 3)),
                    1e-9 * (10 + 5 * w)); // errors of phase add up over impacts
        ENSURE_NEAR(now->q[k], 1.5 - sin(6 * w) / (4 * w),
                    1e-8 * (1 + impacts)); // integral of sin(w t)^2
    }
    ENSURE(r.summary.allocations == 0);
    // Islands restart alone: the slow one takes a few dozen steps, however often the fast one is
    // hit.
    RbRunningSegment *stage = rb_sim_stage(&r.sim);
    ENSURE(rb_islands_count(stage->islands) == OSCILLATORS);
    run_close(&r);
}

// What the others do, to be or not to be there included, changes not a bit.
static void islands_do_not_know_of_each_other(void **state) {
    (void)state;
    Oscillators alone = {1, {1}};
    double x[2][2];
    long steps[2];
    for (int k = 0; k < 2; k++) {
        Run r;
        open_custom(&r, &oscillators_type, k == 0 ? &all_oscillators : &alone, "islands", 2.5,
                    1e-8);
        go(&r);
        memcpy(x[k], run_now(&r)->x, sizeof x[k]);
        steps[k] = r.summary.steps;
        run_close(&r);
    }
    ENSURE(memcmp(x[0], x[1], sizeof x[0]) == 0);
    ENSURE(steps[1] < 60);
}

static void one_system_agrees(void **state) {
    (void)state;
    Run islands, whole;
    open_custom(&islands, &oscillators_type, &all_oscillators, "islands", 1, 1e-9);
    open_custom(&whole, &oscillators_type, &all_oscillators, "cvode", 1, 1e-10);
    go(&islands);
    go(&whole);
    for (int k = 0; k < OSCILLATORS; k++) {
        ENSURE(run_now(&islands)->d[k] == run_now(&whole)->d[k]);
        ENSURE_NEAR(run_now(&islands)->x[2 * k], run_now(&whole)->x[2 * k],
                    1e-7 * (1 + all_oscillators.w[k]));
        ENSURE_NEAR(run_now(&islands)->q[k], run_now(&whole)->q[k],
                    5e-6); // the closed form above is the sharper test
    }
    // Output points are interpolated per island.
    RbResult *a = run_read(&islands);
    const double *x = run_series(&islands, "it.x1"), *t = rb_result_times(a, &islands.f.arena);
    for (int i = 0; i < (int)a->row_count; i++) ENSURE_NEAR(x[i], fabs(cos(t[i])), 1e-7);
    run_close(&islands);
    run_close(&whole);
}

// -------------------------------------------------------------------------------------- carts that
// collide
//
// Equal carts on a line, springs of stiffness k between neighbours that are closer than 1: each
// contact lasts pi sqrt(m / (2 k)) and exchanges the velocities, if no third one interferes.

enum { CARTS = 4 };

typedef struct Carts {
    double k; // [N/m]
    double x[CARTS], v[CARTS];
    double *starts; // [s] times of contact starts, one after another
    double *ends;
    int *start_count, *end_count;
} Carts;

static RbStatus carts_build(void *self, RbBuild *b) {
    return build_self(sizeof(Carts), self, b);
}

static RbStatus carts_start(void *self, RbSegment *s) {
    const Carts *c = self;
    static const char *const x[] = {"x1", "x2", "x3", "x4"}, *const v[] = {"v1", "v2", "v3", "v4"};
    static const char *const gap[] = {"gap1", "gap2", "gap3"}, *const contact[] = {"contact1",
                                                                                   "contact2",
                                                                                   "contact3"};
    for (int i = 0; i < CARTS; i++) {
        rb_segment_state(
            s, &(RbStateSpec){x[i], c->x[i], .nominal = 1e-3, .group = i, .absolute = true});
        rb_segment_state(s, &(RbStateSpec){v[i], c->v[i], .group = i});
    }
    for (int i = 0; i + 1 < CARTS; i++) {
        rb_segment_discrete(s, &(RbDiscreteSpec){contact[i], 0, "1", ""});
        rb_segment_indicator(s, &(RbIndicatorSpec){gap[i], .direction = 0});
    }
    return RB_OK;
}

static double gap_of(const double *x, int i) {
    return x[2 * i + 2] - x[2 * i] - 1;
}

static RbEvalStatus carts_evaluate(void *self, const RbEval *e, int function, const double *in,
                                   double *out) {
    (void)function, (void)in, (void)out;
    const Carts *c = self;
    for (int i = 0; i < CARTS; i++) {
        if (e->groups && !e->groups[i]) continue;
        double left = i > 0 && e->discrete[i - 1] != 0 ? -c->k * gap_of(e->x, i - 1) : 0;
        double right = i + 1 < CARTS && e->discrete[i] != 0 ? -c->k * gap_of(e->x, i) : 0;
        e->dx[2 * i] = e->x[2 * i + 1];
        e->dx[2 * i + 1] = left - right;
    }
    return RB_EVAL_OK;
}

static RbEvalStatus carts_indicators(void *self, const RbEval *e, double *z) {
    (void)self;
    for (int i = 0; i + 1 < CARTS; i++) z[i] = gap_of(e->x, i);
    return RB_EVAL_OK;
}

static RbRestart carts_event(void *self, RbEvent *event) {
    const Carts *c = self;
    RbRestart restart = RB_NO_RESTART;
    for (int i = 0; i + 1 < CARTS && event->pass == 0; i++) {
        if (event->fired[i] == 0 || (event->fired[i] < 0) == (event->discrete[i] != 0)) continue;
        event->discrete[i] = event->fired[i] < 0;
        if (event->fired[i] < 0)
            c->starts[(*c->start_count)++] = event->time;
        else
            c->ends[(*c->end_count)++] = event->time;
        event->restart_groups[i] = event->restart_groups[i + 1] = true;
        restart = RB_RESTART;
    }
    return restart;
}

static void carts_links(void *self, RbLinks *links) {
    (void)self;
    for (int i = 0; i + 1 < CARTS; i++) {
        if (rb_links_discrete(links)[i] != 0) rb_link(links, i, i + 1);
    }
}

static double cart_gap_at(const RbStepView *step, int i, double t) {
    double x[2 * CARTS];
    rb_step_group(step, i, t, x);
    rb_step_group(step, i + 1, t, x);
    return gap_of(x, i);
}

static const double BAND = 1e-12; // [m] gaps this small are met

static double carts_watched(void *self, const RbStepView *step, const RbWatch *watch, double time) {
    (void)self;
    int i = (int)watch->what;
    double gap = cart_gap_at(step, i, time);
    return (step->discrete[i] != 0 ? -gap : gap) / BAND;
}

static bool carts_watch(void *self, const RbStepView *step, RbWatch *found) {
    found->time = INFINITY;
    for (int i = 0; i + 1 < CARTS; i++) {
        bool mine = false;
        for (int k = 0; k < step->group_count; k++)
            mine = mine || step->groups[k] == i || step->groups[k] == i + 1;
        double end = fmin(step->t1, fmin(rb_step_end(step, i), rb_step_end(step, i + 1)));
        if (!mine || !(end > step->t0)) continue;
        RbWatch this = {.what = i,
                        .groups = {i, i + 1},
                        .indicator = i,
                        .sign = step->discrete[i] != 0 ? 1 : -1};
        double lo = step->t0, hi = end;
        if (carts_watched(self, step, &this, hi) >= 0 ||
            carts_watched(self, step, &this, lo) < -0.25)
            continue;
        for (int n = 0; n < 40; n++) { // as plain as can be
            double t = 0.5 * (lo + hi);
            if (carts_watched(self, step, &this, t) > 0)
                lo = t;
            else
                hi = t;
        }
        this.time = hi;
        if (hi < found->time) *found = this;
    }
    return found->time < INFINITY;
}

static const RbIslandTable carts_islands = {carts_links, carts_watch, carts_watched};

static const RbComponentType carts_type = {
    .version = RB_COMPONENT_VERSION,
    .name = "Carts",
    .description = "",
    .memory = sizeof(Carts),
    .build = carts_build,
    .start_segment = carts_start,
    .evaluate = carts_evaluate,
    .indicators = carts_indicators,
    .at_event = carts_event,
    .islands = &carts_islands,
};

typedef struct Cradle {
    double starts[32], ends[32];
    int start_count, end_count;
    double x[2 * CARTS];
    long steps;
} Cradle;

static Cradle run_carts(const char *solver, const double *x, const double *v, double tolerance) {
    Cradle out = {0};
    Carts carts = {.k = 1e6,
                   .starts = out.starts,
                   .ends = out.ends,
                   .start_count = &out.start_count,
                   .end_count = &out.end_count};
    memcpy(carts.x, x, sizeof carts.x);
    memcpy(carts.v, v, sizeof carts.v);
    Run r;
    open_custom(&r, &carts_type, &carts, solver, 4, tolerance);
    go(&r);
    memcpy(out.x, run_now(&r)->x, sizeof out.x);
    out.steps = r.summary.steps;
    ENSURE(r.summary.allocations == 0);
    run_close(&r);
    return out;
}

// One cart is pushed into a row: it stops, the next one goes on, and so on. Islands join and part
// at each contact.
static void carts_pass_their_motion_on(void **state) {
    (void)state;
    const double x[] = {0, 1.5, 3, 4.5}, v[] = {1, 0, 0, 0};
    Cradle c = run_carts("islands", x, v, 1e-9);
    double lasts = M_PI * sqrt(1 / (2 * 1e6));
    ENSURE(c.start_count == 3 && c.end_count == 3);
    ENSURE_NEAR(c.starts[0], 0.5, 1e-11);
    // During a contact both go at half the speed on average: the next one starts half a duration
    // late each time.
    for (int i = 0; i < 3; i++) {
        ENSURE_NEAR(c.ends[i] - c.starts[i], lasts, 1e-9);
        if (i > 0) ENSURE_NEAR(c.starts[i] - c.starts[i - 1], 0.5 + 0.5 * lasts, 1e-8);
        ENSURE_NEAR(c.x[2 * i + 1], 0, 1e-7);
    }
    ENSURE_NEAR(c.x[7], 1, 1e-7);
}

// Motions without a pattern, several contacts at a time: against one system at a tight tolerance.
static void colliding_carts_agree_with_one_system(void **state) {
    (void)state;
    const double x[] = {0, 1.7, 2.9, 4.6}, v[] = {2, 0.3, -1, -2.5};
    Cradle a = run_carts("islands", x, v, 1e-9), b = run_carts("cvode", x, v, 1e-12);
    ENSURE(a.start_count == b.start_count && a.end_count == b.end_count && a.start_count >= 4);
    for (int i = 0; i < a.start_count; i++) ENSURE_NEAR(a.starts[i], b.starts[i], 1e-8);
    for (int i = 0; i < a.end_count; i++) ENSURE_NEAR(a.ends[i], b.ends[i], 1e-8);
    for (int i = 0; i < 2 * CARTS; i++) ENSURE_NEAR(a.x[i], b.x[i], 1e-6);
    Cradle again = run_carts("islands", x, v, 1e-9);
    ENSURE(memcmp(a.x, again.x, sizeof a.x) == 0); // the same bits
}

// -------------------------------------------------------------------------------------------------
// the examples

static void examples_agree_with_one_system(void **state) {
    (void)state;
    const char *const names[] = {"bouncing-ball", "pendulum", "switched-capacitor", "refined-rod"};
    for (int k = 0; k < 4; k++) {
        Run a, b;
        run_open(&a, names[k]);
        run_open(&b, names[k]);
        a.options.solver = "islands";
        a.options.tolerance = b.options.tolerance = 1e-9;
        go(&a);
        go(&b);
        const RbSystem *s = rb_sim_stage(&b.sim)->system;
        for (int i = 0; i < s->x_count; i++) {
            double scale = fmax(s->nominal[i], fabs(run_now(&b)->x[i]));
            ENSURE_NEAR(run_now(&a)->x[i] / scale, run_now(&b)->x[i] / scale, 2e-5);
        }
        for (int i = 0; i < s->d_count; i++) ENSURE(run_now(&a)->d[i] == run_now(&b)->d[i]);
        ENSURE(a.summary.segments == b.summary.segments &&
               a.summary.time_events == b.summary.time_events);
        run_close(&a);
        run_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_oscillator_keeps_its_time),
        cmocka_unit_test(islands_do_not_know_of_each_other),
        cmocka_unit_test(one_system_agrees),
        cmocka_unit_test(carts_pass_their_motion_on),
        cmocka_unit_test(colliding_carts_agree_with_one_system),
        cmocka_unit_test(examples_agree_with_one_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
