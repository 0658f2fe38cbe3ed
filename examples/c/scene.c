// SPDX-License-Identifier: MIT
// A steel ball falls on a steel plate: build the scene, run it, read the results.
//
//     cc scene.c $(pkg-config --cflags --libs rattleback) -o scene
#include <stdio.h>
#include <stdlib.h>

#include "rattleback/rattleback.h"

// Height of the first rebound over the height of the fall; 0 if it cannot be told.
static double rebound(const RbResults *results) {
    size_t rows = rb_results_rows(results);
    double *height = malloc(rows * sizeof *height), *speed = malloc(rows * sizeof *speed), top = 0;
    if (height && speed &&
        rb_results_values(results, rb_results_find(results, "ball.r[3]"), height) == RB_OK &&
        rb_results_values(results, rb_results_find(results, "ball.v[3]"), speed) == RB_OK) {
        size_t i = 0;
        while (i < rows && speed[i] <= 0) i++; // until it goes up
        for (; i < rows && speed[i] > 0; i++)
            top = height[i] > top ? height[i] : top; // until it turns
    }
    free(height);
    free(speed);
    return (top - 0.05) / 0.5; // the ball has a radius of 0.05 m and falls 0.5 m
}

static RbStatus build(RbContext *context, RbModel **model) {
    RbSceneBuilder *scene;
    RbStatus status = rb_builder_create(context, "drop", &scene);
    if (status != RB_OK) return status;
    rb_builder_gravity(scene, (double[]){0, 0, -9.81});

    RbSolid plate = rb_solid_default("plate", RB_SOLID_BOX, "Steel");
    plate.lengths[2] = 0.1;
    plate.position[2] = -0.05;
    RbSolid ball = rb_solid_default("ball", RB_SOLID_SPHERE, "Steel");
    ball.diameter = 0.1;
    ball.free = true;
    ball.position[2] = 0.55;

    int plate_id, ball_id;
    if ((status = rb_builder_add_solid(scene, &plate, &plate_id)) != RB_OK) return status;
    if ((status = rb_builder_add_solid(scene, &ball, &ball_id)) != RB_OK) return status;
    if ((status = rb_builder_record_contact(scene, plate_id, ball_id)) != RB_OK) return status;
    return rb_builder_finish(scene, model);
}

int main(void) {
    const char *file = "example_scene.rbj";
    RbContext *context = rb_context_create(NULL);
    if (!context) return RB_ERROR_MEMORY;
    RbModel *model;
    RbResults *results;
    RbSummary summary;
    RbStatus status = build(context, &model);
    if (status == RB_OK) {
        RbSimOptions options = rb_model_options(model);
        options.tolerance = 1e-8;
        options.output_interval = 1e-4;
        options.journal_file = file;
        status = rb_simulate(context, model, &options, &summary);
    }
    if (status == RB_OK) status = rb_results_open(context, file, &results);
    if (status == RB_OK) {
        printf("%ld contact events; it rebounds to %.3f of the height it fell (restitution 0.7: "
               "%.3f)\n",
               summary.state_events, rebound(results), 0.7 * 0.7);
    }
    for (int i = 0; i < rb_context_message_count(context); i++)
        fputs(rb_context_message(context, i), stderr);
    rb_context_free(context);
    remove(file);
    return (int)status;
}
