// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "cli.h"

RbStatus run_plot(Cli *cli) {
    const char *path = cli->arguments[0], *output = cli_option(cli, "output-file");
    RbPlot plot = rb_plot_default();
    plot.variables = cli->arguments + 1;
    plot.variable_count = cli->argument_count - 1;
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
    if (!output) output = cli_with_ending(cli, path, ".svg");
    return rb_plot_write(cli->context, path, &plot, output);
}
