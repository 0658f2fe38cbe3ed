// SPDX-License-Identifier: MIT
// diagram.h: pictures of numbers: panels with curves, points, bars and bands over linear or logarithmic axes.
//
//     RbDiagramCurve curve = {.name = "measured", .x = t, .y = h, .count = n, .mark = RB_MARK_POINTS};
//     RbDiagramPanel panel = {.x_label = "t [s]", .y_label = "h [m]", .curves = &curve, .curve_count = 1};
//     rb_diagram_write(context, &(RbDiagram){.panels = &panel, .panel_count = 1}, "drop.svg");
#pragma once

#include <stdbool.h>

#include "rattleback/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RbDiagramMark {
    RB_MARK_LINE,    // broken where a value is missing (NaN)
    RB_MARK_POINTS,
    RB_MARK_CROSSES,
    RB_MARK_BARS, // y from 0, around x; as wide as two x are apart
    RB_MARK_BAND, // between y and top
} RbDiagramMark;

typedef struct RbDiagramCurve {
    const char *name; // for the legend; NULL: none
    const double *x, *y, *top;
    size_t count;
    RbDiagramMark mark;
    int colour; // 0, 1, ...; curves of one colour belong together
    bool dashed;
    const double *shade; // of points: the colour of each, from 0 (blue) to 1 (red); NULL: that of the curve
} RbDiagramCurve;

typedef struct RbDiagramPanel {
    const char *title, *x_label, *y_label; // NULL: none
    const char *const *x_names; // of x = 0, 1, ...: values that are no numbers; NULL: numbers
    int x_name_count;
    bool log_x;
    bool same_scale; // a unit is as long across as up
    const RbDiagramCurve *curves;
    int curve_count;
} RbDiagramPanel;

typedef struct RbDiagram {
    const char *title; // NULL: none
    const RbDiagramPanel *panels;
    int panel_count, columns; // columns 0: one
    int width, height;        // [px] of a panel; 0: 720 x 320
    bool dark; // in dark colours everywhere, not only in pages that are dark
} RbDiagram;

// The picture as SVG, which lives as long as the context. NaN and infinite values are left out; so are values of x
// below or at 0 on a logarithmic axis.
RB_API RbStatus rb_diagram_svg(RbContext *context, const RbDiagram *diagram, const char **svg);

// .svg, or .png and .pdf, which are made with chromium.
RB_API RbStatus rb_diagram_write(RbContext *context, const RbDiagram *diagram, const char *file);

#ifdef __cplusplus
}
#endif
