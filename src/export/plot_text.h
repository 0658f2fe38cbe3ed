// SPDX-License-Identifier: MIT
// plot_text.h: a look at curves in the terminal: one frame of letters per variable.
#pragma once

#include "base/text.h"
#include "io/result.h"

// Rows must be in memory. width, height: of the frame in letters.
void rb_plot_text(const RbResult *result, const int *variables, int count, int width, int height,
                  RbArena scratch, RbText *out);
