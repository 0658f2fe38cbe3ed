// SPDX-License-Identifier: MIT
// progress.h: how far a run is, on stderr: a bar on a terminal, a JSON object per line for tools,
// or nothing.
#pragma once

#include "rattleback/sim.h"

typedef enum ProgressStyle { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_JSON } ProgressStyle;

typedef struct ProgressPrinter {
    ProgressStyle style;
    int width; // of the line on the screen that must be wiped
} ProgressPrinter;

void progress_print(void *printer, const RbProgress *progress); // an RbSimOptions.progress
void progress_end(ProgressPrinter *printer);
