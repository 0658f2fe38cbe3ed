// SPDX-License-Identifier: MIT
// Values of parameters from files (include/rattleback/model.h).
#include "api_context.h"
#include "fmu/parameter_set.h"

typedef struct SetCall {
    RbContext *context;
    const char *file;
    RbParameterSet settings;
} SetCall;

static RbStatus read_parameter_set(void *argument) {
    enum { MOST_BYTES = 64 << 20 };
    SetCall *call = argument;
    RbContext *c = call->context;
    RbBytes bytes;
    const char *file = rb_arena_text(&c->arena, call->file);
    RB_TRY(rb_file_read(file, MOST_BYTES, &c->arena, &c->diag, &bytes));
    return rb_parameter_set_parse(file, bytes, &c->arena, &c->diag, &call->settings);
}

RbStatus rb_parameter_set_read(RbContext *context, const char *file, const RbParameterValue **settings,
                          int *count) {
    if (!context) return RB_ERROR_USAGE;
    RB_NEED(context, file);
    RB_NEED(context, settings);
    RB_NEED(context, count);
    SetCall call = {.context = context, .file = file};
    RbStatus status = rb_context_call(context, read_parameter_set, &call);
    *settings = status == RB_OK ? call.settings.data : NULL;
    *count = status == RB_OK ? call.settings.count : 0;
    return status;
}
