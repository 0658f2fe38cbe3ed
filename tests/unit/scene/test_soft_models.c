// SPDX-License-Identifier: MIT
// Soft bodies of Modelica models (tests/models/Soft.mo): what is changed while they run stays changed, also in a run that goes on
// from a checkpoint.
#include "base/file.h"
#include "translate/run_model.h"

static void open_soft(Run *r, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "Soft.%s", class);
    model_open(r, "Soft.mo", full);
    r->options.stop_time = 0.3;
    r->options.tolerance = 1e-7;
}

// The value right after the event at t.
static double after(Run *r, const char *name, double t) {
    const double *times = rb_result_times(r->result, &r->f.arena), *values = run_series(r, name);
    size_t i = r->result->row_count;
    while (i > 0 && times[i - 1] >= t) i--;
    while (i + 1 < r->result->row_count && times[i + 1] <= t) i++;
    return values[i];
}

// Without friction it slides with g sin 5°, from the change on, however it rocks.
static void friction_is_changed(void **state) {
    (void)state;
    Run held, slides;
    open_soft(&held, "Slope");
    model_go(&held);
    open_soft(&slides, "Slippery");
    model_go(&slides);
    double gain = model_last(&slides, "gel.v[1]") - after(&slides, "gel.v[1]", 0.1);
    print_message("held: %.2e m/s, without friction %.9f m/s\n", model_last(&held, "gel.v[1]"),
                  gain);
    ENSURE(fabs(model_last(&held, "gel.v[1]")) < 5e-3); // it still rocks
    ENSURE_NEAR(gain, 0.2 * 9.81 * sin(5 * M_PI / 180), 1e-6);
    run_close(&slides);
    run_close(&held);
}

// All three weigh the same and come to rest at the same height; molecules: corners of 4 x 4 x 4 cubes, and their middles.
static void placements(void **state) {
    (void)state;
    const struct {
        const char *name;
        int molecules;
    } bodies[] = {{"cubic", 125}, {"centred", 125 + 64}, {"random", 125}};
    Run r;
    open_soft(&r, "Placements");
    r.options.stop_time = 0.5;
    r.options.tolerance = 1e-5;
    model_go(&r);
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.molecules", bodies[i].name);
        ENSURE_NEAR(model_last(&r, name), bodies[i].molecules, 0);
        snprintf(name, sizeof name, "%s.contact_force[2]", bodies[i].name);
        ENSURE_NEAR(model_last(&r, name), 1000 * 64e-6 * 9.81, 2e-4);
        snprintf(name, sizeof name, "%s.r[2]", bodies[i].name);
        print_message("%s: height %.6f m\n", bodies[i].name, model_last(&r, name));
        ENSURE_NEAR(model_last(&r, name), model_last(&r, "cubic.r[2]"), 2e-4);
    }
    run_close(&r);
}

// A connection of two materials is half of each, one after the other: it gives way by the mean of both. Then both become half as stiff as the soft one.
static void two_materials_in_one_body(void **state) {
    (void)state;
    const double sphere = 4.0 / 3 * M_PI * 0.004 * 0.004 * 0.004, reach = 0.014;
    Run r;
    open_soft(&r, "TwoMaterials");
    model_go(&r);
    double soft = after(&r, "soft.high[1]", 0.149) - reach,
           stiff = after(&r, "stiff.high[1]", 0.149) - reach,
           both = after(&r, "both.high[1]", 0.149) - reach,
           softer = model_last(&r, "both.high[1]") - reach;
    print_message("longer by %.9g m soft, %.9g m stiff, %.9g m both, then %.9g m\n", soft, stiff,
                  both, softer);
    ENSURE(soft > 1e-6);
    ENSURE_NEAR(soft / stiff, 3, 1e-5);
    ENSURE_NEAR(both / (0.5 * (soft + stiff)), 1, 1e-5);
    ENSURE_NEAR(softer / (2 * soft), 1, 1e-5);
    ENSURE_NEAR(model_last(&r, "both.mass"), 2000 * sphere, 1e-15); // of what moves
    run_close(&r);
}

// The lower end of a bar of length L that hangs by its upper one sinks by rho g L²/(2 E), but for the clamped end, which cannot contract
// across (1 %): finer grids come near to that. What is held weighs on the frame alone.
static void a_bar_that_hangs_on_a_frame(void **state) {
    (void)state;
    const struct {
        const char *name;
        double h, error;
    } grids[] = {{"Hanging40", 0.04, 0.06}, {"Hanging20", 0.02, 0.03}, {"Hanging10", 0.01, 0.02}};
    const double L = 0.12, exact = 1000 * 9.81 * L * L / (2 * 1e6);
    double before = INFINITY;
    for (int i = 0; i < 3; i++) {
        Run r;
        open_soft(&r, grids[i].name);
        model_go(&r);
        double sag = -L - (model_last(&r, "bar.low[2]") + 0.75 * grids[i].h), off = sag / exact - 1;
        print_message("h = %g m: sag %.4f of rho g L2/(2 E)\n", grids[i].h, 1 + off);
        ENSURE(fabs(off) < grids[i].error && fabs(off) < before);
        before = fabs(off);
        run_close(&r);
    }
}

// What is pushed from outside has the momentum F t: rigid parts as typed, and all molecules, those that are held too.
static void held_molecules_have_momentum(void **state) {
    (void)state;
    const double push[] = {3, -2, 5}, soft = 1000 * 0.04 * 0.12 * 0.04;
    Run r;
    open_soft(&r, "Pushed");
    model_go(&r);
    for (int k = 0; k < 3; k++) {
        char cube[16], plate[16], bar[16];
        snprintf(cube, sizeof cube, "cube.v_0[%d]", k + 1);
        snprintf(plate, sizeof plate, "plate.v_0[%d]", k + 1);
        snprintf(bar, sizeof bar, "bar.v[%d]", k + 1);
        double sum =
            model_last(&r, cube) + 0.01 * model_last(&r, plate) + soft * model_last(&r, bar);
        print_message("momentum %.9f of %g N s\n", sum, push[k] * r.options.stop_time);
        ENSURE_NEAR(sum, push[k] * r.options.stop_time, 1e-5);
    }
    run_close(&r);
}

// From every checkpoint, before and after the change, a run goes on to the same bits.
static void ensure_resumes(const char *class, double interval) {
    Run whole, again;
    print_message("%s, checkpoint each %g s\n", class, interval);
    open_soft(&whole, class);
    whole.options.checkpoint_interval = interval;
    model_go(&whole);
    open_soft(&again, class);
    model_resume(&again, &whole);
    run_close(&again);
    run_close(&whole);
}

static void resumed_runs_are_the_same(void **state) {
    (void)state;
    const double intervals[] = {0.16, 0.21}; // the last one before the end: 0.16, 0.21 s
    for (int i = 0; i < 2; i++) {
        ensure_resumes("Slippery", intervals[i]);
        ensure_resumes("Held", intervals[i]);
    }
    ensure_resumes("Slope", 0.16);
    ensure_resumes("TwoMaterials", 0.16);
}

// What is glued slides on together, with the momentum of both; what is cut and torn falls; and all that from a checkpoint as well.
static void bodies_are_glued_cut_and_torn(void **state) {
    (void)state;
    Run r;
    open_soft(&r, "Surgery");
    model_go(&r);
    double above = model_last(&r, "above.v[1]"), below = model_last(&r, "below.v[1]");
    print_message("glued: %.6f and %.6f m/s; %g connections torn\n", above, below,
                  model_last(&r, "torn"));
    ENSURE_NEAR(above + below, 0.1, 1e-9); // the table is slippery
    ENSURE(after(&r, "below.v[1]", 0.099) < 1e-3 && below > 0.01 && above < 0.09);
    double fall = after(&r, "weight.r_0[2]", 0.15) - model_last(&r, "weight.r_0[2]");
    ENSURE_NEAR(fall, 0.5 * 9.81 * 0.15 * 0.15, 5e-3); // it swung a little on its strap
    ENSURE(model_last(&r, "torn") > 9 && model_last(&r, "heavy.r_0[2]") < -0.2);
    ENSURE(fabs(model_last(&r, "energy.residual")) < 1e-7);
    // of what holds: no spring is longer than it can be; the strap carried 0.05 g N with E A = 80 N
    ENSURE(model_last(&r, "weak.strain") < 0.1 && fabs(model_last(&r, "strap.strain")) < 0.05);
    run_close(&r);
    ensure_resumes("Surgery", 0.12);
    ensure_resumes("Surgery", 0.17);
}

static void what_is_torn_has_no_strain(void **state) {
    (void)state;
    Run r;
    open_soft(&r, "OneConnection");
    model_go(&r);
    const double *strain = run_series(&r, "pair.strain"), *x = run_series(&r, "pair.high[1]");
    double most = 0;
    for (size_t i = 0; i < r.result->row_count; i++) most = fmax(most, strain[i]);
    print_message("before: %.6f, then %g; its end is at %g m\n", most,
                  model_last(&r, "pair.strain"), x[r.result->row_count - 1]);
    ENSURE(most > 0.05 && most < 0.1 + 1e-9);
    ENSURE_NEAR(model_last(&r, "torn"), 1, 0);
    ENSURE(x[r.result->row_count - 1] > 0.03);
    ENSURE_NEAR(model_last(&r, "pair.strain"), 0, 0);
    run_close(&r);
}

// Molecules that are held count as the others do in where a body is and how it moves; its kinetic energy is that of the account.
static void held_bodies_are_where_they_are(void **state) {
    (void)state;
    Run r;
    const double mass = 1000 * 0.06 * 0.2 * 0.06;
    open_soft(&r, "Carried");
    model_go(&r);
    print_message("centre %.15g m, %.15g m/s, %.15g J\n", model_last(&r, "bar.r[2]"),
                  model_last(&r, "bar.v[2]"), model_last(&r, "bar.kinetic_energy"));
    ENSURE_NEAR(model_last(&r, "bar.r[2]"), -0.1 + 0.5 * 0.3, 1e-9);
    ENSURE_NEAR(model_last(&r, "bar.v[2]"), 0.5, 1e-9);
    ENSURE_NEAR(model_last(&r, "bar.kinetic_energy"), 0.5 * mass * 0.5 * 0.5, 1e-9);
    run_close(&r);
    open_soft(&r, "Swinging");
    model_go(&r);
    const double *own = run_series(&r, "bar.kinetic_energy"),
                 *all = run_series(&r, "energy.kinetic");
    double most = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(own[i], all[i], 1e-15);
        most = fmax(most, own[i]);
    }
    ENSURE(most > 1e-5);
    run_close(&r);
}

static void what_cannot_be_is_said(void **state) {
    (void)state;
    const char *const cases[][2] = {
        {"NotTouching", "cannot glue 'above' and 'below': they do not touch"},
        {"NoPlane", "cuts 'gel' along a plane without a normal"},
    };
    for (int i = 0; i < 2; i++) {
        Run r;
        open_soft(&r, cases[i][0]);
        ENSURE(run_go(&r) != RB_OK);
        bool told = false;
        for (int k = 0; k < r.f.diag.messages.count; k++)
            told |= strstr(fixture_message(&r.f, k), cases[i][1]) != NULL;
        if (!told) print_error("not said: %s\n", cases[i][1]);
        ENSURE(told);
        run_close(&r);
    }
}

// What does not touch is said.
static void grains_are_told_of(void **state) {
    (void)state;
    Run r;
    open_soft(&r, "WithGrains");
    r.options.stop_time = 0.01;
    ENSURE(run_go(&r) == RB_OK);
    bool told = false;
    for (int i = 0; i < r.f.diag.messages.count; i++)
        told |= strstr(fixture_message(&r.f, i),
                       "grains and soft bodies do not touch each other") != NULL;
    ENSURE(told);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(placements),
        cmocka_unit_test(friction_is_changed),
        cmocka_unit_test(two_materials_in_one_body),
        cmocka_unit_test(a_bar_that_hangs_on_a_frame),
        cmocka_unit_test(held_molecules_have_momentum),
        cmocka_unit_test(resumed_runs_are_the_same),
        cmocka_unit_test(bodies_are_glued_cut_and_torn),
        cmocka_unit_test(what_is_torn_has_no_strain),
        cmocka_unit_test(held_bodies_are_where_they_are),
        cmocka_unit_test(what_cannot_be_is_said),
        cmocka_unit_test(grains_are_told_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
