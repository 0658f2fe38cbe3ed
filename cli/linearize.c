// SPDX-License-Identifier: MIT
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear_plot.h"
#include "linear_shapes.h"
#include "open_model.h"
#include "simulate.h"

typedef struct Names {
    const char **data;
    int *numbers;
    int count;
} Names;

typedef struct Linear {
    Cli *cli;
    RbRun *run;
    int n;
    const char **states;
    Names inputs, outputs;
    RbLinearSystem system;
    double *real, *imaginary, *participation;
    LinearShapes shapes;
} Linear;

// ------------------------------------------------------------------------------------------------------
// inputs and outputs

// "a,b[1,2],c": commas in brackets are those of subscripts.
static Names split_names(Cli *cli, const char *text) {
    size_t room = text ? strlen(text) + 1 : 1;
    Names n = {cli_room(cli, room * sizeof *n.data), cli_room(cli, room * sizeof *n.numbers), 0};
    while (text && *text) {
        const char *end = text;
        for (int depth = 0; *end && (*end != ',' || depth > 0); end++)
            depth += (*end == '[') - (*end == ']');
        n.data[n.count++] = cli_copy(cli, text, (size_t)(end - text));
        text = *end ? end + 1 : end;
    }
    return n;
}

static RbStatus find_names(Linear *l, Names *names) {
    double value;
    for (int i = 0; i < names->count; i++) {
        TRY(rb_run_get_named(l->run, names->data[i],
                             &value)); // with a message that names near ones
        names->numbers[i] = rb_run_find(l->run, names->data[i]);
    }
    return RB_OK;
}

// All inputs of the model, unless some are named.
static void take_all_inputs(Linear *l) {
    int count = rb_run_sizes(l->run).inputs;
    l->inputs.data = cli_room(l->cli, (size_t)(count + 1) * sizeof *l->inputs.data);
    l->inputs.numbers = cli_room(l->cli, (size_t)(count + 1) * sizeof *l->inputs.numbers);
    for (int i = 0; i < count; i++) {
        RbRunVariable v;
        int number = rb_run_input(l->run, i);
        if (number < 0 || rb_run_variable(l->run, number, &v) != RB_OK) continue;
        l->inputs.data[l->inputs.count] = v.name;
        l->inputs.numbers[l->inputs.count++] = number;
    }
}

// ------------------------------------------------------------------------------------------------------
// where

static RbStatus go_to_point(Linear *l) {
    Cli *cli = l->cli;
    const char *at = cli_option(cli, "at");
    char *end;
    if (!at) return RB_OK;
    if (strcmp(at, "rest") == 0) return rb_run_find_rest(l->run, 0, NULL);
    double time = strtod(at, &end);
    if (end == at || *end || !isfinite(time))
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--at' is a time [s] or 'rest', not '%s'", at);
    return rb_run_step(l->run, RB_UNTIL_TIME, time, NULL);
}

static RbStatus compute(Linear *l) {
    Cli *cli = l->cli;
    size_t n = (size_t)(l->n = rb_run_sizes(l->run).states), ni = (size_t)l->inputs.count,
           no = (size_t)l->outputs.count;
    RbLinearSystem *s = &l->system;
    *s = (RbLinearSystem){l->inputs.numbers,
                          l->outputs.numbers,
                          l->inputs.count,
                          l->outputs.count,
                          NULL,
                          NULL,
                          NULL,
                          NULL};
    s->A = cli_room(cli, (n * n + 1) * sizeof(double)),
    s->B = cli_room(cli, (n * ni + 1) * sizeof(double));
    s->C = cli_room(cli, (no * n + 1) * sizeof(double)),
    s->D = cli_room(cli, (no * ni + 1) * sizeof(double));
    l->real = cli_room(cli, (n + 1) * sizeof(double)),
    l->imaginary = cli_room(cli, (n + 1) * sizeof(double));
    l->participation = cli_room(cli, (n * n + 1) * sizeof(double));
    l->states = cli_room(cli, (n + 1) * sizeof *l->states);
    for (int i = 0; i < l->n; i++) {
        RbRunVariable v;
        TRY(rb_run_variable(l->run, rb_run_state(l->run, i), &v));
        l->states[i] = v.name;
    }
    TRY(rb_run_linearize(l->run, s));
    return rb_linear_modes(cli->context, l->n, s->A, l->real, l->imaginary, l->participation);
}

// ------------------------------------------------------------------------------------------------------
// what is printed

// The states that take part most, up to three.
static void print_states(const Linear *l, int mode) {
    const double *p = l->participation + (size_t)mode * (size_t)l->n;
    bool *shown = cli_room(l->cli, (size_t)l->n + 1);
    for (int k = 0; k < 3; k++) {
        int best = -1;
        for (int i = 0; i < l->n; i++)
            if (!shown[i] && p[i] > 0.05 && (best < 0 || p[i] > p[best] * (1 + 1e-9))) best = i;
        if (best < 0) break;
        printf("%s%s %.0f %%", k ? ", " : "", l->states[best], 100 * p[best]);
        shown[best] = true;
    }
}

static void print_modes(const Linear *l) {
    printf("%4s  %13s  %13s  %14s  %8s  %s\n", "mode", "real [1/s]", "imag [1/s]", "frequency [Hz]",
           "damping", "states");
    for (int k = 0; k < l->n; k++) {
        double re = l->real[k], im = l->imaginary[k], size = hypot(re, im);
        if (im < 0) continue; // its partner is there
        printf("%4d  %13.6g  %13.6g  ", k + 1, re, im);
        if (im != 0)
            printf("%14.6g  %8.4f  ", size / (2 * M_PI), -re / size);
        else
            printf("%14s  %8s  ", "", "");
        print_states(l, k);
        putchar('\n');
    }
}

// ------------------------------------------------------------------------------------------------------
// files

// A matrix in MAT level 4: five numbers (type, rows, columns, imaginary, length of the name), name, columns.
static bool put_header(FILE *file, int32_t type, int rows, int columns, const char *name) {
    int32_t head[5] = {type, rows, columns, 0, (int32_t)strlen(name) + 1};
    return fwrite(head, sizeof *head, 5, file) == 5 &&
           fwrite(name, 1, strlen(name) + 1, file) == strlen(name) + 1;
}

static bool put_matrix(FILE *file, const char *name, int rows, int columns, const double *values) {
    size_t count = (size_t)rows * (size_t)columns;
    return put_header(file, 0, rows, columns, name) &&
           fwrite(values, sizeof *values, count, file) == count;
}

// Names as a matrix of letters, a row each, filled up with blanks.
static bool put_names(FILE *file, const char *name, const char *const *texts, int count) {
    size_t width = 0;
    for (int i = 0; i < count; i++) width = strlen(texts[i]) > width ? strlen(texts[i]) : width;
    if (!put_header(file, 51, count, (int)width, name)) return false; // bytes, text
    for (size_t k = 0; k < width; k++)
        for (int i = 0; i < count; i++) fputc(k < strlen(texts[i]) ? texts[i][k] : ' ', file);
    return !ferror(file);
}

static RbStatus write_matrices(Linear *l, const char *path) {
    const RbLinearSystem *s = &l->system;
    int n = l->n, ni = l->inputs.count, no = l->outputs.count;
    double *eigenvalues = cli_room(l->cli, (size_t)(2 * n + 1) * sizeof *eigenvalues);
    memcpy(eigenvalues, l->real, (size_t)n * sizeof *eigenvalues);
    memcpy(eigenvalues + n, l->imaginary, (size_t)n * sizeof *eigenvalues);
    FILE *file = fopen(path, "wb");
    bool good = file && put_matrix(file, "A", n, n, s->A) && put_matrix(file, "B", n, ni, s->B) &&
                put_matrix(file, "C", no, n, s->C) && put_matrix(file, "D", no, ni, s->D) &&
                put_matrix(file, "eigenvalues", n, 2, eigenvalues) &&
                put_names(file, "states", l->states, n) &&
                put_names(file, "inputs", l->inputs.data, ni) &&
                put_names(file, "outputs", l->outputs.data, no);
    if (file && fclose(file) != 0) good = false;
    return good ? RB_OK : cli_fail(l->cli, RB_ERROR_IO, path, "cannot write: %s", strerror(errno));
}

static RbStatus read_frequencies(Cli *cli, double *from, double *to, int *count) {
    const char *text = cli_option(cli, "frequencies");
    int used = 0;
    *from = 0.01, *to = 100, *count = 200;
    if (!text) return RB_OK;
    bool good = sscanf(text, "%lf:%lf:%d%n", from, to, count, &used) == 3 && !text[used];
    if (!good) good = sscanf(text, "%lf:%lf%n", from, to, &used) == 2 && !text[used];
    if (good && *from > 0 && *to > *from && isfinite(*to) && *count >= 2 && *count <= 1000000)
        return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "'--frequencies' is FROM:TO or FROM:TO:COUNT with 0 < FROM < TO [Hz], not '%s'",
                    text);
}

// A column of gain [dB] and one of phase [degrees, without jumps] for each input and output.
static RbStatus put_response(Linear *l, FILE *file) {
    int pairs = l->inputs.count * l->outputs.count, count;
    double from, to, *re = cli_room(l->cli, (size_t)(pairs + 1) * sizeof *re),
                     *im = cli_room(l->cli, (size_t)(pairs + 1) * sizeof *im),
                     *phase = cli_room(l->cli, (size_t)(pairs + 1) * sizeof *phase);
    TRY(read_frequencies(l->cli, &from, &to, &count));
    fputs("frequency [Hz]", file);
    for (int k = 0; k < pairs; k++) {
        const char *u = l->inputs.data[k / l->outputs.count],
                   *y = l->outputs.data[k % l->outputs.count];
        fprintf(file, ",\"gain %s/%s [dB]\",\"phase %s/%s [deg]\"", y, u, y, u);
    }
    for (int i = 0; i < count; i++) {
        double f = from * pow(to / from, (double)i / (count - 1));
        TRY(rb_linear_response(l->cli->context, l->n, &l->system, 2 * M_PI * f, re, im));
        fprintf(file, "\n%.12g", f);
        for (int k = 0; k < pairs; k++) {
            double angle = atan2(im[k], re[k]) * 180 / M_PI;
            phase[k] = i == 0 ? angle : angle + 360 * rint((phase[k] - angle) / 360);
            fprintf(file, ",%.12g,%.12g", 20 * log10(hypot(re[k], im[k])), phase[k]);
        }
    }
    fputc('\n', file);
    return RB_OK;
}

static RbStatus write_response(Linear *l, const char *path) {
    if (l->inputs.count == 0 || l->outputs.count == 0)
        return cli_fail(l->cli, RB_ERROR_USAGE, NULL,
                        "a response needs inputs and outputs: '--inputs A,B', '--outputs C,D'");
    FILE *file = fopen(path, "w");
    if (!file) return cli_fail(l->cli, RB_ERROR_IO, path, "cannot write: %s", strerror(errno));
    RbStatus status = put_response(l, file);
    bool good = !ferror(file);
    if (fclose(file) != 0) good = false;
    if (status != RB_OK || good) return status;
    return cli_fail(l->cli, RB_ERROR_IO, path, "cannot write: %s", strerror(errno));
}

static RbStatus write_plots(Linear *l) {
    Cli *cli = l->cli;
    LinearPicture p = {.states = l->n, .inputs = l->inputs.count, .outputs = l->outputs.count};
    p.input_names = l->inputs.data, p.output_names = l->outputs.data, p.system = &l->system;
    p.real = l->real, p.imaginary = l->imaginary;
    TRY(read_frequencies(cli, &p.from, &p.to, &p.count));
    TRY(cli_positive(cli, "step-time", &p.step_time));
    for (int i = 0; i < cli->given_count; i++) {
        const char *text = cli_given(cli, i, "plot");
        if (text) TRY(linear_plot(cli, &p, text));
    }
    return RB_OK;
}

// States as NAME=VALUE, which another run takes as --override.
static RbStatus write_point(Linear *l, const char *path) {
    FILE *file = fopen(path, "w");
    bool good = file != NULL;
    for (int i = 0; good && i < l->n; i++) {
        double value;
        TRY(rb_run_get_named(l->run, l->states[i], &value));
        good = fprintf(file, "%s=%s\n", l->states[i], cli_shortest(l->cli, value)) > 0;
    }
    if (file && fclose(file) != 0) good = false;
    return good ? RB_OK : cli_fail(l->cli, RB_ERROR_IO, path, "cannot write: %s", strerror(errno));
}

static RbStatus analyse(Linear *l) {
    Cli *cli = l->cli;
    const char *matrices = cli_option(cli, "output-file"), *response = cli_option(cli, "response"),
               *point = cli_option(cli, "point");
    TRY(go_to_point(l));
    if (cli_has(cli, "inputs"))
        TRY(find_names(l, &l->inputs));
    else
        take_all_inputs(l);
    TRY(find_names(l, &l->outputs));
    TRY(compute(l));
    printf("t = %.10g s: %d states, %d inputs, %d outputs\n", rb_run_time(l->run), l->n,
           l->inputs.count, l->outputs.count);
    print_modes(l);
    if (matrices) TRY(write_matrices(l, matrices));
    if (response) TRY(write_response(l, response));
    TRY(write_plots(l));
    if (cli_has(cli, "shapes")) {
        l->shapes = (LinearShapes){.run = l->run,
                                   .states = l->n,
                                   .A = l->system.A,
                                   .real = l->real,
                                   .imaginary = l->imaginary};
        TRY(linear_shapes_record(cli, &l->shapes));
    }
    return point ? write_point(l, point) : RB_OK;
}

// The page of the modes, from the journal beside it, which has served then.
static RbStatus show_shapes(Linear *l, const char *journal, const char *page) {
    RbViewOptions options = {.chapters = l->shapes.chapters, .chapter_count = l->shapes.count};
    if (l->shapes.count == 0)
        return cli_fail(
            l->cli, RB_ERROR_USAGE, NULL,
            "no mode oscillates with a place or an angle, so that there is no shape to see");
    TRY(rb_view(l->cli->context, journal, page, &options));
    printf("shapes of %d modes: %s\n", l->shapes.count, page);
    return RB_OK;
}

RbStatus run_linearize(Cli *cli) {
    RbModel *model;
    RbSimOptions o;
    Linear l = {.cli = cli};
    TRY(open_model(cli, &model));
    TRY(simulate_options_read(cli, model, &o));
    const char *at = cli_option(cli, "at");
    if (at && strtod(at, NULL) > o.stop_time) o.stop_time = strtod(at, NULL);
    l.inputs = split_names(cli, cli_option(cli, "inputs"));
    l.outputs = split_names(cli, cli_option(cli, "outputs"));
    const char *page = cli_option(cli, "shapes");
    if (page && !ends_with(page, ".html"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--shapes' is a page: a name that ends in .html, not '%s'", page);
    o.journal_file = page ? cli_printf(cli, "%s.rbj", page) : NULL;
    TRY(rb_run_open(cli->context, model, &o, &l.run));
    RbStatus status = analyse(&l), closed = rb_run_close(l.run, NULL);
    if (status == RB_OK) status = closed;
    if (status == RB_OK && page) status = show_shapes(&l, o.journal_file, page);
    if (page) remove(o.journal_file);
    return status;
}
