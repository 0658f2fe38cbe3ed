// SPDX-License-Identifier: MIT
// sweep_engine.h: a sweep on engines that exist: a job array of Slurm, or processes of MPI. Each task is this program with
// `--part K/N`: it makes every N-th run and leaves its rows in TABLE.part-K.runs, from which the table is made.
#pragma once

#include "sweep_log.h"

typedef struct SweepEngine {
    const char *name; // "slurm", "mpi"; NULL: this machine
    int tasks;
    bool script_only;
} SweepEngine;

// --engine, --tasks, --engine-input, --part K/N (part -1: this is no task).
RbStatus sweep_engine_read(Cli *cli, int runs, SweepEngine *engine, int *part, int *parts);

// Write TABLE.job.sh and, unless that is all, run it until its end.
RbStatus sweep_engine_run(Cli *cli, const SweepEngine *engine, const char *table);

// Name of the log of a part.
const char *sweep_part_path(Cli *cli, const char *table, int part);
