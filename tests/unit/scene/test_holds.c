// SPDX-License-Identifier: MIT
// label: normal
// Rods, constraints and wheels, which hold without carrying: against closed forms, against the joints that
// they stand for, and a rolling disc (by the engine, and in equations) against an integration that knows nothing of
// multipliers.
#include "base/file.h"
#include "translate/run_model.h"

static void open_class(Run *run, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "Holds.%s", class);
    model_open(run, "Holds.mo", full);
    run->options.tolerance = 1e-10;
}

static void go(Run *run, const char *class, double stop) {
    open_class(run, class);
    run->options.stop_time = stop;
    model_go(run);
}

static double number(Run *r, const char *name, int k, size_t row) {
    char full[64];
    snprintf(full, sizeof full, "%s[%d]", name, k);
    return run_series(r, full)[row];
}

// --- rods ----------------------------------------------------------------------------------------

// At the angle theta the ball goes round with w^2 = g (M + m/2) / ((M + m/4) L cos theta); at frame_a the rod
// pulls with what turns both masses and carries them.
static void check_cone(const char *class, double m) {
    const double L = 0.5, M = 2, theta = 0.6, g = 9.81, s = sin(theta), c = cos(theta);
    double w2 = g * (M + m / 2) / ((M + m / 4) * L * c), w = sqrt(w2);
    double pull = M * (w2 * L * s * s + g * c) + m * (w2 * L / 2 * s * s + g * c);
    Run r;
    open_class(&r, class);
    r.options.stop_time = 5;
    r.options.tolerance =
        1e-11; // forces follow from what is left of positions: 100 N/m times 1e-7 m
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena), *f = run_series(&r, "rod.f_rod");
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(number(&r, "ball.r_0", 1, i), L * s * cos(w * t[i]), 1e-7);
        ENSURE_NEAR(number(&r, "ball.r_0", 2, i), L * s * sin(w * t[i]), 1e-7);
        ENSURE_NEAR(number(&r, "ball.r_0", 3, i), -L * c, 1e-7);
        ENSURE_NEAR(f[i], -pull, 1e-5);
    }
    run_close(&r);
}

static void a_ball_on_a_rod_goes_round(void **state) {
    (void)state;
    check_cone("Cone", 0);
    check_cone("HeavyCone", 3);
}

// s = r cos(phi) + sqrt(l^2 - r^2 sin(phi)^2); the rod is pressed by 3 kg s'' / cos(beta).
static void check_crank(const char *class, double *evaluations) {
    const double r_ = 0.2, l = 0.5, m = 3;
    Run r;
    go(&r, class, 3);
    const double *s = run_series(&r, "s"), *f = run_series(&r, "rod.f_rod"),
                 *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        double phi = 0.4 + 5 * t[i], root = sqrt(l * l - pow(r_ * sin(phi), 2));
        double c = cos(phi), curve = -r_ * c - r_ * r_ * cos(2 * phi) / root -
                                     pow(r_ * r_ * sin(phi) * c, 2) / pow(root, 3);
        ENSURE_NEAR(s[i], r_ * cos(phi) + root, 1e-9);
        ENSURE_NEAR(f[i], m * 25 * curve / (root / l), 2e-6); // of 45 N
    }
    *evaluations = s[r.result->row_count - 1];
    if (strcmp(class, "Carried") == 0) { // the end of the rod, as it is turned
        for (size_t i = 0; i < r.result->row_count; i++) {
            ENSURE_NEAR(number(&r, "end_.r", 1, i), s[i], 1e-9);
            ENSURE_NEAR(number(&r, "end_.r", 2, i), 0, 1e-9);
        }
    }
    run_close(&r);
}

static void rods_of_a_crank(void **state) {
    (void)state;
    double balls, universal, carried;
    check_crank("Balls", &balls);
    check_crank("Universal", &universal);
    check_crank("Carried", &carried);
    ENSURE_NEAR(balls, universal, 1e-9);
    ENSURE_NEAR(balls, carried, 1e-9);
}

// The rod is as long as its ends are apart at the start, and stays so; energy stays.
static void a_length_that_is_measured(void **state) {
    (void)state;
    const char *const classes[] = {"Swing", "SeenSwing"};
    double end[2];
    for (int k = 0; k < 2; k++) {
        Run r;
        go(&r, classes[k], 2);
        const double start[] = {0.1, 0.2, 0}, n[] = {1 / sqrt(1.25), 0, 0.5 / sqrt(1.25)};
        double dx = 0.7 + 0.1 * n[0] - start[0], dz = 0.1 * n[2];
        double length = sqrt(dx * dx + start[1] * start[1] + dz * dz);
        const double *apart = run_series(&r, "apart.distance"),
                     *kinetic = run_series(&r, "energy.kinetic"),
                     *potential = run_series(&r, "energy.potential");
        for (size_t i = 0; i < r.result->row_count; i++) {
            ENSURE_NEAR(apart[i], length, 1e-8);
            ENSURE_NEAR(kinetic[i] + potential[i], kinetic[0] + potential[0], 1e-7);
        }
        ENSURE_NEAR(run_series(&r, "crank.w")[0], 4, 1e-12); // what is fixed
        end[k] = model_last(&r, "crank.phi");
        run_close(&r);
    }
    ENSURE_NEAR(end[0], end[1], 1e-6);
}

// A run that goes on from the middle knows the length: the same bits.
static void a_length_goes_through_a_checkpoint(void **state) {
    (void)state;
    const char *const classes[] = {"Swing", "SeenSwing"};
    for (int k = 0; k < 2; k++) {
        Run whole, again;
        open_class(&whole, classes[k]);
        whole.options.stop_time = 1;
        whole.options.checkpoint_interval = 0.25;
        model_go(&whole);
        open_class(&again, classes[k]);
        again.options.stop_time = 1;
        model_resume(&again, &whole);
        run_close(&again);
        run_close(&whole);
    }
}

// --- constraints ---------------------------------------------------------------------------------

// Along x and y it is free: 2 kg with 2 N along x; the centre of mass beside the frame does not matter.
static void a_plate_on_a_plane(void **state) {
    (void)state;
    Run r;
    go(&r, "Plate", 2);
    const double *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(number(&r, "plate.r_0", 1, i), t[i] + t[i] * t[i] / 2, 1e-9);
        ENSURE_NEAR(number(&r, "plate.r_0", 2, i), -t[i] / 2, 1e-9);
        ENSURE_NEAR(number(&r, "plate.r_0", 3, i), 0, 1e-9);
        ENSURE_NEAR(number(&r, "plane.force", 3, i), 2 * 9.81 - 1, 1e-8);
    }
    run_close(&r);
}

// What a constraint leaves of free motion is the motion of the joint.
static void constraints_are_joints(void **state) {
    (void)state;
    const char *const classes[] = {"HeldRevolute", "HeldSpherical", "HeldUniversal",
                                   "HeldCylindrical", "HeldPrismatic"};
    for (int n = 0; n < 5; n++) {
        Run r;
        go(&r, classes[n], 2);
        double most = 0;
        for (size_t i = 0; i < r.result->row_count; i++) {
            for (int k = 1; k <= 3; k++) {
                ENSURE_NEAR(number(&r, "one.r_0", k, i), number(&r, "other.r_0", k, i), 1e-7);
                double a = number(&r, "one.angles_0", k, i), b = number(&r, "other.angles_0", k, i);
                ENSURE_NEAR(sin(a), sin(b), 1e-6);
                most = fmax(most, fabs(a - number(&r, "one.angles_0", k, 0)));
                most = fmax(most, fabs(number(&r, "one.r_0", k, i) - number(&r, "one.r_0", k, 0)));
            }
        }
        ENSURE(most > 0.3); // something has moved
        run_close(&r);
    }
}

// --- wheels --------------------------------------------------------------------------------------

// A disc in plain equations of motion about its contact point. With c from the centre to the ground, no slip says
// a = -z x c - w x c', and the moments about the centre are c x m (a - g): three equations for z alone.
typedef struct DiscState {
    double R[3][3], w[3], x, y;
} DiscState;

static void times(const double A[3][3], const double *b, double *out) {
    for (int i = 0; i < 3; i++) out[i] = A[i][0] * b[0] + A[i][1] * b[1] + A[i][2] * b[2];
}

static void cross(const double *a, const double *b, double *out) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void solve3(double A[3][3], double *b) {
    for (int k = 0; k < 3; k++) {
        int p = k;
        for (int i = k + 1; i < 3; i++) p = fabs(A[i][k]) > fabs(A[p][k]) ? i : p;
        for (int j = 0; j < 3; j++) {
            double swap = A[k][j];
            A[k][j] = A[p][j], A[p][j] = swap;
        }
        double swap = b[k];
        b[k] = b[p], b[p] = swap;
        for (int i = k + 1; i < 3; i++) {
            double f = A[i][k] / A[k][k];
            for (int j = k; j < 3; j++) A[i][j] -= f * A[k][j];
            b[i] -= f * b[k];
        }
    }
    for (int k = 2; k >= 0; k--) {
        for (int j = k + 1; j < 3; j++) b[k] -= A[k][j] * b[j];
        b[k] /= A[k][k];
    }
}

static DiscState disc_rates(const DiscState *s) {
    const double radius = 0.3, m = 2, about = 0.09, across = 0.045, g = 9.81;
    DiscState d = {0};
    double e[3] = {s->R[0][1], s->R[1][1], s->R[2][1]}, ed[3];
    cross(s->w, e, ed);
    double sine = sqrt(1 - e[2] * e[2]), c[3], cd[3];
    for (int i = 0; i < 3; i++) { // c = -radius (k - e_z e) / sine
        double p = (i == 2) - e[2] * e[i], pd = -ed[2] * e[i] - e[2] * ed[i];
        c[i] = -radius * p / sine;
        cd[i] = -radius * (pd / sine + p * e[2] * ed[2] / (sine * sine * sine));
    }
    double v[3], slip[3], I[3][3], Iw[3], gyro[3], load[3], moment[3];
    cross(c, s->w, v); // v = -w x c
    cross(s->w, cd, slip);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) I[i][j] = across * (i == j) + (about - across) * e[i] * e[j];
        load[i] = -m * slip[i] + (i == 2) * m * g; // m (a - g) without z
    }
    times(I, s->w, Iw);
    cross(s->w, Iw, gyro);
    cross(c, load, moment);
    double cc = c[0] * c[0] + c[1] * c[1] + c[2] * c[2], z[3];
    for (int i = 0; i < 3; i++) {
        z[i] = moment[i] - gyro[i];
        for (int j = 0; j < 3; j++) I[i][j] += m * (cc * (i == j) - c[i] * c[j]);
    }
    solve3(I, z);
    for (int j = 0; j < 3; j++) {
        double column[3] = {s->R[0][j], s->R[1][j], s->R[2][j]}, turned[3];
        cross(s->w, column, turned);
        for (int i = 0; i < 3; i++) d.R[i][j] = turned[i];
        d.w[j] = z[j];
    }
    d.x = v[0];
    d.y = v[1];
    return d;
}

static DiscState along(const DiscState *s, const DiscState *d, double h) {
    DiscState out;
    const double *a = (const double *)s, *b = (const double *)d;
    for (size_t i = 0; i < sizeof out / sizeof *a; i++) ((double *)&out)[i] = a[i] + h * b[i];
    return out;
}

static DiscState step_disc(DiscState s, double h) {
    DiscState a = disc_rates(&s), s2 = along(&s, &a, h / 2), b = disc_rates(&s2),
              s3 = along(&s, &b, h / 2), c = disc_rates(&s3), s4 = along(&s, &c, h),
              d = disc_rates(&s4);
    s = along(&s, &a, h / 6);
    s = along(&s, &b, h / 3);
    s = along(&s, &c, h / 3);
    return along(&s, &d, h / 6);
}

// Angles 0.2, 0.3, 0.4 about z, y, x with rates 0.5, 6, -0.7.
static DiscState thrown_disc(void) {
    const double a = 0.2, b = 0.3, c = 0.4;
    double ca = cos(a), sa = sin(a), cb = cos(b), sb = sin(b), cc = cos(c), sc = sin(c);
    return (DiscState){.R = {{ca * cb, ca * sb * sc - sa * cc, ca * sb * cc + sa * sc},
                             {sa * cb, sa * sb * sc + ca * cc, sa * sb * cc - ca * sc},
                             {-sb, cb * sc, cb * cc}},
                       .w = {-6 * sa - 0.7 * ca * cb, 6 * ca - 0.7 * sa * cb, 0.5 + 0.7 * sb},
                       .x = 0.1,
                       .y = -0.2};
}

static void a_disc_that_rolls(void **state) {
    (void)state;
    enum { STEPS = 20 };
    Run r;
    open_class(&r, "Disc");
    r.options.stop_time = 3;
    r.options.tolerance = 1e-11;
    model_go(&r);
    const double *t = rb_result_times(r.result, &r.f.arena), *x = run_series(&r, "wheel.x"),
                 *y = run_series(&r, "wheel.y"), *kinetic = run_series(&r, "energy.kinetic"),
                 *potential = run_series(&r, "energy.potential");
    DiscState s = thrown_disc();
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        for (int k = 0; i > 0 && k < STEPS; k++) s = step_disc(s, (t[i] - t[i - 1]) / STEPS);
        ENSURE_NEAR(x[i], s.x, 2e-7);
        ENSURE_NEAR(y[i], s.y, 2e-7);
        for (int k = 0; k < 3; k++) ENSURE_NEAR(number(&r, "spin.w", k + 1, i), s.w[k], 1e-5);
        double a[3]; // its angles turn it as it is turned
        for (int k = 0; k < 3; k++) a[k] = number(&r, "wheel.angles", k + 1, i);
        ENSURE_NEAR(cos(a[0]) * cos(a[1]), s.R[0][0], 1e-6);
        ENSURE_NEAR(sin(a[0]) * cos(a[1]), s.R[1][0], 1e-6);
        ENSURE_NEAR(-sin(a[1]), s.R[2][0], 1e-6);
        ENSURE_NEAR(cos(a[1]) * sin(a[2]), s.R[2][1], 1e-6);
        ENSURE_NEAR(cos(a[1]) * cos(a[2]), s.R[2][2], 1e-6);
        double sine = sqrt(1 - s.R[2][1] * s.R[2][1]);
        ENSURE_NEAR(number(&r, "place.r", 3, i), 0.3 * sine, 2e-7);
        ENSURE_NEAR(kinetic[i] + potential[i], kinetic[0] + potential[0], 1e-7); // of 9 J
        least = fmin(least, sine);
        most = fmax(most, sine);
    }
    ENSURE(least < 0.95 && most - least > 0.02); // it leans and wobbles
    run_close(&r);
}

// Its angles go on with it: past a quarter turn, too, of a wheel that is upright.
static void an_upright_wheel_counts_turns(void **state) {
    (void)state;
    Run r;
    go(&r, "UprightWheel", 3);
    const double *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        const double want[] = {0.5, 5 * t[i], 0}, rates[] = {0, 5, 0};
        for (int k = 0; k < 3; k++) {
            ENSURE_NEAR(number(&r, "wheel.angles", k + 1, i), want[k], 1e-7);
            ENSURE_NEAR(number(&r, "wheel.der_angles", k + 1, i), rates[k], 1e-6);
        }
    }
    run_close(&r);
}

// The same in equations of a model, whose constraints are of different depths: its height, and two velocities. (The
// functions that name their derivatives hide how the axis depends on the angles.)
static void a_disc_in_equations(void **state) {
    (void)state;
    enum { STEPS = 20 };
    Run r;
    go(&r, "DiscInEquations", 3);
    assert_int_equal(r.summary.states, 8);
    const double *t = rb_result_times(r.result, &r.f.arena), *x = run_series(&r, "x"),
                 *y = run_series(&r, "y");
    DiscState s = thrown_disc();
    for (size_t i = 0; i < r.result->row_count; i++) {
        for (int k = 0; i > 0 && k < STEPS; k++) s = step_disc(s, (t[i] - t[i - 1]) / STEPS);
        ENSURE_NEAR(x[i], s.x, 1e-6);
        ENSURE_NEAR(y[i], s.y, 1e-6);
    }
    run_close(&r);
}

// Whatever else holds in a model, and wherever it is declared: the wheel rolls at a constant speed, and the ground
// carries its weight.
static void a_wheel_beside_others(void **state) {
    (void)state;
    const char *const classes[] = {"WheelBesidePair", "WheelBesideJoint", "WheelBesideCart"};
    for (int n = 0; n < 3; n++) {
        Run r;
        go(&r, classes[n], 1);
        const double *t = rb_result_times(r.result, &r.f.arena), *x = run_series(&r, "wheel.x"),
                     *f = run_series(&r, "wheel.f_n");
        for (size_t i = 0; i < r.result->row_count; i++) {
            ENSURE_NEAR(number(&r, "place.r", 3, i), 0.3, 1e-9);
            ENSURE_NEAR(x[i], 2 + 0.9 * t[i], 1e-8);
            ENSURE_NEAR(f[i], 2 * 9.81, 1e-7);
        }
        if (n == 0) ENSURE_NEAR(model_last(&r, "pair.x"), 0.2, 1e-9);
        if (n == 1) ENSURE_NEAR(model_last(&r, "other.f_n"), 9.81, 1e-7);
        if (n == 2) ENSURE_NEAR(model_last(&r, "axle.phi"), 2, 1e-8);
        run_close(&r);
    }
}

// It turns about the point that touches, (I + m r^2) w^2 / 2 + m g r cos(lean) = m g r cos(0.3): when it is flat is an
// integral over the lean a = 0.3 + u^2, here by the midpoint rule.
static double fall_of_wheel(void) {
    enum { PARTS = 20000 };
    const double r = 0.3, m = 1, I = 0.05, g = 9.81, first = 0.3, flat = acos(0);
    double h = sqrt(flat - first) / PARTS, t = 0;
    for (int i = 0; i < PARTS; i++) {
        double u = (i + 0.5) * h, a = first + u * u;
        t += 2 * u * h / sqrt(2 * m * g * r * (cos(first) - cos(a)) / (I + m * r * r));
    }
    return t;
}

static void a_wheel_that_tips_over(void **state) {
    (void)state;
    Run r;
    open_class(&r, "FallingWheel");
    r.options.stop_time = 3;
    assert_int_equal(run_go(&r), RB_ERROR_SOLVER);
    bool said = false;
    for (int i = 0; i < r.f.diag.messages.count; i++)
        said |= strstr(r.f.diag.messages.data[i].text,
                       "the wheel 'wheel' lies flat on the ground, where it cannot roll") != NULL;
    ENSURE(said);
    ENSURE_NEAR(r.summary.time, fall_of_wheel(), 1e-6);
    run_close(&r);
}

// The ground is no more for the wheel that breaks: it goes on ahead and falls.
static void a_wheel_that_is_let_go(void **state) {
    (void)state;
    Run r;
    go(&r, "BrokenWheel", 1);
    const double *t = rb_result_times(r.result, &r.f.arena), *x = run_series(&r, "wheel.x"),
                 *f = run_series(&r, "other.f_n");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double falls = fmax(0, t[i] - 0.1);
        ENSURE_NEAR(number(&r, "place.r", 3, i), 0.3 - 9.81 * falls * falls / 2, 1e-8);
        ENSURE_NEAR(x[i], 0.9 * t[i], 1e-8);
        ENSURE_NEAR(f[i], 2 * 9.81, 1e-7);
    }
    ENSURE(model_last(&r, "wheel.f_n") == 0);
    run_close(&r);
}

// Both wheels are driven alike: (M + 2 m + 2 I / R^2) a = 2 tau / R.
static void two_wheels_go_straight(void **state) {
    (void)state;
    Run r;
    go(&r, "Straight", 2);
    double a = 2 * 0.3 / 0.1 / (4 + 1 + 2 * 0.0025 / 0.01);
    const double *t = rb_result_times(r.result, &r.f.arena), *x = run_series(&r, "pair.x"),
                 *y = run_series(&r, "pair.y"), *theta = run_series(&r, "pair.theta1");
    for (size_t i = 0; i < r.result->row_count; i++) {
        double way = a * t[i] * t[i] / 2;
        ENSURE_NEAR(x[i], 0.1 + way * cos(0.5), 1e-7);
        ENSURE_NEAR(y[i], 0.2 + way * sin(0.5), 1e-7);
        ENSURE_NEAR(theta[i], way / 0.1, 1e-6);
    }
    run_close(&r);
}

// One wheel is driven: the angle of the axle follows from both wheels, and no wheel slips. With the body in the
// middle nothing couples going ahead and turning: each is a constant acceleration.
static void one_wheel_goes_round(void **state) {
    (void)state;
    const double R = 0.1, track = 0.4, tau = 0.3;
    Run r;
    go(&r, "Curve", 2);
    double ahead = tau / R / (4 + 1 + 2 * 0.0025 / (R * R));
    double moment = 0.02 + 2 * 0.002 + 2 * (0.5 + 0.0025 / (R * R)) * track * track / 4;
    double turn = -tau / R * track / 2 / moment; // wheel 1 is on the left
    const double *t = rb_result_times(r.result, &r.f.arena), *phi = run_series(&r, "pair.phi"),
                 *one = run_series(&r, "pair.theta1"), *two = run_series(&r, "pair.theta2");
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(phi[i], 0.5 + turn * t[i] * t[i] / 2, 1e-6);
        ENSURE_NEAR((one[i] + two[i]) / 2 * R, ahead * t[i] * t[i] / 2, 1e-6);
        ENSURE_NEAR((two[i] - one[i]) * R / track, phi[i] - 0.5, 1e-8);
    }
    run_close(&r);
}

// --- lines ---------------------------------------------------------------------------------------

// The point at h of the length moves with h of the speed: w^2 = c / (M + m h^2), about L0 + g (M + m h) / c.
static void a_mass_on_a_spring(void **state) {
    (void)state;
    const char *const classes[] = {"HeavyLine", "HeavySpring", "Damped"};
    const double M = 1, m = 0.6, h = 0.3, c = 200, g = 9.81, inertia = M + m * h * h;
    for (int k = 0; k < 3; k++) {
        Run r;
        go(&r, classes[k], 2);
        double d = k == 2 ? 3 : 0, decay = d / (2 * inertia), rest = 0.5 + g * (M + m * h) / c;
        double w = sqrt(c / inertia - decay * decay), x0 = 0.6 - rest;
        const double *t = rb_result_times(r.result, &r.f.arena);
        for (size_t i = 0; i < r.result->row_count; i++) {
            double x = exp(-decay * t[i]) * x0 * (cos(w * t[i]) + decay / w * sin(w * t[i]));
            ENSURE_NEAR(number(&r, "ball.r_0", 3, i), -(rest + x), 1e-7);
            ENSURE_NEAR(number(&r, "ball.r_0", 1, i), 0, 1e-9);
        }
        run_close(&r);
    }
}

// What holds already is not moved: rounding of a gap is no gap.
static void a_start_that_fits_stays(void **state) {
    (void)state;
    const double r_0[] = {2.1, -0.2, -0.15}, v_0[] = {1, 0.4, 0.5};
    Run r;
    go(&r, "ThrownSpring", 1);
    for (int k = 0; k < 3; k++) {
        ENSURE_NEAR(number(&r, "ball.r_0", k + 1, 0), r_0[k], 1e-12);
        ENSURE_NEAR(number(&r, "ball.v_0", k + 1, 0), v_0[k], 1e-12);
        ENSURE_NEAR(number(&r, "ball.angles_0", k + 1, 0), 0, 1e-12);
    }
    const double *kinetic = run_series(&r, "energy.kinetic"),
                 *potential = run_series(&r, "energy.potential"),
                 *elastic = run_series(&r, "energy.elastic");
    size_t last = r.result->row_count - 1;
    ENSURE_NEAR(kinetic[last] + potential[last] + elastic[last],
                kinetic[0] + potential[0] + elastic[0], 1e-7);
    run_close(&r);
}

// The points turn with the line: angular momentum (without gravity) and energy stay.
static void masses_at_both_ends_of_a_line(void **state) {
    (void)state;
    const double M = 1, ma = 0.7, La = 0.15, mb = 0.5, Lb = 0.1, c = 200, L0 = 0.5;
    for (int k = 0; k < 2; k++) {
        Run r;
        go(&r, k ? "HeavyGovernor" : "Governor", 3);
        double g = k ? 9.81 : 0, first[2] = {0}, shortest = INFINITY, longest = 0;
        for (size_t i = 0; i < r.result->row_count; i++) {
            double x = number(&r, "place.r", 1, i), y = number(&r, "place.r", 2, i),
                   vx = number(&r, "speed.v", 1, i), vy = number(&r, "speed.v", 2, i);
            double L = sqrt(x * x + y * y), rate = (x * vx + y * vy) / L,
                   w = (x * vy - y * vx) / (L * L);
            double turn = M * L * L + ma * La * La + mb * (L - Lb) * (L - Lb);
            double height = y / L * (M * L + ma * La + mb * (L - Lb));
            double values[] = {turn * w, turn * w * w / 2 + (M + mb) * rate * rate / 2 +
                                             c * (L - L0) * (L - L0) / 2 + g * height};
            for (int n = 0; n < 2; n++) {
                if (i == 0) first[n] = values[n];
                if (n == 1 || k == 0) ENSURE_NEAR(values[n], first[n], 1e-6); // of 3 and 15
            }
            shortest = fmin(shortest, L);
            longest = fmax(longest, L);
        }
        ENSURE(longest - shortest > 0.1);
        run_close(&r);
    }
}

// --- a loop all of whose joints belong to the equations ------------------------------------------

static void equations_look_at_all_joints(void **state) {
    (void)state;
    const double r_ = 0.2, l = 0.5, m = 3;
    Run r;
    go(&r, "AllDriven", 3);
    const double *a = run_series(&r, "a"), *b = run_series(&r, "b"), *w = run_series(&r, "crank.w"),
                 *turn = run_series(&r, "knee.w");
    double first = 0;
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(r_ * sin(a[i]) + l * sin(a[i] + b[i]), 0, 1e-10);
        double v = -r_ * sin(a[i]) * w[i] - l * sin(a[i] + b[i]) * (w[i] + turn[i]);
        double energy = 0.1 * w[i] * w[i] / 2 + m * v * v / 2 + 1e-3 * pow(w[i] + turn[i], 2) / 2;
        if (i == 0) first = energy;
        ENSURE_NEAR(energy, first, 1e-6); // of 2 J
    }
    ENSURE(fabs(a[r.result->row_count - 1]) > 6);
    run_close(&r);
}

// What the equations fix behind a joint counts, not where the loop was closed before they were asked:
// v = w (-r sin(phi) - r^2 sin(phi) cos(phi) / root).
static void a_start_behind_a_drive(void **state) {
    (void)state;
    Run r;
    go(&r, "StartedBehind", 0.5);
    double s = sin(0.4), c = cos(0.4), root = sqrt(0.25 - 0.04 * s * s);
    ENSURE_NEAR(run_series(&r, "crank.w")[0], 10, 1e-9);
    ENSURE_NEAR(run_series(&r, "crank.phi")[0], 0.4, 1e-12);
    ENSURE_NEAR(fabs(run_series(&r, "slide.s")[0] - 0.2 * c), root, 1e-9);
    double sign = run_series(&r, "slide.s")[0] > 0 ? 1 : -1; // either way of two
    ENSURE_NEAR(run_series(&r, "slide.v")[0], 10 * (-0.2 * s - sign * 0.04 * s * c / root), 1e-8);
    run_close(&r);
}

// 3 vx + 4 vy = 0.
static void check_corner(const char *class) {
    Run r;
    go(&r, class, 0.1);
    ENSURE_NEAR(run_series(&r, "sx.s")[0], 3, 1e-12);
    ENSURE_NEAR(run_series(&r, "sy.s")[0], 4, 1e-9);
    ENSURE_NEAR(run_series(&r, "sx.v")[0], 2, 1e-9);
    ENSURE_NEAR(run_series(&r, "sy.v")[0], -1.5, 1e-12);
    run_close(&r);
}

static void check_refusal(const char *class, const char *words) {
    Run r;
    open_class(&r, class);
    RbStatus status = run_go(&r);
    ENSURE(status == RB_ERROR_MODEL || status == RB_ERROR_ASSERTION);
    ENSURE(strstr(fixture_message(&r.f, 0), words));
    run_close(&r);
}

// Coordinates and speeds are kept each by itself, whoever looks at them.
static void fixed_speeds_of_driven_joints(void **state) {
    (void)state;
    check_corner("CornerAtJoints");
    check_corner("CornerInEquations");
    check_refusal("CornerTwice", "the speeds that are fixed at the start contradict each other in "
                                 "the loop through the joints 'sx', 'sy', 'rod'");
}

// Neither is moved without a word; both joints are named, with what each has.
static void what_equations_ask_for_contradicts(void **state) {
    (void)state;
    check_corner("CornerAskedForOnce");
    const char *speeds =
        "the speed of 'sy' is -1.5, beside 'sx' at 7: the speeds that are fixed at "
        "the start contradict each other";
    check_refusal("CornerTwiceInEquations", speeds);
    check_refusal("CornerAskedFor", speeds);
    // 5 m less the distance of (3, 0) and (0, 3), and of (3, 0) and (0, 3.5)
    check_refusal("CornerOpen", "the coordinate of 'sy' is 3, beside 'sx' at 3: the loop through "
                                "the joints 'sx', 'sy', 'rod' cannot be closed: a gap of 0.757 m");
    check_refusal("CornerOpenAskedFor", "the coordinate of 'sy' is 3.5, beside 'sx' at 3: the loop "
                                        "through the joints 'sx', 'sy', 'rod' cannot be closed: a "
                                        "gap of 0.39 m");
}

// x^2 + z^2 = 0.25, x vx + z vz = 0.
static void what_is_fixed_of_a_free_body(void **state) {
    (void)state;
    Run r;
    go(&r, "KeptPlace", 0.1);
    const double place[] = {0.3, 0, -0.4}, speed[] = {1, 0, 0.75};
    for (int k = 0; k < 3; k++) {
        ENSURE_NEAR(number(&r, "ball.r_0", k + 1, 0), place[k], k == 2 ? 1e-10 : 1e-15);
        ENSURE_NEAR(number(&r, "ball.v_0", k + 1, 0), speed[k], k == 2 ? 1e-9 : 1e-15);
    }
    run_close(&r);
    check_refusal("KeptTooFar", "the loop through the joints 'ball', 'rod' cannot be closed: a gap "
                                "of 0.5 m and 0 rad remains at 'rod'");
    check_refusal("KeptTooFast", "the speeds that are fixed at the start contradict each other in "
                                 "the loop through the joints 'ball', 'rod'");
}

// The end of the arm is 0.6 m away along x: that direction is closed, and 2 rad/s times 0.3 m go against it.
static void check_wrench(const char *class) {
    Run r;
    go(&r, class, 0.1);
    const double place[] = {0.5, -0.3, 0}, angles[] = {0, 0, acos(0)};
    for (int k = 0; k < 3; k++) {
        ENSURE_NEAR(number(&r, "body.r_0", k + 1, 0), place[k], 1e-12);
        ENSURE_NEAR(number(&r, "body.angles_0", k + 1, 0), angles[k], 1e-12);
    }
    ENSURE_NEAR(run_series(&r, "energy.kinetic")[0], 0.5 * 0.6 * 0.6 + 0.5 * 0.1 * 2 * 2, 1e-12);
    run_close(&r);
}

static void what_is_fixed_of_how_a_body_is_turned(void **state) {
    (void)state;
    check_wrench("KeptAngles");
    check_wrench("KeptAnglesOfJoint");
    check_wrench("KeptAngleInPlane");
    check_refusal("KeptEverything", "cannot be closed: a gap of 0.1 m and 0 rad remains at 'rod'");
}

// Two links of length l, tip at (x, y): the law of cosines, and the velocity of the tip solved for the rates.
static void check_arm(const char *class) {
    const double l = 0.5, x = 0.7, y = 0.3, vx = 1, vy = -0.5;
    double elbow = acos((x * x + y * y - 2 * l * l) / (2 * l * l));
    double shoulder = atan2(y, x) - elbow / 2, both = shoulder + elbow;
    double J[2][2] = {{-y, -l * sin(both)}, {x, l * cos(both)}};
    double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    Run r;
    go(&r, class, 0.1);
    ENSURE_NEAR(run_series(&r, "shoulder.phi")[0], shoulder, 1e-10);
    ENSURE_NEAR(run_series(&r, "elbow.phi")[0], elbow, 1e-10);
    ENSURE_NEAR(run_series(&r, "shoulder.w")[0], (vx * J[1][1] - vy * J[0][1]) / det, 1e-9);
    ENSURE_NEAR(run_series(&r, "elbow.w")[0], (vy * J[0][0] - vx * J[1][0]) / det, 1e-9);
    run_close(&r);
}

static void what_is_fixed_of_a_body_that_joints_carry(void **state) {
    (void)state;
    check_arm("ArmOfTip");
    check_arm("DrivenArmOfTip");
    check_arm("ArmSeenFromShelf");
    check_refusal("ArmTooShort", "'shoulder', 'tip' cannot be closed: a gap of 0.2 m");
    check_refusal("ArmFixedTwice", "start values of 'tip' are fixed, but the equations start the "
                                   "joints that carry it elsewhere");
}

// The middle goes with the mean of both wheels, the axle turns with the difference over the track.
static void wheels_start_as_fast_as_they_are_fixed(void **state) {
    (void)state;
    Run r;
    go(&r, "RollingPair", 0.1);
    ENSURE_NEAR(run_series(&r, "pair.x")[0], 3, 1e-12);
    ENSURE_NEAR(run_series(&r, "pair.phi")[0], 0.3, 1e-12);
    ENSURE_NEAR(run_series(&r, "pair.der_theta1")[0], 1, 1e-12);
    ENSURE_NEAR(run_series(&r, "pair.der_theta2")[0], 2, 1e-12);
    ENSURE_NEAR(run_series(&r, "pair.ground.v_x")[0], 0.15 * cos(0.3), 1e-12);
    ENSURE_NEAR(run_series(&r, "pair.ground.v_y")[0], 0.15 * sin(0.3), 1e-12);
    ENSURE_NEAR(run_series(&r, "pair.ground.w")[0], 0.1 * (2 - 1) / 0.5, 1e-12);
    run_close(&r);
}

// It says so, and the body falls as without it.
static void a_constraint_may_lock_nothing(void **state) {
    (void)state;
    Run r;
    go(&r, "LocksNothing", 1);
    ENSURE(r.f.diag.messages.count == 1);
    assert_string_equal(r.f.diag.messages.data[0].text,
                        "the constraint 'constraint' locks nothing: what it connects moves as "
                        "without it");
    ENSURE_NEAR(number(&r, "body.r_0", 3, r.result->row_count - 1), -9.81 / 2, 1e-8);
    run_close(&r);
}

static void a_cut_has_the_axes_of_either_frame(void **state) {
    (void)state;
    Run r;
    go(&r, "CutAxes", 0.1);
    const char *const names[] = {"a.force", "b.force"};
    for (int i = 0; i < 2; i++) {
        ENSURE_NEAR(fabs(number(&r, names[i], 1, 0)), 2 * 9.81 * sin(0.5), 1e-12);
        ENSURE_NEAR(fabs(number(&r, names[i], 2, 0)), 2 * 9.81 * cos(0.5), 1e-12);
        ENSURE_NEAR(number(&r, names[i], 3, 0), 0, 1e-12);
    }
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_on_a_rod_goes_round),
        cmocka_unit_test(a_constraint_may_lock_nothing),
        cmocka_unit_test(a_cut_has_the_axes_of_either_frame),
        cmocka_unit_test(rods_of_a_crank),
        cmocka_unit_test(a_length_that_is_measured),
        cmocka_unit_test(a_length_goes_through_a_checkpoint),
        cmocka_unit_test(a_plate_on_a_plane),
        cmocka_unit_test(constraints_are_joints),
        cmocka_unit_test(a_disc_that_rolls),
        cmocka_unit_test(an_upright_wheel_counts_turns),
        cmocka_unit_test(a_disc_in_equations),
        cmocka_unit_test(a_wheel_beside_others),
        cmocka_unit_test(a_wheel_that_tips_over),
        cmocka_unit_test(a_wheel_that_is_let_go),
        cmocka_unit_test(two_wheels_go_straight),
        cmocka_unit_test(one_wheel_goes_round),
        cmocka_unit_test(a_mass_on_a_spring),
        cmocka_unit_test(a_start_that_fits_stays),
        cmocka_unit_test(masses_at_both_ends_of_a_line),
        cmocka_unit_test(equations_look_at_all_joints),
        cmocka_unit_test(a_start_behind_a_drive),
        cmocka_unit_test(fixed_speeds_of_driven_joints),
        cmocka_unit_test(what_equations_ask_for_contradicts),
        cmocka_unit_test(what_is_fixed_of_a_free_body),
        cmocka_unit_test(what_is_fixed_of_how_a_body_is_turned),
        cmocka_unit_test(what_is_fixed_of_a_body_that_joints_carry),
        cmocka_unit_test(wheels_start_as_fast_as_they_are_fixed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
