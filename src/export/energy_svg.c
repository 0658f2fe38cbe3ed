// SPDX-License-Identifier: MIT
#include "export/energy_svg.h"

#include <math.h>
#include <stdio.h>

#include "export/ticks.h"

enum { WIDTH = 860, HEIGHT = 300, LEFT = 70, RIGHT = 20, TOP = 16, BOTTOM = 40, LAYERS = 7 };

typedef struct Layer {
    const char *variable, *label, *colour;
} Layer;

// From the bottom to the top.
static const Layer layers[LAYERS] = {
    {"energy.kinetic", "kinetic", "#4477aa"},
    {"energy.potential", "potential", "#228833"},
    {"energy.elastic", "elastic", "#ccbb44"},
    {"energy.contact_damping", "lost in impacts", "#ee6677"},
    {"energy.friction", "lost by friction", "#aa3377"},
    {"energy.rolling", "lost by rolling", "#bb7733"},
    {"energy.dampers", "lost in dampers", "#66ccee"},
};

typedef struct Stack {
    const double *times;
    size_t rows;
    double *tops[LAYERS]; // [J] upper edge of each layer
    bool there[LAYERS];
    double height; // [J]
} Stack;

static bool pile(const RbResult *r, RbArena *arena, Stack *s) {
    *s = (Stack){.times = rb_result_times(r, arena), .rows = r->row_count};
    if (rb_result_find(r, "energy.kinetic") < 0 || s->rows < 2) return false;
    double *top = rb_new_array(arena, double, s->rows);
    for (int k = 0; k < LAYERS; k++) {
        int variable = rb_result_find(r, layers[k].variable);
        s->tops[k] = rb_new_array(arena, double, s->rows);
        const double *values = variable >= 0 ? rb_result_series(r, variable, arena) : NULL;
        double least = 0, most = 0;
        for (size_t i = 0; values && i < s->rows; i++) {
            if (i == 0 || values[i] < least) least = values[i];
            if (i == 0 || values[i] > most) most = values[i];
        }
        double zero = k == 1 ? least : 0; // where a potential is zero means nothing
        s->there[k] = values && most - zero > 0;
        for (size_t i = 0; i < s->rows; i++) {
            if (values && isfinite(values[i])) top[i] += fmax(0, values[i] - zero);
            s->tops[k][i] = top[i];
            s->height = fmax(s->height, top[i]);
        }
    }
    return s->height > 0;
}

static double x_of(const Stack *s, double time) {
    double t0 = s->times[0], t1 = s->times[s->rows - 1];
    return LEFT + (WIDTH - LEFT - RIGHT) * (t1 > t0 ? (time - t0) / (t1 - t0) : 0);
}

static double y_of(const Stack *s, double value) {
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / (1.05 * s->height);
}

// Rows that would fall on the same tenth of a pixel are left out.
static void add_edge(const Stack *s, const double *values, bool back, RbText *out) {
    double last = -1;
    for (size_t i = 0; i < s->rows; i++) {
        size_t row = back ? s->rows - 1 - i : i;
        double x = x_of(s, s->times[row]);
        if (fabs(x - last) < 0.1 && i > 0 && i + 1 < s->rows) continue;
        last = x;
        rb_text_printf(out, "%s%.1f,%.1f", i == 0 && !back ? "M" : "L", x,
                       y_of(s, values ? values[row] : 0));
    }
}

static void add_axes(const Stack *s, RbText *out) {
    char label[40];
    RbTicks y = rb_ticks(0, 1.05 * s->height, 5),
            x = rb_ticks(s->times[0], s->times[s->rows - 1], 8);
    for (int i = 0; i < y.count; i++) {
        rb_ticks_label(&y, i, label);
        double at = y_of(s, rb_ticks_value(&y, i));
        rb_text_printf(
            out,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" "
            "y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
            LEFT, WIDTH - RIGHT, at, at, LEFT - 6, at + 4, label);
    }
    for (int i = 0; i < x.count; i++) {
        rb_ticks_label(&x, i, label);
        rb_text_printf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
                       x_of(s, rb_ticks_value(&x, i)), HEIGHT - BOTTOM + 16, label);
    }
    const char *power = y.exponent ? "10^" : "";
    rb_text_printf(
        out,
        "<text x=\"14\" y=\"%d\" transform=\"rotate(-90 14 %d)\" text-anchor=\"middle\">energy [",
        HEIGHT / 2, HEIGHT / 2);
    if (y.exponent) rb_text_printf(out, "%s%d ", power, y.exponent);
    rb_text_printf(out,
                   "J]</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">time [s]</text>\n",
                   (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6);
}

bool rb_energy_svg(const RbResult *r, RbArena scratch, RbText *out) {
    Stack s;
    if (!pile(r, &scratch, &s)) return false;
    rb_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                   "height=\"%d\" "
                   "role=\"img\" aria-label=\"energy balance over time\" class=\"energy\">\n",
                   WIDTH, HEIGHT, WIDTH, HEIGHT);
    const double *below = NULL;
    for (int k = 0; k < LAYERS; k++) {
        if (s.there[k]) {
            rb_text_printf(out, "<path fill=\"%s\" d=\"", layers[k].colour);
            add_edge(&s, s.tops[k], false, out);
            add_edge(&s, below, true, out);
            rb_text_printf(out, "Z\"><title>%s</title></path>\n", layers[k].label);
        }
        below = s.tops[k];
    }
    add_axes(&s, out);
    rb_text_add(out, "</svg>\n<p class=\"legend\">");
    for (int k = LAYERS - 1; k >= 0; k--) {
        if (s.there[k])
            rb_text_printf(out, "<span><i style=\"background:%s\"></i>%s</span> ", layers[k].colour,
                           layers[k].label);
    }
    rb_text_add(out, "</p>\n");
    return true;
}

void rb_energy_residual(const RbResult *r, RbArena scratch, double *residual, double *height) {
    Stack s;
    int variable = rb_result_find(r, "energy.residual");
    *residual = *height = NAN;
    if (variable < 0 || !pile(r, &scratch, &s)) return;
    const double *values = rb_result_series(r, variable, &scratch);
    *height = s.height;
    *residual = 0;
    for (size_t i = 0; i < s.rows; i++) *residual = fmax(*residual, fabs(values[i]));
}
