// SPDX-License-Identifier: MIT
#include "export/phase_svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/ticks.h"

enum { WIDTH = 720, HEIGHT = 560, LEFT = 80, RIGHT = 20, TOP = 60, BOTTOM = 56 };

typedef struct Range {
    double low, high;
} Range;

static Range widen(Range r, const double *values, size_t rows) {
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(values[i])) continue;
        r.low = fmin(r.low, values[i]);
        r.high = fmax(r.high, values[i]);
    }
    return r;
}

static double x_of(Range x, double value) {
    return LEFT + (WIDTH - LEFT - RIGHT) * (value - x.low) / (x.high - x.low);
}

static double y_of(Range y, double value) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - y.low) / (y.high - y.low);
}

static void add_escaped(RbText *t, const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '<') {
            rb_text_add(t, "&lt;");
        } else if (*c == '&') {
            rb_text_add(t, "&amp;");
        } else {
            rb_text_add_bytes(t, c, 1);
        }
    }
}

// Of several runs without the name of the run.
static void add_label(RbText *t, const RbResultVariable *v, int runs, const RbTicks *ticks) {
    char name[256];
    snprintf(name, sizeof name, "%s", v->name);
    char *run = strrchr(name, '(');
    if (runs > 1 && run > name) run[-1] = 0;
    add_escaped(t, name);
    if (v->unit[0] || ticks->exponent) rb_text_add(t, " [");
    if (ticks->exponent) rb_text_printf(t, "10^%d%s", ticks->exponent, v->unit[0] ? " " : "");
    add_escaped(t, v->unit);
    if (v->unit[0] || ticks->exponent) rb_text_add(t, "]");
}

static void add_axes(RbText *t, const RbResult *r, const int *variables, int count, int runs,
                     Range x, Range y) {
    RbTicks across = rb_ticks(x.low, x.high, 8), up = rb_ticks(y.low, y.high, 6);
    char label[40];
    for (int i = 0; i < across.count; i++) {
        double at = x_of(x, rb_ticks_value(&across, i));
        rb_ticks_label(&across, i, label);
        rb_text_printf(t,
                       "<line class=\"g\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text "
                       "x=\"%.1f\" y=\"%d\" "
                       "text-anchor=\"middle\">%s</text>\n",
                       at, at, TOP, HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 18, label);
    }
    for (int i = 0; i < up.count; i++) {
        double at = y_of(y, rb_ticks_value(&up, i));
        rb_ticks_label(&up, i, label);
        rb_text_printf(t,
                       "<line class=\"g\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text "
                       "x=\"%d\" y=\"%.1f\" "
                       "text-anchor=\"end\">%s</text>\n",
                       LEFT, WIDTH - RIGHT, at, at, LEFT - 8, at + 4, label);
    }
    rb_text_printf(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
                   HEIGHT - 12);
    add_label(t, &r->variables.data[variables[0]], runs, &across);
    rb_text_printf(
        t,
        "</text>\n<text transform=\"rotate(-90 18 %d)\" x=\"18\" y=\"%d\" text-anchor=\"middle\">",
        HEIGHT / 2, HEIGHT / 2);
    if (count == 2 * runs) add_label(t, &r->variables.data[variables[runs]], runs, &up);
    rb_text_add(t, "</text>\n");
}

static void add_curve(RbText *t, const double *times, const double *xs, const double *ys,
                      size_t rows, Range x, Range y, const char *colour) {
    bool pen = false;
    rb_text_printf(
        t, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-linejoin=\"round\" d=\"",
        colour);
    for (size_t i = 0; i < rows; i++) {
        bool there = isfinite(xs[i]) && isfinite(ys[i]);
        bool jump = i > 0 && times[i] == times[i - 1] && (xs[i] != xs[i - 1] || ys[i] != ys[i - 1]);
        if (there)
            rb_text_printf(t, "%s%.2f,%.2f", pen && !jump ? "L" : "M", x_of(x, xs[i]),
                           y_of(y, ys[i]));
        pen = there;
    }
    rb_text_add(t, "\"/>\n");
}

RbStatus rb_phase_svg(const RbResult *r, const int *variables, int count, int runs,
                      const char *title, RbArena scratch, RbDiag *diag, RbText *t) {
    static const char *const colours[] = {"#1f6fb4", "#c0392b", "#1e8449",
                                          "#9a6b00", "#6c3483", "#0e7c86"};
    if (count < 2 * runs)
        return rb_fail(
            diag, RB_ERROR_USAGE, RB_NOWHERE,
            "a phase plot needs two variables or more: the first is drawn across, the others up");
    const double **values = rb_new_array(&scratch, const double *, count);
    const double *times = rb_result_times(r, &scratch);
    Range x = {INFINITY, -INFINITY}, y = x;
    for (int i = 0; i < count; i++) {
        values[i] = rb_result_series(r, variables[i], &scratch);
        if (i < runs) x = widen(x, values[i], r->row_count);
        if (i >= runs) y = widen(y, values[i], r->row_count);
    }
    if (!(x.low <= x.high) || !(y.low <= y.high))
        return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "there is nothing to plot: the variables have no values");
    rb_ticks_widen(&x.low, &x.high, 0.04);
    rb_ticks_widen(&y.low, &y.high, 0.04);
    rb_text_printf(
        t,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
        "height=\"%d\">\n"
        "<style>text{font:13px sans-serif;fill:#1c242c}.g{stroke:#d3dae0}.paper{fill:#fff}"
        "@media "
        "(prefers-color-scheme:dark){text{fill:#e8edf2}.g{stroke:#3a434c}.paper{fill:#14181d}}"
        "</style>\n<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    rb_text_printf(t, "<text x=\"%d\" y=\"22\" style=\"font-weight:600\">", LEFT);
    add_escaped(t, title ? title : r->experiment.model);
    rb_text_add(t, "</text>\n");
    add_axes(t, r, variables, count, runs, x, y);
    for (int i = runs; i < count; i++) {
        const char *colour = colours[(i - runs) % 6];
        add_curve(t, times, values[i % runs], values[i], r->row_count, x, y, colour);
        if (count == 2) continue;
        rb_text_printf(t, "<text x=\"%d\" y=\"44\" style=\"fill:%s\">", LEFT + 150 * (i - runs),
                       colour);
        add_escaped(t, r->variables.data[variables[i]].name);
        rb_text_add(t, "</text>\n");
    }
    rb_text_add(t, "</svg>\n");
    return RB_OK;
}
