// SPDX-License-Identifier: MIT
// Forces that are functions of time: jumps are events, whether they are declared or found; short
// pulses are not stepped over, with any solver and at any tolerance.
#include "stand.h"

typedef struct Pulse {
    double from, until; // [s]
    double period;      // [s] 0: once
    bool closed;        // t <= until, t > from: the other way round
} Pulse;

static Vec3 push(double t, void *user) {
    const Pulse *p = user;
    double phase = p->period > 0 ? fmod(t, p->period) : t;
    bool on =
        p->closed ? phase > p->from && phase <= p->until : phase >= p->from && phase < p->until;
    return v3(on ? 1 : 0, 0, 0);
}

static Wrench push_law(double t, const RbFrameMotion *a, const RbFrameMotion *b, void *user) {
    (void)a;
    (void)b;
    return (Wrench){V3_ZERO, push(t, user)};
}

// A hump of one period of 1 - cos, whose impulse is its length, in N s.
static Vec3 hump(double t, void *user) {
    const Pulse *p = user;
    double length = p->until - p->from;
    if (t < p->from || t >= p->until) return V3_ZERO;
    return v3(1 - cos(2 * M_PI * (t - p->from) / length), 0, 0);
}

typedef struct Case {
    const char *solver;
    Pulse pulse;
    double tolerance;
    bool declared, law, hump;
} Case;

// 1 N on 1 kg; the rest of the time nothing happens.
static double speed_after(Case c) {
    Stand s;
    stand_open(&s);
    s.scene->gravity.kind = RB_GRAVITY_NONE;
    for (int i = 0; i < 2; i++) { // the second is an island that nothing pushes
        RbSceneObject ball = rb_solid(i ? "other" : "ball", rb_shape_sphere(0.1), "Steel");
        ball.object.moves_freely = true;
        ball.object.pose.r = v3(0, 0, i);
        ball.mass = 1;
        rb_scene_add(s.scene, ball);
    }
    RbSceneWorldForce f = {.apply = 1, .element = {.user = &c.pulse}};
    if (c.law)
        f.element.law = push_law;
    else
        f.element.force = c.hump ? hump : push;
    rb_array_push(&s.scene->world_forces, s.scene->arena, f);
    double times[] = {c.pulse.from, c.pulse.until};
    RbSceneBreaks breaks = {times, 2, c.pulse.period};
    if (c.declared) rb_array_push(&s.scene->breaks, s.scene->arena, breaks);
    s.options.solver = c.solver;
    stand_run(&s, 1, c.tolerance);
    double v = stand_state(&s, "ball.v[1]");
    ENSURE_NEAR(stand_state(&s, "other.v[1]"), 0, 0);
    stand_close(&s);
    return v;
}

static const char *const solvers[] = {"auto", "cvode", "islands", "dp5"};
enum { SOLVERS = 4 };

// The force is constant between the jumps, so every method integrates it exactly.
static const double EXACT = 1e-12; // [m/s]

static void jumps_are_found(void **state) {
    (void)state;
    const Pulse pulses[] = {{.from = 0.2, .until = 0.6},
                            {.from = 0.2, .until = 0.6, .closed = true},
                            {.from = 0.9371, .until = 0.9472},
                            {.from = 0.00411, .until = 0.00531},
                            {.from = 0.1, .until = 0.1371, .period = 0.25}};
    for (int i = 0; i < SOLVERS; i++) {
        for (int k = 0; k < 5; k++) {
            double exact = (pulses[k].until - pulses[k].from) * (pulses[k].period > 0 ? 4 : 1);
            for (double tolerance = 1e-3; tolerance > 1e-10; tolerance *= 1e-3) {
                Case c = {solvers[i], pulses[k], tolerance};
                ENSURE_NEAR(speed_after(c), exact, EXACT);
            }
        }
    }
}

// Far shorter than what is looked for, and laws of the motion, which cannot be looked at in advance.
static void declared_breaks_are_exact(void **state) {
    (void)state;
    const Pulse pulses[] = {{.from = 0.2, .until = 0.6},
                            {.from = 0.71234, .until = 0.71235},
                            {.from = 0.0101, .until = 0.0102, .period = 0.0317},
                            {.from = 0.0101, .until = 0.0102, .period = 0.0317, .closed = true}};
    for (int i = 0; i < SOLVERS; i++) {
        for (int k = 0; k < 4; k++) {
            double exact = (pulses[k].until - pulses[k].from) * (pulses[k].period > 0 ? 32 : 1);
            for (int law = 0; law < 2; law++) {
                Case c = {solvers[i], pulses[k], law ? 1e-8 : 1e-3, .declared = true, .law = law};
                ENSURE_NEAR(speed_after(c), exact, EXACT);
            }
        }
    }
}

// A pulse without a jump is seen because steps are bounded; its impulse is as exact as the solver.
static void smooth_pulses_are_seen(void **state) {
    (void)state;
    const Pulse pulses[] = {{.from = 0.2, .until = 0.6}, {.from = 0.8371, .until = 0.8384}};
    for (int i = 0; i < SOLVERS; i++) {
        for (int k = 0; k < 2; k++) {
            double exact = pulses[k].until - pulses[k].from;
            Case c = {solvers[i], pulses[k], 1e-8, .hump = true};
            ENSURE_NEAR(speed_after(c), exact, 1e-6);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(jumps_are_found),
                                       cmocka_unit_test(declared_breaks_are_exact),
                                       cmocka_unit_test(smooth_pulses_are_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
