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
