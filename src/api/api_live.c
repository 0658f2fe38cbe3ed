// SPDX-License-Identifier: MIT
// A run that is watched and steered (include/rattleback/live.h).
#include "api/api_run.h"
#include "live/live.h"

RbLiveOptions rb_live_options_default(const RbModel *model) {
    return (RbLiveOptions){.sim = rb_model_options(model), .speed = 1};
}

static RbStatus serve(RbContext *c, RbModel *model, const RbLiveOptions *options, RbArena *arena,
                      RbSummary *summary) {
    RB_CALL(c);
    *arena = rb_arena(&c->heap);
    return rb_live_serve(c, model, options, arena, &c->diag, summary);
}

RbStatus rb_live(RbContext *context, RbModel *model, const RbLiveOptions *options,
                 RbSummary *summary) {
    RB_TRY(rb_run_check_open(context, model, options ? &options->sim : NULL, __func__));
    if (!(options->speed >= 0 && options->speed <= 1e6))
        return rb_bad_argument(context, __func__, "options->speed",
                               "is not a number from 0 to 1e6");
    if (options->port < 0 || options->port > 65535)
        return rb_bad_argument(context, __func__, "options->port", "is none of 0 to 65535");
    RbArena arena = {0};
    RbSummary own = {0};
    RbStatus status = serve(context, model, options, &arena, &own);
    rb_arena_free(&arena);
    if (summary) *summary = own;
    return status;
}
