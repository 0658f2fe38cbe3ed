// SPDX-License-Identifier: MIT
// From Modelica text to a trajectory, against closed forms and conservation laws
// (tests/models/Thesis.mo, Pendulum.mo).

#include "translate/run_model.h"

static double final_value(const char *class, const char *name) {
    Run r;
    model_open(&r, "Thesis.mo", class);
    model_go(&r);
    double x = model_last(&r, name);
    run_close(&r);
    return x;
}

static void linear_systems(void **state) {
    (void)state;
    ENSURE_NEAR(final_value("Thesis.LowPass", "x"), 2 - 1.5 * exp(-5), 1e-7);
    ENSURE_NEAR(final_value("Thesis.Filter", "C.v"), 5 - 4 * exp(-4), 1e-7);
    ENSURE_NEAR(final_value("Thesis.LinearOde", "x[1]"), cos(2), 1e-6);
    ENSURE_NEAR(final_value("Thesis.LinearOde", "x[2]"), -2 * sin(2), 1e-6);
    // Three states from the same equation: x_k = t^(k-1)/(k-1)! exp(-t).
    ENSURE_NEAR(final_value("Thesis.LinearOde3", "x[1]"), exp(-1), 1e-7);
    ENSURE_NEAR(final_value("Thesis.LinearOde3", "x[2]"), exp(-1), 1e-7);
    ENSURE_NEAR(final_value("Thesis.LinearOde3", "x[3]"), exp(-1) / 2, 1e-7);
}

// The drive train with its constraint over the gear moves as the equations that were reduced on
// paper.
static void servo(void **state) {
    (void)state;
    Run a, b;
    model_open(&a, "Thesis.mo", "Thesis.Servo");
    model_open(&b, "Thesis.mo", "Thesis.ServoByHand");
    a.options.stop_time = b.options.stop_time = 0.7;
    model_go(&a);
    model_go(&b);
    ENSURE(a.summary.states == 3);
    ENSURE_NEAR(model_last(&a, "load.phi"), model_last(&b, "phi"), 1e-6);
    ENSURE_NEAR(model_last(&a, "load.w"), model_last(&b, "w"), 1e-5);
    ENSURE_NEAR(model_last(&a, "motor.phi"), 105 * model_last(&a, "load.phi"), 1e-9);
    run_close(&b);
    run_close(&a);
    ENSURE_NEAR(final_value("Thesis.Servo", "load.phi"), 1,
                1e-5); // there is no error left at the end
}

// Index 3. It turns over all the time: no choice of states holds for the whole run.
static void pendulum(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Pendulum.mo", "Pendulum");
    model_go(&r);
    const double *x = run_series(&r, "x"), *y = run_series(&r, "y"), *energy = run_series(&r, "E");
    const double E0 = 0.5 * 49 - 9.81, E_kinetic = 0.5 * 49; // [J]
    int tops = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(x[i] * x[i] + y[i] * y[i], 1, 1e-12);
        ENSURE_NEAR(energy[i], E0, 1e-6 * E_kinetic);
        if (i > 0 && y[i] > 0 && (x[i] > 0) != (x[i - 1] > 0)) tops++;
    }
    ENSURE(tops >= 6);
    ENSURE(r.summary.states == 2);
    run_close(&r);
}

static void rectifier(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Thesis.mo", "Thesis.BridgeRectifier");
    model_go(&r);
    const double *v = run_series(&r, "load.v"), *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++)
        ENSURE_NEAR(v[i], fabs(10 * sin(100 * M_PI * t[i])), 1e-3);
    run_close(&r);
}

// It slides with a relative acceleration of tau_max (1/J1 + 1/J2) = 4.5 until 10/4.5 s, sticks
// until the load is three times the friction torque, at 8.5 s, and slides the other way.
static void clutch(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Thesis.mo", "Thesis.Clutch");
    model_go(&r);
    const double *mode = run_series(&r, "mode"), *w1 = run_series(&r, "w1"),
                 *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 1; i < r.result->row_count; i++) {
        if (mode[i] == mode[i - 1]) continue;
        bool sticks = mode[i] == 0;
        ENSURE_NEAR(t[i], sticks ? 10 / 4.5 : 8.5, 1e-5);
        ENSURE_NEAR(w1[i], sticks ? 10.0 / 3 : 10.0 / 3 + 6.75, 1e-5);
    }
    ENSURE(mode[0] == 1 && mode[r.result->row_count - 1] == -1);
    ENSURE_NEAR(model_last(&r, "w1"), 10.0 / 3 + 6.75 + 3 * 1.5, 1e-5);
    run_close(&r);
}

// The torque grows as t; the shaft stays until it is 2, then J w' = t - 1.
static void stick_slip(void **state) {
    (void)state;
    Run r;
    ENSURE(model_open_file(&r, RB_SOURCE_DIR "/library/Rattleback", "Rattleback.Examples.StickSlip",
                           RB_BACKEND_TCC));
    r.options.tolerance = 1e-8;
    model_go(&r);
    const double *w = run_series(&r, "inertia.w"), *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        double want = t[i] < 2 ? 0 : 0.5 * t[i] * t[i] - t[i];
        ENSURE_NEAR(w[i], want, 1e-5);
    }
    run_close(&r);
}

static void homotopy(void **state) {
    (void)state;
    double x = final_value("Thesis.Homotopy", "x"), y = final_value("Thesis.Homotopy", "y");
    ENSURE_NEAR(x, 3 * tanh(x), 1e-9);
    ENSURE_NEAR(y, 3 * tanh(y), 1e-9);
    ENSURE(x < -2.9 && y > 2.9);
}

static void ball_that_rests(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Thesis.mo", "Thesis.RestingBall");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "h"), 0, 1e-9);
    ENSURE_NEAR(model_last(&r, "v"), 0, 0);
    // Impacts: t1 = sqrt(2 h/g), then flights of 2 e^k g t1/g.
    const double *v = run_series(&r, "v"), *t = rb_result_times(r.result, &r.f.arena);
    double t1 = sqrt(2 / 9.81), next = t1, flight = 2 * t1;
    int impacts = 0;
    for (size_t i = 1; i < r.result->row_count && impacts < 12; i++) {
        if (!(t[i] == t[i - 1] && v[i - 1] < 0 && v[i] > 0)) continue;
        ENSURE_NEAR(t[i], next, 1e-6);
        impacts++;
        next += flight *= 0.7;
    }
    ENSURE(impacts == 12);
    run_close(&r);
}

// Without a state of rest the bounces accumulate; that is said, at the right time.
static void ball_that_does_not(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Thesis.mo", "Thesis.BouncingBall");
    ENSURE(run_go(&r) == RB_ERROR_MODEL);
    double end = sqrt(2 / 9.81) * 1.7 / 0.3;
    ENSURE_NEAR(r.summary.time, end, 1e-4);
    ENSURE(strstr(fixture_message(&r.f, 0), "accumulated at about t = 2.558") != NULL);
    run_close(&r);
}

// ------------------------------------------------------------------------------------------------
// going on later

static RbBytes contents(Run *r, const char *path) {
    RbBytes bytes;
    ENSURE(rb_file_read(path, 0, &r->f.arena, &r->f.diag, &bytes) == RB_OK);
    return bytes;
}

static void resumed_equals_whole(const char *class) {
    Run whole, again;
    model_open(&whole, "Thesis.mo", class);
    model_open(&again, "Thesis.mo", class);
    whole.options.checkpoint_interval = again.options.checkpoint_interval =
        0.13 * whole.options.stop_time;
    ENSURE(run_go(&whole) == RB_OK);
    ENSURE(whole.summary.checkpoints >= 7);
    RbBytes journal = contents(&whole, whole.journal);
    ENSURE(rb_file_write(again.journal, journal.data, journal.size, &again.f.diag) == RB_OK);
    again.options.resume_file = whole.checkpoint;
    ENSURE(run_go(&again) == RB_OK);
    RbBytes resumed = contents(&again, again.journal);
    journal = contents(&whole, whole.journal);
    ENSURE(resumed.size == journal.size && memcmp(resumed.data, journal.data, journal.size) == 0);
    ENSURE(again.summary.state_hash == whole.summary.state_hash);
    run_close(&again);
    run_close(&whole);
}

static void resume(void **state) {
    (void)state;
    resumed_equals_whole("Thesis.Clutch");
    resumed_equals_whole("Thesis.RestingBall");
    resumed_equals_whole("Thesis.BridgeRectifier");
}

// -------------------------------------------------------------------------------------------- the
// user's own loop

// Read, translate, compile, change a parameter, run. How long it takes is told by bench/.
static void edit_run_loop(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Thesis.mo", "Thesis.Filter");
    run_set(&r, "R.R", 20);
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "C.v"), 5 - 4 * exp(-2), 1e-7);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_systems),
        cmocka_unit_test(servo),
        cmocka_unit_test(pendulum),
        cmocka_unit_test(rectifier),
        cmocka_unit_test(clutch),
        cmocka_unit_test(stick_slip),
        cmocka_unit_test(homotopy),
        cmocka_unit_test(ball_that_rests),
        cmocka_unit_test(ball_that_does_not),
        cmocka_unit_test(resume),
        cmocka_unit_test(edit_run_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
