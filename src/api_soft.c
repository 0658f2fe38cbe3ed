// SPDX-License-Identifier: MIT
#include "rattleback/soft.h"

#include "api_context.h"

typedef struct SoftCall {
    RbContext *context;
    const char *file;
    RbModel *model;
} SoftCall;

static RbStatus open_file(void *argument) {
    SoftCall *call = argument;
    RbContext *c = call->context;
    RB_TRY(rb_model_of_file(call->file, &c->arena, &c->diag, &call->model));
    call->model->context = c;
    return RB_OK;
}

RbStatus rb_soft_open(RbContext *c, const char *file, RbModel **model) {
    if (!c) return RB_ERROR_USAGE;
    RB_NEED(c, model);
    *model = NULL;
    RB_NEED(c, file);
    SoftCall call = {.context = c, .file = file};
    RbStatus status = rb_context_call(c, open_file, &call);
    *model = status == RB_OK ? call.model : NULL;
    return status;
}
