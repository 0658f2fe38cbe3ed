// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "table_plot.h"

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// A CSV file whose first column is "run": what sweep and optimize write.
static bool is_table(const char *path) {
    char start[5] = "";
    FILE *file = ends_with(path, ".csv") ? fopen(path, "r") : NULL;
    if (!file) return false;
    bool is = fgets(start, sizeof start, file) && strcmp(start, "run,") == 0;
    fclose(file);
    return is;
}

static RbStatus plot_folder(Cli *cli, const char *output) {
    const char **files;
    int count;
    RbDiagram diagram;
    TRY(results_in(cli, cli->arguments[0], &files, &count));
    if (cli->argument_count < 2)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "name the variables to draw");
    TRY(results_envelope(cli, files, count, cli->arguments + 1, cli->argument_count - 1,
                         cli_has(cli, "each"), &diagram));
    diagram.title = cli_option(cli, "title");
    diagram.dark = cli_has(cli, "dark");
    return rb_diagram_write(cli->context, &diagram, output);
}

static RbStatus find_column(Cli *cli, const Table *t, const char *name, int *column) {
    *column = table_find(t, name);
    if (*column >= 0) return RB_OK;
    return cli_fail(cli, RB_ERROR_USAGE, t->file, "there is no column '%s'%s", name,
                    cli_question(cli, name, "", t->names, t->columns));
}

// Of all columns, or of those that were named, by the first parameter unless it was said otherwise.
static RbStatus plot_places(Cli *cli, const Table *t, int *columns, int by, RbDiagram *diagram) {
    int *places = cli_room(cli, (size_t)(t->columns + 1) * sizeof *places), kept = 0;
    int found = table_places(cli, t, places);
    for (int i = 0; i < found; i++) {
        bool named = cli->argument_count < 2;
        for (int k = 0; k + 1 < cli->argument_count; k++) named |= columns[k] == places[i];
        if (named) places[kept++] = places[i];
    }
    if (kept == 0)
        return cli_fail(
            cli, RB_ERROR_USAGE, t->file,
            "a map needs columns with places: a name that ends in [1] and the same with [2]");
    return table_map(cli, t, places, kept, by >= 0 ? by : 1, diagram);
}

static RbStatus plot_table(Cli *cli, const char *output) {
    enum { MOST_SIDES = 12 };
    Table t;
    RbDiagram diagram = {0};
    int count = 0, by = -1;
    TRY(table_read(cli, cli->arguments[0], &t));
    int *columns = cli_room(cli, (size_t)(t.columns + cli->argument_count) * sizeof *columns);
    for (int i = 1; i < cli->argument_count; i++)
        TRY(find_column(cli, &t, cli->arguments[i], &columns[count++]));
    if (cli_has(cli, "by")) TRY(find_column(cli, &t, cli_option(cli, "by"), &by));
    if (count == 0) count = table_number_columns(cli, &t, columns);
    if (cli_has(cli, "matrix") && count > MOST_SIDES)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "a matrix of %d columns cannot be read; name at most %d", count,
                        MOST_SIDES);
    if (cli_has(cli, "map"))
        TRY(plot_places(cli, &t, columns, by, &diagram));
    else if (cli_has(cli, "matrix"))
        TRY(table_matrix(cli, &t, columns, count, &diagram));
    else if (cli_has(cli, "histogram"))
        TRY(table_histograms(cli, &t, columns, count, &diagram));
    else if (count < 2)
        return cli_fail(
            cli, RB_ERROR_USAGE, NULL,
            "a plot of a table needs two columns or more: the others are drawn over the "
            "first; or '--histogram', '--matrix'");
    else
        TRY(table_curves(cli, &t, columns[0], by, columns + 1, count - 1, &diagram));
    if (cli_has(cli, "title")) diagram.title = cli_option(cli, "title");
    diagram.dark = cli_has(cli, "dark");
    return rb_diagram_write(cli->context, &diagram, output);
}

static bool is_result(const char *name) {
    struct stat info;
    bool ends = ends_with(name, ".rbj") || ends_with(name, ".mat") || ends_with(name, ".csv");
    return ends && stat(name, &info) == 0;
}

static RbStatus plot_result(Cli *cli, const char *output) {
    const char *path = cli->arguments[0];
    RbPlot plot = rb_plot_default();
    plot.others = cli->arguments + 1;
    while (plot.other_count + 1 < cli->argument_count && is_result(plot.others[plot.other_count]))
        plot.other_count++;
    plot.variables = plot.others + plot.other_count;
    plot.variable_count = cli->argument_count - 1 - plot.other_count;
    if (plot.variable_count == 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "name the variables to draw");
    plot.dark = cli_has(cli, "dark");
    plot.events = cli_has(cli, "events");
    plot.title = cli_option(cli, "title");
    plot.phase = cli_has(cli, "phase");
    plot.compare_with = cli_option(cli, "compare");
    TRY(cli_number(cli, "start-time", &plot.start_time));
    TRY(cli_number(cli, "stop-time", &plot.stop_time));
    if (cli_has(cli, "preview")) {
        const char *text;
        TRY(rb_plot_letters(cli->context, path, &plot, &text));
        fputs(text, stdout);
        return RB_OK;
    }
    return rb_plot_write(cli->context, path, &plot, output);
}

RbStatus run_plot(Cli *cli) {
    const char *path = cli->arguments[0], *output = cli_option(cli, "output-file");
    if (!output) output = cli_with_ending(cli, path, ".svg");
    if (is_folder(path)) return plot_folder(cli, output);
    return is_table(path) ? plot_table(cli, output) : plot_result(cli, output);
}
