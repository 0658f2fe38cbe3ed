// SPDX-License-Identifier: MIT
// Sensors of what goes through connections and contacts, against the laws of motion of what they carry.
#include "translate/run_model.h"

static void go(Run *r, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "Measured.%s", class);
    model_open(r, "Measured.mo", full);
    model_go(r);
}

// What sensors have counted is what the account says: at least so much [J], and nothing elsewhere.
static void ensure_lost(Run *r, double least) {
    double lost = model_last(r, "energy.friction") + model_last(r, "energy.contact_damping") +
                  model_last(r, "energy.rolling");
    ENSURE(lost > least);
    ENSURE_NEAR(model_last(r, "floor.energy"), lost, 1e-9 * lost);
    ENSURE_NEAR(model_last(r, "any.energy"), lost, 1e-9 * lost);
    ENSURE_NEAR(model_last(r, "other.energy"), 0, 0);
}

// Newton: F = m (a - g). Euler about the axis: J a = tau - l x F. What is drawn towards the world shows
// the opposite.
static void bearing_of_an_arm(void **state) {
    (void)state;
    Run r;
    go(&r, "Arm");
    const double m = 2, l = 0.5, J = 0.1, g = 9.81, tau = 7;
    const double *phi = run_series(&r, "hinge.phi"), *w = run_series(&r, "hinge.w"),
                 *a = run_series(&r, "hinge.a");
    const double *fx = run_series(&r, "foot.force[1]"), *fy = run_series(&r, "foot.force[2]"),
                 *t = run_series(&r, "foot.torque[3]"), *bx = run_series(&r, "back.force[1]"),
                 *by = run_series(&r, "back.force[2]"), *turn = run_series(&r, "turning.torque[3]"),
                 *power = run_series(&r, "power.power");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double c = cos(phi[i]), s = sin(phi[i]);
        double x = -l * (c * w[i] * w[i] + s * a[i]), y = l * (c * a[i] - s * w[i] * w[i]);
        ENSURE_NEAR((J + m * l * l) * a[i], tau - m * g * l * c, 1e-9);
        ENSURE_NEAR(fx[i], m * x, 1e-9);
        ENSURE_NEAR(fy[i], m * (y + g), 1e-9);
        ENSURE_NEAR(t[i], tau, 1e-9); // the housing of the motor stands on the world
        ENSURE_NEAR(bx[i], -m * x, 1e-9);
        ENSURE_NEAR(by[i], -m * (y + g), 1e-9);
        ENSURE_NEAR(turn[i], tau, 1e-9);
        ENSURE_NEAR(power[i], tau * w[i], 1e-8);
    }
    run_close(&r);
}

// Both bearings together carry the weight and the inertia of all bars.
static void bearings_of_a_linkage(void **state) {
    (void)state;
    Run r;
    go(&r, "Linkage");
    const double m[] = {1, 2, 1.5}, g = 9.81;
    const double *left[2], *right[2], *a[3][2];
    char name[32];
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "left.force[%d]", k + 1);
        left[k] = run_series(&r, name);
        snprintf(name, sizeof name, "right.force[%d]", k + 1);
        right[k] = run_series(&r, name);
        for (int i = 0; i < 3; i++) {
            snprintf(name, sizeof name, "a[%d].a[%d]", i + 1, k + 1);
            a[i][k] = run_series(&r, name);
        }
    }
    double largest = 0;
    for (size_t n = 0; n < r.result->row_count; n++) {
        for (int k = 0; k < 2; k++) {
            double sum = 0;
            for (int i = 0; i < 3; i++) sum += m[i] * (a[i][k][n] + (k == 1 ? g : 0));
            ENSURE_NEAR(left[k][n] + right[k][n], sum, 1e-7);
            largest = fmax(largest, fabs(left[k][n]));
        }
    }
    ENSURE(largest > 20);
    run_close(&r);
}

// The table carries the ball, friction of steel on steel pulls it back, and what is lost in the contact is
// what the account of the whole model says.
static void ball_on_a_table(void **state) {
    (void)state;
    Run r;
    go(&r, "Sliding");
    const double *N = run_series(&r, "floor.normalForce"), *fx = run_series(&r, "floor.force[1]"),
                 *fz = run_series(&r, "floor.force[3]"), *all = run_series(&r, "any.force[3]"),
                 *back = run_series(&r, "table_feels.force[1]"),
                 *slip = run_series(&r, "floor.slip"), *none = run_series(&r, "other.normalForce"),
                 *x = run_series(&r, "ball.r_0[1]"), *px = run_series(&r, "floor.point[1]"),
                 *pz = run_series(&r, "floor.point[3]"), *v = run_series(&r, "ball.v_0[1]"),
                 *w = run_series(&r, "ball.w_0[2]");
    const double *a = run_series(&r, "der(ball.v_0[1])"), *up = run_series(&r, "der(ball.v_0[3])");
    bool slides = false;
    for (size_t n = 0; n < r.result->row_count; n++) {
        ENSURE_NEAR(fz[n], 4 * (9.81 + up[n]), 1e-6);
        ENSURE_NEAR(fx[n], 4 * a[n], 1e-6);
        ENSURE_NEAR(all[n], fz[n], 0);
        ENSURE_NEAR(back[n], -fx[n], 0);
        ENSURE_NEAR(none[n], 0, 0);
        if (N[n] == 0) continue;
        ENSURE_NEAR(N[n], fz[n], 1e-6);
        ENSURE_NEAR(px[n], x[n], 1e-9);
        ENSURE(fabs(pz[n]) < 1e-4);
        ENSURE_NEAR(slip[n], fabs(v[n] - 0.05 * w[n]), 1e-4);
        slides = slides || fabs(fx[n]) > 0.1 * N[n];
    }
    ENSURE(slides);
    ensure_lost(&r, 0.5);
    run_close(&r);
}

// The same for two meshes. Newton's law gives the force from the motion; while the block slides, friction is mu times the
// pressure.
static void block_of_meshes_on_a_table(void **state) {
    (void)state;
    Run r;
    go(&r, "SlidingBlock");
    const double *N = run_series(&r, "floor.normalForce"), *fx = run_series(&r, "floor.force[1]"),
                 *fz = run_series(&r, "floor.force[3]"), *all = run_series(&r, "any.force[3]"),
                 *back = run_series(&r, "table_feels.force[1]"),
                 *slip = run_series(&r, "floor.slip"), *none = run_series(&r, "other.normalForce"),
                 *depth = run_series(&r, "floor.depth"), *x = run_series(&r, "block_.r_0[1]"),
                 *px = run_series(&r, "floor.point[1]"), *pz = run_series(&r, "floor.point[3]"),
                 *v = run_series(&r, "block_.v_0[1]"), *z = run_series(&r, "block_.r_0[3]");
    const double *a = run_series(&r, "der(block_.v_0[1])"),
                 *up = run_series(&r, "der(block_.v_0[3])");
    int touching = 0;
    double deep = 0, sunk = 0; // at the end, at rest
    for (size_t n = 0; n < r.result->row_count; n++) {
        ENSURE_NEAR(fz[n], 4 * (9.81 + up[n]), 1e-5);
        ENSURE_NEAR(fx[n], 4 * a[n], 1e-5);
        ENSURE_NEAR(all[n], fz[n], 0);
        ENSURE_NEAR(back[n], -fx[n], 1e-12 * fabs(fx[n]));
        ENSURE_NEAR(none[n], 0, 0);
        if (!(N[n] > 0)) continue;
        touching++;
        ENSURE(fabs(px[n] - x[n]) < 0.1 && fabs(pz[n]) < 1e-3);
        ENSURE_NEAR(slip[n], v[n], 1e-2);
        ENSURE(depth[n] > 0 && depth[n] < 1e-3);
        deep = depth[n], sunk = 0.05 - z[n];
        if (n > 20 && v[n] > 0.1) ENSURE_NEAR(fx[n], -0.4 * N[n], 1e-3 * N[n]);
    }
    ENSURE(touching > 100);
    ENSURE_NEAR(deep, sunk, 1e-3 * sunk);
    ensure_lost(&r, 1);
    run_close(&r);
}

// A force that equations take from the sensor: no loop, and it settles at what is wanted.
static void control_by_force(void **state) {
    (void)state;
    Run r;
    go(&r, "Press");
    ENSURE(r.summary.state_events > 0);
    ENSURE_NEAR(model_last(&r, "touch.normalForce"), 20, 1e-3);
    ENSURE_NEAR(model_last(&r, "touch.force[1]"), -20, 1e-3);
    ENSURE_NEAR(model_last(&r, "drive.f"), 20, 1e-3);
    run_close(&r);
}

// A body falls along -y, which is -x of a frame that is turned by 90 degrees about z.
static void defaults_of_the_standard_library(void **state) {
    (void)state;
    const double g = 9.80665;
    Run r;
    go(&r, "Defaults");
    ENSURE_NEAR(model_last(&r, "v.v[1]"), -g, 1e-9);
    ENSURE_NEAR(model_last(&r, "v.v[2]"), 0, 1e-12);
    ENSURE_NEAR(model_last(&r, "a.a[1]"), -g, 1e-12);
    ENSURE_NEAR(model_last(&r, "r.r[1]"), 2 - g / 2, 1e-9);
    ENSURE_NEAR(model_last(&r, "r.r[2]"), -1, 1e-12);
    ENSURE_NEAR(model_last(&r, "r.r[3]"), 3, 1e-12);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bearing_of_an_arm), cmocka_unit_test(bearings_of_a_linkage),
        cmocka_unit_test(ball_on_a_table),   cmocka_unit_test(block_of_meshes_on_a_table),
        cmocka_unit_test(control_by_force),  cmocka_unit_test(defaults_of_the_standard_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
