// SPDX-License-Identifier: MIT
// gathered_scenes.h: a built-in scene and the Modelica model of it in examples/modelica: the same number of
// events and the same end.
#pragma once

#include "scenes.h"
#include "translate/run_model.h"

typedef struct Pair {
    const char *file, *class; // class: NULL for that of the file
    const char *scene;
    const char *variable, *other; // in the model and in the scene; "%d" stands for 1, 2, 3
    double tolerance;             // [m] or [rad]; 0: every bit of all states
    double stop;                  // [s] 0: that of the scene
} Pair;

typedef struct SceneCall {
    Run *run;
    const RbSceneCase *scene;
} SceneCall;

static inline RbStatus open_scene(void *argument) {
    SceneCall *call = argument;
    RbScene *scene;
    Fixture *f = &call->run->f;
    return rb_scene_case_model(call->scene, &f->arena, &f->diag, &call->run->model, &scene);
}

static inline void compare_ends(Run *a, Run *b, const Pair *p) {
    for (int k = 1; k <= 3; k++) {
        char name[64], other[64];
        snprintf(name, sizeof name, p->variable, k);
        snprintf(other, sizeof other, p->other, k);
        ENSURE_NEAR(model_last(a, name), model_last(b, other), p->tolerance);
    }
}

static inline void compare_with_scene(const Pair *p) {
    Run a, b;
    char path[256];
    snprintf(path, sizeof path, RB_SOURCE_DIR "/examples/modelica/%s", p->file);
    ENSURE(model_open_file(&a, path, p->class, RB_BACKEND_TCC));
    run_open(&b, "pendulum");
    SceneCall call = {&b, rb_scene_case(p->scene)};
    ENSURE(rb_protect(&b.f.heap, open_scene, &call) == RB_OK);
    ENSURE_NEAR(a.options.stop_time, call.scene->stop_time, 0);
    if (p->stop > 0) a.options.stop_time = p->stop;
    print_message("%s\n", p->scene);
    b.options = a.options;
    b.options.journal_file = b.journal;
    b.options.checkpoint_file = b.checkpoint;
    model_go(&a);
    model_go(&b);
    assert_int_equal(a.summary.state_events, b.summary.state_events);
    ENSURE(p->tolerance > 0 || a.summary.solver_hash == b.summary.solver_hash);
    compare_ends(&a, &b, p);
    run_close(&b);
    run_close(&a);
}
