// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "base/file.h"
#include "cli.h"
#include "export/report.h"
#include "io/result_file.h"

RbStatus run_report(Cli *cli) {
    const char *path = cli->arguments.data[0], *output = cli_option(cli, "output-file");
    RbReportOptions options = {.title = cli_option(cli, "title"),
                               .model_name = cli_option(cli, "model"),
                               .plots = cli->arguments.data + 1,
                               .plot_count = cli->arguments.count - 1};
    RbResult *result;
    RB_TRY(rb_result_read(path, RB_JOURNAL_LOAD, &cli->arena, cli->scratch, &cli->diag, &result));
    if (options.model_name) {
        RbBytes text;
        RB_TRY(rb_file_read(options.model_name, 0, &cli->arena, &cli->diag, &text));
        options.model_text = rb_arena_bytes(&cli->arena, (const char *)text.data, text.size);
    }
    if (!output) output = cli_with_ending(cli, path, ".html");
    RB_TRY(rb_report_write(output, result, &options, &cli->arena, cli->scratch, &cli->diag));
    if (strcmp(output, "-") != 0) fprintf(stderr, "%s\n", output);
    return RB_OK;
}
