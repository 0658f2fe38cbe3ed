// SPDX-License-Identifier: MIT
// api_context.h: what the files that implement include/rattleback share: the context behind every
// handle.
#pragma once

#include "base/log.h"
#include "component/registry.h"
#include "rattleback/rattleback.h"
#include "model/model.h"

struct RbContext {
    RbHeap heap;
    RbArena arena; // messages, models, registry: until the context is freed
    RbArena scratch;
    RbDiag diag;
    RbRegistry registry;
    RbLog log;
    RbLogSink log_sink;
    void *log_user;
    RbRun *runs; // that are open
};

// The heap of one call of the user. Its errors are counted anew: a context outlives many failed calls,
// and each may explain itself.
static inline RbHeap *rb_call_heap(RbContext *c) {
    c->diag.error_count = 0;
    return &c->heap;
}

// From here to the end of the function: the one entry, where running out of memory is caught.
#define RB_CALL(context) RB_PROTECT(rb_call_heap(context), RB_ERROR_MEMORY)

// Text that was made in the context: a C string also if nothing was added.
static inline const char *rb_text_done(const RbText *text) {
    return text->data ? text->data : "";
}

// An argument that cannot be used: the message names the function and the argument. RB_ERROR_USAGE.
RbStatus rb_bad_argument(RbContext *c, const char *function, const char *argument, const char *why);

// Leave the function with such a message if an argument is NULL.
#define RB_NEED(context, argument)                                                                 \
    do {                                                                                           \
        if (!(argument)) return rb_bad_argument(context, __func__, #argument, "is NULL");          \
    } while (0)

// api.c: may the model be changed? Otherwise RB_ERROR_USAGE with a message that names the function.
RbStatus rb_model_check_free(const RbModel *model, const char *function);

// api_run.c: close the runs that are open when the context goes. False: one of them is in the middle of a call.
bool rb_close_runs(RbContext *c);
