// SPDX-License-Identifier: MIT
// What soft bodies cost: the eleven objects of the performance test, and a block that falls on a layer with more and more molecules in
// the same volume, per step and in total. CPU seconds.
//
//     bench_soft [examples/soft/eleven_objects.xml]
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "rattleback/rattleback.h"

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run(RbContext *c, RbModel *model, double stop, long *steps) {
    RbSimOptions options = rb_model_options(model);
    RbSummary summary;
    options.stop_time = stop;
    options.output_interval = stop; // what writing costs is not asked here
    double begin = seconds();
    if (rb_simulate(c, model, &options, &summary) != RB_OK) {
        for (int i = 0; i < rb_context_message_count(c); i++)
            fputs(rb_context_message(c, i), stderr);
        return NAN;
    }
    *steps = summary.steps;
    return seconds() - begin;
}

static void eleven(const char *file) {
    for (int surfaces = 0; surfaces < 2; surfaces++) {
        RbContext *c = rb_context_create(NULL);
        RbModel *model;
        long steps = 0;
        if (rb_soft_open(c, file, &model) == RB_OK &&
            rb_model_set(model, "detection", surfaces) == RB_OK)
            printf("eleven objects, 5 s, %s: %.2f s", surfaces ? "surfaces" : "spheres",
                   run(c, model, 5, &steps));
        printf(", %ld steps\n", steps);
        rb_context_free(c);
    }
}

// A block of 14 cm and a fixed layer of 28 cm below it, n + 1 molecules along an edge of the block.
static RbModel *block(RbContext *c, int n) {
    RbSoft *soft;
    RbModel *model = NULL;
    int material;
    RbSoftMaterial m = rb_soft_material_default();
    RbSoftBlock layer = rb_soft_block_default(), body = rb_soft_block_default();
    m.youngs_modulus = 5e4;
    if (rb_soft_create(c, "block", &soft) != RB_OK) return NULL;
    rb_soft_add_material(soft, &m, &material);
    body.spacing = layer.spacing = 0.14 / n;
    body.count[0] = body.count[1] = body.count[2] = n + 1;
    layer.count[0] = layer.count[2] = 2 * n + 1, layer.count[1] = 1;
    layer.fixed = true;
    layer.material = body.material = material;
    body.position[1] = 0.07 + 0.02 + 1.5 * body.spacing;
    rb_soft_add_block(soft, "layer", &layer);
    rb_soft_add_block(soft, "block", &body);
    rb_soft_model(soft, &model);
    return model;
}

int main(int argc, char **argv) {
    const int edges[] = {7, 9, 12, 15, 19};
    double molecules[5], per_step[5], total[5];
    eleven(argc > 1 ? argv[1] : "examples/soft/eleven_objects.xml");
    for (int i = 0; i < 5; i++) {
        RbContext *c = rb_context_create(NULL);
        RbModel *model = block(c, edges[i]);
        long steps = 1;
        int n = edges[i] + 1;
        total[i] = model ? run(c, model, 0.5, &steps) : NAN;
        molecules[i] = (double)n * n * n;
        per_step[i] = total[i] / (double)steps;
        printf("%6.0f molecules: %5ld steps, %.3f s, %.1f us per step", molecules[i], steps,
               total[i], 1e6 * per_step[i]);
        // the cost of twice as many: (ratio of costs) to the power of ln 2 / ln (ratio of molecules)
        if (i > 0) {
            double power = log(2) / log(molecules[i] / molecules[i - 1]);
            printf("; twice as many: %.2f per step, %.2f in total",
                   pow(per_step[i] / per_step[i - 1], power), pow(total[i] / total[i - 1], power));
        }
        printf("\n");
        rb_context_free(c);
    }
    double power = log(2) / log(molecules[4] / molecules[0]);
    printf("over all: twice as many molecules cost %.2f per step, %.2f in total\n",
           pow(per_step[4] / per_step[0], power), pow(total[4] / total[0], power));
    return 0;
}
