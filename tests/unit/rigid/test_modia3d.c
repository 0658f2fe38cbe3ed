// SPDX-License-Identifier: MIT
// Final states published with the test models of Modia3D (cases basic-*, force-*, tutorial-*
// without contact), compared by their rule |x - ref| <= 1e-3 max(|x|, |ref|) over the whole vector;
// the corrected value where the published one contains a defect.
#include "scene_for_tests.h"

static void ensure_states(const double *x, const double *ref, int n) {
    double difference = 0, size_x = 0, size_ref = 0;
    for (int i = 0; i < n; i++) {
        difference += (x[i] - ref[i]) * (x[i] - ref[i]);
        size_x += x[i] * x[i];
        size_ref += ref[i] * ref[i];
    }
    ENSURE_NEAR(sqrt(difference), 0, 1e-3 * sqrt(fmax(size_x, size_ref)));
}

// Twelve numbers of a free body as published: translation, velocity, Cardan angles (whole turns as
// in the reference), angular velocity in the parent.
static void free_states(Scene *s, int object, const double *ref, double *x) {
    const RbJoint *j = rb_tree_joint(&s->s.tree, s->s.frame[object].body);
    const double *q = scene_q(s) + j->q, *v = scene_v(s) + j->v;
    Vec3 angles = q_to_cardan(q_load(q + 3));
    double turn = 4 * acos(0.0);
    for (int i = 0; i < 3; i++) {
        x[i] = q[i];
        x[3 + i] = v[i];
        x[6 + i] = v3_get(angles, i);
        x[6 + i] += turn * round((ref[6 + i] - x[6 + i]) / turn);
        x[9 + i] = v[3 + i];
    }
}

static void pendulum(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    int body = scene_object(&s, "body", -1, V3_ZERO),
        frame = scene_object(&s, "bodyFrame", body, v3(-0.5, 0, 0));
    scene_mass(&s, body, 1, V3_ZERO);
    scene_joint(&s, RB_JOINT_REVOLUTE, 0, frame, v3(0, 0, 1));
    scene_build(&s);
    scene_run(&s, 0, 3, 300, 1e-10);
    double x[] = {scene_v(&s)[0], scene_q(&s)[0]}, ref[] = {5.970529829666215, -1.1395482781332746};
    ensure_states(x, ref, 2);
    fixture_close(&s.f);
}

// Closed form as well: free flight.
static void box_planar_motion(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    s.gravity = rb_gravity_uniform(1, v3(0, -1, 0));
    int tx = scene_object(&s, "transx", -1, V3_ZERO), ty = scene_object(&s, "transy", -1, V3_ZERO);
    int box = scene_object(&s, "box", -1, V3_ZERO);
    scene_shape(&s, box, rb_shape_box(v3(0.4, 0.6, 0.1)), 8000);
    RbObjectJoint *j = scene_joint(&s, RB_JOINT_PRISMATIC, 0, tx, v3(1, 0, 0));
    j->q[0] = -1;
    j->v[0] = 1;
    j = scene_joint(&s, RB_JOINT_PRISMATIC, tx, ty, v3(0, 1, 0));
    j->q[0] = -1;
    j->v[0] = 2;
    j = scene_joint(&s, RB_JOINT_REVOLUTE, ty, box, v3(0, 0, 1));
    j->v[0] = 3;
    scene_build(&s);
    scene_run(&s, 0, 4, 20, 1e-9);
    const double q[] = {3, -1, 12}, v[] = {1, -2, 3};
    for (int i = 0; i < 3; i++) {
        ENSURE_NEAR(scene_q(&s)[i], q[i], 1e-11);
        ENSURE_NEAR(scene_v(&s)[i], v[i], 1e-11);
    }
    fixture_close(&s.f);
}

static void add_damper(Scene *s, double d) {
    s->joint_forces[s->joint_force_count++] = (RbJointForce){.damper = rb_linear(d)};
}

static void pendulum_with_damper(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    int body = scene_object(&s, "frame0", -1, V3_ZERO),
        frame = scene_object(&s, "frame1", body, v3(-0.5, 0, 0));
    scene_mass(&s, body, 2, V3_ZERO);
    scene_joint(&s, RB_JOINT_REVOLUTE, 0, frame, v3(0, 0, 1))->q[0] = 1;
    scene_build(&s);
    add_damper(&s, 0.5);
    scene_run(&s, 0, 10, 1000, 1e-9);
    double x[] = {scene_q(&s)[0], scene_v(&s)[0]},
           ref[] = {-1.578178283450938, 0.061515170100766486};
    ensure_states(x, ref, 2);
    fixture_close(&s.f);
}

static void pendulum_with_bar(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    int body = scene_object(&s, "frame0", -1, V3_ZERO),
        frame = scene_object(&s, "frame1", body, v3(-0.5, 0, 0));
    scene_shape(&s, body, rb_shape_beam(1, 1.0, 0.2, 0.2), 2700);
    scene_joint(&s, RB_JOINT_REVOLUTE, 0, frame, v3(0, 0, 1))->q[0] = 1;
    scene_build(&s);
    add_damper(&s, 40);
    scene_run(&s, 0, 6, 600, 1e-8);
    double x[] = {scene_q(&s)[0], scene_v(&s)[0]}, ref[] = {-1.47312952226279, -0.5146766053301051};
    ensure_states(x, ref, 2);
    ENSURE_NEAR(x[0], -1.4731276, 1e-6); // recomputed independently before
    ENSURE_NEAR(x[1], -0.5146923, 1e-6);
    fixture_close(&s.f);
}

static int add_bar(Scene *s, int *frame1, int *frame2) {
    int bar = scene_object(s, "bar", -1, V3_ZERO);
    scene_mass(s, bar, 2, V3_ZERO);
    *frame1 = scene_object(s, "frame1", bar, v3(-0.5, 0, 0));
    *frame2 = scene_object(s, "frame2", bar, v3(0.5, 0, 0));
    return bar;
}

static void fix(Scene *s, int a, int b, Vec3 r, Vec3 n, double degrees) {
    RbObjectJoint *j = scene_joint(s, RB_JOINT_FIXED, a, b, n);
    j->pose = pose(r, q_rotation(n, degrees * asin(1.0) / 90));
}

// The published state (-1.61644, 0.46710) lacks the rotation of the capsules' tensors; the right
// one was computed independently.
static void pendulum_with_fixed_joints(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    int a1, a2, b1, b2, c1, c2;
    add_bar(&s, &a1, &a2);
    add_bar(&s, &b1, &b2);
    add_bar(&s, &c1, &c2);
    int capsule1 = scene_object(&s, "capsule1", -1, V3_ZERO),
        capsule2 = scene_object(&s, "capsule2", -1, V3_ZERO);
    scene_shape(&s, capsule1, rb_shape_capsule(3, 0.25, 0.5), 700);
    scene_shape(&s, capsule2, rb_shape_capsule(3, 0.25, 0.5), 700);
    scene_joint(&s, RB_JOINT_REVOLUTE, 0, a1, v3(0, 0, 1))->q[0] = 1;
    fix(&s, a2, b1, v3(0, -0.25, 0), v3(0, 0, 1), 0);
    fix(&s, a2, c1, v3(0, 0.25, 0), v3(0, 0, 1), 45);
    fix(&s, b2, capsule1, v3(0.25, 0, 0), v3(1, 0, 0), 90);
    fix(&s, capsule2, c2, v3(-0.25, 0, 0), v3(1, 0, 0), -90);
    scene_build(&s);
    ENSURE(s.s.count == 2);
    add_damper(&s, 100);
    scene_run(&s, 0, 10, 1000, 1e-8);
    ENSURE_NEAR(scene_q(&s)[0], -1.6319663, 2e-6);
    ENSURE_NEAR(scene_v(&s)[0], 0.4972615, 2e-6);
    fixture_close(&s.f);
}

static int add_shaft(Scene *s, Vec3 velocity, Vec3 degrees, Vec3 w_body) {
    int shaft = scene_object(s, "shaft", 0, V3_ZERO);
    RbObject *o = &s->objects[shaft];
    o->moves_freely = true;
    o->pose.R = q_matrix(q_from_cardan(v3_scale(asin(1.0) / 90, degrees)));
    o->velocity = velocity;
    o->angular_velocity = m3_mul_vec(o->pose.R, w_body);
    scene_mass(s, shaft, 84.7154, v3(7.2711, 7.2711, 0.4230));
    return shaft;
}

static void free_shaft(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    s.gravity = rb_gravity_uniform(0.3, v3(0, 0, -1));
    int shaft = add_shaft(&s, v3(0, 0.1, 0.6), v3(30, 20, 10), v3(1, 2, 3));
    scene_build(&s);
    scene_run(&s, 0, 5, 500, 1e-9);
    const double ref[] = {0.0,
                          0.5,
                          -0.75,
                          0.0,
                          0.1,
                          -0.9,
                          12.518049845080435,
                          -0.901864379852841,
                          13.979844149553378,
                          -1.556318674959713,
                          1.9667313208626755,
                          2.776623306112369};
    double x[12];
    free_states(&s, shaft, ref, x);
    ensure_states(x, ref, 12);
    fixture_close(&s.f);
}

// Starts where Cardan angles xyz are singular; quaternions do not notice. The reference ends in
// angles of the sequence xzy: R = Rx(al) Rz(ga) Ry(be). The body turns about a principal axis, so
// there is a closed form too.
static void free_shaft_from_a_singular_position(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    s.gravity = rb_gravity_uniform(0.3, v3(0, 0, -1));
    int shaft = add_shaft(&s, v3(0, 0.1, 0), v3(30, 90, 10), v3(-2, 0, 0));
    scene_build(&s);
    Mat3 R0 = s.objects[shaft].pose.R;
    scene_run(&s, 0, 7, 700, 1e-9);
    Mat3 R = q_matrix(q_load(scene_q(&s) + 3)), want = m3_mul(R0, m3_rotation(v3(1, 0, 0), -14));
    ensure_vec_near(R.x, want.x, 1e-10);
    ensure_vec_near(R.y, want.y, 1e-10);

    const double ref[] = {0.0,
                          0.7,
                          -7.350074420637136,
                          0.0,
                          0.1,
                          -2.1,
                          0.6981317007977381,
                          1.4336293856408397,
                          1.5707963267949017,
                          0.0,
                          -1.2855752193730614,
                          1.5320888862379711};
    Mat3 xyz = q_matrix(q_from_cardan(v3(ref[6], ref[7], ref[8])));
    Mat3 turn = m3_mul(m3_rotation(v3(1, 0, 0), ref[6]), m3_rotation(v3(0, 0, 1), ref[7]));
    Mat3 xzy = m3_mul(turn, m3_rotation(v3(0, 1, 0), ref[8]));
    double off_xyz = v3_distance(xyz.x, R.x) + v3_distance(xyz.y, R.y);
    double off_xzy = v3_distance(xzy.x, R.x) + v3_distance(xzy.y, R.y);
    ENSURE_NEAR(fmin(off_xyz, off_xzy), 0, 2e-3);
    for (int i = 0; i < 3; i++) {
        ENSURE_NEAR(scene_q(&s)[i], ref[i], 1e-3);
        ENSURE_NEAR(scene_v(&s)[i], ref[3 + i], 1e-3);
        ENSURE_NEAR(scene_v(&s)[3 + i], ref[9 + i], 1e-3);
    }
    fixture_close(&s.f);
}

static void models_for_precompilation(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    int beam = scene_object(&s, "body1", -1, V3_ZERO),
        frame = scene_object(&s, "frame1", beam, v3(-0.5, 0, 0));
    scene_shape(&s, beam, rb_shape_beam(1, 1.0, 0.1, 0.1), 2700);
    int body2 = scene_object(&s, "body2", -1, V3_ZERO),
        ball = scene_object(&s, "body3", 0, v3(0, 1, 0));
    scene_mass(&s, body2, 1, V3_ZERO);
    scene_mass(&s, ball, 0.001, v3(4e-6, 4e-6, 4e-6));
    s.objects[ball].moves_freely = true;
    s.objects[ball].angular_velocity = v3(10, 0, -5);
    scene_joint(&s, RB_JOINT_REVOLUTE, 0, frame, v3(0, 0, 1));
    scene_joint(&s, RB_JOINT_PRISMATIC, 0, body2, v3(0, 20, 0));
    scene_build(&s);
    scene_run(&s, 0, 0.001, 2, 1e-12);
    const double ref[] = {-0.01409972769199364,
                          -7.0596959177668255e-06,
                          -0.009809999999999998,
                          -4.911840743732473e-06,
                          1.911668227391551e-18,
                          0.9999950881592562,
                          -5.650237323663999e-19,
                          5.421091995435263e-15,
                          -0.009810000000000728,
                          -1.6124980940930281e-15,
                          0.009999952436232525,
                          -2.5034486890006063e-05,
                          -0.004999904940503696,
                          10.0,
                          0.0,
                          -5.0};
    const RbJoint *rev = rb_tree_joint(&s.s.tree, s.s.frame[frame].body),
                  *prism = rb_tree_joint(&s.s.tree, s.s.frame[body2].body);
    double x[16] = {scene_v(&s)[rev->v], scene_q(&s)[rev->q], scene_v(&s)[prism->v],
                    scene_q(&s)[prism->q]};
    free_states(&s, ball, ref + 4, x + 4);
    ensure_states(x, ref, 16);
    ENSURE_NEAR(x[2], -9.81e-3, 1e-15);
    ENSURE_NEAR(x[0], ref[0], 1e-3 * fabs(ref[0]));
    fixture_close(&s.f);
}

static int add_box(Scene *s, const char *name, Vec3 r, Vec3 angles) {
    int box = scene_object(s, name, 0, r);
    s->objects[box].moves_freely = true;
    s->objects[box].pose.R = q_matrix(q_from_cardan(angles));
    scene_mass(s, box, 1, v3(0.1, 0.1, 0.1));
    return box;
}

static double spring_50(double x, void *user) {
    return (void)user, 50 * x;
}
static double spring_20(double x, void *user) {
    return (void)user, 20 * x;
}

static RbBushing bushing(Scene *s, int a, int b) {
    RbBushing e = {.a = s->s.frame[a], .b = s->s.frame[b]};
    for (int i = 0; i < 3; i++) {
        double k = (double)(1 << i);
        e.spring[i] = rb_linear(50 * k);
        e.damper[i] = rb_linear(k);
        e.angular_spring[i] = rb_linear(5 * k);
        e.angular_damper[i] = rb_linear(0.1 * k);
    }
    return e;
}

static void bushing_with_large_angles(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    s.gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    int box = add_box(&s, "box", v3(0.2, 0.1, 0.05), v3(0.8, 0.4, 0.2));
    scene_build(&s);
    s.bushings[s.bushing_count++] = bushing(&s, 0, box);
    s.bushings[0].large_angles = true;
    s.bushings[0].spring[0].value = spring_50; // as functions
    s.bushings[0].angular_spring[2].value = spring_20;
    scene_run(&s, 0, 5, 500, 1e-9);
    const double ref[] = {-0.013214709281307713, 0.000552354087222612,  -0.04904666187675468,
                          0.07579402127381728,   0.0033411984137335553, -4.9513118790869216e-05,
                          -0.056707801161520716, 0.0009597189920446882, 4.333168563994031e-05,
                          0.380922690677635,     0.0010802088978311055, -0.000616198472040944};
    double x[12];
    free_states(&s, box, ref, x);
    ensure_states(x, ref, 12);
    fixture_close(&s.f);
}

static void bushing_and_spring_on_two_boxes(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    s.gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    int box1 = add_box(&s, "box1", v3(0.2, 0.1, 0.05), v3(0.12, 0.06, 0.03)),
        box2 = add_box(&s, "box2", V3_ZERO, V3_ZERO);
    int corner = scene_object(&s, "corner", box2, v3(0.05, 0.05, 0.05));
    scene_build(&s);
    s.bushings[s.bushing_count++] = bushing(&s, 0, box1);
    s.springs[s.spring_count++] = (RbSpring){.a = s.s.frame[0],
                                             .b = s.s.frame[corner],
                                             .spring = rb_linear(100),
                                             .damper = rb_linear(2)};
    scene_run(&s, 0, 6, 1200, 1e-8);
    const double ref[] = {-0.0016107113217414199, -0.0002480705395490782, -0.049050349752476706,
                          0.07029162030881492,    2.2312117805489287e-05, -6.372913904848077e-06,
                          -0.0010449353993963431, -0.0001514824927969645, -2.4593890216411865e-07,
                          0.042388263052657665,   0.00010086233694909848, -5.551141011115388e-06,
                          0.05646126021462138,    0.0564613884676648,     -0.12716607892200024,
                          0.2920400985011993,     0.2920398970084984,     0.04549365682408229,
                          2.1980798016988854,     -0.6805794882560942,    1.213379900814701,
                          0.29439337230022455,    -0.29439394783827416,   5.036863759629742e-07};
    double x[24];
    free_states(&s, box1, ref, x);
    free_states(&s, box2, ref + 12, x + 12);
    ensure_states(x, ref, 24);
    fixture_close(&s.f);
}

static void spring_between_points(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    s.gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    int box = add_box(&s, "box", V3_ZERO, V3_ZERO),
        corner = scene_object(&s, "corner", box, v3(0.05, 0.05, 0.05));
    scene_build(&s);
    s.springs[s.spring_count++] = (RbSpring){.a = s.s.frame[0],
                                             .b = s.s.frame[corner],
                                             .spring = rb_linear(100),
                                             .damper = rb_linear(2)};
    scene_run(&s, 0, 5, 1000, 1e-8);
    const double ref[] = {-0.0317899616936806,  -0.031789987944650766, -0.13960438446373588,
                          -0.22639392571053196, -0.22639355519359725,  -0.09585537982617036,
                          -0.04370174242082521, 0.04366049248771943,   0.0009545457607853683,
                          0.8435417114212301,   -0.8435409897813606,   1.1525522669027586e-07};
    double x[12];
    free_states(&s, box, ref, x);
    ensure_states(x, ref, 12);
    fixture_close(&s.f);
}

static Vec3 ramps(double t, void *user) {
    (void)user;
    double f = t < 1 ? 0 : t < 2 ? t - 1 : t < 3 ? 1 : t < 4 ? 4 - t : 0;
    return v3(f, 0, 0);
}

// Exact: speed 2 m/s and way 5 m along 30 degrees.
static void world_force(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    s.gravity = (RbGravity){0};
    int box = add_box(&s, "box", V3_ZERO, V3_ZERO),
        direction = scene_object(&s, "direction", 0, V3_ZERO);
    double angle = asin(1.0) / 3;
    s.objects[direction].pose.R = m3_rotation(v3(0, 0, 1), angle);
    scene_build(&s);
    s.world_forces[s.world_force_count++] =
        (RbWorldForce){.apply = s.s.frame[box], .axes = s.s.frame[direction], .force = ramps};
    for (int k = 0; k < 5; k++) scene_run(&s, k, k + 1, 2, 1e-12);
    for (int i = 0; i < 2; i++) {
        double part = i ? sin(angle) : cos(angle);
        ENSURE_NEAR(scene_q(&s)[i], 5 * part, 1e-12);
        ENSURE_NEAR(scene_v(&s)[i], 2 * part, 1e-12);
    }
    const double ref[] = {4.330091998452314,
                          2.4999797809222875,
                          0,
                          1.7320345346635413,
                          0.9999906048337232,
                          0,
                          0,
                          0,
                          0,
                          0,
                          0,
                          0};
    double x[12];
    free_states(&s, box, ref, x);
    ensure_states(x, ref, 12);
    fixture_close(&s.f);
}

static void harmonic_oscillator(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    s.gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    int mass = scene_object(&s, "mass", -1, V3_ZERO);
    scene_mass(&s, mass, 1, V3_ZERO);
    scene_joint(&s, RB_JOINT_PRISMATIC, 0, mass, v3(0, 0, 1));
    scene_build(&s);
    s.bushings[s.bushing_count++] =
        (RbBushing){.a = s.s.frame[0], .b = s.s.frame[mass], .nominal_force = {0, 0, 0.5}};
    s.bushings[0].spring[2] = rb_linear(100);
    s.bushings[0].damper[2] = rb_linear(2);
    scene_run(&s, 0, 5, 500, 1e-10);
    double x[] = {scene_v(&s)[0], scene_q(&s)[0]},
           ref[] = {0.0034429013089251376, -0.10253096819858225};
    ensure_states(x, ref, 2);
    // x'' + 2 x' + 100 x = -10.31 from rest
    double w = sqrt(99.0), t = 5, rest = -0.1031;
    double exact = rest * (1 - exp(-t) * (cos(w * t) + sin(w * t) / w));
    ENSURE_NEAR(x[1], exact, 1e-12);
    fixture_close(&s.f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum), // also tutorial-pendulum1
        cmocka_unit_test(box_planar_motion),
        cmocka_unit_test(pendulum_with_damper),
        cmocka_unit_test(pendulum_with_bar),
        cmocka_unit_test(pendulum_with_fixed_joints),
        cmocka_unit_test(free_shaft),
        cmocka_unit_test(free_shaft_from_a_singular_position),
        cmocka_unit_test(models_for_precompilation),
        cmocka_unit_test(bushing_with_large_angles),
        cmocka_unit_test(bushing_and_spring_on_two_boxes),
        cmocka_unit_test(spring_between_points),
        cmocka_unit_test(world_force),
        cmocka_unit_test(harmonic_oscillator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
