// SPDX-License-Identifier: MIT
// Time to group objects into super-objects and to list their collision pairs: done anew at every
// structural change.
#include <stdio.h>
#include <time.h>

#include "rigid/superobject.h"

enum { REPEATS = 50 };

typedef struct Work {
    RbArena keep, scratch;
    RbHeap *heap;
} Work;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Groups of five parts, joined by hinges to a chain.
static int make(RbObject *o, RbObjectJoint *j, int count) {
    int joints = 0;
    o[0] = rb_object("world", -1);
    for (int i = 1; i < count; i++) {
        o[i] = rb_object("part", i % 5 || i == 1 ? i - 1 : -1);
        o[i].collidable = o[i].has_mass = true;
        o[i].mass = (RbMassProperties){.mass = 1, .I_CM = M3_IDENTITY};
        o[i].pose.r = v3(0.1, 0, 0);
        if (i % 5) continue;
        j[joints++] = (RbObjectJoint){.name = "hinge",
                                      .kind = RB_JOINT_REVOLUTE,
                                      .a = i - 1,
                                      .b = i,
                                      .n = {0, 0, 1},
                                      .pose = POSE_IDENTITY};
    }
    return joints;
}

static RbStatus run(void *argument) {
    Work *w = argument;
    w->keep = rb_arena(w->heap);
    w->scratch = rb_arena(w->heap);
    RbArena objects = w->scratch;
    for (int count = 100; count <= 3200; count *= 2) {
        RbArena here = objects;
        RbObject *o = rb_new_array(&here, RbObject, count);
        RbObjectJoint *j = rb_new_array(&here, RbObjectJoint, count);
        int joints = make(o, j, count), pairs = 0;
        double build = 1, list = 1;
        for (int k = 0; k < REPEATS; k++) {
            rb_arena_reset(&w->keep);
            RbDiag diag = rb_diag(&w->keep);
            RbStructure s;
            double start = seconds();
            RbArrangement r = rb_arrangement(o, count, j, joints, &w->keep);
            RB_TRY(rb_structure_build(&r, &w->keep, here, &diag, &s));
            double middle = seconds();
            pairs = 0;
            for (int a = 0; a < count; a++)
                for (int b = a + 1; b < count; b++)
                    pairs +=
                        o[a].collidable && o[b].collidable && rb_structure_may_collide(&s, a, b);
            build = fmin(build, middle - start);
            list = fmin(list, seconds() - middle);
        }
        printf("%5d objects: build %8.1f us, list of %8d pairs %9.1f us\n", count, 1e6 * build,
               pairs, 1e6 * list);
    }
    return RB_OK;
}

int main(void) {
    RbHeap heap = rb_heap(NULL);
    Work w = {.heap = &heap};
    RbStatus status = rb_protect(&heap, run, &w);
    rb_arena_free(&w.scratch);
    rb_arena_free(&w.keep);
    return (int)status;
}
