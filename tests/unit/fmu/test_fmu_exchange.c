// SPDX-License-Identifier: MIT
// label: normal
// FMUs for model exchange, integrated by a master of the tests (exchange_master.h) that shares no code with the
// library: against closed forms.
#define FOLDER RB_BINARY_DIR "/tests/fmu_exchange"
#include "fmu/exchange_master.h"

#include <pthread.h>

// A ball with a drag along its way, a sampled counter, an input and an output; a part that ends the run.
static const char ball[] = "model Ball\n"
                           "  parameter Real e(min = 0, max = 1) = 0.8;\n"
                           "  parameter Integer n = 3;\n"
                           "  parameter Real stop = 10;\n"
                           "  input Real u(start = 0);\n"
                           "  input Boolean on(start = false);\n"
                           "  output Real y = e*v + u;\n"
                           "  output Integer bounces(start = 0, fixed = true);\n"
                           "  discrete Real ticks(start = 0, fixed = true);\n"
                           "  Real h(start = 1, fixed = true, nominal = 2, unit = \"m\");\n"
                           "  Real v(start = 0, fixed = true), w(start = 1, fixed = true);\n"
                           "equation\n"
                           "  der(h) = v;\n"
                           "  der(v) = -9.81 + u;\n"
                           "  der(w) = if on then -2*w*h else -w;\n"
                           "  when h <= 0 then\n"
                           "    reinit(v, -e*pre(v));\n"
                           "    bounces = pre(bounces) + 1;\n"
                           "  end when;\n"
                           "  when sample(0.25, 0.25) then\n"
                           "    ticks = pre(ticks) + 1;\n"
                           "  end when;\n"
                           "  when time >= stop then\n"
                           "    terminate(\"enough\");\n"
                           "  end when;\n"
                           "  annotation(experiment(StopTime = 2, Tolerance = 1e-8));\n"
                           "end Ball;\n";

static Loaded balls[2];

static const Loaded *ball_of(int version) {
    Loaded *l = &balls[version - 2];
    RbModelica source = rb_modelica_default();
    source.text = ball;
    if (!l->library) *l = load_as(version, RB_FMU_BOTH, &source, "Ball");
    return l;
}

static int set_boolean(const Loaded *l, void *c, const char *name, bool value) {
    uint32_t vr = reference(l, name);
    typedef int SetBoolean3(void *c, const uint32_t *vr, size_t n, const bool *values, size_t count);
    if (l->version == 2)
        return CALL(l, "fmi2SetBoolean", GetInteger *, c, &vr, 1, &(int){value});
    return CALL(l, "fmi3SetBoolean", SetBoolean3 *, c, &vr, 1, &value, 1);
}

static int get_integer(const Loaded *l, void *c, const char *name) {
    uint32_t vr = reference(l, name);
    int32_t value = -1;
    typedef int Get32(void *c, const uint32_t *vr, size_t n, int32_t *values, size_t count);
    if (l->version == 2)
        GOOD(CALL(l, "fmi2GetInteger", GetInteger *, c, &vr, 1, &value));
    else
        GOOD(CALL(l, "fmi3GetInt32", Get32 *, c, &vr, 1, &value, 1));
    return value;
}

// -------------------------------------------------------------------------------------------------
// the way of the ball

static void ball_of_version(int version) {
    Master m;
    const Loaded *l = ball_of(version);
    open_master(&m, l, 1e-11);
    assert_int_equal(m.s.n, 3);
    begin(&m, 2);
    ENSURE_NEAR(m.nominal[0], 2, 0);
    ENSURE_NEAR(m.next, 0.25, 0);
    double fall = sqrt(2 / 9.81), flight = 1.6 * fall, end = fall + flight + 0.3;
    integrate(&m, end);
    double up = 0.64 * 9.81 * fall, later = 0.3;
    ENSURE_NEAR(get_real(l, m.c, "h"), up * later - 9.81 / 2 * later * later, 1e-9);
    ENSURE_NEAR(get_real(l, m.c, "v"), up - 9.81 * later, 1e-9);
    ENSURE_NEAR(get_real(l, m.c, "w"), exp(-end), 1e-9);
    ENSURE_NEAR(get_real(l, m.c, "y"), 0.8 * (up - 9.81 * later), 1e-9);
    ENSURE_NEAR(get_real(l, m.c, "ticks"), floor(end / 0.25), 0);
    ENSURE_NEAR(get_real(l, m.c, "time"), end, 0);
    assert_int_equal(get_integer(l, m.c, "bounces"), 2);
    assert_in_range(m.events, 2 + 5, 2 * 2 + 5 + 2);
    close_master(&m);
}

static void a_ball_bounces(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) ball_of_version(version);
}

// Inputs: a Real one at any point, a Boolean one at events alone; parameters at events.
static void inputs_of(int version) {
    Master m;
    const Loaded *l = ball_of(version);
    double dx[3], x[3] = {0.5, -1, 2}, w;
    open_master(&m, l, 1e-11);
    GOOD(set_real(l, m.c, "e", 0.5));
    begin(&m, 2);
    move_to(&m, 0.1, x);
    GOOD(set_real(l, m.c, "u", 3));
    GOOD(get_array(l, m.c, "GetDerivatives", "GetContinuousStateDerivatives", dx, 3));
    ENSURE_NEAR(dx[0], -1, 0);
    ENSURE_NEAR(dx[1], 3 - 9.81, 1e-14);
    ENSURE_NEAR(dx[2], -2, 0);
    ENSURE_NEAR(get_real(l, m.c, "y"), 0.5 * -1 + 3, 1e-14);
    assert_int_equal(set_boolean(l, m.c, "on", true), 3);
    assert_non_null(strstr(last_error, "event mode"));
    assert_int_equal(set_real(l, m.c, "e", 0.4), 3);
    complete(&m);
    GOOD(simple(l, "EnterEventMode", m.c));
    GOOD(set_boolean(l, m.c, "on", true));
    GOOD(set_real(l, m.c, "e", 0.25));
    assert_int_equal(m.restarts, 0);
    settle(&m);
    assert_int_equal(m.restarts, 1); // no state has jumped, but der(w)
    w = m.s.x[2];
    ENSURE_NEAR(w, 2, 0);
    GOOD(get_array(l, m.c, "GetDerivatives", "GetContinuousStateDerivatives", dx, 3));
    ENSURE_NEAR(dx[2], -2 * 2 * 0.5, 1e-14);
    ENSURE_NEAR(get_real(l, m.c, "y"), 0.25 * -1 + 3, 1e-14);
    close_master(&m);
}

static void inputs_and_parameters(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) inputs_of(version);
}

static void the_model_ends(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        Master m;
        open_master(&m, ball_of(version), 1e-11);
        GOOD(set_real(m.l, m.c, "stop", 0.3));
        begin(&m, 2);
        integrate(&m, 2);
        assert_true(m.ended);
        ENSURE_NEAR(m.s.t, 0.3, 1e-12);
        close_master(&m);
    }
}

// -------------------------------------------------------------------------------------------------
// directional derivatives

static void direction(const Loaded *l, void *c, const char *unknown, const char *known, double seed,
                      double want) {
    uint32_t of = reference(l, unknown), by = reference(l, known);
    double value = NAN;
    if (l->version == 2)
        GOOD(CALL(l, "fmi2GetDirectionalDerivative", Direction2 *, c, &of, 1, &by, 1, &seed, &value));
    else
        GOOD(CALL(l, "fmi3GetDirectionalDerivative", Direction3 *, c, &of, 1, &by, 1, &seed, 1,
                  &value, 1));
    ENSURE_NEAR(value, want, 1e-8);
}

static void directions_are_those_of_the_equations(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        Master m;
        const Loaded *l = ball_of(version);
        double x[3] = {0.5, -1, 2};
        open_master(&m, l, 1e-11);
        GOOD(set_boolean(l, m.c, "on", true));
        begin(&m, 2);
        move_to(&m, 0.1, x);
        direction(l, m.c, "der(h)", "v", 1, 1);
        direction(l, m.c, "der(v)", "u", 2, 2);
        direction(l, m.c, "der(w)", "h", 1, -2 * 2);
        direction(l, m.c, "der(w)", "w", 3, -3 * 2 * 0.5);
        direction(l, m.c, "y", "v", 1, 0.8);
        direction(l, m.c, "y", "u", 1, 1);
        direction(l, m.c, "der(h)", "w", 1, 0);
        ENSURE_NEAR(get_real(l, m.c, "y"), -0.8, 1e-15); // they leave no trace
        close_master(&m);
    }
}

// -------------------------------------------------------------------------------------------------
// the model structure

static int compare_references(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

// The variables that an unknown depends on.
static void ensure_depends(const Loaded *l, const char *list, const char *unknown, const char *const *on) {
    char key[200], want[200] = "";
    int first = l->version == 2;
    if (first)
        snprintf(key, sizeof key, "<Unknown index=\"%u\" dependencies=\"",
                 reference(l, unknown) + 1);
    else
        snprintf(key, sizeof key, "<%s valueReference=\"%u\" dependencies=\"", list,
                 reference(l, unknown));
    const char *found = strstr(l->xml, key);
    if (!found) fail_msg("no dependencies of %s", unknown);
    found += strlen(key);
    int count = 0, numbers[10];
    for (; on[count]; count++) numbers[count] = (int)reference(l, on[count]) + first;
    qsort(numbers, (size_t)count, sizeof *numbers, compare_references);
    for (int i = 0; i < count; i++)
        snprintf(want + strlen(want), sizeof want - strlen(want), "%s%d", i > 0 ? " " : "",
                 numbers[i]);
    if (strncmp(found, want, strlen(want)) != 0 || found[strlen(want)] != '"')
        fail_msg("%s depends on %.40s, not on %s", unknown, found, want);
}

static void the_structure_tells_what_depends_on_what(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        const Loaded *l = ball_of(version);
        const char *const w[] = {"h", "w", "on", NULL}, *const y[] = {"u", "v", NULL};
        ensure_depends(l, "ContinuousStateDerivative", "der(h)", (const char *[]){"v", NULL});
        ensure_depends(l, "ContinuousStateDerivative", "der(v)", (const char *[]){"u", NULL});
        // Also by the branch that is not taken.
        ensure_depends(l, "ContinuousStateDerivative", "der(w)", w);
        ensure_depends(l, "Output", "y", y);
    }
}

// What the engine computes may depend on everything; the equations beside it do not.
static const char beside[] = "model Beside \"A filter drives a pendulum\"\n"
                             "  import Rattleback.*;\n"
                             "  inner World world(gravity = {0, 0, -9.81});\n"
                             "  Joints.Revolute hinge(n = {0, 1, 0}, useAxisFlange = true);\n"
                             "  Parts.Body body(m = 2, r_CM = {0.5, 0, 0}, I_11 = 0.1, I_22 = 0.1, I_33 = 0.1);\n"
                             "  Rotational.Sources.Torque motor(tau = x);\n"
                             "  input Real u(start = 0);\n"
                             "  output Real y = 2*x;\n"
                             "  output Real acceleration = der(hinge.w);\n"
                             "  Real x(start = 0, fixed = true);\n"
                             "equation\n"
                             "  der(x) = u - x;\n"
                             "  connect(world.frame_b, hinge.frame_a);\n"
                             "  connect(hinge.frame_b, body.frame_a);\n"
                             "  connect(motor.flange, hinge.axis);\n"
                             "end Beside;\n";

static void equations_beside_bodies_tell_it_too(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) {
        RbModelica source = rb_modelica_default();
        source.text = beside;
        Loaded l = load_as(version, RB_FMU_MODEL_EXCHANGE, &source, "Beside");
        ensure_depends(&l, "ContinuousStateDerivative", "der(x)", (const char *[]){"x", "u", NULL});
        ensure_depends(&l, "Output", "y", (const char *[]){"x", NULL});
        char open[100];
        if (version == 2)
            snprintf(open, sizeof open, "<Unknown index=\"%u\"/>", reference(&l, "acceleration") + 1);
        else
            snprintf(open, sizeof open, "<Output valueReference=\"%u\"/>", reference(&l, "acceleration"));
        if (!strstr(l.xml, open)) fail_msg("'%s' is missing", open);
        unload(&l);
    }
}

// -------------------------------------------------------------------------------------------------
// arrays

static const char rows[] = "model Rows\n"
                           "  parameter Real k[2, 3] = {{1, 2, 3}, {4, 5, 6}};\n"
                           "  parameter Integer n[2] = {7, 8};\n"
                           "  input Real u[2];\n"
                           "  output Real y[2] = k*x + u;\n"
                           "  Real x[3](start = {1, 2, 3}, each fixed = true, each unit = \"m\");\n"
                           "  Real apart[3](each start = 0, fixed = {false, false, true});\n"
                           "equation\n"
                           "  der(x) = {-x[1], u[1], x[3]*u[2]};\n"
                           "  apart[1] = time;\n"
                           "  apart[2] = x[1];\n"
                           "  der(apart[3]) = 1;\n"
                           "end Rows;\n";

static double get_element(const Loaded *l, void *c, const char *name, int count, int i) {
    double got[6];
    uint32_t vr = reference(l, name);
    GOOD(CALL(l, "fmi3GetFloat64", Get3 *, c, &vr, 1, got, (size_t)count));
    return got[i];
}

static void ensure_values(const Loaded *l, void *c, const char *name, int count, const double *want) {
    for (int i = 0; i < count; i++) ENSURE_NEAR(get_element(l, c, name, count, i), want[i], 1e-14);
}

static void arrays_are_one_variable_of_fmi_3(void **state) {
    (void)state;
    RbModelica source = rb_modelica_default();
    source.text = rows;
    Loaded l = load_as(3, RB_FMU_BOTH, &source, "Rows");
    Master m;
    double k[6] = {6, 5, 4, 3, 2, 1}, u[2] = {2, -1}, x[3] = {1, 2, 3}, dx[4], y[2], seed[3] = {1, 0, 2};
    uint32_t vk = reference(&l, "k"), vu = reference(&l, "u"), vx = reference(&l, "x"),
             vy = reference(&l, "y"), vd = reference(&l, "der(x)");
    assert_non_null(strstr(l.xml, "start=\"1 2 3 4 5 6\"><Dimension start=\"2\"/><Dimension start=\"3\"/>"));
    assert_null(strstr(l.xml, "name=\"x[1]\""));
    open_master(&m, &l, 1e-10);
    assert_int_equal(m.s.n, 4);
    assert_int_equal(count_in(&l, "<ContinuousStateDerivative "), 2); // of x as a whole, and of apart[3]
    assert_non_null(strstr(l.xml, "name=\"apart[1]\""));
    GOOD(CALL(&l, "fmi3SetFloat64", Set3 *, m.c, &vk, 1, k, 6));
    assert_int_equal(CALL(&l, "fmi3SetFloat64", Set3 *, m.c, &vk, 1, k, 5), 3);
    assert_non_null(strstr(last_error, "1 value references stand for 6 values, and there are 5"));
    vk++; // inside of the array
    assert_int_equal(CALL(&l, "fmi3SetFloat64", Set3 *, m.c, &vk, 1, k, 1), 3);
    begin(&m, 1);
    GOOD(CALL(&l, "fmi3SetFloat64", Set3 *, m.c, &vu, 1, u, 2));
    ensure_values(&l, m.c, "x", 3, x);
    ensure_values(&l, m.c, "k", 6, k);
    y[0] = 6 * 1 + 5 * 2 + 4 * 3 + 2, y[1] = 3 * 1 + 2 * 2 + 1 * 3 - 1;
    ensure_values(&l, m.c, "y", 2, y);
    dx[0] = -1, dx[1] = 2, dx[2] = -3;
    ensure_values(&l, m.c, "der(x)", 3, dx);
    GOOD(CALL(&l, "fmi3GetDirectionalDerivative", Direction3 *, m.c, &vy, 1, &vx, 1, seed, 3, y, 2));
    ENSURE_NEAR(y[0], 6 + 2 * 4, 1e-8);
    ENSURE_NEAR(y[1], 3 + 2 * 1, 1e-8);
    GOOD(CALL(&l, "fmi3GetDirectionalDerivative", Direction3 *, m.c, &vd, 1, &vu, 1, u, 2, dx, 3));
    ENSURE_NEAR(dx[1], 2, 1e-8);
    ENSURE_NEAR(dx[2], -3, 1e-8);
    integrate(&m, 1);
    x[0] = exp(-1), x[1] = 4, x[2] = 3 * exp(-1);
    for (int i = 0; i < 3; i++) ENSURE_NEAR(get_element(&l, m.c, "x", 3, i), x[i], 1e-8);
    close_master(&m);
    unload(&l);
}

// -------------------------------------------------------------------------------------------------
// states

// From a state taken half way, in the event mode and between events, in another instance, from its bytes.
static void states_of(int version) {
    const Loaded *l = ball_of(version);
    Master a, b;
    void *state = NULL, *other = NULL;
    open_master(&a, l, 1e-9);
    open_master(&b, l, 1e-9);
    begin(&a, 2);
    for (int k = 0; k < 20; k++) {
        size_t size;
        integrate(&a, 0.07 * (k + 1));
        GOOD(CALL(l, full_name(l, "GetFMUstate", "GetFMUState"), GetState *, a.c, &state));
        GOOD(CALL(l, full_name(l, "SerializedFMUstateSize", "SerializedFMUStateSize"), StateSize *,
                  a.c, state, &size));
        char *bytes = malloc(size);
        GOOD(CALL(l, full_name(l, "SerializeFMUstate", "SerializeFMUState"), Serialize *, a.c, state,
                  bytes, size));
        GOOD(CALL(l, full_name(l, "DeSerializeFMUstate", "DeserializeFMUState"), Deserialize *, b.c,
                  bytes, size, &other));
        GOOD(CALL(l, full_name(l, "SetFMUstate", "SetFMUState"), SetState *, b.c, other));
        free(bytes);
        b.s.t = a.s.t;
        b.next = a.next;
        memcpy(b.nominal, a.nominal, sizeof b.nominal);
        read_states(&b);
        a.s.h = b.s.h = FIRST_STEP;
        integrate(&b, a.s.t + 0.3);
        GOOD(CALL(l, full_name(l, "SetFMUstate", "SetFMUState"), SetState *, a.c, state));
        Master again = a; // the same once more, from the same state
        again.s.user = &again;
        again.s.nominal = again.nominal;
        read_states(&again);
        integrate(&again, a.s.t + 0.3);
        assert_memory_equal(again.s.x, b.s.x, 3 * sizeof(double));
        GOOD(CALL(l, full_name(l, "SetFMUstate", "SetFMUState"), SetState *, a.c, state));
        read_states(&a);
    }
    CALL(l, full_name(l, "FreeFMUstate", "FreeFMUState"), GetState *, a.c, &state);
    CALL(l, full_name(l, "FreeFMUstate", "FreeFMUState"), GetState *, b.c, &other);
    close_master(&a);
    close_master(&b);
}

static void states_continue_with_the_same_bits(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) states_of(version);
}

// -------------------------------------------------------------------------------------------------
// wrong calls

static void ensure_refused(int status, const char *words) {
    assert_int_equal(status, 3);
    if (!strstr(last_error, words)) fail_msg("'%s' does not hold '%s'", last_error, words);
    last_error[0] = 0;
}

static void refuse_all(const Loaded *l) {
    Master m;
    double x[4] = {1, 2, 3, 4}, bad[3] = {1, NAN, 1};
    open_master(&m, l, 1e-9);
    ensure_refused(set_time(l, m.c, 1), "not allowed before the initialization mode");
    ensure_refused(simple(l, "EnterEventMode", m.c), "not allowed");
    ensure_refused(simple(l, "EnterContinuousTimeMode", m.c), "not allowed");
    ensure_refused(get_array(l, m.c, "GetContinuousStates", "GetContinuousStates", x, 3),
                   "not allowed");
    begin(&m, 2);
    ensure_refused(simple(l, "EnterContinuousTimeMode", m.c), "in the continuous-time mode");
    ensure_refused(step(l, m.c, 0, 0.1), "not allowed in the continuous-time mode");
    ensure_refused(set_states(l, m.c, x, 4), "there are 3 states");
    ensure_refused(set_states(l, m.c, NULL, 3), "there are 3 states");
    ensure_refused(set_states(l, m.c, bad, 3), "state 2 cannot be set to nan");
    ensure_refused(set_time(l, m.c, NAN), "the time cannot be set");
    ensure_refused(get_array(l, m.c, "GetDerivatives", "GetContinuousStateDerivatives", x, 2),
                   "there are 3 states");
    ensure_refused(set_real(l, m.c, "h", 1), "event mode");
    integrate(&m, 0.2);
    ensure_refused(set_time(l, m.c, 0.1), "the last step ended at 0.2");
    GOOD(simple(l, "EnterEventMode", m.c));
    ensure_refused(set_states(l, m.c, x, 3), "not allowed in the event mode");
    ensure_refused(set_time(l, m.c, 0.3), "stands still");
    settle(&m);
    integrate(&m, 0.4); // none of it has done harm
    ENSURE_NEAR(m.s.x[0], 1 - 9.81 / 2 * 0.16, 1e-9);
    GOOD(simple(l, "Terminate", m.c));
    ensure_refused(set_time(l, m.c, 1), "not allowed after the end");
    GOOD(simple(l, "Reset", m.c));
    release(l, m.c);
    assert_int_equal(set_time(l, NULL, 1), 3);
    assert_int_equal(set_states(l, NULL, x, 3), 3);
    void *c = open_one(l); // for co-simulation
    start(l, c);
    ensure_refused(set_time(l, c, 0.1), "not allowed in the step mode");
    ensure_refused(get_array(l, c, "GetContinuousStates", "GetContinuousStates", x, 3), "not allowed");
    release(l, c);
}

static void wrong_calls_are_refused(void **state) {
    (void)state;
    for (int version = 2; version <= 3; version++) refuse_all(ball_of(version));
}

static void only_what_was_exported(void **state) {
    (void)state;
    RbModelica source = rb_modelica_default();
    source.text = "model One Real x(start = 1, fixed = true); equation der(x) = -x; end One;";
    Loaded l = load_as(2, RB_FMU_CO_SIMULATION, &source, "One");
    assert_null(instantiate_exchange(&l));
    assert_non_null(strstr(last_error, "for co-simulation only"));
    assert_null(strstr(l.xml, "<ModelExchange"));
    unload(&l);
    l = load_as(3, RB_FMU_MODEL_EXCHANGE, &source, "One");
    assert_null(instantiate(&l, l.token, false));
    assert_non_null(strstr(last_error, "for model exchange only"));
    assert_null(strstr(l.xml, "<CoSimulation"));
    Master m;
    open_master(&m, &l, 1e-10);
    begin(&m, 1);
    integrate(&m, 1);
    ENSURE_NEAR(m.s.x[0], exp(-1), 1e-9);
    close_master(&m);
    unload(&l);
}

static void models_that_need_a_solver_are_refused(void **state) {
    (void)state;
    char message[1000];
    RbModelica source = rb_modelica_default();
    source.file = RB_SOURCE_DIR "/examples/modelica/GrippingRobot.mo";
    source.class_name = "GrippingRobot.S4";
    assert_int_equal(write_fmu_as(3, RB_FMU_BOTH, &source, FOLDER "/A.fmu", message), RB_ERROR_USAGE);
    assert_non_null(strstr(message, "export it for co-simulation (--type cs)"));
}

// -------------------------------------------------------------------------------------------------
// threads

typedef struct Worker {
    pthread_t thread;
    Master m;
} Worker;

static void *work(void *argument) {
    Worker *w = argument;
    open_master(&w->m, ball_of(3), 1e-10);
    begin(&w->m, 2);
    integrate(&w->m, 1.5);
    close_master(&w->m);
    return NULL;
}

static void threads_have_instances_of_their_own(void **state) {
    (void)state;
    enum { COUNT = 4 };
    static Worker workers[COUNT];
    ball_of(3);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    for (int i = 0; i < COUNT; i++) pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < COUNT; i++)
        assert_memory_equal(workers[i].m.s.x, workers[0].m.s.x, 3 * sizeof(double));
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
        cmocka_unit_test(a_ball_bounces),
        cmocka_unit_test(inputs_and_parameters),
        cmocka_unit_test(the_model_ends),
        cmocka_unit_test(directions_are_those_of_the_equations),
        cmocka_unit_test(the_structure_tells_what_depends_on_what),
        cmocka_unit_test(equations_beside_bodies_tell_it_too),
        cmocka_unit_test(arrays_are_one_variable_of_fmi_3),
        cmocka_unit_test(states_continue_with_the_same_bits),
        cmocka_unit_test(wrong_calls_are_refused),
        cmocka_unit_test(only_what_was_exported),
        cmocka_unit_test(models_that_need_a_solver_are_refused),
        cmocka_unit_test(threads_have_instances_of_their_own),
    };
    return cmocka_run_group_tests(tests, make_folder, unload_balls);
}
