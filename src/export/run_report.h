// SPDX-License-Identifier: MIT
// run_report.h: one HTML page that tells of a run: what came of it, the view of `rattleback view`, the energy balance, curves, the
// text of the model.
#pragma once

#include "io/result.h"
#include "rattleback/sim.h"

typedef struct RbReportOptions {
    const char *title;      // NULL: the name of the model
    const char *model_name; // file of the model, and its text; NULL: not shown
    const char *model_text;
    const char *const *plots; // names of variables whose curves are shown; none: a few are chosen
    int plot_count;
    const RbSummary *run; // how fast it was, which no result knows; NULL: not known
    const RbDiag *said;   // whose warnings are told; NULL: none
} RbReportOptions;

// The rows of the result must be in memory.
RbStatus rb_report_write(const char *path, const RbResult *result, const RbReportOptions *options,
                         RbArena *arena, RbArena scratch, RbDiag *diag);
