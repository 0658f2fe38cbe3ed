// SPDX-License-Identifier: MIT
// page.h: a result as one HTML file that shows it in three dimensions and as curves, without a server or anything that
// must be installed. The program of the page (viewer/) is bundled when Rattleback is built.
#pragma once

#include <rattleback/view.h>

#include "io/filter.h"
#include "io/result.h"

typedef struct RbPageOptions {
    const char *title;     // NULL: the name of the model
    const char *variables; // regular expression: which variables the page has; NULL: as many as fit
    size_t most_bytes;     // of the curves, before they are packed
    // Of pictures without poses likewise. Beyond, only every second, third ... row has one, and the rows after it show the same.
    size_t most_picture_bytes;
    const char *const *plots; // names of variables whose curves are shown at once
    int plot_count;
    const RbChapter *chapters;
    int chapter_count;
    const char *before, *after; // HTML around the view, for a report; NULL: none
} RbPageOptions;

RbPageOptions rb_page_options(void); // all variables up to 16 MB, pictures up to 32 MB

// Was the program of the page built in? Without node it is not.
bool rb_page_available(void);
RbStatus rb_page_need(RbDiag *diag); // otherwise an error that says so

RbStatus rb_page_write(const char *path, const RbResult *result, const RbPageOptions *options,
                       RbArena *arena, RbArena scratch, RbDiag *diag);

// The page of a run that goes on, for src/live: it connects to this port and nothing else.
RbStatus rb_page_live(const char *title, int port, RbDiag *diag, RbText *out);

// Made by viewer/build.mjs: the program, compressed; size 0 if it was built without.
extern const unsigned char rb_viewer_program[];
extern const size_t rb_viewer_program_size;
