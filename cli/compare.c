// SPDX-License-Identifier: MIT
#include <stdio.h>

#include "cli.h"

RbStatus run_compare(Cli *cli) {
    RbCompareOptions options = rb_compare_options_default();
    TRY(cli_number(cli, "tolerance", &options.value_tol));
    if (!(options.value_tol > 0))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "the tolerance of a comparison must be positive");
    options.time_tol = options.value_tol;
    options.variable_filter = cli_option(cli, "variable-filter");
    RbResults *results, *reference;
    const RbComparison *comparison;
    const char *table;
    TRY(rb_results_open(cli->context, cli->arguments[0], &results));
    TRY(rb_results_open(cli->context, cli->arguments[1], &reference));
    TRY(rb_results_compare(results, reference, &options, &comparison));
    TRY(rb_comparison_text(cli->context, comparison, cli_has(cli, "all"), &table));
    fputs(table, stdout);
    return comparison->inside ? RB_OK : RB_ERROR_MODEL;
}
