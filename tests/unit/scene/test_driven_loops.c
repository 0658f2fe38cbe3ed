// SPDX-License-Identifier: MIT
// Drives inside kinematic loops: a slider-crank, against its geometry, energy and virtual work.
#include "translate/run_model.h"

static const double r_ = 0.2, l = 0.5, m = 3; // crank, rod, mass of the slider

static void open_class(Run *run, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "DrivenLoops.%s", class);
    model_open(run, "DrivenLoops.mo", full);
}

static void check_geometry(Run *run, double tolerance) {
    const double *s = run_series(run, "slide.s"), *x = run_series(run, "x");
    for (size_t i = 0; i < run->result->row_count; i++) ENSURE_NEAR(s[i], x[i], tolerance);
}

// m x'^2/2 + J (i w)^2/2 - i tau phi stays.
static void motor_over_gear(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Motor");
    r.options.solver = "verner6";
    r.options.tolerance = 1e-11;
    model_go(&r);
    assert_int_equal(r.summary.states, 6);
    check_geometry(&r, 1e-9);
    const double *phi = run_series(&r, "crank.phi"), *w = run_series(&r, "crank.w"),
                 *v = run_series(&r, "speed.v[1]");
    double first = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        double energy = m * v[i] * v[i] / 2 + 1e-3 * 100 * w[i] * w[i] / 2 - 10 * 0.5 * phi[i];
        if (i == 0) first = energy;
        double bars = 1e-9 * w[i] * w[i];        // [J] at most: crank and rod of 1e-9 kg.m2
        ENSURE_NEAR(energy, first, 1e-7 + bars); // of 350 J
    }
    ENSURE(model_last(&r, "crank.phi") > 60);
    double sum = m * pow(model_last(&r, "speed.v[1]"), 2) / 2 - m * v[0] * v[0] / 2;
    ENSURE_NEAR(model_last(&r, "energy.input"), sum, 1e-4);
    run_close(&r);
}

// tau = m x'' dx/dphi at constant speed.
static void torque_of_a_motion(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Prescribed");
    model_go(&r);
    check_geometry(&r, 1e-8);
    const double *tau = run_series(&r, "crank.tau"), *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        double phi = 0.4 + 5 * t[i], s = sin(phi), c = cos(phi),
               root = sqrt(l * l - r_ * r_ * s * s);
        double slope = -r_ * s - r_ * r_ * s * c / root;
        double curve = -r_ * c - r_ * r_ * (c * c - s * s) / root -
                       r_ * r_ * r_ * r_ * s * s * c * c / (root * root * root);
        ENSURE_NEAR(tau[i], m * 25 * curve * slope, 1e-6);
    }
    run_close(&r);
}

// The loop is closed around where the equations put the crank, whatever its start value says.
static void closed_where_equations_start(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Elsewhere");
    model_go(&r);
    check_geometry(&r, 1e-6);
    ENSURE_NEAR(run_series(&r, "crank.phi")[0], 1, 1e-12);
    run_close(&r);
}

// m x'^2/2 + J w^2/2 + c (x - 0.5)^2/2 - tau phi stays: the joint of the slider follows that of the crank.
static void two_drives_for_one_freedom(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Both");
    r.options.solver = "verner6";
    r.options.tolerance = 1e-11;
    model_go(&r);
    check_geometry(&r, 1e-9);
    const double *phi = run_series(&r, "crank.phi"), *w = run_series(&r, "crank.w"),
                 *v = run_series(&r, "speed.v[1]"), *s = run_series(&r, "slide.s"),
                 *rate = run_series(&r, "slide.v");
    double first = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        double energy = m * v[i] * v[i] / 2 + 0.1 * w[i] * w[i] / 2 +
                        2000 * (s[i] - 0.5) * (s[i] - 0.5) / 2 - 5 * phi[i];
        if (i == 0) first = energy;
        double bars = 1e-9 * w[i] * w[i];
        ENSURE_NEAR(energy, first, 2e-7 + bars); // of 40 J
        ENSURE_NEAR(rate[i], v[i], 1e-8);
    }
    ENSURE_NEAR(phi[0], 0.4, 1e-12);
    run_close(&r);
}

// Whatever the tolerance leaves of the states: what is seen of them is on the loop.
static void ends_of_the_stroke_are_exact(void **state) {
    (void)state;
    const char *const solvers[] = {"cvode", "dp5", "ida", "islands"};
    for (int i = 0; i < 4; i++) {
        Run r;
        open_class(&r, "Stroke");
        r.options.solver = solvers[i];
        model_go(&r);
        check_geometry(&r, 1e-13);
        ENSURE(fabs(model_last(&r, "crank.phi")) > 6);
        ENSURE(r.summary.state_events > 2);
        run_close(&r);
    }
}

// With x(phi): (J + m x'^2) a + m x' x'' w^2 = F x', and the motor gives -J a.
static void start_is_found_with_closed_loops(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Settled");
    model_go(&r);
    double phi = 0.4, w = 5, s = sin(phi), c = cos(phi), root = sqrt(l * l - r_ * r_ * s * s);
    double slope = -r_ * s - r_ * r_ * s * c / root;
    double curve = -r_ * c - r_ * r_ * (c * c - s * s) / root -
                   r_ * r_ * r_ * r_ * s * s * c * c / (root * root * root);
    double a = (40 * slope - m * slope * curve * w * w) / (0.1 + m * slope * slope);
    ENSURE_NEAR(run_series(&r, "y")[0], -0.1 * a, 1e-6);
    ENSURE_NEAR(run_series(&r, "crank.phi")[0], phi, 1e-12);
    run_close(&r);
}

// What the user fixes stays, and the driven joint follows: x = r cos(phi) + sqrt(l^2 - r^2 sin^2(phi)).
static void fixed_starts_stay(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Slider");
    model_go(&r);
    ENSURE_NEAR(run_series(&r, "slide.s")[0], 0.6, 1e-12);
    ENSURE_NEAR(run_series(&r, "slide.v")[0], -0.3, 1e-12);
    double phi = run_series(&r, "crank.phi")[0];
    ENSURE_NEAR(0.2 * cos(phi) + sqrt(0.25 - pow(0.2 * sin(phi), 2)), 0.6, 1e-10);
    run_close(&r);
}

// No force along the way of the slider but that of the rod, which bears none since nothing resists.
static void loops_move_what_has_no_mass(void **state) {
    (void)state;
    Run r;
    open_class(&r, "Massless");
    model_go(&r);
    bool noted = false;
    for (int i = 0; i < r.f.diag.messages.count; i++)
        noted |= strstr(r.f.diag.messages.data[i].text, "since a loop moves it") != NULL;
    ENSURE(noted);
    double phi = 0.4, s = sin(phi), c = cos(phi), root = sqrt(0.25 - 0.04 * s * s);
    double x0 = 0.2 * c + root, v0 = 5 * (-0.2 * s - 0.04 * s * c / root);
    ENSURE_NEAR(run_series(&r, "slide.v")[0], v0, 1e-10);
    ENSURE_NEAR(model_last(&r, "slide.v"), v0, 1e-7);
    ENSURE_NEAR(model_last(&r, "slide.s"), x0 + 0.3 * v0, 1e-7);
    phi = model_last(&r, "crank.phi");
    ENSURE_NEAR(0.2 * cos(phi) + sqrt(0.25 - pow(0.2 * sin(phi), 2)), x0 + 0.3 * v0, 1e-7);
    run_close(&r);
}

// A universal joint between two shafts at an angle of 0.6 rad turns the second by tan(phi2) = tan(phi1)/cos(0.6). The second is cut, in
// a loop in space, and its angle goes on over all turns; also after a checkpoint.
static void follows_the_first_shaft(Run *r, double tolerance) {
    const double pi = 3.14159265358979323846;
    const double *one = run_series(r, "input_.phi"), *two = run_series(r, "output_.phi");
    for (size_t i = 0; i < r->result->row_count; i++) {
        double ahead = atan2(sin(one[i]), cos(0.6) * cos(one[i])) - one[i];
        ENSURE_NEAR(two[i], one[i] + remainder(ahead, 2 * pi), tolerance);
    }
    ENSURE(two[r->result->row_count - 1] > 7 * 2 * pi);
}

static void angles_in_space_count_turns(void **state) {
    (void)state;
    Run r, again;
    model_open(&r, "Shafts.mo", "Shafts.Coupled");
    r.options.stop_time = 5;
    r.options.tolerance = 1e-8;
    model_go(&r);
    follows_the_first_shaft(&r, 1e-6);
    run_close(&r);
    for (int k = 0; k < 2; k++) {
        Run *one = k ? &again : &r;
        model_open(one, "Shafts.mo", "Shafts.Driven");
        one->options.stop_time = 5;
        one->options.tolerance = 1e-8;
        one->options.checkpoint_interval = 2;
        if (k == 0) model_go(one);
    }
    follows_the_first_shaft(&r, 1e-10); // states of the equations are on the loop
    model_resume(&again, &r);
    run_close(&again);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motor_over_gear),
        cmocka_unit_test(torque_of_a_motion),
        cmocka_unit_test(closed_where_equations_start),
        cmocka_unit_test(two_drives_for_one_freedom),
        cmocka_unit_test(ends_of_the_stroke_are_exact),
        cmocka_unit_test(start_is_found_with_closed_loops),
        cmocka_unit_test(fixed_starts_stay),
        cmocka_unit_test(loops_move_what_has_no_mass),
        cmocka_unit_test(angles_in_space_count_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
