// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "cli.h"

// Arm for out/Arm.mo
static const char *class_of(Cli *cli, const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    return cli_printf(cli, "%.*s", (int)strcspn(name, "."), name);
}

static RbStatus import_fmu(Cli *cli) {
    RbFmuImportOptions options = rb_fmu_import_options_default();
    const char *fmu = cli->arguments[0], *file = cli_option(cli, "output-file"),
               *type = cli_option(cli, "type");
    options.class_name = cli_option(cli, "class");
    options.co_simulation = type && strcmp(type, "cs") == 0;
    if (type && !options.co_simulation && strcmp(type, "me") != 0)
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "option '--type' is 'me' or 'cs', not '%s'",
                        type);
    if (!options.class_name && file) options.class_name = class_of(cli, file);
    if (!file) file = cli_with_ending(cli, class_of(cli, fmu), ".mo");
    TRY(rb_fmu_import(cli->context, fmu, &options, file));
    if (!cli_option(cli, "quiet")) printf("%s: the class of %s\n", file, fmu);
    return RB_OK;
}

RbStatus run_import(Cli *cli) {
    static const char *const endings[] = {".fmu", ".ssd", ".ssp"};
    for (int i = 0; i < 3; i++)
        if (ends_with(cli->arguments[0], endings[i])) return import_fmu(cli);
    if (cli_has(cli, "type"))
        return cli_fail(cli, RB_ERROR_USAGE, NULL, "'--type' is for FMUs, and '%s' is none",
                        cli->arguments[0]);
    RbRobotOptions options = rb_robot_options_default();
    const char *file = cli_option(cli, "output-file"), *report;
    options.package = cli_option(cli, "class");
    if (!options.package && file) options.package = class_of(cli, file);
    if (!file) file = cli_with_ending(cli, class_of(cli, cli->arguments[0]), ".mo");
    TRY(rb_robot_import(cli->context, cli->arguments[0], &options, file, &report));
    if (!cli_option(cli, "quiet")) printf("%s", report);
    return RB_OK;
}
