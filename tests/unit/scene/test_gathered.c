// SPDX-License-Identifier: MIT
// Bodies, joints and drives of a Modelica model as one multibody system: the same motion as a scene
// in C, and joints that belong to the equations, against closed forms and conservation laws.
#include "scenes.h"
#include "translate/run_model.h"

static const double m_ = 2, l = 0.5, J = 0.1, g = 9.81; // of Mechanics.Arm

static void open_mechanics(Run *r, const char *class) {
    char full[64];
    snprintf(full, sizeof full, "Mechanics.%s", class);
    model_open(r, "Mechanics.mo", full);
}

static void go(Run *r, const char *class) {
    open_mechanics(r, class);
    model_go(r);
}

// ------------------------------------------------------------------------------------------------
// the same as in C

typedef struct SceneCall {
    Run *run;
    const RbSceneCase *scene;
} SceneCall;

static RbStatus open_scene(void *argument) {
    SceneCall *call = argument;
    RbScene *scene;
    Fixture *f = &call->run->f;
    return rb_scene_case_model(call->scene, &f->arena, &f->diag, &call->run->model, &scene);
}

// Every bit: the same states in the same order, the same contacts at the same times.
static void billiards_are_those_of_the_scene(void **state) {
    (void)state;
    Run a, b;
    ENSURE(
        model_open_file(&a, RB_SOURCE_DIR "/examples/modelica/Billiards.mo", NULL, RB_BACKEND_TCC));
    run_open(&b, "pendulum");
    SceneCall call = {&b, rb_scene_case("billiards")};
    ENSURE(rb_protect(&b.f.heap, open_scene, &call) == RB_OK);
    b.options = a.options;
    b.options.journal_file = b.journal;
    b.options.checkpoint_file = b.checkpoint;
    a.options.stop_time = b.options.stop_time = 1;
    model_go(&a);
    model_go(&b);
    ENSURE(strcmp(a.summary.solver, "islands") == 0);
    ENSURE(a.summary.states == 208 && a.summary.state_events > 20);
    ENSURE(a.summary.state_events == b.summary.state_events);
    ENSURE(a.summary.solver_hash == b.summary.solver_hash);
    run_close(&b);
    run_close(&a);
}

// ------------------------------------------------------------------------------------------------
// who owns a joint

// The ball falls 10 mm and stays, or misses a wall.
static void a_half_space_lies_below(void **state) {
    (void)state;
    static const struct {
        double n[3];
        int axis, fallen; // along which axis; -1: past the wall
    } cases[] = {{{0, -1, 0}, 0, 1}, {{0, 0, -1}, 0, 2},  {{-1, 0, 0}, 0, 0},
                 {{0, -1, 0}, 2, 1}, {{0, -1, 0}, 3, -1}, {{0, 0, -1}, 1, -1}};
    for (int i = 0; i < 6; i++) {
        Run r;
        open_mechanics(&r, "OnTheGround");
        for (int k = 0; k < 3; k++) {
            char name[32];
            snprintf(name, sizeof name, "n[%d]", k + 1);
            ENSURE(rb_model_override(r.model, name, cases[i].n[k], &r.f.diag) == RB_OK);
        }
        ENSURE(rb_model_override(r.model, "axis", cases[i].axis, &r.f.diag) == RB_OK);
        r.options.stop_time = 0.2;
        model_go(&r);
        for (int k = 0; k < 3; k++) {
            char name[32];
            snprintf(name, sizeof name, "ball.r_0[%d]", k + 1);
            double fallen = cases[i].fallen >= 0 ? -0.01 * (k == cases[i].fallen)
                                                 : 0.5 * 9.81 * 0.2 * 0.2 * cases[i].n[k];
            ENSURE_NEAR(model_last(&r, name), 0.06 + fallen, 1e-5);
        }
        run_close(&r);
    }
}

// a hits b (e = 0.9), which hits c (e = 0.3): speeds by momentum and restitution.
static void pairs_have_no_order(void **state) {
    (void)state;
    static const char *const classes[] = {"PartsBeforeMaterials", "MaterialsBeforeParts"};
    for (int i = 0; i < 2; i++) {
        Run r;
        go(&r, classes[i]);
        double b = 2 * (1 + 0.9) / (2 + 3);
        ENSURE_NEAR(model_last(&r, "a.v_0[1]"), (2 - 0.9 * 3) / (2 + 3), 1e-3);
        ENSURE_NEAR(model_last(&r, "b.v_0[1]"), 0.5 * (1 - 0.3) * b, 1e-3);
        ENSURE_NEAR(model_last(&r, "c.v_0[1]"), 0.5 * (1 + 0.3) * b, 1e-3);
        run_close(&r);
    }
}

static double energy(double phi, double w, double inertia) {
    return 0.5 * inertia * w * w + m_ * g * l * sin(phi);
}

static void energy_is_kept(const char *class, double inertia) {
    Run r;
    open_mechanics(&r, class);
    r.options.solver = "verner6"; // loses less than BDF
    r.options.tolerance = 1e-12;
    model_go(&r);
    const double *phi = run_series(&r, "hinge.phi"), *w = run_series(&r, "hinge.w");
    double least = 0;
    ENSURE(r.summary.states == 2);
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(energy(phi[i], w[i], inertia), energy(0.3, 0, inertia), 1e-7);
        least = fmin(least, phi[i]);
    }
    ENSURE(least < -1);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-7);
    run_close(&r);
}

// Whoever owns the joint, its energy is kept; a motor over a gear adds its inertia.
static void energy_of_an_arm(void **state) {
    (void)state;
    double inertia = J + m_ * l * l;
    energy_is_kept("Swing", inertia);
    energy_is_kept("Watched", inertia);
    energy_is_kept("MotorOverGear", inertia + 900 * 1e-3);
}

// The equations of motor, gear and arm are one linear system with one unknown.
static void motor_and_arm_are_one_unknown(void **state) {
    (void)state;
    Run r;
    go(&r, "MotorOverGear");
    double inertia = J + m_ * l * l + 900 * 1e-3;
    ENSURE_NEAR(run_series(&r, "hinge.a")[0], -m_ * g * l * cos(0.3) / inertia, 1e-12);
    ENSURE_NEAR(model_last(&r, "motor.w"), 30 * model_last(&r, "hinge.w"), 1e-12);
    run_close(&r);
}

// Inverse dynamics: no states, tau = (J + m l^2) a + m g l cos(phi).
static void prescribed_motion(void **state) {
    (void)state;
    Run r;
    go(&r, "Prescribed");
    ENSURE(r.summary.states == 0);
    const double *tau = run_series(&r, "hinge.tau");
    const double *t = rb_result_times(r.result, &r.f.arena);
    for (size_t i = 0; i < r.result->row_count; i++) {
        double phi = sin(3 * t[i]), a = -9 * sin(3 * t[i]);
        ENSURE_NEAR(tau[i], (J + m_ * l * l) * a + m_ * g * l * cos(phi), 1e-11);
    }
    run_close(&r);
}

static void start_at_rest(void **state) {
    (void)state;
    Run r;
    open_mechanics(&r, "Held");
    r.options.tolerance = 1e-10;
    model_go(&r);
    const double *phi = run_series(&r, "hinge.phi"), *w = run_series(&r, "hinge.w");
    ENSURE_NEAR(m_ * g * l * cos(phi[0]), 5, 1e-9);
    ENSURE_NEAR(w[r.result->row_count - 1], 0, 1e-8);
    run_close(&r);
}

// phi_1 = -phi_2/2: one degree of freedom, whose energy is kept.
static void gear_between_two_joints(void **state) {
    (void)state;
    Run r;
    go(&r, "Coupled");
    ENSURE(r.summary.states == 2);
    const double *a = run_series(&r, "hinge[1].phi"), *b = run_series(&r, "hinge[2].phi");
    const double *w = run_series(&r, "hinge[1].w"), *w2 = run_series(&r, "hinge[2].w");
    double I1 = 0.1 + 2 * 0.25, I2 = 0.1 + 3 * 0.16;
    for (size_t i = 0; i < r.result->row_count; i++) {
        ENSURE_NEAR(b[i], -2 * a[i], 1e-10);
        double E = 0.5 * I1 * w[i] * w[i] + 0.5 * I2 * w2[i] * w2[i] +
                   g * (2 * 0.5 * sin(a[i]) + 3 * 0.4 * sin(b[i]));
        ENSURE_NEAR(E, g * (2 * 0.5 * sin(0.3) + 3 * 0.4 * sin(-0.6)), 1e-7);
    }
    run_close(&r);
}

// Nothing acts from outside: the centre of mass stays, and so does the angular momentum; what the
// motor puts in is kinetic energy.
static void floating_base(void **state) {
    (void)state;
    Run r;
    go(&r, "Floating");
    double x = model_last(&r, "base.r_0[1]"), y = model_last(&r, "base.r_0[2]");
    double angle = model_last(&r, "base.angles_0[3]") + model_last(&r, "hinge.phi");
    ENSURE_NEAR(3 * x + 2 * (x + 0.5 * cos(angle)), 2 * 0.5, 1e-7);
    ENSURE_NEAR(3 * y + 2 * (y + 0.5 * sin(angle)), 0, 1e-7);
    ENSURE(fabs(x) > 0.01);
    ENSURE_NEAR(model_last(&r, "energy.input"), model_last(&r, "hinge.phi"), 1e-7); // 1 N.m
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-7);
    run_close(&r);
}

// Each moves as it does alone: the linkage like one without the arm, the arm keeps its energy.
static void drive_beside_a_loop(void **state) {
    (void)state;
    Run a, b;
    go(&a, "BesideLoop");
    go(&b, "DriveBesideLoop");
    const double *c = run_series(&b, "crank.phi"), *k = run_series(&b, "coupler.phi"),
                 *r = run_series(&b, "rocker.phi"), *phi = run_series(&b, "hinge.phi"),
                 *w = run_series(&b, "hinge.w");
    for (size_t i = 0; i < b.result->row_count; i++) {
        double inertia = J + m_ * l * l + 0.01;
        ENSURE_NEAR(energy(phi[i], w[i], inertia), energy(0.3, 0, inertia), 1e-6);
        ENSURE_NEAR(0.3 * cos(c[i]) + 0.9 * cos(c[i] + k[i]), 1 + 0.7 * cos(r[i]), 1e-7);
        ENSURE_NEAR(0.3 * sin(c[i]) + 0.9 * sin(c[i] + k[i]), 0.7 * sin(r[i]), 1e-7);
    }
    ENSURE_NEAR(model_last(&a, "crank.phi"), model_last(&b, "crank.phi"), 1e-6);
    ENSURE(model_last(&a, "crank.phi") > 2);
    run_close(&b);
    run_close(&a);
}

// Equations that only look cost neither islands nor a single bit, and see what they would.
static void watching_changes_nothing(void **state) {
    (void)state;
    Run a, b;
    go(&a, "Balls");
    go(&b, "WatchedBalls");
    ENSURE(strcmp(a.summary.solver, "islands") == 0);
    ENSURE(strcmp(b.summary.solver, "islands") == 0);
    ENSURE(a.summary.state_events == b.summary.state_events && a.summary.state_events > 0);
    ENSURE(a.summary.solver_hash == b.summary.solver_hash);
    const double *x = run_series(&b, "ball[2].r_0[1]"), *twice = run_series(&b, "twice");
    const double *v = run_series(&b, "der(ball[1].v_0[1])"), *pull = run_series(&b, "pull");
    for (size_t k = 0; k < b.result->row_count; k++) {
        ENSURE_NEAR(twice[k], 2 * x[k], 1e-15);
        ENSURE_NEAR(pull[k], v[k], 1e-12 + 1e-12 * fabs(v[k]));
    }
    ENSURE(twice[b.result->row_count - 1] > 0.1);
    run_close(&b);
    run_close(&a);
}

// ------------------------------------------------------------------------------------------------
// contact

// A head that hits a plate: the same events, whoever owns the joint.
static void driven_bodies_touch(void **state) {
    (void)state;
    Run a, b;
    go(&a, "Hammer");
    go(&b, "WatchedHammer");
    ENSURE(a.summary.state_events > 4);
    assert_int_equal(a.summary.state_events, b.summary.state_events);
    ENSURE_NEAR(model_last(&a, "hinge.phi"), model_last(&b, "hinge.phi"), 1e-5);
    run_close(&b);
    run_close(&a);
}

// Equations that move a body do not take it through a thin plate, whatever the step.
static void nothing_tunnels(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        Run r;
        open_mechanics(&r, "WatchedHammer");
        run_set(&r, "thickness", 4e-3);
        run_set(&r, "d", 0.01);
        run_set(&r, "hinge.w", -5 - 3 * i); // passes head and plate in 1 ms to 6 ms
        r.options.stop_time = 0.3;
        model_go(&r);
        const double *phi = run_series(&r, "hinge.phi");
        double least = 1;
        for (size_t k = 0; k < r.result->row_count; k++) least = fmin(least, phi[k]);
        ENSURE(least < -0.1 && least > -0.12); // it is met at asin(-0.055/0.5)
        run_close(&r);
    }
}

// ------------------------------------------------------------------------------------------------
// signals

// m z'' = 8 (2 - z) - 8 z', through a sensor of each level and a force: z = 2 - (1 + 2 t) exp(-2 t),
// whatever the equations know of the body.
static void force_from_sensors(void **state) {
    (void)state;
    static const char *const classes[] = {"Hover", "HoverByBody"};
    for (int i = 0; i < 2; i++) {
        Run r;
        open_mechanics(&r, classes[i]);
        r.options.solver = "verner6";
        r.options.tolerance = 1e-12;
        model_go(&r);
        const double *z = run_series(&r, "height"), *a = run_series(&r, "up");
        const double *t = rb_result_times(r.result, &r.f.arena);
        for (size_t k = 0; k < r.result->row_count; k++) {
            ENSURE_NEAR(z[k], 2 - (1 + 2 * t[k]) * exp(-2 * t[k]), 1e-7);
            ENSURE_NEAR(a[k], (4 - 8 * t[k]) * exp(-2 * t[k]), 1e-6);
        }
        ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6);
        run_close(&r);
    }
}

// What a sensor shows is what the closed form says: on an arm that turns at constant speed.
static void sensors_on_a_turning_arm(void **state) {
    (void)state;
    Run r;
    go(&r, "Turning");
    const double *t = rb_result_times(r.result, &r.f.arena);
    const double *x = run_series(&r, "r.r[1]"), *y = run_series(&r, "r.r[2]");
    const double *vx = run_series(&r, "v.v[1]"), *along = run_series(&r, "v_a.v[2]");
    const double *ax = run_series(&r, "a_a.a[1]"), *angle = run_series(&r, "angles.angles[3]");
    const double *w = run_series(&r, "w.w[3]"), *d = run_series(&r, "distance.distance");
    const double *rate = run_series(&r, "rate.distance_rate"),
                 *seen = run_series(&r, "seen.v_rel[1]");
    for (size_t k = 0; k < r.result->row_count; k++) {
        double phi = 2 * t[k], c = cos(phi), s = sin(phi); // the tip at 1 m, w = 2 rad/s
        ENSURE_NEAR(x[k], c, 1e-9);
        ENSURE_NEAR(y[k], s, 1e-9);
        ENSURE_NEAR(vx[k], -2 * s, 1e-9);
        ENSURE_NEAR(along[k], 2, 1e-9);
        ENSURE_NEAR(ax[k], -4, 1e-8);
        ENSURE_NEAR(remainder(angle[k] - phi, 2 * acos(-1)), 0, 1e-9);
        ENSURE_NEAR(w[k], 2, 1e-12);
        double length = sqrt((c - 3) * (c - 3) + s * s); // to a post at x = 3 m
        ENSURE_NEAR(d[k], length, 1e-9);
        ENSURE_NEAR(rate[k], (-2 * s * (c - 3) + 2 * s * c) / length, 1e-8);
        ENSURE_NEAR(seen[k], -2 * s, 1e-9);
    }
    run_close(&r);
}

// A mass between two springs: its frequency is that of both together; a damper takes what the
// account says.
static void springs_and_dampers(void **state) {
    (void)state;
    Run r;
    go(&r, "Springs");
    const double *t = rb_result_times(r.result, &r.f.arena), *x = run_series(&r, "mass.r_0[1]");
    for (size_t k = 0; k < r.result->row_count; k++)
        ENSURE_NEAR(x[k], 0.1 * cos(sqrt(300.0 / 2) * t[k]), 1e-6);
    run_close(&r);
}

// v = v0 exp(-d t/m), and all that is lost of m v^2/2 goes through the heat port. The damper behind a stiff spring lags by d/c.
static void dampers_give_heat(void **state) {
    (void)state;
    Run r;
    go(&r, "Warm");
    double heat = 2 * 3 * 3 / 2 * (1 - exp(-4));
    ENSURE_NEAR(model_last(&r, "oil[1].T"), 300 + heat / 10, 1e-7);
    ENSURE_NEAR(model_last(&r, "oil[2].T"), 300 + heat / 10, 1e-7);
    ENSURE_NEAR(model_last(&r, "oil[3].T"), 300 + heat / 10, 0.9 * 2 * 4 / 1e5 * 4 / 2);
    ENSURE_NEAR(model_last(&r, "energy.dampers"), 2 * heat, 1e-7);
    run_close(&r);
}

// Each of rigidly connected parts feels the field where it is: the torque at the start, then energy and angular momentum.
static void parts_in_a_field_that_varies(void **state) {
    (void)state;
    Run r;
    go(&r, "Dumbbell");
    double torque = 0, force = -40.0 * 1 / 9;
    for (int side = -1; side <= 1; side += 2) {
        double x = 3 + side * 0.6, y = side * 0.8, f = -40.0 * 2 / pow(x * x + y * y, 1.5);
        torque += side * (0.6 * f * y - 0.8 * f * x);
        force += f * x;
    }
    ENSURE_NEAR(run_series(&r, "der(middle.w_0[3])")[0], torque / (0.1 + 4), 1e-8);
    ENSURE_NEAR(run_series(&r, "der(middle.v_0[1])")[0], force / 5, 1e-12);
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-7);
    double L = 5 * (model_last(&r, "middle.r_0[1]") * model_last(&r, "middle.v_0[2]") -
                    model_last(&r, "middle.r_0[2]") * model_last(&r, "middle.v_0[1]"));
    ENSURE_NEAR(L + (0.1 + 4) * model_last(&r, "middle.w_0[3]"), 5 * 3 * 3.6, 1e-6);
    run_close(&r);
}

// ------------------------------------------------------------------------------------------------
// parts with sizes, elements inside of joints

// At rest with the centre of mass at the height of the hinge: a = -m g l/(J + m l^2).
static double pendulum_acceleration(double m, double at, double inertia) {
    return -m * g * at / (inertia + m * at * at);
}

// J of boxes and pipes about z is that of the book. The one that is turned about y shows its length
// and its height; the shape of a body with a given mass adds none.
static void masses_of_shapes(void **state) {
    (void)state;
    Run r;
    go(&r, "Shaped");
    const double L = 0.6, w = 0.2, h = 0.1, rho = 1000, pi = acos(-1);
    double mo = rho * L * w * h, mi = mo / 4;
    double box = (mo * (L * L + w * w) - mi * (L * L + w * w / 4)) / 12;
    ENSURE_NEAR(run_series(&r, "a.a")[0], pendulum_acceleration(mo - mi, L / 2, box), 1e-9);
    // principal moments about the length, the width (y) and the height
    double along = mo * (w * w + h * h) / 12, across = mo * (L * L + w * w) / 12;
    double skew = 0.6 * 0.6 * along + 0.8 * 0.8 * across; // the length stands at asin(0.6)
    ENSURE_NEAR(run_series(&r, "b.a")[0], pendulum_acceleration(mo, 0.24, skew), 1e-9);
    double co = rho * pi * L * 0.01, ci = co / 4;
    double pipe = (co * (L * L + 0.03) - ci * (L * L + 0.0075)) / 12;
    ENSURE_NEAR(run_series(&r, "c.a")[0], pendulum_acceleration(co - ci, L / 2, pipe), 1e-9);
    ENSURE_NEAR(run_series(&r, "d.a")[0], pendulum_acceleration(2, 0.3, 0.1), 1e-9);
    run_close(&r);
}

// A body with a given mass and the shape of a solid hits like that solid.
static void shapes_of_bodies_touch(void **state) {
    (void)state;
    Run a, b;
    go(&a, "Hammer");
    go(&b, "ShapedHammer");
    assert_int_equal(a.summary.state_events, b.summary.state_events);
    ENSURE_NEAR(model_last(&a, "hinge.phi"), model_last(&b, "hinge.phi"), 1e-5);
    run_close(&b);
    run_close(&a);
}

// A box and a cylinder reach from r_shape along their lengths: what falls on their ends comes back.
static void bodies_of_density_touch_where_they_are(void **state) {
    (void)state;
    Run r;
    go(&r, "Bars");
    for (int k = 1; k <= 4; k++) {
        char hits[32], falls[32];
        snprintf(hits, sizeof hits, "hits[%d].r_0[2]", k);
        snprintf(falls, sizeof falls, "falls[%d].r_0[2]", k);
        ENSURE(model_last(&r, hits) > 0.0999);
        ENSURE_NEAR(model_last(&r, falls), 0.2 - 9.81 * 0.2 * 0.2 / 2, 1e-9);
    }
    run_close(&r);
}

// s = rest + x0 exp(-D t) (cos + D/w sin); a stop sends a wheel back with the same speed after half a
// period of the wheel on its spring.
static void springs_in_joints(void **state) {
    (void)state;
    Run r;
    go(&r, "InJoints");
    const double *t = rb_result_times(r.result, &r.f.arena), *s = run_series(&r, "slide.s");
    const double *phi = run_series(&r, "turn.phi");
    double D = 2 / (2 * 2.0), w = sqrt(50 / 2.0 - D * D), W = sqrt(1000 / 0.1), pi = acos(-1);
    for (size_t k = 0; k < r.result->row_count; k++) {
        double x = exp(-D * t[k]) * (cos(w * t[k]) + D / w * sin(w * t[k]));
        ENSURE_NEAR(s[k], 0.2 + 0.3 * x, 1e-7);
        // period: twice the way between the stops, and half a period at each of them
        double period = 2 * (0.3 + pi / W), at = fmod(t[k] - 0.2, period), half = period / 2;
        if (t[k] < 0.2) {
            ENSURE_NEAR(phi[k], t[k], 1e-7);
            continue;
        }
        double side = at < half ? 1 : -1, inside = at < half ? at : at - half;
        double wanted = inside < pi / W ? sin(W * inside) / W : -(inside - pi / W);
        ENSURE_NEAR(phi[k], (side > 0 ? 0.2 : -0.1) + side * wanted, 1e-6);
    }
    ENSURE_NEAR(model_last(&r, "energy.residual"), 0, 1e-6);
    run_close(&r);
}

// Each axis alone: m x'' + d x' + c x = 0.
static void axes_of_a_bushing(void **state) {
    (void)state;
    Run r;
    go(&r, "OnBushing");
    const double *t = rb_result_times(r.result, &r.f.arena);
    const double *x = run_series(&r, "body.r_0[1]"), *y = run_series(&r, "body.r_0[2]");
    const double *angle = run_series(&r, "body.angles_0[3]");
    double D = 4 / (2 * 2.0), w = sqrt(200 / 2.0 - D * D);
    for (size_t k = 0; k < r.result->row_count; k++) {
        ENSURE_NEAR(x[k], 0.01 * exp(-D * t[k]) * (cos(w * t[k]) + D / w * sin(w * t[k])), 1e-8);
        ENSURE_NEAR(y[k], 0.02 * cos(20 * t[k]), 1e-8);
        ENSURE_NEAR(angle[k], 0.01 * cos(10 * t[k]), 1e-8);
    }
    run_close(&r);
}

// The speed and the force of a Maxwell element on a mass: m v' = -f, f' = c v - c/d f; so
// f'' + c/d f' + c/m f = 0 from f = 0, f' = c v.
static void spring_behind_a_damper(void **state) {
    (void)state;
    Run r;
    go(&r, "Maxwell");
    const double *t = rb_result_times(r.result, &r.f.arena), *f = run_series(&r, "maxwell.f");
    double c = 50, d = 4, m = 2, D = c / d / 2, w = sqrt(D * D - c / m);
    for (size_t k = 0; k < r.result->row_count; k++)
        ENSURE_NEAR(f[k], c / w * exp(-D * t[k]) * sinh(w * t[k]), 1e-6);
    run_close(&r);
}

// ------------------------------------------------------------------------------------------------
// the language around it

// Arrays of models with parts inside, a conditional body, connections over two levels: each is a
// mathematical pendulum, and a weight at the same place changes nothing.
static void parts_in_arrays(void **state) {
    (void)state;
    Run r;
    go(&r, "Clock");
    const double L[] = {0.5, 1, 2};
    const double *t = rb_result_times(r.result, &r.f.arena);
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "pendulum[%d].hinge.phi", i + 1);
        const double *phi = run_series(&r, name);
        // Period of a pendulum to second order of its amplitude.
        double w = sqrt(g / L[i]) * (1 - 0.01 / 16);
        for (size_t k = 0; k < r.result->row_count; k++)
            ENSURE_NEAR(phi[k], 0.1 * cos(w * t[k]), 2e-3);
    }
    run_close(&r);
}

// A redeclared joint that extends one and carries its damper with it.
static void joints_can_be_extended(void **state) {
    (void)state;
    Run r;
    open_mechanics(&r, "Replaced");
    r.options.tolerance = 1e-10; // what Arm says is not inherited
    model_go(&r);
    double phi = model_last(&r, "hinge.phi"), w = model_last(&r, "hinge.w");
    double lost = energy(0.3, 0, 0.6) - energy(phi, w, 0.6);
    ENSURE(lost > 1);
    ENSURE_NEAR(model_last(&r, "energy.input"), -lost, 1e-7);
    run_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_half_space_lies_below),
        cmocka_unit_test(pairs_have_no_order),
        cmocka_unit_test(billiards_are_those_of_the_scene),
        cmocka_unit_test(energy_of_an_arm),
        cmocka_unit_test(motor_and_arm_are_one_unknown),
        cmocka_unit_test(prescribed_motion),
        cmocka_unit_test(start_at_rest),
        cmocka_unit_test(gear_between_two_joints),
        cmocka_unit_test(floating_base),
        cmocka_unit_test(drive_beside_a_loop),
        cmocka_unit_test(watching_changes_nothing),
        cmocka_unit_test(driven_bodies_touch),
        cmocka_unit_test(nothing_tunnels),
        cmocka_unit_test(force_from_sensors),
        cmocka_unit_test(sensors_on_a_turning_arm),
        cmocka_unit_test(springs_and_dampers),
        cmocka_unit_test(dampers_give_heat),
        cmocka_unit_test(parts_in_a_field_that_varies),
        cmocka_unit_test(masses_of_shapes),
        cmocka_unit_test(shapes_of_bodies_touch),
        cmocka_unit_test(bodies_of_density_touch_where_they_are),
        cmocka_unit_test(springs_in_joints),
        cmocka_unit_test(axes_of_a_bushing),
        cmocka_unit_test(spring_behind_a_damper),
        cmocka_unit_test(parts_in_arrays),
        cmocka_unit_test(joints_can_be_extended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
