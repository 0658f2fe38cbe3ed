// SPDX-License-Identifier: MIT
#include "open_model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

static bool is_model_file(const char *name) {
    return ends_with(name, ".mo") || ends_with(name, ".fmu") || ends_with(name, ".ssp") || ends_with(name, ".ssd");
}

bool names_modelica(const Cli *cli) {
    const char *name = cli->arguments[0];
    struct stat info;
    if (is_model_file(name) || cli_is_standard(name)) return true;
    if (cli->argument_count > 1 || cli_has(cli, "library")) return true;
    RbModelica scene;
    if (rb_modelica_scene(name, &scene)) return true;
    return stat(name, &info) == 0 ? S_ISDIR(info.st_mode) : is_class_name(name);
}

// The folders of --library, up to a NULL.
static RbStatus list_libraries(Cli *cli, const char *const **out) {
    const char **folders = cli_room(cli, (size_t)(cli->given_count + 1) * sizeof *folders);
    int count = 0;
    for (int i = 0; i < cli->given_count; i++) {
        const char *folder = cli_given(cli, i, "library");
        struct stat info;
        if (!folder) continue;
        if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
            return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--library %s': there is no such folder",
                            folder);
        folders[count++] = folder;
    }
    *out = folders;
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
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
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
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "option '--residual-form' is 'auto', 'always' or 'never', not '%s'", how);
    return RB_OK;
}

// --multibody HOW
static RbStatus choose_multibody(Cli *cli, bool *engine) {
    const char *how = cli_option(cli, "multibody");
    *engine = how && strcmp(how, "engine") == 0;
    if (how && !*engine && strcmp(how, "equations") != 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "option '--multibody' is 'equations' or 'engine', not '%s'", how);
    return RB_OK;
}

bool names_soft_scene(const Cli *cli) {
    return ends_with(cli->arguments[0], ".xml");
}

RbStatus modelica_source(Cli *cli, RbModelica *source) {
    const char *name = cli->arguments[0];
    if (names_soft_scene(cli))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'%s' is a scene of soft bodies, and nothing of it is translated; "
                        "`rattleback info %s` says what it consists of",
                        name, name);
    struct stat info;
    *source = rb_modelica_default();
    TRY(list_libraries(cli, &source->libraries));
    bool is_file = is_model_file(name) || cli_is_standard(name) || stat(name, &info) == 0;
    if (is_file)
        source->file = name;
    else if (!rb_modelica_scene(name, source))
        source->class_name = name;
    if (cli->argument_count > 1) source->class_name = cli->arguments[1];
    source->input_file = cli_option(cli, "input-file");
    TRY(choose_code(cli, &source->optimize));
    source->no_external = cli_has(cli, "no-external");
    TRY(cli_positive(cli, "translation-memory", &source->translation_memory));
    TRY(cli_positive(cli, "translation-time", &source->translation_seconds));
    TRY(choose_multibody(cli, &source->multibody_engine));
    return choose_residual_form(cli, &source->residual_systems);
}

static RbStatus record_contacts(Cli *cli, RbModel *model);

static RbStatus open_modelica(Cli *cli, RbModel **model) {
    RbModelica source;
    TRY(modelica_source(cli, &source));
    TRY(rb_modelica_translate(cli->context, &source, model));
    return record_contacts(cli, *model);
}

// -----------------------------------------------------------------------------------------------
// what is built in

typedef bool Listed(const Cli *cli, int index, const char **name);

static bool list_component(const Cli *cli, int index, const char **name) {
    return rb_context_component(cli->context, index, name, NULL);
}

static bool list_scene(const Cli *cli, int index, const char **name) {
    (void)cli;
    return rb_scene_example(index, name, NULL);
}

static bool list_example(const Cli *cli, int index, const char **name) {
    (void)cli;
    return rb_example(index, name, NULL);
}

static bool is_listed(const Cli *cli, Listed *listed, const char *wanted) {
    const char *name;
    for (int i = 0; listed(cli, i, &name); i++) {
        if (strcmp(name, wanted) == 0) return true;
    }
    return false;
}

bool names_scene(const char *name) {
    return is_listed(NULL, list_scene, name);
}

// A component type makes a model with one component, called like its type with a small first
// letter.
static RbStatus open_component(Cli *cli, const char *type, RbModel **model) {
    const char *name =
        cli_printf(cli, "%c%s", tolower((unsigned char)type[0]), type[0] ? type + 1 : "");
    TRY(rb_model_create(cli->context, type, model));
    return rb_model_add_component(*model, type, name);
}

// "A,B": the pair whose contact is recorded. A comma in brackets is one of subscripts.
static const char *comma_of(const char *text) {
    for (int depth = 0; *text && (*text != ',' || depth > 0); text++)
        depth += (*text == '[') - (*text == ']');
    return text;
}

static const char *without_blanks(Cli *cli, const char *from, const char *to) {
    while (from < to && *from == ' ') from++;
    while (from < to && to[-1] == ' ') to--;
    return cli_copy(cli, from, (size_t)(to - from));
}

static RbStatus split_pair(Cli *cli, const char *text, const char *names[2]) {
    const char *comma = comma_of(text), *end = *comma ? comma_of(comma + 1) : comma;
    names[0] = without_blanks(cli, text, comma);
    names[1] = *comma ? without_blanks(cli, comma + 1, end) : "";
    if (*end || !names[0][0] || !names[1][0])
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--contact %s' is not of the form A,B, the names of two parts", text);
    return RB_OK;
}

static RbStatus choose_pair(Cli *cli, RbSceneBuilder *scene, const char *text) {
    const char *names[2];
    TRY(split_pair(cli, text, names));
    int objects[2];
    for (int i = 0; i < 2; i++) {
        objects[i] = rb_builder_find(scene, names[i]);
        if (objects[i] >= 0) continue;
        Text all = text_new(cli);
        for (int k = 1; rb_builder_object(scene, k); k++)
            text_printf(&all, "%s%s", k > 1 ? ", " : "", rb_builder_object(scene, k));
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--contact %s': there is no object '%s'; there are: %s", text, names[i],
                        all.data);
    }
    return rb_builder_record_contact(scene, objects[0], objects[1]);
}

static RbStatus open_scene(Cli *cli, const char *name, RbModel **model) {
    RbSceneBuilder *scene;
    TRY(rb_builder_open(cli->context, name, &scene));
    for (int i = 0; i < cli->given_count; i++) {
        const char *materials = cli_given(cli, i, "material-file");
        const char *pair = cli_given(cli, i, "contact");
        if (materials) TRY(rb_builder_read_materials(scene, materials));
        if (pair) TRY(choose_pair(cli, scene, pair));
    }
    return rb_builder_finish(scene, model);
}

static RbStatus refuse_scene_options(Cli *cli, const char *name) {
    bool modelica = names_modelica(cli);
    if (modelica && cli_has(cli, "material-file"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "--material-file is for scenes; the world of a Modelica model names the "
                        "file: World world(materials = \"%s\")",
                        cli_option(cli, "material-file"));
    static const char *const options[] = {"material-file", "contact"};
    for (int i = 0; !modelica && i < 2; i++) {
        if (cli_has(cli, options[i]))
            return cli_fail(cli, RB_ERROR_USAGE, NULL,
                            "--%s is for scenes, and '%s' is none; `rattleback info` lists them",
                            options[i], name);
    }
    return RB_OK;
}

// --contact of a Modelica model
static RbStatus record_contacts(Cli *cli, RbModel *model) {
    for (int i = 0; i < cli->given_count; i++) {
        const char *pair = cli_given(cli, i, "contact"), *names[2];
        if (!pair) continue;
        TRY(split_pair(cli, pair, names));
        TRY(rb_model_record_contact(model, names[0], names[1]));
    }
    return RB_OK;
}

static RbStatus fail_unknown(Cli *cli, const char *name) {
    enum { MOST = 256 };
    Listed *const lists[] = {list_component, list_scene, list_example};
    const char *names[MOST];
    int count = 0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; count < MOST && lists[k](cli, i, &names[count]); i++) count++;
    }
    return cli_fail(cli, RB_ERROR_USAGE, NULL,
                    "there is no scene, example or component '%s', and a Modelica file ends in "
                    ".mo; `rattleback info` lists what is built in%s",
                    name, cli_question(cli, name, "", names, count));
}

static RbStatus open_named(Cli *cli, const char *name, RbModel **model) {
    if (!names_scene(name) || names_modelica(cli)) TRY(refuse_scene_options(cli, name));
    if (names_soft_scene(cli)) return rb_soft_open(cli->context, name, model);
    if (names_modelica(cli)) return open_modelica(cli, model);
    if (cli_has(cli, "input-file"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL,
                        "'--input-file' is for Modelica models; '%s' has no inputs", name);
    if (is_listed(cli, list_component, name)) return open_component(cli, name, model);
    if (names_scene(name)) return open_scene(cli, name, model);
    if (is_listed(cli, list_example, name)) return rb_example_open(cli->context, name, model);
    return fail_unknown(cli, name);
}

// ---------------------------------------------------------------------------------------------------
// overrides

static RbStatus apply_override(Cli *cli, RbModel *model, const char *text) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--override %s' is not of the form NAME=VALUE",
                        text);
    return rb_model_set_text(model, cli_copy(cli, text, (size_t)(equals - text)), equals + 1);
}

static RbStatus apply_file(Cli *cli, RbModel *model, const char *file) {
    const RbParameterValue *settings;
    int count;
    TRY(rb_parameter_set_read(cli->context, file, &settings, &count));
    for (int i = 0; i < count; i++) {
        RbStatus status = rb_model_set_text(model, settings[i].name, settings[i].value);
        if (status != RB_OK)
            return cli_fail(cli, status, file, "line %d: '%s' cannot be set to '%s'",
                            settings[i].at.line, settings[i].name, settings[i].value);
    }
    return RB_OK;
}

// Single values win over those of files.
RbStatus open_model(Cli *cli, RbModel **model) {
    TRY(open_named(cli, cli->arguments[0], model));
    for (int i = 0; i < cli->given_count; i++) {
        const char *file = cli_given(cli, i, "override-file");
        if (file) TRY(apply_file(cli, *model, file));
    }
    for (int i = 0; i < cli->given_count; i++) {
        const char *override = cli_given(cli, i, "override");
        if (override) TRY(apply_override(cli, *model, override));
    }
    return RB_OK;
}
