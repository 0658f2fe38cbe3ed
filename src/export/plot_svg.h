// SPDX-License-Identifier: MIT
// plot_svg.h: curves over time as an SVG picture that needs nothing else: one panel per unit,
// a lane for each variable whose values have names, a common time axis, steps at events as vertical lines, gaps where a signal does not exist, dotted
// lines where the structure changes. It follows the light or dark scheme of the page that shows it.
//
//     int signals[] = {rb_result_find(result, "ball.r[3]"), rb_result_find(result, "ball.v[3]")};
//     RB_TRY(rb_plot_svg(result, signals, 2, rb_plot_options(), scratch, diag, &text));
#pragma once

#include "io/result.h"

typedef struct RbPlotOptions {
    const char *title; // NULL: the name of the model
    double start_time; // [s] NaN: from the first point on
    double end_time;   // [s] NaN: to the last point
    int width, height; // [px] of the picture; height 0: by the number of panels
    bool segments;     // mark structural changes
    bool events;       // mark events, and the values on both sides of them
    int runs;          // curves come in groups of so many that differ by their dashes; 0: 1
} RbPlotOptions;

RbPlotOptions rb_plot_options(void); // 860 px wide, everything, segments marked

// Append the picture to a text (which lives in another arena than scratch). Rows may come from
// memory or from a journal. The number of signals is not limited, but more than eight in a panel
// are told apart by dashes.
RbStatus rb_plot_svg(const RbResult *result, const int *variables, int count, RbPlotOptions options,
                     RbArena scratch, RbDiag *diag, RbText *out);
