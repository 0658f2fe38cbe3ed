// SPDX-License-Identifier: MIT
// A cloud handed to another program: what is refused, and how it may end. The program here is a shell script that
// behaves as a test wants; the real one: test_liggghts_pile.c.
#include "grains.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dem/liggghts.h"

typedef struct Bench {
    Fixture f;
    char folder[64], job[80], script[80];
    RbElastic solid;
    RbCloud *cloud;
    RbLiggghtsJob at;
} Bench;

static RbMesh plane(RbArena *arena) {
    RbMeshBuilder b = rb_mesh_builder(arena);
    for (int k = 0; k < 4; k++)
        rb_mesh_add_vertex(&b, v3(k == 1 || k == 2 ? 1 : -1, k >= 2 ? 1 : -1, 0));
    rb_mesh_add_triangle(&b, 0, 1, 2);
    rb_mesh_add_triangle(&b, 0, 2, 3);
    return rb_mesh_finish(&b);
}

// Three grains above the ground.
static void open_bench(Bench *b, Stuff s) {
    fixture_open(&b->f);
    snprintf(b->folder, sizeof b->folder, "/tmp/rb_liggghts_%d", (int)getpid());
    snprintf(b->job, sizeof b->job, "%s/job", b->folder);
    snprintf(b->script, sizeof b->script, "%s/liggghts", b->folder);
    mkdir(b->folder, 0777);
    b->solid = (RbElastic){s.modulus, s.poisson};
    b->cloud = cloud_of(&b->f.arena, s, 1e-5, 1);
    b->cloud->options.gravity = v3(0, 0, -9.81);
    add_ground(b->cloud, &b->f.arena);
    for (int k = 0; k < 3; k++)
        rb_cloud_add(b->cloud, grain(s, 0.005, v3(0.02 * k, 0, 0.01), V3_ZERO));
    rb_cloud_start(b->cloud);
    RbMesh *mesh = rb_new(&b->f.arena, RbMesh);
    *mesh = plane(&b->f.arena);
    b->at = (RbLiggghtsJob){.folder = b->job,
                            .ranks = 1,
                            .frame_steps = 100,
                            .frames = 2,
                            .solid = &b->solid,
                            .walls = mesh};
}

static void close_bench(Bench *b) {
    fixture_close(&b->f);
    char command[120];
    snprintf(command, sizeof command, "rm -rf %s", b->folder);
    ENSURE(system(command) == 0);
}

// The program of this name, first in the path; it runs in the folder of the job.
static void make_program(const Bench *b, const char *text) {
    FILE *file = fopen(b->script, "w");
    ENSURE(file != NULL);
    fprintf(file, "#!/bin/sh\n%s\n", text);
    fclose(file);
    chmod(b->script, 0777);
    char path[200];
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", b->folder);
    setenv("PATH", path, 1);
}

static RbStatus start(Bench *b, RbLiggghtsRun **run) {
    RbStatus status = rb_liggghts_write(b->cloud, &b->at, b->f.scratch, &b->f.diag);
    ENSURE(status == RB_OK);
    return rb_liggghts_start(&b->at, &b->f.arena, &b->f.diag, run);
}

static RbStatus frame(Bench *b, RbLiggghtsRun *run, long k) {
    return rb_liggghts_frame(run, b->cloud, k, b->f.scratch, &b->f.diag);
}

static void says(Bench *b, const char *words) {
    const char *message = fixture_message(&b->f, b->f.diag.messages.count - 1);
    if (!strstr(message, words)) print_error("want '%s' in: %s\n", words, message);
    ENSURE(strstr(message, words));
}

#define FRAME                                                                                      \
    "frame() { { printf 'ITEM: TIMESTEP\\n%d\\nITEM: NUMBER OF ATOMS\\n3\\nITEM: ATOMS id x\\n' "  \
    "$1;"                                                                                          \
    " for i in 3 1 2; do echo $i $i.5 0 0.25 0 0 -0.125 1 2 3 0 0 0; done; } > frame.$1.txt; }\n"

// Grains come back in another order.
static void test_frames(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, GLASS);
    make_program(
        &b,
        FRAME "test \"$2\" = in.liggghts && test -f data.liggghts && test -f wall0.stl || exit 3\n"
              "frame 0; sleep 0.05; frame 100; frame 200");
    RbLiggghtsRun *run;
    ENSURE(start(&b, &run) == RB_OK);
    for (long k = 1; k <= 2; k++) {
        ENSURE(frame(&b, run, k) == RB_OK);
        ENSURE_NEAR(b.cloud->time, (double)k * 1e-3, 1e-15);
        for (int id = 0; id < 3; id++) {
            int i = index_of(b.cloud, id);
            ENSURE(b.cloud->r[i].x == id + 1.5 && b.cloud->r[i].z == 0.25 &&
                   b.cloud->r[i].w == 0.005);
            ENSURE(b.cloud->v[i].z == -0.125 && b.cloud->w[i].y == 2);
        }
    }
    close_bench(&b);
}

static void test_ends(void **state) {
    (void)state;
    const struct {
        const char *program, *words;
        int good; // frames that can be read before
    } cases[] = {
        {FRAME "frame 100; kill -9 $$", "LIGGGHTS was killed before t = 0.002 s", 1},
        {FRAME "frame 100; echo 'ERROR: Lost atoms'; exit 1", "ERROR: Lost atoms", 1},
        {FRAME "frame 100; frame 7; head -c 90 frame.7.txt > frame.200.txt",
         "LIGGGHTS ended before t = 0.002 s", 1},
        // As mpirun tells it, between lines of dashes.
        {FRAME "frame 100; echo -----; echo 'rank 1 exited on signal 9 (Killed).'; echo -----; "
               "exit 137",
         "rank 1 exited on signal 9", 1},
        {"echo It is over; echo -----", "It is over", 0},
        {"exit 0", "LIGGGHTS ended before t = 0.001 s", 0},
        {"echo nonsense > frame.100.txt", "ended before", 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Bench b;
        open_bench(&b, GLASS);
        make_program(&b, cases[k].program);
        RbLiggghtsRun *run;
        ENSURE(start(&b, &run) == RB_OK);
        for (int n = 1; n <= cases[k].good; n++) ENSURE(frame(&b, run, n) == RB_OK);
        ENSURE(frame(&b, run, cases[k].good + 1) == RB_ERROR_IO);
        says(&b, cases[k].words);
        says(&b, cases[k].good > 0 ? "is kept" : "there is no result");
        close_bench(&b);
    }
}

static void test_missing(void **state) {
    (void)state;
    const int ranks[] = {1, 2};
    for (int k = 0; k < 2; k++) {
        Bench b;
        open_bench(&b, GLASS);
        b.at.ranks = ranks[k];
        setenv("PATH", "/nowhere", 1);
        RbLiggghtsRun *run;
        ENSURE(start(&b, &run) == RB_OK);
        ENSURE(frame(&b, run, 1) == RB_ERROR_USAGE);
        says(&b, "install the package liggghts");
        setenv("PATH", "/usr/bin:/bin", 1);
        close_bench(&b);
    }
}

// It ends with us: a program that would run for ever.
static void test_left_alone(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, GLASS);
    make_program(&b, FRAME "frame 100; sleep 1000");
    RbLiggghtsRun *run;
    ENSURE(start(&b, &run) == RB_OK);
    ENSURE(frame(&b, run, 1) == RB_OK);
    close_bench(&b);
}

// A cell of 0.8 m, in which a wall of 2 m is cut off; grains are told in it, with how often they have passed a border so far.
static void test_borders(void **state) {
    (void)state;
    Bench b;
    open_bench(&b, GLASS);
    b.cloud->options.borders =
        (RbBorders){.name = "cell", .periodic = {true}, .low = {-0.3, 0, 0}, .high = {0.5, 0, 0}};
    make_program(&b, "grep -q '^boundary p f f' in.liggghts || exit 3\n"
                     "grep -q '^-0.29999999999999999 0.5 xlo xhi' data.liggghts || exit 4\n"
                     "awk '/vertex/ && ($2 < -0.3 || $2 > 0.5) { exit 1 }' wall0.stl || exit 5\n"
                     "frame() { { printf 'ITEM: TIMESTEP\\n%d\\nITEM: NUMBER OF ATOMS\\n3\\n"
                     "ITEM: ATOMS id x\\n' $1;\n"
                     "for i in 3 1 2; do echo $i 0.$i 0 0.25 0 0 0 0 0 0 $2 0 0; done; } >"
                     " frame.$1.txt; }\n"
                     "frame 100 0; frame 200 3; frame 300 1");
    RbLiggghtsRun *run;
    b.at.frames = 3;
    ENSURE(start(&b, &run) == RB_OK);
    const double passed[] = {0, 3, 1};
    for (long k = 1; k <= 3; k++) {
        ENSURE(frame(&b, run, k) == RB_OK);
        ENSURE_NEAR(b.cloud->crossed[0], 3 * passed[k - 1], 1e-12);
        for (int id = 0; id < 3; id++)
            ENSURE_NEAR(b.cloud->r[index_of(b.cloud, id)].x, 0.1 * (id + 1), 1e-12);
    }
    close_bench(&b);
}

static void test_refused(void **state) {
    (void)state;
    const struct {
        Stuff stuff;
        const char *words;
    } cases[] = {
        {{5e6, 0.3, 2500, {.restitution = 0.5, .twisting = 0.1}}, "no friction against twisting"},
        {{5e6, 0.3, 2500, {.restitution = 0.5, .adhesion = 0.1}}, "grains stick"},
        {{5e6, 0.3, 2500, {.restitution = 0.01}}, "a restitution is below 0.05"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        Bench b;
        open_bench(&b, cases[k].stuff);
        ENSURE(rb_liggghts_write(b.cloud, &b.at, b.f.scratch, &b.f.diag) == RB_ERROR_MODEL);
        says(&b, cases[k].words);
        ENSURE(access(b.job, F_OK) != 0); // nothing was written
        close_bench(&b);
    }
    Bench b;
    open_bench(&b, GLASS);
    b.cloud->walls.data[0].V.v.x = 1;
    ENSURE(rb_liggghts_write(b.cloud, &b.at, b.f.scratch, &b.f.diag) == RB_ERROR_MODEL);
    says(&b, "can move");
    b.cloud->walls.data[0].V.v.x = 0;
    close_bench(&b);
    open_bench(&b, GLASS);
    double radius = 0.005;
    RbClump pair = {.count = 1, .places = &V3_ZERO, .radii = &radius, .moments = {1, 1, 1}};
    rb_cloud_add_clump(b.cloud, (RbGrainClump){.form = rb_cloud_add_form(b.cloud, &pair),
                                               .q = Q_IDENTITY,
                                               .size = 1,
                                               .density = 1});
    ENSURE(rb_liggghts_write(b.cloud, &b.at, b.f.scratch, &b.f.diag) == RB_ERROR_MODEL);
    says(&b, "particles are polyhedra or clumps of spheres");
    close_bench(&b);
    open_bench(&b, GLASS);
    b.cloud->options.borders =
        (RbBorders){.name = "cell", .periodic = {true}, .low = {-0.9, 0, 0}, .high = {1.2, 0, 0}};
    ENSURE(rb_liggghts_write(b.cloud, &b.at, b.f.scratch, &b.f.diag) == RB_ERROR_MODEL);
    says(&b, "one from -1 to 1 m along x ends near a border");
    close_bench(&b);
    open_bench(&b, GLASS);
    b.at.folder = "/proc/nothing/there";
    ENSURE(rb_liggghts_write(b.cloud, &b.at, b.f.scratch, &b.f.diag) == RB_ERROR_IO);
    says(&b, "cannot make the folder");
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames),  cmocka_unit_test(test_ends),
        cmocka_unit_test(test_missing), cmocka_unit_test(test_left_alone),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_borders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
