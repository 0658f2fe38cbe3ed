// SPDX-License-Identifier: MIT
// live.h: a run that is watched and steered from a page while it goes on. It stands on the public
// run: steps, pictures, values, settings that take effect at an event.
#pragma once

#include "base/diag.h"
#include "rattleback/live.h"

// As rb_live. Errors of the run are messages of the context, those of the server of diag.
RbStatus rb_live_serve(RbContext *context, RbModel *model, const RbLiveOptions *options,
                       RbArena *arena, RbDiag *diag, RbSummary *summary);
