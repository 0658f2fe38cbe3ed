// SPDX-License-Identifier: MIT
// linear_shapes.h: how a mechanism moves in each of its modes, as a page in three dimensions.
#pragma once

#include "cli.h"

typedef struct LinearShapes {
    RbRun *run; // with a journal; it stands at the point about which is oscillated
    int states;
    const double *A, *real, *imaginary; // eigenvalues
    RbChapter *chapters;                // out: a part of the journal for each mode
    int count;
} LinearShapes;

// Write rows for two periods of every mode that oscillates (at most the 24 slowest) to the journal, slowly and as large as the eye needs.
RbStatus linear_shapes_record(Cli *cli, LinearShapes *shapes);
