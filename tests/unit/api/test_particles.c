// SPDX-License-Identifier: MIT
// Particles in scenes: they and bodies push each other, and wrong input.
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

static void ok_at(Api *s, RbStatus status, int line) {
    if (status == RB_OK) return;
    for (int i = 0; i < rb_context_message_count(s->context); i++)
        print_error("line %d: %s", line, rb_context_message(s->context, i));
    _fail(__FILE__, line);
}
#define OK(call) ok_at(s, call, __LINE__)

// Soft glass.
static void open_scene(Api *s, double restitution, double friction) {
    *s = (Api){.context = rb_context_create(NULL)};
    ENSURE(s->context != NULL);
    snprintf(s->file, sizeof s->file, "/tmp/rb_api_particles_%d.rbj", (int)getpid());
    OK(rb_builder_create(s->context, "test", &s->scene));
    OK(rb_builder_add_material(s->scene, "Bead", 2500, 5e6, 0.3));
    RbPairLaw law = rb_pair_law_default();
    law.restitution = restitution;
    law.mu_k = friction;
    law.mu_r = 0;
    OK(rb_builder_set_pair(s->scene, "Bead", "Bead", &law));
}

static void close_scene(Api *s) {
    rb_context_free(s->context);
    unlink(s->file);
}

static RbModel *finish(Api *s) {
    RbModel *model;
    OK(rb_builder_finish(s->scene, &model));
    return model;
}

static RbSimOptions options_for(Api *s, const RbModel *model, double stop_time) {
    RbSimOptions options = rb_model_options(model);
    options.stop_time = stop_time;
    options.tolerance = 1e-10;
    options.output_interval = stop_time / 10;
    options.journal_file = s->file;
    return options;
}

static void run(Api *s, double stop_time) {
    RbModel *model = finish(s);
    RbSimOptions options = options_for(s, model, stop_time);
    OK(rb_simulate(s->context, model, &options, &s->summary));
    OK(rb_results_open(s->context, s->file, &s->results));
}

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

static const double RADIUS = 0.005;
static const double GRAIN = 2500 * 4.0 / 3 * 3.14159265358979323846 * 0.005 * 0.005 * 0.005;

static int add_ball(Api *s, double mass, double x, double speed) {
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Bead");
    ball.diameter = 0.02;
    ball.mass = mass;
    ball.free = true;
    ball.position[0] = x;
    ball.velocity[0] = speed;
    int number;
    OK(rb_builder_add_solid(s->scene, &ball, &number));
    return number;
}

static void add_list(Api *s, const double *places, int count) {
    RbParticles p = rb_particles_default("grains", RB_PARTICLES_LIST, "Bead");
    p.places = places;
    p.count = count;
    OK(rb_builder_add_particles(s->scene, &p));
}

// What bodies and particles exchange is in the sum: it stays what the ball brought along.
static void test_momentum_of_both(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s, 0.5, 0.3);
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, 0}));
    int number = add_ball(s, 0.01, -0.0155, 0.5);
    add_list(s, (double[]){0, 0.002, 0, RADIUS, 0.011, 0, 0.003, RADIUS}, 2);
    RbModel *model = finish(s);
    RbSimOptions options = options_for(s, model, 0.2);
    RbRun *run;
    OK(rb_run_open(s->context, model, &options, &run));
    for (int i = 1; i <= 4; i++) {
        double linear[3], angular[3];
        OK(rb_run_step(run, RB_UNTIL_TIME, 0.05 * i, NULL));
        OK(rb_run_momentum(run, linear, angular));
        ENSURE_NEAR(linear[0], 0.01 * 0.5, 1e-9);
        ENSURE_NEAR(linear[1], 0, 1e-9);
        ENSURE_NEAR(linear[2], 0, 1e-9);
    }
    RbObjectMotion ball;
    OK(rb_run_motion(run, number, &ball));
    ENSURE(ball.velocity[0] > 0.3 && ball.velocity[0] < 0.49); // some of it is with the grains
    OK(rb_run_close(run, NULL));
    close_scene(s);
}

// A ball hits a grain that rests: velocities afterwards by momentum and restitution.
static void test_impact_on_body(void **state) {
    (void)state;
    const double masses[] = {1, GRAIN, 0.1 * GRAIN}, typed[] = {1, 0.5};
    for (int k = 0; k < 3; k++) {
        for (int n = 0; n < 2; n++) {
            Api api, *s = &api;
            open_scene(s, typed[n], 0);
            OK(rb_builder_gravity(s->scene, (double[]){0, 0, 0}));
            add_ball(s, masses[k], -0.0155, 0.5);
            add_list(s, (double[]){0, 0, 0, RADIUS}, 1);
            OK(rb_builder_particle_options(s->scene, &(RbParticleOptions){.step = 3e-6}));
            run(s, 0.008);
            double M = masses[k], m = GRAIN, e = typed[n];
            double body = 0.5 * (M - e * m) / (M + m), grain = 0.5 * (1 + e) * M / (M + m);
            ENSURE_NEAR(last(s, "ball.v[1]"), body, 2e-3 * 0.5);
            ENSURE_NEAR(last(s, "grains.kinetic"), 0.5 * m * grain * grain,
                        6e-3 * 0.5 * m * grain * grain);
            // What the grain gets, the ball loses: the law of the momentum to the error of the solver.
            double of_grain = sqrt(2 * last(s, "grains.kinetic") / m) * m;
            ENSURE_NEAR(of_grain + M * last(s, "ball.v[1]"), 0.5 * M, 1e-6 * 0.5 * M);
            close_scene(s);
        }
    }
}

// A plate on a spring falls into a bed of grains. tolerance: of the exchange; answers its height.
static double plate_in_bed(Api *s, double coupling, double mass, int threads) {
    open_scene(s, 0.5, 0.3);
    RbSolid ground = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Bead");
    OK(rb_builder_add_solid(s->scene, &ground, NULL));
    for (int k = 0; k < 4; k++) {
        char name[20];
        snprintf(name, sizeof name, "wall%d", k);
        RbSolid wall = rb_solid_default(name, RB_SOLID_BOX, "Bead");
        double side = k % 2 ? 0.04 : -0.04;
        wall.lengths[0] = k < 2 ? 0.02 : 0.1, wall.lengths[1] = k < 2 ? 0.1 : 0.02;
        wall.lengths[2] = 0.3;
        wall.position[k < 2 ? 0 : 1] = side;
        OK(rb_builder_add_solid(s->scene, &wall, NULL));
    }
    RbSolid plate = rb_solid_default("plate", RB_SOLID_BOX, "Bead");
    plate.lengths[0] = plate.lengths[1] = 0.05, plate.lengths[2] = 0.01;
    plate.mass = mass;
    plate.held_by_joint = true;
    int object, joint;
    OK(rb_builder_add_solid(s->scene, &plate, &object));
    RbSceneJoint slide = rb_scene_joint_default("slide", RB_SCENE_PRISMATIC, 0, object);
    slide.start[0] = 0.095;
    slide.speed[0] = -0.4;
    slide.can_collide = true;
    OK(rb_builder_add_joint(s->scene, &slide, &joint));
    RbJointElement spring = rb_joint_element_default(joint, 0);
    spring.stiffness = 2000, spring.damping = 1, spring.rest = 0.06;
    OK(rb_builder_add_joint_element(s->scene, &spring));
    RbParticles bed = rb_particles_default("bed", RB_PARTICLES_GRID, "Bead");
    bed.radius = 0.005, bed.radius_spread = 0.05, bed.count = 100;
    bed.low[0] = bed.low[1] = -0.03, bed.high[0] = bed.high[1] = 0.03, bed.high[2] = 0.09;
    OK(rb_builder_add_particles(s->scene, &bed));
    RbParticleOptions cloud = {.step = 1e-5, .coupling = coupling};
    OK(rb_builder_particle_options(s->scene, &cloud));
    RbModel *model = finish(s);
    RbSimOptions options = options_for(s, model, 0.06);
    options.threads = threads;
    OK(rb_simulate(s->context, model, &options, &s->summary));
    OK(rb_results_open(s->context, s->file, &s->results));
    return last(s, "slide.s");
}

// The more exact the exchange, the nearer to one at every step.
static void test_coupling_converges(void **state) {
    (void)state;
    const double masses[] = {1, 0.02};
    for (int k = 0; k < 2; k++) {
        Api api, *s = &api;
        double exact = plate_in_bed(s, 1e-30, masses[k], 1);
        ENSURE(s->summary.time_events > 5900); // every step
        // The plate gets the work that the grains lose.
        double work = fabs(last(s, "grains.driven"));
        ENSURE_NEAR(last(s, "energy.input") + last(s, "grains.driven"), 0, 1e-4 * work);
        close_scene(s);
        long exchanges = 0;
        for (double coupling = 1e-4; coupling > 5e-8; coupling /= 10) {
            double error = fabs(plate_in_bed(s, coupling, masses[k], 1) - exact);
            ENSURE_NEAR(error, 0, 5 * coupling + 1e-6); // 1e-6: roundings that the bed amplifies
            ENSURE(s->summary.time_events >= exchanges && s->summary.time_events < 600);
            ENSURE(s->summary.rows == 11); // the output points; exchanges get none
            exchanges = s->summary.time_events;
            close_scene(s);
        }
        ENSURE(exchanges > 41); // at the coarsest it is one in what a part that starts may need, here 40
    }
}

// Same bits for every number of threads, and for a run that is resumed.
static void test_bits(void **state) {
    (void)state;
    Api api, *s = &api;
    plate_in_bed(s, 1e-6, 1, 1);
    unsigned long long hash = s->summary.state_hash;
    double kinetic = last(s, "grains.kinetic");
    close_scene(s);
    plate_in_bed(s, 1e-6, 1, 3);
    ENSURE(s->summary.state_hash == hash && last(s, "grains.kinetic") == kinetic);
    close_scene(s);
}

static RbStatus simulate(Api *s, RbModel *model, const RbSimOptions *options) {
    return rb_simulate(s->context, model, options, &s->summary);
}

static void add_region(Api *s, RbParticleRegion region) {
    OK(rb_builder_add_particle_region(s->scene, &region));
}

// Through a plane onto the ground, a part of which swallows what comes; and a box around everything.
static void watch_rain(Api *s) {
    RbParticleRegion plane = rb_particle_region_default("plane", RB_PARTICLE_PLANE);
    plane.position[2] = 0.045;
    RbParticleRegion sink = rb_particle_region_default("sink", RB_PARTICLE_SINK), box;
    for (int k = 0; k < 3; k++) sink.low[k] = -INFINITY, sink.high[k] = INFINITY;
    sink.low[0] = 0.01, sink.high[2] = 0.04;
    box = rb_particle_region_default("box", RB_PARTICLE_BOX);
    for (int k = 0; k < 3; k++) box.low[k] = -1, box.high[k] = 1;
    add_region(s, plane);
    add_region(s, sink);
    add_region(s, box);
}

// A scene in which it also rains, and a ball swims.
static RbModel *rain_scene(Api *s) {
    open_scene(s, 0.5, 0.3);
    RbSolid ground = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Bead");
    OK(rb_builder_add_solid(s->scene, &ground, NULL));
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Bead");
    ball.diameter = 0.02, ball.mass = 0.01, ball.free = true;
    ball.position[2] = 0.0101, ball.velocity[0] = 0.1;
    OK(rb_builder_add_solid(s->scene, &ball, NULL));
    RbParticles rain = rb_particles_default("rain", RB_PARTICLES_RAIN, "Bead");
    rain.count = 40, rain.rate = 1000, rain.radius_spread = 0.3, rain.seed = 5;
    rain.low[0] = rain.low[1] = -0.05, rain.low[2] = 0.05;
    rain.high[0] = rain.high[1] = 0.05, rain.high[2] = 0.09;
    OK(rb_builder_add_particles(s->scene, &rain));
    watch_rain(s);
    return finish(s);
}

static void test_resume(void **state) {
    (void)state;
    Api api, *s = &api;
    char checkpoint[80];
    RbModel *model = rain_scene(s);
    snprintf(checkpoint, sizeof checkpoint, "%s.rbc", s->file);
    RbSimOptions options = options_for(s, model, 0.1);
    options.checkpoint_file = checkpoint;
    options.checkpoint_interval = 0.06;
    OK(simulate(s, model, &options));
    unsigned long long hash = s->summary.state_hash;
    OK(rb_results_open(s->context, s->file, &s->results));
    double kinetic = last(s, "grains.kinetic");
    double gone = last(s, "sink.count"), passed = last(s, "plane.mass");
    ENSURE(gone > 3 && last(s, "grains.count") == 40 - gone);
    rb_context_free(s->context); // the journal stays
    model = rain_scene(s);
    options.resume_file = checkpoint; // the last one, at 0.06 s; its own journal goes on
    OK(simulate(s, model, &options));
    ENSURE(s->summary.state_hash == hash);
    OK(rb_results_open(s->context, s->file, &s->results));
    ENSURE(last(s, "grains.kinetic") == kinetic);
    ENSURE(last(s, "sink.count") == gone && last(s, "plane.mass") == passed);
    close_scene(s);
    unlink(checkpoint);
}

// Nine grains on a scale: how many touch it is what it was, also just after a checkpoint.
static RbModel *scale_scene(Api *s) {
    open_scene(s, 0.5, 0.3);
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, -9.81}));
    RbSolid ground = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Bead");
    RbParticleRegion scale = rb_particle_region_default("scale", RB_PARTICLE_PART);
    OK(rb_builder_add_solid(s->scene, &ground, &scale.object));
    RbParticles grid = rb_particles_default("grid", RB_PARTICLES_GRID, "Bead");
    grid.count = 9, grid.high[0] = grid.high[1] = 0.03, grid.high[2] = 0.01;
    OK(rb_builder_add_particles(s->scene, &grid));
    add_region(s, scale);
    return finish(s);
}

static int values_of(Api *s, const char *name, double values[512]) {
    int rows = (int)rb_results_rows(s->results), variable = rb_results_find(s->results, name);
    ENSURE(variable >= 0 && rows <= 512);
    OK(rb_results_values(s->results, variable, values));
    return rows;
}

static void test_resume_scale(void **state) {
    (void)state;
    Api api, *s = &api;
    char checkpoint[80];
    double contacts[512], resumed[512];
    RbModel *model = scale_scene(s);
    snprintf(checkpoint, sizeof checkpoint, "%s.rbc", s->file);
    RbSimOptions options = options_for(s, model, 0.1);
    options.output_interval = 5e-4;
    options.checkpoint_file = checkpoint;
    options.checkpoint_interval = 0.06;
    OK(simulate(s, model, &options));
    OK(rb_results_open(s->context, s->file, &s->results));
    int rows = values_of(s, "scale.contacts", contacts);
    ENSURE(contacts[rows / 2] == 9 && contacts[rows - 1] == 9);
    rb_context_free(s->context); // the journal stays
    model = scale_scene(s);
    options.resume_file = checkpoint;
    OK(simulate(s, model, &options));
    OK(rb_results_open(s->context, s->file, &s->results));
    ENSURE(values_of(s, "scale.contacts", resumed) == rows);
    ENSURE(memcmp(resumed, contacts, (size_t)rows * sizeof *contacts) == 0);
    close_scene(s);
    unlink(checkpoint);
}

// What rains is in the box, or has passed the plane and gone. (All of it has: it falls by 4 cm in 0.1 s.)
static void test_regions(void **state) {
    (void)state;
    Api api, *s = &api;
    RbModel *model = rain_scene(s);
    RbSimOptions options = options_for(s, model, 0.3);
    OK(simulate(s, model, &options));
    OK(rb_results_open(s->context, s->file, &s->results));
    double there = last(s, "grains.mass"), gone = last(s, "sink.mass");
    ENSURE(last(s, "plane.count") == 40 && last(s, "box.count") == last(s, "grains.count"));
    ENSURE_NEAR(last(s, "box.mass"), there, 1e-15);
    ENSURE_NEAR(last(s, "plane.mass"), there + gone, 1e-12);
    ENSURE_NEAR(last(s, "box.filled"), there / 2500 / 8, 1e-15);
    // At rest, what the walls feel is the weight, and stress has its trace from it: positive.
    ENSURE(last(s, "box.stress[3]") > 0 && last(s, "box.v[3]") < 0.05);
    close_scene(s);
}

// A bucket from a file, coarse or fine, with grains in its hollow: in a scene, grains touch the surface. Answers
// the force on it at the end.
static double bucket_from_file(double longest) {
    Api api, *s = &api;
    char file[80];
    RbWorkpiece *outer, *inner, *moved, *bucket;
    open_scene(s, 0.5, 0.3);
    snprintf(file, sizeof file, "%s.obj", s->file);
    OK(rb_workpiece_box(s->context, (double[]){0.1, 0.1, 0.1}, &outer));
    OK(rb_workpiece_box(s->context, (double[]){0.08, 0.08, 0.12}, &inner));
    OK(rb_workpiece_map(inner, (double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, (double[]){0.01, 0.01, 0.01},
                        &moved));
    OK(rb_workpiece_combine(RB_WORKPIECE_DIFFERENCE, outer, moved, &bucket));
    if (longest > 0) OK(rb_workpiece_refine(bucket, longest, &bucket));
    OK(rb_workpiece_write(bucket, file));
    RbSolid solid = rb_solid_default("bucket", RB_SOLID_MESH, "Bead");
    solid.mesh_file = file;
    solid.held_by_joint = true;
    solid.mass = 1;
    int object, joint;
    OK(rb_builder_add_solid(s->scene, &solid, &object));
    RbSceneJoint slide = rb_scene_joint_default("lift", RB_SCENE_PRISMATIC, 0, object);
    slide.speed[0] = 0.1;
    OK(rb_builder_add_joint(s->scene, &slide, &joint));
    RbJointElement spring = rb_joint_element_default(joint, 0);
    spring.stiffness = 2000, spring.damping = 20;
    OK(rb_builder_add_joint_element(s->scene, &spring));
    RbParticles p = rb_particles_default("p", RB_PARTICLES_GRID, "Bead");
    p.count = 32, p.radius = 0.009;
    for (int k = 0; k < 3; k++) p.low[k] = 0.011, p.high[k] = k < 2 ? 0.089 : 0.1;
    OK(rb_builder_add_particles(s->scene, &p));
    OK(rb_builder_particle_options(s->scene, &(RbParticleOptions){.step = 2e-5}));
    run(s, 0.05);
    double force = last(s, "bucket.grain_force[3]");
    close_scene(s);
    unlink(file);
    return force;
}

static void test_bucket(void **state) {
    (void)state;
    double coarse = bucket_from_file(0), fine = bucket_from_file(0.01);
    ENSURE(coarse < -0.5);
    ENSURE_NEAR(fine, coarse, 1e-7 * fabs(coarse));
}

// ---- parts

// Grains that rest on the ground press on it with their weight, each by a contact; when its surface has run for long enough, all go with it, which has taken
// m u² of work (test_belt).
static void test_part(void **state) {
    (void)state;
    const double u = 0.1;
    Api api, *s = &api;
    open_scene(s, 0.3, 0.5);
    RbPairLaw law = rb_pair_law_default();
    law.restitution = 0.3, law.mu_k = 0.5, law.mu_r = 0.2;
    OK(rb_builder_set_pair(s->scene, "Bead", "Bead", &law));
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, -10}));
    int ground;
    RbSolid solid = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Bead");
    OK(rb_builder_add_solid(s->scene, &solid, &ground));
    add_list(s, (double[]){0, 0, RADIUS, RADIUS, 0.1, 0, RADIUS, RADIUS, 0, 0.1, RADIUS, RADIUS},
             3);
    RbParticleRegion part = rb_particle_region_default("belt", RB_PARTICLE_PART);
    part.object = ground;
    part.surface[1] = u, part.start = 0.5;
    add_region(s, part);
    run(s, 1);
    ENSURE_NEAR(last(s, "belt.force[3]"), -3 * GRAIN * 10, 1e-3 * 3 * GRAIN * 10);
    ENSURE(last(s, "belt.contacts") == 3);
    ENSURE_NEAR(last(s, "grains.kinetic"), 0.5 * 3 * GRAIN * u * u, 1e-3 * 3 * GRAIN * u * u);
    ENSURE_NEAR(last(s, "belt.work"), 3 * GRAIN * u * u, 1e-2 * 3 * GRAIN * u * u);
    ENSURE_NEAR(last(s, "belt.work"), last(s, "grains.driven"), 1e-12);
    ENSURE(last(s, "belt.rubbed") > 0);
    close_scene(s);
}

// ---- a periodic cell

static const double SIDE = 0.1;

// Two streams through each other, along x and against it, in a cell that is periodic all around.
static RbModel *two_streams(Api *s) {
    open_scene(s, 0.5, 0.3);
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, 0}));
    for (int k = 0; k < 2; k++) {
        RbParticles p = rb_particles_default(k ? "against" : "along", RB_PARTICLES_RANDOM, "Bead");
        p.count = 150, p.radius_spread = 0.2, p.seed = 3;
        for (int d = 0; d < 3; d++) p.high[d] = SIDE;
        p.velocity[0] = k ? -0.6 : 0.9;
        OK(rb_builder_add_particles(s->scene, &p));
    }
    RbParticleOptions o = {.periodic = {true, true, true}, .high = {SIDE, SIDE, SIDE}};
    OK(rb_builder_particle_options(s->scene, &o));
    RbParticleRegion plane = rb_particle_region_default("plane", RB_PARTICLE_PLANE);
    plane.position[0] = 0.04, plane.normal[0] = 1, plane.normal[2] = 0;
    add_region(s, plane);
    RbParticleRegion all = rb_particle_region_default("all", RB_PARTICLE_BOX);
    for (int d = 0; d < 3; d++) all.high[d] = SIDE;
    add_region(s, all);
    return finish(s);
}

// All are in the cell, all the time; momentum stays; and what passes a plane is, in the mean, what the cell has per length
// times the mean velocity, which momentum keeps.
static void test_periodic(void **state) {
    (void)state;
    Api api, *s = &api;
    double start[3], linear[3], angular[3], mass;
    RbModel *model = two_streams(s);
    RbSimOptions options = options_for(s, model, 0.5);
    RbRun *one;
    OK(rb_run_open(s->context, model, &options, &one));
    OK(rb_run_momentum(one, start, angular));
    ENSURE(start[0] > 0.01);
    for (int i = 1; i <= 5; i++) {
        OK(rb_run_step(one, RB_UNTIL_TIME, 0.1 * i, NULL));
        OK(rb_run_momentum(one, linear, angular));
        for (int d = 0; d < 3; d++) ENSURE_NEAR(linear[d], start[d], 1e-13 * start[0]);
    }
    OK(rb_run_close(one, NULL));
    OK(rb_results_open(s->context, s->file, &s->results));
    mass = last(s, "grains.mass");
    ENSURE(last(s, "all.count") == 300);
    ENSURE_NEAR(last(s, "all.v[1]"), start[0] / mass, 1e-12);
    ENSURE_NEAR(last(s, "plane.mass"), 0.5 * start[0] / SIDE, 0.1 * mass);
    ENSURE(last(s, "plane.mass") > 0.5 * mass);
    close_scene(s);
}

static void test_periodic_bits(void **state) {
    (void)state;
    Api api, *s = &api;
    char checkpoint[80];
    double kinetic = 0, passed = 0;
    const int threads[] = {1, 2, 3, 8, 1};
    for (int k = 0; k < 5; k++) {
        RbModel *model = two_streams(s);
        snprintf(checkpoint, sizeof checkpoint, "%s.rbc", s->file);
        RbSimOptions options = options_for(s, model, 0.1);
        options.threads = threads[k];
        if (k >= 3) options.checkpoint_file = checkpoint;
        if (k >= 3) options.checkpoint_interval = 0.06;
        if (k == 4) options.resume_file = checkpoint;
        OK(simulate(s, model, &options));
        OK(rb_results_open(s->context, s->file, &s->results));
        if (k == 0 || k == 3) // from there on with checkpoints
            kinetic = last(s, "grains.kinetic"), passed = last(s, "plane.mass");
        ENSURE(last(s, "grains.kinetic") == kinetic && last(s, "plane.mass") == passed);
        if (k == 3)
            rb_context_free(s->context); // the journal stays
        else
            close_scene(s);
    }
    unlink(checkpoint);
}

// ---- wrong input

static void refused(Api *s, RbStatus status, RbStatus want, const char *words) {
    int count = rb_context_message_count(s->context);
    ENSURE(status == want && count > 0);
    const char *message = rb_context_message(s->context, count - 1);
    if (!strstr(message, words)) print_error("want '%s' in: %s\n", words, message);
    ENSURE(strstr(message, words));
}

static void test_bad_particles(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s, 0.5, 0.3);
    RbParticles good = rb_particles_default("p", RB_PARTICLES_RANDOM, "Bead"), p = good;
    p.radius = -1;
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_MODEL, "must be positive");
    p = good, p.radius = NAN;
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_MODEL, "must be positive");
    p = good, p.count = -3;
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_MODEL, "must be between");
    p = good, p.radius_spread = 1;
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_MODEL, "less than 1");
    p = good, p.high[1] = 0.005;
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_MODEL, "does not fit in");
    p = good, p.material = "Bed";
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_MODEL, "Bed");
    p = good, p.velocity[2] = INFINITY;
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_MODEL, "must be finite");
    p = good, p.kind = RB_PARTICLES_RAIN, p.rate = 0;
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_MODEL, "rate must be positive");
    p = good, p.kind = (RbParticlesKind)9;
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_USAGE, "RbParticlesKind");
    p = good, p.kind = RB_PARTICLES_LIST;
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_USAGE, "places");
    p.count = 1, p.places = (double[]){0, 0, 0, -0.01};
    refused(s, rb_builder_add_particles(s->scene, &p), RB_ERROR_MODEL, "has the radius -0.01 m");
    refused(s, rb_builder_particle_options(s->scene, &(RbParticleOptions){.step = -1}),
            RB_ERROR_USAGE, "negative");
    OK(rb_builder_add_particles(s->scene, &good));
    refused(s, rb_builder_add_particles(s->scene, &good), RB_ERROR_MODEL, "two fillings");
    RbParticleRegion box = rb_particle_region_default("box", RB_PARTICLE_BOX), wrong = box;
    wrong.high[1] = -1;
    refused(s, rb_builder_add_particle_region(s->scene, &wrong), RB_ERROR_MODEL,
            "all three must be positive");
    wrong = box, wrong.kind = (RbParticleRegionKind)7;
    refused(s, rb_builder_add_particle_region(s->scene, &wrong), RB_ERROR_USAGE,
            "RbParticleRegionKind");
    wrong = rb_particle_region_default("p", RB_PARTICLE_PART), wrong.ramp = NAN;
    refused(s, rb_builder_add_particle_region(s->scene, &wrong), RB_ERROR_MODEL, "must be finite");
    OK(rb_builder_add_particle_region(s->scene, &box));
    refused(s, rb_builder_add_particle_region(s->scene, &box), RB_ERROR_MODEL, "two regions");
    close_scene(s);
}

static void refused_cell(RbParticleOptions o, RbParticleRegion *region, const char *words) {
    Api api, *s = &api;
    open_scene(s, 0.5, 0.3);
    RbParticles p = rb_particles_default("p", RB_PARTICLES_RANDOM, "Bead");
    p.count = 10;
    OK(rb_builder_add_particles(s->scene, &p));
    OK(rb_builder_particle_options(s->scene, &o));
    if (region) add_region(s, *region);
    RbModel *model = finish(s);
    RbSimOptions options = options_for(s, model, 0.01);
    refused(s, simulate(s, model, &options), RB_ERROR_MODEL, words);
    close_scene(s);
}

static void test_bad_cells(void **state) {
    (void)state;
    RbParticleOptions good = {.periodic = {true, true, false}, .high = {0.2, 0.2, 0}}, o = good;
    o.high[1] = 0.02;
    refused_cell(o, NULL, "the periodic cell 'periodic' measures 0.02 m along y; grains of 0.01 m");
    o = good, o.high[0] = 0.19;
    refused_cell(o, NULL,
                 "the box of the grains 'p' reaches from 0 to 0.2 m along x, beyond the periodic "
                 "borders at 0 and 0.19 m");
    RbParticleRegion box = rb_particle_region_default("box", RB_PARTICLE_BOX);
    box.low[0] = -0.1;
    refused_cell(good, &box, "the box of 'box' reaches from -0.1 to 0.2 m along x");
}

// A wall of so many metres around x, and an equal one elsewhere; what is said about the first one.
static const char *wall_at(Api *s, double x, double length, double other) {
    open_scene(s, 0.5, 0.3);
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, 0}));
    RbSolid wall = rb_solid_default("wall", RB_SOLID_BOX, "Bead");
    wall.lengths[0] = length, wall.lengths[1] = 0.4, wall.lengths[2] = 0.02;
    wall.position[0] = x, wall.position[1] = 0.1, wall.position[2] = -0.011;
    OK(rb_builder_add_solid(s->scene, &wall, NULL));
    wall.name = "other", wall.position[0] = other;
    if (other != 0) OK(rb_builder_add_solid(s->scene, &wall, NULL));
    RbParticles p = rb_particles_default("p", RB_PARTICLES_GRID, "Bead");
    p.count = 10;
    OK(rb_builder_add_particles(s->scene, &p));
    OK(rb_builder_particle_options(
        s->scene, &(RbParticleOptions){.periodic = {true, true, false}, .high = {0.2, 0.2, 0}}));
    run(s, 1e-3);
    int count = rb_context_message_count(s->context);
    ENSURE(count <= 1);
    return count == 1 ? rb_context_message(s->context, 0) : NULL;
}

// Floors may be as long as the cell or longer, in its middle, outside, or there on both sides.
static void test_wall_at_border(void **state) {
    (void)state;
    const struct {
        double x, length, other;
        const char *words;
    } cases[] = {
        {0.1, 0.2, 0, NULL},
        {0.1, 0.4, 0, NULL},
        {0.1, 0.19, 0, NULL},
        {-0.1, 0.19, 0, NULL},
        {0.01, 0.04, 0.21, NULL},
        {0.01, 0.02, 0, "the wall 'wall' is at the periodic border at 0 m along x"},
        {0.01, 0.016, 0, "add an equal one 0.2 m further along x"},
        {0.19, 0.04, 0, "at 0.2 m along x, and does not span the cell 'periodic'"},
        {0.19, 0.04, -0.02, "add an equal one -0.2 m further along x"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Api api, *s = &api;
        const char *text = wall_at(s, cases[k].x, cases[k].length, cases[k].other);
        if (!text != !cases[k].words) print_error("case %zu: %s\n", k, text ? text : "nothing");
        ENSURE(!text == !cases[k].words);
        if (text) ENSURE(strstr(text, cases[k].words) != NULL);
        close_scene(s);
    }
}

// A grain that nothing holds is told, and goes on.
static void test_leaving(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s, 0.5, 0.3);
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, -9.81}));
    add_list(s, (double[]){0, 0, 1, RADIUS, 0.1, 0, 1, RADIUS}, 2);
    OK(rb_builder_particle_options(s->scene, &(RbParticleOptions){.step = 1e-3}));
    run(s, 12);
    int count = rb_context_message_count(s->context);
    ENSURE(count == 1 && strstr(rb_context_message(s->context, 0), "has left the world") != NULL);
    ENSURE(last(s, "grains.count") == 2);
    close_scene(s);
}

// A grain flies into another that rests; does the run get through?
static bool flies_into(Api *s, double speed, double typed) {
    open_scene(s, 0.5, 0.3);
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, 0}));
    add_list(s, (double[]){0.1, 0, 0, RADIUS}, 1);
    RbParticles fast = rb_particles_default("fast", RB_PARTICLES_LIST, "Bead");
    fast.places = (double[]){0, 0, 0, RADIUS}, fast.count = 1;
    fast.velocity[0] = speed;
    OK(rb_builder_add_particles(s->scene, &fast));
    OK(rb_builder_particle_options(s->scene, &(RbParticleOptions){.speed = typed}));
    RbModel *model = finish(s);
    RbSimOptions options = options_for(s, model, 0.2 / speed);
    RbStatus status = rb_simulate(s->context, model, &options, &s->summary);
    OK(rb_results_open(s->context, s->file, &s->results)); // what was computed is kept
    return status == RB_OK;
}

// Depth over radius and time that a message tells.
static void read_depth(const char *text, double *part, double *time) {
    const char *at = strstr(text, "grain 2 is in another grain by ");
    if (!at) at = strstr(text, "grain 1 is in another grain by ");
    ENSURE(at != NULL);
    ENSURE(sscanf(at, "grain %*d is in another grain by %lg of the smaller radius at t = %lg s",
                  part, time) == 2);
}

// They are too soft to stop it, and overlap by half a radius when it has come so far, hardly braked: a warning; and by three quarters:
// the end. A step is at most 2.94 / 40 of a radius, whatever speed was typed.
static void test_too_soft(void **state) {
    (void)state;
    const double typed[] = {0, 0.1, 500};
    for (int k = 0; k < 3; k++) {
        Api api, *s = &api;
        double part = 0, time = 0, speed = 300;
        ENSURE(!flies_into(s, speed, typed[k]));
        ENSURE(rb_context_message_count(s->context) == 2);
        for (int i = 0; i < 2; i++) {
            double least = i == 0 ? 0.5 : 0.75; // what is told has two digits
            const char *text = rb_context_message(s->context, i);
            read_depth(text, &part, &time);
            ENSURE(strstr(text, i == 0 ? "it may get through" : "would get through") != NULL);
            ENSURE(part >= least - 0.01 && part < least + 0.08);
            ENSURE_NEAR(time, (0.09 + part * RADIUS) / speed, 2e-5 * 0.1);
        }
        ENSURE(last(s, "grains.count") == 2 && rb_results_rows(s->results) > 2);
        close_scene(s);
    }
    Api api, *s = &api;
    ENSURE(flies_into(s, 1, 0) && rb_context_message_count(s->context) == 0);
    close_scene(s);
}

// A wind that drives grains to speeds for which no step is short enough.
static void test_too_fast(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s, 0.5, 0.3);
    add_list(s, (double[]){0.1, 0, 0, RADIUS}, 1);
    RbParticleOptions wind = {.medium_density = 1, .medium_velocity = {1e5, 0, 0}};
    OK(rb_builder_particle_options(s->scene, &wind));
    RbModel *model = finish(s);
    RbSimOptions options = options_for(s, model, 0.01);
    ENSURE(rb_simulate(s->context, model, &options, &s->summary) != RB_OK);
    const char *text = rb_context_message(s->context, rb_context_message_count(s->context) - 1);
    ENSURE(strstr(text, "grain 1 has ") && strstr(text, "a step shorter than"));
    OK(rb_results_open(s->context, s->file, &s->results));
    ENSURE(last(s, "grains.count") == 1);
    close_scene(s);
}

typedef void Change(Api *s, RbParticles *p, RbParticleOptions *options);

static void overlap(Api *s, RbParticles *p, RbParticleOptions *options) {
    (void)s, (void)options;
    static const double places[] = {0, 0, 0.1, 0.005, 0, 0, 0.109, 0.005};
    p->kind = RB_PARTICLES_LIST, p->places = places, p->count = 2;
}
static void in_ground(Api *s, RbParticles *p, RbParticleOptions *options) {
    (void)s, (void)options;
    static const double places[] = {0, 0, 0.004, 0.005};
    p->kind = RB_PARTICLES_LIST, p->places = places, p->count = 1;
}
static void crowded(Api *s, RbParticles *p, RbParticleOptions *options) {
    (void)s, (void)options;
    p->count = 9000;
}
static void full_grid(Api *s, RbParticles *p, RbParticleOptions *options) {
    (void)s, (void)options;
    p->kind = RB_PARTICLES_GRID, p->count = 8001;
}
// More cells along x than there are integers.
static void long_grid(Api *s, RbParticles *p, RbParticleOptions *options) {
    (void)s, (void)options;
    p->kind = RB_PARTICLES_GRID, p->count = 4, p->high[0] = 1e9;
    p->low[2] = -0.001; // the first one is in the ground
}
static void large_step(Api *s, RbParticles *p, RbParticleOptions *options) {
    (void)s, (void)p;
    options->step = 2e-3;
}
static void no_pair(Api *s, RbParticles *p, RbParticleOptions *options) {
    (void)options;
    OK(rb_builder_add_material(s->scene, "Unknown", 1000, 1e6, 0.3));
    p->material = "Unknown";
}
static void too_many(Api *s, RbParticles *p, RbParticleOptions *options) {
    (void)s, (void)options;
    p->count = 1 << 28, p->radius = 1e-6;
}

static void test_bad_runs(void **state) {
    (void)state;
    const struct {
        Change *change;
        RbStatus status;
        const char *words;
    } cases[] = {
        {overlap, RB_ERROR_MODEL, "grain 2 of 'p' at (0, 0, 0.109) m overlaps grain 1"},
        {in_ground, RB_ERROR_MODEL, "is in a wall"},
        {crowded, RB_ERROR_MODEL, "found room without overlap"},
        {full_grid, RB_ERROR_MODEL, "20 x 20 x 20 = 8000 grains"},
        {long_grid, RB_ERROR_MODEL, "grain 1 of 'p' at (0.005, 0.005, 0.004) m is in a wall"},
        {large_step, RB_ERROR_MODEL, "the step of the grains of 0.002 s is too large"},
        {no_pair, RB_ERROR_MODEL, "Unknown"},
        {too_many, RB_ERROR_MEMORY, "this machine has"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Api api, *s = &api;
        open_scene(s, 0.5, 0.3);
        RbSolid ground = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Bead");
        OK(rb_builder_add_solid(s->scene, &ground, NULL));
        RbParticles p = rb_particles_default("p", RB_PARTICLES_RANDOM, "Bead");
        RbParticleOptions cloud = {0};
        p.count = 300;
        cases[k].change(s, &p, &cloud);
        OK(rb_builder_add_particles(s->scene, &p));
        OK(rb_builder_particle_options(s->scene, &cloud));
        RbModel *model = finish(s);
        RbSimOptions options = options_for(s, model, 0.3);
        refused(s, simulate(s, model, &options), cases[k].status, cases[k].words);
        close_scene(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impact_on_body), cmocka_unit_test(test_coupling_converges),
        cmocka_unit_test(test_bits),           cmocka_unit_test(test_resume),
        cmocka_unit_test(test_leaving),        cmocka_unit_test(test_regions),
        cmocka_unit_test(test_bucket),         cmocka_unit_test(test_part),
        cmocka_unit_test(test_periodic),       cmocka_unit_test(test_periodic_bits),
        cmocka_unit_test(test_bad_cells),      cmocka_unit_test(test_bad_particles),
        cmocka_unit_test(test_bad_runs),       cmocka_unit_test(test_momentum_of_both),
        cmocka_unit_test(test_resume_scale),   cmocka_unit_test(test_too_soft),
        cmocka_unit_test(test_wall_at_border), cmocka_unit_test(test_too_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
