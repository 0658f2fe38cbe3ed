// SPDX-License-Identifier: MIT
// sweep_pool.h: many runs by a few processes. Each run is a child of the command, which has translated the model: it costs
// no other run, whether it fails, crashes, hangs or takes all memory.
#pragma once

#include "cli.h"

typedef enum RunEnd { // beyond those of RbStatus
    RUN_TOO_LONG = 20,
    RUN_CRASHED = 21,
} RunEnd;

typedef struct RunRow {
    int run;            // from 0
    int status;         // RbStatus or RunEnd; 0: all is well
    double *values;     // NaN after a failure
    const char *reason; // of a failure; ""
} RunRow;

typedef struct Pool {
    int jobs; // processes at once
    int value_count;
    double seconds; // that a run may take; 0: no limit
    double memory;  // [bytes] that it may take in addition to the command; 0: no limit
    const volatile int *interrupt;
    // In the child: compute a run. In the parent: is there another run (-1: none), take a row, show how far it is.
    RbStatus (*compute)(void *user, int run, double *values);
    int (*next)(void *user);
    RbStatus (*take)(void *user, const RunRow *row);
    void (*idle)(void *user);
    void *user;
    double cpu_time; // result: [s] of all children
} Pool;

// --jobs, --run-time and --run-memory.
RbStatus pool_read(Cli *cli, Pool *pool);

// Returns the first failure of take(), RB_INTERRUPTED, or RB_OK; no child is left.
RbStatus pool_run(Cli *cli, Pool *pool);
