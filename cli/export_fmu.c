// SPDX-License-Identifier: MIT
#include <string.h>

#include "open_model.h"

// The values of --override, up to a NULL.
static RbStatus list_settings(Cli *cli, const char *const **out) {
    const char **settings = cli_room(cli, (size_t)(cli->given_count + 1) * sizeof *settings);
    int count = 0;
    for (int i = 0; i < cli->given_count; i++) {
        const char *setting = cli_given(cli, i, "override");
        if (!setting) continue;
        const char *equals = strchr(setting, '=');
        if (!equals || equals == setting)
            return cli_fail(cli, RB_ERROR_USAGE, NULL,
                            "'--override %s' is not of the form NAME=VALUE", setting);
        settings[count++] = setting;
    }
    *out = settings;
    return RB_OK;
}

static RbStatus choose_version(Cli *cli, int *version) {
    const char *text = cli_option(cli, "fmi");
    if (text && strcmp(text, "2") != 0 && strcmp(text, "3") != 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "option '--fmi' is 2 or 3, not '%s'", text);
    if (text) *version = text[0] - '0';
    return RB_OK;
}

static RbStatus choose_type(Cli *cli, RbFmuType *type) {
    static const char *const names[] = {"cs", "me", "both"}; // ORDER RbFmuType
    const char *given = cli_option(cli, "type");
    for (int i = 0; given && i < 3; i++) {
        if (strcmp(given, names[i]) != 0) continue;
        *type = (RbFmuType)i;
        return RB_OK;
    }
    return given ? cli_fail(cli, RB_ERROR_USAGE, NULL,
                            "option '--type' is cs, me or both, not '%s'", given)
                 : RB_OK;
}

// Ball.fmu for Ball.mo, or for the class A.Ball
static const char *default_file(Cli *cli) {
    const char *name = cli->arguments[cli->argument_count - 1], *slash = strrchr(name, '/');
    if (slash) name = slash + 1;
    size_t length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, ".mo") == 0)
        return cli_with_ending(cli, name, ".fmu");
    const char *dot = strrchr(name, '.');
    return cli_printf(cli, "%s.fmu", dot ? dot + 1 : name);
}

RbStatus run_export_fmu(Cli *cli) {
    RbFmuOptions options = rb_fmu_options_default();
    RbModelica source;
    if (names_soft_scene(cli))
        return cli_fail(
            cli, RB_ERROR_USAGE, NULL,
            "FMUs are made of Modelica models; `rattleback convert %s scene.mo` makes one "
            "of this scene",
            cli->arguments[0]);
    if (!names_modelica(cli))
        return cli_fail(
            cli, RB_ERROR_USAGE, NULL,
            "FMUs are made of Modelica models: a file (.mo), or a class of a library; '%s' "
            "is neither",
            cli->arguments[0]);
    TRY(choose_version(cli, &options.version));
    TRY(choose_type(cli, &options.type));
    TRY(list_settings(cli, &options.settings));
    options.solver = cli_option(cli, "solver");
    const char *file = cli_option(cli, "output-file");
    TRY(modelica_source(cli, &source));
    return rb_fmu_export(cli->context, &source, &options, file ? file : default_file(cli));
}
