// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "cli.h"

RbStatus run_report(Cli *cli) {
    const char *path = cli->arguments[0], *output = cli_option(cli, "output-file");
    RbViewOptions options = {.title = cli_option(cli, "title"),
                             .model_file = cli_option(cli, "model"),
                             .plots = cli->arguments + 1,
                             .plot_count = cli->argument_count - 1};
    if (!output) output = cli_with_ending(cli, path, "-report.html");
    TRY(rb_report(cli->context, path, output, &options));
    if (!cli_is_standard(output)) fprintf(stderr, "%s\n", output);
    return RB_OK;
}
