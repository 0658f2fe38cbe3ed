// SPDX-License-Identifier: MIT
// Scenes as data, and what a run shows of them: laws of the user against closed forms and
// conservation, shapes against their volumes, and every wrong argument by its name.
#include "testing.h"

#include <string.h>

#include "rattleback/rattleback.h"

typedef struct Stage {
    RbContext *context;
    RbSceneBuilder *scene;
    RbModel *model;
    RbRun *run;
} Stage;

#define OK(s, call) ensure_ok(s, call, __LINE__)

static const char *last_message(const Stage *s) {
    int count = rb_context_message_count(s->context);
    return count > 0 ? rb_context_message(s->context, count - 1) : "";
}

static void ensure_ok(const Stage *s, RbStatus status, int line) {
    if (status == RB_OK) return;
    print_error("line %d: %s\n", line, last_message(s));
    _fail(__FILE__, line);
}

static Stage new_scene(void) {
    Stage s = {.context = rb_context_create(NULL)};
    OK(&s, rb_builder_create(s.context, "scene", &s.scene));
    return s;
}

static void start(Stage *s, double stop) {
    OK(s, rb_builder_finish(s->scene, &s->model));
    RbSimOptions options = rb_model_options(s->model);
    options.stop_time = stop;
    options.tolerance = 1e-9;
    OK(s, rb_run_open(s->context, s->model, &options, &s->run));
}

static void end(Stage *s) {
    OK(s, rb_run_close(s->run, NULL));
    rb_context_free(s->context);
}

static RbObjectMotion motion_of(const Stage *s, int object) {
    RbObjectMotion m;
    OK(s, rb_run_motion(s->run, object, &m));
    return m;
}

static int add_ball(Stage *s, const char *name, double x, double mass) {
    int object;
    RbSolid ball = rb_solid_default(name, RB_SOLID_SPHERE, "Steel");
    ball.diameter = 0.1;
    ball.mass = mass;
    ball.free = true;
    ball.no_contact = true;
    ball.position[0] = x;
    OK(s, rb_builder_add_solid(s->scene, &ball, &object));
    return object;
}

// ---- laws

static void pull(double time, const RbObjectMotion *object, const RbObjectMotion *other, void *user,
                 double force[3], double torque[3]) {
    (void)time, (void)torque;
    for (int i = 0; i < 3; i++)
        force[i] = -*(const double *)user * (object->position[i] - other->position[i]);
}

// Two masses that attract each other by k d: their distance swings with k/m1 + k/m2, and their
// momentum stays.
static void laws_act_on_both(void **state) {
    (void)state;
    Stage s = new_scene();
    double k = 30, m1 = 2, m2 = 3;
    OK(&s, rb_builder_gravity(s.scene, (double[]){0, 0, 0}));
    int a = add_ball(&s, "a", 0, m1), b = add_ball(&s, "b", 0.7, m2);
    OK(&s, rb_builder_add_force_law(s.scene, a, b, pull, &k));
    start(&s, 1);
    OK(&s, rb_run_step(s.run, RB_UNTIL_TIME, 0.4, NULL));
    double rate = sqrt(k / m1 + k / m2);
    double distance = motion_of(&s, b).position[0] - motion_of(&s, a).position[0];
    ENSURE_NEAR(distance, 0.7 * cos(rate * 0.4), 1e-7);
    double linear[3], angular[3];
    OK(&s, rb_run_momentum(s.run, linear, angular));
    for (int i = 0; i < 3; i++) ENSURE_NEAR(linear[i] + angular[i], 0, 1e-12);
    int n = rb_run_sizes(s.run).states;
    double *jacobian = calloc((size_t)(n * n), sizeof *jacobian);
    OK(&s, rb_run_jacobian(s.run, jacobian)); // the law is in it: -k/m1
    int x = -1, v = -1;
    for (int i = 0; i < n; i++) {
        RbRunVariable state_i;
        OK(&s, rb_run_variable(s.run, rb_run_state(s.run, i), &state_i));
        if (strcmp(state_i.name, "a.r[1]") == 0) x = i;
        if (strcmp(state_i.name, "a.v[1]") == 0) v = i;
    }
    ENSURE(x >= 0 && v >= 0);
    ENSURE_NEAR(jacobian[x * n + v], -k / m1, 1e-6);
    free(jacobian);
    end(&s);
}

static double hard(double x, void *user) {
    return *(const double *)user * x * x * x;
}

// A cubic spring: energy k x^4 / 4 against m v^2 / 2.
static void springs_have_curves(void **state) {
    (void)state;
    Stage s = new_scene();
    double k = 50;
    OK(&s, rb_builder_gravity(s.scene, (double[]){0, 0, 0}));
    int a = add_ball(&s, "a", 1.3, 2);
    RbSpringElement spring = rb_spring_element_default(0, a);
    spring.length = 1;
    spring.spring = hard;
    spring.user = &k;
    OK(&s, rb_builder_add_spring_element(s.scene, &spring));
    start(&s, 1);
    OK(&s, rb_run_step(s.run, RB_UNTIL_TIME, 0.5, NULL));
    RbObjectMotion m = motion_of(&s, a);
    double stretch = m.position[0] - 1, speed = m.velocity[0];
    ENSURE(speed < -0.1);
    ENSURE_NEAR(0.25 * k * pow(stretch, 4) + speed * speed, 0.25 * k * pow(0.3, 4), 1e-7);
    RbRunEnergy energy;
    OK(&s, rb_run_energy(s.run, &energy));
    ENSURE_NEAR(energy.kinetic + energy.potential, 0.25 * k * pow(0.3, 4), 1e-7);
    end(&s);
}

// Shapes and materials decide, and are told as they decide.
static void kinds_of_contact(void **state) {
    (void)state;
    Stage s = new_scene();
    const char *text;
    int box;
    RbSolid solid = rb_solid_default("box", RB_SOLID_BOX, "DryWood");
    solid.free = true;
    solid.position[0] = 9;
    OK(&s, rb_builder_add_solid(s.scene, &solid, &box));
    solid = rb_solid_default("a", RB_SOLID_SPHERE, "Steel");
    solid.free = true;
    OK(&s, rb_builder_add_solid(s.scene, &solid, NULL));
    solid.name = "b";
    solid.position[0] = 3;
    OK(&s, rb_builder_add_solid(s.scene, &solid, NULL));
    start(&s, 1);
    OK(&s, rb_run_contact_kinds(s.run, &text));
    ENSURE(strstr(text, "  sphere (Steel) and sphere (Steel): at a point, by Hertz' law\n"));
    ENSURE(strstr(text, "  box (DryWood) and sphere (Steel): at a point, by Hertz' law\n"));
    ENSURE(!strstr(text, "box (DryWood) and box"));
    ENSURE(rb_model_info(s.model).bodies && !rb_model_info(NULL).bodies);
    ENSURE(rb_run_contact_kinds(s.run, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_run_contact_kinds(NULL, &text) == RB_ERROR_USAGE);
    end(&s);
}

static double brake(double time, double coordinate, double speed, void *user) {
    (void)coordinate, (void)user;
    return time < 0.5 ? 0 : -2 * speed;
}

// A wheel of 0.4 kg m2: a torque that the run sets, then a brake: closed forms of both.
static void joints_have_inputs_and_laws(void **state) {
    (void)state;
    Stage s = new_scene();
    int wheel, joint;
    double inertia[6] = {0.4, 0.4, 0.4, 0, 0, 0};
    OK(&s, rb_builder_add_mass(s.scene, "wheel", -1, NULL, 1, NULL, inertia, &wheel));
    RbSceneJoint axle = rb_scene_joint_default("axle", RB_SCENE_REVOLUTE, 0, wheel);
    OK(&s, rb_builder_add_joint(s.scene, &axle, &joint));
    RbJointElement motor = rb_joint_element_default(joint, 0);
    motor.input = "torque";
    motor.law = brake;
    OK(&s, rb_builder_add_joint_element(s.scene, &motor));
    start(&s, 1);
    int torque = rb_run_find(s.run, "torque");
    RbRunVariable variable;
    OK(&s, rb_run_variable(s.run, torque, &variable));
    ENSURE(variable.kind == RB_RUN_INPUT && variable.there);
    OK(&s, rb_run_set_named(s.run, "torque", 3));
    OK(&s, rb_run_step(s.run, RB_UNTIL_TIME, 0.5, NULL));
    double speed = motion_of(&s, wheel).angular_velocity[2];
    ENSURE_NEAR(speed, 3 / 0.4 * 0.5, 1e-8);
    OK(&s, rb_run_set_named(s.run, "torque", 0));
    OK(&s, rb_run_step(s.run, RB_UNTIL_TIME, 0.8, NULL));
    ENSURE_NEAR(motion_of(&s, wheel).angular_velocity[2], speed * exp(-5 * 0.3), 1e-7);
    end(&s);
}

static void hold_input(void *user, double time, const double *states, double *inputs) {
    (void)user, (void)time;
    inputs[0] = -8 * states[0];
}

// tau = -8 phi as an input function: phi swings with sqrt(8/0.4).
static void scenes_have_input_functions(void **state) {
    (void)state;
    Stage s = new_scene();
    int wheel, joint;
    double inertia[6] = {0.4, 0.4, 0.4, 0, 0, 0};
    OK(&s, rb_builder_add_mass(s.scene, "wheel", -1, NULL, 1, NULL, inertia, &wheel));
    RbSceneJoint axle = rb_scene_joint_default("axle", RB_SCENE_REVOLUTE, 0, wheel);
    axle.start[0] = 0.6;
    OK(&s, rb_builder_add_joint(s.scene, &axle, &joint));
    RbJointElement motor = rb_joint_element_default(joint, 0);
    motor.input = "torque";
    OK(&s, rb_builder_add_joint_element(s.scene, &motor));
    start(&s, 1);
    OK(&s, rb_run_set_input_function(s.run, hold_input, NULL));
    OK(&s, rb_run_step(s.run, RB_UNTIL_TIME, 0.9, NULL));
    double phi;
    OK(&s, rb_run_get(s.run, &(int){rb_run_state(s.run, 0)}, 1, &phi));
    ENSURE_NEAR(phi, 0.6 * cos(sqrt(20) * 0.9), 1e-6);
    end(&s);
}

// ---- shapes and masses

static double mass_by_momentum(Stage *s, RbSolid solid) {
    double linear[3];
    solid.free = true;
    solid.velocity[0] = 2;
    OK(s, rb_builder_add_solid(s->scene, &solid, NULL));
    start(s, 0.1);
    OK(s, rb_run_momentum(s->run, linear, NULL));
    end(s);
    return linear[0] / 2;
}

static const double L_SHAPE[] = {
    0, 0, 0, 2, 0, 0, 0, 1, 0, 2, 1, 0, 0, 0, 1, 2, 0, 1, 0, 1, 1, 2, 1, 1, // 2 m3
    0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0, 0, 1, 1, 1, 1, 1, 0, 2, 1, 1, 2, 1, // 1 m3
};

static void shapes_have_the_mass_of_their_volume(void **state) {
    (void)state;
    Stage s = new_scene();
    OK(&s, rb_builder_add_material(s.scene, "Unit", 10, 1e9, 0.3));
    RbSolid angle = rb_solid_default("angle", RB_SOLID_PARTS, "Unit");
    angle.points = L_SHAPE;
    angle.part_counts = (const int[]){8, 8};
    angle.part_count = 2;
    ENSURE_NEAR(mass_by_momentum(&s, angle), 30, 1e-9);

    s = new_scene();
    OK(&s, rb_builder_add_material(s.scene, "Unit", 10, 1e9, 0.3));
    FILE *file = fopen("test_scene_run.obj", "w");
    fputs("v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", file);
    fclose(file);
    RbSolid mesh = rb_solid_default("corner", RB_SOLID_MESH, "Unit");
    mesh.mesh_file = "test_scene_run.obj";
    mesh.mesh_scale = 0.1;
    ENSURE_NEAR(mass_by_momentum(&s, mesh), 10 * 2 * 3 * 5 / 6.0 * 1e-3, 1e-12);
    remove("test_scene_run.obj");

    s = new_scene();
    RbSolid own = rb_solid_default("own", RB_SOLID_SPHERE, "Steel");
    own.mass = 7;
    own.has_inertia = true;
    own.inertia[0] = own.inertia[1] = own.inertia[2] = 0.5;
    ENSURE_NEAR(mass_by_momentum(&s, own), 7, 1e-12);
}

// Two balls on one body: momentum is the sum.
static void fixed_solids_move_as_one(void **state) {
    (void)state;
    Stage s = new_scene();
    int first, second;
    OK(&s, rb_builder_gravity(s.scene, (double[]){0, 0, 0}));
    RbSolid ball = rb_solid_default("first", RB_SOLID_SPHERE, "Steel");
    ball.diameter = 0.1, ball.mass = 2, ball.free = true;
    ball.angular_velocity[2] = 3;
    OK(&s, rb_builder_add_solid(s.scene, &ball, &first));
    RbSolid other = rb_solid_default("second", RB_SOLID_SPHERE, "Steel");
    other.diameter = 0.1, other.mass = 1, other.parent = first;
    other.position[0] = 0.5;
    OK(&s, rb_builder_add_solid(s.scene, &other, &second));
    start(&s, 1);
    double linear[3];
    OK(&s, rb_run_momentum(s.run, linear, NULL));
    ENSURE_NEAR(linear[1], 1 * 3 * 0.5, 1e-12);
    OK(&s, rb_run_step(s.run, RB_UNTIL_TIME, 1, NULL));
    RbObjectMotion a = motion_of(&s, first), b = motion_of(&s, second);
    double dx = b.position[0] - a.position[0], dy = b.position[1] - a.position[1];
    ENSURE_NEAR(hypot(dx, dy), 0.5, 1e-9);
    ENSURE_NEAR(atan2(dy, dx), remainder(3, 2 * 3.14159265358979324), 1e-6);
    end(&s);
}

// ---- one up

static double height_after(const double *up, int axis, double *force, int *contact_count) {
    Stage s = new_scene();
    int object;
    if (up) OK(&s, rb_builder_up(s.scene, up));
    RbSolid ground = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Steel");
    OK(&s, rb_builder_add_solid(s.scene, &ground, NULL));
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel");
    ball.diameter = 0.2, ball.free = true;
    ball.position[axis] = 0.0999;
    OK(&s, rb_builder_add_solid(s.scene, &ball, &object));
    start(&s, 0.5);
    const RbRunContact *contacts;
    OK(&s, rb_run_contacts(s.run, &contacts, contact_count));
    ENSURE(*contact_count == 1 && contacts[0].depth > 0);
    *force = contacts[0].normal[axis] * contacts[0].normal_force;
    OK(&s, rb_run_step(s.run, RB_UNTIL_TIME, 0.1, NULL));
    RbObjectMotion m = motion_of(&s, object);
    for (int i = 0; i < 3; i++) {
        if (i != axis) ENSURE_NEAR(m.position[i], 0, 1e-12);
    }
    double height = m.position[axis];
    end(&s);
    return height;
}

static void gravity_and_ground_agree_what_is_up(void **state) {
    (void)state;
    double force[3];
    int count;
    double z = height_after(NULL, 2, &force[0], &count);
    double y = height_after((double[]){0, 2, 0}, 1, &force[1], &count);
    double x = height_after((double[]){1, 0, 0}, 0, &force[2], &count);
    ENSURE(z > 0.1); // it was pressed in, and jumps
    ENSURE_NEAR(y, z, 1e-9);
    ENSURE_NEAR(x, z, 1e-9);
    ENSURE_NEAR(fabs(force[1]), fabs(force[0]), 1e-6 * fabs(force[0]));
}

// ---- wrong arguments

#define REFUSED(s, call, text)                                                                     \
    do {                                                                                           \
        ENSURE((call) == RB_ERROR_USAGE || (call) == RB_ERROR_MODEL);                              \
        if (!strstr(last_message(s), text)) print_error("message: %s\n", last_message(s));         \
        ENSURE(strstr(last_message(s), text));                                                     \
    } while (0)

static void wrong_solids_are_refused(void **state) {
    (void)state;
    Stage s = new_scene();
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel"), bad = ball;
    REFUSED(&s, rb_builder_add_solid(s.scene, NULL, NULL), "argument 'solid' is NULL");
    bad.kind = (RbSolidKind)77;
    REFUSED(&s, rb_builder_add_solid(s.scene, &bad, NULL), "'solid->kind'");
    bad = ball, bad.material = NULL;
    REFUSED(&s, rb_builder_add_solid(s.scene, &bad, NULL), "'solid->material' is NULL");
    bad = ball, bad.material = "Steal";
    REFUSED(&s, rb_builder_add_solid(s.scene, &bad, NULL), "Steel");
    bad = ball, bad.kind = RB_SOLID_HULL, bad.points = L_SHAPE, bad.point_count = -3;
    REFUSED(&s, rb_builder_add_solid(s.scene, &bad, NULL), "'solid->point_count'");
    bad = ball, bad.kind = RB_SOLID_MESH;
    REFUSED(&s, rb_builder_add_solid(s.scene, &bad, NULL), "'solid->mesh_file' is NULL");
    bad = ball, bad.mass = -1;
    REFUSED(&s, rb_builder_add_solid(s.scene, &bad, NULL), "'solid->mass'");
    bad = ball, bad.diameter = -1;
    REFUSED(&s, rb_builder_add_solid(s.scene, &bad, NULL), "ball");
    bad = ball, bad.position[1] = NAN;
    REFUSED(&s, rb_builder_add_solid(s.scene, &bad, NULL), "'solid->position");
    bad = ball, bad.parent = 9;
    REFUSED(&s, rb_builder_add_solid(s.scene, &bad, NULL), "no object 9");
    rb_context_free(s.context);
}

static void wrong_elements_are_refused(void **state) {
    (void)state;
    Stage s = new_scene();
    int wheel;
    double inertia[6] = {1, 1, 1, 0, 0, 0};
    OK(&s, rb_builder_add_mass(s.scene, "wheel", -1, NULL, 1, NULL, inertia, &wheel));
    REFUSED(&s, rb_builder_add_mass(s.scene, "heavy", -1, NULL, -1, NULL, inertia, NULL), "heavy");
    REFUSED(&s, rb_builder_add_mass(s.scene, "x", -1, NULL, 1, NULL, NULL, NULL), "'inertia'");
    RbSceneJoint joint = rb_scene_joint_default("axle", (RbSceneJointKind)77, 0, wheel);
    REFUSED(&s, rb_builder_add_joint(s.scene, &joint, NULL), "'joint->kind'");
    joint = rb_scene_joint_default("axle", RB_SCENE_REVOLUTE, 0, wheel);
    joint.axis[2] = 0;
    REFUSED(&s, rb_builder_add_joint(s.scene, &joint, NULL), "axle");
    joint.axis[2] = 1;
    OK(&s, rb_builder_add_joint(s.scene, &joint, NULL));
    RbJointElement element = rb_joint_element_default(0, 3);
    REFUSED(&s, rb_builder_add_joint_element(s.scene, &element), "coordinate 3");
    element = rb_joint_element_default(0, 0);
    element.stiffness = INFINITY;
    REFUSED(&s, rb_builder_add_joint_element(s.scene, &element), "argument 'e'");
    REFUSED(&s, rb_builder_add_spring(s.scene, 0, wheel, 1, NAN, 0), "stiffness");
    REFUSED(&s, rb_builder_add_spring(s.scene, 0, wheel, 1, -5, 0), "'stiffness' must not be");
    REFUSED(&s, rb_builder_add_spring(s.scene, 0, wheel, 1, 5, -1), "'damping' must not be");
    REFUSED(&s, rb_builder_add_spring(s.scene, wheel, wheel, 1, 5, 0), "from 'wheel' to itself");
    RbBushingElement bushing = rb_bushing_element_default(wheel, wheel);
    REFUSED(&s, rb_builder_add_bushing(s.scene, &bushing), "from 'wheel' to itself");
    bushing.a = 0, bushing.angular_stiffness[1] = -1;
    REFUSED(&s, rb_builder_add_bushing(s.scene, &bushing), "'e->angular_stiffness' must not be");
    REFUSED(&s, rb_builder_add_material(s.scene, "Odd", 1000, 1e9, 0.7), "poissons_ratio");
    REFUSED(&s, rb_builder_add_force(s.scene, wheel, 0, NULL, NULL), "'function' is NULL");
    REFUSED(&s, rb_builder_add_force_law(s.scene, wheel, 0, NULL, NULL), "'law' is NULL");
    REFUSED(&s, rb_builder_up(s.scene, (double[]){0, 0, 0}), "'up' is no direction");
    rb_context_free(s.context);
}

static void a_finished_scene_stays_as_it_is(void **state) {
    (void)state;
    Stage s = new_scene();
    add_ball(&s, "ball", 0, 1);
    start(&s, 1);
    RbModel *model;
    RbSolid ball = rb_solid_default("other", RB_SOLID_SPHERE, "Steel");
    REFUSED(&s, rb_builder_add_solid(s.scene, &ball, NULL), "is finished");
    REFUSED(&s, rb_builder_gravity(s.scene, (double[]){0, 0, 1}), "is finished");
    REFUSED(&s, rb_builder_finish(s.scene, &model), "is finished");
    REFUSED(&s, rb_model_set(s.model, "x", 1), "has a run that is open");
    end(&s);
}

// No function of the interface falls over NULL.
static void nothing_is_something(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbModel *model;
    RbSceneBuilder *scene;
    RbSimOptions options = rb_sim_options_default();
    ENSURE(rb_modelica_open(c, NULL, NULL, &model) == RB_ERROR_USAGE && !model);
    ENSURE(rb_modelica_open(NULL, "a.mo", NULL, &model) == RB_ERROR_USAGE);
    ENSURE(rb_modelica_translate(c, NULL, &model) == RB_ERROR_USAGE);
    ENSURE(rb_example_open(c, NULL, &model) == RB_ERROR_USAGE);
    ENSURE(rb_example_open(c, "pendulum", NULL) == RB_ERROR_USAGE);
    ENSURE(!rb_example(-1, NULL, NULL) && rb_example(0, NULL, NULL));
    ENSURE(rb_model_create(c, NULL, &model) == RB_ERROR_USAGE);
    ENSURE(rb_model_add_component(NULL, "a", "b") == RB_ERROR_USAGE);
    ENSURE(rb_model_set(NULL, "x", 1) == RB_ERROR_USAGE);
    ENSURE(rb_simulate(c, NULL, &options, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_simulate(NULL, NULL, NULL, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_model_options(NULL).tolerance == options.tolerance);
    ENSURE(rb_convert(c, NULL, "x.csv") == RB_ERROR_USAGE);
    ENSURE(strstr(rb_context_message(c, rb_context_message_count(c) - 1), "rb_convert:"));
    ENSURE(rb_results_open(c, NULL, &(RbResults *){NULL}) == RB_ERROR_USAGE);
    ENSURE(rb_results_rows(NULL) == 0 && rb_results_find(NULL, "x") == -1);
    ENSURE(rb_context_add_component(c, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_context_add_component(c, &(RbComponentType){0}) == RB_ERROR_USAGE);
    ENSURE(rb_context_load_plugin(c, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_context_log(c, NULL, NULL, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_context_message_count(NULL) == 0 && !rb_context_message(NULL, 0));
    ENSURE(rb_builder_create(c, NULL, &scene) == RB_ERROR_USAGE && !scene);
    ENSURE(rb_builder_create(NULL, "x", &scene) == RB_ERROR_USAGE);
    ENSURE(rb_builder_add_solid(NULL, NULL, NULL) == RB_ERROR_USAGE);
    ENSURE(rb_builder_finish(NULL, &model) == RB_ERROR_USAGE);
    ENSURE(rb_run_motion(NULL, 0, NULL) == RB_ERROR_USAGE);
    ENSURE(strcmp(rb_version(), RB_VERSION_STRING) == 0);
    rb_context_free(c);
    rb_context_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_act_on_both),
        cmocka_unit_test(springs_have_curves),
        cmocka_unit_test(kinds_of_contact),
        cmocka_unit_test(joints_have_inputs_and_laws),
        cmocka_unit_test(scenes_have_input_functions),
        cmocka_unit_test(shapes_have_the_mass_of_their_volume),
        cmocka_unit_test(fixed_solids_move_as_one),
        cmocka_unit_test(gravity_and_ground_agree_what_is_up),
        cmocka_unit_test(wrong_solids_are_refused),
        cmocka_unit_test(wrong_elements_are_refused),
        cmocka_unit_test(a_finished_scene_stays_as_it_is),
        cmocka_unit_test(nothing_is_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
