// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "open_model.h"

static RbStatus dump_system(Cli *cli, const char **text) {
    RbModel *model;
    TRY(open_model(cli, &model));
    return rb_model_system(model, text);
}

static bool has_stage(const char *stage) {
    static const char *const stages[] = {"ast", "inst", "flat", "sorted", "c"};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        if (strcmp(stage, stages[i]) == 0) return true;
    }
    return false;
}

RbStatus run_dump(Cli *cli) {
    const char *stage = cli_option(cli, "stage"), *text;
    RbModelica source;
    if (!stage || strcmp(stage, "system") == 0) {
        TRY(dump_system(cli, &text));
    } else if (has_stage(stage)) {
        TRY(modelica_source(cli, &source));
        TRY(rb_modelica_dump(cli->context, &source, stage, &text));
    } else {
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "there is no stage '%s'; there are: ast, inst, flat, sorted, c, system",
                        stage);
    }
    fputs(text, stdout);
    return RB_OK;
}
