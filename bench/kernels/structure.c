// SPDX-License-Identifier: MIT
// What a change of structure costs in a run: two of many bodies are attached and released again and
// again, every time with a new segment: tree, groups, contact pairs, states, results, solver.
#include <stdio.h>
#include <time.h>

#include "scene/scene.h"
#include "scenes.h"
#include "sim/sim.h"

enum { PARTS = 5, CHANGES = 200 };

typedef struct Work {
    RbHeap *heap;
    int objects, changes;
    double seconds; // of CPU time for the run
    int segments;
} Work;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Bodies of five balls each, in a grid, at rest.
static void fill(RbScene *s, int objects, RbArena *arena) {
    s->gravity = rb_gravity_uniform(0, v3(0, 0, -1));
    for (int i = 0; i < objects / PARTS; i++) {
        int first = 0;
        for (int k = 0; k < PARTS; k++) {
            const char *name = rb_arena_printf(arena, "b%d_%d", i, k);
            RbSceneObject o = rb_solid(name, rb_shape_sphere(0.2), "Steel");
            o.object.moves_freely = k == 0;
            o.object.parent = k == 0 ? 0 : first;
            o.object.pose.r = k == 0 ? v3(3 * (i % 20), 3 * (i / 20), 0) : v3(0.2 * k, 0, 0);
            int index = rb_scene_add(s, o);
            if (k == 0) first = index;
        }
    }
}

static RbStatus run(void *argument) {
    Work *w = argument;
    RbArena keep = rb_arena(w->heap);
    RbDiag diag = rb_diag(&keep);
    RbScene *s = rb_scene_new(&keep);
    RB_TRY(rb_scene_read_materials(s, NULL, &diag));
    fill(s, w->objects, &keep);
    for (int i = 0; i < w->changes; i++)
        rb_scene_add_action(s, (RbSceneAction){.time = 0.001 * (i + 1),
                                               .kind = i % 2 ? RB_SCENE_RELEASE : RB_SCENE_ATTACH,
                                               .a = "b0_0",
                                               .b = "b1_0"});
    RbModel *model;
    RB_TRY(rb_scene_model(s, "structure", "", &diag, &model));
    RbSim sim = {
        .model = model, .options = rb_sim_options_default(), .heap = w->heap, .diag = &diag};
    sim.options.stop_time = 0.001 * (CHANGES + 1);
    sim.options.output_interval = 0;
    double start = seconds();
    RbStatus status = rb_sim_run(&sim);
    w->seconds = seconds() - start;
    w->segments = sim.summary.segments;
    rb_sim_free(&sim);
    rb_arena_free(&keep);
    return status;
}

int main(void) {
    RbHeap heap = rb_heap(NULL);
    printf("objects,ms_per_change\n");
    for (int objects = 100; objects <= 3200; objects *= 2) {
        Work with = {&heap, objects == 800 ? 1000 : objects, CHANGES, 0, 0}, without = with;
        without.changes = 0;
        if (rb_protect(&heap, run, &without) != RB_OK || rb_protect(&heap, run, &with) != RB_OK) {
            printf("failed\n");
            return 1;
        }
        printf("%d,%.3f\n", with.objects,
               1e3 * (with.seconds - without.seconds) / (with.segments - without.segments));
    }
    return 0;
}
