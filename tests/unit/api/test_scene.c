// SPDX-License-Identifier: MIT
// The public interface for scenes: every joint, force element and law against its closed form, and
// wrong input.
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rattleback/rattleback.h"

typedef struct Api {
    RbContext *context;
    RbSceneBuilder *scene;
    RbResults *results;
    RbSummary summary;
    char file[64];
} Api;

static const double pi = 3.14159265358979323846;

static void ok_at(Api *s, RbStatus status, int line) {
    if (status == RB_OK) return;
    for (int i = 0; i < rb_context_message_count(s->context); i++)
        print_error("line %d: %s", line, rb_context_message(s->context, i));
    _fail(__FILE__, line);
}
#define OK(call) ok_at(s, call, __LINE__)

static void open_scene(Api *s) {
    *s = (Api){.context = rb_context_create(NULL)};
    ENSURE(s->context != NULL);
    snprintf(s->file, sizeof s->file, "/tmp/rb_api_scene_%d.rbj", (int)getpid());
    OK(rb_builder_create(s->context, "test", &s->scene));
    rb_builder_gravity(s->scene, (double[]){0, 0, 0});
}

static void close_scene(Api *s) {
    rb_context_free(s->context);
    unlink(s->file);
}

static void run(Api *s, double stop_time, double interval) {
    RbModel *model;
    OK(rb_builder_finish(s->scene, &model));
    RbSimOptions options = rb_model_options(model);
    options.stop_time = stop_time;
    options.tolerance = 1e-10;
    options.output_interval = interval;
    options.journal_file = s->file;
    OK(rb_simulate(s->context, model, &options, &s->summary));
    OK(rb_results_open(s->context, s->file, &s->results));
}

// The last value of a result.
static double last(Api *s, const char *name) {
    size_t rows = rb_results_rows(s->results);
    double *values = malloc(rows * sizeof *values);
    int variable = rb_results_find(s->results, name);
    if (variable < 0) print_error("no result '%s'\n", name);
    ENSURE(variable >= 0);
    OK(rb_results_values(s->results, variable, values));
    double value = values[rows - 1];
    free(values);
    return value;
}

static const double INERTIA[] = {0.1, 0.2, 0.25, 0, 0, 0}; // [kg.m2]

static int add_mass(Api *s, const char *name, int parent, const double *centre) {
    int object;
    OK(rb_builder_add_mass(s->scene, name, parent, NULL, 2, centre, INERTIA, &object));
    return object;
}

static int add_joint(Api *s, RbSceneJoint hinge) {
    int joint;
    OK(rb_builder_add_joint(s->scene, &hinge, &joint));
    return joint;
}

// ---------------------------------------------------------------------------------------------------

// Revolute about z, spring c: phi(t) = phi0 cos(w t), w^2 = c / (Izz + m l^2).
static void torsion_pendulum(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    int body = add_mass(s, "body", -1, (double[]){0.5, 0, 0});
    RbSceneJoint hinge = rb_scene_joint_default("hinge", RB_SCENE_REVOLUTE, 0, body);
    hinge.start[0] = 0.3;
    int joint = add_joint(s, hinge);
    RbJointElement spring = {.joint = joint, .stiffness = 12};
    OK(rb_builder_add_joint_element(s->scene, &spring));
    run(s, 1.7, 0);
    double w = sqrt(12 / (0.25 + 2 * 0.25));
    ENSURE_NEAR(last(s, "hinge.phi"), 0.3 * cos(1.7 * w), 1e-8);
    close_scene(s);
}

// A stop of stiffness k returns a sliding mass after half a period of sqrt(k/m).
static void stop_returns_elastically(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    int body = add_mass(s, "body", -1, NULL);
    RbSceneJoint hinge = rb_scene_joint_default("slide", RB_SCENE_PRISMATIC, 0, body);
    hinge.speed[0] = 1.5;
    int joint = add_joint(s, hinge);
    RbJointElement stop = {.joint = joint, .lower = -1, .upper = 0.3, .stop_stiffness = 5000};
    OK(rb_builder_add_joint_element(s->scene, &stop));
    run(s, 0.5, 0);
    double inside = pi * sqrt(2 / 5000.0), back = 0.5 - 0.2 - inside;
    ENSURE_NEAR(last(s, "slide.s"), 0.3 - 1.5 * back, 1e-8);
    close_scene(s);
}

// Planar: moves along axis2 and its normal and spins, nothing else; forces in the world's axes.
static void push(double t, void *user, double force[3], double torque[3]) {
    (void)user;
    force[0] = 4;     // [N]
    force[1] = 6 * t; // [N]
    force[2] = 100;   // [N] carried by the joint
    torque[2] = 0.5;  // [N.m]
}

static void planar_joint_with_force(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    int body = add_mass(s, "body", -1, NULL);
    add_joint(s, rb_scene_joint_default("plane", RB_SCENE_PLANAR, 0, body));
    OK(rb_builder_add_force(s->scene, body, 0, push, NULL));
    run(s, 2, 0);
    ENSURE_NEAR(last(s, "body.r_abs[1]"), 0.5 * 2 * 4, 1e-8); // a t^2 / 2, a = 4/2
    ENSURE_NEAR(last(s, "body.r_abs[2]"), 3 * 8 / 6.0, 1e-8); // 3 t^3 / 6
    ENSURE_NEAR(last(s, "body.r_abs[3]"), 0, 1e-12);
    ENSURE_NEAR(last(s, "plane.phi"), 0.5 * 4 * 0.5 / 0.25, 1e-8);
    close_scene(s);
}

// Far too short to be found: declared, with a period.
static double brake(double t, double q, double v, void *user) {
    (void)q, (void)v, (void)user;
    double phase = fmod(t, 0.1);
    return phase >= 0.05 && phase < 0.0501 ? -10 : 0; // [N]
}

static void declared_breaks(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    int body = add_mass(s, "body", -1, NULL);
    RbSceneJoint slide = rb_scene_joint_default("slide", RB_SCENE_PRISMATIC, 0, body);
    slide.speed[0] = 1;
    RbJointElement e = rb_joint_element_default(add_joint(s, slide), 0);
    e.law = brake;
    OK(rb_builder_add_joint_element(s->scene, &e));
    double times[] = {0.05, 0.0501};
    OK(rb_builder_add_breaks(s->scene, times, 2, 0.1));
    ENSURE(rb_builder_add_breaks(s->scene, NULL, 2, 0.1) == RB_ERROR_USAGE);
    ENSURE(rb_builder_add_breaks(s->scene, times, 0, 0.1) == RB_ERROR_USAGE);
    ENSURE(rb_builder_add_breaks(s->scene, times, 2, -1) == RB_ERROR_USAGE);
    ENSURE(rb_builder_add_breaks(s->scene, times, 2, NAN) == RB_ERROR_USAGE);
    times[1] = INFINITY;
    ENSURE(rb_builder_add_breaks(s->scene, times, 2, 0) == RB_ERROR_USAGE);
    run(s, 1, 0);
    ENSURE_NEAR(last(s, "slide.v"), 1 - 10 * 10 * 0.0001 / 2, 1e-12); // 2 kg
    close_scene(s);
}

// A bushing of equal stiffness lets a free body swing about its centre along one axis.
static void bushing_oscillates(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    RbSolid box = rb_solid_default("box", RB_SOLID_BOX, "Steel");
    box.mass = 3;
    box.free = true;
    box.no_contact = true;
    box.position[1] = 0.02;
    int body;
    OK(rb_builder_add_solid(s->scene, &box, &body));
    RbBushingElement e = {.a = 0, .b = body, .stiffness = {700, 800, 900}};
    OK(rb_builder_add_bushing(s->scene, &e));
    run(s, 1.3, 0);
    ENSURE_NEAR(last(s, "box.r[2]"), 0.02 * cos(1.3 * sqrt(800 / 3.0)), 1e-8);
    ENSURE_NEAR(last(s, "box.r[1]"), 0, 1e-12);
    close_scene(s);
}

// ---------------------------------------------------------------------------------------------------

// F = k depth: the sphere comes back after pi sqrt(m/k) with its speed.
static void linear_law(const RbTouch *touch, void *user, RbTouchForce *force) {
    double k = *(double *)user, depth = fmax(0, touch->depth);
    force->normal = k * depth;
    force->elastic_energy = 0.5 * k * depth * depth;
}

static void law_of_the_user(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    OK(rb_builder_add_material(s->scene, "Jelly", 1000, 1e6, 0.4));
    static double k = 4000; // [N/m]
    RbPairLaw law = rb_pair_law_default();
    law.normal = RB_NORMAL_USER;
    law.user_law = linear_law;
    law.user = &k;
    OK(rb_builder_set_pair(s->scene, "Jelly", "Steel", &law));

    RbSolid wall = rb_solid_default("wall", RB_SOLID_BOX, "Steel");
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Jelly");
    ball.diameter = 0.2;
    ball.mass = 0.5;
    ball.free = true;
    ball.position[0] = 0.5 + 0.1 + 0.2; // a gap of 0.2 m
    ball.velocity[0] = -2;
    OK(rb_builder_add_solid(s->scene, &wall, NULL));
    OK(rb_builder_add_solid(s->scene, &ball, NULL));
    run(s, 0.5, 0);
    double touching = pi * sqrt(0.5 / 4000), back = 0.5 - 0.1 - touching;
    ENSURE_NEAR(last(s, "ball.v[1]"), 2, 1e-7);
    ENSURE_NEAR(last(s, "ball.r[1]"), 0.6 + 2 * back, 1e-7);
    ENSURE_NEAR(last(s, "energy.residual"), 0, 0.5 * 2 * 1e-7); // m v times the bound of v
    close_scene(s);
}

// The hull of the corners of a cube is a cube: density times volume, and it stops at its face.
static void hull_is_a_solid(void **state) {
    (void)state;
    static const double CUBE[] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                  -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
    Api api, *s = &api;
    open_scene(s);
    OK(rb_builder_add_material(s->scene, "Light", 0.5, 1e9, 0.3));
    RbSolid cube = rb_solid_default("cube", RB_SOLID_HULL, "Light");
    cube.points = CUBE;
    cube.point_count = 8;
    cube.free = true;
    cube.velocity[2] = 3;
    OK(rb_builder_add_solid(s->scene, &cube, NULL));
    run(s, 1, 0);
    ENSURE_NEAR(last(s, "energy.kinetic"), 0.5 * (0.5 * 8) * 9, 1e-9);
    cube.name = "flat";
    cube.point_count = 4;
    ENSURE(rb_builder_add_solid(s->scene, &cube, NULL) != RB_OK);
    close_scene(s);
}

// ---------------------------------------------------------------------------------------------------

static void ensure_message(Api *s, RbStatus status, const char *text) {
    ENSURE(status != RB_OK);
    int count = rb_context_message_count(s->context);
    ENSURE(count > 0);
    const char *message = rb_context_message(s->context, count - 1);
    if (!strstr(message, text)) print_error("'%s' is not in: %s", text, message);
    ENSURE(strstr(message, text) != NULL);
}

// A ball of 2 kg on a spring of 100 N/m, and one that lies: m g/c below, and where it was set down.
static void steady_start(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, -9.81}));
    OK(rb_builder_steady_start(s->scene, true));
    RbSolid table = rb_solid_default("table", RB_SOLID_HALFSPACE, "Steel");
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel");
    ball.diameter = 0.1;
    ball.free = true;
    ball.position[2] = 0.05;
    OK(rb_builder_add_solid(s->scene, &table, NULL));
    OK(rb_builder_add_solid(s->scene, &ball, NULL));
    RbSolid bob = ball;
    int number;
    bob.name = "bob";
    bob.mass = 2;
    bob.position[0] = 1;
    bob.position[2] = 1;
    OK(rb_builder_add_solid(s->scene, &bob, &number));
    int hook;
    OK(rb_builder_add_frame(s->scene, "hook", 0, (double[]){1, 0, 2}, (double[]){1, 0, 0, 0}, &hook));
    OK(rb_builder_add_spring(s->scene, hook, number, 1, 100, 0));
    run(s, 1, 0.1);
    ENSURE_NEAR(last(s, "bob.r[3]"), 1 - 2 * 9.81 / 100, 1e-9);
    ENSURE_NEAR(last(s, "bob.v[3]"), 0, 1e-9);
    ENSURE_NEAR(last(s, "ball.r[3]"), 0.05, 2e-6); // 1.2 um by Hertz, see scene/test_steady_start
    ENSURE_NEAR(last(s, "ball.v[3]"), 0, 1e-9);
    ENSURE(last(s, "energy.elastic") > 0);
    close_scene(s);
}

// Messages are in the order of the solids.
static void smoothing_that_cannot_be_is_told(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                             0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    RbSolid hull = rb_solid_default("hull", RB_SOLID_HULL, "Steel");
    hull.points = points;
    hull.point_count = 8;
    hull.smoothing = 0.2;
    OK(rb_builder_add_solid(s->scene, &hull, NULL));
    hull.name = "grown";
    hull.radius = 0.1;
    hull.position[0] = 3;
    OK(rb_builder_add_solid(s->scene, &hull, NULL));
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel");
    ball.smoothing = 0.01;
    ball.free = true;
    ball.position[1] = 3;
    OK(rb_builder_add_solid(s->scene, &ball, NULL));
    run(s, 0.01, 0);
    const char *wanted[] = {
        "rattleback: warning: smoothing of 'hull' is 0.2 m, more than fits into it: its edges are "
        "rounded by 0.1 m, a fifth of the way from the centroid to the nearest face; type that "
        "or less\n",
        "rattleback: warning: smoothing of 'grown' has no effect: its edges are rounded by its "
        "radius of 0.1 m\n",
        "rattleback: warning: smoothing of 'ball' has no effect: its shape, a sphere, has no "
        "edges\n"};
    assert_int_equal(rb_context_message_count(s->context), 3);
    for (int i = 0; i < 3; i++) assert_string_equal(rb_context_message(s->context, i), wanted[i]);
    close_scene(s);
}

// Before anything touches.
static void a_hull_that_is_too_thin_is_told(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, -9.81}));
    const double t = 1e-9, w = 0.1;
    const double points[] = {0, 0, 0, w, 0, 0, 0, w, 0, w, w, 0, 0, 0, t, w, 0, t, 0, w, t, w, w, t};
    RbSolid table = rb_solid_default("table", RB_SOLID_HALFSPACE, "Steel");
    RbSolid hull = rb_solid_default("hull", RB_SOLID_HULL, "Steel");
    hull.points = points;
    hull.point_count = 8;
    hull.free = true;
    hull.position[2] = 0.1;
    OK(rb_builder_add_solid(s->scene, &table, NULL));
    OK(rb_builder_add_solid(s->scene, &hull, NULL));
    run(s, 0.01, 0);
    assert_int_equal(rb_context_message_count(s->context), 1);
    assert_string_equal(
        rb_context_message(s->context, 0),
        "rattleback: warning: 'hull' is 1e-09 m thin and 0.14 m large: a fall of 'hull' onto "
        "'table' from 0.14 m, flat, would go deeper than a quarter of that, where a run ends; make "
        "it thicker than 4e-07 m, or its material stiffer\n");
    close_scene(s);
}

static void wrong_input_is_named(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s);
    RbSceneBuilder *b = s->scene;
    int body = add_mass(s, "body", -1, NULL);
    RbSceneJoint hinge = rb_scene_joint_default("hinge", RB_SCENE_SPHERICAL, 0, 7);
    ensure_message(s, rb_builder_add_joint(b, &hinge, NULL), "scene 'test' has no object 7");
    hinge.b = body;
    int joint = add_joint(s, hinge);
    RbJointElement e = {.joint = joint};
    ensure_message(s, rb_builder_add_joint_element(b, &e),
                   "joint 'hinge' (spherical) has no coordinate 0");
    e.joint = 3;
    ensure_message(s, rb_builder_add_joint_element(b, &e), "scene 'test' has no joint 3");
    ensure_message(s, rb_builder_add_material(b, "Foam", -1, 1e6, 0.3),
                   "material 'Foam': 'density' is -1 kg/m3");
    RbPairLaw law = rb_pair_law_default();
    law.restitution = 1.2;
    ensure_message(s, rb_builder_set_pair(b, "Steel", "Foam", &law),
                   "materials 'Steel' and 'Foam': 'restitution' is 1.2");
    law = rb_pair_law_default();
    law.normal = RB_NORMAL_USER;
    ensure_message(s, rb_builder_set_pair(b, "Steel", "Foam", &law), "has no function");
    law = rb_pair_law_default();
    law.friction = (RbFrictionLaw)-1;
    ensure_message(s, rb_builder_set_pair(b, "Steel", "Foam", &law), "'law->friction' is none of");
    law = rb_pair_law_default();
    law.faces = (RbFaceLaw)77;
    ensure_message(s, rb_builder_set_pair(b, "Steel", "Foam", &law), "'law->faces' is none of");
    RbSolid solid = rb_solid_default(NULL, RB_SOLID_SPHERE, "Steel");
    ensure_message(s, rb_builder_add_solid(b, &solid, NULL), "of scene 'test' has no name");
    solid.name = "body";
    ensure_message(s, rb_builder_add_solid(b, &solid, NULL), "there are two objects named 'body'");
    solid.name = "ball";
    solid.rotation[1] = (double)NAN;
    ensure_message(s, rb_builder_add_solid(b, &solid, NULL), "solid->rotation' is not finite");
    close_scene(s);
}

// A built-in scene is the one that the command runs: same bits as by hand, and it can be changed before.
static void built_in_scenes_are_opened(void **state) {
    (void)state;
    Api s = {.context = rb_context_create(NULL)};
    const char *name, *description, *text;
    RbModel *model;
    int count = 0;
    while (rb_scene_example(count, &name, &description)) count++;
    ENSURE(count > 20 && !rb_scene_example(-1, NULL, NULL));
    ENSURE(rb_builder_open(s.context, "two-balls", &s.scene) == RB_OK);
    ENSURE(strcmp(rb_builder_object(s.scene, 0), "world") == 0 && !rb_builder_object(s.scene, 99));
    int a = rb_builder_find(s.scene, rb_builder_object(s.scene, 1));
    ENSURE(a == 1 && rb_builder_find(s.scene, "nothing") == -1);
    ENSURE(rb_builder_describe(s.scene, &text) == RB_OK &&
           strstr(text, rb_builder_object(s.scene, a)));
    ENSURE(rb_builder_record_contact(s.scene, 1, 2) == RB_OK);
    ENSURE(rb_builder_finish(s.scene, &model) == RB_OK);
    ENSURE(rb_model_options(model).stop_time == 1.5 && rb_model_options(model).tolerance == 1e-7);
    ENSURE(rb_builder_describe(s.scene, &text) == RB_OK); // also of a finished one
    ENSURE(rb_builder_open(s.context, "two-bals", &s.scene) == RB_ERROR_USAGE && !s.scene);
    int last = rb_context_message_count(s.context) - 1;
    ENSURE(strstr(rb_context_message(s.context, last), "did you mean 'two-balls'?"));
    ENSURE(rb_builder_open(s.context, NULL, &s.scene) == RB_ERROR_USAGE);
    ENSURE(rb_builder_open(NULL, "two-balls", &s.scene) == RB_ERROR_USAGE);
    ENSURE(!rb_builder_object(NULL, 0) && rb_builder_find(NULL, "x") == -1);
    rb_context_free(s.context);
}

static void the_palette_is_described(void **state) {
    (void)state;
    Api s;
    open_scene(&s);
    const char *text;
    bool steel = false;
    for (int i = 0; rb_builder_material(s.scene, i); i++)
        steel |= strcmp(rb_builder_material(s.scene, i), "Steel") == 0;
    ENSURE(steel && rb_builder_pair_count(s.scene) >= 10 && !rb_builder_material(s.scene, -1));
    ENSURE(rb_builder_describe_pair(s.scene, "Steel", "DryWood", &text) == RB_OK);
    ENSURE(strstr(text, "Steel") && strstr(text, "DryWood"));
    ENSURE(rb_builder_describe_pair(s.scene, "Steel", "Stel", &text) != RB_OK && !text);
    ENSURE(rb_builder_describe_pair(s.scene, NULL, "Steel", &text) == RB_ERROR_USAGE);
    int last = rb_context_message_count(s.context) - 1;
    ENSURE(strstr(rb_context_message(s.context, last), "argument 'ball' is NULL"));
    ENSURE(rb_builder_describe(NULL, &text) == RB_ERROR_USAGE);
    ENSURE(rb_builder_describe(s.scene, NULL) == RB_ERROR_USAGE);
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torsion_pendulum),
        cmocka_unit_test(stop_returns_elastically),
        cmocka_unit_test(planar_joint_with_force),
        cmocka_unit_test(declared_breaks),
        cmocka_unit_test(bushing_oscillates),
        cmocka_unit_test(law_of_the_user),
        cmocka_unit_test(hull_is_a_solid),
        cmocka_unit_test(steady_start),
        cmocka_unit_test(smoothing_that_cannot_be_is_told),
        cmocka_unit_test(a_hull_that_is_too_thin_is_told),
        cmocka_unit_test(wrong_input_is_named),
        cmocka_unit_test(built_in_scenes_are_opened),
        cmocka_unit_test(the_palette_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
