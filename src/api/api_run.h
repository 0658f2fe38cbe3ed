// SPDX-License-Identifier: MIT
// api_run.h: what the files behind include/rattleback/run.h share: the run behind the handle.
#pragma once

#include "api/api_context.h"
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

// A call in a run, see RB_RUN_CALL.
typedef struct RbRunGuard {
    RbGuard heap;
    RbRun *run;
    bool busy; // already, as in a callback
} RbRunGuard;

void rb_run_enter(RbRunGuard *guard, RbRun *run);
void rb_run_leave(RbRunGuard *guard);

// The message that memory has run out before. RB_ERROR_USAGE.
RbStatus rb_run_refuse(RbRun *run);

#define RB_RUN_PROTECT(run, refused, answer)                                                       \
    if ((run)->broken) return refused;                                                             \
    RbRunGuard guard_ __attribute__((cleanup(rb_run_leave)));                                      \
    rb_run_enter(&guard_, run);                                                                    \
    if (setjmp(guard_.heap.target)) return answer

// From here to the end of the function: as RB_CALL. After it has run out of memory, the run can only be closed.
#define RB_RUN_CALL(run) RB_RUN_PROTECT(run, rb_run_refuse(run), RB_ERROR_MEMORY)

// The same in a function that returns no status, and where it cannot go on this.
#define RB_RUN_CALL_OR(run, answer) RB_RUN_PROTECT(run, (rb_run_refuse(run), answer), answer)

// Inside a call: what was set takes effect, and the look is brought up to date.
RbStatus rb_run_look(RbRun *run);

// May a run of the model be opened? Otherwise RB_ERROR_USAGE with a message that names the function.
RbStatus rb_run_check_open(RbContext *context, RbModel *model, const RbSimOptions *options,
                           const char *function);

// A whole run. journal_is_ours: the caller has locked the journal. *recorded: there is a journal.
RbStatus rb_simulate_whole(RbContext *context, RbModel *model, const RbSimOptions *options,
                           bool journal_is_ours, bool *recorded, RbSummary *summary);
