// SPDX-License-Identifier: MIT
#include <string.h>

#include "cli.h"
#include "export/plot_svg.h"
#include "io/result_file.h"

static RbStatus find_variable(Cli *cli, const RbResult *r, const char *name, int *index) {
    *index = rb_result_find(r, name);
    if (*index >= 0) return RB_OK;
    const char *near = NULL;
    int best = 4;
    for (int i = 0; i < r->variables.count; i++) {
        int distance = rb_text_edit_distance(name, r->variables.data[i].name, 3);
        if (distance < best) {
            best = distance;
            near = r->variables.data[i].name;
        }
    }
    return rb_fail(&cli->diag, RB_ERROR_USAGE, rb_in_file(r->file), "there is no variable '%s'%s%s%s", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

RbStatus run_plot(Cli *cli) {
    const char *path = cli->arguments.data[0], *output = cli_option(cli, "output-file");
    int count = cli->arguments.count - 1;
    int *variables = rb_new_array(&cli->arena, int, count);
    RbResult *result;
    RB_TRY(rb_result_read(path, RB_JOURNAL_STREAM, &cli->arena, cli->scratch, &cli->diag, &result));
    for (int i = 0; i < count; i++) RB_TRY(find_variable(cli, result, cli->arguments.data[i + 1], &variables[i]));
    RbPlotOptions options = rb_plot_options();
    options.title = cli_option(cli, "title");
    if (!output) output = rb_arena_printf(&cli->arena, "%.*s.svg", (int)(strlen(path) - strlen(strrchr(path, '.'))), path);
    return rb_plot_svg_file(output, result, variables, count, options, &cli->arena, cli->scratch, &cli->diag);
}
