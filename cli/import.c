// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "cli.h"

// Arm for out/Arm.mo
static const char *class_of(Cli *cli, const char *file) {
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    return cli_printf(cli, "%.*s", (int)strcspn(name, "."), name);
}

RbStatus run_import(Cli *cli) {
    RbRobotOptions options = rb_robot_options_default();
    const char *file = cli_option(cli, "output-file"), *report;
    options.package = cli_option(cli, "class");
    if (!options.package && file) options.package = class_of(cli, file);
    if (!file) file = cli_with_ending(cli, class_of(cli, cli->arguments[0]), ".mo");
    TRY(rb_robot_import(cli->context, cli->arguments[0], &options, file, &report));
    if (!cli_option(cli, "quiet")) printf("%s", report);
    return RB_OK;
}
