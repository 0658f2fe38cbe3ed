// SPDX-License-Identifier: MIT
// Kinematic loops: four-bar and slider-crank against their closed forms, redundant and spatial
// loops, loops that cannot close, forces in joints.
#include "stand.h"

static const double crank = 0.1, coupler = 0.4, rocker = 0.3, ground = 0.35; // [m]

// A rod from the origin along x, with its mass in the middle.
static int add_rod(Stand *s, const char *name, double length, double mass) {
    double J = mass * length * length / 12;
    RbSceneObject rod = rb_body(name, (RbMassProperties){.mass = mass,
                                                         .r_CM = v3(0.5 * length, 0, 0),
                                                         .I_CM = m3_diagonal(v3(1e-4, J, J))});
    rod.object.parent = -1;
    return rb_scene_add(s->scene, rod);
}

static int add_tip(Stand *s, const char *name, int rod, double length) {
    Pose at = {v3(length, 0, 0), M3_IDENTITY};
    return rb_scene_add(s->scene, rb_frame_object(name, rod, at));
}

static int add_revolute(Stand *s, const char *name, int a, int b, Vec3 n, double phi) {
    RbObjectJoint joint = rb_scene_joint(name, RB_JOINT_REVOLUTE, a, b, n);
    joint.q[0] = phi;
    return rb_scene_add_joint(s->scene, joint);
}

// Angles of coupler and rocker in the world for a crank at phi: circles about the crank's end and
// the rocker's bearing meet, above the line between them.
static void four_bar(double phi, double *of_coupler, double *of_rocker) {
    double ax = crank * cos(phi), ay = crank * sin(phi), dx = ground - ax, dy = -ay;
    double d = hypot(dx, dy), along = atan2(dy, dx);
    double inner = acos((coupler * coupler + d * d - rocker * rocker) / (2 * coupler * d));
    *of_coupler = along + inner;
    double px = ax + coupler * cos(*of_coupler), py = ay + coupler * sin(*of_coupler);
    *of_rocker = atan2(py, px - ground);
}

// Bodies and joints; axes along n. Guesses are a few degrees away from where the loop closes.
static void build_four_bar(Stand *s, Vec3 gravity) {
    double beta, gamma;
    four_bar(0, &beta, &gamma);
    s->scene->gravity = rb_gravity_uniform(v3_norm(gravity), v3(0, -1, 0));
    Vec3 z = v3(0, 0, 1);
    int rod1 = add_rod(s, "crank", crank, 0.5), rod2 = add_rod(s, "coupler", coupler, 0.8),
        rod3 = add_rod(s, "rocker", rocker, 0.6);
    int bearing = rb_scene_add(
        s->scene, rb_frame_object("bearing", 0, (Pose){v3(ground, 0, 0), M3_IDENTITY}));
    int tip1 = add_tip(s, "tip1", rod1, crank), tip3 = add_tip(s, "tip3", rod3, rocker),
        tip2 = add_tip(s, "tip2", rod2, coupler);
    RbObjectJoint drive = rb_scene_joint("j1", RB_JOINT_REVOLUTE, 0, rod1, z);
    drive.v[0] = 20;
    drive.q_held[0] = drive.v_held[0] = true;
    rb_scene_add_joint(s->scene, drive);
    add_revolute(s, "j2", tip1, rod2, z, beta + 0.05);
    add_revolute(s, "j4", bearing, rod3, z, gamma - 0.04);
    add_revolute(s, "j3", tip2, tip3, z, 0);
}

// Kinetic energy of the linkage per square of the crank's speed, by the closed form: speeds follow
// from central differences of the angles.
static double reduced_inertia(double phi) {
    const double h = 1e-5;
    double b[2], g[2], b0, g0;
    four_bar(phi + h, &b[1], &g[1]);
    four_bar(phi - h, &b[0], &g[0]);
    four_bar(phi, &b0, &g0);
    double db = remainder(b[1] - b[0], 2 * M_PI) / (2 * h),
           dg = remainder(g[1] - g[0], 2 * M_PI) / (2 * h);
    double J1 = 0.5 * crank * crank / 3, J3 = 0.6 * rocker * rocker / 3;
    double vx = -crank * sin(phi) - 0.5 * coupler * db * sin(b0);
    double vy = crank * cos(phi) + 0.5 * coupler * db * cos(b0);
    double J2 = 0.8 * coupler * coupler / 12 * db * db + 0.8 * (vx * vx + vy * vy);
    return J1 + J2 + J3 * dg * dg;
}

static double relative(double a, double b) {
    return fabs(remainder(a - b, 2 * M_PI));
}

// Free of gravity and friction the crank's speed follows from the energy: w = sqrt(2 E / J(phi)).
static double energy_error(double tolerance, bool check_angles) {
    Stand s;
    stand_open(&s);
    build_four_bar(&s, V3_ZERO);
    double E = 0.5 * reduced_inertia(0) * 400, beta, gamma;
    stand_run(&s, 40, tolerance);
    double phi = stand_state(&s, "j1.phi"), w = stand_state(&s, "j1.w");
    ENSURE(phi > 100 * 2 * M_PI);
    four_bar(phi, &beta, &gamma);
    if (check_angles) {
        ENSURE_NEAR(relative(phi + stand_state(&s, "j2.phi"), beta), 0, 1e-8);
        ENSURE_NEAR(relative(stand_state(&s, "j4.phi"), gamma), 0, 1e-8);
        ENSURE_NEAR(relative(stand_result(&s, "j3.phi"), gamma - beta), 0, 1e-8);
    }
    stand_close(&s);
    return fabs(0.5 * reduced_inertia(phi) * w * w / E - 1);
}

static void four_bar_turns_a_hundred_times(void **state) {
    (void)state;
    double coarse = energy_error(1e-8, false), fine = energy_error(1e-10, true);
    ENSURE(coarse < 1e-3);
    ENSURE(fine < 1e-5 && fine < 0.1 * coarse);
}

// Largest distance of two objects at all recorded points.
static double largest_gap(Stand *s, const char *a, const char *b) {
    char name[64];
    double most = 0;
    double *r[6];
    int count = 0;
    for (int k = 0; k < 6; k++) {
        snprintf(name, sizeof name, "%s.r_abs[%d]", k < 3 ? a : b, k % 3 + 1);
        r[k] = stand_series(s, name, &count);
    }
    for (int i = 0; i < count; i++)
        most = fmax(most, hypot(hypot(r[0][i] - r[3][i], r[1][i] - r[4][i]), r[2][i] - r[5][i]));
    ENSURE(count > 100);
    return most;
}

static void loops_stay_closed_to_the_tolerance(void **state) {
    (void)state;
    const char *const solvers[] = {"cvode", "adams", "islands", "dp5"};
    for (int i = 0; i < 12; i++) {
        double tolerance = pow(10, -5 - 2 * (i % 3));
        Stand s;
        stand_open(&s);
        build_four_bar(&s, v3(0, -9.81, 0));
        s.options.solver = solvers[i / 3];
        stand_record(&s, 0.01);
        stand_run(&s, 5, tolerance);
        double gap = largest_gap(&s, "tip2", "tip3");
        if (!(gap < 10 * tolerance)) print_error("%s at %g: %g\n", solvers[i / 3], tolerance, gap);
        ENSURE(gap < 10 * tolerance);
        stand_close(&s);
    }
}

// What the diagnostics say, as one text.
static const char *all_messages(Stand *s) {
    static char text[4096];
    text[0] = 0;
    for (int i = 0; i < s->f.diag.messages.count; i++) {
        strncat(text, fixture_message(&s->f, i), sizeof text - strlen(text) - 2);
        strcat(text, "\n");
    }
    return text;
}

// The same motion wherever the loop is cut: where only one joint's coordinates are not wanted it is
// that one; where all are wanted (number 4) a body is split.
static void where_the_loop_is_cut_does_not_matter(void **state) {
    (void)state;
    double phi[5], w[5];
    for (int cut = 1; cut < 5; cut++) {
        Stand s;
        stand_open(&s);
        build_four_bar(&s, v3(0, -9.81, 0));
        for (int j = 0; j < 4; j++) s.scene->joints.data[j].keep = j != cut;
        stand_run(&s, 1, 1e-12);
        phi[cut] = stand_state(&s, "j1.phi");
        w[cut] = stand_state(&s, "j1.w");
        stand_close(&s);
    }
    for (int cut = 1; cut < 5; cut++) {
        ENSURE_NEAR(phi[cut], phi[3], 1e-7);
        ENSURE_NEAR(w[cut], w[3], 1e-6);
    }
}

// The coupler turns back once against the crank in each turn, and is cut there: its angle goes on, 30 turns and more.
static void the_angle_of_a_cut_joint_counts_turns(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    build_four_bar(&s, V3_ZERO);
    for (int j = 0; j < 4; j++) s.scene->joints.data[j].keep = j != 1;
    stand_record(&s, 0.01);
    stand_run(&s, 12, 1e-9);
    int count = 0;
    double beta, gamma;
    double *phi = stand_series(&s, "j1.phi", &count), *phi2 = stand_series(&s, "j2.phi", &count);
    four_bar(phi[0], &beta, &gamma);
    double turns = round((phi2[0] + phi[0] - beta) / (2 * M_PI));
    for (int i = 0; i < count; i++) {
        four_bar(phi[i], &beta,
                 &gamma); // the coupler swings by less than a turn: beta is continuous
        ENSURE_NEAR(phi2[i] + phi[i] - 2 * M_PI * turns, beta, 1e-6);
    }
    ENSURE(phi[count - 1] > 30 * 2 * M_PI);
    stand_close(&s);
}

// Two bars of length 1 lean against each other at 60 degrees, each of weight m g: the pin between
// them carries m g / (2 tan 60), horizontally.
static void pin_of_two_leaning_bars_carries_what_statics_says(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, -1, 0));
    Vec3 z = v3(0, 0, 1);
    int left = add_rod(&s, "left", 1, 2), right = add_rod(&s, "right", 1, 2);
    int foot = rb_scene_add(s.scene, rb_frame_object("foot", 0, (Pose){v3(1, 0, 0), M3_IDENTITY}));
    int tip1 = add_tip(&s, "tip1", left, 1), tip2 = add_tip(&s, "tip2", right, 1);
    add_revolute(&s, "a", 0, left, z, M_PI / 3 + 0.01);
    add_revolute(&s, "b", foot, right, z, 2 * M_PI / 3 - 0.02);
    add_revolute(&s, "pin", tip1, tip2, z, 0);
    stand_run(&s, 0.1, 1e-8);
    double want = 2 * 9.81 / (2 * tan(M_PI / 3));
    ENSURE_NEAR(stand_result(&s, "pin.force[1]"), want, 1e-6);
    ENSURE_NEAR(stand_result(&s, "pin.force[2]"), 0, 1e-6);
    ENSURE(strstr(all_messages(&s), "leaves nothing that could move"));
    stand_close(&s);
}

// Slider-crank, the slider loaded by nothing: x = r cos phi + sqrt(l^2 - r^2 sin^2 phi).
static void slider_crank_follows_its_closed_form(void **state) {
    (void)state;
    const double r = 0.1, l = 0.3;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, -1, 0));
    Vec3 z = v3(0, 0, 1);
    int rod1 = add_rod(&s, "crank", r, 0.5), rod2 = add_rod(&s, "rod", l, 0.8);
    RbSceneObject block =
        rb_body("slider", (RbMassProperties){.mass = 1, .I_CM = m3_diagonal(v3(1e-3, 1e-3, 1e-3))});
    block.object.parent = -1;
    int slider = rb_scene_add(s.scene, block);
    RbObjectJoint drive = rb_scene_joint("j1", RB_JOINT_REVOLUTE, 0, rod1, z);
    drive.v[0] = 15, drive.q[0] = 0.5;
    drive.q_held[0] = drive.v_held[0] = true;
    rb_scene_add_joint(s.scene, drive);
    add_revolute(&s, "j2", add_tip(&s, "tip1", rod1, r), rod2, z, -0.6);
    RbObjectJoint guide = rb_scene_joint("guide", RB_JOINT_PRISMATIC, 0, slider, v3(1, 0, 0));
    guide.q[0] = 0.35;
    rb_scene_add_joint(s.scene, guide);
    add_revolute(&s, "j3", add_tip(&s, "tip2", rod2, l), slider, z, 0);
    stand_run(&s, 3, 1e-9);
    double phi = stand_state(&s, "j1.phi"), x = r * cos(phi) + sqrt(l * l - pow(r * sin(phi), 2));
    ENSURE(phi > 30);
    ENSURE_NEAR(stand_state(&s, "guide.s"), x, 1e-8);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-5);
    stand_close(&s);
}

// A crank and a slider with axes that cross in space, held by a rod with ball joints at both ends:
// the rod may spin about itself, which the loop leaves free.
static void spatial_loop_with_ball_joints(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    int rod1 = add_rod(&s, "crank", 0.1, 0.5), rod2 = add_rod(&s, "rod", 0.4, 0.8);
    RbSceneObject block =
        rb_body("slider", (RbMassProperties){.mass = 1, .I_CM = m3_diagonal(v3(1e-3, 1e-3, 1e-3))});
    block.object.parent = -1;
    int slider = rb_scene_add(s.scene, block);
    int off =
        rb_scene_add(s.scene, rb_frame_object("off", 0, (Pose){v3(0.1, 0.1, 0.05), M3_IDENTITY}));
    RbObjectJoint drive = rb_scene_joint("j1", RB_JOINT_REVOLUTE, 0, rod1, v3(0, 0, 1));
    drive.v[0] = 10;
    drive.q_held[0] = drive.v_held[0] = true;
    rb_scene_add_joint(s.scene, drive);
    RbObjectJoint guide = rb_scene_joint("guide", RB_JOINT_PRISMATIC, off, slider, v3(1, 0, 0));
    guide.q[0] = 0.3;
    rb_scene_add_joint(s.scene, guide);
    RbObjectJoint ball1 =
        rb_scene_joint("ball1", RB_JOINT_SPHERICAL, add_tip(&s, "tip1", rod1, 0.1), rod2, V3_ZERO);
    rb_scene_add_joint(s.scene, ball1);
    rb_scene_add_joint(s.scene, rb_scene_joint("ball2", RB_JOINT_SPHERICAL,
                                               add_tip(&s, "tip2", rod2, 0.4), slider, V3_ZERO));
    stand_record(&s, 0.01);
    stand_run(&s, 2, 1e-9);
    // The slider's place from the crank's: the rod has its length.
    double phi = stand_state(&s, "j1.phi"), dy = 0.1 - 0.1 * sin(phi), dz = 0.05;
    double x = 0.1 * cos(phi) + sqrt(0.16 - dy * dy - dz * dz);
    ENSURE_NEAR(0.1 + stand_state(&s, "guide.s"), x, 1e-7);
    ENSURE(largest_gap(&s, "tip2", "slider") < 1e-8);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-5);
    stand_close(&s);
}

static void redundant_equations_are_reported(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    build_four_bar(&s, V3_ZERO);
    stand_run(&s, 0.1, 1e-6);
    const char *text = all_messages(&s);
    ENSURE(strstr(text, "3 of the 5 equations that close the loop at 'j3' repeat others"));
    stand_close(&s);
}

static void loop_that_cannot_close_is_reported_with_its_gap(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    build_four_bar(&s, V3_ZERO);
    // The rocker's bearing is out of reach: 0.1 + 0.4 + 0.3 < 1.
    s.scene->objects.data[rb_scene_find(s.scene, "bearing")].object.pose.r.x = 1;
    s.options.stop_time = 0.1;
    ENSURE(stand_go(&s) != RB_OK);
    const char *text = all_messages(&s);
    ENSURE(strstr(text, "the loop through the joints") && strstr(text, "cannot be closed"));
    ENSURE(strstr(text, "'j1'") && strstr(text, "'j2'") && strstr(text, "'j3'") &&
           strstr(text, "'j4'"));
    ENSURE(strstr(text, "a gap of 0.2 m")); // 1 - 0.8, if it was stretched as far as it goes
    stand_close(&s);
}

static void axes_that_lean_are_no_planar_loop(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    build_four_bar(&s, V3_ZERO);
    s.scene->joints.data[2].n = v3(0.3, 0, 1);
    s.options.stop_time = 0.1;
    ENSURE(stand_go(&s) != RB_OK);
    ENSURE(strstr(all_messages(&s), "cannot be closed"));
    stand_close(&s);
}

static void fixed_speeds_that_contradict_are_reported(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    build_four_bar(&s, V3_ZERO);
    for (int j = 0; j < 4; j++) s.scene->joints.data[j].v_held[0] = true; // all but the crank stand
    s.options.stop_time = 0.1;
    ENSURE(stand_go(&s) != RB_OK);
    ENSURE(strstr(all_messages(&s), "speeds that are fixed at the start contradict each other"));
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bar_turns_a_hundred_times),
        cmocka_unit_test(loops_stay_closed_to_the_tolerance),
        cmocka_unit_test(where_the_loop_is_cut_does_not_matter),
        cmocka_unit_test(the_angle_of_a_cut_joint_counts_turns),
        cmocka_unit_test(pin_of_two_leaning_bars_carries_what_statics_says),
        cmocka_unit_test(slider_crank_follows_its_closed_form),
        cmocka_unit_test(spatial_loop_with_ball_joints),
        cmocka_unit_test(redundant_equations_are_reported),
        cmocka_unit_test(loop_that_cannot_close_is_reported_with_its_gap),
        cmocka_unit_test(axes_that_lean_are_no_planar_loop),
        cmocka_unit_test(fixed_speeds_that_contradict_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
