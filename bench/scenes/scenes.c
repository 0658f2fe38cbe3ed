// SPDX-License-Identifier: MIT
// Whole scenes: what a run costs, and how exact it is against a run at 1e-10.
//   bench_scenes [--solver NAME] [--csv] [--record] [--stop T] [--scene NAME | --balls N | --pile N | --stack N]
// A pile is steel balls of 5 cm poured into a box, a stack boxes on each other; --record writes a journal.
// Claims: billiards 5 s at 1e-7 in 0.25 s of CPU time (1 s with cvode), rattleback 6 s at 1e-8 in
// 0.15 s, ellipsoid on sphere 2 s at 1e-8 in 0.08 s; n balls rolling and colliding on a table cost
// less than n log n from 16 to 1,000; 1,000 balls poured for 1 s at 1e-5 (--pile 1000) in 120 s.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/rng.h"
#include "scenes.h"
#include "sim/sim.h"

typedef struct Run {
    const char *scene; // NULL: `balls` bodies, which build() adds
    void (*build)(RbScene *s, int n, int seed);
    int balls, seed;
    const char *journal; // NULL: nothing is recorded
    double stop_time, tolerance;
    const char *solver;
    // out
    RbSummary summary;
    int states;
    double x[16384]; // at the end
} Run;

enum { MAX_STATES = sizeof((Run *)0)->x / sizeof(double) };

// Balls on a table with cushions, as many to the square metre for any n: their centres have n
// squares of this pitch to move in. Each starts in its square, in a random direction.
static void add_balls(RbScene *s, int n, int seed) {
    const double d = 0.06, pitch = 0.12, speed = 0.5;
    int side = (int)ceil(sqrt(n));
    double half = 0.5 * side * pitch; // of the square in which the centres move
    RbRng rng = rb_rng((uint64_t)seed);
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    double width = 2 * half + 4 * d;
    RbSceneObject table = rb_solid("table", rb_shape_box(v3(width, width, 0.05)), "BilliardTable");
    table.object.pose.r = v3(0, 0, -0.025);
    rb_scene_add(s, table);
    for (int i = 0; i < 4; i++) {
        double away = (i % 2 ? 1 : -1) * (half + d);
        bool along_x = i / 2 > 0;
        RbShape shape = rb_shape_box(along_x ? v3(width, d, d) : v3(d, width, d));
        RbSceneObject cushion =
            rb_solid(rb_arena_printf(s->arena, "cushion%d", i), shape, "BilliardCushion");
        cushion.object.pose.r = along_x ? v3(0, away, 0.5 * d) : v3(away, 0, 0.5 * d);
        rb_scene_add(s, cushion);
    }
    for (int i = 0; i < n; i++) {
        Vec3 r = v3((i % side + 0.5) * pitch - half, (i / side + 0.5) * pitch - half, 0.5 * d);
        double angle = rb_rng_range(&rng, 0, 6.283185307179586);
        rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), rb_shape_sphere(d),
                          "BilliardBall", r, v3(speed * cos(angle), speed * sin(angle), 0),
                          V3_ZERO);
    }
}

// Balls of 5 cm, let go in layers above a box whose floor has room for about sqrt(n) of them, a little out
// of order: they fall, hit each other and come to rest on a heap.
static void add_pile(RbScene *s, int n, int seed) {
    const double d = 0.05, pitch = 0.06, wall = 0.02;
    int side = (int)ceil(cbrt(n));
    double width = side * pitch, high = 2 * side * pitch;
    RbRng rng = rb_rng((uint64_t)seed);
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbSceneObject floor = rb_solid("floor", rb_shape_box(v3(width + 2, width + 2, wall)), "Steel");
    floor.object.pose.r = v3(0, 0, -0.5 * wall);
    rb_scene_add(s, floor);
    for (int i = 0; i < 4; i++) {
        double away = (i % 2 ? 1 : -1) * 0.5 * (width + wall);
        bool along_x = i / 2 > 0;
        RbShape shape = rb_shape_box(along_x ? v3(width, wall, high) : v3(wall, width, high));
        RbSceneObject side_wall = rb_solid(rb_arena_printf(s->arena, "wall%d", i), shape, "Steel");
        side_wall.object.pose.r = along_x ? v3(0, away, 0.5 * high) : v3(away, 0, 0.5 * high);
        rb_scene_add(s, side_wall);
    }
    for (int i = 0; i < n; i++) {
        double x = (i % side + 0.5) * pitch - 0.5 * width;
        double y = (i / side % side + 0.5) * pitch - 0.5 * width, z = (i / side / side + 1) * pitch;
        Vec3 r =
            v3(x + rb_rng_range(&rng, -0.004, 0.004), y + rb_rng_range(&rng, -0.004, 0.004), z);
        rb_scene_add_free(s, rb_arena_printf(s->arena, "ball%d", i), rb_shape_sphere(d), "Steel", r,
                          V3_ZERO, V3_ZERO);
    }
}

// Cubes of 10 cm let go 1 mm apart.
static void add_stack(RbScene *s, int n, int seed) {
    (void)seed;
    const double d = 0.1;
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    RbSceneObject floor = rb_solid("floor", rb_shape_box(v3(1, 1, d)), "Steel");
    floor.object.pose.r = v3(0, 0, -0.5 * d);
    rb_scene_add(s, floor);
    for (int i = 0; i < n; i++)
        rb_scene_add_free(s, rb_arena_printf(s->arena, "box%d", i), rb_shape_box(v3(d, d, d)),
                          "Steel", v3(0, 0, (i + 0.5) * d + (i + 1) * 1e-3), V3_ZERO, V3_ZERO);
}

typedef struct Call {
    RbHeap *heap;
    Run *run;
    RbSim *sim;
    RbArena *arena;
    RbDiag *diag;
} Call;

static RbStatus go(void *argument) {
    Call *c = argument;
    Run *r = c->run;
    *c->arena = rb_arena(c->heap);
    *c->diag = rb_diag(c->arena);
    RbModel *model;
    if (r->scene) {
        const RbSceneCase *scene = rb_scene_case(r->scene);
        RB_TRY(rb_scene_case_model(scene, c->arena, c->diag, &model, NULL));
    } else {
        RbScene *s = rb_scene_new(c->arena);
        RB_TRY(rb_scene_read_materials(s, NULL, c->diag));
        r->build(s, r->balls, r->seed);
        RB_TRY(rb_scene_model(s, "balls", "", c->diag, &model));
    }
    RbSimOptions options = rb_model_options(model);
    options.stop_time = r->stop_time;
    options.tolerance = r->tolerance;
    options.output_interval = r->journal ? 0.02 : 0; // fifty pictures a second
    options.journal_file = r->journal;
    if (r->solver) options.solver = r->solver;
    *c->sim = (RbSim){.model = model, .options = options, .heap = c->heap, .diag = c->diag};
    RbStatus status = rb_sim_run(c->sim);
    r->summary = c->sim->summary;
    r->states = status == RB_OK ? r->summary.states : 0;
    for (int i = 0; i < r->states && i < MAX_STATES; i++) r->x[i] = rb_sim_stage(c->sim)->now.x[i];
    return status;
}

static bool run(Run *r) {
    RbHeap heap = rb_heap(NULL);
    RbArena arena = {0};
    RbDiag diag = {0};
    RbSim sim = {0};
    RbStatus status = rb_protect(&heap, go, &(Call){&heap, r, &sim, &arena, &diag});
    if (status != RB_OK) {
        printf("%s failed: %s\n", r->scene ? r->scene : "balls",
               diag.messages.count ? diag.messages.data[0].text : "no memory");
    }
    rb_sim_free(&sim);
    rb_arena_free(&arena);
    return status == RB_OK;
}

// Median CPU time of three, for runs that are short.
static bool measure(Run *r) {
    double t[3];
    for (int k = 0; k < 3; k++) {
        if (!run(r)) return false;
        t[k] = r->summary.cpu_time;
        if (t[0] > 3) return true;
    }
    r->summary.cpu_time = fmax(fmin(t[0], t[1]), fmin(fmax(t[0], t[1]), t[2]));
    return true;
}

// Largest difference of the positions of all bodies, of which there are seven coordinates each.
static double difference(const Run *a, const Run *b) {
    double far = 0;
    int bodies = a->states / 13;
    for (int i = 0; i < bodies; i++) {
        for (int k = 0; k < 3; k++) far = fmax(far, fabs(a->x[7 * i + k] - b->x[7 * i + k]));
    }
    return far;
}

static void print(const Run *r, const Run *exact, bool csv) {
    const RbSummary *s = &r->summary;
    double error = exact ? difference(r, exact) : (double)NAN;
    printf(csv ? "%s,%d,%g,%g,%.4g,%ld,%ld,%ld,%.2e\n"
               : "%-20s %5d %6g %8.0e %9.3f %9ld %9ld %7ld %10.1e\n",
           r->scene ? r->scene : "balls", r->balls, r->stop_time, r->tolerance, s->cpu_time,
           s->steps, s->evaluations, s->state_events, error);
    fflush(stdout);
}

static void bench_scene(const char *name, double stop_time, const double *tolerances, int count,
                        const char *solver, bool csv) {
    static Run exact, r;
    exact = (Run){.scene = name, .stop_time = stop_time, .tolerance = 1e-10, .solver = solver};
    bool known = run(&exact);
    for (int i = 0; i < count; i++) {
        r = (Run){
            .scene = name, .stop_time = stop_time, .tolerance = tolerances[i], .solver = solver};
        if (measure(&r)) print(&r, known ? &exact : NULL, csv);
    }
}

// One run of n balls, or the sum over so many that there are at least `least` balls in all: a few
// balls have few collisions, and chance would decide.
static bool sum_of_balls(Run *sum, int n, int least, const char *solver) {
    static Run r;
    *sum =
        (Run){.build = add_balls, .balls = n, .stop_time = 1, .tolerance = 1e-5, .solver = solver};
    int runs = n < least ? least / n : 1;
    for (int k = 0; k < runs; k++) {
        r = *sum;
        r.seed = k + 1;
        if (!run(&r)) return false;
        sum->summary.cpu_time += r.summary.cpu_time / runs;
        sum->summary.steps += r.summary.steps / runs;
        sum->summary.evaluations += r.summary.evaluations / runs;
        sum->summary.state_events += r.summary.state_events;
    }
    sum->summary.state_events /= runs;
    return true;
}

// Cost of n balls over that of 16, against n log n. One system costs far more than that.
static void bench_balls(const char *solver, bool csv) {
    static const int counts[] = {16, 64, 256, 1000};
    static Run r;
    bool islands = !solver || strcmp(solver, "islands") == 0 || strcmp(solver, "auto") == 0;
    double first = 0;
    for (int i = 0; i < (islands ? 4 : 2); i++) {
        int n = counts[i];
        if (!sum_of_balls(&r, n, 256, islands ? "islands" : solver)) return;
        print(&r, NULL, csv);
        if (i == 0)
            first = r.summary.cpu_time;
        else if (!csv)
            printf("%21s cost ratio %.1f, n log n %.1f; %.2f events per ball and second\n", "",
                   r.summary.cpu_time / first, n * log(n) / (16 * log(16)),
                   (double)r.summary.state_events / (n * r.stop_time));
    }
}

// One run, for a profiler or a table.
static void run_once(Run *r, bool csv) {
    if (run(r)) print(r, NULL, csv);
    if (r->journal) remove(r->journal);
}

int main(int argc, char **argv) {
    static Run once = {.seed = 1, .stop_time = 1, .tolerance = 1e-5};
    const char *solver = NULL;
    double stop_time = 0;
    bool csv = false;
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--csv") == 0)
            csv = true;
        else if (strcmp(argv[i], "--record") == 0)
            once.journal = "bench_scenes.rbj";
        else if (strcmp(argv[i], "--solver") == 0 && next)
            solver = next;
        else if (strcmp(argv[i], "--stop") == 0 && next)
            stop_time = atof(next);
        else if (strcmp(argv[i], "--scene") == 0 && next)
            once.scene = next, once.stop_time = 5, once.tolerance = 1e-7;
        else if (strcmp(argv[i], "--balls") == 0 && next)
            once.build = add_balls, once.balls = atoi(next);
        else if (strcmp(argv[i], "--pile") == 0 && next)
            once.build = add_pile, once.balls = atoi(next);
        else if (strcmp(argv[i], "--stack") == 0 && next)
            once.build = add_stack, once.balls = atoi(next);
    }
    puts(csv ? "scene,balls,stop,tolerance,cpu,steps,evaluations,events,error"
             : "scene                balls   stop      tol     CPU s     steps     evals  events   "
               "error [m]");
    if (once.scene || once.build) {
        once.solver = solver;
        if (stop_time > 0) once.stop_time = stop_time;
        run_once(&once, csv);
        return 0;
    }
    bench_scene("billiards", 1.5, (const double[]){1e-5, 1e-7}, 2, solver, csv);
    bench_scene("billiards", 5, (const double[]){1e-5, 1e-7}, 2, solver, csv);
    bench_scene("rattleback", 6, (const double[]){1e-8}, 1, solver, csv);
    bench_scene("ellipsoid-on-sphere", 2, (const double[]){1e-8}, 1, solver, csv);
    bench_balls(solver, csv);
    return 0;
}
