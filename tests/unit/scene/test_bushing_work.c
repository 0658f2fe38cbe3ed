// SPDX-License-Identifier: MIT
// Moments of a bushing about three successive axes have no potential: what they bring in is booked as such, against an
// integration of its own.
#include "math/mat3.h"
#include "translate/run_model.h"

static const Vec3 inertia = {0.02, 0.03, 0.04}; // [kg m2]
static const double stiffness = 10;             // [N m/rad]

typedef struct Turning {
    double q[4]; // w, x, y, z
    Vec3 w;      // [rad/s] in the axes of the body
} Turning;

// Columns are the axes of the body.
static Mat3 matrix_of(const double q[4]) {
    double w = q[0], x = q[1], y = q[2], z = q[3];
    return m3_from_columns(v3(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)),
                           v3(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)),
                           v3(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)));
}

// Of R = Rx Ry Rz.
static Vec3 angles_of(Mat3 R) {
    return v3(atan2(-R.y.z, R.z.z), asin(R.x.z), atan2(-R.x.y, R.x.x));
}

static Turning rates_of(const Turning *s) {
    Mat3 R = matrix_of(s->q);
    Vec3 a = angles_of(R), w = s->w, L = v3_mul(inertia, w);
    Vec3 second =
        v3(0, cos(a.x), sin(a.x)); // y, turned about x; the third axis is z, turned by both
    Vec3 third = v3(sin(a.y), -sin(a.x) * cos(a.y), cos(a.x) * cos(a.y));
    Vec3 torque = v3_axpy(v3_axpy(v3(a.x, 0, 0), a.y, second), a.z, third);
    Vec3 t = v3_sub(v3_scale(-stiffness, m3_tmul_vec(R, torque)), v3_cross(w, L));
    const double *q = s->q;
    return (Turning){{0.5 * (-q[1] * w.x - q[2] * w.y - q[3] * w.z),
                      0.5 * (q[0] * w.x + q[2] * w.z - q[3] * w.y),
                      0.5 * (q[0] * w.y + q[3] * w.x - q[1] * w.z),
                      0.5 * (q[0] * w.z + q[1] * w.y - q[2] * w.x)},
                     v3(t.x / inertia.x, t.y / inertia.y, t.z / inertia.z)};
}

static Turning plus(const Turning *s, double h, const Turning *rate) {
    Turning sum = {.w = v3_axpy(s->w, h, rate->w)};
    for (int i = 0; i < 4; i++) sum.q[i] = s->q[i] + h * rate->q[i];
    return sum;
}

static Turning runge_kutta(Turning s, double time, int steps) {
    double h = time / steps;
    for (int i = 0; i < steps; i++) {
        Turning k1 = rates_of(&s), at = plus(&s, h / 2, &k1), k2 = rates_of(&at);
        at = plus(&s, h / 2, &k2);
        Turning k3 = rates_of(&at);
        at = plus(&s, h, &k3);
        Turning k4 = rates_of(&at);
        s = plus(&s, h / 6, &k1);
        s = plus(&s, h / 3, &k2);
        s = plus(&s, h / 3, &k3);
        s = plus(&s, h / 6, &k4);
    }
    return s;
}

// Kinetic, and as if each spring stood alone.
static double energy_of(const Turning *s) {
    Vec3 a = angles_of(matrix_of(s->q));
    return 0.5 * v3_dot(s->w, v3_mul(inertia, s->w)) + 0.5 * stiffness * v3_dot(a, a);
}

static void springs_that_make_energy(void **state) {
    (void)state;
    const Turning start = {{1, 0, 0, 0}, {10, -12, 13}};
    Turning end = runge_kutta(start, 1, 20000);
    double made = energy_of(&end) - energy_of(&start);
    ENSURE(made > 1); // of 6.54 J
    Run r;
    model_open(&r, "Mechanics.mo", "Mechanics.Wrung");
    model_go(&r);
    Vec3 w_0 = m3_mul_vec(matrix_of(end.q), end.w);
    ENSURE_NEAR(model_last(&r, "body.w_0[1]"), w_0.x, 1e-4);
    ENSURE_NEAR(model_last(&r, "body.w_0[2]"), w_0.y, 1e-4);
    ENSURE_NEAR(model_last(&r, "body.w_0[3]"), w_0.z, 1e-4);
    ENSURE_NEAR(model_last(&r, "energy.input"), made, 1e-5);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6);
    const double *dampers = run_series(&r, "energy.dampers");
    for (size_t i = 0; i < r.result->row_count; i++) ENSURE(dampers[i] == 0);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(springs_that_make_energy)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
