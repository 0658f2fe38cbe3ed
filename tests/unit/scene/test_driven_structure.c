// SPDX-License-Identifier: MIT
// Changes of structure in mechanisms with drives (tests/models/DrivenStructure.mo): impacts go through
// gears to rotors, driven joints are locked and broken, against closed forms and balances.
#include "base/file.h"
#include "multibody/multibody.h"
#include "translate/run_model.h"

static const char file[] = RB_SOURCE_DIR "/tests/models/DrivenStructure.mo";

static void open_driven(Run *r, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "DrivenStructure.%s", class);
    model_open(r, "DrivenStructure.mo", full);
    r->options.stop_time = 2;
    r->options.tolerance = 1e-10;
}

static void go(Run *r, const char *class) {
    open_driven(r, class);
    model_go(r);
    ENSURE_NEAR(model_last(r, "energy.residual"), 0, 1e-7);
}

// The value right after the event at t.
static double after(Run *r, const char *name, double t) {
    const double *times = rb_result_times(r->result, &r->f.arena), *values = run_series(r, name);
    size_t i = r->result->row_count;
    while (i > 0 && times[i - 1] >= t) i--;
    while (i + 1 < r->result->row_count && times[i + 1] <= t) i++;
    return values[i];
}

// The arm has 0.5 kg m2, the load 1.1 about the hinge, the rotor counts as 1: angular momenta about the
// hinge are kept by what takes part.
static void impacts_reach_the_rotor(void **state) {
    (void)state;
    Run r;
    go(&r, "Taken");
    double w = (0.5 + 1) * 2 / (0.5 + 1 + 1.1);
    ENSURE_NEAR(after(&r, "hinge.w", 1), w, 1e-12);
    ENSURE_NEAR(after(&r, "motor.w", 1), 10 * w, 1e-11);
    ENSURE_NEAR(model_last(&r, "energy.impacts"), 0.75 * 4 - 1.3 * w * w, 1e-10);
    // What the rotor has less is with the others.
    ENSURE_NEAR(model_last(&r, "energy.drives"), 0.5 * (w * w - 4), 1e-10);
    ENSURE_NEAR(model_last(&r, "hinge.phi"), 2 + w, 1e-8);
    run_close(&r);
    go(&r, "TakenOnSpring"); // the rotor goes on as it was
    ENSURE_NEAR(after(&r, "hinge.w", 1), 0.5 * 2 / 1.6, 1e-8);
    ENSURE_NEAR(after(&r, "motor.w", 1), 2, 1e-8);
    run_close(&r);
    go(&r, "TakenByForce"); // there is none
    ENSURE_NEAR(after(&r, "hinge.w", 1), 0.5 * 2 / 1.6, 1e-12);
    ENSURE_NEAR(model_last(&r, "energy.impacts"), 0.25 * 4 - 0.8 * 0.625 * 0.625, 1e-10);
    run_close(&r);
    go(&r, "TakenByPrescribed"); // what prescribes the motion gives 1.1 * 2 N.m.s at 2 rad/s
    ENSURE_NEAR(after(&r, "hinge.w", 1), 2, 1e-12);
    ENSURE_NEAR(model_last(&r, "energy.drives"), -1.1 * 2 * 2, 1e-10);
    ENSURE_NEAR(model_last(&r, "energy.impacts"), 0.55 * 4, 1e-10);
    run_close(&r);
}

// 1.5 N.m on 1.5 kg m2: 3 rad/s after 1 s, then at rest for 0.5 s, then from rest.
static void driven_joints_are_locked(void **state) {
    (void)state;
    static const char *const classes[] = {"Locked", "LockedAndTaken"};
    for (int i = 0; i < 2; i++) {
        Run r;
        go(&r, classes[i]);
        const double *t = rb_result_times(r.result, &r.f.arena), *phi = run_series(&r, "hinge.phi"),
                     *w = run_series(&r, "hinge.w");
        int held = 0;
        for (size_t k = 0; k < r.result->row_count; k++) {
            if (t[k] <= 1 || t[k] > 1.5) continue;
            ENSURE_NEAR(phi[k], 2.5, 1e-8);
            ENSURE(fabs(w[k]) < 1e-14);
            held++;
        }
        ENSURE(held > 100);
        ENSURE_NEAR(model_last(&r, "hinge.phi"), 2.5 + 0.125, 1e-8);
        ENSURE_NEAR(model_last(&r, "motor.w"), 5, 1e-8);
        ENSURE_NEAR(model_last(&r, "energy.impacts"), 0.75 * 9, 1e-8);
        ENSURE_NEAR(model_last(&r, "energy.drives"), -0.5 * 9, 1e-8);
        run_close(&r);
    }
}

// The arm goes on with what it had; the rotor (1 kg m2 at the hinge) has the torque for itself.
static void driven_joints_break(void **state) {
    (void)state;
    Run r;
    go(&r, "Broken");
    ENSURE_NEAR(model_last(&r, "arm.w_0[3]"), 3, 1e-9);
    ENSURE_NEAR(model_last(&r, "motor.w"), 45, 1e-8);
    ENSURE_NEAR(model_last(&r, "energy.impacts"), 0, 1e-12);
    run_close(&r);
    // Braked by 0.5 N.m.s on 0.5 kg m2 for 1 s; what is left of the damper pulls at nothing.
    go(&r, "BrokenForce");
    ENSURE_NEAR(model_last(&r, "arm.w_0[3]"), 2 * exp(-1), 1e-8);
    run_close(&r);
    go(&r, "BrokenPrescribed");
    ENSURE_NEAR(model_last(&r, "arm.w_0[3]"), 2, 1e-9);
    ENSURE_NEAR(model_last(&r, "hinge.phi"), 4, 1e-12);
    run_close(&r);
}

// A wheel of 0.5 kg m2 against its cart of 1, that is 1/3, with a rotor of 1 kg m2; alone it has the torque of
// 1 N.m for itself. What is not concerned goes on.
static void driven_joints_leave_with_their_part(void **state) {
    (void)state;
    Run r;
    go(&r, "Removed");
    ENSURE_NEAR(after(&r, "rotor.w", 1), 0.75, 1e-9);
    ENSURE_NEAR(model_last(&r, "rotor.w"), 1.75, 1e-9);
    ENSURE_NEAR(model_last(&r, "hinge.w"), 2 * exp(-2), 1e-8);
    ENSURE(isnan(model_last(&r, "wheel.r_0[1]")));
    run_close(&r);
}

// A loop with one degree of freedom stands still when its crank does, and stays so.
static void driven_loop_is_locked(void **state) {
    (void)state;
    Run r;
    go(&r, "Linkage");
    double start = 0.5 * 0.5; // of the rotor; the rest is in the account
    const double *kinetic = run_series(&r, "energy.kinetic");
    ENSURE_NEAR(model_last(&r, "energy.impacts"), start + kinetic[0], 1e-7);
    ENSURE_NEAR(after(&r, "j3.w", 0.5), 0, 1e-9);
    ENSURE_NEAR(model_last(&r, "j1.w"), 0, 1e-9);
    ENSURE_NEAR(model_last(&r, "j3.w"), 0, 1e-9);
    run_close(&r);
}

static Wrench momentum_at(const char *class, double stop_time) {
    Run r;
    open_driven(&r, class);
    r.options.stop_time = stop_time;
    r.options.tolerance = 1e-11;
    model_go(&r);
    RbRunningSegment *stage = rb_sim_stage(&r.sim);
    Wrench p = WRENCH_ZERO;
    for (int i = 0; i < stage->system->part_count; i++) {
        const RbSystemPart *part = &stage->system->parts[i];
        if (part->instance->type == &rb_multibody)
            p = rb_multibody_momentum(part->instance->self,
                                      stage->evaluator->workspace + part->workspace);
    }
    run_close(&r);
    return p;
}

// Drives act between parts: what they, brakes and impacts do leaves momentum and angular momentum as
// they were, in every segment.
static void floating_robot_keeps_its_momenta(void **state) {
    (void)state;
    Wrench first = momentum_at("Floating", 0.1);
    ENSURE(v3_norm(first.f) > 0.5 && v3_norm(first.t) > 0.5);
    for (int i = 1; i < 8; i++) {
        Wrench now = momentum_at("Floating", 0.1 + 0.2 * i);
        ENSURE(v3_distance(now.f, first.f) < 1e-9 && v3_distance(now.t, first.t) < 1e-9);
    }
}

// ---- checkpoints

static void ensure_resumes(const char *class, double interval) {
    Run whole, again;
    open_driven(&whole, class);
    whole.options.checkpoint_interval = interval;
    model_go(&whole);
    open_driven(&again, class);
    model_resume(&again, &whole);
    run_close(&again);
    run_close(&whole);
}

static void resumed_runs_are_the_same(void **state) {
    (void)state;
    const double times[] = {1.03, 1.13, 1.31, 1.73};
    for (int i = 0; i < 4; i++) {
        ensure_resumes("Locked", times[i]);
        ensure_resumes("Broken", times[i]);
        ensure_resumes("Floating", times[i]);
    }
    ensure_resumes("Linkage", 0.6);
}

// ---- messages

typedef struct Refusal {
    const char *class;
    int line;
    const char *words;
} Refusal;

static const Refusal refusals[] = {
    {"LockedPrescribed", 225,
     "at t = 1 s: cannot lock 'hinge': the equations prescribe its motion"},
    {"LockedTwice", 236, "at t = 1 s: cannot lock 'hinge': it is locked"},
    {"NotLocked", 244, "at t = 1 s: cannot unlock 'hinge': it is not locked"},
    {"LockedWhileMoving", 252, "at t = 1 s: cannot lock 'hinge': it moves at 3"},
};

static void every_message(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        Run r;
        open_driven(&r, refusals[i].class);
        ENSURE(run_go(&r) == RB_ERROR_ASSERTION);
        const RbMessage *m = &r.f.diag.messages.data[r.f.diag.messages.count - 1];
        bool good = strstr(m->text, refusals[i].words) && m->at.line == refusals[i].line &&
                    strcmp(m->at.file, file) == 0;
        if (!good) print_error("%s:%d: %s\n", m->at.file, m->at.line, m->text);
        ENSURE(good);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_reach_the_rotor),
        cmocka_unit_test(driven_joints_are_locked),
        cmocka_unit_test(driven_joints_break),
        cmocka_unit_test(driven_joints_leave_with_their_part),
        cmocka_unit_test(driven_loop_is_locked),
        cmocka_unit_test(floating_robot_keeps_its_momenta),
        cmocka_unit_test(resumed_runs_are_the_same),
        cmocka_unit_test(every_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
