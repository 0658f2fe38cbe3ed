// SPDX-License-Identifier: MIT
#include "table_plot.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A column of the runs that are good: numbers, or texts as 0, 1, ... in the order in which they come.
typedef struct Column {
    double *values;
    const char **names; // of texts; NULL: numbers
    int name_count;
} Column;

typedef struct Picked {
    const Table *table;
    int *rows, count;
} Picked;

static Picked pick_rows(Cli *cli, const Table *t) {
    Picked p = {t, cli_room(cli, (size_t)(t->rows + 1) * sizeof *p.rows), 0};
    int status = table_find(t, "status");
    for (int i = 0; i < t->rows; i++)
        if (status < 0 || atof(table_cell(t, i, status)) == 0) p.rows[p.count++] = i;
    return p;
}

static int number_of(Column *c, const char *text) {
    for (int i = 0; i < c->name_count; i++)
        if (strcmp(c->names[i], text) == 0) return i;
    c->names[c->name_count] = text;
    return c->name_count++;
}

static Column read_column(Cli *cli, const Picked *p, int column) {
    const Table *t = p->table;
    size_t size = (size_t)t->rows + 1;
    Column c = {.values = cli_room(cli, size * sizeof(double))};
    double *all = cli_room(cli, size * sizeof *all);
    if (table_numbers(t, column, all)) {
        for (int i = 0; i < p->count; i++) c.values[i] = all[p->rows[i]];
        return c;
    }
    c.names = cli_room(cli, size * sizeof *c.names);
    for (int i = 0; i < p->count; i++)
        c.values[i] = number_of(&c, table_cell(t, p->rows[i], column));
    return c;
}

static RbStatus check_rows(Cli *cli, const Picked *p) {
    return p->count > 0 ? RB_OK
                        : cli_fail(cli, RB_ERROR_USAGE, p->table->file, "no run in it is complete");
}

int table_number_columns(Cli *cli, const Table *t, int *columns) {
    double *values = cli_room(cli, (size_t)(t->rows + 1) * sizeof *values);
    int count = 0;
    for (int i = 0; i < t->columns; i++) {
        if (strcmp(t->names[i], "run") == 0 || strcmp(t->names[i], "status") == 0) continue;
        if (table_numbers(t, i, values)) columns[count++] = i;
    }
    return count;
}

// ------------------------------------------------------------------------------------------------------
// columns over a column

typedef struct Point {
    double x, y, group;
} Point;

static int compare_points(const void *a, const void *b) {
    const Point *p = a, *q = b;
    if (p->group != q->group) return p->group < q->group ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

// One curve for each value of the column `by`: a line if no x comes twice in it, and its points.
static int add_groups(Cli *cli, Point *points, int count, const Column *by,
                      RbDiagramCurve *curves) {
    int made = 0, group = 0;
    double *x = cli_room(cli, (size_t)(count + 1) * sizeof *x),
           *y = cli_room(cli, (size_t)(count + 1) * sizeof *y);
    qsort(points, (size_t)count, sizeof *points, compare_points);
    for (int i = 0; i < count; i++) x[i] = points[i].x, y[i] = points[i].y;
    for (int from = 0, to; from < count; from = to, group++) {
        bool single = true;
        for (to = from + 1; to < count && points[to].group == points[from].group; to++)
            single &= x[to] != x[to - 1];
        const char *name = NULL;
        if (by)
            name = by->names ? by->names[(int)points[from].group]
                             : cli_shortest(cli, points[from].group);
        RbDiagramCurve c = {.name = name, .x = x + from, .y = y + from, .colour = group};
        c.count = (size_t)(to - from), c.mark = RB_MARK_POINTS;
        curves[made++] = c;
        c.mark = RB_MARK_LINE, c.name = NULL;
        if (single && c.count > 1) curves[made++] = c;
    }
    return made;
}

RbStatus table_curves(Cli *cli, const Table *t, int over, int by, const int *columns, int count,
                      RbDiagram *diagram) {
    Picked p = pick_rows(cli, t);
    TRY(check_rows(cli, &p));
    Column x = read_column(cli, &p, over), group = {0};
    if (by >= 0) group = read_column(cli, &p, by);
    RbDiagramPanel *panels = cli_room(cli, (size_t)count * sizeof *panels);
    for (int k = 0; k < count; k++) {
        Column y = read_column(cli, &p, columns[k]);
        Point *points = cli_room(cli, (size_t)p.count * sizeof *points);
        RbDiagramCurve *curves = cli_room(cli, 2 * (size_t)p.count * sizeof *curves);
        for (int i = 0; i < p.count; i++)
            points[i] = (Point){x.values[i], y.values[i], by >= 0 ? group.values[i] : 0};
        panels[k] = (RbDiagramPanel){.x_label = t->names[over], .y_label = t->names[columns[k]]};
        panels[k].x_names = x.names, panels[k].x_name_count = x.name_count;
        if (by >= 0) panels[k].title = t->names[by];
        panels[k].curves = curves;
        panels[k].curve_count = add_groups(cli, points, p.count, by >= 0 ? &group : NULL, curves);
    }
    *diagram = (RbDiagram){.panels = panels, .panel_count = count};
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// places in a plane

// The column of the other coordinate of "body.r[1]"; -1: it is none, or there is no other.
static int partner_of(Cli *cli, const Table *t, int column) {
    const char *name = t->names[column];
    size_t length = strlen(name);
    if (length < 4 || strcmp(name + length - 3, "[1]") != 0) return -1;
    return table_find(t, cli_printf(cli, "%.*s[2]", (int)(length - 3), name));
}

int table_places(Cli *cli, const Table *t, int *columns) {
    int count = 0;
    double *values = cli_room(cli, (size_t)(t->rows + 1) * sizeof *values);
    for (int i = 0; i < t->columns; i++) {
        int other = partner_of(cli, t, i);
        if (other >= 0 && table_numbers(t, i, values) && table_numbers(t, other, values))
            columns[count++] = i;
    }
    return count;
}

static void extend(double range[2], const double *values, int count) {
    for (int i = 0; i < count; i++) {
        range[0] = fmin(range[0], values[i]); // NaN is ignored
        range[1] = fmax(range[1], values[i]);
    }
}

// The rectangle that holds all places: each panel draws it, so that all have the same scale.
static RbDiagramCurve outline(Cli *cli, const double x[2], const double y[2]) {
    double *px = cli_room(cli, 5 * sizeof *px), *py = cli_room(cli, 5 * sizeof *py);
    static const int corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    for (int i = 0; i < 5; i++) px[i] = x[corner[i][0]], py[i] = y[corner[i][1]];
    return (RbDiagramCurve){.x = px, .y = py, .count = 5, .colour = 3, .dashed = true};
}

// The name of a body: "ball[3]" of "ball[3].r_0[1]".
static const char *body_of(Cli *cli, const char *column) {
    const char *dot = strrchr(column, '.');
    return dot ? cli_copy(cli, column, (size_t)(dot - column)) : column;
}

static double *shades_of(Cli *cli, const Picked *p, int by, double range[2]) {
    Column c = read_column(cli, p, by);
    range[0] = INFINITY, range[1] = -INFINITY;
    extend(range, c.values, p->count);
    for (int i = 0; i < p->count; i++)
        c.values[i] = range[1] > range[0] ? (c.values[i] - range[0]) / (range[1] - range[0]) : 0.5;
    return c.values;
}

RbStatus table_map(Cli *cli, const Table *t, const int *columns, int count, int by,
                   RbDiagram *diagram) {
    Picked p = pick_rows(cli, t);
    TRY(check_rows(cli, &p));
    double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY}, range[2];
    double *shades = shades_of(cli, &p, by, range);
    RbDiagramCurve *curves = cli_room(cli, 2 * (size_t)count * sizeof *curves);
    RbDiagramPanel *panels = cli_room(cli, (size_t)count * sizeof *panels);
    for (int k = 0; k < count; k++) {
        Column across = read_column(cli, &p, columns[k]),
               up = read_column(cli, &p, partner_of(cli, t, columns[k]));
        extend(x, across.values, p.count);
        extend(y, up.values, p.count);
        curves[2 * k + 1] = (RbDiagramCurve){.x = across.values,
                                             .y = up.values,
                                             .count = (size_t)p.count,
                                             .mark = RB_MARK_POINTS,
                                             .shade = shades};
        panels[k] = (RbDiagramPanel){.title = body_of(cli, t->names[columns[k]]),
                                     .same_scale = true,
                                     .curves = curves + 2 * k,
                                     .curve_count = 2};
    }
    for (int k = 0; k < count; k++) curves[2 * k] = outline(cli, x, y);
    double shape = (y[1] - y[0]) / fmax(x[1] - x[0], 1e-300);
    *diagram =
        (RbDiagram){.panels = panels, .panel_count = count, .columns = count < 4 ? count : 4};
    diagram->width = count == 1 ? 720 : 330;
    diagram->height = 80 + (int)((diagram->width - 86) * fmin(1.5, fmax(0.3, shape)));
    diagram->title =
        cli_printf(cli, "Places at the end; colour: %s from %s (blue) to %s (red)", t->names[by],
                   cli_shortest(cli, range[0]), cli_shortest(cli, range[1]));
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// histograms and all against all

static RbDiagramCurve *histogram(Cli *cli, const double *values, int count) {
    enum { MOST_BINS = 40 };
    double low = INFINITY, high = -INFINITY;
    int finite = 0;
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        low = fmin(low, values[i]), high = fmax(high, values[i]);
        finite++;
    }
    int bins = high > low ? (int)ceil(sqrt(finite)) : 1;
    if (bins > MOST_BINS) bins = MOST_BINS;
    if (bins < 1) bins = 1;
    double *x = cli_room(cli, (size_t)bins * sizeof *x),
           *y = cli_room(cli, (size_t)bins * sizeof *y);
    double width = high > low ? (high - low) / bins : 1;
    for (int i = 0; i < bins; i++) x[i] = high > low ? low + (i + 0.5) * width : low;
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        int bin = high > low ? (int)((values[i] - low) / width) : 0;
        y[bin < bins ? bin : bins - 1]++;
    }
    RbDiagramCurve *c = cli_room(cli, sizeof *c);
    *c = (RbDiagramCurve){
        .x = x, .y = y, .count = finite > 0 ? (size_t)bins : 0, .mark = RB_MARK_BARS};
    return c;
}

static RbDiagramPanel histogram_panel(Cli *cli, const Picked *p, int column) {
    Column c = read_column(cli, p, column);
    RbDiagramPanel panel = {.x_label = p->table->names[column], .y_label = "runs"};
    panel.x_names = c.names, panel.x_name_count = c.name_count;
    panel.curves = histogram(cli, c.values, p->count), panel.curve_count = 1;
    return panel;
}

RbStatus table_histograms(Cli *cli, const Table *t, const int *columns, int count,
                          RbDiagram *diagram) {
    Picked p = pick_rows(cli, t);
    TRY(check_rows(cli, &p));
    RbDiagramPanel *panels = cli_room(cli, (size_t)count * sizeof *panels);
    for (int k = 0; k < count; k++) panels[k] = histogram_panel(cli, &p, columns[k]);
    *diagram = (RbDiagram){.panels = panels, .panel_count = count, .width = 420, .height = 260};
    diagram->columns = count < 3 ? count : 3;
    return RB_OK;
}

RbStatus table_matrix(Cli *cli, const Table *t, const int *columns, int count, RbDiagram *diagram) {
    Picked p = pick_rows(cli, t);
    TRY(check_rows(cli, &p));
    Column *all = cli_room(cli, (size_t)count * sizeof *all);
    RbDiagramPanel *panels = cli_room(cli, (size_t)(count * count) * sizeof *panels);
    RbDiagramCurve *curves = cli_room(cli, (size_t)(count * count) * sizeof *curves);
    for (int k = 0; k < count; k++) all[k] = read_column(cli, &p, columns[k]);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            RbDiagramPanel *panel = &panels[i * count + j];
            RbDiagramCurve *c = &curves[i * count + j];
            *c = (RbDiagramCurve){.x = all[j].values, .y = all[i].values, .mark = RB_MARK_POINTS};
            c->count = (size_t)p.count;
            *panel =
                (RbDiagramPanel){.x_label = t->names[columns[j]], .y_label = t->names[columns[i]]};
            panel->x_names = all[j].names, panel->x_name_count = all[j].name_count;
            panel->curves = c, panel->curve_count = 1;
            if (i == j) *panel = histogram_panel(cli, &p, columns[i]);
        }
    int size = count > 4 ? 200 : 280;
    *diagram = (RbDiagram){.panels = panels, .panel_count = count * count, .columns = count};
    diagram->width = size + 40, diagram->height = size;
    return RB_OK;
}

// ------------------------------------------------------------------------------------------------------
// envelopes

enum { TIMES = 400 };

static double value_at(const double *t, const double *x, size_t rows, double time) {
    size_t low = 0, high = rows - 1;
    if (rows == 0 || time < t[0] || time > t[rows - 1]) return NAN;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (t[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    if (high == low || t[high] == t[low]) return x[high];
    return x[low] + (x[high] - x[low]) * (time - t[low]) / (t[high] - t[low]);
}

static int compare_numbers(const void *a, const void *b) {
    const double *p = a, *q = b;
    return (*p > *q) - (*p < *q);
}

static double quantile(const double *sorted, int count, double part) {
    double at = part * (count - 1);
    int low = (int)floor(at), high = low + 1 < count ? low + 1 : low;
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

typedef struct Bundle {
    RbResults **results;
    int count;
    double *times; // TIMES of them
} Bundle;

static RbStatus open_bundle(Cli *cli, const char *const *files, int count, Bundle *b) {
    double first = INFINITY, last = -INFINITY;
    b->results = cli_room(cli, (size_t)count * sizeof(RbResults *));
    b->times = cli_room(cli, TIMES * sizeof *b->times);
    for (int i = 0; i < count; i++) {
        TRY(rb_results_open(cli->context, files[i], &b->results[b->count]));
        size_t rows = rb_results_rows(b->results[b->count]);
        if (rows == 0) continue;
        double *t = cli_room(cli, rows * sizeof *t);
        TRY(rb_results_times(b->results[b->count++], t));
        first = fmin(first, t[0]), last = fmax(last, t[rows - 1]);
    }
    for (int i = 0; i < TIMES; i++) b->times[i] = first + (last - first) * i / (TIMES - 1);
    return RB_OK;
}

// values[result][time]
static RbStatus sample(Cli *cli, const Bundle *b, const char *signal, double **values, int *count) {
    *count = 0;
    for (int k = 0; k < b->count; k++) {
        int variable = rb_results_find(b->results[k], signal);
        size_t rows = rb_results_rows(b->results[k]);
        if (variable < 0) continue;
        double *t = cli_room(cli, rows * sizeof *t), *x = cli_room(cli, rows * sizeof *x);
        double *v = values[(*count)++] = cli_room(cli, TIMES * sizeof *v);
        TRY(rb_results_times(b->results[k], t));
        TRY(rb_results_values(b->results[k], variable, x));
        for (int i = 0; i < TIMES; i++) v[i] = value_at(t, x, rows, b->times[i]);
    }
    return RB_OK;
}

static void make_bands(Cli *cli, double **values, int count, double **bands) {
    static const double parts[] = {0, 0.05, 0.5, 0.95, 1};
    double *sorted = cli_room(cli, (size_t)(count + 1) * sizeof *sorted);
    for (int i = 0; i < TIMES; i++) {
        int n = 0;
        for (int k = 0; k < count; k++)
            if (isfinite(values[k][i])) sorted[n++] = values[k][i];
        qsort(sorted, (size_t)n, sizeof *sorted, compare_numbers);
        for (int q = 0; q < 5; q++) bands[q][i] = n > 0 ? quantile(sorted, n, parts[q]) : NAN;
    }
}

static RbStatus envelope_panel(Cli *cli, const Bundle *b, const char *signal, bool each,
                               RbDiagramPanel *panel) {
    double **values = cli_room(cli, (size_t)(b->count + 1) * sizeof *values), *bands[5];
    int count, made = 0;
    TRY(sample(cli, b, signal, values, &count));
    if (count == 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "no result has a variable '%s'", signal);
    RbDiagramCurve *c = cli_room(cli, (size_t)(count + 3) * sizeof *c);
    if (each) {
        for (int k = 0; k < count; k++)
            c[made++] =
                (RbDiagramCurve){.x = b->times, .y = values[k], .count = TIMES, .colour = k};
    } else {
        for (int q = 0; q < 5; q++) bands[q] = cli_room(cli, TIMES * sizeof(double));
        make_bands(cli, values, count, bands);
        c[made++] =
            (RbDiagramCurve){"all", b->times, bands[0], bands[4], TIMES, RB_MARK_BAND, 0, false};
        c[made++] =
            (RbDiagramCurve){"90 %", b->times, bands[1], bands[3], TIMES, RB_MARK_BAND, 0, false};
        c[made++] =
            (RbDiagramCurve){.name = "median", .x = b->times, .y = bands[2], .count = TIMES};
    }
    *panel = (RbDiagramPanel){.x_label = "time [s]", .y_label = signal, .curves = c};
    panel->curve_count = made;
    return RB_OK;
}

RbStatus results_envelope(Cli *cli, const char *const *files, int file_count,
                          const char *const *signals, int count, bool each, RbDiagram *diagram) {
    Bundle b = {0};
    RbDiagramPanel *panels = cli_room(cli, (size_t)count * sizeof *panels);
    TRY(open_bundle(cli, files, file_count, &b));
    for (int i = 0; i < count; i++) TRY(envelope_panel(cli, &b, signals[i], each, &panels[i]));
    *diagram = (RbDiagram){.panels = panels, .panel_count = count};
    return RB_OK;
}

static int compare_names(const void *a, const void *b) {
    const char *const *p = a, *const *q = b;
    long m = strtol(*p, NULL, 10), n = strtol(*q, NULL, 10);
    return m != n ? (m > n) - (m < n) : strcmp(*p, *q);
}

RbStatus results_in(Cli *cli, const char *folder, const char ***files, int *count) {
    DIR *dir = opendir(folder);
    int room = 0;
    const char **names = NULL;
    *count = 0;
    if (!dir) return cli_fail(cli, RB_ERROR_IO, folder, "cannot read: %s", strerror(errno));
    for (struct dirent *e; (e = readdir(dir));) {
        if (!ends_with(e->d_name, ".rbj")) continue;
        if (*count == room) {
            const char **more = cli_room(cli, (size_t)(2 * room + 64) * sizeof *more);
            for (int i = 0; i < *count; i++) more[i] = names[i];
            names = more, room = 2 * room + 64;
        }
        names[(*count)++] = cli_copy(cli, e->d_name, strlen(e->d_name));
    }
    closedir(dir);
    if (*count == 0)
        return cli_fail(cli, RB_ERROR_USAGE, folder,
                        "no results (.rbj) in it; `rattleback sweep --results %s` keeps them",
                        folder);
    qsort(names, (size_t)*count, sizeof *names, compare_names);
    for (int i = 0; i < *count; i++) names[i] = cli_printf(cli, "%s/%s", folder, names[i]);
    *files = names;
    return RB_OK;
}
