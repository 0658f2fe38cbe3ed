// SPDX-License-Identifier: MIT
#include "cli.h"
#include "export/plot_svg.h"
#include "io/result_file.h"

static RbStatus find_variable(Cli *cli, const RbResult *r, const char *name, int *index) {
    *index = rb_result_find(r, name);
    if (*index >= 0) return RB_OK;
    RbNear near = {.wanted = name};
    for (int i = 0; i < r->variables.count; i++) rb_text_try_near(&near, r->variables.data[i].name);
    return rb_fail(&cli->diag, RB_ERROR_USAGE, rb_in_file(r->file), "there is no variable '%s'%s",
                   name, rb_text_near_question(&near, "", &cli->arena));
}

RbStatus run_plot(Cli *cli) {
    const char *path = cli->arguments.data[0], *output = cli_option(cli, "output-file");
    int count = cli->arguments.count - 1;
    int *variables = rb_new_array(&cli->arena, int, count);
    RbResult *result;
    RB_TRY(rb_result_read(path, RB_JOURNAL_STREAM, &cli->arena, cli->scratch, &cli->diag, &result));
    for (int i = 0; i < count; i++)
        RB_TRY(find_variable(cli, result, cli->arguments.data[i + 1], &variables[i]));
    RbPlotOptions options = rb_plot_options();
    options.title = cli_option(cli, "title");
    RB_TRY(cli_number(cli, "start-time", &options.start_time));
    RB_TRY(cli_number(cli, "stop-time", &options.end_time));
    if (!output) output = cli_with_ending(cli, path, ".svg");
    return rb_plot_svg_file(output, result, variables, count, options, &cli->arena, cli->scratch,
                            &cli->diag);
}
