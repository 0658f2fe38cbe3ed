// SPDX-License-Identifier: MIT
// loop SECONDS [SCENE]: steps of 1 ms, timed: the controller of examples/c/control.c, or a scene that is built in. Prints the
// seconds of CPU time it takes (python_cost.py).
#define main example_main
#include "../../examples/c/control.c"
#undef main

#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double loop(RbRun *run, long rounds) {
    const char *names[] = {"phi1", "phi2", "w1", "w2", "tau1", "tau2"};
    int at[6];
    for (int i = 0; i < 6; i++) at[i] = rb_run_find(run, names[i]);
    double start = now(), x[4];
    for (long k = 1; k <= rounds; k++) {
        rb_run_get(run, at, 4, x);
        double elbow = -60 * (x[1] - x[0]) - 10 * (x[3] - x[2]);
        rb_run_set(run, at + 4, 2, (double[]){-120 * x[0] - 30 * x[2], elbow});
        rb_run_step(run, RB_UNTIL_TIME, 1e-3 * (double)k, NULL);
    }
    return now() - start;
}

static double steps(RbRun *run, long rounds) {
    double start = now();
    for (long k = 1; k <= rounds; k++) rb_run_step(run, RB_UNTIL_TIME, 1e-3 * (double)k, NULL);
    return now() - start;
}

static RbStatus open_model(RbContext *context, const char *scene, RbModel **model) {
    RbModelica source = rb_modelica_default();
    RbSceneBuilder *builder;
    source.text = MODEL;
    if (!scene) return rb_modelica_translate(context, &source, model);
    RbStatus status = rb_builder_open(context, scene, &builder);
    return status == RB_OK ? rb_builder_finish(builder, model) : status;
}

int main(int count, char **arguments) {
    if (count < 2) return 2;
    RbContext *context = rb_context_create(NULL);
    RbModel *model = NULL;
    RbRun *run = NULL;
    const char *scene = count > 2 ? arguments[2] : NULL;
    if (open_model(context, scene, &model) != RB_OK) return 1;
    RbSimOptions options = rb_model_options(model);
    options.stop_time = strtod(arguments[1], NULL);
    if (rb_run_open(context, model, &options, &run) != RB_OK) return 1;
    long rounds = (long)(1000 * options.stop_time);
    printf("%g\n", scene ? steps(run, rounds) : loop(run, rounds));
    rb_run_close(run, NULL);
    rb_context_free(context);
    return 0;
}
