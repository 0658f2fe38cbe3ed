// SPDX-License-Identifier: MIT
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "export/page.h"
#include "io/result_file.h"

extern char **environ;

void cli_open(const char *path) {
    const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if ((!display || !display[0]) && (!wayland || !wayland[0])) return;
    char *const arguments[] = {"xdg-open", (char *)(uintptr_t)path, NULL};
    pid_t process;
    posix_spawnp(&process, "xdg-open", NULL, NULL, arguments, environ);
}

RbStatus run_view(Cli *cli) {
    const char *path = cli->arguments.data[0], *output = cli_option(cli, "output-file");
    RbResult *result;
    RB_TRY(rb_result_read(path, RB_JOURNAL_STREAM, &cli->arena, cli->scratch, &cli->diag, &result));
    RbPageOptions options = rb_page_options();
    options.title = cli_option(cli, "title");
    options.variables = cli_option(cli, "variable-filter");
    options.plots = cli->arguments.data + 1;
    options.plot_count = cli->arguments.count - 1;
    if (!output) output = cli_with_ending(cli, path, ".html");
    RB_TRY(rb_page_write(output, result, &options, &cli->arena, cli->scratch, &cli->diag));
    if (strcmp(output, "-") == 0) return RB_OK;
    fprintf(stderr, "%s\n", output);
    if (!cli_has(cli, "no-open")) cli_open(output);
    return RB_OK;
}
