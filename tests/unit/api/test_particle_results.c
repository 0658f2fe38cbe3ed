// SPDX-License-Identifier: MIT
// What journals keep of particles: rounded values are off by half of the resolution at most, whatever is chosen the motion is the same, a
// resumed run has the same bytes, and lists that mean nothing are refused.
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rattleback/rattleback.h"

enum { BALLS = 27, PAIRS = 6, SPHERES = BALLS + 2 * PAIRS };

typedef struct Run {
    RbContext *context;
    RbModel *model;
    RbSimOptions options;
    RbResults *results;
    char file[64], checkpoint[80];
} Run;

static void ok_at(Run *r, RbStatus status, int line) {
    if (status == RB_OK) return;
    for (int i = 0; i < rb_context_message_count(r->context); i++)
        print_error("line %d: %s", line, rb_context_message(r->context, i));
    _fail(__FILE__, line);
}
#define OK(call) ok_at(r, call, __LINE__)

// Balls fall on the ground, peanuts rain on them.
static void open_run(Run *r, const char *of_model) {
    RbSceneBuilder *scene;
    *r = (Run){.context = rb_context_create(NULL)};
    snprintf(r->file, sizeof r->file, "/tmp/rb_particle_results_%d.rbj", (int)getpid());
    snprintf(r->checkpoint, sizeof r->checkpoint, "%s.rbc", r->file);
    OK(rb_builder_create(r->context, "test", &scene));
    OK(rb_builder_gravity(scene, (double[]){0, 0, -9.81}));
    OK(rb_builder_add_material(scene, "Bead", 2500, 1e6, 0.3));
    RbPairLaw law = rb_pair_law_default();
    law.restitution = 0.5, law.mu_k = 0.5, law.mu_r = 0;
    OK(rb_builder_set_pair(scene, "Bead", "Bead", &law));
    RbSolid ground = rb_solid_default("ground", RB_SOLID_BOX, "Bead");
    ground.lengths[0] = ground.lengths[1] = 1, ground.lengths[2] = 0.1;
    ground.position[2] = -0.05;
    OK(rb_builder_add_solid(scene, &ground, NULL));
    RbParticles balls = rb_particles_default("balls", RB_PARTICLES_RANDOM, "Bead");
    balls.count = BALLS, balls.radius = 0.005, balls.radius_spread = 0.2;
    for (int k = 0; k < 3; k++) balls.high[k] = 0.06;
    OK(rb_builder_add_particles(scene, &balls));
    const double two[] = {-0.004, 0, 0, 0.004, 0.004, 0, 0, 0.004};
    RbParticleClump pair = {.count = 2, .spheres = two};
    RbParticles rain = rb_particles_default("rain", RB_PARTICLES_RAIN, "Bead");
    rain.count = PAIRS, rain.rate = 100, rain.clump = &pair;
    rain.low[2] = 0.07, rain.high[2] = 0.12;
    OK(rb_builder_add_particles(scene, &rain));
    OK(rb_builder_particle_options(scene, &(RbParticleOptions){.results = of_model}));
    OK(rb_builder_finish(scene, &r->model));
    r->options = rb_model_options(r->model);
    r->options.stop_time = 0.1;
    r->options.output_interval = 0.005;
    r->options.journal_file = r->file;
}

static void simulate(Run *r, const char *what) {
    r->options.particle_results = what;
    OK(rb_simulate(r->context, r->model, &r->options, NULL));
    OK(rb_results_open(r->context, r->file, &r->results));
}

static void close_run(Run *r) {
    rb_context_free(r->context);
    unlink(r->file);
    unlink(r->checkpoint);
}

static double size_of(const char *file) {
    struct stat info;
    ENSURE(stat(file, &info) == 0);
    return (double)info.st_size;
}

// All rows of a quantity: width numbers for SPHERES, NaN where one has not come.
static double *values_of(Run *r, RbTrack what, int width) {
    size_t rows = rb_results_rows(r->results), each = (size_t)(SPHERES * width);
    double *all = malloc(rows * each * sizeof *all);
    for (size_t i = 0; i < rows * each; i++) all[i] = NAN;
    for (size_t k = 0; k < rows; k++) {
        int count;
        OK(rb_results_particles(r->results, k, &count));
        ENSURE(count >= BALLS && count <= SPHERES);
        OK(rb_results_particle_values(r->results, k, what, all + k * each));
    }
    return all;
}

// Single precision is off by 2^-24 of the number.
static void ensure_rounded(const double *a, const double *b, size_t count, double resolution) {
    double worst = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        ENSURE(isnan(a[i]) == isnan(b[i]));
        if (isnan(a[i])) continue;
        known++;
        worst = fmax(worst, fabs(a[i] - b[i]) - 0x1p-24 * fabs(a[i]));
    }
    ENSURE(worst <= 0.5 * resolution);
    ENSURE(worst > 0.4 * resolution); // and not much less: that is what it is rounded to
    ENSURE(known > count / 2);
}

static void what_is_rounded_is_near(void **state) {
    (void)state;
    const struct {
        RbTrack what;
        int width;
        double resolution;
    } list[] = {{RB_TRACK_PLACE, 3, 1e-4},
                {RB_TRACK_VELOCITY, 3, 1e-2},
                {RB_TRACK_ROTATION, 4, 1e-3},
                {RB_TRACK_SPIN, 3, 1e-2},
                {RB_TRACK_FORCE, 3, 1e-5}};
    Run exact, rounded, *r = &exact;
    open_run(&exact, NULL);
    simulate(&exact, "place,velocity,rotation,spin,force");
    double *a[5], size = size_of(exact.file);
    for (int k = 0; k < 5; k++) a[k] = values_of(&exact, list[k].what, list[k].width);
    size_t rows = rb_results_rows(exact.results);
    r = &rounded;
    open_run(r, "place:1e-4,velocity:1e-2,rotation:1e-3,spin:1e-2,force:1e-5"); // the model says so
    simulate(r, NULL);
    ENSURE(rb_results_rows(r->results) == rows && size_of(r->file) < size);
    for (int k = 0; k < 5; k++) {
        double *b = values_of(r, list[k].what, list[k].width);
        ensure_rounded(a[k], b, rows * (size_t)(SPHERES * list[k].width), list[k].resolution);
        free(a[k]), free(b);
    }
    // Forwards and backwards is the same.
    double last[3 * SPHERES], first[3 * SPHERES], again[3 * SPHERES], radii[SPHERES];
    OK(rb_results_particle_values(r->results, 0, RB_TRACK_PLACE, first));
    OK(rb_results_particle_values(r->results, rows - 1, RB_TRACK_PLACE, last));
    OK(rb_results_particle_radii(r->results, rows - 1, radii));
    OK(rb_results_particle_values(r->results, 0, RB_TRACK_PLACE, again));
    ENSURE(memcmp(first, again, 3 * BALLS * sizeof *first) == 0);
    ENSURE(memcmp(first, last, 3 * BALLS * sizeof *first) != 0);
    for (int i = 0; i < SPHERES; i++)
        ENSURE(radii[i] >= 0.0039999 && radii[i] <= 0.0060001);
    ENSURE(rb_results_particle_radii(r->results, rows, radii) == RB_ERROR_USAGE);
    rb_context_free(exact.context);
    close_run(r);
}

// New ones every 20 ms of rows that are 5 ms apart: in between the last ones hold.
static void an_interval_holds(void **state) {
    (void)state;
    Run every, seldom, *r = &every;
    open_run(r, NULL);
    simulate(r, "place:1e-6");
    double *a = values_of(r, RB_TRACK_PLACE, 3);
    r = &seldom;
    open_run(r, NULL);
    r->options.particle_interval = 0.02;
    simulate(r, "place:1e-6");
    double *b = values_of(r, RB_TRACK_PLACE, 3);
    size_t rows = rb_results_rows(r->results), each = 3 * SPHERES;
    double times[200];
    ENSURE(rows < 200);
    OK(rb_results_times(r->results, times));
    for (size_t k = 0, shown = 0; k < rows; k++) {
        if (k > 0 && floor(times[k] / 0.02 + 1e-9) > floor(times[k - 1] / 0.02 + 1e-9)) shown = k;
        ENSURE(memcmp(b + k * each, a + shown * each, 3 * BALLS * sizeof *a) == 0);
    }
    free(a), free(b);
    rb_context_free(every.context);
    close_run(r);
}

static void none_are_kept(void **state) {
    (void)state;
    Run run, *r = &run;
    int count = -1;
    open_run(r, NULL);
    simulate(r, "none");
    OK(rb_results_particles(r->results, 3, &count));
    ENSURE(count == 0 && rb_results_find(r->results, "grains.kinetic") >= 0);
    close_run(r);
}

static void *bytes_of(const char *file, size_t *size) {
    *size = (size_t)size_of(file);
    void *bytes = malloc(*size);
    FILE *in = fopen(file, "rb");
    ENSURE(in && fread(bytes, 1, *size, in) == *size);
    fclose(in);
    return bytes;
}

static void a_resumed_run_has_the_same_bytes(void **state) {
    (void)state;
    Run run, *r = &run;
    size_t size, again_size;
    void *bytes = NULL;
    for (int pass = 0; pass < 2; pass++) {
        open_run(r, NULL);
        r->options.checkpoint_file = r->checkpoint;
        r->options.checkpoint_interval = 0.058;
        r->options.particle_interval = 0.02;
        if (pass == 1) r->options.resume_file = r->checkpoint;
        simulate(r, "place:1e-5,velocity");
        if (pass == 0) bytes = bytes_of(r->file, &size), rb_context_free(r->context);
    }
    void *again = bytes_of(r->file, &again_size);
    ENSURE(size == again_size && memcmp(bytes, again, size) == 0);
    free(bytes), free(again);
    close_run(r);
}

static void wrong_lists_are_refused(void **state) {
    (void)state;
    const char *const wrong[][2] = {
        {"places", "there is no 'places'"},
        {"velocity", "the place must be in it"},
        {"place,place", "'place' is in it twice"},
        {"place:", "the resolution '' of the place is no positive number [m]"},
        {"place:0", "the resolution '0' of the place is no positive number [m]"},
        {"place,velocity:-1", "the resolution '-1' of the velocity is no positive number [m/s]"},
        {"place,", "there is no ''"},
        {"none,place", "there is no 'none'"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Run run, *r = &run;
        open_run(r, NULL);
        r->options.particle_results = wrong[k][0];
        ENSURE(rb_simulate(r->context, r->model, &r->options, NULL) == RB_ERROR_USAGE);
        const char *text = rb_context_message(r->context, rb_context_message_count(r->context) - 1);
        ENSURE(strstr(text, wrong[k][1]) && strstr(text, "type none, or a list of place"));
        close_run(r);
    }
    Run run, *r = &run;
    open_run(r, NULL);
    r->options.particle_interval = -1;
    ENSURE(rb_simulate(r->context, r->model, &r->options, NULL) == RB_ERROR_USAGE);
    close_run(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_rounded_is_near),
        cmocka_unit_test(an_interval_holds),
        cmocka_unit_test(none_are_kept),
        cmocka_unit_test(a_resumed_run_has_the_same_bytes),
        cmocka_unit_test(wrong_lists_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
