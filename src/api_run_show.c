// SPDX-License-Identifier: MIT
// What is seen of a run (include/rattleback/run.h).
#include "api_run.h"

typedef struct ShowCall {
    RbRun *run;
    RbBlob bytes;
} ShowCall;

static RbStatus drawing(void *argument) {
    ShowCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    return rb_show_drawing(&call->run->show, &call->run->look, &call->bytes);
}

static RbStatus picture(void *argument) {
    ShowCall *call = argument;
    RB_TRY(rb_run_look(call->run));
    return rb_show_picture(&call->run->show, &call->run->look, &call->bytes);
}

static RbStatus hand_out(RbRun *run, RbStatus (*body)(void *), const void **bytes, size_t *size) {
    ShowCall call = {.run = run};
    *bytes = NULL;
    *size = 0;
    RB_TRY(rb_run_call(run, body, &call));
    *bytes = call.bytes.bytes;
    *size = call.bytes.size;
    return RB_OK;
}

RbStatus rb_run_drawing(RbRun *run, const void **bytes, size_t *size) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, bytes);
    RB_NEED(run->context, size);
    return hand_out(run, drawing, bytes, size);
}

RbStatus rb_run_picture(RbRun *run, const void **bytes, size_t *size) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, bytes);
    RB_NEED(run->context, size);
    return hand_out(run, picture, bytes, size);
}

const void *rb_run_mesh(RbRun *run, int mesh, size_t *size) {
    if (!run || !size) return NULL;
    *size = 0;
    if (mesh < 0 || mesh >= run->show.meshes.count) return NULL;
    *size = run->show.meshes.data[mesh].size;
    return run->show.meshes.data[mesh].bytes;
}
