// SPDX-License-Identifier: MIT
// api_context.h: what the files that implement include/rattleback share: the context behind every
// handle.
#pragma once

#include "base/log.h"
#include "component/registry.h"
#include "rattleback/rattleback.h"
#include "sim/sim.h"

struct RbContext {
    RbHeap heap;
    RbArena arena; // messages, models, registry: until the context is freed
    RbArena scratch;
    RbDiag diag;
    RbRegistry registry;
    RbLog log;
    void (*log_sink)(void *user, const char *line);
    void *log_user;
    RbSim sim; // the run under way
};

// One call of the user, where running out of memory is caught. Its errors are counted anew: a
// context outlives many failed calls, and each may explain itself.
static inline RbStatus rb_context_call(RbContext *c, RbStatus (*body)(void *), void *argument) {
    c->diag.error_count = 0;
    return rb_protect(&c->heap, body, argument);
}
