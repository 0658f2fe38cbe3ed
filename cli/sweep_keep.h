// SPDX-License-Identifier: MIT
// sweep_keep.h: what is kept of each run of a sweep or an optimisation: formulas over its signals.
#pragma once

#include "formula.h"

typedef struct Kept {
    const char **texts; // as they were typed: the names of columns
    Formula **formulas;
    int count, room;
    Signals signals;
    bool needs_rows; // the run needs a journal
} Kept;

// --keep, several times; without any, the final values of the states that the model declares.
RbStatus keep_read(Cli *cli, const RbModel *model, Kept *kept);

// One more number, which has been read with the signals of `kept`.
void keep_add(Cli *cli, Kept *kept, const char *text, Formula *formula);

// One run from its start to its end, and what is kept of it. Rows of results go to options->journal_file.
RbStatus keep_run(Cli *cli, RbModel *model, const RbSimOptions *options, const Kept *kept,
                  double *values);
