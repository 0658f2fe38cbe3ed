// SPDX-License-Identifier: MIT
// label: normal
// Sliding, rolling and resting against closed forms.

#include "stand.h"

static const double g = 9.81; // [m/s2]

// A wooden table with its top at z = 0 and a wooden ball of diameter d at rest depth above x = 0.
static double rest_depth(double d) {
    double E = 1.1e10 / (2 * (1 - 0.4 * 0.4)), K = 4.0 / 3 * E * sqrt(0.5 * d),
           m = 700 * M_PI / 6 * d * d * d;
    return pow(m * g / K, 2.0 / 3);
}

static void put_on_table(Stand *s, double d, Vec3 v, Vec3 w) {
    s->scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    RbSceneObject table = rb_solid("table", rb_shape_box(v3(20, 20, 0.2)), "DryWood");
    table.object.pose.r = v3(0, 0, -0.1);
    rb_scene_add(s->scene, table);
    rb_scene_add_free(s->scene, "ball", rb_shape_sphere(d), "DryWood",
                      v3(0, 0, 0.5 * d - rest_depth(d)), v, w);
}

// Angular momentum about the contact point is kept, so a sliding ball ends up rolling at 5/7 of its
// speed (Coriolis 1835), whatever the friction. The lever is the height of the centre, h = r -
// depth, so exactly it is 1/(1 + 2/5 (r/h)^2).
static void sliding_ball_ends_up_rolling(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    stand_law(&s, "DryWood", "DryWood")->mu_r = 0;
    double d = 0.06, v0 = 1, mu = 0.3;
    put_on_table(&s, d, v3(v0, 0, 0), V3_ZERO);
    double slides = 2 * v0 / (7 * mu * g);
    stand_run(&s, 3 * slides, 1e-8);
    ENSURE_NEAR(stand_state(&s, "ball.v[1]"), 5.0 / 7 * v0, 1e-4);
    ENSURE_NEAR(stand_state(&s, "ball.w[2]") * 0.5 * d, 5.0 / 7 * v0, 1e-4);
    ENSURE_NEAR(stand_state(&s, "ball.v[2]"), 0, 1e-12);
    stand_close(&s);
}

// While it slides it loses mu g, and gains (5/2) mu g / r of spin.
static void sliding_ball_obeys_coulomb(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    stand_law(&s, "DryWood", "DryWood")->mu_r = 0;
    double d = 0.06, mu = 0.3, t = 0.1;
    put_on_table(&s, d, v3(2, 0, 0), V3_ZERO);
    stand_run(&s, t, 1e-8);
    ENSURE_NEAR(stand_state(&s, "ball.v[1]"), 2 - mu * g * t, 1e-6);
    ENSURE_NEAR(stand_state(&s, "ball.w[2]") * 0.5 * d, 2.5 * mu * g * t, 1e-5);
    ENSURE_NEAR(stand_state(&s, "ball.r[1]"), 2 * t - 0.5 * mu * g * t * t, 1e-6);
    stand_close(&s);
}

// A ball on two guides (along z, then along x) that cannot turn slides like a block: it stops after
// v^2/(2 mu g). The regularisation below v_small makes it creep a little further, by at most
// v_small^2/(mu g).
static void guided_ball_stops_after_coulombs_distance(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    double d = 0.06, mu = 0.3, v0 = 1.5, v_small = 0.01;
    s.scene->gravity = rb_gravity_uniform(g, v3(0, 0, -1));
    RbSceneObject table = rb_solid("table", rb_shape_box(v3(20, 20, 0.2)), "DryWood");
    table.object.pose.r = v3(0, 0, -0.1);
    rb_scene_add(s.scene, table);
    RbSceneObject carriage = rb_body(
        "carriage", (RbMassProperties){.mass = 1e-6, .I_CM = m3_diagonal(v3(1e-9, 1e-9, 1e-9))});
    carriage.object.parent = -1;
    RbSceneObject ball = rb_solid("ball", rb_shape_sphere(d), "DryWood");
    ball.object.parent = -1;
    int c = rb_scene_add(s.scene, carriage), b = rb_scene_add(s.scene, ball);
    RbObjectJoint along = rb_scene_joint("along", RB_JOINT_PRISMATIC, 0, c, v3(1, 0, 0));
    RbObjectJoint up = rb_scene_joint("up", RB_JOINT_PRISMATIC, c, b, v3(0, 0, 1));
    along.v[0] = v0;
    up.q[0] = 0.5 * d - rest_depth(d);
    rb_scene_add_joint(s.scene, along);
    rb_scene_add_joint(s.scene, up);
    double m = 700 * M_PI / 6 * d * d * d, slower = mu * g * m / (m + 1e-6);
    stand_run(&s, 1.5 * v0 / slower, 1e-8);
    double way = v0 * v0 / (2 * slower);
    ENSURE_NEAR(stand_state(&s, "along.s"), way, v_small * v_small / slower);
    ENSURE_NEAR(stand_state(&s, "along.s") / way, 1, 1e-4);
    ENSURE_NEAR(stand_state(&s, "along.v"), 0, 1e-6);
    stand_close(&s);
}

// Chosen for one body, and for several.
static const char *const solvers[] = {"auto", "islands"};

static void resting_ball_does_not_move_for_an_hour_with(const char *solver) {
    Stand s;
    stand_open(&s);
    s.options.solver = solver;
    double d = 0.06;
    put_on_table(&s, d, V3_ZERO, V3_ZERO);
    s.scene->objects.data[2].object.pose.r.z += 1e-3; // it drops, bounces and settles
    stand_run(&s, 1, 1e-6);
    Vec3 settled = stand_vector(&s, "ball", "r");
    ENSURE_NEAR(settled.z, 0.5 * d - rest_depth(d), 1e-8);
    stand_run(&s, 3601, 1e-6);
    ENSURE(s.summary.steps < 2000); // a step of the contact's own time would make millions
    ENSURE_NEAR(v3_norm(v3_sub(stand_vector(&s, "ball", "r"), settled)), 0, 1e-9);
    stand_close(&s);
}

static void resting_ball_does_not_move_for_an_hour(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) resting_ball_does_not_move_for_an_hour_with(solvers[i]);
}

// A wooden ball on a plane that is inclined by a, gravity turned instead of the plane. It may not
// turn (three guides), or it would roll.
static void put_on_incline(Stand *s, double a) {
    double d = 0.06;
    s->scene->gravity = rb_gravity_uniform(g, v3(sin(a), 0, -cos(a)));
    RbSceneObject table = rb_solid("table", rb_shape_box(v3(20, 20, 0.2)), "DryWood");
    table.object.pose.r = v3(0, 0, -0.1);
    rb_scene_add(s->scene, table);
    RbMassProperties light = {.mass = 1e-6, .I_CM = m3_diagonal(v3(1e-9, 1e-9, 1e-9))};
    RbSceneObject parts[] = {rb_body("x", light), rb_body("y", light),
                             rb_solid("ball", rb_shape_sphere(d), "DryWood")};
    static const char *const names[] = {"along_x", "along_y", "along_z"};
    int last = 0;
    for (int i = 0; i < 3; i++) {
        parts[i].object.parent = -1;
        int object = rb_scene_add(s->scene, parts[i]);
        RbObjectJoint guide =
            rb_scene_joint(names[i], RB_JOINT_PRISMATIC, last, object, v3(i == 0, i == 1, i == 2));
        guide.q[0] = i == 2 ? 0.5 * d - rest_depth(d) * pow(cos(a), 2.0 / 3) : 0;
        rb_scene_add_joint(s->scene, guide);
        last = object;
    }
}

// Sticking friction holds what is below 0.7 of the friction limit without creep (law.h);
// regularised friction does not: at the slope tan a it creeps with the speed v where mu v/reg(v) =
// tan a.
static void bristles_hold_a_ball_on_an_incline_with(const char *solver) {
    Stand s;
    stand_open(&s);
    s.options.solver = solver;
    stand_law(&s, "DryWood", "DryWood")->friction = RB_FRICTION_BRISTLE;
    double mu = 0.3;
    put_on_incline(&s, atan(0.6 * mu));
    stand_run(&s, 1, 1e-6);
    double settled = stand_state(&s, "along_x.s");
    assert_int_equal(s.summary.states, 9);
    stand_run(&s, 61, 1e-6);
    ENSURE_NEAR(stand_state(&s, "along_x.s"), settled, 1e-9);
    ENSURE(fabs(stand_state(&s, "along_x.s")) < 1e-5); // a bristle's length
    stand_close(&s);
}

static void bristles_hold_a_ball_on_an_incline(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) bristles_hold_a_ball_on_an_incline_with(solvers[i]);
}

// Above the friction angle it slides with g (sin a - mu cos a), once the bristle is bent.
static void bristles_yield_above_the_friction_angle_with(const char *solver) {
    Stand s;
    stand_open(&s);
    s.options.solver = solver;
    stand_law(&s, "DryWood", "DryWood")->friction = RB_FRICTION_BRISTLE;
    double mu = 0.3, a = atan(2 * mu), t = 0.5;
    put_on_incline(&s, a);
    stand_run(&s, 0.5 * t, 1e-7);
    double before = stand_state(&s, "along_x.v");
    stand_run(&s, t, 1e-7);
    double m = 700 * M_PI / 6 * 0.06 * 0.06 * 0.06, carried = m / (m + 2e-6);
    double slides = g * (sin(a) - mu * cos(a) * carried);
    ENSURE_NEAR(stand_state(&s, "along_x.v") - before, 0.5 * slides * t, 1e-6 * slides * t);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-6 * m * g);
    stand_close(&s);
}

static void bristles_yield_above_the_friction_angle(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) bristles_yield_above_the_friction_angle_with(solvers[i]);
}

// [m/s] What a body that starts at rest on a slope is faster by than with full friction from the start: gravity pulls with A, friction holds with F at most,
// both per mass, and the bristle loads as a damped spring until friction is full (contact-law.md, eq. 4.2a).
static double lead_of(double A, double F, const RbPairLaw *law) {
    double w = sqrt(F / law->bristle_length), d = 0.5 * w * w * law->bristle_time,
           wd = sqrt(w * w - d * d), low = 0, high = M_PI / wd;
    for (int i = 0; i < 100; i++) {
        double t = 0.5 * (low + high);
        double a = A * exp(-d * t) * (cos(wd * t) - d / wd * sin(wd * t));
        *(a > A - F ? &low : &high) = t;
    }
    return A * exp(-d * low) * sin(wd * low) / wd - (A - F) * low;
}

static void bristles_load_before_they_yield(void **state) {
    (void)state;
    const double lengths[] = {1e-5, 4e-6}, mu = 0.3, a = atan(2 * mu), t = 0.2;
    for (int i = 0; i < 4; i++) {
        Stand s;
        stand_open(&s);
        s.options.solver = solvers[i / 2];
        RbPairLaw *law = stand_law(&s, "DryWood", "DryWood");
        law->friction = RB_FRICTION_BRISTLE;
        law->bristle_length = lengths[i % 2];
        put_on_incline(&s, a);
        double m = 700 * M_PI / 6 * 0.06 * 0.06 * 0.06, carried = m / (m + 2e-6);
        double A = g * sin(a), F = mu * g * cos(a) * carried, lead = lead_of(A, F, law);
        stand_run(&s, t, 1e-8);
        print_message("%s, L = %g m: %.6g m/s ahead, want %.6g\n", s.options.solver,
                      law->bristle_length, stand_state(&s, "along_x.v") - (A - F) * t, lead);
        ENSURE_NEAR(stand_state(&s, "along_x.v") - (A - F) * t, lead, 1e-4 * lead);
        stand_close(&s);
    }
}

// A box that lies on its face has the same lead; it sinks in first, which is worth less than a thousandth of it.
static void box_gets_ahead_of_coulomb(void **state) {
    (void)state;
    const double a = M_PI / 6, t = 0.5;
    Stand s;
    stand_open(&s);
    RbPairLaw *law = stand_law(&s, "Steel", "Steel");
    law->mu_k = 0.5;
    s.scene->gravity = rb_gravity_uniform(g, v3(sin(a), 0, -cos(a)));
    RbSceneObject plate = rb_solid("plate", rb_shape_box(v3(4, 1, 0.1)), "Steel");
    plate.object.pose.r = v3(0, 0, -0.05);
    rb_scene_add(s.scene, plate);
    rb_scene_add_free(s.scene, "box", rb_shape_box(v3(0.1, 0.1, 0.1)), "Steel", v3(0, 0, 0.05),
                      V3_ZERO, V3_ZERO);
    stand_run(&s, t, 1e-8);
    double A = g * sin(a), F = law->mu_k * g * cos(a), slides = 0.5 * (A - F) * t * t,
           lead = lead_of(A, F, law), ahead = stand_state(&s, "box.v[1]") - (A - F) * t,
           far = stand_state(&s, "box.r[1]") - slides;
    print_message("%.5g m/s and %.5g m ahead, %.3g %% of the way\n", ahead, far,
                  100 * far / slides);
    ENSURE_NEAR(ahead, lead, 1e-3 * lead);
    ENSURE_NEAR(far, lead * t, 2e-3 * lead * t);
    stand_close(&s);
}

// A free ball that sticks where it touches does not slip: down an incline it rolls with 5/7 g sin
// a.
static void ball_that_sticks_rolls_down_with(const char *solver) {
    Stand s;
    stand_open(&s);
    s.options.solver = solver;
    RbPairLaw *law = stand_law(&s, "DryWood", "DryWood");
    law->friction = RB_FRICTION_BRISTLE;
    law->mu_r = 0;
    double a = 0.3, t = 0.5;
    put_on_table(&s, 0.06, V3_ZERO, V3_ZERO);
    s.scene->gravity = rb_gravity_uniform(g, v3(sin(a), 0, -cos(a)));
    stand_run(&s, t, 1e-7);
    double v = 5.0 / 7 * g * sin(a) * t;
    ENSURE_NEAR(stand_state(&s, "ball.v[1]"), v, 1e-3 * v);
    ENSURE_NEAR(stand_state(&s, "ball.w[2]") * 0.03, v, 1e-3 * v);
    stand_close(&s);
}

static void ball_that_sticks_rolls_down(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) ball_that_sticks_rolls_down_with(solvers[i]);
}

// A cylinder that turns about its axis moves its points, but not its surface: the losses of a blow do
// not brake it. It rolls with 2/3 g sin a.
static void rolling_cylinder_is_not_braked(void **state) {
    (void)state;
    const double d = 0.1, a = 0.2, t = 0.5;
    Stand s;
    stand_open(&s);
    RbPairLaw *law = stand_law(&s, "DryWood", "DryWood");
    law->restitution = 0.3;
    law->mu_k = 0.5;
    law->mu_r = 0;
    s.scene->gravity = rb_gravity_uniform(g, v3(sin(a), 0, -cos(a)));
    RbSceneObject table = rb_solid("table", rb_shape_box(v3(20, 20, 0.2)), "DryWood");
    table.object.pose.r = v3(0, 0, -0.1);
    rb_scene_add(s.scene, table);
    rb_scene_add_free(s.scene, "roller", rb_shape_cylinder(2, d, 2 * d), "DryWood",
                      v3(0, 0, 0.5 * d), V3_ZERO, V3_ZERO);
    stand_run(&s, t, 1e-7);
    double v = 2.0 / 3 * g * sin(a) * t, m = 700 * M_PI / 4 * d * d * 2 * d;
    ENSURE_NEAR(stand_state(&s, "roller.v[1]"), v, 1e-3 * v);
    ENSURE(stand_quadrature(&s, "energy.contact_damping") < 1e-4 * 0.75 * m * v * v);
    stand_close(&s);
}

// A ball that spins about the normal is slowed by (3 pi/16) mu N a, a the radius of Hertz's contact, and
// stops.
static void spinning_ball_stops(void **state) {
    (void)state;
    const double d = 0.06, mu = 0.3, w0 = 2;
    Stand s;
    stand_open(&s);
    stand_law(&s, "DryWood", "DryWood")->mu_r = 0;
    put_on_table(&s, d, V3_ZERO, v3(0, 0, w0));
    double m = 700 * M_PI / 6 * d * d * d, I = 0.1 * m * d * d;
    double slows = 3 * M_PI / 16 * mu * m * g * sqrt(0.5 * d * rest_depth(d)) / I; // [rad/s2]
    stand_run(&s, 0.5 * w0 / slows, 1e-8);
    ENSURE_NEAR(stand_state(&s, "ball.w[3]"), 0.5 * w0, 1e-4 * w0);
    stand_run(&s, 1.2 * w0 / slows, 1e-8);
    ENSURE_NEAR(stand_state(&s, "ball.w[3]"), 0, 1e-4 * w0);
    ENSURE_NEAR(stand_result(&s, "energy.residual"), 0, 1e-6 * 0.5 * I * w0 * w0);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_ball_ends_up_rolling),
        cmocka_unit_test(sliding_ball_obeys_coulomb),
        cmocka_unit_test(guided_ball_stops_after_coulombs_distance),
        cmocka_unit_test(resting_ball_does_not_move_for_an_hour),
        cmocka_unit_test(bristles_hold_a_ball_on_an_incline),
        cmocka_unit_test(spinning_ball_stops),
        cmocka_unit_test(bristles_yield_above_the_friction_angle),
        cmocka_unit_test(bristles_load_before_they_yield),
        cmocka_unit_test(box_gets_ahead_of_coulomb),
        cmocka_unit_test(ball_that_sticks_rolls_down),
        cmocka_unit_test(rolling_cylinder_is_not_braked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
