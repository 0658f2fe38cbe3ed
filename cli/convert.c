// SPDX-License-Identifier: MIT
#include <math.h>

#include "cli.h"
#include "export/export.h"
#include "io/filter.h"
#include "io/result_file.h"

RbStatus run_convert(Cli *cli) {
    const char *from = cli->arguments.data[0], *to = cli->arguments.data[1];
    double time = NAN;
    RbFilter *filter;
    RbResult *result;
    RB_TRY(cli_number(cli, "time", &time));
    RB_TRY(rb_filter_compile(cli_option(cli, "variable-filter"), &cli->arena, &cli->diag, &filter));
    RB_TRY(rb_result_read(from, RB_JOURNAL_STREAM, &cli->arena, cli->scratch, &cli->diag, &result));
    if (rb_export_can_write(to)) return rb_export_write(to, result, time, &cli->arena, &cli->diag);
    if (cli_has(cli, "variable-filter")) {
        result = rb_filter_select(filter, result, &cli->arena, cli->scratch, &cli->diag);
    }
    return rb_result_write(to, result, &cli->arena, cli->scratch, &cli->diag);
}
