// SPDX-License-Identifier: MIT
// Clumps of spheres in scenes: they and bodies push each other as rigid bodies do; wrong input.
#include "testing.h"

#include <string.h>
#include <unistd.h>

#include "rattleback/rattleback.h"

typedef struct Api {
    RbContext *context;
    RbSceneBuilder *scene;
    RbSummary summary;
} Api;

static void ok_at(Api *s, RbStatus status, int line) {
    if (status == RB_OK) return;
    for (int i = 0; i < rb_context_message_count(s->context); i++)
        print_error("line %d: %s", line, rb_context_message(s->context, i));
    _fail(__FILE__, line);
}
#define OK(call) ok_at(s, call, __LINE__)

static void open_scene(Api *s, double modulus, double restitution, double friction) {
    *s = (Api){.context = rb_context_create(NULL)};
    OK(rb_builder_create(s->context, "test", &s->scene));
    OK(rb_builder_add_material(s->scene, "Bead", 2500, modulus, 0.3));
    RbPairLaw law = rb_pair_law_default();
    law.restitution = restitution, law.mu_k = friction, law.mu_r = 0;
    OK(rb_builder_set_pair(s->scene, "Bead", "Bead", &law));
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, 0}));
}

static int add_ball(Api *s, double mass, const double place[3], double speed) {
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Bead");
    ball.diameter = 0.02, ball.mass = mass, ball.free = true;
    memcpy(ball.position, place, sizeof ball.position);
    ball.velocity[0] = speed;
    int number;
    OK(rb_builder_add_solid(s->scene, &ball, &number));
    return number;
}

static RbRun *open_run(Api *s, double stop_time, int threads) {
    RbModel *model;
    RbRun *run;
    OK(rb_builder_finish(s->scene, &model));
    RbSimOptions options = rb_model_options(model);
    options.stop_time = stop_time, options.tolerance = 1e-10, options.threads = threads;
    options.output_interval = stop_time / 10;
    OK(rb_run_open(s->context, model, &options, &run));
    return run;
}

// Two spheres along x, with a mass of their own, of which a ball hits one end from the side: without friction the clump answers
// with 1/m = 1/M + x²/I at that point.
static void test_ball_hits_end(void **state) {
    (void)state;
    const double es[] = {1, 0.5}, M = 0.004, I = 2e-7, x = 0.008;
    const double spheres[12] = {-x, 0, 0, 0.005, 0, 0, 0, 0.005, x, 0, 0, 0.005};
    for (int k = 0; k < 2; k++) {
        Api api, *s = &api;
        open_scene(s, 5e7, es[k], 0);
        RbParticleClump clump = {
            .count = 3, .spheres = spheres, .mass = M, .inertia = {5e-8, I, I}};
        RbParticles p = rb_particles_default("bar", RB_PARTICLES_LIST, "Bead");
        double root = sqrt(0.5);
        // A quarter turn about z: the bar lies along y.
        p.count = 1, p.places = (double[]){0, 0, 0, 1}, p.clump = &clump;
        p.orientations = (double[]){root, 0, 0, root};
        OK(rb_builder_add_particles(s->scene, &p));
        OK(rb_builder_particle_options(s->scene, &(RbParticleOptions){.step = 5e-7}));
        int number = add_ball(s, 0.01, (double[]){-0.01505, x, 0}, 0.5);
        RbRun *run = open_run(s, 0.002, 1);
        OK(rb_run_step(run, RB_UNTIL_TIME, 0.002, NULL));
        RbObjectMotion ball;
        OK(rb_run_motion(run, number, &ball));
        double m = 1 / (1 / M + x * x / I), together = m * 0.01 / (m + 0.01);
        double J = (1 + es[k]) * 0.5 * together;
        ENSURE_NEAR(ball.velocity[0], 0.5 - J / 0.01, 4e-3 * 0.5);
        double linear[3], angular[3];
        OK(rb_run_momentum(run, linear, angular));
        ENSURE_NEAR(linear[0], 0.01 * 0.5, 1e-9);
        ENSURE_NEAR(angular[2], -0.01 * 0.5 * x, 1e-11);
        OK(rb_run_close(run, &s->summary));
        rb_context_free(s->context);
    }
}

// A free box flies at four spheres of a clump, flat: four contacts at once share both masses, and the impulse is (1 + e) v M m/(M + m).
static void test_box_hits_flat(void **state) {
    (void)state;
    const double es[] = {0.9, 0.5, 0.2}, masses[] = {0.001, 0.0075, 0.1}, M = 0.01, x = 0.005;
    const double spheres[16] = {-x, -x, 0, x, x, -x, 0, x, -x, x, 0, x, x, x, 0, x};
    double worst = 0;
    for (int k = 0; k < 9; k++) {
        Api api, *s = &api;
        double e = es[k % 3], mass = masses[k / 3];
        open_scene(s, 5e6, e, 0);
        RbParticleClump clump = {
            .count = 4, .spheres = spheres, .mass = M, .inertia = {1e-6, 1e-6, 2e-6}};
        RbParticles p = rb_particles_default("four", RB_PARTICLES_LIST, "Bead");
        p.count = 1, p.places = (double[]){0, 0, 0, 1}, p.clump = &clump;
        p.orientations = (double[]){1, 0, 0, 0};
        OK(rb_builder_add_particles(s->scene, &p));
        OK(rb_builder_particle_options(s->scene, &(RbParticleOptions){.step = 1e-6}));
        RbSolid box = rb_solid_default("box", RB_SOLID_BOX, "Bead");
        box.lengths[0] = box.lengths[1] = 0.1, box.lengths[2] = 0.02;
        box.mass = mass, box.free = true, box.position[2] = -0.01505, box.velocity[2] = 0.1;
        int number;
        OK(rb_builder_add_solid(s->scene, &box, &number));
        RbRun *run = open_run(s, 0.02, 1);
        OK(rb_run_step(run, RB_UNTIL_TIME, 0.02, NULL));
        RbObjectMotion after;
        OK(rb_run_motion(run, number, &after));
        double away = (mass * 0.1 - mass * after.velocity[2]) / M - after.velocity[2];
        worst = fmax(worst, fabs(away / 0.1 - e));
        OK(rb_run_close(run, &s->summary));
        rb_context_free(s->context);
    }
    print_message("restitution is off by %.1e at most\n", worst);
    ENSURE(worst < 5e-4);
}

// A ball hits the face of a cube off its centre, without friction: 1/m = 1/M + y²/I there.
static void test_ball_hits_cube(void **state) {
    (void)state;
    const double es[] = {1, 0.5}, side = 0.012, M = 2500 * side * side * side, y = 0.003;
    const double I = M * side * side / 6;
    for (int k = 0; k < 2; k++) {
        Api api, *s = &api;
        open_scene(s, 5e9, es[k], 0); // the stiffer, the less it turns while it touches
        RbParticlePolyhedron cube = {.lengths = {side, side, side}, .rounding = 0.0005};
        RbParticles p = rb_particles_default("cube", RB_PARTICLES_LIST, "Bead");
        p.count = 1, p.places = (double[]){0, 0, 0, 1}, p.polyhedron = &cube;
        p.orientations = (double[]){1, 0, 0, 0};
        OK(rb_builder_add_particles(s->scene, &p));
        OK(rb_builder_particle_options(s->scene, &(RbParticleOptions){.step = 5e-7}));
        int number = add_ball(s, 0.01, (double[]){-0.022, y, 0}, 0.5);
        RbRun *run = open_run(s, 0.0145, 1);
        OK(rb_run_step(run, RB_UNTIL_TIME, 0.0145, NULL));
        RbObjectMotion ball;
        OK(rb_run_motion(run, number, &ball));
        double m = 1 / (1 / M + y * y / I), J = (1 + es[k]) * 0.5 * m * 0.01 / (m + 0.01);
        ENSURE_NEAR(ball.velocity[0], 0.5 - J / 0.01, 5e-3 * 0.5);
        double linear[3], angular[3];
        OK(rb_run_momentum(run, linear, angular));
        ENSURE_NEAR(linear[0], 0.01 * 0.5, 1e-9);
        ENSURE_NEAR(angular[2], -0.01 * 0.5 * y, 1e-11);
        OK(rb_run_close(run, &s->summary));
        rb_context_free(s->context);
    }
}

// Same bits for every number of threads.
static uint64_t rained(int threads) {
    Api api, *s = &api;
    open_scene(s, 5e7, 0.5, 0.3);
    OK(rb_builder_gravity(s->scene, (double[]){0, 0, -9.81}));
    RbSolid ground = rb_solid_default("ground", RB_SOLID_HALFSPACE, "Bead");
    OK(rb_builder_add_solid(s->scene, &ground, NULL));
    add_ball(s, 0.01, (double[]){0, 0, 0.0101}, 0.1);
    const double spheres[8] = {0, 0, 0, 0.005, 0.004, 0, 0, 0.003};
    RbParticleClump clump = {.count = 2, .spheres = spheres};
    RbParticles p = rb_particles_default("stones", RB_PARTICLES_RAIN, "Bead");
    p.clump = &clump, p.count = 40, p.rate = 2000, p.radius_spread = 0.2;
    p.low[0] = p.low[1] = -0.04, p.low[2] = 0.03;
    p.high[0] = p.high[1] = 0.04, p.high[2] = 0.08;
    OK(rb_builder_add_particles(s->scene, &p));
    RbRun *run = open_run(s, 0.05, threads);
    OK(rb_run_step(run, RB_UNTIL_TIME, 0.05, NULL));
    OK(rb_run_close(run, &s->summary));
    uint64_t hash = s->summary.state_hash;
    rb_context_free(s->context);
    return hash;
}

static void test_bits(void **state) {
    (void)state;
    uint64_t hash = rained(1);
    ENSURE(rained(3) == hash);
}

static void refused(Api *s, const RbParticles *p, RbStatus status, const char *words) {
    ENSURE(rb_builder_add_particles(s->scene, p) == status);
    const char *text = rb_context_message(s->context, rb_context_message_count(s->context) - 1);
    if (!strstr(text, words)) print_error("%s\nwant: %s\n", text, words);
    ENSURE(strstr(text, words) != NULL);
}

static void test_refused(void **state) {
    (void)state;
    Api api, *s = &api;
    open_scene(s, 5e7, 0.5, 0.3);
    const double apart[] = {0, 0, 0, 0.005, 0.02, 0, 0, 0.005}, bad[] = {0, 0, 0, -0.005};
    RbParticleClump clump = {0};
    RbParticles p = rb_particles_default("p", RB_PARTICLES_RANDOM, "Bead");
    p.clump = &clump;
    refused(s, &p, RB_ERROR_MODEL, "the clump of 'p' consists of 0 spheres");
    clump.count = 2;
    refused(s, &p, RB_ERROR_USAGE, "spheres");
    clump.spheres = apart;
    refused(s, &p, RB_ERROR_MODEL, "do not hang together: sphere 2 does not touch");
    clump.count = 1, clump.spheres = bad;
    refused(s, &p, RB_ERROR_MODEL, "has the radius -0.005 m; it must be positive");
    clump.spheres = apart, clump.mass = 1;
    refused(s, &p, RB_ERROR_MODEL, "no body has the inertia tensor of the clump of 'p'");
    clump.mass = 0, p.high[0] = 0.005;
    refused(s, &p, RB_ERROR_MODEL, "does not fit in");
    p.kind = RB_PARTICLES_LIST, p.count = 1, p.places = (double[]){0, 0, 0, 1};
    p.orientations = (double[]){0, 0, 0, 0};
    refused(s, &p, RB_ERROR_MODEL, "grain 1 of 'p' has a quaternion of length 0; it must be 1");
    RbParticlePolyhedron dice = {.lengths = {0.01, 0.01, 0.01}};
    p = rb_particles_default("p", RB_PARTICLES_RANDOM, "Bead");
    p.polyhedron = &dice;
    refused(s, &p, RB_ERROR_MODEL, "the edges of the polyhedra 'p' are rounded with 0 m");
    dice.rounding = 1e-3, p.radius_spread = 0.1;
    refused(s, &p, RB_ERROR_MODEL, "the polyhedra 'p' have sizes of their own");
    p.radius_spread = 0, p.clump = &clump;
    refused(s, &p, RB_ERROR_MODEL, "are clumps and polyhedra at once");
    p.clump = NULL, dice.count = 4;
    refused(s, &p, RB_ERROR_USAGE, "points");
    rb_context_free(s->context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball_hits_end),  cmocka_unit_test(test_box_hits_flat),
        cmocka_unit_test(test_ball_hits_cube), cmocka_unit_test(test_bits),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
