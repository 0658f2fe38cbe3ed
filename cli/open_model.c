// SPDX-License-Identifier: MIT
#include "open_model.h"

#include <stdlib.h>
#include <string.h>

#include "model/example.h"

static RbStatus apply_override(Cli *cli, RbModel *model, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--override %s' is not of the form NAME=VALUE", text);
    }
    char *end;
    double value = strtod(equals + 1, &end);
    if (end == equals + 1 || *end) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE, "'--override %s': '%s' is not a number", text,
                       equals + 1);
    }
    const char *path = rb_arena_bytes(&cli->arena, text, (size_t)(equals - text));
    return rb_model_override(model, path, value, &cli->diag);
}

RbStatus open_model(Cli *cli, const char *name, RbModel **model) {
    RB_TRY(rb_example_build(name, &cli->arena, &cli->diag, model));
    for (int i = 0; i < cli->given.count; i++) {
        const Given *g = &cli->given.data[i];
        if (strcmp(cli->command->options[g->option].name, "override") != 0) continue;
        RB_TRY(apply_override(cli, *model, g->value));
    }
    return RB_OK;
}
