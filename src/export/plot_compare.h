// SPDX-License-Identifier: MIT
// plot_compare.h: two results side by side as one, ready to be plotted: each variable of both, and their difference.
#pragma once

#include "io/result.h"

// For every name three variables: that of a, that of b at the times of a ("name (title)"), and b - a ("difference of name",
// whose unit says so, which gives it a panel of its own). What b does not have is missing. Rows must be in memory.
RbResult *rb_plot_compare(const RbResult *a, const RbResult *b, const char *title,
                          const int *variables, int count, RbArena *arena);
