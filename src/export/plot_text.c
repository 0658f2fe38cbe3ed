// SPDX-License-Identifier: MIT
#include "export/plot_text.h"

#include <math.h>
#include <stdio.h>

// A letter of Braille has two columns and four rows of dots; bit of each. ORDER Unicode, U+2800
static const unsigned char dots[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};

typedef struct Screen {
    unsigned char *cells;
    int width, height; // in letters
} Screen;

static void set_dot(Screen *s, int x, int y) {
    if (x < 0 || y < 0 || x >= 2 * s->width || y >= 4 * s->height) return;
    s->cells[y / 4 * s->width + x / 2] |= dots[y % 4][x % 2];
}

// All dots between two neighbours.
static void join(Screen *s, double x0, double y0, double x1, double y1) {
    int steps = (int)fmax(1, ceil(fmax(fabs(x1 - x0), fabs(y1 - y0))));
    for (int i = 0; i <= steps; i++) {
        double f = (double)i / steps;
        set_dot(s, (int)lround(x0 + f * (x1 - x0)), (int)lround(y0 + f * (y1 - y0)));
    }
}

static void extremes(const double *values, size_t rows, double *low, double *high) {
    *low = INFINITY, *high = -INFINITY;
    for (size_t i = 0; i < rows; i++) {
        if (!isfinite(values[i])) continue;
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
}

static void trace(Screen *s, const double *times, const double *values, size_t rows, double low,
                  double high) {
    double t0 = times[0], t1 = times[rows - 1], last_x = NAN, last_y = NAN;
    for (size_t i = 0; i < rows; i++) {
        double x = t1 > t0 ? (times[i] - t0) / (t1 - t0) * (2 * s->width - 1) : 0;
        double y =
            high > low ? (high - values[i]) / (high - low) * (4 * s->height - 1) : 2 * s->height;
        if (isfinite(values[i]))
            join(s, isnan(last_y) ? x : last_x, isnan(last_y) ? y : last_y, x, y);
        last_x = x;
        last_y = isfinite(values[i]) ? y : NAN; // a gap
    }
}

static void add_screen(const Screen *s, double low, double high, RbText *out) {
    for (int y = 0; y < s->height; y++) {
        char label[16] = "";
        if (y == 0) snprintf(label, sizeof label, "%.4g", high);
        if (y == s->height - 1) snprintf(label, sizeof label, "%.4g", low);
        rb_text_printf(out, "%10s |", label);
        for (int x = 0; x < s->width; x++) {
            unsigned code = 0x2800u + s->cells[y * s->width + x];
            const char letter[4] = {(char)(0xe0 | code >> 12), (char)(0x80 | (code >> 6 & 63)),
                                    (char)(0x80 | (code & 63)), 0};
            rb_text_add(out, s->cells[y * s->width + x] ? letter : " ");
        }
        rb_text_add(out, "\n");
    }
}

void rb_plot_text(const RbResult *r, const int *variables, int count, int width, int height,
                  RbArena scratch, RbText *out) {
    const double *times = rb_result_times(r, &scratch);
    for (int i = 0; i < count && r->row_count > 0; i++) {
        RbArena arena = scratch;
        const RbResultVariable *v = &r->variables.data[variables[i]];
        const double *values = rb_result_series(r, variables[i], &arena);
        Screen s = {rb_new_array(&arena, unsigned char, (size_t)width *(size_t)height), width,
                    height};
        double low, high;
        extremes(values, r->row_count, &low, &high);
        rb_text_printf(out, v->unit[0] ? "%s [%s]\n" : "%s\n", v->name, v->unit);
        if (low > high) {
            rb_text_add(out, "           | no values\n");
            continue;
        }
        trace(&s, times, values, r->row_count, low, high);
        add_screen(&s, low, high, out);
        rb_text_printf(out, "           %-12.5g%*.5g s\n\n", times[0], width - 12,
                       times[r->row_count - 1]);
    }
}
