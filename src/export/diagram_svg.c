// SPDX-License-Identifier: MIT
#include "export/diagram_svg.h"

#include <math.h>
#include <stdio.h>

#include "export/ticks.h"

enum { LEFT = 70, RIGHT = 16, TOP = 30, BOTTOM = 44, HEAD = 34, COLOURS = 6 };

static const char style[] =
    "<style>text{font:12px sans-serif;fill:#1c242c}.g{stroke:#d3dae0}.paper{fill:#fff}"
    ".c0{color:#1f6fb4}.c1{color:#c0392b}.c2{color:#1e8449}.c3{color:#9a6b00}.c4{color:#6c3483}.c5{color:#0e7c86}"
    ":root[data-theme=dark] text{fill:#e8edf2}:root[data-theme=dark] .g{stroke:#3a434c}"
    ":root[data-theme=dark] .paper{fill:#14181d}</style>\n";

typedef struct Range {
    double low, high;
} Range;

// A panel with its place in the picture.
typedef struct Frame {
    const RbDiagramPanel *panel;
    double left, right, top, bottom; // [px] of the area of the curves
    Range x, y;                      // x: of log10 on a logarithmic axis
} Frame;

static double across(const Frame *f, double x) {
    return f->panel->log_x ? x > 0 ? log10(x) : NAN : x;
}

static double x_of(const Frame *f, double x) {
    return f->left + (f->right - f->left) * (across(f, x) - f->x.low) / (f->x.high - f->x.low);
}

static double y_of(const Frame *f, double y) {
    return f->bottom - (f->bottom - f->top) * (y - f->y.low) / (f->y.high - f->y.low);
}

static void widen(Range *r, double value) {
    if (!isfinite(value)) return;
    r->low = fmin(r->low, value);
    r->high = fmax(r->high, value);
}

static double bar_width(const RbDiagramCurve *c) {
    return c->count > 1 ? fabs(c->x[1] - c->x[0]) : 1;
}

static void find_ranges(Frame *f) {
    f->x = f->y = (Range){INFINITY, -INFINITY};
    for (int k = 0; k < f->panel->curve_count; k++) {
        const RbDiagramCurve *c = &f->panel->curves[k];
        double half = c->mark == RB_MARK_BARS ? bar_width(c) / 2 : 0;
        for (size_t i = 0; i < c->count; i++) {
            if (!isfinite(c->y[i])) continue;
            widen(&f->x, across(f, c->x[i] - half));
            widen(&f->x, across(f, c->x[i] + half));
            widen(&f->y, c->y[i]);
            if (c->mark == RB_MARK_BAND) widen(&f->y, c->top[i]);
            if (c->mark == RB_MARK_BARS) widen(&f->y, 0);
        }
    }
    if (!(f->x.low <= f->x.high)) f->x = (Range){0, 1};
    if (!(f->y.low <= f->y.high)) f->y = (Range){0, 1};
    rb_ticks_widen(&f->x.low, &f->x.high, f->panel->log_x ? 0 : 0.04);
    rb_ticks_widen(&f->y.low, &f->y.high, 0.05);
}

// The axis with more room than it needs gets a longer range.
static void equal_scales(Frame *f) {
    double per_x = (f->x.high - f->x.low) / (f->right - f->left),
           per_y = (f->y.high - f->y.low) / (f->bottom - f->top), ratio = per_x / per_y;
    Range *r = ratio < 1 ? &f->x : &f->y;
    double more = 0.5 * (r->high - r->low) * ((ratio < 1 ? 1 / ratio : ratio) - 1);
    r->low -= more;
    r->high += more;
}

// ------------------------------------------------------------------------------------------------------
// axes

static void add_escaped(RbText *t, const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '<')
            rb_text_add(t, "&lt;");
        else if (*c == '&')
            rb_text_add(t, "&amp;");
        else
            rb_text_add_bytes(t, c, 1);
    }
}

static void add_x_mark(const Frame *f, double at, const char *label, RbText *t) {
    if (at < f->left - 0.01 || at > f->right + 0.01) return;
    rb_text_printf(t,
                   "<line class=\"g\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%.1f\" "
                   "y=\"%.1f\" text-anchor=\"middle\">",
                   at, at, f->top, f->bottom, at, f->bottom + 16);
    add_escaped(t, label);
    rb_text_add(t, "</text>\n");
}

static void add_decades(const Frame *f, RbText *t) {
    static const int parts[] = {1, 2, 5};
    int shown = f->x.high - f->x.low < 2 ? 3 : 1, first = (int)floor(f->x.low);
    int step = 1 + (int)((f->x.high - f->x.low) / 8);
    for (int decade = first; decade <= f->x.high && decade < first + 700; decade += step)
        for (int k = 0; k < shown; k++) {
            double value = parts[k] * pow(10, decade);
            char label[40];
            snprintf(label, sizeof label, "%g", value);
            add_x_mark(f, x_of(f, value), label, t);
        }
}

static int add_x_axis(const Frame *f, RbText *t) {
    const RbDiagramPanel *p = f->panel;
    if (p->log_x) add_decades(f, t);
    for (int i = 0; i < p->x_name_count; i++) add_x_mark(f, x_of(f, i), p->x_names[i], t);
    if (p->log_x || p->x_name_count > 0) return 0;
    RbTicks ticks = rb_ticks(f->x.low, f->x.high, (int)((f->right - f->left) / 80));
    for (int i = 0; i < ticks.count; i++) {
        char label[40];
        rb_ticks_label(&ticks, i, label);
        add_x_mark(f, x_of(f, rb_ticks_value(&ticks, i)), label, t);
    }
    return ticks.exponent;
}

static int add_y_axis(const Frame *f, RbText *t) {
    RbTicks ticks = rb_ticks(f->y.low, f->y.high, (int)((f->bottom - f->top) / 45));
    for (int i = 0; i < ticks.count; i++) {
        char label[40];
        double at = y_of(f, rb_ticks_value(&ticks, i));
        rb_ticks_label(&ticks, i, label);
        rb_text_printf(t,
                       "<line class=\"g\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/><text "
                       "x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                       f->left, f->right, at, at, f->left - 6, at + 4, label);
    }
    return ticks.exponent;
}

static void add_label(const char *label, int exponent, RbText *t) {
    if (label) add_escaped(t, label);
    if (exponent != 0) rb_text_printf(t, " (10^%d)", exponent);
}

static void add_labels(const Frame *f, int x_exponent, int y_exponent, RbText *t) {
    double middle = (f->top + f->bottom) / 2;
    rb_text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                   (f->left + f->right) / 2, f->bottom + 34);
    add_label(f->panel->x_label, x_exponent, t);
    rb_text_printf(t,
                   "</text>\n<text transform=\"rotate(-90 %.1f %.1f)\" x=\"%.1f\" y=\"%.1f\" "
                   "text-anchor=\"middle\">",
                   f->left - 52, middle, f->left - 52, middle);
    add_label(f->panel->y_label, y_exponent, t);
    rb_text_add(t, "</text>\n");
}

// Names in the colours of their curves, after the title.
static void add_legend(const Frame *f, RbText *t) {
    const RbDiagramPanel *p = f->panel;
    rb_text_printf(t, "<text x=\"%.1f\" y=\"%.1f\"><tspan style=\"font-weight:600\">", f->left,
                   f->top - 8);
    if (p->title) add_escaped(t, p->title);
    rb_text_add(t, "</tspan>");
    for (int i = 0; i < p->curve_count; i++) {
        if (!p->curves[i].name) continue;
        rb_text_printf(t, "<tspan class=\"c%d\" dx=\"14\" style=\"fill:currentColor\">",
                       p->curves[i].colour % COLOURS);
        add_escaped(t, p->curves[i].name);
        rb_text_add(t, "</tspan>");
    }
    rb_text_add(t, "</text>\n");
}

// ------------------------------------------------------------------------------------------------------
// curves

static bool there(const Frame *f, const RbDiagramCurve *c, size_t i) {
    return isfinite(across(f, c->x[i])) && isfinite(c->y[i]);
}

static void add_line(const Frame *f, const RbDiagramCurve *c, RbText *t) {
    bool pen = false;
    rb_text_printf(t, "<path fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\"%s d=\"",
                   c->dashed ? " stroke-dasharray=\"5 4\"" : "");
    for (size_t i = 0; i < c->count; i++) {
        bool now = there(f, c, i);
        if (now)
            rb_text_printf(t, "%c%.2f,%.2f", pen ? 'L' : 'M', x_of(f, c->x[i]), y_of(f, c->y[i]));
        pen = now;
    }
    rb_text_add(t, "\"/>\n");
}

static void add_points(const Frame *f, const RbDiagramCurve *c, RbText *t) {
    double size = c->count > 2000 ? 1.2 : c->count > 200 ? 2 : 3;
    for (size_t i = 0; i < c->count; i++) {
        if (!there(f, c, i)) continue;
        double x = x_of(f, c->x[i]), y = y_of(f, c->y[i]);
        if (c->mark == RB_MARK_CROSSES)
            rb_text_printf(t,
                           "<path stroke=\"currentColor\" stroke-width=\"1.8\" "
                           "d=\"M%.2f,%.2fl8,8m-8,0l8,-8\"/>\n",
                           x - 4, y - 4);
        else
            rb_text_printf(t,
                           "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\" fill=\"currentColor\" "
                           "fill-opacity=\"0.75\"/>\n",
                           x, y, size);
    }
}

// From blue over green and amber to red.
static void shade_colour(double part, char text[8]) {
    static const double stops[][3] = {
        {44, 43, 140}, {31, 111, 180}, {26, 161, 131}, {224, 165, 44}, {192, 57, 43}};
    double at = 4 * fmin(1, fmax(0, part)), rgb[3];
    int k = at < 3 ? (int)at : 3;
    for (int c = 0; c < 3; c++) rgb[c] = stops[k][c] + (at - k) * (stops[k + 1][c] - stops[k][c]);
    snprintf(text, 8, "#%02x%02x%02x", (int)rgb[0], (int)rgb[1], (int)rgb[2]);
}

// Dots of one colour are one path, so that many thousands stay small.
static void add_shaded(const Frame *f, const RbDiagramCurve *c, RbText *t) {
    enum { STEPS = 32 };
    double size = c->count > 500 ? 2.2 : 4;
    for (int step = 0; step < STEPS; step++) {
        bool any = false;
        for (size_t i = 0; i < c->count; i++) {
            int own = (int)fmin(STEPS - 1, fmax(0, c->shade[i] * STEPS));
            if (!there(f, c, i) || own != step || !isfinite(c->shade[i])) continue;
            char colour[8];
            shade_colour((step + 0.5) / STEPS, colour);
            if (!any)
                rb_text_printf(t,
                               "<path fill=\"none\" stroke-linecap=\"round\" stroke=\"%s\" "
                               "stroke-width=\"%.1f\" d=\"",
                               colour, size);
            rb_text_printf(t, "M%.1f %.1fh0", x_of(f, c->x[i]), y_of(f, c->y[i]));
            any = true;
        }
        if (any) rb_text_add(t, "\"/>\n");
    }
}

static void add_bars(const Frame *f, const RbDiagramCurve *c, RbText *t) {
    double half = bar_width(c) / 2;
    for (size_t i = 0; i < c->count; i++) {
        if (!there(f, c, i)) continue;
        double left = x_of(f, c->x[i] - half), right = x_of(f, c->x[i] + half);
        double a = y_of(f, 0), b = y_of(f, c->y[i]);
        rb_text_printf(t,
                       "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" "
                       "fill=\"currentColor\" fill-opacity=\"0.7\"/>\n",
                       left + 0.5, fmin(a, b), fmax(right - left - 1, 0.5), fabs(a - b));
    }
}

// From one missing value to the next: along its bottom, and back along its top.
static void add_band(const Frame *f, const RbDiagramCurve *c, RbText *t) {
    for (size_t from = 0, to; from < c->count; from = to + 1) {
        for (to = from; to < c->count && there(f, c, to) && isfinite(c->top[to]);) to++;
        if (to - from < 2) continue;
        rb_text_add(t, "<path fill=\"currentColor\" fill-opacity=\"0.22\" d=\"");
        for (size_t i = from; i < to; i++)
            rb_text_printf(t, "%c%.2f,%.2f", i == from ? 'M' : 'L', x_of(f, c->x[i]), y_of(f, c->y[i]));
        for (size_t i = to; i-- > from;)
            rb_text_printf(t, "L%.2f,%.2f", x_of(f, c->x[i]), y_of(f, c->top[i]));
        rb_text_add(t, "Z\"/>\n");
    }
}

static void add_curve(const Frame *f, const RbDiagramCurve *c, RbText *t) {
    rb_text_printf(t, "<g class=\"c%d\">\n", c->colour % COLOURS);
    switch (c->mark) {
        case RB_MARK_LINE: add_line(f, c, t); break;
        case RB_MARK_POINTS:
        case RB_MARK_CROSSES: (c->shade ? add_shaded : add_points)(f, c, t); break;
        case RB_MARK_BARS: add_bars(f, c, t); break;
        case RB_MARK_BAND: add_band(f, c, t); break;
    }
    rb_text_add(t, "</g>\n");
}

static void add_panel(const RbDiagramPanel *p, double x, double y, double width, double height,
                      RbText *t) {
    Frame f = {.panel = p, .left = x + LEFT, .right = x + width - RIGHT};
    f.top = y + TOP, f.bottom = y + height - BOTTOM;
    find_ranges(&f);
    if (p->same_scale) equal_scales(&f);
    int x_exponent = add_x_axis(&f, t), y_exponent = add_y_axis(&f, t);
    add_labels(&f, x_exponent, y_exponent, t);
    add_legend(&f, t);
    for (int i = 0; i < p->curve_count; i++) add_curve(&f, &p->curves[i], t);
}

void rb_diagram_to_svg(const RbDiagram *c, RbText *t) {
    int columns = c->columns > 0 ? c->columns : 1, rows = (c->panel_count + columns - 1) / columns;
    int width = c->width > 0 ? c->width : 720, height = c->height > 0 ? c->height : 320;
    int head = c->title ? HEAD : 0;
    rb_text_printf(t,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                   "height=\"%d\">\n%s<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>\n",
                   columns * width, rows * height + head, columns * width, rows * height + head, style);
    if (c->title) {
        rb_text_printf(t, "<text x=\"%d\" y=\"22\" style=\"font-size:15px;font-weight:600\">", LEFT);
        add_escaped(t, c->title);
        rb_text_add(t, "</text>\n");
    }
    for (int i = 0; i < c->panel_count; i++)
        add_panel(&c->panels[i], i % columns * width, head + i / columns * height, width, height, t);
    rb_text_add(t, "</svg>\n");
}
