// SPDX-License-Identifier: MIT
// live.h: a run that is watched and steered from a page while it goes on (docs/guide/seeing.md).
//
//     RbLiveOptions options = rb_live_options_default(model);
//     options.ready = open_browser;
//     rb_live(context, model, &options, &summary);
#pragma once

#include "rattleback/modelica.h"
#include "rattleback/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbLiveOptions {
    RbSimOptions sim;
    double speed; // seconds of the run per second; 0: as fast as possible; at most 1e6
    int port;     // of 127.0.0.1; 0: any that is free
    // What the model was translated from: its text, if that is one file, can be changed in the page and
    // is then translated in the same way. NULL: it stays as it is.
    const RbModelica *source;
    const char *soft_file; // the same for a scene of soft bodies in XML; NULL: it is none
    void (*ready)(void *user, const char *address); // the page can be opened; NULL: nobody is told
    void *user;
} RbLiveOptions;

// What the model suggests, in real time, at any port.
RB_API RbLiveOptions rb_live_options_default(const RbModel *model);

// Serve the page to this machine and wait for it; then run, until the page or options->sim.interrupt
// says stop. The address has a secret in it: only programs that know it can look or steer. summary
// may be NULL.
RB_API RbStatus rb_live(RbContext *context, RbModel *model, const RbLiveOptions *options,
                        RbSummary *summary);

#ifdef __cplusplus
}
#endif
