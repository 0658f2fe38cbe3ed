// SPDX-License-Identifier: MIT
// Paths that equations prescribe and that jump (tests/models/PrescribedJumps.mo): a place ends the run, a
// speed is told and its energy counted.
#include "translate/run_model.h"

static void open_jump(Run *r, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "PrescribedJumps.%s", class);
    model_open(r, "PrescribedJumps.mo", full);
    r->options.stop_time = 1;
}

static bool is_said(const Run *r, RbSeverity severity, int line, const char *words) {
    for (int i = 0; i < r->f.diag.messages.count; i++) {
        const RbMessage *m = &r->f.diag.messages.data[i];
        if (m->severity == severity && m->at.line == line && strstr(m->text, words)) return true;
    }
    return false;
}

static void places_end_the_run(void **state) {
    (void)state;
    Run r;
    open_jump(&r, "Place");
    ENSURE(run_go(&r) == RB_ERROR_ASSERTION);
    ENSURE(is_said(&r, RB_ERROR, 6, "at t = 0.5 s"));
    ENSURE(is_said(&r, RB_ERROR, 6, "joint 'hinge' is, and it jumps by 1 rad"));
    ENSURE(is_said(&r, RB_ERROR, 6, "exact = false"));
    run_close(&r);
    open_jump(&r, "Part");
    ENSURE(run_go(&r) == RB_ERROR_ASSERTION);
    ENSURE(is_said(&r, RB_ERROR, 54, "where 'bat' is, and it jumps by 1 m"));
    run_close(&r);
}

// 0.35 kg m2 at 2 rad/s, without gravity.
static void speeds_are_told(void **state) {
    (void)state;
    Run r;
    open_jump(&r, "Speed");
    model_go(&r);
    ENSURE(is_said(&r, RB_WARNING, 6, "at t = 0.5 s its speed jumps from 0 to 2 rad/s"));
    ENSURE_NEAR(model_last(&r, "energy.jumps"), 0.5 * 0.35 * 4, 1e-12);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-12);
    run_close(&r);
}

// Full turns, and states that equations set.
static void others_go_on(void **state) {
    (void)state;
    static const char *const classes[] = {"Turns", "SetAnew"};
    for (int i = 0; i < 2; i++) {
        Run r;
        open_jump(&r, classes[i]);
        model_go(&r);
        ENSURE(r.f.diag.messages.count == 0);
        ENSURE(model_last(&r, "energy.jumps") == 0);
        run_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_end_the_run),
        cmocka_unit_test(speeds_are_told),
        cmocka_unit_test(others_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
