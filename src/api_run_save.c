// SPDX-License-Identifier: MIT
// Saving a run to memory and restoring it (include/rattleback/run.h).
#include "api_run.h"

typedef struct SaveCall {
    RbRun *run;
    RbSaved *saved;
    RbArena arena;
    RbBytes bytes;
} SaveCall;

static RbStatus make_saved(void *argument) {
    SaveCall *call = argument;
    call->arena = rb_arena(&call->run->context->heap);
    call->saved = rb_new(&call->arena, RbSaved);
    return RB_OK;
}

static RbStatus save(void *argument) {
    SaveCall *call = argument;
    RbRun *r = call->run;
    RbSaved *s = call->saved;
    if (s->room.chunk)
        rb_arena_reset(&s->room);
    else
        s->room = rb_arena(&r->context->heap);
    s->packer = rb_packer(&s->room);
    r->stale = true;
    RB_TRY(rb_sim_restart(&r->sim));
    return rb_checkpoint_pack(&r->sim, &s->packer);
}

// A place for bytes: the one given, or a new one that belongs to the run.
static RbStatus find_room(SaveCall *call) {
    RbRun *r = call->run;
    if (call->saved) return RB_OK;
    RbStatus status = rb_run_call(r, make_saved, call);
    if (status != RB_OK) {
        rb_arena_free(&call->arena);
        return status;
    }
    RbSaved *s = call->saved;
    *s = (RbSaved){.run = r, .next = r->saved, .arena = call->arena};
    r->saved = s;
    return RB_OK;
}

RbStatus rb_run_save(RbRun *run, RbSaved **saved) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, saved);
    if (*saved && (*saved)->run != run)
        return rb_bad_argument(run->context, __func__, "saved", "belongs to another run");
    if (run->status != RB_OK && run->status != RB_INTERRUPTED)
        return rb_bad_argument(run->context, __func__, "run", "has failed and cannot be saved");
    SaveCall call = {.run = run, .saved = *saved};
    RB_TRY(find_room(&call));
    RbStatus status = rb_run_call(run, save, &call);
    if (status == RB_OK)
        *saved = call.saved;
    else if (!*saved)
        rb_saved_free(call.saved);
    return status;
}

void rb_saved_free(RbSaved *s) {
    if (!s) return;
    RbSaved **place = &s->run->saved;
    while (*place != s) place = &(*place)->next;
    *place = s->next;
    rb_arena_free(&s->room);
    RbArena arena = s->arena;
    rb_arena_free(&arena);
}

const void *rb_saved_bytes(const RbSaved *s, size_t *size) {
    if (size) *size = s ? (size_t)s->packer.bytes.count : 0;
    return s ? s->packer.bytes.data : NULL;
}

static RbStatus restore(void *argument) {
    SaveCall *call = argument;
    RbRun *r = call->run;
    r->stale = true;
    bool begun;
    RbStatus status = rb_checkpoint_resume_bytes(&r->sim, &call->bytes, &begun);
    if (!begun || status == RB_ERROR_USAGE)
        return status; // no save, or another run's: nothing has changed
    r->status = status;
    r->sim.explained = status != RB_OK;
    return status;
}

RbStatus rb_run_restore_bytes(RbRun *run, const void *bytes, size_t size) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, bytes);
    SaveCall call = {.run = run, .bytes = {bytes, size}};
    return rb_run_call(run, restore, &call);
}

RbStatus rb_run_restore(RbRun *run, const RbSaved *saved) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, saved);
    size_t size;
    const void *bytes = rb_saved_bytes(saved, &size);
    return rb_run_restore_bytes(run, bytes, size);
}
