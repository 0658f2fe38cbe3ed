// SPDX-License-Identifier: MIT
// label: normal
// Bodies that turn: top, free rotation, double pendulum, rattleback.
#include "stand.h"

static RbSceneObject free_body(const char *name, double mass, Vec3 moments) {
    RbSceneObject o = rb_body(name, (RbMassProperties){.mass = mass, .I_CM = m3_diagonal(moments)});
    o.object.moves_freely = true;
    return o;
}

// A symmetric top whose tip stands in a ball joint, leaning by a and turning about its axis and
// about the vertical so that the lean stays: with W the precession and w3 the spin along the axis,
//     (I1 - I3) W^2 cos a - I3 ws W + m g l = 0,   ws the spin relative to the precessing frame
//     (Goldstein, section 5.7)
// The moments I1 are about the tip. After the time t the axis has turned about z by W t exactly.
static void leaning_top_precesses(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    double m = 0.5, l = 0.08, J1 = 4e-4, J3 = 3e-4, a = 0.6, W = 2, g = 9.81;
    double I1 = J1 + m * l * l, I3 = J3;
    double ws = ((I1 - I3) * W * W * cos(a) + m * g * l) / (I3 * W);
    s.scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    RbSceneObject top = rb_body(
        "top",
        (RbMassProperties){.mass = m, .r_CM = v3(0, 0, l), .I_CM = m3_diagonal(v3(J1, J1, J3))});
    top.object.parent = -1;
    int object = rb_scene_add(s.scene, top);
    RbObjectJoint tip = rb_scene_joint("tip", RB_JOINT_SPHERICAL, 0, object, V3_ZERO);
    q_store(tip.q, q_rotation(v3(0, 1, 0), a)); // the axis leans towards x
    Vec3 axis = v3(sin(a), 0, cos(a));
    v3_store(tip.v, v3_add(v3_scale(ws, axis), v3(0, 0, W)));
    rb_scene_add_joint(s.scene, tip);
    double t = 3;
    stand_run(&s, t, 1e-10);
    Vec3 now = q_rotate(q_unit(stand_quat(&s, "tip")), v3(0, 0, 1));
    ENSURE_NEAR(now.x, sin(a) * cos(W * t), 1e-6);
    ENSURE_NEAR(now.y, sin(a) * sin(W * t), 1e-6);
    ENSURE_NEAR(now.z, cos(a), 1e-6);
    stand_close(&s);
}

// The arithmetic-geometric mean gives K(k) and, by descending Landen transformations, sn, cn and
// dn.
static void jacobi(double u, double k, double *sn, double *cn, double *dn) {
    double a[20], c[20], b = sqrt(1 - k * k);
    int n = 0;
    a[0] = 1, c[0] = k;
    while (fabs(c[n]) > 1e-16 && n < 18) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n);
    for (int i = n; i > 0; i--) phi = 0.5 * (phi + asin(c[i] * sin(phi) / a[i]));
    *sn = sin(phi), *cn = cos(phi), *dn = sqrt(1 - k * k * *sn * *sn);
}

// Euler's free body, I1 < I2 < I3, started near the middle axis so that L^2 > 2 T I2: the body
// components of the angular velocity are w3 = c dn(p t + u0), w2 = b sn(..), w1 = a cn(..) (Landau
// and Lifshitz, Mechanics, section 37; sign as the equations demand).
static void rotation_about_the_middle_axis_is_eulers(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = (RbGravity){.kind = RB_GRAVITY_NONE};
    double I1 = 1, I2 = 2, I3 = 3;
    Vec3 w = v3(0, 4, 0.2);
    // At t = 0 with w1 = 0 the phase is a quarter period: cn = 0, sn = 1.
    double T2 = I1 * w.x * w.x + I2 * w.y * w.y + I3 * w.z * w.z;
    double L2 = I1 * I1 * w.x * w.x + I2 * I2 * w.y * w.y + I3 * I3 * w.z * w.z;
    double p = sqrt((I3 - I2) * (L2 - T2 * I1) / (I1 * I2 * I3));
    double k = sqrt((I2 - I1) * (T2 * I3 - L2) / ((I3 - I2) * (L2 - T2 * I1)));
    double A = sqrt((T2 * I3 - L2) / (I1 * (I3 - I1))), B = sqrt((T2 * I3 - L2) / (I2 * (I3 - I2))),
           C = sqrt((L2 - T2 * I1) / (I3 * (I3 - I1)));
    RbSceneObject body = free_body("body", 2, v3(I1, I2, I3));
    body.object.angular_velocity = w;
    rb_scene_add(s.scene, body);
    double t = 5;
    stand_run(&s, t, 1e-10);
    Quat q = q_unit(stand_quat(&s, "body"));
    Vec3 w_W = stand_vector(&s, "body", "w"), w_B = q_unrotate(q, w_W);
    // Quarter period K = pi / (2 agm(1, k'))
    double x = 1, y = sqrt(1 - k * k);
    for (int i = 0; i < 10; i++) {
        double mean = 0.5 * (x + y);
        y = sqrt(x * y);
        x = mean;
    }
    double K = M_PI / (2 * x), sn, cn, dn;
    jacobi(p * t + K, k, &sn, &cn, &dn);
    // With w2, w3 > 0 at the start, dw1/dt = (I2 - I3)/I1 w2 w3 < 0, as cn falls through zero.
    ENSURE_NEAR(w_B.x, A * cn, 2e-6);
    ENSURE_NEAR(w_B.y, B * sn, 2e-6);
    ENSURE_NEAR(w_B.z, C * dn, 2e-6);
    Vec3 L_B = v3(I1 * w_B.x, I2 * w_B.y, I3 * w_B.z), L_W = q_rotate(q, L_B);
    ENSURE_NEAR(v3_norm(v3_sub(L_W, v3(0, I2 * 4, I3 * 0.2))), 0, 1e-6);
    ENSURE_NEAR(v3_dot(w_B, L_B), T2, 1e-6);
    stand_close(&s);
}

static void double_pendulum_keeps_its_energy(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    int previous = 0;
    for (int i = 0; i < 2; i++) {
        RbSceneObject arm = rb_body(i ? "arm2" : "arm1",
                                    (RbMassProperties){.mass = 1,
                                                       .r_CM = v3(0.5, 0, 0),
                                                       .I_CM = m3_diagonal(v3(1e-3, 0.02, 0.02))});
        arm.object.parent = -1;
        int object = rb_scene_add(s.scene, arm), from = previous;
        if (i == 1)
            from =
                rb_scene_add(s.scene, rb_frame_object("elbow", previous,
                                                      (Pose){.R = M3_IDENTITY, .r = v3(1, 0, 0)}));
        RbObjectJoint hinge =
            rb_scene_joint(i ? "hinge2" : "hinge1", RB_JOINT_REVOLUTE, from, object, v3(0, 0, 1));
        hinge.q[0] = i ? 1 : 0.5;
        rb_scene_add_joint(s.scene, hinge);
        previous = object;
    }
    s.options.solver = "dp5";
    stand_run(&s, 10, 1e-12);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-9);
    ENSURE(fabs(stand_state(&s, "hinge2.w")) > 1e-3); // it does move
    stand_close(&s);
}

// Spun one way it rattles and turns back, spun the other way it goes on: the inertia is turned by
// -5 degrees about z against the ellipsoid, so positive spin is the one that cannot last (Bondi
// 1986).
static double spin_after(double w, double t) {
    Stand s;
    stand_open_case(&s, "rattleback");
    s.scene->objects.data[2].object.angular_velocity = v3(0, 0.1, w);
    stand_run(&s, t, 1e-8);
    double out = stand_state(&s, "rattleback.w[3]");
    stand_close(&s);
    return out;
}

static void rattleback_turns_back_in_one_direction_only(void **state) {
    (void)state;
    double forth = spin_after(5, 6), back = spin_after(-5, 6);
    print_message("spin after 6 s: %g and %g rad/s\n", forth, back);
    ENSURE(forth < -0.5);
    ENSURE(back < -0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaning_top_precesses),
        cmocka_unit_test(rotation_about_the_middle_axis_is_eulers),
        cmocka_unit_test(double_pendulum_keeps_its_energy),
        cmocka_unit_test(rattleback_turns_back_in_one_direction_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
