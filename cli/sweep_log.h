// SPDX-License-Identifier: MIT
// sweep_log.h: rows of a sweep on disk: a log that grows by one line per finished run, and the table made of it.
//
// A line is written by one call, so that a sweep that is killed at any moment has lost at most the runs under way; a
// line that was cut is left out when it is read. The first line names the sweep: another one is not continued.
#pragma once

#include "sweep_design.h"
#include "sweep_keep.h"
#include "sweep_pool.h"

typedef struct SweepLog {
    const char *path;
    const char *name; // of the sweep: a hash of all that decides about its rows
    int file;
    int runs, columns;
    double *values;       // runs x columns
    int *status;          // -1: not finished
    const char **reasons; // of failures; NULL otherwise
    int finished, failed;
} SweepLog;

// All that decides about rows: program, arguments, the time the model's file was changed, values.
const char *sweep_log_name(Cli *cli, const Design *design, int kept_count);

// Open the log of a table; with `resume`, read what is there, otherwise refuse a log that has rows.
RbStatus sweep_log_open(Cli *cli, SweepLog *log, bool resume);
RbStatus sweep_log_add(Cli *cli, SweepLog *log, const RunRow *row);

// Take over the rows of another log of the same sweep, which stays; false: there is no such file, or it is of another sweep.
bool sweep_log_merge(Cli *cli, SweepLog *log, const char *path);

// Write the table (.csv, or .mat with NaN for texts) of the finished runs and remove the log.
RbStatus sweep_log_close(Cli *cli, SweepLog *log, const char *table, const Design *design,
                         const Kept *kept);
