// SPDX-License-Identifier: MIT
// A run held in one's hand: against closed forms, against the batch run bit for bit, and against
// runs whose own events do the same.
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "math/rng.h"
#include "rattleback/rattleback.h"

typedef struct Held {
    RbContext *context;
    RbModel *model;
    RbSimOptions options;
    RbRun *run;
} Held;

#define OK(h, call) ensure_ok(h, call, __LINE__)

static void ensure_ok(const Held *h, RbStatus status, int line) {
    if (status == RB_OK) return;
    int count = rb_context_message_count(h->context);
    print_error("line %d: %s: %s\n", line, rb_status_name(status),
                count > 0 ? rb_context_message(h->context, count - 1) : "");
    _fail(__FILE__, line);
}

static void open_text(Held *h, const char *text) {
    *h = (Held){.context = rb_context_create(NULL)};
    RbModelica source = rb_modelica_default();
    source.text = text;
    OK(h, rb_modelica_translate(h->context, &source, &h->model));
    h->options = rb_model_options(h->model);
    h->options.tolerance = 1e-8;
}

static void start(Held *h) {
    OK(h, rb_run_open(h->context, h->model, &h->options, &h->run));
}

static void open_run(Held *h, const char *text) {
    open_text(h, text);
    start(h);
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

static const char *last_message(const Held *h) {
    return rb_context_message(h->context, rb_context_message_count(h->context) - 1);
}

static const char DECAY[] = "model Decay parameter Real k = 1; input Real u(start = 0);\n"
                            "  Real x(start = 1, fixed = true), y;\n"
                            "equation der(x) = -k*x + u; y = 2*x; end Decay;";

// x = exp(-t); the derivative, a result and the Jacobian follow.
static void values_are_those_of_the_solution(void **state) {
    (void)state;
    Held h;
    open_run(&h, DECAY);
    RbStopped stopped;
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.5, &stopped));
    ENSURE(stopped.time == 0.5 && !stopped.finished && !stopped.event);
    ENSURE_NEAR(value(&h, "x"), exp(-0.5), 1e-7);
    ENSURE_NEAR(value(&h, "y"), 2 * exp(-0.5), 2e-7);
    ENSURE_NEAR(value(&h, "der(x)"), -exp(-0.5), 1e-7);
    ENSURE(value(&h, "k") == 1 && value(&h, "u") == 0);
    RbRunSizes sizes = rb_run_sizes(h.run);
    ENSURE(sizes.states == 1 && sizes.inputs == 1 && sizes.indicators == 0);
    double x, dx, jacobian;
    OK(&h, rb_run_states(h.run, &x));
    OK(&h, rb_run_derivatives(h.run, &(double){3}, &dx));
    OK(&h, rb_run_jacobian(h.run, &jacobian));
    ENSURE(x == value(&h, "x"));
    ENSURE(dx == -3);
    ENSURE_NEAR(jacobian, -1, 1e-9);
    ENSURE(rb_run_state(h.run, 0) == rb_run_find(h.run, "x"));
    ENSURE(rb_run_input(h.run, 0) == rb_run_find(h.run, "u"));
    ENSURE(rb_run_find(h.run, "nobody") == -1);
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 7, &stopped));
    ENSURE(stopped.finished && stopped.time == 1 && rb_run_finished(h.run));
    ENSURE_NEAR(value(&h, "x"), exp(-1), 1e-7);
    close_all(&h);
}

// x' = -k x + u in three pieces with other u, k and x.
static void what_is_set_takes_effect(void **state) {
    (void)state;
    Held h;
    open_run(&h, DECAY);
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.25, NULL));
    OK(&h, rb_run_set_named(h.run, "u", 2));
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.5, NULL));
    double want = 2 + (exp(-0.25) - 2) * exp(-0.25);
    ENSURE_NEAR(value(&h, "x"), want, 1e-7);
    OK(&h, rb_run_set_named(h.run, "k", 4));
    ENSURE_NEAR(value(&h, "x"), want, 1e-7);
    ENSURE_NEAR(value(&h, "der(x)"), 2 - 4 * want, 1e-6);
    OK(&h, rb_run_set_named(h.run, "x", 1));
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.75, NULL));
    ENSURE_NEAR(value(&h, "x"), 0.5 + 0.5 * exp(-1), 1e-7);
    OK(&h, rb_run_close(h.run, NULL));
    RbSummary summary; // the next run of the model knows nothing of it
    h.options.stop_time = 0.5;
    start(&h);
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 1, NULL));
    ENSURE_NEAR(value(&h, "x"), exp(-0.5), 1e-7);
    OK(&h, rb_run_close(h.run, &summary));
    ENSURE(summary.complete && summary.time == 0.5);
    rb_context_free(h.context);
}

static const char BALL[] =
    "model Ball Real h(start = 1, fixed = true), v(start = 0, fixed = true); discrete Integer n;\n"
    "equation der(h) = v; der(v) = -9.81;\n"
    "  when h <= 0 then reinit(v, -0.8*pre(v)); n = pre(n) + 1; end when;\n"
    "  annotation(experiment(StopTime = 2)); end Ball;";

typedef struct Seen {
    int count;
    double first; // [s]
    char name[64];
} Seen;

static void see(void *user, const RbEventNews *news) {
    Seen *s = user;
    if (s->count++ > 0) return;
    s->first = news->time;
    snprintf(s->name, sizeof s->name, "%s", news->indicator);
}

// The first bounce at sqrt(2/g), the second 2 * 0.8 v1/g later.
static void events_stop_a_step(void **state) {
    (void)state;
    Held h;
    Seen seen = {0};
    open_text(&h, BALL);
    h.options.event = see;
    h.options.event_user = &seen;
    start(&h);
    RbStopped stopped;
    double first = sqrt(2 / 9.81), speed = sqrt(2 * 9.81);
    OK(&h, rb_run_step(h.run, RB_UNTIL_EVENT, 2, &stopped));
    ENSURE(stopped.event);
    ENSURE_NEAR(stopped.time, first, 1e-7);
    ENSURE_NEAR(value(&h, "v"), 0.8 * speed, 1e-6);
    ENSURE(value(&h, "n") == 1);
    while (value(&h, "n") < 2) OK(&h, rb_run_step(h.run, RB_UNTIL_EVENT, 2, &stopped));
    ENSURE_NEAR(stopped.time, first + 1.6 * speed / 9.81, 1e-7);
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 1.2, &stopped));
    OK(&h, rb_run_step(h.run, RB_UNTIL_EVENT, 1.3, &stopped));
    ENSURE(!stopped.event && stopped.time == 1.3);
    double z;
    OK(&h, rb_run_indicators(h.run, NULL, &z));
    ENSURE(isfinite(z) && strstr(rb_run_indicator_name(h.run, 0), "h <= 0"));
    double before = rb_run_time(h.run);
    OK(&h, rb_run_step(h.run, RB_UNTIL_STEP, 2, &stopped));
    ENSURE(stopped.time > before && stopped.time < 2);
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 2, &stopped));
    RbSummary summary;
    OK(&h, rb_run_summary(h.run, &summary));
    ENSURE(seen.count == (int)summary.state_events);
    ENSURE_NEAR(seen.first, first, 1e-7);
    ENSURE(strstr(seen.name, "h <= 0"));
    close_all(&h);
}

// Bits of all states.
static uint64_t bits(const Held *h) {
    double x[64];
    uint64_t hash = 14695981039346656037u;
    RbRunSizes sizes = rb_run_sizes(h->run);
    ENSURE(sizes.states <= 64);
    OK(h, rb_run_states(h->run, x));
    for (int i = 0; i < sizes.states; i++) {
        uint64_t b;
        memcpy(&b, &x[i], sizeof b);
        hash = (hash ^ b) * 1099511628211u;
    }
    return hash;
}

static uint64_t batch_hash(Held *h) {
    RbSummary summary;
    OK(h, rb_simulate(h->context, h->model, &h->options, &summary));
    return summary.state_hash;
}

// Everything that can be read is read after every step of the solver, and the batch run has the
// same bits.
static void reading_leaves_no_trace(void **state) {
    (void)state;
    Held h;
    open_text(&h,
              "model Stiff Real x(start = 1, fixed = true), y(start = 0.2, fixed = true), z, w;\n"
              "equation der(x) = -100*(x - cos(time)) + z; der(y) = x - w;\n"
              "  z^3 + z = x*y; w + 0.1*sin(w) = y*z; end Stiff;");
    uint64_t want = batch_hash(&h);
    start(&h);
    while (!rb_run_finished(h.run)) {
        double x[2] = {7, 8}, dx[2], jacobian[4];
        OK(&h, rb_run_step(h.run, RB_UNTIL_STEP, 1, NULL));
        for (int i = 0; i < rb_run_count(h.run); i++) {
            double v;
            OK(&h, rb_run_get(h.run, &i, 1, &v));
        }
        OK(&h, rb_run_derivatives(h.run, x, dx));
        OK(&h, rb_run_jacobian(h.run, jacobian));
    }
    RbSummary summary;
    OK(&h, rb_run_close(h.run, &summary));
    ENSURE(summary.state_hash == want);
    rb_context_free(h.context);
}

// A value that is set at a time has the effect of a model whose own event sets it then, to the bit: two
// inputs, at forty random pairs of times and values.
static void setting_is_an_event(void **state) {
    (void)state;
    static const char EVENT[] =
        "model Own parameter Real t1 = 0.3, u1 = 5, t2 = 0.6, w2 = -2;\n"
        "  discrete Real u(start = 0), w(start = 0); Real x(start = 1, fixed = true), v(start = 0, "
        "fixed = true);\n"
        "equation der(x) = v; der(v) = -10*sin(x) - (0.1 + w)*v + u;\n"
        "  when time >= t1 then u = u1; end when; when time >= t2 then w = w2; end when; end Own;";
    static const char INPUT[] =
        "model Set input Real u(start = 0), w(start = 0); Real x(start = 1, fixed = true), "
        "v(start = 0, fixed = true);\n"
        "equation der(x) = v; der(v) = -10*sin(x) - (0.1 + w)*v + u; end Set;";
    Held own, set;
    RbRng rng = rb_rng(7);
    open_text(&own, EVENT);
    open_text(&set, INPUT);
    for (int i = 0; i < 40; i++) {
        double t1 = 0.5 * rb_rng_unit(&rng), t2 = t1 + 0.4 * rb_rng_unit(&rng);
        double u = 10 * rb_rng_unit(&rng) - 5, w = rb_rng_unit(&rng);
        OK(&own, rb_model_set(own.model, "t1", t1));
        OK(&own, rb_model_set(own.model, "t2", t2));
        OK(&own, rb_model_set(own.model, "u1", u));
        OK(&own, rb_model_set(own.model, "w2", w));
        start(&own);
        start(&set);
        OK(&own, rb_run_step(own.run, RB_UNTIL_TIME, 1, NULL));
        OK(&set, rb_run_step(set.run, RB_UNTIL_TIME, t1, NULL));
        OK(&set, rb_run_set_named(set.run, "u", u));
        OK(&set, rb_run_step(set.run, RB_UNTIL_TIME, t2, NULL));
        OK(&set, rb_run_set_named(set.run, "w", w));
        OK(&set, rb_run_step(set.run, RB_UNTIL_TIME, 1, NULL));
        ENSURE(value(&own, "u") == u && value(&own, "w") == w);
        ENSURE(bits(&own) == bits(&set));
        OK(&own, rb_run_close(own.run, NULL));
        OK(&set, rb_run_close(set.run, NULL));
    }
    rb_context_free(own.context);
    rb_context_free(set.context);
}

// ---- interleavings

typedef struct Instant {
    double time; // [s]
    bool restart;
} Instant;

// Steps at random times, reads, saves and restores. What counts in the end are the instants at
// which the run that is left in the end has stopped and restarted.
typedef struct Trail {
    Instant instants[200];
    int count;
} Trail;

static void random_run(Held *h, RbRng *rng, Trail *trail) {
    enum { SAVES = 3 };
    RbSaved *saved[SAVES] = {0};
    Trail kept[SAVES] = {0};
    *trail = (Trail){0};
    while (!rb_run_finished(h->run) && trail->count < 190) {
        double now = rb_run_time(h->run);
        int which = (int)(rb_rng_unit(rng) * SAVES) % SAVES;
        double choice = rb_rng_unit(rng);
        if (choice < 0.5) {
            double to = now + 0.2 * rb_rng_unit(rng);
            OK(h, rb_run_step(h->run, RB_UNTIL_TIME, to, NULL));
            trail->instants[trail->count++] = (Instant){rb_run_time(h->run), false};
        } else if (choice < 0.7) {
            bits(h);
            for (int i = 0; i < rb_run_count(h->run); i += 3) {
                double v;
                OK(h, rb_run_get(h->run, &i, 1, &v));
            }
        } else if (choice < 0.85) {
            OK(h, rb_run_save(h->run, &saved[which]));
            trail->instants[trail->count++] = (Instant){now, true};
            kept[which] = *trail;
        } else if (saved[which]) {
            OK(h, rb_run_restore(h->run, saved[which]));
            *trail = kept[which];
        }
    }
    OK(h, rb_run_step(h->run, RB_UNTIL_TIME, INFINITY, NULL));
}

static uint64_t straight_run(Held *h, const Trail *trail) {
    RbSaved *saved = NULL;
    start(h);
    for (int i = 0; i < trail->count; i++) {
        OK(h, rb_run_step(h->run, RB_UNTIL_TIME, trail->instants[i].time, NULL));
        if (trail->instants[i].restart) OK(h, rb_run_save(h->run, &saved));
    }
    OK(h, rb_run_step(h->run, RB_UNTIL_TIME, INFINITY, NULL));
    uint64_t hash = bits(h);
    OK(h, rb_run_close(h->run, NULL));
    return hash;
}

static void interleave(Held *h, int count, uint64_t seed) {
    for (int i = 0; i < count; i++) {
        RbRng rng = rb_rng(seed + (uint64_t)i);
        Trail trail;
        start(h);
        random_run(h, &rng, &trail);
        uint64_t got = bits(h);
        OK(h, rb_run_close(h->run, NULL));
        if (got == straight_run(h, &trail)) continue;
        print_error("seed %d: other bits\n", (int)seed + i);
        _fail(__FILE__, __LINE__);
    }
}

static void interleavings_of_equations(void **state) {
    (void)state;
    Held h;
    open_text(&h, BALL);
    interleave(&h, 300, 1);
    rb_context_free(h.context);
    open_text(&h,
              "model Loop Real x(start = 1, fixed = true), y(start = 0.2, fixed = true), z, w;\n"
              "equation der(x) = -5*(x - cos(time)) + z; der(y) = x - w;\n"
              "  z^3 + z = x*y; w + 0.1*sin(w) = y*z; end Loop;");
    interleave(&h, 300, 1000);
    rb_context_free(h.context);
}

static void open_example(Held *h, const char *name) {
    *h = (Held){.context = rb_context_create(NULL)};
    OK(h, rb_example_open(h->context, name, &h->model));
    h->options = rb_model_options(h->model);
}

static void interleavings_of_components(void **state) {
    (void)state;
    static const char *const names[] = {"bouncing-ball", "pendulum", "switched-capacitor"};
    for (int i = 0; i < 3; i++) {
        Held h;
        open_example(&h, names[i]);
        interleave(&h, 100, 2000);
        rb_context_free(h.context);
    }
}

static void drop_balls(Held *h, const char *solver) {
    *h = (Held){.context = rb_context_create(NULL)};
    RbSceneBuilder *scene;
    OK(h, rb_builder_create(h->context, "balls", &scene));
    rb_builder_gravity(scene, (double[]){0, 0, -9.81});
    RbSolid ground = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Steel");
    OK(h, rb_builder_add_solid(scene, &ground, NULL));
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "ball%d", i);
        RbSolid ball = rb_solid_default(name, RB_SOLID_SPHERE, "Steel");
        ball.diameter = 0.1;
        ball.free = true;
        ball.position[0] = 0.101 * i;
        ball.position[2] = 0.07 + 0.03 * i;
        OK(h, rb_builder_add_solid(scene, &ball, NULL));
    }
    OK(h, rb_builder_finish(scene, &h->model));
    h->options = rb_model_options(h->model);
    h->options.stop_time = 0.3;
    h->options.solver = solver;
}

static void interleavings_of_scenes(void **state) {
    (void)state;
    static const char *const solvers[] = {"cvode", "islands"};
    for (int i = 0; i < 2; i++) {
        Held h;
        drop_balls(&h, solvers[i]);
        interleave(&h, 50, 3000);
        rb_context_free(h.context);
    }
}

// The summary of a run that is closed between events is that of the states there, whether somebody has
// read them or not.
static void a_run_can_be_closed_between_events(void **state) {
    (void)state;
    static const char *const solvers[] = {"cvode", "islands"};
    for (int i = 0; i < 2; i++) {
        uint64_t hash[3];
        for (int how = 0; how < 3; how++) {
            Held h;
            RbSummary summary;
            drop_balls(&h, solvers[i]);
            start(&h);
            OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.11, NULL));
            for (int k = 0; k < 7; k++) OK(&h, rb_run_step(h.run, RB_UNTIL_STEP, 1, NULL));
            if (how == 1) bits(&h);
            if (how == 2) OK(&h, rb_run_summary(h.run, &summary));
            OK(&h, rb_run_close(h.run, &summary));
            hash[how] = summary.state_hash;
            ENSURE(summary.time > 0.11 && summary.time < 0.3);
            rb_context_free(h.context);
        }
        ENSURE(hash[0] == hash[1] && hash[0] == hash[2]);
    }
}

// ---- inputs as functions of the state

static void pull(void *user, double time, const double *states, double *inputs) {
    (void)time;
    inputs[0] = -*(const double *)user * states[0];
}

// u = -k x makes x'' = -k x: cos(sqrt(k) t).
static void inputs_follow_the_state(void **state) {
    (void)state;
    Held h;
    double k = 9;
    open_run(&h,
             "model Cart input Real u(start = 0); Real x(start = 1, fixed = true), v(start = 0, "
             "fixed = true);\n"
             "equation der(x) = v; der(v) = u; end Cart;");
    OK(&h, rb_run_set_input_function(h.run, pull, &k));
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.8, NULL));
    ENSURE_NEAR(value(&h, "x"), cos(2.4), 1e-6);
    ENSURE_NEAR(value(&h, "u"), -9 * cos(2.4), 1e-5);
    double jacobian[4];
    OK(&h, rb_run_jacobian(h.run, jacobian));
    ENSURE_NEAR(jacobian[1], -9, 1e-8);
    double v = value(&h, "v"), x = value(&h, "x");
    OK(&h, rb_run_set_named(h.run, "u", 0));
    OK(&h, rb_run_set_input_function(h.run, NULL, NULL));
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 1, NULL));
    double u = value(&h, "u"); // the last value that was set or computed stays
    ENSURE_NEAR(value(&h, "x"), x + 0.2 * v + 0.02 * u, 1e-7);
    close_all(&h);
}

// ---- arguments

// A callback of a run cannot end it.
typedef struct Closer {
    Held *held;
    int calls;
} Closer;

static void close_at_event(void *user, const RbEventNews *news) {
    (void)news;
    Closer *closer = user;
    if (!closer->held->run) return; // the start
    closer->calls++;
    ENSURE(rb_run_close(closer->held->run, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(closer->held), "'run' is in the middle of a call"));
    rb_context_free(closer->held->context); // nothing happens either
}

static void a_callback_cannot_close_its_run(void **state) {
    (void)state;
    Held h;
    open_text(&h, BALL);
    Closer closer = {.held = &h};
    h.run = NULL;
    h.options.event = close_at_event;
    h.options.event_user = &closer;
    start(&h);
    RbStopped stopped;
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 1.2, &stopped));
    ENSURE(closer.calls > 0 && stopped.time == 1.2);
    ENSURE(rb_run_close(h.run, NULL) == RB_OK);
    h.options.threads = -1;
    ENSURE(rb_run_open(h.context, h.model, &h.options, &h.run) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&h), "'options->threads' is negative"));
    rb_context_free(h.context);
}

static void wrong_arguments_are_named(void **state) {
    (void)state;
    Held h;
    RbRun *second;
    open_run(&h, DECAY);
    ENSURE(rb_run_open(h.context, h.model, &h.options, &second) == RB_ERROR_USAGE && !second);
    ENSURE(strstr(last_message(&h), "'model' has a run that is open"));
    ENSURE(rb_run_open(h.context, NULL, &h.options, &second) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&h), "rb_run_open: argument 'model' is NULL"));
    ENSURE(rb_run_step(h.run, (RbUntil)77, 1, NULL) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&h), "argument 'until'"));
    ENSURE(rb_run_step(h.run, RB_UNTIL_TIME, NAN, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_run_get(h.run, &(int){99}, 1, &(double){0}) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&h), "holds 99"));
    ENSURE(rb_run_get(h.run, NULL, 1, &(double){0}) == RB_ERROR_USAGE);
    ENSURE(rb_run_set_named(h.run, "y", 1) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&h), "'y' follows from equations"));
    ENSURE(rb_run_set_named(h.run, "x", NAN) == RB_ERROR_USAGE);
    ENSURE(rb_run_set_named(h.run, "xx", 1) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&h), "no variable 'xx'"));
    ENSURE(rb_run_step(NULL, RB_UNTIL_TIME, 1, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_run_close(NULL, NULL) == RB_OK);
    ENSURE(rb_run_restore_bytes(h.run, "nonsense", 8) == RB_ERROR_IO);
    // None of several is set if one cannot be.
    int both[] = {rb_run_find(h.run, "u"), rb_run_find(h.run, "y")};
    ENSURE(rb_run_set(h.run, both, 2, (double[]){3, 4}) == RB_ERROR_USAGE);
    ENSURE(value(&h, "u") == 0);
    rb_context_free(h.context); // closes the run
}

// Bytes that are no save, or a damaged one, leave the run as it is: it goes on, and closes well.
static void garbage_is_not_restored(void **state) {
    (void)state;
    Held h;
    open_run(&h, "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;");
    RbSaved *saved = NULL;
    size_t size;
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.5, NULL));
    OK(&h, rb_run_save(h.run, &saved));
    unsigned char *damaged = malloc((rb_saved_bytes(saved, &size), size));
    memcpy(damaged, rb_saved_bytes(saved, NULL), size);
    damaged[size / 2] ^= 1;
    ENSURE(rb_run_restore_bytes(h.run, "nonsense", 8) == RB_ERROR_IO);
    ENSURE(rb_run_restore_bytes(h.run, damaged, size) == RB_ERROR_IO);
    ENSURE(strstr(last_message(&h), "checksum"));
    free(damaged);
    OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 1, NULL));
    ENSURE_NEAR(value(&h, "x"), exp(-1), 1e-5);
    ENSURE(rb_run_close(h.run, NULL) == RB_OK);
    rb_context_free(h.context);
}

// What was saved by another model is refused by what it is.
static void saves_belong_to_their_model(void **state) {
    (void)state;
    Held a, b;
    open_run(&a, "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;");
    open_run(&b, "model M Real x(start = 1, fixed = true); equation der(x) = -2*x; end M;");
    RbSaved *saved = NULL;
    size_t size;
    OK(&a, rb_run_step(a.run, RB_UNTIL_TIME, 0.5, NULL));
    OK(&a, rb_run_save(a.run, &saved));
    const void *bytes = rb_saved_bytes(saved, &size);
    ENSURE(rb_run_restore_bytes(b.run, bytes, size) == RB_ERROR_USAGE);
    ENSURE(strstr(last_message(&b), "equations"));
    OK(&b, rb_run_step(b.run, RB_UNTIL_TIME, 0.5, NULL));
    ENSURE_NEAR(value(&b, "x"), exp(-1), 1e-7);
    close_all(&a);
    close_all(&b);
}

// The rows of a journal after going back are those of a run that never did.
static void journals_go_back(void **state) {
    (void)state;
    Held h;
    const char *files[] = {"test_run_back.rbj", "test_run_straight.rbj"};
    open_text(&h, BALL);
    h.options.output_interval = 0.05;
    for (int i = 0; i < 2; i++) {
        RbSaved *saved = NULL;
        h.options.journal_file = files[i];
        start(&h);
        OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 0.7, NULL));
        OK(&h, rb_run_save(h.run, &saved));
        if (i == 0) {
            OK(&h, rb_run_set_named(h.run, "v", 10));
            OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 1.5, NULL));
            OK(&h, rb_run_restore(h.run, saved));
        }
        OK(&h, rb_run_step(h.run, RB_UNTIL_TIME, 2, NULL));
        OK(&h, rb_run_close(h.run, NULL));
    }
    RbResults *results[2];
    for (int i = 0; i < 2; i++) OK(&h, rb_results_open(h.context, files[i], &results[i]));
    size_t rows = rb_results_rows(results[0]);
    ENSURE(rows == rb_results_rows(results[1]) && rows > 40 && rb_results_complete(results[0]));
    double *a = calloc(rows, sizeof *a), *b = calloc(rows, sizeof *b);
    OK(&h, rb_results_values(results[0], rb_results_find(results[0], "h"), a));
    OK(&h, rb_results_values(results[1], rb_results_find(results[1], "h"), b));
    ENSURE(memcmp(a, b, rows * sizeof *a) == 0);
    free(a), free(b);
    for (int i = 0; i < 2; i++) remove(files[i]);
    rb_context_free(h.context);
}

// A second run that would write to the journal of the first is refused; when that is closed, it may.
static void a_journal_belongs_to_one_run(void **state) {
    (void)state;
    static const char text[] =
        "model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;";
    char file[64] = "/tmp/rb_journal_XXXXXX";
    int made = mkstemp(file);
    ENSURE(made >= 0 && close(made) == 0);
    Held one, two;
    open_text(&one, text);
    open_text(&two, text);
    one.options.journal_file = two.options.journal_file = file;
    start(&one);
    ENSURE(rb_run_open(two.context, two.model, &two.options, &two.run) == RB_ERROR_IO);
    ENSURE(strstr(last_message(&two), "another run is writing this file"));
    ENSURE(rb_simulate(two.context, two.model, &two.options, NULL) == RB_ERROR_IO);
    OK(&one, rb_run_step(one.run, RB_UNTIL_TIME, 1, NULL));
    OK(&one, rb_run_close(one.run, NULL));
    OK(&two, rb_simulate(two.context, two.model, &two.options, NULL));
    rb_context_free(one.context);
    rb_context_free(two.context);
    unlink(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_solution),
        cmocka_unit_test(what_is_set_takes_effect),
        cmocka_unit_test(events_stop_a_step),
        cmocka_unit_test(reading_leaves_no_trace),
        cmocka_unit_test(setting_is_an_event),
        cmocka_unit_test(interleavings_of_equations),
        cmocka_unit_test(interleavings_of_components),
        cmocka_unit_test(interleavings_of_scenes),
        cmocka_unit_test(a_run_can_be_closed_between_events),
        cmocka_unit_test(inputs_follow_the_state),
        cmocka_unit_test(a_callback_cannot_close_its_run),
        cmocka_unit_test(wrong_arguments_are_named),
        cmocka_unit_test(garbage_is_not_restored),
        cmocka_unit_test(saves_belong_to_their_model),
        cmocka_unit_test(journals_go_back),
        cmocka_unit_test(a_journal_belongs_to_one_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
