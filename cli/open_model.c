// SPDX-License-Identifier: MIT
#include "open_model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/number.h"
#include "translate/array_text.h"
#include "model/example.h"
#include "scenes.h"

// ----------------------------------------------------------------------------------------------------
// Modelica

// "Package.Class": a class that is found in a library.
static bool is_class_name(const char *name) {
    bool first = true, dots = false;
    for (; *name; name++) {
        if (*name == '.' && first) return false;
        if (!isalnum((unsigned char)*name) && *name != '_' && *name != '.') return false;
        dots |= *name == '.';
        first = *name == '.';
    }
    return dots && !first;
}

bool names_modelica(const Cli *cli) {
    const char *name = cli->arguments.data[0];
    struct stat info;
    if (rb_text_ends_with(name, ".mo") || rb_file_is_standard(name)) return true;
    if (cli->arguments.count > 1 || cli_has(cli, "library")) return true;
    return stat(name, &info) == 0 ? S_ISDIR(info.st_mode) : is_class_name(name);
}

// The folders of --library, up to a NULL.
static RbStatus list_libraries(Cli *cli, const char *const **out) {
    RB_ARRAY(const char *) folders = {0};
    for (int i = 0; i < cli->given.count; i++) {
        const Given *g = &cli->given.data[i];
        struct stat info;
        if (strcmp(cli->command->options[g->option].name, "library") != 0) continue;
        if (stat(g->value, &info) != 0 || !S_ISDIR(info.st_mode))
            return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "'--library %s': there is no such folder", g->value);
        rb_array_push(&folders, &cli->arena, g->value);
    }
    rb_array_push(&folders, &cli->arena, NULL);
    *out = folders.data;
    return RB_OK;
}

// --optimize or --optimize=HOW
static RbStatus choose_code(Cli *cli, RbOptimize *optimize) {
    const char *how = cli_option(cli, "optimize");
    if (!how || strcmp(how, "auto") == 0)
        *optimize = RB_OPTIMIZE_AUTO;
    else if (!how[0] || strcmp(how, "always") == 0)
        *optimize = RB_OPTIMIZE_ALWAYS;
    else if (strcmp(how, "never") != 0)
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "option '--optimize' is 'never', 'auto' or 'always', not '%s'", how);
    return RB_OK;
}

// --residual-form HOW
static RbStatus choose_residual_form(Cli *cli, RbResidualSystems *systems) {
    const char *how = cli_option(cli, "residual-form");
    if (how && strcmp(how, "always") == 0)
        *systems = RB_RESIDUAL_ALWAYS;
    else if (how && strcmp(how, "never") == 0)
        *systems = RB_RESIDUAL_NEVER;
    else if (how && strcmp(how, "auto") != 0)
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "option '--residual-form' is 'auto', 'always' or 'never', not '%s'", how);
    return RB_OK;
}

RbStatus modelica_source(Cli *cli, RbModelica *source) {
    const char *name = cli->arguments.data[0];
    struct stat info;
    *source = rb_modelica_default();
    RB_TRY(list_libraries(cli, &source->libraries));
    bool is_file =
        rb_text_ends_with(name, ".mo") || rb_file_is_standard(name) || stat(name, &info) == 0;
    if (is_file)
        source->file = name;
    else
        source->class_name = name;
    if (cli->arguments.count > 1) source->class_name = cli->arguments.data[1];
    source->input_file = cli_option(cli, "input-file");
    RB_TRY(choose_code(cli, &source->optimize));
    source->no_external = cli_has(cli, "no-external");
    RB_TRY(cli_positive(cli, "translation-memory", &source->translation_memory));
    RB_TRY(cli_positive(cli, "translation-time", &source->translation_seconds));
    return choose_residual_form(cli, &source->residual_systems);
}

RbModelicaOpener modelica_opener(Cli *cli, const RbModelica *source) {
    return (RbModelicaOpener){.source = source,
                              .registry = &cli->registry,
                              .log = &cli->log,
                              .arena = &cli->arena,
                              .scratch = &cli->scratch,
                              .diag = &cli->diag};
}

static RbStatus open_modelica(Cli *cli, RbModel **model) {
    RbModelica source;
    RB_TRY(modelica_source(cli, &source));
    RbModelicaOpener opener = modelica_opener(cli, &source);
    RB_TRY(rb_modelica_model(&opener, model));
    cli->inputs = opener.inputs;
    return RB_OK;
}

// -----------------------------------------------------------------------------------------------
// what is built in

// A component type makes a model with one component, called like its type with a small first
// letter.
static RbStatus open_component(Cli *cli, const RbComponentType *type, RbModel **model) {
    char *name = rb_arena_text(&cli->arena, type->name);
    name[0] = (char)tolower((unsigned char)name[0]);
    *model = rb_model_new(type->name, type->description ? type->description : "", &cli->arena);
    return rb_model_add(*model, type, name, &cli->diag, NULL);
}

// "A,B" into the pair whose contact is recorded.
static RbStatus choose_pair(Cli *cli, RbScene *scene, const char *text) {
    const char *comma = strchr(text, ',');
    if (!comma) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--contact %s' is not of the form A,B", text);
    }
    const char *names[2] = {rb_arena_bytes(&cli->arena, text, (size_t)(comma - text)), comma + 1};
    int objects[2];
    for (int i = 0; i < 2; i++) {
        objects[i] = rb_scene_find(scene, names[i]);
        if (objects[i] >= 0) continue;
        RbText all = rb_text(&cli->arena);
        for (int k = 1; k < scene->objects.count; k++)
            rb_text_printf(&all, "%s%s", k > 1 ? ", " : "", scene->objects.data[k].object.name);
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--contact %s': there is no object '%s'; there are: %s", text, names[i],
                       all.data);
    }
    rb_array_push(&scene->contact_results, scene->arena, ((RbScenePair){objects[0], objects[1]}));
    return RB_OK;
}

static RbStatus open_scene(Cli *cli, const RbSceneCase *scene_case, RbModel **model) {
    RbScene *scene;
    RB_TRY(rb_scene_case_model(scene_case, &cli->arena, &cli->diag, model, &scene));
    for (int i = 0; i < cli->given.count; i++) {
        const Given *g = &cli->given.data[i];
        const char *option = cli->command->options[g->option].name;
        if (strcmp(option, "material-file") == 0)
            RB_TRY(rb_scene_read_materials(scene, g->value, &cli->diag));
        if (strcmp(option, "contact") == 0) RB_TRY(choose_pair(cli, scene, g->value));
    }
    return RB_OK;
}

static RbStatus refuse_scene_options(Cli *cli, const char *name) {
    static const char *const options[] = {"material-file", "contact"};
    for (int i = 0; i < 2; i++) {
        if (cli_has(cli, options[i])) {
            return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                           "--%s is for scenes, and '%s' is none; `rattleback info` lists them",
                           options[i], name);
        }
    }
    return RB_OK;
}

static RbStatus fail_unknown(Cli *cli, const char *name) {
    RbNear near = {.wanted = name};
    for (int i = 0; i < cli->registry.types.count; i++)
        rb_text_try_near(&near, cli->registry.types.data[i]->name);
    for (const RbSceneCase *c = rb_scene_cases; c->name; c++) rb_text_try_near(&near, c->name);
    for (const RbExample *e = rb_examples; e->name; e++) rb_text_try_near(&near, e->name);
    return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                   "there is no scene, example or component '%s', and a Modelica file ends in .mo; "
                   "`rattleback info` lists what is built in%s",
                   name, rb_text_near_question(&near, "", &cli->arena));
}

static RbStatus open_named(Cli *cli, const char *name, RbModel **model) {
    const RbSceneCase *scene = rb_scene_case(name);
    if (!scene) RB_TRY(refuse_scene_options(cli, name));
    if (names_modelica(cli)) return open_modelica(cli, model);
    if (cli_has(cli, "input-file"))
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--input-file' is for Modelica models; '%s' has no inputs", name);
    for (int i = 0; i < cli->registry.types.count; i++) {
        const RbComponentType *type = cli->registry.types.data[i];
        if (strcmp(type->name, name) == 0) return open_component(cli, type, model);
    }
    if (scene) return open_scene(cli, scene, model);
    for (const RbExample *e = rb_examples; e->name; e++) {
        if (strcmp(e->name, name) == 0)
            return rb_example_build(name, &cli->arena, &cli->diag, model);
    }
    return fail_unknown(cli, name);
}

// ---------------------------------------------------------------------------------------------------
// overrides

static RbStatus apply_override(Cli *cli, RbModel *model, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--override %s' is not of the form NAME=VALUE", text);
    }
    const char *path = rb_arena_bytes(&cli->arena, text, (size_t)(equals - text));
    double value;
    if (equals[1] == '[' || equals[1] == '{') {
        RbArrayText array;
        const char *wrong = rb_array_parse(equals + 1, &cli->arena, &array);
        if (wrong)
            return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE, "'--override %s': %s", text,
                           wrong);
        return rb_model_override_array(model, path, array.rank, array.dims, array.values,
                                       &cli->diag);
    }
    if (!rb_number_parse(equals + 1, equals + strlen(equals), &value) &&
        !rb_model_literal(model, path, equals + 1, &value)) {
        return rb_fail(&cli->diag, RB_ERROR_USAGE, RB_NOWHERE,
                       "'--override %s': '%s' is not a number", text, equals + 1);
    }
    return rb_model_override(model, path, value, &cli->diag);
}

RbStatus open_model(Cli *cli, RbModel **model) {
    RB_TRY(open_named(cli, cli->arguments.data[0], model));
    for (int i = 0; i < cli->given.count; i++) {
        const Given *g = &cli->given.data[i];
        if (strcmp(cli->command->options[g->option].name, "override") != 0) continue;
        RB_TRY(apply_override(cli, *model, g->value));
    }
    return RB_OK;
}
