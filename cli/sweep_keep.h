// SPDX-License-Identifier: MIT
// sweep_keep.h: what a sweep keeps of each run: numbers that follow from its signals.
//
//     h, final(h)      at the end                     min(h), max(h), mean(h)   over the run
//     at(h, 0.5)       at a time [s]                  time_min(h), time_max(h)  when [s]
//     when(h < 0.1)    first time [s], NaN: never     events, steps, end        of the run [-, -, s]
#pragma once

#include "cli.h"

typedef enum Measure {
    MEASURE_FINAL,
    MEASURE_MIN,
    MEASURE_MAX,
    MEASURE_MEAN,
    MEASURE_TIME_MIN,
    MEASURE_TIME_MAX,
    MEASURE_AT,
    MEASURE_WHEN,
    MEASURE_EVENTS,
    MEASURE_STEPS,
    MEASURE_END,
} Measure;

typedef struct Kept {
    const char *text; // as it was typed: the name of its column
    Measure measure;
    const char *signal; // NULL: of the run as a whole
    double number;      // the time of at(), the bound of when()
    bool below;         // when(x < bound)
} Kept;

// --keep, several times; without any, the final values of the states that the model declares.
RbStatus keep_read(Cli *cli, const RbModel *model, Kept **kept, int *count);

// One run from its start to its end, and what is kept of it. Rows of results go to `journal`, which is needed only if
// keep_needs_rows says so.
bool keep_needs_rows(const Kept *kept, int count);
RbStatus keep_run(Cli *cli, RbModel *model, const RbSimOptions *options, const Kept *kept,
                  int count, double *values);
