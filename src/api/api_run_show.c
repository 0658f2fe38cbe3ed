// SPDX-License-Identifier: MIT
// What is seen of a run (include/rattleback/run.h).
#include "api/api_run.h"

RbStatus rb_run_drawing(RbRun *run, const void **bytes, size_t *size) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, bytes);
    RB_NEED(run->context, size);
    *bytes = NULL;
    *size = 0;
    RB_RUN_CALL(run);
    RbBlob made;
    RB_TRY(rb_run_look(run));
    RB_TRY(rb_show_drawing(&run->show, &run->look, &made));
    *bytes = made.bytes;
    *size = made.size;
    return RB_OK;
}

RbStatus rb_run_picture(RbRun *run, const void **bytes, size_t *size) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, bytes);
    RB_NEED(run->context, size);
    *bytes = NULL;
    *size = 0;
    RB_RUN_CALL(run);
    RbBlob made;
    RB_TRY(rb_run_look(run));
    RB_TRY(rb_show_picture(&run->show, &run->look, &made));
    *bytes = made.bytes;
    *size = made.size;
    return RB_OK;
}

const void *rb_run_mesh(RbRun *run, int mesh, size_t *size) {
    if (!run || !size) return NULL;
    *size = 0;
    if (mesh < 0 || mesh >= run->show.meshes.count) return NULL;
    *size = run->show.meshes.data[mesh].size;
    return run->show.meshes.data[mesh].bytes;
}
