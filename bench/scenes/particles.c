// SPDX-License-Identifier: MIT
// Speed of clouds: a pile of 50,000 and of 1,000,000 grains, with one and two threads, beside LIGGGHTS (the same law) and
// LAMMPS (two laws that are cheaper than ours: without tangential damping), if they are installed. All in CPU seconds of the
// same run; what starting takes is subtracted.
//
//     bench_particles [grains of the large pile; 0: none]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dem/liggghts.h"
#include "geom/shape.h"
#include "math/rng.h"

static const double D = 0.01, MODULUS = 5e6, POISSON = 0.3, DENSITY = 2500, STEP = 2e-5;
static const RbGrainPair PAIR = {.restitution = 0.5, .sliding = 0.3};
enum { TILE = 2500, SIDE = 13 }; // grains and width, in diameters, of what is copied

typedef struct Pile {
    RbCloud *cloud;
    double x, y; // [m] of its box
} Pile;

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double children(void) {
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec +
           (double)u.ru_stime.tv_sec + 1e-6 * (double)u.ru_stime.tv_usec;
}

static RbCloud *empty_cloud(RbArena *arena, int threads) {
    RbElastic e = {MODULUS, POISSON};
    RbGrainLaw law = rb_grain_law(&PAIR, e, e);
    RbCloudOptions options = {
        .materials = 1, .laws = &law, .step = STEP, .gravity = {0, 0, -9.81}, .threads = threads};
    return rb_cloud(arena, &options);
}

// A box without a lid.
static void add_walls(RbCloud *cloud, RbArena *arena, double x, double y) {
    RbShape shape = rb_shape_halfspace();
    int count;
    const RbCore *parts = rb_shape_cores(&shape, arena, &count);
    Vec3 inward[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int k = 0; k < 5; k++) {
        Vec3 n = inward[k], u = v3_perpendicular(n);
        Pose X = {v3(n.x < 0 ? x : 0, n.y < 0 ? y : 0, 0), m3_from_columns(u, v3_cross(n, u), n)};
        rb_cloud_add_wall(cloud, (RbGrainWall){.parts = parts, .part_count = count, .X = X});
    }
}

static RbGrain grain_at(Vec3 r, Vec3 v, Vec3 w) {
    return (RbGrain){r, v, w, D / 2, DENSITY * M_PI / 6 * D * D * D, 0};
}

// What is copied: grains that have fallen, and still move a little.
static RbCloud *settle_tile(RbArena *arena) {
    RbCloud *cloud = empty_cloud(arena, 1);
    RbRng rng = rb_rng(1);
    int side = SIDE - 1;
    double cell = SIDE * D / side;
    add_walls(cloud, arena, SIDE * D, SIDE * D);
    for (int k = 0; k < TILE; k++) {
        Vec3 r = v3((k % side + 0.5) * cell, (k / side % side + 0.5) * cell,
                    (k / (side * side) + 0.5) * 1.01 * D);
        rb_cloud_add(cloud, grain_at(r, v3_scale(0.3, rb_rng_direction(&rng)), V3_ZERO));
    }
    rb_cloud_start(cloud);
    for (int k = 0; k < 12000; k++) rb_cloud_step(cloud, NULL);
    return cloud;
}

static Pile copy_tiles(RbArena *arena, const RbCloud *tile, int copies, int threads) {
    int nx = (int)ceil(sqrt(copies)), ny = (copies + nx - 1) / nx;
    Pile pile = {empty_cloud(arena, threads), nx * SIDE * D, ny * SIDE * D};
    add_walls(pile.cloud, arena, pile.x, pile.y);
    rb_cloud_reserve(pile.cloud, copies * TILE);
    for (int c = 0; c < copies; c++) {
        Vec3 by = v3(c % nx * SIDE * D, c / nx * SIDE * D, 0);
        for (int i = 0; i < tile->count; i++) {
            RbQuad r = tile->r[i], v = tile->v[i], w = tile->w[i];
            rb_cloud_add(pile.cloud, grain_at(v3_add(v3(r.x, r.y, r.z), by), v3(v.x, v.y, v.z),
                                              v3(w.x, w.y, w.z)));
        }
    }
    rb_cloud_start(pile.cloud);
    return pile;
}

// --------------------------------------------------------------------------------------------------
// ours

static double own_speed(const RbCloud *tile, int copies, int threads, int steps, bool tell) {
    RbHeap heap = rb_heap(NULL);
    RbArena arena = rb_arena(&heap);
    Pile pile = copy_tiles(&arena, tile, copies, threads);
    for (int k = 0; k < 20; k++) rb_cloud_step(pile.cloud, NULL);
    long rebuilds = pile.cloud->rebuilds;
    double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
    for (int k = 0; k < steps; k++) rb_cloud_step(pile.cloud, NULL);
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall = seconds(CLOCK_MONOTONIC) - wall;
    double done = (double)pile.cloud->count * steps, n = pile.cloud->count;
    printf("%9d grains, %d thread%s: %6.2f M particle-steps per CPU second, %6.2f per second\n",
           pile.cloud->count, threads, threads > 1 ? "s" : " ", done / cpu / 1e6,
           done / wall / 1e6);
    if (tell)
        printf("%9.2f contacts per grain, %ld lists in %d steps, %.0f bytes per grain\n",
               (double)pile.cloud->contacts / n, pile.cloud->rebuilds - rebuilds, steps,
               (double)heap.bytes / n);
    rb_arena_free(&arena);
    return done / cpu;
}

// ---------------------------------------------------------------------------------------------------
// others

static const char *const FOLDER = "/tmp/rb_bench_particles";

// [s] of CPU that a command takes; negative: it failed.
static double cpu_of(const char *command) {
    double before = children();
    if (system(command) != 0) return -1;
    return children() - before;
}

static RbMesh *wall_planes(const Pile *pile, RbArena *arena) {
    RbMesh *meshes = rb_new_array(arena, RbMesh, 5);
    double half = pile->x + pile->y;
    for (int k = 0; k < 5; k++) {
        RbMeshBuilder b = rb_mesh_builder(arena);
        for (int c = 0; c < 4; c++)
            rb_mesh_add_vertex(&b, v3(c == 1 || c == 2 ? half : -half, c >= 2 ? half : -half, 0));
        rb_mesh_add_triangle(&b, 0, 1, 2);
        rb_mesh_add_triangle(&b, 0, 2, 3);
        meshes[k] = rb_mesh_finish(&b);
    }
    return meshes;
}

static double liggghts_cpu(const Pile *pile, int steps, RbArena *arena, RbArena scratch) {
    RbElastic solid = {MODULUS, POISSON};
    RbDiag diag = rb_diag(arena);
    RbLiggghtsJob job = {FOLDER, 1, steps, 1, &solid, wall_planes(pile, arena)};
    if (rb_liggghts_write(pile->cloud, &job, scratch, &diag) != RB_OK) return -1;
    return cpu_of("cd /tmp/rb_bench_particles && liggghts -in in.liggghts >output.txt 2>&1");
}

static void write_lammps_data(const Pile *pile) {
    const RbCloud *c = pile->cloud;
    FILE *f = fopen("/tmp/rb_bench_particles/data.lammps", "w");
    if (!f) return;
    fprintf(
        f,
        "grains\n\n%d atoms\n1 atom types\n-1 %g xlo xhi\n-1 %g ylo yhi\n-1 2 zlo zhi\n\nAtoms\n\n",
        c->count, pile->x + 1, pile->y + 1);
    for (int i = 0; i < c->count; i++)
        fprintf(f, "%d 1 %.17g %.17g %.17g %.17g %.17g\n", c->id[i] + 1, D, DENSITY, c->r[i].x,
                c->r[i].y, c->r[i].z);
    fprintf(f, "\nVelocities\n\n");
    for (int i = 0; i < c->count; i++)
        fprintf(f, "%d %.17g %.17g %.17g %.17g %.17g %.17g\n", c->id[i] + 1, c->v[i].x, c->v[i].y,
                c->v[i].z, c->w[i].x, c->w[i].y, c->w[i].z);
    fclose(f);
}

// law: of pairs and walls; coefficients of pairs.
static double lammps_cpu(const Pile *pile, int steps, const char *style, const char *coefficients,
                         const char *wall) {
    FILE *f = fopen("/tmp/rb_bench_particles/in.lammps", "w");
    if (!f) return -1;
    fprintf(f,
            "units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
            "read_data data.lammps\nneighbor %g bin\nneigh_modify delay 0\n"
            "pair_style %s\npair_coeff * * %s\ntimestep %g\nfix 1 all nve/sphere\n"
            "fix 2 all gravity 9.81 vector 0 0 -1\n",
            0.1 * D, style, coefficients, STEP);
    fprintf(f,
            "fix 3 all wall/gran %s zplane 0 NULL\nfix 4 all wall/gran %s xplane 0 %g\n"
            "fix 5 all wall/gran %s yplane 0 %g\nthermo 1000000\nrun %d\n",
            wall, wall, pile->x, wall, pile->y, steps);
    fclose(f);
    return cpu_of("cd /tmp/rb_bench_particles && lmp -in in.lammps >output.txt 2>&1");
}

static void tell(const char *name, double n, double few, double cpu_few, double many,
                 double cpu_many, double own) {
    if (cpu_few < 0 || cpu_many <= cpu_few) {
        printf("%s: did not run (see %s/output.txt)\n", name, FOLDER);
        return;
    }
    double speed = n * (many - few) / (cpu_many - cpu_few);
    printf("%s: %.2f M particle-steps per CPU second; ours is %.2f times as fast\n", name,
           speed / 1e6, own / speed);
}

static void compare(const RbCloud *tile, double own) {
    RbHeap heap = rb_heap(NULL);
    RbArena arena = rb_arena(&heap), scratch = rb_arena(&heap);
    Pile pile = copy_tiles(&arena, tile, 20, 1);
    double n = pile.cloud->count;
    const int few = 20, many = 220;
    mkdir(FOLDER, 0777);
    double E = MODULUS / (2 * (1 - POISSON * POISSON)),
           G = MODULUS / (4 * (1 + POISSON) * (2 - POISSON));
    char history[200], material[240], both[200];
    snprintf(history, sizeof history, "%g %g %g NULL %g 0", 4.0 / 3 * E, 8 * G, 1e5, PAIR.sliding);
    snprintf(both, sizeof both,
             "hertz/material %g %g %g tangential mindlin NULL 0 %g damping tsuji", MODULUS,
             PAIR.restitution, POISSON, PAIR.sliding);
    if (system("command -v liggghts >/dev/null") == 0)
        tell("LIGGGHTS, hertz tangential history (our law)   ", n, few,
             liggghts_cpu(&pile, few, &arena, scratch), many,
             liggghts_cpu(&pile, many, &arena, scratch), own);
    else
        printf("liggghts is not installed\n");
    if (system("command -v lmp >/dev/null") == 0) {
        write_lammps_data(&pile);
        char style[220], wall[220];
        snprintf(style, sizeof style, "gran/hertz/history %s", history);
        snprintf(wall, sizeof wall, "hertz/history %s", history);
        tell("LAMMPS, gran/hertz/history                     ", n, few,
             lammps_cpu(&pile, few, style, "", wall), many,
             lammps_cpu(&pile, many, style, "", wall), own);
        snprintf(material, sizeof material, "granular %s", both);
        tell("LAMMPS, granular hertz/material mindlin tsuji  ", n, few,
             lammps_cpu(&pile, few, "granular", both, material), many,
             lammps_cpu(&pile, many, "granular", both, material), own);
    } else {
        printf("lammps is not installed\n");
    }
    rb_arena_free(&scratch);
    rb_arena_free(&arena);
}

int main(int argc, char **argv) {
    int large = argc > 1 ? atoi(argv[1]) : 1000000;
    RbHeap heap = rb_heap(NULL);
    RbArena arena = rb_arena(&heap);
    setvbuf(stdout, NULL, _IOLBF, 0);
    RbCloud *tile = settle_tile(&arena);
    double own = own_speed(tile, 20, 1, 300, true);
    own_speed(tile, 20, 2, 300, false);
    if (large >= 2 * TILE) {
        double much = own_speed(tile, large / TILE, 1, 30, true);
        double again = own_speed(tile, 20, 1, 300, false);
        double mean = 2 / (1 / own + 1 / again);
        printf("cost per particle and step, large to 50,000: %.2f\n", mean / much);
    }
    compare(tile, own);
    rb_arena_free(&arena);
    return 0;
}
