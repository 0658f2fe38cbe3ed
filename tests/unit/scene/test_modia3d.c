// SPDX-License-Identifier: MIT
// label: normal
// Final states of the models that come with Modia3D, by its own rule: |x - reference| <= max(atol,
// rtol |x|) over the whole vector. Its law of damping is the one of Flores. Where its distances are
// known to be scaled by a factor that depends on the pose, the reference is not a fact about the
// model; what stands in its place is said at each case.
#include "stand.h"

static void within(const double *x, const double *reference, int count, double rtol, double atol) {
    double difference = 0, size = 0;
    for (int i = 0; i < count; i++) {
        difference += (x[i] - reference[i]) * (x[i] - reference[i]);
        size += fmax(x[i] * x[i], reference[i] * reference[i]);
    }
    print_message("difference %g of %g\n", sqrt(difference), sqrt(size));
    ENSURE(sqrt(difference) <= fmax(atol, rtol * sqrt(size)));
}

// collision-bouncing-sphere. An independent computation in one dimension gives v = -0.4418119, s =
// 0.00038627.
static void sphere_on_a_guide(void **state) {
    (void)state;
    Stand s;
    stand_open_case(&s, "guided-sphere");
    s.scene->damping = RB_DAMPING_FLORES;
    s.scene->faces = RB_FACES_POINT;
    stand_run(&s, 2.2, 1e-8);
    double x[] = {stand_state(&s, "guide.v"), stand_state(&s, "guide.s")};
    within(x, (const double[]){-0.4417983315849275, 0.0003869217525311367}, 2, 1e-3, 1e-7);
    within(x, (const double[]){-0.4418119, 0.00038627}, 2, 1e-4, 0);
    stand_close(&s);
}

// collision-bouncing-sphere-contact-results, against the plane computation without scaling: x =
// 0.618777, vx = 0.701634, y = 0.099835, angle -9.17036, w = -7.02208 (the reference itself is
// within its rule of that).
static void heavy_sphere(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->damping = RB_DAMPING_FLORES;
    s.scene->faces = RB_FACES_POINT;
    RbSceneObject ground = rb_solid("ground", rb_shape_box(v3(2, 0.1, 0.5)), "Steel");
    ground.object.pose.r = v3(0, -0.05, 0);
    rb_scene_add(s.scene, ground);
    int ball = rb_scene_add_free(s.scene, "sphere", rb_shape_sphere(0.2), "Steel", v3(-0.5, 0.3, 0),
                                 v3(1, 0, 0), V3_ZERO);
    s.scene->objects.data[ball].mass = 10000;
    stand_run(&s, 1.5, 1e-8);
    Quat q = stand_quat(&s, "sphere");
    double angle = 2 * atan2(q.z, q.w), want = -9.17036;
    angle += 2 * M_PI * round((want - angle) / (2 * M_PI)); // the quaternion counts no turns
    Vec3 r = stand_vector(&s, "sphere", "r"), v = stand_vector(&s, "sphere", "v"),
         w = stand_vector(&s, "sphere", "w");
    double x[] = {r.x, r.y, r.z, v.x, v.y, v.z, 0, 0, angle, w.x, w.y, w.z};
    within(x,
           (const double[]){0.6190964322303429, 0.09989803187140613, 0, 0.7018335184646917,
                            -0.00011551585213889106, 0, 0, 0, -9.171436344350457, 0, 0,
                            -7.0240720401621495},
           12, 1e-3, 1e-6);
    ENSURE_NEAR(r.x, 0.618777, 1e-4);
    ENSURE_NEAR(r.y, 0.099835, 1e-6);
    ENSURE_NEAR(v.x, 0.701634, 1e-4);
    ENSURE_NEAR(w.z, -7.02208, 1e-3);
    stand_close(&s);
}

// collision-newtons-cradle: distances of spheres are not scaled.
static void cradle(void **state) {
    (void)state;
    Stand s;
    stand_open_case(&s, "newtons-cradle");
    s.scene->damping = RB_DAMPING_FLORES;
    s.scene->faces = RB_FACES_POINT;
    stand_run(&s, 5, 1e-8);
    double x[10];
    for (int i = 0; i < 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "rev%d.w", i + 1);
        x[2 * i] = stand_state(&s, name);
        snprintf(name, sizeof name, "rev%d.phi", i + 1);
        x[2 * i + 1] = stand_state(&s, name);
    }
    within(x,
           (const double[]){-1.180791527568564, -1.033934458288708, 0.04982982739055273,
                            0.018466029517559813, 0.049844032881367094, 0.018471344490359712,
                            0.04986127142907837, 0.018476465719447804, 0.04987561416137295,
                            0.018481494292598495},
           10, 1e-3, 0);
    stand_close(&s);
}

// collision-two-balls: the balls sink in differently (scaled distances), but where they roll to is
// set by friction and momentum.
static void two_balls(void **state) {
    (void)state;
    Stand s;
    stand_open_case(&s, "two-balls");
    s.scene->damping = RB_DAMPING_FLORES;
    s.scene->faces = RB_FACES_POINT;
    stand_run(&s, 1.5, 1e-7);
    Vec3 r1 = stand_vector(&s, "ball1", "r"), v1 = stand_vector(&s, "ball1", "v"),
         w1 = stand_vector(&s, "ball1", "w");
    Vec3 r2 = stand_vector(&s, "ball2", "r"), v2 = stand_vector(&s, "ball2", "v"),
         w2 = stand_vector(&s, "ball2", "w");
    double x[] = {r1.x, r1.z, v1.x, w1.y, r2.x, r2.z, v2.x, w2.y};
    within(x,
           (const double[]){0.44876394694456134, 0.029996866914584027, 0.5333704927224155,
                            17.778500349018145, 1.4034679368692125, 0.029997749668811288,
                            1.4386201962066418, 47.95429595521847},
           8, 1e-3, 0);
    stand_close(&s);
}

// collision-error-invalid-pair: the frustums, one of a material that has no data with the plate.
// The run goes on until they touch and then names both.
static void missing_pair(void **state) {
    (void)state;
    Stand s;
    stand_open_case(&s, "frustums");
    for (int i = 0; i < s.scene->objects.count; i++) {
        RbSceneObject *o = &s.scene->objects.data[i];
        if (o->object.name && strcmp(o->object.name, "coneX") == 0) o->contact = "BilliardTable";
    }
    s.options.stop_time = 1.3;
    ENSURE(stand_go(&s) == RB_ERROR_ASSERTION);
    ENSURE(s.summary.time > 0.1);
    const char *message = fixture_message(&s.f, s.f.diag.messages.count - 1);
    if (!strstr(message, "'ground' (DryWood) and 'coneX' (BilliardTable) touch"))
        print_error("%s\n", message);
    ENSURE(strstr(message, "'ground' (DryWood) and 'coneX' (BilliardTable) touch") != NULL);
    stand_close(&s);
}

// collision-zero-crossing-issue: a run that starts touching comes to its end.
static void starts_touching(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    s.scene->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    s.scene->contact_options.scene = (RbContactScene){.reduction = 1e-5, .max_damping = 1e3};
    RbSceneObject ground = rb_solid("ground", rb_shape_box(v3(0.2, 0.2, 0.01)), "DryWood");
    ground.object.pose.r = v3(0, 0, -0.005);
    rb_scene_add(s.scene, ground);
    rb_scene_add_free(s.scene, "ellipsoid", rb_shape_ellipsoid(v3(0.1, 0.02, 0.02)), "DryWood",
                      v3(0.01, 0.01, 0.01), V3_ZERO, V3_ZERO);
    stand_run(&s, 0.01, 1e-8);
    assert_int_equal(stand_starts(&s), 1);
    stand_close(&s);
}

// collision-error-parallel-lines, -plane-point: shapes without volume are refused.
static void flat_shapes(void **state) {
    (void)state;
    const RbShape shapes[] = {rb_shape_box(v3(3, 0, 0)), rb_shape_sphere(0),
                              rb_shape_box(v3(5, 3, 0))};
    for (int i = 0; i < 3; i++) {
        Stand s;
        stand_open(&s);
        rb_scene_add_free(s.scene, "thin", shapes[i], "Steel", V3_ZERO, v3(0, 1, 0), V3_ZERO);
        ENSURE(stand_go(&s) == RB_ERROR_MODEL);
        ENSURE(strstr(fixture_message(&s.f, 0), "'thin'") != NULL);
        stand_close(&s);
    }
}

// tutorial-pendulum1: as basic-pendulum.
static void pendulum(void **state) {
    (void)state;
    Stand s;
    stand_open(&s);
    RbSceneObject body = rb_body("body", (RbMassProperties){.mass = 1, .r_CM = v3(0.5, 0, 0)});
    body.object.parent = -1;
    int object = rb_scene_add(s.scene, body);
    rb_scene_add_joint(s.scene, rb_scene_joint("rev", RB_JOINT_REVOLUTE, 0, object, v3(0, 0, 1)));
    stand_run(&s, 3, 1e-6);
    double x[] = {stand_state(&s, "rev.w"), stand_state(&s, "rev.phi")};
    within(x, (const double[]){5.970529829666215, -1.1395482781332746}, 2, 1e-3, 0);
    stand_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_on_a_guide),
        cmocka_unit_test(heavy_sphere),
        cmocka_unit_test(cradle),
        cmocka_unit_test(two_balls),
        cmocka_unit_test(missing_pair),
        cmocka_unit_test(starts_touching),
        cmocka_unit_test(flat_shapes),
        cmocka_unit_test(pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
