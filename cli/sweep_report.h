// SPDX-License-Identifier: MIT
// sweep_report.h: one page about all runs of a sweep: pictures, the results side by side, and the table, from which each run
// can be opened.
#pragma once

#include "sweep_design.h"
#include "sweep_keep.h"

typedef struct SweepReport {
    const char *title, *table; // of the model; .csv
    const char *results;       // folder with the results of the runs; NULL: none are kept
    const Design *design;
    const Kept *kept;
} SweepReport;

RbStatus sweep_report_write(Cli *cli, const SweepReport *report, const char *file);
