// SPDX-License-Identifier: MIT
// plot.h: curves of a result over time, or over one another, as a picture or with letters.
//
//     const char *const names[] = {"ball.h", "ball.v"};
//     RbPlot plot = rb_plot_default();
//     plot.variables = names, plot.variable_count = 2;
//     rb_plot_write(context, "ball.rbj", &plot, "ball.svg");
#pragma once

#include "rattleback/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbPlot {
    // Names, or regular expressions for whole names of what changes. Variables of one unit share a
    // panel. Jumps at events are drawn as such; missing values leave gaps.
    const char *const *variables;
    int variable_count;
    const char *title;            // NULL: the name of the model
    double start_time, stop_time; // [s] NaN: all
    bool phase;                   // the others over the first variable instead of over time
    const char
        *compare_with; // another result: its curves are drawn too, and the differences; NULL: none
    const char *const *others; // other results whose curves are drawn too, dashed; NULL: none
    int other_count;
    bool events; // mark events, and the values on both sides of them
    bool dark;   // in dark colours everywhere, not only in pages that are dark
} RbPlot;

RB_API RbPlot rb_plot_default(void);

// .svg, or .png and .pdf, which are made with chromium; "-" is SVG on the standard output.
RB_API RbStatus rb_plot_write(RbContext *context, const char *result_file, const RbPlot *plot,
                              const char *file);

// With letters, a frame for each variable; title, times and phase do not matter. Lives as long as the
// context.
RB_API RbStatus rb_plot_letters(RbContext *context, const char *result_file, const RbPlot *plot,
                                const char **text);

#ifdef __cplusplus
}
#endif
