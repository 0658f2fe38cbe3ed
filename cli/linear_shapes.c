// SPDX-License-Identifier: MIT
#include "linear_shapes.h"

#include <math.h>
#include <string.h>

enum { MOST_MODES = 24, ROWS = 96, PERIODS = 2 };

static const double period = 2, pause = 1e-3; // [s] of the page

// The extent of all places that the run knows; 1 m if there is one alone.
static RbStatus extent_of(RbRun *run, double *extent) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY},
           sum = 0;
    for (int i = 0; i < rb_run_count(run); i++) {
        RbRunVariable v;
        double value;
        if (rb_run_variable(run, i, &v) != RB_OK || !v.there) continue;
        size_t length = strlen(v.name);
        int axis = length > 3 && v.name[length - 1] == ']' ? v.name[length - 2] - '1' : -1;
        bool place = length > 7 && strncmp(v.name + length - 7, ".r_0[", 5) == 0;
        if (!place) place = length > 5 && strncmp(v.name + length - 5, ".r[", 3) == 0;
        if (!place || axis < 0 || axis > 2) continue;
        TRY(rb_run_get(run, &i, 1, &value));
        low[axis] = fmin(low[axis], value), high[axis] = fmax(high[axis], value);
    }
    for (int c = 0; c < 3; c++)
        if (high[c] > low[c]) sum += (high[c] - low[c]) * (high[c] - low[c]);
    *extent = sum > 0 ? sqrt(sum) : 1;
    return RB_OK;
}

// How much of each state is as large as the eye needs: angles 0.3 rad, places an eighth of the extent; 0: it is neither.
static RbStatus find_sizes(RbRun *run, int n, double *sizes) {
    double extent;
    TRY(extent_of(run, &extent));
    for (int i = 0; i < n; i++) {
        RbRunVariable v;
        TRY(rb_run_variable(run, rb_run_state(run, i), &v));
        const char *unit = v.unit ? v.unit : "";
        sizes[i] = strcmp(unit, "rad") == 0 ? 0.3 : strcmp(unit, "m") == 0 ? extent / 8 : 0;
        size_t length = strlen(v.name); // quaternions change by half of an angle
        if (length > 5 && strncmp(v.name + length - 5, ".Q[", 3) == 0) sizes[i] = 0.15;
    }
    return RB_OK;
}

// The factor that makes the state that is seen best as large as that, and the phase at which it is largest.
static double scale_of(int n, const double *re, const double *im, const double *sizes,
                       double *phase) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        double part = sizes[i] > 0 ? hypot(re[i], im[i]) / sizes[i] : 0;
        if (part <= most * (1 + 1e-9)) continue;
        most = part;
        *phase = atan2(im[i], re[i]);
    }
    return most > 0 ? 1 / most : 0;
}

static const char *title_of(Cli *cli, int mode, double re, double im) {
    double size = hypot(re, im), damping = fabs(re) < 1e-9 * size ? 0 : -re / size;
    return cli_printf(cli, "mode %d: %.4g Hz, damping %.3g", mode + 1, size / (2 * M_PI), damping);
}

RbStatus linear_shapes_record(Cli *cli, LinearShapes *s) {
    size_t n = (size_t)s->states;
    double *re = cli_room(cli, (n * n + 1) * sizeof *re),
           *im = cli_room(cli, (n * n + 1) * sizeof *im);
    double *sizes = cli_room(cli, (n + 1) * sizeof *sizes),
           *rest = cli_room(cli, (n + 1) * sizeof *rest), *x = cli_room(cli, (n + 1) * sizeof *x);
    s->chapters = cli_room(cli, (MOST_MODES + 1) * sizeof *s->chapters);
    s->count = 0;
    TRY(rb_linear_shapes(cli->context, s->states, s->A, re, im));
    TRY(find_sizes(s->run, s->states, sizes));
    TRY(rb_run_states(s->run, rest));
    double start = rb_run_time(s->run) + pause;
    for (int k = 0; k < s->states && s->count < MOST_MODES; k++) {
        double phase = 0,
               scale = scale_of(s->states, re + (size_t)k * n, im + (size_t)k * n, sizes, &phase);
        if (!(s->imaginary[k] > 0) || scale == 0)
            continue; // its partner is there, or nothing is seen of it
        for (int row = 0; row <= ROWS * PERIODS; row++) {
            double angle = 2 * M_PI * row / ROWS - M_PI / 2 - phase;
            for (size_t i = 0; i < n; i++)
                x[i] = rest[i] + scale * (re[(size_t)k * n + i] * cos(angle) -
                                          im[(size_t)k * n + i] * sin(angle));
            TRY(rb_run_record(s->run, start + period * row / ROWS, x));
        }
        s->chapters[s->count++] = (RbChapter){title_of(cli, k, s->real[k], s->imaginary[k]), start,
                                              start + period * PERIODS};
        start += period * PERIODS + pause;
    }
    return RB_OK;
}
