// SPDX-License-Identifier: MIT
// formula.h: numbers that follow from the signals of a run, as they are typed.
//
//     h, final(h)                   at the end            min(h), max(h), mean(h), rms(h)   over the run
//     at(h, 0.5)                    at a time [s]         integral(h)                       over time
//     when(h < 0.1), when(h > 0.1)  first time [s]        time_min(h), time_max(h)          when [s]
//     events, steps, end            of the run [-, -, s]
//     + - * / ^ ( ), abs sqrt exp log sin cos tan, min(a, b), max(a, b), numbers, pi, time
//
// Signals are called as in a result; an odd name stands in double quotes. A function over the run takes a formula too:
// mean((x - mean(x))^2).
#pragma once

#include "cli.h"

typedef struct Formula Formula;

// The signals that formulas need, by number.
typedef struct Signals {
    const char **names;
    int count, room;
} Signals;

// What a run left: its end, or also its rows.
typedef struct RunData {
    const double *final; // of each signal; not needed with rows
    const double *t;     // [s] of each row
    double **x;          // x[signal][row]; NULL: no rows
    size_t rows;
    const RbSummary *summary;
} RunData;

// The formula in `text`, all of it. `option` is named in messages ("--keep").
RbStatus formula_read(Cli *cli, const char *option, const char *text, Signals *signals,
                      Formula **formula);

// How far "a <= b", "a >= b" or "a == b" is missed, relative to b: a - b, or b - a, divided by |b| unless that is 0.
RbStatus formula_read_excess(Cli *cli, const char *option, const char *text, Signals *signals,
                             Formula **excess, bool *equality);

// Does it look at more than the end of the run?
bool formula_needs_rows(const Formula *formula);

double formula_value(Cli *cli, const Formula *formula, const RunData *data);
