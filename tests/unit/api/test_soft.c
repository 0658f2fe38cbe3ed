// SPDX-License-Identifier: MIT
// include/rattleback/soft.h as a program meets it: scenes built and read, materials changed while it runs, messages.
#include "testing.h"

#include <string.h>
#include <unistd.h>

#include "rattleback/rattleback.h"

// A block of gel above a fixed plate.
static RbSoft *build(RbContext *c, double youngs_modulus) {
    RbSoft *soft;
    int gel;
    ENSURE(rb_soft_create(c, "drop", &soft) == RB_OK);
    RbSoftMaterial material = rb_soft_material_default();
    material.name = "gel";
    material.youngs_modulus = youngs_modulus;
    ENSURE(rb_soft_add_material(soft, &material, &gel) == RB_OK);
    RbSoftBlock plate = rb_soft_block_default(), block = rb_soft_block_default();
    plate.count[0] = plate.count[2] = 7, plate.count[1] = 1;
    plate.fixed = true;
    block.count[0] = block.count[1] = block.count[2] = 3;
    block.position[1] = 0.03;
    plate.material = block.material = gel;
    ENSURE(rb_soft_add_block(soft, "plate", &plate) == RB_OK);
    ENSURE(rb_soft_add_block(soft, "block", &block) == RB_OK);
    return soft;
}

static RbRun *start(RbContext *c, double youngs_modulus) {
    RbModel *model;
    RbRun *run;
    ENSURE(rb_soft_model(build(c, youngs_modulus), &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 0.5;
    options.tolerance = 1e-7;
    ENSURE(rb_run_open(c, model, &options, &run) == RB_OK);
    return run;
}

static void go_to(RbRun *run, double time) {
    RbStopped stopped;
    ENSURE(rb_run_step(run, RB_UNTIL_TIME, time, &stopped) == RB_OK);
    ENSURE(rb_run_time(run) == time);
}

static double value(RbRun *run, const char *name) {
    double v;
    ENSURE(rb_run_get_named(run, name, &v) == RB_OK);
    return v;
}

static void a_scene_is_built_and_runs(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbRun *run = start(c, 1e5);
    go_to(run, 0.02); // before it touches
    ENSURE_NEAR(value(run, "block.r[2]"), 0.03 - 0.5 * 9.81 * 0.0004, 1e-12);
    go_to(run, 0.04);
    ENSURE(value(run, "contacts") > 0);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    rb_context_free(c);
}

// Softer from 0.2 s on: the same motion as that of a softer body that starts with this state.
static void a_material_is_changed_while_it_runs(void **state) {
    (void)state;
    enum { STATES = 9 * 27 };
    double x[STATES];
    RbContext *c = rb_context_create(NULL);
    RbRun *changed = start(c, 1e5), *other = start(c, 2e4);
    go_to(changed, 0.2);
    ENSURE(rb_run_sizes(changed).states == STATES);
    ENSURE(rb_run_states(changed, x) == RB_OK);
    ENSURE(rb_run_set_named(changed, "gel.youngs_modulus", 2e4) == RB_OK);
    ENSURE(rb_run_set_states(other, x) == RB_OK);
    go_to(changed, 0.4);
    go_to(other, 0.2);
    double there[STATES], here[STATES], worst = 0;
    ENSURE(rb_run_states(changed, here) == RB_OK && rb_run_states(other, there) == RB_OK);
    for (int i = 0; i < STATES / 3; i++) worst = fmax(worst, fabs(here[i] - there[i]));
    ENSURE(worst < 1e-9);
    RbRun *hard = start(c, 1e5);
    go_to(hard, 0.4);
    ENSURE(fabs(value(hard, "block.r[2]") - value(changed, "block.r[2]")) > 1e-5);
    rb_context_free(c);
}

// From spheres to surfaces in mid-run.
static void detection_is_switched_while_it_runs(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbRun *run = start(c, 1e5);
    go_to(run, 0.3);
    double before = value(run, "block.r[2]");
    ENSURE(rb_run_set_named(run, "detection", 1) == RB_OK);
    go_to(run, 0.301);
    ENSURE_NEAR(value(run, "block.r[2]"), before, 1e-3);
    go_to(run, 0.5);
    ENSURE(fabs(value(run, "block.r[2]") - before) > 1e-4); // it rests at another height
    rb_context_free(c);
}

// Not where the other kind could not be: the run goes on as before, and says so.
static void detection_is_not_switched_where_it_cannot_be(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbSoft *soft;
    RbModel *model;
    RbRun *run;
    int gel;
    ENSURE(rb_soft_create(c, "ditch", &soft) == RB_OK);
    RbSoftMaterial m = rb_soft_material_default();
    m.name = "gel", m.youngs_modulus = 2e4, m.density = 2e4, m.damping = 1;
    ENSURE(rb_soft_add_material(soft, &m, &gel) == RB_OK);
    RbSoftBlock plate = rb_soft_block_default(), cube = rb_soft_block_default();
    plate.count[0] = plate.count[2] = 6, plate.count[1] = 1, plate.fixed = true;
    cube.position[0] = cube.position[2] = 0.5 * plate.spacing; // between four spheres
    cube.position[1] = 3 * plate.spacing;
    plate.material = cube.material = gel;
    ENSURE(rb_soft_add_block(soft, "plate", &plate) == RB_OK);
    ENSURE(rb_soft_add_block(soft, "cube", &cube) == RB_OK);
    ENSURE(rb_soft_model(soft, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 1;
    ENSURE(rb_run_open(c, model, &options, &run) == RB_OK);
    go_to(run, 0.5);
    double spheres = value(run, "contacts");
    ENSURE(spheres > 0); // it lies in ditches
    int said = rb_context_message_count(c);
    ENSURE(rb_run_set_named(run, "detection", 1) == RB_OK);
    go_to(run, 0.5001);
    ENSURE(rb_context_message_count(c) == said + 1);
    ENSURE(strstr(rb_context_message(c, said), "surfaces cannot touch at t = 0.5 s"));
    ENSURE(value(run, "contacts") == spheres);
    go_to(run, 1);
    rb_context_free(c);
}

// Another tolerance from now on: an event, with the same states, and as many steps as it asks for; a run that is saved keeps it.
static void the_tolerance_is_set_while_it_runs(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    double height[2];
    for (int finer = 0; finer < 2; finer++) {
        RbRun *run = start(c, 1e5);
        go_to(run, 0.1);
        double before = value(run, "block.r[2]");
        ENSURE(rb_run_set_tolerance(run, finer ? 1e-7 : 1e-4) == RB_OK);
        ENSURE(value(run, "block.r[2]") == before);
        ENSURE(rb_run_set_tolerance(run, 2) == RB_ERROR_USAGE);
        ENSURE(rb_run_set_tolerance(run, NAN) == RB_ERROR_USAGE);
        go_to(run, 0.2);
        height[finer] = value(run, "block.r[2]");
    }
    ENSURE(height[0] != height[1]); // it is the solver's business
    ENSURE_NEAR(height[0], height[1], 1e-4);
    ENSURE(rb_run_set_tolerance(NULL, 1e-4) == RB_ERROR_USAGE);
    rb_context_free(c);
}

// A connection that was torn before a run was saved is torn when it goes on from there.
static void a_torn_body_is_saved_and_restored(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbSoft *soft;
    RbModel *model;
    RbRun *run;
    RbSaved *saved = NULL;
    int material;
    double first[9], again[9];
    RbSoftMaterial m = rb_soft_material_default();
    m.breaking_strain = 0.1;
    ENSURE(rb_soft_create(c, "bar", &soft) == RB_OK);
    ENSURE(rb_soft_add_material(soft, &m, &material) == RB_OK);
    ENSURE(rb_soft_add_object(soft, "bar") == RB_OK);
    RbSoftMolecule molecule = {.radius = 0.005, .fixed = true};
    ENSURE(rb_soft_add_molecule(soft, &molecule) == RB_OK);
    molecule.position[1] = -0.01, molecule.velocity[1] = -3, molecule.fixed = false;
    ENSURE(rb_soft_add_molecule(soft, &molecule) == RB_OK);
    ENSURE(rb_soft_model(soft, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 1;
    ENSURE(rb_run_open(c, model, &options, &run) == RB_OK);
    go_to(run, 0.1);
    ENSURE(value(run, "torn") == 1);
    ENSURE(rb_run_save(run, &saved) == RB_OK);
    go_to(run, 0.2);
    ENSURE(rb_run_states(run, first) == RB_OK);
    ENSURE(rb_run_restore(run, saved) == RB_OK);
    ENSURE(value(run, "torn") == 1);
    go_to(run, 0.2);
    ENSURE(rb_run_states(run, again) == RB_OK);
    ENSURE(memcmp(first, again, sizeof first) == 0);
    ENSURE(value(run, "bar.low[2]") < -0.2); // it falls
    rb_context_free(c);
}

// What was glued and cut before a run was saved is so when it goes on from there, in the same bits.
static void a_glued_body_is_saved_and_restored(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbSoft *soft;
    RbModel *model;
    RbRun *run;
    RbSaved *saved = NULL;
    int material;
    double first[3 * 3 * 12], again[3 * 3 * 12];
    const double middle[] = {0, 0.045, 0}, up[] = {0, 1, 0};
    RbSoftMaterial m = rb_soft_material_default();
    RbSoftBlock block = rb_soft_block_default();
    block.count[0] = block.count[1] = block.count[2] = 2;
    ENSURE(rb_soft_create(c, "bar", &soft) == RB_OK);
    ENSURE(rb_soft_add_material(soft, &m, &material) == RB_OK);
    block.material = material, block.fixed = true;
    ENSURE(rb_soft_add_block(soft, "hook", &block) == RB_OK);
    block.fixed = false, block.count[1] = 3, block.position[1] = -0.03;
    ENSURE(rb_soft_add_block(soft, "bar", &block) == RB_OK);
    ENSURE(rb_soft_add_glue(soft, 0.001, "bar", "hook") == RB_OK);
    const double under[] = {0, -0.035, 0};
    ENSURE(rb_soft_add_cut(soft, 0.05, "bar", under, up) == RB_OK);
    ENSURE(rb_soft_add_cut(soft, 0.3, "bar", middle, up) == RB_OK); // above everything
    ENSURE(rb_soft_add_cut(soft, 0.3, NULL, middle, up) == RB_ERROR_USAGE);
    ENSURE(rb_soft_model(soft, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 1;
    ENSURE(rb_run_open(c, model, &options, &run) == RB_OK);
    go_to(run, 0.1);
    double torn = value(run, "torn");
    ENSURE(torn == 4 + 8); // upright connections and diagonals of four faces
    ENSURE(rb_run_save(run, &saved) == RB_OK);
    go_to(run, 0.4);
    ENSURE(value(run, "torn") == torn);
    ENSURE(rb_run_states(run, first) == RB_OK);
    ENSURE(rb_run_restore(run, saved) == RB_OK);
    go_to(run, 0.4);
    ENSURE(rb_run_states(run, again) == RB_OK);
    ENSURE(memcmp(first, again, sizeof first) == 0);
    ENSURE(value(run, "bar.high[2]") > -0.03 &&
           value(run, "bar.low[2]") < -0.4); // a part hangs, one falls
    rb_context_free(c);
}

static void a_scene_is_written_and_read(void **state) {
    (void)state;
    char file[64];
    snprintf(file, sizeof file, "/tmp/rb_soft_%d.xml", (int)getpid());
    RbContext *c = rb_context_create(NULL);
    RbSoft *soft = build(c, 1e5), *again;
    RbModel *model;
    RbSoftSettings settings = rb_soft_settings_default();
    ENSURE(rb_soft_write(soft, file) == RB_ERROR_USAGE); // masses of cells have no place in a file
    settings.sphere_masses = true;
    ENSURE(rb_soft_set(soft, &settings) == RB_OK);
    ENSURE(rb_soft_write(soft, file) == RB_OK);
    ENSURE(rb_soft_read(c, file, &again) == RB_OK);
    ENSURE(rb_soft_open(c, file, &model) == RB_OK);
    ENSURE(rb_soft_add_object(again, "ball") == RB_OK);
    RbSoftMolecule ball = {.position = {0, 0.1, 0}, .radius = 0.01};
    ENSURE(rb_soft_add_molecule(again, &ball) == RB_OK);
    ENSURE(rb_soft_add_force(again, 0, (double[]){0, 0, 1}) == RB_OK);
    ENSURE(rb_soft_model(again, &model) == RB_OK);
    remove(file);
    rb_context_free(c);
}

// What a run of a scene is made of makes a run with the same bits, also where a material was changed meanwhile, and can be added to.
static void a_scene_comes_back_from_its_run(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbRun *runs[3];
    RbSoft *again;
    RbModel *model;
    runs[0] = start(c, 1e5);
    ENSURE(rb_run_set_named(runs[0], "gel.youngs_modulus", 3e4) == RB_OK);
    go_to(runs[0], 0.045);
    ENSURE(rb_soft_of_run(runs[0], &again) == RB_OK);
    runs[1] = start(c, 3e4);
    ENSURE(rb_soft_add_object(again, "ball") == RB_OK);
    RbSoftMolecule ball = {.position = {1, 1, 1}, .radius = 0.01};
    ENSURE(rb_soft_add_molecule(again, &ball) == RB_OK);
    ENSURE(rb_soft_of_run(runs[0], &again) == RB_OK); // without the ball
    ENSURE(rb_soft_model(again, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 0.5;
    options.tolerance = 1e-7;
    ENSURE(rb_run_open(c, model, &options, &runs[2]) == RB_OK);
    for (int i = 1; i < 3; i++) go_to(runs[i], 0.045);
    ENSURE(value(runs[1], "contacts") > 0);
    ENSURE(value(runs[1], "block.r[2]") == value(runs[2], "block.r[2]"));
    ENSURE(value(runs[1], "account") == value(runs[2], "account"));
    rb_context_free(c);
}

#define REFUSED(call, message)                                                                     \
    do {                                                                                           \
        ENSURE((call) == RB_ERROR_USAGE);                                                          \
        ENSURE(strstr(rb_context_message(c, rb_context_message_count(c) - 1), message) != NULL);   \
    } while (0)

// A ball of rubber as elements: it flies along a parabola, and has the mass of its volume.
static void a_solid_is_filled(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbSoft *soft;
    RbWorkpiece *ball;
    RbModel *model;
    RbRun *run;
    RbSoftFillReport report;
    int rubber;
    ENSURE(rb_soft_create(c, "ball", &soft) == RB_OK);
    RbSoftMaterial material = rb_soft_material_default();
    material.name = "rubber", material.model = RB_SOFT_NEO_HOOKEAN, material.poisson = 0.45;
    ENSURE(rb_soft_add_material(soft, &material, &rubber) == RB_OK);
    ENSURE(rb_workpiece_sphere(c, 0.05, 48, &ball) == RB_OK);
    RbSoftFilling filling = rb_soft_filling_default();
    filling.material = rubber, filling.spacing = 0.0125, filling.position[1] = 1;
    ENSURE(rb_soft_add_solid(soft, "ball", ball, &filling, &report) == RB_OK);
    ENSURE(report.elements > 100 && report.volume > 0.9 * report.solid_volume);
    ENSURE(rb_soft_model(soft, &model) == RB_OK);
    RbSimOptions options = rb_model_options(model);
    ENSURE(rb_run_open(c, model, &options, &run) == RB_OK);
    double height = value(run, "ball.r[2]");
    ENSURE_NEAR(value(run, "ball.mass"), 1000 * report.solid_volume, 1e-12);
    ENSURE(value(run, "ball.elements") == report.elements);
    go_to(run, 0.1);
    ENSURE_NEAR(value(run, "ball.r[2]"), height - 0.5 * 9.81 * 0.01, 1e-12);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    filling.spacing = 0;
    ENSURE(rb_soft_add_solid(soft, "more", ball, &filling, NULL) == RB_ERROR_USAGE);
    rb_context_free(c);
}

// ---- Modelica

#define SCENE(name, more)                                                                          \
    "model " name " import Rattleback.*;\n"                                                        \
    "  inner World world(g = 9.81, n = {0.1, -1, 0});\n"                                           \
    "  Parts.Solid ground(shape = Shapes.Box(0.2, 0.02, 0.2), r = {0, -0.01, 0}, fixed = true);\n" \
    "  Parts.SoftBody gel(shape = Shapes.Box(0.04, 0.04, 0.04), gridSize = 0.02, E = 5e4,\n"       \
    "    r_start = {0, 0.04, 0});\n" more "end " name ";\n"

static RbRun *start_modelica(RbContext *c, const char *text) {
    RbModelica source = rb_modelica_default();
    RbModel *model;
    RbRun *run;
    source.file = "Gel.mo";
    source.text = text;
    RbStatus status = rb_modelica_translate(c, &source, &model);
    if (status != RB_OK) print_error("%s", rb_context_message(c, 0));
    ENSURE(status == RB_OK);
    RbSimOptions options = rb_model_options(model);
    options.stop_time = 0.3;
    options.tolerance = 1e-7;
    ENSURE(rb_run_open(c, model, &options, &run) == RB_OK);
    return run;
}

// A parameter that is changed between two steps, an action at a time, and one that a when-clause calls: the same motion.
static void live_is_an_event_of_the_model(void **state) {
    (void)state;
    static const char *const texts[] = {
        SCENE("Live", ""),
        SCENE("Timed", "Actions.ChangeMaterial softer(at = 0.15, a = \"gel\", E = 1e4, mu = 0);\n"),
        SCENE("When", "Actions.ModelActions actions;\n"
                      "algorithm when time >= 0.15 then Actions.changeMaterial(actions, \"gel\", E "
                      "= 1e4, mu = 0); end when;\n"),
        SCENE("Unchanged", ""),
        SCENE("Rough", "Actions.ChangeMaterial softer(at = 0.15, a = \"gel\", E = 1e4);\n")};
    double height[5], force[5], way[5];
    for (int i = 0; i < 5; i++) {
        RbContext *c = rb_context_create(NULL);
        RbRun *run = start_modelica(c, texts[i]);
        if (i == 0) {
            go_to(run, 0.15);
            ENSURE(rb_run_set_named(run, "gel.E", 1e4) == RB_OK);
            ENSURE(rb_run_set_named(run, "gel.mu", 0) == RB_OK);
        }
        go_to(run, 0.25);
        height[i] = value(run, "gel.r[2]");
        force[i] = value(run, "gel.contact_force[2]");
        way[i] = value(run, "gel.r[1]");
        ENSURE(rb_run_close(run, NULL) == RB_OK);
        rb_context_free(c);
    }
    print_message("live %.15g, timed %.15g, when %.15g, without %.15g m\n", height[0], height[1],
                  height[2], height[3]);
    for (int i = 1; i < 3; i++) {
        ENSURE_NEAR(height[i], height[0], 1e-9);
        ENSURE_NEAR(force[i], force[0], 1e-5);
        ENSURE_NEAR(way[i], way[0], 1e-9);
    }
    ENSURE(fabs(height[3] - height[0]) > 1e-5);
    ENSURE(fabs(way[4] - way[0]) > 1e-4); // friction alone
}

// Half of a connection becomes as soft as the other half: it was longer by F/2 (1/k + 1/3k), and then by F/k.
static void each_material_is_a_parameter(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbRun *run = start_modelica(
        c, "model Pair import Rattleback.*; inner World world(g = 0);\n"
           "  Parts.SoftBody pair(points = [0, 0, 0; 0.01, 0, 0], fixedPoints = {1},\n"
           "    pointForces = [2, 0, 0.01, 0, 0; 2, 1, 0.01, 0, 0], gridSize = 0.01,\n"
           "    moleculeRadius = 0.004, E = 1e5, zeta = 1, pointMaterials = {0, 1},\n"
           "    materials = {Parts.SoftMaterial(E = 3e5, zeta = 1)});\nend Pair;\n");
    go_to(run, 0.1);
    double before = value(run, "pair.high[1]") - 0.014;
    ENSURE(rb_run_set_named(run, "pair.materials[1].E", 1e5) == RB_OK);
    go_to(run, 0.2);
    double then = value(run, "pair.high[1]") - 0.014;
    print_message("longer by %.9g m, then by %.9g m\n", before, then);
    ENSURE(before > 1e-6);
    ENSURE_NEAR(then / before, 1.5, 1e-5);
    ENSURE(rb_run_close(run, NULL) == RB_OK);
    rb_context_free(c);
}

static void bad_arguments_are_named(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbSoft *soft, *empty;
    RbModel *model;
    int number;
    ENSURE(rb_soft_create(NULL, "x", &soft) == RB_ERROR_USAGE);
    REFUSED(rb_soft_create(c, NULL, &soft), "rb_soft_create: argument 'name' is NULL");
    REFUSED(rb_soft_open(c, NULL, &model), "rb_soft_open: argument 'file' is NULL");
    soft = build(c, 1e5);
    ENSURE(rb_soft_create(c, "empty", &empty) == RB_OK);
    REFUSED(rb_soft_add_material(soft, NULL, &number), "argument 'material' is NULL");
    RbSoftBlock block = rb_soft_block_default();
    block.material = 7;
    REFUSED(rb_soft_add_block(soft, "b", &block), "argument 'material' was not added to the scene");
    block.material = 0, block.count[1] = 0;
    REFUSED(rb_soft_add_block(soft, "b", &block),
            "argument 'count' is not between 1 and 2e6 molecules");
    block.count[1] = 1, block.spacing = NAN;
    REFUSED(rb_soft_add_block(soft, "b", &block), "argument 'spacing' is not positive");
    block.spacing = 0.01, block.placement = RB_SOFT_BODY_CENTRED;
    REFUSED(rb_soft_add_block(soft, "b", &block),
            "argument 'count' is not at least 2 along each axis, as body-centred ones need cubes");
    block.placement = (RbSoftPlacement)9;
    REFUSED(rb_soft_add_block(soft, "b", &block),
            "argument 'placement' is none of the enumeration");
    REFUSED(rb_soft_set_placement(empty, RB_SOFT_RANDOM), "argument 'soft' has no object yet");
    RbSoftSettings settings = rb_soft_settings_default();
    settings.neighbours = 6;
    REFUSED(rb_soft_set(soft, &settings), "argument 'neighbours' is neither 18 nor 26");
    settings = rb_soft_settings_default(), settings.gravity[1] = INFINITY;
    REFUSED(rb_soft_set(soft, &settings), "argument 'gravity' is not a number");
    REFUSED(rb_soft_add_force(empty, 0, (double[]){0, 0, 0}),
            "argument 'soft' has no molecule yet");
    ENSURE(rb_soft_model(empty, &model) == RB_ERROR_MODEL && !model);
    ENSURE(rb_soft_read(c, "/nonexistent.xml", &empty) == RB_ERROR_IO && !empty);
    ENSURE(rb_soft_model(soft, &model) == RB_OK);
    REFUSED(rb_soft_add_object(soft, "late"), "argument 'soft' has a model, and cannot be changed");
    rb_context_free(c);
}

static void choices_that_do_not_exist_are_refused(void **state) {
    (void)state;
    RbContext *c = rb_context_create(NULL);
    RbSoft *soft;
    int number;
    ENSURE(rb_soft_create(c, "bar", &soft) == RB_OK);
    RbSoftMaterial m = rb_soft_material_default();
    m.name = "gel";
    m.order = 77;
    ENSURE(rb_soft_add_material(soft, &m, &number) == RB_ERROR_USAGE);
    ENSURE(strstr(rb_context_message(c, 0), "'material->order' is not 0, 1 or 2"));
    m.order = 2;
    m.model = (RbSoftModel)-1;
    ENSURE(rb_soft_add_material(soft, &m, &number) == RB_ERROR_USAGE);
    m.model = RB_SOFT_NEO_HOOKEAN;
    ENSURE(rb_soft_add_material(soft, &m, &number) == RB_OK);
    rb_context_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_that_do_not_exist_are_refused),
        cmocka_unit_test(a_scene_is_built_and_runs),
        cmocka_unit_test(a_material_is_changed_while_it_runs),
        cmocka_unit_test(detection_is_switched_while_it_runs),
        cmocka_unit_test(detection_is_not_switched_where_it_cannot_be),
        cmocka_unit_test(the_tolerance_is_set_while_it_runs),
        cmocka_unit_test(a_torn_body_is_saved_and_restored),
        cmocka_unit_test(a_glued_body_is_saved_and_restored),
        cmocka_unit_test(a_scene_is_written_and_read),
        cmocka_unit_test(a_scene_comes_back_from_its_run),
        cmocka_unit_test(a_solid_is_filled),
        cmocka_unit_test(live_is_an_event_of_the_model),
        cmocka_unit_test(each_material_is_a_parameter),
        cmocka_unit_test(bad_arguments_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
