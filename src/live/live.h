// SPDX-License-Identifier: MIT
// live.h: a run that is watched and steered from a page while it goes on (docs/guide/seeing.md).
// It stands on the public run: steps, pictures, values, settings that take effect at an event.
#pragma once

#include "base/diag.h"
#include "rattleback/run.h"

typedef struct RbLiveOptions {
    RbSimOptions sim;
    double speed; // seconds of the run per second; 0: as fast as possible
    int port;     // 0: any
    void (*ready)(void *user, const char *address); // the page can be opened
    void *user;
} RbLiveOptions;

RbLiveOptions rb_live_options(const RbModel *model);

// Serve the page and wait for it; then run, until the page or options->sim.interrupt says stop.
// Errors of the run are messages of the context, those of the server of diag.
RbStatus rb_live(RbContext *context, RbModel *model, const RbLiveOptions *options, RbArena *arena,
                 RbDiag *diag, RbSummary *summary);
