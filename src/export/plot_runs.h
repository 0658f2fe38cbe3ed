// SPDX-License-Identifier: MIT
// plot_runs.h: several results as one, ready to be plotted over one another.
#pragma once

#include "io/result.h"

// Each run is a segment of the new result, whose time begins again; it has its own variables, "h (first)", "h (second)" and so on, named
// after the files. Those of one name follow each other, in the order of the runs. Rows must be in memory. variables: of runs[0].
RbStatus rb_plot_runs(const RbResult *const *runs, const char *const *files, int count,
                      const int *variables, int variable_count, RbArena *arena, RbDiag *diag,
                      RbResult **out);
