// SPDX-License-Identifier: MIT
// Overdetermined, expandable and stream connectors in models that run (tests/models/Connectors.mo).
#include "translate/run_model.h"

// The opposite sides of a parallelogram stay parallel, so its coupler does not turn, and a mass on
// it moves on a circle of 1 m: phi'' = -g/L cos(phi), integrated beside it.
static void a_loop_of_frames_closes(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.FourBar");
    model_go(&r);
    const double *phi = run_series(&r, "h1.phi"), *q = run_series(&r, "q");
    const double *turn = run_series(&r, "mass.phi"), *h4 = run_series(&r, "h4.phi");
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(phi[i], q[i], 1e-6);
        ENSURE_NEAR(turn[i], 0.0, 1e-8);
        ENSURE_NEAR(h4[i], -acos(-1.0) - phi[i], 1e-8);
    }
    run_close(&r);
}

// No torque and no force but weight: the centre of mass falls by g t^2 / 2 from where it was, and
// the bar turns at its constant speed.
static void a_free_body_has_a_root_of_its_own(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.Dumbbell");
    model_go(&r);
    double x1 = -2 * cos(0.5), y1 = -2 * sin(0.5); // m2 starts at the origin
    double speed = 2 * 2.0 / 4;                    // of the centre: m1's 4 m/s by 1/4 of the mass
    double x = (model_last(&r, "m1.a.x") + 3 * model_last(&r, "m2.a.x")) / 4;
    double y = (model_last(&r, "m1.a.y") + 3 * model_last(&r, "m2.a.y")) / 4;
    ENSURE_NEAR(model_last(&r, "m2.phi"), 2.5, 1e-7);
    ENSURE_NEAR(x, x1 / 4 + speed * sin(0.5), 1e-6);
    ENSURE_NEAR(y, y1 / 4 - speed * cos(0.5) - 9.81 / 2, 1e-6);
    run_close(&r);
}

// r = 2 (cos t^2, sin t^2): its derivatives follow from the angular velocity in the record, which
// the function does not differentiate (noDerivative), and from its body.
static void derivatives_follow_from_the_angular_velocity(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.Orbit");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena);
    const double *x = run_series(&r, "r[1]"), *vx = run_series(&r, "v[1]"),
                 *ay = run_series(&r, "a[2]");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double s = sin(t[i] * t[i]), c = cos(t[i] * t[i]), w = 2 * t[i];
        ENSURE_NEAR(x[i], 2 * c, 1e-9);
        ENSURE_NEAR(vx[i], -2 * w * s, 1e-9);
        ENSURE_NEAR(ay[i], 2 * (2 * c - w * w * s), 1e-9);
    }
    run_close(&r);
}

// s = cos(phi) + sqrt(9 - sin(phi)^2), and the energy (J + m s'(phi)^2) w^2 / 2 does not change. Crank, rod and slider are preferred as
// states, and position and angular velocity are differentiated a different number of times.
static void a_loop_of_orientations_closes(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.SliderCrank");
    model_go(&r);
    const double *phi = run_series(&r, "phi1"), *w = run_series(&r, "w1"), *s = run_series(&r, "s"),
                 *phi2 = run_series(&r, "phi2");
    double energy = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        double root = sqrt(9 - sin(phi[i]) * sin(phi[i])),
               slope = -sin(phi[i]) - sin(phi[i]) * cos(phi[i]) / root;
        double now = (2 + 1.5 * slope * slope) * w[i] * w[i] / 2;
        if (i == 0) energy = now;
        ENSURE_NEAR(s[i], cos(phi[i]) + root, 1e-8);
        ENSURE_NEAR(sin(phi[i]) + 3 * sin(phi[i] + phi2[i]), 0, 1e-8);
        ENSURE_NEAR(now, energy, 1e-6);
    }
    ENSURE(phi[r.result->row_count - 1] > 4 * acos(-1.0)); // more than two turns
    run_close(&r);
}

// The angle is 0.5 + 0.4 t + 0.2 t^2. What could be a state are three angles that nobody wants for one, and the angular velocity, which has no
// integral, while the constraints are on positions.
static void a_constraint_on_the_orientation_leaves_one_angle(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.Axle");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena);
    const double *c = run_series(&r, "R.T[2,2]"), *s = run_series(&r, "R.T[2,3]"),
                 *w = run_series(&r, "w[1]");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double angle = 0.5 + 0.4 * t[i] + 0.2 * t[i] * t[i];
        ENSURE_NEAR(c[i], cos(angle), 1e-7);
        ENSURE_NEAR(s[i], sin(angle), 1e-7);
        ENSURE_NEAR(w[i], 0.4 + 0.4 * t[i], 1e-7);
    }
    run_close(&r);
}

// r = r0 + v0 t
static void a_mass_in_coordinates_of_joints_goes_straight(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.Straight");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena);
    const char *const names[] = {"r[1]", "r[2]", "r[3]"}, *const speeds[] = {"r_der[1]", "r_der[2]",
                                                                             "r_der[3]"};
    double cp = cos(0.4), sp = sin(0.4), cq = cos(0.7), sq = sin(0.7);
    const double r0[] = {1.5 * cq * cp, 1.5 * cq * sp, -1.5 * sq};
    const double v0[] = {0.3 * cq * cp + 1.5 * (0.5 * sq * cp - cq * sp),
                         0.3 * cq * sp + 1.5 * (0.5 * sq * sp + cq * cp),
                         -0.3 * sq + 1.5 * 0.5 * cq};
    for (int k = 0; k < 3; k++) {
        const double *x = run_series(&r, names[k]), *v = run_series(&r, speeds[k]);
        for (size_t i = 0; i < r.result->row_count; i++) {
            ENSURE_NEAR(x[i], r0[k] + v0[k] * t[i], 1e-6);
            ENSURE_NEAR(v[i], v0[k], 1e-6);
        }
    }
    run_close(&r);
}

// What arrives at the boundary is the mixture of what the sources deliver; energy is neither made
// nor lost, whichever way they flow. The flow of s2 is 2 sin(t), that of s1 is 1.
static void flows_mix_and_turn_around(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.Junction");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena);
    const double *to_b = run_series(&r, "b.h_in"), *to_2 = run_series(&r, "s2.h_in");
    const double *h1 = run_series(&r, "s1.H"), *h2 = run_series(&r, "s2.H"),
                 *hb = run_series(&r, "b.H"), *now = run_series(&r, "b.h_now");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double m = 2 * sin(t[i]), in = fmax(m, 0), back = fmax(-1 - m, 0); // from b
        ENSURE_NEAR(to_b[i], (100 + 200 * in) / (1 + in), 1e-6);
        ENSURE_NEAR(to_2[i], (100 + 300 * back) / (1 + back), 1e-6);
        ENSURE_NEAR(h1[i] + h2[i] + hb[i], 0, 1e-6);
        if (fabs(1 + m) > 1e-6) ENSURE_NEAR(now[i], 1 + m > 0 ? to_b[i] : 300, 1e-6);
    }
    run_close(&r);
}

// Without any flow the others are taken as they are, each with the same weight.
static void without_flow_there_is_the_mean(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.Still");
    model_go(&r);
    ENSURE_NEAR(model_last(&r, "b.h_in"), 300, 1e-9);
    ENSURE_NEAR(model_last(&r, "s3.h_in"), (100.0 + 200 + 0) / 3, 1e-9);
    run_close(&r);
}

// Two pipes of 1 Pa s/kg to 1 Pa and 3 Pa: with m = 5 cos(t) coming in they take (m + 2)/2 and
// (m - 2)/2; what is negative comes out of them with the value of its boundary.
static void streams_pass_through_levels(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.Level");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena);
    const double *low = run_series(&r, "br.low.h_in"), *high = run_series(&r, "br.high.h_in"),
                 *back = run_series(&r, "s.h_in");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double m = 5 * cos(t[i]), m1 = (m + 2) / 2, m2 = (m - 2) / 2;
        double from_s = fmax(m, 0), from_1 = fmax(-m1, 0), from_2 = fmax(-m2, 0);
        if (fabs(m) < 1e-3) continue; // near the switch the exact formula is 0/0
        if (from_s + from_2 > 1e-5)
            ENSURE_NEAR(low[i], (from_s * 50 + from_2 * 30) / (from_s + from_2), 1e-5);
        if (from_s + from_1 > 1e-5)
            ENSURE_NEAR(high[i], (from_s * 50 + from_1 * 10) / (from_s + from_1), 1e-5);
        if (from_1 + from_2 > 1e-5)
            ENSURE_NEAR(back[i], (from_1 * 10 + from_2 * 30) / (from_1 + from_2), 1e-5);
    }
    run_close(&r);
}

// h' = m (h_in - h), 1 kg: with m = cos(t) until pi/2, h = 1 - exp(-sin t); then 3 comes from the
// other side, h = 3 - (3 - h(pi/2)) exp(sin t - 1).
static void a_volume_is_flushed(void **state) {
    (void)state;
    Run r;
    model_open(&r, "Connectors.mo", "Connectors.Flushed");
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena), *h = run_series(&r, "v.h");
    double half = acos(0.0), h_half = 1 - exp(-1.0);
    for (size_t i = 0; i < r.result->row_count; i++) {
        double want = t[i] < half ? 1 - exp(-sin(t[i])) : 3 - (3 - h_half) * exp(sin(t[i]) - 1);
        ENSURE_NEAR(h[i], want, 1e-7);
    }
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_of_frames_closes),
        cmocka_unit_test(a_free_body_has_a_root_of_its_own),
        cmocka_unit_test(derivatives_follow_from_the_angular_velocity),
        cmocka_unit_test(a_loop_of_orientations_closes),
        cmocka_unit_test(a_constraint_on_the_orientation_leaves_one_angle),
        cmocka_unit_test(a_mass_in_coordinates_of_joints_goes_straight),
        cmocka_unit_test(flows_mix_and_turn_around),
        cmocka_unit_test(without_flow_there_is_the_mean),
        cmocka_unit_test(streams_pass_through_levels),
        cmocka_unit_test(a_volume_is_flushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
