// SPDX-License-Identifier: MIT
// Crowds of balls and boxes that are poured into a bin: what one simulated second costs.
//   bench_crowds [--case NAME] [--heights N] [--stop T] [--tolerance X] [--limit SECONDS] [--solver NAME] [--log TOPIC]
// Cases: balls (27 of steel, 5 cm), crate (the same and a steel crate of 5 cm above them), aside (64 balls, and a crate that rests
// 10 m away), alone (64 balls without it), mixed (32 balls, 32 crates), cubes (50 cubes of 0.2 m, 1e8 Pa). Each of the first two is let
// go from N heights, since one run of a chaotic pile says little. A run that takes longer than the limit is ended, and named as such.
// Claims: 27 balls and a crate cost at most 1.5 times the balls alone, and none is ended; a crate aside costs nothing (5 %).
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "math/rng.h"
#include "scenes.h"
#include "sim/sim.h"

typedef struct Case {
    const char *name;
    int balls, crates;
    double size;      // [m]
    bool aside;       // the crates rest far away
    double reduction; // of the modulus of steel
    double tolerance, stop_time;
    bool has_heights;
} Case;

static const Case cases[] = {
    {"balls", 27, 0, 0.05, false, 1, 1e-5, 1, true},
    {"crate", 27, 1, 0.05, false, 1, 1e-5, 1, true},
    {"alone", 64, 0, 0.05, false, 1, 1e-5, 1, false},
    {"aside", 64, 1, 0.05, true, 1, 1e-5, 1, false},
    {"mixed", 32, 32, 0.05, false, 1, 1e-5, 1, false},
    {"cubes", 0, 50, 0.2, false, 5e-4, 1e-4, 2, false},
};
enum { CASES = sizeof cases / sizeof cases[0], HEIGHTS = 20 };

static void add_bin(RbScene *s, double width, double wall, double high) {
    RbSceneObject floor = rb_solid("floor", rb_shape_box(v3(width + 30, width + 30, wall)), "Steel");
    floor.object.pose.r = v3(0, 0, -0.5 * wall);
    rb_scene_add(s, floor);
    for (int i = 0; i < 4; i++) {
        double away = (i % 2 ? 1 : -1) * 0.5 * (width + wall);
        bool along_x = i / 2 > 0;
        RbShape shape = rb_shape_box(along_x ? v3(width, wall, high) : v3(wall, width, high));
        RbSceneObject side = rb_solid(rb_arena_printf(s->arena, "wall%d", i), shape, "Steel");
        side.object.pose.r = along_x ? v3(0, away, 0.5 * high) : v3(away, 0, 0.5 * high);
        rb_scene_add(s, side);
    }
}

// In layers above the bin, a little out of order; every n-th is a crate, or the last one.
static void pour(RbScene *s, const Case *c, double drop) {
    int crates = c->aside ? 0 : c->crates, n = c->balls + crates, inside = 0;
    double d = c->size, pitch = 1.2 * d;
    int side = (int)ceil(cbrt(n - (crates == 1)));
    double width = side * pitch;
    RbRng rng = rb_rng(1);
    s->gravity = rb_gravity_uniform(9.81, v3(0, 0, -1));
    s->contact_options.scene.reduction = c->reduction;
    add_bin(s, width, 0.4 * d, 2 * side * pitch);
    for (int i = 0; i < n; i++) {
        double x = (i % side + 0.5) * pitch - 0.5 * width;
        double y = (i / side % side + 0.5) * pitch - 0.5 * width, z = (i / side / side + 1) * pitch;
        Vec3 r = v3(x + rb_rng_range(&rng, -0.08 * d, 0.08 * d),
                    y + rb_rng_range(&rng, -0.08 * d, 0.08 * d), z + drop);
        bool is_crate = crates == 1 ? i == n - 1 : inside * n < crates * i || c->balls == 0;
        inside += is_crate;
        rb_scene_add_free(s, rb_arena_printf(s->arena, "body%d", i),
                          is_crate ? rb_shape_box(v3(d, d, d)) : rb_shape_sphere(d), "Steel", r,
                          V3_ZERO, V3_ZERO);
    }
    for (int i = 0; c->aside && i < c->crates; i++)
        rb_scene_add_free(s, rb_arena_printf(s->arena, "aside%d", i), rb_shape_box(v3(d, d, d)),
                          "Steel", v3(10 + i, 0, 0.5 * d + 1e-3), V3_ZERO, V3_ZERO);
}

typedef struct Figures {
    double cpu, reached; // [s]
    long steps, evaluations, events;
} Figures;

typedef struct Call {
    RbHeap *heap;
    const Case *c;
    double drop, tolerance, stop_time;
    const char *solver;
    RbLog log;
    RbSim *sim;
    RbArena *arena;
    RbDiag *diag;
} Call;

static void print_line(void *user, RbTopic topic, const char *line) {
    (void)user, (void)topic;
    fprintf(stderr, "%s\n", line);
}

static RbStatus go(void *argument) {
    Call *c = argument;
    *c->arena = rb_arena(c->heap);
    *c->diag = rb_diag(c->arena);
    RbModel *model;
    RbScene *s = rb_scene_new(c->arena);
    RB_TRY(rb_scene_read_materials(s, NULL, c->diag));
    pour(s, c->c, c->drop);
    RB_TRY(rb_scene_model(s, "crowd", "", c->diag, &model));
    RbSimOptions options = rb_model_options(model);
    options.stop_time = c->stop_time;
    options.tolerance = c->tolerance;
    options.output_interval = 0;
    if (c->solver) options.solver = c->solver;
    *c->sim = (RbSim){.model = model, .options = options, .heap = c->heap, .diag = c->diag, .log = &c->log};
    return rb_sim_run(c->sim);
}

// In a process of its own, which the system ends when its time is over.
static bool run(Call *call, int limit, Figures *out) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)limit, (rlim_t)limit + 1});
        RbHeap heap = rb_heap(NULL);
        RbArena arena = {0};
        RbDiag diag = {0};
        RbSim sim = {0};
        call->heap = &heap, call->arena = &arena, call->diag = &diag, call->sim = &sim;
        RbStatus status = rb_protect(&heap, go, call);
        if (status != RB_OK && diag.messages.count) puts(diag.messages.data[0].text);
        fflush(stdout);
        Figures f = {sim.summary.cpu_time, sim.summary.time, sim.summary.steps,
                     sim.summary.evaluations, sim.summary.state_events};
        _exit(status == RB_OK && write(ends[1], &f, sizeof f) == sizeof f ? 0 : 1);
    }
    int state;
    waitpid(child, &state, 0);
    close(ends[1]);
    bool ok = WIFEXITED(state) && WEXITSTATUS(state) == 0 &&
              read(ends[0], out, sizeof *out) == sizeof *out;
    close(ends[0]);
    return ok;
}

static void bench(const Case *c, Call call, int heights, int limit) {
    double sum = 0, worst = 0;
    int ended = 0, count = c->has_heights ? heights : 1;
    for (int i = 0; i < count; i++) {
        Figures f = {0};
        call.c = c;
        call.drop = 0.01 * i;
        if (!run(&call, limit, &f)) {
            printf("%-8s %6.2f  not done in %d s\n", c->name, call.drop, limit);
            ended++;
            f.cpu = limit;
        } else
            printf("%-8s %6.2f %9.3f %9ld %10ld %8ld\n", c->name, call.drop, f.cpu, f.steps,
                   f.evaluations, f.events);
        sum += f.cpu;
        worst = fmax(worst, f.cpu);
    }
    if (count > 1)
        printf("%-8s   mean %9.3f, most %.3f, ended %d\n", c->name, sum / count, worst, ended);
}

int main(int argc, char **argv) {
    int heights = HEIGHTS, limit = 60;
    double stop_time = 0, tolerance = 0;
    const char *wanted = NULL, *solver = NULL;
    RbLog log = {.sink = print_line};
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--case") == 0) wanted = value;
        if (strcmp(argv[i], "--heights") == 0) heights = atoi(value);
        if (strcmp(argv[i], "--stop") == 0) stop_time = atof(value);
        if (strcmp(argv[i], "--tolerance") == 0) tolerance = atof(value);
        if (strcmp(argv[i], "--limit") == 0) limit = atoi(value);
        if (strcmp(argv[i], "--solver") == 0) solver = value;
        if (strcmp(argv[i], "--log") == 0 && rb_log_find_topic(value) >= 0)
            log.topics |= 1u << rb_log_find_topic(value);
    }
    puts("case     drop [m]   CPU s     steps      evals   events");
    for (int i = 0; i < CASES; i++) {
        const Case *c = &cases[i];
        if (wanted && strcmp(wanted, c->name) != 0) continue;
        bench(c,
              (Call){.tolerance = tolerance > 0 ? tolerance : c->tolerance,
                     .stop_time = stop_time > 0 ? stop_time : c->stop_time,
                     .solver = solver,
                     .log = log},
              heights, limit);
    }
    return 0;
}
