// SPDX-License-Identifier: MIT
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "interrupt.h"
#include "open_model.h"

extern char **environ;

void cli_open(const char *path) {
    const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if ((!display || !display[0]) && (!wayland || !wayland[0])) return;
    char *const arguments[] = {"xdg-open", (char *)(uintptr_t)path, NULL};
    pid_t process;
    posix_spawnp(&process, "xdg-open", NULL, NULL, arguments, environ);
}

static bool names_result(const char *path) {
    return ends_with(path, ".rbj") || ends_with(path, ".mat") || ends_with(path, ".csv") ||
           cli_is_standard(path);
}

// A model runs first; its journal stays beside the page.
static RbStatus simulate_first(Cli *cli, const char **journal) {
    RbModel *model;
    RbSummary summary;
    RbResultFile result = {0};
    TRY(open_model(cli, &model));
    RbSimOptions options = rb_model_options(model);
    TRY(cli_number(cli, "stop-time", &options.stop_time));
    const char *name =
        names_scene(cli->arguments[0]) ? cli->arguments[0] : rb_model_info(model).name;
    const char *output = cli_option(cli, "output-file");
    *journal = output && !cli_is_standard(output) ? cli_with_ending(cli, output, ".rbj")
                                                  : cli_printf(cli, "%s.rbj", name);
    result.file = *journal;
    options.interrupt = &cli_interrupted;
    cli_catch_interrupts();
    TRY(rb_simulate_to_file(cli->context, model, &options, &result, &summary));
    fprintf(stderr, "%s\n", *journal);
    return RB_OK;
}

RbStatus run_view(Cli *cli) {
    const char *path = cli->arguments[0], *output = cli_option(cli, "output-file");
    RbViewOptions options = {.title = cli_option(cli, "title"),
                             .variables = cli_option(cli, "variable-filter"),
                             .plots = cli->arguments + 1,
                             .plot_count = cli->argument_count - 1};
    if (!names_result(path)) {
        options.plots = NULL;
        options.plot_count = 0;
        TRY(simulate_first(cli, &path));
    }
    TRY(cli_number(cli, "picture-size", &options.picture_size));
    if (!output) output = cli_with_ending(cli, path, ".html");
    TRY(rb_view(cli->context, path, output, &options));
    if (cli_is_standard(output)) return RB_OK;
    fprintf(stderr, "%s\n", output);
    if (!cli_has(cli, "no-open")) cli_open(output);
    return RB_OK;
}
