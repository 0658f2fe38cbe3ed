// SPDX-License-Identifier: MIT
// Programs of actions and actions in when-clauses of Modelica models: against closed forms, through
// checkpoints, and what is refused.
#include "base/file.h"
#include "math/rng.h"
#include "translate/run_model.h"

static const char file[] = RB_SOURCE_DIR "/tests/models/Structure.mo";

static void open_structure(Run *r, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "Structure.%s", class);
    model_open(r, "Structure.mo", full);
    if (r->options.stop_time > 3) return;
    r->options.stop_time = 3; // of Meeting
    r->options.tolerance = 1e-10;
}

static void go(Run *r, const char *class) {
    open_structure(r, class);
    model_go(r);
}

// 200 kg under 1e4 (1 - t/5) N for 5 s, then 100 kg under 2000 (15 - t)/10 N, against 9.81 m/s2: by
// integration of these polynomials.
static double height_of_stage2(double t) {
    double u = fmin(t, 5), first = 2.5 + (25 - 4.905) * u * u - 5.0 / 3 * u * u * u;
    if (t <= 5) return first;
    double w = t - 5;
    return first + 75.95 * w + (10 - 4.905) * w * w - w * w * w / 3;
}

static double speed_of_stage2(double t) {
    if (t <= 5) return (50 - 9.81) * t - 5 * t * t;
    double w = t - 5;
    return 75.95 + (20 - 9.81) * w - w * w;
}

// Without thrust after the separation.
static double height_of_stage1(double t) {
    if (t <= 5) return height_of_stage2(t) - 1.5;
    double w = t - 5;
    return height_of_stage2(5) - 1.5 + 75.95 * w - 4.905 * w * w;
}

static void rocket_follows_its_closed_form(void **state) {
    (void)state;
    Run r;
    go(&r, "Rocket");
    ENSURE(r.summary.segments == 4);
    const double *t = rb_result_times(r.result, &r.f.arena),
                 *y1 = run_series(&r, "stage1.body.r_0[2]"),
                 *y2 = run_series(&r, "stage2.body.r_0[2]"),
                 *v2 = run_series(&r, "stage2.body.v_0[2]");
    int gone = 0, there = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(y2[i], height_of_stage2(t[i]), 1e-8 * 1232);
        if (!isnan(v2[i])) ENSURE_NEAR(v2[i], speed_of_stage2(t[i]), 1e-8 * 78);
        if (t[i] < 10) ENSURE_NEAR(y1[i], height_of_stage1(t[i]), 1e-8 * 1232);
        if (t[i] > 10) gone += isnan(y1[i]);
        if (t[i] > 10) there++;
    }
    ENSURE(gone == there && there > 100);
    ENSURE_NEAR(model_last(&r, "stage2.body.r_0[2]"), 1232.2083333333, 1e-5);
    ENSURE_NEAR(model_last(&r, "stage2.body.v_0[2]"), 77.85, 1e-6);
    run_close(&r);
}

// Attached alongside (t = 1): v = -0.5 m/s, w = -3/3.6 rad/s, 0.25 J lost (test_structure.c); released
// after 2 s, when the probe goes on along the tangent, and the rotor stops.
static void when_equation_catches_and_lets_go(void **state) {
    (void)state;
    Run r;
    go(&r, "Caught");
    ENSURE(r.summary.segments == 3);
    double w = -3 / 3.6, x = 1.5 * sin(-w), y = 1.5 * cos(w); // arm of the probe after one second
    ENSURE_NEAR(model_last(&r, "energy.impacts"), 0.25 + 0.5 * 0.3, 1e-9);
    ENSURE_NEAR(model_last(&r, "probe.r_0[1]"), -0.5 + x + (-0.5 - w * y), 1e-8);
    ENSURE_NEAR(model_last(&r, "probe.r_0[2]"), -0.5 + y + w * x, 1e-8);
    ENSURE_NEAR(model_last(&r, "probe.w_0[3]"), w, 1e-10);
    run_close(&r);
}

static void algorithm_chooses(void **state) {
    (void)state;
    Run r;
    go(&r, "Chosen");
    ENSURE(r.summary.segments == 2);
    ENSURE_NEAR(model_last(&r, "energy.impacts"), 0.25, 1e-9);
    ENSURE_NEAR(model_last(&r, "hinge.w"), 1, 1e-9); // the other branch was not taken
    run_close(&r);
}

// The reference of the joints by hand: triangles of 1 s to (0.5, 0.2) and back, where the repeated point
// takes no time; twice from t = 2 on, the second time as trapezoids of 1.5 s to (1, 0.2).
static void robot_follows_its_path(void **state) {
    (void)state;
    Run r;
    go(&r, "Robot");
    ENSURE(r.summary.segments == 4);
    const double *t = rb_result_times(r.result, &r.f.arena), *q1 = run_series(&r, "j1.phi"),
                 *q2 = run_series(&r, "j2.phi"), *x = run_series(&r, "ball.r_0[1]"),
                 *y = run_series(&r, "ball.r_0[2]");
    int carried = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        if (t[i] < 2) ENSURE_NEAR(x[i], 2, 1e-12);
        if (t[i] <= 2 || t[i] > 7.5) continue;
        ENSURE_NEAR(x[i], cos(q1[i]) + cos(q1[i] + q2[i]), 1e-9);
        ENSURE_NEAR(y[i], sin(q1[i]) + sin(q1[i] + q2[i]), 1e-9);
        if (t[i] > 4.5 && t[i] < 5) ENSURE_NEAR(q1[i], t[i] - 4.25, 1e-12);
        if (t[i] > 4.5 && t[i] < 5) ENSURE_NEAR(q2[i], 0.2 * (t[i] - 4.25), 1e-12);
        if (t[i] > 7) ENSURE(q1[i] == 0 && q2[i] == 0);
        carried++;
    }
    ENSURE(carried > 300);
    ENSURE_NEAR(model_last(&r, "ball.r_0[2]"), -0.5 * 9.81 * 0.25, 1e-9);
    run_close(&r);
}

// The public case segmented-youbot-fix-sphere of Modia3D.jl: its final states, by its rule, 1e-3 of the norm.
// (It has nearly no inertias of its own links, ours are those of their meshes: that is in the states of
// controllers. Angles and speeds agree to 1e-6.)
static void robot_ends_as_published(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double value;
    } published[] = {
        {"link1.hinge.phi", 3.1415926520586592},  {"link1.hinge.w", 5.686031281508212e-09},
        {"link2.hinge.phi", 0.06412362163909635}, {"link2.hinge.w", -0.3805226293938952},
        {"link3.hinge.phi", 1.50666605638018},    {"link3.hinge.w", 0.3805172766429968},
        {"link4.hinge.phi", 0.08493911074550455}, {"link4.hinge.w", -0.5038817608300088},
        {"link5.hinge.phi", -2.2152092866e-08},   {"link5.hinge.w", 1.3239270185771387e-08},
        {"grips.s", 0.04800059578682383},         {"grips.v", -5.955842412850578e-07},
        {"servo[1].x", 8.717940146436583e-07},    {"servo[2].x", -0.3769087845467734},
        {"servo[3].x", -0.39014966339476387},     {"servo[4].x", -0.14159770836684699},
        {"servo[5].x", 0.00041636157883075207},   {"x", 2.9200010867799453e-05}};
    Run r;
    double sum = 0, norm = 0;
    model_open(&r, "YouBot.mo", "YouBot.FixSphere");
    model_go(&r);
    ENSURE(r.summary.segments == 5);
    for (int i = 0; i < 18; i++) {
        double off = model_last(&r, published[i].name) - published[i].value;
        if (i < 12) ENSURE_NEAR(off, 0, 1e-6);
        sum += off * off;
        norm += published[i].value * published[i].value;
    }
    print_message("off by %.2e of %.2e\n", sqrt(sum), sqrt(norm));
    ENSURE(sqrt(sum) < 1e-3 * sqrt(norm));
    run_close(&r);
}

// Locked at 0.1, 0.5, ... for 0.2 s; an unlocked joint goes on from rest.
static void program_starts_again(void **state) {
    (void)state;
    Run r;
    go(&r, "Kicked");
    ENSURE(r.summary.segments == 1 + 8 + 7);
    ENSURE_NEAR(model_last(&r, "energy.impacts"), 0.5 * 0.3, 1e-12); // the first time it stops
    run_close(&r);
}

// ---- checkpoints

static void ensure_resumes(const char *class, double interval, const char *solver) {
    Run whole, again;
    open_structure(&whole, class);
    whole.options.checkpoint_interval = interval;
    whole.options.solver = solver;
    model_go(&whole);
    open_structure(&again, class);
    model_resume(&again, &whole);
    run_close(&again);
    run_close(&whole);
}

// At random: in every segment, in the middle of a wait and of a motion.
static void resumed_runs_are_the_same(void **state) {
    (void)state;
    static const char *const classes[] = {"Caught", "Robot", "Kicked", "Rocket"},
                             *const solvers[] = {"auto", "dp5", "cvode", "adams"};
    const double ends[] = {3, 8, 3, 15};
    RbRng rng = rb_rng(15);
    for (int i = 0; i < 24; i++) {
        double interval = ends[i % 4] * rb_rng_range(&rng, 0.1, 0.95);
        print_message("%s, %.17g s\n", classes[i % 4], interval);
        ensure_resumes(classes[i % 4], interval, solvers[i / 4 % 4]);
    }
}

// At an action, and one rounding before and after it; with every kind of integrator.
static void runs_are_resumed_next_to_an_action(void **state) {
    (void)state;
    static const char *const solvers[] = {"auto", "dp5", "fehlberg8", "adams", "ida"};
    for (int i = 0; i < 5; i++) {
        const double times[] = {nextafter(2, 0), 2, nextafter(2, 3)};
        for (int k = 0; k < 3; k++) {
            ensure_resumes("Caught", times[k], solvers[i]);
            ensure_resumes("Robot", times[k] + 5.5, solvers[i]);
            ensure_resumes("Kicked", times[k] - 0.3, solvers[i]);
        }
    }
}

// ---- messages

typedef struct Refusal {
    const char *class;
    bool runs; // until t = 1, or what the message says
    const char *words;
} Refusal;

static const Refusal refusals[] = {
    {"Unknown", false,
     "an action names the object 'statio', which does not exist; did you mean 'station'?"},
    {"Nameless", false, "a name of this action is empty"},
    {"NoFrame", false, "an action names 'hinge', which is a joint: it wants a part or a frame"},
    {"NoWhen", false, "an action can only be called in a when-clause"},
    {"Missing", false, "'Rattleback.Actions.attach' needs a value for its input 'b'"},
    {"Varies", false, "'period' of an action must be known before the run"},
    {"WrongType", false,
     "'period' of 'Rattleback.Actions.wait' must be a number, but this is String"},
    {"NoPath", false, "there is no path 'wy'; did you mean 'way'?"},
    {"WrongPoints", false, "3 positions are given for path 'way', which has 2 axes"},
    {"NegativeWait", false, "an action waits for -1 s; a period cannot be negative"},
    {"OpenBranch", false, "write an if-statement in an algorithm"},
    {"TooFar", true,
     "at t = 1 s: cannot attach 'station' and 'probe': they are 2 m apart, more than the 0.1 m"},
    {"Moving", true,
     "cannot attach 'station' and 'probe': they move against each other at 2 m/s and 0 rad/s"},
    {"MovingJoint", true, "cannot lock 'hinge': it moves at 1 (m/s or rad/s)"},
    {"Contradiction", true,
     "two actions at one instant contradict each other: attach 'station' and 'probe', and release "
     "'station' and 'probe'"},
    {"ToItself", false, "this action is about 'probe' twice: it wants two parts"},
    {"IsFree", true, "cannot release 'probe': 'probe' is free"},
    {"Needed", true, "cannot remove 'rotor': joint 'hinge' needs 'rotor'"},
    {"NoChain", true, "there is no chain of joints between 'probe' and 'station'"},
    {"Again", true,
     "at t = 0.4 s: this program is started again before it has ended: it goes on at 1 s"},
    {"Unsuitable", true, "equations see the coordinates of joint 'hinge'"},
    {"Sprung", true, "a spring, damper, force or stop acts in joint 'hinge': put it beside"},
};

// Line of the last call of an action in a class of the file.
static int line_of_call(Run *r, const char *class) {
    RbBytes text;
    char head[64];
    ENSURE(rb_file_read(file, 0, &r->f.arena, &r->f.diag, &text) == RB_OK);
    int line = 1, found = 0;
    bool inside = false;
    snprintf(head, sizeof head, "  model %s", class);
    for (const char *at = (const char *)text.data, *end = at + text.size; at < end; line++) {
        size_t length = strcspn(at, "\n");
        if (strncmp(at, head, strlen(head)) == 0 && strchr(" \n", at[strlen(head)])) inside = true;
        if (strncmp(at, "  end ", 6) == 0) inside = false;
        if (inside && strncmp(at + strspn(at, " "), "Actions.", 8) == 0 &&
            memchr(at, '(', length)) {
            const char *call = at + strspn(at, " ") + 8;
            if (*call >= 'a' && *call <= 'z') found = line;
        }
        at += length + 1;
    }
    return found;
}

// Names are looked at when a model is translated, values before it runs.
static bool is_about_a_name(const char *words) {
    return strstr(words, "an action names") || strstr(words, "there is no path");
}

static bool says(Run *r, const Refusal *wanted) {
    int line = line_of_call(r, wanted->class);
    if (strcmp(wanted->class, "Again") == 0) line--; // where the program begins
    for (int i = 0; i < r->f.diag.messages.count; i++) {
        const RbMessage *m = &r->f.diag.messages.data[i];
        if (strstr(m->text, wanted->words) && m->at.line == line && strcmp(m->at.file, file) == 0)
            return true;
    }
    return false;
}

static void every_message(void **state) {
    (void)state;
    int bad = 0;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        Run r;
        char class[64];
        snprintf(class, sizeof class, "Structure.%s", refusals[i].class);
        bool opened = model_open_file(&r, file, class, RB_BACKEND_TCC);
        r.options.stop_time = 3;
        RbStatus status = opened ? run_go(&r) : RB_ERROR_MODEL;
        bool good = status == (refusals[i].runs ? RB_ERROR_ASSERTION : RB_ERROR_MODEL) &&
                    says(&r, &refusals[i]) && !(opened && is_about_a_name(refusals[i].words));
        if (good && refusals[i].runs) { // the results so far are kept
            RbResult *result = run_read(&r);
            const double *t = rb_result_times(r.result, &r.f.arena);
            good = result->row_count > 50 && t[result->row_count - 1] >= 0.4;
        }
        if (!good) {
            bad++;
            print_error("%s (%d):\n", class, (int)status);
            model_messages(&r);
        }
        run_close(&r);
    }
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rocket_follows_its_closed_form),
        cmocka_unit_test(when_equation_catches_and_lets_go),
        cmocka_unit_test(algorithm_chooses),
        cmocka_unit_test(robot_follows_its_path),
        cmocka_unit_test(robot_ends_as_published),
        cmocka_unit_test(program_starts_again),
        cmocka_unit_test(resumed_runs_are_the_same),
        cmocka_unit_test(runs_are_resumed_next_to_an_action),
        cmocka_unit_test(every_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
