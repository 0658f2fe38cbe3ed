// SPDX-License-Identifier: MIT
// Saving a run to memory and restoring it (include/rattleback/run.h).
#include "api/api_run.h"

static RbStatus save(RbRun *r, RbSaved *s) {
    RB_RUN_CALL(r);
    if (s->room.chunk)
        rb_arena_reset(&s->room);
    else
        s->room = rb_arena(&r->context->heap);
    s->packer = rb_packer(&s->room);
    r->stale = true;
    RB_TRY(rb_sim_restart(&r->sim));
    return rb_checkpoint_pack(&r->sim, &s->packer);
}

// A new place for bytes, in an arena of its own.
static RbStatus make_room(RbRun *r, RbArena *arena, RbSaved **saved) {
    RB_RUN_CALL(r);
    *arena = rb_arena(&r->context->heap);
    *saved = rb_new(arena, RbSaved);
    return RB_OK;
}

// A place for bytes: the one given, or a new one that belongs to the run.
static RbStatus find_room(RbRun *r, RbSaved **saved) {
    if (*saved) return RB_OK;
    RbArena arena = {0};
    RbStatus status = make_room(r, &arena, saved);
    if (status != RB_OK) {
        rb_arena_free(&arena);
        return status;
    }
    **saved = (RbSaved){.run = r, .next = r->saved, .arena = arena};
    r->saved = *saved;
    return RB_OK;
}

RbStatus rb_run_save(RbRun *run, RbSaved **saved) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, saved);
    if (*saved && (*saved)->run != run)
        return rb_bad_argument(run->context, __func__, "saved", "belongs to another run");
    if (run->status != RB_OK && run->status != RB_INTERRUPTED)
        return rb_bad_argument(run->context, __func__, "run", "has failed and cannot be saved");
    RbSaved *place = *saved;
    RB_TRY(find_room(run, &place));
    RbStatus status = save(run, place);
    if (status == RB_OK)
        *saved = place;
    else if (!*saved)
        rb_saved_free(place);
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

RbStatus rb_run_restore_bytes(RbRun *run, const void *bytes, size_t size) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, bytes);
    RB_RUN_CALL(run);
    run->stale = true;
    bool begun;
    RbStatus status = rb_checkpoint_resume_bytes(&run->sim, &(RbBytes){bytes, size}, &begun);
    if (!begun || status == RB_ERROR_USAGE)
        return status; // no save, or another run's: nothing has changed
    run->status = status;
    run->sim.explained = status != RB_OK;
    return status;
}

RbStatus rb_run_restore(RbRun *run, const RbSaved *saved) {
    if (!run) return RB_ERROR_USAGE;
    RB_NEED(run->context, saved);
    size_t size;
    const void *bytes = rb_saved_bytes(saved, &size);
    return rb_run_restore_bytes(run, bytes, size);
}
