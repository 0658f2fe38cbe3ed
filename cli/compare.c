// SPDX-License-Identifier: MIT
#include "io/compare.h"

#include <stdio.h>

#include "cli.h"
#include "io/filter.h"
#include "io/result_file.h"

// Not every format keeps parameters (CSV does not): those that only the reference has are left out.
static RbResult *without_missing_parameters(Cli *cli, const RbResult *reference,
                                            const RbResult *test) {
    bool *keep = rb_new_array(&cli->arena, bool, reference->variables.count);
    for (int i = 0; i < reference->variables.count; i++) {
        const RbResultVariable *v = &reference->variables.data[i];
        keep[i] = !v->parameter || rb_result_find(test, v->name) >= 0;
    }
    return rb_result_select(reference, keep, &cli->arena, cli->scratch);
}

RbStatus run_compare(Cli *cli) {
    RbCompareOptions options = rb_compare_options();
    RB_TRY(cli_number(cli, "tolerance", &options.value_tol));
    if (!(options.value_tol > 0)) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "the tolerance of a comparison must be positive");
    }
    options.time_tol = options.value_tol;
    RbFilter *filter;
    RbResult *test, *reference;
    RbComparison *comparison;
    RB_TRY(rb_filter_compile(cli_option(cli, "variable-filter"), &cli->arena, &cli->diag, &filter));
    RB_TRY(rb_result_read(cli->arguments.data[0], RB_JOURNAL_LOAD, &cli->arena, cli->scratch,
                          &cli->diag, &test));
    RB_TRY(rb_result_read(cli->arguments.data[1], RB_JOURNAL_LOAD, &cli->arena, cli->scratch,
                          &cli->diag, &reference));
    if (cli_has(cli, "variable-filter")) {
        reference = rb_filter_select(filter, reference, &cli->arena, cli->scratch, &cli->diag);
    }
    reference = without_missing_parameters(cli, reference, test);
    RB_TRY(
        rb_compare(reference, test, options, &cli->arena, cli->scratch, &cli->diag, &comparison));
    RbText table = rb_text(&cli->arena);
    rb_compare_print(comparison, cli_has(cli, "all"), &table);
    fputs(table.data, stdout);
    return comparison->inside ? RB_OK : RB_ERROR_MODEL;
}
