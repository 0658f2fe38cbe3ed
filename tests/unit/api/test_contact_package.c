// SPDX-License-Identifier: MIT
// library/RattlebackContact: motion as equations of Modelica, contact by external functions, as another tool runs it,
// against scenes in which the engine does both. The two integrate other states with another solver; what they
// share is the force of a contact.
// label: normal
// sanitizers: full
#include "testing.h"

#include <string.h>

#include "rattleback/rattleback.h"

#define PACKAGES RB_SOURCE_DIR "/tests/models/contact_package"

static const double steel = 7700 * 4. / 3 * 3.14159265358979324;

static void say_all(RbContext *context) {
    for (int i = 0; i < rb_context_message_count(context); i++)
        print_error("%s\n", rb_context_message(context, i));
}

// Run to the end and read some values.
static void run_to_end(RbContext *context, RbModel *model, const RbSimOptions *options,
                       const char *const *names, int count, double *values) {
    RbRun *run;
    RbStatus status = rb_run_open(context, model, options, &run);
    if (status == RB_OK) status = rb_run_step(run, RB_UNTIL_TIME, options->stop_time, NULL);
    if (status != RB_OK) say_all(context);
    ENSURE(status == RB_OK);
    for (int i = 0; i < count; i++) ENSURE(rb_run_get_named(run, names[i], &values[i]) == RB_OK);
    rb_run_close(run, NULL);
}

static RbModel *translate(RbContext *context, const char *class_name) {
    const char *libraries[] = {PACKAGES, RB_BINARY_DIR "/library", NULL};
    RbModelica source = rb_modelica_default();
    source.file = PACKAGES "/Contacts.mo";
    source.class_name = class_name;
    source.libraries = libraries;
    RbModel *model = NULL;
    if (rb_modelica_translate(context, &source, &model) != RB_OK) say_all(context);
    ENSURE(model);
    return model;
}

static void compare(const char *class_name, RbContext *context, RbSceneBuilder *scene,
                    const char *const *of_equations, const char *const *of_engine, int count,
                    double tolerance) {
    enum { MANY = 64 };
    double want[MANY], got[MANY];
    RbModel *model = translate(context, class_name), *engine;
    RbSimOptions options = rb_model_options(model);
    run_to_end(context, model, &options, of_equations, count, got);
    ENSURE(rb_builder_finish(scene, &engine) == RB_OK);
    RbSimOptions own = rb_model_options(engine);
    own.tolerance = options.tolerance;
    own.stop_time = options.stop_time;
    run_to_end(context, engine, &own, of_engine, count, want);
    for (int i = 0; i < count; i++) {
        if (getenv("SHOW")) print_message("%s %.12g %.12g\n", of_engine[i], want[i], got[i]);
        ENSURE_NEAR(got[i], want[i], tolerance);
    }
}

static RbSceneBuilder *new_scene(RbContext *context, double g) {
    RbSceneBuilder *scene;
    ENSURE(rb_builder_create(context, "engine", &scene) == RB_OK);
    rb_builder_gravity(scene, (double[]){0, 0, -g});
    return scene;
}

static void add(RbSceneBuilder *scene, const RbSolid *solid) {
    ENSURE(rb_builder_add_solid(scene, solid, NULL) == RB_OK);
}

static RbSolid fixed_box(const char *name, const double lengths[3], const double position[3]) {
    RbSolid box = rb_solid_default(name, RB_SOLID_BOX, "Steel");
    memcpy(box.lengths, lengths, sizeof box.lengths);
    memcpy(box.position, position, sizeof box.position);
    return box;
}

static RbSolid free_ball(const char *name, double radius, const double position[3]) {
    RbSolid ball = rb_solid_default(name, RB_SOLID_SPHERE, "Steel");
    ball.diameter = 2 * radius;
    ball.mass = steel * radius * radius * radius;
    ball.free = true;
    memcpy(ball.position, position, sizeof ball.position);
    return ball;
}

// -------------------------------------------------------------------------------------------------

static void a_ball_drops(void **state) {
    (void)state;
    RbContext *context = rb_context_create(NULL);
    RbSceneBuilder *scene = new_scene(context, 9.81);
    RbSolid plate = fixed_box("plate", (double[]){2, 2, 0.1}, (double[]){0, 0, -0.05});
    RbSolid ball = free_ball("ball", 0.05, (double[]){0, 0, 0.3});
    ball.velocity[0] = 0.3;
    ball.angular_velocity[1] = -20, ball.angular_velocity[2] = 3;
    add(scene, &plate);
    add(scene, &ball);
    const char *equations[] = {"ball.r[1]", "ball.r[3]", "ball.v[1]", "ball.v[3]"};
    const char *engine[] = {"ball.r[1]", "ball.r[3]", "ball.v[1]", "ball.v[3]"};
    compare("Contacts.Drop", context, scene, equations, engine, 4, 1e-7);
    rb_context_free(context);
}

static void balls_on_a_pool_table(void **state) {
    (void)state;
    enum { BALLS = 11 };
    static const double at[BALLS][3] = {
        {0.2, 0, 0},        {0.253, -0.0305, 0}, {0.253, 0.0305, 0},  {0.306, -0.061, 0},
        {0.306, 0, 0},      {0.306, 0.061, 0},   {0.359, -0.0915, 0}, {0.359, -0.0305, 0},
        {0.359, 0.0305, 0}, {0.359, 0.0915, 0},  {-0.3, 0.01, 0}};
    RbContext *context = rb_context_create(NULL);
    RbSceneBuilder *scene = new_scene(context, 0);
    RbSolid right = fixed_box("right", (double[]){0.1, 2, 0.1}, (double[]){0.55, 0, 0});
    RbSolid back = fixed_box("back", (double[]){2, 0.1, 0.1}, (double[]){0, 0.3, 0});
    char names[4 * BALLS][24];
    const char *equations[2 * BALLS], *engine[2 * BALLS];
    for (int i = 0; i < BALLS; i++) {
        char name[8];
        snprintf(name, sizeof name, "ball%d", i + 1);
        RbSolid ball = free_ball(name, 0.03, at[i]);
        ball.velocity[0] = i == BALLS - 1 ? 4 : 0;
        add(scene, &ball);
        for (int k = 0; k < 2; k++) {
            snprintf(names[4 * i + k], sizeof names[0], "ball[%d].r[%d]", i + 1, k + 1);
            snprintf(names[4 * i + 2 + k], sizeof names[0], "%s.r[%d]", name, k + 1);
            equations[2 * i + k] = names[4 * i + k];
            engine[2 * i + k] = names[4 * i + 2 + k];
        }
    }
    add(scene, &right);
    add(scene, &back);
    compare("Contacts.Pool", context, scene, equations, engine, 2 * BALLS, 1e-8);
    rb_context_free(context);
}

static void a_stack_of_boxes(void **state) {
    (void)state;
    static const double at[3][3] = {{0, 0, 0.04}, {0.003, 0, 0.121}, {0, 0.004, 0.202}};
    RbContext *context = rb_context_create(NULL);
    RbSceneBuilder *scene = new_scene(context, 9.81);
    RbPairLaw law, slippery;
    double modulus;
    ENSURE(rb_builder_pair_law(scene, "DryWood", "DryWood", &law, &modulus) == RB_OK);
    ENSURE(modulus > 1e9 && modulus < 1e11);
    law.friction = RB_FRICTION_SLIDING;
    law.v_small = 0.01;
    slippery = law;
    slippery.mu_k = 0.1;
    rb_builder_set_pair(scene, "DryWood", "DryWood", &law);
    rb_builder_set_pair(scene, "lower", "DryWood", &law);
    rb_builder_set_pair(scene, "lower", "upper", &slippery);
    rb_builder_set_pair(scene, "upper", "DryWood", &law);
    static const char *const sides[] = {"lower", "upper", "DryWood"};
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"box1", "box2", "box3"};
        RbSolid box = fixed_box(names[i], (double[]){0.08, 0.08, 0.08}, at[i]);
        box.material = "DryWood";
        box.contact_material = sides[i];
        box.mass = 0.512;
        box.free = true;
        box.velocity[0] = i == 1 ? 0.3 : 0;
        add(scene, &box);
    }
    RbSolid floor = rb_solid_default("floor", RB_SOLID_HALFSPACE, "DryWood");
    add(scene, &floor);
    const char *equations[] = {"box[1].r[1]", "box[2].r[1]", "box[3].r[1]",
                               "box[1].r[3]", "box[2].r[3]", "box[3].r[3]"};
    const char *engine[] = {"box1.r[1]", "box2.r[1]", "box3.r[1]",
                            "box1.r[3]", "box2.r[3]", "box3.r[3]"};
    compare("Contacts.Stack", context, scene, equations, engine, 6, 1e-7);
    rb_context_free(context);
}

static void two_meshes_collide(void **state) {
    (void)state;
    const char *file = "contact_package_ring.stl";
    RbContext *context = rb_context_create(NULL);
    RbSceneBuilder *scene = new_scene(context, 0);
    RbWorkpiece *ring;
    ENSURE(rb_workpiece_torus(context, 0.07, 0.015, 24, &ring) == RB_OK);
    ENSURE(rb_workpiece_write(ring, file) == RB_OK);
    ENSURE(rb_workpiece_read(context, file, 1, &ring) == RB_OK);
    int object[2];
    for (int i = 0; i < 2; i++) {
        RbSolid body = rb_solid_default(i ? "ring2" : "ring1", RB_SOLID_MESH, "Steel");
        body.mesh_file = file;
        body.mesh_scale = 1;
        body.no_contact = body.free = true;
        body.mass = 1;
        if (i) {
            body.position[0] = 0.07, body.position[2] = 0.004;
            body.velocity[0] = 1, body.velocity[1] = 0.2;
            body.rotation[0] = 0.8, body.rotation[1] = 0.6;
        }
        ENSURE(rb_builder_add_solid(scene, &body, &object[i]) == RB_OK);
    }
    RbMeshContact contact = rb_mesh_contact_default(object[0], ring, object[1], ring);
    contact.restitution = 0.7;
    contact.mu_static = contact.mu_kinetic = 0.2;
    contact.sticks = false;
    ENSURE(rb_builder_add_mesh_contact(scene, &contact) == RB_OK);
    const char *equations[] = {"ring[1].r[1]", "ring[1].r[2]", "ring[1].r[3]",
                               "ring[2].r[1]", "ring[2].v[1]", "ring[2].v[2]"};
    const char *engine[] = {"ring1.r[1]", "ring1.r[2]", "ring1.r[3]",
                            "ring2.r[1]", "ring2.v[1]", "ring2.v[2]"};
    compare("Contacts.Rings", context, scene, equations, engine, 6, 1e-8);
    remove(file);
    rb_context_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_drops),
        cmocka_unit_test(balls_on_a_pool_table),
        cmocka_unit_test(a_stack_of_boxes),
        cmocka_unit_test(two_meshes_collide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
