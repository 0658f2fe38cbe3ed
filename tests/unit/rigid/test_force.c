// SPDX-License-Identifier: MIT
// Force elements: each one's forces do the work that its ledger says; action equals reaction;
// sensors agree with difference quotients.
#include "trees.h"

#include "rigid/force_bushing.h"
#include "rigid/force_gravity.h"
#include "rigid/force_joint.h"
#include "rigid/force_spring.h"
#include "rigid/force_world.h"
#include "rigid/sensor.h"

enum { BODIES = 4, TRIALS = 100 };

static const double step = 1e-5; // [s]

typedef struct World {
    Fixture f;
    RbTree tree;
    RbKin kin;
    double q[MAX_STATE], v[MAX_V];
    Wrench forces[BODIES + 1];
    double tau[MAX_V];
    RbLedger ledger;
    void (*apply)(struct World *, double t);
    const void *element;
} World;

static void world_open(World *w, uint64_t seed) {
    fixture_open(&w->f);
    RbRng rng = rb_rng(seed);
    w->tree = random_tree(&rng, &w->f.arena, BODIES, true);
    w->kin = rb_kin(&w->tree, &w->f.arena);
    random_state(&rng, &w->tree, w->q, w->v);
}

static RbFrame random_frame(RbRng *rng) {
    RbFrame frame = {.body = rb_rng_int(rng, BODIES + 1)};
    Vec3 r = random_vec(rng);
    frame.X_BF = pose(r, rb_rng_orientation(rng));
    return frame;
}

static void evaluate(World *w, const double *q, double t) {
    rb_kin_positions(&w->tree, q, &w->kin);
    rb_kin_velocities(&w->tree, w->v, &w->kin);
    memset(w->forces, 0, sizeof w->forces);
    memset(w->tau, 0, sizeof w->tau);
    w->ledger = (RbLedger){0};
    w->apply(w, t);
}

// Potential after moving with the present speeds for time h.
static double potential_after(World *w, double h) {
    double dq[MAX_STATE], q[MAX_STATE];
    rb_tree_rates(&w->tree, w->q, w->v, dq);
    for (int i = 0; i < w->tree.nq; i++) q[i] = w->q[i] + 0.5 * h * dq[i];
    rb_tree_rates(&w->tree, q, w->v, dq);
    for (int i = 0; i < w->tree.nq; i++) q[i] = w->q[i] + h * dq[i];
    evaluate(w, q, 0);
    return w->ledger.potential;
}

static void ensure_balance(World *w) {
    double change = (potential_after(w, step) - potential_after(w, -step)) / (2 * step);
    evaluate(w, w->q, 0);
    double power = 0, size = 1;
    for (int i = 1; i <= BODIES; i++) power += wr_power(w->forces[i], w->kin.bodies[i].V);
    for (int k = 0; k < w->tree.nv; k++) power += w->tau[k] * w->v[k];
    for (int i = 1; i <= BODIES; i++) size += v3_norm(w->forces[i].t) + v3_norm(w->forces[i].f);
    ENSURE_NEAR(power, w->ledger.input - w->ledger.dissipated - change, 1e-7 * size);
}

static void apply_gravity(World *w, double t) {
    (void)t;
    rb_force_gravity(w->element, &w->tree, &w->kin, w->forces, &w->ledger);
}
static void apply_spring(World *w, double t) {
    (void)t;
    rb_force_spring(w->element, &w->kin, w->forces, &w->ledger);
}
static void apply_bushing(World *w, double t) {
    (void)t;
    rb_force_bushing(w->element, &w->kin, w->forces, &w->ledger);
}
static void apply_world(World *w, double t) {
    rb_force_world(w->element, t, &w->kin, w->forces, &w->ledger);
}
static void apply_joint(World *w, double t) {
    (void)t;
    rb_force_joint(w->element, w->q, w->v, w->tau, &w->ledger);
}

static double cubic(double x, void *user) {
    (void)user;
    return 3 * x * x * x;
}
static Vec3 some_force(double t, void *user) {
    (void)user;
    return v3(1 + t, -2, 0.5);
}

static void gravity_balances(void **state) {
    (void)state;
    for (int t = 0; t < TRIALS; t++) {
        World w;
        world_open(&w, (uint64_t)t);
        RbGravity gravity = t % 2 ? rb_gravity_uniform(9.81, v3(1, -2, 0.5)) : rb_gravity_point(50);
        w.apply = apply_gravity;
        w.element = &gravity;
        ensure_balance(&w);
        fixture_close(&w.f);
    }
}

static void springs_balance(void **state) {
    (void)state;
    for (int t = 0; t < TRIALS; t++) {
        World w;
        world_open(&w, (uint64_t)t);
        RbRng rng = rb_rng(1000 + (uint64_t)t);
        RbSpring spring = {.a = random_frame(&rng),
                           .b = random_frame(&rng),
                           .nominal_length = 0.4,
                           .nominal_force = 0.3,
                           .spring = rb_linear(5),
                           .damper = rb_linear(2)};
        if (t % 2) spring.spring.value = spring.damper.value = cubic;
        w.apply = apply_spring;
        w.element = &spring;
        ensure_balance(&w);
        ENSURE(w.ledger.dissipated >= 0);
        fixture_close(&w.f);
    }
}

static void bushings_balance(void **state) {
    (void)state;
    for (int t = 0; t < TRIALS; t++) {
        World w;
        world_open(&w, (uint64_t)t);
        RbRng rng = rb_rng(2000 + (uint64_t)t);
        RbBushing b = {.a = random_frame(&rng),
                       .b = random_frame(&rng),
                       .nominal_force = {1, 2, 3},
                       .nominal_torque = {0.1, 0, -0.2},
                       .large_angles = t % 2};
        for (int i = 0; i < 3; i++) {
            b.spring[i] = rb_linear(3 + i);
            b.damper[i] = rb_linear(1 + i);
            b.angular_spring[i] = rb_linear(2 - 0.5 * i);
            b.angular_damper[i] = rb_linear(0.5 * i);
        }
        b.spring[1].value = cubic;
        w.apply = apply_bushing;
        w.element = &b;
        ensure_balance(&w);
        fixture_close(&w.f);
    }
}

static void outer_forces_balance(void **state) {
    (void)state;
    for (int t = 0; t < TRIALS; t++) {
        World w;
        world_open(&w, (uint64_t)t);
        RbRng rng = rb_rng(3000 + (uint64_t)t);
        RbWorldForce e = {.apply = random_frame(&rng),
                          .axes = random_frame(&rng),
                          .force = some_force,
                          .torque = some_force};
        w.apply = apply_world;
        w.element = &e;
        ensure_balance(&w);
        fixture_close(&w.f);
    }
}

static void joint_forces_balance(void **state) {
    (void)state;
    for (int t = 0; t < TRIALS; t++) {
        World w;
        world_open(&w, (uint64_t)t);
        RbJointForce e = {.spring = rb_linear(7),
                          .damper = rb_linear(0.3),
                          .rest = 0.2,
                          .lower = -0.3,
                          .upper = 0.3,
                          .stop_stiffness = 40,
                          .stop_damping = t % 3};
        w.apply = apply_joint;
        w.element = &e; // along x of the floating base
        evaluate(&w, w.q, 0);
        double slope[2], x = w.q[0];
        for (int k = 0; k < 2; k++) {
            w.q[0] = x + (k ? step : -step) * w.v[0];
            evaluate(&w, w.q, 0);
            slope[k] = w.ledger.potential;
        }
        w.q[0] = x;
        evaluate(&w, w.q, 0);
        ENSURE_NEAR(w.tau[0] * w.v[0], -w.ledger.dissipated - (slope[1] - slope[0]) / (2 * step),
                    1e-6);
        ENSURE(w.ledger.dissipated >= 0);
        fixture_close(&w.f);
    }
}

// Forces between two bodies add up to nothing.
static void action_equals_reaction(void **state) {
    (void)state;
    for (int t = 0; t < TRIALS; t++) {
        World w;
        world_open(&w, (uint64_t)t);
        RbRng rng = rb_rng(4000 + (uint64_t)t);
        RbFrame a = random_frame(&rng), b = random_frame(&rng);
        a.body = 1 + rb_rng_int(&rng, BODIES);
        b.body = 1 + rb_rng_int(&rng, BODIES);
        RbBushing bushing = {.a = a,
                             .b = b,
                             .nominal_force = {1, 2, 3},
                             .nominal_torque = {4, 5, 6},
                             .large_angles = true};
        RbSpring spring = {.a = a, .b = b, .nominal_force = 2};
        for (int k = 0; k < 2; k++) {
            w.apply = k ? apply_spring : apply_bushing;
            w.element = k ? (void *)&spring : (void *)&bushing;
            evaluate(&w, w.q, 0);
            Wrench sum = WRENCH_ZERO;
            for (int i = 1; i <= BODIES; i++)
                sum = wr_add(sum, wr_shift(w.forces[i], w.kin.bodies[i].X.r));
            ensure_vec_near(sum.f, V3_ZERO, 1e-13);
            ensure_vec_near(sum.t, V3_ZERO, 1e-12);
        }
        fixture_close(&w.f);
    }
}

// With axes and observer in one frame, velocity and acceleration are the derivatives of the
// components.
static void sensors_measure_derivatives(void **state) {
    (void)state;
    for (int t = 0; t < TRIALS; t++) {
        World w;
        world_open(&w, (uint64_t)t);
        RbRng rng = rb_rng(5000 + (uint64_t)t);
        RbSensor s = {
            .object = random_frame(&rng), .origin = random_frame(&rng), .axes = random_frame(&rng)};
        s.observer = s.axes;
        double dv[MAX_V] = {0}, dq[MAX_STATE], q[MAX_STATE];
        RbSensorPositions p[2];
        RbSensorVelocities v[2];
        for (int k = 0; k < 2; k++) {
            double h = k ? step : -step;
            rb_tree_rates(&w.tree, w.q, w.v, dq);
            for (int i = 0; i < w.tree.nq; i++) q[i] = w.q[i] + 0.5 * h * dq[i];
            rb_tree_rates(&w.tree, q, w.v, dq);
            for (int i = 0; i < w.tree.nq; i++) q[i] = w.q[i] + h * dq[i];
            rb_kin_positions(&w.tree, q, &w.kin);
            rb_kin_velocities(&w.tree, w.v, &w.kin);
            p[k] = rb_sensor_positions(&s, &w.kin);
            v[k] = rb_sensor_velocities(&s, &w.kin);
        }
        rb_kin_positions(&w.tree, w.q, &w.kin);
        rb_kin_velocities(&w.tree, w.v, &w.kin);
        rb_kin_accelerations(&w.tree, dv, &w.kin);
        RbSensorVelocities velocity = rb_sensor_velocities(&s, &w.kin);
        RbSensorAccelerations acceleration = rb_sensor_accelerations(&s, &w.kin);
        double tol = 1e-6;
        ensure_vec_near(v3_scale(0.5 / step, v3_sub(p[1].translation, p[0].translation)),
                        velocity.velocity, tol);
        ENSURE_NEAR(0.5 / step * (p[1].distance - p[0].distance), velocity.distance_rate, tol);
        ensure_vec_near(v3_scale(0.5 / step, v3_sub(v[1].velocity, v[0].velocity)),
                        acceleration.acceleration, tol);
        ensure_vec_near(v3_scale(0.5 / step, v3_sub(v[1].angular_velocity, v[0].angular_velocity)),
                        acceleration.angular_acceleration, tol);
        ENSURE_NEAR(0.5 / step * (v[1].distance_rate - v[0].distance_rate),
                    acceleration.distance_acceleration, 1e-5);
        fixture_close(&w.f);
    }
}

static void stops_push_and_never_pull(void **state) {
    (void)state;
    RbJointForce e = {.lower = -1, .upper = 2, .stop_stiffness = 10};
    double q = 2.5, v = -100, tau = 0;
    RbLedger ledger = {0};
    e.stop_damping = 1;
    ENSURE_NEAR(rb_force_joint(&e, &q, &v, &tau, &ledger), 0,
                0); // leaves too fast to be pushed: no pull
    v = 0;
    ENSURE_NEAR(rb_force_joint(&e, &q, &v, &tau, &ledger), -5, 1e-15);
    ENSURE_NEAR(tau, -5, 1e-15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gravity_balances),
        cmocka_unit_test(springs_balance),
        cmocka_unit_test(bushings_balance),
        cmocka_unit_test(outer_forces_balance),
        cmocka_unit_test(joint_forces_balance),
        cmocka_unit_test(action_equals_reaction),
        cmocka_unit_test(sensors_measure_derivatives),
        cmocka_unit_test(stops_push_and_never_pull),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
