// SPDX-License-Identifier: MIT
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

extern char **environ;

void cli_open(const char *path) {
    const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if ((!display || !display[0]) && (!wayland || !wayland[0])) return;
    char *const arguments[] = {"xdg-open", (char *)(uintptr_t)path, NULL};
    pid_t process;
    posix_spawnp(&process, "xdg-open", NULL, NULL, arguments, environ);
}

RbStatus run_view(Cli *cli) {
    const char *path = cli->arguments[0], *output = cli_option(cli, "output-file");
    RbViewOptions options = {.title = cli_option(cli, "title"),
                             .variables = cli_option(cli, "variable-filter"),
                             .plots = cli->arguments + 1,
                             .plot_count = cli->argument_count - 1};
    TRY(cli_number(cli, "picture-size", &options.picture_size));
    if (!output) output = cli_with_ending(cli, path, ".html");
    TRY(rb_view(cli->context, path, output, &options));
    if (cli_is_standard(output)) return RB_OK;
    fprintf(stderr, "%s\n", output);
    if (!cli_has(cli, "no-open")) cli_open(output);
    return RB_OK;
}
