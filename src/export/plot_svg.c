// SPDX-License-Identifier: MIT
#include "export/plot_svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "export/plot_path.h"
#include "export/ticks.h"
#include "io/place.h"

enum { COLOURS = 8, MOST_SEGMENT_LINES = 60, MOST_EVENTS = 400 };

// All lengths in px.
static const double margin = 22, title_height = 30, legend_line = 19, axis_height = 50,
                    panel_gap = 20, letter = 6.3, swatch = 20, far_out = 30;

// The largest magnitude that is drawn; what is beyond lies on the edge.
static const double largest = 1e300;

typedef struct Curve {
    int variable;
    int panel;
    int number; // within its panel: decides about colour and dashes
    RbResultSlot slot;
    RbPlotPath path;
    RbText events; // path of the dots at events
    double last_time, last_value;
    int event_count;
} Curve;

typedef struct Panel {
    const char *unit;
    int curve_count;
    double low, high; // [unit] of the values
    double top, height;
    int legend_lines;
    RbTicks ticks;
    const char **names; // of the values low_name, low_name + 1, ...; NULL: values are numbers
    int name_count, low_name;
} Panel;

typedef struct Plot {
    const RbResult *result;
    RbPlotOptions options;
    RbText *out;
    RbArena *scratch;
    RbDiag *diag;
    Curve *curves;
    int curve_count;
    Panel *panels;
    int panel_count;
    double left, right; // of the plotting area
    double start, end;  // [s]
    double height;
    RbTicks ticks;
} Plot;

RbPlotOptions rb_plot_options(void) {
    return (RbPlotOptions){.start_time = NAN, .end_time = NAN, .width = 860, .segments = true};
}

// ---- text

// Text of a user in XML. Control characters cannot stand there.
static void add_escaped(RbText *out, const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '&') {
            rb_text_add(out, "&amp;");
        } else if (*c == '<') {
            rb_text_add(out, "&lt;");
        } else if (*c == '>') {
            rb_text_add(out, "&gt;");
        } else if (*c == '"') {
            rb_text_add(out, "&quot;");
        } else if ((unsigned char)*c < 0x20) {
            rb_text_add(out, " ");
        } else {
            rb_text_add_bytes(out, c, 1);
        }
    }
}

// About as wide as the text will be: fonts differ, but not by much. Counts characters, not bytes.
static double text_width(const char *text) {
    int count = 0;
    for (const char *c = text; *c; c++) count += ((unsigned char)*c & 0xc0) != 0x80;
    return letter * count;
}

static void add_text(Plot *p, double x, double y, const char *style, const char *text) {
    rb_text_printf(p->out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, style);
    add_escaped(p->out, text);
    rb_text_add(p->out, "</text>\n");
}

static void add_line(Plot *p, const char *style, double x1, double y1, double x2, double y2) {
    rb_text_printf(p->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", style, x1, y1, x2,
                   y2);
}

// A power of ten with raised digits.
static void print_factor(int exponent, char text[40]) {
    static const char *const raised[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    char digits[16];
    int length = snprintf(text, 40,
                          "\xc3\x97"
                          "10%s",
                          exponent < 0 ? "\xe2\x81\xbb" : "");
    snprintf(digits, sizeof digits, "%d", exponent < 0 ? -exponent : exponent);
    for (const char *d = digits; *d; d++)
        length += snprintf(text + length, 40 - (size_t)length, "%s", raised[*d - '0']);
}

// ---- what goes where

static const char *title_of(const Plot *p) {
    if (p->options.title) return p->options.title;
    return p->result->experiment.model;
}

// Names of values as they stand in place of a unit: "{false, true}" from 0 on, others from 1 on.
static void read_names(Plot *p, Panel *panel) {
    const char *c = panel->unit;
    if (*c != '{') return;
    size_t length = strlen(c);
    panel->names = rb_new_array(p->scratch, const char *, length);
    panel->low_name = strcmp(c, RB_RESULT_BOOLEAN) == 0 ? 0 : 1;
    for (c++; *c && *c != '}';) {
        size_t end = strcspn(c, ",}");
        panel->names[panel->name_count++] = rb_arena_bytes(p->scratch, c, end);
        c += end + strspn(c + end, ", ");
    }
}

// The unit of all variables that have one, if it is the same.
static const char *only_unit(const Plot *p, const int *variables, int count) {
    const char *only = "";
    for (int i = 0; i < count; i++) {
        const char *unit = p->result->variables.data[variables[i]].unit;
        if (!unit[0] || unit[0] == '{') continue;
        if (only[0] && strcmp(only, unit) != 0) return "";
        only = unit;
    }
    return only;
}

// One panel per unit, in the order in which the units appear. A variable without a unit goes to the
// others if these leave no doubt; one whose values have names has a lane of its own.
static void sort_into_panels(Plot *p, const int *variables, int count) {
    p->curves = rb_new_array(p->scratch, Curve, count);
    p->panels = rb_new_array(p->scratch, Panel, count);
    p->curve_count = count;
    const char *only = only_unit(p, variables, count);
    for (int i = 0; i < count; i++) {
        const RbResultVariable *v = &p->result->variables.data[variables[i]];
        const char *unit = v->unit[0] ? v->unit : only;
        int panel = unit[0] == '{' ? p->panel_count : 0;
        while (panel < p->panel_count && strcmp(p->panels[panel].unit, unit) != 0) panel++;
        if (panel == p->panel_count) {
            p->panels[p->panel_count] = (Panel){.unit = unit, .low = INFINITY, .high = -INFINITY};
            read_names(p, &p->panels[p->panel_count++]);
        }
        p->curves[i] = (Curve){.variable = variables[i], .panel = panel};
        p->curves[i].number = p->panels[panel].curve_count++;
    }
}

static double bounded(double value) {
    return isfinite(value) ? fmax(-largest, fmin(largest, value)) : NAN;
}

static bool in_range(double value, double from, double to) {
    return !(value < from) && !(value > to); // NaN means no limit
}

// Run through all rows: visit every value of every curve.
static RbStatus each_value(Plot *p, void (*visit)(Plot *, Curve *, double time, double value)) {
    RbResultCursor cursor = rb_result_cursor(p->result);
    for (int segment = -1;;) {
        RbResultRun run;
        RB_TRY(rb_result_next(&cursor, p->diag, &run));
        if (run.count == 0) return RB_OK;
        for (int i = 0; run.segment != segment && i < p->curve_count; i++) {
            p->curves[i].slot = rb_result_slot(p->result, run.segment, p->curves[i].variable);
        }
        segment = run.segment;
        for (size_t k = 0; k < run.count; k++) {
            const double *row = run.rows + k * (size_t)run.width;
            for (int i = 0; i < p->curve_count; i++) {
                visit(p, &p->curves[i], row[0], bounded(rb_result_value(p->curves[i].slot, row)));
            }
        }
    }
}

static void find_extremes(Plot *p, Curve *curve, double time, double value) {
    if (!in_range(time, p->options.start_time, p->options.end_time)) return;
    p->start = fmin(p->start, time);
    p->end = fmax(p->end, time);
    Panel *panel = &p->panels[curve->panel];
    panel->low = fmin(panel->low, value); // NaN is ignored
    panel->high = fmax(panel->high, value);
}

static const char *curve_name(const Plot *p, const Curve *c) {
    return p->result->variables.data[c->variable].name;
}

static double legend_width(const char *name) {
    return swatch + 6 + text_width(name) + 18;
}

// A panel with one curve is named at its axis; others have a legend above them, in lines.
static void lay_out_legend(Plot *p, int index) {
    Panel *panel = &p->panels[index];
    double x = p->left;
    panel->legend_lines = panel->curve_count > 0;
    for (int i = 0; i < p->curve_count; i++) {
        if (p->curves[i].panel != index) continue;
        double width = legend_width(curve_name(p, &p->curves[i]));
        if (x > p->left && x + width > p->right) {
            panel->legend_lines++;
            x = p->left;
        }
        x += width;
    }
}

static double longest_label(const Plot *p) {
    double width = 0;
    for (int i = 0; i < p->panel_count; i++) {
        for (int k = 0; k < p->panels[i].name_count; k++)
            width = fmax(width, text_width(p->panels[i].names[k]));
        for (int k = 0; k < p->panels[i].ticks.count; k++) {
            char label[40];
            rb_ticks_label(&p->panels[i].ticks, k, label);
            width = fmax(width, text_width(label));
        }
    }
    return width;
}

static void scale_axes(Plot *p) {
    double area = p->panel_count == 1 ? 250 : p->panel_count == 2 ? 190 : 150;
    if (p->options.height > 0) {
        double rest = p->options.height - 2 * margin - title_height - axis_height;
        area = rest / p->panel_count - legend_line - panel_gap;
    }
    for (int i = 0; i < p->panel_count; i++) {
        Panel *panel = &p->panels[i];
        if (panel->names) { // a lane: as high as its names need
            panel->low = panel->low_name - 0.5;
            panel->high = panel->low_name + panel->name_count - 0.5;
            panel->height = 20 * panel->name_count;
            continue;
        }
        if (panel->low > panel->high) panel->low = 0, panel->high = 1; // nothing to see
        rb_ticks_widen(&panel->low, &panel->high, 0.05);
        panel->height = fmax(area, 60);
        panel->ticks = rb_ticks(panel->low, panel->high, (int)(panel->height / 28));
    }
    p->left = margin + 22 + longest_label(p) + 8;
    p->right = p->options.width - margin;
    if (!(p->end > p->start)) rb_ticks_widen(&p->start, &p->end, 0);
    p->ticks = rb_ticks(p->start, p->end, (int)((p->right - p->left) / 70));
}

static void lay_out(Plot *p) {
    scale_axes(p);
    double y = margin - 6 + (title_of(p)[0] ? title_height : 0);
    for (int i = 0; i < p->panel_count; i++) {
        lay_out_legend(p, i);
        p->panels[i].top = y + p->panels[i].legend_lines * legend_line + 4;
        y = p->panels[i].top + p->panels[i].height + panel_gap;
    }
    p->height = y - panel_gap + axis_height;
}

// ---- drawing

static double x_of(const Plot *p, double time) {
    double x = p->left + (time - p->start) / (p->end - p->start) * (p->right - p->left);
    return fmax(p->left - far_out, fmin(p->right + far_out, x)); // clipped at the frame anyway
}

static double y_of(const Panel *panel, double value) {
    return panel->top + panel->height * (1 - (value - panel->low) / (panel->high - panel->low));
}

// Dots at both sides of an event, joined to a path of their own: its rows have the same time.
static void mark_event(Plot *p, Curve *curve, double time, double value, double y) {
    if (curve->last_time == time && isfinite(value) && in_range(time, p->start, p->end) &&
        curve->event_count++ < MOST_EVENTS) {
        double x = x_of(p, time), before = y_of(&p->panels[curve->panel], curve->last_value);
        rb_text_printf(&curve->events, "M%.2f %.2fh0", x, y);
        if (isfinite(before)) rb_text_printf(&curve->events, "M%.2f %.2fh0", x, before);
    }
    curve->last_time = time;
    curve->last_value = value;
}

static void draw_point(Plot *p, Curve *curve, double time, double value) {
    double y = y_of(&p->panels[curve->panel], value);
    rb_plot_path_add(&curve->path, x_of(p, time), y);
    if (p->options.events) mark_event(p, curve, time, value, y);
}

// A rule of the style sheet, for this picture only, should it stand in a page with others.
static void add_rule(Plot *p, const char *selector, const char *properties) {
    rb_text_printf(p->out, ".rb-plot %s{%s}\n", selector, properties);
}

static void add_colours(Plot *p, const char *const colours[COLOURS]) {
    for (int i = 0; i < COLOURS; i++) {
        rb_text_printf(p->out, ".rb-plot .c%d{stroke:%s}\n", i, colours[i]);
    }
}

static void add_style(Plot *p) {
    static const char *const light[COLOURS] = {"#1f6feb", "#e36209", "#1a7f37", "#cf222e",
                                               "#8250df", "#0598bc", "#bf3989", "#9a6700"};
    static const char *const dark[COLOURS] = {"#58a6ff", "#ffa657", "#56d364", "#ff7b72",
                                              "#bc8cff", "#39c5cf", "#ff80c0", "#e3b341"};
    rb_text_add(p->out, "<style>\n");
    add_rule(p, "text",
             "font-family:Inter,'Helvetica Neue','Segoe UI',Arial,'DejaVu Sans',sans-serif;"
             "font-size:11.5px;fill:#57606a");
    add_rule(p, ".title", "font-size:15px;font-weight:600;fill:#24292f");
    add_rule(p, ".name", "fill:#24292f");
    add_rule(p, ".x", "text-anchor:middle");
    add_rule(p, ".y", "text-anchor:end");
    add_rule(p, ".up", "text-anchor:middle;fill:#24292f");
    add_rule(p, ".card", "fill:#fff;stroke:#d8dee4;stroke-width:1");
    add_rule(p, ".grid", "fill:none;stroke:#d8dee4;stroke-width:.7");
    add_rule(p, ".axis", "fill:none;stroke:#8c959f;stroke-width:1");
    add_rule(p, ".zero", "fill:none;stroke:#afb8c1;stroke-width:1");
    add_rule(p, ".part", "fill:none;stroke:#8c959f;stroke-width:1;stroke-dasharray:1.5 3.5");
    add_rule(p, ".c", "fill:none;stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round");
    add_rule(p, ".dot", "stroke-width:5");
    add_colours(p, light);
    rb_text_add(p->out, "@media (prefers-color-scheme:dark){\n");
    add_rule(p, "text", "fill:#9198a1");
    add_rule(p, ".title,.rb-plot .name,.rb-plot .up", "fill:#e6edf3");
    add_rule(p, ".card", "fill:#0d1117;stroke:#30363d");
    add_rule(p, ".grid", "stroke:#262c36");
    add_rule(p, ".axis,.rb-plot .part", "stroke:#6e7681");
    add_rule(p, ".zero", "stroke:#484f58");
    add_colours(p, dark);
    rb_text_add(p->out, "}\n</style>\n");
}

static void add_head(Plot *p) {
    int width = p->options.width, height = (int)ceil(p->height);
    rb_text_printf(p->out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                   "viewBox=\"0 0 %d %d\" class=\"rb-plot\" role=\"img\">\n<title>",
                   width, height, width, height);
    add_escaped(p->out, title_of(p)[0] ? title_of(p) : "Results");
    rb_text_add(p->out, "</title>\n");
    add_style(p);
    rb_text_printf(
        p->out, "<rect class=\"card\" x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n",
        width - 1, height - 1);
    if (title_of(p)[0]) add_text(p, p->left, margin + 10, "title", title_of(p));
}

// Of several runs a variable has one colour, unless it is alone in its panel.
static int runs_of(const Plot *p, const Curve *c) {
    int runs = p->options.runs;
    return runs > 1 && p->panels[c->panel].curve_count > runs ? runs : 1;
}

static int colour_of(const Plot *p, const Curve *c) {
    return c->number / runs_of(p, c);
}

// Colour, and dashes for further runs and when the colours are used up.
static void add_curve_style(Plot *p, const Curve *c) {
    static const char *const dashes[] = {"", "6 4", "2 4", "9 4 2 4"};
    int colour = colour_of(p, c);
    rb_text_printf(p->out, "class=\"c c%d\"", colour % COLOURS);
    const char *dash = dashes[(colour / COLOURS + c->number % runs_of(p, c)) % 4];
    if (dash[0]) rb_text_printf(p->out, " stroke-dasharray=\"%s\"", dash);
}

static void add_legend(Plot *p, int index) {
    const Panel *panel = &p->panels[index];
    double x = p->left, y = panel->top - 4 - legend_line * panel->legend_lines + 12;
    for (int i = 0; i < p->curve_count; i++) {
        const Curve *c = &p->curves[i];
        if (c->panel != index) continue;
        double width = legend_width(curve_name(p, c));
        if (x > p->left && x + width > p->right) {
            x = p->left;
            y += legend_line;
        }
        rb_text_add(p->out, "<path ");
        add_curve_style(p, c);
        rb_text_printf(p->out, " d=\"M%.1f %.1fh%.1f\"/>\n", x + 1, y - 4, swatch - 2);
        add_text(p, x + swatch + 6, y, "name", curve_name(p, c));
        x += width;
    }
}

static void add_named_axis(Plot *p, const Panel *panel) {
    for (int k = 0; k < panel->name_count; k++) {
        double y = y_of(panel, panel->low_name + k);
        add_line(p, "grid", p->left, y, p->right, y);
        add_text(p, p->left - 8, y + 4, "y", panel->names[k]);
    }
}

static void add_value_axis(Plot *p, const Panel *panel) {
    if (panel->names) {
        add_named_axis(p, panel);
        return;
    }
    for (int k = 0; k < panel->ticks.count; k++) {
        double value = rb_ticks_value(&panel->ticks, k), y = y_of(panel, value);
        char label[40];
        rb_ticks_label(&panel->ticks, k, label);
        add_line(p, value == 0 ? "zero" : "grid", p->left, y, p->right, y);
        add_text(p, p->left - 8, y + 4, "y", label);
    }
    RbText name = rb_text(p->scratch);
    char factor[40];
    if (panel->ticks.exponent != 0) {
        print_factor(panel->ticks.exponent, factor);
        rb_text_add(&name, factor);
    }
    if (panel->unit[0]) rb_text_printf(&name, "%s[%s]", name.count > 0 ? " " : "", panel->unit);
    if (name.count == 0) return;
    double x = margin + 4, y = panel->top + panel->height / 2;
    rb_text_printf(p->out, "<text class=\"up\" transform=\"translate(%.1f %.1f)rotate(-90)\">", x,
                   y);
    add_escaped(p->out, name.data);
    rb_text_add(p->out, "</text>\n");
}

static void add_time_grid(Plot *p, const Panel *panel, bool labels) {
    double bottom = panel->top + panel->height;
    for (int k = 0; k < p->ticks.count; k++) {
        double x = x_of(p, rb_ticks_value(&p->ticks, k));
        char label[40];
        rb_ticks_label(&p->ticks, k, label);
        add_line(p, "grid", x, panel->top, x, bottom);
        if (labels) add_text(p, x, bottom + 18, "x", label);
    }
    add_line(p, "axis", p->left, bottom, p->right, bottom);
    if (!labels) return;
    char factor[40] = "";
    if (p->ticks.exponent != 0) print_factor(p->ticks.exponent, factor);
    RbText name = rb_text(p->scratch);
    rb_text_printf(&name, "time %s%s[s]", factor, factor[0] ? " " : "");
    add_text(p, (p->left + p->right) / 2, bottom + 37, "up", name.data);
}

// Dotted lines where segments begin. Their first rows are asked for only if they are few.
static RbStatus add_segment_lines(Plot *p) {
    int count = p->result->segments.count;
    if (!p->options.segments || count < 2 || count > MOST_SEGMENT_LINES) return RB_OK;
    RbResultCursor cursor = rb_result_cursor(p->result);
    for (int s = 1; s < count; s++) {
        if (p->result->segments.data[s].row_count == 0) continue;
        cursor.segment = s;
        cursor.row = 0;
        RbResultRun run;
        RB_TRY(rb_result_next(&cursor, p->diag, &run));
        if (!(run.rows[0] > p->start && run.rows[0] < p->end)) continue;
        double x = x_of(p, run.rows[0]);
        for (int i = 0; i < p->panel_count; i++) {
            add_line(p, "part", x, p->panels[i].top, x, p->panels[i].top + p->panels[i].height);
        }
    }
    return RB_OK;
}

static void add_curves(Plot *p, int index) {
    const Panel *panel = &p->panels[index];
    // A name that is the same for the same place, so that several pictures on one page do not
    // disturb each other.
    int place[4] = {(int)p->left, (int)panel->top, (int)(p->right - p->left), (int)panel->height};
    rb_text_printf(p->out, "<clipPath id=\"f%d-%d-%d-%d\">", place[0], place[1], place[2],
                   place[3]);
    rb_text_printf(p->out,
                   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></clipPath>\n",
                   p->left - 1, panel->top - 1, p->right - p->left + 2, panel->height + 2);
    rb_text_printf(p->out, "<g clip-path=\"url(#f%d-%d-%d-%d)\">\n", place[0], place[1], place[2],
                   place[3]);
    for (int i = 0; i < p->curve_count; i++) {
        if (p->curves[i].panel != index) continue;
        rb_text_add(p->out, "<path ");
        add_curve_style(p, &p->curves[i]);
        rb_text_printf(p->out, " d=\"%s\"/>\n", rb_plot_path_end(&p->curves[i].path));
        if (p->curves[i].events.count > 0)
            rb_text_printf(p->out, "<path class=\"c c%d dot\" d=\"%s\"/>\n",
                           colour_of(p, &p->curves[i]) % COLOURS, p->curves[i].events.data);
    }
    rb_text_add(p->out, "</g>\n");
}

static RbStatus draw(Plot *p) {
    for (int i = 0; i < p->curve_count; i++) {
        bool steps = p->result->variables.data[p->curves[i].variable].discrete;
        p->curves[i].path = rb_plot_path(p->scratch, steps);
        p->curves[i].events = rb_text(p->scratch);
        p->curves[i].last_time = NAN;
    }
    RB_TRY(each_value(p, draw_point));
    add_head(p);
    for (int i = 0; i < p->panel_count; i++) {
        add_time_grid(p, &p->panels[i], i == p->panel_count - 1);
        add_value_axis(p, &p->panels[i]);
        add_legend(p, i);
    }
    RB_TRY(add_segment_lines(p));
    for (int i = 0; i < p->panel_count; i++) add_curves(p, i);
    rb_text_add(p->out, "</svg>\n");
    return RB_OK;
}

RbStatus rb_plot_svg(const RbResult *result, const int *variables, int count, RbPlotOptions options,
                     RbArena scratch, RbDiag *diag, RbText *out) {
    Plot p = {.result = result,
              .options = options,
              .out = out,
              .scratch = &scratch,
              .diag = diag,
              .start = INFINITY,
              .end = -INFINITY};
    if (count == 0) return rb_fail(diag, RB_ERROR_USAGE, RB_NOWHERE, "there is no signal to plot");
    if (p.options.width < 300) p.options.width = 300;
    sort_into_panels(&p, variables, count);
    RB_TRY(each_value(&p, find_extremes));
    if (p.start > p.end) {
        return rb_fail(diag, RB_ERROR_USAGE, rb_place(diag, result->file),
                       "there is nothing to plot: no point lies in the given range of time");
    }
    if (isfinite(options.start_time)) p.start = options.start_time;
    if (isfinite(options.end_time)) p.end = options.end_time;
    lay_out(&p);
    return draw(&p);
}
