// SPDX-License-Identifier: MIT
#include "open_model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/example.h"
#include "scenes.h"

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

// A component type makes a model with one component, called like its type with a small first letter.
static RbStatus open_component(Cli *cli, const RbComponentType *type, RbModel **model) {
    char *name = rb_arena_text(&cli->arena, type->name);
    name[0] = (char)tolower((unsigned char)name[0]);
    *model = rb_model_new(type->name, type->description ? type->description : "", &cli->arena);
    return rb_model_add(*model, type, name, &cli->diag, NULL);
}

static RbStatus open_named(Cli *cli, const char *name, RbModel **model) {
    for (int i = 0; i < cli->registry.types.count; i++) {
        const RbComponentType *type = cli->registry.types.data[i];
        if (strcmp(type->name, name) == 0) return open_component(cli, type, model);
    }
    const RbSceneCase *scene = rb_scene_case(name);
    if (scene) return rb_scene_case_model(scene, &cli->arena, &cli->diag, model, NULL);
    return rb_example_build(name, &cli->arena, &cli->diag, model);
}

RbStatus open_model(Cli *cli, const char *name, RbModel **model) {
    RB_TRY(open_named(cli, name, model));
    for (int i = 0; i < cli->given.count; i++) {
        const Given *g = &cli->given.data[i];
        if (strcmp(cli->command->options[g->option].name, "override") != 0) continue;
        RB_TRY(apply_override(cli, *model, g->value));
    }
    return RB_OK;
}
