// SPDX-License-Identifier: MIT
// label: normal
// FMUs as a master meets them: exported, taken out of their archive by another program, loaded as a
// shared object of which only the functions of FMI are seen. Against a held run with the same steps,
// bit for bit, and against closed forms.
#include "fmu/master.h"
#include "math/rng.h"

#include <pthread.h>

static const char ball[] = "model Ball\n"
                           "  parameter Real e(min = 0, max = 1) = 0.8;\n"
                           "  parameter Integer n = 3;\n"
                           "  parameter String label = \"a <b>\";\n"
                           "  input Real u;\n"
                           "  output Real y = e*v;\n"
                           "  output Integer bounces(start = 0, fixed = true);\n"
                           "  output Boolean up = v > 0;\n"
                           "  Real h(start = 1, fixed = true), v(start = 0, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -9.81 + u;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -e*pre(v));\n"
                           "    bounces = pre(bounces) + 1;\n"
                           "  end when;\n"
                           "  annotation(experiment(StopTime = 2, Tolerance = 1e-8));\n"
                           "end Ball;\n";

// Of the ball, made by the first test that needs it: writing 30 MB takes a second.
static Loaded balls[2];

static Loaded *ball_of(int version) {
    Loaded *l = &balls[version - 2];
    RbModelica source = rb_modelica_default();
    source.text = ball;
    if (!l->library) *l = load(version, &source, "Ball");
    return l;
}

// -------------------------------------------------------------------------------------------------
// the same steps by a held run

typedef struct Held {
    RbContext *context;
    RbRun *run;
} Held;

static Held hold(const char *text, double e, double h) {
    Held held = {.context = rb_context_create(NULL)};
    RbModelica source = rb_modelica_default();
    RbModel *model;
    source.text = text;
    assert_int_equal(rb_modelica_translate(held.context, &source, &model), RB_OK);
    assert_int_equal(rb_model_set(model, "e", e), RB_OK);
    assert_int_equal(rb_model_set(model, "h", h), RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 2;
    options.tolerance = 1e-8;
    options.output_interval = 0;
    assert_int_equal(rb_run_open(held.context, model, &options, &held.run), RB_OK);
    return held;
}

static double held_value(const Held *held, const char *name) {
    double value = NAN;
    assert_int_equal(rb_run_get_named(held->run, name, &value), RB_OK);
    return value;
}

static void let_go(Held *held) {
    rb_run_close(held->run, NULL);
    rb_context_free(held->context);
}

// Steps of different lengths, with inputs that change; two instances side by side.
static void run_beside(const Loaded *l) {
    void *a = open_one(l), *b = open_one(l);
    assert_int_equal(set_real(l, a, "e", 0.7), 0);
    assert_int_equal(set_real(l, a, "h", 1.5), 0);
    start(l, a);
    start(l, b);
    Held held = hold(ball, 0.7, 1.5);
    double t = 0;
    for (int k = 0; k < 60; k++) {
        double size = 0.01 * (1 + k % 5), u = k / 10 % 2;
        assert_int_equal(set_real(l, a, "u", u), 0);
        assert_int_equal(rb_run_set_named(held.run, "u", u), RB_OK);
        assert_int_equal(step(l, a, t, size), 0);
        assert_int_equal(step(l, b, t, size), 0);
        t += size;
        assert_int_equal(rb_run_step(held.run, RB_UNTIL_TIME, t, NULL), RB_OK);
        assert_true(get_real(l, a, "h") == held_value(&held, "h"));
        assert_true(get_real(l, a, "v") == held_value(&held, "v"));
        assert_true(get_real(l, a, "y") == held_value(&held, "y"));
        assert_true(get_real(l, a, "time") == t);
    }
    // The other one fell from 1 m: it touched at sqrt(2/g), and left with 0.8 of the speed.
    double touch = sqrt(2 / 9.81), speed = 0.8 * 9.81 * touch, left = t - touch,
           flight = 2 * speed / 9.81;
    while (left > flight) {
        left -= flight;
        speed *= 0.8;
        flight *= 0.8;
    }
    ENSURE_NEAR(get_real(l, b, "h"), speed * left - 9.81 / 2 * left * left, 1e-6);
    assert_int_equal(simple(l, "Terminate", a), 0);
    release(l, a);
    release(l, b);
    let_go(&held);
}

static void co_simulation_is_a_held_run(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) run_beside(ball_of(version));
}

// -------------------------------------------------------------------------------------------------
// states

static void *get_state(const Loaded *l, void *c) {
    void *state = NULL;
    assert_int_equal(
        CALL(l, l->version == 2 ? "fmi2GetFMUstate" : "fmi3GetFMUState", GetState *, c, &state), 0);
    return state;
}

static int set_state(const Loaded *l, void *c, void *state) {
    return CALL(l, l->version == 2 ? "fmi2SetFMUstate" : "fmi3SetFMUState", SetState *, c, state);
}

static char *bytes_of(const Loaded *l, void *c, void *state, size_t *size) {
    assert_int_equal(
        CALL(l, l->version == 2 ? "fmi2SerializedFMUstateSize" : "fmi3SerializedFMUStateSize",
             StateSize *, c, state, size),
        0);
    char *bytes = malloc(*size);
    assert_int_equal(CALL(l, l->version == 2 ? "fmi2SerializeFMUstate" : "fmi3SerializeFMUState",
                          Serialize *, c, state, bytes, *size),
                     0);
    return bytes;
}

static int from_bytes(const Loaded *l, void *c, const char *bytes, size_t size) {
    void *state = NULL;
    int status = CALL(l, l->version == 2 ? "fmi2DeSerializeFMUstate" : "fmi3DeserializeFMUState",
                      Deserialize *, c, bytes, size, &state);
    if (status == 0) status = set_state(l, c, state);
    CALL(l, l->version == 2 ? "fmi2FreeFMUstate" : "fmi3FreeFMUState", GetState *, c, &state);
    return status;
}

static void go(const Loaded *l, void *c, double *t, int steps) {
    for (int k = 0; k < steps; k++, *t += 0.05) assert_int_equal(step(l, c, *t, 0.05), 0);
}

// From 20 instants on, in the same instance and in another one, which had other parameters.
static void states_of(const Loaded *l) {
    void *a = open_one(l), *b = open_one(l);
    assert_int_equal(set_real(l, a, "e", 0.7), 0);
    start(l, a);
    start(l, b);
    double t = 0;
    for (int k = 0; k < 20; k++) {
        void *state = get_state(l, a);
        size_t size;
        char *bytes = bytes_of(l, a, state, &size);
        double from = t, h, v;
        go(l, a, &t, 3);
        h = get_real(l, a, "h");
        v = get_real(l, a, "v");
        assert_int_equal(set_state(l, a, state), 0);
        assert_int_equal(from_bytes(l, b, bytes, size), 0);
        for (int which = 0; which < 2; which++) {
            t = from;
            go(l, which ? b : a, &t, 3);
            assert_true(get_real(l, which ? b : a, "h") == h);
            assert_true(get_real(l, which ? b : a, "v") == v);
        }
        assert_int_equal(set_state(l, a, state), 0);
        t = from;
        go(l, a, &t, 1);
        assert_int_not_equal(from_bytes(l, b, bytes, size - 1), 0);
        for (size_t i = 0; i < size && i < 200; i++) bytes[i] = (char)~bytes[i];
        assert_int_not_equal(from_bytes(l, b, bytes, size), 0);
        assert_int_equal(CALL(l, l->version == 2 ? "fmi2FreeFMUstate" : "fmi3FreeFMUState",
                              GetState *, a, &state),
                         0);
        assert_null(state);
        free(bytes);
    }
    release(l, a);
    release(l, b);
}

// A place where a run has been: what it can go on from, and where a script of random inputs and steps took it from there.
typedef struct Place {
    char *bytes;
    size_t size;
    double time, h, v;
    uint64_t script;
} Place;

static void follow(const Loaded *l, void *c, const Place *p, double *h, double *v) {
    RbRng rng = rb_rng(p->script);
    double t = p->time;
    for (int k = 1 + rb_rng_int(&rng, 4); k > 0; k--) {
        double size = rb_rng_range(&rng, 1e-4, 0.05);
        if (rb_rng_int(&rng, 2)) assert_int_equal(set_real(l, c, "u", rb_rng_range(&rng, -3, 3)), 0);
        assert_int_equal(step(l, c, t, size), 0);
        t += size;
    }
    *h = get_real(l, c, "h");
    *v = get_real(l, c, "v");
}

// The walk goes on from a place that is drawn among all of them, in an instance that is drawn; now and then it has to repeat a script.
static void walks_of(const Loaded *l, uint64_t seed) {
    enum { PLACES = 100 };
    Place places[PLACES];
    RbRng rng = rb_rng(seed);
    void *c[3];
    for (int k = 0; k < 3; k++) start(l, c[k] = open_one(l));
    double time = 0, h, v;
    int now = 0;
    for (int n = 0; n < PLACES; n++) {
        Place *p = &places[n];
        void *state = get_state(l, c[now]);
        *p = (Place){.time = time, .script = rb_rng_bits(&rng)};
        p->bytes = bytes_of(l, c[now], state, &p->size);
        CALL(l, l->version == 2 ? "fmi2FreeFMUstate" : "fmi3FreeFMUState", GetState *, c[now], &state);
        follow(l, c[now], p, &p->h, &p->v);
        const Place *old = &places[rb_rng_int(&rng, n + 1)];
        now = rb_rng_int(&rng, 3);
        assert_int_equal(from_bytes(l, c[now], old->bytes, old->size), 0);
        follow(l, c[now], old, &h, &v);
        if (h != old->h || v != old->v) fail_msg("seed %d: place %d goes on otherwise", (int)seed, (int)(old - places));
        assert_int_equal(from_bytes(l, c[now], old->bytes, old->size), 0);
        double size = rb_rng_range(&rng, 1e-4, 0.01);
        time = old->time;
        if (time > 1.5) continue;
        assert_int_equal(step(l, c[now], time, size), 0);
        time += size;
    }
    for (int n = 0; n < PLACES; n++) free(places[n].bytes);
    for (int k = 0; k < 3; k++) release(l, c[k]);
}

static void random_states_continue_with_the_same_bits(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        for (int seed = 1; seed <= REPEATS(5, 1); seed++) walks_of(ball_of(version), (uint64_t)seed);
    }
}

static void states_continue_with_the_same_bits(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) states_of(ball_of(version));
}

// -------------------------------------------------------------------------------------------------
// events of FMI 3

static void steps_end_at_events(void **state) {
    (void)state;
    const Loaded *l = ball_of(3);
    void *c = instantiate(l, l->token, true);
    assert_non_null(c);
    start(l, c);
    assert_int_equal(simple(l, "EnterStepMode", c), 0);
    bool event, end, early;
    double last, touch = sqrt(2 / 9.81);
    assert_int_equal(CALL(l, "fmi3DoStep", Step3 *, c, 0, 0.4, true, &event, &end, &early, &last),
                     0);
    assert_false(event || end || early);
    assert_true(last == 0.4);
    assert_int_equal(CALL(l, "fmi3DoStep", Step3 *, c, 0.4, 1, true, &event, &end, &early, &last),
                     0);
    assert_true(event && early && !end);
    ENSURE_NEAR(last, touch, 1e-7);
    ENSURE_NEAR(get_real(l, c, "v"), 0.8 * 9.81 * touch, 1e-6); // it was dealt with
    assert_int_equal(simple(l, "EnterEventMode", c), 0);
    assert_int_equal(simple(l, "EnterStepMode", c), 0);
    release(l, c);
}

// -------------------------------------------------------------------------------------------------
// wrong calls

static void ensure_refused(int status, const char *words) {
    assert_int_equal(status, 3);
    if (!strstr(last_error, words)) fail_msg("'%s' does not hold '%s'", last_error, words);
    last_error[0] = 0;
}

static void refuse_all(const Loaded *l) {
    double value;
    assert_null(instantiate(l, "{another}", false));
    assert_non_null(strstr(last_error, "token"));
    void *c = open_one(l);
    ensure_refused(step(l, c, 0, 0.1), "not allowed before the initialization mode");
    ensure_refused(simple(l, "ExitInitializationMode", c), "not allowed");
    ensure_refused(simple(l, "Terminate", c), "not allowed");
    ensure_refused(try_get(l, c, reference(l, "h"), &value), "not allowed");
    ensure_refused(set_real(l, c, "y", 1), "'y' cannot be set");
    ensure_refused(set_real(l, c, "e", NAN), "'e' cannot be set to nan");
    start(l, c);
    ensure_refused(enter(l, c, 2), "not allowed in the step mode");
    ensure_refused(try_get(l, c, 100000, &value), "value reference 100000");
    ensure_refused(try_get(l, c, reference(l, "bounces"), &value), "value reference");
    ensure_refused(set_real(l, c, "h", 1), "while the model runs");
    ensure_refused(step(l, c, 0, -1), "step of -1 s");
    ensure_refused(step(l, c, 0.5, 0.1), "not the end of the last step");
    ensure_refused(step(l, c, 0, 3), "beyond the stop time");
    assert_int_equal(step(l, c, 0, 0.1), 0); // none of it has done harm
    assert_int_equal(simple(l, "Terminate", c), 0);
    ensure_refused(step(l, c, 0.1, 0.1), "not allowed after the end");
    assert_int_equal(try_get(l, c, reference(l, "h"), &value), 0);
    assert_int_equal(simple(l, "Reset", c), 0);
    start(l, c);
    ENSURE_NEAR(get_real(l, c, "h"), 1, 0);
    release(l, c);
    release(l, NULL);
    assert_int_equal(simple(l, "Reset", NULL), 3);
    assert_int_equal(step(l, NULL, 0, 1), 3);
}

static void wrong_calls_are_refused(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) refuse_all(ball_of(version));
}

static void other_types(void **state) {
    (void)state;
    const Loaded *l = ball_of(2);
    void *c = open_one(l);
    int n = 7;
    const char *text;
    uint32_t vr = reference(l, "n"), label = reference(l, "label");
    assert_int_equal(CALL(l, "fmi2SetInteger", GetInteger *, c, &vr, 1, &n), 0);
    start(l, c);
    assert_int_equal(step(l, c, 0, 1), 0);
    n = 0;
    assert_int_equal(CALL(l, "fmi2GetInteger", GetInteger *, c, &vr, 1, &n), 0);
    assert_int_equal(n, 7);
    vr = reference(l, "bounces");
    assert_int_equal(CALL(l, "fmi2GetInteger", GetInteger *, c, &vr, 1, &n), 0);
    assert_int_equal(n, 1); // at 0.45 s; the next one is at 1.17 s
    vr = reference(l, "up");
    assert_int_equal(CALL(l, "fmi2GetBoolean", GetInteger *, c, &vr, 1, &n), 0);
    assert_int_equal(n, 0); // it turned at 0.81 s
    assert_int_equal(CALL(l, "fmi2GetString", GetString *, c, &label, 1, &text), 0);
    assert_string_equal(text, "a <b>");
    release(l, c);
}

// -------------------------------------------------------------------------------------------------
// threads, and what an FMU needs

typedef struct Worker {
    pthread_t thread;
    const Loaded *l;
    double h;
} Worker;

static void *work(void *argument) {
    Worker *w = argument;
    void *c = open_one(w->l);
    double t = 0;
    start(w->l, c);
    go(w->l, c, &t, 20);
    w->h = get_real(w->l, c, "h");
    release(w->l, c);
    return NULL;
}

static void threads_have_instances_of_their_own(void **state) {
    (void)state;
    enum { COUNT = 4 };
    const Loaded *l = ball_of(3);
    Worker workers[COUNT];
    for (int i = 0; i < COUNT; i++) {
        workers[i] = (Worker){.l = l};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < COUNT; i++) pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < COUNT; i++) assert_true(workers[i].h == workers[0].h && workers[i].h > 0);
}

#ifndef __SANITIZE_ADDRESS__
// Every library comes from the FMU, or is a part of the C library.
static void needs_the_c_library_alone(void **state) {
    (void)state;
    static const char *const allowed[] = {"linux-vdso.so", "libc.so.6",       "libm.so.6",
                                          "libdl.so.2",    "libpthread.so.0", "ld-linux"};
    const Loaded *l = ball_of(2);
    char line[2000];
    snprintf(line, sizeof line, "ldd '%s/binaries/linux64/Ball.so'", l->folder);
    FILE *in = popen(line, "r");
    assert_non_null(in);
    int lines = 0;
    while (fgets(line, sizeof line, in)) {
        bool good = strstr(line, l->folder) != NULL;
        for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
            good |= strstr(line, allowed[i]) != NULL;
        if (!good) fail_msg("the FMU needs %s", line);
        lines++;
    }
    assert_int_equal(pclose(in), 0);
    assert_true(lines >= 3);
    assert_null(dlsym(l->library, "rb_run_open")); // our own names stay inside
}
#endif

static void external_code_is_refused(void **state) {
    (void)state;
    char message[1000];
    const char *text =
        "model A function f input Real x; output Real y; external \"C\" y = twice(x) "
        "annotation(Include = \"double twice(double x) { return 2*x; }\"); end f; "
        "Real x(start = 1, fixed = true); equation der(x) = f(time); end A;";
    RbModelica source = rb_modelica_default();
    source.text = text;
    assert_int_not_equal(write_fmu(2, &source, FOLDER "/A.fmu", message), RB_OK);
    assert_non_null(strstr(message, "C code"));
}

static void ensure_usage(const RbModelica *source, const RbFmuOptions *options, const char *file,
                         const char *words) {
    RbContext *context = rb_context_create(NULL);
    assert_int_equal(rb_fmu_export(context, source, options, file), RB_ERROR_USAGE);
    const char *message = rb_context_message(context, rb_context_message_count(context) - 1);
    if (!strstr(message, words)) fail_msg("'%s' does not hold '%s'", message, words);
    rb_context_free(context);
}

static void wrong_arguments_are_named(void **state) {
    (void)state;
    RbModelica source = rb_modelica_default(), with_input = source;
    RbFmuOptions options = rb_fmu_options_default(), other = options, exchange = options,
                 odd = options;
    const char *const settings[] = {"nothing", NULL};
    source.text = with_input.text = ball;
    with_input.input_file = "u.csv";
    other.version = 4;
    exchange.type = (RbFmuType)3;
    odd.settings = settings;
    assert_int_equal(rb_fmu_export(NULL, &source, &options, "a.fmu"), RB_ERROR_USAGE);
    ensure_usage(NULL, &options, "a.fmu", "'source' is NULL");
    ensure_usage(&source, NULL, "a.fmu", "'options' is NULL");
    ensure_usage(&source, &options, NULL, "'file' is NULL");
    ensure_usage(&source, &other, "a.fmu", "is neither 2 nor 3");
    ensure_usage(&source, &exchange, "a.fmu", "none of RbFmuType");
    ensure_usage(&source, &odd, "a.fmu", "NAME=VALUE");
    ensure_usage(&with_input, &options, "a.fmu", "from the master");
}

// -------------------------------------------------------------------------------------------------
// files

static void write_text(const char *name, const char *text) {
    char path[1000];
    snprintf(path, sizeof path, FOLDER "/origin/%s", name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

// The journal of a co-simulation has its meshes, and its end.
static void ensure_viewed(const char *journal, double end) {
    RbContext *context = rb_context_create(NULL);
    RbResults *results;
    double times[1000];
    assert_int_equal(rb_results_open(context, journal, &results), RB_OK);
    size_t rows = rb_results_rows(results);
    assert_in_range(rows, 2, 1000);
    assert_int_equal(rb_results_times(results, times), RB_OK);
    ENSURE_NEAR(times[rows - 1], end, 0);
    if (rb_export(context, journal, FOLDER "/drop.obj", end) != RB_OK)
        fail_msg("%s", rb_context_message(context, 0));
    rb_context_free(context);
    assert_int_equal(system("grep -c '^v ' " FOLDER "/drop.obj | grep -q '^16$'"), 0);
}

// A package of several files, whose class is named by a file of it, with a mesh beside its text and one
// by modelica://; afterwards it has gone from where it was.
static void files_travel_along(void **state) {
    (void)state;
    static const char cube[] =
        "v 0 0 0\nv 0 0 1\nv 0 1 0\nv 0 1 1\nv 1 0 0\nv 1 0 1\nv 1 1 0\nv 1 1 1\n"
        "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
    RbModelica source = rb_modelica_default();
    assert_int_equal(system("rm -rf " FOLDER "/origin && mkdir -p " FOLDER "/origin/P/Data"), 0);
    write_text("P/package.mo", "package P constant Real k = Other.k; end P;");
    write_text("P/Other.mo", "within P; package Other constant Real k = 3; end Other;");
    write_text("P/Unused.mo", "within P; package Unused end Unused;");
    write_text("P/Drop.mo",
               "within P; model Drop inner Rattleback.World world; "
               "Rattleback.Parts.Mesh a(fileName = \"a.obj\", r = {0, 9, 0}, mass = k); "
               "Rattleback.Parts.Mesh b(fileName = \"modelica://P/Data/b.obj\", r = {5, 9, 0}); "
               "Real x(start = 1, fixed = true); equation der(x) = -k*x; end Drop;");
    write_text("P/a.obj", cube);
    write_text("P/Data/b.obj", cube);
    source.file = FOLDER "/origin/P/Drop.mo";
    Loaded l = load(2, &source, "P_Drop");
    assert_int_equal(system("rm -rf " FOLDER "/origin"), 0);
    assert_int_not_equal(
        system("ls " FOLDER "/P_Drop2/resources/modelica/P/Unused.mo 2> /dev/null"), 0);
    void *c = open_one(&l);
    const char *journal = FOLDER "/drop.rbj";
    uint32_t vr = reference(&l, "rattleback.journalFile");
    assert_int_equal(CALL(&l, "fmi2SetString", SetString *, c, &vr, 1, &journal), 0);
    start(&l, c);
    assert_int_equal(step(&l, c, 0, 0.5), 0);
    ENSURE_NEAR(get_real(&l, c, "x"), exp(-1.5), 1e-7);
    ENSURE_NEAR(get_real(&l, c, "a.v_0[2]"), get_real(&l, c, "b.v_0[2]"), 0);
    release(&l, c);
    unload(&l);
    ensure_viewed(journal, 0.5);
}

static int make_folder(void **state) {
    (void)state;
    return system("mkdir -p " FOLDER);
}

static int unload_balls(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) unload(&balls[i]);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(co_simulation_is_a_held_run),
        cmocka_unit_test(states_continue_with_the_same_bits),
        cmocka_unit_test(random_states_continue_with_the_same_bits),
        cmocka_unit_test(steps_end_at_events),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(other_types),
        cmocka_unit_test(threads_have_instances_of_their_own),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(needs_the_c_library_alone),
#endif
        cmocka_unit_test(external_code_is_refused),
        cmocka_unit_test(files_travel_along),
        cmocka_unit_test(wrong_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, make_folder, unload_balls);
}
