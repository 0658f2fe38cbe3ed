// SPDX-License-Identifier: MIT
// report.h: a structurally singular system, explained with the equations and variables that are to
// blame.
#pragma once

#include "dae/graph.h"
#include "dae/work.h"

// columns_to_vars and rows_to_eqs translate the graph back. `what` is the system in words ("the
// model", "the initial equations").
RbStatus rb_report_singular(RbWork *w, const RbGraph *g, const RbMatching *m, const int *row_eqs,
                            const int *column_vars, const RbDaeEq *eqs, const char *what);

// An equation as text on one line, cut if it is long.
const char *rb_eq_text(RbWork *w, const RbDaeEq *eq);
