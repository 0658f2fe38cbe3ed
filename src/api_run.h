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
    bool busy;       // a call has not returned yet
    bool stale;      // the look is
    RbStatus status; // of the call that failed, RB_OK if none has
    bool broken;     // memory ran out in the middle of something: it can only be closed
};

// One call, where running out of memory is caught; the run must not be NULL.
RbStatus rb_run_call(RbRun *run, RbStatus (*body)(void *), void *argument);

// Inside a call: what was set takes effect, and the look is brought up to date.
RbStatus rb_run_look(RbRun *run);

// May a run of the model be opened? Otherwise RB_ERROR_USAGE with a message that names the function.
RbStatus rb_run_check_open(RbContext *context, RbModel *model, const RbSimOptions *options,
                           const char *function);

// A whole run. journal_is_ours: the caller has locked the journal. *recorded: there is a journal.
RbStatus rb_simulate_whole(RbContext *context, RbModel *model, const RbSimOptions *options,
                           bool journal_is_ours, bool *recorded, RbSummary *summary);
