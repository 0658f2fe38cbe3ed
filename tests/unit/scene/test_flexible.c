// SPDX-License-Identifier: MIT
// Flexible beams in models, against nonlinear finite elements (St. Venant-Kirchhoff, ten-node tetrahedra, run elsewhere), closed forms and the
// account of energy.
#include "translate/run_model.h"

static void open_class(Run *r, const char *class) {
    char full[96];
    snprintf(full, sizeof full, "Flexible.%s", class);
    model_open(r, "Flexible.mo", full);
}

static void go(Run *r, const char *class) {
    open_class(r, class);
    model_go(r);
}

// The tip is furthest back at 6.76 s: -0.5734 m. Without stiffening the beam is softer by an eighth there, and diverges later.
static void a_beam_that_spins_up_stiffens(void **state) {
    (void)state;
    Run r;
    go(&r, "SpinUp");
    ENSURE_NEAR(model_last(&r, "tip.r_rel[2]"), -0.5734, 0.001);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-4);
    run_close(&r);
    go(&r, "SpinUpLinear");
    ENSURE(model_last(&r, "tip.r_rel[2]") < -0.63);
    run_close(&r);
}

// The elements have shear and rotary inertia, which the beam has not: 2e-4 m of 1 m.
static void a_falling_pendulum_bends(void **state) {
    (void)state;
    Run r;
    go(&r, "Pendulum");
    ENSURE_NEAR(model_last(&r, "tip.r_rel[1]"), -0.999974, 1e-5);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[2]"), -0.007105, 4e-4);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6);
    run_close(&r);
}

// In balance from the start: F L^3 / (3 E I), across the width and across the height, and the shortening of the axis, 3/5 w^2 / L of
// either.
static void a_cantilever_starts_at_rest(void **state) {
    (void)state;
    Run r;
    go(&r, "Cantilever");
    double E = 2.1e11, y = 2 / (3 * E * 0.01 * pow(0.02, 3) / 12),
           z = 3 / (3 * E * 0.02 * pow(0.01, 3) / 12);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[2]"), y, 1e-4 * y);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[3]"), z, 1e-4 * z);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[1]"), 1 - 0.6 * (y * y + z * z), 1e-8);
    run_close(&r);
}

static void free_beams_keep_their_energy(void **state) {
    (void)state;
    Run r;
    go(&r, "Flight");
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6 * model_last(&r, "energy.kinetic"));
    ENSURE(model_last(&r, "energy.potential") > 0.1); // they bend
    ENSURE(model_last(&r, "energy.dampers") > 0);
    run_close(&r);
}

// A loop with two flexible bodies that are fixed to each other. Reference at 0.15 s: -2.959 mm.
static void a_connecting_rod_bends(void **state) {
    (void)state;
    Run r;
    go(&r, "SliderCrank");
    ENSURE_NEAR(model_last(&r, "bow"), -2.959e-3, 3e-5);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-3);
    run_close(&r);
}

// The wrench through a joint holds the accelerations of the modes.
static void a_free_hinge_transmits_no_torque(void **state) {
    (void)state;
    Run r;
    go(&r, "Cut");
    double force = fabs(model_last(&r, "cut.force[1]"));
    ENSURE(force > 10);
    ENSURE_NEAR(model_last(&r, "cut.torque[3]"), 0, 1e-12 * force);
    run_close(&r);
}

static void a_run_is_resumed(void **state) {
    (void)state;
    Run whole, again;
    open_class(&whole, "Cut");
    whole.options.checkpoint_interval = 0.1;
    model_go(&whole);
    open_class(&again, "Cut");
    model_resume(&again, &whole);
    run_close(&again);
    run_close(&whole);
}

static void refused(const char *class, const char *message) {
    Run r;
    open_class(&r, class);
    ENSURE(run_go(&r) != RB_OK);
    bool found = false;
    for (int i = 0; i < r.f.diag.messages.count; i++)
        found |= strstr(fixture_message(&r.f, i), message) != NULL;
    ENSURE(found);
    run_close(&r);
}

static void bad_models_are_named(void **state) {
    (void)state;
    refused("BothEnds", "two frames of the flexible body 'beam' are fixed to the same rigid body");
    refused("OneMode", "modes of 'beam' is 1; it must lie between 2 and 12");
    refused("Changes", "'beam' is flexible, and actions change what is connected");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_beam_that_spins_up_stiffens),
        cmocka_unit_test(a_falling_pendulum_bends),
        cmocka_unit_test(a_cantilever_starts_at_rest),
        cmocka_unit_test(free_beams_keep_their_energy),
        cmocka_unit_test(a_connecting_rod_bends),
        cmocka_unit_test(a_free_hinge_transmits_no_torque),
        cmocka_unit_test(a_run_is_resumed),
        cmocka_unit_test(bad_models_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
