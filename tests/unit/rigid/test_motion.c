// SPDX-License-Identifier: MIT
// Motions with closed forms or independent equations: double pendulum, tops, free rotation, Kepler
// orbit, universal joint, driven floating base.
#include "scene_for_tests.h"

static const double pi = 3.14159265358979324;

// ---- double pendulum against Lagrange's equations in absolute angles from the vertical

typedef struct Rods {
    double m1, m2, c1, c2, I1, I2, L1, g;
} Rods;

static const Rods rods = {1.3, 0.8, 0.4, 0.55, 0.05, 0.07, 0.9, 9.81};

static void lagrange_rates(void *model, double t, const double *x, double *dx) {
    (void)t;
    const Rods *r = model;
    double d = x[0] - x[1], c = r->m2 * r->L1 * r->c2;
    double m11 = r->I1 + r->m1 * r->c1 * r->c1 + r->m2 * r->L1 * r->L1, m12 = c * cos(d),
           m22 = r->I2 + r->m2 * r->c2 * r->c2;
    double b1 = -c * sin(d) * x[3] * x[3] - (r->m1 * r->c1 + r->m2 * r->L1) * r->g * sin(x[0]);
    double b2 = c * sin(d) * x[2] * x[2] - r->m2 * r->c2 * r->g * sin(x[1]);
    double det = m11 * m22 - m12 * m12;
    dx[0] = x[2];
    dx[1] = x[3];
    dx[2] = (m22 * b1 - m12 * b2) / det;
    dx[3] = (m11 * b2 - m12 * b1) / det;
}

static void open_double_pendulum(Scene *s) {
    scene_open(s);
    int one = scene_object(s, "one", -1, V3_ZERO),
        end = scene_object(s, "end", one, v3(0, -rods.L1, 0));
    int two = scene_object(s, "two", -1, V3_ZERO);
    scene_mass(s, one, rods.m1, v3(0, 0, rods.I1));
    scene_mass(s, two, rods.m2, v3(0, 0, rods.I2));
    s->objects[one].mass.I_CM = m3_diagonal(v3(rods.I1, 0.01, rods.I1));
    s->objects[two].mass.I_CM = m3_diagonal(v3(rods.I2, 0.01, rods.I2));
    s->objects[one].mass.r_CM = v3(0, -rods.c1, 0);
    s->objects[two].mass.r_CM = v3(0, -rods.c2, 0);
    scene_joint(s, RB_JOINT_REVOLUTE, 0, one, v3(0, 0, 1))->q[0] = 1.2;
    RbObjectJoint *j = scene_joint(s, RB_JOINT_REVOLUTE, end, two, v3(0, 0, 1));
    j->q[0] = 0.7;
    j->v[0] = -2;
    scene_build(s);
}

static void double_pendulum_follows_lagrange(void **state) {
    (void)state;
    Scene s;
    open_double_pendulum(&s);
    double x[4] = {1.2, 1.9, 0, -2};
    Rods r = rods;
    scene_run(&s, 0, 3, 1500, 1e-11);
    integrate(lagrange_rates, &r, 4, 0, 3, 1500, x);
    ENSURE_NEAR(scene_q(&s)[0], x[0], 1e-10);
    ENSURE_NEAR(scene_q(&s)[0] + scene_q(&s)[1], x[1], 1e-10);
    ENSURE_NEAR(scene_v(&s)[0], x[2], 1e-9);
    ENSURE_NEAR(scene_v(&s)[0] + scene_v(&s)[1], x[3], 1e-9);
    fixture_close(&s.f);
}

// Ten seconds of chaos; the total energy (about 10 J) stays.
static void double_pendulum_keeps_its_energy(void **state) {
    (void)state;
    Scene s;
    open_double_pendulum(&s);
    scene_run(&s, 0, 10, 4000, 1e-9);
    fixture_close(&s.f);
}

// ---- rotation without torque

static void open_free(Scene *s, Vec3 moments, Vec3 w_B) {
    scene_open(s);
    s->gravity = (RbGravity){0};
    int body = scene_object(s, "body", 0, v3(1, 2, 3));
    s->objects[body].moves_freely = true;
    s->objects[body].pose.R = q_matrix(q_from_cardan(v3(0.4, -0.3, 1.1)));
    s->objects[body].angular_velocity = m3_mul_vec(s->objects[body].pose.R, w_B);
    scene_mass(s, body, 2, moments);
    scene_build(s);
}

// The axis of a symmetric body goes round its angular momentum L at the rate |L| / I_across.
static void symmetric_body_precesses(void **state) {
    (void)state;
    double across = 0.3, along = 0.5, time = 5;
    Scene s;
    open_free(&s, v3(across, across, along), v3(0.7, 0, 4));
    Mat3 R = s.objects[1].pose.R;
    Vec3 L = m3_mul_vec(R, v3(across * 0.7, 0, along * 4)), axis = m3_column(R, 2);
    scene_run(&s, 0, time, 500, 1e-11);
    Vec3 want = m3_mul_vec(m3_rotation(v3_unit(L), v3_norm(L) / across * time), axis);
    ensure_vec_near(m3_column(q_matrix(q_load(scene_q(&s) + 3)), 2), want, 1e-10);
    fixture_close(&s.f);
}

// Complete elliptic integral of the first kind by the arithmetic-geometric mean.
static double elliptic_K(double k) {
    double a = 1, b = sqrt(1 - k * k);
    for (int i = 0; i < 40; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return pi / (2 * a);
}

// Rotation near the middle axis: body components of w are Jacobi's elliptic functions (Landau and
// Lifshitz, Mechanics, section 37). They start at (cn, sn, dn) = (1, 0, 1), reach sn = 1 after a
// quarter of the period and return after the whole.
static void middle_axis_flips_in_the_right_time(void **state) {
    (void)state;
    double I1 = 1, I2 = 2, I3 = 3, w1 = 2,
           w3 = sqrt(I1 * (I2 - I1) / (I3 * (I3 - I2))) * w1 * 1.0001;
    double E2 = I1 * w1 * w1 + I3 * w3 * w3, M2 = I1 * I1 * w1 * w1 + I3 * I3 * w3 * w3;
    ENSURE(M2 > E2 * I2);
    double rate = sqrt((I3 - I2) * (M2 - E2 * I1) / (I1 * I2 * I3));
    double k = sqrt((I2 - I1) * (E2 * I3 - M2) / ((I3 - I2) * (M2 - E2 * I1)));
    double quarter = elliptic_K(k) / rate, top = sqrt((E2 * I3 - M2) / (I2 * (I3 - I2)));
    Scene s;
    open_free(&s, v3(I1, I2, I3), v3(w1, 0, w3));
    scene_run(&s, 0, quarter, 400, 1e-11);
    Vec3 w = m3_tmul_vec(q_matrix(q_load(scene_q(&s) + 3)), v3_load(scene_v(&s) + 3));
    ensure_vec_near(w, v3(0, copysign(top, w.y), w3 * sqrt(1 - k * k)), 1e-8);
    scene_run(&s, 0, 3 * quarter, 1200, 1e-11);
    w = m3_tmul_vec(q_matrix(q_load(scene_q(&s) + 3)), v3_load(scene_v(&s) + 3));
    ensure_vec_near(w, v3(w1, 0, w3), 1e-7); // the separatrix is near: errors grow
    fixture_close(&s.f);
}

// ---- heavy symmetric top on a spherical joint: steady precession W at tilt th and axial spin w3
// needs
//      I3 w3 W - I1 W² cos(th) = m g l    (I1 about the fixed point)
static void heavy_top_precesses_steadily(void **state) {
    (void)state;
    double m = 0.5, l = 0.12, across = 6e-3, along = 1e-2, g = 9.81, tilt = 0.5, W = 1.7, time = 3;
    double I1 = across + m * l * l, w3 = (m * g * l + I1 * W * W * cos(tilt)) / (along * W);
    Scene s;
    scene_open(&s);
    s.gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    int top = scene_object(&s, "top", -1, V3_ZERO);
    scene_mass(&s, top, m, v3(across, across, along));
    s.objects[top].mass.r_CM = v3(0, 0, l);
    RbObjectJoint *j = scene_joint(&s, RB_JOINT_SPHERICAL, 0, top, V3_ZERO);
    Quat q = q_rotation(v3(1, 0, 0), tilt);
    Vec3 axis = q_rotate(q, v3(0, 0, 1));
    q_store(j->q, q);
    // w = W z + (w3 - W cos th) axis
    v3_store(j->v, v3_axpy(v3(0, 0, W), w3 - W * cos(tilt), axis));
    scene_build(&s);
    scene_run(&s, 0, time, 3000, 1e-10);
    Vec3 want = m3_mul_vec(m3_rotation(v3(0, 0, 1), W * time), axis);
    ensure_vec_near(q_rotate(q_unit(q_load(scene_q(&s))), v3(0, 0, 1)), want, 1e-9);
    fixture_close(&s.f);
}

// ---- point gravity: an ellipse closes after 2 pi sqrt(a³ / mue)
static void kepler_orbit_closes(void **state) {
    (void)state;
    Scene s;
    scene_open(&s);
    double mue = RB_GRAVITATIONAL_CONSTANT * RB_EARTH_MASS, r = 7e6, e = 0.3, a = r / (1 - e);
    s.gravity = rb_gravity_point(mue);
    int body = scene_object(&s, "satellite", 0, v3(r, 0, 0));
    s.objects[body].moves_freely = true;
    s.objects[body].velocity = v3(0, sqrt(mue * (1 + e) / r), 0);
    scene_mass(&s, body, 100, v3(1, 2, 3));
    scene_build(&s);
    scene_run(&s, 0, 2 * pi * sqrt(a * a * a / mue), 400, 1.0); // of 3e9 J
    ENSURE_NEAR(scene_q(&s)[0], r, 1e-3);
    ENSURE_NEAR(scene_q(&s)[1], 0, 1e-1);
    fixture_close(&s.f);
}

// ---- universal joint: the axes by hand
static void universal_joint_by_hand(void **state) {
    (void)state;
    // A cross turns about y in the fork of the input shaft (along x); the output shaft turns about
    // z of the cross. The direction of the output shaft in the input fork follows from the two
    // angles as x turned about y, then z.
    RbJoint joint = {.name = "hooke",
                     .kind = RB_JOINT_UNIVERSAL,
                     .F = POSE_IDENTITY,
                     .n = {0, 1, 0},
                     .n2 = {0, 0, 1}};
    double q[2] = {0.3, -0.5};
    Pose X = rb_joint_pose(&joint, q);
    ensure_vec_near(m3_column(X.R, 0), v3(cos(0.3) * cos(0.5), -sin(0.5), -sin(0.3) * cos(0.5)),
                    1e-15);
    Motion S[2];
    rb_joint_subspace(&joint, q, S);
    ensure_vec_near(S[1].w, v3(sin(0.3), 0, cos(0.3)), 1e-15);
}

// ---- floating base with a driven joint: a torque inside turns base and arm against each other;
// with the centre of mass of the arm on the axis both speeds follow from the momentum: w_base =
// -I_arm / (I_arm + I_base) dphi.
static void floating_base_turns_back(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    RbTree tree = rb_tree(&f.arena);
    RbJoint base = {.name = "base", .kind = RB_JOINT_FREE, .F = POSE_IDENTITY};
    RbJoint arm = {.name = "arm",
                   .kind = RB_JOINT_REVOLUTE,
                   .owner = RB_OWNED_BY_EQUATIONS,
                   .F = POSE_IDENTITY,
                   .n = {0, 0, 1}};
    rb_tree_add(&tree, &f.arena, "base", 0, base,
                ri_from_com(3, V3_ZERO, (Sym3){1, 1, 2, 0, 0, 0}));
    rb_tree_add(&tree, &f.arena, "arm", 1, arm,
                ri_from_com(1, V3_ZERO, (Sym3){0.1, 0.1, 0.5, 0, 0, 0}));
    RbKin kin = rb_kin(&tree, &f.arena);
    RbDyn dyn = rb_dyn(&tree, &f.arena);
    double q[8] = {[3] = 1}, v[7] = {0}, dv[7] = {0}, M, h;
    rb_kin_positions(&tree, q, &kin);
    rb_kin_velocities(&tree, v, &kin);
    ENSURE(dyn.driven_count == 1 && dyn.driven[0] == 6);
    ENSURE(rb_dyn_affine(&tree, &kin, NULL, NULL, NULL, &dyn, NULL, &M, &h) == 0);
    ENSURE_NEAR(M, 0.5 * 2 / 2.5, 1e-15); // reduced moment of inertia
    ENSURE_NEAR(h, 0, 1e-15);
    dv[6] = 0.8 / M; // torque 0.8
    rb_dyn_affine_finish(&tree, &kin, NULL, NULL, &dyn, dv);
    ENSURE_NEAR(dv[5], -0.8 / 2, 1e-15);
    ENSURE_NEAR(dv[5] + dv[6], 0.8 / 0.5, 1e-15);
    fixture_close(&f);
}

// ---- a bead on an arm that is turned at constant speed W: r'' = W² r, so r = r0 cosh(W t), and
// the arm needs the torque 2 m r r' W
typedef struct Bead {
    RbTree tree;
    RbKin kin;
    RbDyn dyn;
    double torque;
} Bead;

static const RbJointMode bead_modes[] = {RB_MODE_FREE, RB_MODE_PRESCRIBED, RB_MODE_FREE};

static void bead_rates(void *model, double t, const double *x, double *dx) {
    (void)t;
    Bead *b = model;
    double tau[2];
    rb_kin_positions(&b->tree, x, &b->kin);
    rb_dyn_factor(&b->tree, &b->kin, bead_modes, &b->dyn);
    rb_kin_velocities(&b->tree, x + 2, &b->kin);
    rb_tree_rates(&b->tree, x, x + 2, dx);
    dx[2] = 0; // prescribed
    rb_dyn_solve(&b->tree, &b->kin, bead_modes, NULL, NULL, &b->dyn, dx + 2);
    rb_dyn_joint_forces(&b->tree, &b->kin, &b->dyn, tau);
    b->torque = tau[0];
}

static void bead_on_a_driven_arm(void **state) {
    (void)state;
    Fixture f;
    fixture_open(&f);
    Bead b = {.tree = rb_tree(&f.arena)};
    RbJoint arm = {.name = "arm", .kind = RB_JOINT_REVOLUTE, .F = POSE_IDENTITY, .n = {0, 0, 1}};
    RbJoint slide = {
        .name = "slide", .kind = RB_JOINT_PRISMATIC, .F = POSE_IDENTITY, .n = {1, 0, 0}};
    double W = 1.5, r0 = 0.2, m = 0.7, time = 1.2;
    rb_tree_add(&b.tree, &f.arena, "arm", 0, arm,
                (RigidInertia){0}); // massless: its motion is given
    rb_tree_add(&b.tree, &f.arena, "bead", 1, slide, ri_from_com(m, V3_ZERO, (Sym3){0}));
    b.kin = rb_kin(&b.tree, &f.arena);
    b.dyn = rb_dyn(&b.tree, &f.arena);
    double x[4] = {0, r0, W, 0}, dx[4];
    integrate(bead_rates, &b, 4, 0, time, 100, x);
    bead_rates(&b, 0, x, dx);
    ENSURE_NEAR(x[0], W * time, 1e-13);
    ENSURE_NEAR(x[1], r0 * cosh(W * time), 1e-13);
    ENSURE_NEAR(x[3], r0 * W * sinh(W * time), 1e-12);
    ENSURE_NEAR(b.torque, 2 * m * x[1] * x[3] * W, 1e-12);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pendulum_follows_lagrange),
        cmocka_unit_test(double_pendulum_keeps_its_energy),
        cmocka_unit_test(symmetric_body_precesses),
        cmocka_unit_test(middle_axis_flips_in_the_right_time),
        cmocka_unit_test(heavy_top_precesses_steadily),
        cmocka_unit_test(kepler_orbit_closes),
        cmocka_unit_test(universal_joint_by_hand),
        cmocka_unit_test(floating_base_turns_back),
        cmocka_unit_test(bead_on_a_driven_arm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
