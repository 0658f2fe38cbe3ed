// SPDX-License-Identifier: MIT
// api_run.h: what the files behind include/rattleback/run.h share: the run behind the handle.
#pragma once

#include "api_context.h"
#include "sim/show.h"

struct RbSaved {
    RbRun *run;
    RbSaved *next;
    RbArena arena; // also of this struct: freed last
    RbArena room;  // of the bytes
    RbPacker packer;
};

struct RbRun {
    RbContext *context;
    RbRun *next;
    RbArena arena; // also of this struct: freed last
    RbSim sim;
    RbLook look;
    RbShow show;
    RbSaved *saved;
    RbArena shown;     // what the last call has handed out
    RbPacker settings; // parameters and inputs that the model had before
    bool opened;
    bool stale;      // the look is
    RbStatus status; // of the call that failed, RB_OK if none has
    bool broken;     // memory ran out in the middle of something: it can only be closed
};

// One call, where running out of memory is caught; the run must not be NULL.
RbStatus rb_run_call(RbRun *run, RbStatus (*body)(void *), void *argument);

// Inside a call: what was set takes effect, and the look is brought up to date.
RbStatus rb_run_look(RbRun *run);
