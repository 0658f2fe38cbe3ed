// SPDX-License-Identifier: MIT
// label: normal
// Parts of finite elements in models, against nonlinear finite elements (St. Venant-Kirchhoff, ten-node tetrahedra, run elsewhere), closed forms and
// the account of energy.
#include "translate/run_model.h"

static void open_class(Run *r, const char *class) {
    char full[96];
    snprintf(full, sizeof full, "FlexibleBody.%s", class);
    model_open(r, "FlexibleBody.mo", full);
}

static void go(Run *r, const char *class) {
    open_class(r, class);
    model_go(r);
}

// F L^3 / (3 E I) and the shear besides, (1 + nu) F L / (5/12 E A); the largest stress is that of bending at the root, at an edge.
static void a_cantilever_starts_at_rest(void **state) {
    (void)state;
    Run r;
    go(&r, "Cantilever");
    double E = 2.1e11, A = 2e-4, I_z = 0.01 * pow(0.02, 3) / 12, I_y = 0.02 * pow(0.01, 3) / 12;
    double y = 2 / (3 * E * I_z) + 2 * 2.4 / (E * A), z = 3 / (3 * E * I_y) + 3 * 2.4 / (E * A);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[2]"), y, 1e-4 * y);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[3]"), z, 1e-4 * z);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[1]"), 1 - 0.6 * (y * y + z * z), 1e-7);
    double stress = 2 * 0.01 / I_z + 3 * 0.005 / I_y;
    ENSURE_NEAR(model_last(&r, "beam.maxStress"), stress, 0.01 * stress);
    ENSURE_NEAR(model_last(&r, "beam.r_maxStress[1]"), -0.5, 1e-12);
    ENSURE_NEAR(fabs(model_last(&r, "beam.r_maxStress[2]")), 0.01, 1e-12);
    ENSURE_NEAR(fabs(model_last(&r, "beam.r_maxStress[3]")), 0.005, 1e-12);
    run_close(&r);
    go(&r, "Averaged"); // without a rigid face in its way
    ENSURE_NEAR(model_last(&r, "tip.r_rel[2]"), y, 2e-3 * y);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[3]"), z, 2e-3 * z);
    run_close(&r);
}

// The force is at the corner of the face, so that it also twists: phi = (F_z y - F_y z) L / (G J), and no other motion of the middle.
static void a_frame_stands_where_it_is_said(void **state) {
    (void)state;
    Run r;
    go(&r, "Corner");
    double J = 0.229 * 0.02 * pow(0.01, 3), phi = (3 * 0.01 - 2 * 0.005) / (2.1e11 / 2 * J);
    double y = 2 / (3 * 2.1e11 * 0.01 * pow(0.02, 3) / 12),
           z = 3 / (3 * 2.1e11 * 0.02 * pow(0.01, 3) / 12);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[2]"), 0.01 + y - 0.005 * phi, 1e-5);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[3]"), 0.005 + z + 0.01 * phi, 1e-5);
    run_close(&r);
}

// The tip is furthest back at 6.76 s: -0.5734 m. Without stiffening the beam is softer by an eighth there.
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

static void a_falling_pendulum_bends(void **state) {
    (void)state;
    Run r;
    go(&r, "Pendulum");
    ENSURE_NEAR(model_last(&r, "tip.r_rel[1]"), -0.999974, 1e-5);
    ENSURE_NEAR(model_last(&r, "tip.r_rel[2]"), -0.007105, 2e-4);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6);
    run_close(&r);
}

// A loop. Reference at 0.15 s: -2.959 mm.
static void a_connecting_rod_bends(void **state) {
    (void)state;
    Run r;
    go(&r, "SliderCrank");
    ENSURE_NEAR(model_last(&r, "bow"), -2.959e-3, 3e-5);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-4);
    run_close(&r);
}

// Its centre of mass falls as a stone does, wherever its frame is.
static void a_free_part_keeps_its_energy(void **state) {
    (void)state;
    Run r;
    go(&r, "Flight");
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6 * model_last(&r, "energy.kinetic"));
    ENSURE(model_last(&r, "part.maxStress") > 0);
    run_close(&r);
}

// Bending F L^3 / (3 E I) with shear; the largest stress is at the root.
static void plates_are_beams(void **state) {
    (void)state;
    Run r;
    go(&r, "Plate");
    double I = 0.01 * pow(0.02, 3) / 12,
           y = 500 * 0.2 * (0.04 / (3 * 2.1e11 * I) + 2.4 / (2.1e11 * 2e-4));
    ENSURE_NEAR(model_last(&r, "tip.r_rel[2]"), -y, 2e-3 * y);
    ENSURE_NEAR(model_last(&r, "plate.maxStress"), 500 * 0.2 * 0.01 / I,
                0.05 * 500 * 0.2 * 0.01 / I);
    ENSURE_NEAR(model_last(&r, "plate.r_maxStress[1]"), 0, 0.011);
    run_close(&r);
}

// Mass 3.2 kg. A wave runs to the far end and back: 2 L / c = 2 ms; the wall turns the momentum around, an equal bar takes it. The modes kept carry
// a wave front of finite length, and some motion is left in them.
static void bars_hit_walls_and_bars(void **state) {
    (void)state;
    Run r;
    go(&r, "Wall");
    ENSURE_NEAR(model_last(&r, "stay"), 2e-3, 0.03 * 2e-3);
    ENSURE_NEAR(model_last(&r, "impulse"), 6.4, 0.02 * 6.4);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-4);
    run_close(&r);
    go(&r, "Exchange"); // in many short contacts
    ENSURE_NEAR(model_last(&r, "impulse"), 3.2, 0.01 * 3.2);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-4);
    run_close(&r);
}

static void a_blow_keeps_the_energy(void **state) {
    (void)state;
    Run r;
    go(&r, "Hammer");
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6 * model_last(&r, "energy.kinetic"));
    ENSURE(model_last(&r, "energy.potential") > 1e-3); // the bar rings
    ENSURE(model_last(&r, "other.v_0[2]") < -0.5);
    run_close(&r);
}

static void a_run_is_resumed(void **state) {
    (void)state;
    Run whole, again;
    open_class(&whole, "SliderCrank");
    whole.options.stop_time = 0.02;
    whole.options.checkpoint_interval = 0.005;
    model_go(&whole);
    open_class(&again, "SliderCrank");
    again.options.stop_time = 0.02;
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
    if (!found) model_messages(&r);
    ENSURE(found);
    run_close(&r);
}

static void bad_parts_are_named(void **state) {
    (void)state;
    refused("NoInterface", "'part' has no interfaces: give it at least one");
    refused("NoShape",
            "'part' has neither a mesh of finite elements nor a shape that can be filled");
    refused("NoFile", "missing.msh: error: cannot open");
    refused("NoSet", "there is no node set 'root' for 'part.frames[1]' in its mesh; it has none");
    refused("NoNodes",
            "no node of the surface of the part lies where 'part.frames[1]' looks for it");
    refused("NoDirection", "n of 'part.frames[1]' is {0, 0, 0}; it must have a direction");
    refused("NoRadius", "a cylinder or a ball needs a radius");
    refused("BadRatio", "nu of 'part' is 0.5");
    refused("NoThickness", "thickness of 'part' is 0; it must be larger than zero");
    refused("NoMaterial", "unknown material 'Unobtainium' of 'part'");
    refused("Shared", "the rigid frames 'part.frames[1]' and 'part.frames[2]' share a node");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cantilever_starts_at_rest),
        cmocka_unit_test(a_frame_stands_where_it_is_said),
        cmocka_unit_test(a_beam_that_spins_up_stiffens),
        cmocka_unit_test(a_falling_pendulum_bends),
        cmocka_unit_test(a_connecting_rod_bends),
        cmocka_unit_test(a_free_part_keeps_its_energy),
        cmocka_unit_test(plates_are_beams),
        cmocka_unit_test(bars_hit_walls_and_bars),
        cmocka_unit_test(a_blow_keeps_the_energy),
        cmocka_unit_test(a_run_is_resumed),
        cmocka_unit_test(bad_parts_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
