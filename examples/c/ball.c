// SPDX-License-Identifier: MIT
// The library from a program: run a built-in model with a parameter changed, and say what came out.
//
//     cc ball.c $(pkg-config --cflags --libs rattleback) -o ball
#include <stdio.h>

#include "rattleback/rattleback.h"

static void print_line(void *user, const char *topic, const char *line) {
    (void)topic;
    fprintf(user, "%s\n", line);
}

int main(void) {
    RbContext *context = rb_context_create(NULL);
    if (!context) return RB_ERROR_MEMORY;
    rb_context_log(context, "EVENTS", print_line, stdout);

    RbModel *model = NULL;
    RbSummary summary = {0};
    RbStatus status = rb_example_open(context, "bouncing-ball", &model);
    if (status == RB_OK) status = rb_model_set(model, "ball.e", 0.5);
    if (status == RB_OK) {
        RbSimOptions options = rb_model_options(model);
        options.stop_time = 2.0;
        options.tolerance = 1e-9;
        status = rb_simulate(context, model, &options, &summary);
    }
    for (int i = 0; i < rb_context_message_count(context); i++)
        fputs(rb_context_message(context, i), stderr);
    if (status == RB_OK) {
        printf("t = %g s after %ld steps and %ld impacts\n", summary.time, summary.steps,
               summary.state_events);
    }
    rb_context_free(context);
    return (int)status;
}
