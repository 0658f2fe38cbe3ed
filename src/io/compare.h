// SPDX-License-Identifier: MIT
// compare.h: does a result agree with a reference? The tube rule of include/rattleback/compare.h.
#pragma once

#include "io/result.h"
#include "rattleback/compare.h"

// Both results must be in memory. An error only if there is nothing to compare: no signals, no
// common time.
RbStatus rb_compare(const RbResult *reference, const RbResult *test, RbCompareOptions options,
                    RbArena *arena, RbArena scratch, RbDiag *diag, RbComparison **out);

// A table: one line per signal that is not inside (or per signal, if all is true), and a closing
// line.
void rb_compare_print(const RbComparison *comparison, bool all, RbText *out);
