// SPDX-License-Identifier: MIT
// phase_svg.h: variables over another variable instead of time: orbits, phase portraits, work loops.
#pragma once

#include "base/text.h"
#include "io/result.h"

// variables[0] is the abscissa; of several runs (plot_runs.h) each has its own: the first `runs` variables. Gaps where a value is missing; a jump
// at an event is not joined. Rows must be in memory.
RbStatus rb_phase_svg(const RbResult *result, const int *variables, int count, int runs,
                      const char *title, RbArena scratch, RbDiag *diag, RbText *out);
