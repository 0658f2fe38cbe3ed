// SPDX-License-Identifier: MIT
#include "sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interrupt.h"
#include "sweep_pool.h"

// Runs at p - 2h, p - h, p + h, p + 2h for each parameter, and at p.
enum { NEIGHBOURS = 4, NODES = 5, CENTRE = 2 };
static const double relative_step = 3e-4, tolerance = 1e-11;

typedef struct Parameter {
    const char *name;
    double value, step;
} Parameter;

// A run on the grid of output points: rows at events are left out, they only count.
typedef struct GridRun {
    RbResults *results;
    size_t rows, count; // rows in the file; of the grid
    double *t;          // [s] of the grid
    size_t *row;        // in the file
    int *events;        // before each of them
    double *values;     // of the present signal, in the file
} GridRun;

typedef struct Sensitivity {
    Cli *cli;
    RbModel *model;
    RbSimOptions options;
    Parameter *parameters;
    int count;
    const char *file;
    GridRun *runs;
    int run_count, next;
    size_t lacking; // values that no neighbour gives
} Sensitivity;

// ------------------------------------------------------------------------------------------------------
// which parameters

static RbStatus read_value(RbRun *run, Parameter *p) {
    TRY(rb_run_get_named(run, p->name, &p->value));
    p->step = relative_step * (p->value != 0 ? fabs(p->value) : 1);
    return RB_OK;
}

static RbStatus read_values(Sensitivity *s) {
    RbRun *run;
    RbSimOptions o = s->options;
    RbStatus status = rb_run_open(s->cli->context, s->model, &o, &run);
    for (int i = 0; status == RB_OK && i < s->count; i++)
        status = read_value(run, &s->parameters[i]);
    rb_run_close(run, NULL);
    return status;
}

// "p,q[1,2]": commas in brackets are those of subscripts.
static RbStatus read_parameters(Sensitivity *s) {
    const char *text = cli_option(s->cli, "sensitivity");
    s->parameters = cli_room(s->cli, (strlen(text) + 1) * sizeof *s->parameters);
    while (*text) {
        const char *end = text;
        for (int depth = 0; *end && (*end != ',' || depth > 0); end++)
            depth += (*end == '[') - (*end == ']');
        s->parameters[s->count++].name = cli_copy(s->cli, text, (size_t)(end - text));
        text = *end ? end + 1 : end;
    }
    if (s->count == 0)
        return cli_fail(s->cli, RB_ERROR_USAGE, NULL,
                        "'--sensitivity' takes names of parameters or of start values, with commas");
    return read_values(s);
}

// ------------------------------------------------------------------------------------------------------
// runs

static int node_of(int neighbour) { // ORDER NODES, without the centre
    return neighbour < CENTRE ? neighbour : neighbour + 1;
}

static const char *journal_name(Sensitivity *s, int run) {
    return cli_printf(s->cli, "%s.run%d.rbj", s->file, run + 1);
}

// Run 0 is at the parameters as they are.
static RbStatus compute(void *user, int run, double *values) {
    Sensitivity *s = user;
    RbSimOptions o = s->options;
    (void)values;
    o.journal_file = journal_name(s, run);
    if (run > 0) {
        const Parameter *p = &s->parameters[(run - 1) / NEIGHBOURS];
        double value = p->value + (node_of((run - 1) % NEIGHBOURS) - CENTRE) * p->step;
        TRY(rb_model_set_text(s->model, p->name, cli_shortest(s->cli, value)));
    }
    return rb_simulate(s->cli->context, s->model, &o, NULL);
}

static int next_run(void *user) {
    Sensitivity *s = user;
    return s->next < s->run_count ? s->next++ : -1;
}

static RbStatus take_run(void *user, const RunRow *row) {
    Sensitivity *s = user;
    if (row->status == 0) return RB_OK;
    const char *name = row->run > 0 ? s->parameters[(row->run - 1) / NEIGHBOURS].name : NULL;
    return cli_fail(s->cli, row->status < RUN_TOO_LONG ? (RbStatus)row->status : RB_ERROR_SOLVER,
                    NULL, "sensitivity%s%s: %s", name ? " by " : "", name ? name : "", row->reason);
}

static void no_progress(void *user) {
    (void)user;
}

// ------------------------------------------------------------------------------------------------------
// grids

// A time that stands twice is an event.
static RbStatus read_grid(Sensitivity *s, int run) {
    Cli *cli = s->cli;
    GridRun *g = &s->runs[run];
    TRY(rb_results_open(cli->context, journal_name(s, run), &g->results));
    g->rows = rb_results_rows(g->results);
    double *t = cli_room(cli, (g->rows + 1) * sizeof *t);
    g->t = cli_room(cli, (g->rows + 1) * sizeof *g->t);
    g->row = cli_room(cli, (g->rows + 1) * sizeof *g->row);
    g->events = cli_room(cli, (g->rows + 1) * sizeof *g->events);
    g->values = cli_room(cli, (g->rows + 1) * sizeof *g->values);
    TRY(rb_results_times(g->results, t));
    int events = 0;
    for (size_t i = 0, next; i < g->rows; i = next) {
        for (next = i + 1; next < g->rows && t[next] == t[i];) next++;
        if (next > i + 1 && i > 0) {
            events++;
            continue;
        }
        g->t[g->count] = t[i], g->row[g->count] = next - 1;
        g->events[g->count++] = events;
    }
    return RB_OK;
}

// The row of another run at the same time, if it has had the same number of events by then.
static bool finds_row(const GridRun *g, double t, int events, size_t *at, double *value) {
    while (*at < g->count && g->t[*at] < t) (*at)++;
    if (*at >= g->count || g->t[*at] != t || g->events[*at] != events) return false;
    *value = g->values[g->row[*at]];
    return !isnan(*value);
}

// Derivative at 0 of the polynomial through the given nodes -2 ... 2, among them 0.
static double derivative(const double *values, const bool *there) {
    double sum = 0;
    for (int i = 0; i < NODES; i++) {
        double weight = 0, below = 1;
        if (!there[i]) continue;
        for (int k = 0; k < NODES; k++)
            if (there[k] && k != i) below *= i - k;
        for (int m = 0; m < NODES; m++) { // of the product of (x - k), without one factor
            double product = 1;
            if (!there[m] || m == i) continue;
            for (int k = 0; k < NODES; k++)
                if (there[k] && k != i && k != m) product *= CENTRE - k;
            weight += product;
        }
        sum += (values[i] - values[CENTRE]) * weight / below; // weights add up to 0
    }
    return sum;
}

static RbStatus differentiate(Sensitivity *s, int parameter, const char *signal, double *out) {
    GridRun *g[NODES], *own = &s->runs[0];
    size_t at[NODES] = {0};
    for (int k = 0; k < NODES; k++) g[k] = own;
    for (int k = 0; k < NEIGHBOURS; k++) {
        GridRun *r = g[node_of(k)] = &s->runs[1 + parameter * NEIGHBOURS + k];
        int variable = rb_results_find(r->results, signal);
        for (size_t i = 0; i < r->rows; i++) r->values[i] = NAN;
        if (variable >= 0) TRY(rb_results_values(r->results, variable, r->values));
    }
    for (size_t i = 0; i < own->count; i++) {
        double values[NODES];
        bool there[NODES];
        int count = 0;
        for (int k = 0; k < NODES; k++)
            count += there[k] = finds_row(g[k], own->t[i], own->events[i], &at[k], &values[k]);
        bool enough = there[CENTRE] && count > 1;
        out[i] = enough ? derivative(values, there) / s->parameters[parameter].step : NAN;
        s->lacking += !enough;
    }
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// the table

static bool varies(const GridRun *g) {
    for (size_t i = 1; i < g->rows; i++)
        if (g->values[i] != g->values[0]) return true;
    return false;
}

typedef struct Column {
    const char *name;
    double *values; // on the grid
} Column;

static RbStatus make_columns(Sensitivity *s, Column *columns, int *count) {
    Cli *cli = s->cli;
    GridRun *own = &s->runs[0];
    size_t size = (own->count + 1) * sizeof(double);
    for (int v = 0; v < rb_results_count(own->results); v++) {
        const char *name = rb_results_name(own->results, v);
        TRY(rb_results_values(own->results, v, own->values));
        if (!varies(own)) continue;
        Column *c = &columns[(*count)++];
        *c = (Column){name, cli_room(cli, size)};
        for (size_t i = 0; i < own->count; i++) c->values[i] = own->values[own->row[i]];
        for (int p = 0; p < s->count; p++) {
            c = &columns[(*count)++];
            *c = (Column){cli_printf(cli, "d(%s)/d(%s)", name, s->parameters[p].name),
                          cli_room(cli, size)};
            TRY(differentiate(s, p, name, c->values));
        }
    }
    return RB_OK;
}

static void put_row(Cli *cli, FILE *file, double t, const Column *columns, int count, size_t row) {
    fputs(cli_shortest(cli, t), file);
    for (int c = 0; c < count; c++)
        if (isnan(columns[c].values[row]))
            fputc(',', file);
        else
            fprintf(file, ",%.17g", columns[c].values[row]);
    fputc('\n', file);
}

static RbStatus write_table(Sensitivity *s, const Column *columns, int count) {
    Cli *cli = s->cli;
    bool mat = ends_with(s->file, ".mat");
    const char *csv = mat ? cli_printf(cli, "%s.part.csv", s->file) : s->file;
    FILE *file = fopen(csv, "w");
    if (!file) return cli_fail(cli, RB_ERROR_IO, csv, "cannot write");
    fputs("time", file);
    for (int c = 0; c < count; c++) fprintf(file, ",\"%s\"", columns[c].name);
    fputc('\n', file);
    const GridRun *own = &s->runs[0];
    for (size_t i = 0; i < own->count; i++) put_row(cli, file, own->t[i], columns, count, i);
    bool good = !ferror(file);
    if (fclose(file) != 0) good = false;
    if (!good) return cli_fail(cli, RB_ERROR_IO, csv, "cannot write");
    RbStatus status = mat ? rb_convert(cli->context, csv, s->file) : RB_OK;
    if (mat) remove(csv);
    return status;
}

static RbStatus make_table(Sensitivity *s) {
    for (int i = 0; i < s->run_count; i++) TRY(read_grid(s, i));
    int most = rb_results_count(s->runs[0].results) * (1 + s->count), count = 0;
    Column *columns = cli_room(s->cli, (size_t)(most + 1) * sizeof *columns);
    TRY(make_columns(s, columns, &count));
    TRY(write_table(s, columns, count));
    if (s->lacking > 0)
        rb_context_tell(
            s->cli->context,
            &(RbMessage){.severity = RB_WARNING,
                         .text = "some sensitivities are missing: there, the runs next to this one "
                                 "have had other events"});
    if (!cli_has(s->cli, "quiet")) fprintf(stderr, "sensitivities: %s\n", s->file);
    return RB_OK;
}

static RbStatus prepare(Sensitivity *s) {
    Cli *cli = s->cli;
    s->options.tolerance = fmin(s->options.tolerance, tolerance);
    s->options.interrupt = NULL, s->options.checkpoint_request = NULL;
    s->options.resume_file = NULL, s->options.checkpoint_file = NULL;
    s->options.checkpoint_interval = 0, s->options.progress = NULL;
    if (!(s->options.output_interval > 0))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "sensitivities are computed at output points; give an '--output-interval' "
                        "above 0");
    s->file = cli_option(cli, "sensitivity-file");
    if (!s->file) s->file = cli_printf(cli, "%s_sensitivity.csv", rb_model_info(s->model).name);
    if (!ends_with(s->file, ".csv") && !ends_with(s->file, ".mat"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "sensitivities go to a .csv or .mat file, not to '%s'", s->file);
    TRY(read_parameters(s));
    s->run_count = 1 + NEIGHBOURS * s->count;
    s->runs = cli_room(cli, (size_t)s->run_count * sizeof *s->runs);
    return RB_OK;
}

RbStatus sensitivity_run(Cli *cli, RbModel *model, const RbSimOptions *options) {
    Sensitivity s = {.cli = cli, .model = model, .options = *options};
    Pool pool = {.interrupt = &cli_interrupted, .compute = compute, .next = next_run};
    pool.take = take_run, pool.idle = no_progress, pool.user = &s;
    TRY(prepare(&s));
    TRY(pool_read(cli, &pool));
    RbStatus status = pool_run(cli, &pool);
    if (status == RB_OK) status = make_table(&s);
    for (int i = 0; i < s.run_count; i++) remove(journal_name(&s, i));
    return status;
}
