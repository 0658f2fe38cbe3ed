// SPDX-License-Identifier: MIT
#include "linear_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_POINTS = 500 };

static double *room(Cli *cli, int count) {
    return cli_room(cli, (size_t)(count + 1) * sizeof(double));
}

static const char *pair_name(Cli *cli, const LinearPicture *p, int input, int output) {
    return cli_printf(cli, "%s/%s", p->output_names[output], p->input_names[input]);
}

// Real and imaginary part of each pair over the frequency: re[pair*count + i].
static RbStatus respond(Cli *cli, const LinearPicture *p, double *f, double *re, double *im) {
    int pairs = p->inputs * p->outputs;
    double *a = room(cli, pairs), *b = room(cli, pairs);
    for (int i = 0; i < p->count; i++) {
        f[i] = p->from * pow(p->to / p->from, (double)i / (p->count - 1));
        TRY(rb_linear_response(cli->context, p->states, p->system, 2 * M_PI * f[i], a, b));
        for (int k = 0; k < pairs; k++) re[k * p->count + i] = a[k], im[k * p->count + i] = b[k];
    }
    return RB_OK;
}

static RbStatus bode(Cli *cli, const LinearPicture *p, RbDiagram *diagram) {
    int pairs = p->inputs * p->outputs, n = p->count;
    double *f = room(cli, n), *gain = room(cli, pairs * n), *phase = room(cli, pairs * n);
    TRY(respond(cli, p, f, gain, phase));
    for (int k = 0; k < pairs; k++)
        for (int i = 0; i < n; i++) {
            double *g = &gain[k * n + i], *a = &phase[k * n + i];
            double angle = atan2(*a, *g) * 180 / M_PI;
            *g = 20 * log10(hypot(*g, *a));
            *a = i == 0 ? angle : angle + 360 * rint((a[-1] - angle) / 360);
        }
    RbDiagramCurve *curves = cli_room(cli, 2 * (size_t)pairs * sizeof *curves);
    RbDiagramPanel *panels = cli_room(cli, 2 * sizeof *panels);
    for (int k = 0; k < 2 * pairs; k++) {
        const double *y = k < pairs ? gain + k * n : phase + (k - pairs) * n;
        int pair = k % pairs;
        curves[k] = (RbDiagramCurve){.x = f, .y = y, .count = (size_t)n, .colour = pair};
        if (k < pairs) curves[k].name = pair_name(cli, p, pair / p->outputs, pair % p->outputs);
    }
    panels[0] = (RbDiagramPanel){.y_label = "gain [dB]", .curves = curves};
    panels[1] = (RbDiagramPanel){.y_label = "phase [deg]", .curves = curves + pairs};
    for (int i = 0; i < 2; i++) {
        panels[i].x_label = "frequency [Hz]";
        panels[i].curve_count = pairs, panels[i].log_x = true;
    }
    *diagram = (RbDiagram){.panels = panels, .panel_count = 2, .height = 260};
    return RB_OK;
}

// The response along the positive frequencies, dashed along the negative ones; a cross at -1.
static RbStatus nyquist(Cli *cli, const LinearPicture *p, RbDiagram *diagram) {
    static const double minus_one = -1, zero = 0;
    int pairs = p->inputs * p->outputs, n = p->count;
    double *f = room(cli, n), *re = room(cli, pairs * n), *im = room(cli, pairs * n),
           *mirrored = room(cli, pairs * n);
    TRY(respond(cli, p, f, re, im));
    for (int i = 0; i < pairs * n; i++) mirrored[i] = -im[i];
    RbDiagramCurve *curves = cli_room(cli, (2 * (size_t)pairs + 1) * sizeof *curves);
    for (int k = 0; k < pairs; k++) {
        RbDiagramCurve c = {.x = re + k * n, .y = im + k * n, .count = (size_t)n, .colour = k};
        c.name = pair_name(cli, p, k / p->outputs, k % p->outputs);
        curves[2 * k] = c;
        c.y = mirrored + k * n, c.name = NULL, c.dashed = true;
        curves[2 * k + 1] = c;
    }
    curves[2 * pairs] =
        (RbDiagramCurve){.x = &minus_one, .y = &zero, .count = 1, .mark = RB_MARK_CROSSES, .colour = 1};
    RbDiagramPanel *panel = cli_room(cli, sizeof *panel);
    *panel = (RbDiagramPanel){.x_label = "real part", .y_label = "imaginary part", .curves = curves};
    panel->curve_count = 2 * pairs + 1, panel->same_scale = true;
    *diagram = (RbDiagram){.panels = panel, .panel_count = 1, .height = 560};
    return RB_OK;
}

// A panel for each pair; one with the poles alone if there are none.
static RbStatus poles(Cli *cli, const LinearPicture *p, RbDiagram *diagram) {
    int pairs = p->inputs * p->outputs, count = pairs > 0 ? pairs : 1, n = p->states;
    RbDiagramPanel *panels = cli_room(cli, (size_t)count * sizeof *panels);
    RbDiagramCurve *curves = cli_room(cli, 2 * (size_t)count * sizeof *curves);
    for (int k = 0; k < count; k++) {
        RbDiagramCurve *c = &curves[2 * k];
        c[0] = (RbDiagramCurve){.name = "poles", .x = p->real, .y = p->imaginary, .count = (size_t)n};
        c[0].mark = RB_MARK_CROSSES;
        panels[k] = (RbDiagramPanel){.x_label = "real part [1/s]", .y_label = "imaginary part [1/s]"};
        panels[k].curves = c, panels[k].curve_count = pairs > 0 ? 2 : 1;
        panels[k].same_scale = true;
        if (pairs == 0) continue;
        int input = k / p->outputs, output = k % p->outputs, zeros;
        double *re = room(cli, n), *im = room(cli, n);
        TRY(rb_linear_zeros(cli->context, n, p->system, input, output, re, im, &zeros));
        c[1] = (RbDiagramCurve){.name = "zeros", .x = re, .y = im, .count = (size_t)zeros, .colour = 1};
        c[1].mark = RB_MARK_POINTS;
        panels[k].title = pair_name(cli, p, input, output);
    }
    *diagram = (RbDiagram){.panels = panels, .panel_count = count, .height = 480};
    return RB_OK;
}

// Eight time constants of the slowest mode that decays.
static double settling_time(const LinearPicture *p) {
    double slowest = 0;
    for (int k = 0; k < p->states; k++)
        if (p->real[k] < 0 && (slowest == 0 || -p->real[k] < slowest)) slowest = -p->real[k];
    return slowest > 0 ? 8 / slowest : 10;
}

static RbStatus steps(Cli *cli, const LinearPicture *p, RbDiagram *diagram) {
    double length = p->step_time > 0 ? p->step_time : settling_time(p);
    double dt = length / (STEP_POINTS - 1), *t = room(cli, STEP_POINTS);
    RbDiagramPanel *panels = cli_room(cli, (size_t)p->outputs * sizeof *panels);
    RbDiagramCurve *curves = cli_room(cli, (size_t)(p->outputs * p->inputs) * sizeof *curves);
    double *all = room(cli, STEP_POINTS * p->outputs);
    for (int i = 0; i < STEP_POINTS; i++) t[i] = i * dt;
    for (int j = 0; j < p->inputs; j++) {
        TRY(rb_linear_step(cli->context, p->states, p->system, j, dt, STEP_POINTS, all));
        for (int o = 0; o < p->outputs; o++) {
            double *y = room(cli, STEP_POINTS);
            for (int i = 0; i < STEP_POINTS; i++) y[i] = all[i * p->outputs + o];
            RbDiagramCurve c = {.name = p->input_names[j], .x = t, .y = y, .count = STEP_POINTS};
            c.colour = j;
            curves[o * p->inputs + j] = c;
        }
    }
    for (int o = 0; o < p->outputs; o++) {
        panels[o] = (RbDiagramPanel){.title = "step of", .x_label = "time [s]"};
        panels[o].y_label = p->output_names[o], panels[o].curves = curves + o * p->inputs;
        panels[o].curve_count = p->inputs;
    }
    *diagram = (RbDiagram){.panels = panels, .panel_count = p->outputs};
    return RB_OK;
}

RbStatus linear_plot(Cli *cli, const LinearPicture *p, const char *text) {
    static const struct {
        const char *name;
        RbStatus (*make)(Cli *, const LinearPicture *, RbDiagram *);
        bool needs_pair;
    } kinds[] = {{"bode", bode, true}, {"nyquist", nyquist, true}, {"poles", poles, false}, {"step", steps, true}};
    const char *equals = strchr(text, '=');
    RbDiagram diagram;
    for (size_t i = 0; equals && i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = (size_t)(equals - text);
        if (strlen(kinds[i].name) != length || strncmp(kinds[i].name, text, length) != 0) continue;
        if (kinds[i].needs_pair && p->inputs * p->outputs == 0)
            return cli_fail(cli, RB_ERROR_USAGE, NULL,
                            "a response needs inputs and outputs: '--inputs A,B', '--outputs C,D'");
        TRY(kinds[i].make(cli, p, &diagram));
        return rb_diagram_write(cli->context, &diagram, equals + 1);
    }
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "'--plot %s' is not of the form KIND=FILE with bode, nyquist, poles or step", text);
}
