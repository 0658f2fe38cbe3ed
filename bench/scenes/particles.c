// SPDX-License-Identifier: MIT
// Speed of clouds: a pile of 50,000 grains and a drum of 50,000 that turns, beside LIGGGHTS (the same law) and LAMMPS (laws that
// are cheaper than ours: without tangential damping), if they are installed, on one core and on two; and what a grain costs among 1,000,000.
//
// On one core CPU seconds count, ours and theirs in turn, the best of some rounds: a busy machine disturbs them little. On
// two cores seconds of the clock count, since processes that wait for each other over MPI burn the processor: it is told how much of the machine others used meanwhile, and with
// more than a few percent the figure says nothing. What starting takes is subtracted. Steps in which lists are made are counted as they come.
//
//     bench_particles                     all of it: five minutes on a quiet machine with two cores
//     bench_particles own pile|drum       ours alone, to be looked at with a profiler
//     bench_particles peers pile|drum [rounds]
//     bench_particles large pile|drum [grains]
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../peers/liggghts.h"
#include "geom/shape.h"
#include "math/rng.h"

static const double D = 0.01, MODULUS = 5e6, POISSON = 0.3, DENSITY = 2500, STEP = 2e-5;
static const RbGrainPair PAIR = {.restitution = 0.5, .sliding = 0.3};
enum { TILE = 2500, SIDE = 13 }; // grains and width, in diameters, of what is copied

typedef struct Pile {
    RbCloud *cloud;
    double x, y; // [m] of its box
    double drum; // [m] radius of the drum about z that it is in instead; y: its length
} Pile;

// In seconds, or per second.
typedef struct Cost {
    double cpu, wall;
    double others; // [s] of processors that other programs used
} Cost;

enum { FEW = 20, MANY = 320, COPIES = 20 }; // steps that are not counted, and all; tiles

// The drum is half full, and turns with ω² R = g/20.
static const double DRUM = 14 * 0.01, DRUM_TILE = 8 * 0.01, SPIN = 1.87;
enum { DRUM_SIDES = 64 };

static double seconds(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double of_usage(int who) {
    struct rusage u;
    getrusage(who, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec +
           (double)u.ru_stime.tv_sec + 1e-6 * (double)u.ru_stime.tv_usec;
}

// [s] All processors were busy with anything, since the machine was started: user, nice, system, not idle and not waiting, interrupts
// (two) and what the host took.
static double busy(void) {
    double t[8] = {0};
    FILE *f = fopen("/proc/stat", "r");
    int read = f ? fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &t[0], &t[1], &t[2], &t[3],
                          &t[4], &t[5], &t[6], &t[7])
                 : 0;
    if (f) fclose(f);
    return read < 8 ? 0 : (t[0] + t[1] + t[2] + t[5] + t[6] + t[7]) / (double)sysconf(_SC_CLK_TCK);
}

static Cost now(void) {
    double own = of_usage(RUSAGE_SELF) + of_usage(RUSAGE_CHILDREN);
    return (Cost){own, seconds(CLOCK_MONOTONIC), busy() - own};
}

static Cost since(Cost start) {
    Cost end = now();
    return (Cost){end.cpu - start.cpu, end.wall - start.wall, fmax(end.others - start.others, 0)};
}

static RbCloud *empty_cloud(RbArena *arena, int threads, Vec3 gravity) {
    RbElastic e = {MODULUS, POISSON};
    RbGrainLaw law = rb_grain_law(&PAIR, e, e);
    RbCloudOptions options = {
        .materials = 1, .laws = &law, .step = STEP, .gravity = gravity, .threads = threads};
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

// The inside of a drum of which the sides are flat, with the axis z, from z = 0 to `length`.
static RbMesh *drum_mesh(RbArena *arena, double length) {
    RbMesh *mesh = rb_new(arena, RbMesh);
    RbMeshBuilder b = rb_mesh_builder(arena);
    double R = DRUM / cos(M_PI / DRUM_SIDES);
    for (int k = 0; k < 2 * DRUM_SIDES; k++) {
        double phi = 2 * M_PI * (k / 2) / DRUM_SIDES;
        rb_mesh_add_vertex(&b, v3(R * cos(phi), R * sin(phi), k % 2 ? length + D : -D));
    }
    for (int k = 0; k < DRUM_SIDES; k++) {
        int a = 2 * k, c = 2 * ((k + 1) % DRUM_SIDES);
        rb_mesh_add_triangle(&b, a, a + 1, c);
        rb_mesh_add_triangle(&b, a + 1, c + 1, c);
    }
    *mesh = rb_mesh_finish(&b);
    return mesh;
}

static void add_drum(RbCloud *cloud, RbArena *arena, RbArena scratch, double length) {
    RbDiag diag = rb_diag(arena);
    RbGrainMesh *mesh = rb_new(arena, RbGrainMesh);
    RbShape shape = rb_shape_halfspace();
    int count;
    const RbCore *parts = rb_shape_cores(&shape, arena, &count);
    if (rb_grain_mesh(drum_mesh(arena, length), "drum", RB_NOWHERE, arena, scratch, &diag, mesh) !=
        RB_OK)
        abort();
    rb_cloud_add_wall(cloud, (RbGrainWall){.mesh = mesh, .X = POSE_IDENTITY, .V.w = {0, 0, SPIN}});
    for (int k = 0; k < 2; k++) {
        Vec3 n = v3(0, 0, k ? -1 : 1), u = v3(1, 0, 0);
        Pose X = {v3(0, 0, k ? length : 0), m3_from_columns(u, v3_cross(n, u), n)};
        rb_cloud_add_wall(cloud, (RbGrainWall){.parts = parts, .part_count = count, .X = X});
    }
}

static RbGrain grain_at(Vec3 r, Vec3 v, Vec3 w) {
    return (RbGrain){r, v, w, D / 2, DENSITY * M_PI / 6 * D * D * D, 0};
}

// What is copied: grains that have fallen, and still move a little.
static RbCloud *settle_tile(RbArena *arena) {
    RbCloud *cloud = empty_cloud(arena, 1, v3(0, 0, -9.81));
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

// A slice of the drum that has turned for a while.
static RbCloud *settle_drum(RbArena *arena, RbArena scratch) {
    RbCloud *cloud = empty_cloud(arena, 1, v3(0, -9.81, 0));
    RbRng rng = rb_rng(2);
    double cell = 1.02 * D, depth = DRUM_TILE / 7;
    int side = (int)(2 * DRUM / cell);
    add_drum(cloud, arena, scratch, DRUM_TILE);
    for (int k = 0; cloud->count < TILE; k++) {
        Vec3 r = v3((k / 7 % side + 0.5) * cell - DRUM, (k / 7 / side + 0.5) * cell - DRUM,
                    (k % 7 + 0.5) * depth);
        if (hypot(r.x, r.y) < DRUM - 0.55 * D)
            rb_cloud_add(cloud, grain_at(r, v3_scale(0.1, rb_rng_direction(&rng)), V3_ZERO));
    }
    rb_cloud_start(cloud);
    for (int k = 0; k < 25000; k++) rb_cloud_step(cloud, NULL);
    return cloud;
}

static Pile copy_slices(RbArena *arena, RbArena scratch, const RbCloud *tile, int copies,
                        int threads) {
    Pile pile = {.cloud = empty_cloud(arena, threads, v3(0, -9.81, 0)),
                 .y = copies * DRUM_TILE,
                 .drum = DRUM};
    add_drum(pile.cloud, arena, scratch, pile.y);
    rb_cloud_reserve(pile.cloud, copies * TILE);
    for (int c = 0; c < copies; c++) {
        for (int i = 0; i < tile->count; i++) {
            RbQuad r = tile->r[i], v = tile->v[i], w = tile->w[i];
            rb_cloud_add(pile.cloud, grain_at(v3(r.x, r.y, r.z + c * DRUM_TILE), v3(v.x, v.y, v.z),
                                              v3(w.x, w.y, w.z)));
        }
    }
    rb_cloud_start(pile.cloud);
    return pile;
}

static Pile copy_tiles(RbArena *arena, const RbCloud *tile, int copies, int threads) {
    int nx = (int)ceil(sqrt(copies)), ny = (copies + nx - 1) / nx;
    Pile pile = {.cloud = empty_cloud(arena, threads, v3(0, 0, -9.81)),
                 .x = nx * SIDE * D,
                 .y = ny * SIDE * D};
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

// What is measured: a pile of copies of a tile, or a drum of copies of a slice.
typedef struct Scene {
    const char *name;
    const RbCloud *tile;
    bool drum;
} Scene;

static Pile make(const Scene *scene, RbArena *arena, RbArena scratch, int copies, int threads) {
    return scene->drum ? copy_slices(arena, scratch, scene->tile, copies, threads)
                       : copy_tiles(arena, scene->tile, copies, threads);
}

// Particle-steps per second, of the processor and of the clock.
static Cost own_speed(const Scene *scene, int copies, int threads, int steps, bool tell) {
    RbHeap heap = rb_heap(NULL);
    RbArena arena = rb_arena(&heap), scratch = rb_arena(&heap);
    Pile pile = make(scene, &arena, scratch, copies, threads);
    for (int k = 0; k < FEW; k++) rb_cloud_step(pile.cloud, NULL);
    long rebuilds = pile.cloud->rebuilds;
    Cost start = now();
    for (int k = 0; k < steps; k++) rb_cloud_step(pile.cloud, NULL);
    Cost spent = since(start);
    double n = pile.cloud->count, done = n * steps;
    if (tell)
        printf("%s, %d grains, %d thread%s: %.2f M particle-steps per CPU second, %.2f per second\n"
               "  %.2f contacts per grain, %ld lists in %d steps, %.0f bytes per grain\n",
               scene->name, pile.cloud->count, threads, threads > 1 ? "s" : "",
               done / spent.cpu / 1e6, done / spent.wall / 1e6, (double)pile.cloud->contacts / n,
               pile.cloud->rebuilds - rebuilds, steps, (double)heap.bytes / n);
    rb_arena_free(&scratch);
    rb_arena_free(&arena);
    return (Cost){done / spent.cpu, done / spent.wall, spent.others};
}

// ---------------------------------------------------------------------------------------------------
// others

static const char *const FOLDER = "/tmp/rb_bench_particles";

static const Cost FAILED = {.cpu = -1, .wall = -1};

// What a command takes on so many cores; negative: it failed.
static Cost cost_of(const char *program, const char *arguments, int cores) {
    char command[400], mpi[80] = "";
    if (cores > 1)
        snprintf(mpi, sizeof mpi, "mpirun --allow-run-as-root --oversubscribe -np %d ", cores);
    snprintf(command, sizeof command, "cd %s && %s%s %s >output.txt 2>&1", FOLDER, mpi, program,
             arguments);
    Cost start = now();
    return system(command) == 0 ? since(start) : FAILED;
}

// A plane z = 0 in its frame.
static RbMesh plane(double half, RbArena *arena) {
    RbMeshBuilder b = rb_mesh_builder(arena);
    for (int c = 0; c < 4; c++)
        rb_mesh_add_vertex(&b, v3(c == 1 || c == 2 ? half : -half, c >= 2 ? half : -half, 0));
    rb_mesh_add_triangle(&b, 0, 1, 2);
    rb_mesh_add_triangle(&b, 0, 2, 3);
    return rb_mesh_finish(&b);
}

static RbMesh *wall_meshes(const Pile *pile, RbArena *arena) {
    int count = pile->cloud->walls.count;
    RbMesh *meshes = rb_new_array(arena, RbMesh, count);
    for (int k = 0; k < count; k++)
        meshes[k] = plane(pile->drum > 0 ? 1.2 * DRUM : pile->x + pile->y, arena);
    if (pile->drum > 0) meshes[0] = *drum_mesh(arena, pile->y);
    return meshes;
}

typedef struct Peer {
    const char *name;
    bool liggghts;
    const char *style, *coefficients, *wall; // LAMMPS
} Peer;

// A pile is cut across: cut level, as long boxes are unless told, the upper half has no grains.
static const char *side_by_side(const Pile *pile) {
    return pile->drum > 0 ? "" : "processors * * 1\n";
}

// The drum stands still for the writer, which knows no parts that move, and is set in motion in its text.
static Cost liggghts_cost(const Pile *pile, int steps, int cores, RbArena *arena, RbArena scratch) {
    RbElastic solid = {MODULUS, POISSON};
    RbDiag diag = rb_diag(arena);
    RbLiggghtsJob job = {FOLDER, cores, steps, 1, &solid, wall_meshes(pile, arena)};
    RbGrainWall *drum = &pile->cloud->walls.data[0];
    Motion V = drum->V;
    drum->V = MOTION_ZERO;
    RbStatus status = rb_liggghts_write(pile->cloud, &job, scratch, &diag);
    drum->V = V;
    if (status != RB_OK) return FAILED;
    char spin[300];
    snprintf(
        spin, sizeof spin,
        "cd %s && sed -i 's|^run|fix spin all move/mesh mesh w0 rotate origin 0 0 0 axis 0 0 1 "
        "period %g\\nrun|' in.liggghts",
        FOLDER, 2 * M_PI / SPIN);
    const char *across = "cd /tmp/rb_bench_particles && "
                         "sed -i 's|^read_data|processors * * 1\\n&|' in.liggghts";
    if (system(pile->drum > 0 ? spin : across) != 0) return FAILED;
    return cost_of("liggghts", "-in in.liggghts", cores);
}

static void write_lammps_data(const Pile *pile) {
    const RbCloud *c = pile->cloud;
    FILE *f = fopen("/tmp/rb_bench_particles/data.lammps", "w");
    if (!f) return;
    double x = pile->drum > 0 ? DRUM : pile->x + 1, y = pile->drum > 0 ? DRUM : pile->y + 1;
    fprintf(f,
            "grains\n\n%d atoms\n1 atom types\n%g %g xlo xhi\n%g %g ylo yhi\n%g %g zlo zhi\n"
            "\nAtoms\n\n",
            c->count, pile->drum > 0 ? -x : -1, x, pile->drum > 0 ? -y : -1, y,
            pile->drum > 0 ? 0.0 : -1.0, pile->drum > 0 ? pile->y : 2.0);
    for (int i = 0; i < c->count; i++)
        fprintf(f, "%d 1 %.17g %.17g %.17g %.17g %.17g\n", c->id[i] + 1, D, DENSITY, c->r[i].x,
                c->r[i].y, c->r[i].z);
    fprintf(f, "\nVelocities\n\n");
    for (int i = 0; i < c->count; i++)
        fprintf(f, "%d %.17g %.17g %.17g %.17g %.17g %.17g\n", c->id[i] + 1, c->v[i].x, c->v[i].y,
                c->v[i].z, c->w[i].x, c->w[i].y, c->w[i].z);
    fclose(f);
}

// The cylinder that turns is a region: a wall "zcylinder ... shear" loses atoms in the version of 2021.
static Cost lammps_cost(const Pile *pile, const Peer *peer, int steps, int cores) {
    FILE *f = fopen("/tmp/rb_bench_particles/in.lammps", "w");
    if (!f) return FAILED;
    const char *wall = peer->wall;
    fprintf(f,
            "units si\natom_style sphere\nboundary f f f\nnewton off\ncomm_modify vel yes\n"
            "%sread_data data.lammps\nneighbor %g bin\nneigh_modify delay 0\n"
            "pair_style %s\npair_coeff * * %s\ntimestep %g\nfix 1 all nve/sphere\n",
            side_by_side(pile), 0.1 * D, peer->style, peer->coefficients, STEP);
    if (pile->drum > 0)
        fprintf(f,
                "fix 2 all gravity 9.81 vector 0 -1 0\nvariable theta equal %g*step*dt\n"
                "region drum cylinder z 0 0 %g -1 %g side in rotate v_theta 0 0 0 0 0 1\n"
                "fix 3 all wall/gran/region %s region drum\nfix 4 all wall/gran %s zplane 0 %g\n",
                SPIN, DRUM, pile->y + 1, wall, wall, pile->y);
    else
        fprintf(f,
                "fix 2 all gravity 9.81 vector 0 0 -1\nfix 3 all wall/gran %s zplane 0 NULL\n"
                "fix 4 all wall/gran %s xplane 0 %g\nfix 5 all wall/gran %s yplane 0 %g\n",
                wall, wall, pile->x, wall, pile->y);
    fprintf(f, "thermo 1000000\nrun %d\n", steps);
    fclose(f);
    return cost_of("lmp", "-in in.lammps", cores);
}

static Cost peer_cost(const Pile *pile, const Peer *peer, int steps, int cores, RbArena *arena,
                      RbArena scratch) {
    return peer->liggghts ? liggghts_cost(pile, steps, cores, arena, scratch)
                          : lammps_cost(pile, peer, steps, cores);
}

static void keep_best(Cost *best, Cost cost) {
    best->cpu = fmax(best->cpu, cost.cpu);
    if (!(cost.wall > best->wall)) return;
    best->wall = cost.wall;
    best->others = cost.others;
}

// The best of some rounds, ours and theirs in turn.
static void compare_with(const Scene *scene, const Pile *pile, const Peer *peer, int cores,
                         int rounds, RbArena *arena, RbArena scratch) {
    double n = pile->cloud->count * (double)(MANY - FEW);
    Cost own = {0}, best = {0};
    peer_cost(pile, peer, 1, cores, arena, scratch); // brings the program into memory
    for (int round = 0; round < rounds; round++) {
        Cost few = peer_cost(pile, peer, FEW, cores, arena, scratch);
        Cost many = peer_cost(pile, peer, MANY, cores, arena, scratch);
        if (few.cpu < 0 || many.cpu <= few.cpu || many.wall <= few.wall) {
            printf("%s, %s: did not run, or no longer than its start (see %s/output.txt)\n",
                   scene->name, peer->name, FOLDER);
            return;
        }
        keep_best(&best, (Cost){n / (many.cpu - few.cpu), n / (many.wall - few.wall),
                                100 * many.others / (cores * many.wall)});
        Cost mine = own_speed(scene, COPIES, cores, MANY - FEW, false);
        mine.others *= 100 * mine.wall / (cores * n);
        keep_best(&own, mine);
    }
    if (cores == 1)
        printf("%s, %s: %.2f M particle-steps per CPU second, ours %.2f: %.2f times as fast\n",
               scene->name, peer->name, best.cpu / 1e6, own.cpu / 1e6, own.cpu / best.cpu);
    else
        printf("%s, %s, %d cores: %.2f M particle-steps per second of the clock, ours %.2f: %.2f "
               "times as "
               "fast (others used %.0f and %.0f %% of the processors)\n",
               scene->name, peer->name, cores, best.wall / 1e6, own.wall / 1e6,
               own.wall / best.wall, best.others, own.others);
}

static void compare(const Scene *scene, int rounds) {
    RbHeap heap = rb_heap(NULL);
    RbArena arena = rb_arena(&heap), scratch = rb_arena(&heap);
    Pile pile = make(scene, &arena, scratch, COPIES, 1);
    mkdir(FOLDER, 0777);
    double E = MODULUS / (2 * (1 - POISSON * POISSON)),
           G = MODULUS / (4 * (1 + POISSON) * (2 - POISSON));
    char style[240], wall[240], both[200], material[240];
    snprintf(style, sizeof style, "gran/hertz/history %g %g %g NULL %g 0", 4.0 / 3 * E, 8 * G, 1e5,
             PAIR.sliding);
    snprintf(wall, sizeof wall, "%s", style + strlen("gran/"));
    snprintf(both, sizeof both,
             "hertz/material %g %g %g tangential mindlin NULL 0 %g damping tsuji", MODULUS,
             PAIR.restitution, POISSON, PAIR.sliding);
    snprintf(material, sizeof material, "granular %s", both);
    const Peer peers[] = {
        {"LIGGGHTS, hertz tangential history (our law)", true, "", "", ""},
        {"LAMMPS, gran/hertz/history", false, style, "", wall},
        {"LAMMPS, granular hertz/material mindlin tsuji", false, "granular", both, material},
    };
    write_lammps_data(&pile);
    for (int cores = 1; cores <= 2; cores++) {
        for (size_t k = 0; k < sizeof peers / sizeof *peers; k++) {
            const char *look =
                peers[k].liggghts ? "command -v liggghts >/dev/null" : "command -v lmp >/dev/null";
            if (system(look) == 0)
                compare_with(scene, &pile, &peers[k], cores, rounds, &arena, scratch);
            else
                printf("%s: not installed\n", peers[k].name);
        }
    }
    rb_arena_free(&scratch);
    rb_arena_free(&arena);
}

// The same steps with many grains, and with few before and after.
static void grow(const Scene *scene, int grains) {
    int steps = MANY - FEW;
    Cost before = own_speed(scene, COPIES, 1, steps, true);
    Cost much = own_speed(scene, grains / TILE, 1, steps, true);
    Cost after = own_speed(scene, COPIES, 1, steps, false);
    double mean = 2 / (1 / before.cpu + 1 / after.cpu);
    printf("%s: cost per particle and step, %d grains to %d: %.2f\n", scene->name, grains,
           COPIES * TILE, mean / much.cpu);
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "all", *which = argc > 2 ? argv[2] : "both";
    int number = argc > 3 ? atoi(argv[3]) : 0;
    RbHeap heap = rb_heap(NULL);
    RbArena arena = rb_arena(&heap), scratch = rb_arena(&heap);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 0; k < 2; k++) {
        if (strcmp(which, k ? "pile" : "drum") == 0) continue;
        Scene scene = {k ? "drum" : "pile", NULL, k == 1};
        scene.tile = k ? settle_drum(&arena, scratch) : settle_tile(&arena);
        bool all = strcmp(what, "all") == 0;
        if (strcmp(what, "own") == 0) own_speed(&scene, COPIES, 1, 4 * (MANY - FEW), true);
        if (all || strcmp(what, "peers") == 0) compare(&scene, number > 0 ? number : 2);
        if (all || strcmp(what, "large") == 0) grow(&scene, number > 0 ? number : 1000000);
    }
    rb_arena_free(&scratch);
    rb_arena_free(&arena);
    return 0;
}
